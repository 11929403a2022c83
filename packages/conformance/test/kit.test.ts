/** Runs the kit on a simple backend, which must pass, and on the same backend with one fault each time, which must fail. */
import { type Device, layout } from "@dechirp/core";
import { describe, expect, test, vi } from "vitest";
import * as surface from "../src/index.ts";
import {
  accumulation,
  accuracy,
  arrays,
  conformance,
  expressions,
  extremes,
  faults,
  isolation,
  iteration,
  kernels,
  laws,
  lifetime,
  order,
  parts,
  reference,
  type Suite,
  suites,
} from "../src/index.ts";
import { check, isEmpty, suite } from "../src/kit.ts";
import { type Fault, oracle } from "./oracle.ts";

conformance({ describe, test, open: async () => oracle(), sizes: "subset" });

interface Registered {
  readonly name: string;
  readonly body: () => void | Promise<void>;
  readonly skipped: boolean;
}

/** A runner that only collects the tests. */
function collect(register: (runner: Pick<surface.ConformanceOptions, "describe" | "test">) => void): Registered[] {
  const tests: Registered[] = [];
  const add = (skipped: boolean) => (name: string, body: Registered["body"]) => tests.push({ name, body, skipped });
  register({ describe: (_, body) => body(), test: Object.assign(add(false), { skip: add(true) }) });
  return tests;
}

/** The names of the checks of `suite` that fail on the backend with the fault. */
async function failuresOf(suite: Suite, fault: Fault | undefined, only: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  const sizes = suite === faults ? "full" : "subset";
  for (const { name, body } of collect((runner) => suite({ ...runner, open: async () => oracle(fault), sizes }))) {
    if (!only.some((part) => name.startsWith(part))) continue;
    try {
      await body();
    } catch {
      failed.push(name);
    }
  }
  return failed;
}

describe("finds the fault of a broken backend", () => {
  test.each<[Fault, Suite, string]>([
    ["wrong sign", reference, "every short length"],
    ["wrong sign", laws, "impulse"],
    ["inverse not divided", laws, "round trip"],
    ["float32 angles", accuracy, "c64 forward"],
    ["sums overflow", extremes, "inverse: scaling by a power"],
    ["sums overflow", extremes, "sums that are concentrated"],
    ["small numbers flushed", extremes, "small numbers"],
    ["one bin wrong at one length", reference, "every short length"],
    ["last line forgotten", reference, "every short length"],
    ["strides ignored", reference, "any axis"],
    ["strides ignored", laws, "time shift"],
    ["lines leak", isolation, "NaN and infinity"],
    ["input overwritten", laws, "the input does not"],
    ["input overwritten", isolation, "only the output"],
    ["neighbour overwritten", isolation, "only the output"],
    ["write keeps a reference", order, "write takes a copy"],
    ["read out of turn", order, "a read sees"],
    ["signal ignored", order, "an aborted run rejects"],
    ["aborted runs spoil the next", faults, "a program can be aborted at every check of its signal"],
    ["aborts untyped", faults, "a program can be aborted at every check of its signal"],
    ["ends untyped", faults, "a device can be disposed of at every turn"],
    ["offset ignored", isolation, "partial writes"],
    ["failures swallowed", lifetime, "failing kernel"],
    ["causes lost", faults, "whatever a hook"],
    ["items skipped", kernels, "every item"],
    ["items skipped", expressions, "random maps, part 1"],
    ["one bit lost", expressions, "random maps, part 2"],
    ["items skipped", arrays, "transpose: every permutation"],
    ["items twice", kernels, "every item"],
    ["arrays not zeroed", isolation, "arrays begin"],
    ["plans scale by state", reference, "a plan runs any number"],
    ["read out of turn", iteration, "reads of every state"],
    ["parts begin at zero", parts, "transforms of parts"],
    ["parts begin at zero", parts, "maps, kernels"],
    ["parts begin at zero", parts, "from one part"],
    ["items twice", accumulation, "maps: the previous value"],
    ["items skipped", accumulation, "several runs in a row"],
  ])("%s", async (fault, suite, name) => {
    expect(await failuresOf(suite, fault, [name])).toEqual([expect.stringContaining(name)]);
    expect(await failuresOf(suite, undefined, [name])).toEqual([]);
  });

  test("a leak", async () => {
    const leaking = surface.suites[0];
    const device = oracle();
    const tests = collect((runner) =>
      leaking({
        ...runner,
        open: async () => ({ ...device, memory: () => ({ ...device.memory(), bytes: performance.now() }) }),
        sizes: "subset",
      }),
    );
    const body = tests.find(({ name }) => name.startsWith("kept ranges"))?.body;
    await expect(body?.()).rejects.toThrowError(/alive after the check/);
  });
});

