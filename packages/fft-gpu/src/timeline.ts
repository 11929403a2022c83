/**
 * Keeps program order if some of the work runs on the host. Device work is recorded at once if no host work is in progress, and waits for
 * it otherwise. Work that waits says which memory it writes, so that reads of other memory need not wait.
 */
import type { RadarError } from "@dechirp/core";

/** The program order of a device. */
export class Timeline {
  readonly #waiting: (() => void)[] = [];
  /** How much of the unfinished work writes each memory. */
  readonly #writes = new Map<object, number>();
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

  /** Whether work that waits or is in progress writes this memory. */
  isWritten(memory: object): boolean {
    return this.#writes.has(memory);
  }

  /** Runs `work`, which writes `memories`, in program order. Later work waits until it has settled. */
  async hold<T>(memories: readonly object[], work: () => Promise<T>): Promise<T> {
    return this.#claimed(memories, () => this.record(() => this.#held(work)));
  }

  /**
   * Calls `action`, which writes `memories`, in program order after the promises that `waits` then returns have settled. Later work waits,
   * too.
   */
  async after<T>(memories: readonly object[], waits: () => readonly (Promise<unknown> | undefined)[], action: () => T): Promise<T> {
    return this.#claimed(memories, () =>
      this.record(() => {
        const named = waits().filter((wait) => wait !== undefined);
        if (named.length === 0) return action();
        return this.#held(async () => {
          await Promise.allSettled(named);
          if (this.#ended) throw this.#ended;
          return action();
        });
      }),
    );
  }

  async #held<T>(work: () => Promise<T>): Promise<T> {
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
      this.#go();
    }
  }

  async #claimed<T>(memories: readonly object[], work: () => Promise<T>): Promise<T> {
    const count = (memory: object, more: number): void => {
      const users = (this.#writes.get(memory) ?? 0) + more;
      if (users > 0) this.#writes.set(memory, users);
      else this.#writes.delete(memory);
    };
    for (const memory of memories) count(memory, 1);
    try {
      return await work();
    } finally {
      for (const memory of memories) count(memory, -1);
    }
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
