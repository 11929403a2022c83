/** Runs the WGSL of expressions on a device, and compares results with values in float64: integers bit by bit, real numbers within their bounds. */
import { createRandom, type Device, type DType, type Kernel, type Layout, layout, type TypedArrayOf } from "@dechirp/core";
import type { Domain } from "@dechirp/core/expression";
import { expect } from "vitest";
import type { Value } from "./expression-evaluator.ts";

export type Data = Readonly<Record<string, TypedArrayOf>>;

/** Runs a kernel whose WGSL is `body` for each item. Returns the outputs. */
export async function runItems(
  device: Device,
  items: number,
  domain: Domain,
  outputs: Readonly<Record<string, Layout>>,
  body: string,
  data: Data,
  uniforms: Readonly<Record<string, number>>,
  declared?: string,
): Promise<Data> {
  const of = (access: "read" | "write", layouts: Readonly<Record<string, Layout>>) =>
    Object.fromEntries(Object.entries(layouts).map(([name, layout]) => [name, { access, layout }]));
  const op: Kernel = {
    op: "kernel",
    name: "expression",
    items,
    ...(domain.uniforms && { uniforms: domain.uniforms }),
    ports: { ...of("read", domain.sources), ...of("write", outputs) },
    wgsl: (_constants, _limits, toolkit) => toolkit.items(body, declared),
    reference() {
      throw new Error("this test is about WGSL");
    },
  };
  const plan = await device.plan(op);
  expect(plan.text).toContain("kernel/wgsl");
  const buffers = Object.fromEntries(Object.entries(op.ports).map(([name, { layout }]) => [name, device.alloc(layout)]));
  try {
    for (const name of Object.keys(domain.sources)) buffers[name].write(data[name] as never);
    plan.run(buffers, { uniforms });
    const read: Record<string, TypedArrayOf> = {};
    for (const name of Object.keys(outputs)) read[name] = (await buffers[name].read()) as TypedArrayOf;
    return read;
  } finally {
    plan[Symbol.dispose]();
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
  }
}

export const valuesOf = ({ dtype }: Layout, data: TypedArrayOf): readonly Value[] =>
  dtype === "c64"
    ? Array.from({ length: data.length / 2 }, (_, i) => ({ re: data[2 * i], im: data[2 * i + 1], error: 0 }))
    : Array.from(data, (re) => ({ re, im: 0, error: 0 }));

export const sources = { a: layout("c64", [5, 6, 3]), f: layout("f32", [6, 4]), u: layout("u32", [11]), s: layout("i16", [5, 6, 3]) };
export const domain: Domain = { shape: [5, 6, 3], sources, uniforms: { gain: "f32", shift: "i32", mask: "u32" } };
export const uniforms = { gain: 0.375, shift: 3, mask: 0xdeadbeef };
export const random = createRandom(7);
export const data: Data = {
  a: Float32Array.from({ length: 180 }, () => 3 * random.gaussian()),
  f: Float32Array.from({ length: 24 }, (_, i) => (i === 5 ? 0 : 10 * random.gaussian())),
  u: Uint32Array.from([0, 1, 31, 32, 2 ** 31, 2 ** 32 - 1, ...Array.from({ length: 5 }, () => random.uint32())]),
  s: Int16Array.from({ length: 90 }, () => random.uint32()),
};
export const values = Object.fromEntries(Object.entries(sources).map(([name, layout]) => [name, valuesOf(layout, data[name])]));

/** Compares what the device computed with the bounds. Returns how many values had none. */
export function compare(dtype: DType, actual: TypedArrayOf, expected: readonly Value[], what: unknown): number {
  const found = valuesOf(layout(dtype as "f32", [expected.length]), actual);
  let unbounded = 0;
  expected.forEach(({ re, im, error }, i) => {
    if (error === Infinity) unbounded += 1;
    else if (!(Math.hypot(found[i].re - re, found[i].im - im) <= 2 * error))
      expect.fail(`element ${i}: ${found[i].re}, ${found[i].im} instead of ${re}, ${im} ± ${error}: ${JSON.stringify(what)}`);
  });
  return unbounded;
}
