/** Runs the conformance kit on WASM on one thread with plain SIMD. */
import { conformance } from "@dechirp/conformance";
import { kit } from "./kit.ts";

conformance(kit({ workers: 1, kernels: "plain" }));
