/**
 * Ward's airborne radar over flat ground (J. Ward, "Space-Time Adaptive Processing for Airborne Radar", MIT Lincoln
 * Laboratory TR-1015, 1994, chapter 2): a ring of independent ground patches at one slant range, whose Doppler follows
 * their angle along a ridge of slope β, barrage jammers, and receiver noise. True covariances, in units of the noise power of
 * one element and pulse; index channel·N + pulse. There is one unambiguous range ring and no range dependence.
 */

import { inputError } from "@dechirp/core";
import { speedOfLight, wavelengthMeters } from "@dechirp/radar";
import { checkInteger, checkNumber } from "../arrays.ts";
import { ulaCycles } from "../steering.ts";

/** A jammer of Ward's scenario. */
export interface Jammer {
  readonly azimuthRadians: number;
  /** Default: 0. */
  readonly elevationRadians?: number;
  readonly rangeMeters: number;
  /** Effective radiated power spectral density. */
  readonly wattsPerHertz: number;
}

/** An airborne radar over clutter, after Ward (1994, chapter 2). */
export interface WardScenario {
  /** M elements, or columns, of a uniform linear array along the flight path, except for crab. */
  readonly channels: number;
  /** N pulses of a coherent processing interval. */
  readonly pulses: number;
  readonly carrierHz: number;
  readonly prfHz: number;
  /** Distance between elements. Default: half a wavelength. */
  readonly spacingMeters?: number;
  readonly velocityMetersPerSecond: number;
  readonly heightMeters: number;
  readonly slantRangeMeters: number;
  /** Angle between the line of the array and the velocity. Default: 0. */
  readonly crabRadians?: number;
  /** Azimuth of the transmit beam from broadside. Default: 0. */
  readonly transmitAzimuthRadians?: number;
  /** Standard deviation of the radial velocity of scatterers, the intrinsic clutter motion. Default: 0. */
  readonly clutterSpreadMetersPerSecond?: number;
  /** Number of directions from −180° to 180°, both included. */
  readonly patches: number;
  /** γ of σ₀ = γ·sin ψ. */
  readonly gammaDb: number;
  readonly bandwidthHz: number;
  readonly peakPowerWatts: number;
  readonly transmitGainDb: number;
  /** Gain of a column on receive, and of its elements. */
  readonly columnGainDb: number;
  readonly elementGainDb: number;
  /** Power of the cosine element pattern behind the array. */
  readonly backlobeDb: number;
  readonly systemLossDb: number;
  readonly noiseFigureDb: number;
  readonly jammers?: readonly Jammer[];
}

/** Ground patches as plane waves. */
export interface Patches {
  /** ϑ, cycles an element. */
  readonly spatialCycles: Float64Array;
  /** ω, cycles a pulse. */
  readonly dopplerCycles: Float64Array;
  /** ξ, power in an element and pulse over that of the noise. */
  readonly powers: Float64Array;
}

/** Boltzmann's constant times 290 K. */
const noiseWattsPerHertz = 1.380649e-23 * 290;
/** Larger orders need gigabytes. */
const maxOrder = 4096;

/** The example of the report, without jammers, at β = 1: 18 elements, 18 pulses, 450 MHz, PRF 300 Hz. */
export const wardExample: WardScenario = {
  channels: 18,
  pulses: 18,
  carrierHz: 450e6,
  prfHz: 300,
  velocityMetersPerSecond: (speedOfLight / 450e6 / 4) * 300,
  heightMeters: 9e3,
  slantRangeMeters: 130e3,
  patches: 361,
  gammaDb: -3,
  bandwidthHz: 4e6,
  peakPowerWatts: 200e3,
  transmitGainDb: 22,
  columnGainDb: 10,
  elementGainDb: 4,
  backlobeDb: -30,
  systemLossDb: 4,
  noiseFigureDb: 3,
};

/** The example's two barrage jammers. */
export const wardJammers: readonly Jammer[] = [-40, 25].map((degrees) => ({
  azimuthRadians: (degrees * Math.PI) / 180,
  rangeMeters: 370e3,
  wattsPerHertz: 1e-3,
}));

const fromDb = (decibels: number): number => 10 ** (decibels / 10);
const spacing = (scenario: WardScenario): number => scenario.spacingMeters ?? wavelengthMeters(scenario) / 2;

/** Half-spacings that the platform moves in a pulse interval: β = 2v·T_r/d, the slope of the clutter ridge (Ward, eq. 59). */
export const clutterSlope = (scenario: WardScenario): number => (2 * scenario.velocityMetersPerSecond) / scenario.prfHz / spacing(scenario);

