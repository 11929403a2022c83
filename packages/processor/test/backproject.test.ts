/** Backprojection as a library: histories that return pulses, settings, hooks, and refusals. */
import { createRandom, type Device, isRadarError, open, type RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { PhaseHistory } from "@dechirp/radar";
import { applyAutofocus, circularTrack, simulatePhaseHistory } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BackprojectSettings,
  backprojectionWork,
  backprojectRecording,
  type PhaseHistoryRecording,
  planBackprojectedImage,
  settingOf,
} from "../src/index.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

const pulses = 96;
const count = 64;
const made: PhaseHistory = simulatePhaseHistory({
  positions: circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0, stepRadians: 0.0007, pulses }),
  frequency: { firstHz: 9.3e9, stepHz: 6e6, count },
  targets: [{ positionMeters: [-3.2, 4.1, 0], amplitude: 1 }],
} as Parameters<typeof simulatePhaseHistory>[0]);

const recordingOf = ({ samples, ...geometry }: PhaseHistory): PhaseHistoryRecording => ({
  ...geometry,
  positions: Float64Array.from(geometry.positions),
  referenceRangeMeters: Float64Array.from(geometry.referenceRangeMeters),
  name: "made",
  shape: [pulses, count],
  pulses: (from, number) => (samples as Float32Array).subarray(2 * from * count, 2 * (from + number) * count),
});
const recording = recordingOf(made);
const grid = { xMeters: -9, yMeters: -6, xStepMeters: 0.25, yStepMeters: 0.3, nx: 64, ny: 48 };

const imageOf = async (given: PhaseHistoryRecording, settings: BackprojectSettings = { grid }) =>
  backprojectRecording(await planBackprojectedImage(given, settings), device);

const refused = (given: unknown, settings: unknown = { grid }): Promise<RadarError> =>
  imageOf(given as PhaseHistoryRecording, settings as BackprojectSettings).then(
    () => expect.unreachable("it was not refused"),
    (error: unknown) => (isRadarError(error, "input") ? error : expect.unreachable(String(error))),
  );

describe("a history", () => {
  it("makes the same image if its pulses arrive late", async () => {
    const whole = await imageOf(recording);
    const late = await imageOf({
      ...recording,
      async pulses(from, number) {
        await new Promise((resolve) => setTimeout(resolve, 1));
        return (await recording.pulses(from, number)).slice();
      },
    });
    expect(late.image).toEqual(whole.image);
    expect(whole.report).toMatchObject({ scene: "made", history: { pulses, autofocus: "none in the files" } });
  });

  it("is corrected as applyAutofocus does, unless autofocus is switched off", async () => {
    const { gaussian } = createRandom(3);
    const autofocus = {
      rangeMeters: Float64Array.from({ length: pulses }, () => 0.1 * gaussian()),
      phaseRadians: Float64Array.from({ length: pulses }, gaussian),
    };
    const by = await imageOf(recordingOf(await applyAutofocus({ ...made, samples: made.samples as Float32Array, autofocus })));
    const applied = await imageOf({ ...recording, autofocus });
    expect(applied.image).toEqual(by.image);
    expect(applied.report.history.autofocus).toBe("applied");
    expect(applied.report.notes).toContain("the autofocus of the files was applied");
    const without = await imageOf({ ...recording, autofocus }, { grid, autofocus: false });
    expect(without.report.history.autofocus).toBe("left out");
    expect(without.image).toEqual((await imageOf(recording)).image);
  });

  it.each([
    [undefined, "recording"],
    [(r: object) => ({ ...r, name: undefined }), "recording.name"],
    [(r: object) => ({ ...r, shape: [pulses, 0] }), "recording.shape"],
    [(r: object) => ({ ...r, shape: [pulses, 7] }), "recording.frequency.count"],
    [(r: object) => ({ ...r, frequency: null }), "recording.frequency"],
    [(r: object) => ({ ...r, positions: [] }), "recording.positions"],
    [(r: object) => ({ ...r, referenceRangeMeters: new Float64Array(3) }), "recording.referenceRangeMeters"],
    [(r: object) => ({ ...r, autofocus: {} }), "recording.autofocus.rangeMeters"],
    [(r: object) => ({ ...r, pulses: 3 }), "recording.pulses"],
    [(r: object) => ({ ...r, pulses: () => new Float32Array(5) }), `recording.pulses(0, ${pulses})`],
    [(r: object) => ({ ...r, positions: new Float64Array(3 * pulses).fill(Number.NaN) }), "history.positions[0]"],
  ])("is refused if it is not valid: %#", async (given, field) => {
    const error = await refused(typeof given === "function" ? given(recording) : given);
    expect(error.fields["field"]).toBe(field);
    expect(settingOf(error)).toBeUndefined();
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

it.each([
  [{ convention: "usual" }, "convention"],
  [{ grid: 3 }, "grid"],
  [{ grid: { ...grid, nx: 0 } }, "grid"],
  [{ grid: { ...grid, xStepMeters: -1 } }, "grid"],
  [{ grid: { ...grid, nx: 65536, ny: 65536 } }, "grid"],
  [{ grid: { ...grid, xMeters: 4000 } }, "grid"],
  [{ heightMeters: Number.POSITIVE_INFINITY }, "heightMeters"],
  [{ heightMeters: 9000 }, "heightMeters"],
  [{ autofocus: "no" }, "autofocus"],
  [{ mode: "exact" }, "mode"],
  [{ interpolation: 7 }, "interpolation"],
  [{ bins: 100 }, "bins"],
  [{ grid, bins: 32 }, "bins"],
  [{ window: { kind: "kaiser", beta: -1 } }, "window"],
  [{ carrier: "last" }, "carrier"],
  [{ scale: "db" }, "scale"],
  [{ scheme: "none" }, "scheme"],
  [{ tile: 9 }, "tile"],
  [{ sets: 2, scheme: "tiles" }, "sets"],
  [{ sharpness: 3 }, "sharpness"],
])("settings %j are refused, naming the setting", async (settings, name) => {
  const error = await refused(recording, settings);
  expect(settingOf(error)).toBe(name);
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
});

it("the work of an image is its pixels times its pulses", async () => {
  const plan = await planBackprojectedImage(recording, { grid: { ...grid, nx: 300, ny: 200 } });
  expect(backprojectionWork(plan)).toEqual({ kind: "backprojection", backprojections: 300 * 200 * pulses, largestBytes: 8 * 300 * 200 });
});

it("cancelling during projection frees everything on the device", async () => {
  const plan = await planBackprojectedImage(recording, { grid });
  const controller = new AbortController();
  const onProgress = (what: string): void => void (what === "projecting" && controller.abort());
  await expect(backprojectRecording(plan, device, { signal: controller.signal, onProgress })).rejects.toMatchObject({
    code: "aborted",
  });
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
});
