/**
 * Reads the pulses of a recording that consists of several files, of which each is decoded as a whole. Files that were used last stay in
 * a cache of bounded size. This file knows no file format.
 */
import { createPause, throwIfAborted } from "@dechirp/core";
import { copyInto } from "@dechirp/core/internal";
import type { NumericArray } from "./numbers.ts";
import { unlessAborted } from "./signals.ts";

/** The pulses of one file. */
export interface Part {
  /** Number of pulses. */
  readonly pulses: number;
  /** Decodes the samples, [pulse][sample], interleaved. The numbers must fit the type of the result that they are copied to. */
  load(signal: AbortSignal | undefined): Promise<NumericArray>;
}

/** Options of `createPartReader`. */
export interface PartReaderOptions<A extends NumericArray> {
  /** Name for messages. */
  readonly name: string;
  /** Numbers of one pulse: two for each sample. */
  readonly width: number;
  /** Type of the results. */
  readonly array: new (
    length: number,
  ) => A;
  /** Decoded files are kept up to this many bytes together; the last one is always kept. */
  readonly cacheBytes: number;
}

/** Reads pulses from consecutive parts. */
export interface PartReader<A extends NumericArray> {
  /** Reads pulses that exist, which may be in several parts. Returns a view of a cached part if they are all in one of type `A`. */
  read(from: number, count: number, signal: AbortSignal | undefined): Promise<A>;
  /** Puts the samples of part `i` into the cache. */
  keep(i: number, samples: NumericArray): void;
  /** Waits for loads in progress and empties the cache. */
  close(): Promise<void>;
}

/** Makes a reader of the pulses of `parts`. */
export function createPartReader<A extends NumericArray>(parts: readonly Part[], options: PartReaderOptions<A>): PartReader<A> {
  const { name, width, array, cacheBytes } = options;
  const what = `reading ${name}`;
  const starts: number[] = [];
  let total = 0;
  for (const { pulses } of parts) {
    starts.push(total);
    total += pulses;
  }
  /** Parts by index; the one that was used last is last. */
  const cache = new Map<number, NumericArray>();
  let cached = 0;
  const keep = (i: number, samples: NumericArray): void => {
    forget(i);
    cache.set(i, samples);
    cached += samples.byteLength;
    for (const oldest of cache.keys()) {
      if (cached <= cacheBytes || oldest === i) break;
      forget(oldest);
    }
  };
  const forget = (i: number): void => {
    cached -= cache.get(i)?.byteLength ?? 0;
    cache.delete(i);
  };
  // One part is decoded at a time: this bounds the memory, and two readers of the same part share one decoding.
  let last: Promise<unknown> = Promise.resolve();
  const load = (i: number, signal: AbortSignal | undefined): Promise<NumericArray> => {
    const loaded = last.then(async () => {
      throwIfAborted(signal, what);
      const samples = cache.get(i) ?? (await parts[i].load(signal));
      keep(i, samples);
      return samples;
    });
    last = loaded.catch(() => {});
    return unlessAborted(loaded, signal, what);
  };

  return {
    keep,
    async read(from, count, signal) {
      const to = from + count;
      let i = starts.length - 1;
      while (starts[i] > from) i--;
      const first = await load(i, signal);
      if (to <= starts[i] + parts[i].pulses && first instanceof array)
        return first.subarray((from - starts[i]) * width, (to - starts[i]) * width) as A;
      const pause = createPause(what, signal);
      const out = new array(count * width);
      for (let samples = first; ; samples = await load(i, signal)) {
        const [start, end] = [Math.max(from, starts[i]), Math.min(to, starts[i] + parts[i].pulses)];
        await copyInto(out, samples.subarray((start - starts[i]) * width, (end - starts[i]) * width), (start - from) * width, pause);
        if (end === to) return out;
        i++;
      }
    },
    async close() {
      await last;
      cache.clear();
      cached = 0;
    },
  };
}
