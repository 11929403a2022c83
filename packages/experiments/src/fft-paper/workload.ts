/**
 * The experiment's data: lines of uniform noise, and the float64 transform of some of them. A block of lines is repeated in memory; the
 * number of its lines is a prime, so that a line that lands at a wrong place is detected.
 */
import { type Buffer, createRandom } from "@dechirp/core";
import { lineStages, runStages } from "@dechirp/core/tables";

/** Complex numbers of a block. */
const blockElements = 2 ** 19;
/** Number of lines that are compared with float64. */
const mostSampled = 4;
/** Numbers that are made between two yields. */
const pieceNumbers = 2 ** 16;

/** Lines of noise on a device, and the check of their transforms. */
export interface Workload {
  /** Writes the lines to an array c64 [batch][n], in pieces. */
  fillSteps(buffer: Buffer): Generator<void, void>;
  /** Overwrites the lines that `error` reads with NaN. */
  poison(output: Buffer): void;
  /** Relative L2 error of the transforms in sampled lines, the first and the last among them. NaN if one was not written. */
  error(output: Buffer): Promise<number>;
}

/** The largest prime of at most `most`. 1 if there is none. */
export function primeUpTo(most: number): number {
  for (let p = most; p > 1; p--) {
    let isPrime = true;
    for (let q = 2; q * q <= p && isPrime; q++) isPrime = p % q !== 0;
    if (isPrime) return p;
  }
  return 1;
}

/** Creates the lines of a job. Powers of two only. */
export function createWorkload(n: number, batch: number): Workload {
  const blockLines = primeUpTo(Math.min(batch, Math.max(1, Math.floor(blockElements / n))));
  const random = createRandom(n, batch);
  const block = new Float32Array(2 * n * blockLines);
  const sampled = [...new Set(Array.from({ length: mostSampled }, (_, i) => Math.floor((i * (batch - 1)) / (mostSampled - 1))))];
  const references = new Map<number, Float64Array>();
  const referenceOf = (line: number): Float64Array => {
    const source = line % blockLines;
    const known = references.get(source);
    if (known) return known;
    const from = Float64Array.from(block.subarray(2 * n * source, 2 * n * (source + 1)));
    const made = runStages(lineStages(n), from, new Float64Array(2 * n), 1);
    references.set(source, made);
    return made;
  };
  return {
    *fillSteps(buffer) {
      for (let i = 0; i < block.length; ) {
        for (const end = Math.min(i + pieceNumbers, block.length); i < end; i++) block[i] = random.uniform() - 0.5;
        yield;
      }
      for (let line = 0; line < batch; line += blockLines) {
        const lines = Math.min(blockLines, batch - line);
        buffer.write(block.subarray(0, 2 * n * lines), line * n);
        yield;
      }
    },
    poison(output) {
      const none = new Float32Array(2 * n).fill(Number.NaN);
      for (const line of sampled) output.write(none, line * n);
    },
    async error(output) {
      let [wrong, energy] = [0, 0];
      for (const line of sampled) {
        const got = (await output.read({ start: line * n, count: n })) as Float32Array;
        const expected = referenceOf(line);
        for (let i = 0; i < got.length; i++) {
          wrong += (got[i] - expected[i]) ** 2;
          energy += expected[i] ** 2;
        }
      }
      return Math.sqrt(wrong / energy);
    },
  };
}
