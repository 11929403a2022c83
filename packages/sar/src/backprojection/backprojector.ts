/**
 * Backprojection for users: pulses in, image out, on any device. It plans once for an aperture and a grid, and takes pulses in
 * any portions. It sends them to the device in blocks, makes the anchors of a block while the device works on the block before, and
 * adds everything to one image. What is computed is in kernel.ts and program.ts, how it is divided in choose.ts.
 */

import { type Buffer, type CompiledProgram, compile, type Device, inputError, throwIfAborted, type Uniforms } from "@dechirp/core";
import { callListener, checkFields, type FieldsOf, isArrayOf } from "@dechirp/core/internal";
import type { PhaseHistory } from "@dechirp/radar";
import { tileAnchors, tileOffsets, tilesAlong } from "./anchors.ts";
import { blockAnchors, stepSquares } from "./blocks.ts";
import { describePartition, type Partition } from "./choose.ts";
import type { GroundGrid, ImageGrid } from "./grid.ts";
import { type BackprojectionPlan, type BackprojectionSource, type BackprojectorOptions, isHistory, planBackprojection } from "./plan.ts";
import type { ProfileInterpolation } from "./profile-interpolation.ts";
import { checkPhaseHistory, checkProfiles, cyclesPerMeter, type ProfileGeometry, pulseCount, type RangeProfiles } from "./profiles.ts";
import { backprojectionProgram } from "./program.ts";

/** How far a backprojection is. */
export interface BackprojectionProgress {
  /** Number of pulses that are in the image. */
  readonly pulses: number;
  /** Pulses of the whole aperture. */
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

/** A planned backprojection: pulses are added in portions, and the image is read when it is wanted. Dispose of it to free its memory. */
export interface Backprojector extends Disposable {
  /** The geometry of the profiles that are projected. */
  readonly profiles: ProfileGeometry;
  /** How profiles are read between bins. `profileInterpolationDb` gives the accuracy. */
  readonly interpolation: ProfileInterpolation;
  readonly grid: ImageGrid;
  readonly partition: Partition;
  /** The partition, its predicted traffic and the plans that run, as text for people. */
  readonly text: string;
  /** Number of pulses handed over so far. */
  readonly pulses: number;
  /**
   * Adds the next pulses, [pulse][frequency] or [pulse][bin], interleaved. Resolves when they are handed over, with at most
   * two blocks waiting on the device. Calls made meanwhile wait. Rejects with `input` if the numbers are not whole
   * pulses or more than those of the aperture; with `aborted` if the signal fires. After an abort there is no image, and every call rejects
   * with `aborted`.
   */
  add(samples: Float32Array, options?: AddOptions): Promise<void>;
  /** Resolves when all pulses that were handed over are in the image. */
  finish(options?: AddOptions): Promise<void>;
  /** The image [ny][nx], interleaved re, im, of the pulses so far. */
  image(): Promise<Float32Array>;
}

/** Options of `backproject`. */
export interface BackprojectOptions extends BackprojectorOptions, AddOptions {
  /** An image [ny][nx], interleaved, to add to. It is not changed. Default: zeros. */
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
  into: true,
  signal: true,
  onProgress: true,
};

/** An image that `backproject` made, and how the work was divided. */
export interface BackprojectedImage {
  /** [ny][nx], interleaved re, im. */
  readonly image: Float32Array;
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
  await projector.add(samples, options);
  await projector.finish(options);
  return { image: await projector.image(), partition: projector.partition, text: projector.text };
}

/**
 * Plans backprojection of an aperture onto a grid. All positions are given here; samples are given later, with `add`. Rejects in the cases
 * of
 * `backproject`.
 */
export async function createBackprojector(
  device: Device,
  source: BackprojectionSource,
  grid: ImageGrid,
  options: BackprojectorOptions & { readonly into?: Float32Array } = {},
): Promise<Backprojector> {
  checkFields(options, fieldsOfOptions, "the options of backprojection");
  const plan = planBackprojection(device, source, grid, options);
  const { into } = options;
  if (into !== undefined && !(isArrayOf(into, Float32Array) && into.length === 2 * grid.nx * grid.ny))
    throw inputError("into", `a Float32Array of 2 · ${grid.ny} · ${grid.nx} numbers`, into);
  const owned: Disposable[] = [];
  const dispose = (): void => {
    for (const thing of owned.splice(0).reverse()) thing[Symbol.dispose]();
  };
  try {
    const keep = <T extends Disposable>(thing: T): T => {
      owned.push(thing);
      return thing;
    };
    const program = backprojectionProgram(plan.shape, plan.compression);
    const image = keep(device.alloc(program.inputs["image"], "backprojection.image"));
    if (into) image.write(into);
    const offsets = program.inputs["offsets"] && keep(device.alloc(program.inputs["offsets"], "backprojection.offsets"));
    if (offsets) writeOffsets(offsets, grid, plan.shape.tile);
    const slots = [0, 1].map((s) => ({
      samples: keep(device.alloc(program.samples, `backprojection.samples ${s}`)),
      anchors: keep(device.alloc(program.inputs["anchors"], `backprojection.anchors ${s}`)),
    }));
    const compiled = keep(await compile(program, device));
    return assemble(plan, compiled, slots, image, offsets, dispose);
  } catch (error) {
    dispose();
    throw error;
  }
}

function writeOffsets(offsets: Buffer, grid: ImageGrid, tile: number): void {
  const [tilesX, tilesY] = tilesAlong(grid, tile);
  for (let t = 0; t < tilesX * tilesY; t++) offsets.write(tileOffsets(grid, tile, t % tilesX, Math.floor(t / tilesX)), 4 * tile * tile * t);
}

interface Slot {
  readonly samples: Buffer;
  readonly anchors: Buffer;
}

function assemble(
  plan: BackprojectionPlan,
  compiled: CompiledProgram,
  slots: readonly Slot[],
  image: Buffer<"c64"> | Buffer,
  offsets: Buffer | undefined,
  dispose: () => void,
): Backprojector {
  const { profiles, interpolation, grid, partition, shape } = plan;
  const total = pulseCount(profiles);
  const width = (compiled.layouts["samples"].shape[1] as number) * 2;
  const fixed = fixedUniforms(plan);
  const waiting: { readonly done: Promise<void>; readonly pulses: number }[] = [];
  let added = 0;
  let imaged = 0;
  let inBlock = 0;
  let blocks = 0;
  let last: Promise<unknown> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;

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
        await callListener(() => onProgress?.({ pulses: imaged, of: total }), "onProgress", signal, "backprojection");
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
    const { samples, anchors } = slots[blocks % slots.length];
    anchors.write(anchorsOf(plan, [added - inBlock, inBlock]));
    const bindings = { samples, anchors, image, ...(offsets && { offsets }) };
    const options = { uniforms: { ...fixed, count: inBlock }, ...(signal && { signal }) };
    waiting.push({ done: compiled.run(bindings, options).done, pulses: inBlock });
    inBlock = 0;
    blocks += 1;
  }

