/** Runs the whole conformance kit on WASM with two workers: what depends on the length of transforms with all lengths, the rest with some. */
import { suites } from "@dechirp/conformance";
import { kit } from "./kit.ts";

const byLength = ["reference", "laws", "real transforms", "filters", "accuracy", "extremes"];

for (const suite of suites) {
  const name = suite.checks[0].split("/")[0];
  const { skips: _, sizes, ...options } = kit({ workers: 2 });
  suite({ ...options, sizes: byLength.includes(name) ? "full" : (sizes ?? "full") });
}
