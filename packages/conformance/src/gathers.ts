/**
 * Checks gathers, as operations and as loads of transforms, against sums in float64. Positions come from the tables' integers by exact
 * arithmetic, so that an element may differ only by the rounding of its weights, products and turn. The bound is computed with it.
 */
import { type Fft, type Layout, layout, type TypedArrayOf, typedArray } from "@dechirp/core";
import { plus, times, toI32, toReal } from "@dechirp/core/expression";
import {
  fineBits,
  type GatherInterpolator,
  type GatherOptions,
  type GatherPositions,
  gather,
  gatherMap,
  gatherSources,
  interpolatorPolynomials,
  interpolatorTable,
  positionExpression,
  positionTable,
  setLinePhase,
  setLinePositions,
} from "@dechirp/radar/interpolation";
import { fail, isTrue, throws } from "./assert.ts";
import { transformed } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { closeIn } from "./match.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { runOp } from "./run.ts";
import { correct, epsilonOf } from "./tolerance.ts";

type Inputs = Record<string, TypedArrayOf>;
/** A position: the sample before it, and the fraction beyond that. */
type Place = readonly [first: number, fraction: number];

const spec = { kind: "sinc", taps: 8, window: "kaiser" } as const;
const oversampling = 1.2;
const kernel = interpolatorTable(spec, { oversampling, phases: 256 });
const odd = interpolatorTable({ ...spec, taps: 6, window: "knab" }, { oversampling, phases: 37 });
const polynomials = interpolatorPolynomials(kernel) ?? [];
const { oversampling: wide, ...shortSpec } = { ...spec, taps: 4, oversampling: 2 } as const;
const short = interpolatorPolynomials(interpolatorTable(shortSpec, { oversampling: wide })) ?? [];
const interpolators: Readonly<Record<string, GatherInterpolator>> = {
  nearest: "nearest",
  linear: "linear",
  polynomials: { polynomials },
  sinc: { ...shortSpec, oversampling: wide },
  table: { taps: kernel.taps, phases: kernel.phases },
  "table of 37 rows": { taps: odd.taps, phases: odd.phases },
};
const kinds = ["affine", "polynomial", "one polynomial", "table", "one line's table", "real expression", "integer expression"] as const;

/** A gather with its data, and its positions and phases in cycles, by index and line. */
interface Case {
  readonly options: GatherOptions;
  readonly inputs: Inputs;
  readonly uniforms: Readonly<Record<string, number>>;
  place(index: number, line: number): Place;
  phase(index: number, line: number): number;
}

interface Wish {
  readonly shape: readonly number[];
  readonly axis: number;
  /** Extent of the source along the axis. */
  readonly extent: number;
  readonly kind: (typeof kinds)[number];
  readonly interpolator: GatherInterpolator;
  readonly phase?: { readonly degree: number; readonly lines?: "each" | "one" };
  readonly dtype?: "c64" | "c128" | "f32";
  readonly samples?: "ci16";
}

const big = BigInt;
const bitsOf = (extent: number): bigint => big(Math.max(0, 32 - Math.clz32(extent - 1)));
const split = (fixed: bigint, bits = fineBits): Place => [Number(fixed >> big(bits)), Number(fixed & ((1n << big(bits)) - 1n)) / 2 ** bits];

/** The fixed-point position that a line's numbers stand for: ⌊…⌋ of each product in turn. */
function fixedOf(table: Uint32Array, lines: number, line: number, index: number, extent: number): Place {
  const columns = Array.from({ length: table.length / lines }, (_, m) => big(table[m * lines + line] | 0));
  const [whole, ...coefficients] = columns;
  const value = coefficients.reduceRight((inner, c) => c + ((inner * big(index)) >> bitsOf(extent)));
  const [first, fraction] = split(value);
  return [index + Number(whole) + first, fraction];
}

