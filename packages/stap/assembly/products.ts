/**
 * AssemblyScript. Means of products over sets of cells. Some cells are gathered at a time, so that a set may have any runs, and the
 * products of one row with up to four others are summed together: in float32 over the gathered cells, two at a time, and in float64 over
 * those sums.
 */
import {
  belowAt,
  binsAt,
  channelsAt,
  perBinAt,
  productsAt,
  rangesAt,
  runsWidthAt,
  setsAt,
  tapsAt,
  whole,
  wideAt,
  workOf,
  wrapped,
} from "./arguments";

const ports: usize = 16;
/** Number of cells that are gathered at once, and bytes from row to row of them. */
const most: u32 = 64;
const pitch: usize = 8 * 64 + 32;

/** Places in work memory. */
const rowsPlace: u32 = 0;
const sumsPlace: u32 = 1;
const tilesPlace: u32 = 2;

/** Ports x, pairs, runs, means. */
export function products(argument: usize, start: u32, end: u32, unit: u32): void {
  const constants = argument + ports;
  const bins = whole(constants, binsAt);
  const sets = whole(constants, setsAt);
  const count = whole(constants, productsAt);
  const width = whole(constants, runsWidthAt);
  const perBin = whole(constants, perBinAt);
  const below = whole(constants, belowAt);
  const runs: usize = load<u32>(argument, 8);
  const means: usize = load<u32>(argument, 12);
  const rows = workOf(constants, unit, rowsPlace);
  const sums = workOf(constants, unit, sumsPlace);
  const tiles = workOf(constants, unit, tilesPlace);
  const wide = whole(constants, wideAt) != 0;
  const last = writeTiles(constants, load<u32>(argument, 4), rows, tiles);
  for (let item = start; item < end; item++) {
    const bin = item / sets;
    const set = runs + usize(perBin ? item : item - bin * sets) * width * 4;
    memory.fill(sums, 0, count * 16);
    const from = wrapped(bin, below ? bins - below : 0, bins);
    sumRuns(argument, from, set + 8, load<u32>(set, 4), rows, tiles, last, sums);
    if (wide) storeWideMeans(sums, count, f64(load<u32>(set)), means + usize(item) * count * 16);
    else storeMeans(sums, count, f64(load<u32>(set)), means + usize(item) * count * 8);
  }
}

/** Divides and rounds. */
function storeMeans(sums: usize, count: u32, by: f64, to: usize): void {
  const share = f64x2.splat(1.0 / by);
  for (let p: u32 = 0; p < count; p++, sums += 16, to += 8) {
    v128.store64_lane(to, f32x4.demote_f64x2_zero(f64x2.mul(v128.load(sums), share)), 0);
  }
}

/** Divides. */
function storeWideMeans(sums: usize, count: u32, by: f64, to: usize): void {
  const share = f64x2.splat(1.0 / by);
  for (const end = to + usize(count) * 16; to < end; sums += 16, to += 16) v128.store(to, f64x2.mul(v128.load(sums), share));
}

/** Adds the products of all cells of runs, whose first bin is `from`. */
function sumRuns(argument: usize, from: u32, run: usize, many: u32, rows: usize, tiles: usize, last: usize, sums: usize): void {
  const wide = whole(argument + ports, wideAt) != 0;
  let filled: u32 = 0;
  for (; many > 0; many--, run += 8) {
    let cell = load<u32>(run);
    let left = load<u32>(run, 4);
    while (left > 0) {
      const taken = min(left, most - filled);
      gather(argument, from, cell, taken, rows + filled * 8);
      cell += taken;
      left -= taken;
      filled += taken;
      if (filled < most) continue;
      addProducts(tiles, last, most / 2, sums, wide);
      filled = 0;
    }
  }
  if (filled == 0) return;
  if (filled & 1) pad(argument, rows + filled * 8);
  addProducts(tiles, last, (filled + 1) / 2, sums, wide);
}

/** Copies `count` cells of every channel and bin to the gathered rows. */
function gather(argument: usize, from: u32, cell: u32, count: u32, to: usize): void {
  const constants = argument + ports;
  const channels = whole(constants, channelsAt);
  const taps = whole(constants, tapsAt);
  const bins = whole(constants, binsAt);
  const ranges = whole(constants, rangesAt);
  const x: usize = load<u32>(argument);
  for (let channel: u32 = 0; channel < channels; channel++) {
    for (let tap: u32 = 0; tap < taps; tap++, to += pitch) {
      let source = x + ((usize(channel) * bins + wrapped(from, tap, bins)) * ranges + cell) * 8;
      let target = to;
      for (let left = count >> 1; left > 0; left--, source += 16, target += 16) v128.store(target, v128.load(source));
      if (count & 1) store<u64>(target, load<u64>(source));
    }
  }
}

/** A cell of zeros. */
function pad(argument: usize, to: usize): void {
  const constants = argument + ports;
  for (let row = whole(constants, channelsAt) * whole(constants, tapsAt); row > 0; row--, to += pitch) store<u64>(to, 0);
}

/**
 * Writes tiles of up to four products that have their first row in common, five addresses of gathered rows and the number of
 * products, and returns the address behind them.
 */
