/**
 * Parts of arrays on the CPU: a transform of 16 parts, one run each, beside the transform of the whole array; and a small read while long
 * work on another array is queued, beside the read on an idle device.
 */
import { type Buffer, createRandom, fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { type Case, noError, transformFlops } from "../runner.ts";

const [lines, n, count] = [4096, 1024, 16];
const shape = layout("c64", [lines, n]);
const block = layout("c64", [lines / count, n]);

const numbers = (): Float32Array => {
  const { uniform } = createRandom(11);
  return Float32Array.from({ length: 2 * lines * n }, () => uniform() - 0.5);
};

/** One run on the whole array, and 16 runs on its parts. They must give the same numbers. */
export const partsCase: Case = {
  name: `FFT c64 ${lines}×${n} in ${count} parts`,
  flops: transformFlops(lines, n),
  errorKind: "largest difference from the whole array",
  async setUp() {
    const device = await open(cpu());
    const [input, out] = ["in", "out"].map((name) => device.alloc(shape, name));
    input.write(numbers());
    const whole = await device.plan(fft(shape, { axis: 1 }));
    const some = await device.plan(fft(block, { axis: 1 }));
    const cut = (buffer: Buffer): readonly Buffer[] =>
      Array.from({ length: count }, (_, i) => buffer.part((i * lines) / count, lines / count));
    const [from, to] = [cut(input), cut(out)];
    const inParts = (): Promise<unknown> => Promise.all(from.map((part, i) => some.run({ in: part, out: to[i] }).done));
    return {
      contenders: [
        { name: `the whole array ${whole.text}`, run: () => whole.run({ in: input, out }).done, error: noError },
        {
          name: `${count} parts ${some.text}`,
          run: inParts,
          async error() {
            await inParts();
            const parts = await out.read();
            await whole.run({ in: input, out }).done;
            const all = await out.read();
            return parts.reduce((most, value, i) => Math.max(most, Math.abs(value - all[i])), 0);
          },
        },
      ],
      dispose: () => device[Symbol.dispose](),
    };
  },
};

/** A read of 16 elements: alone, and while 8 transforms of another array are queued or run. */
export const smallReadCase: Case = {
  name: "read of 16 elements beside queued work",
  flops: 0,
  errorKind: "largest difference from what was written",
  async setUp() {
    const device = await open(cpu());
    const [input, out] = ["in", "out"].map((name) => device.alloc(shape, name));
    input.write(numbers());
    const state = device.alloc(layout("f32", [16]), "state");
    const written = Float32Array.from({ length: 16 }, (_, i) => i);
    state.write(written);
    const long = await device.plan(fft(shape, { axis: 1 }));
    let queued = 0;
    const fill = (): void => {
      for (; queued < 8; queued++) long.run({ in: input, out }).done.finally(() => queued--);
    };
    const difference = async (): Promise<number> =>
      (await state.read()).reduce((most, v, i) => Math.max(most, Math.abs(v - written[i])), 0);
    return {
      contenders: [
        { name: "the device is idle", run: () => state.read(), error: difference },
        {
          name: "8 transforms are queued",
          async window(milliseconds) {
            const start = performance.now();
            let reads = 0;
            for (; reads === 0 || performance.now() - start < milliseconds; reads++) {
              fill();
              await state.read();
            }
            const taken = (performance.now() - start) / reads;
            // The other contender's windows are on an idle device.
            await device.ready();
            return taken;
          },
          run: () => state.read(),
          error: difference,
        },
      ],
      dispose: () => device[Symbol.dispose](),
    };
  },
};
