/** What dechirp has written: folders with report.json, and Zarr stores of images. */
import { dtypes } from "@dechirp/core";
import type { ImageCollection, ImagePlacement } from "@dechirp/radar";
import { type Place, withFileOf } from "../place.ts";
import { unlessRefused } from "./arrays.ts";
import { type Collected, notComputed, placeOfPlacement, withPlatform } from "./geometry.ts";
import type { InfoPlace, InfoRadar } from "./report.ts";
import { type Description, type InfoRow, quoted, type Thing } from "./thing.ts";

/** A report takes a few kilobytes, or a few hundred with thousands of targets. */
const mostReportBytes = 2 ** 26;

/** What reports are called by their format. */
const titles: Readonly<Record<string, { readonly title: string; readonly kind: "image" | "result" }>> = {
  "dechirp-report": { title: "focused image", kind: "image" },
  "dechirp-backprojection": { title: "backprojected image", kind: "image" },
  "dechirp-stap": { title: "result of STAP", kind: "result" },
};

/** Reports may have been edited by hand, so that any member may be anything. */
type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});
const numberOf = (value: unknown): number | undefined => (typeof value === "number" && Number.isFinite(value) ? value : undefined);
const textOf = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((one) => typeof one === "string") : []);
const sidesOf = (value: unknown): readonly number[] | undefined =>
  Array.isArray(value) && value.length === 2 && value.every((side) => Number.isSafeInteger(side) && side >= 1) ? value : undefined;

/** Folders of results with report.json. */
export const resultFolder: InfoRow = {
  name: "result-folder",
  matches: ({ names }) => names?.includes("report.json") ?? false,
  async describe(thing) {
    const report = await reportAt(thing);
    const format = textOf(report?.["format"]);
    if (!report || !format?.startsWith("dechirp-")) return undefined;
    const { title, kind } = titles[format] ?? { title: "result of dechirp", kind: "result" };
    const shape = sidesOf(objectOf(report["image"])["shape"]);
    const images = (thing.names ?? []).filter((name) => /^image\.(npy|zarr|nitf|tif)$/.test(name));
    const folder = quoted(thing.path);
    const place = shape ? await placeOfMetadata(report, shape, thing.geometry) : {};
    const version = numberOf(report["version"]);
    return {
      format: { name: format, title, ...(version !== undefined && { version: `${version}` }) },
      isRead: true,
      kind,
      ...(textOf(report["scene"]) !== undefined && { name: textOf(report["scene"]) as string }),
      ...(shape && { shape, axes: format === "dechirp-report" ? ["azimuth", "range"] : ["y", "x"], sampleType: "c64" }),
      ...radarOf(report),
      ...(place.place && { place: place.place }),
      details: {
        files: (thing.names ?? [])
          .filter((name) => !name.startsWith("."))
          .join(", ")
          .slice(0, 1000),
      },
      commands:
        kind === "image" && images.length > 0
          ? [
              ...(format === "dechirp-report" && images.includes("image.npy") ? [`dechirp quality ${folder}`] : []),
              `dechirp convert ${folder} ${place.place ? "map.tif" : "image.tif"}`,
              `dechirp convert ${folder} picture.png`,
            ]
          : [],
      notes: [...textsOf(report["notes"]), ...(place.note === undefined ? [] : [place.note])],
    };
  },
};

/** Reads a whole file of a folder. */
const bytesOf = (place: Place, name: string, maxBytes: number, reading: Thing["reading"]): Promise<Uint8Array> =>
  withFileOf(place, place.pathOf(name), { ...reading, maxBytes }, (file) => file.read(0, file.size));

