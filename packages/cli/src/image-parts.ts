/**
 * Writes images that are made part by part, so that they need not fit the memory, with their quicklook and report. What a run that was
 * stopped or killed has written of the image stays, and a later run with the same parameters goes on with it.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import type { ImageMetadata, ImageSink } from "@dechirp/io";
import type { PartSink } from "@dechirp/processor";
import type { Clock } from "@dechirp/processor/clock";
import type { GrayPicture, Looks } from "@dechirp/sar";
import { blame } from "./errors.ts";
import { type ImageFormat, type ImageReport, imageNames, removeIncompleteImages, type Written, writeReportFolder } from "./output.ts";
import { type Drawing, greyPng, type ImageAxes } from "./quicklook.ts";

/** How an image is stored, as the options say. */
export interface PartsFormat {
  readonly format: ImageFormat;
  /** Whether to go on with what an earlier run has written. */
  readonly resume: boolean;
}

/** Where an image that comes in parts is written, what it is, and how its quicklook is drawn. */
export interface PartsTarget extends PartsFormat {
  readonly folder: string;
  readonly shape: readonly [rows: number, columns: number];
  /** Axes of the stored image. */
  readonly axes: NonNullable<ImageMetadata["axes"]>;
  /** What the pixels depend on, as plain JSON. It stays with the image until it is complete, so that a refusal to resume says what differs. */
  readonly run: unknown;
  /** What else the pixels depend on, such as a plan, as plain JSON. Only its digest stays. */
  readonly plan: unknown;
  readonly drawing: Drawing;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** What is known of an image when all of its parts are written. */
interface Made<R> {
  readonly report: R;
  readonly quicklook: GrayPicture & Looks;
}

/**
 * Writes the image as `make` gives its parts, then quicklook.png and the report that `make` resolves with. After an error or an
 * interruption, what is written of the image is kept for `resume`. There is no sink if only the quicklook and the report are wanted. Errors of the disk are of kind `write`.
 */
export async function writeImageParts<R extends ImageReport & { readonly axes: ImageAxes }>(
  target: PartsTarget,
  make: (sink: PartSink | undefined) => Promise<Made<R>>,
): Promise<Written<R>> {
  const { folder, format, resume, drawing, clock, signal } = target;
  if (!resume) await removeIncompleteImages(folder);
  const sink = await blame("write", undefined, () => openSink(target));
  let failure: { readonly error: unknown } | undefined;
  /** Runs a call of the sink. `make` reports its errors as those of its own work. */
  const heard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  try {
    const { report, quicklook } = await make(
      sink
        ? {
            write: (window, data, options) => heard(() => sink.write(window, data, options)),
            has: (window) => sink.has(window),
            read: (window, options) => heard(async () => (await sink.read(window, options)) as Float32Array),
          }
        : undefined,
    );
    const picture = await clock.time("picture", () =>
      greyPng({ title: report.scene, axes: report.axes, grey: quicklook }, drawing, signal),
    );
    await heard(async () => sink?.finish({ signal, metadata: { provenance: plainJson(report) } }));
    const written = await writeReportFolder(folder, { "quicklook.png": picture }, report, clock, signal);
    const name = imageNames[format];
    return { ...written, files: [...(name === undefined ? [] : [name]), ...written.files] };
  } catch (error) {
    await sink?.abort({ keep: true });
    if (!failure) throw error;
    const { error: first } = failure;
    return blame("write", undefined, () => {
      throw first;
    });
  }
}

/** A value as JSON keeps it: without members that are undefined, and with null for numbers that are not finite. */
export const plainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function openSink({ folder, format, resume, shape, axes, run, plan, signal }: PartsTarget): Promise<ImageSink | undefined> {
  const name = imageNames[format];
  if (name === undefined) return undefined;
  const [{ parametersDigest }, { npySink, zarrSink }] = await Promise.all([import("@dechirp/io"), import("@dechirp/io/node")]);
  const digest = await parametersDigest({ run, plan });
  const layout = { dtype: "c64", shape } as const;
  const [path, options] = [join(folder, name), { digest, resume, signal }];
  const metadata: ImageMetadata = { provenance: run, axes };
  return format === "npy"
    ? npySink.open(path, layout, metadata, options)
    : zarrSink.open(path, layout, metadata, { ...options, replace: true });
}

/**
 * What every run depends on: names, sizes and times of its files, and the device with its arithmetic. A folder counts as the files in it.
 * Throws `file` if an input can't be looked at.
 */
export async function runIdentity(inputs: readonly string[], device: Device): Promise<Readonly<Record<string, unknown>>> {
  const files = await blame("file", undefined, async () => (await Promise.all(inputs.map(filesAt))).flat());
  return { files, device: { id: device.id, description: device.info.description } };
}

async function filesAt(path: string): Promise<readonly unknown[]> {
  const found = await stat(path);
  const names = found.isDirectory() ? (await readdir(path)).sort() : [""];
  const all = await Promise.all(names.map(async (name) => ({ name, found: await stat(join(path, name)) })));
  return all.flatMap(({ name, found }) => (found.isFile() ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : []));
}
