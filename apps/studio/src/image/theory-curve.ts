/** The impulse response of a window in theory, for comparison with a measured cut. */
import { isContinuous, parseWindow, windowSamples, windowTheory } from "@dechirp/radar";
import type { CutCurve } from "@dechirp/sar";

/** A window along an axis of an image, and the width of its response there; a part of `AxisTheory` of `@dechirp/processor`. */
export interface WindowResponse {
  /** For example `taylor:4,-30`. */
  readonly window: string;
  readonly irwPixels: number;
}

/** Samples of the window. A response repeats after as many cells, far beyond the end of cuts. */
const samples = 512;

/** The response at the points of a cut, or undefined for windows that are defined for a number of samples only. Throws `input` for unknown windows. */
export function theoryCurve(
  { window: text, irwPixels }: WindowResponse,
  { firstPixels, stepPixels, power }: CutCurve,
): CutCurve | undefined {
  const window = parseWindow(text);
  if (!isContinuous(window.kind)) return undefined;
  const { irwTimesBandwidth } = windowTheory(window);
  const pixelsPerCell = irwPixels / irwTimesBandwidth;
  const weights = windowSamples(window, samples);
  const sum = weights.reduce((a, b) => a + b, 0);
  const responseAt = (cells: number): number =>
    weights.reduce((total, weight, k) => total + weight * Math.cos(2 * Math.PI * ((k + 0.5) / samples - 0.5) * cells), 0) / sum;
  const theory = power.map((_, i) => responseAt((firstPixels + i * stepPixels) / pixelsPerCell) ** 2);
  return { firstPixels, stepPixels, power: theory };
}
