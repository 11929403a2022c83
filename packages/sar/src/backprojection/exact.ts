/**
 * Backprojection by the definition of a phase history's image, in float64: the sum over all pulses and frequencies at single points. It has
 * no range profiles, so no interpolation, and costs a hundred times as much as `backprojectReference`. Take a sample of the pixels of an
 * image, and compare.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { checkWindow, type PhaseHistory, speedOfLight, type Window, windowSamples } from "@dechirp/radar";
import { checkPhaseHistory, pulseCount } from "./profiles.ts";
import { frequencyBand } from "./pulse-frequencies.ts";
import { checkPulses } from "./reference.ts";

/** Options of `backprojectExact`. */
export interface BackprojectExactOptions {
  /** Window over the band, as of `backproject`. Default: none. */
  readonly window?: Window;
  /** First pulse and number of pulses. Default: all. */
  readonly pulses?: readonly [first: number, count: number];
  /** Values [point], interleaved re, im, that are added to and returned. Default: a new array. */
  readonly into?: Float64Array;
}

/**
 * I(x) = Σ_p Σ_k w_k·fp[p][k]·exp(+j4πf_k·ΔR/c) with Σw = 1 and ΔR = |A_p − x| − r₀_p, at the points [point][3] in metres. This is what
 * `backproject` computes with interpolation. A pulse adds nothing to a point with |ΔR| > c/(4·step), where ranges repeat. Pulses may be
 * added set by set. Throws `input` naming the field.
 */
export function backprojectExact(history: PhaseHistory, points: Float64Array, options: BackprojectExactOptions = {}): Float64Array {
  checkPhaseHistory(history);
  if (!(isArrayOf(points, Float64Array) && points.length % 3 === 0 && points.every(Number.isFinite)))
    throw inputError("points", "a Float64Array of three finite numbers for each point", points);
  const count = points.length / 3;
  const { window = { kind: "rect" }, pulses = [0, pulseCount(history)], into = new Float64Array(2 * count) } = options;
  checkWindow(window);
  checkPulses(pulses, pulseCount(history));
  if (!(isArrayOf(into, Float64Array) && into.length === 2 * count))
    throw inputError("into", `a Float64Array of 2 · ${count} numbers`, into);
  const { positions, referenceRangeMeters, samples, frequency, pulseFrequencies, phaseSign = -1, badPulses = [] } = history;
  const reach = speedOfLight / (4 * frequencyBand(history).stepHz);
  const taper = windowSamples(window, frequency.count);
  const sum = taper.reduce((a, b) => a + b, 0);
  const weights = taper.map((w) => w / sum);
  const bad = new Set(badPulses);
  const angle = (hertz: number, delay: number): number => -phaseSign * 2 * Math.PI * ((hertz * delay) % 1);
  for (let p = pulses[0]; p < pulses[0] + pulses[1]; p++) {
    if (bad.has(p)) continue;
    const firstHz = pulseFrequencies ? pulseFrequencies.firstHz[p] : frequency.firstHz;
    const stepHz = pulseFrequencies ? pulseFrequencies.stepHz[p] : frequency.stepHz;
    for (let i = 0; i < count; i++) {
      const dx = positions[3 * p] - points[3 * i];
      const dy = positions[3 * p + 1] - points[3 * i + 1];
      const dz = positions[3 * p + 2] - points[3 * i + 2];
      const range = Math.sqrt(dx * dx + dy * dy + dz * dz) - referenceRangeMeters[p];
      if (!(Math.abs(range) <= reach)) continue;
      const delay = (2 * range) / speedOfLight;
      // The phase of a frequency follows from that of the one before. Its rounding grows with their number, to about 1e-13.
      const [turnRe, turnIm] = [Math.cos(angle(stepHz, delay)), Math.sin(angle(stepHz, delay))];
      let [re, im] = [Math.cos(angle(firstHz, delay)), Math.sin(angle(firstHz, delay))];
      let [sumRe, sumIm] = [0, 0];
      for (let k = 0, at = 2 * p * frequency.count; k < frequency.count; k++, at += 2) {
        sumRe += weights[k] * (samples[at] * re - samples[at + 1] * im);
        sumIm += weights[k] * (samples[at] * im + samples[at + 1] * re);
        const next = re * turnRe - im * turnIm;
        im = re * turnIm + im * turnRe;
        re = next;
      }
      into[2 * i] += sumRe;
      into[2 * i + 1] += sumIm;
    }
  }
  return into;
}
