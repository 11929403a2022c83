// Each estimator alone, on lines made from the signal model: Doppler frequencies in a bell-shaped spectrum around 2100 Hz.
import { createRandom } from "@dechirp/core";
import { estimateDopplerAmbiguity, estimateDopplerByRangeLooks, estimateDopplerFraction } from "@dechirp/sar";

const radar = { carrierHz: 5.3e9, samplingRateHz: 108e6, prfHz: 1300, velocityMetersPerSecond: 7100, nearRangeMeters: 850e3 };
const absoluteHz = 1300 + 800;
const [lines, samples, bins] = [700, 96, 40];

// A homogeneous scene: each range frequency f is a separate random process around the Doppler frequency f_dc·(1 + f/f₀).
const random = createRandom(5);
const bell = [1, 5, 10, 10, 5, 1];
const data = new Float32Array(2 * lines * samples);
for (let k = -bins; k <= bins; k++) {
  const noise = Array.from({ length: lines + bell.length }, () => [random.gaussian(), random.gaussian()]);
  const cyclesPerLine = (absoluteHz * (1 + (k * radar.samplingRateHz) / samples / radar.carrierHz)) / radar.prfHz;
  for (let p = 0; p < lines; p++) {
    const [a, b] = [0, 1].map((part) => bell.reduce((sum, h, j) => sum + h * noise[p + j][part], 0));
    for (let i = 0; i < samples; i++) {
      const angle = 2 * Math.PI * (((cyclesPerLine * p) % 1) + ((k * i) % samples) / samples);
      data[2 * (p * samples + i)] += a * Math.cos(angle) - b * Math.sin(angle);
      data[2 * (p * samples + i) + 1] += a * Math.sin(angle) + b * Math.cos(angle);
    }
  }
}
const even = { data, lines, samples };

const fraction = estimateDopplerFraction(even, radar.prfHz);
console.log(
  `fraction ${fraction.fractionHz.toFixed(0)} ± ${fraction.standardErrorHz.toFixed(0)} Hz; 800 Hz is ${800 - 1300} Hz modulo 1300`,
);
const looks = estimateDopplerByRangeLooks(even, radar);
console.log(`looks: ${looks.absoluteHz.toFixed(0)} ± ${looks.standardErrorHz.toFixed(0)} Hz`);
const { ambiguity, confident, method } = estimateDopplerAmbiguity({ raw: even }, radar, fraction.fractionHz);
console.log(`ambiguity ${ambiguity} by ${method}, ${confident ? "confident" : "not confident"}`);
console.log(`centroid ${(fraction.fractionHz + ambiguity * radar.prfHz).toFixed(0)} Hz`);
