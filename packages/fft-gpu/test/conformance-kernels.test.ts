/** Runs the kit, third part: kernels, hooks, expressions and the other kinds of operations, and accuracy: what depends on the adapter. */
import {
  accumulation,
  accuracy,
  expressions,
  gathers,
  hooks,
  kernels,
  lowering,
  programs,
  reductions,
  stencils,
} from "@dechirp/conformance";
import { kit } from "./adapter.ts";

for (const suite of [kernels, hooks, expressions, gathers, accumulation, stencils, reductions, lowering, accuracy, programs]) suite(kit());
