/**
 * Seeded random numbers by xoshiro128** (Blackman & Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47, 2021; the
 * algorithm is in the public domain), seeded through the finaliser of MurmurHash3. The same seed and stream give the same numbers.
 * Different streams of one seed are independent for all practical purposes, so a simulation can draw line p without drawing the lines
 * before it. Do not use it for secrets.
 */
import { inputError } from "./errors.ts";

/** A seeded source of random numbers. The same seed gives the same numbers on every machine. */
export interface Random {
  /** 32 random bits as an integer from 0 to 2³² − 1. */
  uint32(): number;
  /** Uniform in [0, 1) with 53 random bits. */
  uniform(): number;
  /** Normal with mean 0 and variance 1 (Marsaglia's polar method). */
  gaussian(): number;
}

/** Throws `input`, naming `field`, unless `seed` is an integer from 0 to 2³² − 1. */
export function checkSeed(seed: number, field = "seed"): void {
  if (!Number.isInteger(seed) || seed < 0 || seed > 0xffffffff) throw inputError(field, "an integer from 0 to 4294967295", seed);
}

/** The 32-bit finaliser of MurmurHash3, a hash of one word. Every bit of `h` affects every bit of the result. */
export function mix32(h: number): number {
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/** Makes a random source. `seed` and `stream` (default: 0) are integers from 0 to 2³² − 1. Throws `input` if they are not. */
export function createRandom(seed: number, stream = 0): Random {
  checkSeed(seed);
  checkSeed(stream, "stream");
  // The state comes from a Weyl sequence through the mixer, started from both numbers. It can't be all zeros: mix32 is a permutation and
  // its four inputs differ.
  let weyl = mix32(seed ^ mix32((stream + 0x9e3779b9) >>> 0));
  const next = (): number => {
    weyl = (weyl + 0x9e3779b9) >>> 0;
    return mix32(weyl ^ seed);
  };
  let a = next();
  let b = next();
  let c = next();
  let d = next();
  let spare = Number.NaN;

  const uint32 = (): number => {
    const five = Math.imul(b, 5);
    const result = Math.imul((five << 7) | (five >>> 25), 9) >>> 0;
    const t = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= t;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  const uniform = (): number => ((uint32() >>> 5) * 67108864 + (uint32() >>> 6)) / 9007199254740992;
  const gaussian = (): number => {
    if (!Number.isNaN(spare)) {
      const value = spare;
      spare = Number.NaN;
      return value;
    }
    for (;;) {
      const x = 2 * uniform() - 1;
      const y = 2 * uniform() - 1;
      const s = x * x + y * y;
      if (s >= 1 || s === 0) continue;
      const scale = Math.sqrt((-2 * Math.log(s)) / s);
      spare = y * scale;
      return x * scale;
    }
  };
  return { uint32, uniform, gaussian };
}
