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
  readonly zoom: number;
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

/** Makes a map in an element. `label` names it for readers of the screen. */
export function openMap(element: HTMLElement, image: StoredImage, display: Display, label: string, events: MapEvents): ImageMap {
  const geometry = viewGeometry(image.facts);
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
  });
  element.setAttribute("role", "application");
  element.setAttribute("aria-label", label);
  /** The view that the page knows. */
  let known: View | undefined;
  let isWhole = true;

  const boxNow = (): Box => {
    const { x: width, y: height } = map.getSize();
    const zoom = map.getZoom();
    return {
      width,
      height,
      zoom,
      from: geometry.placeOf(map.containerPointToLatLng([0, 0])),
      to: geometry.placeOf(map.containerPointToLatLng([width, height])),
      metersPerScreenPixel: geometry.metersPerScreenPixel === undefined ? undefined : geometry.metersPerScreenPixel / 2 ** zoom,
    };
  };
  const viewNow = (): View => {
    const { row, column } = geometry.placeOf(map.getCenter());
    return { row, column, zoom: map.getZoom() };
  };
  const fit = (): number => {
    const { x, y } = map.getSize();
    return geometry.zoomToFit(Math.max(1, x), Math.max(1, y));
  };
  function apply(view: View | undefined): void {
    known = view;
    isWhole = view === undefined;
    const { row, column, zoom } = view ?? { row: (rows - 1) / 2, column: (columns - 1) / 2, zoom: fit() };
    map.setMinZoom(Math.min(fit(), zoom) - 1);
    map.setView(geometry.latLngOf({ row, column }), zoom, { animate: false });
    known = view === undefined ? undefined : viewNow();
  }
  const reachNow = (): readonly [rows: number, columns: number] => {
    const along = (stretch: number): number => Math.min(mostReach, Math.round(pickPixels / (stretch * 2 ** map.getZoom())));
    return [along(geometry.stretch[0]), along(geometry.stretch[1])];
  };
  const inside = ({ row, column }: PixelPlace): boolean => row >= -0.5 && column >= -0.5 && row < rows - 0.5 && column < columns - 0.5;

  map.setView(geometry.latLngOf({ row: rows / 2, column: columns / 2 }), 0);
  const tiles = new ImageTiles(image, geometry, display, events.failed);
  tiles.addTo(map);
  // Half of the view may be beside the image.
  map.setMaxBounds(geometry.bounds.pad(0.5));

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
  quietly(() => apply(undefined));
  sizes.observe(element);
  return {
    setView(view) {
      if (view === undefined ? isWhole : sameView(view, known)) return;
      quietly(() => apply(view));
      events.moved(boxNow());
    },
    setDisplay: (next) => tiles.setDisplay(next),
    refresh: (windows) => tiles.refresh(windows),
    middle: viewNow,
    close() {
      sizes.disconnect();
      element.removeEventListener("keydown", onKey);
      map.remove();
    },
  };
}
