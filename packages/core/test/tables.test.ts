/**
 * Tests, to the last bits of float64, of the functions that make tables: roots of unity, chirps, transforms by stages, spectra of chirps.
 */
import { describe, expect, it } from "vitest";
import { nextFastLength } from "../src/fast-length.ts";
import { runInPieces } from "../src/pieces.ts";
import { chirpSpectrum, isSmooth, lineStages, matrixOf, putChirp, putRoot, rootsOf, runStages, unitRoot } from "../src/tables.ts";

const epsilon = 2 ** -52;

/** The DFT by definition. */
function dft(x: ArrayLike<number>): Float64Array {
  const n = x.length / 2;
  const y = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      const [re, im] = unitRoot(i * k, n);
      y[2 * k] += x[2 * i] * re - x[2 * i + 1] * im;
      y[2 * k + 1] += x[2 * i] * im + x[2 * i + 1] * re;
    }
  }
  return y;
}

function relative(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let error = 0;
  let energy = 0;
  for (let i = 0; i < b.length; i++) {
    error += (a[i] - b[i]) ** 2;
    energy += b[i] ** 2;
  }
  return Math.sqrt(error / energy);
}

/** exp(jπi²/n) for |i| < n, wrapped around m points. The angle is exact because it uses integers of any size. */
function wrappedChirp(n: number, m: number): Float64Array {
  const x = new Float64Array(2 * m);
  for (let i = 0; i < n; i++) {
    const [re, im] = unitRoot(Number((BigInt(i) * BigInt(i)) % BigInt(2 * n)), 2 * n);
    for (const at of i === 0 ? [0] : [i, m - i]) {
      x[2 * at] = re;
      x[2 * at + 1] = -im;
    }
  }
  return x;
}

const unpaused = (): undefined => undefined;

describe("roots of unity", () => {
  it("have unit magnitude, are exact at eighths of a turn, and are conjugate at opposite indices", () => {
    for (const n of [1, 2, 3, 7, 8, 12, 1000, 4096, 2 ** 20]) {
      for (let i = 0; i < Math.min(n, 500); i++) {
        const k = Math.floor((i * n) / Math.min(n, 500));
        const [re, im] = unitRoot(k, n);
        expect(Math.abs(Math.hypot(re, im) - 1)).toBeLessThan(4e-16);
        const [cr, ci] = unitRoot(n - k, n);
        expect(Math.hypot(cr - re, ci + im)).toBeLessThan(3e-16);
        expect(Math.hypot(re - Math.cos((2 * Math.PI * k) / n), im + Math.sin((2 * Math.PI * k) / n))).toBeLessThan(2e-15);
      }
    }
    expect(unitRoot(1, 4).map((v) => v + 0)).toEqual([0, -1]);
    expect(unitRoot(2, 4).map((v) => v + 0)).toEqual([-1, 0]);
    expect(unitRoot(3, 4).map((v) => v + 0)).toEqual([0, 1]);
  });

  it("from two tables are right to about one unit in the last place", () => {
    const out = new Float64Array(2);
    for (const n of [1, 5, 4096, 4097, 100_003, 2 ** 23, 2 ** 27, 134_217_718]) {
      const roots = rootsOf(n);
      for (let i = 0; i <= 1000; i++) {
        const e = Math.floor((i * n) / 1000);
        putRoot(roots, e, out, 0, 1);
        const [re, im] = unitRoot(e, n);
        expect(Math.hypot(out[0] - re, out[1] - im), `${e} of ${n}`).toBeLessThan(1.5 * epsilon);
      }
    }
  });
});

describe("chirps", () => {
  it("have exact angles up to the longest length, from any start", () => {
    const out = new Float64Array(128);
    for (const n of [1, 2, 17, 4099, 4_194_301, 67_108_859, 2 ** 26]) {
      const roots = rootsOf(2 * n);
      for (const start of [0, Math.floor(n / 3), Math.max(0, n - 64)]) {
        const count = Math.min(64, n - start);
        for (const sign of [-1, 1] as const) {
          putChirp(roots, start, count, sign, out, 0);
          for (let i = 0; i < count; i++) {
            const square = (BigInt(start + i) * BigInt(start + i)) % BigInt(2 * n);
            const [re, im] = unitRoot(Number(square), 2 * n);
            expect(Math.hypot(out[2 * i] - re, out[2 * i + 1] + sign * im), `${start + i} of ${n}`).toBeLessThan(4 * epsilon);
          }
        }
      }
    }
  });
});

