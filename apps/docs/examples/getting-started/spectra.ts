import { open, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

// Three lines of 1000 complex samples, re, im, re, im, …: a tone of 50 cycles a line.
const lines = Float32Array.from({ length: 2 * 3 * 1000 }, (_, i) => (i % 2 ? Math.sin : Math.cos)((2 * Math.PI * 50 * (i >> 1)) / 1000));

using device = await open(cpu());
const spectra = await transform(device, lines, { shape: [3, 1000], axes: [1] });

const magnitudes = Array.from({ length: 1000 }, (_, k) => Math.hypot(spectra[2 * k], spectra[2 * k + 1]));
console.log(`bin ${magnitudes.indexOf(Math.max(...magnitudes))} of the first line is the largest`);
