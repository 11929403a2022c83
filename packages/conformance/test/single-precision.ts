/**
 * Evaluates expressions as a device does that computes in float32: every operation is rounded, and off by what WGSL's accuracy allows. It
 * shares nothing with the bounds that it is compared with.
 */
import type { ArrayView, Uniforms } from "@dechirp/core";
import type { Domain, Expression, Kind, NodeFacts } from "@dechirp/core/expression";
import type { TestRandom } from "../src/random.ts";

type Pair = readonly [re: number, im: number];

/** What an operation of the device may be off by: relative, and absolute, of the rounded result. */
const inexact: Readonly<Record<string, readonly [relative: number, absolute: number]>> = {
  div: [2 * 2 ** -23, 0],
  sqrt: [4 * 2 ** -23, 0],
  log: [2.5 * 2 ** -23, 0],
  "log near 1": [0, 0.9 * 2 ** -21],
  atan2: [4000 * 2 ** -23, 0],
  cis: [0, 0.8 * 2 ** -22],
};

/** Makes the device. With `noise`, results are off at random as in WGSL, and subnormal numbers are zero; else they follow IEEE 754. */
export function singleDevice({ nodes, results }: Expression, facts: readonly NodeFacts[], { sources }: Domain, noise?: TestRandom) {
  const f = (x: number): number => {
    const rounded = Math.fround(x);
    return noise && Math.abs(rounded) < 2 ** -126 && noise.integer(0, 1) === 0 ? 0 : rounded;
  };
  const off = (operator: string, x: number): number => {
    const [relative, absolute] = (noise && inexact[operator]) ?? [0, 0];
    const part = noise ? 2 * noise.next() - 1 : 0;
    return x === 0 && operator !== "cis" ? f(x) : f(x * (1 + part * relative) + part * absolute);
  };
  const even = (x: number): number => {
    const r = Math.round(x);
    return r - x === 0.5 && r % 2 !== 0 ? r - 1 : r;
  };
  const clamp = (x: number, low: number, high: number): number => (Number.isNaN(x) ? 0 : x < low ? low : x > high ? high : even(x));
  const wrap = (kind: Kind, x: number): number => (kind === "i32" ? x | 0 : x >>> 0);

  return (inputs: {
    readonly at: readonly number[];
    readonly sources: Readonly<Record<string, ArrayView>>;
    readonly uniforms: Uniforms;
  }): Pair[] => {
    const terms = new Map<number, number>();
    const memo = new Map<string, Pair>();
    /** A node is computed once for the terms of the sums around it. */
    const get = (place: number): Pair => {
      const key = `${place}:${facts[place].sums.map((sum) => terms.get(sum))}`;
      const known = memo.get(key) ?? compute(place);
      memo.set(key, known);
      return known;
    };
    const complex = (x: number, y: number): Pair => [f(x), f(y)];
    const compute = (place: number): Pair => {
      const node = nodes[place];
      const { kind, operands } = facts[place];
      const kinds = operands.map((operand) => facts[operand].kind);
      switch (node[0]) {
        case "real":
          return [f(node[1]), 0];
        case "i32":
        case "u32":
        case "bool":
          return [Number(node[1]), 0];
        case "index":
          return [inputs.at[node[1]], 0];
        case "uniform":
          return [kind === "real" ? f(inputs.uniforms[node[1]]) : inputs.uniforms[node[1]], 0];
        case "term":
          return [terms.get(node[1]) as number, 0];
        case "sum": {
          const count = Math.min(get(operands[0])[0], node[4]);
          let [re, im] = [0, 0];
          for (let j = 0; j < count; j++) {
            terms.set(node[1], j);
            const [x, y] = get(operands[1]);
            [re, im] = kind === "i32" || kind === "u32" ? [wrap(kind, re + x), 0] : [f(re + x), f(im + y)];
          }
          return [re, im];
        }
        case "load":
        case "inside": {
          const { shape } = sources[node[1]];
          const indices = operands.map((operand) => get(operand)[0]);
          const clamped = indices.map((index, axis) => Math.min(Math.max(index, 0), shape[axis] - 1));
          if (node[0] === "inside" && `${indices}` !== `${clamped}`) return [0, 0];
          const at = clamped.reduce((flat, index, axis) => flat * shape[axis] + index, 0);
          const view = inputs.sources[node[1]];
          return kind === "u32" ? [view.re(at), 0] : [f(view.re(at)), f(view.im(at))];
        }
        case "taps": {
          const [, name, axis, count] = node;
          const { shape } = sources[name];
          const values = operands.map((operand) => get(operand)[0]);
          const first = values.slice(count);
          // A GPU may fuse a product with the sum.
          const product = (x: number): number => (noise && noise.integer(0, 1) === 0 ? x : f(x));
          let [re, im] = [0, 0];
          for (let j = 0; j < count; j++) {
            const indices = first.map((index, a) => (a === axis ? index + j : index));
            if (!indices.every((index, a) => index >= 0 && index < shape[a])) continue;
            const at = indices.reduce((flat, index, a) => flat * shape[a] + index, 0);
            const view = inputs.sources[name];
            re = f(re + product(values[j] * f(view.re(at))));
            im = f(im + product(values[j] * f(view.im(at))));
          }
          return [re, im];
        }
      }
      const [[a, b], [c, d] = [0, 0], third = [0, 0] as Pair] = operands.map(get);
      const one = (x: number): Pair => [x, 0];
      const isComplex = kinds.includes("complex");
      switch (node[0]) {
        case "select":
          return a ? [c, d] : third;
        case "re":
          return one(a);
        case "im":
          return one(b);
        case "conj":
          return [a, -b];
        case "complex":
          return [a, c];
        case "finite":
          return one(Number(Number.isFinite(a) && Number.isFinite(b)));
        case "cis": {
          const cycles = kinds[0] === "u32" ? f((a | 0) * 2 ** -32) : a - Math.floor(a);
          return [off("cis", Math.cos(2 * Math.PI * cycles)), off("cis", Math.sin(2 * Math.PI * cycles))];
        }
        case "real-of":
          return one(f(a));
        case "i32-of":
          return one(clamp(a, -(2 ** 31), 2 ** 31 - 1));
        case "u32-of":
          return one(clamp(a, 0, 2 ** 32 - 1));
        case "bits":
          return one(wrap(kind, a));
        case "lt":
          return one(Number(a < c));
        case "le":
          return one(Number(a <= c));
        case "eq":
          return one(Number(a === c));
        case "ne":
          return one(Number(a !== c));
        case "abs":
          return one(isComplex ? off("sqrt", Math.hypot(a, b)) : kind === "i32" ? Math.abs(a) | 0 : Math.abs(a));
        case "neg":
          return kind === "i32" || kind === "u32" ? one(wrap(kind, -a)) : [-a, isComplex ? -b : 0];
      }
      if (isComplex) {
        if (node[0] === "add") return complex(a + c, b + d);
        if (node[0] === "sub") return complex(a - c, b - d);
        if (node[0] === "div") return [off("div", a / c), off("div", b / c)];
        if (kinds[0] === "real") return complex(a * c, a * d);
        if (kinds[1] === "real") return complex(a * c, b * c);
        // A GPU may fuse one of the products with the sum.
        const fused = noise ? (x: number) => x : f;
        return complex(f(a * c) - fused(b * d), f(a * d) + fused(b * c));
      }
      if (kind === "real") {
        const quotient = off("div", a / c);
        const result: Readonly<Record<string, () => number>> = {
          add: () => f(a + c),
          sub: () => f(a - c),
          mul: () => f(a * c),
          div: () => quotient,
          mod: () => f(a - f(c * Math.floor(quotient))),
          min: () => Math.min(a, c),
          max: () => Math.max(a, c),
          floor: () => Math.floor(a),
          round: () => even(a),
          sqrt: () => off("sqrt", Math.sqrt(a)),
          log: () => off(a >= 0.5 && a <= 2 ? "log near 1" : "log", Math.log(a)),
          atan2: () => (a === 0 && c === 0 ? 0 : off("atan2", Math.atan2(a, c))),
        };
        return one(result[node[0]]());
      }
      const [x, y] = [BigInt(a), BigInt(c)];
      const bits: Readonly<Record<string, () => bigint>> = {
        add: () => x + y,
        sub: () => x - y,
        mul: () => x * y,
        div: () => (y === 0n ? 0n : x / y),
        mod: () => (y === 0n ? 0n : x % y !== 0n && x % y < 0n !== y < 0n ? (x % y) + y : x % y),
        min: () => BigInt(Math.min(a, c)),
        max: () => BigInt(Math.max(a, c)),
        not: () => (kind === "bool" ? 1n - x : ~x),
        and: () => x & y,
        or: () => x | y,
        xor: () => x ^ y,
        shl: () => x << (y & 31n),
        shr: () => x >> (y & 31n),
      };
      const exact = bits[node[0]]();
      return one(Number(kind === "i32" ? BigInt.asIntN(32, exact) : BigInt.asUintN(32, exact)));
    };
    return results.map(get);
  };
}
