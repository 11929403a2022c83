/**
 * Where pixels of an image are on the ground, and which pixel shows a place: the range and Doppler equations with the WGS 84 ellipsoid at a
 * given height. Terrain is not considered.
 * Source: Curlander & McDonough, Synthetic Aperture Radar (1991), section 8.2; for planes, NGA.STND.0024-3, SICD image projections.
 */
import { inputError } from "@dechirp/core";
import {
  checkPlacement,
  type ImagePlacement,
  type PlanePlacement,
  type PlatformPolynomial,
  type PlatformStates,
  type SlantPlacement,
} from "@dechirp/radar";
import { createLocalFrame, ecefToGeodetic, geodeticToEcef, mapProjection, type Vector3 } from "@dechirp/radar/geodesy";
import { cross, dot, length, platformState } from "../orbit.ts";
import { polynomial } from "../polynomial.ts";

/** Both ways between pixels and Earth-fixed positions. Rows and columns may be fractional and outside the image. */
export interface ImageGeometry {
  /** Row and column that show an Earth-fixed position, or undefined if none does: it is on the other side, or not seen. */
  toPixel(positionMeters: Vector3): readonly [row: number, column: number] | undefined;
  /** The Earth-fixed position at a height above the ellipsoid that a pixel shows, or undefined if it shows none. */
  toGround(row: number, column: number, heightMeters: number): Vector3 | undefined;
}

type Place = { readonly position: Vector3; readonly velocity: Vector3; readonly acceleration: Vector3 };

/**
 * The geometry of an image of `rows` rows. Throws `input`, naming the field as `placement.NAME`, if the placement is not valid, is a slant
 * plane without its platform, or has state vectors that do not cover the image's times.
 */
export function createImageGeometry(placement: ImagePlacement, rows: number): ImageGeometry {
  checkPlacement(placement);
  if (!(Number.isInteger(rows) && rows >= 1)) throw inputError("rows", "a positive integer", rows);
  if (placement.kind === "slant") return slantGeometry(placement, rows);
  if (placement.kind === "plane") return planeGeometry(placement);
  const { epsg, origin, columnStep, rowStep } = placement;
  const map = mapProjection(epsg, "placement.epsg");
  return {
    toPixel(position) {
      const [x, y] = map.toMap(ecefToGeodetic(position), epsg === 4326 ? origin[0] : 0);
      return [(y - origin[1]) / rowStep, (x - origin[0]) / columnStep];
    },
    toGround: (row, column, heightMeters) =>
      geodeticToEcef({ ...map.toGeodetic([origin[0] + column * columnStep, origin[1] + row * rowStep]), heightMeters }),
  };
}

const minus = (a: Vector3, b: Vector3): Vector3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** a + s·b. */
const plus = (a: Vector3, b: Vector3, s = 1): Vector3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const unit = (a: Vector3): Vector3 => plus([0, 0, 0], a, 1 / length(a));

/** Newton's method has converged if it moves less than this. */
const tinyMeters = 1e-7;
const mostTurns = 30;

