/**
 * Checks iterative algorithms: an output of one run is an input of the next, so the state stays on the device; and a small read resolves
 * when its own array has been computed, whatever else is queued.
 */
import { type CompiledProgram, compile, type Device, fft, layout, program, type Run, type TypedArrayOf } from "@dechirp/core";
import { map } from "@dechirp/core/expression";
import { close, equal, identical, isTrue, settles, throws } from "./assert.ts";
import { transformed } from "./definition.ts";
import { check, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, upload } from "./run.ts";
import { correct } from "./tolerance.ts";

const n = 24;
const vector = layout("f32", [n]);
const one = layout("f32", [1]);

/** One step of the power iteration for a symmetric matrix: y = A·x / ‖x‖, and the norm of x. */
const powerStep = program({
  name: "power step",
  inputs: { a: layout("f32", [n, n]), x: vector },
  steps: [
    {
      name: "norm",
      op: map({ shape: [1], sources: { x: vector }, outputs: { norm: "f32" } }, `sqrt(sum(j, ${n}, x[j] * x[j]))`),
      bind: { x: "x", norm: "norm" },
    },
    {
      name: "product",
      op: map(
        { shape: [n], sources: { a: layout("f32", [n, n]), x: vector, norm: one }, outputs: { y: "f32" } },
        `sum(j, ${n}, a[i0, j] * x[j]) / norm[0]`,
      ),
      bind: { a: "a", x: "x", norm: "norm", y: "y" },
    },
  ],
  outputs: ["y", "norm"],
});

/** A symmetric matrix with eigenvalues 3, 1, ½, ¼ …, whose first eigenvector is `first`. */
function symmetric(seed: number): { readonly a: Float32Array; readonly first: Float64Array } {
  const source = random(seed);
  const basis: Float64Array[] = [];
  for (let k = 0; k < n; k++) {
    const v = Float64Array.from({ length: n }, () => source.next() - 0.5);
    for (const other of basis) {
      const dot = v.reduce((sum, value, i) => sum + value * other[i], 0);
      for (let i = 0; i < n; i++) v[i] -= dot * other[i];
    }
    const norm = Math.hypot(...v);
    basis.push(v.map((value) => value / norm));
  }
  const values = basis.map((_, k) => (k === 0 ? 3 : 2 ** (1 - k)));
  const a = Float32Array.from({ length: n * n }, (_, e) =>
    basis.reduce((sum, v, k) => sum + values[k] * v[Math.floor(e / n)] * v[e % n], 0),
  );
  return { a, first: basis[0] };
}

const block = c64(8, 64);
/** A unitary step: a transform, scaled by 1/8, and 1 added. */
const unitary = program({
  name: "unitary step",
  inputs: { from: block },
  steps: [
    { name: "transform", op: fft(block, { axis: 1 }), bind: { in: "from", out: "spectra" } },
    {
      name: "scale",
      op: map({ shape: block.shape, sources: { x: block }, outputs: { y: "c64" } }, "x * 0.125 + complex(1, 0)"),
      bind: { x: "spectra", y: "to" },
    },
  ],
  outputs: ["to"],
});

/** `unitary` in float64. */
const stepped = (x: Float64Array): Float64Array => transformed(fft(block, { axis: 1 }), x).map((v, i) => v * 0.125 + (i % 2 === 0 ? 1 : 0));

/** A program that takes long, with arrays that nothing else uses. `run` queues it as often as takes a fifth of a second. */
async function longWork(device: Device): Promise<Disposable & { run(): Run }> {
  const shape = c64(64, 4096);
  const plan = await device.plan(fft(shape, { axis: 1 }));
  const [from, to] = [device.alloc(shape), device.alloc(shape)];
  let times = 1;
  const run = (): Run => {
    for (let i = 1; i < times; i++) plan.run({ in: from, out: to });
    return plan.run({ in: from, out: to });
  };
  for (let taken = 0; taken < 200 && times < 2 ** 16; ) {
    const begin = performance.now();
    await run().done;
    taken = performance.now() - begin;
    if (taken < 200) times = Math.ceil(times * Math.min(8, 260 / Math.max(taken, 1)));
  }
  return {
    run,
    [Symbol.dispose]() {
      for (const item of [plan, from, to]) item[Symbol.dispose]();
    },
  };
}

/** Runs `compiled` from one array to another and back. */
const back = (compiled: CompiledProgram, names: readonly [string, string], buffers: readonly [never, never], i: number) =>
  compiled.run({ [names[0]]: buffers[i % 2], [names[1]]: buffers[1 - (i % 2)] });

