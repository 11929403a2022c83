/**
 * Displaced phase centre antennas. DPCA subtracts what a trailing element receives one pulse later. If the platform moves a whole number of
 * half-spacings in a pulse interval and the array lies along its path, this cancels clutter without training. ADPCA
 * finds such weights from the data, two or three pulses at a time (Ward, TR-1015). Both give cubes in the pulse
 * domain, for Doppler processing afterwards.
 */

import { inputError } from "@dechirp/core";
import type { ComplexSamples } from "@dechirp/radar";
import { checkSteering } from "../adaptive.ts";
import { checkFinite, checkInteger, checkSize } from "../arrays.ts";
import { type Cube, checkCube, cubeOrders, reorderCube } from "../cube.ts";
import { kronecker } from "../steering.ts";
import { cubeRows, type FilterOptions, filterSnapshots, resolveFilter, wholeVectors } from "./joint.ts";

/**
 * y(m, t) = x(m, t + 1) − x(m + β, t): M − β channels, N − 1 pulses. β = `displacement` is the number of elements that the phase centre
 * moves in
 * a pulse interval (default: 1). Clutter with ω = βϑ is removed; noise power doubles. Throws `input`.
 */
export function dpca(cube: Cube, displacement = 1): Cube {
  checkCube(cube);
  checkFinite(cube.data, "cube.data");
  const { channels, pulses, ranges } = cube;
  checkInteger(displacement, "displacement", 0, channels - 1);
  if (pulses < 2) throw inputError("cube.pulses", "at least 2", pulses);
  const { data } = reorderCube(cube, cubeOrders.paper);
  const out = new Float64Array(2 * (channels - displacement) * (pulses - 1) * ranges);
  let to = 0;
  for (let m = 0; m < channels - displacement; m++) {
    for (let t = 0; t < pulses - 1; t++) {
      const later = 2 * (m * pulses + t + 1) * ranges;
      const trailing = 2 * ((m + displacement) * pulses + t) * ranges;
      for (let i = 0; i < 2 * ranges; i++) out[to++] = data[later + i] - data[trailing + i];
    }
  }
  return { data: out, channels: channels - displacement, pulses: pulses - 1, ranges, order: cubeOrders.paper };
}

/** Options of `adpcaReference`. */
export interface AdpcaOptions extends Omit<FilterOptions, "output"> {
  /** Pulses that are filtered together. Default: 2. */
  readonly subPulses?: 2 | 3;
}

/** The wanted response in time: zero at zero Doppler. */
const cancellers = { 2: [1, -1], 3: [1, -2, 1] } as const;

/**
 * For every sub-interval of K pulses starting at t, w = R⁻¹g with g = spatial ⊗ (1, −1) or (1, −2, 1), and wᴴx/(wᴴg). The result is a cube
 * of P
 * channels, one for each spatial vector, and N − K + 1 pulses. Every sub-interval has its own covariance. Throws `input`.
 */
export function adpcaReference(cube: Cube, spatial: ComplexSamples, options: AdpcaOptions = {}): Cube {
  checkCube(cube);
  checkFinite(cube.data, "cube.data");
  const { subPulses = 2, ...rest } = options;
  const { channels, pulses, ranges } = cube;
  if (subPulses !== 2 && subPulses !== 3) throw inputError("subPulses", "2 or 3", subPulses);
  if (pulses < subPulses) throw inputError("cube.pulses", `at least ${subPulses}`, pulses);
  const order = channels * subPulses;
  const filter = resolveFilter({ ...rest, output: "complex" }, ranges, order);
  const vectors = wholeVectors(spatial, channels);
  const a = checkSteering(spatial, vectors, channels, "spatial");
  const temporal = Float64Array.from(cancellers[subPulses].flatMap((weight) => [weight, 0]));
  const g = kronecker(a, temporal);
  const rows = cubeRows(cube);
  const intervals = pulses - subPulses + 1;
  checkSize(2 * vectors * intervals * ranges, "spatial");
  const out = new Float64Array(2 * vectors * intervals * ranges);
  for (let t = 0; t < intervals; t++) {
    const sub = Array.from({ length: order }, (_, i) => rows[Math.floor(i / subPulses) * pulses + t + (i % subPulses)]);
    const y = filterSnapshots(sub, g, filter, { pulse: t });
    for (let p = 0; p < vectors; p++) out.set(y.subarray(2 * p * ranges, 2 * (p + 1) * ranges), 2 * (p * intervals + t) * ranges);
  }
  return { data: out, channels: vectors, pulses: intervals, ranges, order: cubeOrders.paper };
}
