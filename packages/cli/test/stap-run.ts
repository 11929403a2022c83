/** Runs `dechirp stap` on the tests' cube, and the float64 output that it must match. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import type { StapReport } from "@dechirp/processor";
import { expect } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";

export { azimuths, reference, spatial } from "../../processor/test/stap-cube.ts";

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
