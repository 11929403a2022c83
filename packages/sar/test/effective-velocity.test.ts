/** The effective velocity of state vectors against the curvature of measured ranges, whatever the vectors' spacing, noise and side; and refusals. */

import { createRandom, isRadarError } from "@dechirp/core";
import type { Orbit } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { effectiveVelocity, type OrbitRadar, velocityFromOrbit, velocityPhaseErrorRadians, withVelocity } from "../src/index.ts";
import { platformState } from "../src/orbit.ts";
import { type Elements, keplerOrbit } from "./orbits.ts";

type Triple = readonly [number, number, number];
type Path = (seconds: number) => Triple;

const equator = 6_378_137;
const flattening = 1 / 298.257223563;
const e2 = flattening * (2 - flattening);

/** Earth-fixed position of geodetic coordinates: the textbook's formula, not the implicit ellipsoid that the source solves. */
function geodetic(latitude: number, longitude: number, height: number): Triple {
  const n = equator / Math.sqrt(1 - e2 * Math.sin(latitude) ** 2);
  const across = (n + height) * Math.cos(latitude);
  return [across * Math.cos(longitude), across * Math.sin(longitude), (n * (1 - e2) + height) * Math.sin(latitude)];
}

const range = (a: Triple, b: Triple): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

/**
 * By definition: the place of a height whose range along the path has its minimum R₀ at time 0, by Newton's method over latitude and
 * longitude, then V² as half the second derivative of R², by differences of the fourth order over `step` seconds.
 */
function curvature(path: Path, slantRange: number, side: "left" | "right", height: number, step: number): number {
  const [p, q] = [path(0), path(step)];
  const latitude = Math.asin(p[2] / Math.hypot(...p));
  const longitude = Math.atan2(p[1], p[0]);
  const altitude = Math.hypot(...p) - equator;
  const heading = Math.atan2((Math.atan2(q[1], q[0]) - longitude) * Math.cos(latitude), Math.asin(q[2] / Math.hypot(...q)) - latitude);
  const bearing = heading + (side === "right" ? 1 : -1) * (Math.PI / 2);
  const reach = Math.sqrt(Math.max(1, slantRange ** 2 - Math.max(0, altitude - height) ** 2)) / equator;
  let at = [latitude + reach * Math.cos(bearing), longitude + (reach * Math.sin(bearing)) / Math.cos(latitude)];
  // R(0) = R₀, and the first derivative of R² at 0 is none.
  const misfit = ([lat, lon]: readonly number[]): [number, number] => {
    const t = geodetic(lat, lon, height);
    const square = (seconds: number): number => range(path(seconds), t) ** 2;
    const slope = (8 * (square(step) - square(-step)) - (square(2 * step) - square(-2 * step))) / (12 * step);
    return [range(p, t) - slantRange, slope / slantRange];
  };
  for (let n = 0; n < 30; n++) {
    const d = 1e-6;
    const f = misfit(at);
    const [a, b] = [misfit([at[0] + d, at[1]]), misfit([at[0], at[1] + d])].map((g) => [(g[0] - f[0]) / d, (g[1] - f[1]) / d]);
    const determinant = a[0] * b[1] - b[0] * a[1];
    at = [at[0] - (f[0] * b[1] - f[1] * b[0]) / determinant, at[1] - (a[0] * f[1] - a[1] * f[0]) / determinant];
  }
  const t = geodetic(at[0], at[1], height);
  const square = (seconds: number): number => range(path(seconds), t) ** 2;
  const second = (16 * (square(step) + square(-step)) - (square(2 * step) + square(-2 * step)) - 30 * square(0)) / (12 * step * step);
  return Math.sqrt(second / 2);
}

const elements: Elements = { altitudeMeters: 693e3, inclinationDegrees: 98.18, latitudeArgument: 40 };
const pathOf =
  (of: Elements): Path =>
  (seconds) =>
    keplerOrbit(of, [seconds]).positionsMeters[0];
const vectors = (count: number, spacing: number, shift = 0): number[] =>
  Array.from({ length: count }, (_, i) => spacing * (i - (count - 1) / 2) + shift);
const positionsOnly = ({ timesSeconds, positionsMeters }: Orbit): Orbit => ({ timesSeconds, positionsMeters });

