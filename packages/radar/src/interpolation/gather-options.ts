/** The options of a gather, their checks, and what they say about ports and tables. */
import { inputError, type Layout, type TunedHook, type UniformTypes } from "@dechirp/core";
import type { Value } from "@dechirp/core/expression";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import type { InterpolatorSpec } from "./kernels.ts";
import { maxDegree, maxGatheredExtent, maxTurnedExtent } from "./positions.ts";

/** What the function that computes a position gets: the index vector `at`, and the sources and uniforms by name. */
export type PositionNames = { readonly at: readonly Value<"i32">[] } & Readonly<Record<string, unknown>>;

/** Where the samples are taken: positions along the gathered axis, of which whole numbers are samples of the source. */
export type GatherPositions =
  /** offset + step·index, the same for all lines. */
  | { readonly kind: "affine"; readonly offset: number; readonly step: number }
  /**
   * A polynomial of the index for each line, from port `positions`, u32 [positionColumns(degree)][lines], which `setLinePositions` writes.
   * Lines are the elements of the result without the gathered axis, in the order of memory. If they are "one", all share a polynomial.
   * `bits` of the fraction are those of the table. Default: `fineBits`.
   */
  | { readonly kind: "polynomial"; readonly degree: number; readonly lines?: "each" | "one"; readonly bits?: number }
  /**
   * A position for each element of the result, from port `positions`, u32 of the result's shape, which `positionTable` makes. If lines are
   * "one", the shape is [extent along the axis]. `bits` of the fraction are those of the table. Default: `fineBits`.
   */
  | { readonly kind: "table"; readonly lines?: "each" | "one"; readonly bits?: number }
  /**
   * What a function of the index, of sources and of uniforms computes. `positionExpression` makes it.
   */
  | {
      readonly kind: "expression";
      readonly sources?: Readonly<Record<string, Layout>>;
      readonly uniforms?: UniformTypes;
      readonly position: (names: PositionNames) => Value<"real"> | Value<"i32">;
    };

/** How a value between samples is made of them. */
export type GatherInterpolator =
  /** The nearest sample; of two that are as near, the later one. */
  | "nearest"
  /** A straight line between two samples. */
  | "linear"
  /** A windowed sinc, computed by polynomials. `oversampling` is the sampling rate over the bandwidth of the signal. */
  | (Exclude<InterpolatorSpec, "nearest"> & { readonly oversampling: number })
  /** Polynomials of the delay, as `interpolatorPolynomials` makes them. */
  | { readonly polynomials: readonly (readonly number[])[] }
  /** A table of weights at port `weights`, real [phases + 1][taps]: the `table` of an `InterpolatorTable`. */
  | { readonly taps: number; readonly phases: number };

/** Options of `gather`. */
export interface GatherOptions {
  /** The layout of the result. */
  readonly layout: Layout;
  /** The layout of the source. It may have another extent than the result along the gathered axis, but not along the others. */
  readonly samples: Layout;
  /** The axis along which samples are taken. */
  readonly axis: number;
  readonly positions: GatherPositions;
  readonly interpolator: GatherInterpolator;
  /**
   * The degree of a polynomial of the index for each line, by which the result is turned: port `phase`, u32 [phaseColumns(degree)][lines],
   * which `setLinePhase` writes. If lines are "one", all share a polynomial. Default: no phase.
   */
  readonly phase?: { readonly degree: number; readonly lines?: "each" | "one" };
  /** Name for messages and plan texts. Default: "gather". */
  readonly name?: string;
  /** Names of the ports. Default: samples, positions, weights, phase. */
  readonly ports?: { readonly samples?: string; readonly positions?: string; readonly weights?: string; readonly phase?: string };
  /** Element type of a table of weights. Default: f32. */
  readonly weightType?: "f32" | "f64";
  /** Hand-written code for some devices. Default: none. */
  readonly tuned?: TunedHook;
}

const fields: FieldsOf<GatherOptions> = {
  layout: "object",
  samples: "object",
  axis: "number",
  positions: "object",
  interpolator: true,
  phase: "object",
  name: "string",
  ports: "object",
  weightType: "string",
  tuned: "object",
};

const fieldsOfPositions: Readonly<Record<string, Readonly<Record<string, true | "object">>>> = {
  affine: { kind: true, offset: true, step: true },
  polynomial: { kind: true, degree: true, lines: true, bits: true },
  table: { kind: true, lines: true, bits: true },
  expression: { kind: true, sources: "object", uniforms: "object", position: true },
};
const fieldsOfSinc = { kind: true, taps: true, window: true, beta: true, oversampling: true } as const;
const fieldsOfPorts = { samples: "string", positions: "string", weights: "string", phase: "string" } as const;
const portNames = ["samples", "positions", "weights", "phase"] as const;

/** The name of a port. */
export const port = ({ ports }: GatherOptions, name: "samples" | "positions" | "weights" | "phase"): string => ports?.[name] ?? name;

