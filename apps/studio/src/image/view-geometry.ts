/**
 * Where the pixels of an image are on the screen. At zoom z, a pixel of the finer axis is 2^z screen pixels long, and one of the coarser axis
 * longer, so that metres are equally long on both. Places are in pixels of the image; 0 is the middle of the first pixel.
 */
import type { ImageWindow } from "@dechirp/radar";
import { CRS, LatLng, LatLngBounds, type LatLngExpression, type Point, point } from "leaflet";
import { type ImageFacts, type Levels, metersOf, pixelsAt } from "./facts.ts";
import type { PixelPlace, View } from "./settings.ts";

/** The coarser axis is stretched at most by this. */
const mostStretch = 64;
/** Screen pixels of a tile along an axis that is not stretched. */
const tilePixels = 256;

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
  /** The largest whole zoom at which the image fits into an area of the screen. */
  zoomToFit(width: number, height: number): number;
}

export function viewGeometry(facts: ImageFacts): ViewGeometry {
  const { rows, columns, rowAxis, columnAxis, upwards = false } = facts;
  const meters = [metersOf(rowAxis), metersOf(columnAxis)] as const;
  const isMetric = meters[0] !== undefined && meters[1] !== undefined;
  const finest = isMetric ? Math.min(meters[0], meters[1]) : 1;
  const axes = meters.map((each) => stretchOf(isMetric ? each! / finest : 1)) as [Stretch, Stretch];
  const [down, across] = axes.map(({ stretch }) => stretch) as [number, number];
  const sign = upwards ? 1 : -1;
  return {
    facts,
    crs: CRS.Simple,
    tileSize: point(tilePixels * axes[1].rest, tilePixels * axes[0].rest),
    bounds: new LatLngBounds([0, 0], [sign * rows * down, columns * across]),
    metersPerScreenPixel: isMetric ? finest : undefined,
    stretch: [down, across],
    placeOf: ({ lat, lng }) => ({ row: (sign * lat) / down - 0.5, column: lng / across - 0.5 }),
    latLngOf: ({ row, column }) => new LatLng(sign * (row + 0.5) * down, (column + 0.5) * across),
    partOf({ x, y, z }, sharpness) {
      // Rows of a map that ascends are above its origin, so tiles have negative numbers there.
      const vertical = alongAxis(rows, axes[0], upwards ? -1 - y : y, z, sharpness);
      const horizontal = alongAxis(columns, axes[1], x, z, sharpness);
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
    zoomToFit: (width, height) => Math.floor(Math.log2(Math.min(width / (columns * across), height / (rows * down), 64))),
  };
}

interface Stretch {
  readonly stretch: number;
  /** The stretch is rest · 2^octaves; a tile has a whole number of screen pixels. */
  readonly octaves: number;
  readonly rest: number;
}

function stretchOf(wanted: number): Stretch {
  const stretch = Math.min(mostStretch, wanted);
  const octaves = Math.floor(Math.log2(stretch));
  const rest = Math.round((stretch / 2 ** octaves) * tilePixels) / tilePixels;
  return { stretch: rest * 2 ** octaves, octaves, rest };
}

/** Level and pixels of tile `k` of an axis at zoom `z`. */
function alongAxis(pixels: number, { octaves }: Stretch, k: number, z: number, sharpness: number) {
  const level = Math.max(0, -(z + octaves) - sharpness);
  /** Pixels of the level in a tile: a power of two, below 1 if a pixel is larger than a tile. */
  const inTile = tilePixels / 2 ** (z + octaves + level);
  const all = pixelsAt(pixels, level);
  const first = Math.floor(k * inTile);
  const room = Math.max(1, inTile);
  return { level, first, room, count: first < 0 ? 0 : Math.min(all, first + room) - first };
}

/** Rounds a view to what is in the address. */
export const sameView = (a: View | undefined, b: View | undefined): boolean =>
  a === b ||
  (a !== undefined && b !== undefined && a.zoom === b.zoom && Math.abs(a.row - b.row) < 0.01 && Math.abs(a.column - b.column) < 0.01);
