// The loss by limited training, and the false alarms above a threshold.
import { createRandom } from "@dechirp/core";
import { amfFalseAlarm, amfThreshold, efaGeometry, efaReference, efaSteering, expectedAdaptiveLoss, uniformSteering } from "@dechirp/stap";

const sizes = efaGeometry({ channels: 4, pulses: 128, ranges: 512, steeringVectors: 32, dopplerBins: 256, temporalTaps: 3 });
console.log(`published sizes: order ${sizes.order}, ${sizes.products} products a bin instead of ${(12 * 13) / 2}`);
for (const cells of [21, 24, 32, 64]) {
  console.log(
    `${cells} cells for 12 unknowns: ${(10 * Math.log10(expectedAdaptiveLoss(12, cells))).toFixed(2)} dB, threshold at 1e-6 ${amfThreshold(1e-6, 12, cells).toFixed(1)}`,
  );
}

// Counts false alarms in noise.
const [channels, pulses, ranges] = [2, 16, 4096];
const random = createRandom(9);
const data = Float64Array.from({ length: 2 * channels * pulses * ranges }, () => random.gaussian());
const options = { steeringVectors: 1, temporalTaps: 3 } as const;
const geometry = efaGeometry({ ...options, channels, pulses, ranges });
const steering = efaSteering(geometry, [uniformSteering(channels, 0)]);
const { data: amf } = efaReference({ data, channels, pulses, ranges, order: ["channel", "pulse", "range"] }, steering, options);
const threshold = amfThreshold(0.01, geometry.order, 64); // two training blocks of 32 cells
const share = amf.filter((value) => value > threshold).length / amf.length;
console.log(
  `false alarms at 0.01: ${Math.abs(share / 0.01 - 1) < 0.1 ? "0.01 to within a tenth" : share}; theory ${amfFalseAlarm(threshold, geometry.order, 64).toFixed(4)}`,
);
