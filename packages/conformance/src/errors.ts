/** Checks of errors: wrong arguments are rejected at once, by a `RadarError` with the right code that names what is wrong. */
import { type Buffer, evaluate, isRadarError, layout, messageOf, type Op, type Program } from "@dechirp/core";
import { fail, identical, isTrue, rejects, throws } from "./assert.ts";
import { check, type Kit, suite } from "./kit.ts";
import { c64 } from "./run.ts";
import { combine } from "./samples.ts";

async function withFilter({ device }: Kit, visit: (parts: { from: Buffer; h: Buffer; to: Buffer }) => Promise<void>): Promise<void> {
  using from = device.alloc(c64(3, 16));
  using h = device.alloc(c64(16));
  using to = device.alloc(c64(3, 16));
  await visit({ from, h, to });
}

const filter: Op = { op: "spectral-filter", layout: c64(3, 16), axis: 1, h: "line" };

/** Checks that wrong arguments are rejected with the right code. */
export const errors = suite("errors", [
  check("names a binding that is missing, unknown, wrong or of another device", (kit) =>
    withFilter(kit, async ({ from, h, to }) => {
      for (const fuse of [true, false]) {
        using plan = await kit.device.plan(filter, { fuse });
        throws(() => plan.run({ in: from, out: to } as never), "layout", "no filter", "h");
        throws(() => plan.run({ in: from, h, out: to, more: h }), "layout", "an unknown port", "more");
        throws(() => plan.run({ in: from, h: from, out: to }), "layout", "a filter of the wrong shape", "h");
        throws(() => plan.run({ in: h, h, out: to }), "layout", "an input of the wrong shape", "in");
        using real = kit.device.alloc(layout("f32", [3, 16]));
        throws(() => plan.run({ in: from, h, out: real }), "layout", "an output of the wrong type", "out");
      }
    }),
  ),
  check("rejects aliased bindings unless the plan is in place", (kit) =>
    withFilter(kit, async ({ from, h }) => {
      using plan = await kit.device.plan(filter);
      throws(() => plan.run({ in: from, h, out: from }), "layout", "in and out alike", "out");
      const all: Op = { op: "multiply", layout: c64(3, 16), axis: 1, h: "all" };
      using inPlace = await kit.device.plan(all, { inPlace: true });
      using other = kit.device.alloc(c64(3, 16));
      throws(() => inPlace.run({ in: other, h: from, out: from }), "layout", "h and out alike", "h");
      await inPlace.run({ in: from, h: other, out: from }).done;
      await inPlace.run({ in: from, h: from, out: other }).done; // two ports may read one array
      using first = kit.device.alloc(layout("f32", [8]));
      using second = kit.device.alloc(layout("f32", [8]));
      using index = kit.device.alloc(layout("u32", [8]));
      using kernel = await kit.device.plan(combine(8));
      throws(
        () => kernel.run({ a: first, b: second, sum: first, index }, { uniforms: { factor: 1, offset: 0 } }),
        "layout",
        "a and sum alike",
        "sum",
      );
    }),
  ),
  check("rejects unknown fields in ops and options", async ({ device }) => {
    const forward: Op = { op: "fft", layout: c64(3, 16), axis: 1, inverse: false };
    await rejects(device.plan({ ...forward, norm: "ortho" } as Op), "layout", "an op with a field that it does not have");
    await rejects(device.plan(forward, { inplace: true } as never), "layout", "a misspelt option of a plan");
    using plan = await device.plan(forward);
    using from = device.alloc(c64(3, 16));
    using to = device.alloc(c64(3, 16));
    throws(() => plan.run({ in: from, out: to }, { unit: [0] } as never), "layout", "a misspelt option of a run", "unit");
  }),
  check("rejects inPlace if in and out differ or a kernel does not allow it", async ({ device }) => {
    await rejects(
      device.plan({ op: "fft", layout: c64(3, 16), axis: 1, n: 20, inverse: false }, { inPlace: true }),
      "layout",
      "a padded transform",
    );
    await rejects(device.plan({ op: "convert", layout: c64(3), to: "ci16" }, { inPlace: true }), "layout", "a conversion");
    await rejects(device.plan(combine(8), { inPlace: true }), "layout", "a kernel without in and out");
  }),
  check("rejects uniforms that are missing, unknown or of the wrong type", async ({ device }) => {
    using plan = await device.plan(combine(8));
    using a = device.alloc(layout("f32", [8]));
    using b = device.alloc(layout("f32", [8]));
    using sum = device.alloc(layout("f32", [8]));
    using index = device.alloc(layout("u32", [8]));
    const run = (uniforms: Record<string, unknown>) => () =>
      plan.run({ a, b, sum, index }, { uniforms: uniforms as Record<string, number> });
    throws(run({}), "layout", "none", "factor");
    throws(run({ factor: 1 }), "layout", "one missing", "offset");
    throws(run({ factor: 1, offset: 0.5 }), "layout", "a fraction for i32", "offset");
    throws(run({ factor: 1, offset: 2 ** 31 }), "layout", "too large for i32", "offset");
    throws(run({ factor: Number.NaN, offset: 0 }), "layout", "NaN", "factor");
    throws(run({ factor: "1", offset: 0 }), "layout", "a string", "factor");
    throws(run({ factor: 1, offset: 0, gain: 2 }), "layout", "one too many", "gain");
    await run({ factor: 1, offset: -(2 ** 31) })().done;
  }),
  check("rejects units that are repeated or do not exist", async ({ device }) => {
    using plan = await device.plan({ op: "fft", layout: c64(3, 16), axis: 1, inverse: false });
    using from = device.alloc(c64(3, 16));
    using to = device.alloc(c64(3, 16));
    for (const units of [[], [device.units], [-1], [0, 0], [0.5]])
      throws(() => plan.run({ in: from, out: to }, { units }), "layout", `units ${units}`, "units");
    for (let unit = 0; unit < device.units; unit++) await plan.run({ in: from, out: to }, { units: [unit] }).done;
    await plan.run({ in: from, out: to }, { units: Array.from({ length: device.units }, (_, i) => device.units - 1 - i) }).done;
  }),
  check("alloc rejects wrong layouts, types and sizes", async ({ device }) => {
    throws(() => device.alloc({ dtype: "c64" } as never), "layout", "no shape", "shape");
    throws(() => device.alloc(undefined as never), "layout", "nothing");
    for (const extent of [0, -1, 1.5, Number.NaN])
      throws(() => device.alloc({ dtype: "c64", shape: [2, extent] }), "layout", `an extent of ${extent}`, "shape[1]");
    throws(() => device.alloc({ dtype: "c32" as "c64", shape: [2] }), "layout", "no such type", "dtype");
    throws(() => device.alloc({ dtype: "c64", shape: [2 ** 20, 2 ** 20] }), "layout", "too many elements");
    const beyond = Math.floor(device.limits.maxBufferBytes / 8) + 1;
    if (beyond <= 2 ** 32) throws(() => device.alloc(c64(beyond)), "limit", "beyond the limit");
    for (const dtype of ["f64", "c128", "cf16"] as const) {
      if (!device.limits.dtypes.includes(dtype)) throws(() => device.alloc(layout(dtype, [2])), "unsupported", dtype, dtype);
    }
  }),
  check("plan rejects types that the device does not support", async ({ device }) => {
    for (const dtype of ["f64", "c128", "cf16"] as const) {
      if (device.limits.dtypes.includes(dtype)) continue;
      await rejects(device.plan({ op: "transpose", layout: layout(dtype, [2, 2]), permutation: [1, 0] }), "unsupported", dtype);
    }
  }),
  check("write and read reject wrong types and spans", async ({ device }) => {
    using buffer = device.alloc(c64(10));
    throws(() => buffer.write(new Float64Array(20) as never), "layout", "another array type", "Float32Array");
    throws(() => buffer.write([1, 2] as never), "layout", "a plain array");
    throws(() => buffer.write(new Float32Array(22)), "layout", "too much");
    throws(() => buffer.write(new Float32Array(4), 9), "layout", "beyond the end");
    throws(() => buffer.write(new Float32Array(3)), "layout", "half an element");
    for (const offset of [-1, 0.5, Number.NaN, 11]) throws(() => buffer.write(new Float32Array(2), offset), "layout", `offset ${offset}`);
    for (const span of [
      { start: -1, count: 2 },
      { start: 9, count: 2 },
      { start: 0, count: 11 },
      { start: 0.5, count: 1 },
      { start: 0, count: Number.NaN },
    ]) {
      await rejects(buffer.read(span), "layout", `span ${span.start}+${span.count}`);
    }
  }),
  check(
    "write: memory that is not there is refused, shared memory is taken, and whatever happens to it after the call",
    async ({ device }) => {
      using buffer = device.alloc(c64(10));
      using plan = await device.plan({ op: "fft", layout: c64(10), axis: 0, inverse: false });
      using other = device.alloc(c64(10));
      const content = Float32Array.from({ length: 20 }, (_, i) => i + 1);
      const shared = new Float32Array(new SharedArrayBuffer(80));
      shared.set(content);
      const resizable = new Float32Array(Reflect.construct(ArrayBuffer, [80, { maxByteLength: 160 }]) as ArrayBuffer);
      resizable.set(content);
      const moved = content.slice();
      const move = (): unknown => structuredClone(moved, { transfer: [moved.buffer] });
      for (const data of [shared, resizable, moved]) {
        buffer.write(new Float32Array(20));
        plan.run({ in: buffer, out: other }); // the next write may have to wait for this run
        buffer.write(data as Float32Array<ArrayBuffer>);
        if (data === moved) move();
        else data.fill(0);
        identical(await buffer.read(), content, data === moved ? "what was moved after the call" : "shared or resizable memory");
      }
      throws(() => buffer.write(moved), "layout", "detached memory", "detached");
      identical(await buffer.read(), content, "the array after what was refused");
    },
  ),
  check("readInto: memory that is gone before it is filled is refused, and the next read is right", async ({ device }) => {
    for (const count of [3, 5_000_000]) {
      using buffer = device.alloc(layout("f32", [count]));
      const content = Float32Array.from({ length: count }, (_, i) => i + 1);
      buffer.write(content);
      const target = new Float32Array(count);
      const read = buffer.readInto(target);
      structuredClone(target, { transfer: [target.buffer] });
      await rejects(read, "layout", `a target of ${count} numbers that is detached`);
      const again = new Float32Array(count);
      await buffer.readInto(again);
      identical(again, content, `a read of ${count} numbers afterwards`);
    }
    const buffer = device.alloc(c64(10));
    buffer[Symbol.dispose]();
    await rejects(buffer.readInto(new Float64Array(2) as never), "disposed", "a read from a disposed array");
  }),
  check("names an argument of the wrong type", async (kit) =>
    withFilter(kit, async ({ from, h, to }) => {
      const { device } = kit;
      using plan = await device.plan(filter);
      const program: Program = {
        name: "one",
        inputs: { x: c64(3, 16), h: c64(16) },
        steps: [{ name: "filter", op: filter, bind: { in: "x", h: "h", out: "y" } }],
        outputs: ["y"],
      };
      const inputs = { x: new Float32Array(96), h: new Float32Array(32) };
      const wrongs = (): readonly unknown[] => [null, Number.NaN, -1, "x", Symbol("x"), [], () => {}];
      for (const wrong of wrongs() as readonly never[]) {
        const what = `a ${wrong === null ? "null" : typeof wrong}`;
        throws(() => plan.run(wrong), "layout", `${what} as bindings`, "bindings");
        throws(() => plan.run({ in: from, h, out: wrong }), "layout", `${what} as a buffer`, "out");
        throws(() => plan.run({ in: from, h, out: to }, wrong), "layout", `${what} as options`, "options");
        throws(() => plan.run({ in: from, h, out: to }, { uniforms: wrong }), "layout", `${what} as uniforms`, "uniforms");
        throws(() => from.write(wrong), "layout", `${what} as data`, "data");
        await rejects(from.read(wrong), "layout", `${what} as a span`);
        await rejects(device.plan(wrong), "layout", `${what} as an op`);
        await rejects(device.plan(filter, wrong), "layout", `${what} as options of a plan`);
        await rejects(evaluate(wrong, device, inputs), "layout", `${what} as a program`);
        await rejects(evaluate(program, device, wrong), "layout", `${what} as inputs`);
        await rejects(evaluate(program, device, { ...inputs, x: wrong }), "layout", `${what} as an input`);
      }
      await rejects(evaluate(device as never, program as never, inputs), "layout", "a program and a device exchanged");
      await rejects(evaluate(program, device, { ...inputs, z: inputs.x }), "layout", "an unknown input");
      await rejects(evaluate({ ...program, outputs: [] }, device, inputs), "layout", "a program without outputs");
      await evaluate(program, device, inputs);
    }),
  ),
  check("every message is one line and every error has fields", async ({ device }) => {
    const failures = await Promise.all(
      [{ axis: 4 }, { n: 0 }, { n: 1.5 }, { keep: [0, 99] as const }, { keep: [-1, 2] as const }].map((more) =>
        device.plan({ op: "fft", layout: c64(3, 16), axis: 1, inverse: false, ...more }).then(
          () => fail(`${JSON.stringify(more)} was planned`),
          (error: unknown) => error,
        ),
      ),
    );
    for (const error of failures) {
      if (!isRadarError(error, "layout")) fail(`expected layout, got ${messageOf(error)}`);
      isTrue(!error.message.includes("\n") && error.message.length < 300, `one line: ${error.message}`);
      isTrue(
        typeof error.fields["field"] === "string" && error.message.includes(error.fields["field"]),
        `names its field: ${error.message}`,
      );
    }
  }),
]);
