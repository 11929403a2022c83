/** The hooks' WebAssembly: what `assembly/hooks.ts` is built to, as core's `WasmFunction` describes it. Nothing here compiles it. */
import type { WasmFunction } from "@dechirp/core";
import { lazyModules } from "@dechirp/core/internal";
import { binary } from "./binaries.ts";

export type WasmEntry = "rawCi8" | "rawCi16" | "rawC64" | "coupling" | "migration" | "magnitude" | "power" | "decibel";

const modules = lazyModules(binary);

/** The hook's property `wasm` where `fits`, no property where not. */
export function wasmHook(entry: WasmEntry, fits: boolean): { readonly wasm?: WasmFunction } {
  return fits ? { wasm: { ...modules(), entry, precision: "f32" } } : {};
}
