/**
 * Where the pixels of an image are on the screen. At zoom z of Leaflet, a pixel of the finer axis is scale · 2^z screen pixels long, and one of
 * the coarser axis longer, so that metres are equally long on both. Places are in pixels of the image; 0 is the middle of the first pixel.
 */
import type { ImageWindow } from "@dechirp/radar";
import { CRS, LatLng, LatLngBounds, type LatLngExpression, type Point, point } from "leaflet";
import type { ImageFacts, Levels } from "./facts.ts";
import { proportionsOf } from "./proportions.ts";
import type { PixelPlace, View } from "./settings.ts";
import { alongAxis, tilePixels } from "./tile-axis.ts";

/** A part of the image that a tile shows. */
export interface TilePart {
  readonly levels: Levels;
  /** Pixels of the levels that are in the tile, or undefined if it is outside. */
  readonly window: ImageWindow | undefined;
  /** Pixels of the levels that the tile has room for, and where the window begins there. */
  readonly rows: number;
  readonly columns: number;
  readonly top: number;
  readonly left: number;
  /** Screen pixels of a pixel along the shorter side. */
  readonly pixelSize: number;
}

/** Conversions between pixels, Leaflet's coordinates and tiles. */
export interface ViewGeometry {
  readonly facts: ImageFacts;
  readonly crs: CRS;
  readonly tileSize: Point;
  readonly bounds: LatLngBounds;
  /** Metres that a screen pixel stands for at zoom 0, or undefined. */
  readonly metersPerScreenPixel: number | undefined;
  /** Screen pixels of a pixel at zoom 0, along rows and along columns. */
  readonly stretch: readonly [rows: number, columns: number];
  placeOf(at: LatLng): PixelPlace;
  latLngOf(place: PixelPlace): LatLngExpression;
  /** The part that a tile of Leaflet shows. `sharpness` is by how many levels tiles are finer than the screen's pixels of the style sheet. */
  partOf(tile: { readonly x: number; readonly y: number; readonly z: number }, sharpness: number): TilePart;
  /** The largest zoom, in hundredths, at which the image fits into an area of the screen. At zoom z, the finer axis has 2^z screen pixels a pixel. */
  zoomToFit(width: number, height: number): number;
}

/** If pixels of a level would be larger than this on the screen, tiles have the next finer level. */
const largestPixel = Math.SQRT2;

/** The geometry of an image; `scale` is from 1 to 2. */
export function viewGeometry(facts: ImageFacts, scale: number): ViewGeometry {
  const { rows, columns, upwards = false } = facts;
  const { axes, finestMeters } = proportionsOf(facts, scale);
  const [down, across] = [axes[0].stretch, axes[1].stretch];
  const sign = upwards ? 1 : -1;
  return {
    facts,
    crs: CRS.Simple,
    tileSize: point(tilePixels * axes[1].rest, tilePixels * axes[0].rest),
    bounds: new LatLngBounds([0, 0], [sign * rows * down, columns * across]),
    metersPerScreenPixel: finestMeters === undefined ? undefined : finestMeters / scale,
    stretch: [down, across],
    placeOf: ({ lat, lng }) => ({ row: (sign * lat) / down - 0.5, column: lng / across - 0.5 }),
    latLngOf: ({ row, column }) => new LatLng(sign * (row + 0.5) * down, (column + 0.5) * across),
    partOf({ x, y, z }, sharpness) {
      // Rows of a map that ascends are above its origin, so tiles have negative numbers there.
      const [finerDown, finerAcross] = axes.map(({ rest }) => (rest > largestPixel ? Math.max(1, sharpness) : sharpness)) as [
        number,
        number,
      ];
      const vertical = alongAxis(rows, axes[0], upwards ? -1 - y : y, z, finerDown);
      const horizontal = alongAxis(columns, axes[1], x, z, finerAcross);
      const isInside = vertical.count > 0 && horizontal.count > 0;
      return {
        levels: [vertical.level, horizontal.level],
        window: isInside ? { row: vertical.first, column: horizontal.first, rows: vertical.count, columns: horizontal.count } : undefined,
        rows: vertical.room,
        columns: horizontal.room,
        top: upwards ? vertical.room - vertical.count : 0,
        left: 0,
        pixelSize: Math.min((tilePixels * axes[0].rest) / vertical.room, (tilePixels * axes[1].rest) / horizontal.room),
      };
    },
    zoomToFit: (width, height) => floor2(Math.log2(scale * Math.min(width / (columns * across), height / (rows * down)))),
  };
}

const floor2 = (value: number): number => Math.floor(100 * value) / 100;

/** Whether two views are the same in an address. */
export const sameView = (a: View | undefined, b: View | undefined): boolean =>
  a === b ||
  (a !== undefined &&
    b !== undefined &&
    Math.abs(a.zoom - b.zoom) < 0.01 &&
    Math.abs(a.row - b.row) < 0.01 &&
    Math.abs(a.column - b.column) < 0.01);
