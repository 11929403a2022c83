// Computes one output from the formulas and compares it with the library. Then shows how each kind of output depends on the scale of the data.
import { createRandom } from "@dechirp/core";
import { efaGeometry, efaReference, efaSteering, solveHermitian, uniformSteering } from "@dechirp/stap";

const [channels, pulses, ranges, bin, range] = [3, 8, 96, 7, 40];
const random = createRandom(4);
const data = Float64Array.from({ length: 2 * channels * pulses * ranges }, () => random.gaussian());
const cube = { data, channels, pulses, ranges, order: ["channel", "pulse", "range"] } as const;
const options = { steeringVectors: 1, temporalTaps: 3, blockRanges: 16 } as const; // adjacent training, AMF
const geometry = efaGeometry({ ...options, channels, pulses, ranges });
const v = efaSteering(geometry, [uniformSteering(channels, 0.2)]);

// #region definition
/** X_m[k] of a range: the Doppler transform by definition. It is cyclic in k. */
function doppler(m: number, k: number, l: number): readonly [number, number] {
  let [re, im] = [0, 0];
  for (let t = 0; t < pulses; t++) {
    const angle = (-2 * Math.PI * k * t) / pulses;
    const at = 2 * ((m * pulses + t) * ranges + l);
    re += data[at] * Math.cos(angle) - data[at + 1] * Math.sin(angle);
    im += data[at] * Math.sin(angle) + data[at + 1] * Math.cos(angle);
  }
  return [re, im];
}

/** The snapshot of `bin`, element channel·T + tap. Its taps are bins 6, 7 and 8, which is bin 0. */
const snapshot = (l: number): readonly (readonly [number, number])[] =>
  Array.from({ length: 9 }, (_, i) => doppler(Math.floor(i / 3), bin - 1 + (i % 3), l));

// Range 40 is in block 2, so its training ranges are blocks 1 and 3.
const r = new Float64Array(2 * 9 * 9);
for (const l of [...Array(16).keys()].flatMap((i) => [16 + i, 48 + i])) {
  const x = snapshot(l);
  for (let i = 0; i < 9; i++) {
    for (let j = 0; j < 9; j++) {
      r[2 * (i * 9 + j)] += (x[i][0] * x[j][0] + x[i][1] * x[j][1]) / 32;
      r[2 * (i * 9 + j) + 1] += (x[i][1] * x[j][0] - x[i][0] * x[j][1]) / 32;
    }
  }
}
const w = solveHermitian(r, 9, v);
const x = snapshot(range);
let [re, im, gain] = [0, 0, 0];
for (let i = 0; i < 9; i++) {
  re += w[2 * i] * x[i][0] + w[2 * i + 1] * x[i][1]; // wᴴx
  im += w[2 * i] * x[i][1] - w[2 * i + 1] * x[i][0];
  gain += w[2 * i] * v[2 * i] + w[2 * i + 1] * v[2 * i + 1]; // wᴴv
}
const amf = (re * re + im * im) / gain;
// #endregion definition

const at = bin * ranges + range;
const library = efaReference(cube, v, options).data[at];
console.log(`AMF: ${Math.abs(library / amf - 1) < 1e-10 ? "the same" : `${library} and ${amf}`}`);

// With data ten times as large, the AMF does not change, but the equation as it is often printed does.
const loud = { ...cube, data: data.map((value) => 10 * value) };
for (const output of ["amf", "paper-literal", "mvdr"] as const) {
  const of = (scene: typeof cube): number => efaReference(scene, v, { ...options, output }).data[at];
  console.log(`${output}: times ${(of(loud) / of(cube)).toPrecision(3)}`);
}
console.log(`${geometry.products} products a bin, of ${(9 * 10) / 2} in a window`);
