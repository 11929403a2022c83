/**
 * The ends of the range of exponents: a transform of numbers near the largest or the smallest that a type holds is as right as one of
 * ordinary numbers. A power of two has no rounding, so that what it multiplies a line with it multiplies the result with, to the
 * bit, as long as nothing overflows and nothing falls below the least normal number.
 */
import {
  type ComplexDType,
  type DType,
  dtypes,
  type Layout,
  layout,
  scalarCount,
  type TransformOp,
  type TypedArrayOf,
  typedArray,
} from "@dechirp/core";
import { close, identical } from "./assert.ts";
import { dft, product } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { c64, complexTypes, runOp } from "./run.ts";
import type { Sizes } from "./sizes.ts";
import { correct } from "./tolerance.ts";

/** By radices, of one pass and of more, and through convolutions. */
const lengthsOf = (sizes: Sizes): number[] => {
  const few = [17, 60, 97, 243, 1009, 1024];
  return sizes === "full" ? [8, 128, 360, 1000, ...few, 2187, 4096, 8191, 16_807, 32_768, 131_071] : few;
};

/** Exponents of the largest number of a type, and of the least normal one. */
const ends = (dtype: DType): readonly [least: number, most: number] => (dtypes[dtype].array === Float64Array ? [-1022, 1023] : [-126, 127]);

/** An exponent that sums of n random numbers of magnitude 1/2 stay below: four times their deviation, or all of one sign. */
const growth = (n: number): number => Math.ceil(Math.log2(Math.min(n, 4 * Math.sqrt(n))));

type Kind = "forward" | "inverse" | "real forward" | "real inverse" | "spectral-filter" | "filter-inverse";

/**
 * An exponent that the sums of one stage of n or fewer points add. An inverse may divide stage by stage, but a compiler of shaders may put a
 * stage's factor behind its sums, and a stage sums up to 32 numbers.
 */
const stageGrowth = (n: number): number => Math.min(5, Math.ceil(Math.log2(n)));

interface Case {
  readonly op: TransformOp;
  /** Exponents up to which nothing overflows. */
  readonly top: number;
  readonly h?: TypedArrayOf;
}

/** Lines along the last axis, or columns. */
function caseOf(kind: Kind, dtype: ComplexDType, n: number, lines: number, axis: 0 | 1, source: TestRandom): Case {
  const shape = (extent: number): number[] => (axis === 1 ? [lines, extent] : [extent, lines]);
  const most = ends(dtype)[1];
  const complex = layout(dtype, shape(n));
  const bins = Math.floor(n / 2) + 1;
  switch (kind) {
    case "forward":
    case "inverse":
      return {
        op: { op: "fft", layout: complex, axis, inverse: kind === "inverse" },
        top: most - 1 - (kind === "forward" ? growth(n) : stageGrowth(n)),
      };
    case "real forward": {
      const real = layout(dtype === "c64" ? "f32" : "f64", shape(n));
      return { op: { op: "real-fft", layout: real, axis, inverse: false }, top: most - 1 - growth(n) };
    }
    case "real inverse":
      return { op: { op: "real-fft", layout: layout(dtype, shape(bins)), axis, n, inverse: true }, top: most - 1 - stageGrowth(n) };
    // A device may make the spectrum that is multiplied, and it has to be finite.
    case "spectral-filter":
      return { op: { op: kind, layout: complex, axis, h: "line" }, top: most - 1 - growth(n), h: phases(dtype, n, source) };
    case "filter-inverse":
      return { op: { op: kind, layout: complex, axis, h: "line" }, top: most - 2 - stageGrowth(n), h: phases(dtype, n, source) };
  }
}

const kinds: readonly Kind[] = ["forward", "inverse", "real forward", "real inverse", "spectral-filter", "filter-inverse"];

/** Complex numbers of magnitude 1. */
function phases(dtype: ComplexDType, n: number, source: TestRandom): TypedArrayOf {
  const h = typedArray(dtype, 2 * n);
  for (let k = 0; k < n; k++) {
    const angle = 2 * Math.PI * source.next();
    h[2 * k] = Math.cos(angle);
    h[2 * k + 1] = Math.sin(angle);
  }
  return h;
}

/** Lines of one array, whichever way they lie: their numbers in turn. */
function lineOf(data: TypedArrayOf, shape: Layout, axis: 0 | 1, line: number): TypedArrayOf {
  const { components } = dtypes[shape.dtype];
  const lines = shape.shape[1 - axis];
  const out = typedArray(shape.dtype, components * shape.shape[axis]);
  for (let i = 0; i < out.length; i++) {
    const [element, part] = [Math.floor(i / components), i % components];
    out[i] = data[components * (axis === 1 ? line * shape.shape[1] + element : element * lines + line) + part];
  }
  return out;
}

