// The signal-to-error ratio of each mode, and of plain float32 without anchors. The reference is float64 with the same interpolation.
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import {
  backproject,
  backprojectReference,
  circularTrack,
  compressProfiles,
  cyclesPerMeter,
  signalToErrorDb,
  simulatePhaseHistory,
} from "@dechirp/sar";

const positions = circularTrack({ radiusMeters: 7200, altitudeMeters: 7200, firstRadians: 0, stepRadians: 5e-4, pulses: 96 });
const targets = Array.from({ length: 12 }, (_, i) => ({
  positionMeters: [5 * Math.sin(7 * i), 5 * Math.cos(5 * i), 0] as const,
  amplitude: 1,
}));
const history = simulatePhaseHistory({ positions, frequency: { firstHz: 9.3e9, stepHz: 1.5e6, count: 256 }, targets, noise: { snrDb: 0 } });
const profiles = compressProfiles(history);
const interpolation = "linear"; // the simplest one to repeat in plain float32 below
const grid = { kind: "ground", nx: 96, ny: 96, originMeters: [-12, -12, 0], xStepMeters: [0.25, 0, 0], yStepMeters: [0, 0.25, 0] } as const;
const exact = backprojectReference(profiles, grid, { interpolation });

using device = await open(cpu());
for (const [mode, least] of [
  ["precise", 80],
  ["fast", 60],
] as const) {
  const { image } = await backproject(device, profiles, grid, { mode, interpolation });
  const db = signalToErrorDb(image, exact);
  console.log(`${mode}: ${db > least ? `above ${least} dB` : `${db} dB`}`);
}

// The same sum in plain float32, in which a range of ten kilometres has a precision of half a millimetre.
const f = Math.fround;
const plain = new Float32Array(2 * grid.nx * grid.ny);
for (let iy = 0; iy < grid.ny; iy++) {
  for (let ix = 0; ix < grid.nx; ix++) {
    for (let p = 0; p < 96; p++) {
      const [dx, dy, dz] = [
        f(f(positions[3 * p]) - f(-12 + 0.25 * ix)),
        f(f(positions[3 * p + 1]) - f(-12 + 0.25 * iy)),
        f(positions[3 * p + 2]),
      ];
      const range = f(f(Math.sqrt(f(f(f(dx * dx) + f(dy * dy)) + f(dz * dz)))) - f(profiles.referenceRangeMeters[p]));
      const place = f(f(range - profiles.firstRangeMeters) / f(profiles.binMeters));
      const bin = Math.floor(place);
      const mu = f(place - bin);
      const angle = 2 * Math.PI * (cyclesPerMeter(profiles) * range);
      const at = 2 * (p * profiles.bins + bin);
      const [re, im] = [0, 1].map((part) => (1 - mu) * profiles.samples[at + part] + mu * profiles.samples[at + 2 + part]);
      plain[2 * (iy * grid.nx + ix)] += re * Math.cos(angle) - im * Math.sin(angle);
      plain[2 * (iy * grid.nx + ix) + 1] += re * Math.sin(angle) + im * Math.cos(angle);
    }
  }
}
const db = signalToErrorDb(plain, exact);
console.log(`plain float32: ${db < 20 ? "below 20 dB" : `${db} dB`}`);
