/**
 * Phase gradient autofocus as a loop on the host over two compiled programs: an example of an algorithm that iterates. (Wahl, Eichel,
 * Ghiglia & Jakowatz, IEEE TAES 30(3), 1994; the estimator is that of Jakowatz & Wahl, JOSA A 10(12), 1993.) The image stays on the device.
 * Each round reads as many numbers as the aperture has samples, and writes as many.
 */
import {
  type Buffer,
  type ComplexDType,
  compile,
  createRandom,
  type Device,
  fft,
  layout,
  open,
  program,
  realOf,
  spectralFilter,
  typedArray,
} from "@dechirp/core";
import { abs, conj, less, lessOrEqual, load, minus, mod, plus, re, select, times, toI32, toReal } from "@dechirp/core/expression";
import { reduce } from "@dechirp/core/reduce";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { describe, expect, test } from "vitest";
import { signalToErrorDb } from "../src/index.ts";

const [lines, n] = [96, 64];

/** What a round measures: Σ G[k]·G*[k − 1] over the lines, where G is the aperture of a line's brightest point, shifted to 0 and windowed. */
function gradientOf(dtype: ComplexDType) {
  const image = layout(dtype, [lines, n]);
  const power = layout(realOf(dtype), [lines, n]);
  const peaks = layout("u32", [lines]);
  const brightest = load({ name: "power", layout: power, sources: { image } }, ({ at, image }) => re(times(image(at), conj(image(at)))));
  const windowed = load(
    { name: "about the brightest point", layout: image, sources: { image, peaks }, uniforms: { reach: "i32" } },
    ({ at: [line, i], image, peaks, reach }) => {
      const distance = select(less(i, n / 2), i, minus(i, n));
      return times(image(line, mod(plus(i, toI32(toReal(peaks(line)))), n)), select(lessOrEqual(abs(distance), reach), 1, 0));
    },
  );
  const pairs = load({ name: "with the neighbour", layout: image, sources: { aperture: image } }, ({ at: [line, k], aperture }) =>
    times(aperture(line, k), conj(aperture(line, mod(minus(k, 1), n)))),
  );
  return program({
    name: "phase gradient",
    inputs: { image },
    steps: [
      { name: "peaks", op: reduce(power, { what: "argmax", axes: [1], load: brightest }), bind: { image: "image", out: "peaks" } },
      {
        name: "aperture",
        op: fft(image, { axis: 1, load: windowed }),
        bind: { image: "image", peaks: "peaks", out: "aperture" },
      },
      { name: "gradient", op: reduce(image, { what: "sum", axes: [0], load: pairs }), bind: { aperture: "aperture", out: "gradient" } },
    ],
    outputs: ["gradient"],
  });
}

/** Multiplies the aperture of every line by `correction`. */
const correctionOf = (dtype: ComplexDType) =>
  program({
    name: "correction",
    inputs: { image: layout(dtype, [lines, n]), correction: layout(dtype, [n]) },
    steps: [
      {
        name: "correct",
        op: spectralFilter(layout(dtype, [lines, n]), { axis: 1 }),
        bind: { in: "image", h: "correction", out: "corrected" },
      },
    ],
    outputs: ["corrected"],
  });

/** The order of the aperture: bin k of a spectrum is that of sample k + n/2, modulo n. */
const binOf = (sample: number): number => (sample + n / 2) % n;

/** A phase along the aperture without its mean and slope, which only turn and shift the image. */
function detrended(phase: Float64Array): Float64Array {
  const centre = (n - 1) / 2;
  const mean = phase.reduce((sum, value) => sum + value, 0) / n;
  const slope = phase.reduce((sum, value, i) => sum + value * (i - centre), 0) / ((n * (n * n - 1)) / 12);
  return phase.map((value, i) => value - mean - slope * (i - centre));
}

/** The phase whose differences are the angles of the gradient. There is no pair between the ends of the aperture. */
function integrated(gradient: Float32Array | Float64Array): Float64Array {
  const phase = new Float64Array(n);
  for (let i = 1; i < n; i++) {
    const k = binOf(i);
    phase[i] = phase[i - 1] + Math.atan2(gradient[2 * k + 1], gradient[2 * k]);
  }
  return detrended(phase);
}

/** exp(−jφ) of every bin. */
function correctionBy(phase: Float64Array): Float64Array {
  const correction = new Float64Array(2 * n);
  phase.forEach((value, i) => correction.set([Math.cos(value), -Math.sin(value)], 2 * binOf(i)));
  return correction;
}

const rootMeanSquare = (values: Float64Array): number => Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);

