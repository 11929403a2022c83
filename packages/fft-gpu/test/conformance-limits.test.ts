/** The kit at WebGPU's default limits: 16 KiB of workgroup memory, 256 invocations, 8 arrays a dispatch, bindings of 128 MiB. */
import { suites } from "@dechirp/conformance";
import { describe, test } from "vitest";
import { kit, leavesOut, leftOut } from "./adapter.ts";

/** SwiftShader grants twice the workgroup memory and little else: what comes of the limits shows in these. */
const telling = ["arrays", "kernels", "hooks", "isolation", "laws", "errors"];

describe("at WebGPU's default limits", () => {
  for (const suite of suites) {
    const name = suite.checks[0].split("/")[0];
    if (!leavesOut || telling.includes(name)) suite(kit({ limits: "default" }));
    else for (const check of suite.checks) test.skip(`${check}: ${leftOut}`, () => {});
  }
});
