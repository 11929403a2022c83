/**
 * Resampling along an axis: each element of the result is interpolated between the samples of its line at a position of its own, and may
 * be turned by a phase. `gather` is the load of a transform, so that the resampled array is never in memory; `gatherMap` is an operation;
 * `gathered` is a value for expressions of one's own. All are expressions: every device runs them, and the float64 reference is their
 * definition.
 */

import { inputError, type Layout, type Load, type UniformTypes } from "@dechirp/core";
import {
  and,
  asI32,
  cis,
  floor,
  type Index,
  i32,
  inside,
  load,
  type MapWith,
  map,
  min,
  minus,
  type Names,
  plus,
  real,
  type SourceOf,
  shiftRight,
  taps,
  times,
  toI32,
  toReal,
  type Value,
} from "@dechirp/core/expression";
import { checkGather, type GatherOptions, type GatherPositions, isTable, type PositionNames, port } from "./gather-options.ts";
import { type InterpolatorSpec, interpolatorTable } from "./kernels.ts";
import { interpolatorPolynomials } from "./polynomials.ts";
import { affinePosition, fineBits, phaseColumns, phaseOf, polynomialOf, positionColumns } from "./positions.ts";

/** Options of `gatherMap`. */
export type GatherMapOptions = Omit<GatherOptions, "tuned">;

/** A position: the sample before it, and the fraction beyond that: a real number, or an i32 in units of 2^−bits. */
type Place = { readonly first: Value<"i32"> } & (
  | { readonly fraction: Value<"real"> }
  | { readonly fixed: Value<"i32">; readonly bits: number }
);

/** Number of lines of the result, or 1 if they share what `lines` is about. */
const linesOf = ({ layout: { shape }, axis }: GatherOptions, lines: "each" | "one" | undefined): number =>
  lines === "one" ? 1 : shape.reduce((product, extent, a) => (a === axis ? product : product * extent), 1);

/** Layouts of the ports that a gather reads, by their names: for hooks and maps that use `gathered`. Throws `input`, naming the option. */
export function gatherSources(options: GatherOptions): Readonly<Record<string, Layout>> {
  checkGather(options);
  const { layout, samples, axis, positions, interpolator, phase, weightType = "f32" } = options;
  const words = (...shape: readonly number[]): Layout => ({ dtype: "u32", shape });
  return {
    [port(options, "samples")]: samples,
    ...(positions.kind === "polynomial" && {
      [port(options, "positions")]: words(positionColumns(positions.degree), linesOf(options, positions.lines)),
    }),
    ...(positions.kind === "table" && {
      [port(options, "positions")]: positions.lines === "one" ? words(layout.shape[axis]) : words(...layout.shape),
    }),
    ...(positions.kind === "expression" && positions.sources),
    ...(isTable(interpolator) && {
      [port(options, "weights")]: { dtype: weightType, shape: [interpolator.phases + 1, interpolator.taps] } as Layout,
    }),
    ...(phase && { [port(options, "phase")]: words(phaseColumns(phase.degree), linesOf(options, phase.lines)) }),
  };
}

/** The place of an element's line in a table: its flat index without the gathered axis. */
function lineOf({ layout: { shape }, axis }: GatherOptions, at: readonly Value<"i32">[], lines: "each" | "one" | undefined): Value<"i32"> {
  const others = lines === "one" ? [] : shape.flatMap((_, a) => (a === axis ? [] : [a]));
  return others.reduce<Value<"i32"> | undefined>((sum, a) => (sum ? plus(times(sum, shape[a]), at[a]) : at[a]), undefined) ?? i32(0);
}

