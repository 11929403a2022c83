/**
 * Backprojection by its definition, in float64, which faster forms are measured against. It does about 10⁷ pixels times
 * pulses a second. It has no partition and no approximation of ranges; each term has its own root, sine and cosine.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { interpolatorTable } from "@dechirp/radar/interpolation";
import { checkGrid, createPositions, type ImageGrid } from "./grid.ts";
import { checkProfileInterpolation, defaultInterpolation, designOversampling, type ProfileInterpolation } from "./profile-interpolation.ts";
import { checkProfiles, cyclesPerMeter, pulseCount, type RangeProfiles } from "./profiles.ts";
import { curveOf, curvesOf, quadraticReach } from "./quadratic.ts";

/** Options of `backprojectReference`. */
export interface BackprojectReferenceOptions {
  /** Default: `defaultInterpolation`. */
  readonly interpolation?: ProfileInterpolation;
  /** An image [ny][nx], interleaved re, im, that is added to and returned. Default: a new one. */
  readonly into?: Float64Array;
  /** First pulse and number of pulses. Default: all. */
  readonly pulses?: readonly [first: number, count: number];
}

/** Throws `input` unless `pulses` is a first pulse and a count within `total`. */
export function checkPulses(pulses: readonly [first: number, count: number], total: number): void {
  const [first, count] = pulses;
  if (!(Number.isInteger(first) && first >= 0 && first < total)) throw inputError("pulses[0]", `an integer from 0 to ${total - 1}`, first);
  if (!(Number.isInteger(count) && count >= 0 && first + count <= total))
    throw inputError("pulses[1]", `an integer from 0 to ${total - first}`, count);
}

/**
 * I(x) += Σ_p s_p(ΔR)·exp(+j4π·carrier·ΔR/c) with ΔR = |A_p − x| − r₀_p, the image [ny][nx] interleaved.
 *
 * s_p at b = (ΔR − first)/binMeters is computed from the bins ⌊b⌋ − taps/2 + 1 … ⌊b⌋ + taps/2, or for parabolas from the nearest bin and
 * two to
 * either side. A pulse adds nothing to a pixel for which one of them is not a bin of the profile. On a parabola, bins that repeat do so
 * from half a bin before the first to half a bin after the place where it repeats. Pulses may be added set by set, or an
 * image computed in parts, with the same result.
 * Throws `input` naming the field.
 */
export function backprojectReference(profiles: RangeProfiles, grid: ImageGrid, options: BackprojectReferenceOptions = {}): Float64Array {
  checkProfiles(profiles);
  checkGrid(grid);
  const { nx, ny } = grid;
  const {
    interpolation = defaultInterpolation(profiles),
    into = new Float64Array(2 * nx * ny),
    pulses = [0, pulseCount(profiles)],
  } = options;
  checkProfileInterpolation(interpolation);
  if (!(isArrayOf(into, Float64Array) && into.length === 2 * nx * ny))
    throw inputError("into", `a Float64Array of 2 · ${ny} · ${nx} numbers`, into);
  checkPulses(pulses, pulseCount(profiles));

  const { positions, referenceRangeMeters, firstRangeMeters, binMeters } = profiles;
  const read = createReader(profiles, interpolation);
  const position = createPositions(grid);
  const turns = cyclesPerMeter(profiles);
  const value = new Float64Array(2);
  for (let iy = 0; iy < ny; iy++) {
    for (let ix = 0; ix < nx; ix++) {
      const [x, y, z] = position(ix, iy);
      let re = 0;
      let im = 0;
      for (let p = pulses[0]; p < pulses[0] + pulses[1]; p++) {
        const dx = positions[3 * p] - x;
        const dy = positions[3 * p + 1] - y;
        const dz = positions[3 * p + 2] - z;
        const range = Math.sqrt(dx * dx + dy * dy + dz * dz) - referenceRangeMeters[p];
        if (!read(p, (range - firstRangeMeters) / binMeters, value)) continue;
        const cycles = turns * range;
        const angle = 2 * Math.PI * (cycles - Math.round(cycles));
        const c = Math.cos(angle);
        const s = Math.sin(angle);
        re += value[0] * c - value[1] * s;
        im += value[0] * s + value[1] * c;
      }
      into[2 * (iy * nx + ix)] += re;
      into[2 * (iy * nx + ix) + 1] += im;
    }
  }
  return into;
}

/** Reads the profile of pulse p at a fractional bin into `value`. Returns false, and writes nothing, if a tap is missing. */
function createReader(
  profiles: RangeProfiles,
  interpolation: ProfileInterpolation,
): (p: number, bin: number, value: Float64Array) => boolean {
  const { samples, bins } = profiles;
  if (interpolation === "linear") {
    return (p, bin, value) => {
      const low = Math.floor(bin);
      if (!(low >= 0 && low + 1 < bins)) return false;
      const mu = bin - low;
      const at = 2 * (p * bins + low);
      value[0] = (1 - mu) * samples[at] + mu * samples[at + 2];
      value[1] = (1 - mu) * samples[at + 1] + mu * samples[at + 3];
      return true;
    };
  }
  if (interpolation === "quadratic") return createQuadraticReader(profiles);
  const { taps, phases, table } = interpolatorTable(interpolation, { oversampling: designOversampling(profiles) });
  return (p, bin, value) => {
    const low = Math.floor(bin);
    const first = low - taps / 2 + 1;
    if (!(first >= 0 && first + taps <= bins)) return false;
    const place = (bin - low) * phases;
    const row = Math.floor(place);
    const blend = place - row;
    value.fill(0);
    for (let j = 0, at = 2 * (p * bins + first); j < taps; j++, at += 2) {
      const weight = (1 - blend) * table[row * taps + j] + blend * table[(row + 1) * taps + j];
      value[0] += weight * samples[at];
      value[1] += weight * samples[at + 1];
    }
    return true;
  };
}

function createQuadraticReader(profiles: RangeProfiles): (p: number, bin: number, value: Float64Array) => boolean {
  const { samples, bins } = profiles;
  const count = curvesOf(profiles);
  const [least, most] = count > bins ? [0, bins] : [quadraticReach, bins - 1 - quadraticReach];
  return (p, bin, value) => {
    const nearest = Math.floor(bin + 0.5);
    if (!(nearest >= least && nearest <= most)) return false;
    const mu = bin - nearest;
    for (let part = 0; part < 2; part++) {
      const at = (away: number): number => samples[2 * (p * bins + ((nearest + away + 2 * bins) % bins)) + part];
      const [slope, curvature] = curveOf(at);
      value[part] = at(0) + mu * (slope + mu * curvature);
    }
    return true;
  };
}
