import { evaluate, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
const lines = layout("c64", [3, 1000]); // three lines of 1000 complex numbers
const program = {
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: { op: "fft", layout: lines, axis: 1, inverse: false }, bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
} as const;
const { spectra } = await evaluate(program, device, { echoes: new Float32Array(2 * 3 * 1000) });
