/**
 * Phase histories, and the range profiles that backprojection reads: what they hold, their checks, and range compression
 * in float64 as the reference of faster ones. Sample formats of files are not known here.
 *
 * Conventions. A phase history is motion-compensated to a range r₀ of each pulse:
 *   fp[p][k] = Σₛ aₛ·exp(−j4πf_k(|A_p − s| − r₀_p)/c), f_k = first + k·step.
 * Its profile has the frequency `carrierHz` at zero and is periodic in c/(2·step):
 *   s_p(r) = Σ_k w_k·fp[p][k]·exp(+j4π(f_k − carrier)r/c), Σw = 1,
 * so that a point of amplitude a peaks at a, with the phase −4π·carrier·r/c that imaging removes. Bin b lies at
 * r = first + b·binMeters; profiles of `compressProfiles` have r = 0, the range r₀, in bin bins/2.
 */

import { inputError } from "@dechirp/core";
import { checkObject, isArrayOf } from "@dechirp/core/internal";
import {
  type Aperture,
  type ComplexSamples,
  checkWindow,
  type HistoryGeometry,
  type PhaseHistory,
  speedOfLight,
  type Window,
  windowSamples,
} from "@dechirp/radar";
import { designSpectrum, nextPowerOfTwo } from "../range-doppler/spectrum.ts";
import { type Alignment, frequencyBand, planAlignment } from "./pulse-frequencies.ts";

/** Everything of range profiles except their samples; planning needs no more. */
export interface ProfileGeometry extends Aperture {
  readonly bins: number;
  /** Range between bins. */
  readonly binMeters: number;
  /** Range of bin 0, relative to r₀. */
  readonly firstRangeMeters: number;
  /** The frequency that the profiles have at zero. */
  readonly carrierHz: number;
  /** Width of the band. */
  readonly bandwidthHz: number;
  /** Middle of the band. The farther it is from the carrier, the more bins interpolation needs. Default: the carrier. */
  readonly bandCentreHz?: number;
  /**
   * Range after which profiles repeat. Bins that fill it, as those of an inverse transform do, go round. Default: profiles do not repeat.
   */
  readonly periodMeters?: number;
}

export interface RangeProfiles extends ProfileGeometry {
  /** [pulse][bin], interleaved re, im. */
  readonly samples: ComplexSamples;
}

/** How phase histories are compressed in range. */
export interface CompressionOptions {
  /**
   * Length after zero padding, a power of two. Default: the smallest that is at least 8 times the number of frequencies, or 16 times if the
   * first frequency is at zero, which the default interpolation needs for 74 dB. If pulses differ in their frequencies, it is the number of
   * frequencies of the band of all pulses.
   */
  readonly bins?: number;
  /** Window over the band, any of `@dechirp/radar`. Default: none. */
  readonly window?: Window;
  /** The frequency that profiles have at zero: of the sample in the middle (count/2, rounded down), or of the first. Default: `centre`. */
  readonly carrier?: "centre" | "first";
  /** Default: c64. */
  readonly dtype?: "c64" | "c128";
}

/** Largest number of pulses of an aperture. */
export const maxPulses = 2 ** 22;
/** Largest number of bins of a profile, and of frequencies of a pulse. */
export const maxBins = 2 ** 20;
const mostSamples = 2 ** 28;

/** Number of pulses of an aperture. */
export const pulseCount = ({ positions }: Aperture): number => positions.length / 3;
/** Cycles of carrier phase per metre of range, 2·carrier/c. */
export const cyclesPerMeter = ({ carrierHz }: Pick<ProfileGeometry, "carrierHz">): number => (2 * carrierHz) / speedOfLight;
/** Sampling rate of the profiles over the width of the narrowest band around zero that contains theirs. Interpolation depends on it. */
export const profileOversampling = ({ binMeters, bandwidthHz, carrierHz, bandCentreHz = carrierHz }: ProfileGeometry): number =>
  speedOfLight / (2 * binMeters * (bandwidthHz + 2 * Math.abs(bandCentreHz - carrierHz)));

/** Throws `input` naming `<field>.<name>` unless positions and ranges are finite, one for each pulse. */
export function checkAperture(aperture: Aperture, field: string): void {
  checkObject(aperture, field, "input");
  const { positions, referenceRangeMeters } = aperture;
  if (!isArrayOf(positions, Float64Array)) throw inputError(`${field}.positions`, "a Float64Array", positions);
  const pulses = positions.length / 3;
  if (!Number.isInteger(pulses) || pulses < 1 || pulses > maxPulses)
    throw inputError(`${field}.positions.length`, `three numbers for each of 1 to ${maxPulses} pulses`, positions.length);
  if (!(isArrayOf(referenceRangeMeters, Float64Array) && referenceRangeMeters.length === pulses))
    throw inputError(`${field}.referenceRangeMeters`, `a Float64Array of ${pulses} ranges`, referenceRangeMeters);
  for (let i = 0; i < positions.length; i++) {
    if (!Number.isFinite(positions[i])) throw inputError(`${field}.positions[${i}]`, "a finite number", positions[i]);
  }
  for (let p = 0; p < pulses; p++) {
    if (!Number.isFinite(referenceRangeMeters[p]))
      throw inputError(`${field}.referenceRangeMeters[${p}]`, "a finite number", referenceRangeMeters[p]);
  }
}

