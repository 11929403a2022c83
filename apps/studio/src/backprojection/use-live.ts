/**
 * Keeps the image of the newest settings: a run that has become outdated is cancelled, except for its coarse image, so that an aperture that
 * is dragged is always seen.
 */
import { isRadarError } from "@dechirp/core";
import { proxy } from "comlink";
import { useEffect, useRef, useState } from "preact/hooks";
import { useNewest } from "../ui/newest.ts";
import type { Advance } from "../ui/progress.tsx";
import type { WorkerSession } from "../work/worker-session.ts";
import type { FlightSource } from "./flights.ts";
import type { Picture } from "./paint.ts";
import type { QualityReport, SpeedReport } from "./run.ts";
import type { Display, ImageRequest } from "./settings.ts";
import type { BackprojectionApi, RunEvent } from "./worker.ts";

/** How the newest run is. */
export interface Live {
  readonly picture?: Picture;
  /** Absent until the whole image of the newest settings is there. */
  readonly speed?: SpeedReport;
  /** Absent until the quality of that image is known. */
  readonly quality?: QualityReport;
  readonly advance?: Advance;
  readonly error?: unknown;
  /** `waiting`: there is no flight yet. */
  readonly state: "waiting" | "busy" | "done" | "cancelled" | "failed";
}

/** Makes images of a source. None while it is undefined. */
export function useLive(
  session: WorkerSession<BackprojectionApi>,
  source: FlightSource | undefined,
  key: string | undefined,
  request: ImageRequest,
  display: Display,
) {
  const [live, setLive] = useState<Live>({ state: "busy" });
  const [times, setTimes] = useState(0);
  const newest = useNewest();
  const shown = useRef(display);
  shown.current = display;

  async function once(from: FlightSource, signal: AbortSignal): Promise<void> {
    const tell = (event: RunEvent): void => {
      if (newest.isGone()) return;
      if (event.kind === "picture") setLive((before) => ({ ...before, picture: event.picture }));
      else if (!newest.isNewest()) return;
      else if (event.kind === "speed") setLive((before) => ({ ...before, speed: event.report }));
      else setLive((before) => ({ ...before, advance: event.advance }));
    };
    const settle = (changed: Partial<Live>): void => {
      if (newest.isNewest()) setLive(({ advance: _, ...before }) => ({ ...before, ...changed }));
    };
    setLive(({ picture }) => ({ ...(picture && { picture }), state: "busy" }));
    try {
      const quality = await session.settled(session.api.image(from, request, shown.current, proxy(tell), signal) as Promise<QualityReport>);
      settle({ quality, state: "done" });
    } catch (error) {
      if (isRadarError(error, "aborted")) settle({ state: "cancelled" });
      else settle({ error, state: "failed" });
    }
  }

  useEffect(() => {
    newest.cancel();
    // An image of another flight does not stay.
    if (source) newest.request((signal) => once(source, signal));
    else newest.request(async () => setLive({ state: "waiting" }));
  }, [key, JSON.stringify(request), times]);

  useEffect(() => {
    if (!live.picture) return;
    (session.api.repaint(display) as Promise<Picture | undefined>)
      .then((picture) => picture && setLive((before) => ({ ...before, picture })))
      .catch(() => {}); // the worker was closed
  }, [JSON.stringify(display)]);

  return { live, cancel: newest.cancel, again: () => setTimes((n) => n + 1) };
}
