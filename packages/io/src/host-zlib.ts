/** Node's zlib, which compresses and inflates whole streams on another thread. Pages have this file, too, so it is taken from `process`. */

/** What is used of it. */
export interface HostZlib {
  inflate(
    bytes: Uint8Array,
    options: { readonly maxOutputLength: number; readonly chunkSize: number; readonly info: true },
    done: (error: Error | null, result?: { readonly buffer: Uint8Array; readonly engine: { readonly bytesWritten: number } }) => void,
  ): void;
  deflate(bytes: Uint8Array, options: { readonly chunkSize: number }, done: (error: Error | null, packed: Uint8Array) => void): void;
}

/** Output bytes that the other thread makes before it returns to this one. */
export const hostPieceBytes = 2 ** 20;

/** The zlib of the host, if it is Node. */
export const hostZlib = (): HostZlib | undefined =>
  (globalThis as { readonly process?: { getBuiltinModule?(name: "node:zlib"): HostZlib } }).process?.getBuiltinModule?.("node:zlib");
