/** Transforms of other libraries as contenders: how each is loaded and called, and why it may be missing. */
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import FFT from "fft.js";
import type { Contender } from "./runner.ts";

/** A batch of lines of n complex numbers, interleaved, and the function that computes a result's error against float64. */
export interface Batch {
  readonly n: number;
  readonly lines: number;
  readonly data: Float32Array;
  error(result: ArrayLike<number>): number;
}

/** fft.js as a contender, or the reason why it can not be one. */
export function fftJs({ n, lines, data, error }: Batch): Contender | string {
  if (!Number.isInteger(Math.log2(n))) return "powers of two only";
  const fft = new FFT(n);
  const y = new Float32Array(data.length);
  const line = (array: Float32Array, l: number): Float32Array => array.subarray(2 * n * l, 2 * n * (l + 1));
  const from = Array.from({ length: lines }, (_, l) => line(data, l));
  const to = Array.from({ length: lines }, (_, l) => line(y, l));
  return {
    name: "fft.js 4, Float32Array, out of place",
    run() {
      for (let l = 0; l < lines; l++) fft.transform(to[l], from[l]);
    },
    error: () => error(y),
  };
}

interface Pffft {
  readonly HEAPF32: Float32Array;
  _pffft_new_setup(n: number, kind: number): number;
  _pffft_destroy_setup(setup: number): void;
  _pffft_aligned_malloc(bytes: number): number;
  _pffft_aligned_free(address: number): void;
  _pffft_transform_ordered(setup: number, from: number, to: number, work: number, direction: number): void;
}

/** pffft in WASM as a contender, or the reason why it can not be one. */
export async function pffft({ n, lines, data, error }: Batch): Promise<Contender | string> {
  const { default: load } = (await import("@echogarden/pffft-wasm/simd" as string)) as { default: () => Promise<Pffft> };
  const m = await load();
  const setup = n % 16 === 0 ? m._pffft_new_setup(n, 1) : 0;
  if (!setup) return "lengths 16k·2^a·3^b·5^c only";
  const x = m._pffft_aligned_malloc(8 * n * lines);
  const work = m._pffft_aligned_malloc(8 * n);
  if (!x || !work) return "not enough memory";
  return {
    name: "pffft-wasm 0.4 simd, ordered, in place",
    reset: () => m.HEAPF32.set(data, x / 4),
    run() {
      for (let l = 0; l < lines; l++) m._pffft_transform_ordered(setup, x + 8 * n * l, x + 8 * n * l, work, 0);
    },
    error: () => error(m.HEAPF32.subarray(x / 4, x / 4 + 2 * n * lines)),
    dispose() {
      m._pffft_aligned_free(x);
      m._pffft_aligned_free(work);
      m._pffft_destroy_setup(setup);
    },
  };
}

/** The FFTW process. */
export interface Fftw {
  /** Milliseconds of one batch. */
  time(n: number, lines: number, windowMilliseconds: number): Promise<number>;
  stop(): void;
}

/** Compiles and starts the FFTW process, or returns the reason why that fails. */
export function startFftw(): Fftw | string {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-fftw-"));
  const program = join(folder, "fftw");
  try {
    execFileSync("gcc", ["-O2", "-o", program, fileURLToPath(new URL("../peers/fftw.c", import.meta.url)), "-lfftw3f", "-lm"], {
      stdio: "pipe",
    });
  } catch {
    rmSync(folder, { recursive: true });
    return "needs gcc and libfftw3-dev";
  }
  const child = spawn(program, [], { stdio: ["pipe", "pipe", "inherit"] });
  const waiting: ((milliseconds: number) => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(Number(line)));
  return {
    time: (n, lines, window) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.stdin.write(`${n} ${lines} ${window}\n`);
      }),
    stop() {
      child.stdin.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** FFTW as a contender. It times itself, and its results stay in its process. */
export const fftwContender = (fftw: Fftw, { n, lines }: Batch): Contender => ({
  name: "FFTW 3 single, MEASURE, in place",
  window: (milliseconds) => fftw.time(n, lines, milliseconds),
  run: () => fftw.time(n, lines, 0),
  error: () => Number.NaN,
});

/**
 * A numpy process as a contender, or the reason why there is none. It runs `script` on a scene's `folder`, prints its name and its own
 * milliseconds, and writes `result` there as float32 numbers, whose error `error` computes.
 */
export function numpyScene(
  script: string,
  folder: string,
  args: readonly string[],
  result: string,
  error: (numbers: Float32Array) => number,
): Contender | string {
  const call = (): { peer: string; milliseconds: number } =>
    JSON.parse(execFileSync("python3", [script, folder, ...args], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }));
  try {
    const { peer: name } = call();
    return {
      name,
      run: () => call().milliseconds,
      error: () => {
        const { buffer, byteOffset, byteLength } = readFileSync(join(folder, result));
        return error(new Float32Array(buffer.slice(byteOffset, byteOffset + byteLength)));
      },
    };
  } catch (cause) {
    return `python3 with numpy is not available: ${String((cause as Error).message).split("\n")[0]}`;
  }
}

/** A numpy process that answers questions as JSON, one a line. */
export interface Numpy {
  readonly name: string;
  ask(question: unknown): Promise<{ readonly milliseconds: number; readonly error: number }>;
  stop(): void;
}

/** Starts a script of `peers/`, which first prints its name, or returns the reason why that fails. */
export async function startNumpy(script: string): Promise<Numpy | string> {
  const child = spawn("python3", [fileURLToPath(new URL(`../peers/${script}`, import.meta.url))], { stdio: ["pipe", "pipe", "ignore"] });
  const waiting: ((line: string | undefined) => void)[] = [];
  const next = (): Promise<string | undefined> => new Promise((resolve) => void waiting.push(resolve));
  const end = (): void => {
    for (const resolve of waiting.splice(0)) resolve(undefined);
  };
  child.on("error", end);
  child.on("exit", end);
  child.stdin.on("error", () => {});
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.(line));
  const name = await next();
  if (name === undefined) return "python3 with numpy is not available";
  return {
    name,
    async ask(question) {
      const answer = next();
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return JSON.parse((await answer) ?? '{ "milliseconds": null, "error": null }');
    },
    stop: () => child.stdin.end(),
  };
}
