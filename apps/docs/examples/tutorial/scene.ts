import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { createConvolver, scenePresets, simulateStripmap } from "@dechirp/sar";

export const scene = scenePresets.default; // a plain object: the radar, five reflectors, farmland and noise
export const { radar, lines, samples } = scene;

using device = await open(cpu()); // the simulator computes the echoes of the farmland with transforms on this device
using convolver = createConvolver(device);
const simulated = await simulateStripmap(scene, { convolve: convolver.convolve });
export const raw = simulated.raw as Float32Array; // [pulse][sample], re, im, re, im, …; float32 unless you ask for float64
