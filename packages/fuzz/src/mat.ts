/**
 * MAT-files written from the format's specification: small writers of versions 4 and 5 for the corpus, a walk over the tags of version
 * 5, and changes of tags, dimensions and the contents of compressed variables. Uses none of the reader's code.
 */
import { deflateSync, inflateSync } from "node:zlib";
import { type Change, changeBytes, concat, edges } from "./bytes.ts";
import type { Dice } from "./dice.ts";

export interface Words {
  /** Type of the numbers in the file: 1 int8, 3 int16, 5 int32, 7 single, 9 double, 13 uint64 … */
  readonly type: number;
  readonly values: readonly number[];
}

const sizes: Readonly<Record<number, number>> = { 1: 1, 2: 1, 3: 2, 4: 2, 5: 4, 6: 4, 7: 4, 9: 8, 12: 8, 13: 8 };

function pack({ type, values }: Words, little: boolean): Uint8Array {
  const size = sizes[type];
  const view = new DataView(new ArrayBuffer(values.length * size));
  for (const [i, value] of values.entries()) {
    if (type === 7) view.setFloat32(i * 4, value, little);
    else if (type === 9) view.setFloat64(i * 8, value, little);
    else if (size === 8) view.setBigInt64(i * 8, BigInt(value), little);
    else if (size === 4) view.setInt32(i * 4, value, little);
    else if (size === 2) view.setInt16(i * 2, value, little);
    else view.setInt8(i, value);
  }
  return new Uint8Array(view.buffer);
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));

/** Writers of version 5 in one byte order. */
export function mat5(little: boolean) {
  const tag = (type: number, size: number): Uint8Array => pack({ type: 5, values: [type, size] }, little);
  const element = (type: number, bytes: Uint8Array): Uint8Array =>
    concat(tag(type, bytes.length), bytes, new Uint8Array(-bytes.length & 7));
  const numbers = (words: Words): Uint8Array => element(words.type, pack(words, little));
  const matrix = (flags: number, shape: readonly number[], name: string, ...parts: Uint8Array[]): Uint8Array =>
    element(14, concat(numbers({ type: 6, values: [flags, 0] }), numbers({ type: 5, values: shape }), element(1, ascii(name)), ...parts));
  return {
    matrix,
    numbers,
    real: (name: string, shape: readonly number[], words: Words, classCode = 6): Uint8Array =>
      matrix(classCode, shape, name, numbers(words)),
    complex: (name: string, shape: readonly number[], re: Words, im: Words, classCode = 6): Uint8Array =>
      matrix(classCode | 0x800, shape, name, numbers(re), numbers(im)),
    text: (name: string, text: string): Uint8Array => matrix(4, [1, text.length], name, element(16, ascii(text))),
    cell: (name: string, cells: readonly Uint8Array[]): Uint8Array => matrix(1, [1, cells.length], name, ...cells),
    struct: (name: string, fields: Readonly<Record<string, Uint8Array>>): Uint8Array => {
      const names = Object.keys(fields).map((field) => ascii(field.padEnd(32, "\0")));
      return matrix(2, [1, 1], name, numbers({ type: 5, values: [32] }), element(1, concat(...names)), ...Object.values(fields));
    },
    compressed: (bytes: Uint8Array): Uint8Array => compressedOf(bytes, little),
    file: (...elements: readonly Uint8Array[]): Uint8Array =>
      concat(ascii("MATLAB 5.0 MAT-file".padEnd(116)), new Uint8Array(8), pack({ type: 3, values: [0x0100, 0x4d49] }, little), ...elements),
  };
}

function compressedOf(bytes: Uint8Array, little: boolean): Uint8Array {
  const packed = deflateSync(bytes);
  return concat(pack({ type: 5, values: [15, packed.length] }, little), packed);
}

/** A matrix of version 4. Precision: 0 double, 1 single, 2 int32, 3 int16, 4 uint16, 5 uint8. Kind 1 is text. */
export function mat4(
  little: boolean,
  name: string,
  precision: number,
  shape: readonly number[],
  re: readonly number[],
  im?: readonly number[],
  kind = 0,
) {
  const type = [9, 7, 5, 3, 4, 2][precision];
  const header = pack({ type: 5, values: [(little ? 0 : 1000) + 10 * precision + kind, ...shape, im ? 1 : 0, name.length + 1] }, little);
  return concat(header, ascii(`${name}\0`), pack({ type, values: re }, little), ...(im ? [pack({ type, values: im }, little)] : []));
}

interface Tag {
  readonly at: number;
  readonly type: number;
  readonly start: number;
  readonly end: number;
  readonly next: number;
}

/** Lists the tags of the elements from `from` to `end`, also inside matrices, as far as sizes make sense. */
function tagsOf(view: DataView, little: boolean, from: number, end: number, depth = 0, tags: Tag[] = []): Tag[] {
  for (let at = from; at + 8 <= end && tags.length < 4096; ) {
    const word = view.getUint32(at, little);
    const small = word >>> 16;
    const size = small || view.getUint32(at + 4, little);
    const start = small ? at + 4 : at + 8;
    if (start + size > end) break;
    const next = small ? at + 8 : start + (word === 15 ? size : Math.ceil(size / 8) * 8);
    const tag = { at, type: small ? word & 0xffff : word, start, end: start + size, next: Math.min(next, end) };
    tags.push(tag);
    if (tag.type === 14 && depth < 8) {
      // Flags, dimensions and name come first, and are elements too.
      tagsOf(view, little, start, start + size, depth + 1, tags);
    }
    at = tag.next;
  }
  return tags;
}

