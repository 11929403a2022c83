/** Small cubes with known contents, their expected outputs in float64, and helpers that run the processing. */
import { createRandom, type Device } from "@dechirp/core";
import {
  type Cube,
  cubeOrders,
  drawCube,
  type EfaOptions,
  efaGeometry,
  efaReference,
  efaSteering,
  interferenceCovariance,
  permuteAxes,
  ulaCycles,
  uniformSteering,
  wardExample,
} from "@dechirp/stap";
import { type ArrayRecording, planStap, processStap, type StapHooks, type StapResult, type StapSettings } from "../src/index.ts";

/** Clutter 47 dB above the noise. With 35 dB less power, eigenvalues span 30 dB, so that float32 rounding stays 80 dB below. */
const strong = { ...wardExample, channels: 4, pulses: 16 };
const weak = { ...strong, peakPowerWatts: strong.peakPowerWatts / 10 ** 3.5 };

export const [channels, pulses, ranges] = [4, 16, 120];
export const prfHz = 300;
/** Near the clutter ridge, so that strong clutter buries it. */
export const target = { range: 47, azimuthDegrees: 10, dopplerHz: 75 } as const;

type Samples = Cube & { readonly data: Float32Array };

/** Ward's airborne radar with a target, [channel][pulse][range], float32. */
export function stapCube(clutter: "weak" | "strong" = "weak"): Samples {
  const cube = drawCube(interferenceCovariance(clutter === "strong" ? strong : weak), {
    channels,
    pulses,
    ranges,
    seed: 7,
    targets: [
      {
        range: target.range,
        spatialCycles: ulaCycles(0.5, (target.azimuthDegrees * Math.PI) / 180),
        dopplerCycles: target.dopplerHz / prfHz,
        snrDb: clutter === "strong" ? 12 : 2,
      },
    ],
  });
  return { ...cube, data: Float32Array.from(cube.data) };
}

/** Noise, and a jammer from one azimuth in all ranges and pulses. */
export function jammed(seed: number, jammerDb: number, azimuthDegrees: number): Samples {
  const random = createRandom(seed);
  const data = new Float32Array(2 * channels * pulses * ranges);
  const a = uniformSteering(channels, ulaCycles(0.5, (azimuthDegrees * Math.PI) / 180));
  const size = 10 ** (jammerDb / 20);
  for (let cell = 0; cell < pulses * ranges; cell++) {
    const [re, im] = [size * random.gaussian(), size * random.gaussian()];
    for (let c = 0; c < channels; c++) {
      const at = 2 * (c * pulses * ranges + cell);
      data[at] = random.gaussian() + re * a[2 * c] - im * a[2 * c + 1];
      data[at + 1] = random.gaussian() + re * a[2 * c + 1] + im * a[2 * c];
    }
  }
  return { data, channels, pulses, ranges, order: cubeOrders.paper };
}

/** Facts that recordings of these cubes do not state, and the scan. */
export const radar = {
  prfHz,
  spacing: { value: 0.5, unit: "wavelengths" },
  azimuth: { from: -60, to: 60, step: 10 },
} as const satisfies StapSettings;

/** The azimuths of `radar.azimuth`, in degrees. */
export const azimuths = Array.from({ length: 13 }, (_, i) => -60 + 10 * i);
export const spatial = azimuths.map((azimuth) => uniformSteering(channels, ulaCycles(0.5, (azimuth * Math.PI) / 180)));

export const recordingOf = (cube: Cube = stapCube(), more: Partial<ArrayRecording> = {}): ArrayRecording => ({
  name: "drawn",
  cube,
  ...more,
});

/** Plans and runs the processing. */
export async function stap(
  device: Device,
  recording: ArrayRecording = recordingOf(),
  settings: StapSettings = {},
  hooks: StapHooks = {},
): Promise<StapResult> {
  return processStap(await planStap(recording, { ...radar, ...settings }, hooks), device, hooks);
}

/** The whole algorithm in float64, powers as [steering][range][Doppler]. */
export function reference(
  options: Omit<EfaOptions, "channels" | "pulses" | "ranges" | "steeringVectors">,
  cube: Cube = stapCube(),
): Float64Array {
  const geometry = efaGeometry({ ...options, channels, pulses, ranges, steeringVectors: spatial.length });
  const { data } = efaReference(cube, efaSteering(geometry, spatial), { ...options, steeringVectors: spatial.length });
  return options.output === "complex" ? data : permuteAxes(data, [spatial.length, geometry.dopplerBins, ranges], [0, 2, 1], 1);
}

/** The report's parameters for the drawn cube if only the radar and the scan are set. */
export const usualReport = {
  format: "dechirp-stap",
  version: 1,
  device: { id: "cpu" },
  cube: { channels, pulses, ranges },
  output: { type: "f32", axes: ["steering", "range", "Doppler"], shape: [13, ranges, pulses] },
  parameters: {
    preset: { value: "none", source: "default" },
    dopplerBins: { value: pulses, source: "default" },
    temporalTaps: { value: 3, source: "default" },
    training: { value: "adjacent", source: "default" },
    blockRanges: { value: 32, source: "default" },
    loading: { value: 0, source: "default" },
    output: { value: "amf", source: "default" },
    steering: { value: "azimuths -60° to 60° in steps of 10°", source: "option" },
    prfHz: { value: prfHz, source: "option" },
    spacing: { value: "0.5 wavelengths", source: "option" },
    falseAlarm: { value: 1e-6, source: "default" },
  },
  target: { source: "detection", range: target.range, dopplerHz: target.dopplerHz, azimuthDegrees: target.azimuthDegrees },
  threshold: { kind: "amf", cells: 56 },
  condition: { order: 12, fewestCells: 56, mostCells: 64, singular: 0, bins: pulses, matrices: 4 * pulses },
} as const;
