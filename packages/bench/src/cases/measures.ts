/**
 * Entropy, contrast and quicklook of a focused image on the CPU device: sums on the device, as `dechirp focus` makes them, beside loops on
 * the host and beside the transform that makes the image. The last ratio says what measuring costs end to end.
 */
import { type Buffer, compile, createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import {
  createFocusAccumulator,
  createQuicklookAccumulator,
  imageContrast,
  imageEntropy,
  quicklook,
  windowSumsProgram,
} from "@dechirp/sar";
import { type Case, type Contender, noError } from "../runner.ts";

const [rows, columns] = [2048, 2048];
/** As the command draws it: square pixels of several cells. */
const drawing = { maxSide: 1024, square: true, columnSpacingMeters: 1.3, rowSpacingMeters: 1 } as const;

/** Names of the contenders, in their order. */
export const measuresContenders = ["sums on the device", "loops on the host", "the transform that makes the image"] as const;

/** The case. */
export const measuresCase: Case = {
  name: `entropy, contrast and quicklook ${rows}×${columns}`,
  flops: 0,
  errorKind: "entropy against float64, relative",
  async setUp() {
    const device = await open(cpu());
    const { gaussian } = createRandom(1);
    const data = Float32Array.from({ length: 2 * rows * columns }, gaussian);
    const image = device.alloc({ dtype: "c64", shape: [rows, columns] }, "image");
    image.write(data);
    const contenders = [await onDevice(device, image, imageEntropy(data)), onHost(data), await transformOf(device, image)];
    return { contenders, dispose: () => device[Symbol.dispose]() };
  },
};

async function onDevice(device: Device, image: Buffer, exact: number): Promise<Contender> {
  const { looks } = createQuicklookAccumulator(rows, columns, drawing);
  const made = windowSumsProgram([rows, columns], { rows, columns, looks });
  const compiled = await compile(made.program, device);
  const buffers: Record<string, Buffer> = { image };
  for (const [name, layout] of Object.entries(compiled.layouts)) buffers[name] ??= device.alloc(layout, name);
  const { tables, uniforms, sumsOf } = made.inputsOf({ row: 0, column: 0, rows, columns }, [0, 0]);
  for (const [name, table] of Object.entries(tables)) buffers[name].write(table);
  let entropy = Number.NaN;
  return {
    name: measuresContenders[0],
    async run() {
      compiled.run(buffers, { uniforms });
      const outputs = await Promise.all(made.program.outputs.map(async (name) => [name, await buffers[name].read()]));
      const sums = sumsOf(Object.fromEntries(outputs));
      const [focus, picture] = [createFocusAccumulator(rows, columns), createQuicklookAccumulator(rows, columns, drawing)];
      focus.addSums(sums);
      picture.addSums(sums);
      picture.finish();
      entropy = focus.finish().entropy;
    },
    error: () => Math.abs(entropy - exact) / exact,
  };
}

function onHost(data: Float32Array): Contender {
  return {
    name: measuresContenders[1],
    run() {
      imageEntropy(data);
      imageContrast(data);
      quicklook(data, rows, columns, drawing);
    },
    error: () => 0,
  };
}

/** The last step of range-Doppler imaging without its load: filter, inverse transform, corner turn. */
async function transformOf(device: Device, image: Buffer): Promise<Contender> {
  const layout = { dtype: "c64", shape: [rows, columns] } as const;
  const plan = await device.plan({ op: "filter-inverse", layout, axis: 1, h: "line", cornerTurn: true });
  const h = device.alloc({ dtype: "c64", shape: [columns] }, "h");
  h.write(new Float32Array(2 * columns).fill(1));
  const out = device.alloc(layout, "out");
  return { name: measuresContenders[2], run: () => plan.run({ in: image, h, out }).done, error: noError };
}
