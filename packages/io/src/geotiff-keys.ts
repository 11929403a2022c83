/**
 * Where an image is on earth, as the fields of a GeoTIFF file. Maps become their EPSG codes. A plane on the ground becomes an orthographic
 * map around its middle, which is what a local tangent plane is. Images in slant range have no map; they can have ground control points.
 * Source: OGC GeoTIFF standard 19-008r4; for the orthographic projection of the ellipsoid, EPSG guidance note 7-2, method 9840.
 */
import { inputError, type Layout, RadarError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import type { ImagePlacement, MapPlacement, PlanePlacement } from "@dechirp/radar";
import { createLocalFrame, ecefToGeodetic, geodeticToEcef, type Vector3 } from "@dechirp/radar/geodesy";
import type { TiffField } from "./geotiff-tags.ts";

/** A place on earth that a pixel shows. */
export interface GroundControlPoint {
  /** Index of the row; the centre of the first row is 0. */
  readonly row: number;
  /** Index of the column; the centre of the first column is 0. */
  readonly column: number;
  readonly latitudeDegrees: number;
  readonly longitudeDegrees: number;
  /** Height above the ellipsoid. Default: 0. */
  readonly heightMeters?: number;
}

/** What a file says of the place of its image. */
export interface GeoFields {
  readonly fields: readonly TiffField[];
  /** Whether rows are stored from the last to the first, so that the map has north up. */
  readonly flipped: boolean;
  /** Items of the file's metadata. */
  readonly items: Readonly<Record<string, string>>;
}

const pointFields: FieldsOf<GroundControlPoint> = {
  row: "number",
  column: "number",
  latitudeDegrees: "number",
  longitudeDegrees: "number",
  heightMeters: "number",
};
/** Number of control points. Software fits polynomials to them and needs few. */
const [leastPoints, mostPoints] = [3, 4096];
/** A plane is a local tangent plane if pixels are displaced on the map by at most this part of a pixel. */
const mostDisplacement = 0.1;

/** The fields of an image's place. Throws `input` if it has none that GeoTIFF can say, or for bad control points. */
export function geoFields(
  { shape }: Layout,
  placement: ImagePlacement | undefined,
  points: readonly GroundControlPoint[] | undefined,
  file: string,
): GeoFields {
  if (points !== undefined) {
    checkPoints(points);
    const values = points.flatMap((p) => [p.column + 0.5, p.row + 0.5, 0, p.longitudeDegrees, p.latitudeDegrees, p.heightMeters ?? 0]);
    return { fields: [{ tag: 33922, type: "double", values }, ...keyFields(geographicKeys)], flipped: false, items: {} };
  }
  if (placement === undefined) return { fields: [], flipped: false, items: {} };
  if (placement.kind === "map") return mapFields(shape[0], placement);
  if (placement.kind === "plane" && placement.plane === "ground") return planeFields(shape, placement, file);
  const expected = "geocoded, or given controlPoints";
  const message = `${file}: an image in slant range has no map: it must be ${expected}`;
  throw new RadarError("input", message, { file, field: "metadata.placement", expected, actual: placement.kind });
}

function checkPoints(points: readonly GroundControlPoint[]): void {
  if (!Array.isArray(points) || points.length < leastPoints || points.length > mostPoints)
    throw inputError("controlPoints", `a list of ${leastPoints} to ${mostPoints} points`, points);
  points.forEach((point, i) => {
    const field = `controlPoints[${i}]`;
    checkObject(point, field, "input");
    checkFields(point, pointFields, "a control point", "input", `${field}.`);
    for (const name of ["row", "column", "latitudeDegrees", "longitudeDegrees"] as const)
      if (!Number.isFinite(point[name])) throw inputError(`${field}.${name}`, "a finite number", point[name]);
    if (!(Math.abs(point.latitudeDegrees) <= 90)) throw inputError(`${field}.latitudeDegrees`, "from -90 to 90", point.latitudeDegrees);
    if (!Number.isFinite(point.heightMeters ?? 0)) throw inputError(`${field}.heightMeters`, "a finite number", point.heightMeters);
  });
}

/** A key and its value: a short integer, or one number of the list of doubles. */
type Key = readonly [id: number, value: number, kind?: "double"];

// Keys and codes that are used: 1024 model (1 projected, 2 geographic), 1025 raster (1 pixel is area), 2048 geographic CRS, 2054 angular unit
// (9102 degree), 3072 projected CRS (32767 user-defined), 3074 projection, 3075 method (21 orthographic), 3076 linear unit (9001 metre),
// 3082 and 3083 false easting and northing, 3088 and 3089 longitude and latitude of the centre.
const geographicKeys: readonly Key[] = [
  [1024, 2],
  [1025, 1],
  [2048, 4326],
  [2054, 9102],
];

function keyFields(keys: readonly Key[], text?: string): TiffField[] {
  const doubles = keys.filter(([, , kind]) => kind === "double").map(([, value]) => value);
  const entries: number[][] = keys.map(([id, value, kind]) =>
    kind === "double" ? [id, 34736, 1, doubles.indexOf(value)] : [id, 0, 1, value],
  );
  // 1026 is the name of the map.
  if (text) entries.push([1026, 34737, text.length + 1, 0]);
  entries.sort((a, b) => a[0] - b[0]);
  return [
    { tag: 34735, type: "short", values: [1, 1, 0, entries.length, ...entries.flat()] },
    ...(doubles.length > 0 ? [{ tag: 34736, type: "double", values: doubles } as const] : []),
    ...(text ? [{ tag: 34737, type: "ascii", text: `${text}|` } as const] : []),
  ];
}

function mapFields(rows: number, { epsg, origin, columnStep, rowStep, heightMeters }: MapPlacement): GeoFields {
  const keys: readonly Key[] =
    epsg === 4326
      ? geographicKeys
      : [
          [1024, 1],
          [1025, 1],
          [3072, epsg],
          [3076, 9001],
        ];
  const flipped = rowStep > 0;
  const down = Math.abs(rowStep);
  const top = flipped ? origin[1] + (rows - 1) * rowStep : origin[1];
  return {
    fields: [
      { tag: 33550, type: "double", values: [columnStep, down, 0] },
      { tag: 33922, type: "double", values: [0, 0, 0, origin[0] - columnStep / 2, top + down / 2, 0] },
      ...keyFields(keys),
    ],
    flipped,
    items: heightMeters === undefined ? {} : { HEIGHT_ABOVE_ELLIPSOID_METERS: String(heightMeters) },
  };
}

/** Geographic places of the plane's pixels become places on an orthographic map; the best affine map from pixels to these is stored. */
function planeFields([rows, columns]: readonly number[], plane: PlanePlacement, file: string): GeoFields {
  const { originMeters: o, rowStepMeters: u, columnStepMeters: v } = plane;
  const at = (row: number, column: number): Vector3 => [
    o[0] + row * u[0] + column * v[0],
    o[1] + row * u[1] + column * v[1],
    o[2] + row * u[2] + column * v[2],
  ];
  const middle = [(rows - 1) / 2, (columns - 1) / 2] as const;
  const centre = ecefToGeodetic(at(...middle));
  const { latitudeDegrees, longitudeDegrees, heightMeters } = centre;
  const frame = createLocalFrame({ latitudeDegrees, longitudeDegrees });
  const toMap = (row: number, column: number): readonly [x: number, y: number] => {
    const [x, y] = frame.toLocal(geodeticToEcef({ ...ecefToGeodetic(at(row, column)), heightMeters: 0 }));
    return [x, y];
  };
  // Slopes across the whole image, which the affine map has exactly at the middles of its sides.
  const slope = (ends: readonly (readonly [x: number, y: number])[], count: number): readonly [x: number, y: number] =>
    [0, 1].map((k) => (ends[1][k] - ends[0][k]) / count) as [number, number];
  const [reachRow, reachColumn] = [Math.max(rows - 1, 1) / 2, Math.max(columns - 1, 1) / 2];
  const perRow = slope([toMap(middle[0] - reachRow, middle[1]), toMap(middle[0] + reachRow, middle[1])], 2 * reachRow);
  const perColumn = slope([toMap(middle[0], middle[1] - reachColumn), toMap(middle[0], middle[1] + reachColumn)], 2 * reachColumn);
  const [x0, y0] = toMap(...middle);
  const corner = [x0, y0].map((z, k) => z - (middle[0] + 0.5) * perRow[k] - (middle[1] + 0.5) * perColumn[k]);
  const pixelMeters = Math.min(Math.hypot(...perRow), Math.hypot(...perColumn));
  let displaced = 0;
  for (let i = 0; i <= 4; i++)
    for (let k = 0; k <= 4; k++) {
      const [row, column] = [((rows - 1) * i) / 4, ((columns - 1) * k) / 4];
      const place = toMap(row, column);
      const found = [0, 1].map((n) => corner[n] + (row + 0.5) * perRow[n] + (column + 0.5) * perColumn[n] - place[n]);
      displaced = Math.max(displaced, Math.hypot(...found) / pixelMeters);
    }
  if (!(displaced <= mostDisplacement)) {
    const expected = `within ${mostDisplacement} pixels of a local tangent plane, or geocoded`;
    const message = `${file}: the image must be ${expected}; the map of its plane is wrong by ${displaced.toPrecision(3)} pixels`;
    throw new RadarError("input", message, { file, field: "metadata.placement", expected, actual: displaced });
  }
  const [a, b, d, e] = [perColumn[0], perRow[0], perColumn[1], perRow[1]];
  return {
    fields: [
      { tag: 34264, type: "double", values: [a, b, 0, corner[0], d, e, 0, corner[1], 0, 0, 0, 0, 0, 0, 0, 1] },
      ...keyFields(
        [
          [1024, 1],
          [1025, 1],
          [2048, 4326],
          [2054, 9102],
          [3072, 32767],
          [3074, 32767],
          [3075, 21],
          [3076, 9001],
          [3082, 0, "double"],
          [3083, 0, "double"],
          [3088, longitudeDegrees, "double"],
          [3089, latitudeDegrees, "double"],
        ],
        "Local tangent plane (orthographic)",
      ),
    ],
    flipped: false,
    items: { HEIGHT_ABOVE_ELLIPSOID_METERS: String(heightMeters) },
  };
}
