/**
 * Inflates one zlib stream (RFC 1950) with a limit on its output. The input is fed in small pieces. As soon as the first output bytes
 * are there, the caller states how long the output may become. A decompression bomb or a false length therefore can't allocate more
 * than that. fflate decodes; the limits and the Adler-32 check, which fflate lacks, are here. In Node, zlib does a sound stream as a whole.
 */
import type { Pause } from "@dechirp/core";
import { Unzlib } from "fflate";
import { type HostZlib, hostPieceBytes, hostZlib } from "./host-zlib.ts";

/**
 * Limit on the input for `n` bytes of output. Even a stream of one-byte stored blocks with two empty blocks after each byte stays below
 * it. Deflate allows any number of empty blocks, so without a limit gigabytes of them would be read to the end.
 */
const maxDeflatedBytes = (n: number): number => 32 * n + 2 ** 17;

/** Input bytes per step. Deflate expands at most 1032-fold, so one step yields at most about 8 MiB. */
const stepBytes = 8192;

/** The longest output of `n` bytes of deflate: 258 bytes for two bits (zlib's technical notes). */
export const maxInflatedBytes = (n: number): number => 1032 * n + 64;

/** What is wrong with a stream. */
export interface InflateProblem {
  readonly expected: string;
  readonly actual: unknown;
  readonly cause?: unknown;
}

/**
 * Inflates a whole stream on another thread. Resolves with undefined if anything is wrong: the stream, its checksum, bytes after its end, or more
 * output than `most` bytes.
 */
function inflateByHost(zlib: HostZlib, bytes: Uint8Array, most: number): Promise<Uint8Array | undefined> {
  return new Promise((resolve) => {
    zlib.inflate(bytes, { maxOutputLength: Math.max(1, most), chunkSize: hostPieceBytes, info: true }, (error, result) => {
      const isWhole = !error && result?.engine.bytesWritten === bytes.length && result.buffer.length <= most;
      resolve(isWhole ? new Uint8Array(result.buffer.buffer, result.buffer.byteOffset, result.buffer.length) : undefined);
    });
  });
}

/** A compressed stream of `length` bytes. `load` returns `n` bytes from byte `at`. */
export interface Compressed {
  readonly length: number;
  load(at: number, n: number): Promise<Uint8Array>;
}

/** Number of input bytes that are loaded at once. */
const loadBytes = 2 ** 20;

/**
 * Inflates `input`. Calls `limit` once with the first `head` bytes of the output; it returns the longest output to accept, or throws.
 * Resolves with the output, or with what is wrong with the stream. Loads no input beyond an error.
 */
