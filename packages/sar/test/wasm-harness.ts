/**
 * Runs WebAssembly of hooks and kernels as a backend would: sources, argument words and output on a memory of its own or a shared one.
 * Arrays are placed so that a chosen one ends at the end of the memory, where reading past it traps. Bytes next to the output are
 * checked.
 */

import {
  ArrayView,
  byteLength as bytesOf,
  dtypes,
  type Kernel,
  type Layout,
  type Load,
  type Store,
  type TypedArrayOf,
  type Uniforms,
} from "@dechirp/core";
import { withForms } from "@dechirp/core/expression/code";

export interface PlacedHook {
  /** Elements `start` … `start + count` of the hook's array, interleaved. Throws if a byte next to them was written. */
  readonly run: (start: number, count: number) => Float32Array;
  /** The same elements from the hook's reference, in float64. */
  readonly reference: (start: number, count: number) => Float64Array;
}

export type Arrays = Readonly<Record<string, TypedArrayOf>>;

const margin = 64;

/** The forms that a device gets of a load for `layout`, of which the WebAssembly is a tuned one if the hook has any. */
function formsOf(hook: Load, layout: Layout<"c64">): Load & { readonly reference: NonNullable<Load["reference"]> } {
  const op = withForms({ op: "fft", layout, axis: layout.shape.length - 1, inverse: false, load: hook }) as { readonly load: Load };
  return op.load as never;
}

/** `hook` for rows of `columns`, with the arrays of its sources; the array named `last` ends with the memory. */
export function placeHook(
  hook: Load,
  [rows, columns]: readonly [rows: number, columns: number],
  arrays: Arrays,
  options: { shared?: boolean; last?: string } = {},
): PlacedHook {
  const { shared = false, last } = options;
  const load = formsOf(hook, { dtype: "c64", shape: [rows, columns] });
  if (load.wasm === undefined) throw new Error(`${load.name} has no wasm`);
  const names = Object.keys(load.sources);
  const room = names.reduce((sum, name) => sum + arrays[name].byteLength + 16, 4096) + columns * 8 + 2 * margin;
  const initial = Math.ceil(room / 65536);
  const memory = new WebAssembly.Memory(shared ? { initial, maximum: 65536, shared } : { initial });
  const bytes = new Uint8Array(memory.buffer);
  const words = new DataView(memory.buffer);
  const argument = 256;
  let at = 1024;
  names.forEach((name, i) => {
    const { buffer, byteOffset, byteLength } = arrays[name];
    const address = name === last ? bytes.length - byteLength : at;
    bytes.set(new Uint8Array(buffer, byteOffset, byteLength), address);
    if (name !== last) at += 8 * Math.ceil(byteLength / 8);
    words.setUint32(argument + 4 * i, address, true);
  });
  const constants = Object.values(load.constants ?? {}).filter((value) => typeof value === "number");
  constants.forEach((value, i) => words.setFloat32(argument + 4 * (names.length + i), value, true));

  const out = at + margin;
  const module = new WebAssembly.Module(shared ? load.wasm.shared : load.wasm.plain);
  const instance = new WebAssembly.Instance(module, { env: { memory } });
  const entry = instance.exports[load.wasm.entry] as (argument: number, start: number, count: number, out: number) => void;
  const views = Object.fromEntries(names.map((name) => [name, new ArrayView(load.sources[name] as Layout, arrays[name])]));

  return {
    run(start, count) {
      bytes.fill(0xa5, at, out + count * 8 + margin);
      entry(argument, start, count, out);
      const end = out + count * 8;
      const beside = [...bytes.subarray(at, out), ...bytes.subarray(end, end + margin)];
      if (beside.some((byte) => byte !== 0xa5)) throw new Error(`${load.name} wrote beside its output`);
      return new Float32Array(bytes.slice(out, end).buffer);
    },
    reference(start, count) {
      const values = new Float64Array(2 * count);
      for (let i = 0; i < count; i++) {
        values.set(load.reference([Math.floor((start + i) / columns), (start + i) % columns], views, {}), 2 * i);
      }
      return values;
    },
  };
}

export interface PlacedStore {
  /**
   * What is written of c64 results, which end with the memory; `shift` elements into where it could be. Throws where a byte beside
   * it was written.
   */
  readonly run: (results: Float32Array, shift?: number) => TypedArrayOf;
  /** The same of the reference, converted as core does it. */
  readonly reference: (results: ArrayLike<number>) => TypedArrayOf;
}

