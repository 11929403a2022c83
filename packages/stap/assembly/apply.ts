/**
 * AssemblyScript. Applies filters to the cells of a group, in float32. Cells and filters are stored in blocks of four, element after
 * element of 48
 * bytes: real parts of all four, then imaginary parts, then room for the sums that are multiplied in their place. A block of
 * filters works on two blocks of cells: one cell in each lane, an element of a filter in all lanes. A product of complex numbers takes
 * three
 * real products, a quarter less work than four; its rounding, too, is relative to the magnitude of the product.
 */
import { binsAt, channelsAt, rangesAt, tapsAt, whole, wrapped } from "./arguments";
import { rounded } from "./substitute";

/** What is kept of an output: its power, all of it, or the largest power over filters. */
export const ofPower: u32 = 0;
export const ofComplex: u32 = 1;
export const ofLargest: u32 = 2;

/** Reads the snapshots of `count` cells of `bin` from `range` on, in blocks. Elements beyond the last cell are zero. */
export function readCells(constants: usize, x: usize, bin: u32, range: u32, count: u32, to: usize): void {
  const channels = whole(constants, channelsAt);
  const taps = whole(constants, tapsAt);
  const bins = whole(constants, binsAt);
  const ranges = whole(constants, rangesAt);
  const half = taps >> 1;
  const first = wrapped(bin, half ? bins - half : 0, bins);
  const pitch = usize(channels) * taps * rounded;
  for (let channel: u32 = 0; channel < channels; channel++) {
    for (let tap: u32 = 0; tap < taps; tap++, to += rounded) {
      let from = x + ((usize(channel) * bins + wrapped(first, tap, bins)) * ranges + range) * 8;
      let target = to;
      for (let left: i32 = count; left > 0; left -= 4, from += 32, target += pitch) {
        const low = left > 1 ? v128.load(from) : v128.load64_zero(from);
        const high = left > 3 ? v128.load(from, 16) : left > 2 ? v128.load64_zero(from, 16) : f32x4.splat(0.0);
        v128.store(target, v128.shuffle<f32>(low, high, 0, 2, 4, 6));
        v128.store(target, v128.shuffle<f32>(low, high, 1, 3, 5, 7), 16);
      }
    }
  }
}

/**
 * Applies `vectors` filters to `count` cells. `out` is the output of the first filter and cell; `pitch` is the number of bytes to the next
 * filter's
 * output, if all are kept. If only the largest is kept, `best` has a power for each cell, and after 256 powers the indices of filters,
 * which count from
 * `number`. After these there are 384 bytes of work memory.
 */
export function applyFilters(
  kept: u32,
  n: u32,
  filters: usize,
  vectors: u32,
  cells: usize,
  count: u32,
  out: usize,
  pitch: usize,
  best: usize,
  number: u32,
): void {
  const block = usize(n) * rounded;
  for (let p: u32 = 0; p < vectors; p += 4, filters += block) {
    let cell = cells;
    let at = kept == ofLargest ? best : out + p * pitch;
    for (let left: i32 = count; left > 0; left -= 8, at += kept == ofComplex ? 64 : 32, cell += block * 2) {
      applyBlock(kept, filters, cell, block, left, at, kept == ofLargest ? 0 : pitch, vectors - p, number + p, best + 2 * largestBytes);
    }
  }
}

/**
 * Four filters (the first `wanted` count) on two blocks of cells, `left` of which are there, each product of complex numbers by three of
 * real ones.
 */
function applyBlock(
  kept: u32,
  filter: usize,
  cell: usize,
  block: usize,
  left: i32,
  out: usize,
  pitch: usize,
  wanted: u32,
  number: u32,
  work: usize,
): void {
  // u(a + b), (u + v)a and (u − v)b: the first less the third is the real part, less the second the imaginary one.
  addUp(filter, cell, block, work);
  addUp(filter + 16, cell + 16, block, work + 128);
  addUp(filter + 32, cell + 32, block, work + 256);
  for (const end = work + min(wanted, 4) * 32; work < end; work += 32, out += pitch, number++) {
    keepFour(kept, work, out, left, number);
    if (left > 4) keepFour(kept, work + 16, out + (kept == ofComplex ? 32 : 16), left - 4, number);
  }
}

