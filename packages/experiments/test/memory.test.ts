/** Tests the microbenchmarks on a GPU: what is refused, correct outputs, and the patterns of addresses. */
import { type Device, isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { memoryExperiment } from "../src/memory/run.ts";

let device: Device;
beforeAll(async () => {
  device = await open(gpu());
});
afterAll(() => device[Symbol.dispose]());

it("measures", async () => {
  const t = performance.now();
  const report = await memoryExperiment(device, { quick: true }, { onProgress: (w, s) => console.log(w, s.toFixed(2), ((performance.now() - t) / 1000).toFixed(1)) });
  for (const r of report.rows) console.log(r.section, r.name, JSON.stringify(r.at), r.value?.median.toPrecision(3), r.value?.turns, r.quantity, r.correct, r.why ?? "");
  console.log(device.memory());
});
