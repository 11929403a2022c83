/**
 * Single requests for ranges of a file on an HTTP server, with checks of every answer and with retries. `http-access.ts` divides reads
 * into such requests. Terms are those of RFC 9110: sections 8.8 (validators), 13.1.5 (If-Range) and 14 (ranges).
 *
 * Pages send no `If-Range`: a browser first asks a server of another origin whether it allows this header (a preflight), which many servers
 * that let pages read their files refuse, whereas a single range needs no such question (Fetch standard, CORS-safelisted request headers).
 * The validators of every answer are compared in any case. A server that does not expose `Content-Range` to pages is asked for the size of
 * the file by other requests (`hiddenSize`).
 */
import { messageOf, RadarError, throwIfAborted } from "@dechirp/core";
import { oneLine } from "@dechirp/core/internal";
import { delay, linkSignals, unlessAborted } from "./signals.ts";
import type { WebFetch } from "./web-types.ts";

/** What requests are made of, and how they are repeated. */
export interface HttpSettings {
  readonly url: string;
  /** Name for messages. */
  readonly name: string;
  readonly fetch: WebFetch;
  readonly headers: Readonly<Record<string, string>>;
  readonly retries: number;
  readonly retryMilliseconds: number;
  readonly mostRetryMilliseconds: number;
  readonly stallMilliseconds: number;
  /** Whether requests are those of a page. */
  readonly isPage: boolean;
}

/** One version of a file: its size and its validators. */
export interface HttpObject {
  readonly size: number;
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** Whether the server hides Content-Range from this page. */
  readonly hidesRange?: boolean;
}

/** A request besides that for a range of bytes. */
type Asked = readonly [from: number, to: number] | "HEAD" | "GET";

/** What the reader of a body needs to know about its request. */
interface Watch {
  /** Must be called when bytes arrive. */
  alive(): void;
  /** Fires when the request is given up. */
  readonly signal: AbortSignal;
}

/** A failure that may pass. */
class Transient extends Error {
  /** Milliseconds that the server asks to wait. */
  readonly wait: number | undefined;
  readonly status: number | undefined;

