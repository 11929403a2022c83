/**
 * Grids of backprojection that are parts of maps. A grid is a plane with regular steps, and a map is neither, so the grid is the plane that
 * fits best, with heights that put its pixels on the ellipsoid; what remains is stated.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import type { ImagePlacement } from "@dechirp/radar";
import { createLocalFrame, geodeticToEcef, type LocalFrame, mapProjection, type Vector3 } from "@dechirp/radar/geodesy";
import { checkGrid, type GroundGrid, groundNormal } from "../backprojection/grid.ts";
import { length } from "../orbit.ts";

/** A part of a map: the edges of its pixels, in the unit of the map. */
export interface MapGridBounds {
  /** 4326 (degrees), or a UTM zone on WGS 84 (metres). */
  readonly epsg: number;
  /** Western edge of the first column. */
  readonly west: number;
  /** Southern edge of the last row. */
  readonly south: number;
  /** Eastern edge of the last column. */
  readonly east: number;
  /** Northern edge of the first row. */
  readonly north: number;
  /** Side of a pixel. The east and south edges move outwards by less than a pixel. */
  readonly step: number;
  /** Height above the ellipsoid. Default: 0. */
  readonly heightMeters?: number;
}

/** A grid of backprojection, and what it is on the map. */
export interface MapGrid {
  /** In the frame, with rows to the south. It has a height for each pixel if the ellipsoid leaves the plane by more than a pixel's twentieth. */
  readonly grid: GroundGrid;
  /** The local frame at the middle of the map. Positions of the platform must be in it (`frame.toLocal`). */
  readonly frame: LocalFrame;
  /** For the metadata of the image: the map if the grid is on it to a tenth of a pixel, else the plane. */
  readonly placement: ImagePlacement;
  /** Largest distance of a pixel of the grid from its place on the map, along the ground. */
  readonly errorMeters: number;
}

const fields: FieldsOf<MapGridBounds> = {
  epsg: "number",
  west: "number",
  south: "number",
  east: "number",
  north: "number",
  step: "number",
  heightMeters: "number",
};
/** A grid that is on the map to this part of a pixel is called the map. */
const tolerable = 0.1;
/** Heights are left out if they are all smaller than this part of a pixel. */
const flat = 0.05;
const mostSide = 65536;

/**
 * The grid of a part of a map, for `backproject`. Steps are those of the map at its middle, so the error grows with the square of the size: a
 * UTM map of 10 km, 150 km from the central meridian, has 0.1 m; a map of 4 km in degrees has half a metre. Divide larger maps, or geocode the image of a plane. Throws `input`
 * for bad bounds, and for more than 65536 pixels a side or 2^31.
 */
