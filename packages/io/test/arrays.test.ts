/** Recordings of antenna arrays: axis order, CPIs, element types, facts about the radar, steering vectors, and refusals. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { placeOf, type ReadRecordingOptions, readRecordingFrom } from "../src/formats.ts";
import { type ArrayAxes, type RecordedArray, writeNpy } from "../src/index.ts";
import { readArray, readSteeringVectors } from "../src/node.ts";
import { complexMat, mountainTopFile, noise } from "./format-samples.ts";
import { refusal } from "./refusal.ts";

const read = async (bytes: Uint8Array, options: ReadRecordingOptions = {}, file = "cube"): Promise<RecordedArray> =>
  (await readRecordingFrom(placeOf({ [file]: bytes }, { file }), { ...options, kind: "array" })).recording;

const size = { channel: 2, pulse: 3, range: 5, cpi: 4 } as const;
const usual = ["channel", "pulse", "range"] as const;

/** Row-major, interleaved. The value of a sample tells its position. */
function array(axes: ArrayAxes): { readonly shape: readonly number[]; readonly data: Float32Array } {
  const shape = axes.map((axis) => size[axis]);
  const data = new Float32Array(2 * shape.reduce((a, b) => a * b, 1));
  for (let i = 0; i < data.length / 2; i++) {
    let [left, value] = [i, 0];
    for (let axis = axes.length - 1; axis >= 0; axis--) {
      value += (left % shape[axis]) * { channel: 100, pulse: 10, range: 1, cpi: 1000 }[axes[axis]];
      left = Math.floor(left / shape[axis]);
    }
    data[2 * i] = value + 1;
    data[2 * i + 1] = -value - 1;
  }
  return { shape, data };
}

/** [channel][pulse][range] of one CPI, by definition. */
function expected(cpi = 0): Float32Array {
  const out: number[] = [];
  for (let c = 0; c < size.channel; c++)
    for (let p = 0; p < size.pulse; p++)
      for (let r = 0; r < size.range; r++) {
        const value = 1000 * cpi + 100 * c + 10 * p + r;
        out.push(value + 1, -value - 1);
      }
  return Float32Array.from(out);
}

const permutations = <T>(list: readonly T[]): readonly (readonly T[])[] =>
  list.length < 2 ? [list] : list.flatMap((one, i) => permutations(list.filter((_, j) => j !== i)).map((rest) => [one, ...rest]));

/** Column-major, as MATLAB stores an array of this shape. */
const columns = (axes: ArrayAxes) => ({ shape: axes.map((axis) => size[axis]), data: array([...axes].reverse()).data });

describe("axes", () => {
  it.each(permutations(usual).map((axes) => [axes.join(","), axes] as const))("reads %s from .npy and MAT-files", async (_, axes) => {
    const { shape, data } = array(axes);
    const npy = await read(writeNpy({ dtype: "c64", shape }, data), { axes });
    expect(npy).toMatchObject({
      cube: { channels: 2, pulses: 3, ranges: 5, order: usual },
      elements: [0, 1],
      fileChannels: 2,
      axesOpen: true,
    });
    expect(npy.cube.data).toEqual(expected());
    expect(Float32Array.from((await read(complexMat({ x: columns(axes) }), { axes })).cube.data)).toEqual(expected());
  });

  it("reads four axes, with the axis of CPIs in any position", async () => {
    for (const axes of permutations([...usual, "cpi"] as const)) {
      const { shape, data } = array(axes);
      for (const cpi of [1, 3]) {
        const one = await read(writeNpy({ dtype: "c64", shape }, data), { axes, cpi });
        expect(one.cube.data).toEqual(expected(cpi - 1));
        expect(one.cpi).toEqual({ number: cpi, names: ["interval 1", "interval 2", "interval 3", "interval 4"] });
      }
      expect(Float32Array.from((await read(complexMat({ x: columns(axes) }), { axes, cpi: 4 })).cube.data)).toEqual(expected(3));
    }
    // Default axis of CPIs: first in .npy, last in .mat. Default CPI: the first.
    const first = array(["cpi", ...usual]);
    expect((await read(writeNpy({ dtype: "c64", shape: first.shape }, first.data))).cube.data).toEqual(expected());
    expect(Float32Array.from((await read(complexMat({ x: columns([...usual, "cpi"]) }), { cpi: 2 })).cube.data)).toEqual(expected(1));
  });

  it("reads several arrays of a MAT-file, one for each CPI", async () => {
    const [a, b] = [columns(usual), columns(usual)];
    const bytes = complexMat({ second: { ...b, data: b.data.map((x) => 2 * x) }, first: a });
    const one = await read(bytes, { cpi: 2 });
    expect(one.cpi).toEqual({ number: 2, names: ["second", "first"] });
    expect(Float32Array.from(one.cube.data)).toEqual(expected());
    expect(Float32Array.from((await read(bytes)).cube.data)).toEqual(expected().map((x) => 2 * x));
    const { fields, message } = await refusal(() => read(bytes, { cpi: 3 }));
    expect(fields).toMatchObject({ file: "cube", field: "cpi", actual: 3 });
    expect(message).toBe("cpi must be from 1 to 2: cube has second, first, not 3");
  });
});

