/**
 * AssemblyScript, the module's entry: batches of lines by a plan that lies in memory (its fields: `src/wasm/layouts.ts`). Each line is
 * read whole before any of it is written, so that `dst` may be `src`. `work` is the caller's own for the call; plans are
 * only read, by as many threads as there are.
 */
import { GroupLines, kinds, LinesPlan, ProgramHead, StagesProgram } from "./generated/records";
import { bridged, groupOf, multiply, transform } from "./lines";
import { gather, inspect, plain, restore, scatter, takeAs } from "./ranges";
import { mirror, narrow, tangle, untangle, widen } from "./real";

/** Lines of contiguous elements, `srcPitch` and `dstPitch` bytes apart; line i has the filter at h + i·hPitch. */
export function rows(
  plan: LinesPlan,
  src: usize,
  srcPitch: usize,
  dst: usize,
  dstPitch: usize,
  lines: u32,
  h: usize,
  hPitch: usize,
  work: usize,
): void {
  const kind = plan.kind;
  const program = changetype<ProgramHead>(plan.program);
  const inverse = plan.inverse;
  const group = groupOf(program);
  const available: usize = plan.available;
  const needed: usize = plan.needed;
  const keepStart: usize = plan.keepStart;
  const keepCount: usize = plan.keepCount;
  const produced: usize = plan.produced;
  const stage = work + plan.stage;
  const stagePitch: usize = plan.stagePitch;
  const whole = keepCount === produced;
  // Addresses of the group's lines: taken from, staged at, put to, filters.
  const from = work + offsetof<GroupLines>("from"),
    staged = work + offsetof<GroupLines>("staged"),
    to = work + offsetof<GroupLines>("to"),
    filters = work + offsetof<GroupLines>("filters");
  let ways: u32 = 0;
  for (let start: u32 = 0; start < lines; start += group) {
    ways = 0;
    for (let lane: usize = 0; lane < group; lane++) {
      const line = min(usize(start) + lane, usize(lines - 1));
      const x = src + line * srcPitch;
      const s = stage + lane * stagePitch;
      const way = inspect(x, available);
      ways |= way << u32(2 * lane);
      const copied = way !== plain || available < needed;
      if (copied) {
        takeAs(way, s, x, available);
        memory.fill(s + available * 4, 0, (needed - available) * 4);
      }
      store<u32>(from + lane * 4, copied ? s : x);
      store<u32>(staged + lane * 4, s);
      store<u32>(to + lane * 4, whole ? dst + line * dstPitch : s);
      store<u32>(filters + lane * 4, h + line * hPitch);
    }
    if (kind < kinds.Filter) transform(program, kind, from, to, filters, work);
    else if (kind === kinds.FilterInverse) transform(program, 2, from, to, filters, work);
    else if (kind === kinds.Filter && inverse !== 0) {
      const forward = changetype<StagesProgram>(program);
      bridged(forward, changetype<StagesProgram>(inverse), load<u32>(from), load<u32>(to), load<u32>(filters), work);
    } else if (kind === kinds.Filter) {
      transform(program, 0, from, staged, filters, work);
      transform(program, 2, staged, to, filters, work);
    } else real(plan, kind === kinds.RealFft, program, group, from, staged, to, work);
    if (whole && ways === 0) continue;
    for (let lane: usize = 0; lane < group && usize(start) + lane < usize(lines); lane++) {
      const y = dst + usize(start + lane) * dstPitch;
      if (!whole) memory.copy(y, load<u32>(to + lane * 4) + keepStart * 4, keepCount * 4);
      restore((ways >> u32(2 * lane)) & 3, y, keepCount);
    }
  }
}

/** Lines of n complex numbers times those of h, element by element; `dst` may be `src`. */
export function multiplyRows(
  n: usize,
  src: usize,
  srcPitch: usize,
  dst: usize,
  dstPitch: usize,
  lines: u32,
  h: usize,
  hPitch: usize,
): void {
  for (let i: usize = 0; i < usize(lines); i++) multiply(dst + i * dstPitch, src + i * srcPitch, h + i * hPitch, n, false, false);
}