/** The cycles that a line's numbers of a phase stand for. */
function cyclesOf(table: Uint32Array, lines: number, line: number, index: number): number {
  const at = (m: number): bigint => big(table[m * lines + line]);
  // In units of 2⁻⁴⁸ cycles.
  let sum = at(0) << 16n;
  for (let m = 1; 2 * m < table.length / lines; m++) sum += ((at(2 * m - 1) << 16n) + at(2 * m)) * big(index) ** big(m);
  return Number(big.asIntN(32, sum >> 16n)) / 2 ** 32;
}

function caseOf(wish: Wish, source: TestRandom): Case {
  const { shape, axis, extent, kind, interpolator, dtype = "c64", samples: stored = dtype } = wish;
  const result = layout(dtype, shape);
  const samples: Layout = layout(
    stored,
    shape.map((length, a) => (a === axis ? extent : length)),
  );
  const n = shape[axis];
  const lines = shape.reduce((product, length) => product * length, 1) / n;
  const inner = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
  const inputs: Inputs = { samples: randomArray(samples, source) };
  const uniform = (low: number, high: number): number => low + (high - low) * source.next();
  let positions: GatherPositions;
  let place: Case["place"];
  let uniforms: Readonly<Record<string, number>> = {};
  switch (kind) {
    case "affine": {
      // Sixteenths are exact in every form.
      const [offset, step] = [source.integer(-90, 90) / 16, source.pick([1, 1, 17 / 16, 13 / 16, -1, 2, 0.5])];
      positions = { kind, offset, step };
      place = (index) => split(big(Math.round((offset + step * index) * 16)), 4);
      break;
    }
    case "polynomial":
    case "one polynomial": {
      const degree = source.integer(1, 4);
      const each = kind === "polynomial";
      positions = { kind: "polynomial", degree, ...(!each && { lines: "one" }) };
      const table = { lines: each ? lines : 1, extent: n, degree };
      const words = new Uint32Array((degree + 2) * table.lines);
      for (let line = 0; line < table.lines; line++) {
        const far = source.integer(0, 9) === 0 ? 1e6 : 1;
        const coefficients = [uniform(-9, 9) * far, 1 + uniform(-4, 4) / n, uniform(-2, 2) / n ** 2, uniform(-2, 2) / n ** 3];
        setLinePositions(words, table, line, coefficients.slice(0, degree + 1));
      }
      inputs["positions"] = words;
      place = (index, line) => fixedOf(words, table.lines, each ? line : 0, index, n);
      break;
    }
    case "table":
    case "one line's table": {
      const each = kind === "table";
      positions = { kind: "table", ...(!each && { lines: "one" }) };
      const wanted = Float64Array.from({ length: each ? n * lines : n }, (_, e) => {
        const index = each ? Math.floor(e / inner) % n : e;
        return source.integer(0, 3) === 0 ? uniform(-9, extent + 9) : index + 0.3 + uniform(-0.2, 0.2);
      });
      const words = positionTable(wanted, each ? shape : [n], each ? axis : 0);
      inputs["positions"] = words;
      place = (index, line) => {
        const e = each ? Math.floor(line / inner) * inner * n + index * inner + (line % inner) : index;
        const [first, fraction] = split(big(words[e] | 0));
        return [index + first, fraction];
      };
      break;
    }
    default: {
      const isReal = kind === "real expression";
      const offsets = typedArray(dtype === "c128" ? "f64" : "f32", n);
      for (let i = 0; i < n; i++) offsets[i] = source.integer(-200, 200) / 32;
      inputs["offsets"] = offsets;
      uniforms = { shift: source.integer(-3, 3) };
      const sources = { offsets: layout(dtype === "c128" ? "f64" : "f32", [n]) };
      positions = positionExpression({ sources, uniforms: { shift: "i32" } }, ({ at, offsets, shift }) => {
        const beyond = plus(offsets(at[axis]), toReal(shift));
        return isReal ? plus(toReal(at[axis]), beyond) : toI32(times(beyond, 2 ** fineBits));
      });
      place = (index) => split(big((offsets[index] + uniforms["shift"]) * 32 + index * 32), 5);
    }
  }
  const options: GatherOptions = { layout: result, samples, axis, positions, interpolator, ...(wish.phase && { phase: wish.phase }) };
  if (typeof interpolator === "object" && "phases" in interpolator) {
    inputs["weights"] = Float32Array.from(interpolator.phases === odd.phases ? odd.table : kernel.table);
  }
  let phase: Case["phase"] = () => 0;
  if (wish.phase) {
    const { degree, lines: which } = wish.phase;
    const table = { lines: which === "one" ? 1 : lines, extent: n, degree };
    const words = new Uint32Array((2 * degree + 1) * table.lines);
    for (let line = 0; line < table.lines; line++)
      setLinePhase(
        words,
        table,
        line,
        Array.from({ length: degree + 1 }, (_, m) => uniform(-1e4, 1e4) / n ** m),
      );
    inputs["phase"] = words;
    phase = (index, line) => cyclesOf(words, table.lines, which === "one" ? 0 : line, index);
  }
  if (JSON.stringify(Object.keys(gatherSources(options)).sort()) !== JSON.stringify(Object.keys(inputs).sort()))
    fail(`the ports of a gather are ${Object.keys(gatherSources(options))}, the data ${Object.keys(inputs)}`);
  return { options, inputs, uniforms, place, phase };
}

