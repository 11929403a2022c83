import { evaluate, fft, layout, open, program } from "@dechirp/core";
import { conj, re, store, times } from "@dechirp/core/expression";
import { cpu } from "@dechirp/fft-cpu";

const lines = layout("c64", [4, 256]);
// A store hook that writes the power of each bin.
// The complex spectrum itself is never written to memory.
const power = store({ name: "power", layout: lines, dtype: "f32", sources: {} }, ({ value }) => re(times(value, conj(value))));
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
