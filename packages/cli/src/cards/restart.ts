/**
 * Runs the command line once more in a process that sees one card, if this one sees several that WebGPU can't tell apart. The new process
 * has the arguments, environment and streams of this one, so the command knows nothing of it.
 */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { isatty } from "node:tty";
import { RadarError, throwIfAborted } from "@dechirp/core";
import type { Io } from "../io.ts";
import type { SignalName } from "../status.ts";
import { cardOf, cardText, isCardName } from "./card.ts";
import { listCards } from "./list.ts";

/** Thrown in place of a command's work: another process has done it, and ended with `status`. */
export class DoneElsewhere {
  readonly status: number;
  constructor(status: number) {
    this.status = status;
  }
}

/** Runs the command line elsewhere if its device is a card that this process does not see alone. Throws `DoneElsewhere` if it did. */
export async function restartFor(device: unknown, io: Io): Promise<void> {
  if (typeof device !== "string" || !isCardName(device)) return;
  const { rivals } = cardOf(device, listCards());
  if (rivals.length === 0) return;
  const why = `--device ${device}: WebGPU can't tell this card from ${rivals.map(cardText).join("; ")}`;
  if (!io.restart) throw new RadarError("no-backend", `${why}, so it needs a process that sees this card only`, { option: "--device" });
  throwIfAborted(io.signal, "the command");
  const hidden = rivals.map(({ file }) => file);
  throw new DoneElsewhere(await io.restart(hidden, why));
}

/**
 * How long a signal waits that may also have come to the other process: a terminal sends it to both. This is longer than a command needs
 * to end.
 */
const waitMilliseconds = 400;

/** A process that does this one's work. */
export interface Stand {
  /** Passes a signal on. */
  forward(name: SignalName): void;
  /** Resolves with its exit status: 128 plus the number of a signal that ended it. */
  readonly ended: Promise<number>;
}

/** Watches a process that does this one's work. */
export function standIn(child: ChildProcess): Stand {
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  const hasTerminal = [0, 1, 2].some((fd) => isatty(fd));
  return {
    forward(name) {
      // Ctrl-C and a closed terminal reach every process of the group, and a second signal would cut the work short.
      if (name === "SIGTERM" || !hasTerminal) child.kill(name);
      else setTimeout(() => isRunning() && child.kill(name), waitMilliseconds);
    },
    ended: new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code, signal) => resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]));
    }),
  };
}
