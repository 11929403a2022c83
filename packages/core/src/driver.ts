/**
 * How a backend is written. It supplies a `Driver` (memory, a table of rules, a queue) and `createDevice` makes the
 * `Device` of it: checks, ownership, lifetimes, lost devices and the lowering of what no rule takes are here, once, for
 * every backend. A backend may assume that whatever reaches it is valid.
 */
import type { Bindings, Buffer, Device, DeviceInfo, DeviceLimits, Plan, PlanOptions, Run, RunOptions, Span } from "./device.ts";
import { describe, RadarError } from "./errors.ts";
import { bytes, checkLayout, count, type DType, dtypes, type Layout, layoutText, numbers, sameLayout, type TypedArrayOf } from "./layout.ts";
import { lower } from "./lower.ts";
import type { Cost, Op, Uniforms } from "./op.ts";
import { opText, portsOf, uniformsOf } from "./ports.ts";
import { compile } from "./program.ts";
import { validateOp } from "./validate.ts";

/** Memory of one array in a backend. Offsets and lengths are in numbers, not elements. */
export interface Storage {
  /** Queues a copy of `data` at `offset`; `data` may change after the call. */
  write(data: TypedArrayOf, offset: number): void;
  /** A copy of `length` numbers from `offset` on, as of what was queued before. */
  read(offset: number, length: number): Promise<TypedArrayOf>;
  view?(): TypedArrayOf;
  /** Called once, when nothing queued uses it any more. */
  free(): void;
}

/** What a rule makes of an op. */
export interface PlanBody<S extends Storage> {
  readonly text: string;
  readonly cost: Cost;
  /** Queues a run, in order, and tells when it has finished. Ports are bound and checked. */
  run(ports: Readonly<Record<string, S>>, options: { readonly uniforms: Uniforms; readonly units: readonly number[]; readonly signal?: AbortSignal }): Promise<void>;
  dispose?(): void;
}

export interface RuleContext {
  readonly device: Device;
  readonly options: Required<PlanOptions>;
}

/** One row of a backend's table: turns an op into a plan, or declines. */
export interface Rule<S extends Storage> {
  readonly name: string;
  /** Whether the rule is skipped for `{ fuse: false }`. */
  readonly fused: boolean;
  try(op: Op, context: RuleContext): Promise<PlanBody<S> | undefined> | PlanBody<S> | undefined;
}

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
  /** Why the content can't be trusted: the error of a run that should have written it. */
  failure: RadarError | undefined;
  /** Counts whole overwrites, so that an older run that fails late does not taint newer content. */
  epoch: number;
}

