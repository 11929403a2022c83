/**
 * GeoTIFF files that `dechirp convert` writes. An image on the ground keeps its pixels, and so does one without a place or with control
 * points. An image in slant range is geocoded to the ellipsoid at a height, as amplitudes.
 */
import { basename } from "node:path";
import { isRadarError, type Layout } from "@dechirp/core";
import type { ImageMetadata } from "@dechirp/io";
import type { GeoTiffOptions } from "@dechirp/io/geotiff";
import { checkPlacement, type ImagePlacement, type ImageWindow } from "@dechirp/radar";
import type { GeocodeSource } from "@dechirp/sar/geocoding";
import { argumentError, blame, CommandError, optionFault } from "../errors.ts";
import { parseEpsg, parseMapStep, tiffPixels } from "../image-output.ts";
import { geocodeInto, groundHeight, mapNote } from "../map-file.ts";
import { parseHeight } from "../options.ts";
import type { ImageSource } from "./image-source.ts";
import { copyImage, fillSink, openSinkOf } from "./to-image.ts";
import type { Made, Work } from "./work.ts";

type Pixels = (typeof tiffPixels)[number];

/** The options of a map, checked before the input is read. */
export function mapOptions({ pixels, epsg, height, mapStep, controlPoints }: Work["options"]) {
  const chosen = tiffPixels.find((one) => one === pixels);
  if (pixels !== undefined && chosen === undefined) throw argumentError("--pixels", `one of ${tiffPixels.join(", ")}`, pixels);
  if (controlPoints && (epsg !== undefined || mapStep !== undefined)) {
    const option = epsg === undefined ? "--map-step" : "--epsg";
    throw new CommandError("argument", `${option} can't be given with --control-points: pixels stay where they are`, { option });
  }
  return {
    ...(chosen && { pixels: chosen }),
    ...(epsg !== undefined && { epsg: parseEpsg(epsg) }),
    ...(height !== undefined && { heightMeters: parseHeight("--height", height) }),
    ...(mapStep !== undefined && { step: parseMapStep(mapStep) }),
    controlPoints: controlPoints ?? false,
  };
}

/** Where an image is, and how it is read there. */
interface Placed {
  readonly placement: ImagePlacement;
  /** The image with the rows and columns of the placement. */
  readonly source: GeocodeSource;
  readonly shape: readonly [rows: number, columns: number];
  /** Height of the ground that is assumed unless an option says otherwise. */
  readonly heightMeters: number;
}

/** Options by the fields of errors. */
const fields = { epsg: "--epsg", heightMeters: "--height", step: "--map-step", pixels: "--pixels" } as const;

/** Writes an image as a cloud-optimised GeoTIFF. Throws `argument`, `file`, `write` and `aborted`. */
export async function writeMap(image: ImageSource, work: Work): Promise<Made> {
  const { pixels, controlPoints, ...ground } = mapOptions(work.options);
  const asked = { pixels: pixels ?? "amplitude" };
  try {
    if (controlPoints) return await writePixels(image, work, { ...asked, controlPoints: await pointsOf(image, ground.heightMeters) });
    const placed = await placedOf(image);
    if (!placed) {
      if (Object.keys(ground).length > 0) throw unplaced(image, Object.keys(ground)[0] as keyof typeof fields);
      return await writePixels(image, work, asked);
    }
    const isOnGround = placed.placement.kind === "map" || (placed.placement.kind === "plane" && placed.placement.plane === "ground");
    if (isOnGround && Object.keys(ground).length === 0)
      return await writePixels(image, work, asked, { ...image.metadata, placement: placed.placement });
    if (pixels === "complex") throw slantError(work.out, placed.placement);
    return await writeGeocoded(image, placed, work, ground, pixels ?? "amplitude");
  } catch (error) {
    throw (isRadarError(error, "input") && optionFault(error, fields)) || error;
  }
}

/** The refusal of complex pixels of an image that has no map; its first part is that of the writer of GeoTIFF files. */
function slantError(out: string, { kind }: ImagePlacement): CommandError {
  const why = "an image in slant range has no map: it must be geocoded, or given controlPoints";
  const message = `${out}: ${why}; geocoded pixels are amplitudes, so --pixels complex needs --control-points`;
  return new CommandError("argument", message, { option: "--pixels", expected: "amplitude, decibel or gray", actual: "complex", kind });
}

const unplaced = ({ files }: ImageSource, field: keyof typeof fields): CommandError =>
  new CommandError("argument", `${fields[field]} must be left out for ${files[0]}, whose place on earth is not known`, {
    option: fields[field],
    file: files[0],
  });

