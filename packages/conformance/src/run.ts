/**
 * One op on one device, from host arrays to host arrays, for checks. Arrays that are written are filled with a mark first,
 * so that an element which a plan forgets is seen. Everything is freed.
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

export interface OpOptions extends PlanOptions {
  readonly uniforms?: Uniforms;
}

export interface OpResult {
  readonly outputs: Readonly<Record<string, TypedArrayOf>>;
  /** Output of port `out`. */
  readonly out: TypedArrayOf;
  readonly text: string;
  /** Whether a convolution computed the transform. */
  readonly convolved: boolean;
}

/** What unwritten elements hold: NaN, or 85 in integers. */
export function marked<D extends DType>(shape: Layout<D>): TypedArrayOf<D> {
  return typedArray(shape.dtype, scalarCount(shape)).fill(dtypes[shape.dtype].float ? Number.NaN : 85) as TypedArrayOf<D>;
}

/** Runs `op`; `inputs` by port, for `update` ports too. In place, `out` is the buffer of `in`. */
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

/** An array on the device with `data` in it. */
export function upload<D extends DType>(device: Device, shape: Layout<D>, data: TypedArrayOf<D>, label?: string): Buffer<D> {
  const buffer = device.alloc(shape, label);
  buffer.write(data);
  return buffer;
}

/** The complex element types that the device has. */
export const complexTypes = (device: Device): ("c64" | "c128")[] =>
  (["c64", "c128"] as const).filter((d) => device.limits.dtypes.includes(d));

export const c64 = (...shape: number[]): Layout<"c64"> => layout("c64", shape);