/** Real products of four filters and two blocks of cells, summed over elements; a filter's after the other's. */
function addUp(filter: usize, cell: usize, block: usize, to: usize): void {
  let s00 = f32x4.splat(0.0);
  let s01 = s00;
  let s10 = s00;
  let s11 = s00;
  let s20 = s00;
  let s21 = s00;
  let s30 = s00;
  let s31 = s00;
  const end = filter + block;
  do {
    const a = v128.load(cell);
    const b = v128.load(cell + block);
    let w = v128.load32_splat(filter);
    s00 = f32x4.add(s00, f32x4.mul(a, w));
    s01 = f32x4.add(s01, f32x4.mul(b, w));
    w = v128.load32_splat(filter, 4);
    s10 = f32x4.add(s10, f32x4.mul(a, w));
    s11 = f32x4.add(s11, f32x4.mul(b, w));
    w = v128.load32_splat(filter, 8);
    s20 = f32x4.add(s20, f32x4.mul(a, w));
    s21 = f32x4.add(s21, f32x4.mul(b, w));
    w = v128.load32_splat(filter, 12);
    s30 = f32x4.add(s30, f32x4.mul(a, w));
    s31 = f32x4.add(s31, f32x4.mul(b, w));
    filter += rounded;
    cell += rounded;
  } while (filter < end);
  v128.store(to, s00);
  v128.store(to, s01, 16);
  v128.store(to, s10, 32);
  v128.store(to, s11, 48);
  v128.store(to, s20, 64);
  v128.store(to, s21, 80);
  v128.store(to, s30, 96);
  v128.store(to, s31, 112);
}

/* @inline */
function keepFour(kept: u32, sums: usize, to: usize, left: i32, number: u32): void {
  const sum = v128.load(sums);
  keep(kept, f32x4.sub(sum, v128.load(sums, 256)), f32x4.sub(sum, v128.load(sums, 128)), to, left, number);
}

/** Prepares cells for `applyFilters`: re + im, re, im in place of re and im of each element. */
export function prepareCells(cells: usize, bytes: usize): void {
  for (const end = cells + bytes; cells < end; cells += rounded) {
    const re = v128.load(cells);
    const im = v128.load(cells, 16);
    v128.store(cells, f32x4.add(re, im));
    v128.store(cells, re, 16);
    v128.store(cells, im, 32);
  }
}

/** Prepares filters for `applyFilters`: re, re + im, re − im. */
export function prepareFilters(filters: usize, bytes: usize): void {
  for (const end = filters + bytes; filters < end; filters += rounded) {
    const re = v128.load(filters);
    const im = v128.load(filters, 16);
    v128.store(filters, f32x4.add(re, im), 16);
    v128.store(filters, f32x4.sub(re, im), 32);
  }
}

/** Four cells' outputs of one filter, of which `left` are there. */
/* @inline */
function keep(kept: u32, re: v128, im: v128, to: usize, left: i32, number: u32): void {
  if (kept == ofComplex) {
    storeTwo(to, v128.shuffle<f32>(re, im, 0, 4, 1, 5), left);
    if (left > 2) storeTwo(to + 16, v128.shuffle<f32>(re, im, 2, 6, 3, 7), left - 2);
    return;
  }
  const power = f32x4.add(f32x4.mul(re, re), f32x4.mul(im, im));
  if (kept == ofPower) {
    storeFour(to, power, left);
    return;
  }
  // The first is the largest so far, even if it is NaN.
  const larger = v128.or(f32x4.gt(power, v128.load(to)), i32x4.splat(number == 0 ? -1 : 0));
  v128.store(to, v128.bitselect(power, v128.load(to), larger));
  v128.store(to, v128.bitselect(i32x4.splat(number), v128.load(to, largestBytes), larger), largestBytes);
}

/** Largest number of cells that are filtered together, and bytes of their powers. */
export const mostCells: u32 = 256;
const largestBytes: usize = 1024;

/** No cell has a filter yet: the first is kept, whatever its power. */
export function beginLargest(best: usize): void {
  for (const end = best + largestBytes; best < end; best += 16) {
    v128.store(best, f32x4.splat(-1.0));
    v128.store(best, i32x4.splat(0), largestBytes);
  }
}

export function endLargest(best: usize, count: u32, y: usize, strongest: usize): void {
  for (let left: i32 = count; left > 0; left -= 4, best += 16, y += 16, strongest += 16) {
    storeFour(y, v128.load(best), left);
    storeFour(strongest, v128.load(best, largestBytes), left);
  }
}

/* @inline */
function storeTwo(to: usize, values: v128, left: i32): void {
  if (left > 1) v128.store(to, values);
  else v128.store64_lane(to, values, 0);
}

/* @inline */
function storeFour(to: usize, values: v128, left: i32): void {
  if (left > 3) {
    v128.store(to, values);
    return;
  }
  v128.store32_lane(to, values, 0);
  if (left > 1) v128.store32_lane(to, values, 1, 4);
  if (left > 2) v128.store32_lane(to, values, 2, 8);
}
