/** Recordings that are read in parts: the same samples as in memory, in blocks with read-ahead, and clean ends of every kind. */
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, isRadarError } from "@dechirp/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeOf, readRecordingFrom } from "../src/formats.ts";
import {
  createScene,
  openBytes,
  type PulseReader,
  parseGotcha,
  type RandomAccess,
  readMat,
  type SceneData,
  writeNpy,
} from "../src/index.ts";
import { readPhaseHistory, readScene, writeSceneFolder } from "../src/node.ts";
import { createPartReader } from "../src/parts.ts";
import { createPulseReader } from "../src/pulses.ts";
import { bytesOf } from "./gotcha-builder.ts";
import { concat, Mat5 } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";
import { plain, recorded, samplesOf } from "./scene-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-pulses-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const random = createRandom(23);
const noise = (n: number): Float32Array => Float32Array.from({ length: n }, () => random.gaussian());

const scene = (lines = 37, cells = 5, more: Partial<SceneData> = {}): SceneData => ({
  name: "noise",
  radar: {
    carrierHz: 5.3e9,
    samplingRateHz: 60e6,
    prfHz: 600,
    chirpRateHzPerSecond: -20e12,
    pulseSeconds: 2.5e-6,
    velocityMetersPerSecond: 250,
    nearRangeMeters: 29_000,
  },
  raw: { layout: { dtype: "c64", shape: [lines, cells] }, data: noise(2 * lines * cells) },
  targets: [],
  notes: [],
  ...more,
});

const aborted = (error: unknown): boolean => isRadarError(error, "aborted");

/** A RADARSAT-1 extraction whose blocks have these numbers of lines; values of the later ones need wider types. */
function radarsat(lines: readonly number[], cells: number) {
  const m = new Mat5("little");
  const total = lines.reduce((sum, n) => sum + n, 0);
  const numbers = { f0: 5.3e9, Fr: 32.317e6, PRF: 1256.98, Kr: 0.72135e12, Tr: 41.75e-6, R0: 988647.462, c: 2.9979e8 };
  const places = { first_rg_cell: 3, first_rg_line: 1, Nrg_cells: cells, Nrg_lines: total, Nblocks: lines.length };
  const params = Object.entries({ ...numbers, ...places }).map(([name, value]) =>
    m.real(name, 6, [1, 1], { kind: "f64", values: [value] }),
  );
  const expected: number[] = [];
  const files: Record<string, Uint8Array> = { "CD_run_params.mat": m.file(...params) };
  lines.forEach((n, block) => {
    const most = [100, 3000, 100][block % 3];
    const values = Array.from({ length: 2 * n * cells }, () => Math.round(most * (2 * random.uniform() - 1)));
    expected.push(...values);
    const column = (part: number) => Array.from({ length: n * cells }, (_, i) => values[2 * ((i % n) * cells + Math.floor(i / n)) + part]);
    const data = m.complex("data", 6, [n, cells], { kind: "f64", values: column(0) }, { kind: "f64", values: column(1) });
    files[`CDdata${block + 1}.mat`] = m.file(block % 2 === 0 ? m.compressed(data) : data);
  });
  return { files, expected: lines.length > 1 ? Int16Array.from(expected) : Int8Array.from(expected) };
}

interface Case {
  readonly shape: readonly [number, number];
  readonly samples: ArrayLike<number>;
  open(): Promise<PulseReader<ArrayLike<number>> & { readonly shape: readonly [number, number] }>;
}

const cases: Readonly<Record<string, () => Promise<Case>>> = {
  "a scene in memory": async () => {
    const data = scene();
    return { shape: [37, 5], samples: data.raw.data, open: async () => createScene(data) };
  },
  "a scene folder": async () => {
    const data = scene();
    await writeSceneFolder(dir, data);
    return { shape: [37, 5], samples: data.raw.data, open: () => readScene(dir) };
  },
  "a scene of complex128": async () => {
    const data = scene();
    await writeSceneFolder(dir, data);
    await writeFile(join(dir, "raw.npy"), writeNpy({ dtype: "c128", shape: [37, 5] }, Float64Array.from(data.raw.data)));
    return { shape: [37, 5], samples: data.raw.data, open: () => readScene(dir) };
  },
  "RADARSAT-1 blocks": async () => {
    const { files, expected } = radarsat([7, 1, 12, 3], 4);
    for (const [name, bytes] of Object.entries(files)) await writeFile(join(dir, name), bytes);
    return { shape: [23, 4], samples: expected, open: () => readScene(dir) };
  },
  "one RADARSAT-1 block, in memory": async () => {
    const { files, expected } = radarsat([9], 4);
    return {
      shape: [9, 4],
      samples: expected,
      open: async () => (await readRecordingFrom(placeOf(files), { kind: "stripmap" })).recording,
    };
  },
  "Gotcha files": async () => {
    const files = [bytesOf({}, 4), bytesOf({ compressed: true }, 1, 4), bytesOf({ kind: "f64" }, 6, 5)];
    for (const [i, bytes] of files.entries()) await writeFile(join(dir, `data_3dsar_pass1_az00${i + 1}_HH.mat`), bytes);
    const whole = await parseGotcha(await Promise.all(files.map((bytes, i) => readMat(bytes, { file: `${i}` }))), {});
    return { shape: whole.shape, samples: await samplesOf(whole), open: () => readPhaseHistory(dir) };
  },
};

