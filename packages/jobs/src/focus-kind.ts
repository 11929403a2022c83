/**
 * Jobs that focus a stripmap recording by the range-Doppler algorithm: a task makes a block of the image. The Doppler centroid is chosen when
 * the job is planned. Everything else follows from the settings, and the job has a digest of it.
 */
import { inputError, isRadarError, RadarError } from "@dechirp/core";
import { parametersDigest } from "@dechirp/io";
import { formatAt, placeAt, readScene } from "@dechirp/io/node";
import {
  type ChosenCentroid,
  chosenCentroid,
  type FocusPlan,
  type FocusSettings,
  focusBlocks,
  focusInBlocks,
  planFocus,
  type RegularRecording,
  regularRecordings,
} from "@dechirp/processor";
import type { JobBody } from "./document.ts";
import { chunkedImage, createChunk } from "./image.ts";
import type { JobKind } from "./kind.ts";
import { refuseSets } from "./pulse-sets.ts";

/** What a job of this kind has decided. */
interface Pinned {
  readonly segment: number;
  readonly memoryBytes: number;
  readonly mostLines?: number;
  readonly centroid: ChosenCentroid;
  /** False if there is no AGC file: a worker must not take one that appears later. Absent if the scene has one as an input, or takes none. */
  readonly agcFile?: false;
  /** Digest of the parameters and the blocks, which follow from the rest. */
  readonly digest: string;
}

export const focusKind: JobKind = {
  name: "focus",
  title: "an image of a stripmap recording by the range-Doppler algorithm, block by block",

  async plan(request, device) {
    const { paths, agcFile, settings, segment, tile, memoryBytes, signal, onProgress } = request;
    refuseSets(request, "left out for images of stripmap recordings");
    const [path, second] = paths;
    if (second !== undefined) throw inputError("paths", "one recording (focus-each makes an image of each of several)", paths);
    const agc = agcFile ?? (await foundAgc(path, signal));
    await using scene = await readScene(path, { ...(agc !== undefined && { agcFile: agc }), ...(signal && { signal }) });
    const recordings = regularRecordings(scene);
    if (segment === undefined && recordings.length > 1)
      throw inputError(
        "segment",
        `a number from 1 to ${recordings.length}: the PRF of this recording changes, and a job makes one image`,
        undefined,
      );
    const recording = segmentOf(recordings, segment ?? 1);
    const hooks = { ...(signal && { signal }), ...(onProgress && { onProgress }), inputs: paths };
    const most = tile === undefined ? {} : { mostLines: tile };
    const plan = await planFocus(recording, settings as FocusSettings, device, { ...hooks, memoryBytes, ...most }).catch((error) => {
      if (tile === undefined || !isRadarError(error, "input") || error.fields["field"] !== "mostLines") throw error;
      throw inputError("tile", String(error.fields["expected"]), tile);
    });
    const pinned: Pinned = {
      segment: segment ?? 1,
      memoryBytes,
      ...most,
      centroid: chosenCentroid(plan),
      ...(agc === false && { agcFile: agc }),
      digest: await digestOf(plan),
    };
    return {
      settings: settings as JobBody["settings"],
      plan: { ...pinned },
      image: { shape: [...plan.shape], chunk: chunkOf(plan) },
      tasks: plan.plan.blocks.length,
      inputs: [{ path, role: "recording" }, ...(typeof agc === "string" ? [{ path: agc, role: "agc" as const }] : [])],
      work: { amount: plan.plan.work * recording.shape[0] * recording.shape[1], unit: "samples" },
    };
  },

  async open({ job, pathOf, device, signal }) {
    const { segment, memoryBytes, mostLines, centroid, agcFile, digest } = pinnedOf(job.plan);
    const at = (role: string): number => job.inputs.findIndex((input) => input.role === role);
    if (at("recording") < 0) throw inputError("job.inputs", "a list with a recording", job.inputs);
    const agc = at("agc");
    const gains = agc >= 0 ? await pathOf(agc) : agcFile;
    const scene = await readScene(await pathOf(at("recording")), {
      ...(gains !== undefined && { agcFile: gains }),
      ...(signal && { signal }),
    });
    try {
      const recording = segmentOf(regularRecordings(scene), segment);
      const names = job.inputs.map(({ path }) => path);
      const plan = await planFocus(recording, job.settings as FocusSettings, device, {
        inputs: names,
        memoryBytes,
        centroid,
        ...(mostLines !== undefined && { mostLines }),
        ...(signal && { signal }),
      });
      const actual = await digestOf(plan);
      if (actual !== digest) {
        const message =
          "job.plan.digest must be that of the plan that follows from the job; the plan was made by another version, or was changed";
        throw new RadarError("input", message, { field: "job.plan.digest", expected: actual, actual: digest });
      }
      const expected = { shape: plan.shape, chunk: chunkOf(plan) };
      if (job.image?.sets !== undefined) throw inputError("job.image.sets", "left out: its tasks take all pulses", job.image.sets);
      for (const name of ["shape", "chunk"] as const)
        if (job.image?.[name].join() !== expected[name].join())
          throw inputError(`job.image.${name}`, `${expected[name].join(" × ")}, which follows from the job`, job.image?.[name]);
      const image = chunkedImage(job);
      const { azimuthSeconds: azimuth, slantRangeMeters: range } = plan.axes;
      return {
        async make(task, options) {
          const window = image.windowOf(task);
          const chunk = createChunk(image, window);
          await focusBlocks(recording, device, chunk, plan, [task], options.signal ? { signal: options.signal } : {});
          return new Map([[image.keyOf(task), chunk.bytes()]]);
        },
        image: {
          axes: [
            { name: "azimuth", unit: "s", first: azimuth.start, step: azimuth.step },
            { name: "range", unit: "m", first: range.start, step: range.step },
          ],
          description: plan.description,
          provenance: { job: job.id, scene: recording.name, settings: job.settings, device: job.device },
          assemble: (parts, { signal: heard, onProgress, quicklook = {} }) =>
            focusInBlocks(recording, device, parts, plan, {
              inputs: names,
              quicklook,
              ...(heard && { signal: heard }),
              ...(onProgress && { onProgress }),
            }),
        },
        [Symbol.asyncDispose]: () => scene.close(),
      };
    } catch (error) {
      await scene.close();
      throw error;
    }
  },
};

