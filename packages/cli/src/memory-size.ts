/** Sizes of memory on the command line, such as `2GiB`: the parser of `--memory`, and texts that it takes. */
import { argumentError } from "./errors.ts";

/** Bytes of each unit. A unit without i is a power of 1000, as in SI; a unit with i is a power of 1024, as in IEC 80000-13. */
const unitBytes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};

/** A decimal number without sign and exponent, then a unit. The expression is unambiguous, so that long texts take linear time. */
const sizeText = /^(\d+(?:\.\d*)?|\.\d+) ?([kmgt]?i?b)$/i;

const expected = "a size of memory such as 800MiB, 1.5GB or 2GiB";

/**
 * Parses a size of memory into bytes: a number and B, KB, MB, GB or TB (powers of 1000), or KiB, MiB, GiB or TiB (powers of 1024), in
 * either case. Parts of a byte are left out. Throws `argument`, which names `option`, for other texts, for sizes below one byte and for
 * sizes above 2^53 bytes.
 */
export function parseMemorySize(option: string, text: string): number {
  const [, number, unit] = sizeText.exec(text.trim()) ?? [];
  const scale = unit === undefined ? undefined : unitBytes[unit.toLowerCase()];
  const bytes = scale === undefined ? Number.NaN : Math.floor(Number(number) * scale);
  if (!(bytes >= 1 && bytes <= Number.MAX_SAFE_INTEGER)) throw argumentError(option, expected, text);
  return bytes;
}

/** A number of bytes as text of `--memory`, in whole MiB and not less. */
export const neededMemoryText = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)}MiB`;
