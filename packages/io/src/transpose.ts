/**
 * Transposes arrays: puts their axes in another order. A plain loop would touch a cache line for every element. Here tiles go through a
 * buffer, so that whole cache lines are read and written whatever the strides are.
 */
import { createPause, inputError, type Pause } from "@dechirp/core";
import type { NumericArray } from "./numbers.ts";
import { checkOptions } from "./random-access.ts";

/** Elements per side of a tile. A tile takes 64 KiB with elements of 16 bytes, and half of that with 8. */
const side = 64;
/** Elements that are moved between two calls of `pause`. */
const elementsPerPause = 2 ** 16;

type Words = Uint8Array | Uint16Array | Uint32Array;

/** An axis with its strides in the input (`from`) and in the result (`to`), in words. */
interface Axis {
  readonly extent: number;
  readonly from: number;
  readonly to: number;
}

/** Views the array as integer words, so that bits are moved unchanged: a signalling NaN stays one. */
function wordsOf({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: size }: NumericArray): Words {
  if (size === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  return size === 2 ? new Uint16Array(buffer, byteOffset, byteLength / 2) : new Uint32Array(buffer, byteOffset, byteLength / 4);
}

/**
 * Transposes row-major `data` of `shape`. Axis i of the result is axis `permutation[i]` of the input. Elements have `components`
 * numbers: 2 if complex, else 1. Rejects with `input` if the arguments do not fit each other, and with `aborted` if `signal` fires.
 */
export async function transposeArray<A extends NumericArray>(
  data: A,
  shape: readonly number[],
  permutation: readonly number[],
  components: 1 | 2,
  options: { readonly signal?: AbortSignal } = {},
): Promise<A> {
  const { signal } = checkOptions(options, { signal: true }, "transposeArray");
  if (!ArrayBuffer.isView(data) || data instanceof DataView) throw inputError("data", "a typed array", data);
  if (!Array.isArray(shape) || !shape.every((extent) => Number.isSafeInteger(extent) && extent >= 1))
    throw inputError("shape", "a list of positive integers", shape);
  if (!Array.isArray(permutation) || permutation.length !== shape.length || !shape.every((_, axis) => permutation.includes(axis)))
    throw inputError("permutation", `the numbers below ${shape.length}, each once`, permutation);
  if (components !== 1 && components !== 2) throw inputError("components", "1 or 2", components);
  const length = shape.reduce((product, extent) => product * extent, components);
  if (data.length !== length) throw inputError("data.length", `${length}, as the shape requires`, data.length);
  return permuted(data, shape, permutation, components, createPause("transposing", signal));
}

/** `transposeArray` without the checks. */
export async function permuted<A extends NumericArray>(
  data: A,
  shape: readonly number[],
  permutation: readonly number[],
  components: number,
  pause: Pause,
): Promise<A> {
  const result = new (data.constructor as new (length: number) => A)(data.length);
  const [from, to] = [wordsOf(data), wordsOf(result)];
  const words = components * Math.ceil(data.BYTES_PER_ELEMENT / 4);
  const axes = axesOf(shape, permutation, words);
  // Axis `a` is contiguous in the input, axis `b` in the result.
  const a = axes.findIndex((axis) => axis.from === words);
  const b = axes.length - 1;
  const others = axes.filter((_, i) => i !== a && i !== b);
  const none: Axis = { extent: 1, from: words, to: words };
  const [near, far] = a === b ? [none, axes[b] ?? none] : [axes[a], axes[b]];
  const tile = new (from.constructor as new (length: number) => Words)(side * side * words);
  const index = others.map(() => 0);
  let done = 0;
  for (let n = 0; n < near.extent; n += side) {
    const rows = Math.min(side, near.extent - n);
    const atOnceFar = a === b ? side * side : side;
    for (let f = 0; f < far.extent; f += atOnceFar) {
      const columns = Math.min(atOnceFar, far.extent - f);
      let [fromAt, toAt] = [n * near.from + f * far.from, n * near.to + f * far.to];
      for (let more = true; more; ) {
        gather(tile, from, fromAt, rows, columns, far.from, words);
        scatter(to, tile, toAt, rows, columns, near.to, words);
        done += rows * columns;
        if (done >= elementsPerPause) {
          done = 0;
          const waiting = pause();
          if (waiting) await waiting;
        }
        more = false;
        for (let axis = others.length - 1; axis >= 0; axis--) {
          const { extent, from: fromStep, to: toStep } = others[axis];
          fromAt += fromStep;
          toAt += toStep;
          if (++index[axis] < extent) {
            more = true;
            break;
          }
          index[axis] = 0;
          fromAt -= extent * fromStep;
          toAt -= extent * toStep;
        }
      }
    }
  }
  return result;
}

/** Axes of the result, outermost first. Axes of extent 1 are dropped, and axes that are adjacent in both arrays are merged. */
function axesOf(shape: readonly number[], permutation: readonly number[], words: number): readonly Axis[] {
  const steps = (extents: readonly number[]): number[] => {
    const strides = new Array<number>(extents.length);
    extents.reduceRight((stride, extent, axis) => {
      strides[axis] = stride;
      return stride * extent;
    }, words);
    return strides;
  };
  const from = steps(shape);
  const to = steps(permutation.map((axis) => shape[axis]));
  const axes: Axis[] = [];
  permutation.forEach((axis, i) => {
    const extent = shape[axis];
    if (extent === 1) return;
    const above = axes.at(-1);
    if (above && above.from === from[axis] * extent) axes.pop();
    else return void axes.push({ extent, from: from[axis], to: to[i] });
    axes.push({ extent: above.extent * extent, from: from[axis], to: to[i] });
  });
  return axes;
}

/** Copies `columns` runs of `rows` contiguous elements, `step` words apart, into the tile and transposes them. */
function gather(tile: Words, from: Words, at: number, rows: number, columns: number, step: number, words: number): void {
  if (rows === 1 && step === words) {
    for (let i = 0; i < columns * words; i++) tile[i] = from[at + i];
    return;
  }
  for (let column = 0; column < columns; column++, at += step) {
    let [i, j] = [at, column * words];
    const stride = columns * words;
    if (words === 1) for (let row = 0; row < rows; row++, j += stride) tile[j] = from[i++];
    else if (words === 2) {
      for (let row = 0; row < rows; row++, j += stride) {
        tile[j] = from[i++];
        tile[j + 1] = from[i++];
      }
    } else for (let row = 0; row < rows; row++, j += stride) for (let word = 0; word < words; word++) tile[j + word] = from[i++];
  }
}

/** Copies `rows` runs of `columns` elements from the tile to places `step` words apart. */
function scatter(to: Words, tile: Words, at: number, rows: number, columns: number, step: number, words: number): void {
  const length = columns * words;
  for (let row = 0, j = 0; row < rows; row++, at += step) for (let i = at; i < at + length; i++) to[i] = tile[j++];
}
