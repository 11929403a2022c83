/**
 * Platform paths as state vectors: Earth-fixed positions at times, checked, and interpolated smoothly. Gives position, velocity and
 * acceleration at a time; `effective-velocity.ts` uses them.
 *
 * Frame: ECEF (WGS84), metres, which rotates with the Earth. Velocities are derivatives within this frame.
 */

import { inputError, type RadarError } from "@dechirp/core";
import type { Orbit } from "@dechirp/radar";
import type { Vec3 } from "./backprojection/grid.ts";

/** Where a platform is and how it moves, in the frame of its orbit. */
export interface PlatformState {
  readonly positionMeters: Vec3;
  readonly velocityMetersPerSecond: Vec3;
  readonly accelerationMetersPerSecondSquared: Vec3;
}

/**
 * Distances from the Earth's centre that are accepted: the smallest is below any place on the surface, the largest ten times beyond
 * geostationary orbits.
 */
const radiusMeters = { least: 6.3e6, most: 4.3e8 } as const;
const mostVectors = 2 ** 20;
const leastVectors = 4;
/** Degree of the polynomials if there are enough vectors. */
const mostDegree = 7;
/** Length of a satellite's orbit that a polynomial of degree 7 represents to a hundredth of a millimetre, in seconds. */
const orbitSeconds = 400;
/**
 * The path integrated from the velocities may end elsewhere by this share of its length; the trapezoidal rule over vectors 8 minutes apart
 * needs 2 %.
 */
const mismatch = 0.1;
/** Platforms farther from the Earth's centre than this are satellites; others are aircraft. */
const spaceRadiusMeters = 6.478e6;
/**
 * A polynomial of a lower degree is as good if its residuals are at most a tenth above the best, or this small (metres over one second).
 */
const tinyResidual = 1e-6;

/** Throws `input`, naming the field as `<field>.<name>`, unless `orbit` has at least four usable vectors at increasing times. */
export function checkOrbit(orbit: Orbit, field = "orbit"): void {
  if (typeof orbit !== "object" || orbit === null) throw inputError(field, "an object of times and positions", orbit);
  const { timesSeconds: times, positionsMeters: positions, velocitiesMetersPerSecond: velocities } = orbit;
  const isList = (list: unknown): list is ArrayLike<unknown> => Array.isArray(list) || ArrayBuffer.isView(list);
  if (!isList(times)) throw inputError(`${field}.timesSeconds`, "a list of times", times);
  if (times.length < leastVectors || times.length > mostVectors)
    throw inputError(`${field}.timesSeconds`, `${leastVectors} to ${mostVectors} times`, times.length);
  for (let i = 0; i < times.length; i++) {
    const name = `${field}.timesSeconds[${i}]`;
    if (typeof times[i] !== "number" || !Number.isFinite(times[i])) throw inputError(name, "a finite number", times[i]);
    if (i > 0 && !(times[i] > times[i - 1])) throw inputError(name, `after ${times[i - 1]}, the time before it`, times[i]);
  }
  for (const [name, list] of [
    ["positionsMeters", positions],
    ["velocitiesMetersPerSecond", velocities],
  ] as const) {
    if (name === "velocitiesMetersPerSecond" && list === undefined) continue;
    if (!isList(list)) throw inputError(`${field}.${name}`, "a list of vectors of three numbers", list);
    if (list.length !== times.length) throw inputError(`${field}.${name}`, `${times.length} vectors, one for each time`, list.length);
    for (let i = 0; i < list.length; i++) {
      const vector: unknown = list[i];
      if (!isList(vector) || vector.length !== 3) throw inputError(`${field}.${name}[${i}]`, "three numbers", vector);
      for (let k = 0; k < 3; k++)
        if (typeof vector[k] !== "number" || !Number.isFinite(vector[k]))
          throw inputError(`${field}.${name}[${i}][${k}]`, "a finite number", vector[k]);
    }
  }
  for (let i = 0; i < positions.length; i++) {
    const radius = length(positions[i]);
    if (!(radius >= radiusMeters.least && radius <= radiusMeters.most)) throw radiusError(`${field}.positionsMeters[${i}]`, radius);
  }
  if (velocities) checkVelocities(times, positions, velocities, `${field}.velocitiesMetersPerSecond`);
}

/**
 * Refuses velocities that are not the derivatives of the positions, because they are in another frame or unit: the path integrated from
 * them ends elsewhere.
 */
function checkVelocities(
  times: ArrayLike<number>,
  positions: ArrayLike<ArrayLike<number>>,
  velocities: ArrayLike<ArrayLike<number>>,
  field: string,
): void {
  const missed = [0, 1, 2].map((k) => positions[0][k] - positions[positions.length - 1][k]);
  let flown = 0;
  for (let i = 1; i < times.length; i++) {
    const seconds = times[i] - times[i - 1];
    flown += length(vector((k) => positions[i][k] - positions[i - 1][k]));
    for (let k = 0; k < 3; k++) missed[k] += (seconds * (velocities[i][k] + velocities[i - 1][k])) / 2;
  }
  if (length(missed) > mismatch * flown)
    throw inputError(
      field,
      "the derivatives of positionsMeters (ECEF, m/s)",
      `velocities that miss the last position by ${length(missed)} m`,
    );
}

function radiusError(field: string, radius: number): RadarError {
  const kilometres = radius >= radiusMeters.least / 1000 && radius <= radiusMeters.most / 1000 ? "; these look like kilometres" : "";
  return inputError(field, `${radiusMeters.least} to ${radiusMeters.most} m from the Earth's centre${kilometres}`, radius);
}

