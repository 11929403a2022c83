/** A break in long work on this thread: timers, progress bars and Ctrl-C have their turn. */
import { setImmediate } from "node:timers/promises";
import { throwIfAborted } from "@dechirp/core";

/** Lets the event loop have a turn, in which a signal can arrive. Throws `aborted`, naming `what`, where it has. */
export async function heedSignal(signal: AbortSignal | undefined, what: string): Promise<void> {
  await setImmediate();
  throwIfAborted(signal, what);
}
