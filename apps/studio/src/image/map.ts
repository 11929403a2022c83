/** The map of a viewer: Leaflet with the tiles of one image, its views, and what it tells the page. */
import type { ImageWindow } from "@dechirp/radar";
import { Map as LeafletMap, type LeafletMouseEvent } from "leaflet";
import "leaflet/dist/leaflet.css";
import type { Display } from "./facts.ts";
import type { PixelPlace, View } from "./settings.ts";
import type { StoredImage } from "./stored-image.ts";
import { ImageTiles } from "./tile-layer.ts";
import { sameView, viewGeometry } from "./view-geometry.ts";

/** Screen pixels of the longest pixel of an image are 2 to this. */
const mostZoom = 6;
/** The whole image is shown at a zoom that is smaller by this than what the view has room for. */
const fitMargin = 0.04;
/** How far a view may go beyond the image, as a share of the image. */
const margin = 0.5;
/** A picked point is the brightest one within this many screen pixels, and pixels of the image. */
const pickPixels = 6;
const mostReach = 512;

/** The part of the image that is on the screen. */
export interface Box {
  readonly width: number;
  readonly height: number;
  /** Places at the left upper and the right lower corner. */
  readonly from: PixelPlace;
  readonly to: PixelPlace;
  /** Metres that a screen pixel stands for, or undefined. */
  readonly metersPerScreenPixel: number | undefined;
}

/** What a map tells. */
export interface MapEvents {
  /** The view moves; called for each frame. */
  readonly moved: (box: Box) => void;
  /** The user has moved the view. It is undefined for the whole image. */
  readonly viewed: (view: View | undefined) => void;
  readonly pointed: (place: PixelPlace | undefined) => void;
  /** A point was picked; `reach` are the rows and columns that a few screen pixels have. */
  readonly picked: (place: PixelPlace, reach: readonly [rows: number, columns: number]) => void;
  readonly failed: (error: unknown) => void;
}

/** An open map. */
export interface ImageMap {
  setView(view: View | undefined): void;
  setDisplay(display: Display): void;
  /** Draws tiles anew that have pixels of one of the windows; all if none are given. */
  refresh(windows?: readonly ImageWindow[]): void;
  /** The place at the middle of the view. */
  middle(): PixelPlace;
  close(): void;
}

/** What a map shows first. */
export interface MapStart {
  readonly display: Display;
  readonly view: View | undefined;
  /** Names the map for readers of the screen. */
  readonly label: string;
}