describe("effectiveVelocity", () => {
  it.each<[string, Elements, range: number, side: "left" | "right", height: number, times: number[], moves: boolean, most: number]>([
    ["17 vectors, 10 s apart", elements, 850e3, "right", 0, vectors(17, 10, 3), true, 1e-4],
    ["the other side", elements, 850e3, "left", 0, vectors(17, 10, 3), true, 1e-4],
    ["high ground", elements, 900e3, "right", 3000, vectors(17, 10), true, 1e-4],
    ["28 vectors, a minute apart", { ...elements, latitudeArgument: 160 }, 850e3, "right", 0, vectors(28, 60), true, 1e-4],
    ["positions alone, a minute apart", { ...elements, latitudeArgument: 70 }, 820e3, "right", 0, vectors(15, 60), false, 1e-3],
    ["four vectors a minute apart", elements, 850e3, "right", 0, vectors(4, 60), true, 1e-4],
    ["four vectors, 33 ms apart", elements, 850e3, "right", 0, vectors(4, 1 / 30), true, 5e-3],
    ["vectors of a whole revolution", elements, 850e3, "right", 0, vectors(300, 20), true, 1e-4],
    ["four positions, 10 s apart", elements, 850e3, "right", 0, vectors(4, 10), false, 0.02],
    ["many vectors, a second apart", { ...elements, altitudeMeters: 510e3 }, 620e3, "left", 0, vectors(301, 1), true, 1e-4],
    [
      "near the equator",
      { altitudeMeters: 620e3, inclinationDegrees: 5, latitudeArgument: 80 },
      750e3,
      "left",
      0,
      vectors(12, 30),
      false,
      1e-3,
    ],
  ])("is the curvature of range, of %s", (_, of, slantRange, lookSide, groundHeightMeters, times, moves, most) => {
    const orbit = keplerOrbit(of, times);
    const given = { lookSide, groundHeightMeters, timeSeconds: 0 };
    const expected = curvature(pathOf(of), slantRange, lookSide, groundHeightMeters, 2);
    const found = effectiveVelocity(moves ? orbit : positionsOnly(orbit), slantRange, given);
    expect(Math.abs(found - expected)).toBeLessThan(most);
  });

  it("is the flight's own speed, a little less, for an aircraft on a great circle, and takes noise", () => {
    const [speed, height] = [140, 6000];
    const radius = equator + height;
    // Along the equator, where the ellipsoid is a circle.
    const path: Path = (seconds) => [radius * Math.cos((speed * seconds) / radius), radius * Math.sin((speed * seconds) / radius), 0];
    const times = vectors(1001, 0.05);
    const random = createRandom(5);
    const exact = times.map((time) => [...path(time)]);
    const noisy = exact.map((p) => p.map((x) => x + 0.02 * random.gaussian()));
    const options = { lookSide: "left", timeSeconds: 0 } as const;
    const expected = curvature(path, 9000, "left", 0, 5);
    expect(expected).toBeLessThan(speed);
    expect(Math.abs(effectiveVelocity({ timesSeconds: times, positionsMeters: exact }, 9000, options) - expected)).toBeLessThan(1e-4);
    // 2 cm of a thousand fixes over 50 s: 1e-5 m/s² of acceleration, a thousandth of a metre a second.
    expect(Math.abs(effectiveVelocity({ timesSeconds: times, positionsMeters: noisy }, 9000, options) - expected)).toBeLessThan(5e-3);
  });

  it("takes typed arrays and lists, times of any origin, and the middle of the times by default", () => {
    const times = vectors(9, 20);
    const orbit = keplerOrbit(elements, times);
    const expected = effectiveVelocity(orbit, 850e3, { lookSide: "right", timeSeconds: 0 });
    const typed = { timesSeconds: Float64Array.from(times), positionsMeters: orbit.positionsMeters.map((p) => Float64Array.from(p)) };
    expect(effectiveVelocity({ ...orbit, ...typed }, 850e3, { lookSide: "right" })).toBeCloseTo(expected, 9);
    const later = { ...orbit, timesSeconds: times.map((time) => time + 86_400 * 200) };
    expect(effectiveVelocity(later, 850e3, { lookSide: "right" })).toBeCloseTo(expected, 6);
  });

  it("takes side and height from the orbit if the options leave them out", () => {
    const orbit = keplerOrbit(elements, vectors(9, 20));
    const [side, height] = [{ lookSide: "left" } as const, { groundHeightMeters: 2000 }];
    const expected = effectiveVelocity(orbit, 850e3, { ...side, ...height });
    expect(effectiveVelocity({ ...orbit, ...side, ...height }, 850e3)).toBe(expected);
    expect(effectiveVelocity({ ...orbit, lookSide: "right" }, 850e3, { ...side, ...height })).toBe(expected);
  });

  it("passes through the vectors, and derives velocities that are not given", () => {
    const orbit = keplerOrbit(elements, vectors(8, 25));
    for (const [i, time] of orbit.timesSeconds.entries()) {
      const { positionMeters, velocityMetersPerSecond } = platformState(positionsOnly(orbit), time);
      for (let k = 0; k < 3; k++) {
        expect(Math.abs(positionMeters[k] - orbit.positionsMeters[i][k])).toBeLessThan(1e-4);
        expect(Math.abs(velocityMetersPerSecond[k] - orbit.velocitiesMetersPerSecond[i][k])).toBeLessThan(1e-2);
      }
    }
  });

  it.each<[change: object, range: number, options: object, field: string, text: RegExp]>([
    [{ timesSeconds: [0, 1, 2] }, 850e3, {}, "orbit.timesSeconds", /4 to \d+ times, not 3/],
    [{ timesSeconds: [0, 1, 2, 2, 4, 5, 6, 7, 8] }, 850e3, {}, "orbit.timesSeconds[3]", /after 2, the time before it, not 2/],
    [{ timesSeconds: "x" }, 850e3, {}, "orbit.timesSeconds", /a list of times/],
    [{ timesSeconds: [0, 1, 2, Number.NaN, 4, 5, 6, 7, 8] }, 850e3, {}, "orbit.timesSeconds[3]", /a finite number/],
    [{ positionsMeters: [[1, 2, 3]] }, 850e3, {}, "orbit.positionsMeters", /9 vectors, one for each time, not 1/],
    [{ positionsMeters: Array(9).fill([7e6, 0]) }, 850e3, {}, "orbit.positionsMeters[0]", /three numbers/],
    [
      { positionsMeters: Array(9).fill([7000, 100, 0]) },
      850e3,
      {},
      "orbit.positionsMeters[0]",
      /Earth's centre; these look like kilometres, not 7000\.7/,
    ],
    [{ positionsMeters: Array(9).fill([7e6, 100, 0]), velocitiesMetersPerSecond: undefined }, 850e3, {}, "orbit", /a platform that moves/],
    [{ positionsMeters: Array(9).fill([0, 0, 0]) }, 850e3, {}, "orbit.positionsMeters[0]", /6300000 to/],
    [
      { velocitiesMetersPerSecond: Array(9).fill([0, 50, 7]) },
      850e3,
      {},
      "orbit.velocitiesMetersPerSecond",
      /the derivatives of positionsMeters/,
    ],
    [{ velocitiesMetersPerSecond: [[1, 2, 3]] }, 850e3, {}, "orbit.velocitiesMetersPerSecond", /9 vectors/],
    [{}, 850e3, { lookSide: undefined }, "lookSide", /left or right/],
    [{}, 850e3, { lookSide: "up" }, "lookSide", /left or right/],
    [{}, 850e3, { side: "left" }, "side", /side/],
    [{}, 850e3, { timeSeconds: 81 }, "orbit.timesSeconds", /around 81 s, the time that the velocity is wanted at, not "-80 to 80 s"/],
    [{}, 850e3, { timeSeconds: Number.NaN }, "orbit.timesSeconds", /around NaN/],
    [{}, 850e3, { groundHeightMeters: 1e6 }, "groundHeightMeters", /within/],
    [{}, 850e3, { spanSeconds: 0 }, "spanSeconds", /positive/],
    [{}, 850, {}, "slantRangeMeters", /at least the height above the ground .*, not 850/],
    [{}, 5e6, {}, "slantRangeMeters", /at most the distance to the horizon, not 5000000/],
    [{}, 2e7, {}, "slantRangeMeters", /at most the distance to the horizon, not 20000000/],
    [{}, -1, {}, "slantRangeMeters", /a positive number/],
    [{}, Number.NaN, {}, "slantRangeMeters", /a positive number/],
  ])("refuses %o", (change, slantRange, options, field, text) => {
    const orbit = { ...keplerOrbit(elements, vectors(9, 20)), ...change };
    try {
      effectiveVelocity(orbit, slantRange, { lookSide: "right", ...options });
    } catch (error) {
      if (!isRadarError(error, "input")) throw error;
      expect(error.fields["field"]).toBe(field);
      expect(error.message).toMatch(text);
      return;
    }
    throw new Error("not refused");
  });

  it("refuses orbits that are not valid", () => {
    for (const orbit of [undefined, null, 5, [], {}])
      expect(() => effectiveVelocity(orbit as never, 850e3, { lookSide: "left" })).toThrow(
        /^orbit(\.timesSeconds)? must be an? (object|list) of times/,
      );
  });
});