export function createDevice<S extends Storage>(driver: Driver<S>): Device {
  const held = new Map<Buffer, Held<S>>();
  const plans = new Set<Plan>();
  let liveBuffers = 0;
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
    liveBuffers -= 1;
    liveBytes -= bytes(buffer.layout);
    held.delete(buffer);
    h.storage.free();
  };

  const usable = (h: Held<S>): void => {
    if (h.disposed) throw new RadarError("disposed", `buffer ${h.label} was disposed`, { buffer: h.label });
    assertOpen();
  };

  function alloc<D extends DType>(layout: Layout<D>, label = layoutText(layout)): Buffer<D> {
    assertOpen();
    checkLayout(layout, "layout");
    if (!driver.limits.dtypes.includes(layout.dtype)) {
      throw new RadarError("unsupported", `device ${driver.id} has no arrays of ${layout.dtype}`, { device: driver.id, dtype: layout.dtype });
    }
    const size = bytes(layout);
    if (size > driver.limits.maxBufferBytes) {
      throw new RadarError("limit", `${layoutText(layout)} needs ${size} bytes, device ${driver.id} allows ${driver.limits.maxBufferBytes}`, {
        field: "layout",
        limit: driver.limits.maxBufferBytes,
        actual: size,
      });
    }
    const fixed: Layout<D> = { dtype: layout.dtype, shape: Object.freeze([...layout.shape]) };
    const h: Held<S> = { storage: driver.allocate(fixed, label), label, pending: 0, disposed: false, freed: false, failure: undefined, epoch: 0 };
    const components = dtypes[layout.dtype].components;
    const buffer: Buffer<D> = {
      layout: fixed,
      label,
      write(data, offset = 0) {
        usable(h);
        const expected = dtypes[layout.dtype].array;
        if (!(data instanceof expected)) {
          throw new RadarError("layout", `data for ${label} must be a ${expected.name}, not ${describe(data)}`, { field: "data", expected: expected.name });
        }
        const room = numbers(fixed) - offset * components;
        if (!Number.isInteger(offset) || offset < 0 || data.length > room || data.length % components !== 0) {
          throw new RadarError("layout", `data for ${label} must be at most ${Math.max(room, 0)} numbers in whole elements from element ${offset}, not ${data.length}`, {
            field: "data",
            offset,
            room,
            actual: data.length,
          });
        }
        if (data.length === numbers(fixed)) {
          h.failure = undefined;
          h.epoch += 1;
        }
        h.storage.write(data, offset * components);
      },
      async read(span: Span = { start: 0, count: count(fixed) }) {
        usable(h);
        const { start, count: wanted } = span;
        if (!Number.isInteger(start) || !Number.isInteger(wanted) || start < 0 || wanted < 0 || start + wanted > count(fixed)) {
          throw new RadarError("layout", `span must lie within the ${count(fixed)} elements of ${label}, not ${start}+${wanted}`, { field: "span", start, count: wanted });
        }
        h.pending += 1;
        try {
          const data = await h.storage.read(start * components, wanted * components);
          if (h.failure) throw h.failure;
          return data as TypedArrayOf<D>;
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
    liveBuffers += 1;
    liveBytes += size;
    peakBytes = Math.max(peakBytes, liveBytes);
    return buffer;
  }

  async function plan(op: Op, options: PlanOptions = {}): Promise<Plan> {
    assertOpen();
    validateOp(op);
    const full: Required<PlanOptions> = { fuse: options.fuse ?? true, inPlace: options.inPlace ?? false };
    const ports = portsOf(op);
    for (const [name, port] of Object.entries(ports)) {
      if (!driver.limits.dtypes.includes(port.layout.dtype)) {
        throw new RadarError("unsupported", `device ${driver.id} has no arrays of ${port.layout.dtype} (port ${name})`, { device: driver.id, port: name, dtype: port.layout.dtype });
      }
    }
    if (full.inPlace && !(ports["in"] && ports["out"] && sameLayout(ports["in"].layout, ports["out"].layout))) {
      throw new RadarError("layout", `inPlace needs ports in and out of one layout: ${opText(op)}`, { field: "inPlace" });
    }
    if (full.inPlace && op.op === "kernel" && !op.elementwise) {
      throw new RadarError("layout", `inPlace needs an elementwise kernel, which ${op.name} is not`, { field: "inPlace" });
    }
    const context: RuleContext = { device, options: full };
    for (const rule of driver.rules) {
      if (rule.fused && !full.fuse) continue;
      const body = await rule.try(op, context);
      if (body === undefined) continue;
      try {
        assertOpen();
      } catch (error) {
        body.dispose?.();
        throw error;
      }
      const execute: Execute = (bindings, run) =>
        body.run(Object.fromEntries(Object.entries(bindings).map(([name, b]) => [name, (held.get(b) as Held<S>).storage])), run);
      return track(op, full, body.text, body.cost, execute, () => body.dispose?.());
    }
    const program = lower(op);
    if (!program) throw new RadarError("unsupported", `device ${driver.id} can't do ${opText(op)}`, { device: driver.id, op: op.op });
    const compiled = await compile(program, device, full);
    return track(op, full, `(${op.op}/lowered ${compiled.text})`, compiled.cost, (bindings, run) => compiled.run(bindings, run).done, () => compiled[Symbol.dispose]());
  }

  type Execute = (bindings: Bindings, options: { uniforms: Uniforms; units: readonly number[]; signal?: AbortSignal }) => Promise<void>;

  function track(op: Op, options: Required<PlanOptions>, text: string, cost: Cost, execute: Execute, disposeBody: () => void): Plan {
    const ports = portsOf(op);
    const uniformTypes = uniformsOf(op);
    let disposed = false;
    let pending = 0;
    const releaseBody = (): void => {
      if (disposed && pending === 0) disposeBody();
    };
    const made: Plan = {
      op,
      text,
      cost,
      run(bindings, runOptions = {}): Run {
        if (disposed) throw new RadarError("disposed", `plan ${text} was disposed`, { plan: text });
        assertOpen();
        const units = checkUnits(runOptions, driver.units);
        const uniforms = checkUniforms(uniformTypes, runOptions.uniforms ?? {});
        const buffers = checkBindings(ports, bindings, options.inPlace, held);
        const read = buffers.filter(([name]) => ports[name].access !== "write").map(([, , h]) => h);
        const written = buffers.filter(([name]) => ports[name].access !== "read").map(([, , h]) => ({ h, epoch: h.epoch }));
        for (const [, , h] of buffers) h.pending += 1;
        pending += 1;
        const signal = runOptions.signal;
        const settle = (failure: RadarError | undefined): void => {
          for (const { h, epoch } of written) if (h.epoch === epoch) h.failure = failure;
          for (const [, buffer, h] of buffers) {
            h.pending -= 1;
            release(buffer, h);
          }
          pending -= 1;
          releaseBody();
        };
        const finish = (error: RadarError | undefined): void => {
          // A run whose input an earlier run failed to write has computed nothing of worth.
          const failure = error ?? read.find((h) => h.failure)?.failure;
          settle(failure);
          if (failure) throw failure;
        };
        const done = execute(bindings, signal ? { uniforms, units, signal } : { uniforms, units }).then(() => finish(undefined), finish);
        done.catch(() => {});
        return { done };
      },
      [Symbol.dispose]() {
        if (disposed) return;
        disposed = true;
        plans.delete(made);
        releaseBody();
      },
    };
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
      await driver.ready();
    },
    memory: () => ({ buffers: liveBuffers, bytes: liveBytes, peakBytes, plans: plans.size }),
    [Symbol.dispose]() {
      if (state === "disposed") return;
      for (const p of [...plans]) p[Symbol.dispose]();
      for (const b of [...held.keys()]) b[Symbol.dispose]();
      state = "disposed";
      driver.close();
    },
  };
  return device;
}

type CheckedBinding<S> = readonly [port: string, buffer: Buffer, held: Held<S>];

function checkBindings<S>(ports: ReturnType<typeof portsOf>, bindings: Bindings, inPlace: boolean, held: ReadonlyMap<Buffer, Held<S>>): CheckedBinding<S>[] {
  const fail = (port: string, message: string): never => {
    throw new RadarError("layout", message, { port });
  };
  for (const name of Object.keys(bindings)) {
    if (!Object.hasOwn(ports, name)) fail(name, `there is no port ${name}; the ports are ${Object.keys(ports).join(", ")}`);
  }
  const checked = Object.entries(ports).map(([name, port]): CheckedBinding<S> => {
    const buffer = bindings[name];
    if (!buffer) return fail(name, `port ${name} is not bound; it takes ${layoutText(port.layout)}`);
    const h = held.get(buffer);
    if (!h) return fail(name, `port ${name} is bound to a buffer of another device, or to one that is gone`);
    if (h.disposed) throw new RadarError("disposed", `buffer ${h.label} at port ${name} was disposed`, { port: name, buffer: h.label });
    if (!sameLayout(buffer.layout, port.layout)) fail(name, `port ${name} takes ${layoutText(port.layout)}, not ${layoutText(buffer.layout)}`);
    return [name, buffer, h];
  });
  checked.forEach(([a, buffer], i) => {
    for (const [b, other] of checked.slice(i + 1)) {
      if (buffer !== other || (ports[a].access === "read" && ports[b].access === "read")) continue;
      const allowed = inPlace && ((a === "in" && b === "out") || (a === "out" && b === "in"));
      if (!allowed) fail(b, `ports ${a} and ${b} are bound to one buffer${inPlace ? "" : "; a plan made with inPlace may bind in and out to one"}`);
    }
  });
  return checked;
}

function checkUniforms(types: ReturnType<typeof uniformsOf>, given: Uniforms): Uniforms {
  for (const name of Object.keys(given)) {
    if (!Object.hasOwn(types, name)) throw new RadarError("layout", `there is no uniform ${name}`, { field: `uniforms.${name}` });
  }
  for (const [name, type] of Object.entries(types)) {
    const value = given[name];
    const sound = typeof value === "number" && (type === "f32" ? Number.isFinite(value) : Number.isInteger(value) && (type === "i32" || value >= 0));
    if (!sound) throw new RadarError("layout", `uniform ${name} must be a value of ${type}, not ${describe(value)}`, { field: `uniforms.${name}`, expected: type });
  }
  return given;
}

function checkUnits(options: RunOptions, available: number): readonly number[] {
  const units = options.units ?? Array.from({ length: available }, (_, i) => i);
  const sound = units.length > 0 && new Set(units).size === units.length && units.every((u) => Number.isInteger(u) && u >= 0 && u < available);
  if (!sound) throw new RadarError("layout", `units must be distinct and within 0 to ${available - 1}, not ${describe([...units])}`, { field: "units", available });
  return units;
}
