/**
 * The interfaces that users of dechirp work with: backends, devices, buffers, plans and runs. driver.ts says how a backend implements
 * them.
 *
 * Only `open`, `plan`, `read` and `ready` are asynchronous. `write` and `run` queue work, which the device does in the order of the
 * calls. Everything that holds memory is `Disposable`. Disposing of a device disposes of everything that it made.
 */
import { inputError, RadarError } from "./errors.ts";
import { checkDevice } from "./fields.ts";

export type {} from "./host.ts";

import type { Uniforms } from "./hooks.ts";
import { asHostError } from "./host-memory.ts";
import type { DType, Layout, TypedArrayOf } from "./layout.ts";
import type { Cost } from "./ops/row.ts";
import type { Op } from "./ops/table.ts";

/** Opens devices of one kind, for example `cpu()` of `@dechirp/fft-cpu`. Making a backend does no work; `open` does. */
export interface Backend {
  /** Short name for messages, for example `cpu`. */
  readonly id: string;
  /** Version of the contract between core and backends. */
  readonly contract: 1;
  /** Opens a device. Rejects with `no-backend` if this machine has none, and with `input` if an option of the backend is wrong. */
  open(): Promise<Device>;
}

/** What a device tells about itself. */
export interface DeviceInfo {
  /** For people: the adapter, instruction set and version. */
  readonly description: string;
  /** What a user should know, for example that a mode is slow or a feature is missing. */
  readonly notes: readonly string[];
  /** Whether the device is emulated on the processor, as a software GPU is. Its results are correct, but it is slow. Default: false. */
  readonly software?: boolean;
  /**
   * Name of the arithmetic, if the device has a choice of several. Devices of one kind with the same name compute the same bits, except
   * that relaxed arithmetic may differ in the last bits between machines.
   */
  readonly arithmetic?: string;
}

/** The limits of a device. Core checks every operation against them. */
export interface DeviceLimits {
  /** Size of the largest array, in bytes. */
  readonly maxBufferBytes: number;
  /** Largest number of points of a transform. */
  readonly maxTransformLength: number;
  /**
   * How many arrays a kernel may bind, not counting the tables of its transforms. A larger array than `bytes` bytes counts once for each
   * part of at most `bytes`. No limit if this field is absent.
   */
  readonly kernelArrays?: { readonly count: number; readonly bytes: number };
  /** Element types that the device supports. */
  readonly dtypes: readonly DType[];
  /** Parts of arrays (`Buffer.part`) begin at multiples of this many bytes. Default: 1, anywhere. On GPUs it is 256 or less. */
  readonly partAlignment?: number;
}

/** The memory and plans that a device holds at one moment. */
export interface MemoryUse {
  /** Number of arrays that are not freed, temporaries of plans included. */
  readonly buffers: number;
  /** Bytes of all arrays that are not freed. */
  readonly bytes: number;
  /** The largest value that `bytes` has had. */
  readonly peakBytes: number;
  /** Number of plans that are not disposed of, parts of lowered plans included. */
  readonly plans: number;
}

