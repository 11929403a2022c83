/**
 * Shared by tests: seeded complex data, arithmetic by definition, and one way to expect an error. Nothing here imports the code under test,
 * except the random generator.
 */
import { createRandom, isRadarError } from "@dechirp/core";
import { expect } from "vitest";

export type C = readonly [re: number, im: number];

export const add = (a: C, b: C): C => [a[0] + b[0], a[1] + b[1]];
export const mul = (a: C, b: C): C => [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
export const conj = (a: C): C => [a[0], -a[1]];
export const turn = (cycles: number): C => [Math.cos(2 * Math.PI * cycles), Math.sin(2 * Math.PI * cycles)];
export const at = (data: ArrayLike<number>, i: number): C => [data[2 * i], data[2 * i + 1]];
export const sum = (terms: readonly C[]): C => terms.reduce(add, [0, 0]);
export const times = <T>(n: number, f: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => f(i));
export const flat = (values: readonly C[]): Float64Array => Float64Array.from(values.flat());

/** aᴴb */
export const inner = (a: ArrayLike<number>, b: ArrayLike<number>): C => sum(times(a.length / 2, (i) => mul(conj(at(a, i)), at(b, i))));

/** `n` complex normal numbers of power 1. */
export function noise(n: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: 2 * n }, () => random.gaussian() * Math.SQRT1_2);
}

/** A·Aᴴ + shift·I of an n × m matrix of noise: positive definite for m ≥ n or a shift. */
export function positive(n: number, m: number, seed: number, shift = 0): Float64Array {
  const a = noise(n * m, seed);
  return flat(
    times(n * n, (e) => {
      const [i, j] = [Math.floor(e / n), e % n];
      const product = inner(a.subarray(2 * j * m, 2 * (j + 1) * m), a.subarray(2 * i * m, 2 * (i + 1) * m));
      return i === j ? [product[0] + shift, 0] : product;
    }),
  );
}

/** A·B of row-major n × n matrices. */
export const product = (a: ArrayLike<number>, b: ArrayLike<number>, n: number): Float64Array =>
  flat(times(n * n, (e) => sum(times(n, (k) => mul(at(a, Math.floor(e / n) * n + k), at(b, k * n + (e % n)))))));

/** Largest difference over the largest reference. */
export function relativeError(actual: ArrayLike<number>, reference: ArrayLike<number>): number {
  expect(actual.length).toBe(reference.length);
  let most = 0;
  let scale = 0;
  for (let i = 0; i < reference.length; i++) {
    const difference = Math.abs(actual[i] - reference[i]);
    most = Number.isNaN(difference) ? Number.POSITIVE_INFINITY : Math.max(most, difference);
    scale = Math.max(scale, Math.abs(reference[i]));
  }
  return scale === 0 ? most : most / scale;
}

/** ‖R·w − v‖/(‖R‖·‖w‖) of one solution, in Frobenius and Euclidean norms: the backward error of a solver. */
export function backwardError(r: ArrayLike<number>, n: number, w: ArrayLike<number>, v: ArrayLike<number>): number {
  let residual = 0;
  let normR = 0;
  let normW = 0;
  for (let i = 0; i < n; i++) {
    let re = -v[2 * i];
    let im = -v[2 * i + 1];
    for (let k = 0; k < n; k++) {
      const at = 2 * (i * n + k);
      re += r[at] * w[2 * k] - r[at + 1] * w[2 * k + 1];
      im += r[at] * w[2 * k + 1] + r[at + 1] * w[2 * k];
      normR += r[at] ** 2 + r[at + 1] ** 2;
    }
    residual += re * re + im * im;
    normW += w[2 * i] ** 2 + w[2 * i + 1] ** 2;
  }
  return Math.sqrt(residual / (normR * normW));
}

/** Expects an `input` error whose message matches and that names `field`. */
export function refuse(run: () => unknown, pattern: RegExp, field?: string): void {
  try {
    run();
  } catch (error) {
    expect(isRadarError(error, "input"), String(error)).toBe(true);
    expect((error as Error).message).toMatch(pattern);
    if (field !== undefined) expect((error as unknown as { fields: { field: string } }).fields.field).toBe(field);
    return;
  }
  expect.unreachable(`no error ${pattern}`);
}

export const epsilon = Number.EPSILON;
