/**
 * WebAssembly modules that packages contain as base64 text, written by their builds. A module is decoded when it is first used. Every
 * call returns the same bytes, so that a backend can compile each module once. Nothing here compiles.
 */
import type { WasmFunction } from "./hooks.ts";

/** A module for a memory that is not shared, and for a shared one. */
export type WasmModules = Pick<WasmFunction, "plain" | "shared">;

/** Constants are passed as f32. Integers up to this are exact. */
export const maxWasmConstant = 2 ** 24;

/** The bytes of a module that import a shared memory of 1 to 65536 pages: name, kind, flags and limits. */
const sharedMemory = "memory\x02\x03\x01\x80\x80\x04";

/**
 * Returns a function that decodes `binary`, base64 of a module that was built for a shared memory of 1 to 65536 pages, imported as
 * `memory`.
 *
 * The module must have no atomic instructions. The build for a memory that is not shared then differs only in the limits of that import
 * (WebAssembly Core Specification, section 5.3.7). They are overwritten with the same number of bytes: a memory of at least 0 pages, with
 * 0 written in four bytes.
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
