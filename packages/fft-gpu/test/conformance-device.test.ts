/** The kit, third part: accuracy, and everything that is not about a transform's values. */
import {
  accuracy,
  arrays,
  errors,
  faults,
  hooks,
  isolation,
  kernels,
  lifetime,
  lowering,
  order,
  planning,
  programOrder,
  programs,
  suites,
} from "@dechirp/conformance";
import { expect, it } from "vitest";
import { kit } from "./adapter.ts";

for (const suite of [
  arrays,
  kernels,
  hooks,
  lowering,
  isolation,
  accuracy,
  order,
  programOrder,
  planning,
  lifetime,
  programs,
  errors,
  faults,
])
  suite(kit());

it("leaves out no suite of the kit: two and four are in the other parts", () => {
  expect(suites).toHaveLength(19);
});
