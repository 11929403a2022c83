/**
 * `@dechirp/io/geotiff`: cloud-optimised GeoTIFF files. `createGeoTiffSink` writes to anything that takes bytes; for paths there is
 * `geoTiffSink` in `@dechirp/io/node`.
 */

export type { GroundControlPoint } from "./geotiff-keys.ts";
export type { DecibelRange, GeoTiffPixels } from "./geotiff-pixels.ts";
export { type CreateGeoTiffSinkOptions, createGeoTiffSink } from "./geotiff-sink.ts";
export type { GeoTiffOptions, ScratchBytes } from "./geotiff-write.ts";

// Reading.

export { readTiffHeader, type TiffHeader, type TiffImage, type TiffPlace } from "./tiff-header.ts";
