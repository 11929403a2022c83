/** Options of the conformance kit for kernels whose tests stand beside a run of the whole kit on the default kernels. */
import { type ConformanceOptions, suites } from "@dechirp/conformance";
import { type Device, open } from "@dechirp/core";
import { describe, test } from "vitest";
import { type CpuOptions, cpu } from "../src/index.ts";

const isFull = process.env["DECHIRP_SIZES"] === "full";

/** Random cases of which the first part is enough to show that these kernels are used. The default kernels run all parts. */
const repeated = Object.fromEntries(
  suites
    .flatMap(({ checks }) => checks)
    .filter((check) => /, part [2-9] of \d$/.test(check))
    .map((check) => [check, "all parts run on the default kernels, or with DECHIRP_SIZES=full"]),
);

/** The kit for a device with these options: with fewer lengths, or with all if `DECHIRP_SIZES` is `full`. */
export const kit = (options: CpuOptions): ConformanceOptions => ({
  describe,
  test,
  open: (): Promise<Device> => open(cpu(options)),
  sizes: isFull ? "full" : "subset",
  ...(!isFull && { skips: repeated }),
  report: (text) => process.stdout.write(`${text}\n`),
});
