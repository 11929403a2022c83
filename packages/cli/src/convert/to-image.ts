/**
 * Images that `dechirp convert` writes, window by window: .npy files, Zarr stores and SICD images with the pixels of the input, and PNG
 * pictures. to-map.ts writes GeoTIFF files.
 */
import { basename, dirname } from "node:path";
import { isRadarError } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import type { ImageMetadata, ImageSink } from "@dechirp/io";
import type { ImageWindow } from "@dechirp/radar";
import { blame, CommandError, optionFault } from "../errors.ts";
import { drawingOf } from "../options.ts";
import { quicklookOptions } from "../quicklook.ts";
import type { ImageSource } from "./image-source.ts";
import type { Made, Work } from "./work.ts";

/** Bytes of rows that are read and written at once. */
const bandBytes = 2 ** 23;

/** The windows that an image is read in: chunks if it is stored in such, else bands of rows. */
export function* windowsOf({ shape: [rows, columns], chunk }: Pick<ImageSource, "shape" | "chunk">): Generator<ImageWindow> {
  const [height, width] = chunk ?? [Math.max(1, Math.floor(bandBytes / (8 * columns))), columns];
  for (let row = 0; row < rows; row += height)
    for (let column = 0; column < columns; column += width)
      yield { row, column, rows: Math.min(height, rows - row), columns: Math.min(width, columns - column) };
}

/** Fills a sink by `fill` and finishes it. Whatever fails, nothing is left of it; errors of the sink are of kind `write`. */
export async function fillSink(
  sink: ImageSink,
  signal: AbortSignal,
  fill: (sink: Pick<ImageSink, "write">) => Promise<void>,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined;
  /** What reads and what writes fail alike, so errors of writing are kept apart. */
  const heard = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  try {
    await fill({ write: (window, data, given) => heard(() => sink.write(window, data, given)) });
    await heard(() => sink.finish({ signal }));
  } catch (error) {
    await sink.abort();
    if (!failure) throw error;
    const { error: first } = failure;
    return blame("write", undefined, () => {
      throw first;
    });
  }
}

/** Copies an image to a sink. */
export const copyImage = (source: ImageSource, sink: ImageSink, { signal, progress }: Work): Promise<void> =>
  fillSink(sink, signal, async (target) => {
    const total = source.shape[0] * source.shape[1];
    let done = 0;
    for (const window of windowsOf(source)) {
      const data = await source.read(window, { signal });
      await target.write(window, data, { signal });
      done += window.rows * window.columns;
      progress.update("pixels", done / total);
    }
  });

/** Opens a sink. Errors about the system are of kind `write`, those about options name the option, others are about the input. */
export async function openSinkOf(
  open: () => Promise<ImageSink>,
  options: Readonly<Record<string, string>>,
  file: string,
): Promise<ImageSink> {
  try {
    return await open();
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const fault = optionFault(error, options);
    if (fault) throw fault;
    if (typeof error.fields["reason"] === "string" || error.fields["field"] === undefined)
      throw new CommandError("write", error.message, error.fields, error);
    throw new CommandError("file", `${file}: ${error.message}`, { file, ...error.fields }, error);
  }
}

const made = ({ shape, notes }: ImageSource, type = "c64"): Made => ({ shape, type, notes });

/** Writes an image as a .npy file of complex64. */
export async function writeNpyImage(source: ImageSource, work: Work): Promise<Made> {
  const { npySink } = await import("@dechirp/io/node");
  const { out, signal } = work;
  const layout = { dtype: "c64", shape: source.shape } as const;
  await copyImage(source, await openSinkOf(() => npySink.open(out, layout, {}, { signal }), {}, source.files[0]), work);
  return made(source);
}

/** Writes an image as a Zarr store with what is known of it. */
export async function writeZarrImage(source: ImageSource, work: Work): Promise<Made> {
  const { zarrSink } = await import("@dechirp/io/node");
  const { out, signal } = work;
  const layout = { dtype: "c64", shape: source.shape } as const;
  const metadata = await storedMetadata(source);
  const options = { signal, replace: true, ...(source.chunk && { chunk: source.chunk }) };
  await copyImage(source, await openSinkOf(() => zarrSink.open(out, layout, metadata, options), {}, source.files[0]), work);
  return made(source);
}

