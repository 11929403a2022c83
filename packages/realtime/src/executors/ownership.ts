/**
 * Who owns which unit, as words in shared memory: a second opinion on the lock. A word is 0 while its unit is idle and the number of a
 * task while that task has it; it changes hands by compare-and-exchange alone, so that two holders of one unit can not both succeed,
 * be they on one thread or on several. Executors on one device may share the words, and then notice each other.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { checkInteger, maxUnits } from "../validate.ts";

export interface Ownership {
  /** One word a unit. */
  readonly words: Int32Array;
  /** Makes the units those of `owner`, a positive integer. On false nothing is: one of them was not idle. */
  take(units: readonly number[], owner: number): boolean;
  /** Gives back what `take` took. False where a word had changed meanwhile; the units are idle all the same. */
  give(units: readonly number[], owner: number): boolean;
  readonly checks: number;
  readonly violations: number;
}

/** Words for `units` units, all idle; shared between threads where the host has memory for that. Throws `input`. */
export function ownerWords(units: number): Int32Array {
  checkInteger(units, "units", 1, maxUnits);
  const size = 4 * units;
  return new Int32Array(typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(size) : new SharedArrayBuffer(size));
}

/** Ownership of `units` units over `words`, or words of its own. Throws `input` where there are too few. */
export function createOwnership(units: number, words: Int32Array = ownerWords(units)): Ownership {
  if (!isArrayOf(words, Int32Array) || words.length < units) throw inputError("owners", `an Int32Array of at least ${units} words`, words);
  let checks = 0;
  let violations = 0;

  const exchange = (unit: number, from: number, to: number): boolean => {
    checks++;
    const expected = Atomics.compareExchange(words, unit, from, to) === from;
    if (!expected) violations++;
    return expected;
  };

  return {
    words,
    take(wanted, owner) {
      const taken = wanted.filter((unit) => exchange(unit, 0, owner));
      if (taken.length === wanted.length) return true;
      for (const unit of taken) Atomics.store(words, unit, 0);
      return false;
    },
    give(held, owner) {
      let sound = true;
      for (const unit of held) {
        if (exchange(unit, owner, 0)) continue;
        sound = false;
        Atomics.store(words, unit, 0);
      }
      return sound;
    },
    get checks() {
      return checks;
    },
    get violations() {
      return violations;
    },
  };
}
