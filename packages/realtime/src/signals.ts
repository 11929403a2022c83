/**
 * The input of the paper's experiments (section IV-A): the sum of 5 to 50 radio signals that carry random data by phase, quadrature
 * amplitude or amplitude keying, as real float32 samples with white Gaussian noise.
 *
 * The paper does not specify carriers, symbol rates and pulses. Here a symbol is a rectangular pulse of a whole number of samples, drawn
 * uniformly from 8 to 64. The carrier frequency is drawn uniformly such that the main lobe of the spectrum lies inside the band. The
 * carrier phase and the position of the first symbol are uniform. Frequencies are in cycles per sample.
 */
import { createRandom, inputError, type Random } from "@dechirp/core";
import { checkSeed } from "@dechirp/core/internal";
import { checkInteger } from "./validate.ts";

/** The modulations of section IV-A. */
export const modulations = ["4-PSK", "8-PSK", "16-QAM", "256-QAM", "2-ASK", "4-ASK"] as const;

/** The name of a modulation. */
export type Modulation = (typeof modulations)[number];

/** One signal. At sample n it is √2·Re(a·exp(2πi(phaseCycles + n·frequency))), where a is symbol number ⌊(n + lead) / symbolSamples⌋. */
export interface RadioSignal {
  /** How symbols are modulated. */
  readonly modulation: Modulation;
  /** Carrier frequency in cycles per sample, at least `symbolRate` away from 0 and from ½. */
  readonly frequency: number;
  /** Symbols per sample. */
  readonly symbolRate: number;
  /** Samples per symbol, 1 / `symbolRate`. */
  readonly symbolSamples: number;
  /** The carrier's phase at sample 0, in cycles, 0 to 1. */
  readonly phaseCycles: number;
  /** The number of samples of the first symbol that lie before sample 0. */
  readonly lead: number;
}

/** Options of `radioSignals`. */
export interface RadioOptions {
  /** Number of samples, 1 to 2²⁶. */
  readonly samples: number;
  /** Seed of all random numbers, 0 to 2³² − 1. The first signals of a seed do not depend on the number of signals or on the noise. */
  readonly seed: number;
  /** Number of signals, 1 to 1000. Default: drawn from 5 to 50. */
  readonly signals?: number;
  /** Ratio of the power of the sum to the power of the noise: −100 to 300 dB, or Infinity for no noise. Default: drawn from 10 to 30. */
  readonly snrDb?: number;
  /** The modulations to draw from. Default: the six of the paper. */
  readonly modulations?: readonly Modulation[];
}

/** The samples of `radioSignals` and the signals they consist of. */
export interface RadioSamples {
  /** [sample], the sum of all signals and noise. */
  readonly data: Float32Array;
  /** The signals that the samples consist of. */
  readonly signals: readonly RadioSignal[];
  /** Ratio of the power of the sum to the power of the noise, in dB. */
  readonly snrDb: number;
}

const symbolSamplesFrom = 8;
const symbolSamplesTo = 64;
/** All signals are added to this many samples before the next ones, so that the samples stay in the nearest cache. */
const blockSamples = 2048;
/** After this many symbols the phase of the carrier is computed afresh, so that rounding errors do not add up. */
const renewal = 256;
const noiseStream = 1;
const firstSignalStream = 2;

/** The points of a constellation as [re, im], with unit mean power. Amplitude keying has the levels 0, 1, … (scaled) at phase 0. */
export function constellation(modulation: Modulation): readonly (readonly [re: number, im: number])[] {
  const [order, keying] = modulation.split("-");
  const m = Number(order);
  if (keying === "PSK") {
    return Array.from({ length: m }, (_, i) => {
      const angle = (2 * Math.PI * (i + 0.5)) / m;
      return [Math.cos(angle), Math.sin(angle)] as const;
    });
  }
  if (keying === "ASK") {
    const scale = 1 / Math.sqrt(((m - 1) * (2 * m - 1)) / 6);
    return Array.from({ length: m }, (_, i) => [scale * i, 0] as const);
  }
  const side = Math.sqrt(m);
  const scale = 1 / Math.sqrt((2 * (m - 1)) / 3);
  return Array.from({ length: m }, (_, i) => [scale * (2 * (i % side) - side + 1), scale * (2 * Math.floor(i / side) - side + 1)] as const);
}

/**
 * Generates samples of radio signals with noise. Each signal has unit mean power. The noise power follows from `snrDb` and the power of
 * the sum in these samples. The time grows with samples times signals. Throws `input` that names the option.
 */