describe.each(Object.keys(cases))("%s", (name) => {
  it("gives the samples of the whole for random ranges and blocks", async () => {
    const { shape, samples, open } = await cases[name]();
    const recording = await open();
    expect(recording.shape).toEqual(shape);
    const [pulses, width] = shape;
    const all = Array.from(samples);
    const part = (from: number, count: number): number[] => all.slice(2 * width * from, 2 * width * (from + count));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }), async (places) => {
        await Promise.all(
          places.map(async ([a, b]) => {
            const from = a % pulses;
            const count = 1 + (b % (pulses - from));
            expect(Array.from(await recording.pulses(from, count))).toEqual(part(from, count));
          }),
        );
      }),
      { seed: 1, numRuns: 30 },
    );
    const plan = fc.tuple(fc.nat(pulses), fc.nat(pulses), fc.integer({ min: 1, max: 9 }), fc.nat(8), fc.nat(3));
    await fc.assert(
      fc.asyncProperty(plan, async ([a, b, count, overlap, ahead]) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const shared = overlap % count;
        let next = from;
        let end = from;
        for await (const block of recording.blocks({ from, to, count, overlap: shared, ahead })) {
          expect(block.from).toBe(next);
          expect(block.count).toBe(Math.min(count, to - next));
          expect(Array.from(block.data)).toEqual(part(block.from, block.count));
          end = block.from + block.count;
          next += count - shared;
        }
        expect(end).toBe(to);
      }),
      { seed: 2, numRuns: 30 },
    );
    await recording.close();
  });

  it("refuses pulses that are not there and wrong options, ends with its signal, and reads nothing after close", async () => {
    const { shape, open } = await cases[name]();
    const [pulses] = shape;
    const recording = await open();
    for (const [from, count, field] of [
      [-1, 1, "from"],
      [pulses, 1, "from"],
      [0, pulses + 1, "count"],
      [pulses - 1, 2, "count"],
      [0, 0, "count"],
      [Number.NaN, 1, "from"],
    ] as const)
      expect((await refusal(() => recording.pulses(from, count))).fields["field"]).toBe(field);
    for (const [options, field] of [
      [{ from: -1 }, "from"],
      [{ from: 2, to: 1 }, "to"],
      [{ to: pulses + 1 }, "to"],
      [{ count: 0 }, "count"],
      [{ count: 2, overlap: 2 }, "count"],
      [{ overlap: -1 }, "overlap"],
      [{ ahead: 0.5 }, "ahead"],
      [{ cuont: 1 }, "cuont"],
    ] as const)
      expect((await refusal(async () => recording.blocks(options as object))).fields["field"]).toBe(field);
    await expect(recording.pulses(0, 1, { signal: AbortSignal.abort() })).rejects.toSatisfy(aborted);
    await expect(recording.blocks({ signal: AbortSignal.abort() }).next()).rejects.toSatisfy(aborted);
    const empty = recording.blocks({ from: 1, to: 1 });
    expect(await empty.next()).toEqual({ done: true, value: undefined });
    await Promise.all([recording.close(), recording.close(), recording[Symbol.asyncDispose]()]);
    for (const read of [() => recording.pulses(0, 1), () => recording.blocks().next()])
      await expect(read()).rejects.toSatisfy((error) => isRadarError(error, "disposed"));
  });
});

/** A reader whose reads wait until the test lets them go on. */
function manual(pulses: number) {
  const waiting: { readonly from: number; readonly count: number; go(): void; fail(error: Error): void }[] = [];
  let open = 0;
  let closed = 0;
  const reader = createPulseReader<Float32Array>({
    name: "manual",
    shape: [pulses, 1],
    pulseBytes: 8,
    read: (from, count, signal) =>
      new Promise((resolve, reject) => {
        open++;
        let ended = false;
        const end = (work: () => void) => () => {
          if (ended) return;
          ended = true;
          open--;
          work();
        };
        waiting.push({
          from,
          count,
          go: end(() => resolve(new Float32Array(2 * count).fill(from))),
          fail: (error) => end(() => reject(error))(),
        });
        signal.addEventListener(
          "abort",
          end(() => reject(signal.reason)),
        );
      }),
    close: async () => void closed++,
  });
  return { reader, waiting, open: () => open, closed: () => closed };
}

