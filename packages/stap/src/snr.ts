/** The accuracy criterion of the PERFECT suite. */
import { inputError } from "@dechirp/core";

/** The value for equal arrays, by the convention of the suite. */
export const exactSnrDb = 140;

/**
 * 10·log₁₀(Σ|reference|²/Σ|reference − test|²) over all numbers of a stage, at most 140 dB, which equal arrays get (PERFECT suite, manual).
 * It is insensitive to a few large errors: check `worstBlockSnrDb`, too. NaN if one array holds NaN. Throws `input` for lengths that
 * differ.
 */
export const snrDb = (reference: ArrayLike<number>, test: ArrayLike<number>): number => blockSnrDb(reference, test, 0, reference.length);

/**
 * The smallest SNR of consecutive blocks of `blockNumbers` numbers, which shows errors that the sum over everything hides. Throws `input`.
 */
export function worstBlockSnrDb(reference: ArrayLike<number>, test: ArrayLike<number>, blockNumbers: number): number {
  if (!(Number.isInteger(blockNumbers) && blockNumbers > 0)) throw inputError("blockNumbers", "a positive integer", blockNumbers);
  let worst = exactSnrDb;
  for (let at = 0; at < reference.length; at += blockNumbers) {
    worst = Math.min(worst, blockSnrDb(reference, test, at, Math.min(reference.length, at + blockNumbers)));
  }
  return worst;
}

function blockSnrDb(reference: ArrayLike<number>, test: ArrayLike<number>, start: number, end: number): number {
  if (test.length !== reference.length) throw inputError("test.length", `${reference.length}, as the reference's`, test.length);
  let signal = 0;
  let error = 0;
  for (let i = start; i < end; i++) {
    signal += reference[i] * reference[i];
    error += (reference[i] - test[i]) ** 2;
  }
  return error === 0 ? exactSnrDb : Math.min(exactSnrDb, 10 * Math.log10(signal / error));
}