/** One random line at many scales side by side: every result is the first one's at that scale. */
async function scalesExactly(kit: Kit, kind: Kind, dtype: ComplexDType, n: number, axis: 0 | 1): Promise<void> {
  const source = random(n + kinds.indexOf(kind));
  const [least, most] = ends(dtype);
  const { top } = caseOf(kind, dtype, n, 1, axis, random(1));
  // Large enough that what is 2⁻⁴⁰ of a line's largest number is normal, and at what a backend may take for a border.
  const middle = [most / 2, (3 * most) / 4, least / 2, -most / 2].map(Math.round);
  const powers = [0, top, top - 1, top - 5, ...middle, ...middle.map((p) => p + 1), Math.round(0.63 * least)].filter((p) => p <= top);
  const { op, h } = caseOf(kind, dtype, n, powers.length, axis, source);
  const line = randomArray(layout(op.layout.dtype, [op.layout.shape[axis]]), source);
  // An inverse of numbers that add up: a device that sums all of them before it divides overflows where its result does not.
  if (kind === "inverse" || kind === "real inverse") for (let i = 0; i < line.length; i++) line[i] = (line[i] + 1) / 2;
  const x = typedArray(op.layout.dtype, scalarCount(op.layout));
  const { components } = dtypes[op.layout.dtype];
  for (let e = 0; e < x.length / components; e++) {
    const [at, power] =
      axis === 1 ? [e % op.layout.shape[1], Math.floor(e / op.layout.shape[1])] : [Math.floor(e / powers.length), e % powers.length];
    for (let c = 0; c < components; c++) x[components * e + c] = line[components * at + c] * 2 ** powers[power];
  }
  const { out, text } = await runOp(kit.device, op, { in: x, ...(h && { h }) });
  const result = { dtype: kind === "real inverse" ? (dtype === "c64" ? "f32" : "f64") : dtype, shape: op.layout.shape.slice() } as Layout;
  (result.shape as number[])[axis] = kind === "real forward" ? Math.floor(n / 2) + 1 : n;
  const ordinary = lineOf(out, result, axis, 0);
  for (const [i, power] of powers.entries()) {
    const scaled = lineOf(out, result, axis, i);
    // What is zero but for roundings falls below the least normal number, where anything so small will do.
    const expected = Array.from(ordinary, (v, at) => {
      const value = v * 2 ** power;
      return Math.abs(value) < 2 ** least && Math.abs(scaled[at]) < 2 ** least ? scaled[at] : value;
    });
    identical(scaled, expected, `${text}, times 2^${power}`);
  }
}

/** Lines whose sum is all in one number, or spread from one: the sums of a stage reach 2¹²⁶. */
async function sparse(kit: Kit, n: number, inverse: boolean): Promise<void> {
  const largest = 2 ** 126;
  const source = random(n);
  const at = source.integer(0, n - 1);
  const op = { op: "fft", layout: c64(4, n), axis: 1, inverse } as const;
  const x = new Float32Array(8 * n);
  // A spike beside noise, two of opposite sign, a constant, a line that is small but for one number.
  for (let i = 0; i < 2 * n; i++) {
    x[i] = source.next();
    if (i % 2 === 0) x[4 * n + i] = inverse ? largest / 2 ** stageGrowth(n) : largest / n;
    x[6 * n + i] = 1e-40 * source.next();
  }
  x[2 * at] = largest;
  x[2 * n + 2 * at] = largest / 2;
  x[2 * n + 2 * ((at + 1) % n) + 1] = -largest / 2;
  x[6 * n + 2 * at + 1] = largest;
  const { out, text } = await runOp(kit.device, op, { in: x });
  for (let line = 0; line < 4; line++) {
    const part = 2 * n * line;
    const expected = dft(x.subarray(part, part + 2 * n), n, inverse);
    close(out.subarray(part, part + 2 * n), expected, correct(n, "c64"), `${text}, line ${line} at the largest numbers`);
  }
}

/** Below 2⁻¹⁰⁰ a device may lose numbers under the least normal one on the way, n·log₂n of them, but not the result. */
async function keepsSmall(kit: Kit, n: number, inverse: boolean): Promise<void> {
  const op = { op: "fft", layout: c64(1, n), axis: 1, inverse } as const;
  const ordinary = randomArray(op.layout, random(n));
  for (const power of [-100, -110, -118]) {
    const x = ordinary.map((v) => v * 2 ** power);
    const { out, text } = await runOp(kit.device, op, { in: x });
    const lost = 2 ** (-126 - power) * (Math.log2(n) + 1) * (inverse ? Math.sqrt(n) : 1);
    close(out, dft(x, n, inverse), correct(n, "c64") + 4 * lost, `${text}, times 2^${power}`);
  }
}

/** y of a filter that brings large and small numbers together: |x·h| is ordinary. */
async function balanced(kit: Kit, n: number, power: number): Promise<void> {
  const source = random(n);
  const op = { op: "filter-inverse", layout: c64(1, n), axis: 1, h: "line" } as const;
  const x = randomArray(op.layout, source).map((v) => v * 2 ** power);
  const h = Float32Array.from(phases("c64", n, source), (v) => v * 2 ** -power);
  const { out, text } = await runOp(kit.device, op, { in: x, h });
  close(out, dft(product(x, h), n, true), correct(n, "c64", 2), `${text}, times 2^${power} and back`);
}

/** Results at the ends of the range of exponents, of every kind of transform. */
export const extremes = suite("extremes", [
  ...kinds.map((kind) =>
    check(`${kind}: a power of two goes through, to the bit, up to the largest numbers`, async (kit) => {
      for (const dtype of complexTypes(kit.device)) {
        for (const n of lengthsOf(kit.sizes)) {
          if (n > kit.device.limits.maxTransformLength || (dtype === "c128" && n > 10_000)) continue;
          await scalesExactly(kit, kind, dtype, n, 1);
          if (n <= 128) await scalesExactly(kit, kind, dtype, n, 0);
        }
      }
    }),
  ),
  check("sums that are one large number, or come from one", async (kit) => {
    for (const n of lengthsOf(kit.sizes)) if (n <= 2187) for (const inverse of [false, true]) await sparse(kit, n, inverse);
  }),
  check("small numbers are not lost", async (kit) => {
    for (const n of lengthsOf(kit.sizes)) if (n <= 2187) for (const inverse of [false, true]) await keepsSmall(kit, n, inverse);
  }),
  check("large numbers through a small filter, small ones through a large one", async (kit) => {
    for (const n of lengthsOf(kit.sizes)) if (n <= 1024) for (const power of [-90, 70, 110]) await balanced(kit, n, power);
  }),
]);
