/** Where results go: what is written there, checks of a folder before any work, and the files of a result, all or none of them. */

import { lstat, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Layout } from "@dechirp/core";
import type { FileContent } from "@dechirp/io/node";
import type { Report } from "@dechirp/processor";
import type { Clock, Timing } from "@dechirp/processor/clock";
import { blame, CommandError } from "./errors.ts";
import { encoded, jsonPieces } from "./json-text.ts";
import { type Drawing, type ImageAxes, quicklookPng } from "./quicklook.ts";

export const encodeScene = ["scene.json", "raw.npy"] as const;
export const imageFiles = ["image.npy", "quicklook.png", "report.json"] as const;
export const stapFiles = [
  "output.npy",
  "range-doppler.png",
  "angle-doppler.png",
  "angle-doppler.npy",
  "detections.csv",
  "report.json",
] as const;
/** Of `schedule` and `bench`, with what is listed below and other pictures beside them. */
export const reportFiles = ["report.json", "report.md"] as const;
export const analysisFiles = [...reportFiles, "bounds-by-tasks.svg", "bounds-by-rho.svg", "throughput-by-rho.svg"] as const;
export const simulationFiles = [...reportFiles, "trace.csv", "gantt.svg"] as const;
/** The last one where there are several units to choose from. */
export const runFiles = [...simulationFiles, "responses.svg", "wcet.svg"] as const;

/**
 * Throws `argument` where `folder` can't be a folder, or where one of `files`, names that are to be written, is one of `inputs`, files
 * that are to be read; `write` where nothing can be made in it, or where one of `files` is a folder. Leaves nothing behind.
 */
export async function checkOutputFolder(folder: string, files: readonly string[] = [], inputs: readonly string[] = []): Promise<void> {
  const { systemError, tryFolder } = await import("@dechirp/io/node");
  const refused = async (path: string, error: unknown): Promise<never> =>
    blame("write", `--out ${folder}`, () => {
      throw systemError(path, "write there", error);
    });
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    const code = found instanceof Error ? found.code : undefined;
    if ((code === "ENOENT" || code === "ELOOP") && (await lstat(path).catch(() => undefined))?.isSymbolicLink())
      throw new CommandError("argument", `--out ${folder}: ${path} is a link to nowhere`, { option: "--out", file: path, reason: code });
    if ((code === "ENOENT" || code === "ENOTDIR") && dirname(path) !== path) continue;
    if (found instanceof Error) return refused(path, found);
    if (!found.isDirectory())
      throw new CommandError("argument", `--out ${folder}: ${path} is a file, not a folder`, { option: "--out", file: path });
    // No permission tells what a file system takes.
    await blame("write", `--out ${folder}`, () => tryFolder(path));
    break;
  }
  const read = await Promise.all(inputs.map((input) => identity(input, stat)));
  for (const name of files) {
    const file = join(folder, name);
    // A link is replaced itself, not what it leads to.
    const own = await identity(file, lstat);
    const input = own === undefined ? undefined : inputs[read.indexOf(own)];
    if (input !== undefined) {
      const message = `--out ${folder}: ${name} there is the input ${input}, which the result would replace`;
      throw new CommandError("argument", message, { option: "--out", file, actual: input });
    }
    const found = await stat(file).catch(() => undefined);
    if (found?.isDirectory()) throw new CommandError("write", `${file}: can't write it: it is a folder`, { file, reason: "EISDIR" });
  }
}

/** What two names of one file have in common; undefined where there is none. */
const identity = (file: string, look: typeof stat | typeof lstat): Promise<string | undefined> =>
  look(file, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  );

/** What reports of all kinds of images have. */
interface ImageReport {
  readonly scene: string;
  readonly image: { readonly shape: readonly number[] };
  readonly axes: ImageAxes;
  readonly timings: readonly Timing[];
}

export interface ImageResult<R extends ImageReport = Report> {
  /** [row][column] complex, interleaved. */
  readonly image: Float32Array;
  readonly report: R;
}

export interface Written<R = Report> {
  readonly folder: string;
  readonly files: readonly string[];
  readonly report: R;
}

/** Writes image.npy, quicklook.png and report.json into `folder`; the report holds the time that writing the others took. */
export async function writeImageFolder<R extends ImageReport>(
  folder: string,
  { image, report }: ImageResult<R>,
  clock: Clock,
  signal: AbortSignal,
  drawing: Drawing = {},
): Promise<Written<R>> {
  const { arrayBytes, npyHeader } = await import("@dechirp/io");
  const { shape } = report.image;
  const layout: Layout = { dtype: "c64", shape };
  const picture = await clock.time("quicklook", () => quicklookPng({ title: report.scene, image, axes: report.axes }, drawing, signal));
  return writeReportFolder(
    folder,
    { "image.npy": [npyHeader(layout), arrayBytes(image)], "quicklook.png": picture },
    report,
    clock,
    signal,
  );
}

function* linesOf(report: unknown): Generator<string> {
  yield* jsonPieces(report);
  yield "\n";
}

/** Writes `files` and report.json into `folder`; the report holds the time that writing the others took. */
export async function writeReportFolder<R extends { readonly timings: readonly Timing[] }>(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
  report: R,
  clock: Clock,
  signal: AbortSignal,
): Promise<Written<R>> {
  const { writeFolderAtomically } = await import("@dechirp/io/node");
  const start = performance.now();
  let complete = report;
  // Made when its turn comes, after the others.
  function* reportBytes(): Generator<Uint8Array> {
    clock.note("write", performance.now() - start);
    complete = { ...report, timings: [...clock.timings] };
    yield* encoded(linesOf(complete));
  }
  await blame("write", undefined, () => writeFolderAtomically(folder, { ...files, "report.json": reportBytes() }, { signal }));
  return { folder, files: [...Object.keys(files), "report.json"], report: complete };
}
