/** WASM modules out of base64, decoded when first asked for; the same arrays at every call, so that a backend can compile each once. */
import type { WasmFunction } from "@dechirp/core";

/** The builds of a module for a memory of its own and for a shared one. */
export type WasmModules = Pick<WasmFunction, "plain" | "shared">;

/** Integers up to this are exact as f32, which constants are handed over as. */
export const mostExtent = 2 ** 24;

export function lazyModules(binaries: { readonly plain: string; readonly shared: string }): () => WasmModules {
  let decoded: WasmModules | undefined;
  return () => {
    decoded ??= { plain: decode(binaries.plain), shared: decode(binaries.shared) };
    return decoded;
  };
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
}
