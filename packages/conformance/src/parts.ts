/**
 * Checks parts of arrays: writes, reads and runs touch their own elements only, whichever op runs and wherever the part begins; work on an
 * array and its parts keeps its order; and what shares memory, is disposed of or is out of range is refused.
 */
import {
  type Buffer,
  compile,
  type Device,
  type DType,
  dtypes,
  elementCount,
  fft,
  filterInverse,
  isRadarError,
  type Kernel,
  type Layout,
  layout,
  type Op,
  portsOf,
  program,
  realFft,
  spectralFilter,
  type TypedArrayOf,
  withAxis,
} from "@dechirp/core";
import { accumulate, map, store } from "@dechirp/core/expression";
import { close, equal, fail, identical, isTrue, rejects, throws } from "./assert.ts";
import { transformed } from "./definition.ts";
import { check, type Kit, suite } from "./kit.ts";
import { random, randomArray, type TestRandom } from "./random.ts";
import { c64, marked, runOp, upload } from "./run.ts";
import { correct } from "./tolerance.ts";

/** Scalars of a row: of what one index of the first axis has. */
const rowOf = ({ dtype, shape }: Layout): number => dtypes[dtype].components * shape.slice(1).reduce((a, b) => a * b, 1);

/** The numbers of a part of an array. */
const cut = <T extends TypedArrayOf>(data: T, shape: Layout, first: number, count: number): T =>
  data.slice(first * rowOf(shape), (first + count) * rowOf(shape)) as T;

/** How many indices of the first axis lie between two places where a part may begin. */
function stepOf({ limits }: Device, { dtype, shape }: Layout): number {
  const bytes = elementCount({ dtype, shape: [1, ...shape.slice(1)] }) * dtypes[dtype].bytes;
  let step = 1;
  while ((step * bytes) % (limits.partAlignment ?? 1) !== 0) step += 1;
  return step;
}

/** An array with room for a part of `layout` behind others, and such a part. */
interface Within extends Disposable {
  readonly whole: Buffer;
  readonly part: Buffer;
  /** What the array holds: the part's numbers at `from`, and random ones. */
  readonly data: TypedArrayOf;
  readonly from: number;
}

function within(device: Device, inner: Layout, data: TypedArrayOf, source: TestRandom): Within {
  const [count] = inner.shape;
  const first = stepOf(device, inner);
  const outer = withAxis(inner, 0, first + count + 3);
  const all = randomArray(outer, source);
  const from = first * rowOf(inner);
  all.set(data, from);
  const whole = upload(device, outer, all);
  return { whole, part: whole.part(first, count), data: all, from, [Symbol.dispose]: () => whole[Symbol.dispose]() };
}

/** Fails unless op gives the same numbers with parts at all its ports as with whole arrays, and changes nothing beside them. */
async function sameInParts(kit: Kit, op: Op, seed: number, uniforms: Readonly<Record<string, number>> = {}): Promise<void> {
  const { device } = kit;
  const source = random(seed);
  const ports = Object.entries(portsOf(op));
  const inputs: Record<string, TypedArrayOf> = {};
  for (const [name, port] of ports) inputs[name] = port.access === "write" ? marked(port.layout) : randomArray(port.layout, source);
  // Some ops also as their lowerings, whose values are parts, too.
  for (const fuse of seed % 4 === 1 ? [true, false] : [true]) {
    const { outputs, text } = await runOp(device, op, inputs, { uniforms, fuse });
    const arrays = new Map<string, Within>();
    using plan = await device.plan(op, { fuse });
    try {
      for (const [name, port] of ports) arrays.set(name, within(device, port.layout, inputs[name], source));
      const parts = Object.fromEntries([...arrays].map(([name, { part }]) => [name, part]));
      const { done } = plan.run(parts, { uniforms });
      for (const [name, { whole, part, data, from }] of arrays) {
        const expected = data.slice();
        if (outputs[name]) expected.set(outputs[name], from);
        identical(await whole.read(), expected, `the array around ${name} of ${text}`);
        identical(await part.read(), expected.slice(from, from + inputs[name].length), `${name} of ${text}`);
      }
      await done;
    } finally {
      for (const array of arrays.values()) array[Symbol.dispose]();
    }
  }
}

