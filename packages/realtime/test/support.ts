/**
 * Helpers for tests of executors: transforms with their float64 reference, a kernel that spins or traps on request, a way to kill a
 * worker.
 */
import { Worker } from "node:worker_threads";
import { type Buffer, createRandom, type Device, isRadarError, type Kernel, layout, open, type Plan } from "@dechirp/core";
import { type CpuOptions, cpu } from "@dechirp/fft-cpu";
import asc from "assemblyscript/asc";
import { expect, vi } from "vitest";
import type { ExecutableTask, PlannedRun } from "../src/index.ts";

/** y[k] = Σ x[i]·exp(−j2πik/n) of each line of n complex numbers, in float64. */
export function definition(x: ArrayLike<number>, n: number, inverse = false): Float64Array {
  const sign = inverse ? 1 : -1;
  const turns = Float64Array.from({ length: 2 * n }, (_, i) =>
    i % 2 === 0 ? Math.cos((2 * Math.PI * (i >> 1)) / n) : sign * Math.sin((2 * Math.PI * (i >> 1)) / n),
  );
  const y = new Float64Array(x.length);
  for (let line = 0; line < x.length; line += 2 * n) {
    for (let k = 0; k < n; k++) {
      let [re, im] = [0, 0];
      for (let i = 0; i < n; i++) {
        const t = 2 * ((i * k) % n);
        re += x[line + 2 * i] * turns[t] - x[line + 2 * i + 1] * turns[t + 1];
        im += x[line + 2 * i] * turns[t + 1] + x[line + 2 * i + 1] * turns[t];
      }
      y[line + 2 * k] = inverse ? re / n : re;
      y[line + 2 * k + 1] = inverse ? im / n : im;
    }
  }
  return y;
}

/** ‖actual − expected‖ / ‖expected‖ */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  expect(actual.length).toBe(expected.length);
  let [difference, norm] = [0, 0];
  for (let i = 0; i < expected.length; i++) {
    difference += (actual[i] - expected[i]) ** 2;
    norm += expected[i] ** 2;
  }
  return Math.sqrt(difference / norm);
}

/** The expected rounding error of a float32 transform of n points. */
export const tolerance = (n: number): number => 2 ** -23 * Math.sqrt(Math.max(1, Math.log2(n)));

export function noise(count: number, seed: number): Float32Array {
  const random = createRandom(seed);
  return Float32Array.from({ length: count }, () => random.gaussian());
}

export const failing = (code: string) => expect.objectContaining({ code });

export interface Transform {
  readonly task: ExecutableTask;
  readonly input: Float32Array;
  readonly expected: Float64Array;
  readonly in: Buffer;
  readonly out: Buffer;
  readonly plan: Plan;
}

export interface TransformOptions {
  readonly lines?: number;
  readonly sizes?: readonly number[];
  readonly inPlace?: boolean;
  readonly inverse?: boolean;
}

/** A task that transforms lines of noise along the last axis. Its memory is freed with the device. */
export async function transform(device: Device, id: string, n: number, options: TransformOptions = {}): Promise<Transform> {
  const { lines = 1, sizes, inPlace = false, inverse = false } = options;
  const shape = layout("c64", [lines, n]);
  const input = noise(2 * lines * n, [...id].reduce((sum, c) => 31 * sum + c.charCodeAt(0), n) >>> 0);
  const source = device.alloc(shape, `${id} in`);
  source.write(input);
  const out = inPlace ? source : device.alloc(shape, `${id} out`);
  const plan = await device.plan({ op: "fft", layout: shape, axis: 1, inverse }, { inPlace });
  const run: PlannedRun = { plan, bindings: { in: source, out } };
  const task = { id, runs: [run], ...(sizes && { sizes }) };
  return { task, input, expected: definition(input, n, inverse), in: source, out, plan };
}

const source = `
  // y = 3x + 1 after \`spin\` empty rounds for each item. Traps if \`trap\` is set. If \`hold\` is set and x[0] is zero, it writes 1 to x[1] and
  // waits until x[0] is something else, for at most a minute.
  export function step(argument: usize, start: u32, end: u32): void {
    const x = load<u32>(argument), y = load<u32>(argument, 4), trap = load<u32>(argument, 8), spin = load<u32>(argument, 12);
    if (trap != 0) unreachable();
    if (load<u32>(argument, 16) != 0 && atomic.load<u32>(x) == 0) {
      atomic.store<u32>(x, 1, 4);
      for (let i: i64 = 0; i < 0x1000000000 && atomic.load<u32>(x) == 0; i++) {}
    }
    for (let i = start; i < end; i++) {
      let z: u32 = 0;
      for (let round: u32 = 0; round < spin; round++) z = z * 1664525 + 1013904223;
      store<u32>(y + 4 * usize(i), 3 * load<u32>(x + 4 * usize(i)) + 1 + u32(z == 1));
    }
  }
`;

