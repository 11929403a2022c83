/**
 * Maps of a STAP run as plain data for pictures: the adaptive filter and the beamformer over range and Doppler, and spectra and responses
 * at the target over angle and Doppler. The panels have the form that `heatMap` of `@dechirp/pictures` draws.
 */
import { binCycles } from "@dechirp/stap";
import { amfLine } from "./detect.ts";
import type { AmfMap, StapMaps, StapOutput } from "./findings.ts";
import type { StapPlan } from "./plan.ts";
import type { CellPlace } from "./report.ts";

/** An axis of a panel. Values are those of cell centres. */
export interface StapAxis {
  /** Name with unit: `Doppler, Hz`. */
  readonly label: string;
  /** Value of the first cell. */
  readonly start: number;
  /** From one cell to the next. */
  readonly step: number;
  readonly count: number;
}

/** A map over two axes. */
export interface StapPanel {
  readonly title: string;
  readonly x: StapAxis;
  /** The vertical axis, upwards. */
  readonly y: StapAxis;
  /** Power [y][x]. */
  readonly power: Float32Array;
  /** Ends of the colour scale in dB. */
  readonly lowDb: number;
  readonly highDb: number;
  /** Text above the colour bar. */
  readonly unit: string;
  /** Position of the target in the axes' values. */
  readonly mark?: { readonly x: number; readonly y: number };
}

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

/**
 * Panels over Doppler and range: the adaptive matched filter, then the beamformer. A generator, so that programs can pause between its
 * pieces.
 */
export function* rangeDopplerPanels(
  plan: StapPlan,
  { amf, beamformer }: Pick<StapMaps, "amf" | "beamformer">,
  target: CellPlace,
): Generator<void, readonly StapPanel[]> {
  const { ranges } = plan.geometry;
  const { axis, order } = dopplerAxis(plan);
  const { startMeters, stepMeters } = plan.rangeAxis ?? { startMeters: 0, stepMeters: 0 };
  const y: StapAxis = plan.rangeAxis
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

/**
 * Panels over Doppler and angle: the spectrum of the target's range, the response of the target's filter, and, if several azimuths were
 * scanned, the AMF of the target's range. A generator, so that programs can pause between its pieces.
 */
export function* angleDopplerPanels(
  plan: StapPlan,
  { angleDoppler, raw }: Pick<StapMaps, "angleDoppler" | "raw">,
  target: CellPlace,
): Generator<void, readonly StapPanel[]> {
  const { pattern, spectrum, report } = angleDoppler;
  const { angle, doppler } = report;
  const x: StapAxis = { ...doppler, label: dopplerLabel(plan) };
  const y: StapAxis = { ...angle, label: angle.unit === "degrees" ? "azimuth, degrees" : "cycles per element" };
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
    ...(yield* scanPanel(plan, raw, target)),
  ];
}

/** AMF of the target's range over azimuth and Doppler, if several azimuths were scanned. */
function* scanPanel(plan: StapPlan, result: StapOutput, target: CellPlace): Generator<void, readonly StapPanel[]> {
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
function dopplerAxis(plan: StapPlan): { readonly axis: StapAxis; readonly order: readonly number[] } {
  const { geometry, prfHz = 1 } = plan;
  const { dopplerBins } = geometry;
  const cycles = Array.from({ length: dopplerBins }, (_, bin) => binCycles(geometry, bin));
  const order = cycles.map((_, bin) => bin).sort((a, b) => cycles[a] - cycles[b]);
  return { axis: { label: dopplerLabel(plan), start: cycles[order[0]] * prfHz, step: prfHz / dopplerBins, count: dopplerBins }, order };
}

function amfScale(power: Float32Array): Pick<StapPanel, "lowDb" | "highDb" | "unit"> {
  return { lowDb: 0, highDb: Math.max(leastAmfDb, peakDb(power)), unit: "AMF, dB" };
}

/** Largest power in dB; 0 if there is no power. */
function peakDb(power: Float32Array): number {
  const most = power.reduce((a, b) => Math.max(a, b), 0);
  return most > 0 ? decibels(most) : 0;
}
