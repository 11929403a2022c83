/**
 * The entry point `@dechirp/sar/geocoding`: from images to maps. Where the pixels of an image are on the ground, maps of images in slant
 * range, ground control points, and grids of backprojection that are parts of maps.
 */

export { type GeocodeOptions, type GeocodeSink, type GeocodeSource, geocode } from "./geocoding/geocode.ts";
export { createImageGeometry, type ImageGeometry } from "./geocoding/geometry.ts";
export { type MapGrid, type MapGridBounds, mapGrid } from "./geocoding/map-grid.ts";
export {
  type ControlPointOptions,
  type GeocodedMap,
  groundControlPoints,
  type MapOfImageOptions,
  mapOfImage,
} from "./geocoding/map-of-image.ts";
