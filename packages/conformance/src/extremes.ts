/**
 * Checks at the ends of the range of exponents: a transform of numbers near the largest or smallest of a type must be as accurate as one
 * of ordinary numbers. Multiplying a line with a power of two rounds nothing. The result must therefore be multiplied by exactly the same
 * factor, as long as nothing overflows or falls below the smallest normal number.
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

/** Lengths that need one pass, several passes, or a convolution. */
const lengthsOf = (sizes: Sizes): number[] => {
  const few = [17, 60, 97, 243, 1009, 1024];
  return sizes === "full" ? [8, 128, 360, 1000, ...few, 2187, 4096, 8191, 16_807, 32_768, 131_071] : few;
};

/** Exponents of a type's largest number and of its smallest normal number. */
const ends = (dtype: DType): readonly [least: number, most: number] => (dtypes[dtype].array === Float64Array ? [-1022, 1023] : [-126, 127]);

/** An exponent that bounds sums of n random numbers of magnitude 1/2: four standard deviations, or n if all have one sign. */
const growth = (n: number): number => Math.ceil(Math.log2(Math.min(n, 4 * Math.sqrt(n))));

type Kind = "forward" | "inverse" | "real forward" | "real inverse" | "spectral-filter" | "filter-inverse";

/**
 * The exponent by which the sums of one stage can grow, for n or fewer points. An inverse may divide stage by stage, but a shader
 * compiler may move a stage's factor behind its sums, and a stage sums up to 32 numbers.
 */
const stageGrowth = (n: number): number => Math.min(5, Math.ceil(Math.log2(n)));

interface Case {
  readonly op: TransformOp;
  /** The largest exponent at which nothing overflows. */
  readonly top: number;
  readonly h?: TypedArrayOf;
}

/** Whether lines run along the last axis or along the columns. */
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
    // A device may compute the spectrum before the filter is applied; it must be finite.
    case "spectral-filter":
      return { op: { op: kind, layout: complex, axis, h: "line" }, top: most - 1 - growth(n), h: phases(dtype, n, source) };
    case "filter-inverse":
      return { op: { op: kind, layout: complex, axis, h: "line" }, top: most - 2 - stageGrowth(n), h: phases(dtype, n, source) };
  }
}

const kinds: readonly Kind[] = ["forward", "inverse", "real forward", "real inverse", "spectral-filter", "filter-inverse"];

/** Random complex numbers of magnitude 1. */
function phases(dtype: ComplexDType, n: number, source: TestRandom): TypedArrayOf {
  const h = typedArray(dtype, 2 * n);
  for (let k = 0; k < n; k++) {
    const angle = 2 * Math.PI * source.next();
    h[2 * k] = Math.cos(angle);
    h[2 * k + 1] = Math.sin(angle);
  }
  return h;
}

/** The numbers of one line of an array, in order, for lines along either axis. */
function lineOf(data: Float64Array, shape: Layout, axis: 0 | 1, line: number): Float64Array {
  const { components } = dtypes[shape.dtype];
  const extent = shape.shape[axis];
  const [first, stride] = axis === 1 ? [line * extent, 1] : [line, shape.shape[1]];
  const out = new Float64Array(components * extent);
  for (let i = 0; i < extent; i++)
    for (let part = 0; part < components; part++) out[components * i + part] = data[components * (first + i * stride) + part];
  return out;
}

