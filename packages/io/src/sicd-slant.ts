/**
 * Plans SICD images of range-Doppler and ω-K images: pixels at zero-Doppler times and slant ranges (Grid/Type RGZERO, algorithm block RMA
 * with INCA). Their pixels are at base band already. Source: NGA.STND.0024-1, section 4.13, and NGA.STND.0024-3, section 4.3.
 */
import { inputError } from "@dechirp/core";
import { type ImageCollection, type SlantPlacement, speedOfLight } from "@dechirp/radar";
import { ecefToGeodetic, type Vector3 } from "@dechirp/radar/geodesy";
import { commonOf, createGrid, directionOf, type PixelOrder, type SicdPlan, type SicdVersion, windowsOf } from "./sicd-grid.ts";
import type { Polynomial, Polynomial2, SicdMetadata } from "./sicd-metadata.ts";
import { platformPath } from "./sicd-platform.ts";
import { pointAtHeight, upAt } from "./sicd-projection.ts";
import { cross, dot, minus, norm, pathAt, pathDerivative, plus, scaled, shifted, unit, valueAt, valueAt2 } from "./sicd-vectors.ts";

/** Plans the SICD image of an image [times][ranges]. Throws `input`, which names the member. */
export function planSlant(
  rows: number,
  columns: number,
  placement: SlantPlacement,
  collection: ImageCollection,
  version: SicdVersion,
): SicdPlan {
  const { azimuthSeconds: azimuth, slantRangeMeters: range, lookSide } = placement;
  const { doppler, processing, groundHeightMeters = 0 } = collection;
  if (doppler === undefined) throw inputError("metadata.collection.doppler", "given for an image of zero-Doppler times", doppler);
  const times = [azimuth.first, azimuth.first + (rows - 1) * azimuth.step].sort((a, b) => a - b);
  const path = platformPath(collection.platform ?? placement.platform, [times[0], times[1]], "metadata.placement.platform");
  const velocities = pathDerivative(path);
  const accelerations = pathDerivative(velocities);
  const hz = (processing.bandHz[0] + processing.bandHz[1]) / 2;
  const lambda = speedOfLight / hz;
  // Rows of the SICD image are columns of the image. Columns go along the flight if the radar looks to the right, and against it otherwise.
  const [count, width] = [columns, rows];
  const reversedRows = range.step < 0;
  const ahead = lookSide === "right" ? 1 : -1;
  const reversedColumns = azimuth.step * ahead < 0;
  const [row, column] = [Math.floor(count / 2), Math.floor(width / 2)];
  const scpRange = range.first + range.step * (reversedRows ? count - 1 - row : row);
  const scpTime = azimuth.first + azimuth.step * (reversedColumns ? width - 1 - column : column);
  /** The place on the ground at a time of closest approach and a range. */
  const groundAt = (t: number, r: number): Vector3 => {
    const [position, velocity] = [pathAt(path, t), pathAt(velocities, t)];
    const point = pointAtHeight(
      { positionMeters: position, velocityMetersPerSecond: velocity, rangeMeters: r, rangeRateMetersPerSecond: 0 },
      groundHeightMeters,
      groundGuess(position, velocity, r, lookSide),
    );
    if (!point) throw inputError("metadata.placement.slantRangeMeters", `ranges of places at a height of ${groundHeightMeters} m`, r);
    return point;
  };
  /** The Doppler rate relative to that of a straight path: 1 + acceleration·(radar − place)/speed². */
  const rateScale = (t: number, r: number): number =>
    1 + dot(pathAt(accelerations, t), minus(pathAt(path, t), groundAt(t, r))) / norm(pathAt(velocities, t)) ** 2;
  const scp = groundAt(scpTime, scpRange);
  const radar = pathAt(path, scpTime);
  const velocity = pathAt(velocities, scpTime);
  const along = unit(minus(scp, radar));
  const normal = unit(scaled(cross(velocity, along), lookSide === "left" ? 1 : -1));
  const across = cross(normal, along);
  const scpScale = rateScale(scpTime, scpRange);
  /** Metres along columns in a second. */
  const speed = scpScale * norm(velocity);
  const closest: Polynomial = [scpTime, ahead / speed];
  const grid = createGrid(count, width, Math.abs(range.step), Math.abs(azimuth.step) * speed);
  const dopplerRateScale = grid.fit(2, 1, (x, y) => rateScale(valueAt(closest, y), scpRange + x));
  const centroid = shifted(doppler.centroidHz, scpRange - (doppler.originMeters ?? 0));
  const timeOfAperture = grid.fit(2, 1, (x, y) => {
    const t = valueAt(closest, y);
    return (
      t + timeFromClosest(valueAt(centroid, x), lambda, scpRange + x, valueAt2(dopplerRateScale, x, y) * norm(pathAt(velocities, t)) ** 2)
    );
  });
  const imageHz = 1 / Math.abs(azimuth.step);
  // The pixels have the Doppler centroid up to a multiple of the rate of their rows.
  const baseHz = centroid[0] - Math.round(centroid[0] / imageHz) * imageHz;
  const columnMiddle: Polynomial2 = [baseHz, ...centroid.slice(1)].map((c) => [(c * ahead) / speed]);
  const [rowWindow, columnWindow] = windowsOf(collection);
  const metadata: SicdMetadata = {
    ...commonOf(collection, version),
    image: grid.image,
    scp: { row, column, ecefMeters: scp, geodetic: ecefToGeodetic(scp) },
    corners: [],
    grid: {
      plane: "SLANT",
      type: "RGZERO",
      timeOfAperture,
      row: directionOf({
        unitVector: along,
        spacing: grid.rowSpacingMeters,
        centre: (2 * hz) / speedOfLight,
        width: (2 * (processing.bandHz[1] - processing.bandHz[0])) / speedOfLight,
        middle: [[0]],
        window: rowWindow,
        grid,
        field: "slantRangeMeters.step",
      }),
      column: directionOf({
        unitVector: across,
        spacing: grid.columnSpacingMeters,
        centre: 0,
        width: doppler.bandwidthHz / speed,
        middle: columnMiddle,
        window: columnWindow,
        grid,
        field: "azimuthSeconds.step",
      }),
    },
    path,
    inca: {
      algorithm: processing.algorithm === "omega-k" ? "OMEGA_K" : "RG_DOP",
      timeOfClosestApproach: closest,
      closestRangeMeters: scpRange,
      zeroHz: hz,
      dopplerRateScale,
      dopplerCentroidHz: centroid.map((c) => [c]),
      centroidIsCentre: true,
    },
  };
  // Range-Doppler and ω-K images have no carrier along ranges, and that along times is in the band of the columns.
  const order: PixelOrder = { transposed: true, reversedRows, reversedColumns, row, column, rowCycles: 0, columnCycles: 0 };
  return { metadata, order };
}

/**
 * When a target has a Doppler frequency, relative to its closest approach: the time at which the rate of √(R² + s·t²) is −λ·f/2.
 */
function timeFromClosest(dopplerHz: number, lambda: number, range: number, s: number): number {
  const rate = (-lambda * dopplerHz) / 2;
  const square = s * s - s * rate * rate;
  if (!(square > 0))
    throw inputError("metadata.collection.doppler.centroidHz", "frequencies that the speed of the platform allows", dopplerHz);
  return (rate * range) / Math.sqrt(square);
}

/** A place near the ground at a range, on the side that the radar looks to. */
function groundGuess(position: Vector3, velocity: Vector3, range: number, lookSide: "left" | "right"): Vector3 {
  const down = scaled(upAt(position), -1);
  const left = unit(cross(down, velocity));
  const side = scaled(left, lookSide === "left" ? -1 : 1);
  const height = ecefToGeodetic(position).heightMeters;
  const drop = Math.min(Math.max(height, 0), range);
  return plus(plus(position, down, drop), side, Math.sqrt(range * range - drop * drop));
}
