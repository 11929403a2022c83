/** The path of a platform as the polynomials that SICD takes: polynomials of time are shifted to time 0, and state vectors are fitted. */
import { inputError } from "@dechirp/core";
import type { PlatformPolynomial, PlatformStates } from "@dechirp/radar";
import type { PathPolynomial, Polynomial } from "./sicd-metadata.ts";
import { leastSquares, shifted } from "./sicd-vectors.ts";

/** At most this many state vectors, those nearest to the collection, are fitted. */
const mostStates = 12;
const mostOrder = 9;

/**
 * The path between two times. State vectors are fitted with a polynomial whose order their number allows, up to 9; velocities count as
 * positions do. Throws `input`, which names `field`, unless the state vectors span the times.
 */
export function platformPath(
  platform: PlatformPolynomial | PlatformStates,
  seconds: readonly [number, number],
  field: string,
): PathPolynomial {
  if (platform.kind === "polynomial") {
    const { originSeconds = 0, coefficients } = platform;
    const [x, y, z] = coefficients.map((list) => shifted(list, -originSeconds));
    return { x, y, z };
  }
  const times = Array.from(platform.timesSeconds);
  if (!(times[0] <= seconds[0] && times[times.length - 1] >= seconds[1]))
    throw inputError(`${field}.timesSeconds`, `from ${seconds[0]} s or before to ${seconds[1]} s or after`, [times[0], times.at(-1)]);
  const middle = (seconds[0] + seconds[1]) / 2;
  const near = times
    .map((_, i) => i)
    .sort((a, b) => Math.abs(times[a] - middle) - Math.abs(times[b] - middle))
    .slice(0, mostStates);
  const scale = Math.max(...near.map((i) => Math.abs(times[i] - middle)));
  const { positionsMeters, velocitiesMetersPerSecond } = platform;
  const order = Math.min(mostOrder, (velocitiesMetersPerSecond ? 2 : 1) * near.length - 1);
  const powers = Array.from({ length: order + 1 }, (_, k) => k);
  const fit = (axis: number): Polynomial => {
    const rows: number[][] = [];
    const values: number[] = [];
    for (const i of near) {
      const tau = (times[i] - middle) / scale;
      rows.push(powers.map((k) => tau ** k));
      values.push(positionsMeters[i][axis]);
      if (!velocitiesMetersPerSecond) continue;
      rows.push(powers.map((k) => (k === 0 ? 0 : k * tau ** (k - 1))));
      values.push(velocitiesMetersPerSecond[i][axis] * scale);
    }
    const scaled = leastSquares(rows, values);
    return shifted(
      scaled.map((c, k) => c / scale ** k),
      -middle,
    );
  };
  return { x: fit(0), y: fit(1), z: fit(2) };
}
