/**
 * What a CPHD file needs of a phase history: the parameters of its vectors in Earth-fixed coordinates. Everything is computed from positions,
 * reference ranges, times and frequencies; the range to the stabilisation reference point (SRP) of a vector is its reference range.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { type EarthFrame, type HistoryGeometry, speedOfLight } from "@dechirp/radar";
import { createLocalFrame, type GeodeticPosition } from "@dechirp/radar/geodesy";
import type { CphdVectors } from "./cphd-vectors.ts";
import type { HistoryArea, RecordedPhaseHistory } from "./phase-history.ts";

/** A phase history that can be written: everything but samples is in memory; `pulses` returns samples. */
export type WritableHistory = HistoryGeometry &
  Pick<
    RecordedPhaseHistory,
    "name" | "shape" | "autofocus" | "polarisation" | "channel" | "frame" | "area" | "pulseSeconds" | "startUtc" | "collection" | "levels"
  > & {
    /** Returns pulses `from` to `from + count − 1`, [count][frequency], interleaved. */
    pulses(from: number, count: number, options?: { readonly signal?: AbortSignal }): Float32Array | Promise<Float32Array>;
  };

/** What the file states and the history may not. */
export interface CphdPlaceOptions {
  /** Place of the origin of the positions, whose axes are then east, north and up. Left out if the history has a `frame`. */
  readonly origin?: GeodeticPosition;
  /** Pulses a second, evenly spaced. Left out if the history has `pulseSeconds`. */
  readonly prfHz?: number;
  /** UTC of the first pulse, ISO 8601. Left out if the history has a `startUtc`. */
  readonly startUtc?: string;
}

/** A channel that is to be written. */
export interface CphdChannelData {
  readonly history: WritableHistory;
  readonly identifier: string;
  readonly vectors: CphdVectors;
  readonly frame: EarthFrame;
  readonly startUtc: string;
  readonly area: HistoryArea;
  /** Factor of the samples of each pulse for corrections that are applied, interleaved; absent if there are none. */
  readonly turns?: Float64Array;
}

/** Reference ranges that differ by less from the distance of the origin have the origin as their SRP. */
const sameMeters = 1e-7;
/** Oversampling of the spectra: at least 1.2 is recommended. */
const oversampling = 1.25;

