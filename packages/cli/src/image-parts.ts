/**
 * Writes images that are made part by part, so that they need not fit the memory, with their quicklook and report. What a run that was
 * stopped or killed has written of the image stays, and a later run with the same parameters goes on with it.
 */
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import type { ImageMetadata } from "@dechirp/io";
import type { ImageDescription, PartSink } from "@dechirp/processor";
import type { Clock } from "@dechirp/processor/clock";
import type { GrayPicture, Looks } from "@dechirp/sar";
import { blame } from "./errors.ts";
import type { ImageOutput } from "./image-output.ts";
import { openImageSinks } from "./image-sinks.ts";
import { type ImageReport, removeIncompleteImages, type Written, writeReportFolder } from "./output.ts";
import { type Drawing, greyPng, type ImageAxes } from "./quicklook.ts";

/** How an image is stored, as the options say. */
export interface PartsFormat {
  readonly output: ImageOutput;
  /** Height above the ellipsoid of maps of the image. Default: that of its ground. */
  readonly heightMeters?: number;
  /** Whether to go on with what an earlier run has written. */
  readonly resume: boolean;
}

/** Where an image that comes in parts is written, what it is, and how its quicklook is drawn. */
export interface PartsTarget extends PartsFormat {
  readonly folder: string;
  readonly shape: readonly [rows: number, columns: number];
  /** Axes of the stored image. */
  readonly axes: NonNullable<ImageMetadata["axes"]>;
  readonly description: ImageDescription;
  /** What the pixels depend on, as plain JSON. It stays with the image until it is complete, so that a refusal to resume says what differs. */
  readonly run: unknown;
  /** What else the pixels depend on, such as a plan, as plain JSON. Only its digest stays. */
  readonly plan: unknown;
  readonly drawing: Drawing;
  readonly clock: Clock;
  /** Hears of what is made when all parts are there, with the share that is made. */
  readonly onFinishing?: (what: string, share: number) => void;
  readonly signal: AbortSignal;
}

/** What is known of an image when all of its parts are written. */
interface Made<R extends { readonly notes: readonly string[] }> {
  readonly report: R;
  readonly quicklook: GrayPicture & Looks;
}

/**
 * Writes the image as `make` gives its parts, then quicklook.png and the report that `make` resolves with. After an error or an
 * interruption, what is written of the image is kept for `resume`. There is no sink if only the picture and the report are wanted. Errors of the disk are of kind `write`.
 */
export async function writeImageParts<R extends ImageReport & { readonly axes: ImageAxes; readonly notes: readonly string[] }>(
  target: PartsTarget,
  make: (sink: PartSink | undefined) => Promise<Made<R>>,
): Promise<Written<R>> {
  const { folder, resume, drawing, clock, signal, onFinishing = () => {} } = target;
  if (!resume) await removeIncompleteImages(folder);
  const sinks = await openSinks(target);
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
    const made = await make(
      sinks && {
        write: (window, data, options) => heard(async () => sinks.write(window, data, options)),
        has: sinks.has,
        read: (window, options) => heard(() => sinks.read(window, options)),
      },
    );
    const report: R = { ...made.report, notes: [...made.report.notes, ...(sinks?.notes ?? [])] };
    const picture = await clock.time("picture", () =>
      greyPng({ title: report.scene, axes: report.axes, grey: made.quicklook }, drawing, signal),
    );
    await clock.time("files", () => heard(async () => sinks?.finish(plainJson(report), onFinishing)));
    const written = await writeReportFolder(folder, { "quicklook.png": picture }, report, clock, signal);
    return { ...written, files: [...(sinks?.files ?? []), ...written.files] };
  } catch (error) {
    await sinks?.abort();
    if (!failure) throw error;
    const { error: first } = failure;
    return blame("write", undefined, () => {
      throw first;
    });
  }
}

/** A value as JSON keeps it: without members that are undefined, and with null for numbers that are not finite. */
export const plainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

async function openSinks({ folder, output, heightMeters, resume, shape, axes, description, run, plan, signal }: PartsTarget) {
  const { parametersDigest } = await import("@dechirp/io");
  const digest = await parametersDigest({ run, plan });
  const [layout, metadata] = [
    { dtype: "c64", shape },
    { provenance: run, axes },
  ] as const;
  const target = { folder, layout, metadata, description, output, digest, resume, signal };
  return blame("write", undefined, () => openImageSinks({ ...target, ...(heightMeters !== undefined && { heightMeters }) }));
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
