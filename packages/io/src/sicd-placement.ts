/**
 * Where the pixels of a SICD image are, as the placements that dechirp's maps are made of. SICD projects every pixel by its own range, range
 * rate and time; a placement knows one platform for a plane, or zero-Doppler times at even steps. For spotlight images on planes both are the
 * same, and for others the difference is computed and stated. Source: NGA.STND.0024-3, SICD Volume 3, sections 4 and 9.
 */
import { inputError } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";
import type { PlanePlacement, SlantPlacement } from "@dechirp/radar";
import type { GeodeticPosition, Vector3 } from "@dechirp/radar/geodesy";
import { ecefToGeodetic } from "@dechirp/radar/geodesy";
import type { SicdMetadata } from "./sicd-metadata.ts";
import { groundToSicd, pointAtHeight, type RangeContour, sicdScpCoa, sicdToGround } from "./sicd-projection.ts";
import { dot, minus, norm, pathAt, pathDerivative, plus, scaled, valueAt } from "./sicd-vectors.ts";

/** Where the pixels of a SICD image are. */
export interface SicdPlacement {
  readonly placement: PlanePlacement | SlantPlacement;
  /** Whether rows of the placement are columns of the SICD image, and columns rows: so for placements of kind `slant`. */
  readonly isTransposed: boolean;
  /**
   * How far a place on the ground appears from where the SICD's own projection has it, in pixels: the most at nine pixels, those at corners,
   * middles of sides and the middle of the image, at the height of the scene centre point.
   */
  readonly errorPixels: number;
}

/** Coefficients of the platform's path that a placement may have. */
const mostCoefficients = 16;

/**
 * The placement of a SICD image. Images on planes and those in range and azimuth of the polar format algorithm become a plane with the
 * platform at the centre of the aperture; images in range and zero-Doppler time (RGZERO with INCA) become zero-Doppler times and slant
 * ranges. Throws `input`, which names the member, for bistatic images, grids of other kinds, and images whose corners show no ground.
 */
export function placementOfSicd(metadata: SicdMetadata): SicdPlacement {
  checkObject(metadata, "metadata", "input");
  const { image, scp, grid, inca } = metadata;
  const isSlant = grid?.type === "RGZERO" && inca !== undefined;
  const made = isSlant ? slantOf(metadata, inca) : planeOf(metadata);
  const rowOf = (row: number): number => (row + image.firstRow - scp.row) * grid.row.spacingMeters;
  const columnOf = (column: number): number => (column + image.firstColumn - scp.column) * grid.column.spacingMeters;
  const height = scp.geodetic.heightMeters;
  let errorPixels = 0;
  for (const row of [0, (image.rows - 1) / 2, image.rows - 1])
    for (const column of [0, (image.columns - 1) / 2, image.columns - 1]) {
      const place = sicdToGround(metadata, { row, column }, height);
      const found = pointAtHeight(made.contour(rowOf(row), columnOf(column)), height, place);
      if (!found) throw inputError("metadata", "of an image whose pixels show the ground", { row, column });
      const seen = groundToSicd(metadata, found);
      errorPixels = Math.max(errorPixels, Math.hypot(seen.row - row, seen.column - column));
    }
  return { placement: made.placement, isTransposed: isSlant, errorPixels };
}

interface Made {
  readonly placement: PlanePlacement | SlantPlacement;
  /** The range and the range rate that the placement gives to (x, y), metres from the scene centre point. */
  contour(x: number, y: number): RangeContour;
}

