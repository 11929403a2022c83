// Measures an unknown Doppler centroid of several hundred Hz, including the ambiguity, at a PRF of 260 Hz.
import { createRandom, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpSamples, type PointTarget, type StripmapRadar } from "@dechirp/radar";
import {
  beamOffsetSeconds,
  measureDopplerCentroid,
  migrationFactor,
  rangeSpacingMeters,
  scenePresets,
  simulateStripmap,
} from "@dechirp/sar";

const dopplerCentroidHz = -640;
const [lines, samples] = [1024, 768];
const radar: StripmapRadar = { ...scenePresets.quality.radar, pulseSeconds: 2e-6, chirpRateHzPerSecond: 50e12, dopplerCentroidHz };

// Sixty reflectors of random strength. Some are only partly covered by the recording.
const random = createRandom(3);
const targets = Array.from({ length: 60 }, (_, i): PointTarget => {
  const seenAt = radar.nearRangeMeters + random.uniform() * (samples - chirpSamples(radar)) * rangeSpacingMeters(radar);
  const slantRangeMeters = seenAt * migrationFactor(radar, dopplerCentroidHz);
  const line = (random.uniform() * 1.6 - 0.3) * lines;
  const azimuthSeconds = line / radar.prfHz - beamOffsetSeconds(radar, slantRangeMeters, dopplerCentroidHz);
  return {
    name: `${i}`,
    azimuthSeconds,
    slantRangeMeters,
    amplitude: Math.exp(1.5 * random.gaussian()),
    phaseRadians: 6 * random.uniform(),
  };
});
const beam = { kind: "sinc2", bandwidthHz: 150 } as const;
const { raw } = await simulateStripmap({ radar, lines, samples, beam, targets, noise: { snrDb: 10 } });

// #region measure
using device = await open(cpu());
const { dopplerCentroidHz: _, ...unknown } = radar; // the radar without the centroid
const params = { radar: unknown, lines, samples, processedBandwidthHz: 160 };
const found = await measureDopplerCentroid(params, device, raw as Float32Array, { presetHz: -540 });
// #endregion measure

console.log(`ambiguity ${found.ambiguity}, source: ${found.source}`);
const standardErrorHz = found.image?.standardErrorHz ?? Number.POSITIVE_INFINITY;
const errorHz = Math.abs(found.dopplerCentroidHz - dopplerCentroidHz);
console.log(
  `error at most ${Math.max(8, errorHz)} Hz, ${errorHz < 4 * standardErrorHz ? "less" : "more"} than four times the stated standard error`,
);
console.log(found.why);
