/** Runs the kit, third part: accuracy, and everything that does not concern the values of a transform. */
import {
  accuracy,
  arrays,
  errors,
  expressions,
  faults,
  hooks,
  isolation,
  kernels,
  lifetime,
  lowering,
  oneCall,
  order,
  planning,
  programOrder,
  programs,
  reductions,
  suites,
} from "@dechirp/conformance";
import { expect, it } from "vitest";
import { kit } from "./adapter.ts";

for (const suite of [
  arrays,
  kernels,
  hooks,
  expressions,
  reductions,
  lowering,
  isolation,
  accuracy,
  order,
  programOrder,
  planning,
  lifetime,
  programs,
  oneCall,
  errors,
  faults,
])
  suite(kit());

it("runs all suites of the kit, together with the two other parts", () => {
  expect(suites).toHaveLength(23);
});
