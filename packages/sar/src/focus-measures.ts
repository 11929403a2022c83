/**
 * Entropy, contrast and peak over mean of a complex image that comes in parts. Each part is measured with two passes, as entropy.ts
 * measures an image, and then joined to what is known: entropies by the grouping rule of entropy, means and variances by the update of
 * Chan, Golub and LeVeque. All quantities that are kept are relative to the energy so far, so that no scale of the image over- or
 * underflows them, and no difference of large sums is formed.
 * Source: Chan, Golub & LeVeque, "Algorithms for computing the sample variance", The American Statistician 37 (1983).
 */
import { inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { type ComplexSamples, checkImageWindow, createImageRegion, formatImageWindow, type ImageWindow } from "@dechirp/radar";
import { checkEnergy } from "./entropy.ts";
import { checkComplexImage } from "./samples.ts";
import type { WindowSums } from "./window-sums.ts";

/** Measures of the focus of a whole image. */
export interface FocusMeasures {
  /** Entropy in nats, as of `imageEntropy`. */
  readonly entropy: number;
  /** As of `imageContrast`. */
  readonly contrast: number;
  /** As of the function `peakToMeanDb`. */
  readonly peakToMeanDb: number;
}

/** Something that takes an image in parts. */
export interface PartTaker {
  /**
   * Takes one part: [rows][columns] of the window, complex interleaved. Parts may come in any order. Nothing of `data` is kept. Throws
   * `input` for a window that is not inside the image or has been taken, and for bad data.
   */
  add(window: ImageWindow, data: ComplexSamples): void;
  /** `add` in steps of milliseconds, for `runInPieces` of core. The steps must be run to their end before another part is added. */
  addSteps(window: ImageWindow, data: ComplexSamples): Generator<void, void>;
}

/** Something that takes the sums of parts, which a device has made (window-sums.ts). */
export interface SumsTaker {
  /** Takes the sums of one part in place of its pixels. Throws `input` for a window that is not inside the image or has been taken. */
  addSums(sums: WindowSums): void;
}

/** Measures the focus of an image whose parts pass by. */
export interface FocusAccumulator extends PartTaker, SumsTaker {
  /** The measures of the parts so far. Throws `input` if there are no pixels, if one is not finite, or if all are zero. */
  finish(): FocusMeasures;
}

/** How many numbers one piece of work measures. */
const pieceNumbers = 2 ** 16;

/**
 * Makes an accumulator of entropy, contrast and peak over mean for an image of `rows` × `columns` pixels. The results equal those of
 * `imageEntropy`, `imageContrast` and `peakToMeanDb` to the rounding of float64. The parts and their order change no more than that. Throws
 * `input`.
 */
export function createFocusAccumulator(rows: number, columns: number): FocusAccumulator {
  const check = createPartCheck(rows, columns);
  let pixels = 0;
  let energy = 0;
  let peak = 0;
  /** Entropy of the shares of energy, in nats. */
  let entropy = 0;
  /** Σ(I − mean)² over pixels, divided by mean². */
  let spread = 0;

  function* addSteps(window: ImageWindow, data: ComplexSamples): Generator<void, void> {
    check(window, data);
    for (let from = 0; from < data.length; from += pieceNumbers) {
      join(data, from, Math.min(data.length, from + pieceNumbers));
      yield;
    }
  }

  function join(data: ComplexSamples, from: number, to: number): void {
    const count = (to - from) / 2;
    let sum = 0;
    for (let i = from; i < to; i += 2) {
      const power = data[i] * data[i] + data[i + 1] * data[i + 1];
      sum += power;
      if (power > peak) peak = power;
    }
    let [shares, deviations] = [0, 0];
    const mean = sum / count;
    if (sum > 0 && Number.isFinite(sum)) {
      for (let i = from; i < to; i += 2) {
        const power = data[i] * data[i] + data[i + 1] * data[i + 1];
        const share = power / sum;
        if (share > 0) shares -= share * Math.log(share);
        const deviation = power / mean - 1;
        deviations += deviation * deviation;
      }
    }
    merge(count, sum, shares, deviations);
  }

  /** Joins `count` pixels of energy `sum`: `shares` is the entropy of their powers, `deviations` is Σ(I/mean − 1)². */
  function merge(count: number, sum: number, shares: number, deviations: number): void {
    const all = energy + sum;
    const [oldMean, mean, newMean] = [energy / (pixels || 1), sum / count, all / (pixels + count)];
    if (all > 0 && Number.isFinite(all)) {
      const [a, b] = [energy / all, sum / all];
      entropy = (a > 0 ? a * (entropy - Math.log(a)) : 0) + (b > 0 ? b * (shares - Math.log(b)) : 0);
      const [p, q] = [oldMean / newMean, mean / newMean];
      spread = spread * p * p + deviations * q * q + (p - q) ** 2 * ((pixels * count) / (pixels + count));
    }
    energy = all;
    pixels += count;
  }

  function addSums({ window, peaks, powers, squares }: WindowSums): void {
    check.take(window);
    const count = window.columns;
    for (let row = 0; row < window.rows; row++) {
      const [sum, weighted, scale] = [powers[2 * row], powers[2 * row + 1], peaks[row] * peaks[row]];
      const mean = sum / count;
      if (sum > 0) merge(count, sum * scale, Math.log(sum) - weighted / sum, Math.max(0, squares[row] / mean / mean - count));
      else merge(count, sum * scale, 0, 0);
      peak = Math.max(peak, scale);
    }
  }

  return {
    addSteps,
    addSums,
    add: (window, data) => runToEnd(addSteps(window, data)),
    finish() {
      if (pixels === 0) throw inputError("window", "given before the end", undefined);
      checkEnergy(energy);
      // Rounding may leave −1e-16 for a single pixel.
      return {
        entropy: Math.max(0, entropy),
        contrast: Math.sqrt(spread / pixels),
        peakToMeanDb: 10 * Math.log10(peak / (energy / pixels)),
      };
    },
  };
}

/** Makes the check of parts that all takers have: inside the image, not taken yet, and with as many numbers as pixels. */
export function createPartCheck(rows: number, columns: number) {
  for (const [field, value] of Object.entries({ rows, columns }))
    if (!Number.isSafeInteger(value) || value < 1) throw inputError(field, "a positive integer", value);
  const taken = createImageRegion();
  const check = (window: ImageWindow, data: ComplexSamples): void => {
    checkImageWindow(window, rows, columns);
    checkComplexImage(data, window.rows, window.columns, "data");
    check.take(window);
  };
  /** Takes a window without its data. */
  check.take = (window: ImageWindow): void => {
    checkImageWindow(window, rows, columns);
    const twice = taken.overlap(window);
    if (twice) throw inputError("window", `a part that is not taken yet; ${formatImageWindow(twice)} are`, formatImageWindow(window));
    taken.add(window);
  };
  /** Throws `input`, which names the first missing part of a window, if one is missing. */
  check.complete = (window: ImageWindow): void => {
    const missing = taken.missing(window);
    if (missing) throw inputError("window", `added before the end; ${formatImageWindow(missing)} are missing`, undefined);
  };
  return check;
}
