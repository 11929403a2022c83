/** Draws figures in one worker, which is started with the first figure. */
import { openSession, type WorkerSession } from "../work/worker-session.ts";
import type { Drawings } from "./drawings.ts";
import type { DrawingApi } from "./worker.ts";

let session: WorkerSession<DrawingApi> | undefined;

/** Draws a figure and resolves with an SVG document. Rejects with `input` for bad data, and with `aborted`. */
export function draw<K extends keyof Drawings>(kind: K, data: Parameters<Drawings[K]>[0], signal: AbortSignal): Promise<string> {
  session ??= openSession<DrawingApi>(new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "drawing" }));
  const { api, settled } = session;
  return settled(api.draw(kind, data as never, signal) as Promise<string>);
}