function real(plan: LinesPlan, forward: bool, program: ProgramHead, group: u32, from: usize, staged: usize, to: usize, work: usize): void {
  const n: usize = plan.n;
  const table: usize = plan.realTurns;
  const isEven = (n & 1) === 0;
  const h = n >> 1;
  if (forward) {
    if (isEven) transform(program, 0, from, staged, from, work);
    else {
      for (let lane: usize = 0; lane < group; lane++) widen(load<u32>(from + lane * 4), load<u32>(staged + lane * 4), n);
      transform(program, 0, staged, staged, from, work);
    }
    for (let lane: usize = 0; lane < group; lane++) {
      const s: usize = load<u32>(staged + lane * 4);
      const y: usize = load<u32>(to + lane * 4);
      if (isEven) untangle(s, y, h, table);
      else if (y !== s) memory.copy(y, s, (h + 1) * 8);
    }
    return;
  }
  for (let lane: usize = 0; lane < group; lane++) {
    const x: usize = load<u32>(from + lane * 4);
    const s: usize = load<u32>(staged + lane * 4);
    if (isEven) tangle(x, s, h, table);
    else mirror(x, s, n);
  }
  if (isEven) transform(program, 1, staged, to, from, work);
  else {
    transform(program, 1, staged, staged, from, work);
    for (let lane: usize = 0; lane < group; lane++) narrow(load<u32>(staged + lane * 4), load<u32>(to + lane * 4), n);
  }
}

/**
 * `count` adjacent columns: element i of column c at src + i·srcStride + c·(element's bytes). With hStride 0 all columns have the one
 * contiguous filter at h, else element i of column c has h + i·hStride + 8c.
 */
export function columns(
  plan: LinesPlan,
  src: usize,
  srcStride: usize,
  dst: usize,
  dstStride: usize,
  count: u32,
  h: usize,
  hStride: usize,
  work: usize,
): void {
  const inBytes: usize = plan.elementIn;
  const outBytes: usize = plan.elementOut;
  const tile = work + plan.tile;
  const pitch: usize = plan.tilePitch;
  const widest: u32 = plan.tileColumns;
  const hTile = work + plan.filterTile;
  const n: usize = plan.n;
  const available = (usize(plan.available) * 4) / inBytes;
  const kept = (usize(plan.keepCount) * 4) / outBytes;
  for (let column: u32 = 0; column < count; column += widest) {
    const width: usize = min(widest, count - column);
    gather(src + column * inBytes, srcStride, tile, pitch, available, width, inBytes);
    if (hStride !== 0) gather(h + column * 8, hStride, hTile, pitch, n, width, 8);
    rows(plan, tile, pitch, tile, pitch, u32(width), hStride !== 0 ? hTile : h, hStride !== 0 ? pitch : 0, work);
    scatter(tile, pitch, dst + column * outBytes, dstStride, kept, width, outBytes);
  }
}

/** As `columns`, of complex numbers, with column c's results as a contiguous line at dst + c·dstPitch. */
export function columnsToRows(
  plan: LinesPlan,
  src: usize,
  srcStride: usize,
  dst: usize,
  dstPitch: usize,
  count: u32,
  h: usize,
  hStride: usize,
  work: usize,
): void {
  const tile = work + plan.tile;
  const pitch: usize = plan.tilePitch;
  const widest: u32 = plan.tileColumns;
  const hTile = work + plan.filterTile;
  const n: usize = plan.n;
  const available = usize(plan.available) / 2;
  for (let column: u32 = 0; column < count; column += widest) {
    const width: usize = min(widest, count - column);
    gather(src + column * 8, srcStride, tile, pitch, available, width, 8);
    if (hStride !== 0) gather(h + column * 8, hStride, hTile, pitch, n, width, 8);
    rows(plan, tile, pitch, dst + column * dstPitch, dstPitch, u32(width), hStride !== 0 ? hTile : h, hStride !== 0 ? pitch : 0, work);
  }
}

export { convertTask, multiplyTask, turnTask } from "./arrays";
export { linesTask } from "./task";