/** Whether the weights are a table at a port. */
export const isTable = (interpolator: GatherInterpolator): interpolator is { readonly taps: number; readonly phases: number } =>
  typeof interpolator === "object" && "phases" in interpolator && "taps" in interpolator;

/** Throws `input`, naming the option, unless the options of a gather are right by themselves. */
export function checkGather(options: GatherOptions): void {
  checkFields(options, fields, "options of gather");
  const { layout, samples, axis, positions, interpolator, phase } = options;
  const fail = (field: string, expected: string, actual: unknown): never => {
    throw inputError(field, expected, actual);
  };
  for (const [field, value] of Object.entries({ layout, samples }))
    if (!Array.isArray(value?.shape) || value.shape.length === 0 || !value.shape.every(Number.isInteger) || typeof value.dtype !== "string")
      fail(field, "a layout", value);
  if ((samples.dtype as string) === "u32") fail("samples", "a layout of real or complex numbers", samples);
  const rank = layout.shape.length;
  if (!Number.isInteger(axis) || axis < 0 || axis >= rank) fail("axis", `from 0 to ${rank - 1}`, axis);
  if (samples.shape.length !== rank || samples.shape.some((extent, a) => a !== axis && extent !== layout.shape[a]))
    fail("samples.shape", `that of layout but along axis ${axis}, [${layout.shape.join(", ")}]`, samples.shape);
  const isDegree = (field: string, value: unknown, low: number): unknown =>
    (Number.isInteger(value) && (value as number) >= low && (value as number) <= maxDegree) ||
    fail(field, `a whole number from ${low} to ${maxDegree}`, value);
  const hasLines = (field: string, value: unknown): unknown =>
    value === undefined || value === "each" || value === "one" || fail(field, '"each" or "one"', value);
  const isShort = (most: number): unknown => {
    const extent = layout.shape[axis];
    return extent <= most || fail("layout.shape", `at most ${most} along axis ${axis} for polynomials`, extent);
  };
  const hasBits = (bits: unknown): unknown =>
    bits === undefined ||
    (Number.isInteger(bits) && (bits as number) >= 1 && (bits as number) <= 24) ||
    fail("positions.bits", "a whole number from 1 to 24", bits);
  const kind = positions?.kind;
  if (typeof kind !== "string" || !Object.hasOwn(fieldsOfPositions, kind))
    fail("positions.kind", "affine, polynomial, table or expression", kind);
  checkFields(positions as object, fieldsOfPositions[kind], `${kind} positions`, "input", "positions.");
  switch (positions.kind) {
    case "affine":
      for (const name of ["offset", "step"] as const)
        if (!Number.isFinite(positions[name])) fail(`positions.${name}`, "a finite number", positions[name]);
      isShort(maxGatheredExtent);
      break;
    case "polynomial":
      isDegree("positions.degree", positions.degree, 1);
      hasLines("positions.lines", positions.lines);
      hasBits(positions.bits);
      isShort(maxGatheredExtent);
      break;
    case "table":
      hasLines("positions.lines", positions.lines);
      hasBits(positions.bits);
      break;
    case "expression":
      if (typeof positions.position !== "function") fail("positions.position", "a function", positions.position);
      break;
  }
  if (phase) {
    checkFields(phase, { degree: true, lines: true }, "phase", "input", "phase.");
    isDegree("phase.degree", phase.degree, 0);
    hasLines("phase.lines", phase.lines);
    isShort(phase.degree > 1 ? maxTurnedExtent : maxGatheredExtent);
  }
  if (typeof interpolator === "string") {
    if (interpolator !== "nearest" && interpolator !== "linear") fail("interpolator", "nearest, linear or an object", interpolator);
  } else if (typeof interpolator !== "object" || interpolator === null) fail("interpolator", "nearest, linear or an object", interpolator);
  else if (isTable(interpolator)) {
    const { taps: count, phases } = interpolator;
    if (!Number.isInteger(count) || count < 2 || count > 64 || count % 2 !== 0) fail("interpolator.taps", "even, from 2 to 64", count);
    if (!Number.isInteger(phases) || phases < 1 || phases > 2 ** 16) fail("interpolator.phases", "from 1 to 65536", phases);
  } else if ("polynomials" in interpolator) {
    const { polynomials } = interpolator;
    const isList = (value: unknown): value is unknown[] => Array.isArray(value) && value.length >= 1 && value.length <= 32;
    if (!isList(polynomials) || !polynomials.every((list) => isList(list) && list.every(Number.isFinite)))
      fail("interpolator.polynomials", "a list of 1 to 32 lists of coefficients", polynomials);
  } else checkFields(interpolator, fieldsOfSinc, "interpolator", "input", "interpolator.");
  const { ports } = options;
  if (!ports) return;
  checkFields(ports, fieldsOfPorts, "ports", "input", "ports.");
  const names = portNames.map((name) => port(options, name));
  if (new Set(names).size < names.length) fail("ports", "names that differ", ports);
}
