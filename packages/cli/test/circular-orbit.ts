/**
 * State vectors of a circular orbit above the rotating Earth, in closed form, and points on the ground that it passes at a given range.
 */

type Triple = [number, number, number];

export interface CircularOrbit {
  readonly altitudeMeters: number;
  readonly inclinationDegrees: number;
  /** Degrees from the ascending node at time 0. */
  readonly latitudeArgument: number;
}

const earthRate = 7.292115e-5;

/** Earth-fixed (ECEF) at these times. */
export function circularOrbit({ altitudeMeters, inclinationDegrees, latitudeArgument }: CircularOrbit, times: readonly number[]) {
  const r = 6_378_137 + altitudeMeters;
  const rate = Math.sqrt(3.986004418e14 / r ** 3);
  const [i, u] = [inclinationDegrees, latitudeArgument].map((degrees) => (degrees * Math.PI) / 180);
  const states = times.map((time) => {
    const [cu, su] = [Math.cos(u + rate * time), Math.sin(u + rate * time)];
    const [c, s] = [Math.cos(earthRate * time), Math.sin(earthRate * time)];
    const turned = ([x, y, z]: Triple): Triple => [c * x + s * y, c * y - s * x, z];
    const position = turned([r * cu, r * su * Math.cos(i), r * su * Math.sin(i)]);
    const [x, y, z] = turned([-r * rate * su, r * rate * cu * Math.cos(i), r * rate * cu * Math.sin(i)]);
    return { position, velocity: [x + earthRate * position[1], y - earthRate * position[0], z] as Triple };
  });
  return {
    timesSeconds: [...times],
    positionsMeters: states.map(({ position }) => position),
    velocitiesMetersPerSecond: states.map(({ velocity }) => velocity),
  };
}

const unit = (a: readonly number[]): number[] => a.map((x) => x / Math.hypot(...a));
const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, k) => sum + x * b[k], 0);

/**
 * Earth-fixed point on the WGS84 ellipsoid to the right of the track, whose range has its minimum `range` at time 0. Found by bisection
 * over the look angle.
 */
export function placeToTheRight(orbit: CircularOrbit, range: number): number[] {
  const { positionsMeters, velocitiesMetersPerSecond } = circularOrbit(orbit, [0]);
  const [p, v] = [positionsMeters[0], velocitiesMetersPerSecond[0]];
  const along = unit(v);
  const up = unit(p.map((x, k) => x - dot(p, along) * along[k]));
  const right = [along[1] * up[2] - along[2] * up[1], along[2] * up[0] - along[0] * up[2], along[0] * up[1] - along[1] * up[0]];
  const at = (angle: number): number[] => p.map((x, k) => x + range * (Math.sin(angle) * right[k] - Math.cos(angle) * up[k]));
  let [low, high] = [0, Math.PI / 2];
  for (let n = 0; n < 80; n++) {
    const t = at((low + high) / 2);
    if ((t[0] ** 2 + t[1] ** 2) / 6_378_137 ** 2 + (t[2] / 6_356_752.314245) ** 2 > 1) high = (low + high) / 2;
    else low = (low + high) / 2;
  }
  return at(low);
}
