/**
 * Where the pixels of an image are on earth, as plain JSON: on a map, on a plane in space, or at times and slant ranges of a platform. Sinks
 * of `io` store it (`ImageMetadata`), and `sar` makes maps of it. Positions are Earth-fixed (ECEF, WGS 84); see `@dechirp/radar/geodesy`.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import type { Vector3 } from "./geodesy/ellipsoid.ts";
import { isUtmEpsg } from "./geodesy/epsg.ts";
import type { Orbit } from "./stripmap.ts";

/** Pixels at regular places of a map. */
export interface MapPlacement {
  readonly kind: "map";
  /** 4326, whose x is the longitude and y the latitude in degrees, or a UTM zone on WGS 84 (326zz, 327zz), in metres. */
  readonly epsg: number;
  /** Map coordinates of the centre of pixel (0, 0). */
  readonly origin: readonly [x: number, y: number];
  /** Change of x from a column to the next; positive: columns go east. */
  readonly columnStep: number;
  /** Change of y from a row to the next; negative if rows go south. */
  readonly rowStep: number;
  /** Height above the ellipsoid of what the map shows. Default: 0. */
  readonly heightMeters?: number;
}

/** Where a platform is at one time, and how it moves, Earth-fixed. */
export interface PlatformPoint {
  readonly positionMeters: Vector3;
  readonly velocityMetersPerSecond: Vector3;
}

/** Pixels at regular places of a plane in space: pixel (row, column) lies at origin + row·rowStep + column·columnStep. */
export interface PlanePlacement {
  readonly kind: "plane";
  /** Whether the plane is the ground at the scene, or contains the line of sight and the flight direction. */
  readonly plane: "ground" | "slant";
  /** Earth-fixed position of the centre of pixel (0, 0). */
  readonly originMeters: Vector3;
  /** From a row to the next, Earth-fixed. */
  readonly rowStepMeters: Vector3;
  /** From a column to the next, Earth-fixed. */
  readonly columnStepMeters: Vector3;
  /** The platform at the centre of the aperture, from which the image was seen. Slant planes need it to become maps. */
  readonly platform?: PlatformPoint;
}

/** The path of a platform as polynomials of time. */
export interface PlatformPolynomial {
  readonly kind: "polynomial";
  /** The time that the polynomials count from. Default: 0. */
  readonly originSeconds?: number;
  /** Coefficients of x, y and z, from that of power 0 on, in metres per second to the power. Earth-fixed; 1 to 16 of each. */
  readonly coefficients: readonly [x: readonly number[], y: readonly number[], z: readonly number[]];
  /** First and last time for which they hold. Default: they hold for the image. */
  readonly validSeconds?: readonly [first: number, last: number];
}

/** The path of a platform as state vectors, four or more. */
export interface PlatformStates extends Orbit {
  readonly kind: "states";
}

/** Coordinates of rows or columns: first + index · step. */
export interface PlacementAxis {
  /** Coordinate of row or column 0. */
  readonly first: number;
  /** From one to the next; may be negative. */
  readonly step: number;
}

/**
 * Pixels at zero-Doppler times and slant ranges: a pixel shows what was at its slant range, on the side that the radar looks to, when the
 * range rate was 0. Rows are times, columns are ranges.
 */
export interface SlantPlacement {
  readonly kind: "slant";
  /** The platform against time, Earth-fixed. */
  readonly platform: PlatformPolynomial | PlatformStates;
  /** Zero-Doppler time of rows, on the time axis of `platform`. */
  readonly azimuthSeconds: PlacementAxis;
  /** One-way slant range of columns. */
  readonly slantRangeMeters: PlacementAxis;
  /** The side of the flight direction that the radar looks to. */
  readonly lookSide: "left" | "right";
}

/** Where the pixels of an image are on earth. */
export type ImagePlacement = MapPlacement | PlanePlacement | SlantPlacement;

