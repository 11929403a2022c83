/** Work of which only the newest request counts: one runs at a time, and requests that come meanwhile are replaced by the last of them. */
import { useEffect, useRef } from "preact/hooks";

/** The requests of a component. */
export interface Newest {
  /** Runs `work` once what runs now has ended, unless another request comes before. The signal is aborted by `cancel`, and with the component. */
  readonly request: (work: (signal: AbortSignal) => Promise<void>) => void;
  /** Aborts what runs now. */
  readonly cancel: () => void;
  /** Whether no newer request waits, and the component is there. */
  readonly isNewest: () => boolean;
  readonly isGone: () => boolean;
}

export function useNewest(): Newest {
  const newest = useRef<ReturnType<typeof createNewest>>(undefined);
  newest.current ??= createNewest();
  const made = newest.current;
  useEffect(() => {
    made.begin();
    return made.end;
  }, []);
  return made;
}

function createNewest() {
  let wanted: ((signal: AbortSignal) => Promise<void>) | undefined;
  let controller: AbortController | undefined;
  let isRunning = false;
  let isGone = false;
  async function drain(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    while (wanted) {
      const next = wanted;
      wanted = undefined;
      controller = new AbortController();
      await next(controller.signal);
    }
    isRunning = false;
  }
  return {
    begin(): void {
      isGone = false;
    },
    end(): void {
      isGone = true;
      wanted = undefined;
      controller?.abort();
    },
    request(work: (signal: AbortSignal) => Promise<void>): void {
      wanted = work;
      void drain();
    },
    cancel: () => controller?.abort(),
    isNewest: () => wanted === undefined && !isGone,
    isGone: () => isGone,
  };
}
