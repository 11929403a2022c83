/**
 * Interruptions at every step. A program is aborted when its device checks the signal for the first time, for the second time, and so on.
 * Its device is disposed of after one turn of the event loop, after two, and so on. Each time everything must settle with one error of
 * the right code, nothing may stay allocated, and the next run must give the same result as before, bit for bit. Faults of the device
 * itself, such as missing memory, are left to the backend's own tests.
 */
import {
  type Device,
  evaluate,
  isRadarError,
  messageOf,
  type Op,
  type Program,
  type RadarErrorCode,
  type TypedArrayOf,
} from "@dechirp/core";
import { fail, identical, isTrue, rejects, settles } from "./assert.ts";
import { check, isEmpty, suite } from "./kit.ts";
import { random, randomArray } from "./random.ts";
import { c64 } from "./run.ts";
import { twice } from "./samples.ts";

const shape = c64(12, 96);

const program: Program = {
  name: "interrupted",
  inputs: { x: shape, h: c64(96) },
  steps: [
    { name: "filter", op: { op: "spectral-filter", layout: shape, axis: 1, h: "line" }, bind: { in: "x", h: "h", out: "filtered" } },
    { name: "twice", op: twice(shape), bind: { in: "filtered", out: "doubled" } },
    { name: "columns", op: { op: "fft", layout: shape, axis: 0, inverse: false }, bind: { in: "doubled", out: "y" } },
  ],
  outputs: ["y"],
};
const inputs = { x: randomArray(shape, random(1)), h: randomArray(c64(96), random(2)) };

const run = async (device: Device, fuse: boolean, signal?: AbortSignal): Promise<TypedArrayOf> =>
  (await evaluate(program, device, inputs, { fuse, ...(signal && { signal }) }))["y"];

/** The result of `work`, or undefined if it failed with `code`. Any other failure fails the check. */
async function outcome(work: Promise<TypedArrayOf>, code: RadarErrorCode, what: string): Promise<TypedArrayOf | undefined> {
  try {
    return await settles(work, what);
  } catch (error) {
    if (!isRadarError(error, code)) fail(`${what}: expected ${code}, got ${messageOf(error)}`);
    return undefined;
  }
}

/** A signal that fires when it is checked for the `k`-th time, and a function that says whether it has fired. */
function firesAtLook(k: number): { readonly signal: AbortSignal; fired(): boolean } {
  const controller = new AbortController();
  const { signal } = controller;
  let looks = 0;
  Object.defineProperty(signal, "aborted", {
    get() {
      if (++looks === k) controller.abort();
      return looks >= k;
    },
  });
  return { signal, fired: () => looks >= k };
}

/** Values to throw: some can't be converted to text, some look like promises. */
const thrown = (): readonly unknown[] => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  const refuse = (): never => {
    throw proxy;
  };
  const getters = Object.fromEntries(["message", "toString", "then"].map((name) => [name, { get: refuse }]));
  return [
    Object.create(null),
    proxy,
    new Proxy(new Error("hidden"), { get: refuse, getPrototypeOf: refuse }),
    Object.defineProperties(new Error("hidden"), getters),
    { [Symbol.toPrimitive]: refuse, message: Symbol("message") },
    // biome-ignore lint/suspicious/noThenProperty: awaited, it would never settle
    { then: () => {} },
    Symbol("thrown"),
    null,
    undefined,
    "a text",
  ];
};

/** More checks of the signal than any device needs for so small a program. */
const mostLooks = 2000;
/** More turns than it takes on any machine, however busy. A turn may be a millisecond. */
const mostTurns = 2 ** 20;

