/**
 * Backprojection for users: pulses in, image out, on any device. It plans once for an aperture and a grid, and takes pulses in
 * any portions. It sends them to the device in blocks, makes the anchors of a block while the device works on the block before, and
 * adds everything to one image, or to one window of an image after the other. What is computed is in kernel.ts and program.ts, how it is
 * divided in choose.ts, what is on the device in canvas.ts.
 */

import { type Device, inputError, throwIfAborted } from "@dechirp/core";
import { callListener, checkFields, type FieldsOf, isArrayOf } from "@dechirp/core/internal";
import type { PhaseHistory } from "@dechirp/radar";
import { canvasSlots, checkFits, createCanvas } from "./canvas.ts";
import { describePartition, type Partition } from "./choose.ts";
import type { ImageGrid } from "./grid.ts";
import { checkGridWindow, type GridWindow, latticePixels, wholeImage } from "./grid-window.ts";
import type { BackprojectionPlan } from "./plan.ts";
import { type BackprojectionSource, type BackprojectorOptions, isHistory, prepareBackprojection } from "./prepare.ts";
import type { ProfileInterpolation } from "./profile-interpolation.ts";
import { checkPhaseHistory, checkProfiles, type ProfileGeometry, pulseCount, type RangeProfiles } from "./profiles.ts";
import { checkPulses } from "./reference.ts";

/** How far a backprojection is. */
export interface BackprojectionProgress {
  /** Number of pulses that are in the image. */
  readonly pulses: number;
  /** Pulses that the image is made of: the whole aperture, or a run of it. */
  readonly of: number;
}

/** Options of every step that takes time: cancelling and progress. */
export interface AddOptions {
  readonly signal?: AbortSignal;
  /**
   * Called when a block of pulses is in the image. Its result is awaited. If it throws or rejects, the call rejects with `failed`, whose
   * cause
   * is what it threw.
   */
  readonly onProgress?: (progress: BackprojectionProgress) => void;
}

/** Which pixels of the grid are computed, and of which pulses. */
export interface GridWindowOptions {
  /** The pixels that are computed, on the block lattice of the plan. Default: the whole image. */
  readonly gridWindow?: GridWindow;
  /** Whether a window off the block lattice is extended to it. Default: false, such a window is refused. */
  readonly roundWindow?: boolean;
  /** The run of pulses that are added, for images that are sums over several runs. Default: all. */
  readonly pulses?: readonly [first: number, count: number];
}

/**
 * A planned backprojection: pulses are added in portions, and the image is read when it is wanted. It makes the whole image, or one window
 * of it after the other. Dispose of it to free its memory.
 */
export interface Backprojector extends Disposable {
  /** The geometry of the profiles that are projected. */
  readonly profiles: ProfileGeometry;
  /** How profiles are read between bins. `profileInterpolationDb` gives the accuracy. */
  readonly interpolation: ProfileInterpolation;
  readonly grid: ImageGrid;
  /** The pixels that are computed. */
  readonly gridWindow: GridWindow;
  /** The plan, as data. */
  readonly plan: BackprojectionPlan;
  /** The partition of the whole image. */
  readonly partition: Partition;
  /** The partition, its predicted traffic and the plans that run, as text for people. */
  readonly text: string;
  /** Number of pulses handed over so far, for this window. */
  readonly pulses: number;
  /**
   * Adds the next pulses, [pulse][frequency] or [pulse][bin], interleaved. Resolves when they are handed over, with at most
   * two blocks waiting on the device. Calls made meanwhile wait. Rejects with `input` if the numbers are not whole
   * pulses or more than those of the aperture, or of the run that was asked for; with `aborted` if the signal fires. After an abort there is no image, and every call rejects
   * with `aborted`.
   */
  add(samples: Float32Array, options?: AddOptions): Promise<void>;
  /** Resolves when all pulses that were handed over are in the image. */
  finish(options?: AddOptions): Promise<void>;
  /** The image [ny][nx] of the window, interleaved re, im, of the pulses so far. */
  image(): Promise<Float32Array>;
  /**
   * Begins another window with zeros: all pulses are to be added again, or those of a run. Work on the present window is finished and its image
   * is lost. Windows of one shape share one compiled program, and windows of another shape compile one more. Rejects with `input`, naming
   * `gridWindow` or `pulses`, if the window is not on the block lattice or the run is not in the aperture, and with `limit` or `out-of-memory`.
   */
  begin(options: GridWindowOptions): Promise<void>;
}

/** Options of `backproject`. */
export interface BackprojectOptions extends BackprojectorOptions, GridWindowOptions, AddOptions {
  /** An image [ny][nx] of the window, interleaved, to add to. It is not changed. Default: zeros. */
  readonly into?: Float32Array;
}

