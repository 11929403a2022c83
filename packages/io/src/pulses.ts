/**
 * The pulses of a recording, read on demand: `pulses` returns some of them, `blocks` all of them block by block with read-ahead, and
 * `close` releases the files behind them. Recordings in memory have the same functions. This file knows no file format.
 */
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { isWhole, onAbort } from "@dechirp/core/internal";
import { checkOptions } from "./random-access.ts";
import { linkSignals } from "./signals.ts";

/** Options of `pulses`. `A` is the type of the array that it returns. */
export interface PulsesOptions<A = unknown> {
  /**
   * Memory for the pulses, of the type and length of the result. The samples may be read into it, and it is then the result, which saves a copy.
   * Default: none.
   */
  readonly into?: A;
  /** Cancels the read, which rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/** Options of `blocks`. */
export interface BlocksOptions {
  /** First pulse. Default: 0. */
  readonly from?: number;
  /** The pulse after the last one. Default: the number of pulses. */
  readonly to?: number;
  /** Pulses of a block. Only the last block may have fewer. Default: as many as fit into 64 MiB, at least one more than `overlap`. */
  readonly count?: number;
  /** Pulses that a block shares with the one before it; they are read again. Less than `count`. Default: 0. */
  readonly overlap?: number;
  /** Blocks that are read ahead of the one that was returned last. Default: 1. */
  readonly ahead?: number;
  /** Cancels all reads; the iterator rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/** Some pulses of a recording, in order. */
export interface RecordedPulses<A> {
  /** Index of the first pulse. */
  readonly from: number;
  /** Number of pulses. */
  readonly count: number;
  /** [count][sample], interleaved. It may be a view of the recording's own memory, so it must not be changed. */
  readonly data: A;
}

/** Functions that read the pulses of a recording. `A` is the type of the arrays that they return. */
export interface PulseReader<A> extends AsyncDisposable {
  /**
   * Reads pulses `from` to `from + count − 1`, [count][sample], interleaved. The result may be a view of the recording's own memory, so it
   * must not be changed. Rejects with `input` if there are no such pulses, if a sample is not finite, naming pulse and sample, or if a
   * file can't be read or has changed since it was opened; with `disposed` after `close`; and with `aborted` if the signal fires.
   */
  pulses(from: number, count: number, options?: PulsesOptions<A>): Promise<A>;
  /**
   * Reads pulses block by block, in order, and reads ahead while the caller works on a block. Leaving a `for await` loop stops all reads.
   * Throws `input`, which names the option, for wrong options. The iterator rejects as `pulses` does, and ends after an error.
   */
  blocks(options?: BlocksOptions): AsyncIterableIterator<RecordedPulses<A>>;
  /** Stops all reads, waits for their end and closes the files. May be called more than once. */
  close(): Promise<void>;
}

/** What a recording supplies to get a `PulseReader`. */
export interface PulseSource<A> {
  /** Name for messages. */
  readonly name: string;
  /** Number of pulses, and samples of a pulse. */
  readonly shape: readonly [pulses: number, samples: number];
  /** Bytes of a pulse in memory. */
  readonly pulseBytes: number;
  /** Reads pulses that exist and checks their samples. Must reject soon after the signal has fired. It may read into `into`. */
  read(from: number, count: number, signal: AbortSignal, into?: A): Promise<A>;
  /** Releases what the recording holds. Called once, when no read is in progress. */
  close?(): Promise<void>;
}

/** Default size of a block. */
const blockBytes = 2 ** 26;

/** Makes the functions of a recording that read its pulses. */
export function createPulseReader<A>(source: PulseSource<A>): PulseReader<A> {
  const { name, shape, pulseBytes } = source;
  const [total] = shape;
  const what = `reading ${name}`;
  const reads = new Map<Promise<unknown>, (reason: unknown) => void>();
  let closing: Promise<void> | undefined;

  const start = (from: number, count: number, signal: AbortSignal | undefined, into?: A): Promise<A> => {
    if (closing) throw closedError();
    throwIfAborted(signal, what);
    const linked = linkSignals(signal);
    const read = source.read(from, count, linked.signal, into).finally(() => {
      linked.release();
      reads.delete(read);
    });
    reads.set(read, linked.abort);
    return read;
  };
  const closedError = (): RadarError => new RadarError("disposed", `${name} was closed`, { recording: name });
  const close = (): Promise<void> => {
    closing ??= (async () => {
      const pending = [...reads];
      for (const [, abort] of pending) abort(closedError());
      await Promise.allSettled(pending.map(([read]) => read));
      await source.close?.();
    })();
    return closing;
  };
  return {
    async pulses(from, count, options = {}) {
      const { signal, into } = checkOptions(options, { signal: true, into: true }, "pulses");
      checkWhole("from", from, 0, total - 1);
      checkWhole("count", count, 1, total - from);
      return start(from, count, signal, into);
    },
    blocks: (options = {}) => blocksOf(planOf(options, total, pulseBytes), start, what),
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface BlockPlan {
  readonly from: number;
  readonly to: number;
  readonly count: number;
  readonly step: number;
  readonly ahead: number;
  readonly signal: AbortSignal | undefined;
}

function planOf(options: BlocksOptions, total: number, pulseBytes: number): BlockPlan {
  checkOptions(options, { from: true, to: true, count: true, overlap: true, ahead: true, signal: true }, "blocks");
  const { from = 0, to = total, overlap = 0, ahead = 1, signal } = options;
  checkWhole("from", from, 0, total);
  checkWhole("to", to, from, total);
  checkWhole("overlap", overlap, 0, total);
  const { count = Math.max(overlap + 1, Math.floor(blockBytes / pulseBytes)) } = options;
  checkWhole("count", count, overlap + 1, Number.MAX_SAFE_INTEGER);
  checkWhole("ahead", ahead, 0, 1024);
  return { from, to, count, step: count - overlap, ahead, signal };
}

function checkWhole(field: string, value: number, least: number, most: number): void {
  if (isWhole(value, least, most)) return;
  throw inputError(field, least === most ? `${least}` : `an integer from ${least} to ${most}`, value);
}

type Read<A> = (from: number, count: number, signal: AbortSignal) => Promise<A>;

/** Iterates over the blocks of a plan. An object rather than a generator: `return` of a generator would wait for the read in progress. */
function blocksOf<A>(plan: BlockPlan, read: Read<A>, what: string): AsyncIterableIterator<RecordedPulses<A>> {
  const { to, count, step, ahead, signal } = plan;
  const stop = new AbortController();
  const unregister = onAbort(signal, () => stop.abort(signal?.reason));
  const queue: { readonly from: number; readonly count: number; readonly data: Promise<A> }[] = [];
  let next = plan.from;
  let done = plan.from >= to;
  let ended = false;
  let last: Promise<unknown> = Promise.resolve();

  /** Starts reads until `most` blocks are in the queue. */
  const fill = (most: number): void => {
    while (!done && queue.length < most) {
      const size = Math.min(count, to - next);
      // `async`, so that a read that can't start rejects.
      const data = (async (from: number) => read(from, size, stop.signal))(next);
      // The rejection is reported when the block is asked for, if it ever is.
      data.catch(() => {});
      queue.push({ from: next, count: size, data });
      done = next + size >= to;
      next += step;
    }
  };
  /** Stops all reads and waits for their end. */
  const end = async (): Promise<void> => {
    [done, ended] = [true, true];
    unregister();
    stop.abort();
    await Promise.allSettled(queue.splice(0).map(({ data }) => data));
  };
  const take = async (): Promise<IteratorResult<RecordedPulses<A>>> => {
    if (ended) return { done: true, value: undefined };
    try {
      throwIfAborted(signal, what);
      fill(1);
      const block = queue[0];
      if (!block) {
        await end();
        return { done: true, value: undefined };
      }
      const data = await block.data;
      throwIfAborted(signal, what);
      queue.shift();
      fill(ahead);
      return { done: false, value: { from: block.from, count: block.count, data } };
    } catch (error) {
      await end();
      throw error;
    }
  };
  return {
    next: () => {
      // Calls that overlap get one block each, in order.
      const taken = last.then(take);
      last = taken.catch(() => {});
      return taken;
    },
    return: async () => {
      await end();
      return { done: true, value: undefined };
    },
    throw: async (error: unknown) => {
      await end();
      throw error;
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
