/**
 * Helpers for tests of the WASM kernels: memory with guard words around every piece, float64 references that use none of the code under
 * test, error measures.
 */
import { lineTransform } from "../src/lines.ts";
import { createKernels, type Kernels, type LinesOp, type LinesPlan, loadKernels, planLines } from "../src/wasm/kernels.ts";

export const epsilon = 2 ** -23;

/** The tolerance of float32 transforms, which grows with √log n as FFTW's errors do. A convolution takes three transforms. */
export const bar = (n: number, convolved = false): number => (convolved ? 0.8 : 0.4) * epsilon * Math.sqrt(Math.max(1, Math.log2(n)));

export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  };
}

export function noise(count: number, seed: number): Float32Array {
  const next = random(seed);
  return Float32Array.from({ length: count }, next);
}

const guard = 0x5afe5afe;
const guardBytes = 64;

export interface Bench {
  readonly memory: WebAssembly.Memory;
  readonly kernels: Kernels;
  plan(op: LinesOp): LinesPlan;
  /** A zeroed piece of memory, filled from `data` if given. */
  place(bytes: number, data?: Float32Array): number;
  floats(address: number, count: number): Float32Array;
  /** The number of pieces whose guard words were overwritten. */
  broken(): number;
  /** Forgets all pieces. New ones begin at `start`. */
  reset(start?: number): void;
}

export interface BenchOptions {
  readonly shared?: boolean;
  readonly relaxed?: boolean;
  readonly pages?: number;
}

export async function bench({ shared = false, relaxed = false, pages = 1024 }: BenchOptions = {}): Promise<Bench> {
  const module = await loadKernels({ shared, relaxed });
  if (!module) throw new Error("this host has no SIMD");
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared });
  const pieces: { readonly address: number; readonly end: number }[] = [];
  let top = 4096;
  const words = new Uint32Array(memory.buffer);
  const place = (bytes: number, data?: Float32Array): number => {
    const address = Math.ceil((top + guardBytes) / 64) * 64;
    const end = Math.ceil((address + bytes) / 4) * 4;
    top = end + guardBytes;
    if (top > memory.buffer.byteLength) throw new Error(`the test's memory is too small for ${bytes} bytes`);
    words.fill(0, address / 4, end / 4);
    words.fill(guard, address / 4 - guardBytes / 4, address / 4);
    words.fill(guard, end / 4, top / 4);
    pieces.push({ address, end });
    if (data) new Float32Array(memory.buffer, address, data.length).set(data);
    return address;
  };
  return {
    memory,
    kernels: createKernels(module, memory),
    plan(op) {
      const plan = planLines(op, memory, { allocate: (bytes) => place(bytes), free: () => {} });
      for (const _ of plan.tables());
      return plan;
    },
    place,
    floats: (address, count) => new Float32Array(memory.buffer, address, count),
    broken: () =>
      pieces.filter(({ address, end }) => {
        for (let i = 0; i < guardBytes / 4; i++) if (words[address / 4 - 1 - i] !== guard || words[end / 4 + i] !== guard) return true;
        return false;
      }).length,
    reset(start = 4096) {
      pieces.length = 0;
      top = start;
    },
  };
}

/** Runs work in pieces to its end and returns the result. */
export function whole<T>(work: Generator<unknown, T>): T {
  for (;;) {
    const piece = work.next();
    if (piece.done) return piece.value;
  }
}

/** The DFT of each of `lines` lines of n complex numbers, in float64. */
export function reference(x: ArrayLike<number>, n: number, inverse = false): Float64Array {
  const lines = x.length / (2 * n);
  const y = new Float64Array(x.length);
  const transform = whole(lineTransform(n, Float64Array));
  for (let line = 0; line < lines; line++) {
    const input = Float64Array.from({ length: 2 * n }, (_, i) => x[2 * n * line + i] as number);
    const output = new Float64Array(2 * n);
    transform.run(output, input, inverse);
    y.set(output, 2 * n * line);
  }
  return y;
}

/** The DFT by definition, in float64. */
export function definition(x: ArrayLike<number>, n: number): Float64Array {
  const y = new Float64Array(2 * n);
  for (let k = 0; k < n; k++) {
    for (let i = 0; i < n; i++) {
      const angle = (-2 * Math.PI * ((i * k) % n)) / n;
      y[2 * k] += (x[2 * i] as number) * Math.cos(angle) - (x[2 * i + 1] as number) * Math.sin(angle);
      y[2 * k + 1] += (x[2 * i] as number) * Math.sin(angle) + (x[2 * i + 1] as number) * Math.cos(angle);
    }
  }
  return y;
}

/** a·h of complex numbers, with h repeated. */
export function times(a: ArrayLike<number>, h: ArrayLike<number>): Float64Array {
  const y = new Float64Array(a.length);
  for (let i = 0; i < a.length; i += 2) {
    const j = i % h.length;
    y[i] = (a[i] as number) * (h[j] as number) - (a[i + 1] as number) * (h[j + 1] as number);
    y[i + 1] = (a[i] as number) * (h[j + 1] as number) + (a[i + 1] as number) * (h[j] as number);
  }
  return y;
}

/** ‖actual − expected‖ / ‖expected‖ */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) throw new Error(`${actual.length} numbers instead of ${expected.length}`);
  let difference = 0;
  let norm = 0;
  for (let i = 0; i < expected.length; i++) {
    difference += ((actual[i] as number) - (expected[i] as number)) ** 2;
    norm += (expected[i] as number) ** 2;
  }
  return Math.sqrt(difference / norm);
}

/** Each line of n complex numbers cropped or padded to m. */
export function resized(x: ArrayLike<number>, n: number, m: number): Float64Array {
  const lines = x.length / (2 * n);
  const y = new Float64Array(2 * m * lines);
  for (let line = 0; line < lines; line++) {
    for (let i = 0; i < 2 * Math.min(n, m); i++) y[2 * m * line + i] = x[2 * n * line + i] as number;
  }
  return y;
}
