/** The kit at WebGPU's default limits: 16 KiB of workgroup memory, 256 invocations, 8 arrays a dispatch. */
import { filters, hooks, kernels } from "@dechirp/conformance";
import { describe } from "vitest";
import { kit } from "./adapter.ts";

describe("at WebGPU's default limits", () => {
  for (const suite of [filters, kernels, hooks]) suite(kit({ limits: "default" }));
});
