/** Runs a job in a worker of its own and keeps what the page shows of it: facts, proposal, image, progress, result. */
import { isRadarError } from "@dechirp/core";
import { transfer } from "comlink";
import { useEffect, useRef, useState } from "preact/hooks";
import { openImage, type StoredImage } from "../image/stored-image.ts";
import type { Advance } from "../ui/progress.tsx";
import { useSession } from "../ui/use-session.ts";
import type { DeviceName } from "../work/devices.ts";
import type { WorkerSession } from "../work/worker-session.ts";
import type { Job } from "./maker.ts";
import type { Focused, Proposal, RecordingFacts, ToldEvent } from "./messages.ts";
import { otherOf } from "./other.tsx";
import type { FocusApi } from "./worker.ts";

/** What the page shows of a run. */
export interface RunState {
  readonly recording?: RecordingFacts;
  readonly proposal?: Proposal;
  readonly image?: StoredImage;
  /** Present while work is under way. */
  readonly advance?: Advance;
  readonly focused?: Focused;
  /** Milliseconds from the start of the run to its end. */
  readonly milliseconds?: number;
  readonly error?: unknown;
  readonly isCancelled?: boolean;
  /** The device was lost after the run. */
  readonly lost?: string;
}

/** A run. */
export interface Run extends RunState {
  readonly session: WorkerSession<FocusApi>;
  readonly cancel: () => void;
  /** Runs the job once more. */
  readonly again: () => void;
}

/** Runs `job` whenever `key` changes, and ends the run before. Runs nothing while `job` is undefined. */
export function useRun(job: Job | undefined, key: string, device: DeviceName | "auto"): Run {
  const session = useSession<FocusApi>(
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: `focus ${device}` }),
  );
  const [state, setState] = useState<RunState>({});
  const [attempt, setAttempt] = useState(0);
  const controller = useRef<AbortController>(undefined);
  const image = useRef<StoredImage>(undefined);
  /** The number of the last run. */
  const latest = useRef(0);
  /** Where the recording of the last run came from. */
  const origin = useRef<string>(undefined);
  const merge = (more: RunState): void => setState((before) => ({ ...before, ...more }));

  useEffect(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data: { run, event } }: MessageEvent<ToldEvent>) => {
      if (event.kind === "lost") merge({ lost: event.message });
      else if (run !== latest.current) return;
      else if (event.kind === "recording") merge({ recording: event.facts });
      else setState((before) => (before.advance ? { ...before, advance: event } : before));
    };
    void session.api.listen(transfer(port2, [port2]));
    return () => {
      port1.close();
      image.current?.close();
    };
  }, [session]);

  useEffect(() => {
    if (!job) return;
    const mine = new AbortController();
    controller.current = mine;
    void run(job, mine.signal);
    return () => mine.abort();
  }, [key, attempt, job === undefined]);

  async function run(wanted: Job, signal: AbortSignal): Promise<void> {
    const { api, settled } = session;
    const began = performance.now();
    latest.current += 1;
    const number = latest.current;
    const { source, choices } = wanted;
    const from = JSON.stringify([source.kind === "files" ? source.id : source, choices.part]);
    const isSame = from === origin.current;
    origin.current = from;
    // Nothing of another recording stays, so that it can't be taken for the new one if that can't be opened.
    setState(({ recording, proposal, image }) => ({
      ...(isSame && recording && { recording }),
      ...(isSame && proposal && { proposal }),
      ...(isSame && image && { image }),
      advance: { what: "starting" },
    }));
    try {
      const proposal = await settled(api.plan(number, wanted, signal) as Promise<Proposal>);
      if (signal.aborted) return;
      const opened = await openImage(proposal.image);
      image.current?.close();
      image.current = opened;
      merge({ proposal, image: opened });
      const port = await opened.connect();
      if (signal.aborted) return;
      // Its own signal, which fires at the end, too: a signal that travelled to a worker stays there, with all that heeds it, until it fires.
      const focusing = new AbortController();
      const end = (): void => focusing.abort();
      signal.addEventListener("abort", end, { once: true });
      const focused = await settled(api.focus(number, transfer(port, [port]), focusing.signal) as Promise<Focused>).finally(end);
      if (signal.aborted) return;
      setState(({ advance: _, ...rest }) => ({ ...rest, focused, milliseconds: performance.now() - began }));
    } catch (error) {
      if (signal.aborted || isRadarError(error, "aborted")) return;
      // Of what is no recording, the page shows its description and nothing of the recording before.
      setState(({ advance: _, ...rest }) => ({ ...(otherOf(error) ? {} : rest), error }));
    }
  }

  return {
    ...state,
    session,
    cancel() {
      controller.current?.abort();
      setState(({ advance: _, ...rest }) => ({ ...rest, isCancelled: true }));
    },
    again: () => setAttempt((count) => count + 1),
  };
}
