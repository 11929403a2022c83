/**
 * What is possible in a scenario whose covariance is known: the SINR loss of the optimum filter and of others over Doppler, and by how much
 * adaptive processing improves each angle and Doppler.
 */
import type { Pause } from "@dechirp/core";
import type { CurvePlot } from "@dechirp/pictures";
import type { StapPanel } from "@dechirp/processor";
import { wavelengthMeters } from "@dechirp/radar";
import {
  choleskyFactor,
  clutterSlope,
  clutterToNoise,
  efaGeometry,
  efaTransform,
  filterSinrLossDb,
  interferenceCovariance,
  inverseQuadratic,
  kronecker,
  minimumDetectableVelocity,
  nearestBin,
  optimumSinrLossDb,
  solveHermitian,
  transformCovariance,
  transformVector,
  ulaCycles,
  uniformSteering,
  usableDopplerFraction,
  type WardScenario,
} from "@dechirp/stap";
import { beamsAround } from "./beams.ts";

/** What is computed for a scenario. */
export interface KnownRequest {
  readonly scenario: WardScenario;
  readonly angleDegrees: number;
  readonly dopplerHz: number;
  readonly temporalTaps: number;
  /** Weights of the pulses. */
  readonly window: readonly number[];
}

/** A method with its SINR loss at the target. */
export interface MethodLoss {
  readonly name: string;
  readonly lossDb: number;
  /** Share of Doppler frequencies with a loss of less than 12 dB. */
  readonly usable: number;
  /** Least radial velocity beside the clutter of this direction with such a loss, in m/s; unknown if there is none. */
  readonly velocity: number | null;
}

/** What is known about a scenario. */
export interface Known {
  /** Half-spacings that the platform moves in a pulse interval. */
  readonly slope: number;
  readonly cnrDb: number;
  readonly losses: CurvePlot;
  readonly methods: readonly MethodLoss[];
  /** SINR of the optimum filter over that of the beamformer, over azimuth and Doppler. Left out for large scenarios, as it takes long. */
  readonly improvement?: StapPanel;
}

/** The largest covariance whose inverse is computed for the map. */
const mostMapped = 400;
/** Points of the curves, and cells of the map. */
const points = 97;
const grid = { angles: 61, dopplers: 65 };
/** Loss at which a Doppler frequency still counts as usable. */
const usableDb = -12;
/** The largest loss that is told apart. */
const leastDb = -200;

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
const decibels = (power: number): number => 10 * Math.log10(power);

/** Computes everything. `pause` is awaited between parts and may throw. */
export async function knownOf(request: KnownRequest, pause: Pause): Promise<Known> {
  const { scenario, angleDegrees, dopplerHz } = request;
  const { channels, pulses, prfHz } = scenario;
  const r = interferenceCovariance(scenario);
  await pause();
  const factor = choleskyFactor(r, channels * pulses);
  const look = ulaCycles(0.5, radians(angleDegrees));
  const spatial = uniformSteering(channels, look);
  const cycles = Array.from({ length: points }, (_, i) => -0.5 + i / (points - 1));
  const lossAt = [
    ["optimum, all elements and pulses", (v: Float64Array) => optimumSinrLossDb(factor, v)],
    [`EFA, ${request.temporalTaps} Doppler bins`, efaLoss(request, r)],
    [`JDL, 3 beams, ${request.temporalTaps} Doppler bins`, efaLoss(request, r, look)],
    ["ADPCA, 2 pulses", adpcaLoss(request, r, spatial)],
    ["DPCA", dpcaLoss(request, r, spatial)],
    ["beamformer, not adaptive", beamformerLoss(request, r)],
  ] as const satisfies readonly (readonly [string, (v: Float64Array, cycles: number) => number])[];
  const at = (w: number): Float64Array => kronecker(spatial, uniformSteering(pulses, w));
  const hertz = cycles.map((w) => w * prfHz);
  const curves: CurvePlot["curves"][number][] = [];
  const methods: MethodLoss[] = [];
  const clutterHz = aliased(clutterSlope(scenario) * look) * prfHz;
  for (const [name, loss] of lossAt) {
    // A filter may cancel a target altogether, which has no decibels.
    const y = cycles.map((w) => Math.max(leastDb, loss(at(w), w)));
    await pause();
    curves.push({ name, x: hertz, y, dashed: name.startsWith("beamformer") });
    const velocity = minimumDetectableVelocity(hertz, y, usableDb, wavelengthMeters(scenario), clutterHz);
    methods.push({
      name,
      lossDb: Math.max(leastDb, loss(at(dopplerHz / prfHz), dopplerHz / prfHz)),
      usable: usableDopplerFraction(hertz, y, usableDb),
      velocity: Number.isFinite(velocity) ? velocity : null,
    });
  }
  const losses: CurvePlot = {
    title: `SINR loss at azimuth ${angleDegrees}°, covariance known`,
    x: { label: "Doppler, Hz", low: -prfHz / 2, high: prfHz / 2 },
    y: { label: "SINR relative to noise alone, dB", low: -60, high: 3 },
    curves,
    marks: [dopplerHz],
  };
  const known = { slope: clutterSlope(scenario), cnrDb: decibels(clutterToNoise(scenario)), losses, methods };
  return channels * pulses > mostMapped ? known : { ...known, improvement: await improvementOf(request, r, pause) };
}