/** Transforms one random line at many scales side by side. Every result must be the first one, scaled. */
async function scalesExactly(kit: Kit, kind: Kind, dtype: ComplexDType, n: number, axis: 0 | 1): Promise<void> {
  const source = random(n + kinds.indexOf(kind));
  const [least, most] = ends(dtype);
  const { top } = caseOf(kind, dtype, n, 1, axis, random(1));
  // Scales at which numbers of 2⁻⁴⁰ of a line's largest are still normal, and scales at which a backend may switch its method.
  const middle = [most / 2, (3 * most) / 4, least / 2, -most / 2].map(Math.round);
  const powers = [0, top, top - 1, top - 5, ...middle, ...middle.map((p) => p + 1), Math.round(0.63 * least)].filter((p) => p <= top);
  const { op, h } = caseOf(kind, dtype, n, powers.length, axis, source);
  const drawn = randomArray(layout(op.layout.dtype, [op.layout.shape[axis]]), source);
  // All numbers of this line add up. A device that sums before it divides overflows although its result does not.
  if (kind === "inverse" || kind === "real inverse") for (let i = 0; i < drawn.length; i++) drawn[i] = (drawn[i] + 1) / 2;
  const line = new Float64Array(drawn);
  const values = new Float64Array(scalarCount(op.layout));
  const { components } = dtypes[op.layout.dtype];
  for (const [i, power] of powers.entries()) {
    const [first, stride] = axis === 1 ? [i * op.layout.shape[1], 1] : [i, powers.length];
    const factor = 2 ** power;
    for (let at = 0; at < line.length; at++)
      values[components * (first + Math.floor(at / components) * stride) + (at % components)] = line[at] * factor;
  }
  const x = typedArray(op.layout.dtype, values.length);
  x.set(values);
  const { out, text } = await runOp(kit.device, op, { in: x, ...(h && { h }) });
  const result = { dtype: kind === "real inverse" ? (dtype === "c64" ? "f32" : "f64") : dtype, shape: op.layout.shape.slice() } as Layout;
  (result.shape as number[])[axis] = kind === "real forward" ? Math.floor(n / 2) + 1 : n;
  const results = new Float64Array(out);
  const ordinary = lineOf(results, result, axis, 0);
  const smallest = 2 ** least;
  for (const [i, power] of powers.entries()) {
    const scaled = lineOf(results, result, axis, i);
    const factor = 2 ** power;
    // Values that are zero except for rounding fall below the smallest normal number; any result as small is accepted.
    const expected = ordinary.map((v, at) => {
      const value = v * factor;
      return Math.abs(value) < smallest && Math.abs(scaled[at]) < smallest ? scaled[at] : value;
    });
    identical(scaled, expected, `${text}, times 2^${power}`);
  }
}

/** Lines whose sums are concentrated in one number, or come from one number. The sums of a stage reach 2¹²⁶. */
async function sparse(kit: Kit, n: number, inverse: boolean): Promise<void> {
  const largest = 2 ** 126;
  const source = random(n);
  const at = source.integer(0, n - 1);
  const op = { op: "fft", layout: c64(4, n), axis: 1, inverse } as const;
  const x = new Float32Array(8 * n);
  // Four lines: a spike in noise, two spikes of opposite sign, a constant, and small noise with one large number.
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

/**
 * Transforms numbers below 2⁻¹⁰⁰. A device may lose intermediate numbers below the smallest normal one, n·log₂n of them, but must not
 * lose the result.
 */
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

/** Filters large numbers with a small filter, and small numbers with a large one; the products are of ordinary size. */
async function balanced(kit: Kit, n: number, power: number): Promise<void> {
  const source = random(n);
  const op = { op: "filter-inverse", layout: c64(1, n), axis: 1, h: "line" } as const;
  const x = randomArray(op.layout, source).map((v) => v * 2 ** power);
  const h = Float32Array.from(phases("c64", n, source), (v) => v * 2 ** -power);
  const { out, text } = await runOp(kit.device, op, { in: x, h });
  close(out, dft(product(x, h), n, true), correct(n, "c64", 2), `${text}, times 2^${power} and back`);
}

/** Checks every kind of transform at the ends of the range of exponents. */
export const extremes = suite("extremes", [
  ...kinds.map((kind) =>
    check(`${kind}: scaling by a power of two scales the result exactly, up to the largest numbers`, async (kit) => {
      for (const dtype of complexTypes(kit.device)) {
        for (const n of lengthsOf(kit.sizes)) {
          if (n > kit.device.limits.maxTransformLength || (dtype === "c128" && n > 10_000)) continue;
          await scalesExactly(kit, kind, dtype, n, 1);
          if (n <= 128) await scalesExactly(kit, kind, dtype, n, 0);
        }
      }
    }),
  ),
  check("sums that are concentrated in one large number, or come from one", async (kit) => {
    for (const n of lengthsOf(kit.sizes)) if (n <= 2187) for (const inverse of [false, true]) await sparse(kit, n, inverse);
  }),
  check("small numbers are not lost", async (kit) => {
    for (const n of lengthsOf(kit.sizes)) if (n <= 2187) for (const inverse of [false, true]) await keepsSmall(kit, n, inverse);
  }),
  check("large numbers with a small filter, and small numbers with a large one", async (kit) => {
    for (const n of lengthsOf(kit.sizes)) if (n <= 1024) for (const power of [-90, 70, 110]) await balanced(kit, n, power);
  }),
]);
