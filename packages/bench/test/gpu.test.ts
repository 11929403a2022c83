/**
 * Tests the GPU bench without a GPU: every case's arrays, steps and expected results on the CPU device, detection of wrong results,
 * rounds, tables, combinations of variants, and the protocol with a peer in another process.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Device, layout, open } from "@dechirp/core";
import { createEfaProblem } from "@dechirp/experiments";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AxesWork, axesWork, parseAxes } from "../src/gpu/axes.ts";
import { backprojectionCases } from "../src/gpu/backprojection.ts";
import { caseOf, deviceCases, type Ground } from "../src/gpu/cases.ts";
import { efaCase } from "../src/gpu/efa.ts";
import { hostCases } from "../src/gpu/host.ts";
import { startPeer } from "../src/gpu/peer.ts";
import { bin, dft, lineOf } from "../src/gpu/reference.ts";
import { gpuMarkdown, gpuResults, wrong, wrongRows } from "../src/gpu/report.ts";
import { type GpuContender, runRounds, runsFor } from "../src/gpu/rounds.ts";
import { combinations } from "../src/gpu/variants.ts";
import type { Work } from "../src/gpu/work.ts";

const elements = 2 ** 14;
const random = createRandom(1);
const data = Float32Array.from({ length: 2 * elements }, () => random.uniform() - 0.5);

describe("on the CPU device", () => {
  let device: Device;
  let ground: Ground;
  const openOne = async (): Promise<void> => {
    device = await open(cpu({ workers: 1 }));
    ground = { device, data, cpu: async () => device };
  };
  beforeAll(openOne);
  // A failed test may leave work on its device, so the next test gets a new one.
  afterEach(({ task }) => (task.result?.state === "fail" ? openOne() : undefined));
  afterAll(() => device[Symbol.dispose]());

  const axes: readonly AxesWork[] = [
    { shape: [20, 30, 25], axes: [1] },
    { shape: [20, 30, 25], axes: [0, 1, 2] },
  ];

  test.each(
    [...deviceCases(elements), ...axes.map((one) => caseOf(axesWork(one))), ...hostCases(elements)].map((one) => [one.name, one] as const),
  )("%s", async (_, one) => {
    const { contenders, failed = {} } = await one.setUp(ground);
    expect(failed).toEqual({});
    for (const contender of contenders) {
      expect(await contender.sample(1)).toBeGreaterThan(0);
      const error = await contender.error();
      // Two transforms, each with ε·√log₂n. A test below checks that the bench detects wrong results.
      if (one.errorKind !== "") expect(Number.isNaN(error) ? 0 : error).toBeLessThan(2 * 2 ** -23 * Math.sqrt(Math.log2(elements)));
      expect(contender.bytes === 0 || contender.bytes >= 8 * 256).toBe(true);
    }
    for (const contender of contenders) contender.dispose?.();
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  const projections = backprojectionCases({ sides: [16, 24], pulses: 8, bins: 2048 });

  test.each(projections.map((one) => [one.name, one] as const))("%s", async (_, one) => {
    const { contenders, failed = {} } = await one.setUp(ground);
    expect(failed).toEqual({});
    expect(contenders.length).toBeGreaterThanOrEqual(3);
    for (const contender of contenders) {
      expect(await contender.sample(2)).toBeGreaterThan(0);
      // The required ratio, with the reported error as the worst one.
      expect(await contender.error(), contender.name).toBeLessThan(contender.allowed ?? Number.NaN);
      expect(contender.allowed).toBeLessThanOrEqual(10 ** (-50 / 20));
      expect(contender.projections).toBe((one.name.includes(" 16²") ? 16 : 24) ** 2 * 8);
      expect(contender.bytes).toBeGreaterThan(0);
    }
    for (const contender of contenders) contender.dispose?.();
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("backprojection is measured in every partitioning, sine, mode, tile and number of sets", async () => {
    const what = (text: string) => projections.filter(({ name }) => name.endsWith(text)).length;
    expect([what("kernel"), what("partitionings"), what("sines"), what("tiles and sets"), what("host to host")]).toEqual([2, 2, 1, 2, 2]);
    const { contenders } = await projections[2].setUp(ground);
    expect(contenders.map(({ name }) => name.split(":")[0])).toEqual(
      ["unpartitioned", "pulseSets", "tiles", "dual"].map((scheme) => `dechirp ${scheme}`),
    );
    for (const contender of contenders) contender.dispose?.();
  });

  test("the extended factored algorithm is correct in every variant, and the peer gets it in files", async () => {
    const sizes = { channels: 2, pulses: 8, dopplerBins: 12, ranges: 40, blockRanges: 10, temporalTaps: 3, steeringVectors: 3 };
    const one = efaCase(sizes, 2);
    const { contenders, failed, ...shared } = await one.setUp(ground);
    expect(failed).toEqual({});
    expect(contenders.map(({ name }) => name.split(" (")[0])).toEqual([
      "dechirp",
      "dechirp, Gauss-Jordan",
      "dechirp, four stages",
      "dechirp, four stages, Gauss-Jordan, B_T = 3",
    ]);
    const folder = one.peer?.folder ?? "";
    const size = (file: string): number => statSync(join(folder, file)).size;
    expect(JSON.parse(readFileSync(join(folder, "scene.json"), "utf8"))).toEqual({ ...sizes, dataSets: 2 });
    expect([size("cubes.c64"), size("steering.c64"), size("y.f32")]).toEqual([2 * 8 * 2 * 8 * 40, 8 * 3 * 6, 4 * 3 * 12 * 40]);
    const second = createEfaProblem(sizes).cube(1);
    expect(readFileSync(join(folder, "cubes.c64")).subarray(second.byteLength)).toEqual(Buffer.from(second.buffer));
    for (const contender of contenders) {
      expect(await contender.sample(1)).toBeGreaterThan(0);
      expect(await contender.error(), contender.name).toBeLessThan(contender.allowed ?? Number.NaN);
      expect(contender).toMatchObject({ bytes: 8 * 2 * 8 * 40 + 4 * 3 * 12 * 40, kind: "ours" });
    }
    for (const contender of contenders) contender.dispose?.();
    shared.dispose?.();
    expect(existsSync(folder)).toBe(false);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  const shape = layout("c64", [4, 8]);
  const inverse: Work = {
    name: "an inverse that is computed instead of a forward transform",
    arrays: { in: shape, out: shape },
    ways: [{ steps: [{ op: { op: "fft", layout: shape, axis: 1, inverse: true }, bind: { in: "in", out: "out" } }] }],
    flops: 0,
    gain: 8,
    samples: (x) => [{ start: 0, stride: 1, values: dft(lineOf(x, 8, 0)) }],
    peer: { kind: "fft", lines: 4, n: 8 },
  };

  const forward: Work = {
    ...inverse,
    ways: [{ steps: [{ op: { op: "fft", layout: shape, axis: 1, inverse: false }, bind: { in: "in", out: "out" } }] }],
  };

  test("finds wrong results", async () => {
    const { contenders } = await caseOf(inverse).setUp(ground);
    await contenders[0].sample(1);
    expect(await contenders[0].error()).toBeGreaterThan(wrong);
    contenders[0].dispose?.();
  });

  test("finds errors outside the samples by the energy", async () => {
    const doubled: Work = { ...forward, gain: (forward.gain ?? Number.NaN) * 2 };
    for (const [work, isWrong] of [
      [forward, false],
      [doubled, true],
    ] as const) {
      const { contenders } = await caseOf(work).setUp(ground);
      await contenders[0].sample(1);
      expect((await contenders[0].error()) > wrong).toBe(isWrong);
      contenders[0].dispose?.();
    }
  });

  test("reports contenders that could not be set up", async () => {
    const axis = 2;
    const steps = [{ op: { op: "fft", layout: shape, axis, inverse: false }, bind: { in: "in", out: "out" } }] as const;
    const impossible: Work = { ...inverse, ways: [{ steps }] };
    const { contenders, failed } = await caseOf(impossible).setUp(ground);
    expect(contenders).toEqual([]);
    expect(Object.keys(failed ?? {})).toEqual(["dechirp"]);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("the reference", () => {
  test.each([1, 2, 8, 12, 35, 64])("n=%i equals the definition, forward and inverse", (n) => {
    const line = lineOf(data, n, 3);
    for (const isInverse of [false, true]) {
      const got = dft(line, isInverse);
      for (let k = 0; k < n; k++) {
        let [re, im] = [0, 0];
        for (let i = 0; i < n; i++) {
          const angle = ((isInverse ? 2 : -2) * Math.PI * i * k) / n;
          re += line[2 * i] * Math.cos(angle) - line[2 * i + 1] * Math.sin(angle);
          im += line[2 * i] * Math.sin(angle) + line[2 * i + 1] * Math.cos(angle);
        }
        const scale = isInverse ? 1 / n : 1;
        expect(Math.hypot(got[2 * k] - re * scale, got[2 * k + 1] - im * scale)).toBeLessThan(1e-12);
        if (!isInverse) expect(Math.hypot(bin(line, n, 0, k)[0] - re, bin(line, n, 0, k)[1] - im)).toBeLessThan(1e-12);
      }
    }
  });
});

describe("the reference of long lines", () => {
  test.each([2049, 2187, 3000])("n=%i equals the definition, forward and inverse", (n) => {
    const line = Float64Array.from({ length: 2 * n }, () => random.uniform() - 0.5);
    const spectrum = dft(line);
    for (const k of [0, 1, Math.floor(n / 2), n - 1]) {
      const [re, im] = bin(line, n, 0, k);
      expect(Math.hypot(spectrum[2 * k] - re, spectrum[2 * k + 1] - im)).toBeLessThan(1e-10);
    }
    const back = dft(spectrum, true);
    expect(Math.max(...back.map((value, i) => Math.abs(value - line[i])))).toBeLessThan(1e-12);
  });
});

describe("transforms along axes", () => {
  test.each<AxesWork>([
    { shape: [6, 5], axes: [0] },
    { shape: [6, 5], axes: [0, 1] },
    { shape: [3, 4, 5], axes: [1] },
    { shape: [3, 4, 5], axes: [1, 2] },
    { shape: [4, 3, 2, 5], axes: [0, 1, 3] },
  ])("$axes of $shape are sampled as the definition says", (work) => {
    const { shape, axes } = work;
    const made = axesWork(work);
    const indices = (at: number): number[] => shape.map((n, axis) => Math.floor(at / shape.slice(axis + 1).reduce((a, b) => a * b, 1)) % n);
    const elements = shape.reduce((a, b) => a * b, 1);
    const samples = made.samples(data, new Float32Array(0));
    expect(samples.length).toBeGreaterThan(1);
    for (const { start, stride, values } of samples) {
      for (let i = 0; i < values.length / 2; i++) {
        const wanted = indices(start + i * stride);
        let [re, im] = [0, 0];
        for (let at = 0; at < elements; at++) {
          const given = indices(at);
          if (given.some((index, axis) => !axes.includes(axis) && index !== wanted[axis])) continue;
          const angle = -2 * Math.PI * axes.reduce((turns, axis) => turns + (given[axis] * wanted[axis]) / shape[axis], 0);
          re += data[2 * at] * Math.cos(angle) - data[2 * at + 1] * Math.sin(angle);
          im += data[2 * at] * Math.sin(angle) + data[2 * at + 1] * Math.cos(angle);
        }
        expect(Math.hypot(values[2 * i] - re, values[2 * i + 1] - im)).toBeLessThan(1e-12);
      }
    }
  });

  test("are read from texts", () => {
    expect(parseAxes("16x1000x1000@1+2,512x60@0")).toEqual([
      { shape: [16, 1000, 1000], axes: [1, 2] },
      { shape: [512, 60], axes: [0] },
    ]);
    for (const text of ["", "3", "3@0", "3x4", "3x4@2", "3x4@0+0", "3x1@1", "0x4@1", "3x4@0,", "3x4@-1"])
      expect(parseAxes(text)).toBeUndefined();
  });
});

const made = (name: string, kind: GpuContender["kind"], milliseconds: number, more: Partial<GpuContender> = {}): GpuContender => ({
  name,
  kind,
  bytes: 1e6,
  flops: 2e6,
  sample: async () => milliseconds,
  error: () => 0,
  ...more,
});

describe("rounds", () => {
  const options = { samples: 3, clock: "device", warmUpMilliseconds: 0 } as const;

  test("take turns and are compared with the copy and the fastest peer", async () => {
    const turns: string[] = [];
    const turning = (one: GpuContender): GpuContender => ({
      ...one,
      sample(runs) {
        turns.push(`${one.name}${runs}`);
        return one.sample(runs);
      },
    });
    const contenders = [made("a", "ours", 2), made("copy", "copy", 1, { bytes: 2e6 }), made("slow", "peer", 8), made("fast", "peer", 6)];
    const { rows, failed } = await runRounds({ name: "case", errorKind: "kind" }, contenders.map(turning), options);
    const round = "a30 copy30 slow30 fast30";
    expect(turns.join(" ")).toBe(`a1 a1 copy1 copy1 slow1 slow1 fast1 fast1 ${round} ${round} ${round} ${round}`);
    expect(failed).toEqual({});
    expect(rows[0]).toEqual({
      case: "case",
      contender: "a",
      kind: "ours",
      milliseconds: 2,
      quartiles: [2, 2],
      gflops: 1,
      gigabytesPerSecond: 0.5,
      ofCopy: 0.25,
      speedup: 1,
      peer: { contender: "fast", milliseconds: 6, ratio: 3 },
      error: 0,
      errorKind: "kind",
    });
    expect(rows.map(({ speedup }) => speedup)).toEqual([1, 2, 0.25, 1 / 3]);
    expect(rows[2].peer).toBeUndefined();
  });

  test("continue without contenders that fail, and report why", async () => {
    let left = 4;
    const failing = made("f", "ours", 1, { sample: async () => (left-- > 0 ? 1 : Promise.reject(new Error("gone"))) });
    const { rows, failed } = await runRounds({ name: "case", errorKind: "" }, [failing, made("a", "ours", 2)], options);
    expect(rows.map(({ contender }) => contender)).toEqual(["a"]);
    expect(failed).toEqual({ f: "gone" });
  });

  test("submit at least 30 runs unless the device is slow", () => {
    expect(runsFor(0.1, "device")).toBe(30);
    expect(runsFor(0.02, "device")).toBe(150);
    expect(runsFor(0.001, "device")).toBe(200);
    expect(runsFor(100, "device")).toBe(4);
    expect(runsFor(1000, "device")).toBe(1);
    expect(runsFor(5, "host")).toBe(4);
  });

  test("the table of backprojection has its rates and marks errors above the allowed", async () => {
    const projecting = { projections: 6e6, allowed: 1e-4 };
    const contenders = [
      made("good", "ours", 2, { ...projecting, error: () => 0.9e-4 }),
      made("bad", "ours", 2, { ...projecting, error: () => 1.1e-4 }),
      made("copy", "copy", 1),
    ];
    const { rows } = await runRounds({ name: "case", errorKind: "" }, contenders, options);
    const text = gpuMarkdown(gpuResults(rows, {}, { description: "a GPU" }));
    expect(text).toContain("| case | good | 2.00 (2.00–2.00) | 3.00 | 80.9 | 0.500 | 50 % |\n");
    expect(text).toContain("| case | bad | 2.00 (2.00–2.00) | 3.00 | WRONG 79.2 | 0.500 | 50 % |\n");
    expect(text).not.toContain("| error |");
    expect(wrongRows(rows).map(({ contender }) => contender)).toEqual(["bad"]);
  });

  test("the table shows the peer beside ours, and marks wrong results", async () => {
    const contenders = [made("a", "ours", 2, { error: () => 0.5 }), made("copy", "copy", 1), made("p", "peer", 3)];
    const { rows } = await runRounds({ name: "case", errorKind: "" }, contenders, options);
    const text = gpuMarkdown(gpuResults(rows, { missing: "reason" }, { description: "a GPU", peer: "a peer" }));
    expect(text).toContain("| case | a | 2.00 (2.00–2.00) | 0.500 | 50 % | 1.50 | 3.00 | WRONG 5.0e-1 |\n");
    expect(text).toContain("on a GPU;");
    expect(text).toContain("Note: missing (reason).");
    expect(wrongRows(rows).map(({ contender }) => contender)).toEqual(["a"]);
  });
});

test("variants are the named ones, then every combination", () => {
  const tried = { "prefer.exchange": ["split", "both"], "prefer.radices.64": [[8, 8]], cacheBytes: [1] };
  const prefer = { radices: { 64: [8, 8] } };
  expect(combinations({ case: "", named: { "two passes": { longestPass: 8 } }, try: tried })).toEqual([
    { name: "two passes", planning: { longestPass: 8 } },
    { name: "exchange=split radices.64=8·8 cacheBytes=1", planning: { prefer: { exchange: "split", ...prefer }, cacheBytes: 1 } },
    { name: "exchange=both radices.64=8·8 cacheBytes=1", planning: { prefer: { exchange: "both", ...prefer }, cacheBytes: 1 } },
  ]);
  expect(combinations({ case: "" })).toEqual([]);
});

describe("a peer", () => {
  const script = `
    const answers = { describe: { description: "made up" }, open: { names: ["one"], failed: { two: "no" } }, sample: { milliseconds: 4 }, error: { relative: 1e-7 } };
    console.log("a library says something");
    require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
      const ask = JSON.parse(line);
      if (ask.kind === "axes") process.exit(3);
      console.log(JSON.stringify(ask.kind === "transpose" ? { error: "can't" } : answers[ask.do]));
    });`;
  const size = { bytes: 1, flops: 2 };
  const start = () => startPeer([process.execPath, "-e", script]);

  test("times itself in its own process", async () => {
    const peer = await start();
    expect(peer.description).toBe("made up");
    const { contenders, failed } = await peer.open({ kind: "fft", lines: 1, n: 2 }, size);
    expect(failed).toEqual({ two: "no" });
    expect(contenders[0]).toMatchObject({ name: "one", kind: "peer", bytes: 1, flops: 2 });
    expect(await contenders[0].sample(30)).toBe(4);
    expect(await contenders[0].error()).toBe(1e-7);
    await expect(peer.open({ kind: "transpose", lines: 1, n: 2 }, size)).rejects.toThrow("can't");
    peer.close();
  });

  test("may end, and is not waited for afterwards", async () => {
    const peer = await start();
    const work = { kind: "axes", lines: 1, n: 2 } as const;
    await expect(peer.open(work, size)).rejects.toThrow("ended with 3");
    await expect(peer.open(work, size)).rejects.toThrow("ended with 3");
  });

  test("may be missing", async () => {
    await expect(startPeer(["/nonexistent/peer"])).rejects.toThrow("could not be started");
  });
});
