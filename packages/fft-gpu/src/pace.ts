/**
 * Limits how far runs with a signal are submitted ahead of the device. A submission can not be taken back, so each such run is a
 * submission of its own, and the next one waits while two are unfinished: the one that the device works on and the one after it. An abort
 * stops all others.
 */
import type { Batch, Commands } from "./pass.ts";

const mostAhead = 2;

/** The submissions of runs that can be aborted. */
export class Pace {
  readonly #commands: Commands;
  /** Submissions that the device has not finished, in order. */
  readonly #unfinished: Batch[] = [];

  constructor(commands: Commands) {
    this.#commands = commands;
  }

  /** A promise that settles when there is room for another submission. Undefined if there is room now. */
  get full(): Promise<void> | undefined {
    return this.#unfinished.at(-mostAhead)?.done;
  }

  /** Records a run in a submission of its own. */
  submit(record: () => Batch | undefined): Batch | undefined {
    const batch = this.#commands.apart(record);
    if (batch) {
      this.#unfinished.push(batch);
      const remove = (): void => void this.#unfinished.splice(this.#unfinished.indexOf(batch), 1);
      batch.done.then(remove, remove);
    }
    return batch;
  }
}
