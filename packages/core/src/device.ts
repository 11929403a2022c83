/**
 * What a user of dechirp holds: backends, devices, buffers, plans and runs, as interfaces. How a backend makes them is
 * in driver.ts. Only `open`, `plan`, `read` and `ready` wait; `write` and `run` queue, in program order. Everything that
 * holds memory is `Disposable`; a device owns all that it made.
 */
import { inputError, RadarError } from "./errors.ts";
import { checkDevice } from "./fields.ts";

export type {} from "./host.ts";

import type { Uniforms } from "./hooks.ts";
import { asHostError } from "./host-memory.ts";
import type { DType, Layout, TypedArrayOf } from "./layout.ts";
import type { Cost } from "./ops/row.ts";
import type { Op } from "./ops/table.ts";

/** Can open a device. A value: nothing happens before `open`. */
export interface Backend {
  readonly id: string;
  /** Version of the contract between core and backends. */
  readonly contract: 1;
  /** Opens a device. Throws `no-backend` where this machine has none, `input` for an option that is wrong anywhere. */
  open(): Promise<Device>;
}

/** What a device says of itself, for people and for choices. */
export interface DeviceInfo {
  /** For people: adapter, instruction set, version. */
  readonly description: string;
  /** What a user should know: a slow mode, a missing feature. */
  readonly notes: readonly string[];
  /** Whether the processor does this device's work, as it does for GPUs made of software: correct, never fast. */
  readonly software?: boolean;
}

/** What a device takes; core checks every operation against it. */
export interface DeviceLimits {
  /** Bytes of the largest array. */
  readonly maxBufferBytes: number;
  readonly maxTransformLength: number;
  /**
   * Arrays that a kernel may bind, besides the tables of its transforms, where one of more than `bytes` counts once for every `bytes` of
   * it. Any number where left out.
   */
  readonly kernelArrays?: { readonly count: number; readonly bytes: number };
  /** Element types that arrays and transforms may have. */
  readonly dtypes: readonly DType[];
}

/** What a device holds at a moment. */
export interface MemoryUse {
  /** Arrays alive, temporaries of plans included. */
  readonly buffers: number;
  readonly bytes: number;
  readonly peakBytes: number;
  /** Plans alive, parts of lowered plans included. */
  readonly plans: number;
}

/** How an operation is to be planned. */
export interface PlanOptions {
  /** Whether the device may use its fused forms. True where left out; false shows what fusion gains. */
  readonly fuse?: boolean;
  /** Whether runs may bind one buffer to `in` and `out`. False where left out. */
  readonly inPlace?: boolean;
  /** Planning stops soon after it fires, holds nothing then, and rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/** Allocates buffers and makes plans, all of which it owns. */
export interface Device extends Disposable {
  readonly id: string;
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  /** Units that a run can be confined to: workers of a CPU pool; 1 elsewhere. */
  readonly units: number;
  /** Resolves with the reason when the device is lost; every later call throws `device-lost`. */
  readonly lost: Promise<RadarError>;
  /** A zeroed array. Throws `layout`, `unsupported`, `limit`, `out-of-memory`, `disposed` or `device-lost`. */
  alloc<D extends DType>(layout: Layout<D>, label?: string): Buffer<D>;
  /**
   * Turns an op into something that runs. Long planning gives the event loop its turns. Throws `layout`, `unsupported`, `limit`, `compile`,
   * `out-of-memory`, `aborted`, `disposed`, `device-lost`.
   */
  plan(op: Op, options?: PlanOptions): Promise<Plan>;
  /** Waits until all that was queued has run: back-pressure for uploads. */
  ready(): Promise<void>;
  /** What it holds now: all zero once everything was disposed of. */
  memory(): MemoryUse;
}

/** A span of elements (not numbers) of an array in flat order. */
export interface Span {
  /** Index of the first element. */
  readonly start: number;
  /** Number of elements. */
  readonly count: number;
}

/** An array on a device: dense and row-major, however the device stores it. */
export interface Buffer<D extends DType = DType> extends Disposable {
  readonly layout: Layout<D>;
  readonly label: string;
  /** Queues a copy of `data` into the array from element `offset` on. `data` may be reused at once. Its failure is that of later reads. */
  write(data: TypedArrayOf<D>, offset?: number): void;
  /** A copy of the array, or of a span, as of the runs queued so far. Rejects with the error of a run that failed to write it. */
  read(span?: Span): Promise<TypedArrayOf<D>>;
  /**
   * The array itself, without a copy, where its memory is the host's. Await what writes it first, and fetch the view anew
   * after every await: memory may have moved.
   */
  view?(): TypedArrayOf<D>;
}

/** Buffers by the name of a port, an input or an output. */
export type Bindings = Readonly<Record<string, Buffer>>;

/** How a plan is run this once. */
export interface RunOptions {
  /** Units to use, exactly those; all where left out. */
  readonly units?: readonly number[];
  /** Values of the uniforms that hooks and kernels name; every named one needs a value. */
  readonly uniforms?: Uniforms;
  /** The device stops where it can; `done` rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/** Something queued. */
export interface Run {
  /** Settles when it has finished. Need not be awaited: a failure also reaches readers of what it should have written. */
  readonly done: Promise<void>;
}

/** An operation that a device has prepared; it runs as often as you like. */
export interface Plan extends Disposable {
  readonly op: Op;
  readonly cost: Cost;
  /** What will run, readable: `(spectral-filter/fused n=4096 radix=16)`. A slow or lowered form says so. */
  readonly text: string;
  /** Whether a convolution computes the transform, or a step of it: three transforms instead of one, with up to twice the rounding error. */
  readonly convolved?: true;
  /** Whether runs work on the caller's thread whatever units they are given: nothing that is known of units bounds them. */
  readonly offUnits?: true;
  /** Queues a run. Throws `layout`, `disposed` or `device-lost` at once; what fails later rejects `done`. */
  run(bindings: Bindings, options?: RunOptions): Run;
}

/**
 * Opens the first of `backends` that can be opened: `await open(gpu(), cpu())`. Throws `no-backend` with every backend's
 * reason where none can, and the `input` error of a backend with a wrong option at once: no other stands in for it. Throws `input` for what is no
 * backend, and `failed` where a backend throws anything but a `RadarError`.
 */
export async function open(...backends: readonly Backend[]): Promise<Device> {
  const reasons: Record<string, string> = {};
  for (const [i, backend] of backends.entries()) {
    if (typeof backend?.open !== "function" || typeof backend.contract !== "number" || typeof backend.id !== "string")
      throw inputError(`backends[${i}]`, "a backend, as cpu() makes", backend);
    if (backend.contract !== 1) {
      throw new RadarError("no-backend", `backend ${backend.id} speaks contract ${backend.contract}, this core speaks 1`, {
        backend: backend.id,
      });
    }
    try {
      const device = await backend.open();
      checkDevice(device);
      return device;
    } catch (thrown) {
      const error = asHostError(thrown, `backend ${backend.id}`);
      // Nor where the backend itself is at fault.
      if (error.code === "input" || (error !== thrown && error.code === "failed")) throw error;
      reasons[backend.id] = error.message;
    }
  }
  const said = Object.entries(reasons).map(([id, reason]) => `${id}: ${reason}`);
  throw new RadarError("no-backend", said.length > 0 ? `no backend could be opened (${said.join("; ")})` : "no backend was given", {
    reasons,
  });
}
