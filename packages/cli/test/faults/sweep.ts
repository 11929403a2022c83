/**
 * Faults at every step: a program runs again and again, with a fault at its first step, then at its second, and so on, until a run ends
 * before the fault occurs. After each run the following must hold: there is one typed error with an allowed code, or the result is
 * right because the fault was compensated; every promise has settled; the device's memory is as before; and the next run gives the
 * right result, bit for bit, on the same device, or on a new one if the device itself failed. This file knows no backend; the tap knows
 * where steps are and how they fail.
 */
import { type Device, isRadarError, type MemoryUse, type RadarErrorCode, type TypedArrayOf } from "@dechirp/core";
import { expect } from "vitest";
import { tellWhenFull } from "../full.ts";
import type { WholeProgram } from "./programs.ts";

/** The interface between a backend and its host. The hook is called before every step and decides whether it fails. */
export interface Tap {
  hook: ((step: string) => boolean) | undefined;
}

export interface Fault {
  readonly name: string;
  /** Steps that count. Default: all. */
  readonly steps?: readonly string[];
  /** What happens at the chosen step instead of a failure: the device is lost or disposed of, or a signal fires. */
  readonly action?: "lose" | "dispose" | "abort";
  /** Codes that the error may have. */
  readonly codes: readonly RadarErrorCode[];
  /** Whether every run opens a device of its own, as part of the run. */
  readonly fresh?: boolean;
}

export interface Ground {
  readonly tap: Tap;
  open(): Promise<Device>;
  /** Resolves when everything that the fault began has ended: a worker that is being terminated still counts as alive. */
  settle?(): Promise<unknown>;
  /** Loses the device that was opened last. */
  lose?(): void;
  /** Called after everything has ended. Throws if something was left behind that no device accounts for. */
  inspect?(): void | Promise<void>;
}

export interface Tally {
  /** Number of faults that occurred. */
  readonly faults: number;
  /** Number of faults after which the result was right all the same. */
  readonly absorbed: number;
  /** Errors by code. */
  readonly codes: Readonly<Record<string, number>>;
}

/** Prints a line if all faults were requested. */
export function tell(what: string, { faults, absorbed, codes }: Tally): void {
  tellWhenFull(`${what}: ${faults} faults, ${absorbed} made good, ${JSON.stringify(codes)}`);
}

/** Only for hangs: SwiftShader takes ten seconds to compile a program if two cores have three times as much to do. */
const patienceMilliseconds = 120_000;
const mostFaults = 5_000;

/** Resolves as `promise`, or fails if it hangs. */
async function settled<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} hangs`)), patienceMilliseconds);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const use = ({ buffers, bytes, plans }: MemoryUse): object => ({ buffers, bytes, plans });

/** One turn of the event loop, after which settled work has been accounted for. */
const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

interface End {
  readonly results?: readonly TypedArrayOf[];
  readonly error?: unknown;
}

/** Names differences without printing the arrays, which are long. */
function expectSame(actual: readonly TypedArrayOf[], expected: readonly TypedArrayOf[], what: string): void {
  expect(actual.length, what).toBe(expected.length);
  for (const [i, array] of actual.entries()) {
    const at = array.length === expected[i].length ? array.findIndex((v, e) => !Object.is(v, expected[i][e])) : -2;
    if (at !== -1) throw new Error(`${what}: result ${i} differs ${at < 0 ? "in length" : `at ${at}`}`);
  }
}

/** A signal of which every check is a step; `look` is called before the check. */
function watchedSignal(controller: AbortController, look: () => void): AbortSignal {
  const { signal } = controller;
  const aborted = Object.getOwnPropertyDescriptor(AbortSignal.prototype, "aborted")?.get;
  Object.defineProperty(signal, "aborted", {
    get(): boolean {
      look();
      return aborted?.call(signal) as boolean;
    },
  });
  return signal;
}

/** The sweep that is running. All sweeps of a file share its tap and its device. */
let atWork: string | undefined;

/**
 * Runs `program` with a fault at every step in turn. Refuses to begin while an earlier sweep is still running after the test runner
 * gave up on it.
 */
export async function sweep(ground: Ground, program: WholeProgram, fault: Fault): Promise<Tally> {
  const name = `${program.name}, ${fault.name}`;
  if (atWork !== undefined) throw new Error(`${name} can't be told from ${atWork}, which took too long and still goes on`);
  atWork = name;
  try {
    return await sweepAlone(ground, program, fault);
  } finally {
    atWork = undefined;
  }
}

