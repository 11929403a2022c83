/**
 * Random access to a file on an HTTP server, by ranges (RFC 9110, section 14), in Node and in browsers. Parts of two versions of a file
 * are never mixed: requests carry the validator of the first answer (`If-Range`, but not in pages), and every answer is compared with it. `http-request.ts`
 * makes single requests; this file divides reads into requests and keeps a small cache.
 */
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { isWhole } from "@dechirp/core/internal";
import { createRequests, type HttpObject, type HttpSettings } from "./http-request.ts";
import { checkOptions, type RandomAccess } from "./random-access.ts";
import { linkSignals, unlessAborted } from "./signals.ts";
import type { WebFetch, WebUrl } from "./web-types.ts";

/** Options of `openUrl`. */
export interface OpenUrlOptions {
  /** Cancels opening, and reads that have no signal of their own. They reject with `aborted`. */
  readonly signal?: AbortSignal;
  /** Makes requests, as the global `fetch` does. Default: the global `fetch`. */
  readonly fetch?: WebFetch;
  /** More headers for every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Name for messages. Default: the URL without its query, which may hold a signature. */
  readonly name?: string;
  /** The most bytes of the file. Default: no limit. */
  readonly maxBytes?: number;
  /** Bytes of one request, at most 1 GiB. Default: 1 MiB. */
  readonly blockBytes?: number;
  /** Requests at the same time, 1 to 64. Default: 4. */
  readonly parallel?: number;
  /** Bytes of the cache for small reads, such as those of headers. Default: 16 MiB. */
  readonly cacheBytes?: number;
  /** How often a request is repeated after a failure that may pass, 0 to 100. Default: 5. */
  readonly retries?: number;
  /** Mean delay before the first repetition, in milliseconds. It doubles with each one. Default: 250. */
  readonly retryMilliseconds?: number;
  /** The longest delay before a repetition, in milliseconds, also if the server asks for more (Retry-After). Default: 30 000. */
  readonly mostRetryMilliseconds?: number;
  /** A request that delivers nothing for so long counts as failed, in milliseconds. Default: 30 000. */
  readonly stallMilliseconds?: number;
}

const optionFields = {
  signal: true,
  fetch: true,
  headers: true,
  name: true,
  maxBytes: true,
  blockBytes: true,
  parallel: true,
  cacheBytes: true,
  retries: true,
  retryMilliseconds: true,
  mostRetryMilliseconds: true,
  stallMilliseconds: true,
} as const;

/** Options that are integers, with their least and largest values and their defaults. */
const ranges = {
  blockBytes: [1, 2 ** 30, 2 ** 20],
  parallel: [1, 64, 4],
  cacheBytes: [0, 2 ** 40, 2 ** 24],
  retries: [0, 100, 5],
  retryMilliseconds: [0, 2 ** 31 - 1, 250],
  mostRetryMilliseconds: [0, 2 ** 31 - 1, 30_000],
  stallMilliseconds: [1, 2 ** 31 - 1, 30_000],
} as const;

/**
 * Opens a file on an HTTP or HTTPS server. Its first bytes are read, which also gives its size and its version. The server must support
 * ranges; redirects are followed. For a page of another origin, the server must also send `Access-Control-Allow-Origin`. It should expose
 * `Content-Range` and `ETag` (`Access-Control-Expose-Headers`): otherwise the size of the file is asked for by further requests, and a
 * changed file is known by its Last-Modified and its size only. Failures that may pass (no connection, a body that ends early, nothing for `stallMilliseconds`, and
 * status 408, 429 and 5xx) are retried with exponential back-off.
 *
 * Rejects with `input`, naming the file, if the server does not support ranges, refuses the request, answers with other bytes than were
 * asked for, or still fails after all retries; as every read does, and also if the file has changed since it was opened. Rejects with
 * `input`, naming the option, for wrong arguments, and with `aborted` if the signal fires.
 */
