/**
 * The WebAssembly of backprojection, built from `assembly/backprojection.ts`. It is separate from that of the hooks, so that a bundle holds
 * only
 * what it uses. Nothing here compiles it.
 */
import type { WasmFunction } from "@dechirp/core";
import { lazyModules, maxWasmConstant } from "@dechirp/core/internal";
import { hasWindows } from "../backprojection/partition.ts";
import type { BackprojectionShape } from "../backprojection/shape.ts";
import { binary } from "./backprojection-binaries.ts";

const modules = lazyModules(binary);

/** The property `wasm` of the kernel that makes parabolas. Left out if a number is not exact as f32. */
export const curvesWasm = (entry: "curves" | "curvesPart", numbers: readonly number[]): { readonly wasm?: WasmFunction } =>
  numbers.some((value) => value > maxWasmConstant) ? {} : { wasm: { ...modules(), entry, precision: "f32" } };

/** The numbers that the WASM needs, in its order. */
export function backprojectionConstants(shape: BackprojectionShape): Readonly<Record<string, number>> {
  const { nx, ny, tile, pulses, sets, blockTiles, order, taps: interpolator, scheme } = shape;
  const { taps = 2, phases = 1 } = interpolator ?? {};
  return {
    nx,
    ny,
    tile,
    pulses,
    bins: shape.curves ?? shape.bins,
    sets,
    blockTiles,
    order,
    taps,
    phases,
    pulsesOutermost: hasWindows(scheme) ? 0 : 1,
  };
}

/** The property `wasm` of the kernel. Left out if a number is not exact as f32. */
export function backprojectionWasm(shape: BackprojectionShape): { readonly wasm?: WasmFunction } {
  if (Object.values(backprojectionConstants(shape)).some((value) => value > maxWasmConstant)) return {};
  const { blockTiles, taps, curves, sine, scheme } = shape;
  const entry = `${blockTiles > 0 ? "blocks" : "tiles"}${curves ? "Curves" : taps ? "Taps" : "Linear"}${sine === "table" ? "Table" : ""}`;
  return { wasm: { ...modules(), entry, precision: "f32", whole: !hasWindows(scheme) } };
}