const fieldsOfOptions: FieldsOf<BackprojectOptions> = {
  interpolation: true,
  mode: true,
  bins: true,
  window: true,
  carrier: true,
  scheme: true,
  tile: true,
  sets: true,
  sine: true,
  order: true,
  invocations: true,
  windowBytes: true,
  pulsesPerBlock: true,
  rangeParts: true,
  plan: true,
  gridWindow: true,
  roundWindow: "boolean",
  pulses: true,
  into: true,
  signal: true,
  onProgress: true,
};

/** An image that `backproject` made, and how the work was divided. */
export interface BackprojectedImage {
  /** [ny][nx] of the window, interleaved re, im. */
  readonly image: Float32Array;
  /** The pixels that were computed. */
  readonly gridWindow: GridWindow;
  readonly partition: Partition;
  readonly text: string;
}

/**
 * The image of a phase history or of range profiles: I(x) = Σ_p s_p(ΔR)·exp(+j4π·carrier·ΔR/c). For a phase history that is
 * I(x) = Σ_p Σ_k w_k·fp[p][k]·exp(+j4πf_k·ΔR/c) with Σw = 1, for |ΔR| ≤ c/(4·step); beyond, ranges repeat and a pulse adds nothing. With
 * default options the image agrees with that sum to at least 70 dB. For profiles it agrees with `backprojectReference` to the precision of
 * the
 * mode. Rejects with `input`, naming the field, before any work; with `limit` or `out-of-memory` if the device
 * is too small; with `aborted`.
 */
export async function backproject(
  device: Device,
  source: PhaseHistory | RangeProfiles,
  grid: ImageGrid,
  options: BackprojectOptions = {},
): Promise<BackprojectedImage> {
  checkFields(options, fieldsOfOptions, "the options of backprojection");
  if (isHistory(source)) checkPhaseHistory(source as PhaseHistory);
  else checkProfiles(source);
  const samples = isArrayOf(source.samples, Float32Array) ? source.samples : Float32Array.from(source.samples);
  throwIfAborted(options.signal, "backprojection");
  using projector = await createBackprojector(device, source, grid, options);
  const width = samples.length / pulseCount(source);
  const [first, count] = options.pulses ?? [0, pulseCount(source)];
  await projector.add(samples.subarray(first * width, (first + count) * width), options);
  await projector.finish(options);
  const image = await projector.image();
  return { image, gridWindow: projector.gridWindow, partition: projector.partition, text: projector.text };
}

/**
 * Plans backprojection of an aperture onto a grid, or uses a plan that was made. All positions are given here; samples are given later,
 * with `add`. The plan is that of the whole image, whatever window is computed. Rejects in the cases of `backproject`.
 */
