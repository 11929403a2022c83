/**
 * AssemblyScript: transforms of a whole array as items that any thread may take, with load and store hooks of other modules
 * called through the table between them. An item is a line along the last axis, or a tile of adjacent columns along any
 * other; where results are turned, also a tile of adjacent lines; of long lines in two passes what `long.ts` says, which has
 * words of its own. Words of `argument` (all 32 bits, addresses and distances in bytes; `src/wasm/lines-task.ts` writes
 * them):
 *   0 way · 4 plan · 8, 12 source and pitch · 16, 20 target and pitch · 24, 28 filter and pitch (0: one for all)
 *   32, 36 work and bytes of it for a unit · 40, 44, 48 source, target and filter from one outer index to the next
 *   52 adjacent lines · 56 lines of a tile · 60 tiles across · 64, 68 load hook and its argument · 72, 76 where loaded lines
 *   lie in work and their pitch · 80, 84 store hook and its argument · 88, 92 where results lie in work and their pitch
 *   96 elements loaded of a line · 100 elements stored of a line · 104, 108 bytes of an element in and out · 112, 116 where a
 *   tile that is to be turned lies in work and its pitch
 */
// @ts-nocheck
import { columns, columnsToRows, rows } from "./kernels";
import { longItem } from "./long";
import { gather, scatter } from "./ranges";

/** Ways, as `lineWays` and `long-task.ts` say. The target's pitch is between rows as they are written. */
const ofRows: u32 = 0;
const ofTurnedRows: u32 = 2;
const ofTurnedColumns: u32 = 3;
const ofLongLinesFirst: u32 = 4;
const ofLongLinesSecond: u32 = 5;

/** Lines that go through a hook together: what the kernels take at once of the shortest. */
const batch: u32 = 4;

export function linesTask(argument: usize, start: u32, end: u32, unit: u32): void {
  const work: usize = usize(load<u32>(argument, 32)) + usize(unit) * usize(load<u32>(argument, 36));
  const way = load<u32>(argument);
  if (way == ofRows) {
    const pitch: usize = load<u32>(argument, 20);
    lines(argument, start, end, usize(load<u32>(argument, 16)) + start * pitch, pitch, work);
  } else if (way == ofLongLinesFirst || way == ofLongLinesSecond) {
    for (let item = start; item < end; item++) longItem(argument, item, way == ofLongLinesSecond, work);
  } else if (way == ofTurnedRows) for (let item = start; item < end; item++) turnedRowItem(argument, item, work);
  else for (let item = start; item < end; item++) columnItem(argument, item, way == ofTurnedColumns, work);
}

/** Contiguous lines `start` … `end`, the first one's results to `dst`. */
function lines(argument: usize, start: u32, end: u32, dst: usize, dstPitch: usize, work: usize): void {
  const plan: usize = load<u32>(argument, 4);
  const src: usize = load<u32>(argument, 8),
    srcPitch: usize = load<u32>(argument, 12);
  const h: usize = load<u32>(argument, 24),
    hPitch: usize = load<u32>(argument, 28);
  const loadHook = load<u32>(argument, 64),
    storeHook = load<u32>(argument, 80);
  if (!loadHook && !storeHook) {
    rows(plan, src + start * srcPitch, srcPitch, dst, dstPitch, end - start, h + start * hPitch, hPitch, work);
    return;
  }
  const loadArgument: usize = load<u32>(argument, 68),
    storeArgument: usize = load<u32>(argument, 84);
  const loaded: usize = work + load<u32>(argument, 72),
    loadedPitch: usize = load<u32>(argument, 76);
  const results: usize = work + load<u32>(argument, 88),
    resultsPitch: usize = load<u32>(argument, 92);
  const extent = load<u32>(argument, 96),
    kept = load<u32>(argument, 100);
  for (let line = start; line < end; line += batch, dst += batch * dstPitch) {
    const count = min(batch, end - line);
    if (loadHook) {
      for (let i: u32 = 0; i < count; i++)
        call_indirect<void>(loadHook, loadArgument, (line + i) * extent, extent, loaded + i * loadedPitch);
    }
    rows(
      plan,
      loadHook ? loaded : src + line * srcPitch,
      loadHook ? loadedPitch : srcPitch,
      storeHook ? results : dst,
      storeHook ? resultsPitch : dstPitch,
      count,
      h + line * hPitch,
      hPitch,
      work,
    );
    if (storeHook) {
      for (let i: u32 = 0; i < count; i++)
        call_indirect<void>(storeHook, storeArgument, (line + i) * kept, kept, results + i * resultsPitch, dst + i * dstPitch);
    }
  }
}

