/** Writes results: the names of their files, checks of the output folder before any work, and writing all files of a result or none. */

import { lstat, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Layout } from "@dechirp/core";
import type { FileContent } from "@dechirp/io/node";
import type { Report } from "@dechirp/processor";
import type { Clock, Timing } from "@dechirp/processor/clock";
import type { GrayPicture, Looks } from "@dechirp/sar";
import { blame, CommandError } from "./errors.ts";
import { type ImageOutput, imageNames, isPlain, sourceName } from "./image-output.ts";
import { encoded, jsonPieces } from "./json-text.ts";
import { type Drawing, greyPng, type ImageAxes, quicklookPng } from "./quicklook.ts";

/** Files that `simulate` writes. */
export const sceneFiles = ["scene.json", "raw.npy"] as const;
/** Files that `focus`, `backproject` and `demo` write. */
export const imageFiles = ["image.npy", "quicklook.png", "report.json"] as const;
/** Files of an image in some formats: names that its folder can have. */
export const imageFilesOf = ({ formats }: ImageOutput): readonly string[] => [
  // A Zarr store is a folder.
  ...formats.flatMap((format) => (format === "png" || format === "zarr" ? [] : [imageNames[format]])),
  "quicklook.png",
  "report.json",
];
/** Files that `stap` writes. */
export const stapFiles = [
  "output.npy",
  "range-doppler.png",
  "angle-doppler.png",
  "angle-doppler.npy",
  "detections.csv",
  "report.json",
] as const;
/** Files that `schedule` and `bench` write, beside the pictures and files listed below. */
export const reportFiles = ["report.json", "report.md"] as const;
/** Files that `schedule analyse` writes. */
export const analysisFiles = [...reportFiles, "bounds-by-tasks.svg", "bounds-by-rho.svg", "throughput-by-rho.svg"] as const;
/** Files that `schedule simulate` writes. */
export const simulationFiles = [...reportFiles, "trace.csv", "gantt.svg"] as const;
/** Files that `schedule run` writes. The last one only if there are several numbers of units to choose from. */
export const runFiles = [...simulationFiles, "responses.svg", "wcet.svg"] as const;

/**
 * Checks that `folder` can take a result. `option` is the option that names it, and `given` its value. Throws `argument` if it can't be a folder, or if one of `files` (names to be written) is one
 * of `inputs` (files to be read). Throws `write` if nothing can be made in it, or if one of `files` is a folder. Leaves nothing behind.
 */
export async function checkOutputFolder(
  folder: string,
  files: readonly string[] = [],
  inputs: readonly string[] = [],
  option = "--out",
  given = folder,
): Promise<void> {
  const { systemError, checkFolderWritable } = await import("@dechirp/io/node");
  const refused = async (path: string, error: unknown): Promise<never> =>
    blame("write", `${option} ${given}`, () => {
      throw systemError(path, "write there", error);
    });
  for (let path = resolve(folder); ; path = dirname(path)) {
    const found = await stat(path).catch((error: NodeJS.ErrnoException) => error);
    const code = found instanceof Error ? found.code : undefined;
    if ((code === "ENOENT" || code === "ELOOP") && (await lstat(path).catch(() => undefined))?.isSymbolicLink())
      throw new CommandError("argument", `${option} ${given}: ${path} is a dangling link`, { option, file: path, reason: code });
    if ((code === "ENOENT" || code === "ENOTDIR") && dirname(path) !== path) continue;
    if (found instanceof Error) return refused(path, found);
    if (!found.isDirectory())
      throw new CommandError("argument", `${option} ${given}: ${path} is a file, not a folder`, { option, file: path });
    // Permission bits do not tell whether a file system accepts files, so a folder is made for a test.
    await blame("write", `${option} ${given}`, () => checkFolderWritable(path));
    break;
  }
  const read = await Promise.all(inputs.map((input) => identity(input)));
  for (const name of files) {
    const file = join(folder, name);
    // Writing replaces a link itself, not the file that it points to.
    const own = await identity(file, lstat);
    const input = own === undefined ? undefined : inputs[read.indexOf(own)];
    if (input !== undefined) {
      const message = `${option} ${given}: ${name} in it is the input ${input}, which the result would replace`;
      throw new CommandError("argument", message, { option, file, actual: input });
    }
    const found = await stat(file).catch(() => undefined);
    if (found?.isDirectory()) throw new CommandError("write", `${file}: can't write it: it is a folder`, { file, reason: "EISDIR" });
  }
}

/** The path of a file or folder without links, also if it is not there yet. */
export const realPath = (path: string): Promise<string> =>
  realpath(path).catch(async () => (dirname(path) === path ? path : join(await realPath(dirname(path)), basename(path))));

/** Whether two names are of one file. Some systems do not distinguish capital letters. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([one, other].map((path) => realPath(resolve(path))));
  return first.toLowerCase() === second.toLowerCase();
}

/** Identifies a file independently of its name. Returns undefined if there is none. */
export const identity = (file: string, look: typeof stat | typeof lstat = stat): Promise<string | undefined> =>
  look(file, { bigint: true }).then(
    ({ dev, ino }) => `${dev} ${ino}`,
    () => undefined,
  );

