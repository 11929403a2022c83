/**
 * Bounded inflation of one zlib stream (RFC 1950): the input is fed in small pieces and the caller says, as soon as the
 * first bytes are out, how long the output will be, so that neither a bomb nor a false length allocates more than that.
 * The decoder is fflate's; the bounds and the Adler-32 check, which fflate leaves out, are here.
 */
import { Unzlib } from "fflate";

/** Input of one step. Deflate expands at most 1032-fold, so one step yields at most about 8 MiB. */
const stepBytes = 8192;

/** The most bytes that `n` bytes of deflate can stand for: 258 bytes for two bits (zlib's technical notes). */
export const maxInflatedBytes = (n: number): number => 1032 * n + 64;

export interface InflateProblem {
  readonly expected: string;
  readonly actual: unknown;
  readonly cause?: unknown;
}

/**
 * Inflates `input`. `limit` is called once, with the first `head` bytes of the output, and answers the longest output
 * to accept (or throws). Answers the output, or what is wrong with the stream.
 */
export function inflateBounded(
  input: Uint8Array,
  head: number,
  limit: (head: Uint8Array) => number,
): { readonly output: Uint8Array } | { readonly problem: InflateProblem } {
  let output = new Uint8Array(Math.max(head, Math.min(4 * input.length, 1 << 16)));
  let length = 0;
  let most: number | undefined;
  let failure: unknown;
  let problem: InflateProblem | undefined;
  const append = (chunk: Uint8Array): void => {
    if (problem || failure !== undefined) return;
    if (most === undefined && length + chunk.length >= head) {
      const start = new Uint8Array(head);
      start.set(output.subarray(0, Math.min(length, head)));
      start.set(chunk.subarray(0, head - Math.min(length, head)), Math.min(length, head));
      try {
        most = limit(start);
      } catch (error) {
        failure = error;
        return;
      }
    }
    if (length + chunk.length > (most ?? head)) {
      problem = { expected: `at most ${most ?? head} inflated bytes`, actual: length + chunk.length };
      return;
    }
    if (length + chunk.length > output.length) {
      const grown = new Uint8Array(Math.min(most ?? head, Math.max(2 * output.length, length + chunk.length)));
      grown.set(output.subarray(0, length));
      output = grown;
    }
    output.set(chunk, length);
    length += chunk.length;
  };
  const stream = new Unzlib((chunk) => append(chunk));
  try {
    for (let at = 0; at < input.length || at === 0; at += stepBytes) {
      stream.push(input.subarray(at, at + stepBytes), at + stepBytes >= input.length);
      if (failure !== undefined || problem) break;
    }
  } catch (cause) {
    problem = { expected: "a zlib stream", actual: cause instanceof Error ? cause.message : cause, cause };
  }
  if (failure !== undefined) throw failure;
  if (problem) return { problem };
  if (most === undefined) return { problem: { expected: `at least ${head} inflated bytes`, actual: length } };
  const inflated = output.subarray(0, length);
  const at = input.length - 4;
  const stored = ((input[at] << 24) | (input[at + 1] << 16) | (input[at + 2] << 8) | input[at + 3]) >>> 0;
  const sum = adler32(inflated);
  if (sum !== stored) return { problem: { expected: `the Adler-32 checksum ${stored}`, actual: sum } };
  return { output: inflated };
}

/** Adler-32 (RFC 1950, section 8.2). */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  // 5552 is the longest run after which neither sum can exceed 2^32.
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
