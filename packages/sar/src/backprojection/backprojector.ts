/**
 * Backprojection for users: pulses in, image out, on any device. Plans once for an aperture and a grid; takes pulses in
 * any portions, sends them to the device in blocks while it works on the block before, makes their anchors meanwhile, and
 * adds them to one image. What is computed is in kernel.ts and program.ts, how it is divided in choose.ts.
 */
import { type Buffer, type CompiledProgram, compile, type Device, inputError, throwIfAborted, type Uniforms } from "@dechirp/core";
import { checkInterpolator, interpolatorTable } from "../interpolation.ts";
import type { Window } from "../windows.ts";
import { type AnchorOrder, anchorWords, tileAnchors, tileOffsets, tilesAlong } from "./anchors.ts";
import { blockAnchors, blockWords, stepSquares } from "./blocks.ts";
import { choosePartition, describePartition, type Partition } from "./choose.ts";
import { boundingSphere, checkGrid, type GroundGrid, type ImageGrid } from "./grid.ts";
import type { BackprojectionShape, Scheme, SineSource } from "./kernel.ts";
import { diagonalMeters } from "./partition.ts";
import {
  type Compression,
  checkPhaseHistory,
  checkProfileGeometry,
  checkProfiles,
  cyclesPerMeter,
  type HistoryGeometry,
  type PhaseHistory,
  type ProfileGeometry,
  planCompression,
  profileOversampling,
  pulseCount,
  type RangeProfiles,
} from "./profiles.ts";
import { backprojectionProgram } from "./program.ts";
import { type ProfileInterpolation, profileTaps } from "./reference.ts";

export interface BackprojectorOptions {
  /** How profiles are read between bins; linear where left out. */
  readonly interpolation?: ProfileInterpolation;
  /** `precise` (default): 80 dB and more against float64. `fast`: 60 dB and more, with the device's own sine. */
  readonly mode?: "precise" | "fast";
  /** Length of zero-padded profiles, a power of two; the next one of at least 8 times the frequencies where left out. Of phase histories only. */
  readonly bins?: number;
  /** Taper over the band; none where left out. Of phase histories only. */
  readonly window?: Window;
  /** The frequency that profiles have at zero; the band's centre where left out. Of phase histories only. */
  readonly carrier?: "centre" | "first";
  /** How the work is divided; the model's choice where left out. */
  readonly scheme?: Scheme;
  /** Edge of a tile in pixels, a multiple of 8; the model's choice where left out. */
  readonly tile?: number;
  /** Pulse sets side by side, for schemes that have them; the model's choice where left out. */
  readonly sets?: number;
  /** By the mode where left out. */
  readonly sine?: SineSource;
  /** Order of the range within a tile; by the error bound where left out. */
  readonly order?: AnchorOrder;
  /** Invocations of a workgroup on a GPU, a power of two; chosen where left out. */
  readonly invocations?: number;
  /** Workgroup memory for windows of profiles on a GPU, in bytes at most; chosen where left out, 0 for none. */
  readonly windowBytes?: number;
  /** Pulses sent to the device at once; chosen where left out. */
  readonly pulsesPerBlock?: number;
}

export interface BackprojectionProgress {
  /** Pulses that are in the image. */
  readonly pulses: number;
  readonly of: number;
}

export interface AddOptions {
  readonly signal?: AbortSignal;
  /** Called when a block of pulses is in the image. */
  readonly onProgress?: (progress: BackprojectionProgress) => void;
}

export interface Backprojector extends Disposable {
  /** The geometry of the profiles that are projected. */
  readonly profiles: ProfileGeometry;
  readonly grid: ImageGrid;
  readonly partition: Partition;
  /** The partition, its predicted traffic and what runs, readable. */
  readonly text: string;
  /** Pulses handed over so far. */
  readonly pulses: number;
  /**
   * Adds the next pulses, [pulse][frequency] or [pulse][bin], interleaved; resolves when they are handed over, with at most
   * two blocks waiting on the device. Throws `input` for numbers that are no whole pulses or more than the aperture's,
   * `aborted`, after which there is no image.
   */
  add(samples: Float32Array, options?: AddOptions): Promise<void>;
  /** Resolves when all pulses handed over are in the image. */
  finish(options?: AddOptions): Promise<void>;
  /** The image [ny][nx], interleaved re, im, of the pulses so far. */
  image(): Promise<Float32Array>;
}

/** What pulses are: phase histories or range profiles, without their samples. */
export type BackprojectionSource = HistoryGeometry | ProfileGeometry;

export interface BackprojectOptions extends BackprojectorOptions, AddOptions {
  /** An image [ny][nx], interleaved, to add to; it is not changed. Zeros where left out. */
  readonly into?: Float32Array;
}

export interface BackprojectedImage {
  /** [ny][nx], interleaved re, im. */
  readonly image: Float32Array;
  readonly partition: Partition;
  readonly text: string;
}

/**
 * The image of a phase history or of range profiles: I(x) = Σ_p s_p(ΔR)·exp(+j4π·carrier·ΔR/c), `backprojectReference`'s to
 * the precision of the mode. Throws `input` naming the field before any work, `limit` or `out-of-memory` where the device
 * is too small, `aborted`.
 */
