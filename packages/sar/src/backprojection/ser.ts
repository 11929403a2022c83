/** The signal-to-error ratio, by which the accuracy of backprojectors is compared. */
import { inputError } from "@dechirp/core";

/**
 * 10·log₁₀(Σ|reference|²/Σ|actual − reference|²) over all numbers of two arrays: the signal-to-error ratio in dB.
 * +∞ if they are equal, NaN if one holds NaN. Throws `input` for arrays of different lengths.
 */
export function signalToErrorDb(actual: ArrayLike<number>, reference: ArrayLike<number>): number {
  if (actual.length !== reference.length) throw inputError("actual.length", `${reference.length}, as the reference's`, actual.length);
  let signal = 0;
  let error = 0;
  for (let i = 0; i < reference.length; i++) {
    signal += reference[i] * reference[i];
    error += (actual[i] - reference[i]) ** 2;
  }
  return error === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10(signal / error);
}