/** A store without sources, for at most `elements` results. */
export function placeStore(hook: Store, elements: number, uniforms: Uniforms = {}, { shared = false } = {}): PlacedStore {
  const layout = { dtype: "c64", shape: [elements] } as const;
  const { store } = withForms({ op: "fft", layout, axis: 0, inverse: false, store: hook }) as { readonly store: Required<Store> };
  if (store.wasm === undefined) throw new Error(`${store.name} has no wasm`);
  const { bytes: size, array } = dtypes[store.dtype];
  const initial = Math.ceil((4096 + elements * (8 + size)) / 65536);
  const memory = new WebAssembly.Memory(shared ? { initial, maximum: 65536, shared } : { initial });
  const bytes = new Uint8Array(memory.buffer);
  const argument = 256;
  const words = new DataView(memory.buffer, argument);
  Object.keys(store.uniforms ?? {}).forEach((name, i) => words.setFloat32(4 * i, uniforms[name], true));
  const module = new WebAssembly.Module(shared ? store.wasm.shared : store.wasm.plain);
  const { exports } = new WebAssembly.Instance(module, { env: { memory } });
  const entry = exports[store.wasm.entry] as (argument: number, start: number, count: number, results: number, out: number) => void;
  return {
    run(results, shift = 0) {
      const count = results.length / 2;
      const source = bytes.length - results.byteLength;
      const out = 1024 + shift * size;
      const end = out + count * size;
      bytes.set(new Uint8Array(results.buffer, results.byteOffset, results.byteLength), source);
      bytes.fill(0xa5, out - margin, end + margin);
      entry(argument, 0, count, source, out);
      const beside = [...bytes.subarray(out - margin, out), ...bytes.subarray(end, end + margin)];
      if (beside.some((byte) => byte !== 0xa5)) throw new Error(`${store.name} wrote beside its output`);
      return new array(bytes.slice(out, end).buffer);
    },
    reference(results) {
      const count = results.length / 2;
      const written = new array(count);
      const view = new ArrayView({ dtype: store.dtype, shape: [count] }, written);
      for (let i = 0; i < count; i++) view.set(i, ...store.reference([i], [results[2 * i], results[2 * i + 1]], {}, uniforms));
      return written;
    },
  };
}

/**
 * A kernel with one port that is written or updated, on arrays for the others; the array named `last` ends at the end of the memory.
 * `run` computes one run of items after another, starting from `before`. Throws if a byte next to the output was written.
 */
export function placeKernel(
  kernel: Kernel,
  arrays: Arrays,
  uniforms: Uniforms,
  { shared = false, last }: { shared?: boolean; last?: string } = {},
): (before: Float32Array, runs: readonly (readonly [start: number, end: number])[]) => Float32Array {
  if (kernel.wasm === undefined) throw new Error(`${kernel.name} has no wasm`);
  const names = Object.keys(kernel.ports);
  const output = names.filter((name) => kernel.ports[name].access !== "read");
  if (output.length !== 1) throw new Error(`${kernel.name} writes ${output.join()}`);
  const { layout } = kernel.ports[output[0]];
  const size = bytesOf(layout);
  const room = names.reduce((sum, name) => sum + (arrays[name]?.byteLength ?? size) + 16, 4096) + 2 * margin;
  const initial = Math.ceil(room / 65536);
  const memory = new WebAssembly.Memory(shared ? { initial, maximum: 65536, shared } : { initial });
  const bytes = new Uint8Array(memory.buffer);
  const words = new DataView(memory.buffer);
  const argument = 256;
  let at = 1024 + margin;
  let out = 0;
  names.forEach((name, i) => {
    const length = arrays[name]?.byteLength ?? size;
    const address = name === last ? bytes.length - length : at;
    if (name !== last) at += 8 * Math.ceil(length / 8) + (name === output[0] ? margin : 0);
    if (name === output[0]) out = address;
    else bytes.set(new Uint8Array(arrays[name].buffer, arrays[name].byteOffset, length), address);
    words.setUint32(argument + 4 * i, address, true);
  });
  let word = argument + 4 * names.length;
  for (const [name, type] of Object.entries(kernel.uniforms ?? {})) {
    if (type === "f32") words.setFloat32(word, uniforms[name], true);
    else words.setInt32(word, uniforms[name], true);
    word += 4;
  }
  for (const value of Object.values(kernel.constants ?? {}).filter((value) => typeof value === "number")) {
    words.setFloat32(word, value, true);
    word += 4;
  }
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(shared ? kernel.wasm.shared : kernel.wasm.plain), {
    env: { memory },
  });
  const entry = exports[kernel.wasm.entry] as (argument: number, start: number, end: number) => void;
  return (before, runs) => {
    bytes.set(new Uint8Array(before.buffer, before.byteOffset, size), out);
    const rest = bytes.slice();
    for (const [start, end] of runs) entry(argument, start, end);
    const found = new Float32Array(bytes.slice(out, out + size).buffer);
    rest.set(new Uint8Array(found.buffer), out);
    if (Buffer.compare(rest, bytes) !== 0) throw new Error(`${kernel.name} wrote beside its output`);
    return found;
  };
}

/** Largest difference of two lists of equal length; NaN if one of them has a NaN. */
export function largestError(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) throw new Error(`${found.length} numbers, not ${expected.length}`);
  let worst = 0;
  // Math.max keeps NaN.
  for (let i = 0; i < expected.length; i++) worst = Math.max(worst, Math.abs(found[i] - expected[i]));
  return worst;
}
