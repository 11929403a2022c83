import { evaluate, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [3, 1000]); // three lines of 1000 complex numbers
const program = {
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: { op: "fft", layout: lines, axis: 1, inverse: false }, bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
};

const device = await open(cpu()); // the first backend that opens
const { spectra } = await evaluate(program, device, { echoes: new Float32Array(2 * 3 * 1000).fill(1) });
console.log(spectra.length, spectra.slice(0, 2)); // 6000 Float32Array(2) [ 1000, 1000 ]
device[Symbol.dispose](); // ends its workers and frees its memory
