import { compile, evaluate, type Fft, layout, open, type Program } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const echoes = layout("c64", [128, 512]); // [pulse][range]
const spectrum = (axis: number): Fft => ({ op: "fft", layout: echoes, axis, inverse: false });
const program: Program<{ readonly spectrum: Float32Array }> = {
  name: "two-dimensional spectrum",
  inputs: { echoes },
  steps: [
    { name: "range", op: spectrum(1), bind: { in: "echoes", out: "ranges" } },
    { name: "doppler", op: spectrum(0), bind: { in: "ranges", out: "spectrum" } },
  ],
  outputs: ["spectrum"],
};

using device = await open(cpu());
const data = new Float32Array(2 * 128 * 512);
data[0] = 1; // an impulse has a flat spectrum

// From host arrays to host arrays …
const { spectrum: flat } = await evaluate(program, device, { echoes: data });
console.log(flat[0], flat.at(-2));

// … or planned once and run on buffers that stay.
using compiled = await compile(program, device);
using input = device.alloc(echoes);
using output = device.alloc(echoes);
input.write(data);
await compiled.run({ echoes: input, spectrum: output }, { onProgress: ({ stage }) => console.log(stage) }).done;