function slantGeometry(placement: SlantPlacement, rows: number): ImageGeometry {
  const { azimuthSeconds: azimuth, slantRangeMeters: ranges } = placement;
  const ends = [azimuth.first, azimuth.first + (rows - 1) * azimuth.step].sort((a, b) => a - b);
  const path = pathOf(placement.platform, ends[0], ends[1]);
  const side = placement.lookSide === "left" ? 1 : -1;
  const middle = (ends[0] + ends[1]) / 2;
  // The time of the place before is a good start, as places are asked for in rows.
  let last = middle;
  return {
    toPixel(target) {
      let time = last;
      let found: Place | undefined;
      for (let turn = 0; turn < mostTurns; turn++) {
        const now = path(time);
        const sight = minus(now.position, target);
        const slope = dot(now.velocity, now.velocity) + dot(sight, now.acceleration);
        const step = dot(sight, now.velocity) / slope;
        if (!(slope > 0 && Math.abs(step) < 1e4)) break;
        time -= step;
        if (Math.abs(step) * length(now.velocity) < 1e-4) {
          found = path(time);
          break;
        }
      }
      if (!found) {
        last = middle;
        return undefined;
      }
      last = time;
      const sight = minus(target, found.position);
      if (side * dot(sight, cross(found.position, found.velocity)) <= 0) return undefined;
      return [(time - azimuth.first) / azimuth.step, (length(sight) - ranges.first) / ranges.step];
    },
    toGround(row, column, heightMeters) {
      const { position, velocity } = path(azimuth.first + row * azimuth.step);
      const range = ranges.first + column * ranges.step;
      if (!(range > 0)) return undefined;
      // A sphere through the ground below the platform gives the start.
      const nadir = ecefToGeodetic(position);
      const ground = length(geodeticToEcef({ ...nadir, heightMeters }));
      const radius = length(position);
      const cosine = (radius * radius + range * range - ground * ground) / (2 * radius * range);
      if (!(Math.abs(cosine) <= 1)) return undefined;
      const along = unit(velocity);
      const up = unit(plus(position, along, -dot(position, along)));
      const across = cross(up, along);
      const start = plus(plus(position, up, -range * cosine), across, side * range * Math.sqrt(1 - cosine * cosine));
      return onGround(position, velocity, 0, range, heightMeters, start);
    },
  };
}

/** The point near `start` at a range from the platform, at (point − platform)·velocity = `doppler`, and at a height. */
function onGround(
  position: Vector3,
  velocity: Vector3,
  doppler: number,
  range: number,
  heightMeters: number,
  start: Vector3,
): Vector3 | undefined {
  const along = unit(velocity);
  const speed = length(velocity);
  let point = start;
  for (let turn = 0; turn < mostTurns; turn++) {
    const { origin: place, axes } = createLocalFrame(point);
    const up = axes[2];
    const sight = minus(point, position);
    const far = length(sight);
    const look = unit(sight);
    // Three linear equations for the step, with unit normals: Cramer's rule.
    const wanted: Vector3 = [range - far, doppler / speed - dot(sight, along), heightMeters - place.heightMeters];
    const volume = dot(look, cross(along, up));
    if (!(Math.abs(volume) > 1e-9)) return undefined;
    const step = [cross(along, up), cross(up, look), cross(look, along)].reduce<Vector3>(
      (sum, normal, k) => plus(sum, normal, wanted[k] / volume),
      [0, 0, 0],
    );
    point = plus(point, step);
    const moved = length(step);
    if (!(moved < 1e7)) return undefined;
    if (moved < tinyMeters) return point;
    if (!(length(point) > 2e6)) return undefined;
  }
  return undefined;
}

function planeGeometry({ plane, platform, originMeters: o, rowStepMeters: u, columnStepMeters: v }: PlanePlacement): ImageGeometry {
  if (plane === "slant" && !platform) throw inputError("placement.platform", "given for a slant plane", platform);
  const normal = unit(cross(u, v));
  const [uu, uv, vv] = [dot(u, u), dot(u, v), dot(v, v)];
  const determinant = uu * vv - uv * uv;
  /** Row and column of a point of the plane. */
  const pixelOf = (point: Vector3): readonly [row: number, column: number] => {
    const q = minus(point, o);
    const [a, b] = [dot(q, u), dot(q, v)];
    return [(a * vv - b * uv) / determinant, (b * uu - a * uv) / determinant];
  };
  const pointOf = (row: number, column: number): Vector3 => plus(plus(o, u, row), v, column);
  if (!platform) {
    return {
      toPixel: (target) => pixelOf(target),
      toGround(row, column, heightMeters) {
        let point = pointOf(row, column);
        for (let turn = 0; turn < mostTurns; turn++) {
          const { origin: place, axes } = createLocalFrame(point);
          const step = (heightMeters - place.heightMeters) / dot(axes[2], normal);
          if (!(Math.abs(step) < 1e6)) return undefined;
          point = plus(point, normal, step);
          if (Math.abs(step) < tinyMeters) return point;
        }
        return undefined;
      },
    };
  }
  const { positionMeters: position, velocityMetersPerSecond: velocity } = platform;
  // The platform's foot on the plane, and the flight direction in it.
  const depth = dot(minus(o, position), normal);
  const foot = plus(position, normal, depth);
  const inPlane = plus(velocity, normal, -dot(velocity, normal));
  if (!(length(inPlane) > 1e-6 * length(velocity))) throw inputError("placement.platform", "flying along the plane", platform);
  const along = unit(inPlane);
  const across = cross(normal, along);
  const side = Math.sign(dot(minus(o, foot), across)) || 1;
  return {
    toPixel(target) {
      const sight = minus(target, position);
      const square = dot(sight, sight) - depth * depth;
      // (foot − position) has no part along `inPlane`, but may have one along the velocity.
      const a = (dot(sight, velocity) - dot(minus(foot, position), velocity)) / length(inPlane);
      const rest = square - a * a;
      if (!(rest >= 0)) return undefined;
      return pixelOf(plus(plus(foot, along, a), across, side * Math.sqrt(rest)));
    },
    toGround(row, column, heightMeters) {
      const point = pointOf(row, column);
      const sight = minus(point, position);
      return onGround(position, velocity, dot(sight, velocity), length(sight), heightMeters, point);
    },
  };
}

