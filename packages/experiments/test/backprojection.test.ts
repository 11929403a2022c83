/** Tests the published backprojection with few pulses and small images, on the CPU and on a GPU; its workload and its plots. */
import { isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { PhaseHistory } from "@dechirp/radar";
import { backprojectReference, type RangeProfiles, signalToErrorDb } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { published } from "../src/backprojection-paper/published.ts";
import {
  type BackprojectionReport,
  backprojectionExperiment,
  backprojectionPlots,
  backprojectionTables,
  createBackprojectionWorkload,
  createNoiseSamples,
  openPulseBlock,
  reportMarkdown,
  squareGrid,
} from "../src/index.ts";
import { allowedSineError, sineErrorOf } from "./sine-error.ts";

/**
 * The ratios that are required of the default mode and of the table of 1024 angles: with uniform errors of half a step,
 * 20·log₁₀(1024·√3/π) = 55 dB.
 */
const preciseDb = 80;
const tableDb = 20 * Math.log10((1024 * Math.sqrt(3)) / Math.PI);
/** The statistical variation with some thousand pixels: about a decibel. */
const noiseDb = 2;

/**
 * The required ratio for an image that uses the device's own sines. As phases take all values, the sines' error is the image's; the
 * required error of everything else is added. WGSL allows 60 dB, SwiftShader has 79.
 */
const nativeDb = (sineRms: number): number => -10 * Math.log10(10 ** (-preciseDb / 10) + sineRms ** 2 * 10 ** (noiseDb / 10));

/** Checks everything that must hold for any report, given the error of the devices' own sines. */
function expectSound(report: BackprojectionReport, pulses: number, side: number, sineRms = 0): void {
  const allowedDb = { accurate: preciseDb, polynomial: preciseDb, native: nativeDb(sineRms) };
  expect(report).toMatchObject({ format: "dechirp-experiment", version: 1, experiment: "backprojection-paper", pulses, sides: [side] });
  for (const { device, kernels, wholes, partitions } of report.devices) {
    expect(partitions.map((one) => one.side)).toEqual([side]);
    expect(partitions[0].text).toMatch(/traffic: .*unpartitioned .*pulse sets .*tiles .*dual /);
    for (const { section, measured: m, why } of kernels) {
      const name = `${device.id} ${section} ${m?.scheme} ${m?.tile} ${m?.sets} ${m?.sine}`;
      expect(why, name).toBeUndefined();
      if (!m) continue;
      expect(m.seconds, name).toBeGreaterThan(0);
      expect(m.projectSeconds + m.sumSeconds, name).toBeCloseTo(m.seconds, 12);
      expect(m.sumSeconds > 0, name).toBe(m.sets > 1);
      expect(m.timedPulses > 0 && m.timedPulses <= pulses, name).toBe(true);
      // A tile size that is requested explicitly may give larger errors (`choosePartition`).
      if (m.sine !== "table" && section !== "tiles") expect(m.serDb, name).toBeGreaterThan(allowedDb[m.sine]);
      else if (m.sine === "table") expect(Math.abs(m.serDb - tableDb), name).toBeLessThan(noiseDb);
    }
    const of = (section: string) => kernels.filter((row) => row.section === section);
    expect(of("sizes").map((row) => row.side)).toEqual([side, 128, 256]);
    expect(of("schemes").map(({ measured }) => measured?.scheme)).toEqual(["unpartitioned", "pulseSets", "tiles", "dual"]);
    expect(of("sines").map(({ measured }) => measured?.sine)).toEqual(["polynomial", "native", "table"]);
    expect(of("sets").map(({ measured }) => measured?.sets)).toEqual([1, 2, 4, 8, 16].filter((sets) => sets <= pulses));
    expect(of("tiles").map(({ measured }) => measured?.tile)).toEqual([8, 16, 24, 32].filter((tile) => tile <= side));
    const errors = of("sines").map(({ measured }) => measured?.sineError ?? Number.NaN);
    expect(errors[0]).toBe(0);
    expect(errors[1]).toBeLessThan(10 ** (-allowedDb.native / 20));
    expect(Math.abs(-20 * Math.log10(errors[2]) - tableDb)).toBeLessThan(noiseDb);
    for (const { measured: m, ...row } of wholes) {
      expect(m?.serDb, JSON.stringify(row)).toBeGreaterThan(preciseDb);
      expect(m?.gigaprojections).toBeCloseTo((row.side ** 2 * row.pulses) / (m?.seconds ?? Number.NaN) / 1e9, 12);
    }
    const transfers = wholes.filter(({ section }) => section === "transfers").map(({ form, asynchronous }) => `${form} ${asynchronous}`);
    const forms = ["profiles", "history"];
    expect(transfers).toEqual(forms.flatMap((form) => (device.id === "cpu" ? [true] : [false, true]).map((on) => `${form} ${on}`)));
    expect(wholes.filter(({ section }) => section === "pulses").map((row) => row.pulses)).toEqual(
      [16, 8, 4, 2, 1].map((part) => Math.max(1, Math.round(pulses / part))),
    );
  }
}

describe("the experiment", () => {
  it("measures on the CPU and makes tables and plots", async () => {
    using device = await open(cpu());
    const report = await backprojectionExperiment([{ device }], { sides: [32], pulses: 16, seconds: 0.01 });
    expectSound(report, 16, 32);
    expect(report.devices.map((one) => one.device.id)).toEqual(["cpu"]);
    const threads = report.devices[0].kernels.filter(({ section }) => section === "threads");
    expect(threads.map(({ measured }) => measured?.scheme)).toEqual(
      (report.devices[0].device.units > 1 ? [1, 2] : [1]).flatMap(() => ["unpartitioned", "tiles"]),
    );
    const plots = await backprojectionPlots(report);
    const names = ["time-by-pulses.svg", "time-by-sets.svg", "time-by-size.svg", "time-by-tile.svg", "traffic-by-tile.svg"];
    expect(Object.keys(plots).sort()).toEqual(names);
    for (const svg of Object.values(plots)) expect(svg).toMatch(/^<svg .*<\/svg>\n$/s);
    const markdown = reportMarkdown(backprojectionTables(report), names);
    for (const part of ["Table 1,", "Tables 3 and 4,", "3PN²", "PRN/K + 2SN²", "0.020 %"]) expect(markdown).toContain(part);
    for (const name of names) expect(markdown).toContain(`![${name.replace(".svg", "")}](${name})`);
    // The published times of another workload must not appear.
    const images = backprojectionTables(report).tables.find(({ header }) => header.includes("C1060, s"))!;
    const then = images.header.indexOf("C1060, s");
    expect(images.rows.length).toBeGreaterThan(0);
    expect(images.rows.map((row) => row.slice(then, then + 2))).toEqual(images.rows.map(() => ["-", "-"]));
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("ends if its signal fires, and frees everything", async () => {
    using device = await open(cpu());
    for (const where of ["cpu: 32×32, kernel", "cpu: 32×32 from profiles, overlapped", "cpu: 64×64, 4 pulse sets"]) {
      const controller = new AbortController();
      const onProgress = (what: string): void => void (what === where && controller.abort("SIGINT"));
      const options = { sides: [32], pulses: 16, bins: 512, seconds: 0.01 };
      const ended = await backprojectionExperiment([{ device }], options, { signal: controller.signal, onProgress }).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(isRadarError(ended, "aborted"), where).toBe(true);
      expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
    }
  });

  it.each([
    [{ sides: [] }, "sides"],
    [{ sides: [15] }, "sides"],
    [{ sides: [8193] }, "sides"],
    [{ pulses: 0 }, "pulses"],
    [{ pulses: 42_209 }, "pulses"],
    [{ bins: 1000 }, "bins"],
    [{ seconds: 0 }, "seconds"],
    [{ seconds: Number.NaN }, "seconds"],
  ])("rejects %j", async (options, field) => {
    using device = await open(cpu({ workers: 1 }));
    const ended = await backprojectionExperiment([{ device }], options).catch((error: unknown) => error);
    expect(isRadarError(ended, "input") && ended.fields["field"]).toBe(field);
  });
});

describe("on a GPU", () => {
  it("has a correct image for every measurement", async () => {
    using device = await open(gpu());
    const sines = await sineErrorOf(device);
    // If this fails, the adapter violates WGSL. The angles themselves are rounded to 2⁻²².
    expect(sines.most).toBeLessThan(allowedSineError + 2 ** -22);
    const report = await backprojectionExperiment([{ device }], { sides: [32], pulses: 16, bins: 512, seconds: 0.001 });
    expectSound(report, 16, 32, sines.rms);
    expect(reportMarkdown(backprojectionTables(report))).toContain("Table 2,");
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("the workload", () => {
  const ring = createNoiseSamples(512, 7);
  const workload = createBackprojectionWorkload(ring, { pulses: 40, arcRadians: 0.1 });
  const joined = (form: "history" | "profiles", first: number, count: number): Float32Array => {
    const portions = [...workload.portions(form, first, count)];
    const all = new Float32Array(portions.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const portion of portions) {
      all.set(portion, at);
      at += portion.length;
    }
    return all;
  };

  it("has repeating samples, distinct positions and a constant range", () => {
    const [a, b] = [joined("history", 3, 20), joined("history", 10, 13)];
    expect(a.length).toBe(2 * 424 * 20);
    expect(a.subarray(2 * 424 * 7)).toEqual(b);
    expect(joined("profiles", 3, 20).length).toBe(2 * 512 * 20);
    const { positions, referenceRangeMeters } = workload.source("history");
    for (let p = 0; p < 40; p++) {
      const [x, y, z] = positions.subarray(3 * p, 3 * p + 3);
      expect(Math.atan2(y, x)).toBeCloseTo((0.1 * p) / 40, 12);
      expect(Math.hypot(x, y, z)).toBeCloseTo(referenceRangeMeters[p], 8);
    }
  });

  it("gives the same image from phase histories, from profiles, and for a block of pulses", async () => {
    const grid = squareGrid(16);
    const samples = joined("profiles", 0, 40);
    const exact = backprojectReference({ ...workload.source("profiles"), samples } as RangeProfiles, grid, { interpolation: "linear" });
    // The patch of so small an image is the whole image. Profiles were rounded to float32 once: 2⁻²⁵ of the largest, which is 150 dB.
    expect(signalToErrorDb(workload.reference(grid, [0, 40]), exact)).toBeGreaterThan(130);
    expect((workload.source("history") as PhaseHistory).frequency.count).toBe(424);
    using device = await open(cpu({ workers: 1 }));
    // Parabolas need eight bins per frequency.
    const fine = createBackprojectionWorkload(createNoiseSamples(4096, 7), { pulses: 40, arcRadians: 0.1 });
    for (const [of, interpolation] of [
      [workload, "linear"],
      [fine, "quadratic"],
    ] as const) {
      for (const form of ["history", "profiles"] as const) {
        using block = await openPulseBlock(device, of, grid, { form, interpolation, pulsesPerBlock: 15 });
        block.load(9);
        expect(await block.time(["backproject"], 2)).toBeGreaterThan(0);
        expect(block.steps.includes("curves")).toBe(interpolation === "quadratic");
        expect(signalToErrorDb(await block.image(), of.reference(grid, [9, 15], interpolation))).toBeGreaterThan(preciseDb);
        expect(signalToErrorDb(await block.image(), of.reference(grid, [8, 15], interpolation))).toBeLessThan(20);
      }
    }
  });
});

describe("the published tables", () => {
  it("agree with each other", () => {
    // Gflop/s of Table 1 by the stated number of operations: 119, 130 and 136, up to their rounding and that of the seconds.
    for (const [side, gigaflops] of [
      [512, 119],
      [1024, 130],
      [2048, 136],
    ]) {
      const own = (published.flopsPerProjection * published.pulses * side ** 2) / published.kernelSeconds[side] / 1e9;
      expect(Math.abs(own / gigaflops - 1)).toBeLessThan(0.01);
    }
    expect((published.pulses * published.bins * 8) / 2 ** 30).toBeCloseTo(published.transfer.gigabytes, 1);
  });

  it("appear beside times of the same workload", () => {
    const measured = {
      seconds: 0.344,
      timedPulses: 42_208,
      clock: "device",
      gigaprojections: 32.2,
      serDb: 101.26,
      scheme: "tiles",
      tile: 32,
      sets: 1,
      sine: "polynomial",
      projectSeconds: 0.344,
      sumSeconds: 0,
      trafficBytes: { unpartitioned: 265e9, pulseSets: 1.4e9, tiles: 22e9, dual: 22e9 },
      text: "",
    } as const;
    const report: BackprojectionReport = {
      format: "dechirp-experiment",
      version: 1,
      experiment: "backprojection-paper",
      date: "2026-01-02T00:00:00Z",
      pulses: 42_208,
      bins: 4096,
      sides: [512],
      devices: [
        {
          device: { id: "gpu", description: "a GPU", notes: [], units: 1 },
          partitions: [],
          kernels: [
            { section: "sizes", side: 512, measured },
            { section: "schemes", side: 512, measured: { ...measured, scheme: "unpartitioned", seconds: 3.44, timedPulses: 99 } },
            { section: "schemes", side: 512, measured },
            { section: "tiles", side: 512, why: "too large" },
          ],
          wholes: [],
        },
      ],
      published,
    };
    const text = reportMarkdown(backprojectionTables(report));
    expect(text).toContain("| 512×512 | 3.44 | 119 | 0.344 | 1190 | 32.2 | 101.3 | 10.0× | 32 | 1 |");
    expect(text).toContain("| unpartitioned, 3PN² | 265 | 1 | 3.44* | 1.00× | 32.2 | 101.3 |");
    expect(text).toContain("| tiles, PRN/K + N² | 22.0 | 1 | 0.344 | 10.0× | 32.2 | 101.3 |");
    expect(text).toContain("| published: tiles | - | - | 3.44 | 5.8× | - | - |");
    expect(text).toContain("too large");
  });
});
