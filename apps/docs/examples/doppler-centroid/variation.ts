// A centroid that drifts along azimuth and varies with range, from lines that arrive piece by piece.
import { createRandom } from "@dechirp/core";
import { createDopplerGrid, dopplerAt, fitDoppler } from "@dechirp/sar";

const radar = {
  carrierHz: 5.3e9,
  samplingRateHz: 36e6,
  prfHz: 1000,
  velocityMetersPerSecond: 7100,
  nearRangeMeters: 850e3,
  pulseSeconds: 0, // samples that are made without a pulse
};
const [lines, samples] = [4096, 512];

// Each range sample is a random process along azimuth with a bell-shaped spectrum around the centroid of its line and range.
const centroidHz = (line: number, sample: number) => 430 + 300 * (line / lines - 0.5) + 100 * (sample / samples - 0.5);
const random = createRandom(11);
const bell = [1, 5, 10, 10, 5, 1];
const data = new Float32Array(2 * lines * samples);
for (let i = 0; i < samples; i++) {
  const noise = Array.from({ length: lines + bell.length }, () => [random.gaussian(), random.gaussian()]);
  for (let p = 0, cycles = 0; p < lines; p++) {
    cycles += centroidHz(p, i) / radar.prfHz;
    const [a, b] = [0, 1].map((part) => bell.reduce((sum, h, j) => sum + h * noise[p + j][part], 0));
    const [cos, sin] = [Math.cos(2 * Math.PI * cycles), Math.sin(2 * Math.PI * cycles)];
    data.set([a * cos - b * sin, a * sin + b * cos], 2 * (p * samples + i));
  }
}
const readLines = (from: number, count: number) => data.subarray(2 * from * samples, 2 * (from + count) * samples);

// #region estimate
const grid = createDopplerGrid(radar, lines, samples, { blockLines: 256, sections: 8 });
// The blocks that are enough. A file would be read here.
for (const { firstLine, lines: count } of grid.spread)
  await grid.add(firstLine, { data: readLines(firstLine, count), lines: count, samples });
const fit = fitDoppler(grid.estimates(), radar.prfHz);
if (!fit) throw new Error("the data show no Doppler centroid");

const { polynomial, standardErrors } = fit;
console.log(`${fit.used} estimates used, ${fit.rejected} rejected, residual ${fit.residualRmsHz.toFixed(0)} Hz`);
console.log(`order ${fit.rangeOrder} in range, ${fit.azimuthOrder} in azimuth`);
console.log(
  `drift of ${(polynomial.hzPerLine * lines).toFixed(0)} ± ${(standardErrors.hzPerLine * lines).toFixed(0)} Hz over the recording`,
);
const middleRange = polynomial.slantRangeMeters;
// Continuous, so it may leave −PRF/2 … PRF/2 away from the middle.
for (const line of [0, 2048, 4095]) console.log(`line ${line}: ${dopplerAt(polynomial, line, middleRange).toFixed(0)} Hz`);
// #endregion estimate
