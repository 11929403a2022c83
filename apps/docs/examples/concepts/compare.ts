import { createRandom, type Fft, type Kernel, layout, open, type Program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [32, 300]);
const transform: Fft = { op: "fft", layout: lines, axis: 1, inverse: false };
let calls = 0;
const suspect: Kernel = {
  op: "kernel",
  name: "suspect", // one element differs from run to run
  ports: { in: { access: "read", layout: lines }, out: { access: "write", layout: lines } },
  items: 32 * 300,
  reference(ports, _uniforms, start, end) {
    for (let i = start; i < end; i++) ports["out"].set(i, ports["in"].re(i), ports["in"].im(i));
    if (start <= 1234 && 1234 < end) ports["out"].set(1234, calls++);
  },
};
const program: Program = {
  name: "suspicious",
  inputs: { lines },
  steps: [
    { name: "range", op: transform, bind: { in: "lines", out: "spectra" } },
    { name: "check", op: suspect, bind: { in: "spectra", out: "checked" } },
  ],
  outputs: ["checked"],
};

using a = await open(cpu());
using b = await open(cpu({ kernels: "js", workers: 1 })); // another device, another code
const { gaussian } = createRandom(1);
const data = Float32Array.from({ length: 2 * 32 * 300 }, gaussian);

const { stages, first } = await compare(program, a, b, { lines: data });
for (const { stage, relativeL2, agrees } of stages) console.log(stage, relativeL2 < 1e-6 ? "rounding" : "more than rounding", agrees);
console.log(`they part after ${first?.stage}, at [${first?.at}]`);
