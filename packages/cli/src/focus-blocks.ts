/** Focuses one recording in blocks: for images that do not fit the memory. Warns if little memory makes it many times the work. */
import { totalmem } from "node:os";
import type { Device } from "@dechirp/core";
import { isRadarError } from "@dechirp/core";
import type { Clock, FocusHooks, FocusPlan, RegularRecording } from "@dechirp/processor";
import { type PartsFormat, plainJson, runIdentity, writeImageParts } from "./image-parts.ts";
import { memorySizeText, neededMemoryText } from "./memory-size.ts";
import type { Written } from "./output.ts";
import { type Drawing, quicklookOptions } from "./quicklook.ts";

/** Memory that is used unless an option says otherwise: 3 GiB, or half of what the process may have if that is less. */
export function defaultMemoryBytes(): number {
  const allowed = process.constrainedMemory?.() ?? 0;
  return Math.min(3 * 2 ** 30, (allowed > 0 ? Math.min(allowed, totalmem()) : totalmem()) / 2);
}

/** What one image is made of. */
export interface BlockJob extends PartsFormat {
  readonly recording: RegularRecording;
  readonly device: Device;
  readonly plan: FocusPlan;
  readonly folder: string;
  /** Files and folders that the recording was read from, for the digest of the run. */
  readonly inputs: readonly string[];
  readonly drawing: Drawing;
  readonly clock: Clock;
  readonly hooks: FocusHooks & { readonly onBlock?: (block: number, blocks: number, samplesPerSecond: number) => void };
  /** Notes that are added to those of the report. */
  readonly notes: readonly string[];
  readonly signal: AbortSignal;
}

/** Makes the image, the quicklook and the report. After an error or an interruption, what is written of the image is kept for `resume`. */
export async function focusJob(job: BlockJob): Promise<Written> {
  const { recording, device, plan, folder, inputs, format, resume, drawing, clock, hooks, notes, signal } = job;
  const { focusInBlocks } = await import("@dechirp/processor");
  const { azimuthSeconds, slantRangeMeters } = plan.axes;
  const { lineGain: _, ...params } = plan.prepared.params;
  const { files, device: on } = await runIdentity(inputs, device);
  const identity = { scene: recording.name, shape: recording.shape, params: plainJson(params), memoryBytes: plan.memoryBytes };
  const target = {
    ...{ folder, format, resume, drawing, clock, signal },
    shape: plan.shape,
    axes: [
      { name: "azimuth", unit: "s", first: azimuthSeconds.start, step: azimuthSeconds.step },
      { name: "range", unit: "m", first: slantRangeMeters.start, step: slantRangeMeters.step },
    ],
    run: { files, ...identity, device: on },
    plan: plan.plan,
  } as const;
  return writeImageParts(target, async (sink) => {
    const options = { ...hooks, clock, signal, quicklook: quicklookOptions(plan.axes, drawing) };
    const { report, quicklook } = await focusInBlocks(recording, device, sink, plan, options);
    return { report: { ...report, notes: [...report.notes, ...notes] }, quicklook };
  });
}

/** From so many times the samples of the recording on, a plan is worth a warning. */
const muchWork = 2;

/**
 * Says so if the blocks of a plan overlap so much that they take twice the samples of the recording or more, and how much memory is enough
 * to take less. Undefined if they do not.
 */
export async function workWarning({ plan, geometry, prepared, memoryBytes }: FocusPlan): Promise<string | undefined> {
  if (plan.work < muchWork) return undefined;
  const { planBlocks } = await import("@dechirp/sar");
  const enough = (bytes: number): boolean => {
    try {
      return planBlocks(prepared.params, geometry, { memoryBytes: bytes }).work < muchWork;
    } catch (error) {
      if (isRadarError(error, "input")) return false;
      throw error;
    }
  };
  const taken = `blocks within ${memorySizeText(memoryBytes)} take ${plan.work.toPrecision(3)} times the samples of the recording`;
  const bytes = leastBytes(enough, memoryBytes);
  // A recording that is not longer than the synthetic aperture takes more than its samples with any memory.
  return bytes === undefined
    ? undefined
    : `${taken}, because neighbours share ${plan.overlapLines} of ${plan.lines} lines; with --memory ${neededMemoryText(bytes)} it is less than ${muchWork} times`;
}

/** About the least number of bytes, to 1 %, for which `enough` is true. Undefined if that is more than 2^16 times `from`. */
function leastBytes(enough: (bytes: number) => boolean, from: number): number | undefined {
  let [low, high] = [from, 2 * from];
  while (!enough(high)) {
    if (high > 2 ** 16 * from) return undefined;
    [low, high] = [high, 2 * high];
  }
  while (high > 1.01 * low) {
    const middle = (low + high) / 2;
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