describe("velocityFromOrbit", () => {
  const orbit = { ...keplerOrbit(elements, vectors(9, 20)), lookSide: "right" as const };
  const radar: OrbitRadar = { prfHz: 1700, samplingRateHz: 20e6, pulseSeconds: 30e-6, nearRangeMeters: 830e3, startSeconds: -2, orbit };

  it("is that of the middle of the image's swath at the middle line, with its edges", () => {
    const [lines, samples] = [6801, 5600];
    const { velocityMetersPerSecond, slantRangeMeters, timeSeconds, ...edges } = velocityFromOrbit(radar, lines, samples);
    expect(timeSeconds).toBeCloseTo(0, 9);
    expect(slantRangeMeters).toBeCloseTo(830e3 + (5000 * 299_792_458) / 20e6 / 4, 6);
    const at = (range: number): number => effectiveVelocity(orbit, range, { lookSide: "right", timeSeconds: 0 });
    expect(velocityMetersPerSecond).toBeCloseTo(at(slantRangeMeters), 9);
    expect(edges.nearMetersPerSecond).toBeCloseTo(at(830e3), 9);
    expect(edges.farMetersPerSecond).toBeCloseTo(at(2 * slantRangeMeters - 830e3), 9);
    expect(edges.nearMetersPerSecond - edges.farMetersPerSecond).toBeGreaterThan(1);
  });

  it("is what withVelocity adds to a radar that states none", () => {
    const { orbit: _, ...rest } = radar;
    expect(withVelocity(radar, 4000, 5600)).toEqual({
      ...rest,
      velocityMetersPerSecond: velocityFromOrbit(radar, 4000, 5600).velocityMetersPerSecond,
    });
    expect(withVelocity({ ...radar, velocityMetersPerSecond: 7000 }, 4000, 5600)).toEqual({ ...rest, velocityMetersPerSecond: 7000 });
    expect(() => withVelocity(rest, 4000, 5600)).toThrow(/radar\.orbit must be present/);
  });

  it("names the radar's fields", () => {
    const field = (change: Partial<OrbitRadar>): unknown => {
      try {
        velocityFromOrbit({ ...radar, ...change }, 4000, 5600);
      } catch (error) {
        if (isRadarError(error, "input")) return error.fields["field"];
        throw error;
      }
      throw new Error("not refused");
    };
    expect(field({ startSeconds: 1000 })).toBe("radar.orbit.timesSeconds");
    expect(field({ nearRangeMeters: 830 })).toBe("radar.nearRangeMeters");
    expect(field({ orbit: { ...orbit, lookSide: "down" as never } })).toBe("radar.orbit.lookSide");
    const { orbit: _, ...without } = radar;
    expect(() => velocityFromOrbit(without, 4000, 5600)).toThrow(/radar\.orbit must be present/);
  });
});