/** What reports of all images have in common. */
export interface ImageReport {
  readonly scene: string;
  readonly image: { readonly shape: readonly number[] };
  readonly axes: ImageAxes;
  readonly timings: readonly Timing[];
}

/** An image with its report. */
export interface ImageResult<R extends ImageReport = Report> {
  /** [row][column] complex, interleaved. */
  readonly image: Float32Array;
  /** A quicklook made with `quicklookOptions`, if there is one. */
  readonly quicklook?: GrayPicture & Looks;
  readonly report: R;
}

/** A result that has been written. */
export interface Written<R = Report> {
  readonly folder: string;
  readonly files: readonly string[];
  readonly report: R;
}

/**
 * Starts what drawing an image needs, in another process. Call it before input is read. It does nothing for images that are made in parts, as far as
 * options tell: they take so long that the start of a process doesn't matter, and its memory may. What is wrong shows with the picture.
 */
export function prepareDrawing({ bare = false }: Drawing, output: ImageOutput, resume: boolean, memory: string | undefined): void {
  if (bare || resume || memory !== undefined || !isPlain(output)) return;
  import("@dechirp/pictures/png").then(({ preparePng }) => preparePng()).catch(() => {});
}

/** Takes the pixels of an image, [row][column] complex and interleaved, and its shape. */
export type TakeImage = (image: Float32Array, shape: readonly number[]) => void;

/** Writes image.npy, quicklook.png and report.json into `folder`. The report includes the time that writing the other files took. */
export const writeImageFolder = <R extends ImageReport>(
  folder: string,
  result: ImageResult<R>,
  clock: Clock,
  signal: AbortSignal,
  drawing: Drawing = {},
): Promise<Written<R>> => writeMadeImage(folder, async () => result, clock, signal, drawing);

/**
 * Writes what `make` makes as `writeImageFolder` does. The image is written as soon as `make` has handed it over, while `make` measures it and the
 * picture is drawn. Rejects as `make` does, and then leaves the folder as it was.
 */
export async function writeMadeImage<R extends ImageReport>(
  folder: string,
  make: (onImage: TakeImage) => Promise<ImageResult<R>>,
  clock: Clock,
  signal: AbortSignal,
  drawing: Drawing = {},
): Promise<Written<R>> {
  const { arrayBytes, npyHeader } = await import("@dechirp/io");
  let made: Promise<ImageResult<R>> | undefined;
  const [image, shape] = await new Promise<Parameters<TakeImage>>((resolve, reject) => {
    made = make((...pixels) => resolve(pixels));
    made.then((result) => resolve([result.image, result.report.image.shape]), reject);
  });
  const result = made as Promise<ImageResult<R>>;
  const picture = result.then(({ quicklook: grey, report }) => {
    const drawn = { title: report.scene, axes: report.axes };
    return clock.time("quicklook", () =>
      grey ? greyPng({ ...drawn, grey }, drawing, signal) : quicklookPng({ ...drawn, image }, drawing, signal),
    );
  });
  // If writing fails, it may be that nobody waits for the picture and the report. If they fail, writing fails with their error.
  picture.catch(() => {});
  await removeIncompleteImages(folder);
  const layout: Layout = { dtype: "c64", shape };
  const files = { "image.npy": [npyHeader(layout), arrayBytes(image)], "quicklook.png": later(picture) };
  const report = result.then((done) => done.report);
  report.catch(() => {});
  return writeReportFolder(folder, files, report, clock, signal, picture);
}

/** The content of a file that is not ready yet. */
async function* later(content: Promise<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield await content;
}

/** Removes what runs that have ended have left in `folder` of images of any format that are not complete. Throws `write`. */
export async function removeIncompleteImages(folder: string): Promise<void> {
  const { removeIncompleteImage } = await import("@dechirp/io/node");
  for (const name of [...Object.values(imageNames), sourceName])
    await blame("write", undefined, () => removeIncompleteImage(join(folder, name)));
}

function* linesOf(report: unknown): Generator<string> {
  yield* jsonPieces(report);
  yield "\n";
}

/**
 * Writes `files` and report.json into `folder`. The report includes the time that writing the other files took. The time until `ready` resolves is not
 * counted, because it belongs to work that makes a file's content meanwhile.
 */
export async function writeReportFolder<R extends { readonly timings: readonly Timing[] }>(
  folder: string,
  files: Readonly<Record<string, FileContent>>,
  report: R | Promise<R>,
  clock: Clock,
  signal: AbortSignal,
  ready?: Promise<unknown>,
): Promise<Written<R>> {
  const { writeFolderAtomically } = await import("@dechirp/io/node");
  let start = performance.now();
  ready?.then(
    () => {
      start = performance.now();
    },
    () => {},
  );
  let complete: R | undefined;
  // Generated last, when the other files have been written.
  async function* reportBytes(): AsyncGenerator<Uint8Array> {
    const made = await report;
    clock.note("write", performance.now() - start);
    complete = { ...made, timings: [...clock.timings] };
    yield* encoded(linesOf(complete));
  }
  await blame("write", undefined, () => writeFolderAtomically(folder, { ...files, "report.json": reportBytes() }, { signal }));
  return { folder, files: [...Object.keys(files), "report.json"], report: complete as R };
}