it("reads elements of all types", async () => {
  const { shape, data } = array(usual);
  for (const [dtype, values] of [
    ["ci16", Int16Array.from(data)],
    ["c128", Float64Array.from(data)],
    ["c64", data],
  ] as const) {
    const { cube, notes } = await read(writeNpy({ dtype, shape } as never, values as never));
    expect(Float32Array.from(cube.data)).toEqual(expected());
    expect(notes).toEqual(dtype === "c128" ? ["cube: samples of 64 bits a part were rounded to 32 bits"] : []);
  }
  const pairs = writeNpy({ dtype: "f32", shape: [...shape, 2] }, data);
  expect((await read(pairs)).cube.data).toEqual(expected());
  expect((await refusal(() => read(writeNpy({ dtype: "f32", shape }, data.subarray(0, 30))))).message).toMatch(
    /must be complex, of three axes, .* not f32 \[2, 3, 5\]/,
  );
});

it("names the sample that is not finite by its position on each axis", async () => {
  const { shape, data } = array(["range", "channel", "pulse"]);
  data[2 * ((4 * 2 + 1) * 3 + 2) + 1] = Number.NaN;
  const { fields, message } = await refusal(() => read(writeNpy({ dtype: "c64", shape }, data), { axes: ["range", "channel", "pulse"] }));
  expect(message).toBe("cube: the sample at range 4, channel 1, pulse 2 must be a finite number, not NaN");
  expect(fields).toMatchObject({ file: "cube", field: "samples", index: (4 * 2 + 1) * 3 + 2 });
});

describe("Mountain Top", () => {
  it("reads the facts about the radar, for all CPIs or for each", async () => {
    const one = await read(mountainTopFile(3, { pri: [0.0016, 0.002, 0.0025], trecord: [865, 866, 867] }), { cpi: 2 });
    expect(one).toMatchObject({
      name: "Mountain Top",
      cpi: { number: 2, names: ["cpi1", "cpi2", "cpi3"] },
      preset: { name: "mountain-top", why: "the file has the variables of a Mountain Top file" },
      facts: { prfHz: 500, carrierHz: 435e6 },
      axesOpen: false,
    });
    expect(one.facts.rangeAxis?.startMeters).toBeCloseTo(149.896229 * 866, 6);
    expect(one.facts.rangeAxis?.stepMeters).toBeCloseTo(149.896229, 9);
    // A number that was converted to float32 is restored to its decimal value.
    expect((await read(mountainTopFile(1, { pri: [Math.fround(0.0016)] }))).facts.prfHz).toBe(625);
  });

  it.each([
    ["npulses", [4], /variable cpi1 must be complex, with a whole number of rows for each of 4 pulses and a column for each element/],
    ["npulses", [2.5], /variable cpi1 must be complex, with a whole number of rows for each of 2\.5 pulses/],
    ["pri", [-1], /variable pri must be a positive number, not -1/],
    ["fxmit", [Number.NaN], /variable fxmit must be a positive number, not NaN/],
    ["trecord", [], /variable trecord must be a positive number/],
  ] as const)("refuses a wrong %s", async (name, values, message) => {
    const error = await refusal(() => read(mountainTopFile(1, { [name]: values })));
    expect(error.message).toMatch(message);
    expect(error.fields).toMatchObject({ file: "cube", field: expect.any(String) });
  });
});

describe("files of PERFECT", () => {
  it("must have the suite's names, because bare numbers have no shape", async () => {
    const { message, fields } = await refusal(() => read(new Uint8Array(64), {}, "other.bin"));
    expect(message).toMatch(
      /^other\.bin: must be named small_app_input\.bin or medium_app_input\.bin or large_app_input\.bin, for bare numbers/,
    );
    expect(fields).toMatchObject({ file: "other.bin", actual: "other.bin" });
  });

  it("determine the set, and must be complete", async () => {
    const { message } = await refusal(() => read(new Uint8Array(100), {}, "medium_app_input.bin"));
    expect(message).toMatch(/medium_app_steering_vectors\.bin: can't read it: there is no such file/);
  });
});

describe("readSteeringVectors", () => {
  const at = async (bytes: Uint8Array): Promise<string> => {
    const dir = await mkdtemp(join(tmpdir(), "dechirp-arrays-"));
    onTestFinished(() => rm(dir, { recursive: true, force: true }));
    await writeFile(join(dir, "v.npy"), bytes);
    return join(dir, "v.npy");
  };

  it("reads steering vectors, and names the wrong element", async () => {
    const data = Float32Array.from(noise(24));
    const file = await at(writeNpy({ dtype: "c64", shape: [3, 4] }, data));
    expect(await readSteeringVectors(file)).toEqual({ file, vectors: 3, elements: 4, data });
    const wrong = data.slice();
    wrong[2 * 6 + 1] = Number.POSITIVE_INFINITY;
    const bad = await at(writeNpy({ dtype: "c64", shape: [3, 4] }, wrong));
    expect((await refusal(() => readSteeringVectors(bad))).message).toBe(
      `${bad}: element 2 of vector 1 must be a finite number, not Infinity`,
    );
    const flat = await at(writeNpy({ dtype: "c64", shape: [12] }, data));
    expect((await refusal(() => readSteeringVectors(flat))).message).toMatch(/must be complex64 or complex128 of two axes/);
    expect((await refusal(() => readSteeringVectors(`${file}.absent`))).message).toMatch(/there is no such file/);
    await expect(readSteeringVectors(file, { signal: AbortSignal.abort() })).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
    // A cube is not a set of steering vectors.
    expect((await readArray(await at(writeNpy({ dtype: "c64", shape: [1, 3, 4] }, data)))).cube.data).toEqual(data);
  });
});
