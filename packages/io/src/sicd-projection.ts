/**
 * Geometry of SICD images: where the radar was when it saw the scene centre point, and which places on the ground have the range and the
 * range rate of a pixel. Sources: NGA.STND.0024-1 (SICD Volume 1), section 4.10; NGA.STND.0024-3 (SICD Volume 3, Image Projections), sections
 * 4 (ranges and range rates of the kinds of grids) and 9 (points at a constant height). The equations are solved by Newton's method.
 */
import { inputError, RadarError } from "@dechirp/core";
import { createLocalFrame, ecefToGeodetic, type Vector3 } from "@dechirp/radar/geodesy";
import type { SicdMetadata, SicdScpCoa } from "./sicd-metadata.ts";
import {
  cross,
  derivative,
  dot,
  minus,
  norm,
  pathAt,
  pathDerivative,
  plus,
  scaled,
  solve3,
  unit,
  valueAt,
  valueAt2,
} from "./sicd-vectors.ts";

const degrees = 180 / Math.PI;

/** The places that a pixel can show: those with its range and its range rate as seen from the radar at the centre of the pixel's aperture. */
export interface RangeContour {
  /** Position of the aperture reference point, Earth-fixed. */
  readonly positionMeters: Vector3;
  readonly velocityMetersPerSecond: Vector3;
  readonly rangeMeters: number;
  /** Negative while the radar approaches. */
  readonly rangeRateMetersPerSecond: number;
}

/** Unit vector up at an Earth-fixed position. */
export const upAt = (positionMeters: Vector3): Vector3 => createLocalFrame(positionMeters).axes[2];

/** +1 if a radar that moves with a velocity sees a place on its left, −1 if on its right. */
export const sideOf = (position: Vector3, velocity: Vector3, place: Vector3): 1 | -1 =>
  dot(cross(position, velocity), minus(place, position)) >= 0 ? 1 : -1;

/** The geometry of an image at the scene centre point (SCPCOA), computed from its path and its time. */
export function sicdScpCoa({ path, grid, scp }: Pick<SicdMetadata, "path" | "grid" | "scp">): SicdScpCoa {
  const seconds = grid.timeOfAperture[0][0];
  const velocities = pathDerivative(path);
  const [position, velocity] = [pathAt(path, seconds), pathAt(velocities, seconds)];
  const target = scp.ecefMeters;
  const line = minus(target, position);
  const sight = unit(line);
  const look = sideOf(position, velocity, target);
  const [east, north, up] = createLocalFrame(target).axes;
  /** The normal of the slant plane, up. */
  const normal = unit(scaled(cross(velocity, sight), look));
  /** On the ground from the scene centre point to the radar, and across. */
  const towards = scaled(sight, -1);
  const ahead = unit(plus(towards, up, -dot(towards, up)));
  const across = cross(up, ahead);
  const grazing = Math.asin(dot(towards, up)) * degrees;
  const layover = plus(up, normal, -1 / dot(up, normal));
  const bearing = (direction: Vector3): number => (((Math.atan2(dot(direction, east), dot(direction, north)) * degrees) % 360) + 360) % 360;
  return {
    seconds,
    positionMeters: position,
    velocityMetersPerSecond: velocity,
    accelerationMetersPerSecond2: pathAt(pathDerivative(velocities), seconds),
    side: look > 0 ? "L" : "R",
    slantRangeMeters: norm(line),
    groundRangeMeters: norm(target) * Math.acos(dot(unit(target), unit(position))),
    dopplerConeDegrees: Math.acos(dot(unit(velocity), sight)) * degrees,
    grazingDegrees: grazing,
    incidenceDegrees: 90 - grazing,
    twistDegrees: -Math.asin(dot(across, normal)) * degrees,
    slopeDegrees: Math.acos(dot(up, normal)) * degrees,
    azimuthDegrees: bearing(ahead),
    layoverDegrees: bearing(layover),
  };
}

/**
 * The function that gives the range contour at (x, y), metres from the scene centre point along rows' and columns' increasing index. Throws
 * `input` for images whose grid it does not know, and for bistatic ones.
 */
export function sicdContours(metadata: SicdMetadata): (x: number, y: number) => RangeContour {
  const { path, grid, scp, inca, pfa, processing, collection } = metadata;
  if (collection.type !== "MONOSTATIC") throw inputError("metadata.collection.type", "MONOSTATIC", collection.type);
  const velocities = pathDerivative(path);
  const at = (seconds: number) => ({ positionMeters: pathAt(path, seconds), velocityMetersPerSecond: pathAt(velocities, seconds) });
  const timeOf = (x: number, y: number): number => valueAt2(grid.timeOfAperture, x, y);
  if (grid.type === "RGZERO" && inca) {
    return (x, y) => {
      const seconds = timeOf(x, y);
      const closest = valueAt(inca.timeOfClosestApproach, y);
      const range = inca.closestRangeMeters + x;
      const rate = valueAt2(inca.dopplerRateScale, x, y) * norm(pathAt(velocities, closest)) ** 2;
      const rangeMeters = Math.sqrt(range ** 2 + rate * (seconds - closest) ** 2);
      return { ...at(seconds), rangeMeters, rangeRateMetersPerSecond: (rate * (seconds - closest)) / rangeMeters };
    };
  }
  if (grid.type === "RGAZIM" && pfa && processing.algorithm === "PFA") {
    const [angleRate, scaleRate] = [derivative(pfa.polarAngle), derivative(pfa.frequencyScale)];
    return (x, y) => {
      const seconds = timeOf(x, y);
      const platform = at(seconds);
      const angle = valueAt(pfa.polarAngle, seconds);
      const [along, turned] = [x * Math.cos(angle) + y * Math.sin(angle), y * Math.cos(angle) - x * Math.sin(angle)];
      const scale = valueAt(pfa.frequencyScale, angle);
      const line = minus(platform.positionMeters, scp.ecefMeters);
      const change = (valueAt(scaleRate, angle) * along + scale * turned) * valueAt(angleRate, seconds);
      return {
        ...platform,
        rangeMeters: norm(line) + scale * along,
        rangeRateMetersPerSecond: dot(platform.velocityMetersPerSecond, line) / norm(line) + change,
      };
    };
  }
  if (["PLANE", "XRGYCR", "XCTYAT"].includes(grid.type)) {
    return (x, y) => {
      const platform = at(timeOf(x, y));
      const line = minus(platform.positionMeters, plus(plus(scp.ecefMeters, grid.row.unitVector, x), grid.column.unitVector, y));
      const rangeMeters = norm(line);
      return { ...platform, rangeMeters, rangeRateMetersPerSecond: dot(platform.velocityMetersPerSecond, line) / rangeMeters };
    };
  }
  throw inputError("metadata.grid.type", "PLANE, XRGYCR, XCTYAT, RGZERO with INCA, or RGAZIM with PFA", grid.type);
}

