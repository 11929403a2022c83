/**
 * How a backend is written. It supplies a `Driver` (memory, a table of rules, a queue) and `createDevice` makes the
 * `Device` of it: checks, ownership, lifetimes, lost devices and the lowering of what no rule takes are here, once, for
 * every backend. A backend may assume that whatever reaches it is valid.
 */
import {
  type CheckedBinding,
  checkArray,
  checkBindings,
  checkSignal,
  checkUniforms,
  checkUnits,
  fieldsOfPlans,
  fieldsOfRuns,
} from "./bindings.ts";
import type { Bindings, Buffer, Device, DeviceInfo, DeviceLimits, Plan, PlanOptions, Run, RunOptions, Span } from "./device.ts";
import { asRadarError, describe, layoutError, RadarError, throwIfAborted } from "./errors.ts";
import { checkFields, checkObject } from "./fields.ts";
import { asHostError } from "./host-memory.ts";
import {
  byteLength,
  checkLayout,
  type DType,
  dtypes,
  elementCount,
  formatLayout,
  isArrayOf,
  isWhole,
  type Layout,
  sameLayout,
  scalarCount,
  type TypedArrayOf,
} from "./layout.ts";
import { lower } from "./lower.ts";
import type { Cost, Op, Uniforms } from "./op.ts";
import { createPause, type Pause } from "./pause.ts";
import { formatOp, isTransform, portsOf, transformLength, uniformsOf } from "./ports.ts";
import { setPreparation } from "./prepare.ts";
import { compile } from "./program.ts";
import { checkLength, validateOp } from "./validate.ts";

/** Memory of one array in a backend. Offsets and lengths are in numbers, not elements. */
export interface Storage {
  /** Queues a copy of `data` at `offset`; `data` may change after the call. Where it may fail later, what is returned rejects then. */
  write(data: TypedArrayOf, offset: number): Promise<void> | undefined;
  /** A copy of `length` numbers from `offset` on, as of what was queued before. */
  read(offset: number, length: number): Promise<TypedArrayOf>;
  /** The memory itself, where that is the host's. */
  view?(): TypedArrayOf;
  /** Called once, when nothing queued uses it any more. */
  free(): void;
}

