/**
 * What units do while another is measured: real transforms of 2¹² points without end, the paper's load. Several of them make a run, and
 * each unit has the next run waiting for it, so that it is busy with them rather than with being told of the next.
 */
import { type Buffer, createRandom, type Device, layout, type Plan } from "@dechirp/core";

export interface Interference extends Disposable {
  /** Sets units to work. */
  start(units: readonly number[]): void;
  /** Resolves when all of them have stopped. Rejects with what one of them failed with. */
  stop(): Promise<void>;
}

const n = 4096;
const lines = 16;
/** Runs that a unit has in its queue. */
const depth = 2;

/** Work for units 0 … `units` − 1 of the device, with plans and arrays of their own. Throws as `device.plan` and `device.alloc` do. */
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
