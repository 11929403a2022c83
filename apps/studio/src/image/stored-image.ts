/** Images that the page shows: each is kept in the image worker, which is started with the first of them. */

import type { ImageWindow } from "@dechirp/radar";
import type { PointTargetOptions } from "@dechirp/sar";
import { type ReadonlySignal, signal } from "@preact/signals";
import { transfer } from "comlink";
import { openSession, type WorkerSession } from "../work/worker-session.ts";
import type { PointMeasures } from "./cuts.ts";
import type { DbRange, ImageFacts, ImageState, Tile, TileRequest } from "./facts.ts";
import type { Arrivals } from "./host.ts";
import type { PixelPlace } from "./settings.ts";
import type { StoreOptions } from "./store.ts";
import type { ImageWorkerApi } from "./worker.ts";

/** An image in the image worker. */
export interface StoredImage {
  readonly facts: ImageFacts;
  /** What has arrived so far; changes a few times a second. */
  readonly state: ReadonlySignal<ImageState>;
  /** A port for a worker that computes the image: pass it to the worker (`transfer(port, [port])`), and to `remoteStore` there. */
  connect(): Promise<MessagePort>;
  /** Draws a window. */
  tile(request: TileRequest): Promise<Tile>;
  /** Complex pixels, interleaved. */
  read(window: ImageWindow): Promise<Float32Array>;
  /** The brightest pixel of a window. */
  brightest(window: ImageWindow): Promise<PixelPlace>;
  /** Measures the point target at a place and its cuts, as the packages do in the whole image. Rejects as `analysePointTarget` does. */
  measure(place: PixelPlace, options: PointTargetOptions, signal: AbortSignal): Promise<PointMeasures>;
  /** The colour scale as in the command's pictures. */
  range(percentile?: number, dynamicRangeDb?: number): Promise<DbRange>;
  /** Calls `listener` with the windows that have arrived. Returns a function that ends it. */
  onArrival(listener: (arrivals: Arrivals) => void): () => void;
  /** Frees the memory and removes files. */
  close(): void;
}

let session: WorkerSession<ImageWorkerApi> | undefined;

/** Starts the worker. If it dies, the next image gets another one. */
function startSession(): WorkerSession<ImageWorkerApi> {
  const started = openSession<ImageWorkerApi>(new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "image" }));
  started.settled(new Promise<never>(() => {})).catch(() => {
    if (session === started) session = undefined;
  });
  return started;
}

/** Makes an empty image, to be filled through `connect`. Rejects with `limit` if there is no room for it. */
export async function openImage(facts: ImageFacts, options: StoreOptions = {}): Promise<StoredImage> {
  session ??= startSession();
  const { api, settled } = session;
  const { port1, port2 } = new MessageChannel();
  const id = await settled(api.create(facts, transfer(port2, [port2]), options) as Promise<number>);
  const state = signal(await settled(api.state(id) as Promise<ImageState>));
  const listeners = new Set<(arrivals: Arrivals) => void>();
  port1.onmessage = ({ data }: MessageEvent<Arrivals>) => {
    state.value = data.state;
    for (const listener of listeners) listener(data);
  };
  return {
    facts,
    state,
    async connect() {
      const { port1: ours, port2: theirs } = new MessageChannel();
      await settled(api.connect(id, transfer(theirs, [theirs])) as Promise<void>);
      return ours;
    },
    tile: (request) => settled(api.tile(id, request) as Promise<Tile>),
    read: (window) => settled(api.read(id, window) as Promise<Float32Array>),
    brightest: (window) => settled(api.brightest(id, window) as Promise<PixelPlace>),
    measure: (place, options, signal) => settled(api.measure(id, place, options, signal) as Promise<PointMeasures>),
    range: (percentile, dynamicRangeDb) => settled(api.range(id, percentile, dynamicRangeDb) as Promise<DbRange>),
    onArrival(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close() {
      port1.close();
      void api.close(id);
    },
  };
}
