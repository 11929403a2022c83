/**
 * The ways in which tasks can share a device. A way says which units there are, how jobs are profiled, which executor runs them, and what
 * bounds their responses. Bounds follow from observed times with a margin, and are as good as these.
 */
import type { Device } from "@dechirp/core";
import { checkFields } from "@dechirp/core/internal";
import { analyseTaskSet, type BoundKind } from "../bounds.ts";
import { cpuPool } from "../executors/cpu-pool.ts";
import type { ExecutableTask, Executor } from "../executors/executor.ts";
import { chunkBound, gpuChunks } from "../executors/gpu-chunks.ts";
import { gpuSlots, type SlotsExecutor, slotBound } from "../executors/gpu-slots.ts";
import type { WcetTable } from "../model.ts";
import { permittedSizes } from "../permitted.ts";
import { profileSlots, profileTask, type RepeatOptions, type SizeProfile } from "../profile.ts";

/** The name of a way to share a device. */
export type WayName = Exclude<Executor["kind"], "best-effort">;

/** Bounds of a task's jobs, in microseconds. */
export interface Bounds {
  /** Longest time from request to grant, if all units may be in use. */
  readonly wait: number;
  /** Longest time from request to end: Lemma 2 or the executor's own bound. */
  readonly response: number;
  /** The partition bound on the response. Null if it does not apply. */
  readonly partition: number | null;
}

/** Returns the smaller of the two bounds on the response, and which one it is. */
export function smallerBound({ response, partition }: Pick<Bounds, "response" | "partition">): {
  readonly bound: number;
  readonly binding: BoundKind;
} {
  return partition !== null && partition < response ? { bound: partition, binding: "partition" } : { bound: response, binding: "lemma2" };
}

/** Tasks under an executor, with the bounds of their responses. */
export interface OpenSet extends Disposable {
  /** The executor of the tasks. */
  readonly executor: Executor;
  /** The bounds of each task. */
  readonly bounds: readonly Bounds[];
  /** The times of each task. */
  readonly known: readonly TaskTimes[];
}

/** The measured times of a task on a device. */
export interface TaskTimes {
  /** The observed times for each number of units. */
  readonly profile: readonly SizeProfile[];
  /** L[k] in microseconds, with the margin. */
  readonly wcet: WcetTable;
  /** The clock, and its `resolution` in microseconds. */
  readonly clock: { readonly name: string; readonly resolution: number };
}

/** A way in which tasks share a device. */
export interface Way {
  /** Name of the way, which is the executor's kind. */
  readonly name: WayName;
  /** The number of points of complex lines that jobs of the experiment transform in place. Default: one real transform. */
  readonly line?: number;
  /** ℋ: the number of units that tasks share on a device. */
  units(device: Device): number;
  /** Whether times are measured with all tasks together. If so, `open` measures them and ignores `known`. */
  readonly together: boolean;
  /** Measures L[k] of the first task. `all` are the tasks that share the device with it. */
  profile(device: Device, all: readonly ExecutableTask[], options: RepeatOptions): Promise<TaskTimes>;
  /** S by Eq. 4. */
  sizes(known: TaskTimes, rho: number, units: number): readonly number[];
  /** Creates the executor for tasks with sizes and computes their bounds from the `known` times. */
  open(device: Device, tasks: readonly ExecutableTask[], known: readonly TaskTimes[], options: RepeatOptions): Promise<OpenSet>;
}

const dispose = (executor: Executor) => ({ [Symbol.dispose]: () => executor[Symbol.dispose]() });

/** Units are the workers of a CPU device. */
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
    // Uses indices as ids, as ids of copies may be longer than a task set allows.
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
    // Tasks with equal times and numbers of runs have the same bound, so it is computed once.
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

/** Options of `slotWay`. */
export interface SlotWayOptions {
  /** Number of slots. Default: 1024, enough to fill a large GPU, or four per core on a CPU and on a software GPU. */
  readonly slots?: number;
  /** Number of cores of the processor. Default: as the host reports. */
  readonly cores?: number;
}

interface Host {
  readonly process?: { getBuiltinModule?(name: string): { availableParallelism(): number } };
  readonly navigator?: { readonly hardwareConcurrency?: number };
}

/** The number of cores that Node or a browser reports, or 1 if neither does. */
export function hostCores(): number {
  const { process, navigator } = globalThis as Host;
  return process?.getBuiltinModule?.("node:os").availableParallelism() ?? navigator?.hardwareConcurrency ?? 1;
}

/** 1 to 8, then four sizes per doubling, and the maximum. */
const slotSizes = (units: number): readonly number[] => {
  const sizes = [1, 2, 3];
  for (let step = 1; 4 * step < units; step *= 2) sizes.push(...[4, 5, 6, 7].map((k) => k * step));
  return [...sizes.filter((k) => k < units), units];
};

/**
 * Units are the slots of one dispatch. A dispatch with all tasks bounds the time of one with fewer, so C is measured again for each set of
 * tasks. Throws `input` for invalid options.
 */
export function slotWay(options: SlotWayOptions = {}): Way {
  checkFields(options, { slots: "number", cores: "number" }, "options of slotWay");
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

async function profileAll(executor: SlotsExecutor, options: RepeatOptions): Promise<TaskTimes> {
  const { sizes, wcet, clock } = await profileSlots(executor, options);
  return { profile: sizes, wcet, clock };
}

/** The ways that experiments measure on a device: workers on a CPU, chunks and slots on other devices. */
export const waysOf = (device: Device, options: SlotWayOptions = {}): readonly Way[] =>
  device.id === "cpu" ? [poolWay] : [chunkWay, slotWay(options)];
