/**
 * The ways in which tasks share a device, one row each: which units there are, how long jobs take on them, who runs the tasks, what
 * bounds their responses. A bound follows from observed times with a margin and is as good as these.
 */
import type { Device } from "@dechirp/core";
import { checkFields } from "@dechirp/core/internal";
import { analyseTaskSet, type Binding } from "../bounds.ts";
import { cpuPool } from "../executors/cpu-pool.ts";
import type { ExecutableTask, Executor } from "../executors/executor.ts";
import { chunkBound, gpuChunks } from "../executors/gpu-chunks.ts";
import { gpuSlots, type SlotsExecutor, slotBound } from "../executors/gpu-slots.ts";
import type { WcetTable } from "../model.ts";
import { permittedSizes } from "../permitted.ts";
import { profileSlots, profileTask, type RepeatOptions, type SizeProfile } from "../profile.ts";

/** How tasks share a device. */
export type WayName = Exclude<Executor["kind"], "best-effort">;

/** Of a task's jobs, in microseconds. */
export interface Bounds {
  /** From request to grant, where units may all be taken. */
  readonly wait: number;
  /** From request to end: Lemma 2, or what stands in for it. */
  readonly response: number;
  /** Null where it does not apply. */
  readonly partition: number | null;
}

/** The smaller of the two bounds on the response, and which it is. */
export function smallerBound({ response, partition }: Pick<Bounds, "response" | "partition">): {
  readonly bound: number;
  readonly binding: Binding;
} {
  return partition !== null && partition < response ? { bound: partition, binding: "partition" } : { bound: response, binding: "lemma2" };
}

/** Tasks under an executor, with what bounds their responses. */
export interface OpenSet extends Disposable {
  readonly executor: Executor;
  /** Of each task. */
  readonly bounds: readonly Bounds[];
  /** What is known of each task. */
  readonly known: readonly Known[];
}

/** What is known of a task's times on a device. */
export interface Known {
  readonly profile: readonly SizeProfile[];
  /** L[k], with the margin. */
  readonly wcet: WcetTable;
  /** The clock, and its `resolution` in microseconds. */
  readonly clock: { readonly name: string; readonly resolution: number };
}

/** A way in which tasks share a device. */
export interface Way {
  readonly name: WayName;
  /** Points of complex lines that jobs of the experiment transform in place; one real transform where left out. */
  readonly line?: number;
  /** ℋ: units that tasks share on a device. */
  units(device: Device): number;
  /** Whether times are those of all tasks together: then `open` takes them, and needs none. */
  readonly together: boolean;
  /** L[k] of the first task; `all` are those that share the device with it. */
  profile(device: Device, all: readonly ExecutableTask[], options: RepeatOptions): Promise<Known>;
  /** S by Eq. 4. */
  sizes(known: Known, rho: number, units: number): readonly number[];
  /** Tasks with their sizes, and what is known of each. */
  open(device: Device, tasks: readonly ExecutableTask[], known: readonly Known[], options: RepeatOptions): Promise<OpenSet>;
}

const dispose = (executor: Executor) => ({ [Symbol.dispose]: () => executor[Symbol.dispose]() });

/** Units are workers. */
export const poolWay: Way = {
  name: "cpu-pool",
  units: (device) => device.units,
  together: false,
  async profile(device, [task], options) {
    const { sizes, wcet, clock } = await profileTask(device, task, options);
    return { profile: sizes, wcet, clock };
  },
  sizes: ({ wcet }, rho, units) => permittedSizes(wcet, rho, units),
  async open(device, tasks, known) {
    const executor = cpuPool(device, tasks);
    // By number: names of copies may be longer than those of a set's entries.
    const entries = tasks.map(({ sizes = [1] }, i) => ({ id: String(i), wcet: known[i].wcet, sizes }));
    const bounds = analyseTaskSet({ units: device.units, tasks: entries }).tasks;
    return { executor, bounds, known, ...dispose(executor) };
  },
};

