/**
 * How much the constants of short DFTs lose when they are rounded to float32, and how twiddle factors make up for it. The rounding error
 * of a constant is the same in every butterfly. It therefore adds up over the stages of a transform, while the errors of twiddle factors
 * and of arithmetic average out. The part of the error that all numbers of a leg (an input or output of the butterfly) share is a factor.
 * Twiddle factors can contain its inverse at no cost.
 */

type Complex = readonly [re: number, im: number];
/** An output as a linear combination of the inputs: its complex coefficients. */
type Form = readonly Complex[];

const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];

/** The code for a short DFT, described so that its rounding errors can be computed. */
export interface Codelet {
  /**
   * For a composite size n = a·b, the factor b: the code computes b DFTs of every b-th point, twiddle factors, and a DFTs of b points.
   * Undefined if the code uses the definition.
   */
  split(n: number): number | undefined;
  /** The value that the code has for cos 2πk/n, for prime n. Default: rounded to float32. */
  cosine?(k: number, n: number): number;
}

/** The outputs of the DFT of `x` as the code computes it with rounded constants. */
function formsOf(x: readonly Form[], codelet: Codelet): readonly Form[] {
  const n = x.length;
  const sum = (factors: (i: number) => Complex): Form =>
    x[0].map((_, e) => x.reduce<Complex>((total, form, i) => add(total, times(form[e], factors(i))), [0, 0]));
  const sine = (k: number, m: number): number => Math.fround(Math.sin((2 * Math.PI * (k % m)) / m));
  const cosine = (k: number, m: number): number => Math.fround(Math.cos((2 * Math.PI * (k % m)) / m));
  const b = codelet.split(n);
  const own = codelet.cosine ?? cosine;
  if (b === undefined) return x.map((_, k) => sum((i) => [i * k === 0 ? 1 : own((i * k) % n, n), -sine(i * k, n)]));
  const a = n / b;
  const parts = Array.from({ length: b }, (_, i) =>
    formsOf(
      Array.from({ length: a }, (_, j) => x[i + b * j]),
      codelet,
    ).map((form, k) => form.map((value) => times(value, [cosine(i * k, n), -sine(i * k, n)]))),
  );
  const y = new Array<Form>(n);
  for (let k = 0; k < a; k++) {
    const across = formsOf(
      parts.map((part) => part[k]),
      codelet,
    );
    for (const [j, form] of across.entries()) y[k + a * j] = form;
  }
  return y;
}

const add = ([a, b]: Complex, [c, d]: Complex): Complex => [a + c, b + d];

/**
 * Factors by which to multiply each leg of a forward DFT of n points so that the coefficients that `codelet` has are on average as large
 * as they should be. `side` says whether the legs are the inputs or the outputs. The factors are within 2⁻²⁵ of 1, so a twiddle factor of
 * 1 or j keeps its float32 value.
 */
export function legFactors(n: number, codelet: Codelet, side: "inputs" | "outputs"): readonly number[] {
  const units = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, e): Complex => [e === i ? 1 : 0, 0]));
  const forms = formsOf(units, codelet);
  return units.map((_, leg) => {
    let mean = 0;
    for (let i = 0; i < n; i++) {
      const angle = (2 * Math.PI * ((leg * i) % n)) / n;
      mean += times(side === "outputs" ? forms[leg][i] : forms[i][leg], [Math.cos(angle) / n, Math.sin(angle) / n])[0];
    }
    return 1 / mean;
  });
}
