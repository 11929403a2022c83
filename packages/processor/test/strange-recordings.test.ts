/** Recordings and settings as other programs may make them: slow, incomplete, at limits. */
import { type Device, isRadarError, open, type RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { circularTrack, type ScenePreset, scenePresets, simulatePhaseHistory } from "@dechirp/sar";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BackprojectedImagePlan,
  type BackprojectSettings,
  backprojectRecording,
  focusRecording,
  focusWork,
  type MeasurableReport,
  measureImage,
  type PhaseHistoryRecording,
  parseReport,
  planBackprojectedImage,
  planStap,
  processStap,
  reportSchema,
  type StapPlan,
  type StripmapRecording,
  stapWork,
} from "../src/index.ts";
import { stapCube } from "./stap-cube.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

const [lines, samples] = [64, 256];
const radar: ScenePreset["radar"] = { ...scenePresets.default.radar, pulseSeconds: 1e-6 };
const noise = Float32Array.from({ length: 2 * lines * samples }, (_, i) => ((i * 7919) % 1000) / 1000 - 0.5);
const strip: StripmapRecording = {
  name: "noise",
  shape: [lines, samples],
  dtype: "c64",
  radar,
  pulses: (from, count) => noise.subarray(2 * from * samples, 2 * (from + count) * samples),
};

const [pulses, count] = [24, 32];
const { samples: spectra, ...geometry } = simulatePhaseHistory({
  positions: circularTrack({ radiusMeters: 700, altitudeMeters: 300, firstRadians: 0, stepRadians: 0.002, pulses }),
  frequency: { firstHz: 9.3e9, stepHz: 6e6, count },
  targets: [{ positionMeters: [-1.2, 2.1, 0], amplitude: 1 }],
} as Parameters<typeof simulatePhaseHistory>[0]);
const history: PhaseHistoryRecording = {
  ...geometry,
  positions: Float64Array.from(geometry.positions),
  referenceRangeMeters: Float64Array.from(geometry.referenceRangeMeters),
  name: "history",
  shape: [pulses, count],
  pulses: (from, number) => (spectra as Float32Array).subarray(2 * from * count, 2 * (from + number) * count),
};
const grid = { xMeters: -4, yMeters: -3, xStepMeters: 0.25, yStepMeters: 0.3, nx: 32, ny: 24 };
const backproject = async (given: PhaseHistoryRecording, settings: BackprojectSettings, hooks = {}) =>
  backprojectRecording(await planBackprojectedImage(given, settings), device, hooks);

const refusal = (work: Promise<unknown>): Promise<RadarError> =>
  work.then(
    () => expect.unreachable("it was not refused"),
    (error: unknown) => (isRadarError(error) ? error : expect.unreachable(String(error))),
  );

