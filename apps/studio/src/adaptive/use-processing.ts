/** Runs the worker whenever settings change: what was found is there early, the report when everything is judged. */
import { isRadarError, RadarError } from "@dechirp/core";
import type { StapReport } from "@dechirp/processor";
import { proxy } from "comlink";
import { useRef, useState } from "preact/hooks";
import { writeSettings } from "../settings.ts";
import type { Advance } from "../ui/progress.tsx";
import { useLatest } from "../ui/use-latest.ts";
import type { WorkerSession } from "../work/worker-session.ts";
import type { FileFacts, Found } from "./messages.ts";
import { settings, type Values } from "./settings.ts";
import type { AdaptiveApi } from "./worker.ts";

/** How the processing is. */
export interface Processing {
  readonly found?: Found | undefined;
  /** Whether `found` belongs to other settings, as the newest ones failed. */
  readonly isOutdated: boolean;
  /** Left out until everything is judged. */
  readonly report?: StapReport | undefined;
  readonly error?: unknown;
  /** Whether there is nothing to show for the newest settings yet. */
  readonly isBusy: boolean;
  readonly cancel: () => void;
  /** Computes again with the same settings. */
  readonly again: () => void;
}

/** Processes with `values`, unless they are undefined. Judging, which takes longer, is given up as soon as settings change. */
export function useProcessing(
  session: WorkerSession<AdaptiveApi>,
  values: Values | undefined,
  source: FileFacts | "ward" | "file",
  setAdvance: (advance: Advance | undefined) => void,
): Processing {
  const running = useRef<AbortController>(undefined);
  const [judged, setJudged] = useState<{ readonly report?: StapReport; readonly error?: unknown }>({});
  const [attempt, setAttempt] = useState(0);
  const start = (values: Values, signal: AbortSignal): Promise<Found> => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    signal.addEventListener("abort", () => own.abort());
    setJudged({});
    setAdvance(undefined);
    const began = performance.now();
    return new Promise<Found>((resolve, reject) => {
      const isCurrent = (): boolean => running.current === own;
      const onAdvance = proxy((what: string, share: number) => {
        // Short work needs no progress.
        if (isCurrent() && performance.now() - began > 300) setAdvance({ what, share });
      });
      const kind = typeof source === "string" ? source : "file";
      session.settled(session.api.run(values, kind, proxy(resolve), onAdvance, own.signal) as Promise<StapReport>).then(
        (report) => isCurrent() && setJudged({ report }),
        (error) => {
          reject(isRadarError(error, "aborted") && isCurrent() ? new RadarError("failed", "Cancelled. Any change computes again.") : error);
          if (isCurrent() && !isRadarError(error, "aborted")) setJudged({ error });
        },
      );
    });
  };
  // The switch only chooses among maps that are there.
  const key = values && writeSettings(settings, { ...values, adaptive: true }).toString();
  const latest = useLatest<Found | undefined>(async (signal) => values && start(values, signal), [key, source, attempt]);
  return {
    found: latest.value,
    report: judged.report,
    isOutdated: latest.error !== undefined,
    error: latest.error ?? judged.error,
    isBusy: latest.isBusy && values !== undefined,
    cancel: () => running.current?.abort(),
    again: () => setAttempt(attempt + 1),
  };
}
