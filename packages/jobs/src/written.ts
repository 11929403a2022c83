/** Values that tasks have written, and the digests by which they are known. */
import { createHash } from "node:crypto";

/** The SHA-256 of a value, as hexadecimal digits. */
export const sha256Of = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** What is wrong with a value that was written with a size and a digest, or undefined if it is what it was. */
export function damageIn(
  value: Uint8Array | undefined,
  { bytes, sha256 }: { readonly bytes: number; readonly sha256: string },
): "missing" | "changed" | undefined {
  if (value === undefined) return "missing";
  return value.length === bytes && sha256Of(value) === sha256 ? undefined : "changed";
}
