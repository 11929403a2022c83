/**
 * Sinks: images that are written in parts, so that no process needs the whole image in memory. This file has the interface that every
 * format of images implements, the checks of its arguments, and what all sinks have in common: parts that are written one after the
 * other, parts that overlap or are missing, and the end of a sink. A format supplies the rest (`SinkParts`). Nothing here needs Node.
 */
import {
  byteLength,
  createPause,
  type DType,
  dtypes,
  inputError,
  isRadarError,
  type Layout,
  messageOf,
  type Pause,
  RadarError,
  type TypedArrayOf,
  throwIfAborted,
} from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf, isArrayOf } from "@dechirp/core/internal";
import {
  checkImageWindow,
  checkPlacement,
  createImageRegion,
  formatImageWindow,
  type ImageCollection,
  type ImagePlacement,
  type ImageWindow,
} from "@dechirp/radar";
import { canonicalJson } from "./digest.ts";
import { checkOptions } from "./random-access.ts";

/** Options of `ImageSink.finish`. */
export interface FinishOptions {
  readonly signal?: AbortSignal;
  /** What became known while the image was made. It replaces members of the metadata that the sink was opened with. */
  readonly metadata?: ImageMetadata;
}

/**
 * An image that is written in parts. After `finish` or `abort`, calls reject with `disposed`. After a write that failed or was aborted
 * only `abort` is left: other calls reject with the error of that write.
 */
