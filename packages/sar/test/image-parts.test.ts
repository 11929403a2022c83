/** Measures of images that come in parts, against those of the whole image: random partitions, orders, scales and targets. */
import { createRandom, isRadarError, type Random } from "@dechirp/core";
import type { ComplexSamples, ImageWindow } from "@dechirp/radar";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  analysePointTarget,
  createFocusAccumulator,
  createPointTargetCollector,
  createQuicklookAccumulator,
  imageContrast,
  imageEntropy,
  type PartTaker,
  type PointTargetOptions,
  peakToMeanDb,
  quicklook,
} from "../src/index.ts";

function partition(rows: number, columns: number, most: number, { uniform }: Random): ImageWindow[] {
  const parts: { readonly window: ImageWindow; readonly at: number }[] = [];
  const split = (window: ImageWindow): void => {
    const { row, column, rows: height, columns: width } = window;
    if (height * width === 1 || height * width <= most * (0.3 + uniform())) {
      parts.push({ window, at: uniform() });
    } else if (width === 1 || (height > 1 && uniform() < 0.5)) {
      const upper = 1 + Math.floor((height - 1) * uniform());
      split({ ...window, rows: upper });
      split({ ...window, row: row + upper, rows: height - upper });
    } else {
      const left = 1 + Math.floor((width - 1) * uniform());
      split({ ...window, columns: left });
      split({ ...window, column: column + left, columns: width - left });
    }
  };
  split({ row: 0, column: 0, rows, columns });
  return parts.sort((a, b) => a.at - b.at).map(({ window }) => window);
}

function cut(image: ComplexSamples, columns: number, { row, column, rows, columns: width }: ImageWindow): ComplexSamples {
  const out = new (image.constructor as Float32ArrayConstructor)(2 * rows * width);
  for (let r = 0; r < rows; r++) {
    const from = 2 * ((row + r) * columns + column);
    out.set(image.subarray(from, from + 2 * width), 2 * r * width);
  }
  return out;
}

const addAll = (taker: PartTaker, image: ComplexSamples, columns: number, parts: readonly ImageWindow[]): void => {
  for (const window of parts) taker.add(window, cut(image, columns, window));
};

const refused = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return isRadarError(error, "input") && error.fields["field"];
  }
  return undefined;
};

describe("createFocusAccumulator", () => {
  it("gives entropy, contrast and peak of the whole image, whatever its scale, its parts and their order", () => {
    for (const scale of [1, 1e-150, 1e140, 2 ** -60]) {
      for (const kind of ["speckle", "flat", "one", "ramp"] as const) {
        const random = createRandom(7);
        const [rows, columns] = [97, 113];
        const image = new Float64Array(2 * rows * columns);
        for (let i = 0; i < image.length; i++) {
          // Flat: the contrast is 1e-6, which a difference of sums of squares would lose.
          if (kind === "speckle") image[i] = scale * random.gaussian();
          if (kind === "flat") image[i] = scale * (1 + 5e-7 * random.gaussian());
          if (kind === "one") image[i] = i === 1000 ? scale : 0;
          // Parts of very different power: 10 decades.
          if (kind === "ramp") image[i] = scale * random.gaussian() * 10 ** ((-10 * i) / image.length);
        }
        const whole = [imageEntropy(image), imageContrast(image), peakToMeanDb(image)];
        for (const most of [1e9, 3000, 40, 1]) {
          const taker = createFocusAccumulator(rows, columns);
          addAll(taker, image, columns, partition(rows, columns, most, random));
          const { entropy, contrast, peakToMeanDb: peak } = taker.finish();
          for (const [k, value] of [entropy, contrast, peak].entries()) {
            // The rounding of 1e4 sums in random order; entropies are of logarithms up to 700 at extreme scales, as in the whole image.
            const least = k === 0 ? 1e-12 * Math.max(1, Math.abs(Math.log(scale))) : 1e-12;
            expect(Math.abs(value - whole[k]), `${kind} ${scale} ${most} ${k}: ${value}, ${whole[k]}`).toBeLessThanOrEqual(
              1e-10 * Math.abs(whole[k]) + least,
            );
          }
        }
      }
    }
  });

  it("is as near to sums in higher precision as the whole image's own measures", () => {
    const random = createRandom(8);
    const [rows, columns] = [64, 64];
    const image = Float32Array.from({ length: 2 * rows * columns }, () => 1 + 1e-4 * random.gaussian());
    const taker = createFocusAccumulator(rows, columns);
    addAll(taker, image, columns, partition(rows, columns, 100, random));
    // Exact: powers as integers, in units of 2^-60 (float32 numbers near 1 are multiples of 2^-24).
    const powers = Array.from({ length: rows * columns }, (_, i) => {
      const [re, im] = [BigInt(Math.round(image[2 * i] * 2 ** 30)), BigInt(Math.round(image[2 * i + 1] * 2 ** 30))];
      return re * re + im * im;
    });
    const n = BigInt(powers.length);
    const sum = powers.reduce((a, b) => a + b, 0n);
    const spread = powers.reduce((a, b) => a + (n * b - sum) ** 2n, 0n);
    const exact = Math.sqrt(Number((spread * 10n ** 30n) / (sum * sum * n)) / 1e30);
    expect(Math.abs(taker.finish().contrast / exact - 1)).toBeLessThan(1e-11);
    expect(Math.abs(imageContrast(image) / exact - 1)).toBeLessThan(1e-11);
  });

  it("refuses what the whole measures refuse, and bad parts", () => {
    const of = (data: Float32Array) => {
      const taker = createFocusAccumulator(1, 2);
      taker.add({ row: 0, column: 0, rows: 1, columns: 2 }, data);
      return taker.finish();
    };
    expect(refused(() => of(new Float32Array(4)))).toBe("data");
    expect(refused(() => of(Float32Array.of(1, 2, Number.NaN, 0)))).toBe("data");
    expect(refused(() => of(new Float32Array(3)))).toBe("data.length");
    expect(refused(() => createFocusAccumulator(1, 2).finish())).toBe("window");
    expect(refused(() => createFocusAccumulator(0, 2))).toBe("rows");
    const taker = createFocusAccumulator(2, 2);
    taker.add({ row: 0, column: 0, rows: 1, columns: 2 }, new Float32Array(4));
    expect(refused(() => taker.add({ row: 0, column: 1, rows: 2, columns: 1 }, new Float32Array(4)))).toBe("window");
    expect(refused(() => taker.add({ row: 1, column: 1, rows: 1, columns: 2 }, new Float32Array(4)))).toBe("window.columns");
  });
});

