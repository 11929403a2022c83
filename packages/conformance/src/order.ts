/**
 * Checks of order: writes, runs and reads are queued in the order of the calls, awaited or not. Arguments are copied when the call is
 * made.
 */
import { type Buffer, layout, type Op, type TypedArrayOf } from "@dechirp/core";
import { close, identical, isTrue, rejects, settles, throws } from "./assert.ts";
import { transformed } from "./definition.ts";
import { check, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, upload } from "./run.ts";
import { twice } from "./samples.ts";
import { correct } from "./tolerance.ts";

const [lines, n] = [32, 1024];
const shape = c64(lines, n);
const forward: Op = { op: "fft", layout: shape, axis: 1, inverse: false };
const scale = (factor: number): Op => ({ op: "convert", layout: shape, to: "c64", scale: factor });

/** Checks that runs, writes and reads keep the order of the calls. */
export const order = suite("order", [
  check("write takes a copy, also while runs are queued", async ({ device }) => {
    using plan = await device.plan(scale(2));
    using a = device.alloc(shape);
    using b = device.alloc(shape);
    const expected: TypedArrayOf[] = [];
    const reads: Promise<TypedArrayOf>[] = [];
    const data = randomArray(shape, random(1));
    for (let i = 0; i < 4; i++) {
      data.fill(i + 1);
      a.write(data);
      data.fill(99);
      plan.run({ in: a, out: b });
      expected.push(data.slice().fill(2 * (i + 1)));
      reads.push(b.read());
    }
    for (const [i, read] of reads.entries()) identical(await read, expected[i], `write ${i}`);
    const odd = layout("u8", [1001]); // bytes, from a view into a larger array
    using bytes = device.alloc(odd);
    const pool = new Uint8Array(2000).fill(3);
    plan.run({ in: a, out: b });
    bytes.write(pool.subarray(500, 1501));
    pool.fill(4);
    identical(await bytes.read(), new Uint8Array(1001).fill(3), "bytes");
  }),
  check("a read sees the runs queued before it and no later ones", async ({ device }) => {
    using double = await device.plan(scale(2), { inPlace: true });
    const x = randomArray(shape, random(2));
    using a = upload(device, shape, x);
    const reads: Promise<TypedArrayOf>[] = [a.read()];
    for (let i = 0; i < 3; i++) {
      double.run({ in: a, out: a });
      reads.push(a.read());
    }
    a.write(x.slice().fill(0));
    reads.push(a.read());
    for (const [i, read] of reads.entries()) identical(await read, i < 4 ? x.map((v) => v * 2 ** i) : x.slice().fill(0), `read ${i}`);
  }),
  check("chains of runs need no await", async ({ device }) => {
    for (const fuse of [true, false]) {
      using there = await device.plan(forward, { fuse });
      using back = await device.plan({ ...forward, inverse: true }, { fuse });
      const x = randomArray(shape, random(3));
      using a = upload(device, shape, x);
      using b = device.alloc(shape);
      for (let i = 0; i < 3; i++) {
        there.run({ in: a, out: b });
        back.run({ in: b, out: a });
      }
      close(await a.read(), x, correct(n, "c64", 6), "three round trips");
    }
  }),
  check("a lowered plan keeps its place in the queue, also with a signal", async ({ device }) => {
    const op: Op = { op: "spectral-filter", layout: shape, axis: 1, h: "line" };
    const x = randomArray(shape, random(4));
    const h = new Float32Array(2 * n).map((_, i) => (i % 2 === 0 ? 1 : 0));
    const signal = new AbortController().signal;
    for (const options of [{}, { signal }]) {
      using plan = await device.plan(op, { fuse: false });
      using double = await device.plan(scale(2));
      using a = upload(device, shape, x);
      using filter = upload(device, c64(n), h);
      using b = device.alloc(shape);
      using c = device.alloc(shape);
      plan.run({ in: a, h: filter, out: b }, options);
      const read = b.read();
      double.run({ in: b, out: c });
      const twiceRead = c.read();
      filter.write(h.slice().fill(0));
      a.write(x.slice().fill(0));
      close(await read, x, correct(n, "c64", 3), `what a lowered plan wrote${"signal" in options ? ", with a signal" : ""}`);
      close(
        await twiceRead,
        x.map((v) => 2 * v),
        correct(n, "c64", 3),
        "what the run after it wrote",
      );
    }
  }),
  check("ready waits for what was queued", async ({ device }) => {
    using plan = await device.plan(forward);
    using a = device.alloc(shape);
    using b = device.alloc(shape);
    let finished = 0;
    for (let i = 0; i < 5; i++) {
      plan.run({ in: a, out: b }).done.then(() => {
        finished += 1;
      });
    }
    await settles(device.ready(), "ready()");
    await Promise.resolve();
    const atReady = finished;
    await plan.run({ in: a, out: b }).done;
    isTrue(finished === 5, "the runs finish");
    isTrue(atReady >= 4, `ready() came when ${atReady} of 5 runs had finished`);
    await settles(device.ready(), "ready() of an idle device");
  }),
  check("an aborted run rejects, and so does what depends on it", async ({ device }) => {
    using plan = await device.plan(forward);
    using double = await device.plan(scale(2));
    const x = randomArray(shape, random(5));
    using a = upload(device, shape, x);
    using b = device.alloc(shape);
    using c = device.alloc(shape);
    const early = plan.run({ in: a, out: b }, { signal: AbortSignal.abort() }).done;
    const dependent = double.run({ in: b, out: c }).done;
    const beside = double.run({ in: a, out: c }).done;
    await rejects(early, "aborted", "a run whose signal had fired");
    await rejects(dependent, "aborted", "a run that reads its output");
    await rejects(b.read(), "aborted", "a read of its output");
    await settles(beside, "a run beside it");
    await settles(plan.run({ in: a, out: b }).done, "the next run");
    close(
      (await b.read()).subarray(0, 2 * n),
      transformed({ op: "fft", layout: c64(1, n), axis: 1, inverse: false }, x.slice(0, 2 * n)),
      correct(n, "c64"),
      "its output",
    );
  }),
  check("a run that is aborted while it runs settles", async ({ device }) => {
    using plan = await device.plan(forward);
    using a = device.alloc(shape);
    using b = device.alloc(shape);
    const controller = new AbortController();
    const runs = Array.from({ length: 20 }, () => plan.run({ in: a, out: b }, { signal: controller.signal }).done);
    await runs[0];
    controller.abort();
    const ends = await settles(
      Promise.all(
        runs.map((run) =>
          run.then(
            () => "done",
            (error: { code?: string }) => error.code,
          ),
        ),
      ),
      "aborted runs",
    );
    isTrue(
      ends.every((end) => end === "done" || end === "aborted"),
      `runs end done or aborted: ${ends}`,
    );
    isTrue(ends[0] === "done", "what had finished stays finished");
    await settles(plan.run({ in: a, out: b }).done, "the next run");
  }),
  check("wrong arguments throw at once and queue nothing", async ({ device }) => {
    using plan = await device.plan(twice(c64(8)));
    using a = upload(device, c64(8), new Float32Array(16).fill(1));
    using b = upload(device, c64(8), new Float32Array(16).fill(7));
    throws(() => plan.run({ in: a } as never), "layout", "a missing port", "out");
    throws(() => plan.run({ in: a, out: b }, { units: [device.units] }), "layout", "a unit that is not there", "units");
    throws(() => b.write(new Float32Array(17)), "layout", "too much data");
    identical(await b.read(), new Float32Array(16).fill(7), "the output");
  }),
  check("many short runs, all at once", async ({ device }) => {
    const one = c64(1);
    using plan = await device.plan(twice(one), { inPlace: true });
    const buffers: Buffer<"c64">[] = [];
    try {
      for (let i = 0; i < 300; i++) buffers.push(upload(device, one, Float32Array.of(i, -i)));
      for (let round = 0; round < 3; round++) for (const buffer of buffers) plan.run({ in: buffer, out: buffer });
      for (const [i, buffer] of buffers.entries()) identical(await buffer.read(), [8 * i, -8 * i], `buffer ${i}`);
    } finally {
      for (const buffer of buffers) buffer[Symbol.dispose]();
    }
  }),
]);