it("velocityPhaseErrorRadians is the quadratic phase that a wrong velocity leaves at the ends of an exposure", () => {
  const radar = {
    ...{ carrierHz: 1.27e9, samplingRateHz: 16e6, prfHz: 2150, chirpRateHzPerSecond: -5.185e11, pulseSeconds: 27e-6 },
    ...{ velocityMetersPerSecond: 7180, nearRangeMeters: 848e3, dopplerCentroidHz: 0 },
  };
  const [r, seconds] = [850e3, 1.5];
  // From the ranges themselves: the difference of the two hyperbolas at the end of the exposure.
  const excess = (v: number): number => Math.sqrt(r * r + (v * seconds) ** 2) - r;
  const expected = (4 * Math.PI * Math.abs(excess(7182) - excess(7180))) / (299_792_458 / radar.carrierHz);
  expect(velocityPhaseErrorRadians(radar, 7182, r, 1e9, 2 * seconds) / expected).toBeCloseTo(1, 3);
  // The band ends the exposure where it is the shorter.
  const rate = (2 * 7180 ** 2) / ((299_792_458 / radar.carrierHz) * r);
  expect(velocityPhaseErrorRadians(radar, 7182, r, rate * 2 * seconds, 1e9) / expected).toBeCloseTo(1, 3);
});
