/**
 * Runs a load hook's WebAssembly as a backend would: sources, argument words and output on a memory of its own or a shared one.
 * Arrays are placed so that a chosen one ends with the memory, where reading past it traps, and bytes beside the output are
 * watched.
 */
import { ArrayView, type Layout, type Load, type TypedArrayOf } from "@dechirp/core";

export interface PlacedHook {
  /** Elements `start` … `start + count` of the hook's array, interleaved. Throws where a byte beside them was written. */
  readonly run: (start: number, count: number) => Float32Array;
  /** The same elements from the hook's reference, in float64. */
  readonly reference: (start: number, count: number) => Float64Array;
}

export type Arrays = Readonly<Record<string, TypedArrayOf>>;

const margin = 64;

/** `load` on `columns` wide rows, with the arrays of its sources; the array named `last` ends with the memory. */
export function placeHook(load: Load, columns: number, arrays: Arrays, options: { shared?: boolean; last?: string } = {}): PlacedHook {
  const { shared = false, last } = options;
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

/** Largest difference of two lists of equal length; NaN where one has a number that is none. */
export function largestError(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (found.length !== expected.length) throw new Error(`${found.length} numbers, not ${expected.length}`);
  let worst = 0;
  // Math.max keeps NaN.
  for (let i = 0; i < expected.length; i++) worst = Math.max(worst, Math.abs(found[i] - expected[i]));
  return worst;
}
