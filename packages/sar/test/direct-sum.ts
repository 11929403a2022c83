/**
 * The image of a phase history by its definition, in float64. It has no range profiles, so no interpolation, and uses nothing of the
 * package but
 * the positions of pixels. Backprojection with default options is measured against it.
 */
import type { PhaseHistory } from "@dechirp/radar";
import { type ImageGrid, pixelPosition } from "../src/backprojection/grid.ts";
import { pulseCount } from "../src/backprojection/profiles.ts";

const speedOfLight = 299792458;

/**
 * I(x) = Σ_p Σ_k fp[p][k]·exp(+j4πf_k(|A_p − x| − r₀_p)/c) / count, [ny][nx] interleaved: the amplitude that `backproject` has without a
 * window. No pixel may be farther from r₀ than c/(4·step) for any pulse: ranges repeat beyond.
 */
export function directSum(history: PhaseHistory, grid: ImageGrid): Float64Array {
  const { positions, referenceRangeMeters, samples } = history;
  const { frequency, pulseFrequencies, phaseSign = -1, badPulses = [] } = history;
  const { count } = frequency;
  const image = new Float64Array(2 * grid.nx * grid.ny);
  for (let pixel = 0; pixel < grid.nx * grid.ny; pixel++) {
    const [x, y, z] = pixelPosition(grid, pixel % grid.nx, Math.floor(pixel / grid.nx));
    for (let p = 0; p < pulseCount(history); p++) {
      if (badPulses.includes(p)) continue;
      const [firstHz, stepHz] = pulseFrequencies
        ? [pulseFrequencies.firstHz[p], pulseFrequencies.stepHz[p]]
        : [frequency.firstHz, frequency.stepHz];
      const range = Math.hypot(positions[3 * p] - x, positions[3 * p + 1] - y, positions[3 * p + 2] - z) - referenceRangeMeters[p];
      const delay = (2 * range) / speedOfLight;
      const angle = (hertz: number): number => -phaseSign * 2 * Math.PI * ((hertz * delay) % 1);
      const [stepRe, stepIm] = [Math.cos(angle(stepHz)), Math.sin(angle(stepHz))];
      let [re, im] = [Math.cos(angle(firstHz)), Math.sin(angle(firstHz))];
      for (let k = 0, at = 2 * p * count; k < count; k++, at += 2) {
        image[2 * pixel] += (samples[at] * re - samples[at + 1] * im) / count;
        image[2 * pixel + 1] += (samples[at] * im + samples[at + 1] * re) / count;
        [re, im] = [re * stepRe - im * stepIm, re * stepIm + im * stepRe];
      }
    }
  }
  return image;
}
