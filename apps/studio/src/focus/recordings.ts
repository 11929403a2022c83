/** Opens recordings: simulated scenes, files of the user, and files on servers. Runs in a worker, which loads readers only for files. */
import type { Device } from "@dechirp/core";
import { type PhaseHistoryRecording, type StripmapRecording, simulateRecording } from "@dechirp/processor";
import { linearTrack, simulatePhaseHistory } from "@dechirp/sar";
import type { RecordingPlace } from "../opened/source.ts";
import type { RecordingFacts, Source } from "./messages.ts";
import { presetOf } from "./presets.ts";
import { spotlight } from "./scenes.ts";

/** What is known of files by their content. */
export type FileFacts = Pick<RecordingFacts, "facts" | "more" | "notes" | "channels">;

/** An open recording. */
export interface OpenRecording {
  /** What its format is called in a sentence. */
  readonly format: string;
  /** What its files state. Absent if it was simulated. */
  readonly stated?: FileFacts;
  /** Where it is. Absent if it was simulated. */
  readonly place?: RecordingPlace;
  /** Paths of the recordings that were opened together, and which of them this one is. */
  readonly part?: string;
  readonly parts?: readonly string[];
  /** Identifier of the channel that was read. Absent for what has no channels. */
  readonly channel?: string;
  /** A recording for each segment of equal PRF, or a phase history. */
  readonly content:
    | { readonly kind: "stripmap"; readonly recordings: readonly StripmapRecording[] }
    | { readonly kind: "phase-history"; readonly recording: PhaseHistoryRecording };
  close(): Promise<void>;
}

/** What is told while a recording is opened, and what stops it. */
export interface OpenHooks {
  /** Identifier of the channel that is wanted. Without one, or if there is none of that name, the first is read. */
  readonly channel: string;
  readonly signal: AbortSignal;
  readonly onProgress: (what: string, share?: number) => void;
  /** A device of the processor, for simulations. */
  readonly processor: () => Promise<Device>;
}

/** Opens a recording, of several that are opened together the one at the path `part`. Rejects with `input`, whose message is one sentence for the user, and with `aborted`. */
export async function openRecording(source: Source, part: string, hooks: OpenHooks): Promise<OpenRecording> {
  if (source.kind === "scene") return simulated(source, hooks);
  const { readSource } = await import("./readers.ts");
  return readSource(source, part, hooks);
}

async function simulated({ scene, seed }: Extract<Source, { kind: "scene" }>, hooks: OpenHooks): Promise<OpenRecording> {
  const { signal, onProgress, processor } = hooks;
  onProgress("simulating the echoes", 0);
  if (scene === "spotlight") {
    const { track, frequency, targets, noise, seed: own } = spotlight;
    const { samples, ...history } = simulatePhaseHistory({ positions: linearTrack(track), frequency, targets, noise, seed: seed ?? own });
    const { count } = frequency;
    const recording: PhaseHistoryRecording = {
      ...history,
      name: scene,
      shape: [track.pulses, count],
      area: spotlight.area,
      pulses: (from, some) => samples.subarray(2 * from * count, 2 * (from + some) * count),
    };
    return { format: "simulated spotlight", content: { kind: "phase-history", recording }, close: async () => {} };
  }
  const recording = await simulateRecording(scene, presetOf(scene), seed === undefined ? {} : { seed }, await processor(), {
    signal,
    onProgress: (_, share) => onProgress("simulating the echoes", share),
  });
  return { format: "simulated stripmap scene", content: { kind: "stripmap", recordings: [recording] }, close: async () => {} };
}
