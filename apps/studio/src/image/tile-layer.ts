/**
 * A layer of Leaflet whose tiles come from an image in a worker. A tile that is shown stays as it is until its new pixels are there, so that
 * nothing flickers while the image arrives or its colours change.
 */
import { isRadarError } from "@dechirp/core";
import type { ImageWindow } from "@dechirp/radar";
import { type Coords, type DoneCallback, GridLayer } from "leaflet";
import type { Display } from "./facts.ts";
import type { StoredImage } from "./stored-image.ts";
import type { TilePart, ViewGeometry } from "./view-geometry.ts";

/** Requests that are under way at the same time: enough to keep the worker busy, and few, because a new view makes old ones needless. */
const mostRequests = 3;
/** Pixels that are at least this long on the screen have hard edges. */
const hardEdge = 1.6;

interface ShownTile {
  readonly canvas: HTMLCanvasElement;
  readonly part: TilePart;
  done: (() => void) | undefined;
  isDue: boolean;
  isWaiting: boolean;
}

/** Tiles of an image. */
export class ImageTiles extends GridLayer {
  readonly #image: StoredImage;
  readonly #geometry: ViewGeometry;
  readonly #tiles = new Set<ShownTile>();
  readonly #fail: (error: unknown) => void;
  #display: Display;
  #requests = 0;

  constructor(image: StoredImage, geometry: ViewGeometry, display: Display, fail: (error: unknown) => void) {
    super({
      tileSize: geometry.tileSize,
      bounds: geometry.bounds,
      minZoom: -40,
      maxZoom: 40,
      updateWhenIdle: false,
      updateWhenZooming: false,
      keepBuffer: 1,
    });
    this.#image = image;
    this.#geometry = geometry;
    this.#display = display;
    this.#fail = fail;
    this.on("tileunload", ({ tile }: { tile: HTMLElement }) => {
      for (const one of this.#tiles) if (one.canvas === tile) this.#tiles.delete(one);
    });
  }

  override createTile(coords: Coords, done: DoneCallback): HTMLElement {
    const part = this.#geometry.partOf(coords, devicePixelRatio >= 1.5 ? 1 : 0);
    const canvas = document.createElement("canvas");
    canvas.width = part.columns;
    canvas.height = part.rows;
    if (part.pixelSize >= hardEdge) canvas.classList.add("hard");
    const tile: ShownTile = { canvas, part, done: () => done(undefined, canvas), isDue: true, isWaiting: false };
    this.#tiles.add(tile);
    // Leaflet must have the tile before it hears that it is done.
    queueMicrotask(() => this.#work());
    return canvas;
  }

  /** Draws all tiles with other colours. */
  setDisplay(display: Display): void {
    this.#display = display;
    this.refresh();
  }

  /** Draws tiles anew that have pixels of one of the windows; all tiles if none are given. */
  refresh(windows?: readonly ImageWindow[]): void {
    for (const tile of this.#tiles) if (!windows || windows.some((window) => overlaps(tile.part, window, this.#display))) tile.isDue = true;
    this.#work();
  }

  #work(): void {
    for (const tile of this.#tiles) {
      if (this.#requests >= mostRequests) return;
      if (tile.isDue && !tile.isWaiting) void this.#request(tile);
    }
  }

  async #request(tile: ShownTile): Promise<void> {
    const { levels, window } = tile.part;
    tile.isDue = false;
    if (!window) return finish(tile);
    tile.isWaiting = true;
    this.#requests++;
    try {
      const { pixels } = await this.#image.tile({ levels, window, display: this.#display });
      if (this.#tiles.has(tile)) {
        draw(tile, pixels, window, this.#geometry.facts.upwards ?? false);
        finish(tile);
      }
    } catch (error) {
      // A closed image has no tiles, and its viewer is about to go.
      if (!isRadarError(error, "disposed")) this.#fail(error);
    }
    tile.isWaiting = false;
    this.#requests--;
    this.#work();
  }
}

/** Tells Leaflet, once, that a tile has its pixels, so that it removes those of the zoom before. */
function finish(tile: ShownTile): void {
  tile.done?.();
  tile.done = undefined;
}

function draw(
  { canvas, part: { top, left } }: ShownTile,
  pixels: Uint8ClampedArray<ArrayBuffer>,
  { rows, columns }: ImageWindow,
  upwards: boolean,
): void {
  const turned = upwards ? upsideDown(pixels, 4 * columns) : pixels;
  canvas.getContext("2d", { willReadFrequently: true })!.putImageData(new ImageData(turned, columns, rows), left, top);
}

function upsideDown(pixels: Uint8ClampedArray<ArrayBuffer>, row: number): Uint8ClampedArray<ArrayBuffer> {
  const turned = new Uint8ClampedArray(pixels.length);
  for (let at = 0; at < pixels.length; at += row) turned.set(pixels.subarray(at, at + row), pixels.length - row - at);
  return turned;
}

/** Whether a tile changes if a window of the image does, also by looks that reach beyond the tile. */
function overlaps({ levels, window: shown }: TilePart, window: ImageWindow, { looks }: Display): boolean {
  if (!shown) return false;
  const meet = (first: number, count: number, level: number, reach: number, from: number, size: number): boolean =>
    first * 2 ** level - reach < from + size && (first + count) * 2 ** level + reach > from;
  return (
    meet(shown.row, shown.rows, levels[0], looks[0], window.row, window.rows) &&
    meet(shown.column, shown.columns, levels[1], looks[1], window.column, window.columns)
  );
}
