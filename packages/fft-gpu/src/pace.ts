/**
 * How far runs that can be aborted are ahead of the device. What has been submitted can't be taken back, so each such run is a
 * submission of its own, and the next one waits while two are unfinished: one that the device works on and one that it goes on with. An
 * abort stops all others.
 */
import type { Batch, Commands } from "./pass.ts";

const mostAhead = 2;

export class Pace {
  readonly #commands: Commands;
  /** What the device has not finished, in order. */
  readonly #unfinished: Batch[] = [];

  constructor(commands: Commands) {
    this.#commands = commands;
  }

  /** Settles when there is room for another submission; nothing where there is. */
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
