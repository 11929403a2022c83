/** Checks kernels: several ports of each access, uniforms, constant inputs, partitions of the items, and updates of a part. */
import { ArrayView, type Kernel, layout, scalarCount, type TypedArrayOf, typedArray } from "@dechirp/core";
import { close, identical } from "./assert.ts";
import { check, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, runOp, upload } from "./run.ts";
import { accumulate, combine, twice } from "./samples.ts";

/** Checks kernels of every access and type against their references. */
export const kernels = suite("kernels", [
  check("two reads, two writes of different types, uniforms", async ({ device }) => {
    for (const n of [1, 2, 63, 64, 65, 1000, 70_001]) {
      const source = random(n);
      const a = randomArray(layout("f32", [n]), source);
      const b = randomArray(layout("f32", [n]), source);
      const { outputs } = await runOp(device, combine(n), { a, b }, { uniforms: { factor: 1.5, offset: 7 } });
      close(
        outputs["sum"],
        Float64Array.from(a, (v, i) => 1.5 * v + b[i]),
        2 ** -23,
        `sum of ${n}`,
      ); // two roundings of at most half a unit
      identical(
        outputs["index"],
        Array.from(a, (_, i) => i + 7),
        `index of ${n}`,
      );
    }
  }),
  check("uniforms of one run do not affect another", async ({ device }) => {
    const kernel = combine(16);
    using plan = await device.plan(kernel);
    const ones = new Float32Array(16).fill(1);
    using a = upload(device, layout("f32", [16]), ones);
    using b = upload(device, layout("f32", [16]), ones);
    using sum = device.alloc(layout("f32", [16]));
    using index = device.alloc(layout("u32", [16]));
    const reads: [number, Promise<TypedArrayOf>][] = [];
    const uniforms = { factor: 0, offset: 0 };
    for (const factor of [2, -3, 10]) {
      uniforms.factor = factor;
      plan.run({ a, b, sum, index }, { uniforms });
      reads.push([factor + 1, sum.read()]);
    }
    uniforms.factor = 99; // all runs have copied their uniforms already
    for (const [expected, read] of reads) identical(await read, new Float32Array(16).fill(expected), `factor ${expected - 1}`);
  }),
  check("update ports change only the elements that the kernel writes", async ({ device }) => {
    const [height, width, rows] = [9, 13, 3];
    const kernel = accumulate(height, width, rows);
    const source = random(3);
    const line = randomArray(c64(width), source);
    const image = randomArray(c64(height, width), source);
    for (const first of [0, 4, height - rows]) {
      const { outputs } = await runOp(device, kernel, { line, image }, { uniforms: { first } });
      const expected = image.map((v, i) => {
        const row = Math.floor(i / (2 * width));
        return row >= first && row < first + rows ? Math.fround(v + line[i % (2 * width)]) : v;
      });
      identical(outputs["image"], expected, `rows from ${first}`);
    }
  }),
  check("updates accumulate from run to run", async ({ device }) => {
    const [height, width] = [4, 6];
    using plan = await device.plan(accumulate(height, width, height));
    using line = upload(device, c64(width), new Float32Array(2 * width).fill(1));
    using image = device.alloc(c64(height, width));
    for (let i = 0; i < 5; i++) plan.run({ line, image }, { uniforms: { first: 0 } });
    identical(await image.read(), new Float32Array(2 * height * width).fill(5), "after 5 runs");
  }),
  check("elementwise kernels run in place", async ({ device }) => {
    const x = randomArray(c64(5, 7), random(1));
    identical(
      (await runOp(device, twice(c64(5, 7)), { in: x }, { inPlace: true })).out,
      x.map((v) => 2 * v),
      "twice in place",
    );
  }),
  check("the reference does not depend on the partition of its items", async ({ device }) => {
    const n = 100;
    const kernel = combine(n);
    const source = random(8);
    const data: Record<string, TypedArrayOf> = {};
    const views = (): Record<string, ArrayView> =>
      Object.fromEntries(
        Object.entries(kernel.ports).map(([name, port]) => [name, new ArrayView(port.layout, data[name].slice() as TypedArrayOf)]),
      );
    for (const [name, port] of Object.entries(kernel.ports)) {
      data[name] = port.access === "read" ? randomArray(port.layout, source) : typedArray(port.layout.dtype, scalarCount(port.layout));
    }
    const uniforms = { factor: 0.5, offset: 4 };
    const whole = views();
    kernel.reference(whole, uniforms, 0, n);
    const parts = views();
    for (const [start, end] of [
      [60, 100],
      [0, 1],
      [1, 60],
    ])
      kernel.reference(parts, uniforms, start, end);
    const { outputs } = await runOp(device, kernel, data, { uniforms });
    for (const name of ["sum", "index"]) {
      identical(parts[name].data, whole[name].data, `${name} in parts`);
      close(outputs[name], whole[name].data, 2 ** -23, `${name} on the device`);
    }
  }),
  check("every item is computed once", async ({ device }) => {
    for (const items of [1, 7, 1024, 20_000]) {
      const shape = layout("u32", [items]);
      const counter: Kernel = {
        op: "kernel",
        name: "count items",
        ports: { seen: { access: "update", layout: shape } },
        items,
        reference({ seen }, _uniforms, start, end) {
          for (let i = start; i < end; i++) seen.set(i, seen.re(i) + 1);
        },
      };
      const { outputs } = await runOp(device, counter, { seen: new Uint32Array(items) });
      identical(outputs["seen"], new Uint32Array(items).fill(1), `${items} items`);
    }
  }),
]);