export async function inflateBounded(
  input: Compressed,
  head: number,
  limit: (head: Uint8Array) => number,
  pause: Pause,
): Promise<{ readonly output: Uint8Array } | { readonly problem: InflateProblem }> {
  let stated: number | undefined;
  const limitOnce = (bytes: Uint8Array): number => {
    stated ??= limit(bytes);
    return stated;
  };
  const whole = await inflateWhole(input, head, limitOnce, pause);
  if (whole) return { output: whole };
  const first = new Uint8Array(head);
  let chunks: Uint8Array[] = [];
  let length = 0;
  let sum = 1;
  let most: number | undefined;
  let failure: unknown;
  let problem: InflateProblem | undefined;
  const append = (chunk: Uint8Array): void => {
    if (problem || failure !== undefined || chunk.length === 0) return;
    if (length < head) first.set(chunk.subarray(0, head - length), length);
    if (most === undefined && length + chunk.length >= head) {
      try {
        most = limitOnce(first);
      } catch (error) {
        failure = error;
        return;
      }
    }
    if (length + chunk.length > (most ?? head)) {
      problem = { expected: `at most ${most ?? head} inflated bytes`, actual: length + chunk.length };
      return;
    }
    sum = adler32(chunk, sum);
    chunks.push(chunk);
    length += chunk.length;
  };
  const stream = new Unzlib((chunk) => append(chunk));
  let last = new Uint8Array(0);
  for (let at = 0; at < input.length || at === 0; at += loadBytes) {
    const piece = await input.load(at, Math.min(loadBytes, input.length - at));
    // The checksum may be split between two pieces.
    last = Uint8Array.of(...last, ...piece.subarray(-4)).slice(-4);
    for (let from = 0; from < piece.length || from === 0; from += stepBytes) {
      try {
        stream.push(piece.subarray(from, from + stepBytes), at + from + stepBytes >= input.length);
      } catch (cause) {
        problem = { expected: "a zlib stream", actual: cause instanceof Error ? cause.message : cause, cause };
      }
      if (failure !== undefined) throw failure;
      const most = maxDeflatedBytes(length);
      if (at + from + stepBytes > most && at + from + stepBytes < input.length)
        problem ??= { expected: `at most ${most} compressed bytes for ${length} bytes`, actual: "more" };
      if (problem) return { problem };
      const waiting = pause();
      if (waiting) await waiting;
    }
  }
  if (most === undefined) return { problem: { expected: `at least ${head} inflated bytes`, actual: length } };
  const stored = ((last[0] << 24) | (last[1] << 16) | (last[2] << 8) | last[3]) >>> 0;
  if (sum !== stored) return { problem: { expected: `the Adler-32 checksum ${stored}`, actual: sum } };
  const output = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    output.set(chunk, at);
    at += chunk.length;
    const waiting = pause();
    if (waiting) await waiting;
  }
  chunks = [];
  return { output };
}

/** The longest stream that is given to the host as a whole. */
const mostWholeBytes = 2 ** 28;

/**
 * Inflates a sound stream quickly, where the host can. Resolves with undefined for any other, about which the caller says what is wrong. Streams that
 * are longer than what they may become are not loaded.
 */
async function inflateWhole(
  input: Compressed,
  head: number,
  limit: (head: Uint8Array) => number,
  pause: Pause,
): Promise<Uint8Array | undefined> {
  const zlib = hostZlib();
  if (!zlib || input.length < leastWholeBytes || input.length > mostWholeBytes) return undefined;
  const first = await inflateHead(input, head, pause);
  if (first.length < head) return undefined;
  const most = limit(first);
  if (input.length > most + most / 64 + 1024) return undefined;
  const bytes = await input.load(0, input.length);
  const waiting = pause();
  if (waiting) await waiting;
  const inflating = inflateByHost(zlib, bytes, most);
  let isDone = false;
  const done = inflating.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 10))]);
    // A signal does not wait for the other thread.
    const turn = pause();
    if (turn) await turn;
  }
  return inflating;
}

/** Below this many bytes nothing is gained. */
const leastWholeBytes = 2 ** 14;

/** Inflates the first `most` bytes, or all if there are fewer. Ignores errors in the stream and returns what was decoded before them. */
export async function inflateHead(input: Compressed, most: number, pause: Pause): Promise<Uint8Array> {
  const head = new Uint8Array(most);
  let length = 0;
  const stream = new Unzlib((chunk) => {
    head.set(chunk.subarray(0, Math.max(0, most - length)), Math.min(length, most));
    length += chunk.length;
  });
  for (let at = 0; at < input.length && length < most && at <= maxDeflatedBytes(length); at += stepBytes) {
    try {
      stream.push(await input.load(at, Math.min(stepBytes, input.length - at)), at + stepBytes >= input.length);
    } catch {
      break;
    }
    const waiting = pause();
    if (waiting) await waiting;
  }
  return head.subarray(0, Math.min(length, most));
}

/** Adler-32 checksum (RFC 1950, section 8.2) of `bytes`, continued from `before`, the checksum of the bytes before them. */
export function adler32(bytes: Uint8Array, before = 1): number {
  let a = before & 0xffff;
  let b = before >>> 16;
  // With runs of 5552 bytes neither sum can exceed 2^32.
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(at + 5552, bytes.length);
    for (; at < end; at++) {
      a += bytes[at];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}
