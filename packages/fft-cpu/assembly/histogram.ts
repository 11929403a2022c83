/**
 * AssemblyScript: histograms. Each item counts a part of the array in tables of its own, which the last task adds. Values that follow each other
 * count in different tables, so that equal ones need not wait for each other.
 */
import { ElementSource, HistogramTask } from "./generated/reduce-records";
import { fetch, pieceElements } from "./reduce-elements";

function count(table: usize, bin: u32): void {
  const at = table + 4 * usize(bin);
  store<u32>(at, load<u32>(at) + 1);
}

/** An item of the first task is `length` elements; of the last, 1024 bins. */
export function histogramTask(task: HistogramTask, start: u32, end: u32, unit: u32): void {
  const work: usize = usize(task.work) + usize(unit) * usize(task.workPitch);
  const from = changetype<ElementSource>(task);
  const bins = task.bins,
    copies = task.copies;
  const pitch: usize = 4 * usize(bins);
  const low = f32x4.splat(task.low),
    scale = f32x4.splat(task.scale),
    last = f32x4.splat(f32(bins - 1));
  for (let item = start; item < end; item++) {
    if (task.last) {
      const stop = min(bins, (item + 1) * 1024);
      for (let bin = item * 1024; bin < stop; bin++) {
        let sum: u32 = 0;
        for (let t: u32 = 0; t < task.items * copies; t++) sum += load<u32>(task.tables + usize(t) * pitch + 4 * usize(bin));
        store<u32>(task.target + 4 * usize(bin), sum);
      }
      continue;
    }
    const tables: usize = task.tables + usize(item) * usize(copies) * pitch;
    memory.fill(tables, 0, usize(copies) * pitch);
    const a = tables,
      b = copies > 1 ? a + pitch : a,
      c = copies > 1 ? b + pitch : a,
      d = copies > 1 ? c + pitch : a;
    const stop = min(task.total, (item + 1) * task.length);
    for (let place = item * task.length; place < stop; ) {
      const n = min(pieceElements, stop - place);
      const x = fetch(from, false, place, n, work, 0);
      let i: u32 = 0;
      for (; i + 4 <= n; i += 4) {
        const value = v128.load(x + 4 * usize(i));
        const at = f32x4.mul(f32x4.sub(value, low), scale);
        const bin = i32x4.trunc_sat_f32x4_u(f32x4.pmin(last, f32x4.pmax(f32x4.splat(0), at)));
        // NaN counts nowhere.
        const isNumber = f32x4.eq(at, at);
        if (i32x4.all_true(isNumber)) {
          count(a, i32x4.extract_lane(bin, 0));
          count(b, i32x4.extract_lane(bin, 1));
          count(c, i32x4.extract_lane(bin, 2));
          count(d, i32x4.extract_lane(bin, 3));
        } else {
          if (i32x4.extract_lane(isNumber, 0)) count(a, i32x4.extract_lane(bin, 0));
          if (i32x4.extract_lane(isNumber, 1)) count(b, i32x4.extract_lane(bin, 1));
          if (i32x4.extract_lane(isNumber, 2)) count(c, i32x4.extract_lane(bin, 2));
          if (i32x4.extract_lane(isNumber, 3)) count(d, i32x4.extract_lane(bin, 3));
        }
      }
      for (; i < n; i++) {
        const at = (load<f32>(x + 4 * usize(i)) - task.low) * task.scale;
        if (at == at) count(a, u32(min(f32(bins - 1), max(f32(0), at))));
      }
      place += n;
    }
  }
}
