import { evaluate, fft, layout, open, program } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [8, 256]);
const spectrum = program({
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: fft(lines, { axis: 1 }), bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
});

using device = await open(gpu(), cpu()); // WebGPU if the browser has it, otherwise WebAssembly
const { spectra } = await evaluate(spectrum, device, { echoes: new Float32Array(2 * 8 * 256).fill(1) });
console.log(device.id, spectra[0]);
document.body.dataset.done = device.info.description;
