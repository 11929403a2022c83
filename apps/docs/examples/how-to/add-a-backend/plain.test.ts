import { conformance } from "@dechirp/conformance";
import { open } from "@dechirp/core";
import { describe, test } from "vitest";
import { plain } from "./plain.ts";

conformance({ describe, test, open: () => open(plain()), sizes: "subset" });
