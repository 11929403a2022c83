/**
 * Recipes: how another machine makes the kernels of programs of this package again (`decodeProgram` of `@dechirp/core/json`). Their parameters are
 * the options of the algorithm. The kernels trust the tables of training sets and products, so a program must bring the tables that follow
 * from the options.
 */
import { inputError, type Kernel, type Ports, RadarError, type Recipe, type TypedArrayOf } from "@dechirp/core";
import type { KernelWithTables, RecipeParameters, Recipes } from "@dechirp/core/json";
import { type EfaGeometry, type EfaOptions, efaGeometry } from "../efa/options.ts";
import { productsKernel } from "./covariance.ts";
import { filterKernel } from "./filter.ts";
import { type SolveVariant, solveKernel } from "./solve.ts";
import { type EfaTables, efaTables } from "./tables.ts";
import { weightingKernel } from "./weighting.ts";

/** The stages that are kernels. */
export type StageName = "covariance" | "solve" | "weighting" | "filter";

/** The property `recipe` of the kernel of a stage. None if the training is a function of the caller, which can't be sent. */
export function recipeOf(stage: StageName, options: EfaOptions, { rowsPerInvocation }: SolveVariant): { readonly recipe?: Recipe } {
  if (options.training?.kind === "custom") return {};
  // Kernels do not read the window, which the Doppler stage applies, and `fused` chooses among them.
  const { window: _, fused: __, ...read } = options as EfaOptions & { readonly fused?: boolean };
  return { recipe: { name: `stap/${stage}`, parameters: { ...read, ...(rowsPerInvocation !== undefined && { rowsPerInvocation }) } } };
}

/**
 * The kernels of the extended factored algorithm, for `decodeProgram(…, { kernels: stapKernels })`. Each function checks its parameters and throws
 * `input`.
 */
export const stapKernels: Recipes<KernelWithTables> = {
  "stap/covariance": stage(productsKernel),
  "stap/solve": stage(solveKernel),
  "stap/weighting": stage((geometry) => weightingKernel(geometry), false),
  "stap/filter": stage(filterKernel),
};

/** Largest number of numbers in the tables that a stranger's parameters may ask for. */
const mostTableNumbers = 2 ** 22;
/** Largest number of groups of ranges. */
const mostGroups = 2 ** 18;

function stage(make: (geometry: EfaGeometry, tables: EfaTables, variant: SolveVariant) => Kernel, hasTables = true) {
  return ({ rowsPerInvocation, ...parameters }: RecipeParameters): KernelWithTables => {
    const options = parameters as unknown as EfaOptions;
    for (const field of ["window", "fused"]) if (field in parameters) throw inputError(field, "absent", parameters[field]);
    for (const field of ["centred", "maxOverSteering"] as const)
      if (options[field] !== undefined && typeof options[field] !== "boolean") throw inputError(field, "true or false", options[field]);
    checkTraining(options.training);
    const groups = options.training?.kind === "sliding" ? options.ranges : options.ranges / (options.blockRanges ?? 1);
    checkLimit(groups, "ranges", mostGroups, "groups");
    const geometry = efaGeometry(options);
    const { order } = geometry;
    if (rowsPerInvocation !== undefined && !(Number.isInteger(rowsPerInvocation) && order % (rowsPerInvocation as number) === 0))
      throw inputError("rowsPerInvocation", `a divisor of ${order}`, rowsPerInvocation);
    checkLimit(tableNumbers(geometry), "channels", mostTableNumbers, "numbers in tables");
    // No table is made for a kernel that has none: nobody counts it.
    const tables = hasTables ? efaTables(geometry) : none;
    const kernel = make(geometry, tables, rowsPerInvocation === undefined ? {} : { rowsPerInvocation: rowsPerInvocation as number });
    return { kernel, tables: hasTables ? tablesOf(kernel.ports, tables) : {} };
  };
}

/** The tables that a kernel without tables is made with. */
const none = {} as EfaTables;

/** Throws `limit`, naming the field, if there are more than `most`. */
function checkLimit(count: number, field: string, most: number, what: string): void {
  if (count > most) throw new RadarError("limit", `${field} must give at most ${most} ${what}, not ${count}`, { field, limit: most });
}

/** An upper limit of how many numbers the tables of a geometry have, before they are made. */
function tableNumbers({ sets, order, products, shared }: EfaGeometry): number {
  const triangle = (order * (order + 1)) / 2;
  // Training of blocks and of neighbours has at most two runs, and two blocks.
  return 16 * sets.groups + 3 * triangle + 4 * (shared ? products : triangle);
}

function checkTraining(training: unknown): void {
  if (training === undefined) return;
  if (typeof training !== "object" || training === null) throw inputError("training", "an object", training);
  const { kind, ...numbers } = training as Record<string, unknown>;
  if (kind === "custom") throw inputError("training.kind", "one of adjacent, own, sliding", kind);
  for (const [field, value] of Object.entries(numbers))
    if (!["guardBlocks", "cells", "guardCells"].includes(field) || !(Number.isInteger(value) && (value as number) >= 0))
      throw inputError(`training.${field}`, "a count that this kind of training has", value);
}

/** The tables that the ports of a kernel must be bound to, by port. */
function tablesOf(ports: Ports, { products, elements, sets }: EfaTables): Readonly<Record<string, TypedArrayOf>> {
  const all = { pairs: products.data, elements: elements.data, runs: sets.runs.data, members: sets.members.data };
  return Object.fromEntries(Object.entries(all).filter(([name]) => Object.hasOwn(ports, name)));
}
