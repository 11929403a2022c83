/**
 * Memory between the passes of plans. Runs of one device follow one another and what is in between does not outlive a run,
 * so plans share it: a plan's second array of 16 MiB is every other plan's second one of that size too. The last that no plan
 * uses any more are kept for the next, within a bound: new memory costs more than a plan that was made before.
 */
import { byteLength, type Layout } from "@dechirp/core";
import type { GpuArray } from "./memory.ts";

/** Most bytes kept that no plan uses: one array between passes of the usual size (passes.ts). */
const keptBytes = 2 ** 27;

interface Shared {
  readonly key: string;
  readonly array: GpuArray;
  users: number;
}

export class Scratch {
  readonly #allocate: (layout: Layout, label: string) => GpuArray;
  readonly #all = new Map<string, Shared>();

  constructor(allocate: (layout: Layout, label: string) => GpuArray) {
    this.#allocate = allocate;
  }

  /** The memory for a plan's temporary of that number, until `give`. */
  take(layout: Layout, number: number): GpuArray {
    const key = `${number} ${byteLength(layout)}`;
    let shared = this.#all.get(key);
    if (shared?.array.failure) shared = undefined;
    if (!shared) {
      this.#keep(keptBytes - byteLength(layout));
      shared = { key, array: this.#allocate(layout, `temporary ${number} of ${byteLength(layout)} bytes`), users: 0 };
    }
    // The latest is the last in order, and the last to be let go.
    this.#all.delete(key);
    this.#all.set(key, shared);
    shared.users += 1;
    return shared.array;
  }

  give(array: GpuArray): void {
    for (const shared of this.#all.values()) {
      if (shared.array !== array) continue;
      shared.users -= 1;
      if (shared.users === 0) this.#keep(keptBytes);
      return;
    }
    // A failed allocation that another has replaced.
    array.free();
  }

  end(): void {
    for (const { array } of this.#all.values()) array.free();
    this.#all.clear();
  }

  /** Lets go of what no plan uses, oldest first, until no more than `most` bytes of it are left. */
  #keep(most: number): void {
    const unused = [...this.#all.values()].filter(({ users }) => users === 0);
    let left = unused.reduce((sum, { array }) => sum + byteLength(array.layout), 0);
    for (const { key, array } of unused) {
      if (left <= most && !array.failure) continue;
      left -= byteLength(array.layout);
      this.#all.delete(key);
      array.free();
    }
  }
}
