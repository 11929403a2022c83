/** The results that reductions must have, by definition and in float64, with the errors that core promises. */
import { dtypes, elementCount, portsOf, type Reduce, type TypedArrayOf } from "@dechirp/core";
import { fail } from "./assert.ts";
import { epsilonOf } from "./tolerance.ts";

/** For every result: the elements that are reduced to it, in order. */
function groupsOf({ layout: { shape }, axes }: Reduce): Int32Array[] {
  const outputs = shape.reduce((product, extent, axis) => (axes.includes(axis) ? product : product * extent), 1);
  const total = elementCount({ dtype: "f32", shape });
  const groups = Array.from({ length: outputs }, () => new Int32Array(total / outputs));
  const used = new Int32Array(outputs);
  const kept = shape.map((_, axis) => !axes.includes(axis));
  const at = shape.map(() => 0);
  for (let e = 0; e < total; e++) {
    let output = 0;
    for (let axis = 0; axis < shape.length; axis++) if (kept[axis]) output = output * shape[axis] + at[axis];
    groups[output][used[output]++] = e;
    for (let axis = shape.length - 1; axis >= 0 && ++at[axis] === shape[axis]; axis--) at[axis] = 0;
  }
  return groups;
}

/** A sum whose own rounding errors do not count: Neumaier's. */
function exactSum(terms: Float64Array): number {
  let sum = 0;
  let rest = 0;
  for (let i = 0; i < terms.length; i++) {
    const x = terms[i];
    const next = sum + x;
    rest += Math.abs(sum) >= Math.abs(x) ? sum - next + x : x - next + sum;
    sum = next;
  }
  return Number.isFinite(sum) ? sum + rest : sum;
}

/** Results by definition, and for each the largest error that is allowed. */
interface Expected {
  readonly values: readonly number[];
  readonly allowed: readonly number[];
}

/** Reduces `in0`, and `in1` if it is a product. `roundings` is the part of the allowed error that does not grow with the number of terms. */
export function expectedOf(op: Reduce, in0: ArrayLike<number>, in1: ArrayLike<number> = in0, roundings = 24): Expected {
  const { what, conjugate } = op;
  const parts = dtypes[op.layout.dtype].components;
  const result = portsOf(op)["out"].layout.dtype;
  const [x, y] = [new Float64Array(in0), new Float64Array(in1)];
  const [values, allowed]: [number[], number[]] = [[], []];
  for (const group of groupsOf(op)) {
    if (what === "max" || what === "argmax") {
      const numbers = Float64Array.from(group).map((e) => (Number.isNaN(x[e]) ? -Infinity : x[e]));
      const most = numbers.reduce((a, b) => Math.max(a, b));
      values.push(what === "max" ? most : numbers.indexOf(most));
      allowed.push(0);
      continue;
    }
    /** Real and imaginary parts of the terms, and their sizes. */
    const terms = [0, 1, 2].map(() => new Float64Array(group.length));
    const [real, imaginary, sizes] = terms;
    for (let i = 0; i < group.length; i++) {
      const e = group[i];
      const a = parts === 1 ? x[e] : x[2 * e];
      const b = parts === 1 ? 0 : x[2 * e + 1];
      if (what === "sum") {
        real[i] = a;
        imaginary[i] = b;
        sizes[i] = Math.hypot(a, b);
      } else if (what === "sum of squares") {
        real[i] = sizes[i] = a * a + b * b;
      } else {
        const c = parts === 1 ? y[e] : y[2 * e];
        const d = parts === 1 ? 0 : (conjugate ? -1 : 1) * y[2 * e + 1];
        real[i] = a * c - b * d;
        imaginary[i] = a * d + b * c;
        sizes[i] = Math.hypot(a, b) * Math.hypot(c, d);
      }
    }
    const bound = (2 * Math.log2(group.length) + roundings) * (epsilonOf(result) / 2) * exactSum(sizes);
    for (const part of terms.slice(0, dtypes[result].components)) {
      values.push(exactSum(part));
      allowed.push(bound);
    }
  }
  return { values, allowed };
}

/** Fails unless all results are within their errors. */
export function within(actual: TypedArrayOf, { values, allowed }: Expected, what: string): void {
  if (actual.length !== values.length) fail(`${what}: expected ${values.length} numbers, got ${actual.length}`);
  values.forEach((value, i) => {
    if (actual[i] === value || (Number.isNaN(actual[i]) && Number.isNaN(value))) return;
    const error = Math.abs(actual[i] - value);
    if (!(error <= allowed[i])) fail(`${what}: number ${i} must be ${value}, got ${actual[i]}: error ${error}, allowed ${allowed[i]}`);
  });
}
