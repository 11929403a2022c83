/** Runs the conformance kit on fft.js rows and references, with JavaScript only. */
import { conformance } from "@dechirp/conformance";
import { kit } from "./kit.ts";

conformance(kit({ kernels: "js" }));
