/**
 * The conformance kit: the tests that every backend of dechirp must pass, for any test runner. A backend's own test file calls
 * `conformance` with its runner and a function that opens a device. Suites can also be registered one by one.
 */
import { accumulation } from "./accumulation.ts";
import { accuracy } from "./accuracy.ts";
import { arrays } from "./arrays.ts";
import { computedFilters } from "./computed-filters.ts";
import { cornerTurns } from "./corner-turns.ts";
import { errors } from "./errors.ts";
import { expressions } from "./expressions.ts";
import { extremes } from "./extremes.ts";
import { faults } from "./faults.ts";
import { filters } from "./filters.ts";
import { gathers } from "./gathers.ts";
import { hooks } from "./hooks.ts";
import { isolation } from "./isolation.ts";
import { iteration } from "./iteration.ts";
import { kernels } from "./kernels.ts";
import { type Check, type ConformanceOptions, checkSkips, type Kit, type Suite, type TestFunction } from "./kit.ts";
import { laws } from "./laws.ts";
import { lifetime } from "./lifetime.ts";
import { lowering } from "./lowering.ts";
import { oneCall } from "./one-call.ts";
import { order } from "./order.ts";
import { parts } from "./parts.ts";
import { planning } from "./planning.ts";
import { programOrder } from "./program-order.ts";
import { programs } from "./programs.ts";
import { realTransforms } from "./real.ts";
import { reductions } from "./reductions.ts";
import { reference } from "./reference.ts";
import { stencils } from "./stencils.ts";
import { travel } from "./travel.ts";

/** All suites. Basic ones come first, so that the first failure is the one to look at. */
export const suites: readonly Suite[] = [
  reference,
  laws,
  realTransforms,
  filters,
  arrays,
  kernels,
  hooks,
  computedFilters,
  expressions,
  gathers,
  reductions,
  stencils,
  cornerTurns,
  accumulation,
  lowering,
  isolation,
  accuracy,
  extremes,
  order,
  programOrder,
  parts,
  iteration,
  planning,
  lifetime,
  programs,
  travel,
  oneCall,
  errors,
  faults,
];

/**
 * Registers all suites with a test runner.
 *
 * ```ts conformance({ describe, test, open: () => open(cpu()) }); ```
 *
 * Throws `input` if `skips` names a check that does not exist.
 */
export function conformance(options: ConformanceOptions): void {
  checkSkips(options.skips ?? {}, suites);
  for (const suite of suites) suite(options);
}

export { type AnyTransform, dft, dftBins, transformed } from "./definition.ts";
export { random, randomArray, type TestRandom } from "./random.ts";
export type { Sizes } from "./sizes.ts";
export { correct, gate, gateFloat64 } from "./tolerance.ts";
export { type VariantPromise, variantSuite } from "./variants.ts";
export type { Check, ConformanceOptions, Kit, Suite, TestFunction };
export {
  accumulation,
  accuracy,
  arrays,
  computedFilters,
  cornerTurns,
  errors,
  expressions,
  extremes,
  faults,
  filters,
  gathers,
  hooks,
  isolation,
  iteration,
  kernels,
  laws,
  lifetime,
  lowering,
  oneCall,
  order,
  parts,
  planning,
  programOrder,
  programs,
  realTransforms,
  reductions,
  reference,
  stencils,
  travel,
};