export interface ImageSink {
  /** Type and shape [rows][columns] of the image. */
  readonly layout: Layout;
  /**
   * Writes one part: `data` is [rows][columns] of the window, row-major, complex numbers interleaved, in the typed array of the layout's
   * type. Parts may come in any order, also while others are being written. They must not overlap, but what an earlier run has written
   * may be written again. Numbers are written as they are, NaN too. Resolves when `data` may be changed again. Rejects with `input` for a
   * bad window, bad data, and if the system refuses; and with `aborted`.
   */
  write(window: ImageWindow, data: TypedArrayOf, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /**
   * What a killed process would not lose, as windows that do not overlap, by rows, then columns. It also has what earlier runs have
   * written. A sink that does not keep anything for a later run (no `digest`) lists what it has handed to the system.
   */
  written(): readonly ImageWindow[];
  /** Whether `written` has all of a window. Throws `input` for a bad window. */
  has(window: ImageWindow): boolean;
  /**
   * Reads a part that this run has written, or that was kept of an earlier one: [rows][columns], as `write` takes it. A Zarr store has a part
   * when its chunks are complete (`written`). Rejects with `input` for a window that is not written, for targets that can't be read, and if the system refuses; and with `aborted`.
   */
  read(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<TypedArrayOf>;
  /**
   * Completes the image. Rejects with `input`, which names the first missing part, if it is not all there; more parts can be written then.
   */
  finish(options?: FinishOptions): Promise<void>;
  /**
   * Gives up: stops the write that is under way and removes everything, or keeps it for a later run (`keep`), which needs a sink with a
   * `digest`. Does nothing after `finish` or another `abort`.
   */
  abort(options?: { readonly keep?: boolean }): Promise<void>;
}

/** One axis of an image. */
export interface ImageAxisMetadata {
  /** Such as `azimuth`. */
  readonly name: string;
  /** Unit of `first` and `step`, such as `m` or `s`. */
  readonly unit?: string;
  /** Coordinate of the first row or column, in `unit`. */
  readonly first: number;
  /** From one coordinate to the next, in `unit`. */
  readonly step: number;
}

/** What an image is. Formats that have a place for it store it. */
export interface ImageMetadata {
  /** Axes of rows and of columns. Default: `azimuth` and `range`, without coordinates. */
  readonly axes?: readonly [rows: ImageAxisMetadata, columns: ImageAxisMetadata];
  /** Unit of the pixels. */
  readonly units?: string;
  /** Where the pixels are on earth. Default: not known. */
  readonly placement?: ImagePlacement;
  /** How its data was collected and processed. Formats that store it check it. Default: not known. */
  readonly collection?: ImageCollection;
  /** Where the image comes from, such as the report of its processing: any plain JSON. */
  readonly provenance?: unknown;
}

/** Options that all sinks have. */
export interface SinkOptions {
  readonly signal?: AbortSignal;
  /**
   * Digest of the parameters of the run (`parametersDigest`). With it, what has been written outlives the process, and a later run can go
   * on. Default: nothing is kept.
   */
  readonly digest?: string;
  /**
   * Whether to go on with what an earlier run with the same digest has written. If there is nothing, the image is begun. Default: false,
   * which removes what earlier runs have left.
   */
  readonly resume?: boolean;
  /**
   * Whether to resume also if the earlier process ran in another container or on another host, or before the system started, so that this
   * one can't find out whether it has ended. Make sure that it has. Default: only if it has changed nothing for a day.
   */
  readonly takeOver?: boolean;
}

/** A format of images that are written in parts. `Target` says where: a path, or something that takes bytes. */
export interface SinkFormat<Target, Options extends SinkOptions = SinkOptions> {
  readonly name: string;
  /** What an image of this format is called in a sentence. */
  readonly title: string;
  /** Usual end of the file's or folder's name. */
  readonly extension: string;
  /**
   * Begins an image of the layout [rows][columns]. Rejects with `input` for bad arguments and if the system refuses, in which case nothing
   * is left behind; with `input` and the field `resume` if what is there belongs to other parameters; and with `aborted`.
   */
  open(target: Target, layout: Layout, metadata?: ImageMetadata, options?: Options): Promise<ImageSink>;
}

/** The options that `SinkOptions` has, for tables of the options of formats. */
export const sinkOptionFields: FieldsOf<SinkOptions> = { signal: true, digest: "string", resume: "boolean", takeOver: "boolean" };

/** Throws `input` unless a format's options are valid. */
export function checkSinkOptions<O extends SinkOptions>(options: O, fields: FieldsOf<O>, what: string): O {
  const { digest, resume, takeOver } = checkOptions(options, fields, what);
  if (digest === "") throw inputError("digest", "a text", digest);
  for (const [field, value] of Object.entries({ resume, takeOver }))
    if (value && digest === undefined) throw inputError("digest", `given with ${field}`, undefined);
  return options;
}

/** Throws `input` unless `layout` is that of an image in one of the types. Images may have up to 2^53 bytes. */
export function checkImageLayout(layout: Layout, types: readonly DType[]): void {
  checkObject(layout, "layout", "input");
  checkFields(layout, { dtype: "string", shape: "object" }, "a layout", "input", "layout.");
  const { dtype, shape } = layout;
  if (!types.includes(dtype)) throw inputError("layout.dtype", `one of ${types.join(", ")}`, dtype);
  const sides = Array.isArray(shape) && shape.length === 2 && shape.every((side) => Number.isSafeInteger(side) && side > 0);
  if (!sides) throw inputError("layout.shape", "[rows, columns], two positive integers", shape);
  if (!(byteLength(layout) <= Number.MAX_SAFE_INTEGER - 2 ** 16)) throw inputError("layout.shape", "of less than 2^53 bytes", shape);
}

/** Throws `input` unless metadata is plain and its members have their types. */
export function checkMetadata(metadata: ImageMetadata): ImageMetadata {
  checkFields(
    metadata,
    { axes: "object", units: "string", placement: "object", collection: "object", provenance: true },
    "metadata",
    "input",
    "metadata.",
  );
  canonicalJson(metadata, "metadata");
  const { axes, placement } = metadata;
  if (placement !== undefined) checkPlacement(placement, "metadata.placement");
  if (axes === undefined) return metadata;
  if (!Array.isArray(axes) || axes.length !== 2) throw inputError("metadata.axes", "two axes, of rows and of columns", axes);
  axes.forEach((axis, i) => {
    const path = `metadata.axes[${i}]`;
    checkObject(axis, path, "input");
    checkFields(axis, { name: "string", unit: "string", first: "number", step: "number" }, "an axis", "input", `${path}.`);
    for (const field of ["name", "first", "step"] as const)
      if (axis[field] === undefined || axis[field] === "") throw inputError(`${path}.${field}`, "given", axis[field]);
  });
  return metadata;
}

/** What a format supplies. Calls are made one after another. */
export interface SinkParts {
  /** Path or name of the image for messages. */
  readonly file: string;
  readonly layout: Layout;
  /** Whether the image outlives an `abort` that asks for it. */
  readonly keeps: boolean;
  /** What `written` returns, and has. */
  readonly durable: Pick<ReturnType<typeof createImageRegion>, "windows" | "missing">;
  /** What can be read. Default: what is durable. */
  readonly readable?: Pick<ReturnType<typeof createImageRegion>, "missing">;
  put(window: ImageWindow, data: TypedArrayOf, pause: Pause): Promise<void>;
  /** Reads a window that is readable into `data`. Absent if the target can't be read. */
  get?(window: ImageWindow, data: TypedArrayOf, pause: Pause): Promise<void>;
  /** Completes an image that has all of its parts. */
  complete(metadata: ImageMetadata, pause: Pause): Promise<void>;
  /** Removes the image or keeps it. Must not reject for what is already gone. */
  discard(keep: boolean): Promise<void>;
}

/** Makes a sink of a format's parts. `earlier` is what an earlier run has written. */
export function createSink(parts: SinkParts, earlier: readonly ImageWindow[] = []): ImageSink {
  const { file } = parts;
  const [rows, columns] = parts.layout.shape;
  const layout: Layout = { dtype: parts.layout.dtype, shape: [rows, columns] };
  const what = `writing ${file}`;
  /** What this run has accepted, and that with what earlier runs have written. */
  const [own, all] = [createImageRegion(), createImageRegion()];
  for (const window of earlier) all.add(window);
  let state: "open" | "finishing" | "closed" = "open";
  let failure: unknown;
  let last: Promise<unknown> = Promise.resolve();

  const checkOpen = (): void => {
    if (state === "closed") throw new RadarError("disposed", `${file}: the sink is finished or aborted`, { file });
    if (failure !== undefined) throw failure;
  };
  /** Runs one piece of work after those before it. If it fails, the sink has failed. */
  const queue = (signal: AbortSignal | undefined, work: (pause: Pause) => Promise<void>): Promise<void> => {
    const paused = createPause(what, signal);
    const pause: Pause = () => {
      if (state === "closed") throw new RadarError("aborted", `${what} was aborted`, { what });
      return paused();
    };
    const run = last.then(async () => {
      if (failure !== undefined) throw failure;
      try {
        await pause();
        await work(pause);
      } catch (error) {
        failure ??= isRadarError(error) ? error : new RadarError("failed", `${what} failed: ${messageOf(error)}`, { file }, error);
        if (!parts.keeps && state !== "closed") await parts.discard(false);
        throw failure;
      }
    });
    last = run.catch(() => undefined);
    return run;
  };

  return {
    layout,
    async write(window, data, options = {}) {
      const { signal } = checkOptions(options, { signal: true }, "write");
      checkOpen();
      if (state === "finishing") throw new RadarError("disposed", `${file}: the sink is being finished`, { file });
      checkImageWindow(window, rows, columns);
      const { row, column, rows: height, columns: width } = window;
      const part: ImageWindow = { row, column, rows: height, columns: width };
      checkPart(layout, part, data);
      const twice = own.overlap(part);
      if (twice) throw inputError("window", `a part that is not written yet; ${formatImageWindow(twice)} are`, formatImageWindow(part));
      throwIfAborted(signal, what);
      own.add(part);
      all.add(part);
      await queue(signal, (pause) => parts.put(part, data, pause));
    },
    written: () => parts.durable.windows(),
    has(window) {
      checkImageWindow(window, rows, columns);
      return parts.durable.missing(window) === undefined;
    },
    async read(window, options = {}) {
      const { signal } = checkOptions(options, { signal: true }, "read");
      checkOpen();
      if (state === "finishing") throw new RadarError("disposed", `${file}: the sink is being finished`, { file });
      if (!parts.get) throw inputError("target", "something that can be read", undefined);
      checkImageWindow(window, rows, columns);
      const missing = (parts.readable ?? parts.durable).missing(window);
      if (missing) throw inputError("window", `a part that is written; ${formatImageWindow(missing)} are not`, formatImageWindow(window));
      const { array, components } = dtypes[layout.dtype];
      const data = new array(window.rows * window.columns * components) as TypedArrayOf;
      await queue(signal, async (pause) => parts.get?.(window, data, pause));
      return data;
    },
    async finish(options = {}) {
      const { signal, metadata = {} } = checkOptions(options, { signal: true, metadata: "object" }, "finish");
      checkMetadata(metadata);
      checkOpen();
      const missing = all.missing({ row: 0, column: 0, rows, columns });
      if (missing) {
        const expected = "complete before it is finished";
        const message = `${file}: the image must be ${expected}; ${formatImageWindow(missing)} are missing`;
        throw new RadarError("input", message, { file, field: "window", expected, actual: missing });
      }
      throwIfAborted(signal, what);
      if (state === "finishing") throw new RadarError("disposed", `${file}: the sink is being finished`, { file });
      state = "finishing";
      await queue(signal, (pause) => parts.complete(metadata, pause));
      state = "closed";
    },
    async abort(options = {}) {
      const { keep = false } = checkOptions(options, { keep: "boolean" }, "abort");
      if (keep && !parts.keeps) throw inputError("keep", "false for a sink without a digest", keep);
      if (state === "finishing") await last;
      if (state === "closed") return;
      state = "closed";
      await last;
      await parts.discard(keep);
    },
  };
}

/** Throws `input` unless `data` is the typed array of a window of an image. */
function checkPart(layout: Layout, { rows, columns }: ImageWindow, data: TypedArrayOf): void {
  const { array, components } = dtypes[layout.dtype];
  const length = rows * columns * components;
  if (!isArrayOf(data, array)) throw inputError("data", `a ${array.name}, as the image is ${layout.dtype}`, data);
  if (data.length !== length) throw inputError("data.length", `${length}, for ${rows} × ${columns} pixels of ${layout.dtype}`, data.length);
}
