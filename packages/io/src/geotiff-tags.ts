/**
 * The directories of TIFF and BigTIFF files, little-endian: their sizes, which are known before the positions of the tiles are, and their
 * bytes. Knows nothing of pixels and maps.
 * Sources: TIFF revision 6.0 (Adobe, 1992), section 2; BigTIFF design of libtiff.
 */

/** A field of a directory. Numbers and texts are stored as the type says. */
export type TiffField =
  | { readonly tag: number; readonly type: "short" | "long" | "long8" | "double"; readonly values: ArrayLike<number> }
  | { readonly tag: number; readonly type: "ascii"; readonly text: string };

/** Code and size of the types. */
const types = { ascii: [2, 1], short: [3, 2], long: [4, 4], double: [12, 8], long8: [16, 8] } as const;

/** Bytes of the header of a file. */
export const headerBytes = (big: boolean): number => (big ? 16 : 8);

const even = (at: number): number => at + (at % 2);
const eighth = (at: number): number => 8 * Math.ceil(at / 8);

/** A field as it is stored: its bytes, and how many values they are. */
function stored(field: TiffField): { readonly bytes: Uint8Array; readonly count: number } {
  if (field.type === "ascii") {
    const bytes = new TextEncoder().encode(`${field.text}\0`);
    return { bytes, count: bytes.length };
  }
  const { type, values } = field;
  const [, size] = types[type];
  const bytes = new Uint8Array(size * values.length);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i++) {
    if (type === "short") view.setUint16(2 * i, values[i], true);
    else if (type === "long") view.setUint32(4 * i, values[i], true);
    else if (type === "long8") view.setBigUint64(8 * i, BigInt(values[i]), true);
    else view.setFloat64(8 * i, values[i], true);
  }
  return { bytes, count: values.length };
}

/** Number of bytes of a field's values. */
const valueBytes = (field: TiffField): number =>
  field.type === "ascii" ? new TextEncoder().encode(field.text).length + 1 : types[field.type][1] * field.values.length;

/** Where the directories of a file are, and where the data after them may begin. */
export interface DirectoryPlaces {
  readonly starts: readonly number[];
  readonly end: number;
}

/** Places of directories that follow each other from byte `at`. The result depends on the numbers of values only. */
export function placeDirectories(directories: readonly (readonly TiffField[])[], at: number, big: boolean): DirectoryPlaces {
  const starts: number[] = [];
  let end = at;
  for (const fields of directories) {
    const start = even(end);
    starts.push(start);
    end = start + tableBytes(fields.length, big);
    for (const field of fields) {
      const size = valueBytes(field);
      if (size > inline(big)) end = eighth(end) + size;
    }
  }
  return { starts, end: eighth(end) };
}

/** Values of at most so many bytes are in the entry itself. */
const inline = (big: boolean): number => (big ? 8 : 4);
const tableBytes = (entries: number, big: boolean): number => (big ? 8 + 20 * entries + 8 : 2 + 12 * entries + 4);

/**
 * The bytes of a file up to its data: the header, `ghost` (bytes between the header and the first directory), and the directories. Fields
 * of a directory must be in the order of their tags.
 */
export function encodeDirectories(directories: readonly (readonly TiffField[])[], ghost: Uint8Array, big: boolean): Uint8Array {
  const { starts, end } = placeDirectories(directories, headerBytes(big) + ghost.length, big);
  const out = new Uint8Array(end);
  const view = new DataView(out.buffer);
  const offset = (at: number, value: number): void => (big ? view.setBigUint64(at, BigInt(value), true) : view.setUint32(at, value, true));
  out.set([0x49, 0x49, big ? 43 : 42, 0]);
  if (big) view.setUint16(4, 8, true);
  offset(big ? 8 : 4, starts[0]);
  out.set(ghost, headerBytes(big));
  directories.forEach((fields, i) => {
    const start = starts[i];
    let at = start + (big ? 8 : 2);
    let free = start + tableBytes(fields.length, big);
    if (big) view.setBigUint64(start, BigInt(fields.length), true);
    else view.setUint16(start, fields.length, true);
    for (const field of fields) {
      const { bytes, count } = stored(field);
      view.setUint16(at, field.tag, true);
      view.setUint16(at + 2, types[field.type][0], true);
      offset(at + 4, count);
      const value = at + (big ? 12 : 8);
      if (bytes.length <= inline(big)) out.set(bytes, value);
      else {
        free = eighth(free);
        offset(value, free);
        out.set(bytes, free);
        free += bytes.length;
      }
      at += big ? 20 : 12;
    }
    offset(at, starts[i + 1] ?? 0);
  });
  return out;
}
