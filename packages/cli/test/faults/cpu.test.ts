/** Faults at every step of whole programs on the CPU: with workers, on one thread, in JavaScript. */
import { type Device, open } from "@dechirp/core";
import { type CpuOptions, cpu } from "@dechirp/fft-cpu";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { full } from "../full.ts";
import { cpuTap, tapHost, tappedHeap, tappedQueue, untilDead, workers } from "./cpu-tap.ts";
import { inDoubles, programs, shortPrograms, type WholeProgram } from "./programs.ts";
import { type Fault, type Ground, sweep, tell } from "./sweep.ts";

vi.mock("../../../fft-cpu/src/heap.ts", async (original) => {
  const module = await original<{ createHeap(options: object): { allocate(bytes: number, label: string): number } }>();
  // Almost all initial memory is taken, so that small programs must ask for more.
  return { ...module, createHeap: (options: object) => tappedHeap(module.createHeap({ ...options, reservedBytes: 2 ** 20 - 64 })) };
});
vi.mock("../../../fft-cpu/src/queue.ts", async (original) => {
  const module = await original<{ createQueue(): { push(job: never): Promise<void> } }>();
  return { ...module, createQueue: () => tappedQueue(module.createQueue()) };
});

let untap: () => void;
beforeAll(() => {
  untap = tapHost();
});
afterAll(() => untap());

const grounds: Readonly<Record<string, CpuOptions>> = {
  "with workers": { workers: 2 },
  "on one thread": { workers: 1 },
  "in JavaScript": { kernels: "js" },
};

const groundOf = (options: CpuOptions): Ground => ({
  tap: cpuTap,
  settle: untilDead,
  open: (): Promise<Device> => open(cpu(options)),
});

/** Steps between which other work can run, or a program decides something. */
const moments = ["look", "allocate", "grow", "push", "wake", "message", "compile", "instance"];

const faults: readonly (Fault & { readonly only?: readonly string[] })[] = [
  { name: "no memory", steps: ["allocate"], codes: ["out-of-memory"], fresh: true },
  { name: "memory that does not grow", steps: ["grow"], codes: ["out-of-memory"], fresh: true },
  { name: "no memory of the host's", steps: ["array"], codes: ["out-of-memory", "no-backend", "failed"], fresh: true },
  {
    name: "modules that are not compiled",
    steps: ["compile", "instance"],
    codes: ["compile", "no-backend"],
    fresh: true,
    only: ["with workers", "on one thread"],
  },
  { name: "workers that die of a message", steps: ["message"], codes: ["failed", "compile"], fresh: true, only: ["with workers"] },
  { name: "workers that die when they are woken", steps: ["wake"], codes: ["failed"], only: ["with workers"] },
  { name: "disposed of", steps: moments, action: "dispose", codes: ["disposed"] },
  { name: "aborted", steps: moments, action: "abort", codes: ["aborted"] },
];

/**
 * Why some steps never occur: arrays that the domain makes are not converted, and not every program requests arrays from the host; work
 * of microseconds is not given to a worker; JavaScript has no modules.
 */
const without: Readonly<Record<string, readonly string[]>> = {
  "no memory of the host's": ["backprojection in blocks", "EFA in four steps", "a lowered filter, a kernel of the host's, a turn"],
  "workers that die when they are woken": ["EFA in four steps", "a lowered filter, a kernel of the host's, a turn", "a filter in float64"],
};

const sweptBy = ({ name, action }: Fault, kind: string): readonly WholeProgram[] => {
  const all = [...(full || (action !== "dispose" && kind === "with workers") ? programs : shortPrograms), inDoubles];
  return all.filter((program) => !without[name]?.includes(program.name));
};

describe.each(Object.entries(grounds))("%s", (kind, options) => {
  const own = faults.filter(({ only }) => only?.includes(kind) ?? true);
  describe.each(own.map((fault) => [fault.name, fault] as const))("%s", (_, fault) => {
    test.each(sweptBy(fault, kind).map((program) => [program.name, program] as const))(
      "%s",
      { timeout: 1_200_000 },
      async (name, program) => {
        const tally = await sweep(groundOf(options), program, fault);
        tell(`cpu ${kind}, ${fault.name}, ${name}`, tally);
        expect(tally.faults).toBeGreaterThan(0);
      },
    );
  });

  test("leaves no worker behind", async () => {
    for (const until = performance.now() + 30_000; workers.size > 0 && performance.now() < until; )
      await new Promise((resolve) => setTimeout(resolve, 5));
    expect(workers.size).toBe(0);
  });
});