export async function createBackprojector(
  device: Device,
  source: BackprojectionSource,
  grid: ImageGrid,
  options: BackprojectorOptions & GridWindowOptions & { readonly into?: Float32Array } = {},
): Promise<Backprojector> {
  checkFields(options, fieldsOfOptions, "the options of backprojection");
  const prepared = prepareBackprojection(device, source, grid, options);
  const windowOf = ({ gridWindow = wholeImage(grid), roundWindow }: GridWindowOptions): GridWindow =>
    checkGridWindow(gridWindow, grid, latticePixels(prepared.plan), "gridWindow", roundWindow);
  const total = pulseCount(prepared.profiles);
  const runOf = ({ pulses = [0, total] }: GridWindowOptions): readonly [first: number, count: number] => {
    if (!(Array.isArray(pulses) && pulses.length === 2)) throw inputError("pulses", "the first pulse and a count", pulses);
    checkPulses(pulses as [number, number], total);
    return [pulses[0], pulses[1]];
  };
  const window = windowOf(options);
  let run = runOf(options);
  const { into } = options;
  if (into !== undefined && !(isArrayOf(into, Float32Array) && into.length === 2 * window.nx * window.ny))
    throw inputError("into", `a Float32Array of 2 · ${window.ny} · ${window.nx} numbers`, into);
  const canvas = await createCanvas(device, prepared, window, into && isConjugated(source) ? conjugated(into) : into);
  const { profiles, partition, shape } = prepared;
  const { badPulses = [] } = isHistory(source) ? source : {};
  const conjugate = isConjugated(source);
  const width = (canvas.samplesLayout.shape[1] as number) * 2;
  const waiting: { readonly done: Promise<void>; readonly pulses: number }[] = [];
  let added = 0;
  let imaged = 0;
  let inBlock = 0;
  let last: Promise<unknown> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;

  /** `count` pulses from `first` on, with zeros instead of those that are left out, and with the sign that the kernel takes. */
  function usable(samples: Float32Array, first: number, count: number): Float32Array {
    const bad = badPulses.filter((p) => p >= first && p < first + count);
    if (bad.length === 0 && !conjugate) return samples;
    const copy = conjugate ? conjugated(samples) : Float32Array.from(samples);
    for (const p of bad) copy.fill(0, (p - first) * width, (p - first + 1) * width);
    return copy;
  }

  /** Does `work` after all calls made before, if there still is an image. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(() => {
      if (failure) throw failure.error;
      return work();
    });
    last = done.catch(() => {});
    return done;
  }

  /** Waits until at most `most` blocks are on the device; after a failure, until none is. */
  async function settle(most: number, { signal, onProgress }: AddOptions): Promise<void> {
    try {
      while (waiting.length > most) {
        throwIfAborted(signal, "backprojection");
        await waiting[0].done;
        imaged += waiting[0].pulses;
        waiting.shift();
        await callListener(() => onProgress?.({ pulses: imaged, of: run[1] }), "onProgress", signal, "backprojection");
      }
      throwIfAborted(signal, "backprojection");
    } catch (error) {
      failure = { error };
      await Promise.allSettled(waiting.splice(0).map(({ done }) => done));
      throw error;
    }
  }

  function project(signal: AbortSignal | undefined): void {
    if (inBlock === 0) return;
    const done = canvas.project([run[0] + added - inBlock, inBlock], signal);
    done.catch(() => {}); // The next call rejects.
    waiting.push({ done, pulses: inBlock });
    inBlock = 0;
  }

  async function add(samples: Float32Array, options: AddOptions): Promise<void> {
    if (!isArrayOf(samples, Float32Array)) throw inputError("samples", "a Float32Array", samples);
    if (samples.length % width !== 0) throw inputError("samples.length", `a multiple of ${width}, the numbers of a pulse`, samples.length);
    const count = samples.length / width;
    const left = run[1] - added;
    if (count > left)
      throw inputError("samples.length", `at most the ${left} pulses that ${run[1] < total ? "the run" : "the aperture"} has left`, count);
    for (let from = 0; from < count; ) {
      await settle(canvasSlots - 1, options);
      const some = Math.min(count - from, shape.pulses - inBlock);
      canvas.samples.write(usable(samples.subarray(from * width, (from + some) * width), run[0] + added, some), (inBlock * width) / 2);
      from += some;
      added += some;
      inBlock += some;
      if (inBlock === shape.pulses || added === run[1]) project(options.signal);
    }
  }

  async function finish(options: AddOptions = {}): Promise<void> {
    project(options.signal);
    await settle(0, options);
  }

  return {
    profiles,
    interpolation: prepared.interpolation,
    grid,
    get gridWindow() {
      return canvas.window;
    },
    plan: prepared.plan,
    partition,
    get text() {
      return `${describePartition(partition)}\n${canvas.text}`;
    },
    get pulses() {
      return added;
    },
    add: (samples, options) => inTurn(() => add(samples, checked(options))),
    finish: (options) => inTurn(() => finish(checked(options))),
    image: () =>
      inTurn(async () => {
        await finish();
        const image = (await canvas.image.read()) as Float32Array;
        return conjugate ? conjugated(image) : image;
      }),
    begin: (options) =>
      inTurn(async () => {
        checkFields<GridWindowOptions>(options, { gridWindow: true, roundWindow: "boolean", pulses: true }, "the options of a window");
        const [next, nextRun] = [windowOf(options), runOf(options)];
        checkFits(device, shape, next);
        await finish();
        [added, imaged] = [0, 0];
        run = nextRun;
        try {
          await canvas.begin(next);
        } catch (error) {
          failure = { error };
          throw error;
        }
      }),
    [Symbol.dispose]: () => canvas[Symbol.dispose](),
  };
}

/** Whether samples have the sign that the kernel does not take. The image of conjugated samples is the conjugated image. */
const isConjugated = (source: BackprojectionSource): boolean => isHistory(source) && source.phaseSign === 1;

function conjugated(numbers: Float32Array): Float32Array {
  const copy = Float32Array.from(numbers);
  for (let i = 1; i < copy.length; i += 2) copy[i] = -copy[i];
  return copy;
}

/** Checks the options of an addition. Options of a whole backprojection pass, too. */
function checked(options: AddOptions = {}): AddOptions {
  checkFields(options, fieldsOfOptions, "the options of an addition");
  return options;
}
