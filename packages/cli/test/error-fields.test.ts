/** Errors about settings are reported as errors about options: their fields name options and parameters, never a library's settings. */
import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { focusRecording, type StripmapRecording } from "@dechirp/processor";
import { scenePresets } from "@dechirp/sar";
import { expect, it } from "vitest";
import { blameSettings, type CommandError } from "../src/errors.ts";

const options = { azimuthLength: "--azimuth-length", processedBandwidthHz: "--bandwidth", velocityMetersPerSecond: "--velocity" };
const { gaussian } = createRandom(1);
const echoes = Float32Array.from({ length: 2 * 64 * 256 }, gaussian);
const recording: StripmapRecording = {
  name: "noise",
  shape: [64, 256],
  dtype: "c64",
  radar: { ...scenePresets.default.radar, pulseSeconds: 1e-6 },
  pulses: (from, count) => echoes.subarray(2 * 256 * from, 2 * 256 * (from + count)),
};

it.each([
  [{ azimuthLength: 3 }, { option: "--azimuth-length", field: "azimuthLength", actual: 3 }],
  [{ processedBandwidthHz: 1e9 }, { option: "--bandwidth", field: "processedBandwidthHz", actual: 1e9 }],
  [{ velocityMetersPerSecond: -3 }, { option: "--velocity", actual: -3 }],
])("%j", async (settings, fields) => {
  using device = await open(cpu());
  const error: CommandError = await blameSettings(options, () => focusRecording(recording, settings, device)).then(
    () => expect.unreachable(),
    (reason) => reason,
  );
  expect({ ...error.fields, expected: undefined }).toEqual({ ...fields, expected: undefined });
  expect(error.message.startsWith(`${fields.option} `)).toBe(true);
});
