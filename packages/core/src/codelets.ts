/**
 * What the constants of DFTs of a few points are worth once they are rounded to float32. A constant's error is the same in every
 * butterfly, so that over the stages of a transform it adds up as it is, where errors of twiddle factors and of arithmetic average
 * out. What the error has in common for all numbers of a leg is a factor, and twiddle factors can make up for it at no cost.
 */

type Complex = readonly [re: number, im: number];
/** A linear form: its complex coefficients of the inputs. */
type Form = readonly Complex[];

const times = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];

/** A DFT of few points as code computes it. */
export interface Codelet {
  /** Of a composite size n = a·b the b by which it is split: b DFTs of every b-th point, turns, a DFTs of b points. */
  split(n: number): number | undefined;
  /** cos 2πk/n as a prime's code has it; rounded to float32 where left out. */
  cosine?(k: number, n: number): number;
}

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
 * By what each leg of a forward DFT of n points is to be multiplied so that its coefficients, as `codelet` has them, are as large as
 * they should be in the mean: its outputs, or its inputs. Within 2⁻²⁵ of 1, so that a factor of 1 or j stays what it is in float32.
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
