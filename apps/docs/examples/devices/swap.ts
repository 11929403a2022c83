import { evaluate, layout, open } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

const lines = layout("c64", [64, 1000]);
const program = {
  name: "spectra",
  inputs: { echoes: lines },
  steps: [{ name: "range", op: { op: "fft", layout: lines, axis: 1, inverse: false }, bind: { in: "echoes", out: "spectra" } }],
  outputs: ["spectra"],
} as const;
const echoes = Float32Array.from({ length: 2 * 64 * 1000 }, (_, i) => Math.sin(i * i));

using first = await open(gpu(), cpu()); // the first that opens
using second = await open(cpu({ workers: 1 })); // devices live side by side
console.log(first.id, first.info.description, first.info.notes);

const { spectra } = await evaluate(program, first, { echoes }); // the same program on either
const { first: parted } = await compare(program, first, second, { echoes });
console.log(spectra.length, parted ? `they part after ${parted.stage}` : "they agree");
