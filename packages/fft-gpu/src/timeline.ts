/**
 * Program order where some of the work is the host's: what the device does is recorded at once as long as nothing on the
 * host is under way, and waits behind it otherwise.
 */
import type { RadarError } from "@dechirp/core";

export class Timeline {
  readonly #waiting: (() => void)[] = [];
  #busy = false;
  #ended: RadarError | undefined;

  /** Whether the host's work is under way. */
  get busy(): boolean {
    return this.#busy;
  }

  /** Does `action` now, or when the host's work before it is done. Nothing waits once the timeline has ended. */
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

  /** Does `work` in its turn; what comes after it waits until it has settled. */
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

  /** Does `action` in its turn, when what `waits` then names has settled; what comes after it waits with it. */
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

  /** Resolves when nothing of the host's is under way. */
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