export async function backproject(
  device: Device,
  source: PhaseHistory | RangeProfiles,
  grid: ImageGrid,
  options: BackprojectOptions = {},
): Promise<BackprojectedImage> {
  if (isHistory(source)) checkPhaseHistory(source as PhaseHistory);
  else checkProfiles(source);
  const samples = source.samples instanceof Float32Array ? source.samples : Float32Array.from(source.samples);
  throwIfAborted(options.signal, "backprojection");
  using projector = await createBackprojector(device, source, grid, options);
  await projector.add(samples, options);
  await projector.finish(options);
  return { image: await projector.image(), partition: projector.partition, text: projector.text };
}

const isHistory = <T extends object>(source: T): source is T & HistoryGeometry => "frequency" in source;

/** Bytes of a block's samples or profiles, whichever is more, and of its anchors, at about which a block ends. */
const blockBytes = 2 ** 25;
const mostPulsesPerBlock = 1024;
/** WebGPU's default limits, which every device has. */
const portable = { workgroupBytes: 16384, invocations: 256 };
/** Workgroups that keep a large GPU busy, and a host's threads (measured on an H100: bench/notes/backprojection.md). */
const busyWorkgroups = { device: 1024, host: 32 };
/** From so many bins a pixel on, windows in workgroup memory are read without conflicts only if they are scattered. */
const scatteredBins = 4;

/** Bins from a pixel to the next, along the axis where they are most, for a look along the ground. */
const binsPerPixel = ({ binMeters }: ProfileGeometry, grid: ImageGrid): number => diagonalMeters(grid, 1, 0) / Math.SQRT2 / binMeters;

/**
 * Plans backprojection of an aperture onto a grid. All positions are given here, samples later, with `add`. Throws as
 * `backproject` does.
 */