/** The report of a folder, or undefined if it is no JSON object. */
async function reportAt({ place, reading }: Thing): Promise<Json | undefined> {
  const bytes = await bytesOf(place, "report.json", mostReportBytes, reading);
  try {
    return objectOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch {
    return undefined;
  }
}

function radarOf(report: Json): { readonly radar?: InfoRadar } {
  const [radar, history, raw] = ["radar", "history", "raw"].map((name) => objectOf(report[name]));
  const collection = objectOf(report["collection"]);
  const frequency = objectOf(history["frequency"]);
  const [first, step, count] = ["firstHz", "stepHz", "count"].map((name) => numberOf(frequency[name]) ?? Number.NaN);
  const bandwidth = Math.abs(numberOf(radar["chirpRateHzPerSecond"]) ?? Number.NaN) * (numberOf(radar["pulseSeconds"]) ?? Number.NaN);
  const carrierHz = numberOf(radar["carrierHz"]) ?? numberOf(first + ((count - 1) / 2) * step);
  const half = Number.isFinite(bandwidth) ? bandwidth / 2 : (count * step) / 2;
  const prfHz = numberOf(radar["prfHz"]) ?? numberOf(collection["prfHz"]);
  const pulses = numberOf(history["pulses"]) ?? sidesOf(raw["shape"])?.[0];
  const polarisation = objectOf(collection["polarisation"]);
  const [transmit, receive] = ["transmit", "receive"].map((name) => textOf(polarisation[name]));
  const known: InfoRadar = {
    ...(textOf(collection["collector"]) !== undefined && { collector: textOf(collection["collector"]) as string }),
    ...(textOf(collection["mode"]) !== undefined && { mode: textOf(collection["mode"]) as string }),
    ...(carrierHz !== undefined && { carrierHz }),
    ...(carrierHz !== undefined && Number.isFinite(half) && { bandHz: [carrierHz - half, carrierHz + half] as const }),
    ...(prfHz !== undefined && { prfHz }),
    ...(pulses !== undefined && { pulses }),
    ...(transmit !== undefined && receive !== undefined && { polarisation: `${transmit}${receive}` }),
    ...(textOf(collection["start"]) !== undefined && { startUtc: textOf(collection["start"]) as string }),
    ...(numberOf(collection["durationSeconds"]) !== undefined && { durationSeconds: numberOf(collection["durationSeconds"]) as number }),
  };
  return Object.keys(known).length > 0 ? { radar: known } : {};
}

/** What a report says of the collection of its image, as far as it is sound. */
function collectedOf(collection: unknown): Collected {
  const { platform, processing, groundHeightMeters } = objectOf(collection);
  const span = objectOf(processing)["seconds"];
  const ends = Array.isArray(span) ? span.map(Number) : [];
  const seconds = numberOf((ends[0] + ends[1]) / 2);
  const heightMeters = numberOf(groundHeightMeters);
  return {
    ...(isPath(platform) && { platform }),
    ...(seconds !== undefined && { seconds }),
    ...(heightMeters !== undefined && { heightMeters }),
  };
}

/**
 * The placement of an image as its metadata state it, for maps: a slant plane without a platform gets that of the collection. Also the
 * height of the ground, if it is stated. What is not sound in the description of the collection is left out.
 */
export function placementOfImage({ placement, collection }: { readonly placement: ImagePlacement; readonly collection?: unknown }): {
  readonly placement: ImagePlacement;
  readonly heightMeters?: number;
} {
  const { platform, seconds, heightMeters } = collectedOf(collection);
  return { placement: withPlatform(placement, platform, seconds), ...(heightMeters !== undefined && { heightMeters }) };
}

/** The place that a report or the metadata of an image states. What is stated wrongly becomes a note. */
async function placeOfMetadata(
  { placement, collection }: { readonly placement?: unknown; readonly collection?: unknown },
  shape: readonly number[],
  geometry: Thing["geometry"],
): Promise<{ readonly place?: InfoPlace; readonly note?: string }> {
  if (placement === undefined || placement === null) return {};
  if (!geometry) return { note: notComputed };
  const found = await unlessRefused(() => placeOfPlacement(placement as ImagePlacement, shape, geometry, collectedOf(collection)));
  return found ? { place: found } : { note: "the placement of the image is not valid, so that its place is not known" };
}

/** Whether a value of a report is a platform's path. */
function isPath(value: unknown): value is NonNullable<ImageCollection["platform"]> {
  const { kind, coefficients, timesSeconds, positionsMeters } = objectOf(value);
  const isVector = (one: unknown): boolean => Array.isArray(one) && one.length >= 1 && one.every((x) => typeof x === "number");
  if (kind === "polynomial") return Array.isArray(coefficients) && coefficients.length === 3 && coefficients.every(isVector);
  const count = Array.isArray(timesSeconds) ? timesSeconds.length : 0;
  return (
    kind === "states" &&
    count >= 2 &&
    isVector(timesSeconds) &&
    Array.isArray(positionsMeters) &&
    positionsMeters.length === count &&
    positionsMeters.every(isVector)
  );
}

/** Zarr stores. */
export const zarr: InfoRow = {
  name: "zarr",
  matches: ({ names }) => ["zarr.json", ".zgroup", ".zarray"].some((name) => names?.includes(name)),
  async describe(thing): Promise<Description> {
    const { openZarrStore } = await import("../zarr-image.ts");
    const { place: folder, reading, geometry } = thing;
    const load = (name: string, most: number) => bytesOf(folder, name, most, reading);
    const image = await unlessRefused(() => openZarrStore(thing.path, load, reading.signal));
    if (!image)
      return {
        format: { name: "zarr", title: "Zarr store" },
        isRead: false,
        kind: "data",
        notes: ["only complete Zarr stores of images that dechirp has written are read"],
      };
    const { layout, chunk, metadata } = image;
    const store = quoted(thing.path);
    const { place, note } = await placeOfMetadata(metadata, layout.shape, geometry);
    const isComplex = layout.dtype === "c64";
    return {
      format: { name: "zarr", title: "Zarr store of an image", version: "3" },
      isRead: true,
      kind: "image",
      // Chunks at the edges are whole.
      bytes: chunk.reduce((bytes, side, i) => bytes * side * Math.ceil(layout.shape[i] / side), dtypes[layout.dtype].bytes),
      shape: layout.shape,
      axes: metadata.axes?.map(({ name }) => name) ?? ["row", "column"],
      sampleType: layout.dtype,
      ...radarOf(metadata as Json),
      ...(place && { place }),
      details: { chunks: chunk.join(" × "), ...(metadata.units !== undefined && { units: metadata.units }) },
      commands: isComplex ? [`dechirp convert ${store} ${place ? "map.tif" : "image.tif"}`, `dechirp convert ${store} image.npy`] : [],
      notes: note === undefined ? [] : [note],
    };
  },
};
