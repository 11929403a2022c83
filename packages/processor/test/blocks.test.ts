/** Recordings that are focused in blocks, compared with the whole image. */
import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type ScenePreset, scenePresets } from "@dechirp/sar";
import { describe, expect, it } from "vitest";
import { focusInBlocks, focusRecording, planFocus, type StripmapRecording, simulateRecording } from "../src/index.ts";
import { memorySink } from "./memory-sink.ts";

const preset: ScenePreset = { ...scenePresets.default, lines: 1024, samples: 640 };
/** Without clutter, which takes long to simulate. */
const { background: _, ...points } = preset;

const unread = (): never => {
  throw new Error("a plan with a given centroid reads nothing");
};

describe("focusInBlocks", () => {
  it("makes the whole image, its measures and its quicklook", async () => {
    using device = await open(cpu());
    const recording = await simulateRecording("scene", preset, { type: "ci8" }, device);
    using whole = await focusRecording(recording, {}, device);
    const settings = { dopplerCentroidHz: whole.report.radar.dopplerCentroidHz };
    const { axes, entropy, contrast, targets } = whole.report;
    for (const mostLines of [720, 512, 400]) {
      const plan = await planFocus(recording, settings, device, { memoryBytes: 2 ** 30, mostLines });
      const sink = memorySink(plan.shape);
      const blocks: number[] = [];
      const began = performance.now();
      let told = 0;
      const { report, quicklook } = await focusInBlocks(recording, device, sink, plan, {
        onBlock(block, _, samplesPerSecond) {
          blocks.push(block);
          told = (samplesPerSecond * (performance.now() - began)) / 1000;
        },
      });
      // The rate counts samples of the recording, and time from a later moment than `began`.
      expect(told).toBeGreaterThanOrEqual(preset.lines * preset.samples);
      expect(sink.missing()).toBe(0);
      expect(blocks).toEqual(plan.plan.blocks.map((_, i) => i + 1));
      expect(blocks.length).toBeGreaterThan(1);
      let [error, power] = [0, 0];
      for (let i = 0; i < sink.image.length; i++) {
        error += (sink.image[i] - whole.image[i]) ** 2;
        power += whole.image[i] ** 2;
      }
      expect(10 * Math.log10(error / power)).toBeLessThan(-85);
      expect(report.axes).toEqual(axes);
      expect(Math.abs(report.entropy - entropy)).toBeLessThan(1e-5);
      expect(Math.abs(report.contrast - contrast)).toBeLessThan(1e-3);
      expect(report.blocks).toMatchObject({ count: blocks.length, lines: plan.plan.lines, subSwaths: 1, resumed: 0 });
      expect(quicklook.data.length).toBe(quicklook.width * quicklook.height);
      expect(report.targets.length).toBe(targets.length);
      for (const [i, { measured }] of report.targets.entries()) {
        const other = targets[i].measured;
        expect(Math.abs((measured?.azimuth.irwPixels ?? 0) - (other?.azimuth.irwPixels ?? 1))).toBeLessThan(1e-4);
        expect(Math.abs((measured?.phaseErrorDegrees ?? 0) - (other?.phaseErrorDegrees ?? 1))).toBeLessThan(1e-2);
      }
    }
    expect(device.memory()).toMatchObject({ plans: 0 });
  });

  it("measures point targets on the seams of blocks as in the whole image", async () => {
    using device = await open(cpu());
    const settings = { dopplerCentroidHz: preset.radar.dopplerCentroidHz };
    const memory = { memoryBytes: 2 ** 30, mostLines: 512 };
    const { radar, lines, samples, processedBandwidthHz = 0 } = preset;
    const planned = { name: "scene", shape: [lines, samples], dtype: "ci8", radar, processedBandwidthHz } as const;
    const { axes, plan, shape } = await planFocus({ ...planned, pulses: unread }, settings, device, memory);
    const { azimuthSeconds: azimuth, slantRangeMeters: range } = axes;
    const seams = [...new Set(plan.blocks.map(({ window }) => window.row))].slice(1);
    // At the last and at the first rows of neighbouring blocks, at near, middle and far range.
    const targets = seams.flatMap((seam, i) =>
      [-0.5, 1.3].map((off, j) => ({
        name: `${seam} ${off}`,
        azimuthSeconds: azimuth.start + (seam + off) * azimuth.step,
        slantRangeMeters: range.start + shape[1] * (0.2 + 0.3 * ((i + j) % 3)) * range.step,
        amplitude: 5,
        phaseRadians: i - j,
      })),
    );
    const recording = await simulateRecording("scene", { ...preset, targets }, { type: "ci8" }, device);
    using whole = await focusRecording(recording, settings, device);
    const made = await planFocus(recording, settings, device, memory);
    expect(made.plan).toEqual(plan);
    const { report } = await focusInBlocks(recording, device, memorySink(shape), made);
    let measured = 0;
    for (const [i, { measured: found }] of report.targets.entries()) {
      const expected = whole.report.targets[i].measured;
      expect(found === undefined).toBe(expected === undefined);
      if (!found || !expected) continue;
      measured += 1;
      for (const axis of ["azimuth", "range"] as const) {
        expect(Math.abs(found[axis].irwPixels - expected[axis].irwPixels)).toBeLessThan(1e-4);
        expect(Math.abs(found[axis].pslrDb - expected[axis].pslrDb)).toBeLessThan(1e-2);
      }
      expect(Math.abs((found.phaseErrorDegrees ?? 0) - (expected.phaseErrorDegrees ?? 1))).toBeLessThan(1e-2);
    }
    expect(measured).toBe(targets.length);
  });

  it("measures the centroid on blocks if the memory is too little to measure all samples, and keeps no samples", async () => {
    using device = await open(cpu());
    const [lines, samples] = [4400, 2048];
    const { uniform } = createRandom(8);
    const noise = Int8Array.from({ length: 2 * samples * 700 + 1 }, () => 100 * uniform() - 50);
    const reads: number[] = [];
    const recording: StripmapRecording = {
      name: "noise",
      shape: [lines, samples],
      dtype: "ci8",
      radar: preset.radar,
      processedBandwidthHz: 110,
      pulses(_, count) {
        reads.push(count);
        return Int8Array.from({ length: 2 * count * samples }, (_value, i) => noise[i % noise.length]);
      },
    };
    for (const [memoryBytes, isWhole] of [
      [2 ** 27, false],
      [2 ** 29, true],
    ] as const) {
      reads.length = 0;
      const plan = await planFocus(recording, { dopplerCentroidHz: "auto" }, device, { memoryBytes });
      expect(reads.length).toBeGreaterThan(0);
      expect(reads.includes(lines)).toBe(isWhole);
      expect(plan.prepared).not.toHaveProperty("echoes");
    }
  });

  it("goes on where an earlier run stopped, with the same bits", async () => {
    using device = await open(cpu());
    const recording = await simulateRecording("scene", points, {}, device);
    const settings = { dopplerCentroidHz: recording.radar.dopplerCentroidHz };
    const plan = await planFocus(recording, settings, device, { memoryBytes: 2 ** 30, mostLines: 400 });
    const [all, part] = [memorySink(plan.shape), memorySink(plan.shape)];
    const whole = await focusInBlocks(recording, device, all, plan);
    const stop = new AbortController();
    const onBlock = (block: number): void => void (block === 2 && stop.abort());
    await expect(focusInBlocks(recording, device, part, plan, { onBlock, signal: stop.signal })).rejects.toMatchObject({
      code: "aborted",
    });
    const resumed = await focusInBlocks(recording, device, part, plan);
    expect(resumed.report.blocks?.resumed).toBeGreaterThan(0);
    expect(part.image).toEqual(all.image);
    expect(resumed.quicklook).toEqual(whole.quicklook);
    expect([resumed.report.entropy, resumed.report.contrast]).toEqual([whole.report.entropy, whole.report.contrast]);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("ends with what the recording or the sink throws, and frees everything", async () => {
    using device = await open(cpu());
    const recording = await simulateRecording("scene", points, {}, device);
    const settings = { dopplerCentroidHz: recording.radar.dopplerCentroidHz };
    const plan = await planFocus(recording, settings, device, { memoryBytes: 2 ** 30, mostLines: 400 });
    let reads = 0;
    const failing = {
      ...recording,
      pulses(from: number, count: number) {
        if (++reads === 3) throw new Error("the disk is gone");
        return recording.pulses(from, count);
      },
    };
    await expect(focusInBlocks(failing, device, memorySink(plan.shape), plan)).rejects.toMatchObject({ code: "failed" });
    const full = { ...memorySink(plan.shape), write: () => Promise.reject(new Error("no space is left")) };
    await expect(focusInBlocks(recording, device, full, plan)).rejects.toThrow("no space is left");
    await expect(focusInBlocks(recording, device, {} as never, plan)).rejects.toMatchObject({
      code: "input",
      fields: { field: "sink" },
    });
    await expect(planFocus(recording, settings, device, { memoryBytes: 1e5 })).rejects.toMatchObject({ code: "input" });
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});
