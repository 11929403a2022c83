/** Orbits for tests: circular, in closed form, with the node's drift and the rate that the Earth's flattening makes; in either frame. */

export interface Elements {
  readonly altitudeMeters: number;
  readonly inclinationDegrees: number;
  /** Degrees from the ascending node at time 0. */
  readonly latitudeArgument: number;
  /** The J₂ term of gravity, from the Earth's flattening; 0 for a Kepler orbit. */
  readonly j2?: number;
}

const mu = 3.986004418e14;
const equator = 6_378_137;
const earthRate = 7.292115e-5;

type Triple = [number, number, number];

/** Accelerations of gravity. */
function gravityAt(p: Triple, j2: number): Triple {
  const r = Math.hypot(...p);
  const z = (p[2] / r) ** 2;
  const k = (1.5 * j2 * mu * equator ** 2) / r ** 5;
  return [0, 1, 2].map((i) => (-mu * p[i]) / r ** 3 + k * p[i] * (5 * z - (i === 2 ? 3 : 1))) as Triple;
}

/** Positions and velocities in an inertial frame by Runge-Kutta steps of a second, of the fourth order: millimetres over minutes. */
function inertialStates(elements: Elements, times: readonly number[]): { p: Triple; v: Triple }[] {
  const [i, u] = [elements.inclinationDegrees, elements.latitudeArgument].map((degrees) => (degrees * Math.PI) / 180);
  const { altitudeMeters, j2 = 1.08262668e-3 } = elements;
  const r = equator + altitudeMeters;
  const speed = Math.sqrt(mu / r);
  const start = [
    [r * Math.cos(u), r * Math.sin(u) * Math.cos(i), r * Math.sin(u) * Math.sin(i)],
    [-speed * Math.sin(u), speed * Math.cos(u) * Math.cos(i), speed * Math.cos(u) * Math.sin(i)],
  ] as [Triple, Triple];
  const add = (a: Triple, b: Triple, f: number): Triple => [a[0] + f * b[0], a[1] + f * b[1], a[2] + f * b[2]];
  const step = ([p, v]: [Triple, Triple], h: number): [Triple, Triple] => {
    const [k1, l1] = [v, gravityAt(p, j2)];
    const [k2, l2] = [add(v, l1, h / 2), gravityAt(add(p, k1, h / 2), j2)];
    const [k3, l3] = [add(v, l2, h / 2), gravityAt(add(p, k2, h / 2), j2)];
    const [k4, l4] = [add(v, l3, h), gravityAt(add(p, k3, h), j2)];
    const sum = (a: Triple, ...[b, c, d, e]: Triple[]): Triple => add(add(add(add(a, b, h / 6), c, h / 3), d, h / 3), e, h / 6);
    return [sum(p, k1, k2, k3, k4), sum(v, l1, l2, l3, l4)];
  };
  return times.map((time) => {
    const steps = Math.max(1, Math.ceil(Math.abs(time)));
    let state = start;
    for (let n = 0; n < steps; n++) state = step(state, time / steps);
    return { p: state[0], v: state[1] };
  });
}

/** State vectors in the Earth-fixed frame, which is the inertial one at time 0. */
export function keplerOrbit(elements: Elements, times: readonly number[]) {
  const states = inertialStates(elements, times).map(({ p, v }, n) => {
    const [c, s] = [Math.cos(earthRate * times[n]), Math.sin(earthRate * times[n])];
    const turned = ([x, y, z]: Triple): Triple => [c * x + s * y, c * y - s * x, z];
    const position = turned(p);
    const [x, y, z] = turned(v);
    return { position, velocity: [x + earthRate * position[1], y - earthRate * position[0], z] as Triple };
  });
  return {
    timesSeconds: [...times],
    positionsMeters: states.map(({ position }) => position),
    velocitiesMetersPerSecond: states.map(({ velocity }) => velocity),
  };
}

/** An orbit in an inertial frame, which must not be mistaken for an Earth-fixed one. */
export function inertialOrbit(elements: Elements, times: readonly number[]) {
  const states = inertialStates(elements, times);
  return {
    timesSeconds: [...times],
    positionsMeters: states.map(({ p }) => p),
    velocitiesMetersPerSecond: states.map(({ v }) => v),
  };
}