function checkPositive(value: number, field: string, most: number): void {
  if (!(Number.isFinite(value) && value > 0 && value <= most)) throw inputError(field, `a positive number of at most ${most}`, value);
}

/** Throws `input` naming `history.<name>` unless positions, ranges and frequencies are valid. */
export function checkHistoryGeometry(history: HistoryGeometry): void {
  checkAperture(history, "history");
  const { firstHz, stepHz, count } = history.frequency ?? {};
  checkPositive(firstHz, "history.frequency.firstHz", 1e15);
  checkPositive(stepHz, "history.frequency.stepHz", 1e15);
  if (!Number.isInteger(count) || count < 2 || count > maxBins)
    throw inputError("history.frequency.count", `an integer from 2 to ${maxBins}`, count);
  const pulses = pulseCount(history);
  const { pulseFrequencies, phaseSign = -1, badPulses, antennas } = history;
  if (phaseSign !== 1 && phaseSign !== -1) throw inputError("history.phaseSign", "1 or -1", phaseSign);
  const numbers = (field: string, values: Float64Array, length: number, isValid: (x: number) => boolean, expected: string): void => {
    if (!(isArrayOf(values, Float64Array) && values.length === length))
      throw inputError(`history.${field}`, `a Float64Array of ${length} numbers`, values);
    const bad = values.findIndex((x) => !isValid(x));
    if (bad >= 0) throw inputError(`history.${field}[${bad}]`, expected, values[bad]);
  };
  if (pulseFrequencies !== undefined) {
    checkObject(pulseFrequencies, "history.pulseFrequencies", "input");
    for (const name of ["firstHz", "stepHz"] as const)
      numbers(`pulseFrequencies.${name}`, pulseFrequencies[name], pulses, (x) => x > 0 && x <= 1e15, "a positive number of at most 1e15");
  }
  if (antennas !== undefined) {
    checkObject(antennas, "history.antennas", "input");
    for (const name of ["transmit", "receive"] as const)
      numbers(`antennas.${name}`, antennas[name], 3 * pulses, Number.isFinite, "a finite number");
  }
  if (badPulses === undefined) return;
  if (!Array.isArray(badPulses)) throw inputError("history.badPulses", "a list of pulses", badPulses);
  const wrong = badPulses.findIndex((p, i) => !(Number.isInteger(p) && p >= 0 && p < pulses && !(p <= badPulses[i - 1])));
  if (wrong >= 0)
    throw inputError(`history.badPulses[${wrong}]`, `a pulse from 0 to ${pulses - 1}, after the one before it`, badPulses[wrong]);
}

/** Throws `input` naming `history.<name>` unless the phase history is valid. Values of samples are not checked. */
export function checkPhaseHistory(history: PhaseHistory): void {
  checkHistoryGeometry(history);
  const expected = 2 * pulseCount(history) * history.frequency.count;
  if (!isArrayOf(history.samples, Float32Array)) throw inputError("history.samples", "a Float32Array", history.samples);
  if (history.samples.length !== expected) throw inputError("history.samples.length", `${expected} numbers`, history.samples.length);
}

/** Throws `input` naming `profiles.<name>` unless geometry and carrier are valid. */
export function checkProfileGeometry(profiles: ProfileGeometry): void {
  checkAperture(profiles, "profiles");
  const { bins, firstRangeMeters } = profiles;
  if (!Number.isInteger(bins) || bins < 2 || bins > maxBins) throw inputError("profiles.bins", `an integer from 2 to ${maxBins}`, bins);
  checkPositive(profiles.binMeters, "profiles.binMeters", 1e9);
  checkPositive(profiles.carrierHz, "profiles.carrierHz", 1e15);
  checkPositive(profiles.bandwidthHz, "profiles.bandwidthHz", 1e15);
  if (!Number.isFinite(firstRangeMeters)) throw inputError("profiles.firstRangeMeters", "a finite number", firstRangeMeters);
  if (speedOfLight / (2 * profiles.binMeters * profiles.bandwidthHz) < 1 - 1e-9)
    throw inputError("profiles.bandwidthHz", "at most c/(2·binMeters), the band that the bins can sample", profiles.bandwidthHz);
  if (profiles.periodMeters !== undefined) checkPositive(profiles.periodMeters, "profiles.periodMeters", 1e15);
  if (profiles.bandCentreHz !== undefined) checkPositive(profiles.bandCentreHz, "profiles.bandCentreHz", 1e15);
}

/** Throws `input` naming `profiles.<name>` unless there is a complex sample for every pulse and bin. */
export function checkProfiles(profiles: RangeProfiles): void {
  checkProfileGeometry(profiles);
  const { samples } = profiles;
  if (!isArrayOf(samples, Float32Array, Float64Array)) throw inputError("profiles.samples", "a Float32Array or Float64Array", samples);
  const expected = 2 * pulseCount(profiles) * profiles.bins;
  if (samples.length !== expected) throw inputError("profiles.samples.length", `${expected} numbers`, samples.length);
}