describe("createQuicklookAccumulator", () => {
  it("makes the bits of quicklook, whatever the parts and their order", () => {
    fc.assert(
      fc.property(
        fc.record({
          rows: fc.integer({ min: 1, max: 150 }),
          columns: fc.integer({ min: 1, max: 150 }),
          maxSide: fc.integer({ min: 1, max: 60 }),
          rowSpacingMeters: fc.double({ min: 0.2, max: 5, noNaN: true }),
          columnSpacingMeters: fc.double({ min: 0.2, max: 5, noNaN: true }),
          square: fc.boolean(),
          most: fc.integer({ min: 1, max: 4000 }),
          seed: fc.integer({ min: 1, max: 1e6 }),
        }),
        ({ rows, columns, most, seed, ...options }) => {
          const random = createRandom(seed);
          const image = Float32Array.from({ length: 2 * rows * columns }, () => random.gaussian() * 10 ** (4 * random.uniform()));
          if (seed % 5 === 0) image[Math.floor(image.length * random.uniform())] = seed % 2 ? Number.NaN : Number.POSITIVE_INFINITY;
          const taker = createQuicklookAccumulator(rows, columns, options);
          addAll(taker, image, columns, partition(rows, columns, most, random));
          expect(taker.finish()).toEqual(quicklook(image, rows, columns, options));
        },
      ),
      { seed: 5, numRuns: 150 },
    );
  });

  it("needs all of the image, and names what is missing", () => {
    const taker = createQuicklookAccumulator(6, 4);
    taker.add({ row: 0, column: 0, rows: 3, columns: 4 }, new Float32Array(24));
    expect(() => taker.finish()).toThrow("window must be added before the end; rows 3…5, columns 0…3 are missing");
    expect(refused(() => taker.add({ row: 2, column: 0, rows: 1, columns: 4 }, new Float32Array(8)))).toBe("window");
    expect(refused(() => createQuicklookAccumulator(6, 4, { maxSide: 0 }))).toBe("maxSide");
  });

  it("takes parts in pieces", () => {
    const taker = createQuicklookAccumulator(512, 512);
    const steps = [...taker.addSteps({ row: 0, column: 0, rows: 512, columns: 512 }, new Float32Array(2 * 512 * 512))];
    expect(steps.length).toBeGreaterThanOrEqual(8);
  });
});

