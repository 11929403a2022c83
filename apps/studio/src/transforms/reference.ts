/**
 * The results that a measurement's transforms should have, for some of its lines, and how far the device's are from them. Single precision is
 * compared with the whole lines in float64; double precision, for which that would be no better, with compensated sums by definition for as
 * many bins as time allows.
 */
import { transformed } from "@dechirp/conformance";
import { ArrayView, type Buffer, type Device, dtypes, elementCount, type Layout, type TypedArrayOf } from "@dechirp/core";
import { withForms } from "@dechirp/core/expression/code";
import { type HookedProblem, isComplex, linesOf, type Problem } from "./problem.ts";

/** How far results are from the reference, relative to the root of the reference's mean square. */
export interface Deviation {
  /** The largest error of a number. */
  readonly max: number;
  /** The root of the mean square of the errors. */
  readonly rms: number;
  /** Points of a line that were compared, and all of them. */
  readonly compared: number;
  readonly length: number;
  /** Number of lines that were compared. */
  readonly lines: number;
}

/** Number of lines that are compared. */
const mostLines = 4;
/** Terms of the sums by definition for a line. */
const mostTerms = 2 ** 22;

/** Numbers of the lines that are compared: the first, the last, and some between. */
export function comparedLines(batch: number): readonly number[] {
  return [...new Set(Array.from({ length: mostLines }, (_, i) => Math.floor((i * (batch - 1)) / (mostLines - 1))))];
}

/** The arrays of a problem on the host. */
export interface HostArrays {
  readonly x: TypedArrayOf;
  readonly w: TypedArrayOf;
}

/** Where the elements of a line are: the index of the first, and the distance between two. */
function placesOf({ axis }: Problem, { shape }: Layout, line: number): readonly [first: number, stride: number] {
  return axis === 1 ? [line * shape[1], 1] : [line, shape[1]];
}

/** Complex numbers of a line, or real ones. */
function gathered(problem: Problem, shape: Layout, data: TypedArrayOf, line: number): Float64Array {
  const { components } = dtypes[shape.dtype];
  const [first, stride] = placesOf(problem, shape, line);
  const out = new Float64Array(components * shape.shape[problem.axis]);
  for (let i = 0; i < out.length; i++) {
    const element = first + Math.floor(i / components) * stride;
    out[i] = data[components * element + (i % components)];
  }
  return out;
}

/** What the results should be: for each compared line, the points from `start` on. Scalars as the output has them. */
interface Expected {
  readonly start: number;
  readonly lines: readonly Float64Array[];
}

/** The results of the compared lines in float64. `float64` is a device that computes in double precision. */
async function expectedOf(
  problem: Problem | HookedProblem,
  lines: readonly number[],
  { x, w }: HostArrays,
  float64: Device,
): Promise<Expected> {
  const { input, output, axis, isDouble } = problem;
  const hook = "place" in problem ? withForms(problem.op) : undefined;
  const { load, store } = (hook ?? {}) as Pick<HookedProblem["op"], "load" | "store">;
  const at = (line: number, point: number): readonly number[] => (axis === 1 ? [line, point] : [point, line]);
  const windowLayout = "place" in problem ? problem.sources["w"] : undefined;
  const window = windowLayout && new ArrayView(windowLayout, w);
  const inputs = lines.map((line) => {
    if (!load?.reference) return gathered(problem, input, x, line);
    const views = { x: new ArrayView(input, x), w: window! };
    const values = Array.from({ length: input.shape[axis] }, (_, i) => load.reference!(at(line, i), views, {}));
    return Float64Array.from(isComplex(input.dtype) ? values.flat() : values.map(([re]) => re));
  });
  const op = linesOf(problem, lines.length);
  const length = output.shape[axis];
  const terms = input.shape[axis] * lines.length;
  const count = isDouble ? Math.max(1, Math.min(length, Math.floor(mostTerms / terms))) : length;
  const start = Math.floor((length - count) / 2);
  const all = new Float64Array(inputs.reduce((sum, line) => sum + line.length, 0));
  for (const [i, line] of inputs.entries()) all.set(line, i * line.length);
  const results = isDouble ? transformed({ ...op, keep: [start, count] }, all) : await computed(op, all, float64);
  const resultIsComplex = op.op === "fft" || !op.inverse;
  const perLine = results.length / lines.length;
  return {
    start,
    lines: lines.map((line, l) => {
      const result = results.subarray(l * perLine, (l + 1) * perLine);
      if (!store?.reference) return result;
      const values = Array.from({ length: count }, (_, i) => {
        const value = resultIsComplex ? ([result[2 * i], result[2 * i + 1]] as const) : ([result[i], 0] as const);
        return store.reference!(at(line, start + i), value, { w: window! }, {});
      });
      return Float64Array.from(isComplex(output.dtype) ? values.flat() : values.map(([re]) => re));
    }),
  };
}

/** What a device computes of an op from one array. */
async function computed(op: Problem["op"], x: Float64Array, device: Device): Promise<Float64Array> {
  using plan = await device.plan(op);
  using from = device.alloc(op.layout, "lines");
  const { inverse, layout } = op;
  const length = op.op === "fft" ? layout.shape[1] : inverse ? (op.n as number) : Math.floor(layout.shape[1] / 2) + 1;
  const dtype = op.op === "fft" || !inverse ? "c128" : "f64";
  using to = device.alloc({ dtype, shape: [layout.shape[0], length] }, "results");
  from.write(x);
  await plan.run({ in: from, out: to }).done;
  return (await to.read()) as Float64Array;
}

/** Compares the device's results with float64, in lines of the output. */
export async function deviationOf(problem: Problem | HookedProblem, arrays: HostArrays, out: Buffer, float64: Device): Promise<Deviation> {
  const { axis, output, input } = problem;
  const lines = comparedLines(input.shape[1 - axis]);
  const expected = await expectedOf(problem, lines, arrays, float64);
  const whole = axis === 0 ? await out.read() : undefined;
  const length = output.shape[axis];
  const { components } = dtypes[output.dtype];
  let [wrong, energy, worst, count] = [0, 0, 0, 0];
  for (const [l, line] of lines.entries()) {
    const wanted = expected.lines[l];
    const got = whole ? gathered(problem, output, whole, line) : Float64Array.from(await out.read({ start: line * length, count: length }));
    for (let i = 0; i < wanted.length; i += components) {
      let apart = 0;
      for (let c = 0; c < components; c++) {
        apart += (got[components * expected.start + i + c] - wanted[i + c]) ** 2;
        energy += wanted[i + c] ** 2;
      }
      wrong += apart;
      worst = Math.max(worst, Number.isNaN(apart) ? Number.POSITIVE_INFINITY : apart);
      count += 1;
    }
  }
  const scale = Math.sqrt(energy / count);
  return {
    max: Math.sqrt(worst) / scale,
    rms: Math.sqrt(wrong / energy),
    compared: count / lines.length,
    length,
    lines: lines.length,
  };
}

/** The error that rounding explains: ε √log₂ n. */
export const roundingError = ({ isDouble }: Problem, n: number): number =>
  (isDouble ? 2 ** -52 : 2 ** -23) * Math.sqrt(Math.log2(Math.max(2, n)));

/** Number of elements of a layout's array in bytes. */
export const bytesOf = (shape: Layout): number => elementCount(shape) * dtypes[shape.dtype].bytes;
