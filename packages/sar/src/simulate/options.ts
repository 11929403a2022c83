/** The options of a simulation, and their checks. */

import { inputError } from "@dechirp/core";
import { checkSeed, checkSpelling, type FieldsOf } from "@dechirp/core/internal";
import { chirpSamples, type PointTarget, type StripmapRadar } from "@dechirp/radar";
import { type Beam, checkBeam } from "../geometry.ts";
import { checkRadar } from "../radar.ts";
import { type Background, checkBackground } from "./background.ts";

/** Receiver noise: complex, circular, Gaussian, independent from sample to sample. */
export type Noise =
  /** Power of a raw sample of a target of amplitude 1 over noise power per raw sample. */
  | { readonly snrDb: number }
  /** Root mean square of the complex noise. */
  | { readonly sigma: number };

/** What `simulateStripmap` simulates. */
export interface SimulationOptions {
  readonly radar: StripmapRadar;
  /** Pulses. */
  readonly lines: number;
  /** Range samples per pulse. */
  readonly samples: number;
  readonly beam: Beam;
  readonly targets: readonly PointTarget[];
  /** Distributed clutter. Default: none. */
  readonly background?: Background;
  /** Receiver noise. Default: none. */
  readonly noise?: Noise;
  /** Integer from 0 to 2³² − 1 that clutter and noise are drawn from. Default: 0. */
  readonly seed?: number;
  /** Element type of the result. The computation is always in float64. Default: c64. */
  readonly dtype?: "c64" | "c128";
  /** Lines that are computed together. It affects memory only, never the result. Default: chosen to fit. */
  readonly blockLines?: number;
}

/** A scene that is ready to be simulated. */
export interface ScenePreset extends Omit<SimulationOptions, "dtype" | "blockLines" | "seed"> {
  readonly title: string;
  readonly seed: number;
  /** Doppler band to be processed, around the Doppler centroid. */
  readonly processedBandwidthHz: number;
  /** Length of the range transform that the scene is meant for. Default: the processor's choice. */
  readonly rangeLength?: number;
}

/** Largest number of complex samples of one simulation. */
export const maxSimulatedSamples = 2 ** 27;

const fieldsOfOptions: FieldsOf<SimulationOptions> = {
  radar: "object",
  lines: "number",
  samples: "number",
  beam: "object",
  targets: "object",
  background: "object",
  noise: "object",
  seed: "number",
  dtype: "string",
  blockLines: "number",
};

/** Throws `input` naming the field unless the options can be simulated. */
export function checkSimulation(options: SimulationOptions): void {
  checkSpelling(options, fieldsOfOptions, "options of simulateStripmap");
  const { radar, lines, samples, beam, targets, background, noise, seed = 0, dtype = "c64", blockLines } = options;
  checkRadar(radar);
  for (const [field, value] of [
    ["lines", lines],
    ["samples", samples],
  ] as const) {
    if (!Number.isInteger(value) || value < 1 || value > 65536) throw inputError(field, "an integer from 1 to 65536", value);
  }
  if (lines * samples > maxSimulatedSamples)
    throw inputError("lines", `at most ${Math.floor(maxSimulatedSamples / samples)} for ${samples} samples`, lines);
  if (chirpSamples(radar) >= samples) throw inputError("samples", `more than the ${chirpSamples(radar)} samples of one pulse`, samples);
  checkBeam(radar, beam);
  if (!Array.isArray(targets) || targets.length > 100_000) throw inputError("targets", "a list of at most 100000 targets", targets);
  targets.forEach((target: PointTarget, k) => {
    for (const field of ["azimuthSeconds", "amplitude", "phaseRadians"] as const) {
      if (!Number.isFinite(target?.[field])) throw inputError(`targets[${k}].${field}`, "a finite number", target?.[field]);
    }
    if (!(Number.isFinite(target.slantRangeMeters) && target.slantRangeMeters > 0)) {
      throw inputError(`targets[${k}].slantRangeMeters`, "a positive number", target.slantRangeMeters);
    }
  });
  if (background !== undefined) checkBackground(background);
  if (noise !== undefined) noiseSigma(noise);
  checkSeed(seed);
  if (dtype !== "c64" && dtype !== "c128") throw inputError("dtype", "c64 or c128", dtype);
  if (blockLines !== undefined && !(Number.isInteger(blockLines) && blockLines >= 1 && blockLines <= 4096)) {
    throw inputError("blockLines", "an integer from 1 to 4096", blockLines);
  }
}

/** Root mean square of the complex noise. Throws `input` for numbers that are not finite. */
export function noiseSigma(noise: Noise): number {
  if (typeof noise !== "object" || noise === null) throw inputError("noise", "{ snrDb } or { sigma }", noise);
  if ("snrDb" in noise) {
    if (!(Number.isFinite(noise.snrDb) && Math.abs(noise.snrDb) <= 300)) throw inputError("noise.snrDb", "from -300 to 300", noise.snrDb);
    return 10 ** (-noise.snrDb / 20);
  }
  if (!(Number.isFinite(noise.sigma) && noise.sigma >= 0)) throw inputError("noise.sigma", "a number of at least 0", noise.sigma);
  return noise.sigma;
}
