/** The map that an image becomes: its bounds, from the ground that the image's edges show; and ground control points. */
import { inputError } from "@dechirp/core";
import { checkFields } from "@dechirp/core/internal";
import type { ImagePlacement, MapPlacement } from "@dechirp/radar";
import { ecefToGeodetic, type GeodeticPosition, mapProjection, utmEpsg, type Vector3 } from "@dechirp/radar/geodesy";
import { length } from "../orbit.ts";
import { createImageGeometry, type ImageGeometry } from "./geometry.ts";

/** Options of `mapOfImage`. */
export interface MapOfImageOptions {
  /** 4326, or a UTM zone on WGS 84. Default: the UTM zone of the image's middle. */
  readonly epsg?: number;
  /** Side of a pixel, in metres or, for 4326, in degrees. Default: the longer of a row's and a column's step on the ground. */
  readonly step?: number;
  /** Height of the ground above the ellipsoid. Default: 0. */
  readonly heightMeters?: number;
}

/** A map and its size. */
export interface GeocodedMap {
  /** Rows go south. Coordinates of pixels are multiples of the step. */
  readonly placement: MapPlacement;
  readonly rows: number;
  readonly columns: number;
}

/** Points of each edge of an image, from which bounds are found. */
const edgePoints = 33;
/** A map has at most so many pixels along a side, and in all. */
const mostSide = 2 ** 24;
const mostPixels = 2 ** 36;
const metersPerDegree = 111_320;

/** Throws `input` unless `shape` is [rows, columns]. */
export function checkShape(shape: readonly number[], field = "shape"): void {
  const valid = Array.isArray(shape) && shape.length === 2 && shape.every((side) => Number.isSafeInteger(side) && side > 0);
  if (!valid) throw inputError(field, "two positive integers, [rows, columns]", shape);
}

/** The ground that a pixel shows. Throws `input` if it shows none. */
function groundOf(geometry: ImageGeometry, row: number, column: number, heightMeters: number): Vector3 {
  const place = geometry.toGround(row, column, heightMeters);
  if (!place) throw inputError("placement", `that of an image of the ground at ${heightMeters} m`, `pixel (${row}, ${column})`);
  return place;
}

/**
 * The smallest map that has all of an image [rows][columns], seen on the ground at a height. Throws `input` for bad options, for a placement
 * from which no geometry can be made, if an edge of the image does not see the ground, and if the map would be too large.
 */
export function mapOfImage(
  placement: ImagePlacement,
  shape: readonly [rows: number, columns: number],
  options: MapOfImageOptions = {},
): GeocodedMap {
  checkFields(options, { epsg: "number", step: "number", heightMeters: "number" }, "the options of mapOfImage");
  checkShape(shape);
  const { heightMeters = 0 } = options;
  if (!(Math.abs(heightMeters) <= 1e5)) throw inputError("heightMeters", "a number of at most 100000", heightMeters);
  const [rows, columns] = shape;
  const geometry = createImageGeometry(placement, rows);
  const at = (row: number, column: number): Vector3 => groundOf(geometry, row, column, heightMeters);
  const middle = at((rows - 1) / 2, (columns - 1) / 2);
  const centre = ecefToGeodetic(middle);
  const { epsg = utmEpsg(centre) } = options;
  const map = mapProjection(epsg);
  const distance = (a: Vector3): number => length([a[0] - middle[0], a[1] - middle[1], a[2] - middle[2]]);
  const usual = Math.max(distance(at((rows + 1) / 2, (columns - 1) / 2)), distance(at((rows - 1) / 2, (columns + 1) / 2)));
  const { step = map.unit === "m" ? usual : usual / metersPerDegree } = options;
  if (!(step > 0 && Number.isFinite(step))) throw inputError("step", "a positive number", step);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const take = (row: number, column: number): void => {
    const [x, y] = map.toMap(ecefToGeodetic(at(row, column)), centre.longitudeDegrees);
    [west, east, south, north] = [Math.min(west, x), Math.max(east, x), Math.min(south, y), Math.max(north, y)];
  };
  for (let i = 0; i < edgePoints; i++) {
    const [row, column] = [((rows - 1) * i) / (edgePoints - 1), ((columns - 1) * i) / (edgePoints - 1)];
    for (const [r, c] of [
      [row, 0],
      [row, columns - 1],
      [0, column],
      [rows - 1, column],
    ])
      take(r, c);
  }
  const [left, top] = [Math.floor(west / step), Math.ceil(north / step)];
  const [width, height] = [Math.ceil(east / step) - left + 1, top - Math.floor(south / step) + 1];
  if (!(width <= mostSide && height <= mostSide))
    throw inputError("step", `so large that the map has at most ${mostSide} pixels a side`, step);
  if (!(width * height <= mostPixels))
    throw inputError("step", `so large that the map has at most ${mostPixels} pixels; it would have ${height} × ${width}`, step);
  return {
    placement: { kind: "map", epsg, origin: [left * step, top * step], columnStep: step, rowStep: -step, heightMeters },
    rows: height,
    columns: width,
  };
}

/** Options of `groundControlPoints`. */
export interface ControlPointOptions {
  /** Height of the ground above the ellipsoid. Default: 0. */
  readonly heightMeters?: number;
  /** Points along each side of the image, from 2 to 64. Default: 9. */
  readonly perSide?: number;
}

/**
 * Places on the ground that pixels of an image [rows][columns] show, in a lattice over the image, as `createGeoTiffSink` of
 * `@dechirp/io/geotiff` takes them. Throws `input` in the cases of `mapOfImage`.
 */
export function groundControlPoints(
  placement: ImagePlacement,
  shape: readonly [rows: number, columns: number],
  options: ControlPointOptions = {},
): readonly ({ readonly row: number; readonly column: number } & Required<GeodeticPosition>)[] {
  checkFields(options, { heightMeters: "number", perSide: "number" }, "the options of groundControlPoints");
  checkShape(shape);
  const { heightMeters = 0, perSide = 9 } = options;
  if (!(Math.abs(heightMeters) <= 1e5)) throw inputError("heightMeters", "a number of at most 100000", heightMeters);
  if (!(Number.isInteger(perSide) && perSide >= 2 && perSide <= 64)) throw inputError("perSide", "an integer from 2 to 64", perSide);
  const geometry = createImageGeometry(placement, shape[0]);
  return Array.from({ length: perSide * perSide }, (_, i) => {
    const row = ((shape[0] - 1) * Math.floor(i / perSide)) / (perSide - 1);
    const column = ((shape[1] - 1) * (i % perSide)) / (perSide - 1);
    return { row, column, ...ecefToGeodetic(groundOf(geometry, row, column, heightMeters)) };
  });
}
