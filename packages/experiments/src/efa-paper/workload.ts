/**
 * The experiment's data: cubes of seeded noise, steering vectors, and the float64 output in some Doppler bins, including those next to the
 * wrap, which every result is compared with. Cubes for PERFECT are uniform and not centred, as in the suite: the line at zero Doppler
 * makes the covariance matrices ill-conditioned there.
 */
import { createRandom } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import {
  type DopplerCube,
  type EfaGeometry,
  type EfaOptions,
  efaFromDoppler,
  efaGeometry,
  efaSteering,
  outputComponents,
  snrDb,
  uniformSteering,
  windowBin,
} from "@dechirp/stap";

/** A problem: its options, steering vectors, data cubes, and the check of outputs. */
export interface EfaProblem {
  /** Options of the algorithm. */
  readonly options: EfaOptions;
  /** Sizes that follow from the options. */
  readonly geometry: EfaGeometry;
  /** Steering vectors v, c64 [P][n]. */
  readonly steering: Float32Array;
  /** Data cube of data set `set`, c64 [channel][pulse][range]. */
  cube(set: number): Float32Array;
  /** SNR in dB of an output y of data set `set` against float64. It is estimated from sampled Doppler bins. NaN if y contains NaN there. */
  snrDb(set: number, y: ArrayLike<number>): number;
  /** `cube` as a generator that yields every few milliseconds, for `runInPieces` of core. A cube has tens of millions of samples. */
  cubeSteps(set: number): Generator<void, Float32Array>;
  /** `snrDb` as a generator that yields every few milliseconds. */
  snrDbSteps(set: number, y: ArrayLike<number>): Generator<void, number>;
}

/** Options of `createEfaProblem`. */
export interface EfaProblemOptions extends EfaOptions {
  /** `noise`: normal with variance 2. `perfect`: re and im uniform up to 10⁶, and uniform steering vectors. Default: `noise`. */
  readonly samples?: "noise" | "perfect";
  /** Seed of the random numbers. Default: 1. */
  readonly seed?: number;
}

/** How many numbers are drawn between two yields. */
const pieceNumbers = 2 ** 16;
const perfectPeak = 1e6;
/** Doppler bins that the line at zero Doppler reaches, and their neighbours. They hold most of the error of PERFECT. */
const aboutZero = [-3, -2, -1, 0, 1, 2, 3];
/** Number of samples of all other bins. */
const mostSampled = 16;

/** Creates a problem. Throws `input` as `efaGeometry` does. */
export function createEfaProblem({ samples = "noise", seed = 1, ...options }: EfaProblemOptions): EfaProblem {
  const geometry = efaGeometry(options);
  const { channels, pulses, ranges, steeringVectors, order, dopplerBins: n } = geometry;
  function* cubeSteps(set: number): Generator<void, Float32Array> {
    const random = createRandom(seed, set);
    const draw = samples === "noise" ? random.gaussian : (): number => perfectPeak * random.uniform();
    const data = new Float32Array(2 * channels * pulses * ranges);
    for (let i = 0; i < data.length; ) {
      for (const end = Math.min(i + pieceNumbers, data.length); i < end; i++) data[i] = draw();
      yield;
    }
    return data;
  }
  const looks = Array.from({ length: steeringVectors }, (_, p) => uniformSteering(channels, p / steeringVectors - 0.5));
  const steering =
    samples === "noise"
      ? Float32Array.from(efaSteering(geometry, looks))
      : Float32Array.from({ length: 2 * steeringVectors * order }, createRandom(seed, 2 ** 31).uniform);
  const sampled = sampledBins(n, samples === "noise" ? [0, n - 1] : aboutZero.map((k) => ((k % n) + n) % n));
  const bins = sampled.map(({ bin }) => bin);
  const references = new Map<number, Float64Array>();
  function* referenceOf(set: number): Generator<void, Float64Array> {
    const known = references.get(set);
    if (known) return known;
    const x = yield* dopplerBinsOf(yield* cubeSteps(set), geometry, bins);
    const each = outputComponents(geometry.output) * ranges;
    const made = new Float64Array(steeringVectors * bins.length * each);
    for (const [i, { bin, amplitude }] of sampled.entries()) {
      const { data } = efaFromDoppler(x, steering, geometry, [bin]);
      for (let j = 0; j < data.length; j++) made[(Math.floor(j / each) * bins.length + i) * each + (j % each)] = amplitude * data[j];
      yield;
    }
    references.set(set, made);
    return made;
  }
  return {
    options,
    geometry,
    steering,
    cubeSteps,
    cube: (set) => runToEnd(cubeSteps(set)),
    snrDb: (set, y) => runToEnd(snrDbSteps(set, y)),
    snrDbSteps,
  };

  function* snrDbSteps(set: number, y: ArrayLike<number>): Generator<void, number> {
    const each = outputComponents(geometry.output) * ranges;
    const got = new Float64Array(steeringVectors * bins.length * each);
    for (let p = 0, to = 0; p < steeringVectors; p++) {
      for (const { bin, amplitude } of sampled) {
        const from = (p * n + bin) * each;
        for (let l = 0; l < each; l++, to++) got[to] = amplitude * y[from + l];
        yield;
      }
    }
    return snrDb(yield* referenceOf(set), got);
  }
}

/**
 * Returns the `certain` bins and a sample of the others. Each sampled bin stands for several, and `amplitude` is the square root of their
 * number.
 */
function sampledBins(n: number, certain: readonly number[]): readonly { readonly bin: number; readonly amplitude: number }[] {
  const kept = [...new Set(certain)];
  const others = Array.from({ length: n }, (_, bin) => bin).filter((bin) => !kept.includes(bin));
  const count = Math.min(others.length, mostSampled);
  const amplitude = Math.sqrt(others.length / count);
  return [
    ...kept.map((bin) => ({ bin, amplitude: 1 })),
    ...Array.from({ length: count }, (_, i) => ({ bin: others[Math.floor((i * others.length) / count)], amplitude })),
  ];
}

/** X in float64, by definition, for the windows of the given bins. Other bins are zero. */
function* dopplerBinsOf(cube: Float32Array, geometry: EfaGeometry, bins: readonly number[]): Generator<void, DopplerCube> {
  const { channels, pulses, ranges, dopplerBins, temporalTaps, window, centred } = geometry;
  const wanted = new Set(bins.flatMap((bin) => Array.from({ length: temporalTaps }, (_, tap) => windowBin(geometry, bin, tap))));
  const data = new Float64Array(2 * channels * dopplerBins * ranges);
  for (const bin of wanted) {
    const cycles = (centred ? bin - (dopplerBins >> 1) : bin) / dopplerBins;
    for (let t = 0; t < pulses; t++) {
      const turn = -2 * Math.PI * (cycles * t - Math.round(cycles * t));
      const [re, im] = [window[t] * Math.cos(turn), window[t] * Math.sin(turn)];
      for (let m = 0; m < channels; m++) {
        let [from, to] = [2 * (m * pulses + t) * ranges, 2 * (m * dopplerBins + bin) * ranges];
        for (const end = from + 2 * ranges; from < end; from += 2, to += 2) {
          data[to] += re * cube[from] - im * cube[from + 1];
          data[to + 1] += re * cube[from + 1] + im * cube[from];
        }
        yield;
      }
    }
  }
  return { data, channels, bins: dopplerBins, ranges };
}
