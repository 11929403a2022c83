/**
 * Checks of the arguments of a device's functions: buffers, uniforms and units of a run, and the size of an array. The checks return
 * copies, so that later changes by the caller have no effect. Errors name the port or the field.
 */
import { assertAlive, type BufferState, overlap } from "./array-state.ts";
import type { Bindings, Buffer, DeviceLimits, PlanOptions, RunOptions } from "./device.ts";
import { describe, layoutError, RadarError } from "./errors.ts";
import { checkNames, type FieldsOf, hasMethod } from "./fields.ts";
import type { Uniforms, UniformTypes } from "./hooks.ts";
import { byteLength, formatLayout, type Layout, sameLayout, wholesOf } from "./layout.ts";
import type { Ports } from "./ops/row.ts";

/** The fields of `PlanOptions`, for checks. */
export const fieldsOfPlans: FieldsOf<PlanOptions> = { fuse: "boolean", inPlace: "boolean", variant: "string", signal: true };
/** The fields of `RunOptions`, for checks. */
export const fieldsOfRuns: FieldsOf<RunOptions> = { units: true, uniforms: true, signal: true };

/** Throws, naming `field`, if the device does not support arrays of this element type (`unsupported`) or size (`limit`). */
export function checkArray(layout: Layout, field: string, { id, limits }: { readonly id: string; readonly limits: DeviceLimits }): void {
  const { dtype } = layout;
  if (!limits.dtypes.includes(dtype))
    throw new RadarError("unsupported", `device ${id} does not support arrays of ${dtype} (${field})`, { device: id, field, dtype });
  const size = byteLength(layout);
  if (size <= limits.maxBufferBytes) return;
  throw new RadarError("limit", `${formatLayout(layout)} needs ${size} bytes, device ${id} allows ${limits.maxBufferBytes}`, {
    field,
    limit: limits.maxBufferBytes,
    actual: size,
  });
}

/** A port, the buffer bound to it, and the device's state of that buffer. */
export type CheckedBinding<H> = readonly [port: string, buffer: Buffer, state: H];

/**
 * Checks that every port is bound to a buffer of this device with the right layout, and that ports share a buffer only if that is
 * allowed. Throws `layout` or `disposed`.
 */
export function checkBindings<H extends BufferState<unknown>>(
  ports: Ports,
  bindings: Bindings,
  inPlace: boolean,
  states: WeakMap<Buffer, H>,
): CheckedBinding<H>[] {
  const fail = (port: string, message: string): never => {
    throw new RadarError("layout", message, { port });
  };
  checkNames(bindings, ports, "port", "bindings");
  const checked = Object.entries(ports).map(([name, port]): CheckedBinding<H> => {
    const buffer = bindings[name];
    if (!buffer) return fail(name, `port ${name} is not bound; it takes ${formatLayout(port.layout)}`);
    const h = states.get(buffer);
    if (!h)
      return fail(
        name,
        `port ${name} must be bound to a buffer of this device, not ${buffer.layout ? "one of another device" : describe(buffer)}`,
      );
    assertAlive(h, ` at port ${name}`, { port: name });
    if (!sameLayout(buffer.layout, port.layout))
      fail(name, `port ${name} takes ${formatLayout(port.layout)}, not ${formatLayout(buffer.layout)}`);
    return [name, buffer, h];
  });
  checked.forEach(([a, buffer, h], i) => {
    for (let j = i + 1; j < checked.length; j++) {
      const [b, other] = checked[j];
      if (ports[a].access === "read" && ports[b].access === "read") continue;
      const common = overlap(buffer, other);
      if (!common) continue;
      if (common !== "all" || !inPlace || !isInOut(a, b))
        fail(
          b,
          `ports ${a} and ${b} are bound to ${sharing(common)}${inPlace ? "" : "; a plan made with inPlace may bind in and out to one"}`,
        );
      // Two buffers may be the same part.
      checked[j] = [b, buffer, h];
    }
  });
  return checked;
}

/** Whether two names are `in` and `out`, which may share a buffer if the plan was made with `inPlace`. */
export const isInOut = (a: string, b: string): boolean => (a === "in" && b === "out") || (a === "out" && b === "in");

/** What two names share, as text. */
export const sharing = (common: "all" | boolean): string => (common === "all" ? "one buffer" : "parts of one buffer that overlap");

/** Checks that `given` has a value of the right type for every uniform. Returns a copy. Throws `layout`. */
export function checkUniforms(types: UniformTypes, given: Uniforms = {}): Uniforms {
  checkNames(given, types, "uniform", "uniforms");
  for (const [name, type] of Object.entries(types)) {
    const value = given[name];
    if (!fits(value, type))
      throw new RadarError("layout", `uniform ${name} must be a value of ${type}, not ${describe(value)}`, {
        field: `uniforms.${name}`,
        expected: type,
      });
  }
  return { ...given };
}

function fits(value: unknown, type: UniformTypes[string]): boolean {
  if (typeof value !== "number") return false;
  if (type === "f32") return Number.isFinite(value);
  return value === (type === "i32" ? value | 0 : value >>> 0);
}

/** Throws `layout` unless `signal` is an `AbortSignal` or undefined. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && !hasMethod(signal, "addEventListener")) throw layoutError("signal", "an AbortSignal", signal);
}

/** Checks the option `units`. Returns a copy, or all units by default. Throws `layout`. */
export function checkUnits(options: RunOptions, available: number): readonly number[] {
  const { units = Array.from({ length: available }, (_, i) => i) } = options;
  const checked = wholesOf(units, 0, available - 1);
  if (!checked?.length || new Set(checked).size < checked.length)
    throw new RadarError("layout", `units must be distinct and within 0 to ${available - 1}, not ${describe(units)}`, {
      field: "units",
      available,
    });
  return checked;
}
