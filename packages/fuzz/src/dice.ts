/** Random choices from a seed. Equal seed, target and number give equal choices, so these three identify a case. */
import { createRandom } from "@dechirp/core";

export interface Dice {
  /** An integer from 0 to `n` − 1. */
  below(n: number): number;
  chance(share: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** A length from 1 to `most`; short ones are more frequent. */
  length(most: number): number;
}

/** FNV-1a hash. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

export function createDice(seed: number, target: string, number: number): Dice {
  const random = createRandom(seed, hash(`${target} ${number}`));
  const below = (n: number): number => Math.floor(random.uniform() * n);
  return {
    below,
    chance: (share) => random.uniform() < share,
    pick: (list) => list[below(list.length)],
    length: (most) => Math.max(1, Math.floor(most ** random.uniform())),
  };
}

/** The dice of case `number`. Case 0 has none: it runs the sound input. */
export const diceOf = (seed: number, target: string, number: number): Dice | undefined =>
  number === 0 ? undefined : createDice(seed, target, number);
