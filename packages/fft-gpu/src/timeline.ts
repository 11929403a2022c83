/**
 * Keeps program order if some of the work runs on the host. Device work is recorded at once if no host work is in progress, and waits for
 * it otherwise.
 */
import type { RadarError } from "@dechirp/core";

/** The program order of a device. */
export class Timeline {
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  #ended: RadarError | undefined;

  /** Whether host work is in progress. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Calls `action` now, or after the host work before it. Rejects if the timeline ends first. */
  async record<T>(action: () => T | Promise<T>): Promise<T> {
    if (!this.#busy) return action();
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          if (this.#ended) throw this.#ended;
          resolve(action());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  /** Runs `work` in program order. Later work waits until it has settled. */
  async hold<T>(work: () => Promise<T>): Promise<T> {
    return this.record(async () => {
      this.#busy = true;
      try {
        return await work();
      } finally {
        this.#busy = false;
        this.#go();
      }
    });
  }

  /** Calls `action` in program order after the promises that `waits` then returns have settled. Later work waits, too. */
  async after<T>(waits: () => readonly (Promise<unknown> | undefined)[], action: () => T): Promise<T> {
    return this.record(() => {
      const named = waits().filter((wait) => wait !== undefined);
      if (named.length === 0) return action();
      return this.hold(async () => {
        await Promise.allSettled(named);
        if (this.#ended) throw this.#ended;
        return action();
      });
    });
  }

  /** Resolves when no host work is in progress. */
  async idle(): Promise<void> {
    while (this.#busy) await this.record(() => undefined);
  }

  end(error: RadarError): void {
    this.#ended = error;
    for (const action of this.#waiting.splice(0)) action();
  }

  #go(): void {
    while (!this.#busy) {
      const next = this.#waiting.shift();
      if (!next) return;
      next();
    }
  }
}
