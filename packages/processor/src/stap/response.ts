/**
 * What is reported beside a STAP output: the beamformer's output of the same data, the adapted pattern and the spectrum at the target,
 * and the condition of the covariances. Computed in float64 on the host with the stap package's reference functions.
 */
import { nextTurn } from "@dechirp/core/internal";
import {
  angleDopplerResponse,
  beamformerReference,
  binCovarianceSteps,
  type ConditionReport,
  conditionReportSteps,
  type EfaGeometry,
  efaSpaceTimeWeights,
  loadDiagonal,
  solveHermitian,
} from "@dechirp/stap";
import { decibels, placeOf } from "./detect.ts";
import type { AmfMap, AngleDopplerMaps, StapOutput } from "./findings.ts";
import type { StapPlan } from "./plan.ts";
import type { BeamformerReport, CellPlace } from "./report.ts";
import { elementSteering, lineSteering } from "./steering.ts";

/** Complex products between two pauses: about ten milliseconds. */
const pieceProducts = 2 ** 21;

/** The beamformer's largest output |vᴴx|²/(vᴴv) over all steering vectors, [bin][range]. Rejects with `aborted` if the signal fires. */
export async function beamformerMap({ x }: StapOutput, plan: StapPlan, signal: AbortSignal | undefined): Promise<AmfMap> {
  const { geometry, steering } = plan;
  const { dopplerBins, order, ranges } = geometry;
  const data = new Float32Array(dopplerBins * ranges);
  const which = new Uint32Array(dopplerBins * ranges);
  const vectorsPerRun = Math.max(1, Math.floor(pieceProducts / (order * ranges)));
  const most = new Float64Array(ranges);
  for (let bin = 0; bin < dopplerBins; bin++) {
    for (let first = 0; first < geometry.steeringVectors; first += vectorsPerRun) {
      await nextTurn(signal, "beamformer");
      const vectors = steering.subarray(2 * first * order, 2 * (first + vectorsPerRun) * order);
      const steeringVectors = vectors.length / (2 * order);
      const largest = { ...geometry, output: "amf", maxOverSteering: true, steeringVectors } as const;
      const { data: line, strongest } = beamformerReference(x, vectors, largest, [bin]);
      for (let range = 0, at = bin * ranges; range < ranges; range++, at++) {
        if (first > 0 && !(line[range] > most[range])) continue;
        most[range] = line[range];
        which[at] = first + (strongest as Uint32Array)[range];
      }
    }
    data.set(most, bin * ranges);
  }
  return { data, which };
}

/** Where the beamformer has its largest outputs, and how the target ranks among them. */
export function beamformerReport({ x }: StapOutput, map: AmfMap, plan: StapPlan, target: CellPlace): BeamformerReport {
  const { geometry, steering } = plan;
  const { order, ranges } = geometry;
  const vector = steering.subarray(2 * target.steering * order, 2 * (target.steering + 1) * order);
  const one = { ...geometry, output: "amf", maxOverSteering: false, steeringVectors: 1 } as const;
  const line = beamformerReference(x, vector, one, [target.dopplerBin]).data;
  // In the scale of the samples.
  const scaleDb = plan.inputs.cubeExponent * decibels(4);
  const peak = largestIndex(map.data);
  const linePeak = largestIndex(line);
  return {
    peak: { ...placeOf(plan, peak % ranges, Math.floor(peak / ranges), map.which[peak]), powerDb: decibels(map.data[peak]) + scaleDb },
    linePeak: { ...placeOf(plan, linePeak, target.dopplerBin, target.steering), powerDb: decibels(line[linePeak]) + scaleDb },
    targetRank: 1 + line.reduce((more, power) => more + (power > line[target.range] ? 1 : 0), 0),
    ofRanges: ranges,
  };
}

/** Index of the largest value; the first one if several are equal. */
export function largestIndex(values: ArrayLike<number>): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}

const dopplerCount = 129;
const angleCount = 181;

/** Computes the adapted pattern and the spectrum at the target. */
export function* angleDoppler({ x }: StapOutput, plan: StapPlan, target: CellPlace): Generator<void, AngleDopplerMaps> {
  const { geometry, steering, cube, array, prfHz, input } = plan;
  const { order: n, channels, pulses, ranges, sets, loading, solver } = geometry;
  const group = Math.floor(target.range / sets.groupRanges);
  yield;
  const all = yield* binCovarianceSteps(x, geometry)(target.dopplerBin);
  const r = all.slice(2 * group * n * n, 2 * (group + 1) * n * n);
  loadDiagonal(r, n, loading);
  const v = Float64Array.from(steering.subarray(2 * target.steering * n, 2 * (target.steering + 1) * n));
  const w = solveHermitian(r, n, v, solver, { group, bin: target.dopplerBin });
  const gain = w.reduce((sum, value, i) => sum + value * v[i], 0);
  const weights = efaSpaceTimeWeights(
    geometry,
    target.dopplerBin,
    w.map((value) => value / gain),
  );
  const snapshot = new Float64Array(2 * channels * pulses);
  for (let i = 0; i < channels * pulses; i++)
    snapshot.set(cube.subarray(2 * (i * ranges + target.range), 2 * (i * ranges + target.range) + 2), 2 * i);

  const degrees = array && { start: array.broadsideDegrees - 90, step: 180 / (angleCount - 1), count: angleCount };
  const angle = degrees ?? { start: -0.5, step: 1 / (angleCount - 1), count: angleCount };
  const directions = Array.from({ length: angle.count }, (_, i) => angle.start + i * angle.step);
  const spatial = directions.map((at) => (array ? lineSteering(input.elements, array, at) : elementSteering(input.elements, at)));
  const dopplerCycles = Array.from({ length: dopplerCount }, (_, i) => -0.5 + i / (dopplerCount - 1));
  const grid = { spatial, dopplerCycles };
  const scale = prfHz ?? 1;
  yield;
  const pattern = Float32Array.from(angleDopplerResponse(weights, channels, pulses, grid).data);
  yield;
  const spectrum = Float32Array.from(angleDopplerResponse(snapshot, channels, pulses, grid).data);
  yield;
  return {
    pattern,
    spectrum,
    report: {
      shape: [angle.count, dopplerCount],
      angle: { ...angle, unit: array ? "degrees" : "cycles per element" },
      doppler: {
        start: -0.5 * scale,
        step: scale / (dopplerCount - 1),
        count: dopplerCount,
        unit: prfHz === undefined ? "cycles per pulse" : "Hz",
      },
    },
  };
}

/** Limit on the cost of computing eigenvalues, in matrices times n³: a second or two. */
const conditionBudget = 2 ** 26;

/** Reports the condition of covariances in as many evenly spaced Doppler bins, including the target's, as can be computed quickly. */
export function* conditionOf(
  { x }: StapOutput,
  { geometry }: StapPlan,
  target: CellPlace,
): Generator<void, ConditionReport & { readonly bins: number }> {
  const bins = lookedAt(geometry, target);
  return { ...(yield* conditionReportSteps(x, geometry, bins)), bins: bins.length };
}

/** Doppler bins whose covariances are examined, ascending. */
export function lookedAt({ dopplerBins, sets, order }: EfaGeometry, target: CellPlace): readonly number[] {
  const most = Math.max(1, Math.min(dopplerBins, Math.floor(conditionBudget / (sets.groups * order ** 3))));
  const chosen = Array.from({ length: most }, (_, i) => (target.dopplerBin + Math.floor((i * dopplerBins) / most)) % dopplerBins);
  return chosen.sort((a, b) => a - b);
}