function planeOf(metadata: SicdMetadata): Made {
  const { image, scp, grid, collection } = metadata;
  if (collection.type !== "MONOSTATIC") throw inputError("metadata.collection.type", "MONOSTATIC", collection.type);
  if (!["PLANE", "XRGYCR", "XCTYAT", "RGAZIM"].includes(grid.type))
    throw inputError("metadata.grid.type", "PLANE, XRGYCR, XCTYAT, RGAZIM, or RGZERO with INCA", grid.type);
  const { positionMeters, velocityMetersPerSecond } = sicdScpCoa(metadata);
  const at = (x: number, y: number): Vector3 => plus(plus(scp.ecefMeters, grid.row.unitVector, x), grid.column.unitVector, y);
  const rows = image.firstRow - scp.row;
  const columns = image.firstColumn - scp.column;
  return {
    placement: {
      kind: "plane",
      plane: grid.plane === "GROUND" ? "ground" : "slant",
      originMeters: at(rows * grid.row.spacingMeters, columns * grid.column.spacingMeters),
      rowStepMeters: scaled(grid.row.unitVector, grid.row.spacingMeters),
      columnStepMeters: scaled(grid.column.unitVector, grid.column.spacingMeters),
      platform: { positionMeters, velocityMetersPerSecond },
    },
    contour(x, y) {
      const line = minus(positionMeters, at(x, y));
      const rangeMeters = norm(line);
      return {
        positionMeters,
        velocityMetersPerSecond,
        rangeMeters,
        rangeRateMetersPerSecond: dot(velocityMetersPerSecond, line) / rangeMeters,
      };
    },
  };
}

function slantOf(metadata: SicdMetadata, inca: NonNullable<SicdMetadata["inca"]>): Made {
  const { image, scp, grid, path, collection } = metadata;
  if (collection.type !== "MONOSTATIC") throw inputError("metadata.collection.type", "MONOSTATIC", collection.type);
  const coefficients = [path.x, path.y, path.z] as const;
  for (const [k, list] of coefficients.entries())
    if (list.length > mostCoefficients)
      throw inputError(`metadata.path.${"xyz"[k]}`, `at most ${mostCoefficients} coefficients`, list.length);
  const y = (column: number): number => (column + image.firstColumn - scp.column) * grid.column.spacingMeters;
  const last = Math.max(1, image.columns - 1);
  // The line through the times of the first and the last column.
  const first = valueAt(inca.timeOfClosestApproach, y(0));
  const step = (valueAt(inca.timeOfClosestApproach, y(last)) - first) / last;
  const velocities = pathDerivative(path);
  return {
    placement: {
      kind: "slant",
      platform: { kind: "polynomial", coefficients: [[...path.x], [...path.y], [...path.z]] },
      azimuthSeconds: { first, step },
      slantRangeMeters: {
        first: inca.closestRangeMeters + (image.firstRow - scp.row) * grid.row.spacingMeters,
        step: grid.row.spacingMeters,
      },
      lookSide: sicdScpCoa(metadata).side === "L" ? "left" : "right",
    },
    contour(x, along) {
      const column = along / grid.column.spacingMeters + scp.column - image.firstColumn;
      const seconds = first + column * step;
      return {
        positionMeters: pathAt(path, seconds),
        velocityMetersPerSecond: pathAt(velocities, seconds),
        rangeMeters: inca.closestRangeMeters + x,
        rangeRateMetersPerSecond: 0,
      };
    },
  };
}

/** A place on the ground that a pixel of a SICD image shows. */
export interface SicdControlPoint extends Required<GeodeticPosition> {
  readonly row: number;
  readonly column: number;
}

/**
 * Places that pixels of a lattice over a SICD image show, by the SICD's own projection, as `createGeoTiffSink` takes them. `perSide` is the
 * number of points along each side, 2 to 64 (default: 7); `heightMeters` is a height above the ellipsoid (default: that of the scene centre
 * point). Throws `input` for pixels that show no ground.
 */
export function sicdControlPoints(
  metadata: SicdMetadata,
  { perSide = 7, heightMeters = metadata?.scp?.geodetic?.heightMeters }: { readonly perSide?: number; readonly heightMeters?: number } = {},
): readonly SicdControlPoint[] {
  checkObject(metadata, "metadata", "input");
  if (!(Number.isInteger(perSide) && perSide >= 2 && perSide <= 64)) throw inputError("perSide", "an integer from 2 to 64", perSide);
  if (!Number.isFinite(heightMeters)) throw inputError("heightMeters", "a finite number", heightMeters);
  const { rows, columns } = metadata.image;
  return Array.from({ length: perSide * perSide }, (_, i) => {
    const row = (Math.floor(i / perSide) * (rows - 1)) / (perSide - 1);
    const column = ((i % perSide) * (columns - 1)) / (perSide - 1);
    return { row, column, ...ecefToGeodetic(sicdToGround(metadata, { row, column }, heightMeters)), heightMeters };
  });
}
