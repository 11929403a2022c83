/**
 * AssemblyScript: long lines as two passes that many threads may share, the four-step form (Bailey, "FFTs in external or hierarchical
 * memory", J. Supercomputing 4, 1990). A line of n = n1·n2 numbers is n1 rows of n2. The first pass transforms columns and puts column j,
 * its element k times exp(∓j2πjk/n), down as a row; the second transforms the columns of those rows, which become columns of
 * the result. An item is a tile of columns, in which a row is blocks of four real and then four imaginary parts; with real
 * lines, in the pass that takes spectra apart or puts them together, it is a tile and the one that mirrors it, side by side.
 * What the fields of a task are is said in `src/wasm/layouts.ts`.
 */
import { middle } from "./generated/codelets";
import { kinds, LinesPlan, LongTask, Stage, StagesProgram } from "./generated/records";
import { inspect, isZero, lowered, lowerLine, plain, raised, restore, takeAs, unraiseFlushed } from "./ranges";

/** Levels of a tile: nothing but zeros, as it was read, times 2^64, times 2^-96. They are bits: those of several may be joined. */
const zeros: u8 = 0;
const asRead: u8 = 1;
const up: u8 = 2;
const down: u8 = 4;

export function longItem(task: LongTask, item: u32, second: bool, work: usize): void {
  if (second) finishTile(task, item, work);
  else beginTile(task, item, work);
}

function beginTile(task: LongTask, item: u32, work: usize): void {
  const columns = task.firstColumns,
    wide = task.firstTileColumns,
    tiles = task.firstTiles;
  const along: usize = task.firstTurns;
  const hasMirror = along != 0;
  const line: usize = item / tiles;
  const index = item % tiles;
  const first = index * wide;
  const end = tileEnd(columns, first, wide, index + 1 == tiles, hasMirror);
  const groups = (end - first + 3) >> 2;
  // A last group that would reach beyond the line overlaps the one before.
  const isCut = !hasMirror && first + groups * 4 > columns;
  const last = isCut ? columns - 4 : first + groups * 4 - 4;
  const mirror = mirrorStart(columns, first, groups);
  const mirrorEnd = columns + 1 - max(first, 1);
  const mirrorFirst = columns + 1 - end;
  const plan = changetype<LinesPlan>(task.firstPlan);
  const inverse = plan.kind != kinds.Fft;
  const n: usize = plan.n;
  const from: usize = task.source + line * task.sourceLine;
  const fromRow: usize = columns * 8;
  const to: usize = task.between + line * task.betweenLine;
  const levels: usize = task.levels + line * task.levelsLine;
  const x: usize = work + task.tile,
    y: usize = work + task.otherTile;
  const half: usize = groups * 32;
  const pitch: usize = hasMirror ? half * 2 : half;
  // Transforms are forward: of an inverse the parts are exchanged, before the first stage and after the last.
  const re: usize = inverse ? 16 : 0;
  const packed: usize = hasMirror ? 0 : re;
  pack(from + first * 8, fromRow, x, pitch, n, groups - u32(isCut), packed);
  if (isCut) pack(from + last * 8, fromRow, x + half - 32, pitch, n, 1, packed);
  if (hasMirror) pack(from + mirror * 8, fromRow, x + half, pitch, n, groups, packed);
  const level = settle(x, (n * pitch) >> 2);
  memory.fill(levels + first, level, end - first);
  if (hasMirror) {
    memory.fill(levels + mirrorFirst, level, mirrorEnd - mirrorFirst);
    if (first == 0) dropImaginary(x, pitch, n);
    mirrored(along, task.columnTurns + first * 8, x, half, n, re);
  }
  const z = stages(plan, x, y, x, pitch);
  const factorsPitch: usize = (n + 4) * 32;
  let factors: usize = task.factors + (first >> 2) * factorsPitch;
  for (let g: u32 = 0; g < groups; g++, factors += factorsPitch) {
    const j = g + 1 < groups ? first + g * 4 : last;
    turnFour(task, z + g * 32, pitch, n, j, first, end, to, re, factors, work);
  }
  if (!hasMirror) return;
  // The factors of what mirrors the first group lie behind all groups', then that of the second one.
  factors = task.factors + (((columns >> 1) + 4) >> 2) * factorsPitch + ((first >> 2) + groups - 1) * factorsPitch;
  for (let g: u32 = 0; g < groups; g++, factors -= factorsPitch)
    turnFour(task, z + half + g * 32, pitch, n, mirror + g * 4, mirrorFirst, mirrorEnd, to, re, factors, work);
}

