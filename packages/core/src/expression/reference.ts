/**
 * The float64 reference of expressions: closures that compute the results for one element. No text is compiled, so it also runs on pages
 * whose policy forbids that. CPU devices run it for arrays of float64 numbers. The expression must be checked before.
 */
import type { At, Complex, Uniforms } from "../hooks.ts";
import type { ArrayView } from "../view.ts";
import type { NodeFacts } from "./check.ts";
import type { Domain, Expression, Node } from "./nodes.ts";

/** Arrays that an expression reads, by the names of its sources. */
export type SourceViews = Readonly<Record<string, ArrayView>>;

/** What the results for one element depend on. */
export interface ReferenceInputs {
  /** The index of the element along each axis. */
  readonly at: At;
  readonly sources: SourceViews;
  readonly uniforms: Uniforms;
  /** In a store: the result of the transform. */
  readonly value?: Complex;
}

/** Computes an expression for many elements with the same sources and uniforms. */
export interface ReferenceRun {
  /**
   * Sets the sources and the values of the uniforms, and computes what depends on nothing else. Call it again if an element of a source
   * has changed.
   */
  begin(sources: SourceViews, uniforms: Uniforms): void;
  /**
   * Writes the real and the imaginary part of each result for the element `at` to `out`. The imaginary part is 0 if the result is not
   * complex. Integers are numbers, false is 0, and true is 1. What does not change along the last axis is kept from call to call.
   */
  compute(at: At, out: Float64Array, value?: Complex): void;
}

type Step = () => void;
/** An operator whose operands and result are single numbers. */
type Scalar = (a: number, b: number) => number | boolean;

/** Adding and subtracting this rounds numbers below it to whole numbers, ties to even. */
const whole = 2 ** 52;
/** The nearest whole number, ties to even. The sign of zero is kept. */
function nearest(x: number): number {
  const magnitude = Math.abs(x);
  if (!(magnitude < whole) || x === 0) return x;
  const rounded = magnitude + whole - whole;
  return x < 0 ? -rounded : rounded;
}

/** A real number rounded to an integer from `low` to `high`. */
const saturated =
  (low: number, high: number): Scalar =>
  (x) =>
    Number.isNaN(x) ? 0 : Math.max(low, Math.min(high, nearest(x))) + 0;

const comparisons: Readonly<Record<string, Scalar>> = {
  lt: (a, b) => a < b,
  le: (a, b) => a <= b,
  eq: (a, b) => a === b,
  ne: (a, b) => a !== b,
};

const reals: Readonly<Record<string, Scalar>> = {
  ...comparisons,
  neg: (a) => -a,
  abs: Math.abs,
  floor: Math.floor,
  round: nearest,
  sqrt: Math.sqrt,
  log: Math.log,
  "i32-of": saturated(-(2 ** 31), 2 ** 31 - 1),
  "u32-of": saturated(0, 2 ** 32 - 1),
  finite: Number.isFinite,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: (a, b) => a * b,
  div: (a, b) => a / b,
  mod: (a, b) => {
    // The remainder is exact, x − y·floor(x/y) is not. As there, an infinite y gives NaN, and zero is positive.
    const rest = Number.isFinite(b) ? a % b : Number.NaN;
    return (rest !== 0 && rest < 0 !== b < 0 ? rest + b : rest) + 0;
  },
  min: Math.min,
  max: Math.max,
  atan2: (y, x) => (x === 0 && y === 0 ? 0 : Math.atan2(y, x)),
};

/** Operators of integers, before their results are wrapped. Those of bits are also operators of truth values. */
const integers: Readonly<Record<string, Scalar>> = {
  ...comparisons,
  neg: (a) => -a,
  abs: Math.abs,
  not: (a) => ~a,
  "real-of": (a) => a,
  bits: (a) => a,
  add: (a, b) => a + b,
  sub: (a, b) => a - b,
  mul: Math.imul,
  // The quotient of two 32-bit integers as float64 truncates to the exact one, and wrapping truncates.
  div: (a, b) => (b === 0 ? 0 : a / b),
  mod: (a, b) => (b === 0 ? 0 : ((a % b) + b) % b),
  min: Math.min,
  max: Math.max,
  shl: (a, b) => a << b,
  shr: (a, b) => a >> b,
  and: (a, b) => a & b,
  or: (a, b) => a | b,
  xor: (a, b) => a ^ b,
};

const scalars: Readonly<Record<string, Readonly<Record<string, Scalar>>>> = {
  real: reals,
  i32: integers,
  u32: { ...integers, shr: (a, b) => a >>> b },
  bool: { ...integers, not: (a) => 1 - a },
};

