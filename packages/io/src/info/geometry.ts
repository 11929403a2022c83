/** Where things are on earth, and how the radar saw them: from positions, placements and corners. */
import { RadarError } from "@dechirp/core";
import { checkPlacement, type ImagePlacement, type PlatformPolynomial, type PlatformStates } from "@dechirp/radar";
import { createLocalFrame, ecefToGeodetic, geodeticToEcef, type Vector3 } from "@dechirp/radar/geodesy";
import type { InfoPlace, InfoPosition, InfoView } from "./report.ts";
import type { DescribeOptions } from "./thing.ts";

/** Said of things whose place could be computed, if `describePlace` got no geometry. */
export const notComputed = "it states where on earth it is, but its place was not computed";

const degrees = 180 / Math.PI;
const dot = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vector3, b: Vector3): Vector3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const minus = (a: Vector3, b: Vector3): Vector3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
/** Direction clockwise from north, 0 to 360, of an Earth-fixed direction at a place. */
function bearing(place: Vector3, direction: Vector3): number {
  const [east, north] = createLocalFrame(place).directionToLocal(direction);
  return (((Math.atan2(east, north) * degrees) % 360) + 360) % 360;
}

/** How a radar at an Earth-fixed position, with a velocity, sees a target. Undefined if it does not move or is at the target. */
export function viewOf(position: Vector3, velocity: Vector3, target: Vector3): InfoView | undefined {
  const line = minus(position, target);
  const range = Math.hypot(...line);
  if (!(range > 0 && Math.hypot(...velocity) > 0 && Number.isFinite(range) && Math.hypot(...target) > 1e6)) return undefined;
  const { axes } = createLocalFrame(target);
  const grazing = Math.asin(Math.max(-1, Math.min(1, dot(line, axes[2]) / range))) * degrees;
  return {
    lookSide: dot(cross(position, velocity), line) < 0 ? "left" : "right",
    slantRangeMeters: range,
    incidenceDegrees: 90 - grazing,
    grazingDegrees: grazing,
    headingDegrees: bearing(position, velocity),
    azimuthDegrees: bearing(target, line),
    radar: ecefToGeodetic(position),
  };
}

/** Position and velocity of a platform at a time. States are joined by cubics. */
export function platformAt(path: PlatformPolynomial | PlatformStates, seconds: number): readonly [Vector3, Vector3] {
  if (path.kind === "polynomial") {
    const t = seconds - (path.originSeconds ?? 0);
    const at = (k: number, order: 0 | 1): number =>
      path.coefficients[k].reduce((sum, c, i) => sum + (order === 0 ? c * t ** i : i * c * t ** Math.max(0, i - 1)), 0);
    return [
      [at(0, 0), at(1, 0), at(2, 0)],
      [at(0, 1), at(1, 1), at(2, 1)],
    ];
  }
  const { timesSeconds: times, positionsMeters, velocitiesMetersPerSecond } = path;
  const last = times.length - 1;
  let i = 0;
  while (i < last - 1 && times[i + 1] <= seconds) i++;
  const vector = (list: ArrayLike<ArrayLike<number>>, n: number): Vector3 => [list[n][0], list[n][1], list[n][2]];
  const slope = (n: number): Vector3 => {
    if (velocitiesMetersPerSecond) return vector(velocitiesMetersPerSecond, n);
    const [from, to] = [Math.max(0, n - 1), Math.min(last, n + 1)];
    const moved = minus(vector(positionsMeters, to), vector(positionsMeters, from));
    return [0, 1, 2].map((k) => moved[k] / (times[to] - times[from])) as unknown as Vector3;
  };
  const step = times[i + 1] - times[i];
  const x = (seconds - times[i]) / step;
  const [p, q, v, w] = [vector(positionsMeters, i), vector(positionsMeters, i + 1), slope(i), slope(i + 1)];
  const joined = (a: number, b: number, c: number, d: number): Vector3 =>
    [0, 1, 2].map((k) => a * p[k] + b * q[k] + step * (c * v[k] + d * w[k])) as unknown as Vector3;
  return [
    joined(2 * x ** 3 - 3 * x ** 2 + 1, -2 * x ** 3 + 3 * x ** 2, x ** 3 - 2 * x ** 2 + x, x ** 3 - x ** 2),
    joined((6 * x ** 2 - 6 * x) / step, (-6 * x ** 2 + 6 * x) / step, (3 * x ** 2 - 4 * x + 1) / step, (3 * x ** 2 - 2 * x) / step),
  ];
}

