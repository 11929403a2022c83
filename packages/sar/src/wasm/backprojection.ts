/**
 * Backprojection's WebAssembly: what `assembly/backprojection.ts` is built to, beside the hooks' so that each is bundled where it is
 * used. Nothing here compiles it.
 */
import type { Constants, WasmFunction } from "@dechirp/core";
import type { BackprojectionShape, Scheme } from "../backprojection/kernel.ts";
import { binaries } from "./backprojection-binaries.ts";
import { lazyModules, mostExtent } from "./decode.ts";

const modules = lazyModules(binaries);

/** Schemes without tiles go over their whole image for every pulse. */
const isUntiled = (scheme: Scheme): boolean => scheme === "unpartitioned" || scheme === "pulseSets";

/** The numbers that the WASM needs, in its order. */
export function backprojectionConstants(shape: BackprojectionShape): Constants {
  const { nx, ny, tile, pulses, bins, sets, blockTiles, order, taps: interpolator, scheme } = shape;
  const { taps = 2, phases = 1 } = interpolator ?? {};
  return { nx, ny, tile, pulses, bins, sets, blockTiles, order, taps, phases, pulsesOutermost: isUntiled(scheme) ? 1 : 0 };
}

/** The kernel's property `wasm`; none where a number is not exact as f32. */
export function backprojectionWasm(shape: BackprojectionShape): { readonly wasm?: WasmFunction } {
  if (Object.values(backprojectionConstants(shape)).some((value) => (value as number) > mostExtent)) return {};
  const { blockTiles, taps, sine, scheme } = shape;
  const entry = `${blockTiles > 0 ? "blocks" : "tiles"}${taps ? "Taps" : "Linear"}${sine === "table" ? "Table" : ""}`;
  return { wasm: { ...modules(), entry, precision: "f32", whole: isUntiled(scheme) } };
}
