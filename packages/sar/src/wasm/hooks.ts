/**
 * The hooks' WebAssembly: what `assembly/` is built to, as core's `WasmFunction` describes it. Bytes are decoded when first
 * asked for and are the same arrays for all hooks, so that a backend can compile each once. Nothing here compiles them.
 */
import type { WasmFunction } from "@dechirp/core";
import { binaries } from "./binaries.ts";

export type WasmEntry = "rawCi8" | "rawCi16" | "rawC64" | "coupling" | "migration" | "magnitude" | "power" | "decibel";

/** Integers up to this are exact as f32, which constants are handed over as. */
export const mostExtent = 2 ** 24;

let decoded: Pick<WasmFunction, "plain" | "shared"> | undefined;

/** The hook's property `wasm` where `fits`, no property where not. */
export function wasmHook(entry: WasmEntry, fits: boolean): { readonly wasm?: WasmFunction } {
  if (!fits) return {};
  decoded ??= { plain: decode(binaries.plain), shared: decode(binaries.shared) };
  return { wasm: { ...decoded, entry, precision: "f32" } };
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
