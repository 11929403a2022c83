/** Tests complex transforms of the WASM kernels against float64: every length up to 128, powers, mixed lengths, primes, both directions. */
import { describe, expect, it } from "vitest";
import { factorize, factorsText } from "../src/wasm/factors.ts";
import { bar, bench, definition, noise, reference, relativeError } from "./wasm-support.ts";

const powers = (base: number, most: number): number[] => {
  const list: number[] = [];
  for (let n = base; n <= most; n *= base) list.push(n);
  return list;
};

const sizes = [
  ...Array.from({ length: 128 }, (_, i) => i + 1),
  ...powers(2, 2 ** 18).filter((n) => n > 128),
  ...[3, 5, 7, 11, 13].flatMap((base) => powers(base, 20000)).filter((n) => n > 128),
  ...[1000, 1536, 4095, 251, 1009, 4099, 10007, 2 * 4099, 720, 1584, 6006, 4 * 11 * 13, 8 * 7 * 13],
];

describe("the reference", () => {
  it.each([1, 2, 3, 8, 17, 60, 64, 97])("equals the definition at n = %d", (n) => {
    const x = noise(2 * n, n);
    expect(relativeError(reference(x, n), definition(x, n))).toBeLessThan(1e-12 * n);
  });
});

/** Forward and back, computed once for all builds. */
const references = (() => {
  const known = new Map<number, readonly [Float64Array, Float64Array]>();
  return (x: Float32Array, n: number) => {
    const found = known.get(n) ?? [reference(x, n), reference(x, n, true)];
    known.set(n, found);
    return found;
  };
})();

/** Whether all numbers are identical. Faster than the matcher on long arrays. */
const same = (a: Float32Array, b: Float32Array): boolean => a.length === b.length && a.every((value, i) => Object.is(value, b[i]));

for (const build of [
  { relaxed: false, shared: false },
  { relaxed: true, shared: true },
]) {
  describe(`lines, ${build.relaxed ? "relaxed if available, shared" : "plain"}`, async () => {
    const b = await bench(build);
    it("are transformed and transformed back, in place and not, at every length", () => {
      for (const n of sizes) {
        b.reset();
        const lines = n <= 128 ? 7 : n <= 1024 ? 5 : n <= 8192 ? 2 : 1;
        const forward = b.plan({ kind: "fft", n });
        const backward = b.plan({ kind: "inverse-fft", n });
        const work = b.place(Math.max(forward.rowsWorkBytes, backward.rowsWorkBytes));
        const x = noise(2 * n * lines, n);
        const from = { address: b.place(8 * n * lines, x), pitch: 8 * n };
        const to = { address: b.place(8 * n * lines), pitch: 8 * n };
        b.kernels.rows(forward.address, from, to, lines, work);
        const limit = bar(n, forward.convolved);
        const text = `${forward.text}`;
        const [expected, expectedBack] = references(x, n);
        expect(relativeError(b.floats(to.address, 2 * n * lines), expected), text).toBeLessThanOrEqual(limit);
        expect(same(b.floats(from.address, 2 * n * lines), x), text).toBe(true);
        const there = b.floats(to.address, 2 * n * lines).slice();
        b.kernels.rows(forward.address, from, from, lines, work);
        expect(same(b.floats(from.address, 2 * n * lines), there), `${text} in place`).toBe(true);
        b.floats(from.address, 2 * n * lines).set(x);
        b.kernels.rows(backward.address, from, from, lines, work);
        expect(relativeError(b.floats(from.address, 2 * n * lines), expectedBack), `${text} back`).toBeLessThanOrEqual(limit);
        expect(b.broken(), text).toBe(0);
      }
    });
  });
}

describe("factors", () => {
  it("multiply to n, and chirps are long enough", () => {
    for (let n = 1; n <= 3000; n++) {
      const factors = factorize(n);
      if (factors.mode === "chirp") {
        expect(factors.m).toBeGreaterThanOrEqual(2 * n - 1);
        expect(factorize(factors.m).mode).toBe("within");
        continue;
      }
      const radices = factors.mode === "within" ? [factors.first, ...factors.middle, factors.last ?? 1] : factors.middle;
      expect(
        radices.reduce((product, radix) => product * radix, 1),
        factorsText(factors),
      ).toBe(n);
    }
  });
});