/** The shape of range compression: where samples go in a transform, the factor of each, and the geometry of the result. */
export interface Compression {
  readonly geometry: ProfileGeometry;
  /** Frequency k goes to element (k + bins − shift) mod bins of an inverse transform over `bins` that divides by `bins`. */
  readonly shift: number;
  /**
   * Each frequency is multiplied by weights[k]: the window, over its sum, times bins, and with the sign (−1)^(k − shift) that puts r = 0
   * into bin bins/2.
   */
  readonly weights: Float64Array;
  /** How profiles are taken to the same ranges and carrier, if pulses differ in their frequencies. */
  readonly alignment?: Alignment;
}

/** How `history` is compressed with `options`. Throws `input` naming the field. */
export function planCompression(history: HistoryGeometry, options: CompressionOptions = {}): Compression {
  checkHistoryGeometry(history);
  // Options of backprojection, which has more, pass, too.
  checkObject(options, "options", "input");
  const { pulseFrequencies } = history;
  const { count } = history.frequency;
  const band = frequencyBand(history);
  const { lowHz, highHz, stepHz } = band;
  const width = pulseFrequencies ? highHz - lowHz + stepHz : count * stepHz;
  const { carrier = "centre", window = { kind: "rect" } } = options;
  const least = Math.max(count, Math.ceil(width / stepHz - 1e-9));
  const { bins = Math.min(maxBins, nextPowerOfTwo((carrier === "first" ? 16 : 8) * least)) } = options;
  if (!(Number.isInteger(bins) && bins >= least && bins <= maxBins && Number.isInteger(Math.log2(bins))))
    throw inputError("bins", `a power of two from ${least} to ${maxBins}`, bins);
  checkWindow(window);
  if (carrier !== "centre" && carrier !== "first") throw inputError("carrier", "centre or first", carrier);
  const shift = carrier === "centre" ? Math.floor(count / 2) : 0;
  const taper = windowSamples(window, count);
  const sum = taper.reduce((a, b) => a + b, 0);
  const binMeters = speedOfLight / (2 * stepHz * bins);
  const middle = pulseFrequencies ? (lowHz + highHz) / 2 : lowHz + Math.floor(count / 2) * stepHz;
  const carrierHz = carrier === "centre" ? middle : lowHz;
  return {
    geometry: {
      positions: history.positions,
      referenceRangeMeters: history.referenceRangeMeters,
      bins,
      binMeters,
      firstRangeMeters: (-bins / 2) * binMeters,
      carrierHz,
      bandwidthHz: width,
      bandCentreHz: middle,
      // The ends of aligned profiles are not those of one period.
      ...(pulseFrequencies ? {} : { periodMeters: speedOfLight / (2 * stepHz) }),
    },
    shift,
    weights: taper.map((w, k) => ((w * bins) / sum) * ((k + shift) % 2 === 0 ? 1 : -1)),
    ...(pulseFrequencies && { alignment: planAlignment(pulseFrequencies, band, { bins, count, carrierHz, shift }) }),
  };
}

/** Range compression in float64. Throws `input` naming the field, also for pulses that differ in their frequencies, and for the phase sign 1. */
export function compressProfiles(history: PhaseHistory, options: CompressionOptions = {}): RangeProfiles {
  checkPhaseHistory(history);
  const { geometry, shift, weights, alignment } = planCompression(history, options);
  if (alignment) throw inputError("history.pulseFrequencies", "left out: profiles in float64 are made of equal frequencies", "frequencies");
  if (history.phaseSign === 1) throw inputError("history.phaseSign", "-1, or left out", 1);
  const { dtype = "c64" } = options;
  if (dtype !== "c64" && dtype !== "c128") throw inputError("dtype", "c64 or c128", dtype);
  const { bins } = geometry;
  const { count } = history.frequency;
  const pulses = pulseCount(history);
  if (pulses * bins > mostSamples) throw inputError("bins", `at most ${mostSamples} bins of all pulses together`, pulses * bins);
  const samples = dtype === "c128" ? new Float64Array(2 * pulses * bins) : new Float32Array(2 * pulses * bins);
  const line = new Float64Array(2 * bins);
  for (let p = 0; p < pulses; p++) {
    // The inverse is the conjugate of the forward transform of the conjugate.
    for (let k = 0; k < count; k++) {
      const to = 2 * ((k + bins - shift) % bins);
      line[to] = weights[k] * history.samples[2 * (p * count + k)];
      line[to + 1] = -weights[k] * history.samples[2 * (p * count + k) + 1];
    }
    const profile = designSpectrum(line, bins);
    for (let b = 0, at = 2 * bins * p; b < 2 * bins; b += 2, at += 2) {
      samples[at] = profile[b] / bins;
      samples[at + 1] = -profile[b + 1] / bins;
    }
  }
  return { ...geometry, samples };
}
