/** Runs the kit, third part: accuracy, and everything that does not concern the values of a transform. */
import {
  accumulation,
  accuracy,
  arrays,
  errors,
  expressions,
  faults,
  gathers,
  hooks,
  isolation,
  iteration,
  kernels,
  lifetime,
  lowering,
  oneCall,
  order,
  parts,
  planning,
  programOrder,
  programs,
  reductions,
  stencils,
  suites,
  travel,
} from "@dechirp/conformance";
import { expect, it } from "vitest";
import { kit } from "./adapter.ts";

for (const suite of [
  arrays,
  kernels,
  hooks,
  expressions,
  gathers,
  accumulation,
  stencils,
  reductions,
  lowering,
  isolation,
  accuracy,
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
])
  suite(kit());

it("runs all suites of the kit, together with the two other parts", () => {
  expect(suites).toHaveLength(29);
});
