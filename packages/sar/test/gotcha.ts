/** The measured Gotcha phase history of the tests, as its files and their data page define it: no reader of this project's but that of .mat. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type MatNumeric, type MatStruct, matField, matStruct, readMat } from "@dechirp/io";
import type { GroundGrid } from "../src/backprojection/grid.ts";
import type { PhaseHistory } from "../src/backprojection/profiles.ts";

const folder = join(process.env.DECHIRP_DATA ?? fileURLToPath(new URL("../../../../shared/data", import.meta.url)), "gotcha");
const files = [1, 2, 3, 4].map((degree) => join(folder, `data_3dsar_pass1_az00${degree}_HH.mat`));
const golden = join(folder, "golden_bp_f64_512x512");

export const gotchaAbsent = ![...files, `${golden}.json`, `${golden}_c64le.bin`].every((file) => existsSync(file));

const numbers = (struct: MatStruct, name: string): ArrayLike<number> => (matField(struct, name) as MatNumeric).data;

/** Azimuth 0° to 4° of pass 1, HH, with the autofocus solution applied. */
export function gotchaHistory(): PhaseHistory {
  const parts = files.map((file) => matStruct(readMat(readFileSync(file), { file }), "data"));
  const pulsesOf = parts.map((part) => numbers(part, "x").length);
  const pulses = pulsesOf.reduce((a, b) => a + b);
  const freq = numbers(parts[0], "freq");
  const count = freq.length;
  const positions = new Float64Array(3 * pulses);
  const referenceRangeMeters = new Float64Array(pulses);
  const samples = new Float32Array(2 * pulses * count);
  let first = 0;
  for (const [i, part] of parts.entries()) {
    const fp = numbers(part, "fp");
    const [x, y, z, r0] = ["x", "y", "z", "r0"].map((name) => numbers(part, name));
    const autofocus = matField(part, "af") as MatStruct;
    const [range, phase] = ["r_correct", "ph_correct"].map((name) => numbers(autofocus, name));
    for (let q = 0; q < pulsesOf[i]; q++) {
      const p = first + q;
      positions.set([x[q], y[q], z[q]], 3 * p);
      referenceRangeMeters[p] = r0[q] + range[q];
      const [c, s] = [Math.cos(phase[q]), Math.sin(phase[q])];
      for (let k = 0; k < count; k++) {
        const at = 2 * (q * count + k); // columns are pulses
        samples[2 * (p * count + k)] = fp[at] * c - fp[at + 1] * s;
        samples[2 * (p * count + k) + 1] = fp[at] * s + fp[at + 1] * c;
      }
    }
    first += pulsesOf[i];
  }
  const { fmin_hz: firstHz, df_hz: stepHz } = goldenFacts();
  return { positions, referenceRangeMeters, frequency: { firstHz, stepHz, count }, samples };
}

/** What the reference image was made with. */
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
