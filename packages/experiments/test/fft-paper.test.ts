/**
 * Tests the published experiment on transforms at small sizes, on the CPU and on a GPU with the laboratory's kernels; its workload, tables
 * and plots; its result files; and the targets.
 */
import { type Device, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { variants } from "@dechirp/fft-gpu/lab";
import { describe, expect, it } from "vitest";
import { jobsOf, paperSizes } from "../src/fft-paper/jobs.ts";

import { shapeOf } from "../src/fft-paper/values.ts";
import { createWorkload, primeUpTo } from "../src/fft-paper/workload.ts";
import {
  type FftPaperReport,
  type FftPeer,
  fftPaperExperiment,
  fftPaperPlots,
  fftPaperTables,
  readFftResult,
  reportMarkdown,
  startFftw,
  targetOutcomes,
  writeFftResult,
  wrongFftRows,
} from "../src/index.ts";

const tiny = { model: false, quick: true, seconds: 0.01, sizes: [16, 256] } as const;

/** A peer that answers without computing. */
const peer: FftPeer = {
  name: "made up",
  description: "answers without computing",
  time: async () => ({ milliseconds: 0.5, error: 1e-7 }),
  [Symbol.dispose]: () => {},
};

/** Checks what must hold for any report: right results with times, or the reason why there are none. */
function expectSound({ devices }: FftPaperReport): void {
  for (const { rows, copies } of devices) {
    expect(copies.every(({ gigabytesPerSecond }) => gigabytesPerSecond > 0)).toBe(true);
    for (const { name, n, batch, measured, why } of rows) {
      const what = `${name} ${batch}×${n}`;
      expect((measured === undefined) !== (why === undefined), what).toBe(true);
      if (!measured) continue;
      const { milliseconds, quartiles, turns, runs, error, allowed, ofCopy } = measured;
      expect(error, what).toBeLessThanOrEqual(allowed);
      expect(milliseconds > 0 && quartiles[0] <= milliseconds && milliseconds <= quartiles[1], what).toBe(true);
      expect(turns >= 1 && runs >= 1 && (ofCopy ?? 1) > 0, what).toBe(true);
    }
  }
}

async function measured(device: Device, options: object = {}): Promise<FftPaperReport> {
  const report = await fftPaperExperiment([{ device }], { ...tiny, ...options });
  expectSound(report);
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  return report;
}

describe("the experiment", () => {
  it("measures the processor beside a peer, and makes tables, plots, a file and targets", async () => {
    using device = await open(cpu({ workers: 2 }));
    const report = await measured(device, { peer, absent: { GPU: "none" }, versions: { Node: "20" } });
    const names = [...new Set(report.devices[0].rows.map(({ name }) => name))];
    expect(names).toEqual(["planner's choice", "planner's choice, one unit", "made up"]);
    expect(report.devices[0].rows.map(({ n, batch, name }) => name === "made up" && `${batch}×${n}`).filter(Boolean)).toEqual([
      "1×4096",
      "16×4096",
      "2048×16",
      "128×256",
      "512×64",
    ]);
    const markdown = reportMarkdown(fftPaperTables(report));
    for (const text of ["| made up | vDSP/Accelerate | 107 | 2.29 |", "GPU: not measured: none", "Table VII, by size", "Node 20"])
      expect(markdown).toContain(text);
    expect(Object.keys(await fftPaperPlots(report))).toEqual(["gflops-by-batch.svg", "gflops-by-size.svg"]);
    const { published: _, ...own } = report;
    expect(readFftResult(writeFftResult(report))).toEqual(own);
    const [errors, copy] = targetOutcomes({ "fft-paper": report }, { "efa-paper": "left out" });
    expect(errors.measured).toMatchObject({ met: true });
    expect(copy.measured).toBe("no GPU took part");
    expect(targetOutcomes({}, { "efa-paper": "left out" }).map(({ measured: why }) => why)).toContain("left out");
  });

  it("marks wrong results, and gives them no rate", async () => {
    using device = await open(cpu({ workers: 1 }));
    const wrong = { ...peer, time: async () => ({ milliseconds: 0.5, error: Number.NaN }) };
    const report = await fftPaperExperiment([{ device }], { ...tiny, sizes: [16], only: ["sizes"], peer: wrong });
    expect(wrongFftRows(report).map(({ name }) => name)).toEqual(["made up"]);
    expect(reportMarkdown(fftPaperTables(report))).toContain("WRONG");
    expect(targetOutcomes({ "fft-paper": report })[0].measured).toMatchObject({ met: false });
    expect(wrongFftRows(readFftResult(writeFftResult(report))).length).toBe(1);
  });

  it("measures every variant on a GPU, or says why it can't", async () => {
    using device = await open(gpu({ variants }));
    const [{ rows }] = (await measured(device, { sizes: [256], only: ["sizes"] })).devices;
    expect(rows.map(({ name }) => name)).toEqual(["planner's choice", ...Object.keys(variants)]);
    expect(rows.filter(({ name }) => name.startsWith("radix")).every((row) => row.measured)).toBe(true);
  });

  it("makes every table of the papers on a GPU", async () => {
    using device = await open(gpu({ variants }));
    const report = await measured(device, { sizes: [256], variants: ["radix-8"] });
    const [{ rows, groups }] = report.devices;
    const eight = rows.filter(({ name, section }) => name === "radix-8" && section !== "short");
    expect([eight.length, eight.every((row) => row.measured)]).toEqual([3, true]);
    expect(groups?.workgroupBytes).toBeGreaterThanOrEqual(16_384);
    const predicted = { n: 256, batch: 128, name: "radix-8", milliseconds: 1 };
    const memory = [{ metric: "workgroup memory, sequential reads of float2", value: "1 GB/s" }];
    // The same size and batch may be in two sections, but its row is there once.
    const all = { ...report, devices: [{ ...report.devices[0], predictions: [predicted, predicted], memory }] };
    const predictions = fftPaperTables(all).tables.find(({ title }) => title.startsWith("Predicted and measured"));
    expect(predictions?.rows.map(([name]) => name)).toEqual(["radix-8", "wrong by a factor of"]);
    const markdown = reportMarkdown(fftPaperTables(all));
    for (const title of [
      "Table I,",
      "Table II,",
      "Table III,",
      "Table IV,",
      "Table V,",
      "Table VI,",
      "Table VII,",
      "Table VIII,",
      "Table IX,",
      "Synthesis rules:",
    ])
      expect(markdown).toContain(`## ${title}`);
    for (const text of [
      "| radix-8 | Radix-8 Stockham | 138.45 |",
      "688 GB/s | 1 GB/s",
      "matrix products against scalar",
      "| radix-8 | 256 | 128 | 1 |",
    ])
      expect(markdown).toContain(text);
  });

  it("measures short lines by the variants that are one product of matrices", async () => {
    using device = await open(gpu({ variants }));
    const report = await measured(device, { only: ["short"] });
    const [{ rows }] = report.devices;
    expect(rows.map(({ n }) => n)).toEqual(Array(rows.length).fill(64));
    const whyOf = (name: string) => rows.find((row) => row.name === name)?.why;
    expect([whyOf("planner's choice"), whyOf("radix-8")]).toEqual([undefined, "needs lines of 256 to 16384 points, a power of two"]);
    // The device was opened without what products need, so a variant that takes such lines names that instead of the length.
    expect(whyOf("matrix-small") ?? "needs subgroup matrices").toContain("subgroup matrices");
    expect(reportMarkdown(fftPaperTables(report))).toMatch(/GFLOPS of short lines.*\n+\| N \| planner's choice \|/);
  });

  it("says how the rules divide transforms, with the limits of the device and of the M1", async () => {
    using device = await open(cpu({ workers: 1 }));
    const report = await measured(device, { sizes: [256], only: ["sizes"] });
    const [one] = report.devices;
    const row = (n: number) => ({ ...one.rows[0], n, batch: 1 });
    const gpuOf = (workgroupBytes: number) => {
      const groups = { workgroupBytes, invocations: 1024 };
      const rows = [256, 8192, 16_384, 2 ** 40].map(row);
      return { ...report, devices: [{ ...one, device: { ...one.device, id: "gpu" }, groups, rows }] };
    };
    const tableOf = (workgroupBytes: number) =>
      fftPaperTables(gpuOf(workgroupBytes)).tables.find(({ title }) => title.startsWith("Synthesis rules"));
    expect(tableOf(65_536)?.rows).toEqual([
      ["256", "one workgroup", "1", "one workgroup", "1", "4, 3", "5, 3", "2^12, 2^13", "2^14, 2^14", "1"],
      ["8192", "four-step, 2·4096", "2", "one workgroup", "1", "7, 5", "11, 7", "2^12, 2^13", "2^14, 2^14", "1"],
      ["16384", "four-step, 4·4096", "2", "four-step, 2·8192", "2", "7, 5", "11, 7", "2^12, 2^13", "2^14, 2^14", "1"],
    ]);
    expect(tableOf(8)).toBeUndefined();
    const radices = fftPaperTables(gpuOf(65_536)).tables.find(({ title }) => title.startsWith("Table IV,"));
    expect(radices?.rows.map((cells) => cells.slice(0, 6))).toEqual([
      ["2", "10", "8", "12", "22", "10"],
      ["4", "34", "18", "6", "10", "34"],
      ["8", "94", "38", "4", "6", "98"],
      ["16", "214", "78", "3", "4", "258"],
      ["32", "-", "-", "-", "-", "650"],
    ]);
  });

  it("says that a device was opened without variants", async () => {
    using device = await open(gpu());
    const { devices } = await measured(device, { sizes: [256], only: ["sizes"] });
    expect(devices[0].rows.find(({ name }) => name === "radix-8")?.why).toContain("without variants");
  });

  it("leaves out what does not fit or takes too long", async () => {
    using device = await open(cpu({ workers: 1 }));
    const limits = { ...device.limits, maxBufferBytes: 1024 };
    const small = new Proxy(device, { get: (target, key) => (key === "limits" ? limits : Reflect.get(target, key)) }) as Device;
    const report = await fftPaperExperiment([{ device: small }], { ...tiny, only: ["batches"] });
    expect(report.devices[0].rows.map(({ why }) => why?.includes("exceeds this device's limit"))).toEqual([true, true]);
    const slow = { ...peer, time: async () => ({ milliseconds: 1000, error: 1e-7 }) };
    const late = await fftPaperExperiment([{ device }], { ...tiny, only: ["batches"], peer: slow });
    expect(late.devices[0].rows.at(-1)?.why).toContain("too much for");
  });

  it("ends if its signal fires, and frees everything", async () => {
    using device = await open(cpu());
    for (const where of ["cpu: 1 × 4096", "cpu: 128 × 256", "cpu: 512 × 64"]) {
      const controller = new AbortController();
      const onProgress = (what: string): void => void (what === where && controller.abort("SIGINT"));
      const ended = await fftPaperExperiment([{ device }], tiny, { signal: controller.signal, onProgress }).catch(
        (error: unknown) => error,
      );
      expect(isRadarError(ended, "aborted"), where).toBe(true);
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    }
  });

  it.each([
    [{ seconds: 0 }, "seconds"],
    [{ sizes: [] }, "sizes"],
    [{ sizes: [100] }, "sizes"],
    [{ sizes: [2 ** 17] }, "sizes"],
    [{ only: ["nothing"] as never }, "only"],
    [{ variants: ["radix-5"] }, "variants"],
    [{ variants: [] }, "variants"],
    [{ variants: ["radix-8", "radix-8"] }, "variants"],
    [{ sizes: ["256"] as never }, "sizes"],
    [{ sizes: [256, 256] }, "sizes"],
    [{ absent: { a: 5 } as never }, "absent.a"],
    [{ versions: { a: 5 } as never }, "versions.a"],
    [{ peer: {} as never }, "peer"],
  ])("rejects %j", async (options, field) => {
    using device = await open(cpu({ workers: 1 }));
    const ended = await fftPaperExperiment([{ device }], options).catch((error: unknown) => error);
    expect(isRadarError(ended, "input") && ended.fields["field"]).toBe(field);
  });
});

it("needs a device", async () => {
  const ended = await fftPaperExperiment([], tiny).catch((error: unknown) => error);
  expect(isRadarError(ended, "input") && ended.fields["field"]).toBe("devices");
});

describe("the jobs and the workload", () => {
  it("are the paper's batches and sizes", () => {
    const jobs = jobsOf({ sizes: paperSizes, quick: false, slow: false });
    expect(jobs.filter(({ section }) => section === "batches").map(({ batch }) => Math.log2(batch))).toEqual([...Array(15).keys()]);
    expect(jobs.filter(({ section }) => section === "sizes").map(({ n, batch }) => n * batch)).toEqual(Array(7).fill(2 ** 24));
    expect(jobs.filter(({ section }) => section === "short").map(({ n, batch }) => [n, n * batch])).toEqual(
      [8, 16, 32, 64].map((n) => [n, 2 ** 24]),
    );
  });

  it("have lines that differ, and detect lines that are missing or at a wrong place", async () => {
    expect([1, 2, 4, 9, 128].map(primeUpTo)).toEqual([1, 2, 3, 7, 127]);
    using device = await open(cpu({ workers: 1 }));
    const [n, batch] = [64, 10];
    const shape = { dtype: "c64", shape: [batch, n] } as const;
    using x = device.alloc(shape);
    using y = device.alloc(shape);
    const workload = createWorkload(n, batch);
    for (const _ of workload.fillSteps(x));
    using plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse: false });
    await plan.run({ in: x, out: y }).done;
    expect(await workload.error(y)).toBeLessThan(2e-7);
    const right = (await y.read()) as Float32Array;
    y.write(Float32Array.from([...right.subarray(2 * n), ...right.subarray(0, 2 * n)]));
    expect(await workload.error(y)).toBeGreaterThan(0.5);
    y.write(right);
    workload.poison(y);
    expect(await workload.error(y)).toBeNaN();
  });

  it("reads the shape of a plan from its text", () => {
    expect(shapeOf("(fft/gpu n=4096 one-pass radix=16·16·16 threads=256 lines=1 exchange=split)")).toEqual({
      radices: [16, 16, 16],
      threads: 256,
      exchange: "split",
    });
    expect(shapeOf("(fft/gpu n=65536 two passes)")).toEqual({});
  });
});

describe("FFTW", () => {
  it("takes part with right results, or is absent with the reason", async () => {
    const fftw = await startFftw();
    if (typeof fftw === "string") return expect(fftw).toMatch(/python3|fftw3f/);
    using running = fftw;
    const { milliseconds, error } = await running.time(256, 3, 2);
    expect(milliseconds).toBeGreaterThan(0);
    expect(error).toBeLessThan(3e-7);
  });
});
