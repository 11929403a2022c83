/**
 * SICD images that are written in parts, on anything that takes bytes at a position: a file (node-sicd-sink.ts), or a file of a browser's
 * private file system (OPFS). Windows are turned, brought to base band and written to their place in the file, a piece of at most 2 MiB at a
 * time. Headers and XML are written when the image is complete.
 */
import { createPause, inputError, type Layout, type Pause, type TypedArrayOf, throwIfAborted } from "@dechirp/core";
import { createImageRegion, type ImageWindow } from "@dechirp/radar";
import { ecefToGeodetic, type GeodeticPosition, geodeticToEcef } from "@dechirp/radar/geodesy";
import { canonicalJson } from "./digest.ts";
import { checkImageLayout, checkMetadata, createSink, type ImageMetadata, type ImageSink } from "./image-sink.ts";
import { type NitfPlan, nitfHeaders, planNitf } from "./nitf-write.ts";
import { type ByteTarget, targetWriter } from "./npy-sink.ts";
import { checkOptions } from "./random-access.ts";
import { type CopiedSicd, planCopy } from "./sicd-copy.ts";
import type { PixelOrder, SicdPlan, SicdVersion } from "./sicd-grid.ts";
import { pixelTypes, type SicdMetadata } from "./sicd-metadata.ts";
import { pieceOf, turnPiece } from "./sicd-pixels.ts";
import { planSicd } from "./sicd-plan.ts";
import { plus, scaled } from "./sicd-vectors.ts";
import { encodeSicdXml } from "./sicd-xml.ts";

/** What else a SICD file says. */
export interface SicdFileOptions {
  /** Version of SICD. Default: 1.3.0, which more programs read than 1.4.0. */
  readonly version?: SicdVersion;
  /** Who made the file, up to 10 characters. Default: dechirp. */
  readonly station?: string;
  /** When the file was made, in UTC, such as `2026-03-14T11:00:00Z`. Default: now. */
  readonly created?: string;
  /**
   * An image that `openSicd` has opened, whose metadata the file gets, with the version above and pixels as 32-bit floats. Pixels are written
   * as they are given, [rows][columns] as that image has them, and placement and collection are not looked at. Default: none.
   */
  readonly copyOf?: CopiedSicd;
}

/** Options of `createSicdSink`. */
export interface CreateSicdSinkOptions extends SicdFileOptions {
  /** Name of the image for messages. Default: `image.nitf`. */
  readonly file?: string;
  readonly signal?: AbortSignal;
}

/** The options of `SicdFileOptions`, for tables of options. */
export const sicdFileFields = { version: "string", station: "string", created: "string", copyOf: "object" } as const;

/** Names and dates of the versions that are written. */
const versions: Readonly<Record<SicdVersion, { readonly date: string }>> = {
  "1.3.0": { date: "2021-11-30T00:00:00Z" },
  "1.4.0": { date: "2023-10-26T00:00:00Z" },
};

const specification = "SICD Volume 1 Design & Implementation Description Document";

type FileSettings = Required<Omit<SicdFileOptions, "copyOf">>;

/** Throws `input` unless the options of a SICD file are valid. */
export function checkSicdFile({ version = "1.3.0", station = "dechirp", created }: SicdFileOptions): FileSettings {
  if (!Object.hasOwn(versions, version)) throw inputError("version", Object.keys(versions).join(" or "), version);
  if (!/^[\x21-\x7e][\x20-\x7e]{0,9}$/.test(station)) throw inputError("station", "1 to 10 characters of ASCII", station);
  const time = created ?? `${new Date().toISOString().slice(0, 19)}Z`;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(time) || Number.isNaN(Date.parse(time)))
    throw inputError("created", "a time in UTC such as 2026-03-14T11:00:00Z", created);
  return { version, station, created: time };
}

/**
 * Begins a SICD image on a target that takes bytes. The layout is that of the image, complex64 [rows][columns]; its metadata must have a
 * placement of kind `plane` (of a backprojected image) or `slant` (of a range-Doppler or ω-K image), and a collection. The SICD image may be
 * transposed and turned. `finish` writes headers and XML and flushes the target, and closing it is left to the caller; so is removing it
 * after `abort`. An error of the target becomes the `cause` of a `failed`, unless it is a `RadarError`. Rejects with `input` for bad
 * arguments, and with `aborted`.
 */
