/** Local frames: Cartesian coordinates with x to the east, y to the north and z up at a place on earth (ENU). */
import { checkVector3, ecefToGeodetic, type GeodeticPosition, geodeticToEcef, sinCosDegrees, type Vector3 } from "./ellipsoid.ts";

/** A local frame. x points east, y north, and z up along the normal of the ellipsoid, at the origin. */
export interface LocalFrame {
  /** The place of the origin. */
  readonly origin: Required<GeodeticPosition>;
  /** The origin, Earth-fixed. */
  readonly originMeters: Vector3;
  /** Unit vectors of the axes x, y and z, Earth-fixed. */
  readonly axes: readonly [east: Vector3, north: Vector3, up: Vector3];
  /** Local coordinates of an Earth-fixed position; both in metres. Throws `input`. */
  toLocal(positionMeters: Vector3): Vector3;
  /** Earth-fixed coordinates of a local position; both in metres. Throws `input`. */
  toEcef(positionMeters: Vector3): Vector3;
  /** Local components of an Earth-fixed direction, step or velocity, in its unit. Throws `input`. */
  directionToLocal(direction: Vector3): Vector3;
  /** Earth-fixed components of a local direction, step or velocity, in its unit. Throws `input`. */
  directionToEcef(direction: Vector3): Vector3;
}

/** Makes the local frame at a geodetic position or at an Earth-fixed one. Throws `input`. */
export function createLocalFrame(origin: GeodeticPosition | Vector3): LocalFrame {
  const isVector = (value: unknown): value is Vector3 => Array.isArray(value);
  if (isVector(origin)) checkVector3(origin, "origin");
  const place = isVector(origin) ? ecefToGeodetic(origin) : { heightMeters: 0, ...origin };
  const originMeters: Vector3 = isVector(origin) ? [origin[0], origin[1], origin[2]] : geodeticToEcef(place);
  const [sinLat, cosLat] = sinCosDegrees(place.latitudeDegrees);
  const [sinLon, cosLon] = sinCosDegrees(place.longitudeDegrees);
  const east: Vector3 = [-sinLon, cosLon, 0];
  const north: Vector3 = [-sinLat * cosLon, -sinLat * sinLon, cosLat];
  const up: Vector3 = [cosLat * cosLon, cosLat * sinLon, sinLat];
  const [ox, oy, oz] = originMeters;
  const dot = (a: Vector3, x: number, y: number, z: number): number => a[0] * x + a[1] * y + a[2] * z;
  const inLocal = (x: number, y: number, z: number): Vector3 => [dot(east, x, y, z), dot(north, x, y, z), dot(up, x, y, z)];
  const inEcef = ([x, y, z]: Vector3): Vector3 => [
    east[0] * x + north[0] * y + up[0] * z,
    east[1] * x + north[1] * y + up[1] * z,
    east[2] * x + north[2] * y + up[2] * z,
  ];
  return {
    origin: place,
    originMeters,
    axes: [east, north, up],
    toLocal(positionMeters) {
      checkVector3(positionMeters, "positionMeters");
      const [x, y, z] = positionMeters;
      return inLocal(x - ox, y - oy, z - oz);
    },
    toEcef(positionMeters) {
      checkVector3(positionMeters, "positionMeters");
      const [x, y, z] = inEcef(positionMeters);
      return [ox + x, oy + y, oz + z];
    },
    directionToLocal(direction) {
      checkVector3(direction, "direction");
      return inLocal(...direction);
    },
    directionToEcef(direction) {
      checkVector3(direction, "direction");
      return inEcef(direction);
    },
  };
}