const aliased = (cycles: number): number => cycles - Math.round(cycles);

type Loss = (v: Float64Array, cycles: number) => number;

/** The factored filter with the best weights for its Doppler bins and all channels, or three beams around a direction. */
function efaLoss({ scenario, temporalTaps, window }: KnownRequest, r: Float64Array, lookCycles?: number): Loss {
  const { channels, pulses } = scenario;
  const sizes = { channels, pulses, ranges: 1, steeringVectors: 1, temporalTaps, window, training: { kind: "own" }, loading: 1 } as const;
  const geometry = efaGeometry(sizes);
  const known = new Map<number, { readonly transform: Float64Array; readonly factor: Float64Array; readonly order: number }>();
  const ofBin = (bin: number) => {
    const whole = efaTransform(geometry, bin);
    const transform = lookCycles === undefined ? whole : inBeams(whole, lookCycles, scenario, temporalTaps);
    const order = transform.length / (2 * channels * pulses);
    return { transform, order, factor: choleskyFactor(transformCovariance(r, transform, channels * pulses), order) };
  };
  return (v, cycles) => {
    const bin = nearestBin(geometry, cycles);
    const found = known.get(bin) ?? ofBin(bin);
    known.set(bin, found);
    const { transform, factor, order } = found;
    return decibels(inverseQuadratic(factor, order, transformVector(v, transform)) / (v.length / 2));
  };
}

/** Beams in place of the channels of a transform [channel·taps + tap][channels·pulses]: one look direction and its neighbours. */
function inBeams(whole: Float64Array, look: number, { channels, pulses }: WardScenario, taps: number): Float64Array {
  const temporal = Array.from({ length: taps }, (_, tap) =>
    whole.slice(2 * tap * channels * pulses, 2 * (tap * channels * pulses + pulses)),
  );
  const rows = beamsAround(channels, look).flatMap((beam) => temporal.map((b) => kronecker(beam, b)));
  return Float64Array.from(rows.flatMap((row) => [...row]));
}

function beamformerLoss({ scenario: { pulses }, window }: KnownRequest, r: Float64Array): Loss {
  return (v) => {
    const w = v.map((value, i) => value * window[(i >> 1) % pulses]);
    return filterSinrLossDb(w, r, v);
  };
}

/** Adaptive weights for two pulses, R⁻¹(a ⊗ (1, −1)), the same for every pair of pulses, then a Doppler filter. */
function adpcaLoss({ scenario: { channels, pulses } }: KnownRequest, r: Float64Array, spatial: Float64Array): Loss {
  const n = 2 * channels;
  const sub = new Float64Array(2 * n * n);
  // The covariance does not depend on where an interval begins, so the first one stands for all.
  const index = (i: number): number => (i >> 1) * pulses + (i & 1);
  for (let i = 0; i < n; i++)
    for (let k = 0; k < n; k++)
      for (let part = 0; part < 2; part++) sub[2 * (i * n + k) + part] = r[2 * (index(i) * channels * pulses + index(k)) + part];
  const w = solveHermitian(sub, n, kronecker(spatial, Float64Array.of(1, 0, -1, 0)));
  return (v, cycles) =>
    filterSinrLossDb(
      overPulses(channels, pulses, cycles, (add, t, re, im) => {
        for (let m = 0; m < channels; m++)
          for (let d = 0; d < 2; d++) {
            const [a, b] = [w[2 * (2 * m + d)], w[2 * (2 * m + d) + 1]];
            add(m, t + d, re * a - im * b, re * b + im * a);
          }
      }),
      r,
      v,
    );
}

/** Differences of each element's next pulse and the trailing element's pulse, then a beam and a Doppler filter. */
function dpcaLoss({ scenario: { channels, pulses } }: KnownRequest, r: Float64Array, spatial: Float64Array): Loss {
  return (v, cycles) =>
    filterSinrLossDb(
      overPulses(channels, pulses, cycles, (add, t, re, im) => {
        for (let m = 0; m < channels - 1; m++) {
          const [a, b] = [spatial[2 * m], spatial[2 * m + 1]];
          const [x, y] = [re * a - im * b, re * b + im * a];
          add(m, t + 1, x, y);
          add(m + 1, t, -x, -y);
        }
      }),
      r,
      v,
    );
}

