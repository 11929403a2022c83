/**
 * Where the pixels of a backprojected image lie: grids on a plane with heights above it, and polar grids around a centre.
 * Data, their checks and the position of a pixel. Nothing here depends on pulses.
 *
 * An image is [ny][nx], index iy·nx + ix. The frame is any Cartesian one in metres, the one of the platform's positions.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { type GridWindow, wholeImage } from "./grid-window.ts";

/** A position or a step in space, in metres. */
export type Vec3 = readonly [x: number, y: number, z: number];

/** Height of all pixels in metres, or of each as [ny][nx]. Default: 0. */
export type Heights = number | Float32Array | Float64Array;

interface Extent {
  /** Pixels of a row. */
  readonly nx: number;
  /** Number of rows. */
  readonly ny: number;
}

/** Pixel (ix, iy) lies at origin + ix·xStep + iy·yStep + height·n, n the unit normal along xStep × yStep. */
export interface GroundGrid extends Extent {
  readonly kind: "ground";
  /** Position of pixel (0, 0) at height 0. */
  readonly originMeters: Vec3;
  /** From a pixel to the next in its row. */
  readonly xStepMeters: Vec3;
  /** From a pixel to the one in the next row. */
  readonly yStepMeters: Vec3;
  readonly heightMeters?: Heights;
}

/**
 * Pixel (ix, iy) lies at centre + (r·cos θ, r·sin θ, height) with r = firstRange + ix·rangeStep and
 * θ = firstAzimuth + iy·azimuthStep, counter-clockwise from +x.
 */
export interface PolarGrid extends Extent {
  readonly kind: "polar";
  readonly centreMeters: Vec3;
  readonly firstRangeMeters: number;
  readonly rangeStepMeters: number;
  readonly firstAzimuthRadians: number;
  readonly azimuthStepRadians: number;
  readonly heightMeters?: Heights;
}

/** Where the pixels of an image lie. */
export type ImageGrid = GroundGrid | PolarGrid;

/** Largest number of pixels of an image. A device may hold only windows of such an image. */
export const maxImagePixels = 2 ** 31;
/** Coordinates are at most this, beyond any orbit. float64 still resolves a tenth of a micrometre there. */
const farthest = 1e9;

export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const length = (a: Vec3): number => Math.sqrt(dot(a, a));
const cross = (a: Vec3, b: Vec3): Vec3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** Throws `input` naming `field` unless `value` is three finite coordinates. */
export function checkVector(value: Vec3, field: string): void {
  if (!(Array.isArray(value) && value.length === 3 && value.every((x) => Number.isFinite(x) && Math.abs(x) <= farthest)))
    throw inputError(field, `three finite numbers of at most ${farthest}`, value);
}

/** Throws `input` naming the field as `grid.<name>` unless the grid is valid. */
export function checkGrid(grid: ImageGrid): void {
  const kind = (grid as { kind?: unknown } | null | undefined)?.kind;
  if (kind !== "ground" && kind !== "polar") throw inputError("grid.kind", "ground or polar", kind);
  for (const field of ["nx", "ny"] as const) {
    if (!Number.isInteger(grid[field]) || grid[field] < 1 || grid[field] > 65536)
      throw inputError(`grid.${field}`, "an integer from 1 to 65536", grid[field]);
  }
  if (grid.nx * grid.ny > maxImagePixels) throw inputError("grid.nx", `at most ${Math.floor(maxImagePixels / grid.ny)}`, grid.nx);
  checkHeights(grid);
  if (grid.kind === "polar") return checkPolar(grid);
  for (const field of ["originMeters", "xStepMeters", "yStepMeters"] as const) checkVector(grid[field], `grid.${field}`);
  const { xStepMeters: x, yStepMeters: y } = grid;
  if (!(length(x) > 0)) throw inputError("grid.xStepMeters", "longer than zero", x);
  if (!(length(cross(x, y)) > 1e-6 * length(x) * length(y))) throw inputError("grid.yStepMeters", "not along grid.xStepMeters", y);
}

function checkPolar(grid: PolarGrid): void {
  checkVector(grid.centreMeters, "grid.centreMeters");
  for (const field of ["firstRangeMeters", "rangeStepMeters", "firstAzimuthRadians", "azimuthStepRadians"] as const) {
    if (!(Number.isFinite(grid[field]) && Math.abs(grid[field]) <= farthest))
      throw inputError(`grid.${field}`, `a finite number of at most ${farthest}`, grid[field]);
  }
  if (grid.firstRangeMeters < 0) throw inputError("grid.firstRangeMeters", "at least 0", grid.firstRangeMeters);
  if (!(grid.rangeStepMeters > 0)) throw inputError("grid.rangeStepMeters", "a positive number", grid.rangeStepMeters);
  if (grid.azimuthStepRadians === 0) throw inputError("grid.azimuthStepRadians", "different from zero", 0);
}