const fieldsOf: { readonly [K in ImagePlacement["kind"]]: FieldsOf<Extract<ImagePlacement, { kind: K }>> } = {
  map: { kind: "string", epsg: "number", origin: "object", columnStep: "number", rowStep: "number", heightMeters: "number" },
  plane: {
    kind: "string",
    plane: "string",
    originMeters: "object",
    rowStepMeters: "object",
    columnStepMeters: "object",
    platform: "object",
  },
  slant: { kind: "string", platform: "object", azimuthSeconds: "object", slantRangeMeters: "object", lookSide: "string" },
};

const polynomialFields: FieldsOf<PlatformPolynomial> = {
  kind: "string",
  originSeconds: "number",
  coefficients: "object",
  validSeconds: "object",
};
const statesFields: FieldsOf<PlatformStates> = {
  kind: "string",
  timesSeconds: "object",
  positionsMeters: "object",
  velocitiesMetersPerSecond: "object",
};
/** Coordinates, speeds and coefficients are at most this. */
const largest = 1e12;
const mostCoefficients = 16;
const [leastStates, mostStates] = [4, 65536];

/**
 * Throws `input`, naming the field as `FIELD.NAME`, unless a placement is valid. What it says of an image's size, such as whether a map is
 * large enough to leave the earth, is not checked.
 */
export function checkPlacement(placement: ImagePlacement, field = "placement"): void {
  checkObject(placement, field, "input");
  const kinds = Object.keys(fieldsOf);
  if (!kinds.includes(placement.kind)) throw inputError(`${field}.kind`, kinds.join(" or "), placement.kind);
  checkFields(
    placement,
    fieldsOf[placement.kind] as FieldsOf<ImagePlacement>,
    `a placement of kind ${placement.kind}`,
    "input",
    `${field}.`,
  );
  if (placement.kind === "map") checkMap(placement, field);
  else if (placement.kind === "plane") checkPlane(placement, field);
  else checkSlant(placement, field);
}

function checkMap(placement: MapPlacement, field: string): void {
  const { epsg, origin, columnStep, rowStep, heightMeters } = placement;
  if (epsg !== 4326 && !isUtmEpsg(epsg))
    throw inputError(`${field}.epsg`, "4326, or the code of a UTM zone on WGS 84 (32601 to 32660, 32701 to 32760)", epsg);
  checkNumbers(origin, 2, `${field}.origin`);
  if (!(columnStep > 0 && columnStep <= largest)) throw inputError(`${field}.columnStep`, "a positive number", columnStep);
  checkNumber(rowStep, `${field}.rowStep`, true);
  if (heightMeters !== undefined) checkNumber(heightMeters, `${field}.heightMeters`);
}

function checkPlane(placement: PlanePlacement, field: string): void {
  const { plane, platform, rowStepMeters: u, columnStepMeters: v } = placement;
  if (plane !== "ground" && plane !== "slant") throw inputError(`${field}.plane`, "ground or slant", plane);
  for (const name of ["originMeters", "rowStepMeters", "columnStepMeters"] as const) checkNumbers(placement[name], 3, `${field}.${name}`);
  const area = Math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
  if (!(Math.hypot(...u) > 0)) throw inputError(`${field}.rowStepMeters`, "longer than zero", u);
  if (!(area > 1e-6 * Math.hypot(...u) * Math.hypot(...v)))
    throw inputError(`${field}.columnStepMeters`, "longer than zero, and not along rowStepMeters", v);
  if (platform === undefined) return;
  const at = `${field}.platform`;
  checkFields(platform, { positionMeters: "object", velocityMetersPerSecond: "object" }, "a platform", "input", `${at}.`);
  checkNumbers(platform.positionMeters, 3, `${at}.positionMeters`);
  checkNumbers(platform.velocityMetersPerSecond, 3, `${at}.velocityMetersPerSecond`);
  if (!(Math.hypot(...platform.velocityMetersPerSecond) > 0))
    throw inputError(`${at}.velocityMetersPerSecond`, "faster than zero", platform.velocityMetersPerSecond);
}

