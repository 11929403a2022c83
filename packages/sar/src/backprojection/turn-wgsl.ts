/**
 * Sine and cosine of the carrier phase in WGSL: those of the device, where they are accurate, a polynomial, or a table of angles.
 */
import type { WgslLimits } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import { type SineSource, sineEntries } from "./shape.ts";

/** Sines of a device may have this error if they are to be accurate: that of the polynomial. */
const accurateSine = 1e-6;

/** Where sines come from on a device. Units for sines are beside those for products, and an H200 is up to a sixth faster with them. */
export const sineOf = (sine: SineSource, { sineError = Number.POSITIVE_INFINITY }: WgslLimits): SineSource =>
  sine !== "accurate" ? sine : sineError <= accurateSine ? "native" : "polynomial";

/**
 * sin 2πr = r·P(r²) and cos 2πr = 1 + r²·Q(r²) for |r| ≤ ½: P and Q interpolate at the six Chebyshev nodes of r² in [0, ¼], computed in
 * float64.
 */
const sineTerms = [6.283184911827355, -41.34158830218021, 81.59991361943773, -76.61414030098595, 41.34136538564254, -12.468818618640228];
const cosineTerms = [
  -19.739208621554145, 64.93934197226233, -85.45438081862267, 60.202799098962764, -26.099592379456016, 6.712217295641658,
];

const horner = (terms: readonly number[], x: string): string =>
  terms.reduceRight((inner, c) => (inner === "" ? wgslFloat(c) : `fma(${x}, ${inner}, ${wgslFloat(c)})`), "");

/** `add_turned(sum, value, cycles)`: sum + value·exp(j2π·cycles). */
export function turnText(sine: SineSource): string {
  const sum = "return fma(value.yx, vec2f(-s, s), fma(value, vec2f(c), sum));";
  if (sine === "table") {
    return `fn add_turned(sum: vec2f, value: vec2f, cycles: f32) -> vec2f {
  let entry = load_sines(u32(i32(round((cycles - round(cycles)) * ${sineEntries}.0))) & ${sineEntries - 1}u);
  let c = entry.x;
  let s = entry.y;
  ${sum}
}`;
  }
  const parts =
    sine === "native"
      ? `let a = 6.283185307179586 * (cycles - round(cycles));
  let s = sin(a);
  let c = cos(a);`
      : `let r = cycles - round(cycles);
  let v = r * r;
  let s = r * ${horner(sineTerms, "v")};
  let c = ${horner([1, ...cosineTerms], "v")};`;
  return `fn add_turned(sum: vec2f, value: vec2f, cycles: f32) -> vec2f {
  ${parts}
  ${sum}
}`;
}
