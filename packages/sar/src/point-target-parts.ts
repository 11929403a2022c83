/**
 * Point targets of a complex image that comes in parts: the pixels around each expected position are kept as they pass by, and the target is
 * measured in this patch by the code that measures in an image (quality.ts). A patch has all pixels that a measurement may read.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf, runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples, ImageWindow } from "@dechirp/radar";
import type { Axis, PixelPosition } from "./bandpass.ts";
import { createPartCheck, type PartTaker } from "./focus-measures.ts";
import { type PointTargetOptions, type PointTargetSettings, pointTargetReach, pointTargetSettings } from "./point-target-settings.ts";
import { measureSteps, type PointTargetQuality, phaseIn } from "./quality.ts";

/** A target to be measured: its expected position in the image, fractional pixels, and options of its own. */
export interface ExpectedTarget extends PixelPosition {
  readonly options?: PointTargetOptions;
}

/** Measures point targets of an image whose parts pass by. */
export interface PointTargetCollector extends PartTaker {
  /** Bytes of all patches, if the image is float32; twice as many if it is float64. */
  readonly patchBytes: number;
  /** Whether a part holds pixels of a patch. Other parts need not be added. */
  needs(window: ImageWindow): boolean;
  /**
   * Measures target `index`, as `analysePointTarget` does in the whole image, with the same bits. Throws what it throws, and `input` if a part
   * of the target's patch has not been added.
   */
  measure(index: number): PointTargetQuality;
  /** `measure` in steps of milliseconds, for `runInPieces` of core. */
  measureSteps(index: number): Generator<void, PointTargetQuality>;
  /** Phase at the expected position of target `index`, as of `interpolatePhase`. Throws as `measure` does. */
  phase(index: number): number;
}

/** The pixels around a target. */
interface Patch {
  readonly at: PixelPosition;
  readonly settings: PointTargetSettings;
  readonly rowAxis: Axis;
  readonly columnAxis: Axis;
  /** The windows of the image that the patch has: one, or up to four if axes wrap. */
  readonly windows: readonly ImageWindow[];
  data: ComplexSamples | undefined;
}

/** The most numbers of all patches together. */
const mostNumbers = 2 ** 28;

/**
 * Makes a collector of the neighbourhoods of targets in an image of `rows` × `columns` pixels. A patch has 207 × 207 pixels by default, or
 * the image if that is smaller. It is kept in the type of the image's parts, which must be the same for all. Throws `input`, as
 * `analysePointTarget` does for positions and options, and if patches would have more than 2^28 numbers.
 */
export function createPointTargetCollector(rows: number, columns: number, targets: readonly ExpectedTarget[]): PointTargetCollector {
  const check = createPartCheck(rows, columns);
  if (!Array.isArray(targets)) throw inputError("targets", "a list of positions", targets);
  const patches = targets.map((target): Patch => patchOf(rows, columns, target));
  const numbers = patches.reduce((sum, { rowAxis, columnAxis }) => sum + 2 * rowAxis.held * columnAxis.held, 0);
  if (numbers > mostNumbers) throw inputError("targets", `fewer or with smaller patches, at most ${mostNumbers} numbers`, numbers);
  let type: Float32ArrayConstructor | Float64ArrayConstructor | undefined;

  function* addSteps(window: ImageWindow, data: ComplexSamples): Generator<void, void> {
    const given = isArrayOf(data, Float32Array) ? Float32Array : Float64Array;
    if (type && isArrayOf(data, Float32Array, Float64Array) && given !== type) throw inputError("data", `a ${type.name}, as before`, data);
    check(window, data);
    type = given;
    for (const patch of patches) if (copyInto(patch, window, data, type)) yield;
  }
  /** A patch that is complete, and the pixels that it has. */
  function viewOf(index: number) {
    const patch = patches[index];
    if (!patch) throw inputError("index", `an integer from 0 to ${patches.length - 1}`, index);
    for (const window of patch.windows) check.complete(window);
    const { settings, rowAxis, columnAxis, data } = patch;
    return { ...patch, view: { data: data as ComplexSamples, rowAxis, columnAxis, chipHalf: settings.chipHalf } };
  }
  function* measure(index: number): Generator<void, PointTargetQuality> {
    const { at, settings, view } = viewOf(index);
    return yield* measureSteps(view, at, settings);
  }
  return {
    patchBytes: 4 * numbers,
    needs: (window) => patches.some(({ windows }) => windows.some((one) => common(one, window))),
    addSteps,
    add: (window, data) => runToEnd(addSteps(window, data)),
    measureSteps: measure,
    measure: (index) => runToEnd(measure(index)),
    phase(index) {
      const { at, view } = viewOf(index);
      return phaseIn(view, at, targets[index].options ?? {});
    },
  };
}

function patchOf(rows: number, columns: number, target: ExpectedTarget): Patch {
  const { options = {}, row, column } = (target ?? {}) as ExpectedTarget;
  const at: PixelPosition = { row, column };
  const settings = pointTargetSettings({ rows, columns }, at, options);
  const [down, across] = pointTargetReach(settings);
  const rowAxis = held(settings.rowAxis, row, down);
  const columnAxis = held(settings.columnAxis, column, across);
  const windows = spans(rowAxis).flatMap(([top, height]) =>
    spans(columnAxis).map(([left, width]) => ({ row: top, column: left, rows: height, columns: width })),
  );
  return { at, settings, rowAxis, columnAxis, windows, data: undefined };
}

/** The axis with the pixels within `reach` of a position. */
function held(axis: Axis, position: number, reach: number): Axis {
  const middle = Math.round(position);
  if (2 * reach + 1 >= axis.n) return axis;
  if (axis.wrap) return { ...axis, from: (((middle - reach) % axis.n) + axis.n) % axis.n, held: 2 * reach + 1 };
  const from = Math.max(0, middle - reach);
  return { ...axis, from, held: Math.min(axis.n - 1, middle + reach) - from + 1 };
}

/** The pixels that an axis holds, as one or two spans of first and count. */
function spans({ from, held: count, n }: Axis): readonly (readonly [first: number, count: number])[] {
  const before = Math.min(count, n - from);
  return before === count
    ? [[from, count]]
    : [
        [from, before],
        [0, count - before],
      ];
}

/** What two windows have in common. */
function common(a: ImageWindow, b: ImageWindow) {
  const [top, bottom] = [Math.max(a.row, b.row), Math.min(a.row + a.rows, b.row + b.rows)];
  const [left, right] = [Math.max(a.column, b.column), Math.min(a.column + a.columns, b.column + b.columns)];
  return top < bottom && left < right ? { top, bottom, left, right } : undefined;
}

/** Copies what a part and a patch have in common. Returns whether there was anything. */
function copyInto(patch: Patch, part: ImageWindow, data: ComplexSamples, Type: Float32ArrayConstructor | Float64ArrayConstructor): boolean {
  const { rowAxis, columnAxis, windows } = patch;
  const place = (pixel: number, { from, n }: Axis): number => (pixel < from ? pixel - from + n : pixel - from);
  let any = false;
  for (const window of windows) {
    const shared = common(window, part);
    if (!shared) continue;
    any = true;
    const { top, bottom, left, right } = shared;
    patch.data ??= new Type(2 * rowAxis.held * columnAxis.held);
    for (let row = top; row < bottom; row++) {
      const from = 2 * ((row - part.row) * part.columns + left - part.column);
      const to = 2 * (place(row, rowAxis) * columnAxis.held + place(left, columnAxis));
      patch.data.set(data.subarray(from, from + 2 * (right - left)), to);
    }
  }
  return any;
}
