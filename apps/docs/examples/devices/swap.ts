import { evaluate, fft, layout, open, program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [64, 1000]);
const spectrum = program({
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: fft(lines, { axis: 1 }), bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
});
const echoes = Float32Array.from({ length: 2 * 64 * 1000 }, (_, i) => Math.sin(i * i));

using first = await open(gpu(), cpu()); // the GPU if there is one, otherwise the CPU
using second = await open(cpu({ workers: 1 })); // a second device, at the same time
console.log(first.id, first.info.description, first.info.notes);

const { spectra } = await evaluate(spectrum, first, { echoes }); // the same program runs on either device
const { first: difference } = await compare(spectrum, first, second, { echoes });
console.log(spectra.length, difference ? `first difference after ${difference.stage}` : "they agree");
