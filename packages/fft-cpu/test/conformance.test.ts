/** Runs the whole conformance kit on WASM with two workers, with all lengths. Nothing is skipped. */
import { conformance } from "@dechirp/conformance";
import { kit } from "./kit.ts";

conformance({ ...kit({ workers: 2 }), sizes: "full", skips: {} });