/** Makes the vectors of a channel. Throws `input`, which names the field of the history or the option. */
export function channelData(history: WritableHistory, identifier: string, options: CphdPlaceOptions): CphdChannelData {
  checkHistory(history);
  const [pulses, count] = history.shape;
  const { positions, antennas, autofocus, badPulses = [] } = history;
  const frame = frameOf(history, options);
  const startUtc = history.startUtc ?? options.startUtc;
  if (startUtc === undefined) throw inputError("startUtc", "a time, which the phase history does not state", startUtc);
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z?$/.test(startUtc))
    throw inputError("startUtc", "a time like 2026-03-14T10:21:07.25Z", startUtc);
  const ranges = Float64Array.from(history.referenceRangeMeters, (range, p) => range + (autofocus?.rangeMeters[p] ?? 0));
  const local = new Float64Array(3 * pulses);
  for (let p = 0; p < pulses; p++) {
    const [x, y, z] = positions.subarray(3 * p, 3 * p + 3);
    const away = Math.hypot(x, y, z);
    if (!(away > 0 && ranges[p] > 0)) throw inputError(`history.referenceRangeMeters[${p}]`, "the range to a point, above 0", ranges[p]);
    // The point at the reference range on the line from the platform to the origin.
    const beyond = Math.abs(away - ranges[p]) <= sameMeters ? 0 : 1 - ranges[p] / away;
    local.set([x * beyond, y * beyond, z * beyond], 3 * p);
  }
  const [TxPos, RcvPos, SRPPos] = [antennas?.transmit ?? positions, antennas?.receive ?? positions, local].map((one) => toEcef(frame, one));
  const distance = (a: Float64Array, b: Float64Array, p: number): number =>
    Math.hypot(a[3 * p] - b[3 * p], a[3 * p + 1] - b[3 * p + 1], a[3 * p + 2] - b[3 * p + 2]);
  const delay = Float64Array.from({ length: pulses }, (_, p) => (distance(TxPos, SRPPos, p) + distance(RcvPos, SRPPos, p)) / speedOfLight);
  const TxTime = timesOf(history, options, delay);
  const RcvTime = TxTime.map((time, p) => time + delay[p]);
  const [TxVel, RcvVel] = [velocities(TxPos, TxTime), velocities(RcvPos, RcvTime)];
  const { firstHz, stepHz } = history.pulseFrequencies ?? {
    firstHz: new Float64Array(pulses).fill(history.frequency.firstHz),
    stepHz: new Float64Array(pulses).fill(history.frequency.stepHz),
  };
  const half = 1 / (2 * oversampling * stepHz.reduce((a, b) => Math.max(a, b), 0));
  const zeros = new Float64Array(pulses);
  const rate = (position: Float64Array, velocity: Float64Array, p: number): number => {
    const away = distance(position, SRPPos, p);
    return [0, 1, 2].reduce((sum, k) => sum + (velocity[3 * p + k] * (position[3 * p + k] - SRPPos[3 * p + k])) / away, 0);
  };
  const SIGNAL = new Float64Array(pulses).fill(1);
  for (const p of badPulses) SIGNAL[p] = 0;
  const reach = (speedOfLight * half) / 2;
  return {
    history,
    identifier,
    frame,
    startUtc,
    area: history.area ?? { xMeters: [-reach, reach], yMeters: [-reach, reach] },
    ...(autofocus && {
      turns: Float64Array.from({ length: 2 * pulses }, (_, i) => Math[i % 2 === 0 ? "cos" : "sin"](autofocus.phaseRadians[i >> 1])),
    }),
    vectors: {
      TxTime,
      TxPos,
      TxVel,
      RcvTime,
      RcvPos,
      RcvVel,
      SRPPos,
      aFDOP: zeros.map((_, p) => -(rate(TxPos, TxVel, p) + rate(RcvPos, RcvVel, p)) / speedOfLight),
      aFRR1: zeros,
      aFRR2: zeros,
      FX1: firstHz,
      FX2: firstHz.map((first, p) => first + (count - 1) * stepHz[p]),
      TOA1: zeros.map(() => -half),
      TOA2: zeros.map(() => half),
      TDTropoSRP: zeros,
      SC0: firstHz,
      SCSS: stepHz,
      SIGNAL,
    },
  };
}

/** Throws `input`, which names the field, unless all arrays of a history are there, of the right length and finite. */
function checkHistory(history: WritableHistory): void {
  const {
    shape,
    positions,
    referenceRangeMeters,
    frequency,
    pulseFrequencies,
    antennas,
    pulseSeconds,
    autofocus,
    badPulses = [],
  } = history;
  const [pulses, count] = Array.isArray(shape) ? shape : [0, 0];
  if (!(Number.isInteger(pulses) && pulses >= 1 && Number.isInteger(count) && count >= 2))
    throw inputError("history.shape", "numbers of pulses and of frequencies, at least 1 and 2", shape);
  const numbers = (field: string, values: Float64Array | undefined, length: number, isPositive = false): void => {
    if (!(isArrayOf(values, Float64Array) && values.length === length))
      throw inputError(`history.${field}`, `a Float64Array of ${length} numbers`, values);
    const bad = values.findIndex((x) => !(Number.isFinite(x) && (x > 0 || !isPositive)));
    if (bad >= 0) throw inputError(`history.${field}[${bad}]`, isPositive ? "a positive number" : "a finite number", values[bad]);
  };
  numbers("positions", positions, 3 * pulses);
  numbers("referenceRangeMeters", referenceRangeMeters, pulses);
  for (const name of ["firstHz", "stepHz"] as const) {
    if (!(Number.isFinite(frequency?.[name]) && frequency[name] > 0))
      throw inputError(`history.frequency.${name}`, "a positive number", frequency?.[name]);
    if (pulseFrequencies) numbers(`pulseFrequencies.${name}`, pulseFrequencies[name], pulses, true);
  }
  for (const name of ["transmit", "receive"] as const) if (antennas) numbers(`antennas.${name}`, antennas[name], 3 * pulses);
  for (const name of ["rangeMeters", "phaseRadians"] as const) if (autofocus) numbers(`autofocus.${name}`, autofocus[name], pulses);
  if (pulseSeconds) numbers("pulseSeconds", pulseSeconds, pulses);
  const wrong = badPulses.findIndex((p) => !(Number.isInteger(p) && p >= 0 && p < pulses));
  if (wrong >= 0) throw inputError(`history.badPulses[${wrong}]`, `a pulse from 0 to ${pulses - 1}`, badPulses[wrong]);
}

