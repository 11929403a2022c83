import { evaluate, type Fft, layout, open, type Program, type Store } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

// Power of every bin, written in place of the bin: the complex spectrum never exists in memory.
const power: Store = {
  name: "power",
  dtype: "f32",
  sources: {},
  reference: (_at, [re, im]) => [re * re + im * im, 0],
  wgsl: () => "return vec2f(dot(value, value), 0.0);",
};

const lines = layout("c64", [4, 256]);
const periodogram: Fft = { op: "fft", layout: lines, axis: 1, inverse: false, store: power };
const program: Program = {
  name: "periodogram",
  inputs: { lines },
  steps: [{ name: "power", op: periodogram, bind: { in: "lines", out: "powers" } }],
  outputs: ["powers"],
};

using device = await open(cpu());
const tone = Float32Array.from({ length: 2 * 4 * 256 }, (_, i) => (i % 2 ? Math.sin : Math.cos)((2 * Math.PI * 5 * (i >> 1)) / 256));
const { powers } = await evaluate(program, device, { lines: tone });
console.log(powers.length, Math.round(powers[5])); // one number a bin; bin 5 holds 256²
