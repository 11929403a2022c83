/**
 * Finds detections in the output of a STAP run. It compares the adaptive matched filter (AMF) of every cell, whatever output was
 * selected, with a threshold from theory or from neighbouring cells, and keeps the strongest of adjacent cells.
 */
import { sortSteps } from "@dechirp/core/internal";
import { amfThreshold, binCycles, type CfarOptions, caCfarSteps, type EfaGeometry, osCfarSteps, trainingCells } from "@dechirp/stap";
import type { AmfMap, StapOutput } from "./findings.ts";
import type { StapPlan } from "./plan.ts";
import type { CellPlace, StapDetection, StapReport } from "./report.ts";

/** Cells that are processed between two pauses. */
const pieceCells = 4096;
/** Ranges on each side of a detection that belong to it. */
const besideRanges = 3;

/** The AMF |wᴴx|²/(wᴴv) of a cell, computed from each kind of output and the gain wᴴv. */
const amfOf = {
  amf: (value: number, _gain: number): number => value,
  mvdr: (value: number, gain: number): number => value * gain,
  "paper-literal": (value: number, gain: number): number => value / Math.sqrt(gain),
  complex: (value: number, gain: number): number => value * gain,
} as const;

const groupOf = ({ sets }: EfaGeometry, range: number): number => Math.floor(range / sets.groupRanges);

/**
 * The AMF of one steering vector's ranges in one Doppler bin. If only the strongest steering vector of each cell was kept, the AMF of
 * that.
 */
export function amfLine({ y, gains, strongest }: StapOutput, geometry: EfaGeometry, steering: number, bin: number): Float32Array {
  const { dopplerBins, ranges, sets, steeringVectors, output } = geometry;
  const line = new Float32Array(ranges);
  const base = ((strongest ? 0 : steering * dopplerBins) + bin) * ranges;
  for (let range = 0; range < ranges; range++) {
    const at = base + range;
    const vector = strongest ? strongest[at] : steering;
    const gain = gains ? gains[(bin * sets.groups + groupOf(geometry, range)) * steeringVectors + vector] : 1;
    line[range] = amfOf[output](output === "complex" ? y[2 * at] ** 2 + y[2 * at + 1] ** 2 : y[at], gain);
  }
  return line;
}

/** The largest AMF of every cell. In pieces, as everything here that visits all cells. */
export function* amfMap(result: StapOutput, geometry: EfaGeometry): Generator<void, AmfMap> {
  const { dopplerBins, ranges, steeringVectors } = geometry;
  const data = new Float32Array(dopplerBins * ranges).fill(-1);
  const which = new Uint32Array(dopplerBins * ranges);
  const planes = result.strongest ? 1 : steeringVectors;
  for (let bin = 0; bin < dopplerBins; bin++) {
    for (let p = 0; p < planes; p++) {
      const line = amfLine(result, geometry, p, bin);
      for (let range = 0, at = bin * ranges; range < ranges; range++, at++) {
        if (line[range] > data[at]) [data[at], which[at]] = [line[range], p];
      }
      yield;
    }
  }
  if (result.strongest) which.set(result.strongest);
  return { data, which };
}

type ThresholdKind = StapReport["threshold"]["kind"];

/** Chooses the kind of threshold and its cells: the training cells of every group, or neighbours. */
function thresholdRule({ geometry, settings, falseAlarm, parameters }: StapPlan) {
  const { sets, order, ranges } = geometry;
  const trained = Array.from({ length: sets.groups }, (_, group) => trainingCells(sets.runs(group, 0)));
  const cells = Math.min(...trained);
  const why =
    settings.cfar !== undefined
      ? undefined
      : parameters.training.value === "own"
        ? "the threshold of theory does not hold for cells that train themselves"
        : cells < order
          ? "the threshold of theory needs a training cell for every unknown"
          : undefined;
  const kind: ThresholdKind = settings.cfar ?? (why === undefined ? "amf" : "ca");
  const neighbours: CfarOptions & { cells: number } = {
    falseAlarm,
    cells: settings.cfarCells ?? Math.min(32, Math.max(1, ranges - 7)),
    guardCells: settings.cfarGuard ?? Math.min(besideRanges, (ranges - 1) >> 2),
  };
  return { kind, why, trained, cells, neighbours };
}

/** Throws `input`, as `thresholdsOf` would, if the requested neighbours do not fit. */
export function checkThresholds(plan: StapPlan): void {
  const { kind, neighbours } = thresholdRule(plan);
  const { ranges } = plan.geometry;
  // The generators do all their checks before they yield for the first time.
  if (kind !== "amf") (kind === "os" ? osCfarSteps : caCfarSteps)(new Float32Array(ranges), ranges, neighbours).next();
}

/**
 * The ranges among which the next strongest cell is searched: the AMF of one steering vector, or the largest AMF of all if only that
 * was requested.
 */
export function comparedLine(result: StapOutput, geometry: EfaGeometry, map: AmfMap, steering: number, bin: number): Float32Array {
  const { ranges, maxOverSteering } = geometry;
  return maxOverSteering ? map.data.subarray(bin * ranges, (bin + 1) * ranges) : amfLine(result, geometry, steering, bin);
}

