/** Transform lengths of the kit: every small one, powers of small primes, composites, and primes that need Rader or Bluestein. */

export type Sizes = "full" | "subset";

const powers = (base: number, from: number, to: number): number[] => {
  const list: number[] = [];
  for (let n = base; n <= to; n *= base) if (n >= from) list.push(n);
  return list;
};

const composites = [1000, 1536, 4095];
const primes = [251, 1009, 4099, 10007];

/** Up to here whole spectra are compared with the definition; above, sampled bins. */
export const longestByDefinition = 4100;

/** Every n from 1 to 128; a power of each small radix and the awkward ones of those in a subset. */
export const shortLengths = (sizes: Sizes): number[] =>
  sizes === "full"
    ? Array.from({ length: 128 }, (_, i) => i + 1)
    : [1, 2, 3, 4, 5, 6, 7, 8, 11, 13, 16, 17, 31, 32, 49, 60, 64, 97, 120, 121, 127, 128];

/** Lengths above 128. */
export function longLengths(sizes: Sizes): number[] {
  if (sizes === "subset") return [243, 251, 256, 343, 625, 1000, 1009, 1024, 2048, 4095, 4096];
  const smooth = [2, 3, 5, 7].flatMap((base) => powers(base, 129, base === 2 ? 2 ** 20 : 20_000));
  return [...smooth, ...composites, ...primes].sort((a, b) => a - b);
}
