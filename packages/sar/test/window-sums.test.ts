/** Sums of windows on a device, against the measures of the whole image on the host: random windows, looks, scales, both backends. */
import { createRandom, type Device, evaluate, open, type Program, type TypedArrayOf } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { ImageWindow } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import {
  createFocusAccumulator,
  createQuicklookAccumulator,
  imageContrast,
  imageEntropy,
  peakToMeanDb,
  quicklook,
  windowSumsProgram,
} from "../src/index.ts";

/** Runs the program for one window: the array holds it at `from`, and numbers that must not count around it. */
async function sumsOn(
  device: Device,
  shape: readonly [number, number],
  made: ReturnType<typeof windowSumsProgram>,
  image: Float32Array,
  columns: number,
  window: ImageWindow,
  from: readonly [number, number],
) {
  const [height, width] = shape;
  const array = new Float32Array(2 * height * width).fill(1e3);
  for (let row = 0; row < window.rows; row++) {
    const at = 2 * ((window.row + row) * columns + window.column);
    array.set(image.subarray(at, at + 2 * window.columns), 2 * ((from[0] + row) * width + from[1]));
  }
  const { tables, uniforms, sumsOf } = made.inputsOf(window, from);
  const outputs = await evaluate(made.program as Program<Record<string, TypedArrayOf>>, device, { image: array, ...tables }, { uniforms });
  return sumsOf(outputs as never);
}

describe("windowSumsProgram", () => {
  for (const [name, backend] of [
    ["CPU", cpu()],
    ["GPU", gpu()],
  ] as const) {
    it(`gives the measures and the picture of the whole image on the ${name}`, async () => {
      using device = await open(backend);
      const random = createRandom(11);
      for (const [scale, square] of [
        [1, true],
        [1e-16, false],
        [1e14, true],
      ] as const) {
        const [rows, columns] = [120 + Math.floor(40 * random.uniform()), 150 + Math.floor(60 * random.uniform())];
        const image = Float32Array.from({ length: 2 * rows * columns }, () => scale * random.gaussian());
        for (let i = 0; i < 200; i++) image[Math.floor(random.uniform() * image.length)] *= 300;
        image.fill(0, 2 * 30 * columns, 2 * 33 * columns);
        const drawing = {
          maxSide: 40 + Math.floor(20 * random.uniform()),
          rowSpacingMeters: 1 + random.uniform(),
          columnSpacingMeters: 1.3,
          square,
        };
        const focus = createFocusAccumulator(rows, columns);
        const picture = createQuicklookAccumulator(rows, columns, drawing);
        const shape = [70, 110] as const;
        const made = windowSumsProgram(shape, { rows, columns, looks: picture.looks });
        const edge = Math.floor(columns / 2) + 3;
        for (let row = 0; row < rows; ) {
          const height = Math.min(rows - row, 1 + Math.floor(50 * random.uniform()));
          for (const [column, width] of [
            [0, edge],
            [edge, columns - edge],
          ]) {
            const window = { row, column, rows: height, columns: width };
            const from = [Math.floor(random.uniform() * (71 - height)), Math.floor(random.uniform() * (111 - width))] as const;
            const sums = await sumsOn(device, shape, made, image, columns, window, from);
            focus.addSums(sums);
            picture.addSums(sums);
          }
          row += height;
        }
        const { entropy, contrast, peakToMeanDb: peak } = focus.finish();
        expect(Math.abs(entropy - imageEntropy(image))).toBeLessThan(2e-5);
        expect(Math.abs(contrast / imageContrast(image) - 1)).toBeLessThan(2e-6);
        expect(Math.abs(peak - peakToMeanDb(image))).toBeLessThan(1e-5);
        const [mine, whole] = [picture.finish(), quicklook(image, rows, columns, drawing)];
        expect([mine.width, mine.height]).toEqual([whole.width, whole.height]);
        expect(Math.abs(mine.highDb - whole.highDb)).toBeLessThan(0.02);
        let worst = 0;
        for (let i = 0; i < whole.data.length; i++) worst = Math.max(worst, Math.abs(whole.data[i] - mine.data[i]));
        expect(worst).toBeLessThanOrEqual(1);
      }
    });
  }

  it("tells that an image is not finite, and refuses windows outside", async () => {
    using device = await open(cpu());
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      const image = new Float32Array(2 * 8 * 9).fill(1);
      image[31] = bad;
      const made = windowSumsProgram([8, 9], { rows: 8, columns: 9, looks: { azimuthLooks: 1, rangeLooks: 1 } });
      const taker = createFocusAccumulator(8, 9);
      taker.addSums(await sumsOn(device, [8, 9], made, image, 9, { row: 0, column: 0, rows: 8, columns: 9 }, [0, 0]));
      expect(() => taker.finish()).toThrow("finite");
      expect(() => made.inputsOf({ row: 0, column: 0, rows: 9, columns: 9 }, [0, 0])).toThrow("window");
      expect(() => made.inputsOf({ row: 0, column: 0, rows: 8, columns: 9 }, [1, 0])).toThrow("from");
    }
  });
});
