// The error of interpolating between the bins of a profile: for a line, measured and by the formula of the page; for the others, as the library predicts it.
import { createRandom } from "@dechirp/core";
import { planCompression, profileInterpolationDb } from "@dechirp/sar";

const [count, bins] = [424, 4096]; // frequencies, and bins after zero padding
const random = createRandom(1);
const phases = Float64Array.from({ length: count }, () => 2 * Math.PI * random.uniform());

/** The profile at a fractional bin, with frequency `first` at zero. */
function profile(bin: number, first: number): readonly [number, number] {
  let [re, im] = [0, 0];
  for (let k = 0; k < count; k++) {
    const angle = phases[k] + (2 * Math.PI * (k - first) * bin) / bins;
    re += Math.cos(angle);
    im += Math.sin(angle);
  }
  return [re, im];
}

for (const [carrier, first, share] of [
  ["first", 0, 1],
  ["centre", count / 2, 1 / 16],
] as const) {
  let [error, energy] = [0, 0];
  for (let i = 0; i < 4000; i++) {
    const bin = Math.floor(random.uniform() * bins);
    const mu = random.uniform();
    const [a, b, x] = [profile(bin, first), profile(bin + 1, first), profile(bin + mu, first)];
    error += ((1 - mu) * a[0] + mu * b[0] - x[0]) ** 2 + ((1 - mu) * a[1] + mu * b[1] - x[1]) ** 2;
    energy += x[0] ** 2 + x[1] ** 2;
  }
  const formula = -10 * Math.log10((share * (2 * Math.PI * (count / bins)) ** 4) / 600);
  console.log(`${carrier}, linear: ${(10 * Math.log10(energy / error)).toFixed(0)} dB, formula ${formula.toFixed(0)} dB`);
}
const frequency = { firstHz: 9.288e9, stepHz: 1.4713e6, count };
const aperture = { positions: new Float64Array(3), referenceRangeMeters: new Float64Array(1) };
const { geometry } = planCompression({ ...aperture, frequency }, { bins });
console.log(`centre, parabolas (default): ${profileInterpolationDb("quadratic", geometry).toFixed(0)} dB`);
const taps = profileInterpolationDb({ kind: "sinc", taps: 8, window: "kaiser" }, geometry);
console.log(`centre, 8 taps: ${taps > 100 ? "above 100 dB" : `${taps} dB`}`);
