/** STAP through the library, on drawn cubes, compared with the float64 algorithm. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpReplica } from "@dechirp/radar";
import {
  type AdaptiveOutput,
  amfThreshold,
  type CubeOrder,
  compressPulses,
  efaGeometry,
  efaSteering,
  reorderCube,
  snrDb,
} from "@dechirp/stap";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  angleDopplerPanels,
  planStap,
  processStap,
  rangeDopplerPanels,
  type StapFindings,
  type StapReport,
  stapWork,
} from "../src/index.ts";
import {
  azimuths,
  channels,
  prfHz,
  pulses,
  radar,
  ranges,
  recordingOf,
  reference,
  spatial,
  stap,
  stapCube,
  target,
  usualReport,
} from "./stap-cube.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => {
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  device[Symbol.dispose]();
});

/** What a generator returns. */
function drained<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value as T;
  }
}

describe("STAP", () => {
  it("finds a target in clutter that buries it for a beamformer", async () => {
    const { report } = await stap(device, recordingOf(stapCube("strong")));
    expect(report.target).toMatchObject({ source: "detection", range: target.range, dopplerHz: 75, azimuthDegrees: 10 });
    expect(report.beamformer.peak.dopplerHz).not.toBe(target.dopplerHz);
    expect(report.beamformer.linePeak.range).not.toBe(target.range);
    expect(report.beamformer.targetRank).toBeGreaterThan(1);
    expect(report.beamformer.ofRanges).toBe(ranges);
  });

  it("matches the float64 algorithm to 80 dB, [steering][range][Doppler], and reports what it did", async () => {
    const { report, output } = await stap(device);
    expect(snrDb(reference({}), output)).toBeGreaterThan(80);
    expect(report).toMatchObject({
      ...usualReport,
      name: "drawn",
      inputs: [],
      cpi: { number: 1, count: 1, name: "the only one" },
      channels: [0, 1, 2, 3],
      notes: [],
    });
    expect(report.axes).toEqual({
      azimuthDegrees: azimuths,
      dopplerCycles: Array.from({ length: 16 }, (_, bin) => (bin < 8 ? bin : bin - 16) / 16),
      dopplerHz: Array.from({ length: 16 }, (_, bin) => ((bin < 8 ? bin : bin - 16) / 16) * prfHz),
    });
    expect(report.timings.map(({ name }) => name)).toEqual(["process", "detect", "beamformer", "response", "condition", "interference"]);
    expect(report.stages.map(({ name }) => name)[0]).toBe("doppler");
    // The report is plain data.
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });

  it("hands out maps and detections before it judges them", async () => {
    const seen: string[] = [];
    const found: StapFindings[] = [];
    const hooks = { onProgress: (what: string) => seen.push(what), onFindings: (findings: StapFindings) => found.push(findings) };
    const abort = new AbortController();
    const result = await stap(device, recordingOf(), {}, hooks);
    const [{ amf, beamformer, angleDoppler, raw, detections, target, threshold, stages }] = found;
    expect(found.length).toBe(1);
    expect([amf, beamformer, angleDoppler, raw, detections]).toEqual([
      result.amf,
      result.beamformer,
      result.angleDoppler,
      result.raw,
      result.detections,
    ]);
    expect({ target, threshold, stages }).toEqual({
      target: result.report.target,
      threshold: result.report.threshold,
      stages: result.report.stages,
    });
    // What follows can be cancelled, and nothing that was handed out is lost.
    const cancelled = stap(device, recordingOf(), {}, { signal: abort.signal, onFindings: () => abort.abort() });
    await expect(cancelled).rejects.toMatchObject({ code: "aborted" });
  });

  it("gives maps with ascending Doppler and the target at its place", async () => {
    const recording = recordingOf(stapCube(), { facts: { rangeAxis: { startMeters: 1000, stepMeters: 75 } } });
    const plan = await planStap(recording, radar);
    const result = await processStap(plan, device);
    const { target: cell } = result.report;
    const [adaptive, beamformer] = drained(rangeDopplerPanels(plan, result, cell));
    expect(adaptive.x).toEqual({ label: "Doppler, Hz", start: -150, step: prfHz / pulses, count: pulses });
    expect(adaptive.y).toEqual({ label: "slant range, km", start: 1, step: 0.075, count: ranges });
    expect(adaptive.mark).toEqual({ x: target.dopplerHz, y: 1 + 0.075 * target.range });
    const column = (target.dopplerHz + 150) / (prfHz / pulses);
    expect(adaptive.power[target.range * pulses + column]).toBe(Math.max(...adaptive.power));
    expect(beamformer.power[target.range * pulses + column]).toBe(result.beamformer.data[cell.dopplerBin * ranges + target.range]);
    const [spectrum, response, scan] = drained(angleDopplerPanels(plan, result, cell));
    expect([spectrum.power, response.power]).toEqual([result.angleDoppler.spectrum, result.angleDoppler.pattern]);
    expect([scan.x.count, scan.y.count]).toEqual([pulses, azimuths.length]);
    expect(scan.power[azimuths.indexOf(target.azimuthDegrees) * pulses + column]).toBe(Math.max(...scan.power));
  });

  it("detects with the exact threshold, strongest first, and each target once", async () => {
    const { report, output, detections } = await stap(
      device,
      recordingOf(stapCube(), { facts: { rangeAxis: { startMeters: 1000, stepMeters: 75 } } }),
      {
        falseAlarm: 1e-4,
      },
    );
    expect(report.detections.count).toBe(detections.length);
    const [first] = detections;
    expect(first).toMatchObject({
      ...{ range: target.range, rangeKilometres: (1000 + 75 * target.range) / 1000, dopplerBin: 4, dopplerCycles: 0.25 },
      ...{ dopplerHz: target.dopplerHz, steering: 7, azimuthDegrees: 10 },
    });
    // By definition: the cell itself, theory for its block's 64 cells, and the rest of its line.
    const line = Array.from({ length: ranges }, (_, range) => output[(7 * ranges + range) * pulses + 4]);
    const next = Math.max(...line.filter((_, range) => Math.abs(range - target.range) > 3));
    expect(first.amfDb).toBeCloseTo(10 * Math.log10(line[target.range]), 6);
    expect(first.thresholdDb).toBeCloseTo(10 * Math.log10(amfThreshold(1e-4, 12, 64)), 6);
    expect(first.aboveNextDb).toBeCloseTo(10 * Math.log10(line[target.range] / next), 6);
    for (const [i, one] of detections.entries()) {
      expect(one.amfDb).toBeGreaterThan(one.thresholdDb);
      for (const stronger of detections.slice(0, i)) {
        expect(stronger.amfDb).toBeGreaterThanOrEqual(one.amfDb);
        const apart = Math.abs(one.dopplerBin - stronger.dopplerBin);
        expect(Math.abs(one.range - stronger.range) > 3 || Math.min(apart, pulses - apart) > 2).toBe(true);
      }
    }
  });

  it("responds with one in the look direction and little at the clutter", async () => {
    const { report, angleDoppler } = await stap(device, recordingOf(stapCube("strong")));
    const { angle, doppler, shape } = report.angleDoppler;
    expect({ angle, doppler, shape }).toEqual({
      angle: { start: -90, step: 1, count: 181, unit: "degrees" },
      doppler: { start: -150, step: 300 / 128, count: 129, unit: "Hz" },
      shape: [181, 129],
    });
    const at = (degrees: number, hertz: number): number =>
      angleDoppler.pattern[(degrees + 90) * 129 + Math.round((hertz + 150) / doppler.step)];
    expect(at(target.azimuthDegrees, target.dopplerHz)).toBeCloseTo(1, 5);
    // The clutter ridge has a slope of one: spatial cycles equal Doppler cycles, 75 Hz at 30°, where a beamformer responds with 0.2.
    expect(at(30, 75)).toBeLessThan(0.2 / 4);
  });

  it.each([
    [["channel", "range", "pulse"]],
    [["pulse", "channel", "range"]],
    [["pulse", "range", "channel"]],
    [["range", "channel", "pulse"]],
    [["range", "pulse", "channel"]],
  ] as const satisfies readonly [CubeOrder][])("accepts cubes of any axis order: %s", async (order) => {
    const plain = await stap(device);
    expect((await stap(device, recordingOf(reorderCube(stapCube(), order)))).output).toEqual(plain.output);
  });

  it.each(["mvdr", "paper-literal", "complex"] as const)("gives output %s as well, and detects the same", async (kind: AdaptiveOutput) => {
    const { output, report } = await stap(device, recordingOf(), { output: kind });
    expect(snrDb(reference({ output: kind }), output)).toBeGreaterThan(80);
    expect(report.output).toEqual(
      kind === "complex"
        ? { type: "c64", axes: ["steering", "Doppler", "range"], shape: [13, pulses, ranges] }
        : { type: "f32", axes: ["steering", "range", "Doppler"], shape: [13, ranges, pulses] },
    );
    const amf = await stap(device);
    expect(report.detections.count).toBe(amf.report.detections.count);
    expect(report.target.amfDb).toBeCloseTo(amf.report.target.amfDb, 3);
    expect(report.target.aboveNextDb).toBeCloseTo(amf.report.target.aboveNextDb as number, 3);
  });

  it.each(["amf", "mvdr", "paper-literal"] as const)("keeps the largest %s over all steering vectors", async (kind) => {
    const { output, report } = await stap(device, recordingOf(), { maxOverSteering: true, output: kind });
    const all = reference({ output: kind });
    const largest = Float64Array.from({ length: ranges * pulses }, (_, i) =>
      Math.max(...azimuths.map((__, p) => all[p * ranges * pulses + i])),
    );
    expect(snrDb(largest, output)).toBeGreaterThan(80);
    expect(report.output).toEqual({ type: "f32", axes: ["range", "Doppler"], shape: [ranges, pulses] });
    expect(report.target).toMatchObject({ range: target.range, azimuthDegrees: target.azimuthDegrees, dopplerHz: target.dopplerHz });
    // Detection uses the largest AMF, which need not be at the largest of another output.
    const amf = await stap(device, recordingOf(), { maxOverSteering: true });
    const places = ({ detections }: StapReport) =>
      detections.listed.map(({ range, dopplerBin, steering }) => `${range}, ${dopplerBin}, ${steering}`).sort();
    expect(places(report)).toEqual(places(amf.report));
    expect(report.target.aboveNextDb).toBeCloseTo(amf.report.target.aboveNextDb as number, 3);
  });

  it("obeys the settings", async () => {
    const { output, report } = await stap(device, recordingOf(), {
      dopplerBins: 32,
      temporalTaps: 5,
      training: "sliding",
      cells: 60,
      guard: 3,
      loading: 1e-3,
      solver: "gauss-jordan",
      window: { kind: "chebyshev", sidelobeDb: -40 },
      centred: true,
    });
    const expected = reference({
      dopplerBins: 32,
      temporalTaps: 5,
      training: { kind: "sliding", cells: 60, guardCells: 3 },
      loading: 1e-3,
      solver: "gauss-jordan",
      window: { kind: "chebyshev", sidelobeDb: -40 },
      centred: true,
    });
    expect(snrDb(expected, output)).toBeGreaterThan(80);
    expect(report.parameters).toMatchObject({
      cells: { value: 60, source: "option" },
      guard: { value: 3, source: "option" },
      window: { value: "chebyshev:-40", source: "option" },
      centred: { value: true, source: "option" },
      solver: { value: "gauss-jordan", source: "option" },
    });
    expect(report.axes.dopplerHz?.[16]).toBe(0);
    expect(report.target).toMatchObject({ range: target.range, dopplerHz: target.dopplerHz });
    const own = await stap(device, recordingOf(), { training: "own", blockRanges: 40 });
    expect(snrDb(reference({ training: { kind: "own" }, blockRanges: 40 }), own.output)).toBeGreaterThan(80);
    expect(own.report.threshold).toMatchObject({
      kind: "ca",
      cells: 32,
      why: "the threshold of theory does not hold for cells that train themselves",
    });
  });

  it("has presets; settings and the recording's facts take precedence", async () => {
    const paper = await stap(device, recordingOf(), { preset: "paper", blockRanges: 24 });
    expect(paper.report.parameters).toMatchObject({
      preset: { value: "paper", source: "option" },
      dopplerBins: { value: 32, source: "preset" },
      blockRanges: { value: 24, source: "option" },
      training: { value: "adjacent", source: "preset" },
    });
    expect(snrDb(reference({ dopplerBins: 32, blockRanges: 24 }), paper.output)).toBeGreaterThan(80);
    // A preset's guard applies to its own training. The recording may name a preset, and its facts take precedence.
    const why = "it says so";
    const top = recordingOf(stapCube(), { preset: { name: "mountain-top", why }, facts: { prfHz: 500, chirp: "none" } });
    const azimuth = { from: 274, to: 274, step: 1 };
    const adjacent = await processStap(await planStap(top, { training: "adjacent", azimuth }), device);
    expect(adjacent.report.parameters).toMatchObject({
      preset: { value: "mountain-top", source: "scene", why },
      training: { value: "adjacent", source: "option" },
      guard: { value: 0, source: "default" },
      loading: { value: 1e-6, source: "preset" },
      broadsideDegrees: { value: 260, source: "preset" },
      carrierHz: { value: 435e6, source: "preset" },
      spacing: { value: "0.333 m", source: "preset" },
      prfHz: { value: 500, source: "scene" },
      chirp: { value: "none", source: "scene" },
      steering: { value: "azimuth 274°", source: "option" },
    });
    const { parameters } = await planStap(top, { guard: 2, azimuth });
    expect(parameters).toMatchObject({ guard: { value: 2, source: "option" }, cells: { value: "all", source: "default" } });
  });

  it("compresses pulses", async () => {
    const cube = stapCube();
    const chirp = { bandwidthHz: 5e5, pulseSeconds: 1e-5, samplingRateHz: 1e6 };
    const done = await stap(device, recordingOf(cube), { chirp });
    const compressed = compressPulses(cube, chirpReplica({ bandwidthHz: 5e5, pulseSeconds: 1e-5, samplingRateHz: 1e6 }));
    expect(done.output).toEqual((await stap(device, recordingOf(compressed))).output);
    expect(done.report.notes).toContain("the last 9 ranges hold only part of a pulse");
  });

  it("examines a given cell, and uses thresholds from neighbours", async () => {
    const { report, output } = await stap(device, recordingOf(), {
      target: { range: 90, doppler: -56.25, azimuthDegrees: -19 },
      cfar: "os",
      cfarCells: 24,
    });
    const place = { range: 90, dopplerBin: 13, dopplerHz: -56.25, azimuthDegrees: -20, steering: 4 };
    expect(report.target).toMatchObject({ source: "option", ...place });
    expect(report.target.amfDb).toBeCloseTo(10 * Math.log10(output[(4 * ranges + 90) * pulses + 13]), 6);
    expect(report.threshold).toEqual({ kind: "os", falseAlarm: 1e-6, cells: 24 });
    // Without an azimuth, the strongest direction.
    const any = await stap(device, recordingOf(), { target: { range: target.range, doppler: 75 }, cfar: "ca", cfarGuard: 1 });
    expect(any.report.target).toMatchObject({ source: "option", azimuthDegrees: target.azimuthDegrees });
    expect(any.report.threshold).toEqual({ kind: "ca", falseAlarm: 1e-6, cells: 32 });
    expect(any.report.detections.listed[0]).toMatchObject({ range: target.range });
  });

  it("accepts steering vectors over channels or snapshots, from the settings or the recording", async () => {
    const geometry = efaGeometry({ channels, pulses, ranges, steeringVectors: 13 });
    const over = { vectors: 13, elements: channels, data: Float64Array.from(spatial.flatMap((a) => [...a])) };
    const snapshots = { file: "v.npy", vectors: 13, elements: 12, data: Float32Array.from(efaSteering(geometry, spatial)) };
    for (const [recording, settings] of [
      [recordingOf(), { steering: over }],
      [recordingOf(), { steering: snapshots }],
      [recordingOf(stapCube(), { steering: over }), {}],
    ] as const) {
      const { output, report } = await processStap(await planStap(recording, { prfHz, ...settings }), device);
      expect(snrDb(reference({}), output)).toBeGreaterThan(80);
      expect(report.target).toMatchObject({ range: target.range, steering: 7, dopplerHz: 75 });
      expect(report.target.azimuthDegrees).toBeUndefined();
      expect(report.angleDoppler.angle).toEqual({ start: -0.5, step: 1 / 180, count: 181, unit: "cycles per element" });
      const given = "steering" in settings ? settings.steering : undefined;
      expect(report.parameters.steering).toEqual({
        value: given === snapshots ? "13 vectors of 12 from v.npy" : "13 vectors of 4",
        source: given ? "option" : "scene",
      });
      expect(report.notes).toEqual(given === over ? ["steering vectors: samples of 64 bits a part were rounded to 32 bits"] : []);
    }
  });

  it.each(["amf", "complex"] as const)(
    "splits steering vectors into several runs if the device's arrays are too small: %s",
    async (output) => {
      for (const maxOverSteering of output === "amf" ? [false, true] : [false]) {
        const plan = await planStap(recordingOf(), { ...radar, training: "sliding", output, maxOverSteering });
        const whole = await processStap(plan, device);
        // Weights of 16 bins, 120 groups and 12 elements: five vectors at once; without weights, all that are needed.
        const small = Object.create(device, { limits: { value: { ...device.limits, maxBufferBytes: 5 * 8 * 16 * 120 * 12 } } });
        const parts = await processStap(plan, small);
        if (output === "complex") expect(parts.report.stages.length).toBe(3 * whole.report.stages.length);
        expect(parts.output).toEqual(whole.output);
        expect(parts.detections).toEqual(whole.detections);
      }
    },
  );

  it("estimates the work of a plan", async () => {
    // By definition: 4 channels, 16 bins, 120 ranges in 4 blocks that 2 others train, 13 vectors of 12, 42 products.
    const perMatrix = 8 * 42 * 56 + (4 / 3) * 12 ** 3 + 8 * 13 * 144;
    expect(stapWork(await planStap(recordingOf(), radar))).toEqual({
      kind: "adaptive",
      operations: 64 * perMatrix + 8 * 16 * 120 * 13 * 12,
      largestBytes: 8 * 13 * 16 * 120,
    });
  });

  it("an error of a listener ends the work and is the cause of the error", async () => {
    const plan = await planStap(recordingOf(), radar);
    const cause = new TypeError("no");
    const throwing = (at: string) => ({
      onProgress: (what: string): void => {
        if (what === at) throw cause;
      },
    });
    const expected = { code: "failed", message: "hooks.onProgress failed: no", cause };
    await expect(planStap(recordingOf(), radar, throwing("planning"))).rejects.toMatchObject(expected);
    for (const at of ["doppler", "condition"]) await expect(processStap(plan, device, throwing(at)), at).rejects.toMatchObject(expected);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("reports progress that never goes back, and ends when the signal fires, leaving the device as it was", async () => {
    const shares: number[] = [];
    const heard: string[] = [];
    const chirp = { bandwidthHz: 5e5, pulseSeconds: 1e-5, samplingRateHz: 1e6 };
    const planned = (signal?: AbortSignal, onProgress?: (what: string, share: number) => void) =>
      planStap(
        recordingOf(),
        { ...radar, chirp, output: "complex" },
        { ...(signal ? { signal } : {}), ...(onProgress ? { onProgress } : {}) },
      );
    const listen = (what: string, share: number): void => {
      heard.push(what);
      shares.push(share);
    };
    const plan = await planned(undefined, listen);
    expect(heard).toEqual(["planning", "compressing pulses", "checking channels"]);
    await processStap(plan, device, { onProgress: (what, share) => listen(what, 1 + share) });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    for (const [i, at] of heard.entries()) {
      const controller = new AbortController();
      const hooks = { signal: controller.signal, onProgress: (what: string): void => void (what === at && controller.abort()) };
      const work = i < 3 ? planned(hooks.signal, hooks.onProgress) : processStap(plan, device, hooks);
      await expect(work, at).rejects.toMatchObject({ code: "aborted" });
      expect(device.memory(), at).toMatchObject({ buffers: 0, plans: 0 });
    }
  });
});