/** What is known of the collection of an image beside its placement. */
export interface Collected {
  readonly platform?: PlatformPolynomial | PlatformStates;
  /** When the middle of the image was collected, on the platform's time axis. */
  readonly seconds?: number;
  /** Height of the ground that an image in slant range shows. Default: 0. */
  readonly heightMeters?: number;
}

/** The place of an image [rows][columns]. Undefined without the function that makes geometries. Throws `input` for a placement that is not valid or shows no ground. */
export async function placeOfPlacement(
  given: ImagePlacement,
  [rows, columns]: readonly number[],
  createGeometry: DescribeOptions["geometry"],
  { platform, seconds, heightMeters }: Collected = {},
): Promise<InfoPlace | undefined> {
  if (!createGeometry) return undefined;
  const placement = withPlatform(given, platform, seconds);
  checkPlacement(placement);
  const geometry = await createGeometry(placement, rows);
  const [middleRow, middleColumn] = [(rows - 1) / 2, (columns - 1) / 2];
  const height = heightMeters ?? usualHeight(placement, middleRow, middleColumn);
  const at = (row: number, column: number): Vector3 | undefined => geometry.toGround(row, column, height);
  const centre = at(middleRow, middleColumn);
  if (!centre) throw new RadarError("input", "the middle of the image shows no ground", { field: "placement" });
  const corners = outline(rows, columns).map(([row, column]) => at(row, column));
  const seen = corners.every((corner) => corner !== undefined) ? corners.map((corner) => positionOf(corner)) : undefined;
  const radar = radarOf(placement, middleRow, platform, seconds);
  const view = radar && viewOf(radar[0], radar[1], centre);
  return {
    centre: { ...positionOf(centre), heightMeters: height },
    ...(seen && { corners: seen }),
    ...(placement.kind === "map" && { epsg: placement.epsg }),
    ...(view && { view }),
  };
}

/** The placement of an image on a slant plane with the platform of its collection, if it has none of its own; others as they are. */
export function withPlatform(
  placement: ImagePlacement,
  platform: PlatformPolynomial | PlatformStates | undefined,
  seconds: number | undefined,
): ImagePlacement {
  if (placement?.kind !== "plane" || placement.plane !== "slant" || placement.platform || !platform || seconds === undefined)
    return placement;
  const [positionMeters, velocityMetersPerSecond] = platformAt(platform, seconds);
  return { ...placement, platform: { positionMeters, velocityMetersPerSecond } };
}

/** The outer corners of the pixels at the corners, one after another. */
export const outline = (rows: number, columns: number): readonly (readonly [row: number, column: number])[] => [
  [-0.5, -0.5],
  [-0.5, columns - 0.5],
  [rows - 0.5, columns - 0.5],
  [rows - 0.5, -0.5],
];

const positionOf = (ecef: Vector3): InfoPosition => {
  const { latitudeDegrees, longitudeDegrees } = ecefToGeodetic(ecef);
  return { latitudeDegrees, longitudeDegrees };
};

function usualHeight(placement: ImagePlacement, row: number, column: number): number {
  if (placement.kind === "map") return placement.heightMeters ?? 0;
  if (placement.kind === "slant") return 0;
  const { originMeters: o, rowStepMeters: u, columnStepMeters: v } = placement;
  const middle = [0, 1, 2].map((k) => o[k] + row * u[k] + column * v[k]) as unknown as Vector3;
  return ecefToGeodetic(middle).heightMeters;
}

function radarOf(
  placement: ImagePlacement,
  row: number,
  platform: PlatformPolynomial | PlatformStates | undefined,
  seconds: number | undefined,
): readonly [Vector3, Vector3] | undefined {
  if (placement.kind === "slant")
    return platformAt(placement.platform, placement.azimuthSeconds.first + row * placement.azimuthSeconds.step);
  if (placement.kind === "plane" && placement.platform)
    return [placement.platform.positionMeters, placement.platform.velocityMetersPerSecond];
  return platform && seconds !== undefined ? platformAt(platform, seconds) : undefined;
}

/** The Earth-fixed position of a place. */
export const ecefOf = ({ latitudeDegrees, longitudeDegrees, heightMeters = 0 }: InfoPosition): Vector3 =>
  geodeticToEcef({ latitudeDegrees, longitudeDegrees, heightMeters });
