/** Sizes of memory and of files as text. */

const binaryUnits = ["B", "KiB", "MiB", "GiB", "TiB"] as const;

/** A number of bytes as text with three digits, in the largest unit of which there is at least one: `1.50 GiB`. */
export function memorySizeText(bytes: number): string {
  let power = 0;
  while (power + 1 < binaryUnits.length && bytes >= 1024 ** (power + 1)) power++;
  const value = bytes / 1024 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toPrecision(3)} ${binaryUnits[power]}`;
}
