/**
 * Records in shared memory which task owns which unit, as an independent check of the lock. A word is 0 while its unit is idle, and the
 * number of a task while that task owns the unit. Words change by compare-and-exchange only, so two owners of a unit can not both succeed,
 * on one thread or several. Executors on one device may share the words, and then detect each other's units.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { checkInteger, maxUnits } from "../validate.ts";

/** The ownership words of an executor's units. */
export interface Ownership {
  /** One word per unit. */
  readonly words: Int32Array;
  /** Assigns the units to `owner`, a positive integer. Returns false and assigns none if one of them was not idle. */
  take(units: readonly number[], owner: number): boolean;
  /** Releases what `take` took. Returns false if a word had changed meanwhile; the units become idle in any case. */
  give(units: readonly number[], owner: number): boolean;
  readonly checks: number;
  readonly violations: number;
}

/** Creates ownership words for `units` units, all idle. They are in shared memory if the host has it. Throws `input`. */
export function ownerWords(units: number): Int32Array {
  checkInteger(units, "units", 1, maxUnits);
  const size = 4 * units;
  return new Int32Array(typeof SharedArrayBuffer === "undefined" ? new ArrayBuffer(size) : new SharedArrayBuffer(size));
}

/** Ownership of `units` units in `words`, by default new ones. Throws `input` if there are fewer words than units. */
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