  constructor(message: string, options: { readonly wait?: number | undefined; readonly status?: number; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.wait = options.wait;
    this.status = options.status;
  }
}

/** Whether a request with this answer may succeed later. */
const mayPass = (status: number): boolean => status === 408 || status === 429 || (status >= 500 && status < 600);

/** Makes the requests of one file. */
export function createRequests(settings: HttpSettings) {
  const { url, name, headers, stallMilliseconds } = settings;
  const what = `reading ${name}`;

  /** Makes an `input` error. `problem` follows the file's name. */
  const fault = (problem: string, fields: Readonly<Record<string, unknown>> = {}, cause?: unknown): RadarError =>
    new RadarError("input", oneLine(`${name}: ${problem}`), { file: name, ...fields }, cause);
  const changed = (how: string, fields: Readonly<Record<string, unknown>>): RadarError =>
    fault(`the file on the server has changed since it was opened: ${how}`, { reason: "changed", ...fields });

  /** Calls `fetch` for bytes `from` to `to − 1`, or for all of them, and passes the answer to `use`. Stops waiting if nothing arrives for too long. */
  async function ask<T>(
    asked: Asked,
    ifRange: string | undefined,
    signal: AbortSignal | undefined,
    use: (answer: Response, watch: Watch) => Promise<T>,
  ): Promise<T> {
    const linked = linkSignals(signal);
    const stalled = new Transient(`nothing arrived for ${stallMilliseconds} ms`);
    let timer: ReturnType<typeof setTimeout> | undefined;
    const alive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => linked.abort(stalled), stallMilliseconds);
    };
    let answer: Response | undefined;
    const work = async (): Promise<T> => {
      try {
        answer = (await settings.fetch(url, {
          ...(asked === "HEAD" && { method: asked }),
          headers: {
            ...headers,
            ...(typeof asked !== "string" && { Range: `bytes=${asked[0]}-${asked[1] - 1}` }),
            // Ranges of compressed data would be ranges of other bytes.
            "Accept-Encoding": "identity",
            ...(ifRange === undefined ? {} : { "If-Range": ifRange }),
          },
          redirect: "follow",
          cache: "no-store",
          signal: linked.signal,
        })) as Response;
      } catch (cause) {
        // `fetch` hides the system's error in the cause of its own.
        throw new Transient(reasonOf(cause), { cause });
      }
      alive();
      return use(answer, { alive, signal: linked.signal });
    };
    alive();
    try {
      return await unlessAborted(work(), linked.signal, what);
    } catch (error) {
      throwIfAborted(signal, what);
      throw linked.signal.aborted ? stalled : error;
    } finally {
      clearTimeout(timer);
      linked.release();
      // Closes the connection of an answer that was not read to its end.
      linked.abort();
      if (answer?.body && !answer.body.locked) answer.body.cancel().catch(() => {});
    }
  }

  /** Calls `work` until it succeeds, fails for good, or has failed too often. */
  async function retried<T>(range: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    const { retries, retryMilliseconds, mostRetryMilliseconds } = settings;
    for (let failures = 0; ; ) {
      throwIfAborted(signal, what);
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Transient)) throw error;
        failures++;
        if (failures > retries) {
          const often = failures === 1 ? "" : ` (tried ${failures} times)`;
          const { status } = error;
          throw fault(`can't read ${range}: ${error.message}${often}`, { reason: error.message, ...(status ? { status } : {}) }, error);
        }
        // The jitter keeps many clients from asking at the same moment.
        const backOff = retryMilliseconds * 2 ** (failures - 1) * (0.5 + Math.random());
        await delay(Math.min(mostRetryMilliseconds, Math.max(backOff, error.wait ?? 0)), signal, what);
      }
    }
  }

  /** Throws for every answer that is not 206. `changedBy`: the statuses that mean that the file has changed. */
  function checkStatus({ status, statusText, headers: told }: Response, changedBy: readonly number[]): void {
    if (status === 206) return;
    const text = `${status}${statusText === "" ? "" : ` ${statusText}`}`;
    if (mayPass(status)) throw new Transient(`the server answered ${text}`, { status, wait: retryAfter(told) });
    if (status === 200 && changedBy.includes(status)) throw changed("it has another version", { status });
    if (status === 416 && changedBy.includes(status)) throw changed("it is shorter", { status });
    if (status === 200)
      throw fault("the server does not support ranges: it answered a request for a part with the whole file (status 200)", {
        status,
        expected: "206",
        actual: "200",
      });
    throw fault(`can't read it: the server answered ${text}`, { status, reason: text });
  }

  /** Checks that an answer holds bytes `from` to `to − 1`, or up to the end of a shorter file. Returns the size of the whole file. */
  function checkRange({ headers: told }: Response, from: number, to: number): number {
    const found = told.get("content-range");
    const match = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16})$/i.exec(found?.trim() ?? "");
    const size = Number(match?.[3]);
    const expected = `bytes ${from}-${to - 1}`;
    if (!match || Number(match[1]) !== from || Number(match[2]) !== Math.min(to, size) - 1 || !Number.isSafeInteger(size)) {
      const hidden = found === null ? "; a server of another origin must expose the header to pages" : "";
      throw fault(`the server's Content-Range must be ${expected} and the size of the file, not ${found ?? "absent"}${hidden}`, {
        field: "Content-Range",
        expected,
        actual: found,
      });
    }
    const encoding = told.get("content-encoding");
    if (encoding !== null && encoding !== "identity")
      throw fault(`the server must send bytes as they are, not with Content-Encoding ${encoding}`, {
        field: "Content-Encoding",
        expected: "identity",
        actual: encoding,
      });
    return size;
  }

  /**
   * The size of a file whose Content-Range is hidden from this page: what the server says of the whole file, which is checked by a request for
   * its last byte and one more. Throws `input` if the server does not say it, or says something else than it sends.
   */
  async function hiddenSize(signal: AbortSignal | undefined): Promise<number> {
    const stated = (asked: "HEAD" | "GET"): Promise<number | undefined> =>
      retried("its size", signal, () =>
        ask(asked, undefined, signal, async ({ status, headers: told }) => {
          if (mayPass(status) && asked === "GET") throw new Transient(`the server answered ${status}`, { status, wait: retryAfter(told) });
          const length = told.get("content-length")?.trim() ?? "";
          return status === 200 && /^\d{1,15}$/.test(length) ? Number(length) : undefined;
        }),
      );
    const size = (await stated("HEAD")) ?? (await stated("GET"));
    if (size === undefined)
      throw fault("the server hides how long the file is: it must expose Content-Range to pages (Access-Control-Expose-Headers)", {
        field: "Content-Range",
        expected: "exposed",
        actual: "hidden",
      });
    if (size === 0) return size;
    const isRight = await retried("its last byte", signal, () =>
      ask([size - 1, size + 1], undefined, signal, async (answer, watch) => {
        if (mayPass(answer.status)) throw new Transient(`the server answered ${answer.status}`, { status: answer.status });
        return answer.status === 206 && (await countBody(answer, 2, watch)) === 1;
      }),
    );
    if (!isRight)
      throw fault(`the server says that the file has ${size} bytes, but its last byte is not there`, {
        field: "Content-Length",
        expected: "the size of the file",
        actual: `${size}`,
      });
    return size;
  }

  /** Counts the bytes of a body, but no more than `most` and those of one piece. */
  async function countBody(answer: Response, most: number, { alive, signal }: Watch): Promise<number> {
    const reader = answer.body?.getReader();
    let bytes = 0;
    try {
      while (reader && bytes < most) {
        const piece = await reader.read();
        throwIfAborted(signal, what);
        if (piece.done) break;
        alive();
        bytes += piece.value.length;
      }
    } catch (error) {
      if (error instanceof RadarError) throw error;
      throw new Transient(`the connection broke: ${reasonOf(error)}`, { cause: error });
    } finally {
      reader?.cancel().catch(() => {});
    }
    return bytes;
  }

  /** Reads the body into `out`, from `done.bytes`, which it advances. Throws `Transient` if the body ends early. */
  async function readBody(answer: Response, out: Uint8Array, done: { bytes: number }, { alive, signal }: Watch): Promise<void> {
    const reader = answer.body?.getReader();
    try {
      while (reader) {
        const piece = await reader.read();
        // A request that was given up must not write into `out`, which the next one fills.
        throwIfAborted(signal, what);
        if (piece.done) break;
        alive();
        const { value } = piece;
        if (done.bytes + value.length > out.length)
          throw fault(`the server sent more bytes than its Content-Range states`, { expected: `${out.length} bytes`, actual: "more" });
        out.set(value, done.bytes);
        done.bytes += value.length;
      }
    } catch (error) {
      if (error instanceof RadarError) throw error;
      throw new Transient(`the connection broke: ${reasonOf(error)}`, { cause: error });
    } finally {
      reader?.cancel().catch(() => {});
    }
    if (done.bytes < out.length) throw new Transient(`the body ended after ${done.bytes} of ${out.length} bytes`);
  }

  /** What the first answer says of the file, and its first bytes; without bytes if the answer does not say which they are. */
  const begin = (most: number, signal: AbortSignal | undefined): Promise<{ readonly object: HttpObject; readonly head?: Uint8Array }> =>
    retried("its first bytes", signal, () =>
      ask([0, most], undefined, signal, async (answer, watch) => {
        const validators = { etag: answer.headers.get("etag"), lastModified: answer.headers.get("last-modified") };
        // No byte of an empty file can be asked for.
        if (answer.status === 416 && /^bytes \*\/0$/i.test(answer.headers.get("content-range")?.trim() ?? ""))
          return { object: { size: 0, ...validators }, head: new Uint8Array(0) };
        checkStatus(answer, []);
        if (settings.isPage && answer.headers.get("content-range") === null)
          return { object: { size: Number.NaN, ...validators, hidesRange: true } };
        const size = checkRange(answer, 0, most);
        const head = new Uint8Array(Math.min(most, size));
        await readBody(answer, head, { bytes: 0 }, watch);
        return { object: { size, ...validators }, head };
      }),
    );

  /** Fills `out` with the bytes from byte `at`. After a broken connection it asks only for the bytes that are missing. */
  function read(object: HttpObject, at: number, out: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
    const done = { bytes: 0 };
    const to = at + out.length;
    // A weak ETag must not be used for ranges.
    const strong = object.etag !== null && !object.etag.startsWith("W/") ? object.etag : undefined;
    const ifRange = settings.isPage ? undefined : (strong ?? object.lastModified ?? undefined);
    return retried(`bytes ${at} to ${to - 1}`, signal, () =>
      ask([at + done.bytes, to], ifRange, signal, async (answer, watch) => {
        checkStatus(answer, ifRange === undefined ? [416] : [200, 416]);
        for (const [header, was] of [
          ["ETag", object.etag],
          ["Last-Modified", object.lastModified],
        ] as const) {
          const is = answer.headers.get(header);
          // A server may leave out Last-Modified in an answer to If-Range.
          if (is !== was && was !== null && is !== null) throw changed(`its ${header} was ${was} and is ${is}`, { was, is });
        }
        const length = answer.headers.get("content-length");
        if (object.hidesRange) {
          if (length !== null && Number(length) !== to - at - done.bytes)
            throw changed(`it had ${object.size} bytes and has another size`, { was: object.size });
        } else {
          const size = checkRange(answer, at + done.bytes, to);
          if (size !== object.size) throw changed(`it had ${object.size} bytes and has ${size}`, { was: object.size, is: size });
        }
        await readBody(answer, out, done, watch);
      }),
    );
  }

  return {
    /** Reads up to `most` first bytes of the file, its size and its validators. */
    async first(most: number, signal: AbortSignal | undefined): Promise<{ readonly object: HttpObject; readonly head: Uint8Array }> {
      const { object, head } = await begin(most, signal);
      if (head) return { object, head };
      const known = { ...object, size: await hiddenSize(signal) };
      const bytes = new Uint8Array(Math.min(most, known.size));
      if (bytes.length > 0) await read(known, 0, bytes, signal);
      return { object: known, head: bytes };
    },
    read,
  };
}

/** Milliseconds that the header Retry-After asks for: a number of seconds or a date. */
function retryAfter(told: Headers): number | undefined {
  const text = told.get("retry-after")?.trim();
  if (!text) return undefined;
  const milliseconds = /^\d+$/.test(text) ? 1000 * Number(text) : Date.parse(text) - Date.now();
  return milliseconds > 0 ? milliseconds : undefined;
}

/** Why `fetch` failed. */
function reasonOf(error: unknown): string {
  const { cause } = (error ?? {}) as { readonly cause?: unknown };
  return cause === undefined ? messageOf(error) : `${messageOf(error)}: ${messageOf(cause)}`;
}