/** A place of a SICD image, in pixels of the image in the file. Fractions are allowed. */
export interface SicdPixel {
  readonly row: number;
  readonly column: number;
}

/** Metres from the scene centre point of a pixel. */
const metersOf = ({ image, scp, grid }: SicdMetadata, { row, column }: SicdPixel): readonly [x: number, y: number] => [
  (row + image.firstRow - scp.row) * grid.row.spacingMeters,
  (column + image.firstColumn - scp.column) * grid.column.spacingMeters,
];

/** Steps of Newton's method. Four suffice where it converges. */
const mostTurns = 30;
const precisionMeters = 1e-6;

/**
 * The point with the range and the range rate of a contour at a height above the ellipsoid, on the side of the path where `near` is, from
 * which the search begins. Undefined if there is none.
 */
export function pointAtHeight(contour: RangeContour, heightMeters: number, near: Vector3): Vector3 | undefined {
  const { positionMeters: radar, velocityMetersPerSecond: velocity, rangeMeters, rangeRateMetersPerSecond: rate } = contour;
  let point = near;
  for (let turn = 0; turn < mostTurns; turn++) {
    const line = minus(point, radar);
    const height = ecefToGeodetic(point).heightMeters;
    const range = norm(line);
    const misses: Vector3 = [rangeMeters - range, -rate * rangeMeters - dot(velocity, line), heightMeters - height];
    const step = solve3([scaled(line, 1 / range), velocity, upAt(point)], misses);
    if (!step || !(norm(step) < 1e8) || !(norm(plus(point, step)) > 2e6)) return undefined;
    point = plus(point, step);
    if (norm(step) < precisionMeters) return sideOf(radar, velocity, point) === sideOf(radar, velocity, near) ? point : undefined;
  }
  return undefined;
}

/**
 * The place on the ground that a pixel shows: the Earth-fixed point at a height above the WGS 84 ellipsoid (default: that of the scene centre
 * point) that has the pixel's range and range rate. Throws `input` for a pixel that shows no such point.
 */
export function sicdToGround(metadata: SicdMetadata, pixel: SicdPixel, heightMeters = metadata.scp.geodetic.heightMeters): Vector3 {
  const [x, y] = metersOf(metadata, pixel);
  const point = pointAtHeight(sicdContours(metadata)(x, y), heightMeters, metadata.scp.ecefMeters);
  if (!point) throw inputError("pixel", `one that shows a point at a height of ${heightMeters} m`, pixel);
  return point;
}

/**
 * The pixel in which a place appears, in fractions of pixels; it may lie outside the image. `positionMeters` is Earth-fixed. Throws `input`
 * for places that the image's geometry does not reach.
 */
export function groundToSicd(metadata: SicdMetadata, positionMeters: Vector3): SicdPixel {
  const contours = sicdContours(metadata);
  const { image, scp, grid } = metadata;
  /** How much farther away, and how much faster to go away, the place is than what is seen at (x, y). */
  const misses = (x: number, y: number): readonly [number, number] => {
    const { positionMeters: radar, velocityMetersPerSecond: velocity, rangeMeters, rangeRateMetersPerSecond } = contours(x, y);
    const line = minus(radar, positionMeters);
    return [norm(line) - rangeMeters, dot(velocity, line) / norm(line) - rangeRateMetersPerSecond];
  };
  let [x, y] = [0, 0];
  for (let turn = 0; turn < mostTurns; turn++) {
    const [range, rate] = misses(x, y);
    const [left, right] = [misses(x - 1, y), misses(x + 1, y)];
    const [below, above] = [misses(x, y - 1), misses(x, y + 1)];
    const [rx, vx] = [(right[0] - left[0]) / 2, (right[1] - left[1]) / 2];
    const [ry, vy] = [(above[0] - below[0]) / 2, (above[1] - below[1]) / 2];
    const determinant = rx * vy - ry * vx;
    const [dx, dy] = [-(range * vy - rate * ry) / determinant, -(rate * rx - range * vx) / determinant];
    if (!(Math.hypot(dx, dy) < 1e8)) break;
    [x, y] = [x + dx, y + dy];
    if (Math.hypot(dx, dy) < precisionMeters)
      return {
        row: x / grid.row.spacingMeters + scp.row - image.firstRow,
        column: y / grid.column.spacingMeters + scp.column - image.firstColumn,
      };
  }
  throw new RadarError("input", "positionMeters must be a place that the image's geometry reaches", {
    field: "positionMeters",
    expected: "a place that the image's geometry reaches",
    actual: positionMeters,
  });
}
