/**
 * What backprojection has on a device: the image of a window, the arrays of the blocks of pulses that are under way, and the programs. The
 * window changes and the rest stays: compression is compiled once, and the kernel once for each shape of a window. The position of a window
 * is in its anchors and offsets only.
 */
import { type Buffer, type CompiledProgram, compile, type Device, type Layout, RadarError, type Uniforms } from "@dechirp/core";
import { blockAnchor, tileAnchor } from "./anchor-words.ts";
import { type AnchorMemory, checkedTileAnchors, createAnchorMemory, tileOffsets, tilesAlong } from "./anchors.ts";
import { checkedBlockAnchors, stepSquares } from "./blocks.ts";
import { boundingSphere, type GroundGrid } from "./grid.ts";
import type { Extent, GridWindow } from "./grid-window.ts";
import type { PreparedBackprojection } from "./prepare.ts";
import { profileTaps } from "./profile-interpolation.ts";
import { cyclesPerMeter } from "./profiles.ts";
import { profilesProgram, projectionProgram, samplesLayout } from "./program.ts";
import { alignmentPorts, alignmentTables } from "./pulse-frequencies.ts";
import { lastRangeMeters } from "./quadratic.ts";
import { type RangeParts, rangePartsOf } from "./range-part.ts";
import { type BackprojectionShape, hasPartials, kernelPorts } from "./shape.ts";

/** Blocks of pulses that have arrays of their own: one is filled while the device works on the other. */
export const canvasSlots = 2;

/** The image of a window on a device, and all that is needed to add blocks of pulses to it. */
export interface Canvas extends Disposable {
  readonly window: GridWindow;
  readonly image: Buffer<"c64">;
  /** The samples of the next block. */
  readonly samples: Buffer<"c64">;
  readonly samplesLayout: Layout<"c64">;
  /** The plans that run, as text. */
  readonly text: string;
  /** Adds the next block, of `count` pulses from `first` on, whose samples were written. */
  project(pulses: readonly [first: number, count: number], signal: AbortSignal | undefined): Promise<void>;
  /** Goes on to another window, with an image of zeros. */
  begin(window: GridWindow): Promise<void>;
}

/** Bytes of an array. All arrays here have elements of 4 bytes or pairs of them. */
const bytesOf = ({ dtype, shape }: Layout): number => shape.reduce((bytes, extent) => bytes * extent, dtype === "c64" ? 8 : 4);

/** The shape of a window. */
function shapeOf({ shape }: PreparedBackprojection, parts: RangeParts, { nx, ny }: Extent): BackprojectionShape {
  const curves = parts.curvesOf({ nx, ny });
  return { ...shape, nx, ny, ...(curves !== undefined && { curves }) };
}

/**
 * Bytes that a device needs to make a window of `nx` × `ny` pixels: its image, those of its pulse sets, and the samples, profiles and
 * anchors of the blocks under way. Small tables are not counted.
 */
export function backprojectionBytes(prepared: PreparedBackprojection, { nx, ny }: Extent): number {
  const { shape, compression } = prepared;
  const { anchors, offsets, partials, curves } = kernelPorts(shapeOf(prepared, rangePartsOf(prepared), { nx, ny }));
  const bytes = (port: { readonly layout: Layout } | undefined): number => (port ? bytesOf(port.layout) : 0);
  const profiles = 8 * shape.pulses * shape.bins;
  return (
    8 * nx * ny +
    bytes(partials) +
    bytes(offsets) +
    canvasSlots * (bytesOf(samplesLayout(shape, compression)) + bytes(anchors)) +
    bytes(curves) +
    (compression ? profiles : 0) +
    (compression?.alignment ? profiles : 0)
  );
}

/** The share of a pulse's ranges that is kept for a window of `nx` × `ny` pixels: 1 if whole profiles are. */
export function backprojectionRangeShare(prepared: PreparedBackprojection, { nx, ny }: Extent): number {
  const { curves = 1 } = prepared.shape;
  return (rangePartsOf(prepared).curvesOf({ nx, ny }) ?? curves) / curves;
}

/** Throws `limit` if an array of a window is larger than any that `device` can have. */
export function checkFits(device: Device, shape: BackprojectionShape, { nx, ny }: GridWindow): void {
  const { maxBufferBytes: storageBytes } = device.limits;
  const bytes = 8 * nx * ny;
  if (bytes > storageBytes)
    throw new RadarError("limit", `the image of ${bytes} bytes exceeds a storage binding of ${storageBytes}; windows of it may fit`, {
      bytes,
      storageBytes,
    });
  if (shape.sets * bytes > storageBytes)
    throw new RadarError(
      "limit",
      `images of ${shape.sets} pulse sets exceed a storage binding, which holds ${Math.floor(storageBytes / bytes)}`,
      { field: "sets", sets: shape.sets, storageBytes },
    );
}

