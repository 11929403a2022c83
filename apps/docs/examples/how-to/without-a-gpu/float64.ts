import { createRandom, evaluate, type Fft, layout, open, type Program } from "@dechirp/core";
import { differenceOf } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";

const spectra = (dtype: "c64" | "c128"): Program => {
  const lines = layout(dtype, [16, 1000]);
  const op: Fft = { op: "fft", layout: lines, axis: 1, inverse: false };
  return { name: dtype, inputs: { lines }, steps: [{ name: dtype, op, bind: { in: "lines", out: "spectra" } }], outputs: ["spectra"] };
};

const { gaussian } = createRandom(1);
const single = Float32Array.from({ length: 2 * 16 * 1000 }, gaussian);

using device = await open(cpu()); // float64 is the processor's alone
const { spectra: rounded } = await evaluate(spectra("c64"), device, { lines: single });
const { spectra: exact } = await evaluate(spectra("c128"), device, { lines: Float64Array.from(single) });
const { relativeL2 } = differenceOf(layout("c128", [16, 1000]), Float64Array.from(rounded), exact);
console.log(relativeL2 < 0.4 * 2 ** -23 * Math.sqrt(Math.log2(1000)) ? "float32 to rounding" : `${relativeL2} off`);
