/**
 * Checks of planning for lengths whose tables take long to make. Planning must let the event loop run. It must end soon after its signal
 * fires and then hold nothing. Plans of one length that are made at the same time, or after an aborted one, must work.
 */
import { type Device, type Fft, layout, type Op, type Plan, type RadarErrorCode } from "@dechirp/core";
import { close, equal, fail, isTrue, rejects, settles } from "./assert.ts";
import { dftBins } from "./definition.ts";
import { check, nothing, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64, complexTypes, upload } from "./run.ts";
import { failing, twice } from "./samples.ts";
import { correct } from "./tolerance.ts";

const fft = (dtype: "c64" | "c128", n: number, inverse = false): Fft => ({ op: "fft", layout: layout(dtype, [1, n]), axis: 1, inverse });

/** Prime lengths: their transforms are convolutions, which need the longest tables. Shorter if the device's limit is lower. */
const primeWithin = (prime: number, device: Device): number => (prime <= device.limits.maxTransformLength ? prime : 4_099);
const long = (device: Device): number => primeWithin(200_003, device);
const longest = (device: Device): number => primeWithin(1_000_003, device);

/** One turn of the event loop, on any host. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Runs the plan of a plain transform and compares some bins with the definition. */
async function isRight(device: Device, plan: Plan): Promise<void> {
  const { layout: shape, inverse } = plan.op as Fft;
  const n = shape.shape[1];
  const source = random(n);
  const x = randomArray(shape, source);
  using from = upload(device, shape, x);
  using to = device.alloc(shape);
  const { done } = plan.run({ in: from, out: to });
  const y = await settles(to.read(), `reading ${plan.text}`);
  await settles(done, plan.text);
  const bins = [0, 1, n - 1, ...Array.from({ length: 13 }, () => source.integer(0, n - 1))];
  const got = Float64Array.from({ length: 2 * bins.length }, (_, i) => y[2 * bins[i >> 1] + (i & 1)]);
  close(got, dftBins(x, n, bins, inverse), correct(n, shape.dtype as "c64" | "c128"), plan.text);
}

/** The code that planning rejects with. Undefined if it makes a plan, which is then disposed of. */
async function outcome(planning: Promise<Plan>, what: string): Promise<RadarErrorCode | undefined> {
  return settles(planning, what).then(
    (plan) => {
      plan[Symbol.dispose]();
      return undefined;
    },
    (error: { code: RadarErrorCode }) => error.code,
  );
}

/**
 * Counts the turns of the event loop while the longest plan is made, and measures the time of all and of the longest turn, in
 * milliseconds.
 */
async function turnsWhilePlanning(device: Device, dtype: "c64" | "c128") {
  let isDone = false;
  const start = performance.now();
  const planned = device.plan(fft(dtype, longest(device))).finally(() => {
    isDone = true;
  });
  let [turns, last, gap] = [0, start, 0];
  for (; !isDone; turns++) {
    await turn();
    gap = Math.max(gap, performance.now() - last);
    last = performance.now();
  }
  using plan = await settles(planned, "planning");
  return { turns, milliseconds: last - start, gap, text: plan.text };
}

const used = (device: Device): unknown => {
  const { buffers, bytes, plans } = device.memory();
  return { buffers, bytes, plans };
};

