/**
 * What a backend implements: memory (`Storage`), rules that turn ops into plans (`Rule`), and a `Driver` that holds both. `createDevice`
 * (create-device.ts) makes a `Device` from a driver.
 */
import type { Device, DeviceInfo, DeviceLimits, PlanOptions } from "./device.ts";
import type { RadarError } from "./errors.ts";
import type { Uniforms } from "./hooks.ts";
import type { Layout, TypedArrayOf } from "./layout.ts";
import type { Cost } from "./ops/row.ts";
import type { Op } from "./ops/table.ts";
import type { Pause } from "./pause.ts";

/** The memory of one array in a backend. Offsets and lengths count scalars, not elements. */
export interface Storage {
  /**
   * Queues a copy of `data` to `offset`. The caller may change `data` after the call. If the copy can fail later, returns a promise that
   * rejects then.
   */
  write(data: TypedArrayOf, offset: number): Promise<void> | undefined;
  /** Fills `target` with the scalars from `offset` on, as they are after everything that was queued before. */
  read(offset: number, target: TypedArrayOf): Promise<void>;
  /**
   * Calls `use` with `length` scalars as `read` would give them, in memory that is valid until its promise has settled, and settles as it does.
   * If it is absent, or returns undefined because it can't lend these, `use` gets a copy.
   */
  borrow?(offset: number, length: number, use: (data: TypedArrayOf) => Promise<void>): Promise<void> | undefined;
  /** The memory itself. Present only if arrays are in host memory. */
  view?(): TypedArrayOf;
  /** Frees the memory. Core calls it once, when no queued work uses the memory any more. */
  free(): void;
}

/** The implementation of one op, which a rule makes. */
export interface PlanBody<S extends Storage> {
  /** Description for people; becomes `Plan.text`. */
  readonly text: string;
  /** Predicted cost of one run. */
  readonly cost: Cost;
  /** Whether a convolution computes the transform (Bluestein, Rader): three transforms instead of one. */
  readonly convolved?: true;
  /** Whether runs work on the caller's thread, whatever units they are given. */
  readonly offUnits?: true;
  /** Bytes of temporary arrays that the plan holds. Default: 0. */
  readonly temporaryBytes?: number;
  /**
   * Queues a run after all work that is queued already. Resolves when it has finished. `ports` holds the storage of every port; core has
   * checked it.
   */
  run(ports: Readonly<Record<string, S>>, options: BodyRunOptions): Promise<void>;
  /** Frees everything that the plan holds. */
  dispose?(): void;
}

/** Options of one run, checked by core. */
export interface BodyRunOptions {
  /** Values of all uniforms that the op declares. */
  readonly uniforms: Uniforms;
  /** Indices of the units to use. */
  readonly units: readonly number[];
  readonly signal?: AbortSignal;
}

/** What a rule is given for planning. */
export interface RuleContext {
  readonly device: Device;
  readonly options: Required<Pick<PlanOptions, "fuse" | "inPlace">> & Pick<PlanOptions, "variant">;
  /** The rule must stop planning when this fires. */
  readonly signal?: AbortSignal;
  /** Call it after every millisecond or so of work. If it returns a promise, await it. */
  readonly pause: Pause;
}

/** One row of a backend's table. A rule makes a plan of an op or declines it. */
export interface Rule<S extends Storage> {
  /** Name of the rule for messages and tests. */
  readonly name: string;
  /** Whether the rule fuses several steps. Planning with `{ fuse: false }` skips such rules. */
  readonly fused: boolean;
  /** Makes a plan of the op. Returns undefined to decline the op. */
  try(op: Op, context: RuleContext): Promise<PlanBody<S> | undefined> | PlanBody<S> | undefined;
}

/** The backend's part of a device. `createDevice` adds checks, ordering, ownership and lowering. */
export interface Driver<S extends Storage> {
  readonly id: string;
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly units: number;
  /** The rules in order of preference. The first one that does not decline makes the plan. Core lowers an op that all rules decline. */
  readonly rules: readonly Rule<S>[];
  /** Names of the variants of transforms that its rules know. Default: none. */
  readonly variants?: readonly string[];
  /** Resolves with the reason when the device is lost. */
  readonly lost: Promise<RadarError>;
  /** Allocates memory, filled with zeros. Throws `out-of-memory`. */
  allocate(layout: Layout, label: string): S;
  /**
   * The memory of a part of an array, for runs: `layout` from scalar `start` of `whole` on. It is used until `whole` is freed, and is never
   * freed, read or written itself but by runs. Default: `Buffer.part` throws `unsupported`.
   */
  part?(whole: S, start: number, layout: Layout, label: string): S;
  /** Resolves when the device can take more work. */
  ready(): Promise<void>;
  /** Frees everything. Work that is still queued rejects with `disposed`. */
  close(): void;
}
