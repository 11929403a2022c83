/** The image of a CPHD sample that other software wrote, if it is there (`DECHIRP_DATA`), against the truth beside it. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { readPhaseHistory } from "@dechirp/io/node";
import { expect, it } from "vitest";
import { pointErrors } from "./point-errors.ts";

const data = process.env["DECHIRP_DATA"] ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url));
const file = join(data, "cphd", "five-points-fx-cf8.cphd");

interface Target {
  readonly iax_m: number;
  readonly iay_m: number;
  readonly up_m: number;
  readonly amplitude: number;
  readonly phase_rad: number;
}

it.skipIf(!existsSync(file))("five points are where they are, to 5 mm, 5 mrad and 1 %", async () => {
  using device = await open(cpu());
  await using recording = await readPhaseHistory(file);
  const { targets } = JSON.parse(readFileSync(join(data, "cphd", "truth.json"), "utf8")) as { readonly targets: readonly Target[] };
  expect(targets).toHaveLength(5);
  for (const { iax_m, iay_m, up_m, amplitude, phase_rad } of targets) {
    const found = await pointErrors(recording, device, [iax_m, iay_m, up_m]);
    expect(Math.hypot(found.xMeters, found.yMeters)).toBeLessThan(0.005);
    expect(Math.abs(found.amplitude / recording.shape[0] / amplitude - 1)).toBeLessThan(0.01);
    expect(Math.abs(Math.sin(found.phaseRadians - phase_rad))).toBeLessThan(0.005);
    expect(Math.cos(found.phaseRadians - phase_rad)).toBeGreaterThan(0);
  }
});