/** What a rule makes of an op. */
export interface PlanBody<S extends Storage> {
  readonly text: string;
  readonly cost: Cost;
  /** Whether its runs are the caller's thread's. */
  readonly offUnits?: true;
  /** Bytes of arrays that the plan keeps for itself. */
  readonly temporaryBytes?: number;
  /** Queues a run, in order, and tells when it has finished. Ports are bound and checked. */
  run(
    ports: Readonly<Record<string, S>>,
    options: { readonly uniforms: Uniforms; readonly units: readonly number[]; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** Frees what the plan holds besides buffers. */
  dispose?(): void;
}

/** What a rule may ask while it plans. */
export interface RuleContext {
  readonly device: Device;
  readonly options: Required<Omit<PlanOptions, "signal">>;
  /** Planning is to stop when this fires. */
  readonly signal?: AbortSignal;
  /** To be called between pieces of work of a millisecond or so, and awaited where it returns something. */
  readonly pause: Pause;
}

/** One row of a backend's table: turns an op into a plan, or declines. */
export interface Rule<S extends Storage> {
  readonly name: string;
  /** Whether the rule is skipped for `{ fuse: false }`. */
  readonly fused: boolean;
  /** The plan, or nothing where this rule has none for the operation. */
  try(op: Op, context: RuleContext): Promise<PlanBody<S> | undefined> | PlanBody<S> | undefined;
}

/** What a backend has to bring; `createDevice` adds checks, order, ownership and the lowerings. */
export interface Driver<S extends Storage> {
  readonly id: string;
  readonly info: DeviceInfo;
  readonly limits: DeviceLimits;
  readonly units: number;
  /** Tried in order, first taker wins; core's lowerings come after the last. */
  readonly rules: readonly Rule<S>[];
  readonly lost: Promise<RadarError>;
  /** Zeroed memory. Throws `out-of-memory`. */
  allocate(layout: Layout, label: string): S;
  /** Settles when the device can take more work. */
  ready(): Promise<void>;
  /** Lets go of everything; what is still queued rejects with `disposed`. */
  close(): void;
}

interface Held<S> {
  readonly storage: S;
  readonly label: string;
  pending: number;
  disposed: boolean;
  freed: boolean;
  /**
   * Whether what the array holds, as of what was queued so far, can be trusted: resolves with the error of the run that
   * should have written it, or with nothing. Replaced by whatever writes it, so that each reader sees its own past.
   */
  content: Promise<RadarError | undefined>;
}

const sound: Promise<undefined> = Promise.resolve(undefined);

/** The device of a backend's driver: validation, lifetimes, order of work, and core's lowerings after the driver's rules. */
export function createDevice<S extends Storage>(driver: Driver<S>): Device {
  const held = new WeakMap<Buffer, Held<S>>();
  const live = new Set<Buffer>();
  const plans = new Set<Plan>();
  /** Outcomes of runs that have not settled. */
  const running = new Set<Promise<unknown>>();
  let liveBytes = 0;
  let peakBytes = 0;
  let state: "open" | "disposed" | RadarError = "open";
  driver.lost.then((error) => {
    if (state === "open") state = error;
  });

  const assertOpen = (): void => {
    if (state === "disposed") throw new RadarError("disposed", `device ${driver.id} was disposed`, { device: driver.id });
    if (state !== "open") throw new RadarError("device-lost", state.message, { device: driver.id }, state);
  };

  const release = (buffer: Buffer, h: Held<S>): void => {
    if (!h.disposed || h.freed || h.pending > 0) return;
    h.freed = true;
    liveBytes -= byteLength(buffer.layout);
    live.delete(buffer);
    h.storage.free();
  };

  const usable = (h: Held<S>): void => {
    if (h.disposed) throw new RadarError("disposed", `buffer ${h.label} was disposed`, { buffer: h.label });
    assertOpen();
  };

  function alloc<D extends DType>(layout: Layout<D>, given?: string): Buffer<D> {
    assertOpen();
    checkLayout(layout, "layout");
    const label = given ?? formatLayout(layout);
    if (typeof label !== "string") throw layoutError("label", "a string", label);
    checkArray(layout, "layout", driver);
    const size = byteLength(layout);
    const fixed: Layout<D> = { dtype: layout.dtype, shape: Object.freeze([...layout.shape]) };
    const h: Held<S> = { storage: driver.allocate(fixed, label), label, pending: 0, disposed: false, freed: false, content: sound };
    const components = dtypes[layout.dtype].components;
    const buffer: Buffer<D> = {
      layout: fixed,
      label,
      write(data, offset = 0) {
        usable(h);
        const expected = dtypes[fixed.dtype].array;
        const fail = (wanted: string, actual: unknown): never => {
          throw new RadarError("layout", `data for ${label} must be ${wanted}, not ${describe(actual)}`, { field: "data", actual });
        };
        if (!isArrayOf(data, expected)) fail(`a ${expected.name} that is not detached`, data);
        const room = isWhole(offset, 0) ? scalarCount(fixed) - offset * components : -1;
        if (data.length > room || data.length % components !== 0)
          fail(`at most ${Math.max(room, 0)} numbers in whole elements from offset ${describe(offset)}`, data.length);
        const before = data.length === scalarCount(fixed) ? sound : h.content;
        try {
          const written = h.storage.write(data, offset * components);
          h.content = written ? firstFailure([before, outcomeOf(label, () => written)]) : before;
        } catch (error) {
          throw asHostError(error, label);
        }
      },
      async read(span: Span = { start: 0, count: elementCount(fixed) }) {
        usable(h);
        checkObject(span, "span");
        const { start, count: wanted } = span;
        if (!isWhole(start, 0) || !isWhole(wanted, 0, elementCount(fixed) - start)) {
          throw new RadarError(
            "layout",
            `span must lie within the ${elementCount(fixed)} elements of ${label}, not ${describe(start)}+${describe(wanted)}`,
            {
              field: "span",
              start,
              count: wanted,
            },
          );
        }
        h.pending += 1;
        const content = h.content;
        try {
          const data = await h.storage.read(start * components, wanted * components);
          const failure = await content;
          if (failure) throw failure;
          return data as TypedArrayOf<D>;
        } catch (error) {
          throw asHostError(error, label);
        } finally {
          h.pending -= 1;
          release(buffer as Buffer, h);
        }
      },
      [Symbol.dispose]() {
        if (h.disposed) return;
        h.disposed = true;
        release(buffer as Buffer, h);
      },
    };
    if (h.storage.view) {
      buffer.view = () => {
        usable(h);
        return h.storage.view?.() as TypedArrayOf<D>;
      };
    }
    held.set(buffer as Buffer, h);
    live.add(buffer as Buffer);
    liveBytes += size;
    peakBytes = Math.max(peakBytes, liveBytes);
    return buffer;
  }

  async function plan(op: Op, options: PlanOptions = {}): Promise<Plan> {
    assertOpen();
    validateOp(op);
    checkFields(options, fieldsOfPlans, "options of a plan", "layout");
    const { signal } = options;
    checkSignal(signal);
    const paused = createPause("planning", signal);
    const pause: Pause = () => {
      assertOpen();
      return paused();
    };
    const full: RuleContext["options"] = { fuse: options.fuse ?? true, inPlace: options.inPlace ?? false };
    const ports = portsOf(op);
    for (const [name, port] of Object.entries(ports)) checkArray(port.layout, name, driver);
    if (isTransform(op)) checkLength(transformLength(op), driver.limits.maxTransformLength, ` on device ${driver.id}`);
    if (full.inPlace && !(ports["in"] && ports["out"] && sameLayout(ports["in"].layout, ports["out"].layout))) {
      throw new RadarError("layout", `inPlace needs ports in and out of one layout: ${formatOp(op)}`, { field: "inPlace" });
    }
    if (full.inPlace && op.op === "kernel" && !op.elementwise) {
      throw new RadarError("layout", `inPlace needs an elementwise kernel, which ${op.name} is not`, { field: "inPlace" });
    }
    throwIfAborted(signal, "planning");
    const context: RuleContext = { device, options: full, pause, ...(signal && { signal }) };
    for (const rule of driver.rules) {
      if (rule.fused && !full.fuse) continue;
      const body = await tried(rule, op, context);
      if (body === undefined) continue;
      // The rule may not have looked at the signal since it fired.
      if (signal?.aborted) body.dispose?.();
      throwIfAborted(signal, "planning");
      const execute: Execute = (bound, run) => body.run(Object.fromEntries(bound.map(([name, , { storage }]) => [name, storage])), run);
      const own = body.temporaryBytes ?? 0;
      liveBytes += own;
      peakBytes = Math.max(peakBytes, liveBytes);
      return track(op, full, body, execute, () => {
        liveBytes -= own;
        body.dispose?.();
      });
    }
    const program = lower(op);
    if (!program) throw new RadarError("unsupported", `device ${driver.id} can't do ${formatOp(op)}`, { device: driver.id, op: op.op });
    const compiled = await compile(program, device, { ...full, ...(signal && { signal }) });
    const execute: Execute = (bound, run) => compiled.run(Object.fromEntries(bound), run).done;
    const lowered: PlanFacts = {
      text: `(${op.op}/lowered ${compiled.text})`,
      cost: compiled.cost,
      ...(compiled.stages.some((stage) => stage.plan.offUnits) && { offUnits: true }),
    };
    return track(op, full, lowered, execute, () => compiled[Symbol.dispose]());
  }

  type Execute = (
    bound: readonly CheckedBinding<Held<S>>[],
    options: { uniforms: Uniforms; units: readonly number[]; signal?: AbortSignal },
  ) => Promise<void>;

  type PlanFacts = Pick<Plan, "text" | "cost" | "offUnits">;

  function track(op: Op, options: RuleContext["options"], facts: PlanFacts, execute: Execute, disposeBody: () => void): Plan {
    const { text, cost, offUnits } = facts;
    const ports = portsOf(op);
    const uniformTypes = uniformsOf(op);
    let disposed = false;
    let pending = 0;
    const releaseBody = (): void => {
      if (disposed && pending === 0) disposeBody();
    };
    try {
      assertOpen();
    } catch (error) {
      disposeBody();
      throw error;
    }
    const made: Plan = {
      op,
      text,
      cost,
      ...(offUnits && { offUnits }),
      run: (bindings, runOptions = {}) => prepare(bindings, runOptions)(),
      [Symbol.dispose]() {
        if (disposed) return;
        disposed = true;
        plans.delete(made);
        releaseBody();
      },
    };
    const prepare = (bindings: Bindings, runOptions: RunOptions) => {
      if (disposed) throw new RadarError("disposed", `plan ${text} was disposed`, { plan: text });
      assertOpen();
      checkFields(runOptions, fieldsOfRuns, "options of a run", "layout");
      checkSignal(runOptions.signal);
      const units = checkUnits(runOptions, driver.units);
      const uniforms = checkUniforms(uniformTypes, runOptions.uniforms);
      const buffers = checkBindings(ports, bindings, options.inPlace, held);
      const { signal } = runOptions;
      return (): Run => {
        // A run whose input an earlier run failed to write computes nothing of worth.
        const sources = buffers.filter(([name]) => ports[name].access !== "write").map(([, , h]) => h.content);
        for (const [, , h] of buffers) h.pending += 1;
        pending += 1;
        const own = outcomeOf(text, () => execute(buffers, { uniforms, units, ...(signal && { signal }) }));
        const outcome = firstFailure([own, ...sources]).then((failure) => {
          for (const [, buffer, h] of buffers) {
            h.pending -= 1;
            release(buffer, h);
          }
          pending -= 1;
          releaseBody();
          return failure;
        });
        running.add(outcome);
        outcome.then(() => running.delete(outcome));
        for (const [name, , h] of buffers) if (ports[name].access !== "read") h.content = outcome;
        const done = outcome.then((failure) => {
          if (failure) throw failure;
        });
        done.catch(() => {});
        return { done };
      };
    };
    setPreparation(made, prepare);
    plans.add(made);
    return made;
  }

  const device: Device = {
    id: driver.id,
    info: driver.info,
    limits: driver.limits,
    units: driver.units,
    lost: driver.lost,
    alloc,
    plan,
    async ready() {
      assertOpen();
      const queued = [...running];
      await driver.ready();
      await Promise.all(queued);
    },
    memory: () => ({ buffers: live.size, bytes: liveBytes, peakBytes, plans: plans.size }),
    [Symbol.dispose]() {
      if (state === "disposed") return;
      for (const p of [...plans]) p[Symbol.dispose]();
      for (const b of [...live]) b[Symbol.dispose]();
      state = "disposed";
      driver.close();
    },
  };
  return device;
}

async function tried<S extends Storage>(rule: Rule<S>, op: Op, context: RuleContext): Promise<PlanBody<S> | undefined> {
  try {
    return await rule.try(op, context);
  } catch (error) {
    throw asHostError(error, formatOp(op));
  }
}

/** Waits for all. */
const firstFailure = async (outcomes: readonly Promise<RadarError | undefined>[]): Promise<RadarError | undefined> =>
  (await Promise.all(outcomes)).find((failure) => failure !== undefined);

/** Why `work` failed, if it did. */
async function outcomeOf(what: string, work: () => Promise<void>): Promise<RadarError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    return asRadarError(error, what);
  }
}