function checkHeights({ heightMeters, nx, ny }: ImageGrid): void {
  if (heightMeters === undefined) return;
  if (typeof heightMeters === "number") {
    if (!(Math.abs(heightMeters) <= farthest)) throw inputError("grid.heightMeters", `a number of at most ${farthest}`, heightMeters);
    return;
  }
  if (!isArrayOf(heightMeters, Float32Array, Float64Array))
    throw inputError("grid.heightMeters", "a number, a Float32Array or a Float64Array", heightMeters);
  if (heightMeters.length !== nx * ny) throw inputError("grid.heightMeters.length", `${ny} · ${nx} heights`, heightMeters.length);
  for (let i = 0; i < heightMeters.length; i++) {
    if (!(Math.abs(heightMeters[i]) <= farthest)) throw inputError(`grid.heightMeters[${i}]`, "a finite height", heightMeters[i]);
  }
}

/** Whether every pixel has the same height. Tiles of a ground grid are then translates of each other. */
export const isFlat = (grid: ImageGrid): boolean => typeof (grid.heightMeters ?? 0) === "number";

/** Unit normal of a ground grid. */
export function groundNormal({ xStepMeters, yStepMeters }: GroundGrid): Vec3 {
  const n = cross(xStepMeters, yStepMeters);
  const scale = 1 / length(n);
  return [n[0] * scale, n[1] * scale, n[2] * scale];
}

/** Height at the pixel nearest to (ix, iy) within the image. */
export function heightAt({ heightMeters = 0, nx, ny }: ImageGrid, ix: number, iy: number): number {
  if (typeof heightMeters === "number") return heightMeters;
  const nearest = (i: number, n: number): number => Math.min(n - 1, Math.max(0, Math.round(i)));
  return heightMeters[nearest(iy, ny) * nx + nearest(ix, nx)];
}

/**
 * Position of pixel (ix, iy) of a checked grid. Indices may be fractional or outside the image, where the grid is continued;
 * the height is then that of the nearest pixel.
 */
export const pixelPosition = (grid: ImageGrid, ix: number, iy: number): Vec3 => createPositions(grid)(ix, iy);

/** `pixelPosition` with everything that all pixels share computed once. */
export function createPositions(grid: ImageGrid): (ix: number, iy: number) => Vec3 {
  if (grid.kind === "ground") {
    const { originMeters: o, xStepMeters: x, yStepMeters: y } = grid;
    const n = groundNormal(grid);
    return (ix, iy) => {
      const h = heightAt(grid, ix, iy);
      return [o[0] + ix * x[0] + iy * y[0] + h * n[0], o[1] + ix * x[1] + iy * y[1] + h * n[1], o[2] + ix * x[2] + iy * y[2] + h * n[2]];
    };
  }
  const { centreMeters: c, firstRangeMeters, rangeStepMeters, firstAzimuthRadians, azimuthStepRadians } = grid;
  return (ix, iy) => {
    const r = firstRangeMeters + ix * rangeStepMeters;
    const angle = firstAzimuthRadians + iy * azimuthStepRadians;
    return [c[0] + r * Math.cos(angle), c[1] + r * Math.sin(angle), c[2] + heightAt(grid, ix, iy)];
  };
}

/** A sphere that contains every pixel of a checked grid, or of a window of it, which may reach beyond its end. */
export function boundingSphere(
  grid: ImageGrid,
  { ix, iy, nx, ny }: GridWindow = wholeImage(grid),
): { readonly centre: Vec3; readonly radius: number } {
  const [low, high] = heightSpan(grid, { ix, iy, nx, ny });
  const [x, y] = [(nx - 1) / 2, (ny - 1) / 2];
  const centre = createPositions({ ...grid, heightMeters: (low + high) / 2 })(ix + x, iy + y);
  if (grid.kind === "ground") {
    const { xStepMeters: ex, yStepMeters: ey } = grid;
    const across = dot(ex, ex) * x * x + 2 * Math.abs(dot(ex, ey)) * x * y + dot(ey, ey) * y * y;
    return { centre, radius: Math.hypot(Math.sqrt(across), (high - low) / 2) };
  }
  // Along the radius, then along the arc.
  const { firstRangeMeters, rangeStepMeters, azimuthStepRadians } = grid;
  const arc = (firstRangeMeters + (ix + nx - 1) * rangeStepMeters) * y * Math.abs(azimuthStepRadians);
  return { centre, radius: Math.hypot(x * rangeStepMeters + arc, (high - low) / 2) };
}

/** The lowest and the highest pixel of a window, of which some may lie beyond the end of the image. */
export function heightSpan(grid: ImageGrid, { ix, iy, nx, ny }: GridWindow): readonly [low: number, high: number] {
  const { heightMeters = 0, nx: width } = grid;
  if (typeof heightMeters === "number") return [heightMeters, heightMeters];
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  for (let y = iy; y < Math.min(iy + ny, grid.ny); y++) {
    for (let at = y * width + ix; at < y * width + Math.min(ix + nx, width); at++) {
      low = Math.min(low, heightMeters[at]);
      high = Math.max(high, heightMeters[at]);
    }
  }
  return [low, high];
}
