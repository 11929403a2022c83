/**
 * Cubes drawn from a true covariance: complex Gaussian snapshots x = L·g, R = L·Lᴴ, one for each range, independent from range to
 * range, with targets added. Equal seeds give equal cubes. The snapshot of a range depends only on its index and the seed.
 */
import { createRandom } from "@dechirp/core";
import { checkInteger, checkNumber, checkSize, checkSquare } from "../arrays.ts";
import { type Cube, cubeOrders } from "../cube.ts";
import { choleskyFactor } from "../solve.ts";
import { kronecker, uniformSteering } from "../steering.ts";

/** A target to simulate. */
export interface DrawnTarget {
  readonly range: number;
  /** Spatial frequency ϑ, cycles an element of a uniform linear array. */
  readonly spatialCycles: number;
  /** Doppler frequency ω, cycles a pulse. */
  readonly dopplerCycles: number;
  /** Power relative to the noise of one element and pulse. */
  readonly snrDb: number;
  /** Default: 0. */
  readonly phaseRadians?: number;
}

/** Size and content of a simulated cube. */
export interface DrawOptions {
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  /** From 0 to 2³² − 1. */
  readonly seed: number;
  /** Targets to add. Default: none. */
  readonly targets?: readonly DrawnTarget[];
}

/** A cube [channel][pulse][range] with covariance `covariance` [MN][MN]. Throws `input`, also if that is not positive definite. */
export function drawCube(covariance: Float64Array, options: DrawOptions): Cube {
  const { channels, pulses, ranges, seed, targets = [] } = options;
  checkInteger(channels, "channels", 1, 2 ** 16);
  checkInteger(pulses, "pulses", 1, 2 ** 16);
  checkInteger(ranges, "ranges", 1, 2 ** 24);
  const n = channels * pulses;
  checkSize(2 * n * ranges, "ranges");
  checkSquare(covariance, n, "covariance");
  const factor = choleskyFactor(covariance, n);
  const data = new Float64Array(2 * n * ranges);
  const g = new Float64Array(2 * n);
  for (let range = 0; range < ranges; range++) {
    const random = createRandom(seed, range);
    for (let i = 0; i < g.length; i++) g[i] = random.gaussian() * Math.SQRT1_2;
    for (let i = 0; i < n; i++) {
      let re = 0;
      let im = 0;
      for (let k = 0, at = 2 * i * n; k <= 2 * i; k += 2, at += 2) {
        re += factor[at] * g[k] - factor[at + 1] * g[k + 1];
        im += factor[at] * g[k + 1] + factor[at + 1] * g[k];
      }
      data[2 * (i * ranges + range)] = re;
      data[2 * (i * ranges + range) + 1] = im;
    }
  }
  for (const [t, target] of targets.entries()) addTarget(data, options, target, `targets[${t}]`);
  return { data, channels, pulses, ranges, order: cubeOrders.paper };
}

function addTarget(data: Float64Array, { channels, pulses, ranges }: DrawOptions, target: DrawnTarget, field: string): void {
  const { range, spatialCycles, dopplerCycles, snrDb, phaseRadians = 0 } = target;
  checkInteger(range, `${field}.range`, 0, ranges - 1);
  checkNumber(snrDb, `${field}.snrDb`, -300, 300);
  checkNumber(phaseRadians, `${field}.phaseRadians`, -1e6, 1e6);
  const v = kronecker(uniformSteering(channels, spatialCycles), uniformSteering(pulses, dopplerCycles));
  const amplitude = 10 ** (snrDb / 20);
  const c = amplitude * Math.cos(phaseRadians);
  const s = amplitude * Math.sin(phaseRadians);
  for (let i = 0; i < channels * pulses; i++) {
    const at = 2 * (i * ranges + range);
    data[at] += v[2 * i] * c - v[2 * i + 1] * s;
    data[at + 1] += v[2 * i] * s + v[2 * i + 1] * c;
  }
}
