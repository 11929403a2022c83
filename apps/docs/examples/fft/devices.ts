// The same program on a GPU, if there is one, and on the CPU; the results are compared.
import { createRandom, fft, layout, nextFastLength, open, program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";

console.log("pad 1009 to", nextFastLength(1009), "and 5000 to", nextFastLength(5000));

const shape = layout("c64", [32, 1024]);
const op = fft(shape, { axis: 1 });
const spectra = program({
  name: "spectra",
  inputs: { x: shape },
  steps: [{ name: "fft", op, bind: { in: "x", out: "y" } }],
  outputs: ["y"],
});
const random = createRandom(1);
const x = Float32Array.from({ length: 2 * 32 * 1024 }, () => random.gaussian());

using device = await open(gpu(), cpu()); // the GPU if there is one, otherwise the CPU
using reference = await open(cpu());
using plan = await device.plan(op);
console.log(plan.text); // (fft/gpu n=1024 one-pass radix=… threads=… lines=… exchange=…) on a GPU
const { first, stages } = await compare(spectra, device, reference, { x });
console.log(
  first === undefined ? "the same spectra" : `different spectra after ${first.stage}`,
  `within ${stages[0].tolerance.toExponential(0)}`,
);
