/**
 * Recipes: how another machine makes the kernels and hand-written hooks of programs of this package again (`decodeProgram` of
 * `@dechirp/core/json`). Parameters may come from a stranger. They are checked here, so that no kernel reads or writes beyond its arrays and no
 * text of a stranger gets into code.
 */
import { checkLayout, dtypes, inputError, type Kernel, type Layout, type Load, type Store } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf, isArrayOf } from "@dechirp/core/internal";
import type { RecipeParameters, Recipes, Tunable } from "@dechirp/core/json";
import type { InterpolatorTable } from "@dechirp/radar/interpolation";
import { curvesKernel } from "./backprojection/curves.ts";
import { backprojectionKernel, sumSetsKernel } from "./backprojection/kernel.ts";
import { schemes, type TileWindow } from "./backprojection/partition.ts";
import { type BackprojectionShape, sineSources } from "./backprojection/shape.ts";
import { type DetectionKind, detectStore } from "./detect.ts";
import { migrationLoad } from "./range-doppler/azimuth.ts";
import { couplingLoad } from "./range-doppler/range.ts";
import { halfLoad, halfStore } from "./range-doppler/storage.ts";

/**
 * The kernels of backprojection, for `decodeProgram(…, { kernels: sarKernels })`. Each function checks its parameters and throws `input`
 * or `limit`.
 */
export const sarKernels: Recipes<Kernel> = {
  "sar/backproject": (parameters) => backprojectionKernel(shapeFrom(parameters)),
  "sar/curves": (parameters) => {
    const { kept, ...others } = parameters;
    const { pulses, bins, curves } = wholes(others, ["pulses", "bins", "curves"]);
    if (kept === undefined) return curvesKernel({ pulses, bins, curves });
    checkWhole(kept, "kept", 1, curves);
    return curvesKernel({ pulses, bins, curves, kept: kept as number });
  },
  "sar/sum-sets": (parameters) => {
    const { nx, ny, sets } = wholes(parameters, ["nx", "ny", "sets"]);
    return sumSetsKernel({ nx, ny, sets });
  },
};

/** The hooks of programs that store half precision, for `decodeProgram(…, { hooks: sarHooks })`. Each function throws `input`. */
export const sarHooks: Recipes<Load | Store> = {
  "sar/half-load": (parameters) => {
    checkFields(parameters as { name: string; layout: Layout }, { name: "string", layout: "object" }, "half-load");
    const { name, layout } = parameters as { readonly name: string; readonly layout: Layout };
    if (!/^[a-z]{1,32}$/.test(name)) throw inputError("name", "a word of small letters", name);
    checkLayout(layout, "layout");
    if (layout.shape.length !== 2 || layout.dtype !== "cf16") throw inputError("layout", "cf16 with two axes", layout);
    return halfLoad(name, layout);
  },
  "sar/half-store": (parameters) => {
    checkFields(parameters as { scale: number }, { scale: "number" }, "half-store");
    const { scale } = parameters as { readonly scale: number };
    if (!(Math.fround(scale) > 0 && Math.fround(scale) < Number.POSITIVE_INFINITY)) throw inputError("scale", "a positive number", scale);
    return halfStore(scale);
  },
};

/**
 * The hand-written code of the hooks of range-Doppler programs and of detection, for `decodeProgram(…, { tuned: sarTuned })`. Without it, a
 * device computes by the expressions. Each function throws `input`.
 */
export const sarTuned: Readonly<Record<string, (parameters: RecipeParameters, hook: Tunable) => Tunable>> = {
  "sar/migration": (parameters, hook) => {
    const [doppler] = sourcesOf(hook, { doppler: 2 });
    const [cells, rows] = hook.shape ?? [];
    if (doppler.shape[1] !== rows) throw inputError("sources.doppler", "an array with a column for each Doppler row", doppler.shape);
    const { bits, polynomials } = migrationFrom(parameters);
    return migrationLoad(doppler, cells, { polynomials }, bits);
  },
  "sar/coupling": (_, hook) => {
    const [spectrum, coupling] = sourcesOf(hook, { spectrum: 2, coupling: 2 });
    if (coupling.shape[1] !== 3 || coupling.shape[0] !== spectrum.shape[0])
      throw inputError("sources.coupling", "a table with three columns and a row for each Doppler row", coupling.shape);
    return couplingLoad(spectrum, coupling);
  },
  "sar/detect": (parameters) => {
    checkFields(parameters as { kind: DetectionKind }, { kind: "string" }, "detect");
    return detectStore({ kind: parameters["kind"] as DetectionKind });
  },
};

/** The layouts of the sources of a hook that must have these, with so many axes. */
function sourcesOf({ sources }: Tunable, ranks: Readonly<Record<string, number>>): readonly Layout[] {
  return Object.entries(ranks).map(([name, rank]) => {
    const layout = Object.hasOwn(sources, name) ? sources[name] : undefined;
    if (layout?.shape.length !== rank) throw inputError(`sources.${name}`, `an array with ${rank} axes`, layout);
    return layout;
  });
}