function frameOf({ frame }: WritableHistory, { origin }: CphdPlaceOptions): EarthFrame {
  if (frame && origin !== undefined) throw inputError("origin", "left out, as the phase history has a frame", origin);
  if (frame) return frame;
  if (origin === undefined) throw inputError("origin", "a place on earth, which the phase history does not state", origin);
  const { originMeters, axes } = createLocalFrame(origin);
  return { originMeters, axes };
}

function timesOf({ pulseSeconds, shape: [pulses] }: WritableHistory, { prfHz }: CphdPlaceOptions, delay: Float64Array): Float64Array {
  if (pulseSeconds && prfHz !== undefined) throw inputError("prfHz", "left out, as the phase history has the times of its pulses", prfHz);
  const times = new Float64Array(pulses);
  if (!pulseSeconds) {
    if (prfHz === undefined) throw inputError("prfHz", "a number, as the phase history does not state the times of its pulses", prfHz);
    if (!(Number.isFinite(prfHz) && prfHz > 0)) throw inputError("prfHz", "a positive number", prfHz);
    return times.map((_, p) => p / prfHz);
  }
  for (let p = 0; p < pulses; p++) {
    times[p] = pulseSeconds[p] - delay[p] / 2;
    if (!(times[p] >= 0)) throw inputError(`history.pulseSeconds[${p}]`, "such that the pulse leaves after startUtc", pulseSeconds[p]);
    if (p > 0 && !(times[p] > times[p - 1]))
      throw inputError(`history.pulseSeconds[${p}]`, "after that of the pulse before it", pulseSeconds[p]);
  }
  return times;
}

function toEcef({ originMeters, axes: [x, y, z] }: EarthFrame, local: Float64Array): Float64Array {
  const ecef = new Float64Array(local.length);
  for (let i = 0; i < local.length; i += 3)
    for (let k = 0; k < 3; k++) ecef[i + k] = originMeters[k] + (x[k] * local[i] + y[k] * local[i + 1] + z[k] * local[i + 2]);
  return ecef;
}

/** Velocities: the slope of the parabola through three neighbouring positions, or of a line if there are only two. */
function velocities(positions: Float64Array, times: Float64Array): Float64Array {
  const last = times.length - 1;
  if (last === 0) return new Float64Array(3);
  const width = Math.min(2, last);
  return positions.map((_, i) => {
    const p = Math.floor(i / 3);
    const from = Math.max(0, Math.min(last - width, p - 1));
    // The derivative of the polynomial through the points, by Lagrange's formula.
    let slope = 0;
    for (let a = from; a <= from + width; a++) {
      let sum = 0;
      for (let b = from; b <= from + width; b++) {
        if (b === a) continue;
        let product = 1 / (times[a] - times[b]);
        for (let d = from; d <= from + width; d++) if (d !== a && d !== b) product *= (times[p] - times[d]) / (times[a] - times[d]);
        sum += product;
      }
      slope += positions[3 * a + (i % 3)] * sum;
    }
    return slope;
  });
}
