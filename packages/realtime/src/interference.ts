/**
 * The load on the other units while a task is profiled: endless real transforms of 2¹² points, as in the paper. Each run has several
 * transforms, and each unit always has another run in its queue, so that it computes instead of waiting for the host.
 */
import { type Buffer, createRandom, type Device, layout, type Plan } from "@dechirp/core";

/** Load on some units of a device that can be switched on and off. */
export interface Interference extends Disposable {
  /** Starts the load on these units. */
  start(units: readonly number[]): void;
  /** Resolves when all units have stopped. Rejects with the error of a run that failed. */
  stop(): Promise<void>;
}

const n = 4096;
const lines = 16;
/** Number of runs in the queue of a unit. */
const depth = 2;

/**
 * Prepares load for units 0 … `units` − 1 of the device, with plans and arrays of its own. Throws as `device.plan` and `device.alloc` do.
 */
export async function createInterference(device: Device, units: number): Promise<Interference> {
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(thing: T): T => {
    held.push(thing);
    return thing;
  };
  const dispose = (): void => {
    for (const thing of held.splice(0)) thing[Symbol.dispose]();
  };
  const work: { readonly plan: Plan; readonly bindings: { readonly in: Buffer; readonly out: Buffer } }[] = [];
  const random = createRandom(1);
  const data = Float32Array.from({ length: lines * n }, () => random.gaussian());
  try {
    for (let i = 0; i < units * depth; i++) {
      const unit = Math.floor(i / depth);
      const input = keep(device.alloc(layout("f32", [lines, n]), `interference of unit ${unit}`));
      input.write(data);
      const out = keep(device.alloc(layout("c64", [lines, n / 2 + 1]), `interference of unit ${unit}`));
      const plan = keep(await device.plan({ op: "real-fft", layout: input.layout, axis: 1, inverse: false }));
      work.push({ plan, bindings: { in: input, out } });
    }
  } catch (error) {
    dispose();
    throw error;
  }
  let going = false;
  let loops: Promise<void>[] = [];
  const loop = async (unit: number, turn: number): Promise<void> => {
    const { plan, bindings } = work[unit * depth + turn];
    while (going) await plan.run(bindings, { units: [unit] }).done;
  };
  return {
    start(chosen) {
      going = true;
      loops = chosen.flatMap((unit) => Array.from({ length: depth }, (_, turn) => loop(unit, turn)));
      for (const made of loops) made.catch(() => {});
    },
    async stop() {
      going = false;
      await Promise.allSettled(loops);
      await Promise.all(loops);
    },
    [Symbol.dispose]: dispose,
  };
}
