/** The worker's side of images that pages show: makes stores, and answers for them by number. */
import { RadarError } from "@dechirp/core";
import type { ImageWindow } from "@dechirp/radar";
import type { PointTargetOptions } from "@dechirp/sar";
import { expose, transfer } from "comlink";
import { brightestPixel } from "./brightest.ts";
import type { PointMeasures } from "./cuts.ts";
import type { Arrival, DbRange, ImageFacts, ImageState, Tile, TileRequest } from "./facts.ts";
import type { RemoteStoreApi } from "./remote-store.ts";
import type { PixelPlace } from "./settings.ts";
import { createImageStore, type ImageStore, type StoreOptions } from "./store.ts";

/** Milliseconds between messages about parts that have arrived. */
const arrivalPause = 100;

/** Functions for Comlink. Images have numbers. */
export function imageHost() {
  const stores = new Map<number, ImageStore>();
  let last = 0;
  function storeOf(id: number): ImageStore {
    const store = stores.get(id);
    if (!store) throw new RadarError("disposed", "the image was closed");
    return store;
  }
  return {
    /** Makes a store. Messages about what arrives go to `port`. Rejects as `createImageStore` does. */
    async create(facts: ImageFacts, port: MessagePort, options: StoreOptions): Promise<number> {
      const store = await createImageStore(facts, options);
      last++;
      stores.set(last, store);
      tellArrivals(store, port);
      return last;
    },
    /** Gives another worker access to a store, for `remoteStore`. */
    connect(id: number, port: MessagePort): void {
      const store = storeOf(id);
      const api: RemoteStoreApi = {
        write: (window, data) => store.write(window, data),
        async read(window) {
          const data = await store.read(window);
          return transfer(data, [data.buffer]);
        },
      };
      expose(api, port);
    },
    async tile(id: number, request: TileRequest): Promise<Tile> {
      const tile = await storeOf(id).tile(request);
      return transfer(tile, [tile.pixels.buffer]);
    },
    async read(id: number, window: ImageWindow): Promise<Float32Array> {
      const data = await storeOf(id).read(window);
      return transfer(data, [data.buffer]);
    },
    /** The brightest pixel of a window. */
    brightest: (id: number, window: ImageWindow): Promise<PixelPlace> => brightestPixel(storeOf(id), window),
    /** Measures the point target at a place. */
    async measure(id: number, place: PixelPlace, options: PointTargetOptions, signal: AbortSignal): Promise<PointMeasures> {
      const { measurePoint } = await import("./cuts.ts");
      return measurePoint(storeOf(id), place, options, signal);
    },
    range: (id: number, percentile?: number, dynamicRangeDb?: number): DbRange => storeOf(id).range(percentile, dynamicRangeDb),
    state: (id: number): ImageState => storeOf(id).state,
    close(id: number): void {
      stores.get(id)?.close();
      stores.delete(id);
    },
  };
}

/** Tells a port about the parts that arrive, a few times a second. */
function tellArrivals(store: ImageStore, port: MessagePort): void {
  let windows: ImageWindow[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let state: ImageState;
  store.onArrival((arrival) => {
    windows.push(arrival.window);
    state = arrival.state;
    if (timer !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      const message: Arrivals = { windows, state };
      windows = [];
      port.postMessage(message);
    }, arrivalPause);
  });
}

/** Parts that have arrived since the last message, and the image's state after them. */
export interface Arrivals extends Pick<Arrival, "state"> {
  readonly windows: readonly ImageWindow[];
}
