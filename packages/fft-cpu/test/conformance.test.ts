/** Runs the whole conformance kit on WASM with two workers. Nothing is skipped. */
import { conformance } from "@dechirp/conformance";
import { open } from "@dechirp/core";
import { describe, test } from "vitest";
import { cpu } from "../src/index.ts";

conformance({ describe, test, open: () => open(cpu({ workers: 2 })), report: (text) => process.stdout.write(`${text}\n`) });