export function radioSignals(options: RadioOptions): RadioSamples {
  const steps = radioSignalSteps(options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * `radioSignals` as a generator that yields every few milliseconds, for callers that must do other things in between. The generator
 * returns the result. Throws as `radioSignals` does, at the first step.
 */
export function* radioSignalSteps(options: RadioOptions): Generator<void, RadioSamples> {
  const { samples, seed } = options;
  if (!Number.isInteger(samples) || samples < 1 || samples > 2 ** 26) throw inputError("samples", "an integer from 1 to 2^26", samples);
  checkSeed(seed);
  const mix = options.modulations ?? modulations;
  if (!Array.isArray(mix) || mix.length === 0 || !mix.every((one) => modulations.includes(one)))
    throw inputError("modulations", `a list of one or more of ${modulations.join(", ")}`, mix);
  const random = createRandom(seed);
  const drawnCount = 5 + Math.floor(46 * random.uniform());
  const drawnSnrDb = 10 + 20 * random.uniform();
  const { signals: count = drawnCount, snrDb = drawnSnrDb } = options;
  checkInteger(count, "signals", 1, 1000);
  if (!(snrDb >= -100 && (snrDb <= 300 || snrDb === Number.POSITIVE_INFINITY)))
    throw inputError("snrDb", "a number from -100 to 300, or Infinity", snrDb);

  const drawn = Array.from({ length: count }, (_, i) => {
    const own = createRandom(seed, firstSignalStream + i);
    const signal = drawSignal(own, mix);
    return { signal, add: transmitter(signal, own) };
  });
  const data = new Float32Array(samples);
  const sum = new Float64Array(Math.min(blockSamples, samples));
  let energy = 0;
  for (let start = 0; start < samples; start += blockSamples) {
    const length = Math.min(blockSamples, samples - start);
    sum.fill(0);
    for (const { add } of drawn) add(sum, length);
    for (let i = 0; i < length; i++) {
      data[start + i] = sum[i];
      energy += sum[i] * sum[i];
    }
    yield;
  }
  const deviation = Math.sqrt(energy / samples / 10 ** (snrDb / 10));
  if (deviation > 0) {
    const { gaussian } = createRandom(seed, noiseStream);
    for (let start = 0; start < samples; start += blockSamples) {
      const end = Math.min(start + blockSamples, samples);
      for (let i = start; i < end; i++) data[i] += deviation * gaussian();
      yield;
    }
  }
  return { data, signals: drawn.map(({ signal }) => signal), snrDb };
}

function drawSignal(random: Random, mix: readonly Modulation[]): RadioSignal {
  const modulation = mix[Math.floor(random.uniform() * mix.length)];
  const symbolSamples = symbolSamplesFrom + Math.floor(random.uniform() * (symbolSamplesTo - symbolSamplesFrom + 1));
  const symbolRate = 1 / symbolSamples;
  const frequency = symbolRate + random.uniform() * (0.5 - 2 * symbolRate);
  const phaseCycles = random.uniform();
  const lead = Math.floor(random.uniform() * symbolSamples);
  return { modulation, frequency, symbolRate, symbolSamples, phaseCycles, lead };
}

/**
 * Returns a function that adds the signal's next samples to the first `length` entries of `sum`. A table holds the carrier within a
 * symbol; one complex multiplication advances the carrier from symbol to symbol.
 */
function transmitter(signal: RadioSignal, random: Random): (sum: Float64Array, length: number) => void {
  const { modulation, frequency, symbolSamples, phaseCycles, lead } = signal;
  // The number of points is a power of two for every modulation.
  const points = constellation(modulation);
  const mask = points.length - 1;
  const turn = (cycles: number): readonly [number, number] => {
    const angle = 2 * Math.PI * (cycles - Math.floor(cycles));
    return [Math.cos(angle), Math.sin(angle)];
  };
  const cosine = new Float64Array(symbolSamples);
  const sine = new Float64Array(symbolSamples);
  for (let t = 0; t < symbolSamples; t++) [cosine[t], sine[t]] = turn(t * frequency);
  const [stepRe, stepIm] = turn(symbolSamples * frequency);
  let symbol = -1;
  let [carrierRe, carrierIm] = [0, 0];
  let [re, im] = [0, 0];
  const nextSymbol = (): void => {
    symbol++;
    if (symbol % renewal === 0) [carrierRe, carrierIm] = turn(phaseCycles + (symbol * symbolSamples - lead) * frequency);
    else [carrierRe, carrierIm] = [carrierRe * stepRe - carrierIm * stepIm, carrierRe * stepIm + carrierIm * stepRe];
    const [pointRe, pointIm] = points[random.uint32() & mask];
    re = Math.SQRT2 * (pointRe * carrierRe - pointIm * carrierIm);
    im = Math.SQRT2 * (pointRe * carrierIm + pointIm * carrierRe);
  };
  nextSymbol();
  let at = lead;
  return (sum, length) => {
    for (let i = 0; i < length; ) {
      if (at === symbolSamples) {
        nextSymbol();
        at = 0;
      }
      const end = Math.min(length, i + symbolSamples - at);
      for (; i < end; i++, at++) sum[i] += re * cosine[at] - im * sine[at];
    }
  };
}
