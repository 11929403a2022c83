import { conformance } from "@dechirp/conformance";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { describe, test } from "vitest";

conformance({ describe, test, open: () => open(cpu()), sizes: "subset" });
