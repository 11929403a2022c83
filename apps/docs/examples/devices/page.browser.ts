import { evaluate, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [8, 256]);
const program = {
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: { op: "fft", layout: lines, axis: 1, inverse: false }, bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
} as const;

using device = await open(gpu(), cpu()); // WebGPU where the browser has it, else WebAssembly
const { spectra } = await evaluate(program, device, { echoes: new Float32Array(2 * 8 * 256).fill(1) });
console.log(device.id, spectra[0]);
document.body.dataset.done = device.info.description;
