/**
 * The data cube of one coherent processing interval (CPI): complex samples over channels, pulses and ranges, with the order of
 * its axes stated. After the Doppler transform it is a `DopplerCube`, which has one order. No
 * radar constants here: a cube holds only numbers.
 */

import { inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import type { ComplexSamples } from "@dechirp/radar";
import { checkComplex, checkInteger, checkSize } from "./arrays.ts";

/** Name of an axis of a data cube. */
export type CubeAxis = "channel" | "pulse" | "range";

/** Outermost axis first, as arrays are laid out in memory here. */
export type CubeOrder = readonly [CubeAxis, CubeAxis, CubeAxis];

/** One coherent processing interval; `data` is interleaved re, im in row-major order of `order`. */
export interface Cube {
  readonly data: ComplexSamples;
  readonly channels: number;
  readonly pulses: number;
  readonly ranges: number;
  readonly order: CubeOrder;
}

/** X[channel][Doppler bin][range], interleaved: the cube after Doppler processing. */
export interface DopplerCube {
  /** Samples [channel][bin][range], interleaved re, im. */
  readonly data: Float64Array;
  readonly channels: number;
  readonly bins: number;
  readonly ranges: number;
}

/**
 * Common orders. `paper` is x(m, n, b) at (m·N_CPI + n)·L + b, and `perfect` is x[chan][pulse][range] of the
 * PERFECT suite; they are the same. `rangeChannelPulse` is row-major; an array range × channel × pulse as MATLAB stores it, first
 * index fastest, is `columnMajorRangeChannelPulse`.
 */
export const cubeOrders = {
  paper: ["channel", "pulse", "range"],
  perfect: ["channel", "pulse", "range"],
  rangeChannelPulse: ["range", "channel", "pulse"],
  columnMajorRangeChannelPulse: ["pulse", "channel", "range"],
} as const satisfies Record<string, CubeOrder>;

const axes: readonly CubeAxis[] = ["channel", "pulse", "range"];
const maxExtent = 2 ** 24;

/** Extents of the cube's axes, in its order. */
export const cubeShape = ({ channels, pulses, ranges, order }: Cube): readonly number[] =>
  order.map((axis) => (axis === "channel" ? channels : axis === "pulse" ? pulses : ranges));

/** Throws `input`, naming `field`, unless extents, order and length of the data are those of a cube. Does not look at the samples. */
export function checkCube(cube: Cube, field = "cube"): void {
  if (typeof cube !== "object" || cube === null) throw inputError(field, "a cube", cube);
  for (const name of ["channels", "pulses", "ranges"] as const) checkInteger(cube[name], `${field}.${name}`, 1, maxExtent);
  checkOrder(cube.order, `${field}.order`);
  const { channels, pulses, ranges } = cube;
  checkComplex(cube.data, channels * pulses * ranges, `${field}.data`, `${channels} channels, ${pulses} pulses, ${ranges} ranges`);
}

function checkOrder(order: CubeOrder, field: string): void {
  if (!(Array.isArray(order) && order.length === 3 && axes.every((axis) => order.includes(axis))))
    throw inputError(field, "channel, pulse and range, each once", order);
}

/** The cube with its axes in another order, of the same element type. If the order is the same, it is the cube itself. Throws `input`. */
export const reorderCube = (cube: Cube, order: CubeOrder): Cube => runToEnd(reorderCubeSteps(cube, order));

/**
 * `reorderCube` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the
 * same cases.
 */
export function* reorderCubeSteps(cube: Cube, order: CubeOrder): Generator<void, Cube> {
  checkCube(cube);
  checkOrder(order, "order");
  if (order.every((axis, i) => axis === cube.order[i])) return cube;
  const permutation = order.map((axis) => cube.order.indexOf(axis));
  return { ...cube, order: [...order], data: yield* permuteAxesSteps(cube.data, cubeShape(cube), permutation, 2) };
}

/**
 * Row-major `data` of `shape`, three axes of `components` numbers an element, with axis i of the result axis
 * `permutation[i]` of the input: X[channel][bin][range] becomes the paper's X[channel][range][bin] by [0, 2, 1], and so
 * does an output y[steering][bin][range]. Throws `input`.
 */
export const permuteAxes = <A extends ComplexSamples>(
  data: A,
  shape: readonly number[],
  permutation: readonly number[],
  components: 1 | 2,
): A => runToEnd(permuteAxesSteps(data, shape, permutation, components));

/**
 * `permuteAxes` in steps of milliseconds, for `runInPieces` of core: other work can run and signals can fire between them. Throws in the
 * same cases.
 */
export function* permuteAxesSteps<A extends ComplexSamples>(
  data: A,
  shape: readonly number[],
  permutation: readonly number[],
  components: 1 | 2,
): Generator<void, A> {
  if (!(Array.isArray(permutation) && [0, 1, 2].every((axis) => permutation.includes(axis)) && permutation.length === 3))
    throw inputError("permutation", "0, 1 and 2, each once", permutation);
  if (shape.length !== 3) throw inputError("shape", "of three axes", shape);
  for (const [i, extent] of shape.entries()) checkInteger(extent, `shape[${i}]`, 1, maxExtent);
  const elements = shape[0] * shape[1] * shape[2];
  if (data.length !== components * elements) throw inputError("data.length", `${components} · ${elements}`, data.length);
  checkSize(data.length, "shape");
  const out = new (data.constructor as new (length: number) => A)(data.length);
  const strides = [shape[1] * shape[2], shape[2], 1].map((stride) => stride * components);
  const [p, q, r] = permutation;
  let to = 0;
  for (let i = 0; i < shape[p]; i++) {
    for (let j = 0; j < shape[q]; j++) {
      for (let k = 0, from = i * strides[p] + j * strides[q]; k < shape[r]; k++, from += strides[r]) {
        for (let c = 0; c < components; c++) out[to++] = data[from + c];
      }
      yield;
    }
  }
  return out;
}