describe("cancelling while pulses are awaited", () => {
  const never = (): Promise<never> => new Promise(() => {});
  const products = {
    "a focused image": (pulses: () => Promise<never>, signal: AbortSignal) => focusRecording({ ...strip, pulses }, {}, device, { signal }),
    "a measured centroid": (pulses: () => Promise<never>, signal: AbortSignal) =>
      focusRecording({ ...strip, pulses }, { dopplerCentroidHz: "auto" }, device, { signal }),
    "a backprojected image": (pulses: () => Promise<never>, signal: AbortSignal) =>
      backproject({ ...history, pulses }, { grid }, { signal }),
  };

  it.each(Object.entries(products))("of %s ends the work, even if pulses never arrive", async (_, product) => {
    const controller = new AbortController();
    let asked = 0;
    const pulses = () => {
      asked++;
      setTimeout(() => controller.abort(), 5);
      return never();
    };
    expect((await refusal(product(pulses, controller.signal))).code).toBe("aborted");
    expect(asked).toBe(1);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it.each(Object.entries(products))("of %s is reported as such if pulses reject because of it", async (_, product) => {
    const controller = new AbortController();
    const pulses = async () => {
      controller.abort();
      controller.signal.throwIfAborted();
      return never();
    };
    expect((await refusal(product(pulses, controller.signal))).code).toBe("aborted");
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("progress", () => {
  it("goes from 0 to 1 and never back, for every product", async () => {
    const shares: number[][] = [];
    const hooks = () => {
      const heard: number[] = [];
      shares.push(heard);
      return { onProgress: (_: string, share: number) => void heard.push(share) };
    };
    using _one = await focusRecording(strip, {}, device, hooks());
    using _two = await focusRecording(strip, { dopplerCentroidHz: "auto" }, device, hooks());
    await backproject(history, { grid }, hooks());
    const settings = { spacing: { value: 0.5, unit: "wavelengths" }, azimuth: { from: 10, to: 10, step: 1 } } as const;
    await processStap(await planStap({ name: "cube", cube: stapCube() }, settings), device, hooks());
    for (const heard of shares) {
      expect([heard[0], heard[heard.length - 1]]).toEqual([0, 1]);
      expect(heard).toEqual([...heard].sort((a, b) => a - b));
    }
  });
});

describe("what a recording may leave out", () => {
  it("may be present and undefined; unknown facts do not enter the report", async () => {
    const odd = { ...radar, startSeconds: undefined, orbit: undefined, made: () => 3 } as unknown as StripmapRecording["radar"];
    using focused = await focusRecording({ ...strip, radar: odd }, {}, device);
    expect(v.safeParse(reportSchema, focused.report).issues).toBeUndefined();
    expect(structuredClone(focused.report)).toEqual(focused.report);
    expect(Object.keys(focused.report.radar)).not.toContain("startSeconds");
  });

  it("may be texts of any length, which the report keeps", async () => {
    const long = "x".repeat(10_000);
    using focused = await focusRecording({ ...strip, name: long, notes: [long] }, {}, device, { inputs: [long] });
    expect(v.safeParse(reportSchema, focused.report).issues).toBeUndefined();
    expect((await parseReport(JSON.stringify(focused.report), "report.json")).scene).toBe(long);
  });

  it("is the velocity, if that of its sensor is known", async () => {
    const { velocityMetersPerSecond: _, ...rest } = radar;
    const given = { ...strip, radar: rest, sensor: { name: "sensor", velocityMetersPerSecond: radar.velocityMetersPerSecond } };
    using focused = await focusRecording(given, {}, device);
    expect(focused.report.parameters.velocityMetersPerSecond).toEqual({
      value: radar.velocityMetersPerSecond,
      source: "preset",
      why: "the known effective velocity of sensor",
    });
    using stated = await focusRecording(strip, {}, device);
    expect(focused.image).toEqual(stated.image);
    expect(focusWork(given)).toEqual(focusWork(strip));
  });

  it("is never the velocity if no other source gives one", async () => {
    const { velocityMetersPerSecond: _, ...rest } = radar;
    expect((await refusal(focusRecording({ ...strip, radar: rest }, {}, device))).fields["field"]).toBe("radar.orbit");
  });
});

it.each([
  [{ sensor: {} }, "recording.sensor.name"],
  [{ sensor: { name: "s", dopplerCentroidHz: Number.NaN } }, "recording.sensor.dopplerCentroidHz"],
  [{ sensor: { name: "s", velocityMetersPerSecond: "7000" } }, "recording.sensor.velocityMetersPerSecond"],
  [{ shape: [2 ** 30, 2 ** 30] }, "recording.shape"],
  [{ radar: { ...radar, orbit: {} } }, "radar.orbit.timesSeconds"],
  [{ radar: { ...radar, orbit: { timesSeconds: [0, 1, 2, 3] } } }, "radar.orbit.positionsMeters"],
])("a recording with %j is refused, naming the field", async (change, field) => {
  const error = await refusal(focusRecording({ ...strip, ...change } as unknown as StripmapRecording, {}, device));
  expect([error.code, error.fields["field"]]).toEqual(["input", field]);
});

describe("the plan of a backprojected image", () => {
  it.each(["rangeMeters", "phaseRadians"])("refuses %s of an autofocus that are not finite, if they are applied", async (name) => {
    const autofocus = { rangeMeters: new Float64Array(pulses), phaseRadians: new Float64Array(pulses), [name]: new Float64Array(pulses) };
    autofocus[name][5] = Number.NaN;
    const error = await refusal(backproject({ ...history, autofocus }, { grid }));
    expect([error.code, error.fields["field"]]).toEqual(["input", `recording.autofocus.${name}[5]`]);
    await backproject({ ...history, autofocus }, { grid, autofocus: false });
  });

  it("refuses an impossible height, naming its setting", async () => {
    expect((await refusal(backproject(history, { grid, heightMeters: 1e10 }))).fields["field"]).toBe("settings.heightMeters");
  });

  it("is refused if planBackprojectedImage did not make it", async () => {
    const given = { recording: history, grid: {} } as unknown as BackprojectedImagePlan;
    expect((await refusal(backprojectRecording(given, device))).fields["field"]).toBe("plan");
  });

  it("lists what its convention decides", async () => {
    const why = "decided by the convention gorham-moore";
    const { parameters } = (await backproject(history, { grid, convention: "gorham-moore", bins: 64 })).report;
    expect(parameters).toMatchObject({
      bins: { value: 64, source: "option" },
      carrier: { value: "first", source: "default", why },
      scale: { value: "ifft", source: "default", why },
      interpolation: { value: "linear", source: "default", why },
    });
    expect(parameters.bins.why).toBeUndefined();
    expect((await backproject(history, { grid })).report.parameters.carrier.why).toBeUndefined();
  });
});

it("a plan that planStap did not make is refused", async () => {
  const faked = { geometry: { sets: { runs: () => [] } } } as unknown as StapPlan;
  expect((await refusal(processStap(faked, device))).fields["field"]).toBe("plan");
  expect(() => stapWork(faked)).toThrow(/^plan must be a plan/);
});

it("a report without the fields that measuring needs is refused, naming the field", async () => {
  using focused = await focusRecording(strip, {}, device);
  const { report, image } = focused;
  const lacking: readonly (readonly [unknown, string])[] = [
    [undefined, "report"],
    [{}, "report.axes"],
    [{ ...report, axes: {} }, "report.axes.azimuthSeconds"],
    [{ ...report, theory: { azimuth: {} } }, "report.theory.range"],
    [{ ...report, parameters: {} }, "report.parameters.azimuthLength"],
    [{ ...report, targets: 3 }, "report.targets"],
  ];
  for (const [given, field] of lacking) {
    const error = await refusal(measureImage(image, given as MeasurableReport));
    expect([error.code, error.fields["field"]]).toEqual(["input", field]);
  }
});
