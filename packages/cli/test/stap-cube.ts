/** Drawn cubes as files, the options with which the command reads them, and the files that it writes. */
import { type Layout, scalarCount } from "@dechirp/core";
import { writeNpy } from "@dechirp/io";
import { type Cube, type CubeOrder, reorderCube } from "@dechirp/stap";
import { channels, prfHz, pulses, ranges } from "../../processor/test/stap-cube.ts";

export { channels, jammed, prfHz, pulses, ranges, stapCube, target, usualReport } from "../../processor/test/stap-cube.ts";

/** Options of an array: facts that its file does not state, and the scan. */
export const radar = ["--prf", `${prfHz}`, "--spacing", "0.5"];
export const scan = ["--azimuth", "-60:60:10"];

/** What the command writes. */
export const stapFiles = ["angle-doppler.npy", "angle-doppler.png", "detections.csv", "output.npy", "range-doppler.png", "report.json"];

export const orders: readonly CubeOrder[] = [
  ["channel", "pulse", "range"],
  ["channel", "range", "pulse"],
  ["pulse", "channel", "range"],
  ["pulse", "range", "channel"],
  ["range", "channel", "pulse"],
  ["range", "pulse", "channel"],
];

const extents = { channel: channels, pulse: pulses, range: ranges };

/** The cube as .npy with its axes in another order. */
export function cubeNpy(cube: Cube, order: CubeOrder = orders[0]): Uint8Array {
  const layout: Layout<"c64"> = { dtype: "c64", shape: order.map((axis) => extents[axis]) };
  const { data } = reorderCube(cube, order);
  if (data.length !== scalarCount(layout)) throw new Error("the cube has other extents");
  return writeNpy(layout, data as Float32Array);
}

/** A MAT-file of version 4, little-endian: real and complex matrices of doubles, column-major. */
export function mat4(
  variables: Readonly<Record<string, { shape: readonly [number, number]; re: ArrayLike<number>; im?: ArrayLike<number> }>>,
): Buffer {
  const doubles = (values: ArrayLike<number>): Uint8Array => new Uint8Array(Float64Array.from(values).buffer);
  return Buffer.concat(
    Object.entries(variables).flatMap(([name, { shape, re, im }]) => [
      new Uint8Array(Int32Array.from([0, ...shape, im ? 1 : 0, name.length + 1]).buffer),
      Buffer.from(`${name}\0`),
      doubles(re),
      ...(im ? [doubles(im)] : []),
    ]),
  );
}
