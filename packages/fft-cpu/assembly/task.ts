/**
 * AssemblyScript: transforms of a whole array, divided into items that any thread may take. Hooks of other modules (loads, filters,
 * stores) are called through the function table. An item is a line along the last axis, or a tile of adjacent columns along another axis; for a
 * corner turn also a tile of adjacent lines. Long lines in two passes have a task of their own (`long.ts`). `src/wasm/layouts.ts`
 * describes the fields of tasks.
 */
import { LinesPlan, LinesTask, LongTask, lineWays, TaskHead } from "./generated/records";
import { columns, columnsToRows, rows } from "./kernels";
import { longItem } from "./long";
import { gather, scatter } from "./ranges";

/** Number of lines that a hook gets together: as many short lines as the kernels transform at once. */
const batch: u32 = 4;

export function linesTask(head: TaskHead, start: u32, end: u32, unit: u32): void {
  const work: usize = usize(head.work) + usize(unit) * usize(head.workPitch);
  const way = head.way;
  if (way == lineWays.LongFirst || way == lineWays.LongSecond) {
    const task = changetype<LongTask>(head);
    for (let item = start; item < end; item++) longItem(task, item, way == lineWays.LongSecond, work);
    return;
  }
  const task = changetype<LinesTask>(head);
  if (way == lineWays.Rows) {
    const pitch: usize = task.targetPitch;
    lines(task, start, end, usize(task.target) + start * pitch, pitch, work);
  } else if (way == lineWays.CornerTurnedRows) for (let item = start; item < end; item++) turnedRowItem(task, item, work);
  else for (let item = start; item < end; item++) columnItem(task, item, way == lineWays.CornerTurnedColumns, work);
}

/** Transforms the contiguous lines `start` to `end` − 1. The result of the first goes to `dst`. */
function lines(task: LinesTask, start: u32, end: u32, dst: usize, dstPitch: usize, work: usize): void {
  const plan = changetype<LinesPlan>(task.plan);
  const src: usize = task.source,
    srcPitch: usize = task.sourcePitch;
  const h: usize = task.filter,
    hPitch: usize = task.filterPitch;
  const loadHook = task.loadHook,
    filterHook = task.filterHook,
    storeHook = task.storeHook;
  if (!loadHook && !filterHook && !storeHook) {
    rows(plan, src + start * srcPitch, srcPitch, dst, dstPitch, end - start, h + start * hPitch, hPitch, work);
    return;
  }
  const loadArgument: usize = task.loadArgument,
    filterArgument: usize = task.filterArgument,
    storeArgument: usize = task.storeArgument;
  const loaded: usize = work + task.loaded,
    loadedPitch: usize = task.loadedPitch;
  const filters: usize = work + task.filters,
    filtersPitch: usize = task.filtersPitch;
  const results: usize = work + task.results,
    resultsPitch: usize = task.resultsPitch;
  const extent = task.loadedCount,
    kept = task.storedCount,
    n = plan.n;
  for (let line = start; line < end; line += batch, dst += batch * dstPitch) {
    const count = min(batch, end - line);
    if (loadHook) {
      for (let i: u32 = 0; i < count; i++)
        call_indirect<void>(loadHook, loadArgument, (line + i) * extent, extent, loaded + i * loadedPitch);
    }
    if (filterHook) {
      for (let i: u32 = 0; i < count; i++) call_indirect<void>(filterHook, filterArgument, (line + i) * n, n, filters + i * filtersPitch);
    }
    rows(
      plan,
      loadHook ? loaded : src + line * srcPitch,
      loadHook ? loadedPitch : srcPitch,
      storeHook ? results : dst,
      storeHook ? resultsPitch : dstPitch,
      count,
      filterHook ? filters : h + line * hPitch,
      filterHook ? filtersPitch : hPitch,
      work,
    );
    if (storeHook) {
      for (let i: u32 = 0; i < count; i++)
        call_indirect<void>(storeHook, storeArgument, (line + i) * kept, kept, results + i * resultsPitch, dst + i * dstPitch);
    }
  }
}