/** Options of `Device.plan`. */
export interface PlanOptions {
  /**
   * Whether the device may use fused implementations, which do several steps in one pass over memory. Default: true. Set it to false to
   * measure what fusion gains.
   */
  readonly fuse?: boolean;
  /** Whether a run may bind the same buffer to the ports `in` and `out`. Default: false. */
  readonly inPlace?: boolean;
  /**
   * The kernel that computes transforms, by its name in the table that the backend was given (`variants` of `gpu`), for measurements.
   * Operations that are not transforms are planned as usual. `plan` rejects with `unsupported` if the device has no such variant or the
   * variant can't compute the transform. Default: the planner's choice.
   */
  readonly variant?: string;
  /** Stops the planning when it fires. `plan` then frees what it holds and rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/** A device that computes: it allocates buffers and makes plans, and owns them all. */
export interface Device extends Disposable {
  /** The backend's id. */
  readonly id: string;
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  /** Number of units that a run can be confined to: the workers of a CPU pool. 1 on other devices. */
  readonly units: number;
  /** Resolves with the reason when the device is lost, for example because a GPU was reset. Every later call throws `device-lost`. */
  readonly lost: Promise<RadarError>;
  /**
   * Allocates an array of zeros. `label` names it in messages; default: its layout as text. Throws `layout`, `unsupported`, `limit`,
   * `out-of-memory`, `disposed` or `device-lost`.
   */
  alloc<D extends DType>(layout: Layout<D>, label?: string): Buffer<D>;
  /**
   * Prepares an operation for running. Long planning does not block the event loop. Rejects with `layout`, `unsupported`, `limit`,
   * `compile`, `out-of-memory`, `aborted`, `disposed` or `device-lost`.
   */
  plan(op: Op, options?: PlanOptions): Promise<Plan>;
  /** Resolves when everything that is queued has run. Await it between uploads so that they do not pile up. */
  ready(): Promise<void>;
  /** The memory and plans held now. All counts but `peakBytes` are zero after everything was disposed of. */
  memory(): MemoryUse;
}

/** A range of an array's elements in row-major order. A complex element counts as one. */
export interface Span {
  /** Index of the first element. */
  readonly start: number;
  /** Number of elements. */
  readonly count: number;
}

/** An array on a device. It is dense and row-major for its user, whatever the device does internally. */
export interface Buffer<D extends DType = DType> extends Disposable {
  readonly layout: Layout<D>;
  /** Name of the buffer in messages. */
  readonly label: string;
  /**
   * Queues a copy of `data` into the array, beginning at element `offset` (default: 0). `data` may be changed as soon as the call
   * returns. If the copy fails later, reads of the buffer reject. Throws `layout`, `disposed` or `device-lost`.
   */
  write(data: TypedArrayOf<D>, offset?: number): void;
  /**
   * Resolves with a copy of the array, or of a span of it, as it is after all runs that are queued now. Rejects with a run's error if
   * that run failed to write the array, and with `layout`, `disposed`, `device-lost` or `out-of-memory`.
   */
  read(span?: Span): Promise<TypedArrayOf<D>>;
  /**
   * Fills `target` with the elements from `offset` (default: 0) on, as `read` would give them, and resolves then. An array that was used before is
   * several times as fast to fill as a new one, whose pages the system makes one by one: 128 MiB from an H200 arrive at 6 GB/s instead of 1.5. Don't use
   * `target` until the promise has settled; if it rejects, what `target` holds is undefined. Rejects as `read` does, and with `layout` if `target` is of
   * another type, longer than the elements that there are, or detached or cut short before it is full.
   */
  readInto(target: TypedArrayOf<D>, offset?: number): Promise<void>;
  /**
   * Calls `use` with a span of the array, as it is after all runs that are queued now, without a copy if the device can do so. The elements are
   * valid until what `use` returns has settled; a later change of the array may or may not show before. Resolves and rejects as `use` does.
   * Rejects as `read` does, too.
   */
  borrow(span: Span, use: (data: TypedArrayOf<D>) => unknown): Promise<void>;
  /**
   * A part of the array, without a copy: the indices `first` to `first` + `count` − 1 of the first axis. It can be written, read and bound
   * to ports like any buffer, and parts have parts. It is valid until the array is disposed of; disposing of the part frees nothing. Work
   * on an array and its parts is done in the order of the calls.
   *
   * Throws `layout`, `disposed`, `device-lost` or `unsupported`, and `limit` if the device can't bind arrays that begin there
   * (`DeviceLimits.partAlignment`). The error says to how many elements the rows must be padded.
   */
  part(first: number, count: number): Buffer<D>;
  /**
   * The array itself, without a copy. Present only if the device keeps arrays in host memory. Before you use it, await the run that
   * writes the array. Call `view` again after every await: the memory may have moved.
   */
  view?(): TypedArrayOf<D>;
}

/** Buffers by the name of the port, input or output that they are bound to. */
export type Bindings = Readonly<Record<string, Buffer>>;

/** Options of one run. */
export interface RunOptions {
  /** Indices of the units to use, from 0 to `device.units` − 1. The run uses these and no others. Default: all. */
  readonly units?: readonly number[];
  /** Values of all uniforms that the op's hooks or kernel declare, by name. */
  readonly uniforms?: Uniforms;
  /** Stops the run at the next place where the device can stop. `done` then rejects with `aborted`. */
  readonly signal?: AbortSignal;
}

/** A run that is queued. */
export interface Run {
  /**
   * Resolves when the run has finished and rejects if it fails. You need not await it: reads of arrays that a failed run should have
   * written reject with the same error.
   */
  readonly done: Promise<void>;
}

/** An operation that a device has prepared. It can run any number of times. */
export interface Plan extends Disposable {
  readonly op: Op;
  /** Predicted cost of one run. */
  readonly cost: Cost;
  /**
   * What will run, as text for people: `(spectral-filter/fused n=4096 radix=16)`. It says so if the implementation is slow or lowered.
   */
  readonly text: string;
  /**
   * Whether a convolution computes the transform or one of its steps (Bluestein, Rader). That takes three transforms instead of one and
   * has up to twice the rounding error.
   */
  readonly convolved?: true;
  /** Whether runs work on the caller's thread whatever `units` they are given. Bounds on units' times then do not hold for this plan. */
  readonly offUnits?: true;
  /**
   * Queues a run. Throws `layout`, `disposed` or `device-lost` if the arguments or the state do not allow it. Failures of the work itself
   * reject `done`.
   */
  run(bindings: Bindings, options?: RunOptions): Run;
}

/**
 * Opens a device of the first backend that has one: `await open(gpu(), cpu())` takes the GPU if there is one, the CPU otherwise.
 *
 * Rejects with `no-backend` and every backend's reason if none can be opened. Rejects at once, without trying the next backend, with
 * `input` if an option of a backend is wrong or an argument is not a backend, and with `failed` if a backend throws anything but a
 * `RadarError`.
 */
export async function open(...backends: readonly Backend[]): Promise<Device> {
  const reasons: Record<string, string> = {};
  for (const [i, backend] of backends.entries()) {
    if (typeof backend?.open !== "function" || typeof backend.contract !== "number" || typeof backend.id !== "string")
      throw inputError(`backends[${i}]`, "a backend, such as cpu()", backend);
    if (backend.contract !== 1) {
      throw new RadarError("no-backend", `backend ${backend.id} implements contract ${backend.contract}, this core needs contract 1`, {
        backend: backend.id,
      });
    }
    try {
      const device = await backend.open();
      checkDevice(device);
      return device;
    } catch (thrown) {
      const error = asHostError(thrown, `backend ${backend.id}`);
      // A wrong option, or a fault in the backend itself, must not lead to another backend.
      if (error.code === "input" || (error !== thrown && error.code === "failed")) throw error;
      reasons[backend.id] = error.message;
    }
  }
  const lines = Object.entries(reasons).map(([id, reason]) => `${id}: ${reason}`);
  throw new RadarError("no-backend", lines.length > 0 ? `no backend could be opened (${lines.join("; ")})` : "no backend was given", {
    reasons,
  });
}
