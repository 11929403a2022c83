/** Runs the kit at WebGPU's default limits: 16 KiB of workgroup memory, 256 invocations, 8 arrays per dispatch, bindings of 128 MiB. */
import { suites } from "@dechirp/conformance";
import { describe, test } from "vitest";
import { kit, leavesOut, leftOut } from "./adapter.ts";

/**
 * The suites for SwiftShader, which has twice the workgroup memory but hardly more than the other limits. These suites depend on the
 * limits.
 */
const telling = ["arrays", "kernels", "hooks", "isolation", "laws", "errors"];

describe("at WebGPU's default limits", () => {
  for (const suite of suites) {
    const name = suite.checks[0].split("/")[0];
    if (!leavesOut || telling.includes(name)) suite(kit({ limits: "default" }));
    else for (const check of suite.checks) test.skip(`${check}: ${leftOut}`, () => {});
  }
});
