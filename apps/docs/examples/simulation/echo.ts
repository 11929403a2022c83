// Compares one echo of a squinted radar with the model, sample by sample.
import { type PointTarget, type StripmapRadar, speedOfLight } from "@dechirp/radar";
import { simulateStripmap } from "@dechirp/sar";

const radar: StripmapRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 50e6,
  prfHz: 200,
  chirpRateHzPerSecond: -40e12, // a down-chirp of 40 MHz
  pulseSeconds: 1e-6,
  velocityMetersPerSecond: 130,
  nearRangeMeters: 3000,
  dopplerCentroidHz: 150, // the beam looks ahead
};
const target: PointTarget = { name: "a", azimuthSeconds: 0.6, slantRangeMeters: 3050.3, amplitude: 1.5, phaseRadians: 0.7 };
const [lines, samples] = [64, 128];
const beam = { kind: "doppler-band", bandwidthHz: 100 } as const;
const { raw } = await simulateStripmap({ radar, lines, samples, beam, targets: [target], dtype: "c128" });

const wavelength = speedOfLight / radar.carrierHz;
let [worst, seen] = [0, 0];
for (let p = 0; p < lines; p++) {
  const along = radar.velocityMetersPerSecond * (p / radar.prfHz - target.azimuthSeconds); // V·(η − η₀)
  const range = Math.hypot(target.slantRangeMeters, along); // R(η)
  const dopplerHz = (-2 * radar.velocityMetersPerSecond * along) / (wavelength * range);
  const lit = Math.abs(dopplerHz - radar.dopplerCentroidHz) <= beam.bandwidthHz / 2;
  if (lit) seen++;
  for (let i = 0; i < samples; i++) {
    const t = i / radar.samplingRateHz - (2 * (range - radar.nearRangeMeters)) / speedOfLight; // seconds since the start of the echo
    const inside = lit && t >= 0 && t < radar.pulseSeconds;
    const cycles = (radar.chirpRateHzPerSecond / 2) * (t - radar.pulseSeconds / 2) ** 2 - (2 * range) / wavelength;
    const angle = 2 * Math.PI * cycles + target.phaseRadians;
    const [re, im] = inside ? [target.amplitude * Math.cos(angle), target.amplitude * Math.sin(angle)] : [0, 0];
    const at = 2 * (p * samples + i);
    worst = Math.max(worst, Math.hypot(raw[at] - re, raw[at + 1] - im));
  }
}
// 2R/λ is about 10⁵ cycles here, so float64 has ten digits after the point. The simulator is more precise.
console.log(`${seen} pulses see the target; ${worst < 1e-8 ? "the echo agrees with the model" : `largest difference ${worst}`}`);