type Add = (channel: number, pulse: number, re: number, im: number) => void;

/** Weights over all elements and pulses of a filter that works on two pulses, at every pulse but the last, and then on Doppler. */
function overPulses(
  channels: number,
  pulses: number,
  cycles: number,
  each: (add: Add, t: number, re: number, im: number) => void,
): Float64Array {
  const w = new Float64Array(2 * channels * pulses);
  const doppler = uniformSteering(pulses, cycles);
  const add: Add = (channel, pulse, re, im) => {
    w[2 * (channel * pulses + pulse)] += re;
    w[2 * (channel * pulses + pulse) + 1] += im;
  };
  for (let t = 0; t + 1 < pulses; t++) each(add, t, doppler[2 * t], doppler[2 * t + 1]);
  return w;
}

/** SINR of the optimum filter over that of the beamformer, vᴴR⁻¹v·vᴴRv/(vᴴv)², over azimuth and Doppler. */
async function improvementOf({ scenario, angleDegrees, dopplerHz }: KnownRequest, r: Float64Array, pause: Pause): Promise<StapPanel> {
  const { channels, pulses, prfHz } = scenario;
  const n = channels * pulses;
  const identity = new Float64Array(2 * n * n);
  for (let i = 0; i < n; i++) identity[2 * (i * n + i)] = 1;
  // Row p is R⁻¹e_p, so this is the transpose, the conjugate, of R⁻¹.
  const inverse = solveHermitian(r, n, identity);
  for (let i = 1; i < inverse.length; i += 2) inverse[i] = -inverse[i];
  await pause();
  const power = new Float32Array(grid.angles * grid.dopplers);
  const temporal = Array.from({ length: grid.dopplers }, (_, i) => uniformSteering(pulses, -0.5 + i / (grid.dopplers - 1)));
  for (let row = 0; row < grid.angles; row++) {
    await pause();
    const a = uniformSteering(channels, ulaCycles(0.5, radians(-90 + (180 * row) / (grid.angles - 1))));
    const [inOptimum, inBeam] = [inverse, r].map((matrix) => overChannels(matrix, a, channels, pulses));
    for (const [column, b] of temporal.entries())
      power[row * grid.dopplers + column] = (quadraticForm(inOptimum!, b) * quadraticForm(inBeam!, b)) / n ** 2;
  }
  const most = power.reduce((x, y) => Math.max(x, y), 1);
  return {
    title: "improvement over the beamformer",
    x: { label: "Doppler, Hz", start: -prfHz / 2, step: prfHz / (grid.dopplers - 1), count: grid.dopplers },
    y: { label: "azimuth, degrees", start: -90, step: 180 / (grid.angles - 1), count: grid.angles },
    power,
    lowDb: 0,
    highDb: Math.max(10, decibels(most)),
    unit: "dB",
    mark: { x: dopplerHz, y: angleDegrees },
  };
}

/** (a ⊗ I)ᴴ·Q·(a ⊗ I): what is left of a Hermitian Q [MN][MN] over pulses, [N][N]. */
function overChannels(q: Float64Array, a: Float64Array, channels: number, pulses: number): Float64Array {
  const n = channels * pulses;
  const out = new Float64Array(2 * pulses * pulses);
  for (let m = 0; m < channels; m++) {
    for (let k = 0; k < channels; k++) {
      // conj(a_m)·a_k
      const re = a[2 * m] * a[2 * k] + a[2 * m + 1] * a[2 * k + 1];
      const im = a[2 * m] * a[2 * k + 1] - a[2 * m + 1] * a[2 * k];
      for (let t = 0; t < pulses; t++) {
        for (let s = 0, from = 2 * ((m * pulses + t) * n + k * pulses), to = 2 * t * pulses; s < pulses; s++, from += 2, to += 2) {
          out[to] += re * q[from] - im * q[from + 1];
          out[to + 1] += re * q[from + 1] + im * q[from];
        }
      }
    }
  }
  return out;
}

/** bᴴ·Q·b */
function quadraticForm(q: Float64Array, b: Float64Array): number {
  const n = b.length / 2;
  let sum = 0;
  for (let i = 0; i < n; i++) {
    let [re, im] = [0, 0];
    for (let k = 0; k < n; k++) {
      const at = 2 * (i * n + k);
      re += q[at] * b[2 * k] - q[at + 1] * b[2 * k + 1];
      im += q[at] * b[2 * k + 1] + q[at + 1] * b[2 * k];
    }
    sum += b[2 * i] * re + b[2 * i + 1] * im;
  }
  return sum;
}
