/** Runs the kit at WebGPU's default limits: 16 KiB of workgroup memory, 256 invocations, 8 arrays per dispatch, bindings of 128 MiB. */
import { suites } from "@dechirp/conformance";
import { describe, test } from "vitest";
import { isFull, kit, leavesOut, leftOut } from "./adapter.ts";

/**
 * The suites for SwiftShader, which has twice the workgroup memory but hardly more than the other limits. These suites depend on the
 * limits.
 */
const telling = ["arrays", "kernels", "hooks", "isolation", "laws", "errors"];

/** The suites about what the backend does itself, which is the same at all limits: the order of work, plans, lifetimes, faults. */
const apart = ["order", "program-order", "iteration", "planning", "lifetime", "travel", "one call", "faults"];

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
    const why = leavesOut && !telling.includes(name) ? leftOut : !isFull && apart.includes(name) ? "the same at all limits" : undefined;
    if (why === undefined) suite({ ...options, skips: { ...options.skips, ...repeated } });
    else for (const check of suite.checks) test.skip(`${check}: ${why}`, () => {});
  }
});
