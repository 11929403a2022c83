/** Runs the kit at WebGPU's default limits: 16 KiB of workgroup memory, 256 invocations, 8 arrays per dispatch, bindings of 128 MiB. */
import { suites } from "@dechirp/conformance";
import { describe, test } from "vitest";
import { isFull, kit, leavesOut, leftOut } from "./adapter.ts";

/** The suites that depend on the limits: how transforms are divided into passes, what kernels bind, and what is refused. */
const telling = [
  ...["arrays", "kernels", "hooks", "isolation", "laws", "errors"],
  // Their arrays and tables are what bindings and workgroup memory must hold. SwiftShader has hardly more than the default limits.
  ...(leavesOut
    ? []
    : ["accumulation", "corner turns", "expressions", "gathers", "real transforms", "reductions", "reference", "stencils"]),
];

/** The code of random expressions does not depend on the limits. One part shows that their arrays fit. */
const repeated = Object.fromEntries(
  suites
    .flatMap(({ checks }) => checks)
    .filter((check) => /^expressions\/random maps, part [2-9]/.test(check))
    .map((check) => [check, "the same at all limits; run without them"]),
);

describe("at WebGPU's default limits", () => {
  for (const suite of suites) {
    const name = suite.checks[0].split("/")[0];
    const options = kit({ limits: "default" });
    if (isFull || telling.includes(name)) suite({ ...options, skips: { ...options.skips, ...repeated } });
    else for (const check of suite.checks) test.skip(`${check}: ${leavesOut ? leftOut : "does not depend on limits"}`, () => {});
  }
});
