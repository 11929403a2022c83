/**
 * Writes an image that is made in parts in several formats at once. An image in slant range becomes a map when all of its parts are there:
 * until then they are kept as .npy data.
 */
import { join } from "node:path";
import { isRadarError, type Layout } from "@dechirp/core";
import type { ImageMetadata, ImageSink, SinkOptions } from "@dechirp/io";
import type { ImageDescription, PartSink } from "@dechirp/processor";
import type { ImagePlacement } from "@dechirp/radar";
import { argumentError, CommandError, optionFault } from "./errors.ts";
import { type ImageOutput, imageFormats, imageNames, sourceName } from "./image-output.ts";
import { geocodeInto, groundHeight, mapNote } from "./map-file.ts";

/** What is written and where. */
export interface SinksTarget {
  readonly folder: string;
  readonly layout: Layout & { readonly shape: readonly [rows: number, columns: number] };
  /** Axes and provenance. */
  readonly metadata: ImageMetadata;
  readonly description: ImageDescription;
  readonly output: ImageOutput;
  /** Height above the ellipsoid of a map of the image. Default: that of its ground. */
  readonly heightMeters?: number;
  readonly digest: string;
  readonly resume: boolean;
  readonly signal: AbortSignal;
}

/** The files of an image. */
export interface ImageSinks extends Required<PartSink> {
  /** Names of the files, in the folder. */
  readonly files: readonly string[];
  /** What users should know of the files, one sentence each. */
  readonly notes: readonly string[];
  /** Completes all files. `provenance` is the report of the image. `onProgress` hears of a map, with the share that is made. */
  finish(provenance: unknown, onProgress: (what: string, share: number) => void): Promise<void>;
  /** Gives up and keeps what is written for another run. */
  abort(): Promise<void>;
}

/** How the GeoTIFF file of an image is made: of its pixels as they are, with control points or without, or as a map of them. */
type TiffWay = { readonly way: "direct"; readonly points: boolean } | { readonly way: "map"; readonly placement: ImagePlacement };

/**
 * Throws `argument` if an option asks for a file that can't be made of an image with this description. Returns how the GeoTIFF file is made.
 */
export function checkOutput({ placement, collection, placementNeeds, collectionNeeds }: ImageDescription, output: ImageOutput): TiffWay {
  const { formats, pixels, epsg, mapStep, controlPoints } = output;
  const needed = (option: string, needs: readonly string[]) =>
    new CommandError("argument", `${option}: the recording does not say ${needs.join(", nor ")}`, { option, expected: needs });
  if (formats.includes("sicd") && !(placement && collection)) throw needed("--format sicd", collectionNeeds);
  const direct: TiffWay = { way: "direct", points: controlPoints };
  if (!formats.includes("cog")) return direct;
  const asked = controlPoints ? "--control-points" : epsg !== undefined ? "--epsg" : mapStep !== undefined ? "--map-step" : undefined;
  if (!placement) {
    if (asked) throw needed(asked, placementNeeds);
    return direct;
  }
  if (placement.kind === "map") {
    if (mapStep !== undefined) throw argumentError("--map-step", "left out for an image that is on a map", mapStep);
    return direct;
  }
  if (controlPoints || (placement.kind === "plane" && epsg === undefined && mapStep === undefined)) return direct;
  if (pixels === "complex") {
    const why = "phases mean nothing on a map of an image in another geometry";
    throw argumentError("--pixels", `amplitude, decibel or gray, because ${why}; or given with --control-points`, pixels);
  }
  return { way: "map", placement };
}

