import { open, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const device = await open(cpu()); // open(a, b) opens the first backend that works
const lines = new Float32Array(2 * 3 * 1000).fill(1); // three lines of 1000 complex numbers 1 + 1j: re, im, re, im, …
const spectra = await transform(device, lines, { shape: [3, 1000], axes: [1] }); // each line by itself
console.log(spectra.length, spectra.slice(0, 2)); // 6000 Float32Array(2) [ 1000, 1000 ]
device[Symbol.dispose](); // stops the device's workers and frees its memory