function placeOf(options: GatherOptions, names: PositionNames): Place {
  const { layout, axis, positions } = options;
  const index = names.at[axis];
  const words = (): SourceOf<"u32"> => names[port(options, "positions")] as SourceOf<"u32">;
  const fixedPlace = (whole: Value<"i32">, fixed: Value<"i32">, bits: number): Place => ({
    first: plus(whole, shiftRight(fixed, bits)),
    fixed: and(fixed, 2 ** bits - 1),
    bits,
  });
  switch (positions.kind) {
    case "affine": {
      const { whole, fixed, bits } = affinePosition(positions.offset, positions.step, index, layout.shape[axis]);
      return fixedPlace(whole, fixed, bits);
    }
    case "polynomial": {
      const line = lineOf(options, names.at, positions.lines);
      const [whole, ...coefficients] = Array.from({ length: positionColumns(positions.degree) }, (_, m) => asI32(words()(m, line)));
      return fixedPlace(plus(index, whole), polynomialOf(coefficients, index, layout.shape[axis]), positions.bits ?? fineBits);
    }
    case "table":
      return fixedPlace(index, asI32(positions.lines === "one" ? words()(index) : words()(names.at)), positions.bits ?? fineBits);
    case "expression": {
      const position = positions.position(names);
      if (position?.kind === "i32") return fixedPlace(index, position as Value<"i32">, fineBits);
      if ((position?.kind as string) !== "real")
        throw inputError("positions.position", "a function that returns a real or i32 value", position);
      const whole = floor(position as Value<"real">);
      return { first: toI32(whole), fraction: minus(position as Value<"real">, whole) };
    }
  }
}

/** The weights of polynomials: tap j at v = 2μ − 1, and tap (last − j) at −v. */
function polynomialWeights(polynomials: readonly (readonly number[])[], place: Place): readonly Value<"real">[] {
  const v = "fixed" in place ? minus(times(toReal(place.fixed), 2 ** (1 - place.bits)), 1) : minus(times(place.fraction, 2), 1);
  const square = times(v, v);
  const horner = (coefficients: readonly number[]): Value<"real"> =>
    coefficients.reduceRight<Value<"real"> | undefined>((inner, c) => (inner ? plus(times(square, inner), c) : real(c)), undefined) ??
    real(0);
  const halves = polynomials.map((coefficients) => ({
    even: horner(coefficients.filter((_, d) => d % 2 === 0)),
    odd: times(v, horner(coefficients.filter((_, d) => d % 2 === 1))),
  }));
  return [...halves.map(({ even, odd }) => plus(even, odd)), ...[...halves].reverse().map(({ even, odd }) => minus(even, odd))];
}

/** The weights of two rows of the table, blended. */
function tableWeights(count: number, phases: number, table: SourceOf<"real">, place: Place): readonly Value<"real">[] {
  let [row, blend]: [Value<"i32"> | undefined, Value<"real"> | undefined] = [undefined, undefined];
  const step = Math.log2(phases);
  if ("fixed" in place && Number.isInteger(step) && step <= place.bits) {
    const rest = place.bits - step;
    row = shiftRight(place.fixed, rest);
    blend = times(toReal(and(place.fixed, 2 ** rest - 1)), 2 ** -rest);
  } else {
    const fraction = "fixed" in place ? times(toReal(place.fixed), 2 ** -place.bits) : place.fraction;
    const scaled = times(fraction, phases);
    row = min(toI32(floor(scaled)), phases - 1);
    blend = minus(scaled, toReal(row));
  }
  return Array.from({ length: count }, (_, j) => {
    const near = table(row, j);
    return plus(near, times(blend, minus(table(plus(row, 1), j), near)));
  });
}

/** Coefficients of polynomials by the kernel that they are for: fitting takes milliseconds. */
const fitted = new WeakMap<object, readonly (readonly number[])[]>();
function polynomialsOf(interpolator: Exclude<InterpolatorSpec, "nearest"> & { readonly oversampling: number }) {
  const known = fitted.get(interpolator);
  if (known) return known;
  const { oversampling, ...spec } = interpolator;
  const made = interpolatorPolynomials(interpolatorTable(spec, { oversampling }));
  if (!made) throw inputError("interpolator", "a kernel that polynomials of degree 16 represent, or a table", interpolator);
  fitted.set(interpolator, made);
  return made;
}

/**
 * What a gather computes at the index vector `names.at`, for hooks and maps of one's own: `names` are those of `load` and `map`, with the
 * sources that `gatherSources` lists. The result is complex if the samples are or if there is a phase, else real. Throws `input`,
 * naming the option.
 */
