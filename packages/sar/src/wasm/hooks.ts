/** The WebAssembly of the hooks, built from `assembly/hooks.ts`, as core's `WasmFunction` describes it. Nothing here compiles it. */
import type { WasmFunction } from "@dechirp/core";
import { lazyModules } from "@dechirp/core/internal";
import { binary } from "./binaries.ts";

export type WasmEntry = "coupling" | "power" | "decibel";

const modules = lazyModules(binary);

/** The property `wasm` of a hook if `fits`, otherwise no property. */
export function wasmHook(entry: WasmEntry, fits: boolean): { readonly wasm?: WasmFunction } {
  return fits ? { wasm: { ...modules(), entry, precision: "f32" } } : {};
}