/** Makes a map in a place of the page. */
export function openMap(host: HTMLElement, image: StoredImage, { display, view, label }: MapStart, events: MapEvents): ImageMap {
  // An element of its own: Leaflet leaves a listener on it, which would keep this map as long as the place is there.
  const element = document.createElement("div");
  element.className = "map";
  host.append(element);
  /** Leaflet's zooms are whole; those of views are this much larger. */
  let fraction = 0;
  let geometry = viewGeometry(image.facts, 1);
  let shown = display;
  const { rows, columns } = image.facts;
  const map = new LeafletMap(element, {
    crs: geometry.crs,
    attributionControl: false,
    zoomAnimation: false,
    fadeAnimation: false,
    markerZoomAnimation: false,
    zoomSnap: 1,
    maxZoom: mostZoom,
    boxZoom: false,
    doubleClickZoom: false,
    maxBoundsViscosity: 1,
    // One finger scrolls the page past the image; two fingers move and zoom the image.
    dragging: !matchMedia("(pointer: coarse)").matches,
  });
  element.setAttribute("role", "application");
  element.setAttribute("aria-label", label);
  /** The view that the page knows. */
  let known: View | undefined;
  let isWhole = true;

  const boxNow = (): Box => {
    const { x: width, y: height } = map.getSize();
    return {
      width,
      height,
      from: geometry.placeOf(map.containerPointToLatLng([0, 0])),
      to: geometry.placeOf(map.containerPointToLatLng([width, height])),
      metersPerScreenPixel: geometry.metersPerScreenPixel === undefined ? undefined : geometry.metersPerScreenPixel / 2 ** map.getZoom(),
    };
  };
  const viewNow = (): View => {
    const { row, column } = geometry.placeOf(map.getCenter());
    return { row, column, zoom: map.getZoom() + fraction };
  };
  const fit = (): number => {
    const { x, y } = map.getSize();
    return Math.min(mostZoom, geometry.zoomToFit(Math.max(1, x), Math.max(1, y)));
  };
  /** The zoom of the whole image. If the view has changed a little, as by a scroll bar, it stays as it is. */
  const wholeZoom = (): number => {
    const [now, most] = [map.getZoom() + fraction, fit()];
    return isWhole && now <= most && now > most - 3 * fitMargin ? now : most - fitMargin;
  };
  function apply(view: View | undefined): void {
    const whole = wholeZoom();
    known = view;
    isWhole = view === undefined;
    const { row, column, zoom } = view ?? { row: (rows - 1) / 2, column: (columns - 1) / 2, zoom: whole };
    const leafletZoom = Math.floor(zoom + 1e-6);
    const differs = tiles === undefined || Math.abs(zoom - leafletZoom - fraction) > 0.005;
    if (differs) {
      // Tiles of another scale: a zoom of Leaflet's that is not whole would leave gaps between tiles.
      fraction = Math.max(0, zoom - leafletZoom);
      geometry = viewGeometry(image.facts, 2 ** fraction);
      tiles?.remove();
      tiles = new ImageTiles(image, geometry, shown, events.failed);
      // The old bounds must not hold the new view, nor the new ones the old view.
      map.setMaxBounds();
    }
    map.setMinZoom(Math.floor(Math.min(fit(), zoom)) - 1);
    map.setView(geometry.latLngOf({ row, column }), leafletZoom, { animate: false });
    if (differs) {
      map.setMaxBounds(geometry.bounds.pad(margin));
      tiles?.addTo(map);
    }
    known = view === undefined ? undefined : viewNow();
  }
  const reachNow = (): readonly [rows: number, columns: number] => {
    const along = (stretch: number): number => Math.min(mostReach, Math.round(pickPixels / (stretch * 2 ** map.getZoom())));
    return [along(geometry.stretch[0]), along(geometry.stretch[1])];
  };
  const inside = ({ row, column }: PixelPlace): boolean => row >= -0.5 && column >= -0.5 && row < rows - 0.5 && column < columns - 0.5;

  map.setView(geometry.latLngOf({ row: rows / 2, column: columns / 2 }), 0);
  let tiles: ImageTiles | undefined;

  let isQuiet = true;
  map.on("move zoom resize", () => events.moved(boxNow()));
  map.on("moveend", () => {
    const view = viewNow();
    if (isQuiet || sameView(view, known)) return;
    known = view;
    isWhole = false;
    events.viewed(view);
  });
  map.on("mousemove", ({ latlng }: LeafletMouseEvent) => {
    const place = geometry.placeOf(latlng);
    events.pointed(inside(place) ? place : undefined);
  });
  map.on("mouseout", () => events.pointed(undefined));
  map.on("click", ({ latlng }: LeafletMouseEvent) => {
    const place = geometry.placeOf(latlng);
    if (inside(place)) events.picked(place, reachNow());
  });
  const onKey = ({ key, target }: KeyboardEvent): void => {
    if (key === "Enter" && target === element && inside(viewNow())) events.picked(viewNow(), reachNow());
  };
  element.addEventListener("keydown", onKey);

  const quietly = (work: () => void): void => {
    isQuiet = true;
    work();
    isQuiet = false;
  };
  const sizes = new ResizeObserver(() =>
    quietly(() => {
      map.invalidateSize({ animate: false, pan: !isWhole });
      if (isWhole) apply(undefined);
      events.moved(boxNow());
    }),
  );
  quietly(() => apply(view));
  events.moved(boxNow());
  sizes.observe(element);
  return {
    setView(view) {
      if (view === undefined ? isWhole : sameView(view, known)) return;
      quietly(() => apply(view));
      events.moved(boxNow());
    },
    setDisplay(next) {
      shown = next;
      tiles?.setDisplay(next);
    },
    refresh: (windows) => tiles?.refresh(windows),
    middle: viewNow,
    close() {
      sizes.disconnect();
      element.removeEventListener("keydown", onKey);
      map.remove();
      element.remove();
    },
  };
}