/** Weights at a fraction, and what their error is at most. */
function weightsOf(
  interpolator: GatherInterpolator,
  fraction: number,
  epsilon: number,
): readonly (readonly [weight: number, error: number])[] {
  if (interpolator === "nearest") return [0, 1].map((j) => [Number(fraction >= 0.5 === (j === 1)), 0]);
  if (interpolator === "linear") return [1 - fraction, fraction].map((weight) => [weight, epsilon]);
  if ("phases" in interpolator) {
    const { taps, phases } = interpolator;
    const table = Float32Array.from(phases === odd.phases ? odd.table : kernel.table);
    const row = Math.min(phases - 1, Math.floor(fraction * phases));
    const blend = fraction * phases - row;
    return Array.from({ length: taps }, (_, j) => {
      const [near, next] = [table[row * taps + j], table[(row + 1) * taps + j]];
      // The place between rows has an error of a rounding of `fraction · phases`.
      return [near + blend * (next - near), 4 * epsilon * (Math.abs(near) + Math.abs(next)) + epsilon * phases * Math.abs(next - near)];
    });
  }
  const lists = "polynomials" in interpolator ? interpolator.polynomials : short;
  const at = (list: readonly number[], v: number): readonly [number, number] => [
    list.reduceRight((sum, c) => sum * v + c, 0),
    epsilon * (list.length + 4) * list.reduce((sum, c) => sum + Math.abs(c), 0),
  ];
  const v = 2 * fraction - 1;
  return [...lists.map((list) => at(list, v)), ...[...lists].reverse().map((list) => at(list, -v))];
}

/** The result in float64, with the largest error of each element. */
function expectedOf({ options, inputs, place, phase }: Case): { readonly values: Float64Array; readonly errors: Float64Array } {
  const { layout: result, samples, axis, interpolator } = options;
  const { shape, dtype } = result;
  const parts = dtype === "f32" ? 1 : 2;
  const epsilon = epsilonOf(dtype);
  const turnError = options.phase ? (dtype === "c128" ? 2 ** -50 : 2 ** -22 + Math.PI * 2 ** -23) + 3 * epsilon : 0;
  const n = shape[axis];
  const extent = samples.shape[axis];
  const inner = shape.slice(axis + 1).reduce((product, length) => product * length, 1);
  const lines = shape.reduce((product, length) => product * length, 1) / n;
  const values = new Float64Array(parts * lines * n);
  const errors = new Float64Array(lines * n);
  const data = inputs["samples"];
  for (let line = 0; line < lines; line++) {
    const [outer, within] = [Math.floor(line / inner), line % inner];
    for (let i = 0; i < n; i++) {
      const [first, fraction] = place(i, line);
      const weights = weightsOf(interpolator, fraction, epsilon);
      let [re, im, error, size] = [0, 0, 0, 0];
      for (const [j, [weight, rounding]] of weights.entries()) {
        const index = first + 1 - weights.length / 2 + j;
        if (index < 0 || index >= extent) continue;
        const e = parts * ((outer * extent + index) * inner + within);
        const [x, y] = [data[e], parts === 2 ? data[e + 1] : 0];
        re += weight * x;
        im += weight * y;
        size += Math.hypot(x, y) * Math.abs(weight);
        error += Math.hypot(x, y) * rounding;
      }
      const angle = 2 * Math.PI * phase(i, line);
      const [c, s] = options.phase ? [Math.cos(angle), Math.sin(angle)] : [1, 0];
      const e = (outer * n + i) * inner + within;
      values.set(parts === 2 ? [re * c - im * s, re * s + im * c] : [re], parts * e);
      errors[e] =
        interpolator === "nearest" && !options.phase ? 0 : error + size * ((weights.length + 1) * epsilon + Math.SQRT2 * turnError);
    }
  }
  return { values, errors };
}