describe("createPointTargetCollector", () => {
  const [rows, columns] = [330, 290];

  /** Targets of a Gaussian-weighted band in noise, at given places, wrapped. */
  function targetsIn(places: readonly (readonly [row: number, column: number])[], Type: Float32ArrayConstructor | Float64ArrayConstructor) {
    const random = createRandom(14);
    const image = new Type(2 * rows * columns);
    for (let i = 0; i < image.length; i++) image[i] = 1e-3 * random.gaussian();
    const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
    const away = (x: number, n: number): number => x - n * Math.round(x / n);
    for (const [row, column] of places) {
      for (let r = 0; r < rows; r++) {
        for (let c = 0; c < columns; c++) {
          const [dr, dc] = [away(r - row, rows), away(c - column, columns)];
          const value = sinc(0.8 * dr) * sinc(0.75 * dc);
          image[2 * (r * columns + c)] += value * Math.cos(0.3 * dr);
          image[2 * (r * columns + c) + 1] += value * Math.sin(0.3 * dr);
        }
      }
    }
    return image;
  }

  it("measures with the bits of analysePointTarget in the whole image, also at edges and on axes that wrap", () => {
    const places = [
      [150.3, 140.7],
      [12.2, 60.4],
      [317.8, 270.1],
      [3.4, 286.2],
    ] as const;
    const options: readonly PointTargetOptions[] = [
      {},
      { wrapRows: true, wrapColumns: true },
      { wrapRows: true, rangeCutRowsPerColumn: 0.4, cutHalfPixels: 40 },
      { cutHalfPixels: 9, chipHalfPixels: 45, searchHalfPixels: 9 },
      { cutHalfPixels: 5000, wrapRows: true },
    ];
    for (const Type of [Float32Array, Float64Array] as const) {
      const image = targetsIn(places, Type);
      const random = createRandom(15);
      const targets = places.flatMap(([row, column]) => options.map((one) => ({ row: row + 1.5, column: column - 2, options: one })));
      const collector = createPointTargetCollector(rows, columns, targets);
      addAll(collector, image, columns, partition(rows, columns, 5000, random));
      let measured = 0;
      for (const [k, target] of targets.entries()) {
        const outcome = (work: () => unknown): unknown => {
          try {
            return work();
          } catch (error) {
            return (error as Error).message;
          }
        };
        const whole = outcome(() => analysePointTarget({ data: image, rows, columns }, target, target.options));
        expect(outcome(() => collector.measure(k))).toEqual(whole);
        if (typeof whole !== "string") measured++;
      }
      expect(measured).toBeGreaterThan(12);
    }
  });

  it("reads nothing outside the patch, whatever the options", () => {
    const image = targetsIn([[160, 150]], Float32Array);
    const { uniform } = createRandom(16);
    for (let turn = 0; turn < 10; turn++) {
      const whole = (most: number): number => 1 + Math.floor(most * uniform());
      const options: PointTargetOptions = {
        searchHalfPixels: whole(8),
        chipHalfPixels: whole(40),
        cutHalfPixels: 4 + whole(60),
        wrapRows: uniform() < 0.5,
        wrapColumns: uniform() < 0.5,
        ...(uniform() < 0.5 && { rangeCutRowsPerColumn: 2 * uniform() - 1 }),
      };
      const target = { row: 160 + 2 * (uniform() - 0.5), column: 150 + 2 * (uniform() - 0.5), options };
      const collector = createPointTargetCollector(rows, columns, [target]);
      collector.add({ row: 0, column: 0, rows, columns }, image);
      expect(collector.measure(0)).toEqual(analysePointTarget({ data: image, rows, columns }, target, options));
    }
  });

  it("keeps the patches only, needs all of them, and refuses bad arguments", () => {
    const target = { row: 1000, column: 2000 };
    const collector = createPointTargetCollector(60_000, 8192, [target]);
    expect(collector.patchBytes).toBe(8 * 207 * 207);
    collector.add({ row: 900, column: 1800, rows: 100, columns: 400 }, new Float32Array(2 * 100 * 400));
    expect(() => collector.measure(0)).toThrow(/rows 897…899, columns 1897…2103 are missing/);
    expect(refused(() => collector.measure(1))).toBe("index");
    expect(refused(() => collector.add({ row: 0, column: 0, rows: 1, columns: 1 }, new Float64Array(2)))).toBe("data");
    expect(refused(() => createPointTargetCollector(10, 10, [{ row: 10, column: 0 }]))).toBe("at.row");
    expect(refused(() => createPointTargetCollector(10, 10, [undefined as never]))).toBe("at.row");
    expect(refused(() => createPointTargetCollector(10, 10, 1 as never))).toBe("targets");
    expect(refused(() => createPointTargetCollector(10, 10, [{ row: 1, column: 1, options: { cutHalfPixels: 0 } }]))).toBe("cutHalfPixels");
    const many = Array.from({ length: 4000 }, () => target);
    expect(refused(() => createPointTargetCollector(60_000, 8192, many))).toBe("targets");
  });
});