  async function add(samples: Float32Array, options: AddOptions): Promise<void> {
    if (!isArrayOf(samples, Float32Array)) throw inputError("samples", "a Float32Array", samples);
    if (samples.length % width !== 0) throw inputError("samples.length", `a multiple of ${width}, the numbers of a pulse`, samples.length);
    const count = samples.length / width;
    if (added + count > total) throw inputError("samples.length", `at most the ${total - added} pulses that the aperture has left`, count);
    for (let from = 0; from < count; ) {
      await settle(slots.length - 1, options);
      const some = Math.min(count - from, shape.pulses - inBlock);
      slots[blocks % slots.length].samples.write(samples.subarray(from * width, (from + some) * width), (inBlock * width) / 2);
      from += some;
      added += some;
      inBlock += some;
      if (inBlock === shape.pulses || added === total) project(options.signal);
    }
  }

  async function finish(options: AddOptions = {}): Promise<void> {
    project(options.signal);
    await settle(0, options);
  }

  return {
    profiles,
    interpolation,
    grid,
    partition,
    text: `${describePartition(partition)}\n${compiled.text}`,
    get pulses() {
      return added;
    },
    add: (samples, options) => inTurn(() => add(samples, checked(options))),
    finish: (options) => inTurn(() => finish(checked(options))),
    image: () =>
      inTurn(async () => {
        await finish();
        return (await image.read()) as Float32Array;
      }),
    [Symbol.dispose]: dispose,
  };
}

/** Checks the options of an addition. Options of a whole backprojection pass, too. */
function checked(options: AddOptions = {}): AddOptions {
  checkFields(options, fieldsOfOptions, "the options of an addition");
  return options;
}

function fixedUniforms({ profiles, grid, shape }: BackprojectionPlan): Uniforms {
  const cycles = cyclesPerMeter(profiles);
  if (shape.blockTiles === 0) return { binsPerMeter: 1 / profiles.binMeters, cyclesPerMeter: cycles };
  const [squareXX, squareXY, squareYY] = stepSquares(grid as GroundGrid, profiles.binMeters);
  return { squareXX, squareXY, squareYY, cyclesPerBin: cycles * profiles.binMeters };
}

function anchorsOf({ profiles, grid, shape }: BackprojectionPlan, pulses: readonly [number, number]): Uint32Array {
  const { tile, blockTiles, pulses: capacity } = shape;
  if (blockTiles > 0) return blockAnchors(profiles, grid, tile, { blockTiles, pulses, capacity }).uints;
  return new Uint32Array(tileAnchors(profiles, grid, tile, { pulses, capacity }).ints.buffer);
}
