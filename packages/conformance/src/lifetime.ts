/** Checks of lifetimes: use after `dispose`, `dispose` while runs are queued, memory counts, and that nothing hangs. */
import { type Buffer, type Device, layout, type Op, type Plan, type RadarErrorCode } from "@dechirp/core";
import { close, equal, identical, isTrue, later, rejects, settles, throws } from "./assert.ts";
import { transformed } from "./definition.ts";
import { check, isEmpty, type Kit, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, upload } from "./run.ts";
import { failing, twice } from "./samples.ts";
import { correct } from "./tolerance.ts";

const small: Op = { op: "fft", layout: c64(4, 16), axis: 1, inverse: false };
/** An op that takes long enough that a queue of several is not done at once. */
const large: Op = { op: "fft", layout: c64(64, 4096), axis: 1, inverse: false };

interface Bench {
  readonly device: Device;
  readonly plan: Plan;
  readonly from: Buffer;
  readonly to: Buffer;
}

/** Opens a device with a plan and arrays for `op`, calls the check, and disposes of the device in any case. */
async function onOwnDevice(kit: Kit, op: Op, visit: (bench: Bench) => Promise<void>): Promise<void> {
  const device = await kit.open();
  try {
    const plan = await device.plan(op);
    const from = device.alloc("layout" in op ? op.layout : c64(1));
    await visit({ device, plan, from, to: device.alloc(from.layout) });
  } finally {
    device[Symbol.dispose]();
  }
}