async function compareMap({ device }: Kit, wish: Wish, source: TestRandom): Promise<void> {
  const made = caseOf(wish, source);
  const { options, inputs, uniforms } = made;
  const { out, text } = await runOp(device, gatherMap(options as Parameters<typeof gatherMap>[0]), inputs, { uniforms });
  const { values, errors } = expectedOf(made);
  const parts = values.length / errors.length;
  for (let i = 0; i < values.length; i++) {
    const most = errors[Math.floor(i / parts)];
    if (!(Math.abs(out[i] - values[i]) <= most))
      fail(`${text} of ${JSON.stringify(wish)}: number ${i} must be ${values[i]} ± ${most.toExponential(1)}, got ${out[i]}`);
  }
}

/** The gather as the load of a transform, fused and lowered. */
async function compareLoad({ device }: Kit, wish: Wish, along: number, source: TestRandom): Promise<void> {
  const made = caseOf(wish, source);
  const { options, inputs, uniforms } = made;
  const op: Fft = { op: "fft", layout: options.layout as Layout<"c64">, axis: along, inverse: false };
  const expected = transformed(op, expectedOf(made).values);
  const n = options.layout.shape[along];
  for (const fuse of [true, false]) {
    const { out, text } = await runOp(device, { ...op, load: gather(options) }, inputs, { uniforms, fuse });
    closeIn(out, expected, expected, correct(n, "c64", 4), `${text} of ${JSON.stringify(wish)}`);
  }
}

const shapes: readonly (readonly [shape: readonly number[], axis: number, extent: number])[] = [
  [[5, 40], 1, 40],
  [[40, 6], 0, 45],
  [[3, 131], 1, 120],
  [[33, 70], 0, 33],
  [[2, 7, 20], 1, 9],
  [[4, 3, 66], 2, 80],
  [[90], 0, 90],
  [[9, 5], 1, 3],
];

