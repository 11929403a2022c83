/**
 * The child process that runs cases. It may hang or crash on one; the parent watches it. It counts buffer allocations, so the meter is
 * installed before anything else is loaded.
 */
import { installMeter } from "./meter.ts";
import type { Case, Target, Verdict } from "./target.ts";

/** Run cases `from` to `to` − 1 of a target. */
export interface Work {
  readonly seed: number;
  readonly target: string;
  readonly from: number;
  readonly to: number;
}

export interface Done {
  readonly number: number;
  readonly verdict: Verdict;
  /** Bytes of allocated buffers divided by the allowance of the input, and processor time in seconds. */
  readonly share: number;
  readonly seconds: number;
  /** The most memory that the process has had so far. */
  readonly residentBytes: number;
}

const read = installMeter();
const [{ diceOf }, { allTargets }, { mostSeconds }] = await Promise.all([
  import("./dice.ts"),
  import("./targets.ts"),
  import("./target.ts"),
]);
const targets = new Map<string, Target>((await allTargets()).map((target) => [target.name, target]));

async function runCase(name: string, one: Case, isCommand: boolean): Promise<Omit<Done, "number" | "residentBytes">> {
  read();
  const start = process.cpuUsage();
  let verdict: Verdict;
  try {
    verdict = await one.run();
  } catch (error) {
    verdict = { kind: "fault", what: `${name} threw ${error instanceof Error ? error.stack : String(error)}` };
  }
  const { user, system } = process.cpuUsage(start);
  const seconds = (user + system) / 1e6;
  const { total, largest } = read();
  const share = Math.max(total / one.allowance.total, largest / one.allowance.largest);
  const most = isCommand ? mostSeconds.command : mostSeconds.reader;
  if (verdict.kind === "fault") return { verdict, share, seconds };
  if (share > 1) return { verdict: { kind: "fault", what: `asked for ${total} bytes, ${largest} at once` }, share, seconds };
  if (seconds > most) return { verdict: { kind: "fault", what: `took ${seconds.toFixed(1)} s of the processor` }, share, seconds };
  return { verdict, share, seconds };
}

process.on("message", (work: Work) => void runAll(work));
// Exits here, because a signal would leave temporary folders behind.
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function runAll({ seed, target: name, from, to }: Work): Promise<void> {
  const target = targets.get(name);
  if (!target) throw new Error(`no target ${name}`);
  for (let number = from; number < to; number++) {
    const one = await target.make(diceOf(seed, name, number));
    const ran = await runCase(name, one, one.argv !== undefined);
    const { verdict } = ran;
    const unsound = number === 0 && verdict.kind === "refused";
    const done: Done = {
      number,
      residentBytes: 1024 * process.resourceUsage().maxRSS,
      ...ran,
      ...(unsound ? { verdict: { kind: "fault", what: `sound input refused: ${verdict.message}` } } : {}),
    };
    process.send?.(done);
    // Lets the message leave, and lets an unhandled rejection appear while this case is still running.
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.send?.("idle");
}