function writeTiles(constants: usize, pairs: usize, rows: usize, tiles: usize): usize {
  const count = whole(constants, productsAt);
  const taps = whole(constants, tapsAt);
  const bins = whole(constants, binsAt);
  const below = whole(constants, belowAt);
  for (let p: u32 = 0; p < count; tiles += 24) {
    const pair = pairs + p * 16;
    let same: u32 = 1;
    while (same < 4 && p + same < count && load<u64>(pair + same * 16) == load<u64>(pair)) same++;
    store<u32>(tiles, u32(rowOf(pair, taps, bins, below, rows)));
    for (let q: u32 = 0; q < 4; q++) {
      store<u32>(tiles + 4 + q * 4, u32(rowOf(pair + min(q, same - 1) * 16 + 8, taps, bins, below, rows)));
    }
    store<u32>(tiles, same, 20);
    p += same;
  }
  return tiles;
}

/** Gathered row of a channel and its bin above the product's. */
/* @inline */
function rowOf(pair: usize, taps: u32, bins: u32, below: u32, rows: usize): usize {
  return rows + usize(load<u32>(pair) * taps + wrapped(load<u32>(pair, 4), below, bins)) * pitch;
}

function addProducts(tile: usize, last: usize, pairs: u32, sums: usize, wide: bool): void {
  for (; tile < last; tile += 24) {
    const count = load<u32>(tile, 20);
    const a: usize = load<u32>(tile);
    const b0: usize = load<u32>(tile, 4);
    const b1: usize = load<u32>(tile, 8);
    const b2: usize = load<u32>(tile, 12);
    const b3: usize = load<u32>(tile, 16);
    if (wide) {
      addWideTile(a, b0, b1, pairs * 2, sums, count);
      if (count > 2) addWideTile(a, b2, b3, pairs * 2, sums + 32, count - 2);
    } else addTile(a, b0, b1, b2, b3, pairs, sums, count);
    sums += count * 16;
  }
}

/** Adds Σ a·b* over `pairs` pairs of cells for `count` of four rows b. */
function addTile(a: usize, b0: usize, b1: usize, b2: usize, b3: usize, pairs: u32, sums: usize, count: u32): void {
  // (re·re, im·im) of two cells, and (im·re, re·im).
  let s0 = f32x4.splat(0.0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  let t0 = s0;
  let t1 = s0;
  let t2 = s0;
  let t3 = s0;
  const end = a + pairs * 16;
  do {
    const x = v128.load(a);
    const y = v128.shuffle<f32>(x, x, 1, 0, 3, 2);
    const p = v128.load(b0);
    s0 = f32x4.add(s0, f32x4.mul(x, p));
    t0 = f32x4.add(t0, f32x4.mul(y, p));
    const q = v128.load(b1);
    s1 = f32x4.add(s1, f32x4.mul(x, q));
    t1 = f32x4.add(t1, f32x4.mul(y, q));
    const r = v128.load(b2);
    s2 = f32x4.add(s2, f32x4.mul(x, r));
    t2 = f32x4.add(t2, f32x4.mul(y, r));
    const s = v128.load(b3);
    s3 = f32x4.add(s3, f32x4.mul(x, s));
    t3 = f32x4.add(t3, f32x4.mul(y, s));
    a += 16;
    b0 += 16;
    b1 += 16;
    b2 += 16;
    b3 += 16;
  } while (a < end);
  addSum(sums, s0, t0);
  if (count > 1) addSum(sums + 16, s1, t1);
  if (count > 2) addSum(sums + 32, s2, t2);
  if (count > 3) addSum(sums + 48, s3, t3);
}

/** The same over cells in float64, for one or two of two rows b. */
function addWideTile(a: usize, b0: usize, b1: usize, cells: u32, sums: usize, count: u32): void {
  let s0 = f64x2.splat(0.0);
  let s1 = s0;
  let t0 = s0;
  let t1 = s0;
  const end = a + cells * 8;
  do {
    const x = f64x2.promote_low_f32x4(v128.load64_zero(a));
    const y = v128.shuffle<f64>(x, x, 1, 0);
    const p = f64x2.promote_low_f32x4(v128.load64_zero(b0));
    s0 = f64x2.add(s0, f64x2.mul(x, p));
    t0 = f64x2.add(t0, f64x2.mul(y, p));
    const q = f64x2.promote_low_f32x4(v128.load64_zero(b1));
    s1 = f64x2.add(s1, f64x2.mul(x, q));
    t1 = f64x2.add(t1, f64x2.mul(y, q));
    a += 8;
    b0 += 8;
    b1 += 8;
  } while (a < end);
  addWideSum(sums, s0, t0);
  if (count > 1) addWideSum(sums + 16, s1, t1);
}

function addWideSum(to: usize, s: v128, t: v128): void {
  const second = v128.xor(v128.shuffle<f64>(s, t, 1, 3), i64x2(0, i64.MIN_VALUE));
  v128.store(to, f64x2.add(v128.load(to), f64x2.add(v128.shuffle<f64>(s, t, 0, 2), second)));
}

/* @inline */
function addSum(to: usize, s: v128, t: v128): void {
  const re = f64x2.add(f64x2.promote_low_f32x4(s), f64x2.promote_low_f32x4(v128.shuffle<f32>(s, s, 2, 3, 2, 3)));
  const im = f64x2.add(f64x2.promote_low_f32x4(t), f64x2.promote_low_f32x4(v128.shuffle<f32>(t, t, 2, 3, 2, 3)));
  const first = v128.shuffle<f64>(re, im, 0, 2);
  const second = v128.shuffle<f64>(re, im, 1, 3);
  // Real parts are added, imaginary ones subtracted.
  const sign = i64x2(0, i64.MIN_VALUE);
  v128.store(to, f64x2.add(v128.load(to), f64x2.add(first, v128.xor(second, sign))));
}
