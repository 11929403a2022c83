/**
 * Measures a point of an image in the worker that keeps it, as `analysePointTarget` does in the whole image: only the pixels that a measurement
 * reads are taken from the store.
 */
import { createPause, runInPieces } from "@dechirp/core";
import {
  type PointTargetCuts,
  type PointTargetOptions,
  type PointTargetQuality,
  pointTargetCutSteps,
  pointTargetSteps,
} from "@dechirp/sar";
import type { PixelPlace } from "./settings.ts";
import type { ImageStore } from "./store.ts";

/** A measured point. Rows and columns are those of the image. */
export interface PointMeasures {
  readonly quality: PointTargetQuality;
  readonly cuts: PointTargetCuts;
}

/** Defaults of `PointTargetOptions`, and the pixels beyond a cut or a chip that the interpolation reads, with some to spare. */
const standard = { searchHalfPixels: 4, cutHalfPixels: 64, chipHalfPixels: 32 };
const beyond = 40;

/** Pixels of an axis from `first` on, over its end if it wraps. */
interface Span {
  readonly first: number;
  readonly count: number;
  /** Whether this is the whole axis. */
  readonly isWhole: boolean;
}

function spanOf(at: number, reach: number, pixels: number, wraps: boolean): Span {
  const middle = Math.round(at);
  if (2 * reach + 1 >= pixels) return { first: 0, count: pixels, isWhole: true };
  if (wraps) return { first: (middle - reach + pixels) % pixels, count: 2 * reach + 1, isWhole: false };
  const first = Math.max(0, middle - reach);
  return { first, count: Math.min(pixels - 1, middle + reach) - first + 1, isWhole: false };
}

/** The windows that spans have, each with its place in an array of the spans. */
function windowsOf(down: Span, across: Span, rows: number, columns: number) {
  const parts = ({ first, count }: Span, pixels: number): readonly (readonly [from: number, count: number, to: number])[] => {
    const before = Math.min(count, pixels - first);
    return before === count
      ? [[first, count, 0]]
      : [
          [first, before, 0],
          [0, count - before, before],
        ];
  };
  return parts(down, rows).flatMap(([row, height, top]) =>
    parts(across, columns).map(([column, width, left]) => ({ window: { row, column, rows: height, columns: width }, top, left })),
  );
}

/** Measures the point target at or near a place, and its cuts. Rejects with what `analysePointTarget` throws, and with `aborted`. */
export async function measurePoint(
  { facts, read }: Pick<ImageStore, "facts" | "read">,
  place: PixelPlace,
  options: PointTargetOptions = {},
  signal?: AbortSignal,
): Promise<PointMeasures> {
  const { rows, columns } = facts;
  const { searchHalfPixels, cutHalfPixels, chipHalfPixels } = { ...standard, ...options };
  const slope = Math.max(1, Math.abs(options.rangeCutRowsPerColumn ?? 0));
  const reach = (cut: number): number => searchHalfPixels + Math.ceil(Math.max(chipHalfPixels, cut)) + beyond;
  const down = spanOf(place.row, reach(slope * cutHalfPixels), rows, options.wrapRows ?? false);
  const across = spanOf(place.column, reach(cutHalfPixels), columns, options.wrapColumns ?? false);
  const data = new Float32Array(2 * down.count * across.count);
  for (const { window, top, left } of windowsOf(down, across, rows, columns)) {
    const pixels = await read(window);
    for (let r = 0; r < window.rows; r++) {
      const from = 2 * r * window.columns;
      data.set(pixels.subarray(from, from + 2 * window.columns), 2 * ((top + r) * across.count + left));
    }
  }
  const image = { data, rows: down.count, columns: across.count };
  const inside = (at: number, span: Span, pixels: number): number => (span.isWhole ? at : (at - span.first + pixels) % pixels);
  const own: PointTargetOptions = {
    ...options,
    wrapRows: (options.wrapRows ?? false) && down.isWhole,
    wrapColumns: (options.wrapColumns ?? false) && across.isWhole,
  };
  const at = { row: inside(place.row, down, rows), column: inside(place.column, across, columns) };
  const run = <T>(work: Generator<void, T>): Promise<T> => runInPieces(work, createPause("measuring", signal));
  const quality = await run(pointTargetSteps(image, at, own));
  const cuts = await run(pointTargetCutSteps(image, quality, own));
  const row = (quality.row + (down.isWhole ? 0 : down.first)) % rows;
  const column = (quality.column + (across.isWhole ? 0 : across.first)) % columns;
  return { quality: { ...quality, row, column }, cuts };
}
