/** Runs the kit, fourth part: arrays, order, plans, lifetime, errors and faults: what the backend does itself, on any adapter. */
import {
  arrays,
  errors,
  faults,
  isolation,
  iteration,
  lifetime,
  oneCall,
  order,
  parts,
  planning,
  programOrder,
  suites,
  travel,
} from "@dechirp/conformance";
import { expect, it } from "vitest";
import { kit } from "./adapter.ts";

for (const suite of [arrays, isolation, order, programOrder, parts, iteration, planning, lifetime, travel, oneCall, errors, faults])
  suite(kit());

it("runs all suites of the kit, together with the three other parts", () => {
  expect(suites).toHaveLength(29);
});