describe("a check that its runner gives up because it takes too long", () => {
  /** A suite whose second check holds an array until `end` resolves. Collects the devices that it opens. */
  function withSlow(end: Promise<void>, endOfNext: Promise<void>) {
    const opened: Device[] = [];
    const open = async (): Promise<Device> => {
      opened.push(oracle());
      return opened[opened.length - 1];
    };
    const register = suite("patience", [
      check("before", async () => {}),
      check("slow", async ({ device }) => {
        using _ = device.alloc(layout("f32", [3]));
        await end;
      }),
      check("after", async ({ device }) => {
        using buffer = device.alloc(layout("f32", [5]));
        buffer.write(new Float32Array(5));
        await endOfNext;
      }),
    ]);
    return { bodies: collect((runner) => register({ ...runner, open })).map(({ body }) => body), opened };
  }
  const uses = (devices: readonly Device[]): number[] => devices.map((device) => device.memory().buffers);
  const soon = { timeout: 60_000 };
  const isDisposed = (device: Device) => expect(device.ready()).rejects.toMatchObject({ code: "disposed" });

  /** `when` says during which later test the slow check ends. */
  test.each(["after", "account", "never"])("does not make the next check fail: it ends during %s", async (when) => {
    let [finish, finishNext] = [(): void => {}, (): void => {}];
    const { bodies, opened } = withSlow(
      new Promise((resolve) => {
        finish = resolve;
      }),
      new Promise((resolve) => {
        finishNext = resolve;
      }),
    );
    const [before, slow, after, account] = bodies;
    await before();
    const outcome = slow();
    await vi.waitFor(() => expect(uses(opened)).toEqual([1]), soon);
    const next = after();
    await vi.waitFor(() => expect(uses(opened)).toEqual([1, 1]), soon);
    if (when === "after") {
      finish();
      await vi.waitFor(() => expect(uses(opened)).toEqual([0, 1]), soon);
    }
    finishNext();
    await next;
    const last = account();
    if (when === "account") finish();
    await last;
    if (when === "never") expect(uses(opened)).toEqual([1, 0]);
    else await outcome;
    for (const device of when === "never" ? opened.slice(1) : opened) await isDisposed(device);
  });

  test("leaves nothing to the next check if it fails", async () => {
    const opened: Device[] = [];
    const reads: Promise<unknown>[] = [];
    const register = suite("failures", [
      check("fails", async ({ device }) => {
        reads.push(device.alloc(layout("f32", [3])).read());
        throw new Error("wrong");
      }),
      check("passes", async ({ device }) => isEmpty(device, "what the first left")),
    ]);
    const open = async () => {
      opened.push(oracle());
      return opened[opened.length - 1];
    };
    const [fails, passes, account] = collect((runner) => register({ ...runner, open })).map(({ body }) => body);
    await expect(fails()).rejects.toThrowError("wrong");
    await passes();
    await account();
    expect(opened.length).toBe(2);
    // The device was disposed of only after the read had finished.
    expect(await Promise.all(reads)).toEqual([new Float32Array(3)]);
    for (const device of opened) await isDisposed(device);
  });

  test("has the time limit of the options, or ten minutes", () => {
    const limits = (more: object): unknown[] => {
      const seen: unknown[] = [];
      const runner = {
        describe: (_: string, body: () => void) => body(),
        test: (_: string, __: unknown, limit: number) => seen.push(limit),
      };
      laws({ ...runner, open: async () => oracle(), ...more });
      return [...new Set(seen)];
    };
    expect(limits({})).toEqual([600_000]);
    expect(limits({ timeoutMilliseconds: 5 })).toEqual([5]);
  });
});

describe("accounts for skips", () => {
  const open = async () => oracle();
  const run = async (skips: Record<string, string>): Promise<string> => {
    const tests = collect((runner) => laws({ ...runner, open, skips }));
    const last = tests[tests.length - 1];
    return Promise.resolve(last.body()).then(
      () => last.name,
      (error: Error) => error.message,
    );
  };

  test("counts them and passes them to the runner", async () => {
    const skips = { "laws/impulse": "no impulses here" };
    expect(await run(skips)).toMatch(/^account: 9 checks, 1 skipped/);
    const skipped = collect((runner) => laws({ ...runner, open, skips })).filter((one) => one.skipped);
    expect(skipped.map((one) => one.name)).toEqual(["impulse: no impulses here"]);
  });

  test("fails if the check is unknown, the reason is empty, or all checks are skipped", async () => {
    expect(await run({ "laws/gravity": "?" })).toMatch(/no check laws\/gravity/);
    expect(await run({ "laws/impulse": " " })).toMatch(/needs a reason/);
    expect(await run(Object.fromEntries(laws.checks.map((name) => [name, "none of it"])))).toMatch(/every check of laws is skipped/);
    expect(() => conformance({ describe: () => {}, test: () => {}, open, skips: { "flaws/impulse": "?" } })).toThrowError(
      expect.objectContaining({ code: "input" }),
    );
  });

  test("every check has a unique name", () => {
    const names = suites.flatMap((suite) => suite.checks);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(80);
  });
});

test("the public surface", () => {
  expect(Object.keys(surface).sort()).toMatchInlineSnapshot(`
    [
      "accumulation",
      "accuracy",
      "arrays",
      "computedFilters",
      "conformance",
      "cornerTurns",
      "correct",
      "dft",
      "dftBins",
      "errors",
      "expressions",
      "extremes",
      "faults",
      "filters",
      "gate",
      "gateFloat64",
      "gathers",
      "hooks",
      "isolation",
      "iteration",
      "kernels",
      "laws",
      "lifetime",
      "lowering",
      "oneCall",
      "order",
      "parts",
      "planning",
      "programOrder",
      "programs",
      "random",
      "randomArray",
      "realTransforms",
      "reductions",
      "reference",
      "stencils",
      "suites",
      "transformed",
      "travel",
      "variantSuite",
    ]
  `);
});
