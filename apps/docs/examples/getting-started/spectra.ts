import { evaluate, type Fft, layout, open, type Program } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [3, 1000]); // three lines of 1000 complex numbers
const transform: Fft = { op: "fft", layout: lines, axis: 1, inverse: false };
const program: Program = {
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: transform, bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
};

// A tone of 50 cycles a line: real and imaginary parts in turn.
const echoes = Float32Array.from({ length: 2 * 3 * 1000 }, (_, i) => (i % 2 ? Math.sin : Math.cos)((2 * Math.PI * 50 * (i >> 1)) / 1000));

using device = await open(cpu());
const { spectra } = await evaluate(program, device, { echoes });
const magnitudes = Array.from({ length: 1000 }, (_, k) => Math.hypot(spectra[2 * k], spectra[2 * k + 1]));
console.log(`bin ${magnitudes.indexOf(Math.max(...magnitudes))} of the first line is the largest`);