export async function createSicdSink(
  target: ByteTarget,
  layout: Layout,
  metadata: ImageMetadata,
  options: CreateSicdSinkOptions = {},
): Promise<ImageSink> {
  const { file = "image.nitf", signal, ...rest } = checkOptions(options, { ...sicdFileFields, file: true, signal: true }, "createSicdSink");
  if (typeof (target as ByteTarget | undefined)?.write !== "function")
    throw inputError("target", "an object with write(at, bytes)", target);
  checkImageLayout(layout, ["c64"]);
  throwIfAborted(signal, `writing ${file}`);
  const writer = sicdWriter(target, layout, checkMetadata(metadata), file, rest);
  await writer.begin(createPause(`writing ${file}`, signal));
  const durable = createImageRegion();
  return createSink({
    file,
    layout,
    keeps: false,
    durable,
    async put(window, data, pause) {
      await writer.put(window, data, pause);
      durable.add(window);
    },
    async complete(late, pause) {
      await writer.finish(late, pause);
      await writer.flush();
    },
    discard: async () => {},
  });
}

/** Pieces of a window that are written, or read, at the same time. */
const rowsAtOnce = 16;

/**
 * Writes the pixels, headers and XML of a SICD image; `end` is the byte behind the pixels. `segmentBytes` is the most bytes of an image
 * segment, which is SICD's own limit unless a test divides small images.
 */
export function sicdWriter(
  target: ByteTarget,
  layout: Layout,
  metadata: ImageMetadata,
  file: string,
  options: SicdFileOptions,
  segmentBytes?: number,
) {
  const settings = checkSicdFile(options);
  const { copyOf } = options;
  const planOf = (known: ImageMetadata): SicdPlan & { readonly xml?: Uint8Array } =>
    copyOf ? planCopy(copyOf, layout.shape, settings.version, file) : planSicd(layout, known, settings.version);
  const plan = planOf(metadata);
  const { rows, columns } = plan.metadata.image;
  const nitf = planNitf(rows, columns, pixelTypes.RE32F_IM32F.bytes, segmentBytes);
  const { write, flush } = targetWriter(target, file);

  /** Calls `work` for the runs of bytes of a piece: its rows, or all of them if they follow each other in the file. */
  const runs = async (piece: ImageWindow, bytes: Uint8Array, work: (at: number, run: Uint8Array) => Promise<void>): Promise<void> => {
    const segment = nitf.segments.find(({ row, rows: height }) => piece.row < row + height) ?? nitf.segments[0];
    const place = (row: number): number => segment.at + 8 * ((row - segment.row) * columns + piece.column);
    if (piece.columns === columns) return work(place(piece.row), bytes);
    const rowBytes = 8 * piece.columns;
    for (let row = 0; row < piece.rows; row += rowsAtOnce) {
      const group = Array.from({ length: Math.min(rowsAtOnce, piece.rows - row) }, (_, i) =>
        work(place(piece.row + row + i), bytes.subarray((row + i) * rowBytes, (row + i + 1) * rowBytes)),
      );
      // All are awaited, so that nothing is written any more after an error.
      for (const one of await Promise.allSettled(group)) if (one.status === "rejected") throw one.reason;
    }
  };

  return {
    /** How pixels are stored. */
    order: plan.order,
    end: nitf.end,
    async begin(pause: Pause): Promise<void> {
      await pause();
    },
    async put(window: ImageWindow, data: TypedArrayOf, pause: Pause): Promise<void> {
      const whole = turnedWindow(window, plan.order, rows, columns);
      for (const piece of piecesOf(whole, nitf)) {
        await pause();
        const floats = pieceOf(piece);
        turnPiece({ order: plan.order, rows, columns, window, data: data as Float32Array, piece, floats, inverse: false });
        await runs(piece, new Uint8Array(floats.buffer), write);
      }
    },
    /** Reads a window into `data`. `read` fills all of `bytes` from byte `at` of the file. Pixels have the rounding error of a carrier. */
    async get(
      window: ImageWindow,
      data: TypedArrayOf,
      read: (at: number, bytes: Uint8Array) => Promise<void>,
      pause: Pause,
    ): Promise<void> {
      const whole = turnedWindow(window, plan.order, rows, columns);
      for (const piece of piecesOf(whole, nitf)) {
        await pause();
        const floats = pieceOf(piece);
        await runs(piece, new Uint8Array(floats.buffer), read);
        turnPiece({ order: plan.order, rows, columns, window, data: data as Float32Array, piece, floats, inverse: true });
      }
    },
    /** Writes headers and XML. `late` replaces members of the metadata; the order of the pixels must stay the same. */
    async finish(late: ImageMetadata, pause: Pause): Promise<void> {
      const last = late.placement || late.collection ? planOf({ ...metadata, ...late }) : plan;
      if (canonicalJson(last.order) !== canonicalJson(plan.order))
        throw inputError("metadata", "of the same place, path, times and band as when the image was begun", late);
      for (const { at, bytes } of headersOf(last, nitf, file, settings)) {
        await pause();
        await write(at, bytes);
      }
    },
    flush,
  };
}

