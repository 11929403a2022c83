/**
 * What a backend implements: memory (`Storage`), a table of rules that turn ops into plans (`Rule`), and a `Driver` that holds both.
 * `createDevice` (create-device.ts) makes a `Device` of a driver.
 */
import type { Device, DeviceInfo, DeviceLimits, PlanOptions } from "./device.ts";
import type { RadarError } from "./errors.ts";
import type { Uniforms } from "./hooks.ts";
import type { Layout, TypedArrayOf } from "./layout.ts";
import type { Cost } from "./ops/row.ts";
import type { Op } from "./ops/table.ts";
import type { Pause } from "./pause.ts";

/** Memory of one array in a backend. Offsets and lengths count scalars, not elements. */
export interface Storage {
  /**
   * Queues a copy of `data` to `offset`. The caller may change `data` after the call. If the copy can fail later, returns a promise that
   * rejects then.
   */
  write(data: TypedArrayOf, offset: number): Promise<void> | undefined;
  /** A copy of `length` scalars from `offset` on, as they are after everything that was queued before. */
  read(offset: number, length: number): Promise<TypedArrayOf>;
  /** The memory itself, if it is the host's. */
  view?(): TypedArrayOf;
  /** Called once, when nothing that is queued uses the memory any more. */
  free(): void;
}

/** What a rule makes of an op. */
export interface PlanBody<S extends Storage> {
  readonly text: string;
  readonly cost: Cost;
  /** Whether a convolution computes the transform (Bluestein, Rader): three transforms instead of one. */
  readonly convolved?: true;
  /** Whether its runs work on the caller's thread. */
  readonly offUnits?: true;
  /** Bytes of arrays that the plan keeps for itself. */
  readonly temporaryBytes?: number;
  /** Queues a run, in order. Resolves when it has finished. Ports are bound and checked. */
  run(ports: Readonly<Record<string, S>>, options: BodyRunOptions): Promise<void>;
  /** Frees what the plan holds besides buffers. */
  dispose?(): void;
}

/** How a plan's body is run. */
export interface BodyRunOptions {
  readonly uniforms: Uniforms;
  /** The units to use, by number. */
  readonly units: readonly number[];
  readonly signal?: AbortSignal;
}

/** What a rule may use while it plans. */
export interface RuleContext {
  readonly device: Device;
  readonly options: Required<Omit<PlanOptions, "signal">>;
  /** Planning must stop when this fires. */
  readonly signal?: AbortSignal;
  /** To be called after every millisecond or so of work. If it returns a promise, await it. */
  readonly pause: Pause;
}

/** One row of a backend's table: turns an op into a plan, or declines. */
export interface Rule<S extends Storage> {
  readonly name: string;
  /** Whether `{ fuse: false }` skips the rule. */
  readonly fused: boolean;
  /** The plan. Undefined if this rule has none for the op. */
  try(op: Op, context: RuleContext): Promise<PlanBody<S> | undefined> | PlanBody<S> | undefined;
}

/** A backend's part of a device; `createDevice` adds checks, order, ownership and lowerings. */
export interface Driver<S extends Storage> {
  readonly id: string;
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly units: number;
  /** Tried in order; the first that does not decline makes the plan. Core lowers what all decline. */
  readonly rules: readonly Rule<S>[];
  /** Resolves with the reason when the device is lost. */
  readonly lost: Promise<RadarError>;
  /** Zeroed memory. Throws `out-of-memory`. */
  allocate(layout: Layout, label: string): S;
  /** Resolves when the device can take more work. */
  ready(): Promise<void>;
  /** Frees everything. What is still queued rejects with `disposed`. */
  close(): void;
}