/** A tile of adjacent lines, which becomes as many columns of the target. */
function turnedRowItem(argument: usize, item: u32, work: usize): void {
  const adjacent = load<u32>(argument, 52),
    wide = load<u32>(argument, 56),
    tiles = load<u32>(argument, 60);
  const outer = item / tiles;
  const first = (item % tiles) * wide;
  const width = min(wide, adjacent - first);
  const tile: usize = work + load<u32>(argument, 112),
    tilePitch: usize = load<u32>(argument, 116);
  const elementOut: usize = load<u32>(argument, 108);
  const dst: usize = load<u32>(argument, 16) + outer * load<u32>(argument, 44) + first * elementOut;
  const line = outer * adjacent + first;
  lines(argument, line, line + width, tile, tilePitch, work);
  scatter(tile, tilePitch, dst, load<u32>(argument, 20), load<u32>(argument, 100), width, elementOut);
}

/** A tile of adjacent columns, which stay columns of the target or become rows. */
function columnItem(argument: usize, item: u32, turned: bool, work: usize): void {
  const plan: usize = load<u32>(argument, 4);
  const inners = load<u32>(argument, 52),
    wide = load<u32>(argument, 56),
    tiles = load<u32>(argument, 60);
  const outer = item / tiles;
  const first = (item % tiles) * wide;
  const width = min(wide, inners - first);
  const dstPitch: usize = load<u32>(argument, 20),
    hPitch: usize = load<u32>(argument, 28);
  const elementIn: usize = load<u32>(argument, 104),
    elementOut: usize = load<u32>(argument, 108);
  let from: usize = load<u32>(argument, 8) + outer * load<u32>(argument, 40) + first * elementIn;
  let fromPitch: usize = load<u32>(argument, 12);
  const dst: usize = load<u32>(argument, 16) + outer * load<u32>(argument, 44) + first * (turned ? dstPitch : elementOut);
  const h: usize = load<u32>(argument, 24) + (hPitch ? outer * load<u32>(argument, 48) + first * 8 : 0);
  const loadHook = load<u32>(argument, 64),
    storeHook = load<u32>(argument, 80);
  if (loadHook) {
    const loadArgument: usize = load<u32>(argument, 68),
      extent = load<u32>(argument, 96);
    from = work + load<u32>(argument, 72);
    fromPitch = width * 8;
    for (let k: u32 = 0; k < extent; k++) {
      call_indirect<void>(loadHook, loadArgument, (outer * extent + k) * inners + first, width, from + k * fromPitch);
    }
  }
  if (!storeHook) {
    if (turned) columnsToRows(plan, from, fromPitch, dst, dstPitch, width, h, hPitch, work);
    else columns(plan, from, fromPitch, dst, dstPitch, width, h, hPitch, work);
    return;
  }
  const storeArgument: usize = load<u32>(argument, 84),
    kept = load<u32>(argument, 100);
  const results: usize = work + load<u32>(argument, 88);
  const resultsPitch: usize = width * 8;
  const stored: usize = turned ? work + load<u32>(argument, 112) : dst;
  const storedPitch: usize = turned ? load<u32>(argument, 116) : dstPitch;
  columns(plan, from, fromPitch, results, resultsPitch, width, h, hPitch, work);
  for (let k: u32 = 0; k < kept; k++) {
    call_indirect<void>(
      storeHook,
      storeArgument,
      (outer * kept + k) * inners + first,
      width,
      results + k * resultsPitch,
      stored + k * storedPitch,
    );
  }
  if (turned) gather(stored, storedPitch, dst, dstPitch, kept, width, elementOut);
}