/**
 * Rounds until the estimate is small. The window is half as wide in each round, but not narrower than a side lobe or two of a sharp point.
 * Returns the image and the sum of all estimates.
 */
async function autofocus(device: Device, dtype: ComplexDType, blurred: Float64Array) {
  using measure = await compile(gradientOf(dtype), device);
  using correct = await compile(correctionOf(dtype), device);
  using gradient = device.alloc(measure.layouts["gradient"]);
  using correction = device.alloc(correct.layouts["correction"]);
  using first = device.alloc(correct.layouts["image"]);
  using second = device.alloc(correct.layouts["image"]);
  const write = (buffer: Buffer, values: Float64Array): void => {
    const data = typedArray(dtype, values.length);
    data.set(values);
    buffer.write(data);
  };
  let [image, corrected] = [first, second];
  write(image, blurred);
  const phase = new Float64Array(n);
  for (let round = 1, change = Infinity; round <= 5 && change > 0.01; round++) {
    measure.run({ image, gradient }, { uniforms: { reach: Math.max(n / 8, n >> round) } });
    const estimate = integrated((await gradient.read()) as Float32Array);
    write(correction, correctionBy(estimate));
    // The image that this run writes is the one that the next round reads.
    correct.run({ image, correction, corrected });
    [image, corrected] = [corrected, image];
    for (let i = 0; i < n; i++) phase[i] += estimate[i];
    change = rootMeanSquare(estimate);
  }
  return { image: (await image.read()) as Float32Array, phase };
}

/** Points at random places of every line, one of them brighter, with a little noise; and the same through a smooth random phase. */
function scene(seed: number) {
  const draw = createRandom(seed);
  const raw = new Float64Array(n);
  for (let cycles = 1; cycles <= 4; cycles++) {
    const [a, b] = [draw.gaussian(), draw.gaussian()];
    raw.forEach((_, i) => {
      raw[i] += a * Math.cos((2 * Math.PI * cycles * i) / n) + b * Math.sin((2 * Math.PI * cycles * i) / n);
    });
  }
  const shape = detrended(raw);
  const error = shape.map((value) => (3 * value) / rootMeanSquare(shape));
  const sharp = new Float64Array(2 * lines * n);
  const blurred = new Float64Array(2 * lines * n);
  for (let line = 0; line < lines; line++) {
    const points = Array.from({ length: 4 }, (_, i) => ({
      place: draw.uniform() * n,
      turns: draw.uniform(),
      amplitude: i === 0 ? 1 : 0.1 * draw.uniform(),
    }));
    for (let x = 0; x < n; x++) {
      for (let i = 0; i < n; i++) {
        const k = i - n / 2;
        for (const { place, turns, amplitude } of points) {
          const angle = 2 * Math.PI * ((k * (x - place)) / n + turns);
          const at = 2 * (line * n + x);
          sharp[at] += (amplitude / n) * Math.cos(angle);
          sharp[at + 1] += (amplitude / n) * Math.sin(angle);
          blurred[at] += (amplitude / n) * Math.cos(angle + error[i]);
          blurred[at + 1] += (amplitude / n) * Math.sin(angle + error[i]);
        }
      }
    }
  }
  return { sharp, blurred, error };
}

describe("phase gradient autofocus", () => {
  test.each([1, 2, 3])("removes a smooth random phase of 3 rad, seed %d", async (seed) => {
    const { sharp, blurred, error } = scene(seed);
    expect(signalToErrorDb(blurred, sharp)).toBeLessThan(0);
    using device = await open(cpu());
    for (const dtype of ["c64", "c128"] as const) {
      const { image, phase } = await autofocus(device, dtype, blurred);
      expect(rootMeanSquare(phase.map((value, i) => value - error[i]))).toBeLessThan(0.02);
      expect(signalToErrorDb(image, sharp)).toBeGreaterThan(35);
    }
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  test("finds the same phase on the GPU as in float64", async () => {
    const { blurred } = scene(4);
    using device = await open(gpu());
    using exact = await open(cpu());
    const [mine, theirs] = [await autofocus(device, "c64", blurred), await autofocus(exact, "c128", blurred)];
    using measure = await compile(gradientOf("c64"), device);
    expect(measure.text).not.toMatch(/host|lowered/);
    measure[Symbol.dispose]();
    // Every difference of the phase has the error of a transform, and errors add along the aperture.
    const tolerance = n * 2 ** -23 * Math.sqrt(Math.log2(n));
    expect(Math.max(...mine.phase.map((value, i) => Math.abs(value - theirs.phase[i])))).toBeLessThan(tolerance);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});
