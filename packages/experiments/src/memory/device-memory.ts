/**
 * Probes of device memory: copies and reads by footprint, hot and cold. Cold means that other memory is written between two runs, so that
 * caches hold none of the data; the time of those writes is measured in turns and subtracted.
 */
import { type Buffer, type Device, type Kernel, kernel, layout, type Plan, throwIfAborted } from "@dechirp/core";
import { type Contender, type Measured, type MeasureOptions, measuredDifference, orWhy, repeat, timeInTurns } from "./measure.ts";

/** Elements are complex float32 numbers, as those of transforms. */
const elementBytes = 8;
/** Elements that an invocation of the read kernel adds. */
const added = 16;

/** The contents of arrays: element i is (i mod 2¹⁶, 1 + i / 2¹⁶), which is exact and never zero. */
const valueText = "vec2f(f32(item & 65535u), 1.0 + f32(item >> 16u))";
const elementAt = (i: number): readonly [number, number] => [i & 65535, 1 + Math.floor(i / 65536)];

function itemsKernel(name: string, ports: Kernel["ports"], items: number, body: string): Kernel {
  return kernel({
    name,
    ports,
    items,
    wgsl: (_, __, toolkit) => toolkit.items(body),
    reference() {
      throw new Error("it runs on GPUs only");
    },
  });
}

const array = (count: number) => layout("c64", [count]);

/** Fills an array. */
const fillKernel = (count: number): Kernel =>
  itemsKernel("fill", { out: { access: "write", layout: array(count) } }, count, `store_out(item, ${valueText});`);

const copyKernel = (count: number): Kernel =>
  itemsKernel(
    "copy",
    { in: { access: "read", layout: array(count) }, out: { access: "write", layout: array(count) } },
    count,
    "store_out(item, load_in(item));",
  );

const readKernel = (count: number): Kernel => {
  const items = count / added;
  const sum = Array.from({ length: added }, (_, j) => `load_in(item + ${j * items}u)`).join(" + ");
  return itemsKernel(
    "read",
    { in: { access: "read", layout: array(count) }, out: { access: "write", layout: array(items) } },
    items,
    `store_out(item, ${sum});`,
  );
};

/** Which access is measured. Copies read one half of the footprint and write the other; reads write a sixteenth of what they read. */
export type MemoryAccess = "copy" | "read";

/** One footprint's measurements. */
export interface FootprintTimes {
  readonly access: MemoryAccess;
  readonly hot: Measured;
  readonly cold: Measured;
}

/** Options of `measureFootprint`. */
export interface FootprintOptions {
  /** The footprint, a power of two of at least 1 MiB. */
  readonly bytes: number;
  /** Bytes that are written between cold runs. */
  readonly flushBytes: number;
  /** Which arrays the device can bind. */
  readonly fits: Readonly<Record<MemoryAccess, boolean>>;
}

/**
 * Measures the accesses of a footprint that fit the device. If memory is not enough, the measurements say so.
 */
export async function measureFootprint(
  device: Device,
  { bytes, flushBytes, fits }: FootprintOptions,
  options: MeasureOptions,
): Promise<readonly FootprintTimes[]> {
  const held: Disposable[] = [];
  const keep = <T extends Disposable>(one: T): T => {
    held.push(one);
    return one;
  };
  const on = options.signal ? { signal: options.signal } : {};
  const plan = async (op: Kernel): Promise<Plan> => keep(await device.plan(op, on));
  const measured = await orWhy(async () => {
    try {
      const flushCount = flushBytes / elementBytes;
      const flushed = keep(device.alloc(array(flushCount), "flush"));
      const flushPlan = await plan(fillKernel(flushCount));
      const flush = (): void => void flushPlan.run({ out: flushed });
      const found: FootprintTimes[] = [];
      for (const access of (["copy", "read"] as const).filter((one) => fits[one])) {
        throwIfAborted(options.signal, "the experiment");
        const count = bytes / elementBytes / (access === "copy" ? 2 : 1);
        const input = device.alloc(array(count), "in");
        const output = device.alloc(array(access === "copy" ? count : count / added), "out");
        using _input = input;
        using _output = output;
        using fill = await device.plan(fillKernel(count), on);
        fill.run({ out: input });
        const work = await plan(access === "copy" ? copyKernel(count) : readKernel(count));
        const once = (): void => void work.run({ in: input, out: output });
        const contenders: readonly Contender[] = [
          { run: (times) => repeat(times, once) },
          {
            run: (times) =>
              repeat(times, () => {
                flush();
                once();
              }),
          },
          { run: (times) => repeat(times, flush) },
        ];
        const [hot, both, alone] = await timeInTurns(device, contenders, options);
        const correct = await isRight(access, output, count);
        const amount = access === "copy" ? bytes : bytes * (1 + 1 / added);
        const cold = both.map((time, i) => time - alone[i]);
        found.push({
          access,
          hot: { seconds: hot, amount, correct },
          cold: measuredDifference(cold, amount, correct),
        });
      }
      return found;
    } finally {
      for (const one of held.reverse()) one[Symbol.dispose]();
    }
  });
  if (!("why" in measured)) return measured;
  return (["copy", "read"] as const).map((access) => ({ access, hot: measured, cold: measured }));
}

/** Number of elements that are checked at the beginning, in the middle and at the end. */
const checked = 1024;

async function isRight(access: MemoryAccess, output: Buffer, count: number): Promise<boolean> {
  const length = output.layout.shape[0];
  for (const start of [0, Math.floor((length - checked) / 2), length - checked]) {
    const found = (await output.read({ start, count: checked })) as Float32Array;
    for (let i = 0; i < checked; i++) {
      const at = start + i;
      let [x, y] = elementAt(at);
      if (access === "read")
        for (let j = 1; j < added; j++) {
          const [a, b] = elementAt(at + j * (count / added));
          [x, y] = [x + a, y + b];
        }
      if (found[2 * i] !== x || found[2 * i + 1] !== y) return false;
    }
  }
  return true;
}
