/**
 * Memory between the passes of plans. Runs of a device follow each other and the contents do not outlive a run, so plans share it: all
 * plans with a second temporary of 16 MiB use the same array for it. Unused arrays are kept for later plans up to a limit, as allocation
 * takes longer than making a plan that was made before.
 */
import { byteLength, type Layout } from "@dechirp/core";
import type { GpuArray } from "./memory.ts";

/** The most bytes of unused arrays that are kept: one array between passes of the usual size (passes.ts). */
const keptBytes = 2 ** 27;

interface Shared {
  readonly key: string;
  readonly array: GpuArray;
  users: number;
}

/** The temporary arrays of a device. */
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
    // Moves it to the end, as the first one is removed first.
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
    // An array whose allocation failed and that another has replaced.
    array.free();
  }

  end(): void {
    for (const { array } of this.#all.values()) array.free();
    this.#all.clear();
  }

  /** Frees unused arrays, oldest first, until at most `most` bytes of them are left. */
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
