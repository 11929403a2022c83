/**
 * Plans SICD images of backprojected images: pixels on a plane (Grid/Type PLANE, ImageFormAlgo OTHER). Such an image has the carriers of its
 * echoes along its rows and columns: a target at s appears at q with the phase 4πf·(|A − q| − |A − s|)/c, A being the radar. SICD stores
 * pixels at base band, so the carriers are removed. Source: NGA.STND.0024-1, section 3.
 */
import { inputError } from "@dechirp/core";
import { type ImageCollection, type PlanePlacement, speedOfLight } from "@dechirp/radar";
import { ecefToGeodetic, type Vector3 } from "@dechirp/radar/geodesy";
import { commonOf, createGrid, directionOf, type PixelOrder, type SicdPlan, type SicdVersion, windowsOf } from "./sicd-grid.ts";
import type { SicdMetadata } from "./sicd-metadata.ts";
import { platformPath } from "./sicd-platform.ts";
import { upAt } from "./sicd-projection.ts";
import { cross, dot, minus, norm, pathAt, plus, scaled, unit, valueAt2 } from "./sicd-vectors.ts";

/** Times at which the directions of a backprojected image's aperture are looked at. */
const apertureSamples = 65;
/** A band whose middle moves by less than this share of its width over the image counts as constant. */
const constantShare = 1e-3;

/** Plans the SICD image of an image [rows][columns] on a plane. Throws `input`, which names the member. */
export function planPlane(
  rows: number,
  columns: number,
  placement: PlanePlacement,
  collection: ImageCollection,
  version: SicdVersion,
): SicdPlan {
  const { originMeters: origin, rowStepMeters: u, columnStepMeters: v } = placement;
  if (Math.abs(dot(unit(u), unit(v))) > 1e-6)
    throw inputError("metadata.placement.columnStepMeters", "perpendicular to rowStepMeters, to 1e-6", v);
  if (collection.platform === undefined) throw inputError("metadata.collection.platform", "given for an image on a plane", undefined);
  const { seconds, bandHz } = collection.processing;
  const path = platformPath(collection.platform, [seconds[0], seconds[1]], "metadata.collection.platform");
  const time = (seconds[0] + seconds[1]) / 2;
  const radar = pathAt(path, time);
  const middle = plus(plus(origin, u, (rows - 1) / 2), v, (columns - 1) / 2);
  const sight = unit(minus(middle, radar));
  const transposed = Math.abs(dot(sight, unit(v))) > Math.abs(dot(sight, unit(u)));
  const [rowStep, columnStep] = transposed ? [v, u] : [u, v];
  const [count, width] = transposed ? [columns, rows] : [rows, columns];
  const reversedRows = dot(sight, rowStep) < 0;
  const along = scaled(unit(rowStep), reversedRows ? -1 : 1);
  const reversedColumns = dot(cross(along, columnStep), upAt(middle)) < 0;
  const across = scaled(unit(columnStep), reversedColumns ? -1 : 1);
  const grid = createGrid(count, width, norm(rowStep), norm(columnStep));
  const { row, column } = grid;
  const scp = plus(plus(origin, rowStep, reversedRows ? count - 1 - row : row), columnStep, reversedColumns ? width - 1 - column : column);
  /** Spatial frequencies at a place, from a time, along rows and columns. */
  const frequency = (hz: number, t: number, place: Vector3): readonly [number, number] => {
    const k = scaled(unit(minus(place, pathAt(path, t))), (2 * hz) / speedOfLight);
    return [dot(k, along), dot(k, across)];
  };
  const support = Array.from({ length: apertureSamples }, (_, i) => seconds[0] + ((seconds[1] - seconds[0]) * i) / (apertureSamples - 1));
  const edges = support.flatMap((t) => bandHz.map((hz) => frequency(hz, t, scp)));
  const band = ([0, 1] as const).map((axis) => {
    const values = edges.map((one) => one[axis]);
    const [least, largest] = [Math.min(...values), Math.max(...values)];
    return { centre: (least + largest) / 2, width: largest - least };
  });
  const centreHz = (bandHz[0] + bandHz[1]) / 2;
  const [rowMiddle, columnMiddle] = ([0, 1] as const).map((axis) => {
    const here = frequency(centreHz, time, scp)[axis];
    const polynomial = grid.fit(2, 2, (x, y) => frequency(centreHz, time, plus(plus(scp, along, x), across, y))[axis] - here);
    const constant = grid.corners.every(([x, y]) => Math.abs(valueAt2(polynomial, x, y)) < constantShare * band[axis].width);
    return constant ? [[0]] : polynomial;
  });
  const [rowWindow, columnWindow] = windowsOf(collection);
  const names = transposed ? ["columnStepMeters", "rowStepMeters"] : ["rowStepMeters", "columnStepMeters"];
  const metadata: SicdMetadata = {
    ...commonOf(collection, version),
    image: grid.image,
    scp: { row, column, ecefMeters: scp, geodetic: ecefToGeodetic(scp) },
    corners: [],
    grid: {
      plane: placement.plane === "slant" ? "SLANT" : "GROUND",
      type: "PLANE",
      timeOfAperture: [[time]],
      row: directionOf({
        unitVector: along,
        spacing: grid.rowSpacingMeters,
        ...band[0],
        middle: rowMiddle,
        window: rowWindow,
        grid,
        field: names[0],
      }),
      column: directionOf({
        unitVector: across,
        spacing: grid.columnSpacingMeters,
        ...band[1],
        middle: columnMiddle,
        window: columnWindow,
        grid,
        field: names[1],
      }),
    },
    path,
  };
  const order: PixelOrder = {
    transposed,
    reversedRows,
    reversedColumns,
    row,
    column,
    rowCycles: band[0].centre * grid.rowSpacingMeters,
    columnCycles: band[1].centre * grid.columnSpacingMeters,
  };
  return { metadata, order };
}
