/**
 * Cuts through the peak of a point target: power between the pixels, on lines along the axes or slanted, and the measures of the impulse
 * response on them. quality.ts finds the peak. Internal to this package.
 */
import { inputError } from "@dechirp/core";
import { type Axis, dot, halfTaps, interpolate, lineThrough, type PixelPosition, type Taps, taps, type View } from "./bandpass.ts";

/** Grid points per pixel on a cut. */
export const perPixel = 32;
/** How many points of a slanted cut one piece of work computes. */
const pieceCutPoints = 64;

/** One cut through the peak, along an image axis. Ratios are of power; energies are sums over the cut in steps of 1/32 pixel. */
export interface CutMetrics {
  /** Impulse response width: full width at half power. */
  readonly irwPixels: number;
  /** Peak side-lobe ratio: the highest side lobe of the cut beyond the first nulls, relative to the peak. −∞ if there is none. */
  readonly pslrDb: number;
  /** Energy of the first `sideLobes` (10) side lobes on each side relative to that of the main lobe, null to null. */
  readonly islrDb: number;
  /** Energy of the whole cut outside the main lobe relative to that of the main lobe. It grows with the length of the cut. */
  readonly islrTotalDb: number;
  /** Signed distance from the peak to the first minimum on the side of lower indices (negative). */
  readonly nullLeftPixels: number;
  /** Signed distance from the peak to the first minimum on the side of higher indices (positive). */
  readonly nullRightPixels: number;
  /** Side lobes that `islrDb` counts on the left and right: fewer than asked for if the cut ends early. */
  readonly sideLobesCounted: readonly [left: number, right: number];
}

/** Power on a cut. */
export interface Cut {
  readonly power: Float64Array;
  /** Index of the peak. */
  readonly peak: number;
}

/** Power along `axis` through the peak, `perPixel` points a pixel, up to `half` pixels or the edge of the image. */
export function cutPower(view: View, peak: PixelPosition, axis: "rows" | "columns", half: number): Cut {
  const along = axis === "rows" ? view.rowAxis : view.columnAxis;
  const middle = axis === "rows" ? peak.row : peak.column;
  const reach = (room: number): number => Math.floor(Math.min(half, along.wrap ? along.n / 2 : Math.max(0, room)) * perPixel);
  const left = reach(middle);
  const right = reach(along.n - 1 - middle);
  const from = Math.floor(middle - left / perPixel) - halfTaps;
  const count = Math.ceil(middle + right / perPixel) + halfTaps + 1 - from;
  const line = axis === "rows" ? lineThrough(view, "columns", peak.column, from, count) : lineThrough(view, "rows", peak.row, from, count);
  const phases = phasesOf(middle, along);
  const power = new Float64Array(left + right + 1);
  for (let i = -left; i <= right; i++) {
    const { re, im } = dot(kernelAt(phases, i), line, from);
    power[i + left] = re * re + im * im;
  }
  return { power, peak: left };
}

/** The kernels at a position and at the points after it, up to a pixel. Points that are a whole number of pixels apart share their weights. */
const phasesOf = (middle: number, { centre }: Axis): readonly Taps[] =>
  Array.from({ length: perPixel }, (_, k) => taps(middle + k / perPixel, centre));

/** The kernel of the point that is i/`perPixel` pixels from the middle of `phases`. */
function kernelAt(phases: readonly Taps[], i: number): Taps {
  const pixels = Math.floor(i / perPixel);
  const { first, weights } = phases[i - pixels * perPixel];
  return { first: first + pixels, weights };
}

/** Power along the line that moves `slope` rows per column, a point every 1/perPixel columns. It ends at the edge of the image. */
export function* slantedCut(view: View, peak: PixelPosition, slope: number, half: number): Generator<void, Cut> {
  const inside = (row: number, column: number): boolean =>
    (view.columnAxis.wrap || (column >= 0 && column <= view.columnAxis.n - 1)) &&
    (view.rowAxis.wrap || (row >= 0 && row <= view.rowAxis.n - 1));
  const phases = phasesOf(peak.column, view.columnAxis);
  function* side(step: 1 | -1): Generator<void, number[]> {
    const power: number[] = [];
    for (let i = 1; i <= half * perPixel; i++) {
      const dx = (step * i) / perPixel;
      const row = peak.row + slope * dx;
      if (!inside(row, peak.column + dx)) break;
      const kernel = kernelAt(phases, step * i);
      const { re, im } = dot(kernel, lineThrough(view, "rows", row, kernel.first, 2 * halfTaps), kernel.first);
      power.push(re * re + im * im);
      if (i % pieceCutPoints === 0) yield;
    }
    return power;
  }
  const { re, im } = interpolate(view, peak.row, peak.column);
  const left = (yield* side(-1)).reverse();
  return { power: Float64Array.from([...left, re * re + im * im, ...(yield* side(1))]), peak: left.length };
}

/** Measures an impulse response. Throws `input` if its main lobe does not lie on the cut. */
export function measureCut({ power, peak }: Cut, sideLobes: number): CutMetrics {
  const left = measureSide(power, peak, -1, sideLobes);
  const right = measureSide(power, peak, 1, sideLobes);
  const sum = (from: number, to: number): number => {
    let total = 0;
    for (let i = Math.max(0, from); i <= Math.min(power.length - 1, to); i++) total += power[i];
    return total;
  };
  const main = sum(left.null, right.null);
  const lobes = sum(left.end, left.null - 1) + sum(right.null + 1, right.end);
  const decibels = (ratio: number): number => 10 * Math.log10(ratio);
  return {
    irwPixels: (left.halfWidth + right.halfWidth) / perPixel,
    pslrDb: decibels(Math.max(left.highest, right.highest) / power[peak]),
    islrDb: decibels(lobes / main),
    islrTotalDb: decibels((sum(0, left.null - 1) + sum(right.null + 1, power.length - 1)) / main),
    nullLeftPixels: (left.null - peak) / perPixel,
    nullRightPixels: (right.null - peak) / perPixel,
    sideLobesCounted: [left.counted, right.counted],
  };
}

/**
 * Measures one side of a cut, walking from the peak in direction `step`. Gives the indices of its null and of the end of its counted lobes.
 */
function measureSide(power: Float64Array, peak: number, step: 1 | -1, sideLobes: number) {
  const inside = (i: number): boolean => i >= 0 && i < power.length;
  const outside = (): Error =>
    inputError("at", "a target whose main lobe lies inside the image", `pixel cut off after ${Math.abs(i - peak) / perPixel}`);
  const half = power[peak] / 2;
  let i = peak;
  while (inside(i) && power[i] > half) i += step;
  if (!inside(i)) throw outside();
  const before = power[i - step];
  const halfWidth = Math.abs(i - step - peak) + (before - half) / (before - power[i]);
  while (inside(i + step) && power[i + step] < power[i]) i += step;
  if (!inside(i + step)) throw outside();
  const firstNull = i;
  let counted = 0;
  let end = i;
  let highest = 0;
  for (i += step; inside(i + step); i += step) {
    const a = power[i - step];
    const b = power[i];
    const c = power[i + step];
    if (b >= a && b > c) highest = Math.max(highest, b + (a - c) ** 2 / (8 * (2 * b - a - c)));
    if (b < a && b <= c && counted < sideLobes) {
      counted++;
      end = i;
    }
  }
  return { halfWidth, null: firstNull, end, counted, highest };
}
