/** The measured Gotcha phase history of the tests, and the image of it that another program computed in float64. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPhaseHistory } from "@dechirp/io/node";
import type { PhaseHistory } from "@dechirp/radar";
import { applyAutofocus } from "../src/backprojection/autofocus.ts";
import type { GroundGrid } from "../src/backprojection/grid.ts";

const folder = join(process.env.DECHIRP_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url)), "gotcha");
const files = [1, 2, 3, 4].map((degree) => join(folder, `data_3dsar_pass1_az00${degree}_HH.mat`));
const golden = join(folder, "golden_bp_f64_512x512");

export const gotchaAbsent = ![...files, `${golden}.json`, `${golden}_c64le.bin`].every((file) => existsSync(file));

/** Azimuth 0° to 4° of pass 1, HH, with the autofocus solution applied, and the frequencies that the image made elsewhere has. */
export async function parseGotcha(): Promise<PhaseHistory> {
  await using history = await readPhaseHistory(files, { frequencies: "ends" });
  return applyAutofocus({ ...history, samples: await history.pulses(0, history.shape[0]) });
}

/** Parameters of the reference image. */
export const goldenFacts = (): {
  readonly nx: number;
  readonly x0: number;
  readonly dx: number;
  readonly fmin_hz: number;
  readonly df_hz: number;
} => JSON.parse(readFileSync(`${golden}.json`, "utf8"));

/** The reference image [512][512], interleaved. */
export function goldenImage(): Float32Array {
  const bytes = readFileSync(`${golden}_c64le.bin`);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
}

/** Every `step`-th pixel of the reference image's grid along both axes. */
export function goldenGrid(step: number): GroundGrid {
  const { nx, x0, dx } = goldenFacts();
  return {
    kind: "ground",
    nx: nx / step,
    ny: nx / step,
    originMeters: [x0, x0, 0],
    xStepMeters: [step * dx, 0, 0],
    yStepMeters: [0, step * dx, 0],
  };
}