/** Makes what computes an expression in float64, with one closure for each node. */
export function referenceRun(expression: Expression, facts: readonly NodeFacts[], { shape, sources }: Domain): ReferenceRun {
  const { nodes, results } = expression;
  const last = shape.length - 1;
  /** The real and imaginary part of every node's value. Those of constants never change. */
  const r = new Float64Array(2 * nodes.length + 2);
  const names = Object.keys(sources);
  let views: readonly ArrayView[] = [];
  let uniforms: Uniforms = {};
  let here: At = [];
  let given: Complex = [0, 0];
  /** Steps of what is constant in a run, in a row of the last axis, and of the rest; then those of the terms of each sum. */
  const [once, perRow, perElement]: readonly Step[][] = [[], [], []];
  const bodies = new Map<number, Step[]>();
  const termPlaces = new Map<number, number>();
  for (const [place, node] of nodes.entries()) if (node[0] === "term") termPlaces.set(node[1], place);

  const live = new Set(results);
  for (let place = nodes.length - 1; place >= 0; place--) if (live.has(place)) for (const used of facts[place].operands) live.add(used);

  /** The step that computes a node. Undefined if it needs none. */
  const stepOf = (place: number, node: Node): Step | undefined => {
    const { kind, operands } = facts[place];
    const o = 2 * place;
    const [a, b, c] = operands.map((operand) => 2 * operand);
    switch (node[0]) {
      case "real":
      case "i32":
      case "u32":
      case "bool":
        r[o] = Number(node[1]);
        return undefined;
      case "term":
        return undefined; // the sum writes it
      case "index": {
        const axis = node[1];
        return () => {
          r[o] = here[axis];
        };
      }
      case "uniform": {
        const name = node[1];
        return () => {
          r[o] = uniforms[name];
        };
      }
      case "value":
        return () => {
          r[o] = given[0];
          r[o + 1] = given[1];
        };
      case "load":
      case "inside": {
        const slot = names.indexOf(node[1]);
        const { shape } = sources[node[1]];
        const indices = operands.map((operand) => 2 * operand);
        const clamps = node[0] === "load";
        return () => {
          let at = 0;
          for (let axis = 0; axis < indices.length; axis++) {
            const extent = shape[axis];
            let index = r[indices[axis]];
            if (index < 0 || index >= extent) {
              if (!clamps) {
                r[o] = r[o + 1] = 0;
                return;
              }
              index = index < 0 ? 0 : extent - 1;
            }
            at = at * extent + index;
          }
          r[o] = views[slot].re(at);
          r[o + 1] = views[slot].im(at);
        };
      }
      case "taps": {
        const [, name, along, count] = node;
        const slot = names.indexOf(name);
        const { shape } = sources[name];
        const weights = operands.slice(0, count).map((operand) => 2 * operand);
        const indices = operands.slice(count).map((operand) => 2 * operand);
        const pitch = shape.slice(along + 1).reduce((product, extent) => product * extent, 1);
        return () => {
          let [re, im] = [0, 0];
          const first = r[indices[along]];
          const end = Math.min(count, shape[along] - first);
          let at = 0;
          let isInside = true;
          for (let axis = 0; axis < indices.length; axis++) {
            const index = r[indices[axis]];
            if (axis !== along && (index < 0 || index >= shape[axis])) isInside = false;
            at = at * shape[axis] + index;
          }
          for (let j = isInside ? Math.max(0, -first) : end; j < end; j++) {
            const weight = r[weights[j]];
            re += weight * views[slot].re(at + j * pitch);
            im += weight * views[slot].im(at + j * pitch);
          }
          r[o] = re;
          r[o + 1] = im;
        };
      }
      case "sum": {
        const [, sum, , , most] = node;
        const body = bodies.get(sum) ?? [];
        const term = 2 * (termPlaces.get(sum) ?? nodes.length);
        const wrap = wrapOf(kind);
        return () => {
          const count = Math.min(r[a], most);
          let [re, im] = [0, 0];
          for (let j = 0; j < count; j++) {
            r[term] = j;
            for (let i = 0; i < body.length; i++) body[i]();
            re = wrap(re + r[b]);
            im += r[b + 1];
          }
          r[o] = re;
          r[o + 1] = im;
        };
      }
      case "select":
        return () => {
          const from = r[a] === 0 ? c : b;
          r[o] = r[from];
          r[o + 1] = r[from + 1];
        };
      case "cis": {
        const isFraction = facts[operands[0]].kind === "u32";
        return () => {
          const cycles = isFraction ? (r[a] | 0) * 2 ** -32 : r[a] - nearest(r[a]);
          const quarter = nearest(4 * cycles);
          const angle = 2 * Math.PI * (cycles - quarter / 4);
          const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
          const swaps = (quarter & 1) !== 0;
          const sign = (quarter & 2) === 0 ? 1 : -1;
          r[o] = sign * (swaps ? -sine : cosine);
          r[o + 1] = sign * (swaps ? cosine : sine);
        };
      }
      case "complex":
        return () => {
          r[o] = r[a];
          r[o + 1] = r[b];
        };
      case "re":
        return () => {
          r[o] = r[a];
        };
      case "im":
        return () => {
          r[o] = r[a + 1];
        };
    }
    const kindOfOperand = facts[operands[0]].kind;
    if (kindOfOperand === "complex" || kind === "complex") return complexStep(node[0], r, o, a, b, facts, operands);
    const compute = scalars[kindOfOperand][node[0]];
    if (kind === "i32")
      return () => {
        r[o] = (compute(r[a], r[b]) as number) | 0;
      };
    if (kind === "u32")
      return () => {
        r[o] = (compute(r[a], r[b]) as number) >>> 0;
      };
    return () => {
      r[o] = compute(r[a], r[b]) as number; // a typed array stores a boolean as 0 or 1
    };
  };

  for (const [place, { sums }] of facts.entries()) if (live.has(place)) for (const sum of sums) if (!bodies.has(sum)) bodies.set(sum, []);
  for (const [place, node] of nodes.entries()) {
    const step = live.has(place) ? stepOf(place, node) : undefined;
    if (!step) continue;
    const { sums, axes, value } = facts[place];
    if (sums.length > 0) bodies.get(sums[sums.length - 1])?.push(step);
    else if (value || axes[last]) perElement.push(step);
    else (axes.includes(true) ? perRow : once).push(step);
  }

  const row = shape.map(() => -1);
  const run = (steps: readonly Step[]): void => {
    for (let i = 0; i < steps.length; i++) steps[i]();
  };
  return {
    begin(sources, values) {
      views = names.map((name) => sources[name]);
      uniforms = values;
      row.fill(-1);
      run(once);
    },
    compute(at, out, value) {
      here = at;
      if (value) given = value;
      let isNew = false;
      for (let axis = 0; axis < last; axis++) {
        if (row[axis] === at[axis]) continue;
        row[axis] = at[axis];
        isNew = true;
      }
      if (isNew) run(perRow);
      run(perElement);
      for (let i = 0; i < results.length; i++) {
        out[2 * i] = r[2 * results[i]];
        out[2 * i + 1] = r[2 * results[i] + 1];
      }
    },
  };
}

