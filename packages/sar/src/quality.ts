/**
 * Measures a point target in a focused image: the place of its peak to a thousandth of a pixel, magnitude and phase
 * there, and width and side lobes of the cuts through it. The image is never resampled as a whole: every value between
 * pixels comes from a long band-pass kernel (sinc × Kaiser) that is centred on the spectrum of the target, which squint shifts and
 * wraps. So a cut needs no periodicity, and no edge of a chip leaks into it.
 *
 * Cuts run along the axes of the image. In a squinted image the support of the spectrum is a parallelogram and the range
 * side lobes are slanted. With `rangeCutRowsPerColumn` (of `imageSpectrum`) the range cut follows them and shows
 * the IRW, PSLR and ISLR of the window; along the axis itself it would leave them.
 *
 * Accuracy: the kernel reaches 32 pixels to both sides, so that metrics are accurate (IRW 0.2 %, ratios 0.1 dB, position
 * 0.002 pixel, phase 0.05°) if 32 pixels surround the cut on both axes and the signal fills at most 92 % of the
 * sampled band (oversampling ≥ 1.085). Beyond an edge that does not wrap, pixels count as zero and the cut stops.
 */

import { inputError } from "@dechirp/core";
import { checkObject, runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";
import { dot, halfTaps, index, interpolate, intoAxis, lineThrough, type PixelPosition, taps, type View, visitChip } from "./bandpass.ts";
import { type Cut, type CutMetrics, cutPower, measureCut, perPixel, slantedCut } from "./point-target-cuts.ts";
import { type PointTargetOptions, type PointTargetSettings, pointTargetSettings, type SpectrumOptions } from "./point-target-settings.ts";
import { checkComplexImage } from "./samples.ts";

/** A complex image, row-major, interleaved re, im. Rows are azimuth, columns are range. */
export interface ComplexImage {
  readonly data: ComplexSamples;
  readonly rows: number;
  readonly columns: number;
}

/** Measures of a point target. */
export interface PointTargetQuality {
  /** Position of the peak of the interpolated magnitude, wrapped into the image if the axis wraps. */
  readonly row: number;
  readonly column: number;
  /** Measured minus expected position. */
  readonly rowOffset: number;
  /** Measured minus expected column. */
  readonly columnOffset: number;
  /** Magnitude of the interpolated image at the peak. */
  readonly peakMagnitude: number;
  readonly peakPhaseRadians: number;
  /**
   * Peak power over the mean power in the corners of the chip, the pixels more than half a chip half-length away from the peak
   * in both axes (outside the cross of side lobes): noise, clutter and anything else there. +∞ if they are zero, NaN if there are none.
   */
  readonly snrDb: number;
  readonly azimuthCentreCyclesPerSample: number;
  readonly rangeCentreCyclesPerSample: number;
  readonly azimuth: CutMetrics;
  readonly range: CutMetrics;
}

/**
 * Measures the point target nearest the expected position `at` (fractional pixels): the brightest pixel within
 * `searchHalfPixels`, refined by Newton steps on the interpolated function.
 * Definitions: Cumming & Wong, Digital Processing of SAR Data, section 2.6.2, main lobe counted null to null.
 * Throws `input` for arguments that are not valid, non-finite pixels near the target, an empty neighbourhood, or a main lobe that does
 * not lie inside the image.
 */
export const analysePointTarget = (image: ComplexImage, at: PixelPosition, options: PointTargetOptions = {}): PointTargetQuality =>
  runToEnd(pointTargetSteps(image, at, options));

/**
 * `analysePointTarget` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in
 * the same cases.
 */
export function* pointTargetSteps(
  image: ComplexImage,
  at: PixelPosition,
  options: PointTargetOptions = {},
): Generator<void, PointTargetQuality> {
  checkObject(image, "image", "input");
  checkComplexImage(image.data, image.rows, image.columns, "image.data");
  const settings = pointTargetSettings(image, at, options);
  return yield* measureSteps(wholeView(image.data, settings), at, settings);
}

/** Power along a cut through a target, relative to that of its peak. */
export interface CutCurve {
  /** Distance of the first point from the peak, in pixels; negative. */
  readonly firstPixels: number;
  /** Distance between points, in pixels. Along range, of their columns. */
  readonly stepPixels: number;
  readonly power: Float64Array;
}

/** The cuts through a target that its measures are of. */
export interface PointTargetCuts {
  readonly azimuth: CutCurve;
  readonly range: CutCurve;
}

/**
 * The cuts through a target that `analysePointTarget` has measured, for figures. `measured` and `options` are its result and its options. Throws
 * `input`, as it does.
 */
export const pointTargetCuts = (image: ComplexImage, measured: PointTargetQuality, options: PointTargetOptions = {}): PointTargetCuts =>
  runToEnd(pointTargetCutSteps(image, measured, options));

/** `pointTargetCuts` in steps of milliseconds, for `runInPieces` of core. Throws in the same cases. */
export function* pointTargetCutSteps(
  image: ComplexImage,
  measured: PointTargetQuality,
  options: PointTargetOptions = {},
): Generator<void, PointTargetCuts> {
  checkObject(image, "image", "input");
  checkObject(measured, "measured", "input");
  checkComplexImage(image.data, image.rows, image.columns, "image.data");
  const { row, column, azimuthCentreCyclesPerSample, rangeCentreCyclesPerSample } = measured;
  const settings = pointTargetSettings(image, { row, column }, { ...options, azimuthCentreCyclesPerSample, rangeCentreCyclesPerSample });
  const view = withCentres(wholeView(image.data, settings), measured, settings.options);
  yield;
  const azimuth = cutPower(view, measured, "rows", settings.cutHalf);
  yield;
  const range = yield* rangeCut(view, measured, settings);
  const curve = ({ power, peak }: Cut): CutCurve => {
    const most = power[peak];
    return { firstPixels: -peak / perPixel, stepPixels: 1 / perPixel, power: power.map((one) => one / most) };
  };
  return { azimuth: curve(azimuth), range: curve(range) };
}

/** The cut along range, slanted as the settings say. */
function* rangeCut(view: View, peak: PixelPosition, { slope, cutHalf }: PointTargetSettings): Generator<void, Cut> {
  return slope === 0 ? cutPower(view, peak, "columns", cutHalf) : yield* slantedCut(view, peak, slope, cutHalf);
}

/** Measures a target in a view of an image, which need not have more than `pointTargetReach` pixels around the target. */
export function* measureSteps(view: View, at: PixelPosition, settings: PointTargetSettings): Generator<void, PointTargetQuality> {
  const { options, search, cutHalf, sideLobes } = settings;
  const coarse = brightestPixel(view, at, search);
  yield;
  const centred = withCentres(view, coarse, options);
  yield;
  const peak = refinePeak(centred, coarse);
  yield;
  const power = peak.re * peak.re + peak.im * peak.im;
  const azimuth = measureCut(cutPower(centred, peak, "rows", cutHalf), sideLobes);
  yield;
  const range = yield* rangeCut(centred, peak, settings);
  return {
    row: intoAxis(peak.row, centred.rowAxis),
    column: intoAxis(peak.column, centred.columnAxis),
    rowOffset: peak.row - at.row,
    columnOffset: peak.column - at.column,
    peakMagnitude: Math.sqrt(power),
    peakPhaseRadians: Math.atan2(peak.im, peak.re),
    snrDb: 10 * Math.log10(power / cornerPower(centred, peak, centred.chipHalf)),
    azimuthCentreCyclesPerSample: centred.rowAxis.centre,
    rangeCentreCyclesPerSample: centred.columnAxis.centre,
    azimuth,
    range: measureCut(range, sideLobes),
  };
}

/** Phase in radians, −π…π, of the band-pass interpolated image at exactly `at`. Options and errors are those of `analysePointTarget`. */
export function interpolatePhase(image: ComplexImage, at: PixelPosition, options: SpectrumOptions = {}): number {
  checkObject(image, "image", "input");
  checkComplexImage(image.data, image.rows, image.columns, "image.data");
  return phaseIn(wholeView(image.data, pointTargetSettings(image, at, options)), at, options);
}

/** `interpolatePhase` in a view that has the neighbourhood of `at`. */
export function phaseIn(view: View, at: PixelPosition, options: SpectrumOptions): number {
  const { re, im } = interpolate(withCentres(view, at, options), at.row, at.column);
  return Math.atan2(im, re);
}

const wholeView = (data: ComplexSamples, { rowAxis, columnAxis, chipHalf }: PointTargetSettings): View => ({
  data,
  rowAxis,
  columnAxis,
  chipHalf,
});

function brightestPixel(view: View, at: PixelPosition, half: number): PixelPosition {
  const { data } = view;
  let best: PixelPosition = at;
  let most = 0;
  visitChip(view, at, half, (i, row, column) => {
    const power = data[i] * data[i] + data[i + 1] * data[i + 1];
    if (!Number.isFinite(power)) throw inputError("image.data", "finite near the target", `${data[i]}, ${data[i + 1]}`);
    if (power > most) {
      most = power;
      best = { row, column };
    }
  });
  if (most === 0) throw inputError("image.data", `not all zero within ${half} pixels of the target`, "all zero");
  return best;
}

/** The view with the spectral centres that are given, or else estimated from the phase between pixels (power-weighted mean frequency). */
function withCentres(view: View, at: PixelPosition, options: SpectrumOptions): View {
  const { data } = view;
  const sums = { rows: [0, 0], columns: [0, 0] };
  const add = (sum: number[], i: number, k: number): void => {
    sum[0] += data[i] * data[k] + data[i + 1] * data[k + 1];
    sum[1] += data[i] * data[k + 1] - data[i + 1] * data[k];
  };
  visitChip(view, at, view.chipHalf, (i, r, c) => {
    const row = index(r, view.rowAxis);
    const down = index(r + 1, view.rowAxis);
    const column = index(c, view.columnAxis);
    const right = index(c + 1, view.columnAxis);
    if (down >= 0) add(sums.rows, i, 2 * (down * view.columnAxis.held + column));
    if (right >= 0) add(sums.columns, i, 2 * (row * view.columnAxis.held + right));
  });
  for (const sum of [...sums.rows, ...sums.columns]) {
    if (!Number.isFinite(sum)) throw inputError("image.data", "finite near the target", sum);
  }
  const frequency = (sum: number[]): number => Math.atan2(sum[1], sum[0]) / (2 * Math.PI);
  return {
    ...view,
    rowAxis: { ...view.rowAxis, centre: options.azimuthCentreCyclesPerSample ?? frequency(sums.rows) },
    columnAxis: { ...view.columnAxis, centre: options.rangeCentreCyclesPerSample ?? frequency(sums.columns) },
  };
}

/**
 * Newton's method on the logarithm of power, which is concave across a whole main lobe (power itself is not). Derivatives come from central
 * differences of shrinking step. The result stays within a pixel of the start.
 */
function refinePeak(view: View, start: PixelPosition): PixelPosition & { re: number; im: number } {
  let { row, column } = start;
  for (const step of [0.25, 0.25, 0.1, 0.05, 0.02, 0.02]) {
    const from = Math.floor(column) - halfTaps - 1;
    const kernels = [-step, 0, step].map((d) => taps(column + d, view.columnAxis.centre));
    const p = [-step, 0, step].map((d) => {
      const line = lineThrough(view, "rows", row + d, from, 2 * halfTaps + 4);
      return kernels.map((kernel) => {
        const { re, im } = dot(kernel, line, from);
        return Math.log(re * re + im * im);
      });
    });
    const gr = (p[2][1] - p[0][1]) / (2 * step);
    const gc = (p[1][2] - p[1][0]) / (2 * step);
    const hrr = (p[2][1] - 2 * p[1][1] + p[0][1]) / step ** 2;
    const hcc = (p[1][2] - 2 * p[1][1] + p[1][0]) / step ** 2;
    const hrc = (p[2][2] - p[2][0] - p[0][2] + p[0][0]) / (4 * step ** 2);
    const determinant = hrr * hcc - hrc * hrc;
    // The curvature is not that of a maximum (clutter, a plateau): the brightest pixel is the best answer.
    if (!(hrr < 0 && hcc < 0 && determinant > 0)) break;
    const clamp = (value: number, middle: number): number => Math.min(middle + 1, Math.max(middle - 1, value));
    row = clamp(row - (hcc * gr - hrc * gc) / determinant, start.row);
    column = clamp(column - (hrr * gc - hrc * gr) / determinant, start.column);
  }
  return { row, column, ...interpolate(view, row, column) };
}

/** Mean power of the pixels more than half of `half` away from the peak in both axes; NaN if there are none. */
function cornerPower(view: View, at: PixelPosition, half: number): number {
  let sum = 0;
  let count = 0;
  visitChip(view, at, half, (i, r, c) => {
    if (Math.abs(r - at.row) <= half / 2 || Math.abs(c - at.column) <= half / 2) return;
    sum += view.data[i] * view.data[i] + view.data[i + 1] * view.data[i + 1];
    count++;
  });
  return sum / count;
}
