/**
 * The transform lengths that the kit tests: all small ones, powers of small primes, composites, and primes that need Rader's or
 * Bluestein's algorithm.
 */

/** Which lengths to test: "full" for all, "subset" for fewer and shorter ones, for slow devices. */
export type Sizes = "full" | "subset";

const powers = (base: number, from: number, to: number): number[] => {
  const list: number[] = [];
  for (let n = base; n <= to; n *= base) if (n >= from) list.push(n);
  return list;
};

const composites = [187, 493, 1000, 1536, 4095, 6250, 12288, 14400];
const primes = [251, 1009, 4099, 10007];

/** Up to this length whole spectra are compared with the definition; above it, sampled bins. */
export const longestByDefinition = 4100;

/** Lengths up to 128: all of them, or in a subset the powers of small radices and the difficult ones. */
export const shortLengths = (sizes: Sizes): number[] =>
  sizes === "full"
    ? Array.from({ length: 128 }, (_, i) => i + 1)
    : [1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 15, 16, 17, 31, 32, 49, 60, 64, 97, 120, 121, 127, 128];

/** Lengths above 128. */
export function longLengths(sizes: Sizes): number[] {
  if (sizes === "subset") return [243, 251, 256, 343, 625, 1000, 1009, 1024, 2048, 4095, 4096];
  const smooth = [2, 3, 5, 7].flatMap((base) => powers(base, 129, base === 2 ? 2 ** 20 : 20_000));
  return [...smooth, ...composites, ...primes].sort((a, b) => a - b);
}
