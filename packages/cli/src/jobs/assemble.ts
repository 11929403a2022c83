/** Makes the products of a job whose tasks are all done: the report, the picture and files in other formats, then the documents of the Zarr store. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Device } from "@dechirp/core";
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

/** Makes the products. Resolves with their keys in the store. Throws what the recording, the device and the store throw. */
export async function assembleJob({ job, store }: OpenJob, device: Device, options: AssembleOptions): Promise<readonly string[]> {
  const { drawing, signal, onProgress } = options;
  const { imageFolder, imageReader, kindOf, resolveInputs, setAssembled, writeGroupDocuments } = await import("@dechirp/jobs");
  onProgress("opening", 0);
  const paths = await blame("file", undefined, () => resolveInputs(job, store, { signal }));
  await using work = await blame("file", undefined, () => kindOf(job.what, "job.what").open({ job, paths, device, signal }));
  const { image } = work;
  if (!image) return [];
  const parts = imageReader(job, store);
  const isFolder = store.folder !== undefined;
  const folder = isFolder ? join(store.folder, resultFolder) : await mkdtemp(join(tmpdir(), "dechirp-job-"));
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
            ...parts,
            async read(window, given) {
              const data = (await parts.read(window, given)) as Float32Array;
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
    if (!isFolder)
      for (const name of await readdir(folder))
        await store.write(`${resultFolder}/${name}`, await readFile(join(folder, name)), { signal });
    const { placement } = image.description;
    const metadata = { axes: image.axes, provenance: JSON.parse(JSON.stringify(report)), ...(placement && { placement }) };
    await writeGroupDocuments(job, store, metadata, { signal });
    const made = [...files.map((name) => `${resultFolder}/${name}`), imageFolder];
    await setAssembled(store, made, { signal });
    return made;
  } finally {
    if (!isFolder) await rm(folder, { recursive: true, force: true });
  }
}
