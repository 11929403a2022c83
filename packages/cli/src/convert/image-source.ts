/**
 * Complex images that `dechirp convert` reads, window by window: SICD images, .npy files, Zarr stores of dechirp, and folders that `focus`
 * and `backproject` write. What is known of an image beside its pixels is its metadata; reports may have been edited by hand, so every
 * member is checked.
 */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { DType, TypedArrayOf } from "@dechirp/core";
import type { ImageAxisMetadata, ImageMetadata, RandomAccess } from "@dechirp/io";
import type { SicdImage } from "@dechirp/io/sicd";
import type { ImageWindow } from "@dechirp/radar";
import { CommandError } from "../errors.ts";
import type { ImageAxes } from "../quicklook.ts";

/** A complex image, open for reading. */
export interface ImageSource {
  readonly name: string;
  readonly shape: readonly [rows: number, columns: number];
  readonly metadata: ImageMetadata;
  /** Rows and columns of the chunks that it is stored in. Absent if it is stored by rows. */
  readonly chunk?: readonly [rows: number, columns: number];
  /** From a row and a column to the next, for pictures with square pixels. Absent if it is not known. */
  readonly spacingMeters?: readonly [row: number, column: number];
  /** Axes with their names, for pictures. */
  readonly axes?: ImageAxes;
  /** The SICD image that it is. */
  readonly sicd?: SicdImage;
  /** Files and folders that are read, none of which may be replaced. */
  readonly files: readonly string[];
  readonly notes: readonly string[];
  /** Reads a window as complex64: [rows][columns], interleaved. */
  read(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Opens the SICD image in a file. */
export async function openSicdSource(path: string, signal: AbortSignal): Promise<ImageSource> {
  const { openSicd } = await import("@dechirp/io/sicd");
  return opened(path, async (access) => {
    const image = await openSicd(access, { file: path, signal });
    const { grid, collection } = image.metadata;
    const [rows, columns] = image.layout.shape;
    return {
      name: collection.name,
      shape: [rows, columns],
      metadata: { provenance: { from: "sicd", name: collection.name, collector: collection.collector, pixels: "at base band" } },
      spacingMeters: [grid.row.spacingMeters, grid.column.spacingMeters],
      sicd: image,
      files: [path],
      notes: image.notes,
      read: (window, options) => image.read(window, options),
      close: () => access.close(),
    };
  });
}

/** Opens the complex image in a .npy file. Throws `file` if it has another type or other axes. */
export async function openNpySource(path: string, signal: AbortSignal): Promise<ImageSource> {
  const { openNpy } = await import("@dechirp/io");
  return opened(path, async (access) => {
    const npy = await openNpy(access, { file: path, complexPairs: true, signal });
    const { dtype, shape } = npy.layout;
    checkImage(path, dtype, shape);
    return {
      name: path.split(/[\\/]/).at(-1) ?? path,
      shape: [shape[0], shape[1]],
      metadata: {},
      files: [path],
      notes: dtype === "c128" ? [roundedNote] : [],
      read: async (window, options) => complex64(await npy.window(window, options)),
      close: () => access.close(),
    };
  });
}

const roundedNote = "pixels were rounded from float64 to float32";

/** Opens the image in a Zarr store of dechirp. */
export async function openZarrSource(path: string, signal: AbortSignal): Promise<ImageSource> {
  const { openZarrImage } = await import("@dechirp/io/node");
  const { layout, chunk, metadata, read } = await openZarrImage(path, { signal });
  checkImage(path, layout.dtype, layout.shape);
  const { axes } = metadata;
  return {
    name: path.split(/[\\/]/).filter(Boolean).at(-1) ?? path,
    shape: [layout.shape[0], layout.shape[1]],
    metadata,
    chunk,
    ...(axes?.every(({ unit, step }) => unit === "m" && step !== 0) && {
      spacingMeters: [Math.abs(axes[0].step), Math.abs(axes[1].step)] as const,
    }),
    files: [path],
    notes: layout.dtype === "c128" ? [roundedNote] : [],
    read: async (window, options) => complex64(await read(window, options)),
    close: async () => {},
  };
}

/** Names of images in a folder, in the order in which they are looked for, with their readers. */
const folderImages: readonly (readonly [name: string, open: (path: string, signal: AbortSignal) => Promise<ImageSource>])[] = [
  ["image.npy", openNpySource],
  ["image.zarr", openZarrSource],
  ["image.nitf", openSicdSource],
];

/** A report takes a few kilobytes, or a few hundred with thousands of targets. */
const mostReportBytes = 2 ** 26;

/** Opens the image in a folder that `focus` or `backproject` has written. Throws `file` if there is none, or if it is not the report's. */
export async function openFolderSource(folder: string, signal: AbortSignal): Promise<ImageSource> {
  const names = await readdir(folder);
  const found = folderImages.find(([name]) => names.includes(name));
  const file = join(folder, "report.json");
  if (!found) {
    const expected = `a folder with ${folderImages.map(([name]) => name).join(" or ")}`;
    throw new CommandError("file", `${folder}: must be ${expected}, not one with a report only`, { file: folder, expected, actual: names });
  }
  const { readBytes } = await import("@dechirp/io/node");
  const report = reportOf(file, await readBytes(file, { signal, maxBytes: mostReportBytes }));
  const [name, open] = found;
  const image = await open(join(folder, name), signal);
  try {
    const stated = objectOf(report["image"])["shape"];
    if (Array.isArray(stated) && String(stated) !== String(image.shape)) {
      const message = `${file}: image.shape must be [${image.shape.join(", ")}], as ${name} has, not [${stated.join(", ").slice(0, 100)}]`;
      throw new CommandError("file", message, { file, field: "image.shape", expected: image.shape, actual: stated });
    }
    const scene = report["scene"];
    const axes = pictureAxes(report["axes"], image.shape);
    return {
      ...image,
      ...(typeof scene === "string" && scene !== "" && { name: scene }),
      ...(axes && { axes, spacingMeters: spacingOf(axes) }),
      metadata: image.sicd ? image.metadata : metadataOf(report, image.metadata),
      files: [...image.files, file, folder],
    };
  } catch (error) {
    await image.close();
    throw error;
  }
}

type Json = Readonly<Record<string, unknown>>;
const objectOf = (value: unknown): Json => (typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {});

function reportOf(file: string, bytes: Uint8Array): Json {
  try {
    return objectOf(JSON.parse(new TextDecoder().decode(bytes)));
  } catch (error) {
    throw new CommandError("file", `${file}: not JSON`, { file, field: "the document", expected: "JSON", actual: "other text" }, error);
  }
}

interface Axis {
  readonly start: number;
  readonly step: number;
  readonly count: number;
}

/** An axis of a report. Undefined if it is not one. */
function axisOf(value: unknown, count: number): Axis | undefined {
  const { start, step } = objectOf(value);
  const isSound = typeof start === "number" && typeof step === "number" && Number.isFinite(start) && Number.isFinite(step) && step !== 0;
  return isSound ? { start, step, count } : undefined;
}

function pictureAxes(value: unknown, [rows, columns]: readonly [number, number]): ImageAxes | undefined {
  const axes = objectOf(value);
  const [y, x] = [axisOf(axes["yMeters"], rows), axisOf(axes["xMeters"], columns)];
  if (x && y) return { xMeters: x, yMeters: y };
  const [azimuth, range] = [axisOf(axes["azimuthMeters"], rows), axisOf(axes["slantRangeMeters"], columns)];
  return azimuth && range ? { azimuthMeters: azimuth, slantRangeMeters: range } : undefined;
}

const spacingOf = (axes: ImageAxes): readonly [number, number] => {
  const [rows, columns] = "xMeters" in axes ? [axes.yMeters, axes.xMeters] : [axes.azimuthMeters, axes.slantRangeMeters];
  return [Math.abs(rows.step), Math.abs(columns.step)];
};

/** What a report states of the image, in the form of sinks. Members of the image's own metadata come first. */
function metadataOf(report: Json, own: ImageMetadata): ImageMetadata {
  const axes = objectOf(report["axes"]);
  const named = (name: string, unit: string, value: unknown): ImageAxisMetadata | undefined => {
    const axis = axisOf(value, 1);
    return axis && { name, unit, first: axis.start, step: axis.step };
  };
  const [y, x] = [named("y", "m", axes["yMeters"]), named("x", "m", axes["xMeters"])];
  const [azimuth, range] = [named("azimuth", "s", axes["azimuthSeconds"]), named("range", "m", axes["slantRangeMeters"])];
  const both = x && y ? ([y, x] as const) : azimuth && range ? ([azimuth, range] as const) : undefined;
  const { placement, collection } = report as ImageMetadata;
  return {
    ...(both && { axes: both }),
    ...(placement && { placement }),
    ...(collection && { collection }),
    provenance: report,
    ...own,
  };
}

/** Throws `file` unless an array is a complex image. */
function checkImage(file: string, dtype: DType, shape: readonly number[]): void {
  if (shape.length === 2 && ["c64", "c128", "ci8", "ci16"].includes(dtype)) return;
  const expected = "a complex image [rows][columns]";
  const actual = `${dtype} [${shape.join(", ")}]`;
  throw new CommandError("file", `${file}: must be ${expected}, not ${actual}`, { file, expected, actual });
}

/** Complex numbers of any type as float32. */
const complex64 = (data: TypedArrayOf): Float32Array => (data instanceof Float32Array ? data : Float32Array.from(data));

/** Opens a file for reading in parts and passes it on; closes it if `work` fails. */
async function opened(path: string, work: (access: RandomAccess) => Promise<ImageSource>): Promise<ImageSource> {
  const { openFile } = await import("@dechirp/io/node");
  // Without the signal, which is for opening only; each read has its own.
  const access = await openFile(path, { maxBytes: Number.POSITIVE_INFINITY });
  try {
    return await work(access);
  } catch (error) {
    await access.close();
    throw error;
  }
}
