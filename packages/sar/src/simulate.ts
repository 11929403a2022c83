/**
 * Simulates raw stripmap echoes: point targets by the time-domain sum of the textbook, distributed clutter, and receiver noise, all
 * in float64 and from a seed. The work runs in slices. Between them the event loop runs, so that progress shows and an abort
 * takes effect. Not simulated: antenna elevation pattern, range fall-off, motion errors, movement during a pulse
 * (start-stop approximation).
 *
 * Equal options give equal numbers, whatever the block size, on one JavaScript engine (sine, cosine and logarithm may
 * differ in the last digit between engines).
 */
import { createPause, createRandom, inputError, type Pause, throwIfAborted } from "@dechirp/core";
import { callListener, checkFields, type FieldsOf } from "@dechirp/core/internal";
import { type Background, type Convolve, createGridder, drawScatterers, profileFilter, profileLength } from "./simulate/background.ts";
import { checkSimulation, noiseSigma, type SimulationOptions } from "./simulate/options.ts";
import { addPoint, preparePoint } from "./simulate/points.ts";

/** Cancelling, progress, and transforms of the caller's. */
export interface SimulationHooks {
  readonly signal?: AbortSignal;
  /**
   * Called between slices with the finished share, from 0 to 1 and never falling, and what is being done. Its result is awaited. If it
   * throws or
   * rejects, the simulation rejects with `failed`, whose cause is what it threw.
   */
  readonly onProgress?: (done: number, phase: string) => void;
  /** Does the transforms of the clutter model. Needed if there is a background. */
  readonly convolve?: Convolve;
}

/** Simulated raw echoes. */
export interface SimulatedEchoes {
  /** [lines][samples] interleaved re, im: Float32Array for c64, Float64Array for c128. */
  readonly raw: Float32Array | Float64Array;
  readonly lines: number;
  readonly samples: number;
  /** Root mean square of the complex noise; 0 without noise. */
  readonly noiseSigma: number;
  /** Number of scatterers of the background. */
  readonly scatterers: number;
}

const fieldsOfHooks: FieldsOf<SimulationHooks> = { signal: "object", onProgress: "function", convolve: "function" };

/**
 * Raw echoes of a scene. Rejects with `input` for options that are not valid, for a background without `convolve`, and for a `convolve`
 * that
 * returns the wrong length; with `aborted` if the signal fires.
 */
export async function simulateStripmap(options: SimulationOptions, hooks: SimulationHooks = {}): Promise<SimulatedEchoes> {
  checkSimulation(options);
  checkFields(hooks, fieldsOfHooks, "hooks of simulateStripmap");
  const { radar, lines, samples, beam, targets, background, noise, seed = 0 } = options;
  const { signal, onProgress, convolve } = hooks;
  throwIfAborted(signal, "simulation");
  if (background !== undefined && convolve === undefined) throw inputError("convolve", "given if there is a background", convolve);

  let done = 0;
  let phase = background === undefined ? "echoes" : "scatterers";
  const report = (): Promise<void> => callListener(() => onProgress?.(done, phase), "onProgress", signal, "simulation");
  const pause = createPause("simulation", signal, report);
  await report();

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
      await callListener(
        async () => {
          profiles = await clutter.convolve(rows, blockLines, clutter.n2, clutter.h);
        },
        "convolve",
        undefined, // awaited before anything else is done, so that nothing of it is left behind
        "simulation",
      );
      throwIfAborted(signal, "simulation");
      if (profiles?.length !== rows.length)
        throw inputError("convolve", `a function that returns ${rows.length} numbers`, profiles?.length);
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
  await report();
  return { raw, lines, samples, noiseSigma: sigma, scatterers: clutter?.count ?? 0 };
}

/** Streams of the seed: 1 is for the clutter, this plus p for the noise of line p. */
const noiseStream = 0x10000;

async function prepareClutter(options: SimulationOptions, background: Background, convolve: Convolve, pause: Pause) {
  const { radar, samples, seed = 0 } = options;
  const scatterers = await drawScatterers(options, background, seed, pause);
  const h = await profileFilter(radar, samples, pause);
  return { n2: profileLength(radar, samples), h, count: scatterers.count, spread: createGridder(options, scatterers), convolve };
}
