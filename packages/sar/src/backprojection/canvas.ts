/**
 * What backprojection has on a device: the image of a window, the arrays of the blocks of pulses that are under way, and the programs. The
 * window changes and the rest stays: compression is compiled once, and the kernel once for each shape of a window. The position of a window
 * is in its anchors and offsets only.
 */
import { type Buffer, type CompiledProgram, compile, type Device, type Layout, RadarError, type Uniforms } from "@dechirp/core";
import { checkedTileAnchors, tileOffsets, tilesAlong } from "./anchors.ts";
import { checkedBlockAnchors, stepSquares } from "./blocks.ts";
import { boundingSphere, type GroundGrid } from "./grid.ts";
import type { GridWindow } from "./grid-window.ts";
import type { PreparedBackprojection } from "./prepare.ts";
import { profileTaps } from "./profile-interpolation.ts";
import { cyclesPerMeter } from "./profiles.ts";
import { profilesName, profilesProgram, projectionProgram, samplesLayout } from "./program.ts";
import { alignmentPorts, alignmentTables } from "./pulse-frequencies.ts";
import { lastRangeMeters } from "./quadratic.ts";
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

const shapeOf = (shape: BackprojectionShape, { nx, ny }: Pick<GridWindow, "nx" | "ny">): BackprojectionShape => ({ ...shape, nx, ny });

/**
 * Bytes that a device needs to make a window of `nx` × `ny` pixels: its image, those of its pulse sets, and the samples, profiles and
 * anchors of the blocks under way. Small tables are not counted.
 */
export function backprojectionBytes({ shape, compression }: PreparedBackprojection, window: Pick<GridWindow, "nx" | "ny">): number {
  const { anchors, offsets, partials, ...read } = kernelPorts(shapeOf(shape, window));
  const samples = bytesOf(samplesLayout(shape, compression));
  const profiles = compression || shape.curves ? bytesOf(read[profilesName(shape)].layout) : 0;
  const between = (shape.curves ? 1 : 0) + (compression?.alignment ? 1 : 0);
  const compressed = compression ? between * 8 * shape.pulses * shape.bins : 0;
  return (
    8 * window.nx * window.ny +
    (partials ? bytesOf(partials.layout) : 0) +
    (offsets ? bytesOf(offsets.layout) : 0) +
    canvasSlots * (samples + bytesOf(anchors.layout)) +
    profiles +
    compressed
  );
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
  const programs = new Map<string, CompiledProgram>();

  /** Arrays and the program for windows of a shape. The arrays of the shape before are freed first. */
  async function frameFor(window: GridWindow, before?: Frame): Promise<Frame> {
    const key = `${window.nx} × ${window.ny}`;
    if (before?.key === key) return before;
    for (const thing of before ? [...before.anchors, before.offsets, before.partials] : []) free(thing);
    const own = shapeOf(shape, window);
    const program = projectionProgram(own);
    const { anchors, offsets, partials } = kernelPorts(own);
    const slots = Array.from({ length: canvasSlots }, (_, s) => keep(device.alloc(anchors.layout as Layout<"u32">, named(`anchors ${s}`))));
    const compiled = programs.get(key) ?? keep(await compile(program, device));
    programs.set(key, compiled);
    return {
      key,
      compiled,
      anchors: slots,
      offsets: offsets && keep(device.alloc(offsets.layout as Layout<"f32">, named("offsets"))),
      partials: hasPartials(own) ? keep(device.alloc(partials.layout as Layout<"c64">, named("partials"))) : undefined,
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
    const read = profilesName(shape);
    const compress = before && keep(await compile(before, device));
    const profiles = compress && keep(device.alloc(compress.layouts[read] as Layout<"c64">, named(read)));
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
        anchors.write(anchorsOf(prepared, window, pulses));
        if (alignment)
          for (const [port, words] of Object.entries(alignmentTables(alignment, ...pulses, shape.pulses))) tables[slot][port].write(words);
        const options = signal ? { signal } : {};
        const { offsets, partials, compiled } = frame;
        const bound = { anchors, image, ...(offsets && { offsets }), ...(partials && { partials }), [read]: profiles ?? samples[slot] };
        const runs = [
          ...(compress && profiles ? [compress.run({ samples: samples[slot], ...tables[slot], [read]: profiles }, options)] : []),
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

function anchorsOf(
  { profiles, grid, shape }: PreparedBackprojection,
  window: GridWindow,
  pulses: readonly [first: number, count: number],
): Uint32Array {
  const { tile, blockTiles, pulses: capacity } = shape;
  const range = { window, pulses, capacity };
  if (blockTiles > 0) return checkedBlockAnchors(profiles, grid as GroundGrid, tile, { blockTiles, ...range }).uints;
  return new Uint32Array(checkedTileAnchors(profiles, grid, tile, range).ints.buffer);
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