async function sweepAlone(ground: Ground, program: WholeProgram, fault: Fault): Promise<Tally> {
  const { tap } = ground;
  const { action, fresh = action === "lose" || action === "dispose" } = fault;
  let device = await ground.open();
  const expected = await program.run(device);
  const tally = { faults: 0, absorbed: 0, codes: {} as Record<string, number> };
  if (fresh) device[Symbol.dispose]();
  for (let k = 1; ; k++) {
    const what = `${program.name}, ${fault.name} ${k}`;
    const before = fresh ? { buffers: 0, bytes: 0, plans: 0 } : use(device.memory());
    const controller = action === "abort" ? new AbortController() : undefined;
    const signal = controller && watchedSignal(controller, () => void tap.hook?.("look"));
    let opened: Device | undefined;
    let fired: string | undefined;
    let count = 0;
    const act = (): boolean => {
      if (action === "lose") ground.lose?.();
      // A device can't be disposed of within the step.
      else if (action === "dispose") queueMicrotask(() => opened?.[Symbol.dispose]());
      else if (action === "abort") controller?.abort();
      return action === undefined;
    };
    const work = async (): Promise<readonly TypedArrayOf[]> => {
      opened = fresh ? await ground.open() : device;
      return program.run(opened, signal);
    };
    tap.hook = (step) => {
      if (fired !== undefined || (fault.steps && !fault.steps.includes(step))) return false;
      if (action === "dispose" && !opened) return false;
      if (++count < k) return false;
      fired = step;
      return act();
    };
    const end = await settled(
      work().then(
        (results): End => ({ results }),
        (error: unknown): End => ({ error }),
      ),
      what,
    );
    tap.hook = undefined;
    if (ground.settle) await settled(ground.settle(), `${what}: the fault itself`);
    const at = `${what} (${fired ?? "none"})`;
    if (end.results) expectSame(end.results, expected, at);
    else if (!isRadarError(end.error)) throw new Error(`${at}: not typed`, { cause: end.error });
    else if (!fault.codes.includes(end.error.code))
      throw new Error(`${at}: expected ${fault.codes.join(" or ")}, got ${end.error.code}: ${end.error.message}`);
    else if (fired === undefined) throw new Error(`${at}: failed without a fault: ${end.error.message}`);
    else if (/\n|undefined|\[object |NaN/.test(end.error.message)) throw new Error(`${at}: no sentence: ${end.error.message}`);
    if (opened) {
      const idle = action === "lose" || action === "dispose" ? opened.ready().catch(() => {}) : opened.ready();
      await settled(idle, `${at}: ready()`);
      await turn();
      // ready() of a lost device waits for nothing.
      for (
        const until = performance.now() + patienceMilliseconds;
        action === "lose" && opened.memory().buffers > 0 && performance.now() < until;
      )
        await turn();
      if (action !== "dispose") expect(use(opened.memory()), at).toEqual(before);
    }
    if (fired !== undefined) {
      tally.faults++;
      if (end.results) tally.absorbed++;
      else {
        const { code } = end.error as { code: string };
        tally.codes[code] = (tally.codes[code] ?? 0) + 1;
      }
    }
    // The same device again, if it still exists.
    if (opened && (action === "lose" || action === "dispose")) {
      opened[Symbol.dispose]();
      // Runs in progress end in later turns.
      for (const until = performance.now() + patienceMilliseconds; opened.memory().buffers > 0 && performance.now() < until; ) await turn();
      expect(use(opened.memory()), at).toEqual({ buffers: 0, bytes: 0, plans: 0 });
      opened = undefined;
    }
    if (fired === undefined) {
      opened?.[Symbol.dispose]();
      break;
    }
    const next = opened ?? (await settled(ground.open(), `${at}: opening anew`));
    expectSame(await settled(program.run(next), `${at}: the next run`), expected, `${at}: the next run`);
    await turn();
    expect(use(next.memory()), `${at}: after the next run`).toEqual(fresh ? { buffers: 0, bytes: 0, plans: 0 } : before);
    if (fresh) next[Symbol.dispose]();
    else device = next;
    await ground.inspect?.();
    if (k === mostFaults) throw new Error(`${what}: no end`);
  }
  return tally;
}