/** Checks iterative algorithms. */
export const iteration = suite("iteration", [
  check("an output of one run is the input of the next, back and forth", async ({ device }) => {
    const x = randomArray(block, random(1));
    for (const fuse of [true, false]) {
      using compiled = await compile(unitary, device, { fuse });
      using a = upload(device, block, x);
      using b = device.alloc(block);
      let expected = Float64Array.from(x);
      for (let i = 0; i < 9; i++) {
        back(compiled, ["from", "to"], [a, b] as never, i);
        expected = stepped(expected) as Float64Array<ArrayBuffer>;
      }
      close(await b.read(), expected, correct(64, "c64", 9), `nine runs of ${compiled.text}`);
    }
  }),
  check("through any number of arrays and parts of arrays", async ({ device }) => {
    const x = randomArray(block, random(2));
    using compiled = await compile(unitary, device);
    using states = device.alloc(c64(32, 64));
    const at = (i: number) => states.part(8 * (i % 4), 8);
    at(0).write(x);
    const expected = [Float64Array.from(x)];
    for (let i = 0; i < 6; i++) {
      compiled.run({ from: at(i), to: at(i + 1) });
      expected.push(stepped(expected[i]) as Float64Array<ArrayBuffer>);
    }
    for (const i of [3, 4, 5, 6]) close(await at(i).read(), expected[i], correct(64, "c64", i), `state ${i}`);
  }),
  check("a state that every run updates", async ({ device }) => {
    const add = program({
      name: "add",
      inputs: { x: block, state: block },
      steps: [
        {
          name: "add",
          op: map({ shape: block.shape, sources: { x: block, s: block }, outputs: { s: "c64" } }, "s * 0.5 + x"),
          bind: { x: "x", s: "state" },
        },
      ],
      outputs: ["state"],
    });
    using compiled = await compile(add, device);
    const source = random(3);
    using state = device.alloc(block);
    using x = device.alloc(block);
    const expected = new Float32Array(1024);
    for (let i = 0; i < 8; i++) {
      const data = randomArray(block, source);
      x.write(data);
      compiled.run({ x, state });
      // A product with ½ is exact, so there is one rounding, as on the device.
      data.forEach((v, k) => {
        expected[k] = 0.5 * expected[k] + v;
      });
    }
    identical(await state.read(), expected, "the state");
  }),
  check("a power iteration whose norm is read in every step", async ({ device }) => {
    const { a: matrix, first } = symmetric(4);
    using compiled = await compile(powerStep, device);
    using a = upload(device, layout("f32", [n, n]), matrix);
    using x = upload(device, vector, randomArray(vector, random(5)).map((v) => v + 1) as Float32Array<ArrayBuffer>);
    using y = device.alloc(vector);
    using norm = device.alloc(one);
    let [from, to] = [x, y];
    let [last, steps] = [0, 0];
    for (; steps < 100; steps++) {
      compiled.run({ a, x: from, y: to, norm });
      [from, to] = [to, from];
      const [size] = await norm.read();
      if (Math.abs(size - last) <= 1e-6 * size) break;
      last = size;
    }
    isTrue(steps < 60, `the iteration must converge, and stopped after ${steps} steps`);
    isTrue(Math.abs(last - 3) < 1e-5, `the largest eigenvalue must be 3, got ${last}`);
    const found = await from.read();
    const sign = Math.sign(found[0] * first[0]);
    close(
      found,
      first.map((v) => 3 * sign * v),
      1e-3,
      "its eigenvector, 3 long",
    );
  }),
  check("reads of every state, queued with all runs", async ({ device }) => {
    const x = randomArray(block, random(6));
    using compiled = await compile(unitary, device);
    using a = upload(device, block, x);
    using b = device.alloc(block);
    const reads: Promise<TypedArrayOf>[] = [];
    for (let i = 0; i < 12; i++) {
      back(compiled, ["from", "to"], [a, b] as never, i);
      reads.push((i % 2 === 0 ? b : a).read({ start: 5 * i, count: 3 }));
    }
    let expected = Float64Array.from(x);
    for (const [i, read] of reads.entries()) {
      expected = stepped(expected) as Float64Array<ArrayBuffer>;
      const rms = Math.sqrt(expected.reduce((sum, v) => sum + v * v, 0) / expected.length);
      const [at, tolerance] = [10 * i, 6 * rms * correct(64, "c64", i + 1)];
      (await read).forEach((v, k) => {
        isTrue(Math.abs(v - expected[at + k]) <= tolerance, `number ${at + k} of state ${i} must be ${expected[at + k]}, got ${v}`);
      });
    }
  }),
  check("a small read does not wait for work that is queued after it", async ({ device }) => {
    using compiled = await compile(unitary, device);
    const x = randomArray(block, random(7));
    using a = upload(device, block, x);
    using b = device.alloc(block);
    using long = await longWork(device);
    const expected = stepped(Float64Array.from(x));
    /** Reads while long work is queued. Says how long both took if the read took nearly as long. */
    const slowRead = async (options: { readonly signal?: AbortSignal }): Promise<string | undefined> => {
      const order: string[] = [];
      compiled.run({ from: a, to: b }, options);
      const read = b.read({ start: 0, count: 64 }).then((data) => {
        order.push("read");
        return data;
      });
      const begin = performance.now();
      let turn = Number.POSITIVE_INFINITY;
      setTimeout(() => {
        turn = performance.now() - begin;
      });
      const end = long.run().done.then(() => order.push("long"));
      close(await settles(read, "the read"), expected.subarray(0, 128), correct(64, "c64", 2), "what was read");
      const taken = performance.now() - begin;
      await end;
      const whole = performance.now() - begin;
      equal(order, ["read", "long"], "order of the ends");
      // A device that computes in one turn of the event loop can show the order only.
      if (turn >= whole / 2 || taken < 0.6 * whole) return undefined;
      return `the read took ${taken.toFixed(0)} ms, the work that was queued after it ${whole.toFixed(0)} ms`;
    };
    for (const options of [{}, { signal: new AbortController().signal }]) {
      const seen: string[] = [];
      // A busy machine delays a read now and then. A device whose reads wait for later work delays them every time.
      for (let attempt = 0; attempt < 5; attempt++) {
        const slow = await slowRead(options);
        if (slow === undefined) break;
        seen.push(slow);
      }
      isTrue(seen.length < 5, seen.join("; "));
    }
  }),
  check("one array as two values of a program", async ({ device }) => {
    using compiled = await compile(unitary, device);
    using a = device.alloc(block);
    throws(() => compiled.run({ from: a, to: a }), "layout", "an array as input and output", "from and to");
    throws(() => compiled.runStage(0, { from: a, to: a }), "layout", "an array as input and output of a stage", "from and to");
  }),
]);
