/** The kit on a plain backend, and on the same backend broken: it passes the one and finds out the others. */
import { describe, expect, test } from "vitest";
import * as surface from "../src/index.ts";
import {
  accuracy,
  arrays,
  conformance,
  extremes,
  faults,
  isolation,
  kernels,
  laws,
  lifetime,
  order,
  reference,
  type Suite,
  suites,
} from "../src/index.ts";
import { type Fault, oracle } from "./oracle.ts";

conformance({ describe, test, open: async () => oracle(), sizes: "subset" });

interface Registered {
  readonly name: string;
  readonly body: () => void | Promise<void>;
  readonly skipped: boolean;
}

/** A runner that only collects. */
function collect(register: (runner: Pick<surface.ConformanceOptions, "describe" | "test">) => void): Registered[] {
  const tests: Registered[] = [];
  const add = (skipped: boolean) => (name: string, body: Registered["body"]) => tests.push({ name, body, skipped });
  register({ describe: (_, body) => body(), test: Object.assign(add(false), { skip: add(true) }) });
  return tests;
}

/** Names of the checks of `suite` that fail on the broken backend. */
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

describe("finds a backend that is broken", () => {
  test.each<[Fault, Suite, string]>([
    ["wrong sign", reference, "every short length"],
    ["wrong sign", laws, "impulse"],
    ["inverse not divided", laws, "round trip"],
    ["float32 angles", accuracy, "c64 forward"],
    ["sums overflow", extremes, "inverse: a power of two"],
    ["sums overflow", extremes, "sums that are one"],
    ["small numbers flushed", extremes, "small numbers"],
    ["one bin wrong at one length", reference, "every short length"],
    ["last line forgotten", reference, "every short length"],
    ["strides ignored", reference, "any axis"],
    ["strides ignored", laws, "time shift"],
    ["lines leak", isolation, "NaN and infinity"],
    ["input overwritten", laws, "the input is left"],
    ["input overwritten", isolation, "only the output"],
    ["neighbour overwritten", isolation, "only the output"],
    ["write keeps a reference", order, "write takes a copy"],
    ["read out of turn", order, "a read sees"],
    ["signal ignored", order, "an aborted run rejects"],
    ["aborted runs spoil the next", faults, "aborted wherever it looks"],
    ["aborts untyped", faults, "aborted wherever it looks"],
    ["ends untyped", faults, "disposed of at every turn"],
    ["offset ignored", isolation, "a partial write"],
    ["failures swallowed", lifetime, "failing kernel"],
    ["causes lost", faults, "whatever a hook"],
    ["items skipped", kernels, "every item"],
    ["items skipped", arrays, "transpose: every permutation"],
    ["items twice", kernels, "every item"],
    ["arrays not zeroed", isolation, "arrays begin"],
    ["plans scale by state", reference, "a plan runs any number"],
  ])("%s", async (fault, suite, name) => {
    expect(await failuresOf(suite, fault, [name])).toEqual([expect.stringContaining(name)]);
    expect(await failuresOf(suite, undefined, [name])).toEqual([]);
  });

  test("that leaks", async () => {
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

  test("counts them and hands them to the runner", async () => {
    const skips = { "laws/impulse": "no impulses here" };
    expect(await run(skips)).toMatch(/^account: 9 checks, 1 skipped/);
    const skipped = collect((runner) => laws({ ...runner, open, skips })).filter((one) => one.skipped);
    expect(skipped.map((one) => one.name)).toEqual(["impulse: no impulses here"]);
  });

  test("fails for a check that there is not, for no reason, and for all", async () => {
    expect(await run({ "laws/gravity": "?" })).toMatch(/no check laws\/gravity/);
    expect(await run({ "laws/impulse": " " })).toMatch(/needs a reason/);
    expect(await run(Object.fromEntries(laws.checks.map((name) => [name, "none of it"])))).toMatch(/every check of laws is skipped/);
    expect(() => conformance({ describe: () => {}, test: () => {}, open, skips: { "flaws/impulse": "?" } })).toThrowError(
      expect.objectContaining({ code: "input" }),
    );
  });

  test("every check has a name of its own", () => {
    const names = suites.flatMap((suite) => suite.checks);
    expect(new Set(names).size).toBe(names.length);
    expect(names.length).toBeGreaterThan(80);
  });
});

test("the public surface", () => {
  expect(Object.keys(surface).sort()).toMatchInlineSnapshot(`
    [
      "accuracy",
      "arrays",
      "conformance",
      "correct",
      "dft",
      "dftBins",
      "errors",
      "extremes",
      "faults",
      "filters",
      "gate",
      "gateFloat64",
      "hooks",
      "isolation",
      "kernels",
      "laws",
      "lifetime",
      "lowering",
      "order",
      "planning",
      "programOrder",
      "programs",
      "random",
      "randomArray",
      "realTransforms",
      "reference",
      "suites",
      "transformed",
      "turns",
    ]
  `);
});
