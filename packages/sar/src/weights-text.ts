/** WGSL of interpolation weights from polynomials of the delay (`interpolatorPolynomials` of radar). */
import { wgslFloat } from "@dechirp/core/internal";

/** Statements that put the weights for v = 2·delay − 1 (`delay` an expression of f32 in [0, 1]) into `weight0` … */
export function weightsText(polynomials: readonly (readonly number[])[], delay: string): string {
  const last = 2 * polynomials.length - 1;
  const horner = (coefficients: readonly number[]): string =>
    coefficients.reduceRight((inner, c) => (inner === "" ? wgslFloat(c) : `fma(square, ${inner}, ${wgslFloat(c)})`), "");
  const lines = polynomials.flatMap((coefficients, j) => [
    `let even${j} = ${horner(coefficients.filter((_, d) => d % 2 === 0))};`,
    `let odd${j} = centred * ${horner(coefficients.filter((_, d) => d % 2 === 1))};`,
    `let weight${j} = even${j} + odd${j};`,
    `let weight${last - j} = even${j} - odd${j};`,
  ]);
  return [`let centred = 2.0 * (${delay}) - 1.0;`, "let square = centred * centred;", ...lines].join("\n");
}