/**
 * Makes a function that computes the results of an expression in float64 for any inputs. It writes to `out` what `ReferenceRun.compute`
 * does. For many elements with the same sources and uniforms `referenceRun` is quicker.
 */
export function referenceOfExpression(
  expression: Expression,
  facts: readonly NodeFacts[],
  domain: Domain,
): (inputs: ReferenceInputs, out: Float64Array) => void {
  const run = referenceRun(expression, facts, domain);
  return ({ at, sources, uniforms, value }, out) => {
    run.begin(sources, uniforms);
    run.compute(at, out, value);
  };
}

function wrapOf(kind: NodeFacts["kind"]): (value: number) => number {
  return kind === "i32" ? (value) => value | 0 : kind === "u32" ? (value) => value >>> 0 : (value) => value;
}

/** The step of an operator that has a complex operand or result. `o`, `a` and `b` are the registers of the result and the operands. */
function complexStep(
  operator: string,
  r: Float64Array,
  o: number,
  a: number,
  b: number,
  facts: readonly NodeFacts[],
  operands: readonly number[],
): Step {
  const [first, second] = operands.map((operand) => facts[operand].kind);
  switch (operator) {
    case "neg":
      return () => {
        r[o] = -r[a];
        r[o + 1] = -r[a + 1];
      };
    case "conj":
      return () => {
        r[o] = r[a];
        r[o + 1] = -r[a + 1];
      };
    case "abs":
      return () => {
        r[o] = magnitude(r[a], r[a + 1]);
      };
    case "finite":
      return () => {
        r[o] = Number(Number.isFinite(r[a]) && Number.isFinite(r[a + 1]));
      };
    case "add":
      return () => {
        r[o] = r[a] + r[b];
        r[o + 1] = r[a + 1] + r[b + 1];
      };
    case "sub":
      return () => {
        r[o] = r[a] - r[b];
        r[o + 1] = r[a + 1] - r[b + 1];
      };
    case "div":
      return () => {
        r[o] = r[a] / r[b];
        r[o + 1] = r[a + 1] / r[b];
      };
    default: {
      if (first === second)
        return () => {
          const re = r[a] * r[b] - r[a + 1] * r[b + 1];
          r[o + 1] = r[a] * r[b + 1] + r[a + 1] * r[b];
          r[o] = re;
        };
      const [scale, z] = first === "real" ? [a, b] : [b, a];
      return () => {
        r[o] = r[scale] * r[z];
        r[o + 1] = r[scale] * r[z + 1];
      };
    }
  }
}

/** √(x² + y²), rounded better than Math.hypot does where the squares are in range. NaN if a part is NaN. */
function magnitude(x: number, y: number): number {
  const square = x * x + y * y;
  return square < 1e-280 || square > 1e280 ? Math.hypot(x, y) : Math.sqrt(square);
}
