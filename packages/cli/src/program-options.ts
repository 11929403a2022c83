/** Options that several commands of the command line share, and the format of examples in help texts. */
import type { RecordingKind } from "@dechirp/io/formats";
import type { WindowChoice } from "@dechirp/radar";
import { Option } from "commander";
import { deviceNames } from "./devices.ts";
import { tiffPixels } from "./image-output.ts";
import { parseOut, parseText } from "./options.ts";
import { imageFiles } from "./output.ts";

/** Help texts that other packages supply. They are loaded only if help is shown. */
export interface HelpTexts {
  /** Lists the formats of a kind of recording. */
  readonly titlesOf: (kind: RecordingKind) => string;
  /** Lists the windows that `--window` accepts. */
  readonly windowSyntax: (choice?: WindowChoice) => string;
}

/** Makes an option that takes a text. */
export function textOption(flags: string, description: string): Option {
  const option = new Option(flags, description);
  return option.argParser(parseText(option.long ?? flags));
}

/** --json */
export const jsonOption = (): Option => new Option("--json", "print the result as JSON");
/** --device, for commands that can choose the device themselves. */
export const deviceOption = (): Option =>
  textOption(
    "--device <name>",
    `device to compute on: ${deviceNames()}; gpu:K is one of several cards, as dechirp devices lists them`,
  ).default("cpu");
/** --out with a description of the files in it. */
export const outOption = (description: string): Option => new Option("--out <dir>", description).argParser(parseOut());
/** --out of commands that write an image. */
export const imageFolderOption = (): Option =>
  outOption(`folder for ${imageFiles.join(", ")}; existing files of these names are replaced (required)`);
/** --bare */
export const bareOption = (): Option =>
  new Option("--bare", "write only the grey levels to quicklook.png, without axes, scale bar and colour bar");
/** --dynamic-range */
export const dynamicRangeOption = (): Option =>
  textOption("--dynamic-range <db>", "decibels from black to white in quicklook.png (default: 40)");
/** --memory of commands that make images in parts. */
export const memoryOption = (description: string): Option => textOption("--memory <size>", description);
/** --format of commands that make images in parts. `parts` is what parts are called. */
export const formatOption = (parts: string): Option =>
  textOption(
    "--format <list>",
    `formats, with commas between them. npy: image.npy; zarr: a Zarr store image.zarr; sicd: a SICD file image.nitf; cog: a cloud-optimised GeoTIFF image.tif; png: only the picture, which is written with every format. All but npy alone are made in ${parts} (default: npy)`,
  );
/** --pixels of GeoTIFF files */
export const pixelsOption = (): Option =>
  new Option("--pixels <what>", "cog: amplitude, decibel, gray (8 bit, logarithmic) or complex (default: amplitude)").choices(tiffPixels);
/** --map-step of GeoTIFF files */
export const mapStepOption = (): Option =>
  textOption("--map-step <size>", "cog: side of the map's pixels, in metres, or in degrees for EPSG 4326 (default: that of the image)");
/** --control-points of GeoTIFF files */
export const controlPointsOption = (): Option =>
  new Option("--control-points", "cog: keep the image as it is and store ground control points instead of making a map");
/** --resume of commands that make images in parts. `parts` is what parts are called. */
export const resumeOption = (parts: string): Option =>
  new Option("--resume", `go on with an image in ${parts} that an earlier run with the same options has begun`);
/** --dry-run */
export const dryRunOption = (): Option => new Option("--dry-run", "print the plan, with its parts, memory and work, and stop");
/** Formats command lines as the example at the end of a help text. */
export const example = (text: string): string => `\nExample:\n  ${text.split("\n").join("\n  ")}`;
