import { createRandom, fft, kernel, layout, open, program } from "@dechirp/core";
import { compare } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [32, 300]);
let calls = 0;
/** Copies its input, but for one element, which differs from run to run. */
const faulty = kernel({
  name: "faulty",
  ports: { in: { access: "read", layout: lines }, out: { access: "write", layout: lines } },
  items: 32 * 300, // independent pieces of work: here, elements
  reference(ports, _uniforms, start, end) {
    for (let i = start; i < end; i++) ports.out.set(i, ports.in.re(i), ports.in.im(i));
    if (start <= 1234 && 1234 < end) ports.out.set(1234, calls++);
  },
});
const suspicious = program({
  name: "suspicious",
  inputs: { lines },
  steps: [
    { name: "range", op: fft(lines, { axis: 1 }), bind: { in: "lines", out: "spectra" } },
    { name: "check", op: faulty, bind: { in: "spectra", out: "checked" } },
  ],
  outputs: ["checked"],
});

using a = await open(cpu());
using b = await open(cpu({ kernels: "js", workers: 1 })); // a second device, with other code: JavaScript instead of WebAssembly
const { gaussian } = createRandom(1);
const data = Float32Array.from({ length: 2 * 32 * 300 }, gaussian);

const { stages, first } = await compare(suspicious, a, b, { lines: data });
for (const { stage, relativeL2, agrees } of stages) console.log(stage, relativeL2 < 1e-6 ? "rounding" : "more than rounding", agrees);
console.log(`first difference: after ${first?.stage}, at [${first?.at}]`);