/** Checks gathers: positions, interpolators, phases, along any axis. */
export const gathers = suite("gathers", [
  ...kinds.map((kind, k) =>
    check(`${kind}, with every interpolator`, async (kit) => {
      const source = random(k);
      for (const [i, interpolator] of Object.values(interpolators).entries()) {
        for (const turn of kit.sizes === "full" ? [0, 1, 2] : [i % 3]) {
          const [shape, axis, extent] = shapes[(k + i + 3 * turn) % shapes.length];
          const lines = turn === 1 ? "one" : "each";
          const phase = { degree: source.integer(0, 3), lines } as const;
          await compareMap(kit, { shape, axis, extent, kind, interpolator, ...(turn > 0 && { phase }) }, source);
        }
      }
    }),
  ),
  check("rows and columns of every shape", async (kit) => {
    const source = random(50);
    for (const [shape, axis, extent] of shapes)
      await compareMap(kit, { shape, axis, extent, kind: "polynomial", interpolator: { polynomials }, phase: { degree: 1 } }, source);
  }),
  check("real samples and integers", async (kit) => {
    const source = random(60);
    for (const [i, [shape, axis, extent]] of shapes.slice(0, 4).entries()) {
      const kind = kinds[i];
      await compareMap(kit, { shape, axis, extent, kind, interpolator: { polynomials }, dtype: "f32" }, source);
      await compareMap(kit, { shape, axis, extent, kind, interpolator: "linear", samples: "ci16" }, source);
    }
  }),
  check("float64", async (kit) => {
    if (!kit.device.limits.dtypes.includes("c128")) return;
    const source = random(70);
    for (const [i, [shape, axis, extent]] of shapes.entries()) {
      const interpolator = Object.values(interpolators)[i % 6];
      await compareMap(kit, { shape, axis, extent, kind: kinds[i % 7], interpolator, dtype: "c128", phase: { degree: 2 } }, source);
    }
  }),
  check("loads of transforms, fused and lowered", async (kit) => {
    const source = random(80);
    // Slow devices take long to compile a transform with a load.
    const cases = kit.sizes === "full" ? kinds : kinds.slice(0, 2);
    for (const [k, kind] of cases.entries())
      for (const [axis, along] of [
        [0, 0],
        [0, 1],
        [1, 0],
        [1, 1],
      ]) {
        const shape =
          kit.sizes === "full"
            ? source.pick([
                [16, 30],
                [12, 64],
                [64, 6],
              ])
            : [8, 6];
        const interpolator = Object.values(interpolators)[(k + axis + 2 * along) % 6];
        const phase = along === 1 && { phase: { degree: 1 } };
        await compareLoad(kit, { shape, axis, extent: shape[axis] + source.integer(-2, 5), kind, interpolator, ...phase }, along, source);
      }
  }),
  check("zero outside, and only there", async ({ device }) => {
    for (const axis of [0, 1]) {
      const shape = [70, 70];
      const options: GatherOptions = {
        layout: layout("c64", shape),
        samples: layout("c64", shape),
        axis,
        positions: { kind: "affine", offset: -40, step: 2 },
        interpolator: { polynomials },
      };
      const samples = new Float32Array(2 * 70 * 70).fill(1);
      const { out } = await runOp(device, gatherMap(options as Parameters<typeof gatherMap>[0]), { samples });
      for (let e = 0; e < 70 * 70; e++) {
        const position = 2 * (axis === 0 ? Math.floor(e / 70) : e % 70) - 40;
        const isOutside = position < 0 || position >= 70;
        const isRight =
          isOutside && (position < -4 || position > 73) ? out[2 * e] === 0 : Math.abs(out[2 * e] - (isOutside ? 0 : 1)) < 1e-5;
        isTrue(isRight, `axis ${axis}, position ${position}: ${out[2 * e]}`);
      }
    }
  }),
  check("options that are wrong", async () => {
    const array = layout("c64", [8, 9]);
    const right: GatherOptions = {
      layout: array,
      samples: array,
      axis: 1,
      positions: { kind: "affine", offset: 0, step: 1 },
      interpolator: "linear",
    };
    const long = layout("c64", [2 ** 26 + 1]);
    for (const [field, more] of [
      ["axis", { axis: 2 }],
      ["samples.shape", { samples: layout("c64", [7, 9]) }],
      ["positions.kind", { positions: { kind: "spiral" } as never }],
      ["positions.offset", { positions: { kind: "affine", offset: Number.NaN, step: 1 } }],
      ["positions.degree", { positions: { kind: "polynomial", degree: 0 } }],
      ["positions.position", { positions: { kind: "expression", position: 3 as never } }],
      ["layout.shape", { layout: long, samples: long, axis: 0 }],
      ["interpolator", { interpolator: "cubic" as never }],
      ["interpolator.taps", { interpolator: { taps: 7, phases: 4 } }],
      ["interpolator.polynomials", { interpolator: { polynomials: [] } }],
      ["phase.degree", { phase: { degree: 9 } }],
      ["phase.lines", { phase: { degree: 1, lines: "two" as never } }],
      ["intepolator", { intepolator: "linear" } as never],
    ] satisfies readonly (readonly [string, Partial<GatherOptions>])[])
      throws(() => gather({ ...right, ...more }), "input", `a gather with a wrong ${field}`, field);
  }),
]);