/**
 * Counts tests and cells above their thresholds. With the threshold of theory, the probability of a false alarm applies to each cell
 * and steering vector. With neighbours it applies to each cell, whose largest AMF is tested. Steering vectors, and bins of padded
 * pulses, are not independent, so the expected number is an upper bound.
 */
export function* crossingsOf(
  { data }: AmfMap,
  thresholds: Float64Array,
  { geometry, falseAlarm }: StapPlan,
  { kind }: StapReport["threshold"],
): Generator<void, Omit<StapReport["detections"], "count" | "listed">> {
  const cells = data.length;
  const tests = cells * (kind === "amf" ? geometry.steeringVectors : 1);
  let cellsAbove = 0;
  for (let i = 0; i < cells; i++) {
    if (data[i] > thresholds[i]) cellsAbove++;
    if (i % pieceCells === 0) yield;
  }
  return { cells, tests, cellsAbove, expectedFalseAlarms: tests * falseAlarm };
}

/** The threshold of every cell, and how it was made. Throws `input` if the requested neighbours do not fit. */
export function* thresholdsOf(
  map: AmfMap,
  plan: StapPlan,
): Generator<void, { readonly data: Float64Array; readonly threshold: StapReport["threshold"] }> {
  const { geometry, falseAlarm } = plan;
  const { order, ranges, dopplerBins } = geometry;
  const { kind, why, trained, cells, neighbours } = thresholdRule(plan);
  if (kind === "amf") {
    const known = new Map<number, number>();
    const ofCells = (count: number): number => {
      const found = known.get(count) ?? amfThreshold(falseAlarm, order, count);
      known.set(count, found);
      return found;
    };
    const line = new Float64Array(ranges);
    for (let range = 0; range < ranges; range++) {
      line[range] = ofCells(trained[groupOf(geometry, range)]);
      yield;
    }
    const data = new Float64Array(dopplerBins * ranges);
    for (let bin = 0; bin < dopplerBins; bin++) {
      data.set(line, bin * ranges);
      yield;
    }
    return { data, threshold: { kind, falseAlarm, cells } };
  }
  const { thresholds } = yield* (kind === "os" ? osCfarSteps : caCfarSteps)(map.data, ranges, neighbours);
  return { data: thresholds, threshold: { kind, falseAlarm, cells: neighbours.cells, ...(why === undefined ? {} : { why }) } };
}

/**
 * Lists the cells above their thresholds, strongest first. A cell belongs to a stronger one if it is within 3 ranges of it and within
 * the Doppler bins over which a point spreads.
 */
export function* detect(
  map: AmfMap,
  thresholds: Float64Array,
  plan: StapPlan,
  result: StapOutput,
): Generator<void, readonly StapDetection[]> {
  const { geometry } = plan;
  const { ranges, dopplerBins, pulses, temporalTaps } = geometry;
  const { data, which } = map;
  const besideBins = Math.min(dopplerBins >> 1, Math.ceil(dopplerBins / pulses) + (temporalTaps >> 1));
  const above: number[] = [];
  for (let i = 0; i < data.length; i++) {
    if (data[i] > thresholds[i]) above.push(i);
    if (i % pieceCells === 0) yield;
  }
  const strongest = yield* sortSteps(above, (a, b) => data[b] - data[a] || a - b);
  const taken = new Uint8Array(data.length);
  const found: StapDetection[] = [];
  for (const at of strongest) {
    if (taken[at]) continue;
    yield;
    const [bin, range] = [Math.floor(at / ranges), at % ranges];
    for (let b = bin - besideBins; b <= bin + besideBins; b++) {
      const row = ((b + dopplerBins) % dopplerBins) * ranges;
      taken.fill(1, row + Math.max(0, range - besideRanges), row + Math.min(ranges, range + besideRanges + 1));
    }
    found.push({
      ...placeOf(plan, range, bin, which[at]),
      amfDb: decibels(data[at]),
      thresholdDb: decibels(thresholds[at]),
      aboveNextDb: aboveNext(comparedLine(result, geometry, map, which[at], bin), range),
    });
  }
  return found;
}

/** A power in dB. */
export const decibels = (power: number): number => 10 * Math.log10(power);

/** How far a range is above the largest one more than 3 ranges away, in dB. null if there is none, or if either is zero. */
export function aboveNext(line: ArrayLike<number>, range: number): number | null {
  let next = 0;
  for (let i = 0; i < line.length; i++) if (Math.abs(i - range) > besideRanges) next = Math.max(next, line[i]);
  return next > 0 && line[range] > 0 ? decibels(line[range] / next) : null;
}

/** Everything that is known about the position of a cell. */
export function placeOf(
  { geometry, prfHz, rangeAxis, azimuthDegrees }: StapPlan,
  range: number,
  dopplerBin: number,
  steering: number,
): CellPlace {
  const dopplerCycles = binCycles(geometry, dopplerBin);
  return {
    range,
    ...(rangeAxis ? { rangeKilometres: (rangeAxis.startMeters + range * rangeAxis.stepMeters) / 1000 } : {}),
    dopplerBin,
    dopplerCycles,
    ...(prfHz === undefined ? {} : { dopplerHz: dopplerCycles * prfHz }),
    steering,
    ...(azimuthDegrees ? { azimuthDegrees: azimuthDegrees[steering] } : {}),
  };
}
