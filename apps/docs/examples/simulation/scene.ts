// Simulates clutter and noise, and compares their power with the formulas.
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpBandwidthHz, createConvolver, quantise, type SimulationOptions, scenePresets, simulateStripmap } from "@dechirp/sar";

const { radar } = scenePresets.default;
const scene: SimulationOptions = {
  radar,
  lines: 96,
  samples: 1024,
  beam: { kind: "doppler-band", bandwidthHz: 132 },
  targets: [],
  background: { levelDb: -20, texture: "uniform" },
  seed: 7,
};

// #region clutter
using device = await open(cpu());
using convolver = createConvolver(device); // computes the transforms of the clutter model, in float64
const { raw, scatterers } = await simulateStripmap(scene, {
  convolve: convolver.convolve,
  onProgress: (done, phase) => {
    if (done === 1) console.log(`${phase}: done`);
  },
});
// #endregion clutter

/** Mean power of samples that are at least one pulse away from both ends of the swath. */
const power = (data: ArrayLike<number>): number => {
  let sum = 0;
  for (let line = 0; line < scene.lines; line++) {
    for (let i = 460; i < 560; i++) sum += data[2 * (line * 1024 + i)] ** 2 + data[2 * (line * 1024 + i) + 1] ** 2;
  }
  return sum / (scene.lines * 100);
};

// The number of resolution cells in a sample is the product of the time-bandwidth products of pulse and aperture.
const pulseCells = chirpBandwidthHz(radar) * radar.pulseSeconds;
const rate = (2 * radar.velocityMetersPerSecond ** 2) / ((299_792_458 / radar.carrierHz) * 3260);
const apertureCells = 132 ** 2 / rate;
const expectedDb = -20 + 10 * Math.log10(pulseCells * apertureCells);
const foundDb = 10 * Math.log10(power(raw));
console.log(`${scatterers > 10_000 ? "tens of thousands of" : scatterers} scatterers`);
console.log(
  `power of a raw sample: expected ${expectedDb.toFixed(0)} dB, ${Math.abs(foundDb - expectedDb) < 0.5 ? "found within half a dB" : foundDb}`,
);

// #region noise
const { background: _, ...empty } = scene;
const quiet = await simulateStripmap({ ...empty, noise: { snrDb: -7 } });
console.log(`noise: ${(10 * Math.log10(power(quiet.raw))).toFixed(1)} dB in a raw sample, rms ${quiet.noiseSigma.toFixed(3)}`);
// #endregion noise

// #region integers
const stored = quantise(raw as Float32Array, { dtype: "ci8" });
console.log(`${stored.dtype}, ${stored.data.length} numbers, ${stored.clipped} clipped; multiply by scale to get the echoes`);
// #endregion integers