/** Checks that a program can be aborted, and its device disposed of, at any time. */
export const faults = suite("faults", [
  check("a program can be aborted at every check of its signal", async ({ device }) => {
    for (const fuse of [true, false]) {
      const expected = await run(device, fuse);
      let aborted = 0;
      for (let k = 1; ; k++) {
        const what = `a program aborted at look ${k}`;
        const { signal, fired } = firesAtLook(k);
        const result = await outcome(run(device, fuse, signal), "aborted", what);
        if (result) identical(result, expected, what);
        else aborted += 1;
        isTrue(result !== undefined || fired(), `${what} fails without a reason`);
        identical(await run(device, fuse), expected, `the run after ${what}`);
        if (!fired()) break;
        isTrue(k < mostLooks, "a device does not look without end");
      }
      isTrue(aborted >= program.steps.length, `a program of ${program.steps.length} steps is aborted in each, not ${aborted} times`);
    }
  }),
  check("whatever a hook, kernel or listener throws becomes the cause of one failed error", async ({ device }) => {
    const expected = await run(device, true);
    for (const value of thrown()) {
      const reference = (): never => {
        throw value;
      };
      const load = { name: "thrower", sources: { x: shape }, reference };
      const store = { name: "thrower", sources: {}, dtype: "c64", reference } as const;
      const fft = { op: "fft", layout: shape, axis: 1, inverse: false } as const;
      const kernel: Op = {
        ...twice(shape),
        ...Object.fromEntries([
          ["wgsl", undefined],
          ["wasm", undefined],
        ]),
        reference,
      };
      const ops: readonly (readonly [Op, string])[] = [
        [kernel, "in"],
        [{ ...fft, load }, "x"],
        [{ ...fft, store }, "in"],
        [{ op: "spectral-filter", layout: shape, axis: 1, h: { ...load, sources: {} } }, "in"],
      ];
      const failed = async (work: Promise<unknown>, what: string): Promise<void> => {
        const error = await settles(work, what).then(
          () => fail(`${what} did not fail`),
          (reason: unknown) => reason,
        );
        if (!isRadarError(error, "failed")) fail(`${what}: expected failed, got ${messageOf(error)}`);
        isTrue(error.cause === value, `${what} tells its cause`);
      };
      for (const [op, port] of ops) {
        for (const fuse of [true, false]) {
          using from = device.alloc(shape);
          using to = device.alloc(shape);
          using plan = await device.plan(op, { fuse });
          const what = `${plan.text}, which throws ${messageOf(value)}`;
          const { done } = plan.run({ [port]: from, out: to });
          await failed(to.read(), `a read after ${what}`);
          await failed(done, what);
        }
      }
      await failed(evaluate(program, device, inputs, { onProgress: reference }), `a listener that throws ${messageOf(value)}`);
      await outcome(run(device, true, AbortSignal.abort(value)), "aborted", `a signal with ${messageOf(value)}`);
      identical(await run(device, true), expected, `the run after what throws ${messageOf(value)}`);
    }
  }),
  check("references that return promises fail, without unhandled rejections", async ({ device }) => {
    const reference = (): never => Promise.reject(new Error("late")) as never;
    const hook = { name: "late", sources: {}, reference };
    for (const op of [
      { op: "kernel", name: "late", ports: { out: { access: "write", layout: shape } }, items: 3, reference },
      { op: "fft", layout: shape, axis: 1, inverse: false, load: hook },
      { op: "fft", layout: shape, axis: 0, inverse: false, load: { ...hook, reference: () => [1, 0] }, store: { ...hook, dtype: "c64" } },
      { op: "filter-inverse", layout: shape, axis: 1, load: { ...hook, reference: () => [1, 0] }, h: hook },
    ] as const satisfies readonly Op[])
      for (const fuse of [true, false]) {
        using out = device.alloc(shape);
        using plan = await device.plan(op, { fuse });
        await rejects(plan.run({ out }).done, "failed", plan.text);
      }
  }),
  check("a device can be disposed of at every turn", async (kit) => {
    const expected = await run(kit.device, true);
    // After every turn at first, with growing steps later; the steps grow sooner if devices take long to open.
    const close = kit.sizes === "full" ? 6 : 3;
    for (let turns = 0; ; turns += 1 + (turns >> close)) {
      const what = `a program whose device is disposed of after ${turns} turns`;
      const device = await kit.open();
      const work = outcome(run(device, true), "disposed", what);
      let over = false;
      work.then(
        () => {
          over = true;
        },
        () => {},
      );
      // First let promises settle: some devices finish before the event loop has a turn.
      for (let turn = 0; turn < turns && !over; turn++) await (turn < 96 ? undefined : new Promise((next) => setTimeout(next)));
      const ended = over;
      device[Symbol.dispose]();
      const result = await work;
      isEmpty(device, `alive after ${what}`);
      if (result) identical(result, expected, what);
      if (ended) break;
      isTrue(turns < mostTurns, "a program ends");
    }
    identical(await run(kit.device, true), expected, "a run on another device");
  }),
]);