/** Parts of the image's duration by which times beyond the image are covered, if the states do. */
const margin = 0.25;
const mostDegree = 11;
/** State vectors are represented by a polynomial within this. */
const pathMeters = 1e-3;

/** Position, velocity and acceleration at a time, for an image from `begin` to `end`. */
function pathOf(platform: PlatformPolynomial | PlatformStates, begin: number, end: number): (seconds: number) => Place {
  if (platform.kind === "polynomial") {
    const { originSeconds = 0, coefficients, validSeconds } = platform;
    if (validSeconds && !(validSeconds[0] <= begin && validSeconds[1] >= end))
      throw inputError("placement.platform.validSeconds", `around the image's times, ${begin} to ${end} s`, validSeconds);
    return polynomialPath(coefficients, originSeconds, 1);
  }
  const { timesSeconds: times } = platform;
  const [first, last] = [times[0], times[times.length - 1]];
  if (!(first <= begin && last >= end))
    throw inputError("placement.platform.timesSeconds", `around the image's times, ${begin} to ${end} s`, `${first} to ${last} s`);
  const reach = margin * (end - begin) + 0.1;
  const [from, to] = [Math.max(first, begin - reach), Math.min(last, end + reach)];
  const [centre, half] = [(from + to) / 2, (to - from) / 2];
  const orbit = { timesSeconds: times, positionsMeters: platform.positionsMeters, ...velocitiesOf(platform) };
  const at = (x: number): Vector3 =>
    platformState(orbit, Math.min(last, Math.max(first, centre + half * x)), undefined, "placement.platform").positionMeters;
  for (let degree = 5; ; degree += 2) {
    const coefficients = [0, 1, 2].map((k) => polynomial((x) => at(x)[k], degree));
    const path = polynomialPath(coefficients, centre, half);
    const missed = [-0.95, -0.6, -0.2, 0.15, 0.55, 0.9].map((x) => length(minus(path(centre + half * x).position, at(x))));
    if (Math.max(...missed) <= pathMeters) return path;
    if (degree >= mostDegree)
      throw inputError("placement.platform", `a smooth path; a polynomial of degree ${degree} misses it`, `${Math.max(...missed)} m`);
  }
}

const velocitiesOf = ({ velocitiesMetersPerSecond }: PlatformStates) => (velocitiesMetersPerSecond ? { velocitiesMetersPerSecond } : {});

function polynomialPath(coefficients: readonly (readonly number[])[], origin: number, scale: number): (seconds: number) => Place {
  return (seconds) => {
    const x = (seconds - origin) / scale;
    const out = [0, 1, 2].map((k) => {
      let [value, slope, bend] = [0, 0, 0];
      const list = coefficients[k];
      for (let i = list.length - 1; i >= 0; i--) {
        bend = bend * x + 2 * slope;
        slope = slope * x + value;
        value = value * x + list[i];
      }
      return [value, slope / scale, bend / (scale * scale)];
    });
    const vectorOf = (k: number): Vector3 => [out[0][k], out[1][k], out[2][k]];
    return { position: vectorOf(0), velocity: vectorOf(1), acceleration: vectorOf(2) };
  };
}