/** Changes the elements from `from` on once: a word of a tag, a number, or a whole element. */
function changeElements(bytes: Uint8Array, from: number, little: boolean, dice: Dice): Uint8Array {
  const out = bytes.slice();
  const view = new DataView(out.buffer);
  const tags = tagsOf(view, little, from, out.length);
  if (tags.length === 0) return out;
  const tag = dice.pick(tags);
  const word = (at: number, value: number): void => void (at + 4 <= out.length && view.setUint32(at, value, little));
  const change = dice.below(9);
  if (change === 0) word(tag.at, dice.pick([...edges, ...Array.from({ length: 19 }, (_, i) => i)]));
  else if (change === 1) word(tag.at + 4, dice.pick(edges));
  else if (change === 2) word(tag.at + 4, tag.end - tag.start + dice.pick([-8, -4, -1, 1, 4, 8]));
  else if (change === 3) word(tag.start + 4 * dice.below(3), dice.pick(edges));
  else if (change === 4 && tag.end > tag.start)
    out.fill(dice.pick([0, 0x7f, 0x80, 0xff]), tag.start, tag.start + dice.length(tag.end - tag.start));
  else if (change === 5) return concat(bytes.subarray(0, tag.at), bytes.subarray(tag.next));
  else if (change === 6) return concat(bytes.subarray(0, tag.next), bytes.subarray(tag.at, tag.next), bytes.subarray(tag.next));
  else if (change === 7) {
    const other = dice.pick(tags);
    return concat(bytes.subarray(0, tag.at), bytes.subarray(other.at, other.next), bytes.subarray(tag.next));
  } else if (tag.end - tag.start >= 8) {
    const value = dice.pick([Number.NaN, Number.POSITIVE_INFINITY, 0, -1, 1e-30, 1e30, 1e300, 0.5]);
    if (tag.type === 7) view.setFloat32(tag.start + 4 * dice.below((tag.end - tag.start) >> 2), value, little);
    else view.setFloat64(tag.start + 8 * dice.below((tag.end - tag.start) >> 3), value, little);
  }
  return out;
}

/** Makes a decompression bomb: a compressed variable of `megabytes` of zeros, with a header that states its size or hides it. */
function bomb(little: boolean, dice: Dice): Uint8Array {
  const megabytes = dice.pick([1, 1, 4, 16]);
  const bytes = new Uint8Array(megabytes * 2 ** 20);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, dice.pick([14, 14, 14, 15]), little);
  view.setUint32(4, dice.pick([bytes.length - 8, 8, 64, 0xfffffff0, dice.pick(edges)]), little);
  const head = dice.pick([
    mat5(little).real("a", [1, bytes.length / 8], { type: 9, values: [] }),
    mat5(little).cell("c", []),
    mat5(little).text("t", "a"),
    new Uint8Array(64),
  ]);
  // The matrix's tag has been written above.
  bytes.set(head.subarray(8), 8);
  const filler = dice.pick([0, 14, 0x00010001]);
  if (filler !== 0) for (let at = 64; at < bytes.length; at += 8) view.setUint32(at, filler, little);
  return compressedOf(bytes, little);
}

/**
 * Changes the contents of the compressed variable of `tag` and compresses them again, so that only the reader's own checks can notice.
 */
function changeInside(bytes: Uint8Array, tag: Tag, little: boolean, dice: Dice, other: Uint8Array): Uint8Array {
  let inside: Uint8Array;
  try {
    inside = inflateSync(bytes.subarray(tag.start, tag.end));
  } catch {
    return changeBytes(bytes, dice, other);
  }
  const changed = dice.chance(0.7) ? changeElements(inside, 0, little, dice) : changeBytes(inside, dice, other);
  const packed = compressedOf(changed, little);
  // Damages the checksum or the end of the stream.
  if (dice.chance(0.1)) packed[packed.length - 1 - dice.below(5)] ^= 1 << dice.below(8);
  return concat(bytes.subarray(0, tag.at), packed, bytes.subarray(tag.next));
}

export const changeMat: Change = (bytes, dice, other) => {
  const mark = String.fromCharCode(bytes[126] ?? 0, bytes[127] ?? 0);
  if ((mark !== "IM" && mark !== "MI") || dice.chance(0.25)) return changeBytes(bytes, dice, other);
  const little = mark === "IM";
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (dice.chance(0.01)) return concat(bytes.subarray(0, 128), bomb(little, dice), bytes.subarray(128));
  const packed = tagsOf(view, little, 128, bytes.length).filter(({ type }) => type === 15);
  if (packed.length > 0 && dice.chance(0.8)) return changeInside(bytes, dice.pick(packed), little, dice, other);
  return changeElements(bytes, 128, little, dice);
};