/** Where an image is. Undefined if that is not known. Throws `file` if its SICD geometry can't be that of a map. */
async function placedOf(image: ImageSource): Promise<Placed | undefined> {
  const { sicd, metadata, shape } = image;
  const layout = { dtype: "c64", shape } as const;
  if (!sicd) {
    if (metadata.placement === undefined) return undefined;
    const { placementOfImage } = await import("@dechirp/io/info");
    const { placement, heightMeters: stated } = placementOfImage({ placement: metadata.placement, collection: metadata.collection });
    await blame("file", image.files[0], () => checkPlacement(placement));
    const heightMeters = stated ?? (await groundHeight(placement, shape));
    return { placement, source: { layout, read: image.read }, shape, heightMeters };
  }
  const { placementOfSicd } = await import("@dechirp/io/sicd");
  const { placement, isTransposed, errorPixels } = placementOfSicd(sicd.metadata);
  if (!(errorPixels <= mostErrorPixels)) {
    const message = `${image.files[0]}: its pixels have times of their own, so that a map would be wrong by ${errorPixels.toPrecision(2)} pixels; --control-points gives them their places`;
    throw new CommandError("file", message, { file: image.files[0], field: "grid.timeOfAperture", actual: errorPixels });
  }
  const { heightMeters } = sicd.metadata.scp.geodetic;
  if (!isTransposed) return { placement, source: { layout, read: image.read }, shape, heightMeters };
  const turned = [shape[1], shape[0]] as const;
  return { placement, source: { layout: { dtype: "c64", shape: turned }, read: transposedReader(image) }, shape: turned, heightMeters };
}

/** A map may show a SICD image's places so far from where its own projection has them. */
const mostErrorPixels = 1;

/** Reads windows of an image whose rows are the columns of the one that is asked for. */
function transposedReader(image: ImageSource): GeocodeSource["read"] {
  return async ({ row, column, rows, columns }, options) => {
    const window: ImageWindow = { row: column, column: row, rows: columns, columns: rows };
    const data = await image.read(window, options);
    const out = new Float32Array(data.length);
    for (let r = 0; r < rows; r++)
      for (let c = 0; c < columns; c++) {
        out[2 * (r * columns + c)] = data[2 * (c * rows + r)];
        out[2 * (r * columns + c) + 1] = data[2 * (c * rows + r) + 1];
      }
    return out;
  };
}

/** Places of pixels in a lattice: by the SICD's own projection, or by the placement. */
async function pointsOf(image: ImageSource, heightMeters: number | undefined): Promise<NonNullable<GeoTiffOptions["controlPoints"]>> {
  if (image.sicd) {
    const { sicdControlPoints } = await import("@dechirp/io/sicd");
    return sicdControlPoints(image.sicd.metadata, heightMeters === undefined ? {} : { heightMeters });
  }
  const placed = await placedOf(image);
  if (!placed) {
    const message = `--control-points must be left out for ${image.files[0]}, whose place on earth is not known`;
    throw new CommandError("argument", message, { option: "--control-points", file: image.files[0] });
  }
  const { groundControlPoints } = await import("@dechirp/sar/geocoding");
  return groundControlPoints(placed.placement, placed.shape, { heightMeters: heightMeters ?? placed.heightMeters });
}

/** Writes the pixels of an image as they are, with the place that `metadata` or control points give them. */
async function writePixels(image: ImageSource, work: Work, form: GeoTiffOptions, metadata: ImageMetadata = image.metadata): Promise<Made> {
  const { geoTiffSink } = await import("@dechirp/io/node");
  const { out, signal } = work;
  const layout: Layout = { dtype: "c64", shape: image.shape };
  const sink = await openSinkOf(() => geoTiffSink.open(out, layout, metadata, { ...form, signal }), fields, image.files[0]);
  await copyImage(image, sink, work);
  const isPlaced = metadata.placement !== undefined || form.controlPoints !== undefined;
  return {
    shape: image.shape,
    type: form.pixels ?? "complex",
    details: { ...(form.controlPoints ? { controlPoints: form.controlPoints.length } : { placement: metadata.placement?.kind ?? null }) },
    notes: [...image.notes, ...(isPlaced ? [] : ["the file has no place on earth, because none is known of the image"])],
  };
}

interface Ground {
  readonly epsg?: number;
  readonly heightMeters?: number;
  readonly step?: number;
}

/** Geocodes an image: writes the map that it becomes. */
async function writeGeocoded(
  image: ImageSource,
  placed: Placed,
  work: Work,
  ground: Ground,
  pixels: Exclude<Pixels, "complex">,
): Promise<Made> {
  const [{ mapOfImage }, { geoTiffSink }] = await Promise.all([import("@dechirp/sar/geocoding"), import("@dechirp/io/node")]);
  const { out, signal, progress } = work;
  const { placement, source, shape } = placed;
  const map = mapOfImage(placement, shape, { heightMeters: placed.heightMeters, ...ground });
  const { provenance } = image.metadata;
  const metadata: ImageMetadata = { placement: map.placement, ...(provenance !== undefined && { provenance }) };
  const layout: Layout = { dtype: "f32", shape: [map.rows, map.columns] };
  const sink = await openSinkOf(() => geoTiffSink.open(out, layout, metadata, { pixels, signal }), fields, image.files[0]);
  await fillSink(sink, signal, (target) => geocodeInto(target, source, placement, map, signal, (share) => progress.update("map", share)));
  const { epsg, columnStep, heightMeters } = map.placement;
  return {
    shape: [map.rows, map.columns],
    type: pixels,
    details: { epsg, mapStep: columnStep, heightMeters: heightMeters ?? 0 },
    notes: [...image.notes, mapNote(basename(out), map)],
  };
}
