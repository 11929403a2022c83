/**
 * Runs one op on one device, from host arrays to host arrays. Arrays that the op writes are first filled with a mark, so that elements
 * that a plan does not write show. Everything is freed.
 */
import {
  type Buffer,
  type Device,
  type DType,
  dtypes,
  type Layout,
  layout,
  type Op,
  type PlanOptions,
  portsOf,
  scalarCount,
  type TypedArrayOf,
  typedArray,
  type Uniforms,
} from "@dechirp/core";
import { fail, settles } from "./assert.ts";

/** Options of `runOp`: how the op is planned, and its uniforms. */
export interface OpOptions extends PlanOptions {
  readonly uniforms?: Uniforms;
}

/** The result of `runOp`. */
export interface OpResult {
  /** The arrays at all ports that were written, by name. */
  readonly outputs: Readonly<Record<string, TypedArrayOf>>;
  /** The array at port `out`. */
  readonly out: TypedArrayOf;
  readonly text: string;
  /** Whether a convolution computed the transform. */
  readonly convolved: boolean;
}

/** An array filled with the mark for unwritten elements: NaN, or 85 for integers. */
export function marked<D extends DType>(shape: Layout<D>): TypedArrayOf<D> {
  return typedArray(shape.dtype, scalarCount(shape)).fill(dtypes[shape.dtype].float ? Number.NaN : 85) as TypedArrayOf<D>;
}

/**
 * Plans and runs `op`. `inputs` holds the arrays of all ports that are read or updated. With `inPlace`, `out` is bound to the buffer of
 * `in`.
 */
export async function runOp(
  device: Device,
  op: Op,
  inputs: Readonly<Record<string, TypedArrayOf>>,
  options: OpOptions = {},
): Promise<OpResult> {
  const { uniforms, ...planOptions } = options;
  const buffers: Record<string, Buffer> = {};
  using plan = await device.plan(op, planOptions);
  try {
    const ports = portsOf(op);
    for (const [name, port] of Object.entries(ports)) {
      if (options.inPlace && name === "out") continue;
      buffers[name] = device.alloc(port.layout, name);
      buffers[name].write(port.access === "write" ? marked(port.layout) : (inputs[name] ?? fail(`the check gives no ${name}`)));
    }
    if (options.inPlace) buffers["out"] = buffers["in"];
    const { done } = plan.run(buffers, uniforms ? { uniforms } : {});
    const outputs: Record<string, TypedArrayOf> = {};
    for (const [name, port] of Object.entries(ports)) {
      if (port.access !== "read") outputs[name] = await settles(buffers[name].read(), `reading ${name} of ${plan.text}`);
    }
    await settles(done, plan.text);
    return { outputs, out: outputs["out"], text: plan.text, convolved: plan.convolved === true };
  } finally {
    for (const buffer of new Set(Object.values(buffers))) buffer[Symbol.dispose]();
  }
}

/** Allocates an array on the device and writes `data` to it. */
export function upload<D extends DType>(device: Device, shape: Layout<D>, data: TypedArrayOf<D>, label?: string): Buffer<D> {
  const buffer = device.alloc(shape, label);
  buffer.write(data);
  return buffer;
}

/** The complex element types that the device supports. */
export const complexTypes = (device: Device): ("c64" | "c128")[] =>
  (["c64", "c128"] as const).filter((d) => device.limits.dtypes.includes(d));

/** A c64 layout. */
export const c64 = (...shape: number[]): Layout<"c64"> => layout("c64", shape);
