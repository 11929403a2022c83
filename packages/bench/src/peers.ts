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

/** A process that computes transforms with a native library and times itself. */
export interface NativePeer {
  /** Milliseconds of one batch. */
  time(n: number, lines: number, windowMilliseconds: number): Promise<number>;
  stop(): void;
}

/** A program of the folder `peers`. */
const peerFile = (name: string): string => fileURLToPath(new URL(`../peers/${name}`, import.meta.url));

/** Compiles and starts the FFTW process, or returns the reason why that fails. */
export function startFftw(): NativePeer | string {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-fftw-"));
  const program = join(folder, "fftw");
  try {
    execFileSync("gcc", ["-O2", "-o", program, peerFile("fftw.c"), "-lfftw3f", "-lm"], { stdio: "pipe" });
  } catch {
    rmSync(folder, { recursive: true });
    return "needs gcc and libfftw3-dev";
  }
  const { time, stop } = startPeer(program, []);
  return {
    time,
    stop() {
      stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts Intel's MKL on one thread, through PyTorch, or returns the reason why that fails. */
export function startMkl(): NativePeer | string {
  try {
    execFileSync("python3", ["-c", "import sys, torch; sys.exit(not torch.backends.mkl.is_available())"], { stdio: "pipe" });
  } catch {
    return "needs python3 and a PyTorch with MKL";
  }
  return startPeer("python3", [peerFile("mkl_torch.py")]);
}

function startPeer(program: string, options: readonly string[]): NativePeer {
  const child = spawn(program, options, { stdio: ["pipe", "pipe", "inherit"] });
  const waiting: { resolve(milliseconds: number): void; reject(error: Error): void }[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => waiting.shift()?.resolve(Number(line)));
  child.on("close", (status) => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`the peer ${program} ended with ${status}`));
  });
  child.stdin.on("error", () => {});
  return {
    time: (n, lines, window) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${n} ${lines} ${window}\n`);
      }),
    stop: () => void child.stdin.end(),
  };
}

/** A native library as a contender. It times itself, and its results stay in its process. */
const nativeContender =
  (name: string) =>
  (peer: NativePeer, { n, lines }: Batch): Contender => ({
    name,
    window: (milliseconds) => peer.time(n, lines, milliseconds),
    run: () => peer.time(n, lines, 0),
    error: () => Number.NaN,
  });

export const fftwContender = nativeContender("FFTW 3 single, MEASURE, in place");
export const mklContender = nativeContender("MKL through PyTorch, out of place");

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