/** The window of the SICD image that a window of the image becomes. */
function turnedWindow(window: ImageWindow, order: PixelOrder, rows: number, columns: number): ImageWindow {
  const { transposed, reversedRows, reversedColumns } = order;
  const [row, column] = transposed ? [window.column, window.row] : [window.row, window.column];
  const [height, width] = transposed ? [window.columns, window.rows] : [window.rows, window.columns];
  return {
    row: reversedRows ? rows - row - height : row,
    column: reversedColumns ? columns - column - width : column,
    rows: height,
    columns: width,
  };
}

/** Most pixels of a piece. */
const piecePixels = 2 ** 18;

/** Divides a window of the SICD image into pieces within segments. */
function* piecesOf(window: ImageWindow, { segments }: NitfPlan): Generator<ImageWindow> {
  const width = Math.min(window.columns, piecePixels);
  const height = Math.max(1, Math.floor(piecePixels / width));
  for (const segment of segments) {
    const end = Math.min(window.row + window.rows, segment.row + segment.rows);
    for (let row = Math.max(window.row, segment.row); row < end; row += height)
      for (let column = window.column; column < window.column + window.columns; column += width)
        yield { row, column, rows: Math.min(height, end - row), columns: Math.min(width, window.column + window.columns - column) };
  }
}

/** Text in ASCII for headers; the XML has it as it is. */
const ascii = (text: string): string => text.replace(/[^\x20-\x7e]/gu, "?");

/** The headers, and the XML with its subheader. */
function headersOf(
  { metadata: planned, xml }: SicdPlan & { readonly xml?: Uint8Array },
  nitf: NitfPlan,
  file: string,
  { version, station, created }: FileSettings,
) {
  const metadata: SicdMetadata = { ...planned, creation: { ...planned.creation, dateTime: created } };
  const { collection, corners, image, start } = metadata;
  const { bytes, bits, PVTYPE, ISUBCAT } = pixelTypes[image.pixelType];
  const outline = [...corners, corners[0]].map(
    ({ latitudeDegrees, longitudeDegrees }) => signed(latitudeDegrees, 12) + signed(longitudeDegrees, 13),
  );
  return nitfHeaders(file, nitf, {
    columns: image.columns,
    pixelBytes: bytes,
    bits,
    PVTYPE,
    ISUBCAT,
    title: ascii(`SICD: ${collection.name}`),
    station,
    source: ascii(collection.collector),
    classification: collection.classification,
    created,
    taken: start,
    corners: segmentCorners(corners, nitf, image.rows),
    xml: xml ?? encodeSicdXml(metadata, file),
    content: {
      DESCRC: 99_999,
      DESSHFT: "XML",
      DESSHDT: `${created.slice(0, 19)}Z`,
      DESSHSI: specification,
      DESSHSV: version,
      DESSHSD: versions[version].date,
      DESSHTN: `urn:SICD:${version}`,
      DESSHLPG: outline.join(""),
    },
  });
}

/** A number with its sign, eight digits behind the point, and `length` characters. */
const signed = (value: number, length: number): string =>
  (value < 0 ? "-" : "+") +
  Math.abs(value)
    .toFixed(8)
    .padStart(length - 1, "0");

/** The corners of each segment, on straight lines between those of the image at height 0. */
function segmentCorners(
  corners: readonly GeodeticPosition[],
  { segments }: NitfPlan,
  rows: number,
): readonly (readonly GeodeticPosition[])[] {
  const places = corners.map((corner) => geodeticToEcef({ ...corner, heightMeters: 0 }));
  const between = (first: number, last: number, row: number): GeodeticPosition => {
    const share = row / (rows - 1);
    return ecefToGeodetic(plus(scaled(places[first], 1 - share), places[last], share));
  };
  return segments.map(({ row }, i) => {
    // A segment ends where the next one begins.
    const end = i + 1 < segments.length ? segments[i + 1].row : rows - 1;
    return [between(0, 3, row), between(1, 2, row), between(1, 2, end), between(0, 3, end)];
  });
}