/** Arrays of which the shape of the window decides. */
interface Frame {
  readonly key: string;
  readonly compiled: CompiledProgram;
  readonly anchors: readonly Buffer<"u32">[];
  readonly offsets: Buffer<"f32"> | undefined;
  readonly partials: Buffer<"c64"> | undefined;
  readonly curves: Buffer<"c64"> | undefined;
  /** By slot, where the parabolas of each pulse begin, if a part of them is made. */
  readonly firsts: readonly Buffer<"u32">[];
  /** Number of parabolas of a pulse, if they are a part. */
  readonly kept: number | undefined;
}

/** Makes the canvas of a window. Its image is `into`, or zeros. Rejects with what the device rejects or throws with, and then holds nothing. */
export async function createCanvas(
  device: Device,
  prepared: PreparedBackprojection,
  first: GridWindow,
  into?: Float32Array,
): Promise<Canvas> {
  const { shape, compression, grid } = prepared;
  const owned = new Set<Disposable>();
  const keep = <T extends Disposable>(thing: T): T => {
    owned.add(thing);
    return thing;
  };
  const free = (thing: Disposable | undefined): void => {
    if (thing && owned.delete(thing)) thing[Symbol.dispose]();
  };
  const dispose = (): void => {
    for (const thing of [...owned].reverse()) free(thing);
  };
  const named = (what: string): string => `backprojection.${what}`;
  const fixed = fixedUniforms(prepared);
  const reach = reachOf(prepared);
  const parts = rangePartsOf(prepared);
  const words = createAnchorMemory();
  const programs = new Map<string, CompiledProgram>();

  /** Arrays and the program for windows of a shape. The arrays of the shape before are freed first. */
  async function frameFor(window: GridWindow, before?: Frame): Promise<Frame> {
    const own = shapeOf(prepared, parts, window);
    const kept = own.curves !== shape.curves ? own.curves : undefined;
    const key = `${window.nx} × ${window.ny}`;
    if (before?.key === key) return before;
    for (const thing of before ? [...before.anchors, ...before.firsts, before.offsets, before.partials, before.curves] : []) free(thing);
    const program = projectionProgram(own, shape.curves);
    const { anchors, offsets, partials, curves } = kernelPorts(own);
    const inSlots = (layout: Layout, what: string): Buffer<"u32">[] =>
      Array.from({ length: canvasSlots }, (_, s) => keep(device.alloc(layout as Layout<"u32">, named(`${what} ${s}`))));
    const slots = inSlots(anchors.layout, "anchors");
    const compiled = programs.get(key) ?? keep(await compile(program, device));
    programs.set(key, compiled);
    return {
      key,
      compiled,
      anchors: slots,
      offsets: offsets && keep(device.alloc(offsets.layout as Layout<"f32">, named("offsets"))),
      partials: hasPartials(own) ? keep(device.alloc(partials.layout as Layout<"c64">, named("partials"))) : undefined,
      curves: curves && keep(device.alloc(curves.layout as Layout<"c64">, named("curves"))),
      firsts: kept === undefined ? [] : inSlots({ dtype: "u32", shape: [shape.pulses] }, "firsts"),
      kept,
    };
  }

  const newImage = ({ nx, ny }: GridWindow): Buffer<"c64"> => keep(device.alloc({ dtype: "c64", shape: [ny, nx] }, named("image")));

  /** Offsets of the tiles of a window, tile after tile. */
  function writeOffsets({ offsets }: Frame, window: GridWindow): void {
    if (!offsets) return;
    const { tile } = shape;
    const [tilesX, tilesY] = tilesAlong(window, tile);
    const [fromX, fromY] = [window.ix / tile, window.iy / tile];
    for (let t = 0; t < tilesX * tilesY; t++)
      offsets.write(tileOffsets(grid, tile, fromX + (t % tilesX), fromY + Math.floor(t / tilesX)), 4 * tile * tile * t);
  }

  try {
    checkFits(device, shape, first);
    let window = first;
    let image = newImage(window);
    if (into) image.write(into);
    const layout = samplesLayout(shape, compression);
    const samples = Array.from({ length: canvasSlots }, (_, s) => keep(device.alloc(layout, named(`samples ${s}`))));
    const alignment = compression?.alignment;
    const tables = Array.from({ length: canvasSlots }, (_, s) =>
      Object.fromEntries(
        Object.entries(alignment ? alignmentPorts(alignment, shape.pulses) : {}).map(([port, words]) => [
          port,
          keep(device.alloc(words, named(`${port} ${s}`))),
        ]),
      ),
    );
    const before = profilesProgram(shape, compression);
    const compress = before && keep(await compile(before, device));
    const profiles = compress && keep(device.alloc(compress.layouts["profiles"] as Layout<"c64">, named("profiles")));
    let frame = await frameFor(window);
    writeOffsets(frame, window);
    let reachable = reach(window);
    let blocks = 0;
    return {
      get window() {
        return window;
      },
      get image() {
        return image;
      },
      get samples() {
        return samples[blocks % canvasSlots];
      },
      samplesLayout: layout,
      get text() {
        return `(backprojection ${[...(compress?.stages ?? []), ...frame.compiled.stages].map(({ plan }) => plan.text).join(" ")})`;
      },
      async project(pulses, signal) {
        const slot = blocks % canvasSlots;
        blocks += 1;
        if (!reachable(pulses)) return;
        const anchors = frame.anchors[slot];
        const firsts = frame.kept === undefined ? undefined : parts.firstsOf(window, frame.kept, pulses);
        anchors.write(anchorsOf(prepared, window, pulses, firsts, words));
        if (firsts) frame.firsts[slot].write(firsts);
        if (alignment)
          for (const [port, words] of Object.entries(alignmentTables(alignment, ...pulses, shape.pulses))) tables[slot][port].write(words);
        const options = signal ? { signal } : {};
        const { offsets, partials, curves, compiled } = frame;
        const bound = {
          profiles: profiles ?? samples[slot],
          anchors,
          image,
          ...(firsts && { firsts: frame.firsts[slot] }),
          ...(offsets && { offsets }),
          ...(partials && { partials }),
          ...(curves && { curves }),
        };
        const runs = [
          ...(compress && profiles ? [compress.run({ samples: samples[slot], ...tables[slot], profiles }, options)] : []),
          compiled.run(bound, { uniforms: { ...fixed, count: pulses[1] }, ...options }),
        ];
        const [failed] = (await Promise.allSettled(runs.map(({ done }) => done))).filter(({ status }) => status === "rejected");
        if (failed) throw (failed as PromiseRejectedResult).reason;
      },
      async begin(next) {
        free(image);
        frame = await frameFor(next, frame);
        image = newImage(next);
        window = next;
        writeOffsets(frame, window);
        reachable = reach(window);
      },
      [Symbol.dispose]: dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

function fixedUniforms({ profiles, grid, shape }: PreparedBackprojection): Uniforms {
  const cycles = cyclesPerMeter(profiles);
  if (shape.blockTiles === 0) return { binsPerMeter: 1 / profiles.binMeters, cyclesPerMeter: cycles };
  const [squareXX, squareXY, squareYY] = stepSquares(grid as GroundGrid, profiles.binMeters);
  return { squareXX, squareXY, squareYY, cyclesPerBin: cycles * profiles.binMeters };
}

/** Anchors of a run of pulses in memory of `words`. With `firsts`, bins count from the first parabola of each pulse. */
function anchorsOf(
  { profiles, grid, shape }: PreparedBackprojection,
  window: GridWindow,
  pulses: readonly [first: number, count: number],
  firsts: Uint32Array | undefined,
  words: AnchorMemory,
): Uint32Array {
  const { tile, blockTiles, pulses: capacity } = shape;
  const range = { window, pulses, capacity };
  const { ints } =
    blockTiles > 0
      ? checkedBlockAnchors(profiles, grid as GroundGrid, tile, { blockTiles, ...range }, words)
      : checkedTileAnchors(profiles, grid, tile, range, words);
  const { count, at } = blockTiles > 0 ? blockAnchor : tileAnchor;
  if (firsts)
    for (let block = 0; block < ints.length; block += capacity * count)
      for (let p = 0; p < pulses[1]; p++) ints[block + p * count + at.bin] -= firsts[p];
  return new Uint32Array(ints.buffer, ints.byteOffset, ints.length);
}

/**
 * For a window: whether some pulse of a run may reach some pixel. Pulses that do not would add zeros, so that a block without any that does
 * need not run.
 */
function reachOf({
  profiles,
  grid,
  interpolation,
}: PreparedBackprojection): (window: GridWindow) => (pulses: readonly [first: number, count: number]) => boolean {
  const { positions, referenceRangeMeters, firstRangeMeters, binMeters } = profiles;
  // More than float32 misplaces a pixel by.
  const margin = (profileTaps(interpolation) + 1) * binMeters;
  const [low, high] = [firstRangeMeters - margin, lastRangeMeters(profiles) + margin];
  return (window) => {
    const { centre, radius } = boundingSphere(grid, window);
    return ([first, count]) => {
      for (let p = first; p < first + count; p++) {
        const away = Math.hypot(positions[3 * p] - centre[0], positions[3 * p + 1] - centre[1], positions[3 * p + 2] - centre[2]);
        const range = away - referenceRangeMeters[p];
        if (range + radius >= low && range - radius <= high) return true;
      }
      return false;
    };
  };
}
