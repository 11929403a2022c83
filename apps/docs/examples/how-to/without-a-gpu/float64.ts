import { createRandom, layout, open, transform } from "@dechirp/core";
import { differenceOf } from "@dechirp/core/compare";
import { cpu } from "@dechirp/fft-cpu";

const { gaussian } = createRandom(1);
const single = Float32Array.from({ length: 2 * 16 * 1000 }, gaussian);

using device = await open(cpu()); // only the CPU backend has float64
const shape = { shape: [16, 1000], axes: [1] };
const rounded = await transform(device, single, shape); // a Float32Array
const exact = await transform(device, Float64Array.from(single), shape); // a Float64Array
const { relativeL2 } = differenceOf(layout("c128", [16, 1000]), Float64Array.from(rounded), exact);
console.log(
  relativeL2 < 0.4 * 2 ** -23 * Math.sqrt(Math.log2(1000)) ? "float32 and float64 agree to rounding" : `they differ by ${relativeL2}`,
);