/** Checks that long planning does not block other work and can be aborted. */
export const planning = suite("planning", [
  check("a signal that has fired already stops planning", async ({ device }) => {
    const ops: readonly Op[] = [
      fft("c64", 64),
      fft("c64", long(device)),
      { op: "spectral-filter", layout: c64(4, 97), axis: 1, h: "line" },
      { op: "transpose", layout: c64(8, 8), permutation: [1, 0] },
      twice(c64(40)),
      failing(c64(40)),
    ];
    const before = used(device);
    for (const op of ops) {
      for (const fuse of [true, false]) {
        await rejects(device.plan(op, { fuse, signal: AbortSignal.abort() }), "aborted", `planning ${op.op}`);
        equal(used(device), before, `arrays, bytes and plans after planning ${op.op}`);
      }
    }
  }),
  check("aborted after any number of turns", async (kit) => {
    for (const dtype of complexTypes(kit.device)) {
      for (const inverse of [false, true]) {
        // A new device, which has no tables yet.
        const device = await kit.open();
        try {
          let aborted = 0;
          for (let turns = 0; ; turns = Math.ceil(1.5 * turns + 0.5)) {
            const controller = new AbortController();
            const planned = outcome(
              device.plan(fft(dtype, long(device), inverse), { signal: controller.signal }),
              "planning that was aborted",
            );
            for (let i = 0; i < turns; i++) await turn();
            controller.abort();
            const code = await planned;
            equal(used(device), nothing, `arrays, bytes and plans alive after planning that was aborted after ${turns} turns`);
            if (code === undefined) break;
            equal(code, "aborted", "the code");
            aborted += 1;
          }
          isTrue(aborted > 0, "planning was never aborted");
          using plan = await device.plan(fft(dtype, long(device), inverse));
          await isRight(device, plan);
        } finally {
          device[Symbol.dispose]();
        }
      }
    }
  }),
  check("planning stops soon after an abort", async ({ device }) => {
    const controller = new AbortController();
    let isDone = false;
    const planned = outcome(device.plan(fft("c64", longest(device)), { signal: controller.signal }), "planning that was aborted").finally(
      () => {
        isDone = true;
      },
    );
    await turn();
    await turn();
    controller.abort();
    let turns = 0;
    for (; !isDone; turns++) await turn();
    // The planning may have finished first.
    equal((await planned) ?? "aborted", "aborted", "the code");
    // One turn would be enough, but the host may have begun others.
    isTrue(turns <= 8, `planning took ${turns} turns of the event loop to notice its signal`);
  }),
  check("planning lets the event loop run", async ({ device }) => {
    for (const dtype of complexTypes(device)) {
      // The first plan makes what a device needs only once.
      await turnsWhilePlanning(device, dtype);
      const seen: string[] = [];
      // A busy machine delays turns now and then. A device that blocks the event loop does so every time.
      for (let attempt = 0; attempt < 5; attempt++) {
        const { turns, milliseconds, gap, text } = await turnsWhilePlanning(device, dtype);
        if (turns >= Math.min(3, Math.floor(milliseconds / 50)) && gap <= Math.max(100, milliseconds / 2)) break;
        seen.push(`${turns} turns in ${milliseconds.toFixed(0)} ms, ${gap.toFixed(0)} ms the longest: planning ${text}`);
      }
      isTrue(seen.length < 5, seen.join("; "));
    }
  }),
  check("two plans of one length at the same time", async (kit) => {
    for (const dtype of complexTypes(kit.device)) {
      const plans = await Promise.all([0, 1].map(() => kit.device.plan(fft(dtype, long(kit.device)))));
      for (const plan of plans) {
        await isRight(kit.device, plan);
        // The other plan keeps what the two share.
        plan[Symbol.dispose]();
      }
    }
  }),
  check("of two plans only one is aborted", async (kit) => {
    for (const which of [0, 1]) {
      for (const turns of [0, 1, 3]) {
        const device = await kit.open();
        try {
          const controller = new AbortController();
          const signals = [0, 1].map((i) => (i === which ? { signal: controller.signal } : {}));
          const both = signals.map((options) => device.plan(fft("c64", long(device)), options));
          const aborted = outcome(both[which], "the one that is aborted");
          const other = settles(both[1 - which], "the other one");
          other.catch(() => {});
          for (let i = 0; i < turns; i++) await turn();
          controller.abort();
          const code = await aborted;
          if (turns === 0) equal(code, "aborted", "the code");
          using plan = await other;
          await isRight(device, plan);
        } finally {
          device[Symbol.dispose]();
        }
      }
    }
  }),
  check("the device is disposed of during planning", async (kit) => {
    for (const turns of [0, 1, 3]) {
      const device = await kit.open();
      const planned = outcome(device.plan(fft("c64", longest(device))), "planning on a device that is disposed of");
      for (let i = 0; i < turns; i++) await turn();
      device[Symbol.dispose]();
      const code = await planned;
      if (code !== undefined && code !== "disposed") fail(`expected disposed, got ${code}`);
      equal(used(device), nothing, "arrays, bytes and plans alive after the device");
    }
  }),
]);