function checkSlant({ platform, lookSide, ...axes }: SlantPlacement, field: string): void {
  checkPath(platform, `${field}.platform`);
  for (const name of ["azimuthSeconds", "slantRangeMeters"] as const) {
    const at = `${field}.${name}`;
    checkObject(axes[name], at, "input");
    checkFields(axes[name], { first: "number", step: "number" }, "an axis", "input", `${at}.`);
    checkNumber(axes[name].first, `${at}.first`);
    checkNumber(axes[name].step, `${at}.step`, true);
  }
  if (!(axes.slantRangeMeters.first > 0))
    throw inputError(`${field}.slantRangeMeters.first`, "a positive number", axes.slantRangeMeters.first);
  if (lookSide !== "left" && lookSide !== "right") throw inputError(`${field}.lookSide`, "left or right", lookSide);
}

function checkPath(path: PlatformPolynomial | PlatformStates, field: string): void {
  checkObject(path, field, "input");
  if (path.kind === "polynomial") {
    checkFields(path, polynomialFields, "a platform of kind polynomial", "input", `${field}.`);
    const { coefficients, originSeconds = 0, validSeconds } = path;
    checkNumber(originSeconds, `${field}.originSeconds`);
    if (!Array.isArray(coefficients) || coefficients.length !== 3)
      throw inputError(`${field}.coefficients`, "three lists, of x, y and z", coefficients);
    coefficients.forEach((list, k) => {
      const count = Array.isArray(list) ? list.length : 0;
      if (count < 1 || count > mostCoefficients) throw inputError(`${field}.coefficients[${k}]`, `1 to ${mostCoefficients} numbers`, list);
      checkNumbers(list, count, `${field}.coefficients[${k}]`);
    });
    if (validSeconds === undefined) return;
    checkNumbers(validSeconds, 2, `${field}.validSeconds`);
    if (!(validSeconds[1] > validSeconds[0]))
      throw inputError(`${field}.validSeconds`, "two times, the first before the last", validSeconds);
    return;
  }
  if (path.kind !== "states") throw inputError(`${field}.kind`, "polynomial or states", (path as { kind?: unknown }).kind);
  checkFields(path, statesFields, "a platform of kind states", "input", `${field}.`);
  const { timesSeconds: times, positionsMeters, velocitiesMetersPerSecond } = path;
  const count = Array.isArray(times) ? times.length : 0;
  if (count < leastStates || count > mostStates) throw inputError(`${field}.timesSeconds`, `${leastStates} to ${mostStates} times`, times);
  checkNumbers(times, count, `${field}.timesSeconds`);
  for (let i = 1; i < count; i++)
    if (!(times[i] > times[i - 1])) throw inputError(`${field}.timesSeconds[${i}]`, `after ${times[i - 1]}, the time before it`, times[i]);
  for (const [name, list] of Object.entries({ positionsMeters, velocitiesMetersPerSecond })) {
    if (list === undefined && name === "velocitiesMetersPerSecond") continue;
    if (!Array.isArray(list) || list.length !== count) throw inputError(`${field}.${name}`, `${count} vectors, one for each time`, list);
    list.forEach((vector: ArrayLike<number>, i) => void checkNumbers(vector, 3, `${field}.${name}[${i}]`));
  }
}

function checkNumber(value: number, field: string, notZero = false): void {
  if (!(typeof value === "number" && Math.abs(value) <= largest && (value !== 0 || !notZero)))
    throw inputError(field, `a number of at most ${largest}${notZero ? ", different from 0" : ""}`, value);
}

function checkNumbers(list: ArrayLike<number>, count: number, field: string): void {
  if (!Array.isArray(list) || list.length !== count) throw inputError(field, `${count} numbers`, list);
  for (let i = 0; i < count; i++) checkNumber(list[i], `${field}[${i}]`);
}
