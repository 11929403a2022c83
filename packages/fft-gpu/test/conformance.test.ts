import { conformance } from "@dechirp/conformance";
import { open } from "@dechirp/core";
import { describe, test } from "vitest";
import { gpu } from "../src/index.ts";

conformance({ describe, test, open: () => open(gpu()), sizes: process.env["DECHIRP_ADAPTER_KIND"] === "swiftshader" ? "subset" : "full" });
