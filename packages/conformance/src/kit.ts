/**
 * How checks become tests. A check is a named function of a device; a suite is a list of them, registered with the runner
 * that is handed in. The checks of a suite run one after the other on one device. Every suite sees to it that each check frees
 * what it made, and ends with an account: what ran, what was skipped and why, and that the device leaves nothing behind.
 *
 * A check has its device to itself. One that fails gives none back, and neither does one that its runner gave up, for as long as it is
 * at work: the next check opens another device, and what the earlier one left behind or still does is not counted against it.
 */
import { type Device, type MemoryUse, RadarError } from "@dechirp/core";
import { equal, fail, isTrue } from "./assert.ts";
import type { Sizes } from "./sizes.ts";

type Body = () => void | Promise<void>;

/** A test runner's `test`. */
export interface TestFunction {
  /** `timeoutMilliseconds` is the time limit of this test, in the place where vitest, Jest and Bun take it; node:test has none and ignores it. */
  (name: string, body: Body, timeoutMilliseconds: number): unknown;
  /** Registers a test that the runner counts as skipped. */
  readonly skip?: (name: string, body: Body) => unknown;
}

/** How the kit is run: the test runner, the backend, and what it may leave out. */
export interface ConformanceOptions {
  /** The runner's: vitest's, or that of node:test. */
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: TestFunction;
  /** Opens a fresh device. Called once a suite, after each check that fails, and once or more for each check that disposes of what it tests. */
  readonly open: () => Promise<Device>;
  /** Reasons by check, `"lifetime/failing kernel": "…"`: what this backend is allowed not to do. Unknown names fail. */
  readonly skips?: Readonly<Record<string, string>>;
  /** `full` where left out. */
  readonly sizes?: Sizes;
  /**
   * What each check may take, handed to `test`: 600,000 where left out. The longest took 15,000 on two cores that had three times as much
   * to do, with transforms in plain JavaScript.
   */
  readonly timeoutMilliseconds?: number;
}

/** What a check works with. */
export interface Kit {
  readonly device: Device;
  readonly sizes: Sizes;
  /** A device of the check's own, which it disposes of. */
  open(): Promise<Device>;
}

/** One test of a suite. */
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

const patience = 600_000;

export function suite(name: string, checks: readonly Check[]): Suite {
  const fullName = (c: Check): string => `${name}/${c.name}`;
  const register = (options: ConformanceOptions): void => {
    const { skips = {}, sizes = "full", open, timeoutMilliseconds = patience } = options;
    options.describe(name, () => {
      /** The device that the next check takes. */
      let free: Device | undefined;
      let [passed, isOver] = [0, false];
      const run = async (c: Check): Promise<void> => {
        const taken = free;
        free = undefined;
        const device = taken ?? (await open());
        try {
          const before = use(device.memory());
          await c.run({ device, sizes, open });
          await device.ready();
          await new Promise((resolve) => setTimeout(resolve)); // what is settled has been accounted for then
          equal(use(device.memory()), before, "arrays, bytes and plans alive after the check");
        } catch (error) {
          void discard(device);
          throw error;
        }
        passed += 1;
        if (free || isOver) device[Symbol.dispose]();
        else free = device;
      };
      for (const c of checks) {
        const reason = Object.hasOwn(skips, fullName(c)) ? skips[fullName(c)] : undefined;
        if (reason === undefined) options.test(c.name, () => run(c), timeoutMilliseconds);
        else options.test.skip?.(`${c.name}: ${reason}`, () => {});
      }
      const skipped = checks.filter((c) => Object.hasOwn(skips, fullName(c)));
      const account = (): void => {
        isOver = true;
        const unknown = Object.keys(skips).filter((skip) => skip.startsWith(`${name}/`) && !checks.some((c) => fullName(c) === skip));
        if (unknown.length > 0) fail(`there is no check ${unknown.join(", ")} to skip`);
        for (const c of skipped) isTrue(skips[fullName(c)].trim() !== "", `the skip of ${fullName(c)} needs a reason`);
        isTrue(skipped.length < checks.length, `every check of ${name} is skipped`);
        if (!free) return;
        free[Symbol.dispose]();
        if (passed === checks.length - skipped.length) isEmpty(free, "arrays, bytes and plans alive after the device");
      };
      const title = `account: ${checks.length - skipped.length} checks, ${skipped.length} skipped, nothing left behind`;
      options.test(title, async () => account(), timeoutMilliseconds);
    });
  };
  return Object.assign(register, { checks: checks.map(fullName) });
}

/** Disposes of a device when what a check has left in its queue is done: reads that nobody waits for any more must not be rejected. */
async function discard(device: Device): Promise<void> {
  await device.ready().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve));
  device[Symbol.dispose]();
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
