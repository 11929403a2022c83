/**
 * How checks become tests. A check is a named function of a device; a suite is a list of them, registered with the runner
 * that is handed in. Every suite opens one device for its checks, sees to it that each check frees what it made, and ends
 * with an account: what ran, what was skipped and why, and that the device leaves nothing behind.
 */
import { type Device, type MemoryUse, RadarError } from "@dechirp/core";
import { equal, fail, isTrue } from "./assert.ts";
import type { Sizes } from "./sizes.ts";

type Body = () => void | Promise<void>;

/** A test runner's `test`. */
export interface TestFunction {
  (name: string, body: Body): unknown;
  /** Registers a test that the runner counts as skipped. */
  readonly skip?: (name: string, body: Body) => unknown;
}

export interface ConformanceOptions {
  /** The runner's: vitest's, or that of node:test. */
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: TestFunction;
  /** Opens a fresh device. Called once a suite, and once or more for each check that disposes of what it tests. */
  readonly open: () => Promise<Device>;
  /** Reasons by check, `"lifetime/failing kernel": "…"`: what this backend is allowed not to do. Unknown names fail. */
  readonly skips?: Readonly<Record<string, string>>;
  /** `full` where left out. */
  readonly sizes?: Sizes;
}

/** What a check works with. */
export interface Kit {
  readonly device: Device;
  readonly sizes: Sizes;
  /** A device of the check's own, which it disposes of. */
  open(): Promise<Device>;
}

export interface Check {
  readonly name: string;
  /** Throws where the check fails. */
  run(kit: Kit): Promise<void>;
}

/** Registers the checks of one concern. */
export interface Suite {
  (options: ConformanceOptions): void;
  /** As `skips` names them. */
  readonly checks: readonly string[];
}

export const check = (name: string, run: Check["run"]): Check => ({ name, run });

export function suite(name: string, checks: readonly Check[]): Suite {
  const fullName = (c: Check): string => `${name}/${c.name}`;
  const register = (options: ConformanceOptions): void => {
    const { skips = {}, sizes = "full", open } = options;
    options.describe(name, () => {
      let shared: Promise<Device> | undefined;
      let ran = 0;
      for (const c of checks) {
        const reason = Object.hasOwn(skips, fullName(c)) ? skips[fullName(c)] : undefined;
        if (reason !== undefined) {
          options.test.skip?.(`${c.name}: ${reason}`, () => {});
          continue;
        }
        options.test(c.name, async () => {
          ran += 1;
          shared ??= open();
          const device = await shared;
          const before = use(device.memory());
          await c.run({ device, sizes, open });
          await device.ready();
          await new Promise((resolve) => setTimeout(resolve)); // what is settled has been accounted for then
          equal(use(device.memory()), before, "arrays, bytes and plans alive after the check");
        });
      }
      const skipped = checks.filter((c) => Object.hasOwn(skips, fullName(c)));
      options.test(`account: ${checks.length - skipped.length} checks, ${skipped.length} skipped, nothing left behind`, async () => {
        const unknown = Object.keys(skips).filter((skip) => skip.startsWith(`${name}/`) && !checks.some((c) => fullName(c) === skip));
        if (unknown.length > 0) fail(`there is no check ${unknown.join(", ")} to skip`);
        for (const c of skipped) isTrue(skips[fullName(c)].trim() !== "", `the skip of ${fullName(c)} needs a reason`);
        isTrue(skipped.length < checks.length, `every check of ${name} is skipped`);
        if (!shared) return;
        const device = await shared;
        device[Symbol.dispose]();
        if (ran === checks.length - skipped.length) equal(use(device.memory()), nothing, "arrays, bytes and plans alive after the device");
      });
    });
  };
  return Object.assign(register, { checks: checks.map(fullName) });
}

const use = ({ buffers, bytes, plans }: MemoryUse): Omit<MemoryUse, "peakBytes"> => ({ buffers, bytes, plans });
export const nothing = { buffers: 0, bytes: 0, plans: 0 };

/** Everything of the device has been freed. */
export const isEmpty = (device: Device, what: string): void => equal(use(device.memory()), nothing, what);

/** Throws, at registration, where a skip names no suite. */
export function checkSkips(skips: Readonly<Record<string, string>>, suites: readonly Suite[]): void {
  const known = new Set(suites.flatMap((s) => s.checks));
  const unknown = Object.keys(skips).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new RadarError("input", `skips name no check: ${unknown.join(", ")}`, { field: "skips", unknown });
}
