/**
 * Cycles of planning, running and disposing, and of opening and closing, on every kind of device: later cycles must need no more than
 * the first ones. The test compares what can be counted exactly: a device's own account, its WASM heap, threads, a GPU's buffers, and
 * arrays of the host. The size of the process also depends on engines and drivers. With DECHIRP_FAULTS=full it is printed, beside that
 * of the same number of bare WebGPU devices.
 */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { create } from "webgpu";
import { full, tellWhenFull } from "../full.ts";
import { tapHost, workers } from "./cpu-tap.ts";
import { watch } from "./gpu-tap.ts";
import { inDoubles, programs, shortPrograms, type WholeProgram } from "./programs.ts";

interface HeapLike {
  readonly used: number;
  readonly memory: WebAssembly.Memory;
}
const heaps: HeapLike[] = [];

vi.mock("../../../fft-cpu/src/heap.ts", async (original) => {
  const module = await original<{ createHeap(options: object): HeapLike }>();
  return {
    ...module,
    createHeap(options: object) {
      const heap = module.createHeap(options);
      heaps.push(heap);
      return heap;
    },
  };
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const started = create([]);

let untap: () => void;
beforeAll(() => {
  untap = tapHost();
});
afterAll(() => untap());

const rawDevice = async (): Promise<GPUDevice> => ((await started.requestAdapter()) as GPUAdapter).requestDevice();

interface Opened {
  readonly device: Device;
  /** What can be counted exactly. */
  counts(): object;
  close(): void;
}

const onCpu = (options: object) => async (): Promise<Opened> => {
  const device = await open(cpu(options));
  const heap = heaps.at(-1) as HeapLike;
  return {
    device,
    counts: () => ({ heap: heap.used, memory: heap.memory.buffer.byteLength, workers: workers.size }),
    close: () => device[Symbol.dispose](),
  };
};

async function onGpu(): Promise<Opened> {
  const raw = await rawDevice();
  const { buffers, uncaught } = watch(raw);
  const device = await open(gpu({ device: raw, planning: { longestPass: 512 } }));
  return {
    device,
    counts: () => ({ buffers: buffers.size, uncaught: uncaught.length }),
    close() {
      device[Symbol.dispose]();
      raw.destroy();
      expect(buffers.size).toBe(0);
    },
  };
}

const kinds: Readonly<Record<string, { open(): Promise<Opened>; readonly programs: readonly WholeProgram[]; readonly rounds: number }>> = {
  // A round is one cycle of each program, of up to four plans. With DECHIRP_FAULTS=full a thousand cycles are counted.
  "the CPU, with workers": { open: onCpu({ workers: 2 }), programs: [...programs, inDoubles], rounds: full ? 180 : 25 },
  "the CPU, on one thread": { open: onCpu({ workers: 1 }), programs: [...programs, inDoubles], rounds: full ? 180 : 25 },
  "the CPU, in JavaScript": { open: onCpu({ kernels: "js" }), programs: [...shortPrograms, inDoubles], rounds: full ? 630 : 25 },
  "a GPU": { open: onGpu, programs, rounds: full ? 210 : 10 },
};

const mebibytes = (bytes: number): string => (bytes / 2 ** 20).toFixed(1);

/** Arrays of the host and size of the process while no work is in progress. */
async function weigh(): Promise<{ readonly arrays: number; readonly process: number }> {
  for (let i = 0; i < 3; i++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    collect();
  }
  const { arrayBuffers, rss } = process.memoryUsage();
  return { arrays: arrayBuffers, process: rss };
}

/** Bytes of the smallest array of a cycle. If each cycle kept one, half of them would exceed the limit. */
const leastArrayBytes = 1024;

describe.each(Object.entries(kinds))("%s", (name, kind) => {
  test("needs no more after many cycles than after some", { timeout: 1_200_000 }, async () => {
    const { device, counts, close } = await kind.open();
    const round = async (): Promise<void> => {
      for (const program of kind.programs) await program.run(device);
      await device.ready();
    };
    const warmUp = Math.ceil(kind.rounds / 5);
    for (let i = 0; i < warmUp; i++) await round();
    const [before, counted, { peakBytes, ...use }] = [await weigh(), counts(), device.memory()];
    const half = Math.ceil((warmUp + kind.rounds) / 2);
    for (let i = warmUp; i < half; i++) await round();
    const between = await weigh();
    for (let i = half; i < kind.rounds; i++) await round();
    const after = await weigh();
    const cycles = (kind.rounds - warmUp) * kind.programs.length;
    const [first, second] = [between.process - before.process, after.process - between.process].map(mebibytes);
    tellWhenFull(
      `${name}: ${cycles} cycles, process ${first} MiB more after half, ${second} after the rest, arrays ${after.arrays - before.arrays} bytes`,
    );
    expect(counts()).toEqual(counted);
    expect(device.memory()).toEqual({ ...use, peakBytes });
    expect(use).toEqual({ buffers: 0, bytes: 0, plans: 0 });
    expect(after.arrays - before.arrays).toBeLessThan((cycles * leastArrayBytes) / 2);
    close();
  });

  test("leaves nothing after devices are closed", async () => {
    const [program] = shortPrograms;
    const openings = full ? 50 : 8;
    const cycle = async (): Promise<void> => {
      const { device, close } = await kind.open();
      await program.run(device);
      close();
      heaps.length = 0;
    };
    await cycle();
    const before = await weigh();
    for (let i = 0; i < openings; i++) await cycle();
    for (const until = performance.now() + 30_000; workers.size > 0 && performance.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 5));
    const after = await weigh();
    tellWhenFull(
      `${name}: ${openings} openings, process ${mebibytes(after.process - before.process)} MiB more, arrays ${after.arrays - before.arrays} bytes`,
    );
    expect(workers.size).toBe(0);
    // A device's memory starts at 1 MiB.
    expect(after.arrays - before.arrays).toBeLessThan((openings * 2 ** 20) / 2);
  });
});

const whereAllIsAsked = full ? test : undefined;
whereAllIsAsked?.("WebGPU alone, for comparison", async () => {
  // Compiles the same texts and writes the same buffer.
  const codes: string[] = [];
  const watchedRaw = await rawDevice();
  const make = watchedRaw.createShaderModule.bind(watchedRaw);
  watchedRaw.createShaderModule = (descriptor) => {
    codes.push(descriptor.code);
    return make(descriptor);
  };
  const device = await open(gpu({ device: watchedRaw, planning: { longestPass: 512 } }));
  await shortPrograms[0].run(device);
  device[Symbol.dispose]();
  watchedRaw.destroy();
  const cycle = async (): Promise<void> => {
    const raw = await rawDevice();
    const buffer = raw.createBuffer({ size: 2 ** 16, usage: 8 });
    raw.queue.writeBuffer(buffer, 0, new Uint8Array(2 ** 16));
    for (const code of codes)
      await raw.createComputePipelineAsync({ layout: "auto", compute: { module: raw.createShaderModule({ code }), entryPoint: "main" } });
    await raw.queue.onSubmittedWorkDone();
    buffer.destroy();
    raw.destroy();
  };
  await cycle();
  const before = await weigh();
  for (let i = 0; i < 50; i++) await cycle();
  const after = await weigh();
  tellWhenFull(`WebGPU alone: 50 openings, process ${mebibytes(after.process - before.process)} MiB more`);
});
