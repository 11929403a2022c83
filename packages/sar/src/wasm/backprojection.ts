/**
 * Backprojection's WebAssembly: what `assembly/backprojection.ts` is built to, beside the hooks' so that each is bundled where it is
 * used. Nothing here compiles it.
 */
import type { WasmFunction } from "@dechirp/core";
import { binaries } from "./backprojection-binaries.ts";
import { lazyModules, mostExtent } from "./decode.ts";

const modules = lazyModules(binaries);

/** The property `wasm` of range compression's load; none where a number is not exact as f32. */
export function frequenciesWasm(...numbers: readonly number[]): { readonly wasm?: WasmFunction } {
  return numbers.some((value) => value > mostExtent) ? {} : { wasm: { ...modules(), entry: "frequencies", precision: "f32" } };
}

/** What the WASM needs of a kernel's shape (kernel.ts). */
interface WasmShape {
  readonly nx: number;
  readonly ny: number;
  readonly tile: number;
  readonly pulses: number;
  readonly bins: number;
  readonly scheme: string;
  readonly sets: number;
  readonly blockTiles: number;
  readonly order: number;
  readonly taps?: { readonly taps: number; readonly phases: number };
  readonly sine: string;
}

/** Schemes without tiles go over their whole image for every pulse. */
const isUntiled = (scheme: string): boolean => scheme === "unpartitioned" || scheme === "pulseSets";

/** The numbers that the WASM needs, in its order. */
export function backprojectionConstants(shape: WasmShape): Readonly<Record<string, number>> {
  const { nx, ny, tile, pulses, bins, sets, blockTiles, order, taps: interpolator, scheme } = shape;
  const { taps = 2, phases = 1 } = interpolator ?? {};
  return { nx, ny, tile, pulses, bins, sets, blockTiles, order, taps, phases, pulsesOutermost: isUntiled(scheme) ? 1 : 0 };
}

/** The kernel's property `wasm`; none where a number is not exact as f32. */
export function backprojectionWasm(shape: WasmShape): { readonly wasm?: WasmFunction } {
  if (Object.values(backprojectionConstants(shape)).some((value) => value > mostExtent)) return {};
  const { blockTiles, taps, sine, scheme } = shape;
  const entry = `${blockTiles > 0 ? "blocks" : "tiles"}${taps ? "Taps" : "Linear"}${sine === "table" ? "Table" : ""}`;
  return { wasm: { ...modules(), entry, precision: "f32", whole: isUntiled(scheme) } };
}
