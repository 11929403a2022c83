import { open, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
// 64 pulses of 1000 complex samples: re, im, re, im, …
const pulses = new Float32Array(2 * 64 * 1000);
pulses[0] = 1; // an impulse, whose spectrum is 1 in every bin

// Along axis 1: transform each pulse by itself.
const shape = [64, 1000];
const spectra = await transform(device, pulses, { shape, axes: [1] });
console.log(spectra.length, spectra.slice(0, 4));

const back = await transform(device, spectra, { shape, axes: [1], inverse: true });
console.log(back[0].toFixed(3), back[2].toFixed(3)); // the impulse again
