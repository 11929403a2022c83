/**
 * Reads fonts from WOFF files (WOFF File Format 1.0, W3C 2012): decompresses the tables and writes them as a TrueType or OpenType file.
 */

/** Decompresses a zlib stream (RFC 1950). */
type Inflate = (packed: Uint8Array) => Uint8Array;

/**
 * Converts a WOFF file to a TrueType or OpenType file. It does not check the file, because it is used only for files of known packages. The text of this
 * function is part of the program of another process (node-renderer-program.ts), so it refers to nothing outside itself.
 */
export function woffFont(woff: Uint8Array, inflate: Inflate): Uint8Array {
  const [headerBytes, entryBytes] = [44, 20];
  const from = new DataView(woff.buffer, woff.byteOffset, woff.byteLength);
  const tables = from.getUint16(12);
  const font = new Uint8Array(from.getUint32(16));
  const to = new DataView(font.buffer);
  const power = Math.floor(Math.log2(tables));
  to.setUint32(0, from.getUint32(4)); // the flavour
  for (const [i, value] of [tables, 16 * 2 ** power, power, 16 * (tables - 2 ** power)].entries()) to.setUint16(4 + 2 * i, value);
  let at = 12 + 16 * tables;
  for (let i = 0; i < tables; i++) {
    const entry = headerBytes + entryBytes * i;
    const [tag, offset, packed, length, checksum] = [0, 4, 8, 12, 16].map((field) => from.getUint32(entry + field));
    const table = woff.subarray(offset, offset + packed);
    font.set(packed < length ? inflate(table) : table, at);
    for (const [field, value] of [tag, checksum, at, length].entries()) to.setUint32(12 + 16 * i + 4 * field, value);
    at += Math.ceil(length / 4) * 4;
  }
  return font;
}