/** Throws `input`, naming `scenario.<field>`. */
export function checkScenario(scenario: WardScenario): void {
  const { channels, pulses, slantRangeMeters, jammers = [] } = scenario;
  checkInteger(channels, "scenario.channels", 1, maxOrder);
  checkInteger(pulses, "scenario.pulses", 1, Math.floor(maxOrder / channels));
  checkInteger(scenario.patches, "scenario.patches", 1, 2 ** 16);
  const tiny = Number.MIN_VALUE;
  for (const field of ["carrierHz", "prfHz", "slantRangeMeters", "bandwidthHz", "peakPowerWatts"] as const) {
    checkNumber(scenario[field], `scenario.${field}`, tiny, 1e15);
  }
  checkNumber(scenario.heightMeters, "scenario.heightMeters", tiny, slantRangeMeters * (1 - Number.EPSILON));
  for (const field of [
    "transmitGainDb",
    "columnGainDb",
    "elementGainDb",
    "backlobeDb",
    "systemLossDb",
    "noiseFigureDb",
    "gammaDb",
  ] as const) {
    checkNumber(scenario[field], `scenario.${field}`, -300, 300);
  }
  checkNumber(scenario.velocityMetersPerSecond, "scenario.velocityMetersPerSecond", -1e6, 1e6);
  checkNumber(spacing(scenario), "scenario.spacingMeters", tiny, 1e6);
  for (const field of ["crabRadians", "transmitAzimuthRadians", "clutterSpreadMetersPerSecond"] as const) {
    checkNumber(scenario[field] ?? 0, `scenario.${field}`, -1e3, 1e3);
  }
  for (const [i, jammer] of jammers.entries()) {
    checkNumber(jammer.azimuthRadians, `scenario.jammers[${i}].azimuthRadians`, -1e3, 1e3);
    checkNumber(jammer.elevationRadians ?? 0, `scenario.jammers[${i}].elevationRadians`, -1e3, 1e3);
    checkNumber(jammer.rangeMeters, `scenario.jammers[${i}].rangeMeters`, tiny, 1e15);
    checkNumber(jammer.wattsPerHertz, `scenario.jammers[${i}].wattsPerHertz`, 0, 1e15);
  }
}

/** cos²φ in front of the array, and `backlobeDb` of that behind it. */
function elementPattern({ backlobeDb }: WardScenario, azimuthRadians: number): number {
  const along = Math.cos(azimuthRadians);
  return along ** 2 * (along >= 0 ? 1 : fromDb(backlobeDb));
}

/** Power gain of a column on receive. */
const receiveGain = (scenario: WardScenario, azimuthRadians: number): number =>
  fromDb(scenario.columnGainDb + scenario.elementGainDb) * elementPattern(scenario, azimuthRadians);

/** Transmit gain × |Σ exp(j2πm(d/λ)(sin φ − sin φ₀))|² × element pattern: M² at the middle of the beam, in the plane of azimuths. */
function transmitGain(scenario: WardScenario, azimuthRadians: number): number {
  const { transmitAzimuthRadians = 0, channels } = scenario;
  const cycles = (spacing(scenario) / wavelengthMeters(scenario)) * (Math.sin(azimuthRadians) - Math.sin(transmitAzimuthRadians));
  let re = 0;
  let im = 0;
  for (let m = 0; m < channels; m++) {
    re += Math.cos(2 * Math.PI * cycles * m);
    im += Math.sin(2 * Math.PI * cycles * m);
  }
  return fromDb(scenario.transmitGainDb) * (re * re + im * im) * elementPattern(scenario, azimuthRadians);
}

/**
 * The patches of the ring: angles, Dopplers and powers by the radar equation with constant-γ ground (Ward, eq. 53 to 64). A patch
 * at azimuth φ has ϑ = (d/λ)cos ψ sin φ and ω = β(d/λ)cos ψ sin(φ + crab), sin ψ = h/R. Throws `input`.
 */
export function clutterPatches(scenario: WardScenario): Patches {
  checkScenario(scenario);
  const { patches, heightMeters, slantRangeMeters, bandwidthHz, crabRadians = 0 } = scenario;
  const lambda = wavelengthMeters(scenario);
  const depression = Math.asin(heightMeters / slantRangeMeters);
  const spacingWavelengths = spacing(scenario) / lambda;
  const area = (((slantRangeMeters * 2 * Math.PI) / patches) * speedOfLight) / (2 * bandwidthHz * Math.cos(depression));
  const sigma = fromDb(scenario.gammaDb) * Math.sin(depression) * area;
  const noise = noiseWattsPerHertz * fromDb(scenario.noiseFigureDb) * bandwidthHz;
  const budget =
    (scenario.peakPowerWatts * lambda ** 2 * sigma) / ((4 * Math.PI) ** 3 * noise * fromDb(scenario.systemLossDb) * slantRangeMeters ** 4);
  const spatialCycles = new Float64Array(patches);
  const dopplerCycles = new Float64Array(patches);
  const powers = new Float64Array(patches);
  for (let k = 0; k < patches; k++) {
    const azimuth = patches === 1 ? 0 : -Math.PI + (2 * Math.PI * k) / (patches - 1);
    spatialCycles[k] = ulaCycles(spacingWavelengths, azimuth, depression);
    dopplerCycles[k] = clutterSlope(scenario) * ulaCycles(spacingWavelengths, azimuth + crabRadians, depression);
    powers[k] = budget * transmitGain(scenario, azimuth) * receiveGain(scenario, azimuth);
  }
  return { spatialCycles, dopplerCycles, powers };
}