export function mapGrid(bounds: MapGridBounds): MapGrid {
  checkObject(bounds, "bounds", "input");
  checkFields(bounds, fields, "the bounds of a map", "input", "bounds.");
  const { epsg, west, south, east, north, step, heightMeters = 0 } = bounds;
  const map = mapProjection(epsg, "bounds.epsg");
  for (const name of ["west", "south", "east", "north"] as const)
    if (!Number.isFinite(bounds[name])) throw inputError(`bounds.${name}`, "a finite number", bounds[name]);
  if (!(east > west)) throw inputError("bounds.east", `more than ${west}, the west edge`, east);
  if (!(north > south)) throw inputError("bounds.north", `more than ${south}, the south edge`, north);
  if (!(step > 0 && Number.isFinite(step))) throw inputError("bounds.step", "a positive number", step);
  if (!(Math.abs(heightMeters) <= 1e5)) throw inputError("bounds.heightMeters", "a number of at most 100000", heightMeters);
  // Rounding must not add a pixel.
  const [nx, ny] = [east - west, north - south].map((side) => Math.max(1, Math.ceil(side / step - 1e-6)));
  if (!(nx <= mostSide && ny <= mostSide))
    throw inputError("bounds.step", `so large that the map has at most ${mostSide} pixels a side`, step);
  const origin = [west + step / 2, north - step / 2] as const;
  const middle = [(nx - 1) / 2, (ny - 1) / 2] as const;
  const placeOf = (ix: number, iy: number) => ({ ...map.toGeodetic([origin[0] + ix * step, origin[1] - iy * step]), heightMeters });
  const frame = createLocalFrame(placeOf(...middle));
  const local = (ix: number, iy: number): Vector3 => frame.toLocal(geodeticToEcef(placeOf(ix, iy)));
  // Steps in the plane at the middle, from differences across the map.
  const [reachX, reachY] = [Math.max(nx - 1, 1) / 2, Math.max(ny - 1, 1) / 2];
  const stepOf = (a: Vector3, b: Vector3, count: number): Vector3 => [(b[0] - a[0]) / count, (b[1] - a[1]) / count, 0];
  const xStepMeters = stepOf(local(middle[0] - reachX, middle[1]), local(middle[0] + reachX, middle[1]), 2 * reachX);
  const yStepMeters = stepOf(local(middle[0], middle[1] - reachY), local(middle[0], middle[1] + reachY), 2 * reachY);
  const originMeters: Vector3 = [
    -middle[0] * xStepMeters[0] - middle[1] * yStepMeters[0],
    -middle[0] * xStepMeters[1] - middle[1] * yStepMeters[1],
    0,
  ];
  const plane: GroundGrid = { kind: "ground", nx, ny, originMeters, xStepMeters, yStepMeters };
  checkGrid(plane);
  const pixelMeters = Math.min(length(xStepMeters), length(yStepMeters));
  let [errorMeters, drop] = [0, 0];
  for (let i = 0; i <= 8; i++)
    for (let k = 0; k <= 8; k++) {
      const [ix, iy] = [((nx - 1) * i) / 8, ((ny - 1) * k) / 8];
      const [x, y, z] = local(ix, iy);
      const at = [0, 1].map((n) => originMeters[n] + ix * xStepMeters[n] + iy * yStepMeters[n]);
      errorMeters = Math.max(errorMeters, Math.hypot(x - at[0], y - at[1]));
      drop = Math.max(drop, Math.abs(z));
    }
  const grid = drop <= flat * pixelMeters ? plane : { ...plane, heightMeters: heightsOf(plane, local) };
  const placement: ImagePlacement =
    errorMeters <= tolerable * pixelMeters
      ? { kind: "map", epsg, origin, columnStep: step, rowStep: -step, heightMeters }
      : {
          kind: "plane",
          plane: "ground",
          originMeters: frame.toEcef(originMeters),
          rowStepMeters: frame.directionToEcef(yStepMeters),
          columnStepMeters: frame.directionToEcef(xStepMeters),
        };
  return { grid, frame, placement, errorMeters };
}

/** Heights of pixels above a plane, so that they are on the ellipsoid: a biquadratic in the pixel is exact to fractions of a millimetre. */
function heightsOf(plane: GroundGrid, local: (ix: number, iy: number) => Vector3): Float32Array {
  const { nx, ny } = plane;
  const sign = Math.sign(groundNormal(plane)[2]);
  const nodes = [0, 1, 2].map((k) => [0, 1, 2].map((i) => sign * local(((nx - 1) * i) / 2, ((ny - 1) * k) / 2)[2]));
  const lagrange = (count: number) =>
    Array.from({ length: count }, (_, i) => {
      const x = count > 1 ? (2 * i) / (count - 1) : 1;
      return [((x - 1) * (x - 2)) / 2, x * (2 - x), (x * (x - 1)) / 2];
    });
  const [alongX, alongY] = [lagrange(nx), lagrange(ny)];
  const heights = new Float32Array(nx * ny);
  for (let iy = 0; iy < ny; iy++) {
    const column = [0, 1, 2].map((i) => alongY[iy].reduce((sum, weight, k) => sum + weight * nodes[k][i], 0));
    for (let ix = 0; ix < nx; ix++)
      heights[iy * nx + ix] = alongX[ix][0] * column[0] + alongX[ix][1] * column[1] + alongX[ix][2] * column[2];
  }
  return heights;
}