export async function createBackprojector(
  device: Device,
  source: BackprojectionSource,
  grid: ImageGrid,
  options: BackprojectorOptions & { readonly into?: Float32Array } = {},
): Promise<Backprojector> {
  const plan = planBackprojection(device, source, grid, options);
  const { into } = options;
  if (into !== undefined && !(into instanceof Float32Array && into.length === 2 * grid.nx * grid.ny))
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

interface BackprojectionPlan {
  readonly profiles: ProfileGeometry;
  readonly grid: ImageGrid;
  readonly compression: Compression | undefined;
  readonly partition: Partition;
  readonly shape: BackprojectionShape;
}

/** Whether the host's threads do a device's work: then they share its memory. */
function isHost(device: Device): boolean {
  using probe = device.alloc({ dtype: "f32", shape: [1] });
  return probe.view !== undefined;
}

/** How a device will do it: everything but the device's own plans and memory, checked. */
export function planBackprojection(
  device: Device,
  source: BackprojectionSource,
  grid: ImageGrid,
  options: BackprojectorOptions = {},
): BackprojectionPlan {
  const { interpolation = "linear", mode = "precise" } = options;
  if (mode !== "precise" && mode !== "fast") throw inputError("mode", "precise or fast", mode);
  if (interpolation !== "linear") checkInterpolator(interpolation, "interpolation");
  checkKernelOptions(options);
  const compression = isHistory(source) ? planCompression(source, options) : undefined;
  const profiles = compression ? compression.geometry : (source as ProfileGeometry);
  checkProfileGeometry(profiles);
  checkGrid(grid);
  checkSwath(profiles, grid);
  const taps = profileTaps(interpolation);
  const partition = choosePartition({
    image: grid,
    profiles,
    taps,
    limits: { ...portable, storageBytes: device.limits.maxBufferBytes, workgroups: busyWorkgroups[isHost(device) ? "host" : "device"] },
    ...(options.tile !== undefined && { tile: options.tile }),
    ...(options.sets !== undefined && { sets: options.sets }),
    ...(options.scheme !== undefined && { scheme: options.scheme }),
    ...(mode === "fast" && { errorCycles: 2 ** -12 }),
  });
  const pulses = blockPulses(profiles, source, partition, options);
  return {
    profiles,
    grid,
    compression,
    partition,
    shape: {
      nx: grid.nx,
      ny: grid.ny,
      tile: partition.tile,
      pulses,
      bins: profiles.bins,
      scheme: partition.scheme,
      sets: Math.min(partition.sets, pulses),
      blockTiles: partition.blockTiles,
      order: options.order ?? partition.order,
      window: partition.window,
      ...(interpolation !== "linear" && {
        taps: interpolatorTable(interpolation, { oversampling: Math.min(64, Math.max(1, profileOversampling(profiles))) }),
      }),
      sine: options.sine ?? (mode === "fast" ? "native" : "polynomial"),
      ...(options.invocations !== undefined && { invocations: options.invocations }),
      ...(options.windowBytes !== undefined && { windowBytes: options.windowBytes }),
      scattered: binsPerPixel(profiles, grid) > scatteredBins,
    },
  };
}

function checkKernelOptions({ sine, order, invocations, windowBytes }: BackprojectorOptions): void {
  if (sine !== undefined && !["polynomial", "native", "table"].includes(sine))
    throw inputError("sine", "polynomial, native or table", sine);
  if (order !== undefined && order !== 2 && order !== 3) throw inputError("order", "2 or 3", order);
  if (invocations !== undefined && !(invocations >= 32 && invocations <= 1024 && Number.isInteger(Math.log2(invocations))))
    throw inputError("invocations", "a power of two from 32 to 1024", invocations);
  if (windowBytes !== undefined && !(Number.isInteger(windowBytes) && windowBytes >= 0))
    throw inputError("windowBytes", "an integer of at least 0", windowBytes);
}

/** Throws `input` naming `grid` unless a profile of some pulse reaches some pixel. */
function checkSwath({ positions, referenceRangeMeters, firstRangeMeters, binMeters, bins }: ProfileGeometry, grid: ImageGrid): void {
  const { centre, radius } = boundingSphere(grid);
  const last = firstRangeMeters + (bins - 1) * binMeters;
  for (let p = 0; p < referenceRangeMeters.length; p++) {
    const away = Math.hypot(positions[3 * p] - centre[0], positions[3 * p + 1] - centre[1], positions[3 * p + 2] - centre[2]);
    const range = away - referenceRangeMeters[p];
    if (range + radius >= firstRangeMeters && range - radius <= last) return;
  }
  throw inputError(
    "grid",
    `within the swath of the profiles, ${firstRangeMeters.toPrecision(4)} to ${last.toPrecision(4)} m from the reference range`,
    `an image whose centre is at (${centre.map((x) => x.toPrecision(4)).join(", ")})`,
  );
}

function blockPulses(profiles: ProfileGeometry, source: BackprojectionSource, partition: Partition, options: BackprojectorOptions): number {
  const total = pulseCount(profiles);
  const { pulsesPerBlock } = options;
  if (pulsesPerBlock !== undefined) {
    if (!(Number.isInteger(pulsesPerBlock) && pulsesPerBlock >= 1))
      throw inputError("pulsesPerBlock", "a positive integer", pulsesPerBlock);
    return Math.min(pulsesPerBlock, total, partition.pulsesPerPass);
  }
  const { tilesX, tilesY, blockTiles } = partition;
  const anchors =
    blockTiles > 0 ? Math.ceil(tilesX / blockTiles) * Math.ceil(tilesY / blockTiles) * blockWords : tilesX * tilesY * anchorWords;
  const bytes = Math.max(8 * profiles.bins, isHistory(source) ? 8 * source.frequency.count : 0, 4 * anchors);
  const most = Math.max(1, Math.min(mostPulsesPerBlock, partition.pulsesPerPass, Math.floor(blockBytes / bytes)));
  // Blocks of nearly one length.
  return Math.ceil(total / Math.ceil(total / most));
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
  const { profiles, grid, partition, shape } = plan;
  const total = pulseCount(profiles);
  const width = (compiled.layouts["samples"].shape[1] as number) * 2;
  const fixed = fixedUniforms(plan);
  const waiting: { readonly done: Promise<void>; readonly pulses: number }[] = [];
  let added = 0;
  let imaged = 0;
  let inBlock = 0;
  let blocks = 0;

  /** Waits until at most `most` blocks are on the device; after a failure, until none is. */
  async function settle(most: number, { signal, onProgress }: AddOptions): Promise<void> {
    try {
      while (waiting.length > most) {
        throwIfAborted(signal, "backprojection");
        await waiting[0].done;
        imaged += waiting[0].pulses;
        waiting.shift();
        onProgress?.({ pulses: imaged, of: total });
      }
      throwIfAborted(signal, "backprojection");
    } catch (error) {
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
    // Queued at once: no stage of this block may come between those of the next.
    const runs = compiled.stages.map((_, i) => compiled.runStage(i, bindings, options).done);
    const done = Promise.allSettled(runs).then((outcomes) => {
      for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
    });
    done.catch(() => {});
    waiting.push({ done, pulses: inBlock });
    inBlock = 0;
    blocks += 1;
  }

  async function add(samples: Float32Array, options: AddOptions = {}): Promise<void> {
    if (!(samples instanceof Float32Array)) throw inputError("samples", "a Float32Array", samples);
    if (samples.length % width !== 0) throw inputError("samples.length", `a multiple of ${width}, the numbers of a pulse`, samples.length);
    const count = samples.length / width;
    if (added + count > total) throw inputError("samples.length", `at most the ${total - added} pulses that the aperture has left`, count);
    for (let from = 0; from < count; ) {
      if (inBlock === 0) await settle(slots.length - 1, options);
      else throwIfAborted(options.signal, "backprojection");
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
    grid,
    partition,
    text: `${describePartition(partition)}\n${compiled.text}`,
    get pulses() {
      return added;
    },
    add,
    finish,
    async image() {
      await finish();
      return (await image.read()) as Float32Array;
    },
    [Symbol.dispose]: dispose,
  };
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
