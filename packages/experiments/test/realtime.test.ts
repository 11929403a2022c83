/**
 * Tests the published concurrent transforms at small sizes, on the CPU and on a GPU; the report, tables and plots. It checks structure and
 * no times.
 */
import { isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { permittedSizes } from "@dechirp/realtime";
import { describe, expect, it } from "vitest";
import {
  type RealtimePaperOptions,
  type RealtimeReport,
  realtimeExperiment,
  realtimePlots,
  realtimeTables,
  reportMarkdown,
  wrongRealtimeRows,
} from "../src/index.ts";
import { crossover, meanAhead } from "../src/realtime-paper/tables.ts";

const small: RealtimePaperOptions = { exponents: [10, 12], tasks: [1, 2, 5], jobs: 4, runs: 5 };

/** Checks everything that must hold for any report. */
function expectSound(report: RealtimeReport, counts: readonly number[], jobs: number): void {
  expect(report).toMatchObject({ format: "dechirp-experiment", version: 1, experiment: "realtime-paper", jobs, margin: 1.2 });
  expect(wrongRealtimeRows(report)).toEqual([]);
  for (const { results, clock } of report.devices) {
    expect(clock.resolution).toBeGreaterThan(0);
    for (const { rows, profile, sizes, units, way, samples } of results) {
      const name = `${way} ${samples}`;
      expect(
        rows.map(({ tasks }) => tasks),
        name,
      ).toEqual(counts);
      for (const { k, max, p99, p50, wcet } of profile) {
        expect(k <= units && p50 > 0 && p50 <= p99 && p99 <= max, name).toBe(true);
        expect(wcet, name).toBeGreaterThanOrEqual(1.2 * max * (1 - 1e-12));
      }
      expect(sizes, name).toContain(1);
      if (way === "cpu-pool") {
        const wcets = Object.fromEntries(profile.map(({ k, wcet }) => [k, wcet]));
        expect(sizes, name).toEqual(permittedSizes(wcets, report.rho, units));
      }
      for (const { tasks, smlp, bestEffort, response, partition, exceedances, ownershipChecks, ownershipViolations, wrong } of rows) {
        const of = `${name}, ${tasks} tasks`;
        expect({ wrong, ownershipViolations }, of).toEqual({ wrong: 0, ownershipViolations: 0 });
        // Every job takes and releases at least one unit, including the warm-up job.
        expect(ownershipChecks, of).toBeGreaterThanOrEqual(2 * tasks * (jobs + 1));
        expect(exceedances, of).toBeLessThanOrEqual(smlp.jobs);
        for (const one of [smlp, bestEffort]) {
          expect(one.jobs, of).toBe(tasks * jobs);
          expect(one.mean > 0 && one.mean <= one.max && one.p99 <= one.max, of).toBe(true);
          // A task has one job at a time, so at most as many responses as tasks overlap.
          expect(one.throughput, of).toBeLessThanOrEqual(one.publishedThroughput * tasks * 1.001);
        }
        const longest = Math.max(...profile.filter(({ k }) => sizes.includes(k)).map(({ wcet }) => wcet));
        if (way === "cpu-pool") {
          const area = Math.max(...profile.filter(({ k }) => sizes.includes(k)).map(({ k, wcet }) => k * wcet));
          expect(response, of).toBeCloseTo(longest + ((tasks - 1) * area) / units, 6);
          expect(partition === null, of).toBe((tasks - 1) * Math.max(...sizes) >= units);
        }
        if (way === "gpu-chunks") expect(response, of).toBeCloseTo(tasks * longest, 6);
      }
    }
  }
}

describe("the experiment", () => {
  it("measures on the CPU and makes tables and plots", async () => {
    using device = await open(cpu({ workers: 2 }));
    const report = await realtimeExperiment([{ device }], { exponents: [10, 12], tasks: 3, jobs: 5, runs: 8 });
    expectSound(report, [1, 2, 3], 5);
    expect(report.devices[0].device).toMatchObject({ id: "cpu", units: 2 });
    const plots = await realtimePlots(report);
    const names = ["10", "12"].flatMap((e) => ["responses", "schedule", "throughput"].map((what) => `${what}-cpu-pool-2-${e}.svg`));
    expect(Object.keys(plots).sort()).toEqual(["wcet-cpu-pool.svg", ...names].sort());
    const markdown = reportMarkdown(realtimeTables(report), Object.keys(plots));
    for (const part of ["Table I, S by number of samples", "ahead of best effort", "multiplied by a margin of 1.2", "no guarantee"])
      expect(markdown).toContain(part);
    for (const [name, svg] of Object.entries(plots)) {
      expect(markdown).toContain(`](${name})`);
      expect(svg).toMatch(/^<svg .*<\/svg>\n$/s);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
    }
  });

  it("sweeps rho at the largest size, and each set of sizes once", async () => {
    using device = await open(cpu({ workers: 3 }));
    const report = await realtimeExperiment([{ device }], { ...small, rho: 1, rhos: [1000, 1000, 1] });
    expectSound(report, [1, 2, 5], 4);
    const [first, last] = report.devices[0].results;
    expect(first.rhos).toBeUndefined();
    const swept = last.rhos ?? [];
    expect(swept.length).toBeLessThanOrEqual(1);
    for (const { sizes, rows } of swept) {
      expect(sizes).toEqual([1, 2, 3]);
      expect(rows.map(({ tasks }) => tasks)).toEqual([1, 2, 3, 5]);
    }
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("shares a GPU in time and within dispatches", async () => {
    using device = await open(gpu());
    const report = await realtimeExperiment([{ device }], { exponents: [12], tasks: [1, 3], jobs: 3, runs: 4 });
    expectSound(report, [1, 3], 3);
    expect(report.devices[0].results.map(({ way, line }) => [way, line])).toEqual([
      ["gpu-chunks", undefined],
      ["gpu-slots", 1024],
    ]);
    expect(reportMarkdown(realtimeTables(report))).toContain("2 complex lines of 1024 points");
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("ends if its signal fires, and frees everything", async () => {
    using device = await open(cpu({ workers: 2 }));
    for (const where of ["profiling", "1 tasks", "5 tasks"]) {
      const controller = new AbortController();
      const onProgress = (what: string): void => void (what.endsWith(where) && controller.abort("SIGINT"));
      const ended = await realtimeExperiment([{ device }], small, { signal: controller.signal, onProgress }).catch(
        (error: unknown) => error,
      );
      expect(isRadarError(ended, "aborted"), where).toBe(true);
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    }
  });

  it.each([
    [{ exponents: [] }, "exponents"],
    [{ exponents: [3] }, "exponents"],
    [{ tasks: 0 }, "tasks"],
    [{ tasks: [] }, "tasks"],
    [{ tasks: [1, 2.5] }, "tasks"],
    [{ jobs: 0 }, "jobs"],
    [{ runs: Number.NaN }, "runs"],
    [{ rho: 0.5 }, "rho"],
    [{ rhos: [Number.POSITIVE_INFINITY] }, "rhos"],
  ])("rejects %j", async (options, field) => {
    using device = await open(cpu({ workers: 1 }));
    const ended = await realtimeExperiment([{ device }], options).catch((error: unknown) => error);
    expect(isRadarError(ended, "input") && ended.fields["field"]).toBe(field);
  });

  it("reports wrong outputs and shared units", async () => {
    using device = await open(cpu({ workers: 2 }));
    const report = await realtimeExperiment([{ device }], { ...small, exponents: [10] });
    const spoilt = structuredClone(report) as unknown as {
      devices: { results: { rows: { wrong: number; ownershipViolations: number }[] }[] }[];
    };
    spoilt.devices[0].results[0].rows[1].wrong = 2;
    spoilt.devices[0].results[0].rows[2].ownershipViolations = 1;
    const found = wrongRealtimeRows(spoilt as unknown as RealtimeReport);
    expect(found).toHaveLength(2);
    for (const text of found) expect(reportMarkdown(realtimeTables(spoilt as unknown as RealtimeReport))).toContain(`WRONG: ${text}`);
    expect(Object.keys(await realtimePlots(report)).length).toBeGreaterThan(2);
  });

  it("finds the number of tasks from which on the lock is ahead", () => {
    const row = (tasks: number, ahead: boolean) => ({ tasks, smlp: { mean: ahead ? 1 : 3 }, bestEffort: { mean: 2 } }) as never;
    const of = (...ahead: boolean[]) =>
      crossover(
        ahead.map((one, i) => row(i + 1, one)),
        meanAhead,
      );
    expect(of(false, true, true)).toBe(2);
    expect(of(true, false, true)).toBe(3);
    expect(of(true, true)).toBe(1);
    expect(of(true, false)).toBeUndefined();
  });
});
