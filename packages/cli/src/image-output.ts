/** In which formats an image is written: the options that say so, their checks, and the names of the files. */
import type { GeoTiffPixels } from "@dechirp/io/geotiff";
import { isUtmEpsg } from "@dechirp/radar/geodesy";
import { argumentError } from "./errors.ts";
import { optional, parseNumber } from "./options.ts";

/** Formats of images. With `png` alone, there is no image but the picture. */
export const imageFormats = ["npy", "zarr", "sicd", "cog", "png"] as const;
/** A format of images. */
export type ImageFormat = (typeof imageFormats)[number];
/** Names of the image by format. The picture is written with every format. */
export const imageNames: Readonly<Record<Exclude<ImageFormat, "png">, string>> = {
  npy: "image.npy",
  zarr: "image.zarr",
  sicd: "image.nitf",
  cog: "image.tif",
};
/** Name of the image from which a map is made when it is complete, if it is not kept as .npy. It is never left behind. */
export const sourceName = "image-for-map.npy";
/** Pixels of GeoTIFF files that the commands write. */
export const tiffPixels = ["amplitude", "decibel", "gray", "complex"] as const satisfies readonly GeoTiffPixels[];

/** The options as commander passes them. */
export interface OutputArguments {
  readonly format?: string;
  readonly pixels?: (typeof tiffPixels)[number];
  readonly epsg?: string;
  readonly mapStep?: string;
  readonly controlPoints?: boolean;
}

/** How an image is stored. */
export interface ImageOutput {
  /** In the order of `imageFormats`, each once. */
  readonly formats: readonly ImageFormat[];
  /** Pixels of the GeoTIFF file. Default: amplitude. */
  readonly pixels?: (typeof tiffPixels)[number];
  /** The map of the GeoTIFF file. Default: the UTM zone for an image in slant range; the plane itself for a plane. */
  readonly epsg?: number;
  /** Side of a pixel of the map, in metres, or in degrees for EPSG 4326. Default: the longer of a row's and a column's step. */
  readonly mapStep?: number;
  /** Whether the GeoTIFF file has the image as it is, with ground control points. */
  readonly controlPoints: boolean;
}

/** Parses the options. Throws `argument`. */
export function outputOf({ format = "npy", pixels, epsg, mapStep, controlPoints = false }: OutputArguments): ImageOutput {
  const given = format.split(",");
  for (const one of given)
    if (!(imageFormats as readonly string[]).includes(one))
      throw argumentError("--format", `one of ${imageFormats.join(", ")}, or several with commas between them`, one);
  const output: ImageOutput = {
    formats: imageFormats.filter((one) => given.includes(one)),
    ...(pixels && { pixels }),
    ...optional("epsg", epsg, parseEpsg),
    ...optional("mapStep", mapStep, parseMapStep),
    controlPoints,
  };
  if (controlPoints && (output.epsg !== undefined || output.mapStep !== undefined))
    throw argumentError(output.epsg === undefined ? "--map-step" : "--epsg", "left out with --control-points", epsg ?? mapStep);
  if (!controlPoints && pixels === "complex" && output.mapStep !== undefined)
    throw argumentError("--map-step", "left out with --pixels complex", mapStep);
  return output;
}

/** Parses the side of a pixel of a map. Throws `argument`. */
export const parseMapStep = (text: string): number =>
  parseNumber("--map-step", text, "a positive number of at most 1e6", (step) => step > 0 && step <= 1e6);

/** Parses an EPSG code of a map. Throws `argument`. */
export const parseEpsg = (text: string): number =>
  parseNumber(
    "--epsg",
    text,
    "4326, or the code of a UTM zone on WGS 84 (32601 to 32660, 32701 to 32760)",
    (code) => code === 4326 || isUtmEpsg(code),
  );

/** Whether an image in the formats can be written as a whole: as .npy alone. */
export const isPlain = ({ formats }: ImageOutput): boolean => formats.length === 1 && formats[0] === "npy";

/** Throws `argument` if options of GeoTIFF files are given and none is written. */
export function checkTiffOptions({ formats, pixels, epsg, mapStep, controlPoints }: ImageOutput, map = false): void {
  if (formats.includes("cog")) return;
  for (const [option, value] of [
    ["--pixels", pixels],
    ["--epsg", map ? undefined : epsg],
    ["--map-step", mapStep],
    ["--control-points", controlPoints || undefined],
  ] as const)
    if (value !== undefined) throw argumentError(option, "left out unless --format has cog", value);
}