interface MigrationParameters {
  readonly bits: number;
  readonly polynomials: readonly (readonly number[])[];
}

function migrationFrom(parameters: RecipeParameters): MigrationParameters {
  const given = parameters as unknown as MigrationParameters;
  checkFields(given, { bits: true, polynomials: "object" }, "migration");
  const { bits, polynomials } = given;
  checkWhole(bits, "bits", 1, 24);
  const isRow = (row: unknown): boolean => Array.isArray(row) && row.length >= 1 && row.length <= 32 && row.every(Number.isFinite);
  if (!Array.isArray(polynomials) || polynomials.length < 1 || polynomials.length > 16 || !polynomials.every(isRow))
    throw inputError("polynomials", "from 1 to 16 lists of coefficients", polynomials);
  return given;
}

const largest = 2 ** 24;

/** The named fields of `parameters`, which are positive integers, and no others. */
function wholes<K extends string>(parameters: RecipeParameters, names: readonly K[]): Readonly<Record<K, number>> {
  checkFields(
    parameters as Record<K, number>,
    Object.fromEntries(names.map((name) => [name, true])) as FieldsOf<Record<K, number>>,
    "the kernel",
  );
  for (const name of names) checkWhole(parameters[name], name, 1);
  return parameters as Record<K, number>;
}

function checkWhole(value: unknown, field: string, least: number, most = largest): void {
  if (!(Number.isInteger(value) && (value as number) >= least && (value as number) <= most))
    throw inputError(field, `an integer from ${least} to ${most}`, value);
}

const fieldsOfShapes: FieldsOf<BackprojectionShape> = {
  nx: true,
  ny: true,
  tile: true,
  pulses: true,
  bins: true,
  scheme: true,
  sets: true,
  blockTiles: true,
  order: true,
  window: "object",
  scattered: "boolean",
  taps: "object",
  curves: true,
  sine: true,
  invocations: true,
  windowBytes: true,
};

const fieldsOfWindows: FieldsOf<TileWindow> = { bins: true, before: true };
const fieldsOfTables: FieldsOf<InterpolatorTable> = { taps: true, phases: true, beta: "number", table: "object" };

/** The kernel is written out for each pixel of an invocation. */
const mostPixelsOfInvocation = 64;
const mostTile = 256;

function shapeFrom(parameters: RecipeParameters): BackprojectionShape {
  const shape = parameters as unknown as BackprojectionShape;
  checkFields(shape, fieldsOfShapes, "the shape of backprojection");
  for (const field of ["nx", "ny", "pulses", "bins", "sets"] as const) checkWhole(shape[field], field, 1);
  checkWhole(shape.tile, "tile", 8, mostTile);
  checkWhole(shape.blockTiles, "blockTiles", 0, 64);
  checkWhole(shape.order, "order", 2, 3);
  if (shape.sets > shape.pulses) throw inputError("sets", `at most ${shape.pulses}, the number of pulses`, shape.sets);
  if (!schemes.includes(shape.scheme)) throw inputError("scheme", `one of ${schemes.join(", ")}`, shape.scheme);
  if (!sineSources.includes(shape.sine)) throw inputError("sine", `one of ${sineSources.join(", ")}`, shape.sine);
  checkObject(shape.window, "window", "input");
  checkFields(shape.window, fieldsOfWindows, "a window", "input", "window.");
  checkWhole(shape.window.bins, "window.bins", 1);
  checkWhole(shape.window.before, "window.before", 0);
  if (shape.curves !== undefined) checkWhole(shape.curves, "curves", 1);
  if (shape.windowBytes !== undefined) checkWhole(shape.windowBytes, "windowBytes", 0);
  const { invocations } = shape;
  if (invocations !== undefined) {
    const least = Math.max(32, shape.tile ** 2 / mostPixelsOfInvocation);
    if (![32, 64, 128, 256, 512, 1024].includes(invocations) || invocations < least)
      throw inputError("invocations", `a power of two from ${least} to 1024`, invocations);
  }
  if (shape.taps) checkTaps(shape.taps);
  if (shape.taps && shape.curves) throw inputError("taps", "absent if there are curves", shape.taps);
  return shape;
}

function checkTaps(given: InterpolatorTable): void {
  checkFields(given, fieldsOfTables, "an interpolator", "input", "taps.");
  const { taps, phases, table } = given;
  if (![...Array(16).keys()].some((half) => taps === 2 * half + 2)) throw inputError("taps.taps", "an even integer from 2 to 32", taps);
  checkWhole(phases, "taps.phases", 1, 2 ** 16);
  const length = (phases + 1) * taps;
  if (!isArrayOf(table, dtypes.f64.array) || table.length !== length)
    throw inputError("taps.table", `a Float64Array of ${length} numbers`, table);
  if (!table.every(Number.isFinite)) throw inputError("taps.table", "finite", "a number that is not");
}
