// #region orbit
import type { RadarOrbit } from "@dechirp/radar";
import { effectiveVelocity, velocityFromOrbit } from "@dechirp/sar";

const orbit: RadarOrbit = {
  timesSeconds: [-30, -20, -10, 0, 10, 20, 30], // slow time: line p was sent at startSeconds + p/PRF
  positionsMeters: [
    [5554886.0, -609016.09, 4321276.658], // Earth-fixed (ECEF), not inertial
    [5507688.803, -621505.825, 4379514.796],
    [5459854.396, -633856.401, 4437257.011],
    [5411388.4, -646065.509, 4494496.797],
    [5362296.514, -658130.865, 4551227.708],
    [5312584.506, -670050.21, 4607443.356],
    [5262258.22, -681821.308, 4663137.413],
  ],
  lookSide: "right",
};

const velocity = effectiveVelocity(orbit, 850_000, { lookSide: "right", timeSeconds: 0 });
console.log(`${velocity.toFixed(2)} m/s at a slant range of 850 km`);
// #endregion orbit

// #region swath
const radar = { prfHz: 1700, samplingRateHz: 20e6, pulseSeconds: 30e-6, nearRangeMeters: 830_000, startSeconds: -1, orbit };
const [lines, samples] = [3400, 5600];
const { velocityMetersPerSecond, nearMetersPerSecond, farMetersPerSecond } = velocityFromOrbit(radar, lines, samples);
console.log(`${velocityMetersPerSecond.toFixed(2)} m/s in the middle of the swath`);
console.log(`${nearMetersPerSecond.toFixed(2)} m/s at its near edge, ${farMetersPerSecond.toFixed(2)} m/s at its far edge`);

// #endregion swath

// #region question
import { questionRadar } from "@dechirp/sar";

const mistaken = { ...radar, carrierHz: 5.405e9, chirpRateHzPerSecond: 0.6e12, nearRangeMeters: 830 };
for (const { field, text } of questionRadar(mistaken, lines, samples)) console.log(`${field}: ${text}`);
// #endregion question
