/** Builds the files of a RADARSAT-1 CD extraction of any size, for tests. */
import { createRandom } from "@dechirp/core";
import { Mat5 } from "./mat-builder.ts";

const m = new Mat5("little");
const real = (name: string, ...values: number[]): Uint8Array => m.real(name, 6, [1, values.length], { kind: "f64", values });

/** Its size, and what differs from the usual. */
export interface RadarsatSize {
  readonly lines: number;
  readonly cells: number;
  /** Length of the pulse in s. */
  readonly pulseSeconds?: number;
}

/** Files by their names: parameters, a block of noise, and AGC values that vary from line to line. */
export function radarsatFiles({ lines, cells, pulseSeconds = 41.75e-6 }: RadarsatSize) {
  const random = createRandom(12);
  const noise = () => ({ kind: "i8", values: Array.from({ length: lines * cells }, () => Math.round(5 * random.gaussian())) }) as const;
  const numbers = { f0: 5.3e9, Fr: 32.317e6, PRF: 1256.98, Kr: 0.72135e12, Tr: pulseSeconds, R0: 988647.462, c: 2.9979e8 };
  const places = { first_rg_cell: 3, first_rg_line: 1, Nrg_cells: cells, Nrg_lines: lines, Nblocks: 1 };
  return {
    "CD_run_params.mat": m.file(...Object.entries({ ...numbers, ...places }).map(([name, value]) => real(name, value))),
    "CDdata1.mat": m.file(m.complex("data", 6, [lines, cells], noise(), noise())),
    "AGC_attenuation_values.mat": m.file(real("nom_attenuation", ...Array.from({ length: lines }, (_, i) => 1 + (i % 20)))),
  };
}