export async function openUrl(url: string | WebUrl, options: OpenUrlOptions = {}): Promise<RandomAccess> {
  checkOptions(options, optionFields, "openUrl");
  const settings = settingsOf(url, options);
  const { maxBytes = Number.POSITIVE_INFINITY, signal } = options;
  if (!(maxBytes > 0)) throw inputError("maxBytes", "a positive number of bytes", maxBytes);
  const whole = (name: keyof typeof ranges): number => {
    const [least, most, usual] = ranges[name];
    const value = options[name] ?? usual;
    if (!isWhole(value, least, most)) throw inputError(name, `an integer from ${least} to ${most}`, value);
    return value;
  };
  const [blockBytes, parallel, cacheBytes] = [whole("blockBytes"), whole("parallel"), whole("cacheBytes")];
  const requests = createRequests({
    ...settings,
    retries: whole("retries"),
    retryMilliseconds: whole("retryMilliseconds"),
    mostRetryMilliseconds: whole("mostRetryMilliseconds"),
    stallMilliseconds: whole("stallMilliseconds"),
  });
  const { object, head } = await requests.first(blockBytes, signal);
  const { size } = object;
  const { name } = settings;
  if (size > maxBytes)
    throw new RadarError("input", `${name}: must be at most ${maxBytes} bytes long, not ${size}`, {
      file: name,
      expected: `at most ${maxBytes} bytes long`,
      actual: `${size}`,
    });
  const cache = createBlockCache(cacheBytes);
  if (head.length > 0) cache.put(0, head);
  return accessOf(object, { name, blockBytes, parallel, signal, cache, requests });
}

/** Checks what a request is made of. Throws `input`. */
function settingsOf(url: string | WebUrl, options: OpenUrlOptions): Pick<HttpSettings, "url" | "name" | "fetch" | "headers" | "isPage"> {
  let parsed: URL;
  try {
    parsed = new URL(typeof url === "object" ? url.href : url);
  } catch (cause) {
    throw inputError("url", "a URL of http or https", url, cause);
  }
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:") throw inputError("url", "a URL of http or https", parsed.protocol);
  if (parsed.username !== "" || parsed.password !== "")
    throw inputError("url", "a URL without a user name and a password; give them in the option headers", parsed.host);
  const { name = `${parsed.origin}${parsed.pathname}`, fetch: request = globalThis.fetch, headers = {} } = options;
  if (typeof name !== "string") throw inputError("name", "a text", name);
  if (typeof request !== "function") throw inputError("fetch", "a function", request);
  if (typeof headers !== "object" || headers === null) throw inputError("headers", "an object of texts", headers);
  for (const [field, value] of Object.entries(headers)) {
    if (/^(range|if-range|accept-encoding)$/i.test(field)) throw inputError(`headers.${field}`, "left out: it is set here", value);
    try {
      if (typeof value !== "string") throw new TypeError("not a text");
      new Headers({ [field]: value });
    } catch (cause) {
      throw inputError(`headers.${field}`, "a header's name and its text", value, cause);
    }
  }
  // Browsers refuse to run their `fetch` as a method of another object.
  const isPage = (globalThis as { readonly location?: unknown }).location !== undefined;
  return { url: parsed.href, name, fetch: (...given) => request(...given), headers: { ...headers }, isPage };
}

interface BlockCache {
  get(index: number): Uint8Array | undefined;
  put(index: number, bytes: Uint8Array): void;
  clear(): void;
}

/** A cache of blocks by their index. The blocks that were used last stay, up to `most` bytes. */
function createBlockCache(most: number): BlockCache {
  const blocks = new Map<number, Uint8Array>();
  let bytes = 0;
  return {
    get(index) {
      const block = blocks.get(index);
      if (block) {
        blocks.delete(index);
        blocks.set(index, block);
      }
      return block;
    },
    put(index, block) {
      if (block.length > most) return;
      bytes += block.length - (blocks.get(index)?.length ?? 0);
      blocks.delete(index);
      blocks.set(index, block);
      for (const [oldest, { length }] of blocks) {
        if (bytes <= most) break;
        blocks.delete(oldest);
        bytes -= length;
      }
    },
    clear() {
      blocks.clear();
      bytes = 0;
    },
  };
}

