/**
 * How checks become tests. A check is a named function of a device. A suite is a list of checks that it registers with a test runner. The
 * checks of a suite run one after the other on one device. After each check the suite verifies that everything was freed. Its last test
 * is an account: how many checks ran, how many were skipped and why, and that the device holds nothing.
 *
 * No other code uses the device during a check. If a check fails, or the runner gives it up and it is still at work, the next check opens
 * a new device. The memory that the old check still holds is then not counted against the new one.
 */
import { type Device, type MemoryUse, RadarError } from "@dechirp/core";
import { equal, fail, isTrue } from "./assert.ts";
import type { Sizes } from "./sizes.ts";

type Body = () => void | Promise<void>;

/** The `test` function of a test runner. */
export interface TestFunction {
  /**
   * Registers a test. `timeoutMilliseconds` is its time limit; vitest, Jest and Bun take it as the third argument, node:test ignores it.
   */
  (name: string, body: Body, timeoutMilliseconds: number): unknown;
  /** Registers a test that the runner counts as skipped. */
  readonly skip?: (name: string, body: Body) => unknown;
}

/** Options of `conformance` and of every suite. */
export interface ConformanceOptions {
  /** The runner's `describe`, for example that of vitest or node:test. */
  readonly describe: (name: string, body: () => void) => unknown;
  /** The runner's `test`. */
  readonly test: TestFunction;
  /**
   * Opens a new device. It is called once for each suite, once more after each check that fails, and once or more in checks that dispose
   * of their device.
   */
  readonly open: () => Promise<Device>;
  /**
   * The checks that this backend may skip, each with a reason: `{ "lifetime/failing kernel": "…" }`. An unknown name is an error.
   * Default: none.
   */
  readonly skips?: Readonly<Record<string, string>>;
  /** Which transform lengths to test. Default: "full". */
  readonly sizes?: Sizes;
  /**
   * Time limit for each check in milliseconds, passed to `test`. Default: 600,000. (The longest check took 15,000 ms with transforms in
   * plain JavaScript, on two cores that were busy with three times as much work.)
   */
  readonly timeoutMilliseconds?: number;
  /** Receives a line of text from every check that counts what it does not compare. Default: none. */
  readonly report?: (text: string) => unknown;
}

/** What a check is given. */
export interface Kit {
  readonly device: Device;
  readonly sizes: Sizes;
  /** Opens another device, which the check must dispose of. */
  open(): Promise<Device>;
  /** Tells the runner what a check has counted. */
  report(text: string): void;
}

/** One test of a suite. */
export interface Check {
  readonly name: string;
  /** Rejects if the check fails. */
  run(kit: Kit): Promise<void>;
}

/** Registers the checks of one subject with a test runner. */
export interface Suite {
  (options: ConformanceOptions): void;
  /** The names of its checks, as `skips` takes them. */
  readonly checks: readonly string[];
}

/** Makes a check. */
export const check = (name: string, run: Check["run"]): Check => ({ name, run });

/** Default time limit of a check in milliseconds. */
const patience = 600_000;

/** Makes a suite of checks. */
export function suite(name: string, checks: readonly Check[]): Suite {
  const fullName = (c: Check): string => `${name}/${c.name}`;
  const register = (options: ConformanceOptions): void => {
    const { skips = {}, sizes = "full", open, timeoutMilliseconds = patience } = options;
    const report = (text: string): void => void options.report?.(`${name}: ${text}`);
    options.describe(name, () => {
      /** The device for the next check. Undefined while a check uses it. */
      let free: Device | undefined;
      let [passed, isOver] = [0, false];
      const run = async (c: Check): Promise<void> => {
        const taken = free;
        free = undefined;
        const device = taken ?? (await open());
        try {
          const before = use(device.memory());
          await c.run({ device, sizes, open, report });
          await device.ready();
          await new Promise((resolve) => setTimeout(resolve)); // after this turn all settled work has been counted
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

/** Disposes of a device after its queued work is done. A failed check may leave reads that nobody awaits; they must not be rejected. */
async function discard(device: Device): Promise<void> {
  await device.ready().catch(() => {});
  await new Promise((resolve) => setTimeout(resolve));
  device[Symbol.dispose]();
}

const use = ({ buffers, bytes, plans }: MemoryUse): Omit<MemoryUse, "peakBytes"> => ({ buffers, bytes, plans });
/** The memory use of a device that holds nothing. */
export const nothing = { buffers: 0, bytes: 0, plans: 0 };

/** Fails unless the device holds nothing. */
export const isEmpty = (device: Device, what: string): void => equal(use(device.memory()), nothing, what);

/** Throws `input` if a name in `skips` is not the name of a check. */
export function checkSkips(skips: Readonly<Record<string, string>>, suites: readonly Suite[]): void {
  const known = new Set(suites.flatMap((s) => s.checks));
  const unknown = Object.keys(skips).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new RadarError("input", `skips name no check: ${unknown.join(", ")}`, { field: "skips", unknown });
}
