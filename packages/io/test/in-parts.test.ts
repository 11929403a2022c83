/** What is read from the files of a recording, and when: only what is asked for, whatever happens to the files meanwhile. */
import { mkdtemp, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isRadarError } from "@dechirp/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeOf, readRecordingFrom } from "../src/formats.ts";
import { createScene, encodeScene, openBytes, type RandomAccess, writeNpy } from "../src/index.ts";
import { readScene, writeSceneFolder } from "../src/node.ts";
import { createPartReader } from "../src/parts.ts";
import { concat, Mat5 } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";
import { noiseScene, plain, recorded } from "./scene-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-in-parts-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const aborted = (error: unknown): boolean => isRadarError(error, "aborted");

describe("a scene folder", () => {
  it("is written from an open scene in blocks, as from all of its lines", async () => {
    const data = noiseScene(3000, 700);
    const source = createScene(data);
    const counts: number[] = [];
    const counted = {
      ...source,
      pulses(from: number, count: number) {
        counts.push(count);
        return source.pulses(from, count);
      },
    };
    const shares: number[] = [];
    await writeSceneFolder(join(dir, "a"), counted, { onProgress: (share) => void shares.push(share) });
    await writeSceneFolder(join(dir, "b"), data);
    for (const name of ["scene.json", "raw.npy"])
      expect((await readFile(join(dir, "a", name))).equals(await readFile(join(dir, "b", name)))).toBe(true);
    expect(counts.length).toBeGreaterThan(1);
    expect(counts.reduce((sum, count) => sum + count)).toBe(3000);
    expect(shares.at(-1)).toBe(1);
  });

  it("reads only headers when it is opened, then only the lines that are asked for", async () => {
    const data = noiseScene(4096, 64);
    await writeSceneFolder(dir, data);
    const written = await encodeScene(data);
    const reads: [number, number][] = [];
    const memory = openBytes(concat(...written["raw.npy"]));
    const counted: RandomAccess = {
      ...memory,
      read: async (at, length, options) => {
        reads.push([at, length]);
        return memory.read(at, length, options);
      },
    };
    const place = placeOf({ "scene.json": concat(...written["scene.json"]), "raw.npy": counted });
    const { recording } = await readRecordingFrom(place, { kind: "stripmap" });
    expect(reads.reduce((sum, [, length]) => sum + length, 0)).toBeLessThan(10_000);
    reads.length = 0;
    await recording.pulses(1000, 10);
    expect(reads).toEqual([[128 + 1000 * 512, 10 * 512]]);
  });

  it("may have raw data of more than 4 GiB and of more than 2^32 samples", async () => {
    await writeSceneFolder(dir, noiseScene(2, 3));
    const [lines, cells] = [2 ** 20 + 3, 2 ** 12 + 1];
    const path = join(dir, "raw.npy");
    const text = `{'descr': '|i1', 'fortran_order': False, 'shape': (${lines}, ${cells}, 2), }`;
    const header = Uint8Array.of(0x93, ...Buffer.from("NUMPY"), 1, 0, text.length, 0, ...Buffer.from(text));
    await writeFile(path, header);
    const last = Uint8Array.from({ length: 2 * cells }, (_, i) => i % 100);
    const file = await open(path, "r+");
    await file.write(last, 0, last.length, header.length + 2 * cells * (lines - 1));
    await file.close();
    await using read = await readScene(dir);
    expect([read.dtype, read.shape]).toEqual(["ci8", [lines, cells]]);
    expect(await read.pulses(lines - 2, 2)).toEqual(Int8Array.from([...new Uint8Array(2 * cells), ...last]));
    await expect(readScene(dir, { maxBytes: 2 ** 32 })).rejects.toThrow(/raw\.npy: must be at most 4294967296 bytes long/);
  });

  it("names pulse and sample that are not finite when they are read", async () => {
    const data = noiseScene(20, 3);
    await writeSceneFolder(dir, data);
    const values = Float32Array.from(data.raw.data);
    values[2 * (3 * 11 + 2) + 1] = Number.POSITIVE_INFINITY;
    await writeFile(join(dir, "raw.npy"), writeNpy({ dtype: "c64", shape: [20, 3] }, values));
    await using read = await readScene(dir);
    expect(await read.pulses(0, 11)).toEqual(values.subarray(0, 66));
    expect((await refusal(() => read.pulses(10, 5))).message).toBe(`${join(dir, "raw.npy")}: raw[11][2] must be finite, not Infinity`);
    await using inMemory = createScene({ ...data, raw: { ...data.raw, data: values } });
    expect((await refusal(() => inMemory.pulses(10, 5))).message).toMatch(/raw\[11\]\[2\] must be finite, not Infinity/);
  });

  it("is refused if raw.npy is cut short while it is read", async () => {
    await writeSceneFolder(dir, noiseScene(4096, 64));
    await using read = await readScene(dir);
    const blocks = read.blocks({ count: 512 });
    await blocks.next();
    await truncate(join(dir, "raw.npy"), 128 + 512 * 2000);
    const error = await refusal(async () => {
      for await (const _ of blocks);
    });
    expect(error.message).toMatch(
      /raw\.npy: at byte \d+: expected 2097280 bytes, as there were when it was opened, found the end of the file$/,
    );
  });

  it("keeps times and marks of pulses, in files or inline", async () => {
    const times = Float64Array.from({ length: 37 }, (_, i) => i / 600 + (i > 20 ? 1e-3 : 0));
    const value = noiseScene(37, 5, {
      pulseSeconds: times,
      firstSampleSeconds: times.map((t) => 1.9e-4 + 1e-6 * Math.round(10 * t)),
      badPulses: [0, 5, 36],
    });
    await writeSceneFolder(dir, value);
    expect(await plain(await readScene(dir))).toEqual(await recorded(value));
    const file = join(dir, "scene.json");
    const json = JSON.parse(await readFile(file, "utf8"));
    expect(json).toMatchObject({
      pulseSeconds: "pulse-seconds.npy",
      firstSampleSeconds: "first-sample-seconds.npy",
      badPulses: [0, 5, 36],
    });
    await writeFile(file, JSON.stringify({ ...json, pulseSeconds: [...times], badPulses: "bad.npy" }));
    await writeFile(join(dir, "bad.npy"), writeNpy({ dtype: "u32", shape: [3] }, Uint32Array.of(0, 5, 36)));
    expect(await plain(await readScene(dir))).toEqual(await recorded(value));
    for (const [change, message] of [
      [{ pulseSeconds: [1, 2] }, /scene\.json: pulseSeconds must be 37 numbers, one per line, not 2 numbers/],
      [{ pulseSeconds: "raw.npy" }, /raw\.npy: the array must be real, of one axis, as pulseSeconds of .*scene\.json, not c64\[37, 5\]/],
      [{ pulseSeconds: "../x.npy" }, /pulseSeconds must be a plain file name/],
      [{ pulseSeconds: "none.npy" }, /none\.npy: can't read it: there is no such file/],
      [{ pulseSeconds: 7 }, /pulseSeconds must be a list of numbers or the name of a \.npy file, not 7/],
      [{ firstSampleSeconds: [...times].fill(null as never, 3, 4) }, /firstSampleSeconds\[3\] must be a number/],
      [{ badPulses: [1, 37] }, /badPulses\[1\] must be a line from 0 to 36, after the one before it, not 37/],
      [{ badPulses: [2, 2] }, /badPulses\[1\] must be/],
      [{ badPulses: [0.5] }, /badPulses\[0\] must be/],
    ] as const) {
      await writeFile(file, JSON.stringify({ ...json, ...change }));
      expect((await refusal(() => readScene(dir))).message).toMatch(message);
    }
    for (const change of [{ pulseSeconds: times.subarray(1) }, { pulseSeconds: times.map(() => Number.NaN) }, { badPulses: [-1] }])
      await refusal(() => writeSceneFolder(join(dir, "out"), { ...value, ...change }));
  });
});

describe("files that are decoded as a whole", () => {
  it("stay in a cache of bounded size, and are decoded once for readers at the same time", async () => {
    const loads: number[] = [];
    const parts = Array.from({ length: 6 }, (_, i) => ({
      pulses: 10,
      load: async () => {
        loads.push(i);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return Float32Array.from({ length: 20 }, (_, k) => 20 * i + k);
      },
    }));
    const reader = createPartReader(parts, { name: "x", width: 2, array: Float32Array, cacheBytes: 160 });
    await Promise.all([reader.read(0, 5, undefined), reader.read(3, 5, undefined), reader.read(9, 1, undefined)]);
    expect(loads).toEqual([0]);
    expect(await reader.read(5, 50, undefined)).toEqual(Float32Array.from({ length: 100 }, (_, k) => 10 + k));
    expect(loads).toEqual([0, 1, 2, 3, 4, 5]);
    // The last two are kept.
    await reader.read(45, 10, undefined);
    expect(loads).toHaveLength(6);
    await reader.read(0, 1, undefined);
    expect(loads).toEqual([0, 1, 2, 3, 4, 5, 0]);
    const controller = new AbortController();
    const late = reader.read(20, 1, controller.signal);
    controller.abort();
    await expect(late).rejects.toSatisfy(aborted);
    await reader.close();
  });

  it("are refused if they are others than when the recording was opened", async () => {
    // Larger than the cache, so that the first file is read again.
    const m = new Mat5("little");
    const [lines, cells] = [2048, 4096];
    const values = new Uint8Array(lines * cells);
    const block = (n: number): Uint8Array => {
      const head = m.complex("data", 6, [n, cells], { kind: "i8", values: [] }, { kind: "i8", values: [] });
      const flags = head.subarray(8, head.length - 16);
      const size = n * cells;
      const body = concat(flags, m.tag(1, size), values.subarray(0, size), m.tag(1, size), values.subarray(0, size));
      return m.file(concat(m.tag(14, body.length), body));
    };
    const numbers = { f0: 5.3e9, Fr: 32.317e6, PRF: 1256.98, Kr: 0.72135e12, Tr: 41.75e-6, R0: 988647.462, c: 2.9979e8 };
    const places = { first_rg_cell: 3, first_rg_line: 1, Nrg_cells: cells, Nrg_lines: 5 * lines, Nblocks: 5 };
    const params = Object.entries({ ...numbers, ...places }).map(([name, value]) =>
      m.real(name, 6, [1, 1], { kind: "f64", values: [value] }),
    );
    await writeFile(join(dir, "CD_run_params.mat"), m.file(...params));
    for (let i = 1; i <= 5; i++) await writeFile(join(dir, `CDdata${i}.mat`), block(lines));
    await using read = await readScene(dir);
    expect([read.dtype, read.shape]).toEqual(["ci8", [5 * lines, cells]]);
    expect((await read.pulses(lines - 1, 2)).length).toBe(4 * cells);
    await read.pulses(4 * lines, 1);
    await writeFile(join(dir, "CDdata2.mat"), block(lines - 1));
    await read.pulses(2 * lines, 1);
    await read.pulses(3 * lines, 1);
    await read.pulses(4 * lines, 1);
    await read.pulses(0, 1);
    const { message } = await refusal(() => read.pulses(lines, 1));
    expect(message).toMatch(/CDdata2\.mat: must be as it was when the scene was opened, not ci8 of 2047 lines$/);
  });
});
