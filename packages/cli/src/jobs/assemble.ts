/**
 * Makes the products of a job: the report, the picture and files in other formats; of one image when all tasks are done, then the documents of
 * its Zarr store; or of each image whose task is done.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
import type { JobImage, JobStore, JobWork } from "@dechirp/jobs";
import { createClock } from "@dechirp/processor/clock";
import { blame } from "../errors.ts";
import type { ImageOutput } from "../image-output.ts";
import { type PartsTarget, writeImageParts } from "../image-parts.ts";
import type { Drawing } from "../quicklook.ts";
import type { OpenJob } from "./open.ts";

/** Folder of the products in the store. */
const resultFolder = "result";

/** How products are made. */
export interface AssembleOptions {
  readonly drawing: Drawing;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string, share: number) => void;
}

/** Makes the products of all tasks that are done. Resolves with their keys in the store. Throws what the recording, the device and the store throw. */
export async function assembleJob(open: OpenJob, device: Device, options: AssembleOptions): Promise<readonly string[]> {
  const { job, store } = open;
  const { signal, onProgress } = options;
  const { checkStoreOf, imageFolder, jobStatus, openWork, setAssembled, writeImageDocuments } = await import("@dechirp/jobs");
  onProgress("opening", 0);
  await checkStoreOf(job, store, { signal });
  await using work = await blame("file", undefined, () => openWork(job, store, device, { signal }));
  const { image } = work;
  const made: string[] = [];
  if (image) {
    const { files, report } = await assembleImage({ ...open, image }, store, resultFolder, options);
    const { placement } = image.description;
    const metadata = { axes: image.axes, provenance: JSON.parse(JSON.stringify(report)), ...(placement && { placement }) };
    await writeImageDocuments(job, store, "group", metadata, { signal });
    made.push(...files, imageFolder);
  } else {
    const { done, missing, failed } = await jobStatus(job, store, { signal });
    const left = new Set([...missing, ...failed.map(({ task }) => task)]);
    for (let task = 0, count = 0; task < job.tasks; task++) {
      if (left.has(task)) continue;
      const from = count++;
      const heard = (what: string, share: number): void => onProgress(`product ${from + 1} of ${done}: ${what}`, (from + share) / done);
      made.push(...(await assembleProduct(open, work, task, { ...options, onProgress: heard })));
    }
    if (left.size > 0) return made;
  }
  await checkStoreOf(job, store, { signal });
  await setAssembled(store, made, { signal });
  return made;
}

/** Makes the files of the product of a task, unless an earlier run has. */
async function assembleProduct({ store }: OpenJob, work: JobWork, task: number, options: AssembleOptions): Promise<readonly string[]> {
  await using product = await blame("file", undefined, async () => work.product?.(task));
  if (!product) return [];
  const folder = `${resultFolder}/${product.name}`;
  // The report is written last.
  const files = (await store.list(`${folder}/`, { signal: options.signal })).filter((key) => !key.slice(folder.length + 1).includes("/"));
  const image = `${product.store.address.slice(store.address.length + 1)}/${(await import("@dechirp/jobs")).imageFolder}`;
  if (files.includes(`${folder}/report.json`)) return [...files, image];
  return [...(await assembleImage(product, store, folder, options)).files, image];
}

/** An image whose parts are all in a store. */
interface Image extends OpenJob {
  readonly image: JobImage;
}

/** Makes the files of an image in a folder of `store`. Resolves with their keys and the report. */
async function assembleImage({ job, store: parts, image }: Image, store: JobStore, place: string, options: AssembleOptions) {
  const { drawing, signal, onProgress } = options;
  const { imageReader } = await import("@dechirp/jobs");
  const stored = imageReader(job, parts);
  const isFolder = store.folder !== undefined;
  const folder = isFolder ? join(store.folder, place) : await mkdtemp(join(tmpdir(), "dechirp-job-"));
  try {
    const target: PartsTarget = {
      folder,
      output: job.output as unknown as ImageOutput,
      resume: false,
      shape: job.image?.shape ?? [0, 0],
      axes: image.axes,
      description: image.description,
      run: image.provenance,
      plan: job.plan,
      drawing,
      clock: createClock(),
      onFinishing: (what, share) => onProgress(what, 0.9 + 0.1 * share),
      signal,
    };
    const { files, report } = await writeImageParts(
      target,
      (sink) =>
        image.assemble(
          {
            ...stored,
            async read(window, given) {
              const data = (await stored.read(window, given)) as Float32Array;
              await sink?.write(window, data, given);
              return data;
            },
          },
          {
            signal,
            quicklook: drawing.dynamicRangeDb === undefined ? {} : { dynamicRangeDb: drawing.dynamicRangeDb },
            onProgress: (what, share) => onProgress(what, 0.9 * share),
          },
        ) as Promise<Awaited<ReturnType<Parameters<typeof writeImageParts>[1]>>>,
    );
    if (!isFolder) for (const name of files) await store.write(`${place}/${name}`, await readFile(join(folder, name)), { signal });
    return { files: files.map((name) => `${place}/${name}`), report };
  } finally {
    if (!isFolder) await rm(folder, { recursive: true, force: true });
  }
}