function finishTile(task: LongTask, item: u32, work: usize): void {
  const columns = task.secondColumns,
    wide = task.secondTileColumns,
    tiles = task.secondTiles;
  const along: usize = task.secondTurns;
  const hasMirror = along != 0;
  const line: usize = item / tiles;
  const index = item % tiles;
  const first = index * wide;
  const end = tileEnd(columns, first, wide, index + 1 == tiles, hasMirror);
  const groups = (end - first + 3) >> 2;
  const mirror = mirrorStart(columns, first, groups);
  const mirrorEnd = columns + 1 - max(first, 1);
  const mirrorFirst = columns + 1 - end;
  const plan = changetype<LinesPlan>(task.secondPlan);
  const inverse = plan.kind != kinds.Fft;
  const n: usize = plan.n;
  const to: usize = task.target + line * task.targetLine,
    toRow: usize = columns * 8;
  const levels: usize = task.levels + line * task.levelsLine;
  const half: usize = groups * 32;
  const pitch: usize = hasMirror ? half * 2 : half;
  const from: usize = task.between + line * task.betweenLine + first * n * (hasMirror ? 16 : 8);
  const re: usize = inverse ? 16 : 0;
  const level = joined(levels, n);
  if ((level & (level - 1)) != 0) {
    for (let i: usize = 0; i < n; i++) align(from + i * pitch, pitch >> 2, load<u8>(levels + i), level);
  }
  const z = stages(plan, from, work + task.tile, work + task.otherTile, pitch);
  if (hasMirror) {
    mirrored(along, task.columnTurns + first * 8, z, half, n, re);
    if (first == 0) dropImaginary(z, pitch, n);
  }
  if ((level & down) != 0) restore(lowered, z, (n * pitch) >> 2);
  else if (level == up) restore(raised, z, (n * pitch) >> 2);
  unpack(z, pitch, to + first * 8, toRow, n, 0, end - first, re);
  if (!hasMirror) return;
  unpack(z + half, pitch, to + mirror * 8, toRow, n, mirrorFirst - mirror, mirrorEnd - mirror, re);
  // Bin n1·n2 would be the next row's first.
  if (first == 0) putOne(z + n * pitch - 32 + 12, to + n * toRow, re);
}

/** Where a tile's columns end. Column c is mirrored by columns − c; the last tile has the middle one too, which mirrors itself as the first one does. */
function tileEnd(columns: u32, first: u32, wide: u32, isLast: bool, hasMirror: bool): u32 {
  if (!hasMirror) return min(first + wide, columns);
  return isLast ? (columns >> 1) + 1 : first + wide;
}

/** Where the columns begin that mirror those from `first` on, in groups of four: `columns` − first is the last. */
function mirrorStart(columns: u32, first: u32, groups: u32): u32 {
  return columns + 1 - first - groups * 4;
}

/** Rows of four columns each, `groups` of them, to blocks; real parts go to `re` of a block. */
function pack(src: usize, srcRow: usize, dst: usize, pitch: usize, n: usize, groups: u32, re: usize): void {
  const width = usize(groups) * 32;
  const im = 16 - re;
  for (let i: usize = 0; i < n; i++, src += srcRow, dst += pitch) {
    for (let o: usize = 0; o < width; o += 32) {
      const a = v128.load(src + o),
        b = v128.load(src + o, 16);
      v128.store(dst + o + re, v128.shuffle<f32>(a, b, 0, 2, 4, 6));
      v128.store(dst + o + im, v128.shuffle<f32>(a, b, 1, 3, 5, 7));
    }
  }
}

/** Columns `first` … `end` of a tile's to rows. */
function unpack(src: usize, pitch: usize, dst: usize, dstRow: usize, n: usize, first: u32, end: u32, re: usize): void {
  const im = 16 - re;
  const from = (first + 3) & ~3;
  const to = max(end & ~3, from);
  for (let i: usize = 0; i < n; i++, src += pitch, dst += dstRow) {
    for (let o: usize = from * 8; o < usize(to) * 8; o += 32) {
      const a = v128.load(src + o + re),
        b = v128.load(src + o + im);
      v128.store(dst + o, v128.shuffle<f32>(a, b, 0, 4, 1, 5));
      v128.store(dst + o, v128.shuffle<f32>(a, b, 2, 6, 3, 7), 16);
    }
    for (let c = first; c < min(from, end); c++) putOne(src + (c >> 2) * 32 + (c & 3) * 4, dst + c * 8, re);
    for (let c = to; c < end; c++) putOne(src + (c >> 2) * 32 + (c & 3) * 4, dst + c * 8, re);
  }
}

