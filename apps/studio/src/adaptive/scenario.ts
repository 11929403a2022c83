/** Ward's airborne radar with the page's settings, as a recording that the processor takes, and the processor's settings. */
import { inputError } from "@dechirp/core";
import type { ArrayRecording, StapSettings } from "@dechirp/processor";
import { windowOfKind } from "@dechirp/radar";
import {
  clutterToNoise,
  type DrawOptions,
  drawCube,
  interferenceCovariance,
  jammerToNoise,
  ulaCycles,
  type WardScenario,
  wardExample,
} from "@dechirp/stap";
import type { Values } from "./settings.ts";

/** What the page simulates: the radar, and the cube that is drawn from its covariance. */
export interface Scene {
  readonly scenario: WardScenario;
  readonly draw: DrawOptions;
  /** Ranges of a training block. */
  readonly blockRanges: number;
}

const fromDb = (db: number): number => 10 ** (db / 10);
const radians = (degrees: number): number => (degrees * Math.PI) / 180;
/** The most elements times pulses: the covariance is factored in about a second. */
const mostOrder = 768;
/** Six digits are enough for powers, and keep programs readable. */
const short = (value: number): number => Number(value.toPrecision(6));

/** The radar that has the clutter-to-noise and jammer-to-noise ratios of the settings in an element and pulse, and its target. */
export function sceneOf(values: Values): Scene {
  const { elements: channels, pulses, ranges, speed, cnr, jammers, jammer1, jammer2, jnr, angle, doppler, snr, seed } = values;
  if (channels * pulses > mostOrder)
    throw inputError(
      "pulses",
      `at most ${Math.floor(mostOrder / channels)} with ${channels} elements: the scenario's covariance has their product as order`,
      pulses,
    );
  const base = { ...wardExample, channels, pulses, velocityMetersPerSecond: speed };
  const peakPowerWatts = short(fromDb(cnr) / clutterToNoise({ ...base, peakPowerWatts: 1 }));
  const scenario: WardScenario = {
    ...base,
    peakPowerWatts,
    jammers: [jammer1, jammer2].slice(0, jammers).map((degrees) => {
      const jammer = { azimuthRadians: short(radians(degrees)), rangeMeters: 370e3, wattsPerHertz: 1 };
      return { ...jammer, wattsPerHertz: short(fromDb(jnr) / jammerToNoise(base, jammer)) };
    }),
  };
  const target = {
    range: ranges >> 1,
    spatialCycles: short(ulaCycles(0.5, radians(angle))),
    dopplerCycles: short(doppler / wardExample.prfHz),
    snrDb: snr,
  };
  return { scenario, draw: { channels, pulses, ranges, seed, targets: [target] }, blockRanges: blockOf(values) };
}

/**
 * The least power of two with which both neighbours of a block have three training cells for every unknown, but at most a third of the ranges:
 * adjacent training needs three blocks.
 */
const blockOf = (values: Values): number =>
  Math.min(2 ** Math.ceil(Math.log2(1.5 * values.elements * tapsOf(values))), Math.ceil(values.ranges / 3));

/** Doppler bins of a filter. Automatic: three, as all presets have, or fewer if three blocks of the ranges have too few training cells. */
export function tapsOf({ taps, pulses, elements, ranges }: Values): number {
  if (taps !== "auto") return taps;
  const cells = ranges - Math.ceil(ranges / 3);
  return Math.max(1, Math.min(usualTaps, pulses, Math.floor(cells / elements)));
}

const usualTaps = 3;

/** Why a filter for Ward's scenario has fewer Doppler bins than usual, if nobody chose them. */
export const fewerTaps = (values: Values): string | undefined =>
  values.taps === "auto" && tapsOf(values) < usualTaps ? `${values.ranges} ranges have too few training cells for more` : undefined;

/** Draws the recording of a scene. Takes some tens of milliseconds at usual sizes. */
export const recordingOf = ({ scenario, draw, blockRanges }: Scene): ArrayRecording => ({
  name: "Ward's scenario",
  cube: drawCube(interferenceCovariance(scenario), draw),
  blockRanges,
  facts: { prfHz: scenario.prfHz, carrierHz: scenario.carrierHz, spacing: { value: 0.5, unit: "wavelengths" } },
});

/** What decides the defaults of a file's settings. */
export interface FileTraits {
  readonly pulses: number;
  /** Whether it has steering vectors, or a preset with azimuths. */
  readonly hasDirections: boolean;
  readonly hasSpacing: boolean;
}

/** The processor's settings for Ward's scenario. */
export function wardSettings(values: Values): StapSettings {
  const taps = tapsOf(values);
  // The processor's own choice does not depend on the number of ranges.
  const settled = taps < usualTaps ? { ...values, taps } : values;
  return processingOf(settled, values.pulses, values.directions === "scan" ? scan : look(values.angle));
}

/** The processor's settings for a file. What the page has not set is left to the file, its preset and the processor. */
export function fileSettings(values: Values, { pulses, hasDirections, hasSpacing }: FileTraits): StapSettings {
  const { prf, spacing, directions, angle } = values;
  const hasOwn = directions === "auto" && hasDirections;
  const wavelengths = spacing === "auto" ? (hasSpacing || hasOwn ? undefined : 0.5) : spacing;
  return {
    ...(prf !== "auto" && { prfHz: prf }),
    ...(wavelengths !== undefined && { spacing: { value: wavelengths, unit: "wavelengths" } }),
    ...processingOf(values, pulses, hasOwn ? undefined : directions === "look" ? look(angle) : scan),
  };
}

const scan = { from: -60, to: 60, step: 5 } as const;
const look = (angle: number) => ({ from: angle, to: angle, step: 1 });

function processingOf(values: Values, pulses: number, azimuth: StapSettings["azimuth"]): StapSettings {
  const { preset, taps, padding, window, training, block, guard, loading, pfa, cell } = values;
  return {
    ...(azimuth && { azimuth }),
    ...(preset !== "auto" && { preset }),
    ...(taps !== "auto" && { temporalTaps: taps }),
    ...(window !== "auto" && { window: windowOfKind(window) }),
    ...(training !== "auto" && { training }),
    ...(block !== "auto" && { blockRanges: block }),
    ...(guard !== "auto" && { guard }),
    ...(loading !== "auto" && { loading }),
    ...(padding !== "auto" && { dopplerBins: Number(padding) * pulses }),
    ...(pfa !== "auto" && { falseAlarm: pfa }),
    ...(cell !== "auto" && { target: { range: cell[0], doppler: cell[1] } }),
  };
}
