/** The kit at WebGPU's default limits: 16 KiB of workgroup memory, 256 invocations, 8 arrays a dispatch, bindings of 128 MiB. */
import { conformance } from "@dechirp/conformance";
import { describe } from "vitest";
import { kit } from "./adapter.ts";

describe("at WebGPU's default limits", () => conformance(kit({ limits: "default" })));
