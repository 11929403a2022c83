/**
 * The ways in which tasks share a device, one row each: which units there are, who runs the tasks, what bounds their responses. A bound
 * follows from observed times with a margin and is as good as these.
 */
import { availableParallelism } from "node:os";
import type { Device } from "@dechirp/core";
import {
  analyse,
  chunkBound,
  cpuPool,
  type ExecutableTask,
  type Executor,
  gpuChunks,
  gpuSlots,
  permittedSizes,
  profile,
  profileSlots,
  type RepeatOptions,
  type SizeProfile,
  type SlotsExecutor,
  slotBound,
  type WcetTable,
} from "@dechirp/realtime";
import type { WayName } from "./report.ts";

export interface Bounds {
  readonly response: number;
  readonly partition: number | null;
}

/** Tasks alike under an executor, with what bounds their responses. */
export interface OpenSet extends Disposable {
  readonly executor: Executor;
  /** Of every task. */
  readonly bounds: Bounds;
}

/** What is known of a task's times on a device. */
export interface Known {
  readonly profile: readonly SizeProfile[];
  /** L[k], with the margin. */
  readonly wcet: WcetTable;
  readonly clock: { readonly name: string; readonly resolution: number };
}

export interface Way {
  readonly name: WayName;
  /** Points of complex lines that jobs transform in place; one real transform where left out. */
  readonly line?: number;
  units(device: Device): number;
  /** L[k] of a task; `all` are those that share the device with it. */
  profile(device: Device, all: readonly ExecutableTask[], options: RepeatOptions): Promise<Known>;
  /** S by Eq. 4. */
  sizes(known: Known, rho: number, units: number): readonly number[];
  open(device: Device, tasks: readonly ExecutableTask[], known: Known, options: RepeatOptions): Promise<OpenSet>;
}

const pool: Way = {
  name: "cpu-pool",
  units: (device) => device.units,
  async profile(device, [task], options) {
    const { sizes, wcet, clock } = await profile(device, task, options);
    return { profile: sizes, wcet, clock };
  },
  sizes: ({ wcet }, rho, units) => permittedSizes(wcet, rho, units),
  async open(device, tasks, { wcet }) {
    const executor = cpuPool(device, tasks);
    const [{ response, partition }] = analyse({
      units: device.units,
      tasks: [{ id: "task", wcet, sizes: tasks[0].sizes ?? [1], count: tasks.length }],
    }).tasks;
    return { executor, bounds: { response, partition }, [Symbol.dispose]: () => executor[Symbol.dispose]() };
  },
};

const chunks: Way = {
  name: "gpu-chunks",
  units: () => 1,
  async profile(device, [task], options) {
    const { sizes, wcet, clock } = await profile(device, task, { ...options, kind: "gpu-chunks" });
    return { profile: sizes, wcet, clock };
  },
  sizes: () => [1],
  async open(device, tasks, { wcet }) {
    const executor = gpuChunks(device, tasks);
    const { response } = chunkBound([{ longest: wcet[1], chunks: tasks[0].runs.length, count: tasks.length }], 0);
    return { executor, bounds: { response, partition: null }, [Symbol.dispose]: () => executor[Symbol.dispose]() };
  },
};

/** Slots of a GPU: enough workgroups to fill a large one; of a GPU made of software a few a core. */
const slotsOf = (device: Device): number => (device.info.software ? 4 * availableParallelism() : 1024);

/** 1 to 8, then four to each doubling, and all. */
const slotSizes = (units: number): readonly number[] => {
  const sizes = [1, 2, 3];
  for (let step = 1; 4 * step < units; step *= 2) sizes.push(...[4, 5, 6, 7].map((k) => k * step));
  return [...sizes.filter((k) => k < units), units];
};

/** Times of dispatches in which all tasks take part bound those of fewer: C is measured anew for each number of tasks. */
const slots: Way = {
  name: "gpu-slots",
  line: 1024,
  units: slotsOf,
  async profile(device, all, options) {
    using executor = await openSlots(device, all);
    return await ofSlots(executor, options);
  },
  sizes: (_, __, units) => slotSizes(units),
  async open(device, tasks, _, options) {
    const executor = await openSlots(device, tasks);
    try {
      const { wcet } = await ofSlots(executor, options);
      const { response } = slotBound({ tasks: tasks.length, admitted: executor.admitted, dispatch: wcet[1] });
      return { executor, bounds: { response, partition: null }, [Symbol.dispose]: () => executor[Symbol.dispose]() };
    } catch (error) {
      executor[Symbol.dispose]();
      throw error;
    }
  },
};

const openSlots = (device: Device, tasks: readonly ExecutableTask[]): Promise<SlotsExecutor> =>
  gpuSlots(
    device,
    tasks.map((task) => ({ ...task, sizes: slotSizes(slotsOf(device)) })),
    { slots: slotsOf(device) },
  );

async function ofSlots(executor: SlotsExecutor, options: RepeatOptions): Promise<Known> {
  const { sizes, wcet, clock } = await profileSlots(executor, options);
  return { profile: sizes, wcet, clock };
}

/** The ways that a device has. */
export const waysOf = (device: Device): readonly Way[] => (device.id === "cpu" ? [pool] : [chunks, slots]);
