/**
 * What planning by measurement has found, so that it need not be measured again: FFTW's word for this is wisdom. It is JSON, by device and
 * operation. Programs keep it where they like, and give it to `gpu` when they open the device again.
 */
import { formatOp, type TransformOp } from "@dechirp/core";
import type { Preferences } from "./candidates.ts";

export type { Preferences } from "./candidates.ts";

/** Preferences of plans that were the fastest in measurements. Write it with `JSON.stringify`, and read it with `JSON.parse`. */
export interface Wisdom {
  readonly version: 1;
  /** Preferences by the text of the operation, by what the adapter says of itself: vendor, architecture, device and driver. */
  readonly devices: Readonly<Record<string, Readonly<Record<string, Preferences>>>>;
}

/** The wisdom of a device, by its name. Ops that differ in nothing that their text says share an entry: a plan by it is right in any case. */
export class KnownPlans {
  readonly #device: string;
  readonly #others: Wisdom["devices"];
  readonly #own: Map<string, Preferences>;

  constructor(device: string, { devices }: Wisdom = { version: 1, devices: {} }) {
    this.#device = device;
    this.#others = devices;
    this.#own = new Map(Object.entries(Object.hasOwn(devices, device) ? devices[device] : {}));
  }

  get(op: TransformOp): Preferences | undefined {
    return this.#own.size === 0 ? undefined : this.#own.get(formatOp(op));
  }

  set(op: TransformOp, preferences: Preferences): void {
    this.#own.set(formatOp(op), preferences);
  }

  all(): Wisdom {
    const own = this.#own.size > 0 ? { [this.#device]: Object.fromEntries(this.#own) } : {};
    return structuredClone({ version: 1, devices: { ...this.#others, ...own } });
  }
}