/** The AGC file that belongs to a scene, false if it has none, or undefined if its format takes none. */
async function foundAgc(path: string, signal: AbortSignal | undefined): Promise<string | false | undefined> {
  const { fileOptions } = await formatAt(path, { kind: "stripmap", ...(signal && { signal }) });
  return (await fileOptions?.(await placeAt(path, signal)))?.agcFile;
}

function segmentOf(recordings: readonly RegularRecording[], segment: number): RegularRecording {
  const found = recordings[segment - 1];
  if (!found) throw inputError("segment", `an integer from 1 to ${recordings.length}`, segment);
  return found;
}

/** Blocks are chunks: all have as many rows and columns as the first one, except the last of a column and of a row. */
function chunkOf({ plan, shape }: FocusPlan): [number, number] {
  return [Math.min(plan.step, shape[0]), Math.min(plan.swaths[0].columns[1], shape[1])];
}

/** Everything that the pixels depend on beside the samples. Line gains are in the recording. */
function digestOf({ plan, prepared: { params } }: FocusPlan): Promise<string> {
  const { lineGain: _, ...rest } = params;
  return parametersDigest(JSON.parse(JSON.stringify({ params: rest, plan })));
}

/** The decisions of a job. `planFocus` checks the centroid. Throws `input`. */
function pinnedOf(plan: JobBody["plan"]): Pinned {
  const { segment, memoryBytes, mostLines, centroid, agcFile, digest, ...others } = plan as Partial<Pinned>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw inputError(`job.plan.${other}`, "left out", (others as Record<string, unknown>)[other]);
  for (const [name, value] of Object.entries({ segment, memoryBytes, ...(mostLines !== undefined && { mostLines }) }))
    if (!(Number.isSafeInteger(value) && (value as number) >= 1)) throw inputError(`job.plan.${name}`, "a positive integer", value);
  if (agcFile !== undefined && agcFile !== false) throw inputError("job.plan.agcFile", "false or left out", agcFile);
  // Without one, a worker would choose it.
  if (typeof centroid !== "object" || centroid === null) throw inputError("job.plan.centroid", "a Doppler centroid", centroid);
  if (typeof digest !== "string") throw inputError("job.plan.digest", "a text", digest);
  return {
    segment: segment as number,
    memoryBytes: memoryBytes as number,
    ...(mostLines !== undefined && { mostLines }),
    centroid,
    ...(agcFile === false && { agcFile }),
    digest,
  };
}