/**
 * What a store says of an image. That of a SICD image has its place if rows are rows, and not how it was collected: its pixels are at base
 * band, so that they could not become a SICD image as if they were backprojected.
 */
async function storedMetadata({ metadata, sicd }: ImageSource): Promise<ImageMetadata> {
  if (!sicd) return metadata;
  const { placementOfSicd } = await import("@dechirp/io/sicd");
  try {
    const { placement, isTransposed, errorPixels } = placementOfSicd(sicd.metadata);
    return isTransposed || errorPixels > 1 ? metadata : { ...metadata, placement };
  } catch (error) {
    if (isRadarError(error, "input")) return metadata;
    throw error;
  }
}

/** Writes an image as a SICD image: a copy with all metadata if it is one, else with placement and collection of its report. */
export async function writeSicdImage(source: ImageSource, work: Work): Promise<Made> {
  const { sicdSink } = await import("@dechirp/io/node");
  const { out, options, signal } = work;
  const { sicd, metadata } = source;
  const layout = { dtype: "c64", shape: source.shape } as const;
  const { collector, name, formatVersion } = options;
  if (sicd && (collector !== undefined || name !== undefined)) {
    const option = collector === undefined ? "--name" : "--collector";
    throw new CommandError("argument", `${option} must be left out, as ${source.files[0]} states it`, { option });
  }
  for (const field of ["placement", "collection"] as const)
    if (!sicd && !metadata[field]) {
      const expected = "a SICD image, or the result of focus or backproject on a recording that states its place and its times";
      const message = `${source.files[0]}: can't become a SICD image, which says where its pixels are and how they were collected: its ${field} is not known; it must be ${expected}`;
      throw new CommandError("file", message, { file: source.files[0], field, expected, actual: "not stated" });
    }
  const given = metadata.collection && {
    ...metadata.collection,
    ...(collector !== undefined && { collector }),
    ...(name !== undefined && { name }),
  };
  const known: ImageMetadata = sicd ? {} : { ...metadata, ...(given && { collection: given }) };
  const form = { signal, ...(formatVersion !== undefined && { version: formatVersion as never }), ...(sicd && { copyOf: sicd }) };
  const fields = { version: "--format-version", "metadata.collection.collector": "--collector", "metadata.collection.name": "--name" };
  await copyImage(source, await openSinkOf(() => sicdSink.open(out, layout, known, form), fields, source.files[0]), work);
  return made(source, "RE32F_IM32F");
}

/** Writes the picture of an image, with axes if they are known, else only grey levels. Memory is that of the picture. */
export async function writePicture(source: ImageSource, work: Work): Promise<Made> {
  const { out, options, signal, progress } = work;
  const drawing = drawingOf(options);
  const [{ createQuicklookAccumulator }, { encodePng }, { writeFolderAtomically }] = await Promise.all([
    import("@dechirp/sar"),
    import("@dechirp/io"),
    import("@dechirp/io/node"),
  ]);
  const { axes, shape, spacingMeters: [row, column] = [1, 1] } = source;
  const [rows, columns] = shape;
  const steps = axes ?? { yMeters: { start: 0, step: row, count: rows }, xMeters: { start: 0, step: column, count: columns } };
  const picture = createQuicklookAccumulator(rows, columns, quicklookOptions(steps, drawing));
  let done = 0;
  for (const window of windowsOf(source)) {
    const data = await source.read(window, { signal });
    await runAbortable(signal, "the picture", picture.addSteps(window, data));
    done += window.rows * window.columns;
    progress.update("pixels", done / (rows * columns));
  }
  const grey = await runAbortable(signal, "the picture", picture.finishSteps());
  let png: Uint8Array;
  if (axes) {
    const { greyPng } = await import("../quicklook.ts");
    png = await greyPng({ title: source.name, axes, grey }, drawing, signal);
  } else png = await encodePng(grey, { signal });
  await blame("write", undefined, () => writeFolderAtomically(dirname(out), { [basename(out)]: png }, { signal }));
  return {
    shape: [grey.height, grey.width],
    type: "uint8",
    details: { lowDb: grey.lowDb, highDb: grey.highDb },
    notes: [...source.notes, ...(axes || drawing.bare ? [] : ["the picture has only grey levels: the axes of the image are not known"])],
  };
}