async function assemble(more: readonly string[]): Promise<Uint8Array<ArrayBuffer>> {
  let bytes = new Uint8Array(0);
  const flags = ["-O1", "--runtime", "stub", "--importMemory", "--enable", "threads", ...more];
  const { error, stderr } = await asc.main(["in.ts", ...flags, "--outFile", "out.wasm"], {
    readFile: (name) => (name === "in.ts" ? source : null),
    writeFile: (name, contents) => {
      if (name === "out.wasm") bytes = contents as Uint8Array<ArrayBuffer>;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(String(stderr));
  return bytes;
}

const modules = Promise.all([assemble([]), assemble(["--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"])]);

/** Uniforms that control a step, read when it runs. */
export interface StepUniforms {
  trap: number;
  spin: number;
  hold: number;
  [name: string]: number;
}

export async function stepKernel(items: number): Promise<Kernel> {
  const [plain, shared] = await modules;
  const numbers = layout("u32", [items]);
  return {
    op: "kernel",
    name: "step",
    // Claims much work, so that workers run it, in many calls.
    flops: 1e8,
    uniforms: { trap: "u32", spin: "u32", hold: "u32" },
    ports: { in: { access: "read", layout: numbers }, out: { access: "write", layout: numbers } },
    items,
    wasm: { plain, shared, entry: "step", precision: "f32" },
    reference({ in: x, out }, { trap }, start, end) {
      if (trap !== 0) throw new Error("failed on request");
      for (let i = start; i < end; i++) out.set(i, 3 * x.re(i) + 1);
    },
  };
}

export interface Step {
  readonly task: ExecutableTask;
  readonly uniforms: StepUniforms;
  readonly in: Buffer<"u32">;
  readonly out: Buffer<"u32">;
}

/** A task of `runs` steps on arrays of its own. The steps read `in` first; the last one writes `out`. */
export async function steps(device: Device, id: string, { runs = 1, items = 64, sizes = [1] } = {}): Promise<Step> {
  const kernel = await stepKernel(items);
  const uniforms: StepUniforms = { trap: 0, spin: 0, hold: 0 };
  const numbers = layout("u32", [items]);
  const first = device.alloc(numbers, `${id} 0`);
  let from = first;
  const planned: PlannedRun[] = [];
  for (let i = 0; i < runs; i++) {
    const out = device.alloc(numbers, `${id} ${i + 1}`);
    planned.push({ plan: await device.plan(kernel), bindings: { in: from, out }, uniforms });
    from = out;
  }
  return { task: { id, sizes, runs: planned }, uniforms, in: first, out: from };
}

/** Makes the next job of a task with steps last until it is released, on a CPU device with workers. It changes the job's input. */
export function hold({ uniforms, in: input }: Step): { begun(): Promise<void>; release(): void } {
  const words = (): Uint32Array => input.view?.() ?? expect.unreachable("arrays of the CPU have views");
  words().set([0, 0]);
  uniforms.hold = 1;
  return {
    async begun() {
      await expect.poll(() => Atomics.load(words(), 1), { interval: 1 }).toBe(1);
    },
    release() {
      uniforms.hold = 0;
      Atomics.store(words(), 0, 1);
    },
  };
}

/** A CPU device whose workers can be killed. */
export async function mortal(options: CpuOptions): Promise<{ readonly device: Device; kill(unit: number): Promise<unknown> }> {
  const posted = vi.spyOn(Worker.prototype, "postMessage");
  const device = await open(cpu(options));
  const workers = [...new Set(posted.mock.contexts as Worker[])];
  posted.mockRestore();
  expect(workers).toHaveLength(device.units);
  return { device, kill: (unit) => workers[unit].terminate() };
}

/** The error that a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await promise;
  } catch (error) {
    if (isRadarError(error)) return error;
    throw error;
  }
  return expect.unreachable("nothing failed");
}