/** Checks that disposal frees everything, and that disposed objects throw `disposed`. */
export const lifetime = suite("lifetime", [
  check("use of a disposed buffer", async ({ device }) => {
    using plan = await device.plan(small);
    using other = device.alloc(c64(4, 16));
    const gone = device.alloc(c64(4, 16));
    gone[Symbol.dispose]();
    throws(() => gone.write(new Float32Array(128)), "disposed", "write");
    await rejects(gone.read(), "disposed", "read");
    if (gone.view) throws(() => gone.view?.(), "disposed", "view");
    throws(() => plan.run({ in: gone, out: other }), "disposed", "run that reads it", "in");
    throws(() => plan.run({ in: other, out: gone }), "disposed", "run that writes it", "out");
  }),
  check("use of a disposed plan", async ({ device }) => {
    using from = device.alloc(c64(4, 16));
    using to = device.alloc(c64(4, 16));
    for (const fuse of [true, false]) {
      const plan = await device.plan(small, { fuse });
      plan[Symbol.dispose]();
      throws(() => plan.run({ in: from, out: to }), "disposed", "run");
    }
  }),
  check("use of a disposed device", (kit) =>
    onOwnDevice(kit, small, async ({ device, plan, from, to }) => {
      device[Symbol.dispose]();
      throws(() => device.alloc(c64(2)), "disposed", "alloc");
      await rejects(device.plan(small), "disposed", "plan");
      await rejects(device.ready(), "disposed", "ready");
      throws(() => plan.run({ in: from, out: to }), "disposed", "run");
      throws(() => from.write(new Float32Array(128)), "disposed", "write");
      await rejects(to.read(), "disposed", "read");
      isEmpty(device, "alive after the device");
    }),
  ),
  check("disposing twice is harmless", (kit) =>
    onOwnDevice(kit, small, async ({ device, plan, from }) => {
      const { buffers, plans } = device.memory();
      for (let i = 0; i < 2; i++) {
        plan[Symbol.dispose]();
        from[Symbol.dispose]();
      }
      equal([device.memory().buffers, device.memory().plans], [buffers - 1, plans - 1], "buffers and plans alive");
      device[Symbol.dispose]();
      device[Symbol.dispose]();
      plan[Symbol.dispose]();
      from[Symbol.dispose]();
      isEmpty(device, "alive after the device");
    }),
  ),
  check("buffers and plans disposed while runs are queued", async ({ device }) => {
    for (const op of [small, large, { op: "spectral-filter", layout: c64(8, 512), axis: 1, h: "line" } as const]) {
      for (const fuse of [true, false]) {
        const shape = op.layout as ReturnType<typeof c64>;
        const x = randomArray(shape, random(3));
        const h = new Float32Array(2 * shape.shape[1]).map((_, i) => 1 - (i % 2));
        const plan = await device.plan(op, { fuse });
        const from = upload(device, shape, x);
        const filter = upload(device, c64(shape.shape[1]), h);
        const to = device.alloc(shape);
        const { done } = plan.run(op.op === "fft" ? { in: from, out: to } : { in: from, h: filter, out: to });
        const result = to.read();
        for (const item of [plan, from, to, filter]) item[Symbol.dispose]();
        await settles(done, plan.text);
        const out = await settles(result, `reading ${plan.text}`);
        if (op === small) close(out, transformed(small, x), correct(16, "c64"), plan.text);
        if (op.op === "spectral-filter") close(out, x, correct(512, "c64", 3), plan.text);
      }
    }
  }),
  check("memory counts what is not freed", (kit) =>
    onOwnDevice(kit, small, async ({ device, plan, from, to }) => {
      equal(device.memory(), { buffers: 2, bytes: 2 * 4 * 16 * 8, peakBytes: 2 * 4 * 16 * 8, plans: device.memory().plans }, "two arrays");
      isTrue(device.memory().plans >= 1, "a plan counts");
      const third = device.alloc(layout("i8", [1000]));
      equal([device.memory().buffers, device.memory().bytes], [3, 2024], "three arrays");
      third[Symbol.dispose]();
      equal(device.memory().peakBytes, 2024, "the peak stays");
      for (const item of [plan, from, to]) item[Symbol.dispose]();
      isEmpty(device, "alive after all were disposed of");
      using lowered = await device.plan({ op: "spectral-filter", layout: c64(4, 64), axis: 1, h: "line" }, { fuse: false });
      isTrue(device.memory().plans >= 1, "a lowered plan counts");
      lowered[Symbol.dispose]();
      isEmpty(device, "temporaries and parts go with a lowered plan");
    }),
  ),
  check("a device disposed with runs queued rejects them and never hangs", async (kit) => {
    for (const fuse of [true, false]) {
      const device = await kit.open();
      const shape = c64(64, 4096);
      const plan = await device.plan({ op: "spectral-filter", layout: shape, axis: 1, h: "line" }, { fuse });
      const [from, to, h] = [device.alloc(shape), device.alloc(shape), device.alloc(c64(4096))];
      const runs = Array.from({ length: 6 }, () => plan.run({ in: from, h, out: to }).done);
      const read = later(to.read());
      const ready = later(device.ready());
      device[Symbol.dispose]();
      for (const run of runs) await rejects(run, "disposed", "a queued run");
      await rejects(read, "disposed", "a queued read");
      await settles(
        ready.catch(() => {}),
        "ready()",
      );
      isEmpty(device, "alive after the queued runs were rejected");
    }
  }),
  check("a device disposed while it plans", async (kit) => {
    const device = await kit.open();
    const planning = [large, { op: "spectral-filter", layout: c64(8, 60), axis: 1, h: "line" } as const].flatMap((op) => [
      device.plan(op),
      device.plan(op, { fuse: false }),
    ]);
    const outcomes = planning.map((plan) =>
      plan.then(
        () => "planned",
        () => "rejected",
      ),
    );
    device[Symbol.dispose]();
    for (const outcome of outcomes) await settles(outcome, "plan()");
    isEmpty(device, "alive after a device that was disposed of while planning");
  }),
  check("two devices do not share buffers", async (kit) => {
    const other = await kit.open();
    try {
      using plan = await kit.device.plan(small);
      using mine = kit.device.alloc(c64(4, 16));
      const theirs = other.alloc(c64(4, 16));
      throws(() => plan.run({ in: mine, out: theirs }), "layout", "a buffer of another device", "out");
      throws(() => plan.run({ in: theirs, out: mine }), "layout", "a buffer of another device", "in");
    } finally {
      other[Symbol.dispose]();
    }
  }),
  check("a failing plan leaves nothing behind", async ({ device }) => {
    const before = device.memory();
    const longest = device.limits.maxTransformLength;
    await rejects(
      device.plan({ op: "fft", layout: c64(2), axis: 0, n: longest + 1, inverse: false }),
      "limit",
      "a transform beyond the limit",
    );
    await rejects(device.plan({ op: "fft", layout: c64(2), axis: 1, inverse: false }), "layout", "an axis that is not there");
    equal(device.memory().buffers, before.buffers, "buffers alive");
  }),
  check("failing kernel", async ({ device }) => {
    const shape = c64(40);
    const x = randomArray(shape, random(1));
    using plan = await device.plan(failing(shape));
    using next = await device.plan(twice(shape));
    using a = upload(device, shape, x);
    using b = device.alloc(shape);
    using c = device.alloc(shape);
    const run = plan.run({ in: a, out: b }).done;
    const read = later(b.read());
    const downstream = next.run({ in: b, out: c }).done;
    const readDownstream = later(c.read());
    const untouched = next.run({ in: a, out: c }).done; // overwrites the output of the failed run
    const readAfter = later(c.read());
    const code = (await run.then(
      () => undefined,
      (error: { code: RadarErrorCode }) => error.code,
    )) as RadarErrorCode;
    await rejects(run, code, "the run");
    await rejects(read, code, "a read of its output");
    await rejects(downstream, code, "a run that reads its output");
    await rejects(readDownstream, code, "a read of what that run wrote");
    await settles(untouched, "a run beside it");
    identical(
      await readAfter,
      x.map((v) => 2 * v),
      "what a later run wrote over it",
    );
    await rejects(b.read(), code, "a read of the output, later");
    b.write(new Float32Array(2), 3);
    await rejects(b.read(), code, "a read after a partial write");
    b.write(x);
    identical(await b.read(), x, "a read after a full write");
    await settles(next.run({ in: b, out: c }).done, "a run after a full write");
  }),
  check("a failure reaches only work that is queued after it", async ({ device }) => {
    const shape = c64(40);
    const x = randomArray(shape, random(1));
    using plan = await device.plan(failing(shape));
    using a = upload(device, shape, x);
    using b = upload(device, shape, x);
    const before = later(b.read());
    const run = plan.run({ in: a, out: b }).done;
    const after = later(b.read());
    b.write(x);
    const healed = later(b.read());
    identical(await settles(before, "a read before the failing run"), x, "a read before the failing run");
    await rejects(run, undefined, "the run");
    await rejects(after, undefined, "a read between the failing run and a full write");
    identical(await settles(healed, "a read after a full write"), x, "a read after a full write");
  }),
]);
