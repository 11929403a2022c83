/**
 * Raw stripmap echoes: point targets by the textbook's time-domain sum, distributed clutter, receiver noise; everything
 * in float64 and from a seed. Runs in slices between which the event loop turns, so that progress shows and an abort
 * takes effect. Not simulated: antenna elevation pattern, range fall-off, motion errors, movement during a pulse
 * (start-stop approximation).
 *
 * Equal options give equal numbers, whatever the block size, on one JavaScript engine (sine, cosine and logarithm may
 * differ in the last digit between engines).
 */
import { inputError, throwIfAborted } from "@dechirp/core";
import { type Beam, checkBeam } from "./geometry.ts";
import { checkRadar, chirpSamples, type PointTarget, type StripmapRadar } from "./radar.ts";
import { checkSeed, createRandom } from "./random.ts";
import {
  type Background,
  type Convolve,
  checkBackground,
  createGridder,
  drawScatterers,
  profileFilter,
  profileLength,
} from "./simulate/background.ts";
import { createPause } from "./simulate/pause.ts";
import { addPoint, preparePoint } from "./simulate/points.ts";

export type { Background, Convolve } from "./simulate/background.ts";
export { type ScenePreset, scenePresets } from "./simulate/presets.ts";
export { type Quantised, quantise } from "./simulate/quantise.ts";

/** Receiver noise: complex, circular, Gaussian, independent from sample to sample. */
export type Noise =
  /** Power of a raw sample of a target of amplitude 1 over noise power per raw sample. */
  | { readonly snrDb: number }
  /** Root mean square of the complex noise. */
  | { readonly sigma: number };

export interface SimulationOptions {
  readonly radar: StripmapRadar;
  /** Pulses. */
  readonly lines: number;
  /** Range samples per pulse. */
  readonly samples: number;
  readonly beam: Beam;
  readonly targets: readonly PointTarget[];
  readonly background?: Background;
  readonly noise?: Noise;
  /** Integer from 0 to 2³² − 1; what clutter and noise are drawn from. 0 where left out. */
  readonly seed?: number;
  /** Element type of the result; c64 where left out. The computation is float64 always. */
  readonly dtype?: "c64" | "c128";
  /** Lines computed together (memory only, never the result); chosen to fit where left out. */
  readonly blockLines?: number;
}

export interface SimulationHooks {
  readonly signal?: AbortSignal;
  /** Called between slices with the finished share, from 0 to 1 and never falling, and what is being done. */
  readonly onProgress?: (done: number, phase: string) => void;
  /** Does the transforms of the clutter model; needed where there is a background. */
  readonly convolve?: Convolve;
}

export interface Simulation {
  /** [lines][samples] interleaved re, im: Float32Array for c64, Float64Array for c128. */
  readonly raw: Float32Array | Float64Array;
  readonly lines: number;
  readonly samples: number;
  /** Root mean square of the complex noise; 0 without noise. */
  readonly noiseSigma: number;
  /** Scatterers of the background. */
  readonly scatterers: number;
}

/** Complex samples of one simulation at most. */
export const maxSimulatedSamples = 2 ** 27;

/** Throws `input` naming the field unless the options can be simulated. */
export function checkSimulation(options: SimulationOptions): void {
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
function noiseSigma(noise: Noise): number {
  if (typeof noise !== "object" || noise === null) throw inputError("noise", "{ snrDb } or { sigma }", noise);
  if ("snrDb" in noise) {
    if (!(Number.isFinite(noise.snrDb) && Math.abs(noise.snrDb) <= 300)) throw inputError("noise.snrDb", "from -300 to 300", noise.snrDb);
    return 10 ** (-noise.snrDb / 20);
  }
  if (!(Number.isFinite(noise.sigma) && noise.sigma >= 0)) throw inputError("noise.sigma", "a number of at least 0", noise.sigma);
  return noise.sigma;
}

/**
 * Raw echoes of a scene. Throws `input` for bad options, for a background without `convolve`, and for a `convolve` that
 * returns the wrong length; `aborted` where the signal fires.
 */
export async function simulateStripmap(options: SimulationOptions, hooks: SimulationHooks = {}): Promise<Simulation> {
  checkSimulation(options);
  const { radar, lines, samples, beam, targets, background, noise, seed = 0 } = options;
  const { signal, onProgress, convolve } = hooks;
  throwIfAborted(signal, "simulation");
  if (background !== undefined && convolve === undefined) throw inputError("convolve", "given where there is a background", convolve);

  let done = 0;
  let phase = background === undefined ? "echoes" : "scatterers";
  const report = (): void => onProgress?.(done, phase);
  const pause = createPause("simulation", signal, report);
  report();

  const clutter = background && convolve ? await prepareClutter(options, background, convolve, pause) : undefined;
  phase = "echoes";
  if (clutter) done = 0.05;
  const atStart = done;

  const points = targets.map((target) => preparePoint(radar, beam, target));
  const sigma = noise === undefined ? 0 : noiseSigma(noise);
  const raw = options.dtype === "c128" ? new Float64Array(2 * lines * samples) : new Float32Array(2 * lines * samples);
  const blockLines = Math.min(lines, options.blockLines ?? (clutter ? Math.max(1, Math.min(64, Math.floor(2 ** 18 / clutter.n2))) : 64));
  const rows = clutter ? new Float64Array(2 * clutter.n2 * blockLines) : undefined;
  const line = new Float64Array(2 * samples);

  for (let start = 0; start < lines; start += blockLines) {
    const end = Math.min(lines, start + blockLines);
    let profiles: Float64Array | undefined;
    if (clutter && rows) {
      rows.fill(0);
      for (let p = start; p < end; p++) {
        clutter.spread(p, rows.subarray(2 * clutter.n2 * (p - start), 2 * clutter.n2 * (p - start + 1)));
        await pause();
      }
      profiles = await clutter.convolve(rows, blockLines, clutter.n2, clutter.h);
      throwIfAborted(signal, "simulation");
      if (profiles.length !== rows.length) throw inputError("convolve", `a function that returns ${rows.length} numbers`, profiles.length);
    }
    for (let p = start; p < end; p++) {
      line.fill(0);
      for (let k = 0; k < points.length; k++) {
        addPoint(radar, beam, points[k], p, line);
        if (k % 64 === 63) await pause();
      }
      if (profiles && clutter) {
        // Every second point of the twofold grid is a range sample.
        for (let i = 0, at = 2 * clutter.n2 * (p - start); i < line.length; i += 2, at += 4) {
          line[i] += profiles[at];
          line[i + 1] += profiles[at + 1];
        }
      }
      if (sigma > 0) {
        const random = createRandom(seed, noiseStream + p);
        for (let i = 0; i < line.length; i++) line[i] += sigma * Math.SQRT1_2 * random.gaussian();
      }
      raw.set(line, 2 * samples * p);
      done = atStart + ((1 - atStart) * (p + 1)) / lines;
      await pause();
    }
  }
  report();
  return { raw, lines, samples, noiseSigma: sigma, scatterers: clutter?.count ?? 0 };
}

/** Streams of the seed: 1 is the clutter's, line p's noise is this plus p. */
const noiseStream = 0x10000;

async function prepareClutter(options: SimulationOptions, background: Background, convolve: Convolve, pause: () => Promise<void>) {
  const { radar, samples, seed = 0 } = options;
  const scatterers = await drawScatterers(options, background, seed, pause);
  const h = await profileFilter(radar, samples, pause);
  return { n2: profileLength(radar, samples), h, count: scatterers.count, spread: createGridder(options, scatterers), convolve };
}
