import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { createConvolver, scenePresets, simulateStripmap } from "@dechirp/sar";

export const scene = scenePresets.default; // the radar, five reflectors, farmland, noise: plain data
export const { radar, lines, samples } = scene;

using device = await open(cpu()); // does the transforms of the farmland
using convolver = createConvolver(device);
export const { raw } = await simulateStripmap(scene, { convolve: convolver.convolve });