interface Parts {
  readonly name: string;
  readonly blockBytes: number;
  readonly parallel: number;
  readonly signal: AbortSignal | undefined;
  readonly cache: BlockCache;
  readonly requests: ReturnType<typeof createRequests>;
}

function accessOf(object: HttpObject, { name, blockBytes, parallel, signal: opened, cache, requests }: Parts): RandomAccess {
  const { size } = object;
  const what = `reading ${name}`;
  const closed = new AbortController();
  const enter = createGate(parallel);

  /** Reads bytes `at` to `at + length` into `out`. */
  const request = async (at: number, out: Uint8Array, signal: AbortSignal): Promise<void> => {
    const leave = await enter(signal, what);
    try {
      await requests.read(object, at, out, signal);
    } finally {
      leave();
    }
  };
  const blockAt = async (index: number, signal: AbortSignal): Promise<Uint8Array> => {
    const known = cache.get(index);
    if (known) return known;
    const block = new Uint8Array(Math.min(blockBytes, size - index * blockBytes));
    await request(index * blockBytes, block, signal);
    cache.put(index, block);
    return block;
  };
  /** A small read: it takes one or two whole blocks, which stay in the cache. */
  const readSmall = async (at: number, out: Uint8Array, signal: AbortSignal): Promise<void> => {
    for (let done = 0; done < out.length; ) {
      const index = Math.floor((at + done) / blockBytes);
      const from = at + done - index * blockBytes;
      const part = (await blockAt(index, signal)).subarray(from, from + out.length - done);
      out.set(part, done);
      done += part.length;
    }
  };
  /** A large read: requests of up to `blockBytes` at the same time. After a failure it ends when all of them have ended. */
  const readLarge = async (at: number, out: Uint8Array, signal: AbortSignal): Promise<void> => {
    const failed = linkSignals(signal);
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < out.length) {
        const from = next;
        next = Math.min(from + blockBytes, out.length);
        await request(at + from, out.subarray(from, next), failed.signal);
      }
    };
    const workers = Array.from({ length: Math.min(parallel, Math.ceil(out.length / blockBytes)) }, () =>
      worker().catch((error: unknown) => {
        failed.abort(error);
        throw error;
      }),
    );
    const results = await Promise.allSettled(workers);
    failed.release();
    throwIfAborted(signal, what);
    const errors = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    // The others were aborted because of the first failure.
    if (errors.length > 0) throw failed.signal.reason;
  };
  return {
    name,
    size,
    async read(at, length, { signal = opened } = {}) {
      if (closed.signal.aborted) throw new RadarError("disposed", `${name} was closed`, { file: name });
      throwIfAborted(signal, what);
      const out = new Uint8Array(Math.max(0, Math.min(length, size - at)));
      const linked = linkSignals(signal, closed.signal);
      try {
        await (out.length <= blockBytes ? readSmall : readLarge)(at, out, linked.signal);
        throwIfAborted(linked.signal, what);
      } finally {
        linked.release();
      }
      return out;
    },
    async close() {
      closed.abort(new RadarError("disposed", `${name} was closed`, { file: name }));
      cache.clear();
    },
  };
}

/** Makes a gate that at most `most` callers are inside of. Entering resolves with the function that leaves it. */
function createGate(most: number): (signal: AbortSignal, what: string) => Promise<() => void> {
  let inside = 0;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next) next();
    else inside--;
  };
  return async (signal, what) => {
    throwIfAborted(signal, what);
    if (inside < most) inside++;
    else {
      let enter = (): void => {};
      const turn = new Promise<void>((resolve) => {
        enter = resolve;
        waiting.push(resolve);
      });
      try {
        await unlessAborted(turn, signal, what);
      } catch (error) {
        const place = waiting.indexOf(enter);
        // The turn has come at the moment of the abort: pass it on.
        if (place < 0) leave();
        else waiting.splice(place, 1);
        throw error;
      }
    }
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
}