export function gathered(options: GatherOptions, names: PositionNames): Value<"complex"> | Value<"real"> {
  checkGather(options);
  const { axis, interpolator, phase } = options;
  const samples = names[port(options, "samples")] as SourceOf<"complex">;
  const place = placeOf(options, names);
  const from = (first: Index): readonly Index[] => names.at.map((own, a) => (a === axis ? first : own));
  const weighed = (weights: readonly Value<"real">[]): Value<"complex"> =>
    taps(samples, axis, weights, from(weights.length === 2 ? place.first : plus(place.first, 1 - weights.length / 2)));
  let value: Value<"complex"> | Value<"real">;
  if (interpolator === "nearest") {
    const isLater = "fixed" in place ? shiftRight(place.fixed, place.bits - 1) : toI32(floor(plus(place.fraction, 0.5)));
    value = inside(samples, from(plus(place.first, isLater)));
  } else if (interpolator === "linear") {
    const fraction = "fixed" in place ? times(toReal(place.fixed), 2 ** -place.bits) : place.fraction;
    value = weighed([minus(1, fraction), fraction]);
  } else if (isTable(interpolator)) {
    const { taps: count, phases } = interpolator;
    value = weighed(tableWeights(count, phases, names[port(options, "weights")] as SourceOf<"real">, place));
  } else {
    const polynomials = "polynomials" in interpolator ? interpolator.polynomials : polynomialsOf(interpolator);
    value = weighed(polynomialWeights(polynomials, place));
  }
  if (!phase) return value;
  const line = lineOf(options, names.at, phase.lines);
  const table = names[port(options, "phase")] as SourceOf<"u32">;
  const columns = Array.from({ length: phaseColumns(phase.degree) }, (_, m) => table(m, line));
  return times(value, cis(phaseOf(columns, names.at[axis], options.layout.shape[axis])));
}

/**
 * Positions that a function computes: it gets the index vector `at`, the sources as functions of indices, and the uniforms, as that of
 * `load` does. It returns the position, real; or an i32, 2^fineBits times what the position is beyond the own index.
 */
export const positionExpression = <
  const S extends Readonly<Record<string, Layout>> = Record<never, never>,
  const U extends UniformTypes = Record<never, never>,
>(
  options: { readonly sources?: S; readonly uniforms?: U },
  position: (names: Names<S, U>) => Value<"real"> | Value<"i32">,
): GatherPositions => ({ ...options, kind: "expression", position: position as never });

/** What `load` and `map` have in common. */
function common(options: GatherOptions) {
  const sources = gatherSources(options);
  const { positions, name = "gather" } = options;
  return {
    name,
    sources,
    ...(positions.kind === "expression" && positions.uniforms && { uniforms: positions.uniforms }),
  };
}

/**
 * A load that resamples along an axis: element i of a line is the sample at the line's position of i. Ports: samples; positions, weights and
 * phase, if they are tables; and the sources of a position that is an expression. Samples outside the array count as zero. Throws
 * `input`, naming the option.
 *
 * The transform may be along any axis. Neighbouring results along the last axis are computed together, so it is quickest if they take
 * neighbouring samples, or the same ones of neighbouring lines.
 */
export function gather(options: GatherOptions): Load {
  const shared = common(options);
  const { layout, tuned } = options;
  return load({ ...shared, layout, ...(tuned && { tuned }) }, (names) => gathered(options, names as unknown as PositionNames));
}

/** `gather` as an operation of its own, which writes port `out` with the layout's element type. */
export function gatherMap<D extends Layout["dtype"]>(
  options: GatherMapOptions & { readonly layout: { readonly dtype: D; readonly shape: readonly number[] } },
): MapWith<{ readonly out: D }> {
  const shared = common(options);
  const { dtype, shape } = options.layout;
  return map({ ...shared, shape, outputs: { out: dtype } }, (names) => ({
    out: gathered(options, names as unknown as PositionNames),
  })) as never;
}
