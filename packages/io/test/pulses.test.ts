/** Pulses and blocks of every kind of recording: the same samples as in memory, read-ahead, and clean ends of every kind. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, isRadarError } from "@dechirp/core";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { placeOf, readRecordingFrom } from "../src/formats.ts";
import { createScene, type PulseReader, parseGotcha, readMat, writeNpy } from "../src/index.ts";
import { readPhaseHistory, readScene, writeSceneFolder } from "../src/node.ts";
import { createPulseReader } from "../src/pulses.ts";
import { bytesOf } from "./gotcha-builder.ts";
import { Mat5 } from "./mat-builder.ts";
import { refusal } from "./refusal.ts";
import { noiseScene, samplesOf } from "./scene-support.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "dechirp-pulses-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const random = createRandom(23);
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
    const data = noiseScene();
    return { shape: [37, 5], samples: data.raw.data, open: async () => createScene(data) };
  },
  "a scene folder": async () => {
    const data = noiseScene();
    await writeSceneFolder(dir, data);
    return { shape: [37, 5], samples: data.raw.data, open: () => readScene(dir) };
  },
  "a scene of complex128": async () => {
    const data = noiseScene();
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
    const recording = createScene(noiseScene(10, 2));
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