/** Opens the files. Undefined if only the picture is wanted. Throws what the sinks throw. */
export async function openImageSinks(target: SinksTarget): Promise<ImageSinks | undefined> {
  const { folder, layout, metadata, description, output, digest, resume, signal } = target;
  const { formats, pixels = "amplitude" } = output;
  const tiff = checkOutput(description, output);
  if (formats.every((format) => format === "png")) return undefined;
  const { npySink, zarrSink, sicdSink, geoTiffSink } = await import("@dechirp/io/node");
  const options: SinkOptions = { digest, resume, signal };
  const { placement, plane, collection } = description;
  const placed: ImageMetadata = { ...metadata, ...(placement && { placement }) };
  const notes: string[] = [];
  const map = formats.includes("cog") && tiff.way === "map" ? await planMap(target, tiff.placement) : undefined;
  const open: [name: string, sink: () => Promise<ImageSink>][] = [];
  for (const format of formats) {
    if (format === "png") continue;
    const name = imageNames[format];
    const path = join(folder, name);
    if (format === "npy") open.push([name, () => npySink.open(path, layout, placed, options)]);
    if (format === "zarr") open.push([name, () => zarrSink.open(path, layout, placed, { ...options, replace: true })]);
    if (format === "sicd") {
      const facts = { ...metadata, placement: plane ?? placement, collection } as ImageMetadata;
      const begin = () => sicdSink.open(path, layout, facts, options);
      open.push([name, async () => (description.isConjugate ? conjugating(await begin()) : begin())]);
    }
    if (format === "cog" && tiff.way === "direct") {
      const controlPoints = tiff.points ? await pointsOf(target) : undefined;
      open.push([name, () => geoTiffSink.open(path, layout, placed, { ...options, pixels, ...(controlPoints && { controlPoints }) })]);
      if (!placement)
        notes.push(`${name} has no place on earth, because the recording does not say ${description.placementNeeds.join(", nor ")}`);
    }
  }
  const isKept = formats.includes("npy");
  if (map && !isKept) open.push([sourceName, () => npySink.open(join(folder, sourceName), layout, placed, options)]);
  const sinks: { readonly name: string; readonly sink: ImageSink }[] = [];
  try {
    for (const [name, begin] of open) sinks.push({ name, sink: await blameFormat(name, begin) });
  } catch (error) {
    // What was begun just now has nothing to go on with.
    for (const { sink } of sinks) await sink.abort({ keep: resume });
    throw error;
  }
  const exact = (sinks.find(({ name }) => name === imageNames.npy || name === sourceName || name === imageNames.zarr) ?? sinks[0]).sink;
  return {
    files: [...sinks.map(({ name }) => name).filter((name) => name !== sourceName), ...(map ? [imageNames.cog] : [])],
    notes: [...notes, ...(map?.notes ?? [])],
    async write(window, data, given) {
      const all = await Promise.allSettled(sinks.map(({ sink }) => sink.write(window, data, given)));
      for (const one of all) if (one.status === "rejected") throw one.reason;
    },
    has: (window) => sinks.every(({ sink }) => sink.has(window)),
    read: async (window, given) => (await exact.read(window, given)) as Float32Array,
    async finish(provenance, onProgress) {
      if (map) await map.make(exact, provenance, onProgress);
      for (const { name, sink } of sinks) await (name === sourceName ? sink.abort() : sink.finish({ signal, metadata: { provenance } }));
    },
    async abort() {
      for (const { sink } of sinks) await sink.abort({ keep: true });
    },
  };
}

/** A sink that stores the conjugate of what is written to it. */
function conjugating(sink: ImageSink): ImageSink {
  const conjugate = (data: ArrayLike<number>): Float32Array => Float32Array.from(data, (number, i) => (i % 2 === 0 ? number : -number));
  return {
    ...sink,
    write: (window, data, given) => sink.write(window, conjugate(data), given),
    read: async (window, given) => conjugate((await sink.read(window, given)) as Float32Array),
  };
}

/** Begins a file. If it can't be made of an image with this description, the error is about its format. */
async function blameFormat<T>(name: string, begin: () => Promise<T>): Promise<T> {
  try {
    return await begin();
  } catch (error) {
    const format = imageFormats.find((one) => one !== "png" && imageNames[one] === name);
    const about = isRadarError(error, "input") && /^(metadata|layout)\./.test(String(error.fields["field"]));
    if (!about || format === undefined) throw error;
    const option = `--format ${format}`;
    throw new CommandError("argument", `${option} does not suit the image: ${error.message}`, { ...error.fields, option }, error);
  }
}

/** Places on the ground of pixels of an image that is stored as it is. */
async function pointsOf({ layout, description: { placement }, heightMeters }: SinksTarget) {
  const { groundControlPoints } = await import("@dechirp/sar/geocoding");
  if (!placement) return undefined;
  return groundControlPoints(placement, layout.shape, { heightMeters: heightMeters ?? (await groundHeight(placement, layout.shape)) });
}

/** Plans a map. If it can't be made with an option, the error is about the option. */
function blameMapOptions<T>(plan: () => T): T {
  try {
    return plan();
  } catch (error) {
    const options = { epsg: "--epsg", step: "--map-step", heightMeters: "--height" };
    throw (isRadarError(error, "input") && optionFault(error, options)) || error;
  }
}

/** The map of an image in slant range or on a plane, and what makes it of the image's complete parts. */
async function planMap({ folder, layout, output, heightMeters, signal }: SinksTarget, placement: ImagePlacement) {
  const { mapOfImage } = await import("@dechirp/sar/geocoding");
  const { epsg, mapStep, pixels = "amplitude" } = output;
  const height = heightMeters ?? (await groundHeight(placement, layout.shape));
  const map = blameMapOptions(() =>
    mapOfImage(placement, layout.shape, {
      ...(epsg !== undefined && { epsg }),
      ...(mapStep !== undefined && { step: mapStep }),
      heightMeters: height,
    }),
  );
  const { rows, columns, placement: place } = map;
  return {
    notes: [mapNote(imageNames.cog, map)],
    async make(source: ImageSink, provenance: unknown, onProgress: (what: string, share: number) => void): Promise<void> {
      const { geoTiffSink } = await import("@dechirp/io/node");
      const sink = await geoTiffSink.open(
        join(folder, imageNames.cog),
        { dtype: "f32", shape: [rows, columns] },
        { placement: place, units: "amplitude", provenance },
        { signal, pixels },
      );
      try {
        await geocodeInto(sink, source, placement, map, signal, (share) => onProgress("geocoding", share));
        await sink.finish({ signal });
      } catch (error) {
        await sink.abort();
        throw error;
      }
    },
  };
}
