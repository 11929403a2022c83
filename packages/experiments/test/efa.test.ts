/**
 * Tests the published experiment on the extended factored algorithm at small sizes, on the CPU and on a GPU; its workload, its count of
 * operations and its plots.
 */
import { isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { cubeOrders, efaGeometry, efaReference, snrDb } from "@dechirp/stap";
import { describe, expect, it } from "vitest";
import { stageFlops } from "../src/efa-paper/flops.ts";
import { jobsOf, quickSizes } from "../src/efa-paper/jobs.ts";
import { minEfaSnrDb, published, publishedStages, type StageName } from "../src/efa-paper/published.ts";
import {
  createEfaProblem,
  type EfaReport,
  type EfaRow,
  efaExperiment,
  efaPlots,
  efaTables,
  openEfaChain,
  reportMarkdown,
  uploadEfaBuffers,
  wrongEfaRows,
} from "../src/index.ts";

const tiny = { channels: 2, pulses: 8, dopplerBins: 12, ranges: 44, blockRanges: 10, temporalTaps: 3, steeringVectors: 3 };

/** Checks everything that must hold for any report. */
function expectSound(report: EfaReport): void {
  expect(report).toMatchObject({ format: "dechirp-experiment", version: 1, experiment: "efa-paper", sizes: quickSizes });
  expect(wrongEfaRows(report)).toEqual([]);
  for (const { device, rows } of report.devices) {
    for (const { section, name: of, measured: m, why } of rows) {
      const name = `${device.id} ${section} ${of}`;
      expect(why, name).toBeUndefined();
      if (!m) continue;
      expect(m.snrDb, name).toBeGreaterThan(minEfaSnrDb);
      expect(m.stages.length, name).toBe(of.includes("four stages") || section === "blocking" ? 4 : 3);
      for (const { name: stage, meanMilliseconds, medianMilliseconds, flops } of [...m.stages, { name: "total", ...m.total, flops: 1 }]) {
        expect(meanMilliseconds > 0 && medianMilliseconds > 0 && flops > 0, `${name} ${stage}`).toBe(true);
      }
      expect(m.dataSets >= 1 && m.dataSets <= (section === "stages" ? report.dataSets : 1), name).toBe(true);
    }
  }
}

describe("the experiment", () => {
  it("measures on the CPU and makes tables and plots", async () => {
    using device = await open(cpu());
    const report = await efaExperiment([{ device }], { quick: true, dataSets: 2, seconds: 0.01, watts: 50 });
    expectSound(report);
    expect(report).toMatchObject({ dataSets: 2, watts: 50 });
    const [{ device: ran, rows }] = report.devices;
    expect(ran.id).toBe("cpu");
    const count = (section: string): number => rows.filter((row) => row.section === section).length;
    expect(["stages", "blocking", "products", "channels", "steering", "ranges", "perfect"].map(count)).toEqual([4, 0, 3, 2, 2, 2, 1]);
    const plots = await efaPlots(report);
    expect(Object.keys(plots).sort()).toEqual(["stages.svg", "time-by-channels.svg", "time-by-ranges.svg", "time-by-steering.svg"]);
    for (const svg of Object.values(plots)) expect(svg).toMatch(/^<svg .*<\/svg>\n$/s);
    const markdown = reportMarkdown(efaTables(report), Object.keys(plots));
    for (const part of ["Table III, four stages, Gauss-Jordan", "data sets/s/W", "By channels", "PERFECT", "![stages](stages.svg)"])
      expect(markdown).toContain(part);
    // The published times of other sizes must not appear.
    const stages = efaTables(report).tables.find(({ header }) => header.includes("K20c"))!;
    expect(
      stages.rows.map((row) => row.filter((_, i) => ["M2090", "K20c", "Q3000M", "times the K20c"].includes(stages.header[i]!))),
    ).toEqual(Array(5).fill(["-", "-", "-", "-"]));
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("ends if its signal fires, and frees everything", async () => {
    using device = await open(cpu());
    for (const where of ["cpu: stages", "cpu: ranges"]) {
      const controller = new AbortController();
      const onProgress = (what: string): void => void (what === where && controller.abort("SIGINT"));
      const options = { quick: true, dataSets: 1, seconds: 0.01, only: ["stages", "ranges"] } as const;
      const ended = await efaExperiment([{ device }], options, { signal: controller.signal, onProgress }).catch((error: unknown) => error);
      expect(isRadarError(ended, "aborted"), where).toBe(true);
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    }
  });

  it.each([
    [{ dataSets: 0 }, "dataSets"],
    [{ dataSets: 1.5 }, "dataSets"],
    [{ seconds: Number.NaN }, "seconds"],
    [{ watts: -1 }, "watts"],
    [{ only: [] }, "only"],
    [{ only: ["nothing"] as never }, "only"],
  ])("rejects %j", async (options, field) => {
    using device = await open(cpu({ workers: 1 }));
    const ended = await efaExperiment([{ device }], options).catch((error: unknown) => error);
    expect(isRadarError(ended, "input") && ended.fields["field"]).toBe(field);
  });
});

describe("on a GPU", () => {
  // The compiler of a software GPU takes seconds per kernel.
  it("has correct results for stages and blocking factors", async () => {
    using device = await open(gpu());
    const report = await efaExperiment([{ device }], { quick: true, dataSets: 2, seconds: 0.01, only: ["stages", "blocking"] });
    expectSound(report);
    expect(report.devices[0].rows.map(({ section, blocking }) => `${section} ${blocking ?? "-"}`)).toEqual([
      "stages 3",
      ...["stages", "stages", "stages"].map((section) => `${section} -`),
      "blocking 1",
      "blocking 3",
      "blocking -",
    ]);
    expect(Object.keys(await efaPlots(report))).toEqual(["stages.svg", "time-by-blocking.svg"]);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("the workload", () => {
  it.each(["noise", "perfect"] as const)("has the float64 output of %s and detects wrong results", (samples) => {
    const problem = createEfaProblem({ ...tiny, samples });
    const order = cubeOrders.paper;
    const exact = efaReference({ ...tiny, data: problem.cube(1), order }, problem.steering, tiny).data;
    // Two float64 computations of the transforms. The rest of the difference is due to conditioning.
    expect(problem.snrDb(1, exact)).toBeGreaterThan(minEfaSnrDb + 40);
    expect(problem.snrDb(0, exact)).toBeLessThan(20);
    const wrong = exact.slice();
    for (let l = 0; l < tiny.ranges; l++) wrong[(tiny.dopplerBins - 1) * tiny.ranges + l] = 0;
    expect(problem.snrDb(1, wrong)).toBeLessThan(minEfaSnrDb);
    expect(problem.snrDb(1, exact.fill(Number.NaN))).toBeNaN();
    expect(snrDb(problem.cube(0), problem.cube(1))).toBeLessThan(3);
  });

  it("has the same output in every variant", async () => {
    using device = await open(cpu({ workers: 1 }));
    const problem = createEfaProblem(tiny);
    using inputs = await uploadEfaBuffers(device, problem, 2);
    for (const { ways } of jobsOf({ sizes: tiny, dataSets: 2, quick: true, gpu: true }).slice(0, 3)) {
      for (const way of ways) {
        using chain = await openEfaChain(device, problem, inputs, way);
        expect(problem.snrDb(1, await chain.output(1)), way.name).toBeGreaterThan(minEfaSnrDb);
        expect(problem.snrDb(0, await chain.output(1)), way.name).toBeLessThan(20);
        expect(await chain.time([0], 3, [0, 1])).toBeGreaterThan(0);
      }
    }
  });
});

describe("the published tables", () => {
  it("agree with each other and with the count of operations", () => {
    for (const { milliseconds, totalMilliseconds, watts, dataSetsPerSecondPerWatt } of published.gpus) {
      const sum = publishedStages.reduce((total, name) => total + milliseconds[name], 0);
      expect(Math.abs(sum - totalMilliseconds)).toBeLessThan(0.011);
      expect(1000 / totalMilliseconds / watts).toBeCloseTo(dataSetsPerSecondPerWatt, 2);
    }
    const millions = (stage: StageName, more: object = {}): number =>
      Math.round(stageFlops(efaGeometry({ ...published.sizes, ...more }), stage) / 1e6);
    expect([millions("doppler"), millions("covariance"), millions("weighting")]).toEqual([21, 44, 403]);
    expect([millions("solve", { solver: "gauss-jordan" }), millions("solve"), millions("filter")]).toEqual([190, 160, 563]);
    // 78 products per bin instead of 42, and both blocks for every group.
    expect(millions("covariance", { sharing: "none" })).toBe(82);
    const job = jobsOf({ sizes: published.sizes, dataSets: 1, quick: false, gpu: true }).find(({ section }) => section === "products");
    expect(job?.ways.map(({ name: _, ...way }) => millions("covariance", way))).toEqual([44, 82, 88]);
  });

  const measured = {
    clock: "device",
    dataSets: 32,
    stages: publishedStages.map((name) => ({ name, meanMilliseconds: 0.05, medianMilliseconds: 0.04, flops: 1e8, text: "" })),
    total: { meanMilliseconds: 0.295, medianMilliseconds: 0.16 },
    snrDb: 120.04,
  } as const;
  const reportOf = (rows: readonly EfaRow[]): EfaReport => ({
    format: "dechirp-experiment",
    version: 1,
    experiment: "efa-paper",
    date: "2026-01-02T00:00:00Z",
    sizes: published.sizes,
    dataSets: 32,
    watts: 700,
    devices: [{ device: { id: "gpu", description: "a GPU", notes: [], units: 1 }, rows }],
    published,
  });
  const row: EfaRow = { section: "stages", name: "four stages", sizes: published.sizes, measured };

  it("appear beside times of the same sizes", () => {
    const text = reportMarkdown(
      efaTables(reportOf([row, { section: "blocking", name: "B_T = 12", sizes: published.sizes, why: "too large" }])),
    );
    expect(text).toContain("| Doppler processing | 0.30 | 0.24 | 0.80 | 0.05 | 0.04 | 2.00e+3 | 4.80× |");
    expect(text).toContain("| total | 4.07 | 2.95 | 15.93 | 0.295 | 0.16 | 1.36e+3 | 10.0× |");
    expect(text).toContain("| K20c | 3519 | 208 | 225 | 339 | 1.51 |");
    expect(text).toContain("| gpu, four stages | - | - | 700 | 3390 | 4.84 |");
    expect(text).toContain("too large");
  });

  it("mark a wrong result, however fast", () => {
    const report = reportOf([
      { ...row, measured: { ...measured, snrDb: 79.9 } },
      { ...row, measured: { ...measured, snrDb: Number.NaN } },
    ]);
    expect(wrongEfaRows(report).length).toBe(2);
    expect(reportMarkdown(efaTables(report))).toContain("WRONG 79.9");
    expect(reportMarkdown(efaTables(report))).toContain("WRONG: stages, four stages: 79.9 dB");
    expect(reportMarkdown(efaTables(report))).toContain("WRONG: stages, four stages: - dB");
  });
});