describe("stages", () => {
  it("transform lines side by side, for all lengths up to 100 with prime factors up to 13 and some longer ones", () => {
    for (const n of [...Array.from({ length: 100 }, (_, i) => i + 1), 343, 729, 1024, 1155, 1331].filter(isSmooth)) {
      for (const lanes of [1, 3]) {
        const x = Float64Array.from({ length: 2 * n * lanes }, (_, i) => Math.sin(i * i + 1));
        const y = runStages(lineStages(n), x.slice(), new Float64Array(2 * n * lanes), lanes);
        for (let q = 0; q < lanes; q++) {
          const line = (of: Float64Array) => Float64Array.from({ length: 2 * n }, (_, i) => of[2 * (lanes * (i >> 1) + q) + (i & 1)]);
          expect(relative(line(y), dft(line(x))), `n = ${n}`).toBeLessThan(4 * epsilon * Math.sqrt(1 + Math.log2(n)));
        }
      }
    }
  });

  it("reject larger prime factors", () => {
    expect([1, 2, 4096, 17, 19 * 64, 13 ** 3].map(isSmooth)).toEqual([true, true, true, false, false, true]);
  });

  it("transform a long line as a matrix", () => {
    for (const n of [1, 13, 48, 4096, 2 ** 27, 2 * 13 ** 5]) {
      const [rows, columns] = matrixOf(n);
      expect(rows * columns).toBe(n);
      expect(rows).toBeLessThanOrEqual(columns);
    }
  });
});

describe("spectra of chirps", () => {
  it("agree with the definition for any n and any m from 2n − 1 on", async () => {
    for (const n of [1, 2, 3, 4, 5, 16, 17, 31, 37, 101, 251]) {
      const lengths = new Set([nextFastLength(2 * n - 1), nextFastLength(2 * n), nextFastLength(3 * n + 1), nextFastLength(5 * n)]);
      if (isSmooth(2 * n - 1)) lengths.add(2 * n - 1);
      for (const m of lengths) {
        const y = new Float64Array(2 * m + 2).fill(7);
        await runInPieces(
          chirpSpectrum(n, m, 0.5, () => y),
          unpaused,
        );
        const bar = 4 * epsilon * Math.sqrt(1 + Math.log2(m));
        expect(
          relative(
            y.subarray(0, 2 * m),
            dft(wrappedChirp(n, m)).map((v) => v / 2),
          ),
          `${n}, ${m}`,
        ).toBeLessThan(bar);
        expect([...y.subarray(2 * m)]).toEqual([7, 7]);
      }
    }
  });

  it("of long lines agree with direct sums at some frequencies", async () => {
    for (const [n, m] of [
      [10_007, nextFastLength(20_013)],
      [65_537, 9 * 2 ** 14],
      [100_003, 2 ** 18],
    ] as const) {
      const y = new Float64Array(2 * m);
      await runInPieces(
        chirpSpectrum(n, m, 1, () => y),
        unpaused,
      );
      const x = wrappedChirp(n, m);
      // The root mean square of the spectrum by Parseval's theorem. The direct sums below are off by √m roundings of it.
      const level = Math.sqrt(2 * n - 1);
      const roots = rootsOf(m);
      const root = new Float64Array(2);
      for (const k of [0, 1, 2, 777, m / 4, m / 2, m - 1].map(Math.floor)) {
        let [re, im] = [0, 0];
        for (let i = 0; i < m; i++) {
          putRoot(roots, (i * k) % m, root, 0, 1);
          re += x[2 * i] * root[0] - x[2 * i + 1] * root[1];
          im += x[2 * i] * root[1] + x[2 * i + 1] * root[0];
        }
        expect(Math.hypot(y[2 * k] - re, y[2 * k + 1] - im) / level, `${k} of ${n}, ${m}`).toBeLessThan(
          64 * epsilon * Math.sqrt(Math.log2(m)),
        );
      }
    }
  });

  it("are made in pieces, and ask for the target again after each", async () => {
    const [n, m] = [10_007, nextFastLength(20_013)];
    const whole = new Float64Array(2 * m);
    await runInPieces(
      chirpSpectrum(n, m, 1, () => whole),
      unpaused,
    );
    let place = new Float64Array(2 * m);
    let pieces = 0;
    const moved = (): undefined => {
      place = place.slice();
      pieces++;
      return undefined;
    };
    await runInPieces(
      chirpSpectrum(n, m, 1, () => place),
      moved,
    );
    expect(place).toEqual(whole);
    expect(pieces).toBeGreaterThan(20);
  });
});
