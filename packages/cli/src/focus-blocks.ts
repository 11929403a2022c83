/** Focuses one recording in blocks: for images that do not fit the memory. Warns if little memory makes it many times the work. */
import { totalmem } from "node:os";
import type { Device } from "@dechirp/core";
import { memorySizeText } from "@dechirp/core/internal";
import type { Clock, FocusHooks, FocusPlan, RegularRecording } from "@dechirp/processor";
import { type PartsFormat, plainJson, runIdentity, writeImageParts } from "./image-parts.ts";
import { neededMemoryText } from "./memory-size.ts";
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
  readonly onFinishing?: (what: string, share: number) => void;
  /** Notes that are added to those of the report. */
  readonly notes: readonly string[];
  readonly signal: AbortSignal;
}

/** Makes the image, the quicklook and the report. After an error or an interruption, what is written of the image is kept for `resume`. */
export async function focusJob(job: BlockJob): Promise<Written> {
  const { recording, device, plan, folder, inputs, output, heightMeters, resume, drawing, clock, hooks, notes, onFinishing, signal } = job;
  const { focusInBlocks } = await import("@dechirp/processor");
  const { azimuthSeconds, slantRangeMeters } = plan.axes;
  const { lineGain: _, ...params } = plan.prepared.params;
  const { files, device: on } = await runIdentity(inputs, device);
  const identity = { scene: recording.name, shape: recording.shape, params: plainJson(params), memoryBytes: plan.memoryBytes };
  const target = {
    ...{ folder, output, resume, drawing, clock, signal, description: plan.description },
    ...(heightMeters !== undefined && { heightMeters }),
    ...(onFinishing && { onFinishing }),
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

/** Below so many times the samples of the recording, a plan is worth no warning. */
const usualWork = 2;
/** Memory that no image needs, as a multiple of what is allowed. */
const plenty = 2 ** 16;

/**
 * Says so if the blocks of a plan overlap so much that they take twice the samples of the recording or more, although more memory would
 * help, and how much is enough. Undefined if they do not.
 */
export async function workWarning({ plan, geometry, prepared, memoryBytes }: FocusPlan): Promise<string | undefined> {
  if (plan.work < usualWork) return undefined;
  const { planBlocks } = await import("@dechirp/sar");
  const workOf = (bytes: number): number => planBlocks(prepared.params, geometry, { memoryBytes: bytes }).work;
  // A recording that is hardly longer than the synthetic aperture takes more than its samples with any memory.
  const most = Math.max(usualWork, Math.ceil(12.5 * workOf(plenty * memoryBytes)) / 10);
  if (plan.work < most) return undefined;
  const bytes = leastBytes((some) => workOf(some) < most, memoryBytes, plenty * memoryBytes);
  const taken = `blocks within ${memorySizeText(memoryBytes)} take ${plan.work.toPrecision(3)} times the samples of the recording`;
  const reason = `because neighbours share ${plan.overlapLines} of ${plan.lines} lines`;
  return `${taken}, ${reason}; with --memory ${neededMemoryText(bytes)} it is less than ${most} times`;
}

/** About the least number of bytes, to 1 %, for which `enough` is true, as it is for `high` but not for `low`. */
function leastBytes(enough: (bytes: number) => boolean, low: number, high: number): number {
  while (high > 1.01 * low) {
    const middle = Math.sqrt(low * high);
    if (enough(middle)) high = middle;
    else low = middle;
  }
  return high;
}
