/**
 * Passes pulses from a recording to the backprojector, block by block. A block that was handed over is computed while the next is read.
 */
import { createPause } from "@dechirp/core";
import { applyAutofocus, type BackprojectionProgress, type Backprojector } from "@dechirp/sar";
import { linesOf, pulsesAtOnce } from "../recording.ts";
import type { BackprojectedImagePlan } from "./image-plan.ts";

/** How pulses are read. */
export interface PulseReading {
  readonly signal?: AbortSignal;
  /** Called when pulses are in the image. */
  readonly onProgress: (done: BackprojectionProgress) => void;
}

/** Number of pulses that are requested at once: those of a block of the projector, or as many as fit into 64 MiB. */
const pulsesPerRead = ({ recording }: BackprojectedImagePlan, pulsesPerBlock: number): number =>
  Math.min(pulsesPerBlock, pulsesAtOnce(recording.shape[1], "c64"));

/** Bytes of the pulses that `addPulses` holds: a block, and its copy with corrections. */
export const readingBytes = (plan: BackprojectedImagePlan, pulsesPerBlock: number): number =>
  2 * 8 * plan.recording.shape[1] * pulsesPerRead(plan, pulsesPerBlock);

/** Pulses as the projector takes them, by the number of the first, for images whose windows all take the same. */
export type KeptPulses = Map<number, Float32Array>;

/** Bytes of `count` pulses. */
export const pulsesBytes = ({ recording: { shape } }: BackprojectedImagePlan, count: number): number => 8 * count * shape[1];

/** A run of pulses. */
export type PulseRun = readonly [first: number, count: number];

/**
 * Passes a run of the recording's pulses to the projector block by block, with corrections if they are to be applied. Resolves when they
 * are in the image. The image does not depend on how many pulses are read at once. Pulses in `kept` are not read, and others are added to it.
 */
export async function addPulses(
  projector: Backprojector,
  plan: BackprojectedImagePlan,
  reading: PulseReading,
  { kept, run: [first, count] = [0, plan.recording.shape[0]] }: { readonly kept?: KeptPulses | undefined; readonly run?: PulseRun } = {},
): Promise<void> {
  const { recording, autofocus, where } = plan;
  const { signal, onProgress } = reading;
  const { shape, positions, frequency, autofocus: corrections } = recording;
  const hear = signal ? { signal } : {};
  const add = { ...hear, onProgress };
  const pause = createPause("backprojection", signal);
  const given = { shape, dtype: "c64", pulses: recording.pulses.bind(recording) } as const;
  const atOnce = pulsesPerRead(plan, projector.plan.pulsesPerBlock);
  for (let from = first; from < first + count; from += atOnce) {
    const to = Math.min(from + atOnce, first + count);
    const known = kept?.get(from);
    if (known) {
      await projector.add(known, add);
      continue;
    }
    const samples = (await linesOf(given, where, from, to - from, pause, signal)) as Float32Array;
    if (autofocus !== "applied" || !corrections) {
      // The recording may give the same memory for the next pulses.
      kept?.set(from, samples.slice());
      await projector.add(samples, add);
      continue;
    }
    const block = {
      positions: positions.subarray(3 * from, 3 * to),
      referenceRangeMeters: recording.referenceRangeMeters.subarray(from, to),
      frequency,
      samples,
      autofocus: { rangeMeters: corrections.rangeMeters.subarray(from, to), phaseRadians: corrections.phaseRadians.subarray(from, to) },
    };
    const corrected = (await applyAutofocus(block, hear)).samples;
    kept?.set(from, corrected);
    await projector.add(corrected, add);
  }
  await projector.finish(add);
}
