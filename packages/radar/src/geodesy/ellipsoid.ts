/**
 * The WGS 84 ellipsoid, and conversion between geodetic and Earth-fixed coordinates (ECEF, EPSG 4978: x through latitude 0 and longitude 0,
 * z through the north pole, in metres). Latitudes and longitudes are those of EPSG 4326 in degrees; heights are above the ellipsoid.
 * Source of the constants: NGA.STND.0036, World Geodetic System 1984, version 1.0.0, table 3.1.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";

/** A position or a direction in space: three Cartesian coordinates, in metres for positions. */
export type Vector3 = readonly [x: number, y: number, z: number];

/** A place on earth, or above or below it. */
export interface GeodeticPosition {
  /** Geodetic latitude, from −90 to 90; north is positive. */
  readonly latitudeDegrees: number;
  /** Longitude; east is positive. Functions return values above −180 and up to 180. */
  readonly longitudeDegrees: number;
  /** Height above the ellipsoid. Default: 0. Functions return it always. */
  readonly heightMeters?: number;
}

const semiMajorAxisMeters = 6_378_137;
const flattening = 1 / 298.257_223_563;

/** The WGS 84 ellipsoid. */
export const wgs84 = {
  /** Radius of the equator a. */
  semiMajorAxisMeters,
  /** f = (a − b)/a. */
  flattening,
  /** Distance of a pole from the centre b. */
  semiMinorAxisMeters: semiMajorAxisMeters * (1 - flattening),
  /** e² = f·(2 − f). */
  eccentricitySquared: flattening * (2 - flattening),
} as const;

/** Degrees to radians, and back. */
export const radians = Math.PI / 180;
/** Coordinates are at most this, beyond any orbit. */
const farthestMeters = 1e12;
/** Positions closer to the Earth's centre have no unique latitude or are ill-conditioned. */
const nearestMeters = 1e6;

const geodeticFields: FieldsOf<GeodeticPosition> = { latitudeDegrees: "number", longitudeDegrees: "number", heightMeters: "number" };

/** Throws `input`, naming the field as `field.NAME`, unless a position is valid. */
export function checkGeodetic(position: GeodeticPosition, field = "position"): void {
  checkObject(position, field, "input");
  checkFields(position, geodeticFields, "a position", "input", `${field}.`);
  const { latitudeDegrees, longitudeDegrees, heightMeters = 0 } = position;
  if (!(Math.abs(latitudeDegrees) <= 90)) throw inputError(`${field}.latitudeDegrees`, "a number from -90 to 90", latitudeDegrees);
  if (!(Math.abs(longitudeDegrees) <= 720)) throw inputError(`${field}.longitudeDegrees`, "a number from -720 to 720", longitudeDegrees);
  if (!(Math.abs(heightMeters) <= farthestMeters))
    throw inputError(`${field}.heightMeters`, `a number of at most ${farthestMeters}`, heightMeters);
}

/** Throws `input` naming `field` unless `value` is three finite coordinates. */
export function checkVector3(value: Vector3, field: string): void {
  const valid = Array.isArray(value) && value.length === 3 && value.every((x) => typeof x === "number" && Math.abs(x) <= farthestMeters);
  if (!valid) throw inputError(field, `three numbers of at most ${farthestMeters}`, value);
}

/** Sine and cosine of an angle in degrees. They are exact for multiples of 90°. */
export function sinCosDegrees(degrees: number): readonly [sin: number, cos: number] {
  const quarter = Math.round(degrees / 90);
  const rest = (degrees - 90 * quarter) * radians;
  const [s, c] = [Math.sin(rest), Math.cos(rest)];
  switch (((quarter % 4) + 4) % 4) {
    case 0:
      return [s, c];
    case 1:
      return [c, 0 - s];
    case 2:
      return [0 - s, 0 - c];
    default:
      return [0 - c, s];
  }
}

/** A longitude as a number above −180 and up to 180. */
export function normalLongitude(degrees: number): number {
  const turned = degrees - 360 * Math.round(degrees / 360);
  return turned <= -180 ? turned + 360 : turned;
}

/**
 * Earth-fixed position [x, y, z] in metres of a geodetic position, accurate to a few units in the last place of its distance from the
 * Earth's centre (1 nm on the ground). Throws `input`.
 */
export function geodeticToEcef(position: GeodeticPosition): Vector3 {
  checkGeodetic(position);
  const { heightMeters = 0 } = position;
  const [sinLat, cosLat] = sinCosDegrees(position.latitudeDegrees);
  const [sinLon, cosLon] = sinCosDegrees(position.longitudeDegrees);
  const e2 = wgs84.eccentricitySquared;
  // Radius of curvature in the prime vertical.
  const normal = wgs84.semiMajorAxisMeters / Math.sqrt(1 - e2 * sinLat * sinLat);
  const across = (normal + heightMeters) * cosLat;
  return [across * cosLon, across * sinLon, ((1 - e2) * normal + heightMeters) * sinLat];
}

/**
 * Geodetic position of an Earth-fixed position [x, y, z] in metres: latitude and longitude to 1e-12 degrees and the height to a few units in
 * the last place of the distance from the Earth's centre, for heights from −5300 km up to any, poles included. The longitude of a pole is 0.
 * Throws `input` for positions within 1000 km of the Earth's centre. Source: Bowring, Survey Review 23 (1976) 323–327, iterated.
 */
export function ecefToGeodetic(positionMeters: Vector3): Required<GeodeticPosition> {
  checkVector3(positionMeters, "positionMeters");
  const [x, y, z] = positionMeters;
  const p = Math.hypot(x, y);
  if (!(Math.hypot(p, z) >= nearestMeters))
    throw inputError("positionMeters", `at least ${nearestMeters} m from the Earth's centre`, positionMeters);
  const { semiMajorAxisMeters: a, semiMinorAxisMeters: b, eccentricitySquared: e2 } = wgs84;
  const second = e2 / (1 - e2);
  // The reduced latitude β, as a point on the unit circle. Each turn gains at least two digits at any height, and six on the ground.
  let [sinBeta, cosBeta] = unit(a * z, b * p);
  let [sinLat, cosLat] = [0, 1];
  for (let turn = 0; turn < 20; turn++) {
    [sinLat, cosLat] = unit(z + second * b * sinBeta ** 3, p - e2 * a * cosBeta ** 3);
    const [sin, cos] = unit((1 - flattening) * sinLat, cosLat);
    const step = Math.abs(sin * cosBeta - cos * sinBeta);
    [sinBeta, cosBeta] = [sin, cos];
    if (step < 1e-16) break;
  }
  const heightMeters = p * cosLat + z * sinLat - a * Math.sqrt(1 - e2 * sinLat * sinLat);
  const longitudeDegrees = p === 0 ? 0 : Math.atan2(y, x) / radians;
  return {
    latitudeDegrees: Math.atan2(sinLat, cosLat) / radians,
    longitudeDegrees: longitudeDegrees <= -180 ? 180 : longitudeDegrees,
    heightMeters,
  };
}

/** (y, x) scaled to length 1. */
function unit(y: number, x: number): readonly [y: number, x: number] {
  const scale = 1 / Math.hypot(y, x);
  return [y * scale, x * scale];
}
