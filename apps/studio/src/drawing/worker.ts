/** Draws figures in a worker with `@dechirp/pictures`, the code that draws the command line's pictures. */
import { heatAreas } from "@dechirp/pictures";
import { expose } from "comlink";
import { type Drawings, drawings } from "./drawings.ts";
import "../work/wire.ts";

const api = {
  /** Draws a figure of a kind and resolves with an SVG document. */
  draw<K extends keyof Drawings>(kind: K, data: Parameters<Drawings[K]>[0], signal: AbortSignal): Promise<string> {
    const draw = drawings[kind] as (data: Parameters<Drawings[K]>[0], signal: AbortSignal) => Promise<string>;
    return draw(data, signal);
  },
  heatAreas,
};

/** What the worker can do. */
export type DrawingApi = typeof api;

expose(api);
