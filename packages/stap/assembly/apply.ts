/**
 * AssemblyScript. Filters on the cells of a group, in float32. Cells and filters lie in blocks of four, element after element, real parts
 * of all four and then imaginary ones. A block of filters works on a block of cells: a cell a lane, a filter's element in all
 * lanes.
 */
// @ts-nocheck
import { belowAt, binsAt, channelsAt, rangesAt, tapsAt, whole, wrapped } from "./arguments";
import { rounded } from "./substitute";

/** What is done with an output: its power, all of it, or the largest power over filters. */
export const ofPower: u32 = 0;
export const ofComplex: u32 = 1;
export const ofLargest: u32 = 2;

/** Reads the snapshots of `count` cells of `bin` from `range` on, in blocks; what is beyond the last cell is zero. */
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
 * Applies `vectors` filters to `count` cells. `out`: of the first filter and cell; `pitch`: bytes to the next filter's, where all are
 * kept. Where only the largest is, `best` has a power a cell, and numbers of filters from `number` on behind 256 powers.
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
    for (let left: i32 = count; left > 0; left -= 4, at += kept == ofComplex ? 32 : 16, cell += block) {
      applyBlock(kept, filters, cell, block, left, at, kept == ofLargest ? 0 : pitch, vectors - p, number + p);
    }
  }
}

/** Four filters (the first `wanted` count) on four cells. */
function applyBlock(
  kept: u32,
  filter: usize,
  cell: usize,
  bytes: usize,
  left: i32,
  out: usize,
  pitch: usize,
  wanted: u32,
  number: u32,
): void {
  const end = filter + bytes;
  let re0 = f32x4.splat(0.0);
  let im0 = re0;
  let re1 = re0;
  let im1 = re0;
  let re2 = re0;
  let im2 = re0;
  let re3 = re0;
  let im3 = re0;
  // In an order that leaves 14 vectors alive, of the 15 registers that there are on x86.
  do {
    const a = v128.load(cell);
    const b = v128.load(cell, 16);
    let u = v128.load32_splat(filter);
    let v = v128.load32_splat(filter, 16);
    re0 = f32x4.add(re0, f32x4.add(f32x4.mul(a, u), f32x4.mul(b, v)));
    im0 = f32x4.add(im0, f32x4.sub(f32x4.mul(b, u), f32x4.mul(a, v)));
    u = v128.load32_splat(filter, 4);
    v = v128.load32_splat(filter, 20);
    re1 = f32x4.add(re1, f32x4.add(f32x4.mul(a, u), f32x4.mul(b, v)));
    im1 = f32x4.add(im1, f32x4.sub(f32x4.mul(b, u), f32x4.mul(a, v)));
    u = v128.load32_splat(filter, 8);
    v = v128.load32_splat(filter, 24);
    re2 = f32x4.add(re2, f32x4.add(f32x4.mul(a, u), f32x4.mul(b, v)));
    im2 = f32x4.add(im2, f32x4.sub(f32x4.mul(b, u), f32x4.mul(a, v)));
    u = v128.load32_splat(filter, 12);
    v = v128.load32_splat(filter, 28);
    re3 = f32x4.add(re3, f32x4.add(f32x4.mul(a, u), f32x4.mul(b, v)));
    im3 = f32x4.add(im3, f32x4.sub(f32x4.mul(b, u), f32x4.mul(a, v)));
    filter += rounded;
    cell += rounded;
  } while (filter < end);
  keep(kept, re0, im0, out, left, number);
  if (wanted > 1) keep(kept, re1, im1, out + pitch, left, number + 1);
  if (wanted > 2) keep(kept, re2, im2, out + pitch * 2, left, number + 2);
  if (wanted > 3) keep(kept, re3, im3, out + pitch * 3, left, number + 3);
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
  // The first is the largest so far, even if it is no number.
  const larger = v128.or(f32x4.gt(power, v128.load(to)), i32x4.splat(number == 0 ? -1 : 0));
  v128.store(to, v128.bitselect(power, v128.load(to), larger));
  v128.store(to, v128.bitselect(i32x4.splat(number), v128.load(to, largestBytes), larger), largestBytes);
}

/** Cells that are filtered together at most, and bytes of their powers. */
export const mostCells: u32 = 256;
const largestBytes: usize = 1024;

/** Of every cell no filter yet: the first takes its place whatever it is. */
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
