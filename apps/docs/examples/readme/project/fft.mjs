import { open, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

const device = await open(cpu());
const echoes = new Float32Array(2 * 64 * 1000); // 64 pulses of 1000 complex samples: re, im, re, im, …
for (let i = 0; i < echoes.length; i += 2) echoes[i] = 1; // every sample is 1 + 0j
const spectra = await transform(device, echoes, { shape: [64, 1000], axes: [1] }); // along axis 1: each pulse by itself
console.log(spectra[0], spectra[1]); // bin 0 of the first pulse, the sum of its samples: 1000 + 0j
device[Symbol.dispose](); // stops the device's workers and frees its memory
