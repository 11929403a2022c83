/** Recordings whose pulses are read when they are asked for: signals, errors about their files, and numbers of each pulse. */
import { type Device, isRadarError, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  backprojectRecording,
  focusRecording,
  type PhaseHistoryRecording,
  planBackprojectedImage,
  type StripmapRecording,
} from "../src/index.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

const [lines, samples] = [320, 576];
const stripmap: StripmapRecording = {
  name: "silent",
  shape: [lines, samples],
  dtype: "ci8",
  radar: {
    carrierHz: 9.6e9,
    samplingRateHz: 60e6,
    prfHz: 400,
    chirpRateHzPerSecond: 20e12,
    pulseSeconds: 2e-6,
    velocityMetersPerSecond: 100,
    nearRangeMeters: 5000,
    dopplerCentroidHz: 0,
  },
  pulses: (_, count) => new Int8Array(2 * count * samples),
};

const pulses = 64;
const history: PhaseHistoryRecording = {
  name: "silent",
  shape: [pulses, 32],
  positions: Float64Array.from({ length: 3 * pulses }, (_, i) => [1000, Math.floor(i / 3) - 32, 500][i % 3]),
  referenceRangeMeters: Float64Array.from({ length: pulses }, (_, p) => Math.hypot(1000, p - 32, 500)),
  frequency: { firstHz: 9.6e9, stepHz: 1e6, count: 32 },
  pulses: (_, count) => new Float32Array(2 * count * 32),
};

const image = async (recording: PhaseHistoryRecording, signal?: AbortSignal) =>
  backprojectRecording(
    await planBackprojectedImage(recording, { grid: { xMeters: -4, yMeters: -4, xStepMeters: 1, yStepMeters: 1, nx: 8, ny: 8 } }),
    device,
    signal ? { signal } : {},
  );

const products = [
  [
    "focusRecording",
    (change: object, signal?: AbortSignal) => focusRecording({ ...stripmap, ...change }, {}, device, signal ? { signal } : {}),
  ],
  ["backprojectRecording", (change: object, signal?: AbortSignal) => image({ ...history, ...change }, signal)],
] as const;

const refusal = async (work: Promise<unknown>): Promise<RadarError> =>
  work.then(
    () => expect.unreachable("it was not refused"),
    (error: unknown) => (isRadarError(error) ? error : expect.unreachable(String(error))),
  );

describe.each(products)("%s", (_, run) => {
  it("passes its signal to pulses, and ends when it fires although the read goes on", async () => {
    const controller = new AbortController();
    let heard: AbortSignal | undefined;
    const slow = (_from: number, _count: number, options?: { readonly signal?: AbortSignal }) => {
      heard = options?.signal;
      setTimeout(() => controller.abort(), 10);
      return new Promise(() => {});
    };
    expect((await refusal(run({ pulses: slow }, controller.signal))).code).toBe("aborted");
    expect(heard).toBe(controller.signal);
    const seen: unknown[] = [];
    const fails = (...given: unknown[]) => {
      seen.push(given[2]);
      throw new Error("no");
    };
    expect((await refusal(run({ pulses: fails }))).code).toBe("failed");
    expect(seen).toEqual([{}]);
  });

  it("repeats an error about one of the recording's files as it is", async () => {
    const told = new RadarError("input", "x/raw.npy: at byte 7: expected more", { file: "x/raw.npy", offset: 7 });
    const error = await refusal(run({ pulses: async () => Promise.reject(told) }));
    expect([error.code, error.message]).toEqual(["input", told.message]);
    expect(error.fields).toEqual({ recording: "silent", file: "x/raw.npy", offset: 7 });
  });
});

it.each([
  [{ pulseSeconds: new Float64Array(lines - 1) }, "recording.pulseSeconds"],
  [{ pulseSeconds: Array.from({ length: lines }, () => 0) }, "recording.pulseSeconds"],
  [{ pulseSeconds: new Float64Array(lines).fill(Number.NaN, 5) }, "recording.pulseSeconds[5]"],
  [{ firstSampleSeconds: new Float32Array(lines) }, "recording.firstSampleSeconds"],
  [{ firstSampleSeconds: new Float64Array(lines).fill(Number.POSITIVE_INFINITY, lines - 1) }, `recording.firstSampleSeconds[${lines - 1}]`],
  [{ badPulses: 7 }, "recording.badPulses"],
  [{ badPulses: [0, lines] }, "recording.badPulses[1]"],
  [{ badPulses: [3, 3] }, "recording.badPulses[1]"],
  [{ badPulses: [-1] }, "recording.badPulses[0]"],
  [{ shape: [2 ** 40, 2 ** 14] }, "recording.shape"],
])("refuses wrong numbers of pulses: %#", async (change, field) => {
  const error = await refusal(focusRecording({ ...stripmap, ...change } as StripmapRecording, {}, device));
  expect([error.code, error.fields["field"]]).toEqual(["input", field]);
});
