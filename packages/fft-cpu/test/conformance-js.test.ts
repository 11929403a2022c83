/** Runs the whole conformance kit on fft.js rows and references, with JavaScript only. Nothing is skipped. */
import { conformance } from "@dechirp/conformance";
import { open } from "@dechirp/core";
import { describe, test } from "vitest";
import { cpu } from "../src/index.ts";

conformance({ describe, test, open: () => open(cpu({ kernels: "js" })), report: (text) => process.stdout.write(`${text}\n`) });
