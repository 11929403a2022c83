/** Scene folders with raw data of other types, and with orbit state vectors. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type SceneData, writeNpy } from "../src/index.ts";
import { readScene, writeSceneFolder } from "../src/node.ts";
import { noiseRadar, plain, recorded, samplesOf } from "./scene-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-io-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function refused(promise: Promise<unknown>, message: RegExp): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!isRadarError(error, "input")) throw new Error(`not refused: ${error}`);
  expect(error.message).toMatch(message);
}

const scene: SceneData = {
  name: "noise",
  radar: noiseRadar,
  raw: { layout: { dtype: "ci8", shape: [1, 2] }, data: Int8Array.of(1, -2, 3, -4) },
  targets: [],
  notes: ["made for a test"],
};

const orbit = (): NonNullable<SceneData["radar"]["orbit"]> => ({
  timesSeconds: [-20, -10, 0, 10],
  positionsMeters: [0, 1, 2, 3].map((i) => [7e6, 75e3 * i, 1e3 * i]),
  lookSide: "left",
});

it("read pairs of floats as complex numbers, and round float64", async () => {
  const good = scene;
  const values = [1.5, -2, 0.1, 1e30, 3, 4, 5, 6, 7, -1e-20, 9, 10];
  await writeSceneFolder(dir, { ...good, raw: { layout: { dtype: "c64", shape: [2, 3] }, data: Float32Array.from(values) } });
  const expected = await plain(await readScene(dir));
  const raw = join(dir, "raw.npy");
  const put = (dtype: "f32" | "f64" | "c128", shape: number[], data: Float32Array | Float64Array): Promise<void> =>
    writeFile(raw, writeNpy({ dtype, shape }, data));
  await put("f32", [2, 3, 2], Float32Array.from(values));
  expect(await plain(await readScene(dir))).toEqual(expected);
  for (const [dtype, shape] of [
    ["f64", [2, 3, 2]],
    ["c128", [2, 3]],
  ] as const) {
    await put(dtype, [...shape], Float64Array.from(values));
    const read = await readScene(dir);
    expect([read.dtype, read.shape]).toEqual(["c64", [2, 3]]);
    expect(await samplesOf(read)).toEqual(Float32Array.from(values));
    expect(read.notes).toEqual([...expected.notes, expect.stringMatching(/raw\.npy: samples of 64 bits a part were rounded to 32 bits/)]);
  }
  const beyond = Float64Array.from(values);
  beyond[9] = -4e38;
  await put("c128", [2, 3], beyond);
  await refused(readScene(dir).then(samplesOf), /raw\.npy: raw\[1\]\[1\] must be within the range of float32 .*, not -4e\+38/);
  beyond[9] = Number.NaN;
  await put("f64", [2, 3, 2], beyond);
  await refused(readScene(dir).then(samplesOf), /raw\.npy: raw\[1\]\[1\] must be finite, not NaN/);
  await put(
    "c128",
    [2, 3],
    Float64Array.from(values, (value) => value * 1e-65),
  );
  await refused(
    readScene(dir).then(samplesOf),
    /raw\.npy: the largest sample must be at least 2\.0e-31 for float32 to hold: scale the samples/,
  );
  await put("c128", [2, 3], new Float64Array(12));
  expect(await samplesOf(await readScene(dir))).toEqual(new Float32Array(12));
});

it("restore state vectors, with a velocity and without one", async () => {
  const { velocityMetersPerSecond: _, ...still } = scene.radar;
  const orbital: SceneData = { ...scene, radar: { ...still, orbit: { ...orbit(), velocitiesMetersPerSecond: orbit().positionsMeters } } };
  const both: SceneData = { ...scene, radar: { ...scene.radar, orbit: { ...orbit(), groundHeightMeters: 120 } } };
  for (const value of [orbital, both]) {
    await writeSceneFolder(dir, value);
    expect(await plain(await readScene(dir))).toEqual(await recorded(value));
  }
});

it("refuse state vectors that are wrong anywhere, naming the field", async () => {
  await writeSceneFolder(dir, scene);
  const file = join(dir, "scene.json");
  const good = JSON.parse(await readFile(file, "utf8"));
  const bad = async (change: object, message: RegExp): Promise<void> => {
    await writeFile(file, JSON.stringify({ ...good, radar: { ...good.radar, ...change } }));
    await refused(readScene(dir), message);
  };
  const withOrbit = (change: object): object => ({ orbit: { ...orbit(), ...change } });
  await bad({ velocityMetersPerSecond: undefined }, /radar\.velocityMetersPerSecond must be present, because there is no radar\.orbit/);
  await bad({ orbit: 5 }, /radar\.orbit must be an object, not 5/);
  await bad(withOrbit({ timesSeconds: [1, 2, 3] }), /radar\.orbit\.timesSeconds must be at least four times/);
  await bad(withOrbit({ timesSeconds: [1, 2, 3, 3] }), /radar\.orbit\.timesSeconds\[3\] must be after 3, the time before it, not 3/);
  await bad(withOrbit({ timesSeconds: [1, 2, 3, "4"] }), /radar\.orbit\.timesSeconds\[3\] must be a number, not "4"/);
  await bad(withOrbit({ timesSeconds: [1, 2, 3, 4, 5] }), /radar\.orbit\.positionsMeters must be 5 vectors, one for each time, not 4/);
  await bad(withOrbit({ positionsMeters: [[1, 2]] }), /radar\.orbit\.positionsMeters\[0\] must be three numbers/);
  await bad(withOrbit({ positionsMeters: [[1, 2, null]] }), /radar\.orbit\.positionsMeters\[0\]\[2\] must be a number, not null/);
  await bad(withOrbit({ velocitiesMetersPerSecond: [[1, 2, 3]] }), /velocitiesMetersPerSecond must be 4 vectors, one for each time, not 1/);
  await bad(withOrbit({ lookSide: "up" }), /radar\.orbit\.lookSide must be left or right, not "up"/);
  await bad(withOrbit({ lookSide: undefined }), /radar\.orbit\.lookSide must be present, not absent/);
  await bad(withOrbit({ frame: "ECI" }), /radar\.orbit\.frame must be absent: there is no such field/);
});
