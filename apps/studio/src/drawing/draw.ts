/** Draws figures in one worker, which is started with the first figure. */
import type { HeatArea } from "@dechirp/pictures";
import { openSession, type WorkerSession } from "../work/worker-session.ts";
import type { Drawings } from "./drawings.ts";
import type { DrawingApi } from "./worker.ts";

let session: WorkerSession<DrawingApi> | undefined;

function opened(): WorkerSession<DrawingApi> {
  session ??= openSession<DrawingApi>(new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "drawing" }));
  return session;
}

/** Draws a figure and resolves with an SVG document. Rejects with `input` for bad data, and with `aborted`. */
export function draw<K extends keyof Drawings>(kind: K, data: Parameters<Drawings[K]>[0], signal: AbortSignal): Promise<string> {
  const { api, settled } = opened();
  return settled(api.draw(kind, data as never, signal) as Promise<string>);
}

/** Where a heat map has its cells, in pixels of its drawing. Rejects with `input` for bad panels. */
export function heatAreasOf(panels: Parameters<Drawings["heat"]>[0]): Promise<readonly HeatArea[]> {
  const { api, settled } = opened();
  return settled(api.heatAreas(panels) as Promise<readonly HeatArea[]>);
}
