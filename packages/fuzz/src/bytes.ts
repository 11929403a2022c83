/** Changes of bytes that need no knowledge of a format. Each returns new bytes and leaves its input as it was. */
import type { Dice } from "./dice.ts";

/** A change of a file. `other` is another file of the corpus, to splice with. */
export type Change = (bytes: Uint8Array, dice: Dice, other: Uint8Array) => Uint8Array;

export const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const out = new Uint8Array(parts.reduce((n, part) => n + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
};

/** Integers at which sizes, counts and offsets tend to go wrong. */
export const edges = [
  0, 1, 2, 3, 4, 5, 7, 8, 9, 14, 15, 16, 64, 127, 128, 255, 256, 0x7fff, 0x8000, 0xffff, 0x10000, 0xffffff, 0x1000000, 0x3fffffff,
  0x40000000, 0x7fffffff, 0x80000000, 0xfffffff0, 0xfffffff7, 0xfffffff8, 0xfffffffe, 0xffffffff,
];
const floats = [
  0,
  -0,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  5e-324,
  1e-30,
  1e30,
  1e39,
  1.7e308,
  -1,
  1 / 3,
  2 ** 53,
];

const writers: readonly ((view: DataView, at: number, dice: Dice, little: boolean) => void)[] = [
  (view, at, dice, little) => view.setUint16(at & ~1, dice.pick(edges) & 0xffff, little),
  (view, at, dice, little) => view.setUint32(at & ~3, dice.pick(edges), little),
  (view, at, dice, little) => view.setUint32(at & ~3, view.getUint32(at & ~3, little) + dice.pick([-8, -4, -1, 1, 4, 8]), little),
  (view, at, dice, little) => view.setUint32(at & ~3, view.byteLength + dice.pick([-16, -8, -1, 0, 1]), little),
  (view, at, dice, little) => view.setFloat32(at & ~3, dice.pick(floats), little),
  (view, at, dice, little) => view.setFloat64(at & ~7, dice.pick(floats), little),
];

/** Chooses a position in `bytes`. Half of them are in the first 256 bytes, where headers are. */
const place = (bytes: Uint8Array, dice: Dice): number => dice.below(dice.chance(0.5) ? Math.min(256, bytes.length) : bytes.length);

function span(bytes: Uint8Array, dice: Dice): readonly [from: number, to: number] {
  const from = dice.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + dice.length(bytes.length))];
}

/** Changes of files with at least one byte. */
const changes: readonly Change[] = [
  function flip(bytes, dice) {
    const out = bytes.slice();
    for (let n = dice.length(16); n > 0; n--) out[place(out, dice)] ^= 1 << dice.below(8);
    return out;
  },
  function replace(bytes, dice) {
    const out = bytes.slice();
    for (let n = dice.length(16); n > 0; n--) out[place(out, dice)] = dice.below(256);
    return out;
  },
  function edge(bytes, dice) {
    const out = concat(bytes, new Uint8Array(Math.max(0, 8 - bytes.length)));
    const view = new DataView(out.buffer);
    for (let n = dice.length(4); n > 0; n--) dice.pick(writers)(view, Math.min(place(out, dice), out.length - 8), dice, dice.chance(0.5));
    return out.subarray(0, bytes.length);
  },
  function truncate(bytes, dice) {
    return bytes.slice(0, dice.chance(0.3) ? bytes.length - dice.length(bytes.length) : dice.below(bytes.length));
  },
  function extend(bytes, dice) {
    return concat(bytes, new Uint8Array(dice.length(4096)).fill(dice.pick([0, 0x20, 0xff, dice.below(256)])));
  },
  function splice(bytes, dice, other) {
    return concat(bytes.subarray(0, dice.below(bytes.length)), other.subarray(dice.below(other.length + 1)));
  },
  function duplicate(bytes, dice) {
    const [from, to] = span(bytes, dice);
    return concat(bytes.subarray(0, to), bytes.subarray(from, to), bytes.subarray(to));
  },
  function remove(bytes, dice) {
    const [from, to] = span(bytes, dice);
    return concat(bytes.subarray(0, from), bytes.subarray(to));
  },
  function swap(bytes, dice) {
    const [from, middle, to] = [dice.below(bytes.length), dice.below(bytes.length), dice.below(bytes.length)].sort((a, b) => a - b);
    return concat(bytes.subarray(0, from), bytes.subarray(middle, to), bytes.subarray(from, middle), bytes.subarray(to));
  },
  function fill(bytes, dice) {
    const [from, to] = span(bytes, dice);
    return bytes.slice().fill(dice.pick([0, 0x7f, 0xff]), from, to);
  },
];

export const changeBytes: Change = (bytes, dice, other) =>
  bytes.length === 0 ? Uint8Array.of(dice.below(256)) : dice.pick(changes)(bytes, dice, other);
