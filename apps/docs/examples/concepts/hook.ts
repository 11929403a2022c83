import { evaluate, fft, layout, open, program, type Store } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

// A store hook that writes the power of each bin.
// The complex spectrum itself is never written to memory.
const power = {
  name: "power",
  dtype: "f32",
  sources: {}, // other arrays that it reads: none
  reference: (_at, [re, im]) => [re * re + im * im, 0],
  wgsl: () => "return vec2f(dot(value, value), 0.0);", // value: the result, a vec2f
} satisfies Store;

const lines = layout("c64", [4, 256]);
const periodogram = program({
  name: "periodogram",
  inputs: { lines },
  steps: [{ name: "power", op: fft(lines, { axis: 1, store: power }), bind: { in: "lines", out: "powers" } }],
  outputs: ["powers"],
});

using device = await open(cpu());
const tone = Float32Array.from({ length: 2 * 4 * 256 }, (_, i) => (i % 2 ? Math.sin : Math.cos)((2 * Math.PI * 5 * (i >> 1)) / 256));
const { powers } = await evaluate(periodogram, device, { lines: tone });
console.log(powers.length, Math.round(powers[5])); // one number a bin; bin 5 holds 256²
