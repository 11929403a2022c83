// Entropy and contrast of a sharp image, a defocused one and a mirrored one.
import { createRandom } from "@dechirp/core";
import { chooseLooks, imageContrast, imageEntropy, peakToMeanDb, quicklook } from "@dechirp/sar";

const n = 256;
const points = [40, 97, 180];

/** An image of three points, blurred along their rows by a quadratic phase error. `cycles` is the error at the edge of the band. `sign` −1 mirrors it. */
function image(cycles: number, sign: 1 | -1 = 1): Float32Array {
  const data = new Float32Array(2 * n * n);
  const random = createRandom(1);
  for (let i = 0; i < data.length; i++) data[i] = 0.002 * random.gaussian();
  for (let i = 0; i < n; i++) {
    for (const point of points) {
      let [re, im] = [0, 0];
      for (let k = -64; k < 64; k++) {
        const angle = 2 * Math.PI * ((k * (sign * (i - 128) - (point - 128))) / n + cycles * (k / 64) ** 2);
        re += Math.cos(angle) / 128;
        im += Math.sin(angle) / 128;
      }
      data[2 * (point * n + i)] += re;
      data[2 * (point * n + i) + 1] += im;
    }
  }
  return data;
}

const sharp = image(0);
const blurred = image(2);
const show = (name: string, data: Float32Array): void =>
  console.log(
    name,
    `entropy ${imageEntropy(data).toFixed(2)}, contrast ${imageContrast(data).toFixed(0)}, peak ${peakToMeanDb(data).toFixed(1)} dB`,
  );
show("sharp   ", sharp);
show("blurred ", blurred);
show("mirrored", image(0, -1));

const { width, height, highDb, lowDb } = quicklook(sharp, n, n, { maxSide: 128, dynamicRangeDb: 40 });
console.log(`${width} × ${height} grey pixels from ${lowDb.toFixed(0)} to ${highDb.toFixed(0)} dB`);
console.log(chooseLooks(4096, 2048, { rowSpacingMeters: 0.5, columnSpacingMeters: 1 }));
