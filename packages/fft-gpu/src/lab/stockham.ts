/**
 * Stockham transforms of one radix, as the radix-8 paper compares them (sections IV.C and V.A, V.B; Table IV): one workgroup for a line, n/r
 * invocations with r values each, and exchanges of whole complex numbers where workgroup memory holds them. `sincos` computes twiddle
 * factors as the paper does, by one sine and cosine for each butterfly and products; the others look them up.
 */
import { wgslFloat } from "@dechirp/core/internal";
import { type Planned, passOf } from "../passes.ts";
import { type LineShape, lineShape, type ShapeOptions } from "../shape.ts";
import type { Transform } from "../transform.ts";
import type { Unmet, Variant, VariantLimits } from "../variants.ts";
import { type Stage, Stages } from "../wgsl/stages.ts";

/** The longest and shortest lines of the laboratory's kernels. */
export const shortest = 256;
export const longest = 16_384;

/** Why lines of n points are not taken. Undefined if they are. */
export const unfit = (n: number, low = shortest, high = longest): Unmet | undefined =>
  Number.isInteger(Math.log2(n)) && n >= low && n <= high ? undefined : { needs: `lines of ${low} to ${high} points, a power of two` };

/** The stages of radix r, the remaining small one first. */
export function radicesOf(n: number, r: number): readonly number[] {
  const stages = Math.floor(Math.log2(n) / Math.log2(r));
  const rest = n / r ** stages;
  return [...(rest > 1 ? [rest] : []), ...Array<number>(stages).fill(r)];
}

/** The shape of a kernel whose invocations hold `values` values. Undefined if the line does not fit into a workgroup. */
export function shapeOf(
  { n, outers, inners }: Transform,
  limits: VariantLimits,
  radices: readonly number[],
  values: number,
  exchanges: readonly LineShape["exchange"][],
): LineShape | undefined {
  const threads = Math.min(n / values, 2 ** Math.floor(Math.log2(limits.invocations)));
  for (const exchange of exchanges) {
    const options: ShapeOptions = {
      mapping: inners === 1 ? "line" : "tile",
      count: outers * inners,
      ...{ exchange, tile: 1, radices: { [n]: radices }, threads: { [n]: threads } },
    };
    const shape = n / threads <= 32 ? lineShape(n, limits, options) : undefined;
    if (shape && (shape.windows === 1 || exchange === exchanges.at(-1))) return shape;
  }
  return undefined;
}

/** What a line that does not fit needs. */
export const tooLong = (n: number): Unmet => ({ needs: `workgroups that hold a line of ${n} points` });

/** 0.4·ε·√log₂n, the error of transforms whose twiddle factors are correctly rounded. */
export const tableError = (n: number): number => 0.4 * 2 ** -23 * Math.sqrt(Math.log2(n));

/** Stages of radix r. */
export const stockham = (r: number): Variant => ({
  error: tableError,
  plan(transform, limits): Planned | Unmet {
    const { n } = transform;
    const shape = shapeOf(transform, limits, radicesOf(n, r), r, ["both", "split"]);
    return unfit(n) ?? (shape ? passOf(transform, shape) : tooLong(n));
  },
});

/**
 * Data in registers, and workgroup memory as a narrow pipe (section IV.A): 32 values for each invocation, and real and imaginary parts
 * exchanged one after the other, in two windows if that is needed.
 */
export const registers: Variant = {
  error: tableError,
  plan(transform, limits): Planned | Unmet {
    const { n } = transform;
    const shape = shapeOf(transform, limits, [...radicesOf(n, 32)].reverse(), 32, ["split"]);
    return unfit(n) ?? (shape ? passOf(transform, shape) : tooLong(n));
  },
};

/** Stages whose twiddle factors are computed. */
class ComputedStages extends Stages {
  override prepare(_: unknown, radices: readonly number[]): readonly number[] {
    return radices.map(() => 0);
  }

  protected override twiddles(k: string, { r, span, scale = 1, factors = new Map() }: Stage): readonly string[] {
    const { text } = this;
    const once = (key: string, value: () => string): string => {
      const known = factors.get(key) ?? text.let(value(), "w");
      factors.set(key, known);
      return known;
    };
    const angle = once(`${k} angle`, () => `${wgslFloat((-2 * Math.PI) / (span * r))} * f32(${k})`);
    const power = (q: number): string =>
      once(`${k} ${q}`, () =>
        q === 1 ? `vec2f(cos(${angle}), sin(${angle}))` : `cmul(${power(Math.floor(q / 2))}, ${power(Math.ceil(q / 2))})`,
      );
    const powers = Array.from({ length: r - 1 }, (_, i) => power(i + 1));
    return scale === 1 ? powers : powers.map((w, i) => once(`${k} ${i + 1} scaled`, () => `${wgslFloat(scale)} * ${w}`));
  }
}

/**
 * Radix 8 with computed twiddle factors. WGSL promises an absolute error of 2⁻¹¹ of sines and cosines; a factor's power doubles it up to
 * three times, and the stages add to that.
 */
export const sincos: Variant = {
  error: (n) => 8 * 2 ** -11 * Math.sqrt(Math.log2(n)),
  plan(transform, limits): Planned | Unmet {
    const { n } = transform;
    const shape = shapeOf(transform, limits, radicesOf(n, 8), 8, ["both", "split"]);
    return unfit(n) ?? (shape ? passOf(transform, shape, (text, given) => new ComputedStages(text, given)) : tooLong(n));
  },
};