/** Clutter-to-noise ratio of one element and pulse: Σξ. */
export const clutterToNoise = (scenario: WardScenario): number => clutterPatches(scenario).powers.reduce((sum, xi) => sum + xi, 0);

/** Jammer-to-noise ratio of one element and pulse: S·g(φ)λ²/((4π)²R²L_s·N₀) (Ward, eq. 41). */
export function jammerToNoise(scenario: WardScenario, jammer: Jammer): number {
  const noise = noiseWattsPerHertz * fromDb(scenario.noiseFigureDb);
  const spread = (4 * Math.PI * jammer.rangeMeters) ** 2 * fromDb(scenario.systemLossDb);
  return (jammer.wattsPerHertz * receiveGain(scenario, jammer.azimuthRadians) * wavelengthMeters(scenario) ** 2) / (spread * noise);
}

/**
 * Σ ξ_k v_k·v_kᴴ of plane waves, v = a(ϑ) ⊗ b(ω), times a correlation between pulses if one is given. [MN][MN], Hermitian.
 * Block Toeplitz with Toeplitz blocks: an element depends only on the differences of channels and of pulses, so that only
 * those are summed. Throws `input`.
 */
export function patchCovariance(
  patches: Patches,
  channels: number,
  pulses: number,
  correlation: (pulsesApart: number) => number = () => 1,
): Float64Array {
  checkInteger(channels, "channels", 1, maxOrder);
  checkInteger(pulses, "pulses", 1, Math.floor(maxOrder / channels));
  const { spatialCycles, dopplerCycles, powers } = patches;
  if (spatialCycles.length !== powers.length || dopplerCycles.length !== powers.length)
    throw inputError("patches", "equally many angles, Doppler frequencies and powers", [
      spatialCycles.length,
      dopplerCycles.length,
      powers.length,
    ]);
  const width = 2 * pulses - 1;
  const lags = new Float64Array(2 * channels * width);
  for (let dm = 0; dm < channels; dm++) {
    for (let dt = 1 - pulses; dt < pulses; dt++) {
      let re = 0;
      let im = 0;
      for (let k = 0; k < powers.length; k++) {
        const angle = 2 * Math.PI * (spatialCycles[k] * dm + dopplerCycles[k] * dt);
        re += powers[k] * Math.cos(angle);
        im += powers[k] * Math.sin(angle);
      }
      const at = 2 * (dm * width + dt + pulses - 1);
      const rho = correlation(Math.abs(dt));
      lags[at] = rho * re;
      lags[at + 1] = rho * im;
    }
  }
  const n = channels * pulses;
  const out = new Float64Array(2 * n * n);
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < n; column++) {
      const dm = Math.floor(row / pulses) - Math.floor(column / pulses);
      const dt = (row % pulses) - (column % pulses);
      const turned = dm < 0;
      const from = 2 * (Math.abs(dm) * width + (turned ? -dt : dt) + pulses - 1);
      out[2 * (row * n + column)] = lags[from];
      out[2 * (row * n + column) + 1] = row === column ? 0 : turned ? -lags[from + 1] : lags[from + 1];
    }
  }
  return out;
}

/**
 * The covariance of the clutter. With intrinsic motion its pulses decorrelate by exp(−(4πσ_v·T_r·m/λ)²/2) (Ward, eq. 73). Throws `input`.
 */
export function clutterCovariance(scenario: WardScenario): Float64Array {
  const { clutterSpreadMetersPerSecond = 0, prfHz, channels, pulses } = scenario;
  const radiansPerPulse = (4 * Math.PI * clutterSpreadMetersPerSecond) / (wavelengthMeters(scenario) * prfHz);
  return patchCovariance(clutterPatches(scenario), channels, pulses, (m) => Math.exp(-((radiansPerPulse * m) ** 2) / 2));
}

/** Clutter, jammers (white in time, plane waves in space) and noise of power 1: the true covariance [MN][MN]. Throws `input`. */
export function interferenceCovariance(scenario: WardScenario): Float64Array {
  const out = clutterCovariance(scenario);
  const { channels, pulses, jammers = [] } = scenario;
  const n = channels * pulses;
  for (let i = 0; i < n; i++) out[2 * (i * n + i)] += 1;
  for (const jammer of jammers) {
    const cycles = ulaCycles(spacing(scenario) / wavelengthMeters(scenario), jammer.azimuthRadians, jammer.elevationRadians ?? 0);
    const power = jammerToNoise(scenario, jammer);
    for (let i = 0; i < channels; i++) {
      for (let j = 0; j < channels; j++) {
        const angle = 2 * Math.PI * cycles * (i - j);
        for (let t = 0; t < pulses; t++) {
          const at = 2 * ((i * pulses + t) * n + j * pulses + t);
          out[at] += power * Math.cos(angle);
          out[at + 1] += power * Math.sin(angle);
        }
      }
    }
  }
  return out;
}
