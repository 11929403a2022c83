/**
 * Focuses one recording in blocks: for images that do not fit the memory. The image is written part by part. A run that was stopped or killed
 * can be resumed.
 */
import { readdir, stat } from "node:fs/promises";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import type { ImageMetadata, ImageSink } from "@dechirp/io";
import type { Clock, FocusHooks, FocusPlan, RegularRecording } from "@dechirp/processor";
import { blame } from "./errors.ts";
import { type Written, writeReportFolder } from "./output.ts";
import type { Drawing } from "./quicklook.ts";

/** Formats of images that are written in parts, and `none`: the picture and the report only. */
export const imageFormats = ["npy", "zarr", "none"] as const;
/** A format of images. */
export type ImageFormat = (typeof imageFormats)[number];

/** Names of the image by format. */
const imageNames: Readonly<Record<ImageFormat, string | undefined>> = { npy: "image.npy", zarr: "image.zarr", none: undefined };

/** Memory that is used unless an option says otherwise: 3 GiB, or half of what the process may have if that is less. */
export function defaultMemoryBytes(): number {
  const allowed = process.constrainedMemory?.() ?? 0;
  return Math.min(3 * 2 ** 30, (allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()) / 2);
}

/** What one image is made of. */
export interface BlockJob {
  readonly recording: RegularRecording;
  readonly device: Device;
  readonly plan: FocusPlan;
  readonly folder: string;
  /** Files and folders that the recording was read from, for the digest of the run. */
  readonly inputs: readonly string[];
  readonly format: ImageFormat;
  readonly resume: boolean;
  readonly drawing: Drawing;
  readonly clock: Clock;
  readonly hooks: FocusHooks & { readonly onBlock?: (block: number, blocks: number, samplesPerSecond: number) => void };
  readonly signal: AbortSignal;
}

/** Makes the image, the quicklook and the report. After an error or an interruption, what is written of the image is kept for `resume`. */
export async function focusJob(job: BlockJob): Promise<Written> {
  const { recording, device, plan, folder, drawing, clock, hooks, signal } = job;
  const [{ focusInBlocks }, { greyPng, quicklookOptions }] = await Promise.all([import("@dechirp/processor"), import("./quicklook.ts")]);
  const sink = await blame("write", undefined, () => openSink(job));
  try {
    const { report, quicklook } = await focusInBlocks(recording, device, sink ?? nowhere, plan, {
      ...hooks,
      clock,
      signal,
      quicklook: quicklookOptions(plan.axes, drawing),
    });
    const picture = await clock.time("picture", () =>
      greyPng({ title: report.scene, axes: report.axes, grey: quicklook }, drawing, signal),
    );
    await blame("write", undefined, async () => sink?.finish({ signal, metadata: { provenance: plainJson(report) } }));
    const written = await writeReportFolder(folder, { "quicklook.png": picture }, report, clock, signal);
    const name = imageNames[job.format];
    return { ...written, files: [...(name === undefined ? [] : [name]), ...written.files] };
  } catch (error) {
    await sink?.abort({ keep: true });
    throw error;
  }
}

/** A value as JSON keeps it: without members that are undefined, and with null for numbers that are not finite. */
const plainJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A sink for images that nobody wants. */
const nowhere = { write(): void {} };

async function openSink(job: BlockJob): Promise<ImageSink | undefined> {
  const { plan, folder, format, resume, signal } = job;
  const name = imageNames[format];
  if (name === undefined) return undefined;
  const [{ parametersDigest }, { npySink, zarrSink }] = await Promise.all([import("@dechirp/io"), import("@dechirp/io/node")]);
  const { azimuthSeconds, slantRangeMeters } = plan.axes;
  const run = await blame("file", undefined, () => identityOf(job));
  // What the run depends on is kept with the image until it is complete, so that another run can say what differs.
  const metadata: ImageMetadata = {
    provenance: run,
    axes: [
      { name: "azimuth", unit: "s", first: azimuthSeconds.start, step: azimuthSeconds.step },
      { name: "range", unit: "m", first: slantRangeMeters.start, step: slantRangeMeters.step },
    ],
  };
  const digest = await parametersDigest({ run, blocks: plan.plan });
  const layout = { dtype: "c64", shape: plan.shape } as const;
  const [path, options] = [join(folder, name), { digest, resume, signal }];
  return format === "npy"
    ? npySink.open(path, layout, metadata, options)
    : zarrSink.open(path, layout, metadata, { ...options, replace: true });
}

/** Names, sizes and times of a file, or of the files in a folder. */
async function filesAt(path: string): Promise<readonly unknown[]> {
  const found = await stat(path);
  const names = found.isDirectory() ? (await readdir(path)).sort() : [""];
  const all = await Promise.all(names.map(async (name) => ({ name, found: await stat(join(path, name)) })));
  return all.flatMap(({ name, found }) => (found.isFile() ? [{ name, size: found.size, mtimeMs: found.mtimeMs }] : []));
}

/** What the pixels depend on: the inputs, the parameters, the memory, by which the image is divided, and the device with its arithmetic. */
async function identityOf({ recording, inputs, plan, device }: BlockJob): Promise<unknown> {
  const files = (await Promise.all(inputs.map(filesAt))).flat();
  const { lineGain: _, ...params } = plan.prepared.params;
  return {
    files,
    scene: recording.name,
    shape: recording.shape,
    params: plainJson(params),
    memoryBytes: plan.memoryBytes,
    device: { id: device.id, description: device.info.description },
  };
}
