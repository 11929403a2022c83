/** Recordings that tests open in several tasks: a small phase history as CPHD, and a cube of array data as .npy. */
import { arrayBytes, npyHeader } from "@dechirp/io";
import { encodeCphd } from "@dechirp/io/cphd";
import { cubeOrders, reorderCube } from "@dechirp/stap";
import { recordingOf, sceneOf } from "../src/adaptive/scenario.ts";
import { settings } from "../src/adaptive/settings.ts";
import { defaultsOf } from "../src/settings.ts";
import { aperture } from "./backprojection-cases.ts";

/** A flight on a circle. */
export async function cphdBytes(name = "circle"): Promise<Uint8Array> {
  const { history } = aperture([40, 60]);
  const { count } = history.frequency;
  const recording = { ...history, name, shape: [history.referenceRangeMeters.length, count] as const };
  const pulses = (from: number, some: number): Float32Array => history.samples.subarray(2 * from * count, 2 * (from + some) * count);
  const pieces: Uint8Array[] = [];
  const place = { latitudeDegrees: 40, longitudeDegrees: -84, heightMeters: 200 };
  for await (const piece of encodeCphd(
    { ...recording, pulses },
    { origin: place, prfHz: 400, startUtc: "2026-11-01T12:00:00Z", coreName: name },
  ))
    pieces.push(piece.slice());
  return new Uint8Array(Buffer.concat(pieces));
}

/** Ward's scenario with few elements, in the order channel, pulse, range. */
export function cubeBytes(): Uint8Array {
  const { cube } = recordingOf(sceneOf({ ...defaultsOf(settings), elements: 6, pulses: 12, ranges: 128 }));
  const turned = reorderCube(cube, cubeOrders.paper);
  const shape = [cube.channels, cube.pulses, cube.ranges] as const;
  const parts = [npyHeader({ dtype: "c64", shape }), arrayBytes(Float32Array.from(turned.data))];
  return new Uint8Array(Buffer.concat(parts.map((part) => Buffer.from(part as Uint8Array))));
}