/** Transforms a tile of adjacent lines, which become columns of the target. */
function turnedRowItem(task: LinesTask, item: u32, work: usize): void {
  const adjacent = task.adjacent,
    wide = task.tileLines,
    tiles = task.tiles;
  const outer = item / tiles;
  const first = (item % tiles) * wide;
  const width = min(wide, adjacent - first);
  const tile: usize = work + task.tile,
    tilePitch: usize = task.tilePitch;
  const elementOut: usize = task.elementOut;
  const dst: usize = task.target + outer * task.targetOuter + first * elementOut;
  const line = outer * adjacent + first;
  lines(task, line, line + width, tile, tilePitch, work);
  scatter(tile, tilePitch, dst, task.targetPitch, task.storedCount, width, elementOut);
}

/** Calls a hook that computes `count` elements from `start`, once for each row of the last axis that they lie in. */
function compute(hook: u32, argument: usize, start: u32, count: u32, row: u32, out: usize): void {
  while (count > 0) {
    const run = min(count, row - (start % row));
    call_indirect<void>(hook, argument, start, run, out);
    start += run;
    count -= run;
    out += run * 8;
  }
}

/** The same for a hook that maps results at `from` to elements of `elementOut` bytes. */
function map(hook: u32, argument: usize, start: u32, count: u32, row: u32, from: usize, out: usize, elementOut: usize): void {
  while (count > 0) {
    const run = min(count, row - (start % row));
    call_indirect<void>(hook, argument, start, run, from, out);
    start += run;
    count -= run;
    from += run * 8;
    out += run * elementOut;
  }
}

/** Transforms a tile of adjacent columns, which stay columns of the target or become rows. */
function columnItem(task: LinesTask, item: u32, turned: bool, work: usize): void {
  const plan = changetype<LinesPlan>(task.plan);
  const inners = task.adjacent,
    wide = task.tileLines,
    tiles = task.tiles;
  const outer = item / tiles;
  const first = (item % tiles) * wide;
  const width = min(wide, inners - first);
  const dstPitch: usize = task.targetPitch;
  const elementIn: usize = task.elementIn,
    elementOut: usize = task.elementOut;
  let from: usize = task.source + outer * task.sourceOuter + first * elementIn;
  let fromPitch: usize = task.sourcePitch;
  const dst: usize = task.target + outer * task.targetOuter + first * (turned ? dstPitch : elementOut);
  let hPitch: usize = task.filterPitch;
  let h: usize = task.filter + (hPitch ? outer * task.filterOuter + first * 8 : 0);
  const loadHook = task.loadHook,
    filterHook = task.filterHook,
    storeHook = task.storeHook,
    row = task.row;
  if (loadHook) {
    const loadArgument: usize = task.loadArgument,
      extent = task.loadedCount;
    from = work + task.loaded;
    fromPitch = width * 8;
    for (let k: u32 = 0; k < extent; k++) {
      compute(loadHook, loadArgument, (outer * extent + k) * inners + first, width, row, from + k * fromPitch);
    }
  }
  if (filterHook) {
    const filterArgument: usize = task.filterArgument,
      n = plan.n;
    h = work + task.filters;
    hPitch = width * 8;
    for (let k: u32 = 0; k < n; k++) {
      compute(filterHook, filterArgument, (outer * n + k) * inners + first, width, row, h + k * hPitch);
    }
  }
  if (!storeHook) {
    if (turned) columnsToRows(plan, from, fromPitch, dst, dstPitch, width, h, hPitch, work);
    else columns(plan, from, fromPitch, dst, dstPitch, width, h, hPitch, work);
    return;
  }
  const storeArgument: usize = task.storeArgument,
    kept = task.storedCount;
  const results: usize = work + task.results;
  const resultsPitch: usize = width * 8;
  const stored: usize = turned ? work + task.tile : dst;
  const storedPitch: usize = turned ? task.tilePitch : dstPitch;
  columns(plan, from, fromPitch, results, resultsPitch, width, h, hPitch, work);
  for (let k: u32 = 0; k < kept; k++) {
    map(
      storeHook,
      storeArgument,
      (outer * kept + k) * inners + first,
      width,
      row,
      results + k * resultsPitch,
      stored + k * storedPitch,
      elementOut,
    );
  }
  if (turned) gather(stored, storedPitch, dst, dstPitch, kept, width, elementOut);
}
