/** Tells other tasks what the opened recording of this one is, so that they can offer it. */
import { useEffect } from "preact/hooks";
import { noteRecording } from "../opened/opened.ts";
import type { Source } from "./messages.ts";
import { otherOf } from "./other.tsx";
import type { RunState } from "./use-run.ts";

export function useNoting(source: Source | undefined, { recording, proposal, error }: RunState): void {
  const other = otherOf(error);
  useEffect(() => {
    if (!source || source.kind === "scene") return;
    if (other?.task === "adaptive") noteRecording({ source, name: other.name, kind: "array" });
    else if (recording && proposal) noteRecording({ source, name: recording.name, kind: recording.kind });
  }, [source, recording, proposal, other]);
}