describe("blocks", () => {
  it("are read ahead, no more than asked for", async () => {
    const { reader, waiting } = manual(10);
    const blocks = reader.blocks({ count: 2, ahead: 1 });
    const first = blocks.next();
    await expect.poll(() => waiting.length).toBe(1);
    waiting[0].go();
    expect((await first).value).toMatchObject({ from: 0, count: 2 });
    // While the caller works on the first block, the second is read, and no other.
    expect(waiting.map(({ from }) => from)).toEqual([0, 2]);
    waiting[1].go();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(waiting).toHaveLength(2);
    expect((await blocks.next()).value).toMatchObject({ from: 2 });
    expect(waiting.map(({ from }) => from)).toEqual([0, 2, 4]);
    await blocks.return?.();
    const eager = reader.blocks({ count: 1, ahead: 3 });
    const next = eager.next();
    await expect.poll(() => waiting.length).toBe(4);
    waiting[3].go();
    await next;
    expect(waiting.slice(3).map(({ from }) => from)).toEqual([0, 1, 2, 3]);
    await eager.return?.();
    const lazy = reader.blocks({ count: 5, ahead: 0 });
    const one = lazy.next();
    await expect.poll(() => waiting.length).toBe(8);
    waiting[7].go();
    await one;
    expect(waiting).toHaveLength(8);
  });

  it("leave no read open and no rejection unhandled when they are left early", async () => {
    const unhandled: unknown[] = [];
    const listen = (reason: unknown): void => void unhandled.push(reason);
    process.on("unhandledRejection", listen);
    try {
      const { reader, waiting, open } = manual(100);
      for (const leave of ["return", "throw", "abort", "close", "fail"] as const) {
        waiting.length = 0;
        const controller = new AbortController();
        const one = leave === "close" ? manual(100) : { reader, waiting, open };
        const blocks = one.reader.blocks({ count: 3, ahead: 2, signal: controller.signal });
        const first = blocks.next();
        await expect.poll(() => one.waiting.length).toBe(1);
        one.waiting[0].go();
        await first;
        expect(one.open()).toBe(2);
        if (leave === "return") expect(await blocks.return?.()).toEqual({ done: true, value: undefined });
        if (leave === "throw") await expect(blocks.throw?.(new Error("mine"))).rejects.toThrow("mine");
        if (leave === "abort") {
          controller.abort();
          await expect(blocks.next()).rejects.toSatisfy(aborted);
        }
        if (leave === "close") {
          await one.reader.close();
          expect("closed" in one && one.closed()).toBe(1);
        }
        if (leave === "fail") {
          one.waiting[1].fail(new Error("disk"));
          await expect(blocks.next()).rejects.toThrow("disk");
        }
        expect(one.open()).toBe(0);
        if (leave !== "close") expect(await blocks.next()).toEqual({ done: true, value: undefined });
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(unhandled).toEqual([]);
    } finally {
      process.off("unhandledRejection", listen);
    }
  });

  it("go one to each of several calls of next, in order", async () => {
    const recording = createScene(scene(10, 2));
    const blocks = recording.blocks({ count: 4 });
    const all = await Promise.all([blocks.next(), blocks.next(), blocks.next(), blocks.next()]);
    expect(all.map(({ done, value }) => (done ? "end" : value.from))).toEqual([0, 4, 8, "end"]);
  });

  it("have as many pulses as fit into 64 MiB if no count is given", async () => {
    const { reader, waiting } = manual(2 ** 25);
    void reader
      .blocks()
      .next()
      .catch(() => {});
    await expect.poll(() => waiting.length).toBe(1);
    expect(waiting[0].count).toBe(2 ** 23);
    await reader.close();
  });
});

describe("a scene folder", () => {
  it("reads only headers when it is opened, then only the lines that are asked for", async () => {
    const data = scene(4096, 64);
    await writeSceneFolder(dir, data);
    const written = await import("../src/index.ts").then(({ encodeScene }) => encodeScene(data));
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

  it("names pulse and sample that are not finite when they are read", async () => {
    const data = scene(20, 3);
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
    await writeSceneFolder(dir, scene(4096, 64));
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
    const value = scene(37, 5, {
      pulseSeconds: times,
      firstSampleSeconds: times.map((t) => 1.9e-4 + 1e-6 * Math.round(10 * t)),
      badPulses: [0, 5, 36],
    });
    await writeSceneFolder(dir, value);
    expect(await plain(await readScene(dir))).toEqual(await recorded(value));
    const file = join(dir, "scene.json");
    const json = JSON.parse((await import("node:fs")).readFileSync(file, "utf8"));
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
    const { files } = radarsat([1, 1], cells);
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
    expect(Object.keys(files)).toContain("CDdata2.mat");
  });
});