/** A kernel that only has a reference: y = 2x. */
const doubled = (shape: Layout, wrong = false): Kernel => ({
  op: "kernel",
  name: "doubled",
  ports: { in: { access: "read", layout: shape }, out: { access: "write", layout: shape } },
  items: elementCount(shape),
  elementwise: true,
  reference({ in: x, out }, _uniforms, start, end) {
    if (wrong) throw new Error("as the check wants it");
    for (let i = start; i < end; i++) out.set(i, 2 * x.re(i), 2 * x.im(i));
  },
});

const block = c64(4, 32);
const plusOne = map({ shape: [4, 32], sources: { in: block }, outputs: { out: "c64" } }, "complex(re(in) + 1, im(in))");

/** Checks parts of arrays. */
export const parts = suite("parts", [
  check("writes and reads, also of parts of parts", async ({ device }) => {
    const source = random(1);
    for (const dtype of Object.keys(dtypes) as DType[]) {
      if (!device.limits.dtypes.includes(dtype)) continue;
      for (const shape of [[24, 256], [9, 4, 64], [4000]]) {
        const whole = layout(dtype, shape);
        const step = stepOf(device, whole);
        const content = randomArray(whole, source);
        using buffer = upload(device, whole, content);
        const row = rowOf(whole);
        for (let round = 0; round < 12; round++) {
          const first = step * source.integer(0, Math.floor((shape[0] - 1) / step));
          const count = source.integer(1, shape[0] - first);
          const inner = step * source.integer(0, Math.floor((count - 1) / step));
          const most = source.integer(1, count - inner);
          const [outer, part] = [buffer.part(first, count), buffer.part(first, count).part(inner, most)];
          equal(part.layout, { dtype, shape: [most, ...shape.slice(1)] }, "layout of a part");
          const at = (first + inner) * row;
          const data = randomArray(part.layout, source);
          const [from, some] = [source.integer(0, elementCount(part.layout) - 1), dtypes[dtype].components];
          if (round % 3 === 0) part.write(data as never);
          else part.write(data.slice(some * from) as never, from);
          content.set(round % 3 === 0 ? data : data.subarray(some * from), at + (round % 3 === 0 ? 0 : some * from));
          identical(await part.read(), content.slice(at, at + most * row), `part ${first}+${inner}+${most} of ${dtype}[${shape}]`);
          identical(await part.read({ start: from, count: 1 }), content.slice(at + some * from, at + some * from + some), "an element");
          identical(await outer.read(), cut(content, whole, first, count), "the part around it");
          if (part.view) identical(part.view(), content.slice(at, at + most * row), "a view");
        }
        identical(await buffer.read(), content, `all of ${dtype}[${shape}]`);
      }
    }
  }),
  check("reads into memory of the caller, and changes nothing beside it", async ({ device }) => {
    const source = random(3);
    for (const dtype of Object.keys(dtypes) as DType[]) {
      if (!device.limits.dtypes.includes(dtype)) continue;
      const { components } = dtypes[dtype];
      for (const shape of [[1], [24, 256], [9, 4, 641]]) {
        const whole = layout(dtype, shape);
        const content = randomArray(whole, source);
        using buffer = upload(device, whole, content);
        for (let round = 0; round < 6; round++) {
          const start = source.integer(0, elementCount(whole) - 1);
          const count = round === 0 ? 0 : source.integer(1, elementCount(whole) - start);
          const around = randomArray(layout(dtype, [elementCount(whole) + 7]), source);
          const from = components * source.integer(0, 7);
          const expected = around.slice();
          expected.set(content.subarray(components * start, components * (start + count)), from);
          await buffer.readInto(around.subarray(from, from + components * count) as never, start);
          identical(around, expected, `${count} elements from ${start} of ${dtype}[${shape}]`);
        }
        const all = randomArray(whole, source);
        await buffer.readInto(all as never);
        identical(all, content, `all of ${dtype}[${shape}]`);
        for (const [target, offset] of [
          [new DataView(new ArrayBuffer(16)), 0],
          [randomArray(layout(dtype, [elementCount(whole) + 1]), source), 0],
          [all, 1],
          [all, -1],
          [all, 0.5],
        ] as const) {
          const error = await buffer.readInto(target as never, offset).catch((thrown: unknown) => thrown);
          equal(isRadarError(error, "layout") && error.fields["field"], "target", `a target that does not fit, at ${offset}`);
        }
      }
    }
  }),
  check("transforms of parts, along any axis, with filters, hooks and corner turns", async (kit) => {
    const lines = layout("f32", [5, 64]);
    const list: Op[] = [
      fft(c64(5, 64), { axis: 1 }),
      fft(c64(5, 64), { axis: 0, inverse: true }),
      fft(c64(5, 64), { axis: 1, n: 96, keep: [0, 64] }),
      fft(c64(3, 4, 32), { axis: 1, cornerTurn: true }),
      fft(c64(32, 64), { axis: 1, cornerTurn: true }),
      fft(c64(5, 97), { axis: 1 }),
      fft(c64(1, 512), { axis: 1 }),
      fft(c64(5, 64), { axis: 1, store: accumulate(c64(5, 64), { scale: 0.5 }) }),
      fft(c64(5, 64), { axis: 1, store: store({ layout: c64(5, 64), dtype: "u8", sources: {} }, "abs(value) * 20") }),
      realFft(lines, { axis: 1 }),
      realFft(c64(5, 33), { axis: 1 }),
      spectralFilter(c64(5, 64), { axis: 1, h: "all" }),
      spectralFilter(c64(64, 32), { axis: 0, cornerTurn: true }),
      filterInverse(c64(5, 64), { axis: 1 }),
    ];
    for (const [i, op] of list.entries()) await sameInParts(kit, op, i);
  }),
  check("maps, kernels, products, transposes, conversions", async (kit) => {
    const shape = c64(6, 32);
    const list: Op[] = [
      { op: "multiply", layout: shape, axis: 1, h: "line" },
      { op: "multiply", layout: shape, axis: 1, h: "all" },
      { op: "transpose", layout: shape, permutation: [1, 0] },
      { op: "transpose", layout: c64(6, 4, 32), permutation: [1, 2, 0] },
      { op: "convert", layout: layout("ci16", [6, 64]), to: "c64", scale: 0.5 },
      { op: "convert", layout: layout("f32", [301]), to: "u8", scale: 200 },
      { op: "convert", layout: layout("u8", [3, 77]), to: "i16" },
      doubled(shape),
      map(
        { shape: [301], sources: { a: layout("i8", [301]), b: layout("i8", [301]) }, outputs: { a: "i8", y: "f32" } },
        "y = a * b; a = b",
      ),
    ];
    for (const [i, op] of list.entries()) await sameInParts(kit, op, i);
  }),
  check("from one part of an array to another", async ({ device }) => {
    const shape = c64(12, 32);
    for (const op of [fft(block, { axis: 1 }), plusOne, doubled(block)] as Op[]) {
      const x = randomArray(shape, random(2));
      using plan = await device.plan(op);
      using buffer = upload(device, shape, x);
      for (const [from, to] of [
        [0, 4],
        [8, 0],
        [4, 8],
      ] as const) {
        plan.run({ in: buffer.part(from, 4), out: buffer.part(to, 4) });
        const { out } = await runOp(device, op, { in: cut(x, shape, from, 4) });
        x.set(out, to * rowOf(shape));
        identical(await buffer.read(), x, `${plan.text} from ${from} to ${to}`);
      }
    }
  }),
  check("work on an array and its parts keeps its order", async ({ device }) => {
    const shape = c64(16, 32);
    using plan = await device.plan(plusOne);
    using inPlace = await device.plan(plusOne, { inPlace: true });
    const source = random(3);
    const content = randomArray(shape, source).fill(0);
    using buffer = upload(device, shape, content);
    const reads: [Promise<TypedArrayOf>, TypedArrayOf][] = [];
    const add = (from: number, to: number): void => {
      const x = cut(content, shape, from, 4);
      for (let i = 0; i < x.length; i += 2) x[i] += 1;
      content.set(x, to * rowOf(shape));
    };
    for (let round = 0; round < 60; round++) {
      const [from, to] = [source.integer(0, 12), source.integer(0, 12)];
      if (round % 5 === 0) {
        const data = randomArray(block, source).map((v) => Math.round(1000 * v)) as Float32Array;
        buffer.part(to, 4).write(data);
        content.set(data, to * rowOf(shape));
      } else if (from === to) {
        inPlace.run({ in: buffer.part(from, 4), out: buffer.part(to, 4) });
        add(from, to);
      } else if (Math.abs(from - to) >= 4) {
        plan.run({ in: buffer.part(from, 4), out: buffer.part(to, 4) });
        add(from, to);
      }
      if (round % 3 === 0) reads.push([buffer.part(to, 2).read(), cut(content, shape, to, 2)]);
      if (round % 7 === 0) reads.push([buffer.read(), content.slice()]);
    }
    for (const [i, [read, expected]] of reads.entries()) identical(await read, expected, `read ${i}`);
    identical(await buffer.read(), content, "the end");
  }),
  check("the same memory at two ports", async ({ device }) => {
    const shape = c64(12, 32);
    using plan = await device.plan(plusOne);
    using inPlace = await device.plan(plusOne, { inPlace: true });
    using buffer = device.alloc(shape);
    const at = (first: number): Buffer => buffer.part(first, 4);
    throws(() => plan.run({ in: at(0), out: at(0) }), "layout", "one part", "in and out");
    throws(() => plan.run({ in: at(0), out: at(3) }), "layout", "parts that overlap", "overlap");
    throws(() => inPlace.run({ in: at(3), out: at(0) }), "layout", "parts that overlap, in place", "overlap");
    await inPlace.run({ in: at(4), out: at(4) }).done;
    const ones = Float32Array.from({ length: 256 }, (_, i) => (i % 2 === 0 ? 1 : 0));
    identical(await at(4).read(), ones, "in place");
    identical(await at(0).read(), ones.slice().fill(0), "before it");
    identical(await at(8).read(), ones.slice().fill(0), "behind it");
    const two = map({ shape: [4, 32], sources: { a: block, b: block }, outputs: { out: "c64" } }, "a + b");
    using sum = await device.plan(two);
    using out = device.alloc(block);
    await sum.run({ a: at(4), b: at(4), out }).done;
    await sum.run({ a: at(3), b: at(4), out }).done;
    identical(
      cut(await out.read(), block, 1, 2),
      ones.slice(0, 128).map((v) => 2 * v),
      "overlapping parts that are only read",
    );
  }),
  check("a stream in blocks through one program", async ({ device }) => {
    const shape = c64(24, 32);
    const source = random(4);
    const x = randomArray(shape, source);
    const spectra = c64(24, 32);
    const filter = program({
      name: "stream",
      inputs: { block, total: layout("f32", [4, 32]) },
      steps: [
        { name: "spectra", op: fft(block, { axis: 1 }), bind: { in: "block", out: "spectra" } },
        {
          name: "power",
          op: map(
            { shape: [4, 32], sources: { x: block, total: layout("f32", [4, 32]) }, outputs: { total: "f32" } },
            "total + re(x * conj(x))",
          ),
          bind: { x: "spectra", total: "total" },
        },
      ],
      outputs: ["spectra", "total"],
    });
    using compiled = await compile(filter, device);
    using recording = device.alloc(shape);
    using result = device.alloc(spectra);
    using total = device.alloc(layout("f32", [4, 32]));
    for (let first = 0; first < 24; first += 4) {
      const here = recording.part(first, 4);
      here.write(cut(x, shape, first, 4));
      compiled.run({ block: here, spectra: result.part(first, 4), total });
    }
    const expected = transformed(fft(shape, { axis: 1 }), x);
    close(await result.read(), expected, correct(32, "c64"), "spectra of all blocks");
    const power = new Float64Array(128);
    for (let e = 0; e < 24 * 32; e++) power[e % 128] += expected[2 * e] ** 2 + expected[2 * e + 1] ** 2;
    close(await total.read(), power, correct(32, "c64", 3), "the sum over all blocks");
    throws(
      () => compiled.run({ block: recording.part(0, 4), spectra: recording.part(2, 4), total }),
      "layout",
      "values of a program that overlap",
      "overlap",
    );
  }),
  check("lifetimes", async ({ device }) => {
    const shape = c64(8, 32);
    using plan = await device.plan(plusOne);
    using out = device.alloc(block);
    const before = device.memory();
    const buffer = device.alloc(shape, "the array");
    const held = device.memory();
    const part = buffer.part(4, 4);
    const inner = part.part(1, 2);
    equal([device.memory().buffers, device.memory().bytes], [held.buffers, held.bytes], "parts need no memory");
    part[Symbol.dispose]();
    part[Symbol.dispose]();
    throws(() => part.write(new Float32Array(256)), "disposed", "a part that was disposed of", "part 4+4");
    throws(() => plan.run({ in: part, out }), "disposed", "a run of it", "part 4+4");
    await rejects(part.read(), "disposed", "a read of it");
    inner.write(new Float32Array(128).fill(3));
    identical(cut(await buffer.read(), shape, 5, 2), new Float32Array(128).fill(3), "a part of it lives on");
    const last = buffer.part(0, 4);
    const run = plan.run({ in: last, out });
    const read = last.read();
    buffer[Symbol.dispose]();
    await run.done;
    identical(await read, new Float32Array(256), "a read that was queued");
    await device.ready();
    equal(device.memory().bytes, before.bytes, "bytes after the array");
    for (const one of [last, inner]) {
      throws(() => one.write(new Float32Array(1)), "disposed", "a part of a disposed array", "the array was disposed");
      throws(() => one.part(0, 1), "disposed", "a part of it", "the array was disposed");
      await rejects(one.read(), "disposed", "a read of it");
    }
    throws(() => plan.run({ in: last, out }), "disposed", "a run of it", "the array");
  }),
  check("a failed run makes reads of its part fail, not of others", async ({ device }) => {
    using wrong = await device.plan(doubled(block, true));
    using right = await device.plan(plusOne);
    using x = device.alloc(block);
    using buffer = device.alloc(c64(12, 32));
    const failing = wrong.run({ in: x, out: buffer.part(4, 4) });
    right.run({ in: x, out: buffer.part(8, 4) });
    const reads = [0, 4, 8].map((first) => buffer.part(first, 4).read());
    const [all, some] = [buffer.read(), buffer.part(3, 2).read()];
    for (const promise of [...reads, all, some]) promise.catch(() => {});
    await rejects(failing.done, "failed", "the run");
    await reads[0];
    await rejects(reads[1], "failed", "its part");
    await reads[2];
    await rejects(all, "failed", "the whole array");
    await rejects(some, "failed", "a part that overlaps it");
    buffer.part(5, 3).write(new Float32Array(192));
    await rejects(buffer.part(4, 4).read(), "failed", "what is overwritten in part");
    const threes = new Float32Array(192).fill(3);
    buffer.part(5, 3).write(threes);
    identical(await buffer.part(5, 3).read(), threes, "what was written after the run");
    buffer.part(4, 1).write(threes.slice(0, 64));
    identical(await buffer.part(4, 4).read(), new Float32Array(256).fill(3), "what was written in pieces after the run");
    wrong.run({ in: x, out: buffer.part(4, 4) });
    right.run({ in: x, out: buffer.part(4, 4) });
    await buffer.read();
  }),
  check("wrong arguments, and parts that can't be bound", async ({ device }) => {
    using buffer = device.alloc(c64(10, 32));
    for (const [first, count, field] of [
      [-1, 1, "first"],
      [10, 1, "first"],
      [0.5, 1, "first"],
      [0, 0, "count"],
      [0, 11, "count"],
      [8, 3, "count"],
      [8, 1.5, "count"],
      ["1", 1, "first"],
      [undefined, undefined, "first"],
    ] as const)
      throws(() => buffer.part(first as number, count as number), "layout", `part(${first}, ${count})`, field);
    const { partAlignment = 1 } = device.limits;
    isTrue(Number.isInteger(partAlignment) && partAlignment >= 1, "partAlignment is a positive integer");
    using narrow = device.alloc(layout("f32", [100, 3]));
    if (partAlignment <= 4) {
      narrow.part(1, 2);
      return;
    }
    try {
      narrow.part(1, 2);
      fail("a part that begins anywhere must be refused");
    } catch (error) {
      if (!isRadarError(error, "limit")) throw error;
      equal([error.fields["field"], error.fields["rowBytes"], error.fields["limit"]], ["first", 12, partAlignment], "fields");
      const padded = error.fields["padded"] as number;
      isTrue(error.message.includes(`${padded} elements`), `the message must say to how many elements rows are padded: ${error.message}`);
      using wide = device.alloc(layout("f32", [100, padded]));
      wide.part(1, 2);
      narrow.part(error.fields["multiple"] as number, 2);
    }
  }),
]);
