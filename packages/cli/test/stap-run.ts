/** `dechirp stap` on a file of the tests' interval, and the float64 output that it has to make. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import type { StapReport } from "@dechirp/processor";
import { type EfaOptions, efaGeometry, efaReference, efaSteering, permuteAxes, ulaCycles, uniformSteering } from "@dechirp/stap";
import { expect } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { channels, pulses, ranges, stapCube } from "./stap-cube.ts";

/** Degrees, those of `scan`. */
export const azimuths = Array.from({ length: 13 }, (_, i) => -60 + 10 * i);
export const spatial = azimuths.map((azimuth) => uniformSteering(channels, ulaCycles(0.5, (azimuth * Math.PI) / 180)));

export interface Processed {
  readonly report: StapReport;
  readonly output: Float32Array;
  readonly out: string;
  readonly folder: string;
}

/** Runs `dechirp stap file …` on these bytes. */
export async function stap(file: string, bytes: Uint8Array, ...more: string[]): Promise<Processed> {
  const folder = await temporaryFolder();
  const out = join(folder, "out");
  await writeFile(join(folder, file), bytes);
  const { code, stdout, stderr } = await dechirp(["stap", join(folder, file), "--out", out, "--json", ...more]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^\{[^\n]*\}\n$/);
  const { layout, data } = await readNpy(await readFile(join(out, "output.npy")), { file: "output.npy" });
  const { report } = JSON.parse(stdout).results[0] as { report: StapReport };
  expect(layout).toEqual({ dtype: report.output.type, shape: report.output.shape });
  expect(JSON.parse(await readFile(join(out, "report.json"), "utf8"))).toEqual(report);
  return { report, output: data as Float32Array, out, folder };
}

/** The whole algorithm in float64, powers as [steering][range][Doppler]. */
export function reference(options: Omit<EfaOptions, "channels" | "pulses" | "ranges" | "steeringVectors">): Float64Array {
  const geometry = efaGeometry({ ...options, channels, pulses, ranges, steeringVectors: spatial.length });
  const { data } = efaReference(stapCube(), efaSteering(geometry, spatial), { ...options, steeringVectors: spatial.length });
  return options.output === "complex" ? data : permuteAxes(data, [spatial.length, geometry.dopplerBins, ranges], [0, 2, 1], 1);
}