/** One lane of a block. */
function putOne(src: usize, dst: usize, re: usize): void {
  store<f32>(dst, load<f32>(src + re));
  store<f32>(dst, load<f32>(src + 16 - re), 4);
}

/** Takes a tile to a level where arithmetic is neither slow nor lossy; which, is returned. */
function settle(x: usize, count: usize): u8 {
  const way = inspect(x, count);
  if (way == plain) return isZero(x, count) ? zeros : asRead;
  takeAs(way, x, x, count);
  return way == raised ? up : way == lowered ? down : asRead;
}

/** A row at one of several joined levels goes to that of the largest. */
function align(x: usize, count: usize, level: u8, all: u8): void {
  if (level == up) unraiseFlushed(x, count);
  if ((level & (asRead | up)) != 0 && (all & down) != 0) lowerLine(x, count);
}

/** The levels of `count` columns, joined. Behind them lie zeros up to a multiple of sixteen. */
function joined(levels: usize, count: usize): u8 {
  let all = i8x16.splat(0);
  for (let i: usize = 0; i < count; i += 16) all = v128.or(all, v128.load(levels + i));
  let found: u8 = 0;
  for (let level: u8 = asRead; level <= down; level <<= 1) if (v128.any_true(v128.and(all, i8x16.splat(level)))) found |= level;
  return found;
}

/** All stages, for all columns of a tile, to y, then to x and in turn; returns the one that holds the result. */
function stages(plan: LinesPlan, from: usize, y: usize, x: usize, pitch: usize): usize {
  const program = changetype<StagesProgram>(plan.program);
  const count = program.stages;
  for (let k: u32 = 0; k < count; k++) {
    const stage = changetype<Stage>(changetype<usize>(program) + offsetof<StagesProgram>() + k * offsetof<Stage>());
    middle(stage.radix, from, y, (stage.step >> 5) * pitch, stage.m, stage.turns);
    from = y;
    y = x;
    x = from;
  }
  return from;
}

/** Of the spectrum of real numbers: the first bin, and the last one, which the tile that mirrors the first one ends with. */
function dropImaginary(x: usize, pitch: usize, n: usize): void {
  store<f32>(x, 0, 16);
  store<f32>(x + n * pitch - 4, 0);
}

/**
 * Between packed spectra and those of real lines, as `real.ts` does it: bin k·m + c, of element k of column c among m, goes with
 * element n − 1 − k of column m − c, which is the same lane counted from the tile's end. The results' real parts go to `re`.
 */
function mirrored(along: usize, across: usize, x: usize, half: usize, n: usize, re: usize): void {
  const pitch = half * 2;
  const im = 16 - re;
  const point5 = f32x4.splat(0.5);
  for (let o: usize = 0; o < half; o += 32) {
    const u = v128.load(across + o),
      v = v128.load(across + o, 16);
    const ownRe = v128.shuffle<f32>(u, v, 0, 2, 4, 6),
      ownIm = v128.shuffle<f32>(u, v, 1, 3, 5, 7);
    let a = x + o,
      b = x + n * pitch - 32 - o;
    for (let k: usize = 0; k < n; k++, a += pitch, b -= pitch) {
      const er = v128.load32_splat(along + k * 8),
        ei = v128.load32_splat(along + k * 8, 4);
      const tr = f32x4.sub(f32x4.mul(er, ownRe), f32x4.mul(ei, ownIm)),
        ti = f32x4.add(f32x4.mul(er, ownIm), f32x4.mul(ei, ownRe));
      const p = f32x4.mul(v128.load(b), point5),
        q = f32x4.mul(v128.load(b, 16), point5);
      const ar = f32x4.mul(v128.load(a), point5),
        ai = f32x4.mul(v128.load(a, 16), point5),
        br = v128.shuffle<f32>(p, p, 3, 2, 1, 0),
        bi = v128.shuffle<f32>(q, q, 3, 2, 1, 0);
      const sr = f32x4.add(ar, br),
        si = f32x4.sub(ai, bi);
      const dr = f32x4.sub(ar, br),
        di = f32x4.add(ai, bi);
      const yr = f32x4.sub(f32x4.mul(dr, tr), f32x4.mul(di, ti)),
        yi = f32x4.add(f32x4.mul(dr, ti), f32x4.mul(di, tr));
      const cr = f32x4.sub(sr, yr),
        ci = f32x4.sub(yi, si);
      v128.store(a + re, f32x4.add(sr, yr));
      v128.store(a + im, f32x4.add(si, yi));
      v128.store(b + re, v128.shuffle<f32>(cr, cr, 3, 2, 1, 0));
      v128.store(b + im, v128.shuffle<f32>(ci, ci, 3, 2, 1, 0));
    }
  }
}