/** One dispatch at a time. */
export const chunkWay: Way = {
  name: "gpu-chunks",
  units: () => 1,
  together: false,
  async profile(device, [task], options) {
    const { sizes, wcet, clock } = await profileTask(device, task, { ...options, kind: "gpu-chunks" });
    return { profile: sizes, wcet, clock };
  },
  sizes: () => [1],
  async open(device, tasks, known) {
    const executor = gpuChunks(device, tasks);
    // Tasks with equal times and runs have one bound between them.
    const keys = tasks.map(({ runs }, i) => `${known[i].wcet[1]} ${runs.length}`);
    const kinds = [...new Set(keys)];
    const counts = new Map<string, number>();
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
    const figures = kinds.map((key) => {
      const [longest, runs] = key.split(" ").map(Number);
      return { longest, chunks: runs, count: counts.get(key) as number };
    });
    const bounds = new Map(kinds.map((key, i) => [key, { ...chunkBound(figures, i), partition: null }]));
    return { executor, bounds: keys.map((key) => bounds.get(key) as Bounds), known, ...dispose(executor) };
  },
};

/** How many slots a dispatch has. */
export interface SlotWayOptions {
  /** Slots; where left out 1024, enough to fill a large GPU, or four a core on a processor and on a GPU made of software. */
  readonly slots?: number;
  /** Cores of the processor; what the host tells where left out. */
  readonly cores?: number;
}

interface Host {
  readonly process?: { getBuiltinModule?(name: string): { availableParallelism(): number } };
  readonly navigator?: { readonly hardwareConcurrency?: number };
}

/** Cores that Node or a browser tells of, 1 where neither tells. */
export function hostCores(): number {
  const { process, navigator } = globalThis as Host;
  return process?.getBuiltinModule?.("node:os").availableParallelism() ?? navigator?.hardwareConcurrency ?? 1;
}

/** 1 to 8, then four to each doubling, and all. */
const slotSizes = (units: number): readonly number[] => {
  const sizes = [1, 2, 3];
  for (let step = 1; 4 * step < units; step *= 2) sizes.push(...[4, 5, 6, 7].map((k) => k * step));
  return [...sizes.filter((k) => k < units), units];
};

/**
 * Units are slots of one dispatch. Times of dispatches in which all tasks take part bound those of fewer: C is measured anew for each set
 * of tasks. Throws `input` for options that are none.
 */
export function slotWay(options: SlotWayOptions = {}): Way {
  checkFields(options, { slots: "number", cores: "number" }, "options of slots");
  const { cores = hostCores() } = options;
  const units = ({ id, info }: Device): number => options.slots ?? (id === "cpu" || info.software ? 4 * cores : 1024);
  const openSlots = (device: Device, tasks: readonly ExecutableTask[]): Promise<SlotsExecutor> => {
    const sized = tasks.map((task) => ({ ...task, sizes: task.sizes ?? slotSizes(units(device)) }));
    return gpuSlots(device, sized, { slots: units(device) });
  };
  return {
    name: "gpu-slots",
    line: 1024,
    units,
    together: true,
    async profile(device, all, options) {
      using executor = await openSlots(device, all);
      return await profileAll(executor, options);
    },
    sizes: (_, __, of) => slotSizes(of),
    async open(device, tasks, _, options) {
      const executor = await openSlots(device, tasks);
      try {
        const known = await profileAll(executor, options);
        const bound = slotBound({ tasks: tasks.length, admitted: executor.admitted, dispatch: known.wcet[1] });
        const bounds = tasks.map(() => ({ ...bound, partition: null }));
        return { executor, bounds, known: tasks.map(() => known), ...dispose(executor) };
      } catch (error) {
        executor[Symbol.dispose]();
        throw error;
      }
    },
  };
}

async function profileAll(executor: SlotsExecutor, options: RepeatOptions): Promise<Known> {
  const { sizes, wcet, clock } = await profileSlots(executor, options);
  return { profile: sizes, wcet, clock };
}

/** The ways to share a device that are measured: of the processor, workers; of other devices, chunks and slots. */
export const waysOf = (device: Device, options: SlotWayOptions = {}): readonly Way[] =>
  device.id === "cpu" ? [poolWay] : [chunkWay, slotWay(options)];