/**
 * Position, velocity and acceleration at `timeSeconds`, from a polynomial in time of degree 7 at most, fitted by least squares to the
 * vectors around it and differentiated. Vectors within `spanSeconds` are used, but at least the eight nearest; default: 400 s
 * of a satellite's orbit, the whole path of an aircraft. Among the degrees whose residuals are as small as the best, the lowest is taken,
 * so that
 * measurement noise is averaged. Throws `input`, naming `<field>.<name>`, if the orbit is not valid or the time is outside its vectors.
 */
export function platformState(orbit: Orbit, timeSeconds: number, spanSeconds?: number, field = "orbit"): PlatformState {
  checkOrbit(orbit, field);
  const { timesSeconds: times, positionsMeters: positions, velocitiesMetersPerSecond: velocities } = orbit;
  const [begin, end] = [times[0], times[times.length - 1]];
  if (!(timeSeconds >= begin && timeSeconds <= end))
    throw inputError(`${field}.timesSeconds`, `around ${timeSeconds} s, the time that the velocity is wanted at`, `${begin} to ${end} s`);
  const high = length(positions[0]) > spaceRadiusMeters;
  const [first, last] = vectorsAround(times, timeSeconds, spanSeconds ?? (high ? orbitSeconds : Number.POSITIVE_INFINITY));
  // Times as parts of half the span, so that powers stay below 1. Positions are relative to one of them, so that no digits are lost to the
  // radius.
  const half = Math.max(timeSeconds - times[first], times[last] - timeSeconds);
  const count = last - first + 1;
  const origin = positions[Math.round((first + last) / 2)];
  const spacing = (times[last] - times[first]) / (count - 1) / half;
  const conditions = velocities ? 2 * count : count;
  const degree = Math.min(mostDegree, conditions - 1);
  const rows: number[][] = [];
  for (let i = first; i <= last; i++) {
    const tau = (times[i] - timeSeconds) / half;
    const row = [1];
    for (let power = 1; power <= degree; power++) row.push(row[power - 1] * tau);
    rows.push([...row, ...[0, 1, 2].map((k) => positions[i][k] - origin[k])]);
    if (!velocities) continue;
    // Weighted by the distance flown between two vectors, which has the scale of positions.
    const slope = row.map((_, power) => (power === 0 ? 0 : power * row[power - 1]));
    rows.push([...slope.map((x) => spacing * x), ...[0, 1, 2].map((k) => spacing * half * velocities[i][k])]);
  }
  const [value, slope, bend] = lowestFit(rows, degree, tinyResidual * Math.min(1, half ** 2));
  return {
    positionMeters: vector((k) => origin[k] + value[k]),
    velocityMetersPerSecond: vector((k) => slope[k] / half),
    accelerationMetersPerSecondSquared: vector((k) => (2 * bend[k]) / half ** 2),
  };
}

/** First and last of the vectors within `span` around `time`, or of the eight nearest if these are more. */
function vectorsAround(times: ArrayLike<number>, time: number, span: number): [first: number, last: number] {
  let [first, last] = [0, times.length - 1];
  const least = Math.min(times.length, mostDegree + 1);
  while (last - first + 1 > least) {
    const [before, after] = [time - times[first], times[last] - time];
    if (Math.max(before, after) <= span / 2) break;
    if (before > after) first++;
    else last--;
  }
  return [first, last];
}

/**
 * Constant, linear and quadratic coefficients of the least-squares polynomial, for three right-hand sides. `rows` are the rows of the
 * system, powers up to `degree` followed by the three right-hand sides; they are overwritten. Householder reflections, one for each power
 * (Golub & Van Loan, Matrix Computations, section 5.3): the residual of each lower degree is what remains below its row.
 */
function lowestFit(rows: number[][], degree: number, tiny: number): [Vec3, Vec3, Vec3] {
  const columns = degree + 1;
  for (let j = 0; j < columns; j++) {
    let norm = 0;
    for (let i = j; i < rows.length; i++) norm += rows[i][j] ** 2;
    norm = Math.sqrt(norm);
    const pivot = rows[j][j] > 0 ? -norm : norm;
    const reflector = rows.slice(j).map((row) => row[j]);
    reflector[0] -= pivot;
    const square = reflector.reduce((sum, x) => sum + x * x, 0);
    if (square === 0) continue;
    for (let k = j; k < columns + 3; k++) {
      let product = 0;
      for (let i = j; i < rows.length; i++) product += reflector[i - j] * rows[i][k];
      const factor = (2 * product) / square;
      for (let i = j; i < rows.length; i++) rows[i][k] -= factor * reflector[i - j];
    }
  }
  const residuals: number[] = [];
  for (let d = 0; d <= degree; d++) {
    let sum = 0;
    for (let i = d + 1; i < rows.length; i++) for (let k = 0; k < 3; k++) sum += rows[i][columns + k] ** 2;
    residuals.push(rows.length > d + 1 ? Math.sqrt(sum / (rows.length - d - 1)) : 0);
  }
  const enough = Math.max(tiny, 1.1 * Math.min(...residuals.slice(2)));
  const chosen = Math.max(
    2,
    residuals.findIndex((residual, d) => d >= 2 && residual <= enough),
  );
  const solution = rows.slice(0, chosen + 1).map(() => [0, 0, 0]);
  for (let j = chosen; j >= 0; j--) {
    for (let k = 0; k < 3; k++) {
      let sum = rows[j][columns + k];
      for (let i = j + 1; i <= chosen; i++) sum -= rows[j][i] * solution[i][k];
      solution[j][k] = sum / rows[j][j];
    }
  }
  return [0, 1, 2].map((power) => vector((k) => solution[power][k])) as [Vec3, Vec3, Vec3];
}

export const vector = (component: (k: number) => number): Vec3 => [component(0), component(1), component(2)];
export const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => vector((k) => a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
export const length = (a: ArrayLike<number>): number => Math.sqrt(dot(a, a));