/**
 * Four columns j … j + 3 of blocks, their elements k times the factors of the four at `factors`, as rows of the second pass's tiles; those
 * from `first` up to `end` are written.
 */
function turnFour(
  task: LongTask,
  x: usize,
  pitch: usize,
  n: usize,
  j: u32,
  first: u32,
  end: u32,
  to: usize,
  re: usize,
  factors: usize,
  work: usize,
): void {
  if (j >= end || j + 4 <= first) return;
  const im = 16 - re;
  const columns = u32(n),
    wide = task.secondTileColumns,
    tiles = task.secondTiles;
  const hasMirror = task.secondTurns != 0;
  const rows: usize = task.firstColumns;
  // Columns that are others' go nowhere: stores that depend on conditions would have what they store computed once for each.
  const nowhere: usize = work + task.nowhere;
  for (let tile: u32 = 0; tile < tiles; tile++) {
    const begin = tile * wide;
    const groups = (tileEnd(columns, begin, wide, tile + 1 == tiles, hasMirror) - begin + 3) >> 2;
    const toPitch: usize = groups * (hasMirror ? 64 : 32);
    const y = to + usize(begin) * rows * (hasMirror ? 16 : 8) + usize(j) * toPitch;
    const y0 = j >= first ? y : nowhere,
      y1 = j + 1 >= first && j + 1 < end ? y + toPitch : nowhere,
      y2 = j + 2 >= first && j + 2 < end ? y + 2 * toPitch : nowhere,
      y3 = j + 3 < end ? y + 3 * toPitch : nowhere;
    const mirror = mirrorStart(columns, begin, groups);
    for (let i: u32 = 0; i < u32(toPitch >> 3); i += 2) {
      const k: usize = i < groups * 4 ? begin + i : mirror + i - groups * 4;
      // Element n is what the first one's column is once more; beyond it nothing counts.
      const x0 = k < n ? x + k * pitch : x,
        x1 = k + 1 < n ? x + (k + 1) * pitch : x;
      const f = factors + k * 32;
      const fr = v128.load(f),
        fi = v128.load(f, 16),
        gr = v128.load(f, 32),
        gi = v128.load(f, 48);
      const ar = v128.load(x0 + re),
        ai = v128.load(x0 + im),
        br = v128.load(x1 + re),
        bi = v128.load(x1 + im);
      const pr = f32x4.sub(f32x4.mul(ar, fr), f32x4.mul(ai, fi)),
        pi = f32x4.add(f32x4.mul(ar, fi), f32x4.mul(ai, fr)),
        qr = f32x4.sub(f32x4.mul(br, gr), f32x4.mul(bi, gi)),
        qi = f32x4.add(f32x4.mul(br, gi), f32x4.mul(bi, gr));
      const lowRe = v128.shuffle<f32>(pr, qr, 0, 4, 1, 5),
        highRe = v128.shuffle<f32>(pr, qr, 2, 6, 3, 7),
        lowIm = v128.shuffle<f32>(pi, qi, 0, 4, 1, 5),
        highIm = v128.shuffle<f32>(pi, qi, 2, 6, 3, 7);
      const o: usize = (i >> 2) * 32 + (i & 2) * 4;
      v128.store64_lane(y0 + o + re, lowRe, 0);
      v128.store64_lane(y1 + o + re, lowRe, 1);
      v128.store64_lane(y2 + o + re, highRe, 0);
      v128.store64_lane(y3 + o + re, highRe, 1);
      v128.store64_lane(y0 + o + im, lowIm, 0);
      v128.store64_lane(y1 + o + im, lowIm, 1);
      v128.store64_lane(y2 + o + im, highIm, 0);
      v128.store64_lane(y3 + o + im, highIm, 1);
    }
  }
}
