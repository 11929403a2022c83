/** A turn of the event loop between steps of long work, in which a signal can arrive. */
import { throwIfAborted } from "@dechirp/core";
import { afterTurn } from "@dechirp/core/backend";

/** Gives the event loop a turn. Throws `aborted`, naming `what`, where the signal has fired. */
export async function heedSignal(signal: AbortSignal | undefined, what: string): Promise<void> {
  await new Promise<void>(afterTurn);
  throwIfAborted(signal, what);
}
