/**
 * The contents of the pictures of a STAP run: the adaptive filter beside the beamformer over range and Doppler, and responses at the
 * target over angle and Doppler.
 */
import type { HeatAxis, HeatPanel } from "@dechirp/pictures";
import { type AmfMap, type AngleDopplerMaps, amfLine, type CellPlace, type StapOutput, type StapPlan } from "@dechirp/processor";
import { binCycles } from "@dechirp/stap";

/** Decibels below the peak that the scale of beamformer and spectrum covers. */
const shownDb = 60;
/** Decibels that the scale of adapted patterns covers below and, at least, above the response in the look direction. */
const patternDb = { below: 60, above: 10 };
/** The least decibels that the scale of the AMF covers, from the noise level upwards. */
const leastAmfDb = 20;

const decibels = (power: number): number => 10 * Math.log10(power);
const dopplerOf = ({ prfHz }: StapPlan, { dopplerCycles, dopplerHz }: CellPlace): number =>
  prfHz === undefined ? dopplerCycles : (dopplerHz as number);
const dopplerLabel = ({ prfHz }: StapPlan): string => (prfHz === undefined ? "Doppler, cycles per pulse" : "Doppler, Hz");

/** Makes the panels of range-doppler.png, in pieces. */
export function* rangeDopplerPanels(
  amf: AmfMap,
  beamformer: AmfMap,
  plan: StapPlan,
  target: CellPlace,
): Generator<void, readonly HeatPanel[]> {
  const { ranges } = plan.geometry;
  const { axis, order } = dopplerAxis(plan);
  const { startMeters, stepMeters } = plan.rangeAxis ?? { startMeters: 0, stepMeters: 0 };
  const y: HeatAxis = plan.rangeAxis
    ? { label: "slant range, km", start: startMeters / 1000, step: stepMeters / 1000, count: ranges }
    : { label: "range bin", start: 0, step: 1, count: ranges };
  // Reorders to [range][Doppler] with ascending Doppler.
  function* turned({ data }: AmfMap): Generator<void, Float32Array> {
    const out = new Float32Array(data.length);
    for (let range = 0; range < ranges; range++) {
      for (const [column, bin] of order.entries()) out[range * order.length + column] = data[bin * ranges + range];
      yield;
    }
    return out;
  }
  const mark = { x: dopplerOf(plan, target), y: y.start + y.step * target.range };
  const common = { x: axis, y, mark } as const;
  const most = peakDb(beamformer.data);
  return [
    { ...common, title: "adaptive matched filter", power: yield* turned(amf), ...amfScale(amf.data) },
    { ...common, title: "non-adaptive beamformer", power: yield* turned(beamformer), lowDb: most - shownDb, highDb: most, unit: "dB" },
  ];
}

/** Makes the panels of angle-doppler.png, in pieces. */
export function* angleDopplerPanels(
  { pattern, spectrum, report }: AngleDopplerMaps,
  plan: StapPlan,
  result: StapOutput,
  target: CellPlace,
): Generator<void, readonly HeatPanel[]> {
  const { angle, doppler } = report;
  const x: HeatAxis = { ...doppler, label: dopplerLabel(plan) };
  const y: HeatAxis = { ...angle, label: angle.unit === "degrees" ? "azimuth, degrees" : "cycles per element" };
  const mark = target.azimuthDegrees === undefined ? {} : { mark: { x: dopplerOf(plan, target), y: target.azimuthDegrees } };
  const most = peakDb(spectrum);
  return [
    { x, y, ...mark, title: `spectrum of range bin ${target.range}`, power: spectrum, lowDb: most - shownDb, highDb: most, unit: "dB" },
    {
      x,
      y,
      ...mark,
      title: "response of the adapted filter",
      power: pattern,
      lowDb: -patternDb.below,
      highDb: Math.max(patternDb.above, peakDb(pattern)),
      unit: "dB",
    },
    ...(yield* scanPanel(plan, result, target)),
  ];
}

/** AMF of the target's range over azimuth and Doppler, if several azimuths were scanned. */
function* scanPanel(plan: StapPlan, result: StapOutput, target: CellPlace): Generator<void, readonly HeatPanel[]> {
  const { azimuthDegrees, geometry } = plan;
  if (!azimuthDegrees || azimuthDegrees.length < 2 || result.strongest) return [];
  const { axis, order } = dopplerAxis(plan);
  const power = new Float32Array(azimuthDegrees.length * order.length);
  for (let p = 0; p < azimuthDegrees.length; p++) {
    for (const [column, bin] of order.entries()) {
      power[p * order.length + column] = amfLine(result, geometry, p, bin)[target.range];
      yield;
    }
  }
  const y = {
    label: "azimuth, degrees",
    start: azimuthDegrees[0],
    step: azimuthDegrees[1] - azimuthDegrees[0],
    count: azimuthDegrees.length,
  };
  const mark = { x: dopplerOf(plan, target), y: target.azimuthDegrees as number };
  return [{ x: axis, y, mark, title: `AMF of range bin ${target.range}`, power, ...amfScale(power) }];
}

/** Doppler bins in ascending order of frequency. */
function dopplerAxis(plan: StapPlan): { readonly axis: HeatAxis; readonly order: readonly number[] } {
  const { geometry, prfHz = 1 } = plan;
  const { dopplerBins } = geometry;
  const cycles = Array.from({ length: dopplerBins }, (_, bin) => binCycles(geometry, bin));
  const order = cycles.map((_, bin) => bin).sort((a, b) => cycles[a] - cycles[b]);
  return { axis: { label: dopplerLabel(plan), start: cycles[order[0]] * prfHz, step: prfHz / dopplerBins, count: dopplerBins }, order };
}

function amfScale(power: Float32Array): Pick<HeatPanel, "lowDb" | "highDb" | "unit"> {
  return { lowDb: 0, highDb: Math.max(leastAmfDb, peakDb(power)), unit: "AMF, dB" };
}

/** Largest power in dB; 0 if there is no power. */
function peakDb(power: Float32Array): number {
  const most = power.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? decibels(most) : 0;
}
