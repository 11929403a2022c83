/**
 * Modules of `WasmFunction` as packages carry them: base64 in a source, which a build has written. Decoded when first asked for, and
 * the same arrays at every call, so that a backend can compile each once. Nothing here compiles.
 */
import type { WasmFunction } from "./op.ts";

/** The builds of a module for a memory of its own and for a shared one. */
export type WasmModules = Pick<WasmFunction, "plain" | "shared">;

/** Integers up to this are exact as f32, which constants are handed over as. */
export const mostWasmConstant = 2 ** 24;

/** The modules of `binaries`, base64 of each build. */
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
