import { open, transform } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";

using device = await open(cpu());
const pulses = new Float32Array(2 * 64 * 1000); // 64 pulses of 1000 complex samples: re, im, re, im, …
pulses[0] = 1; // an impulse, whose spectrum is 1 in every bin

const spectra = await transform(device, pulses, { shape: [64, 1000], axes: [1] }); // along the samples of each pulse
const back = await transform(device, spectra, { shape: [64, 1000], axes: [1], inverse: true });
console.log(spectra.length, spectra.slice(0, 4));
console.log(back[0].toFixed(3), back[2].toFixed(3)); // the impulse again
