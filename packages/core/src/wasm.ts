/**
 * Modules of `WasmFunction` as packages carry them: base64 in a source, which a build has written. Decoded when first asked for, and
 * the same arrays at every call, so that a backend can compile each once. Nothing here compiles.
 */
import type { WasmFunction } from "./hooks.ts";

/** A module for a memory of its own and for a shared one. */
export type WasmModules = Pick<WasmFunction, "plain" | "shared">;

/** Integers up to this are exact as f32, which constants are handed over as. */
export const mostWasmConstant = 2 ** 24;

/** How a module imports a shared memory of 1 to 65536 pages: its name, that it is a memory, a flag, and the limits. */
const sharedMemory = "memory\x02\x03\x01\x80\x80\x04";

/**
 * The modules of `binary`, base64 of a build for a shared memory of 1 to 65536 pages, imported as `memory`. Without atomic
 * instructions the two differ in that import's limits alone (WebAssembly Core Specification, section 5.3.7), which are rewritten
 * in as many bytes: of the other kind of memory, at least 0 pages, written in four.
 */
export function lazyModules(binary: string): () => WasmModules {
  let decoded: WasmModules | undefined;
  return () => {
    if (!decoded) {
      const text = atob(binary);
      const shared = Uint8Array.from(text, (character) => character.charCodeAt(0));
      const plain = shared.slice();
      plain.set([0x00, 0x80, 0x80, 0x80, 0x00], text.indexOf(sharedMemory) + sharedMemory.length - 5);
      decoded = { plain, shared };
    }
    return decoded;
  };
}
