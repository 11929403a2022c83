/**
 * AssemblyScript: reductions. An item is some results of one part of their elements. Numbers are added in f32 in short blocks, and the
 * sums of blocks in f64, so that the result depends on the array's shape only. `src/wasm/reduce-layouts.ts` describes the fields of tasks.
 */
import { ElementSource, ReduceTask, reductions } from "./generated/reduce-records";
import { fetch, ownWork, pieceElements, placeOf } from "./reduce-elements";

export { histogramTask } from "./histogram";

/** Vectors that are added one after the other in f32. */
const chain: u32 = 32;

/** Adds the sums of even and of odd lanes to two f64 numbers. */
/* @inline */ function addLanes(sums: v128, total: v128): v128 {
  return f64x2.add(total, f64x2.add(f64x2.promote_low_f32x4(sums), f64x2.promote_low_f32x4(v128.shuffle<u64>(sums, sums, 1, 1))));
}

/* @inline */ function term(x: usize, y: usize, what: u32, swapped: bool): v128 {
  const a = v128.load(x);
  if (what == reductions.Sum) return a;
  const b = what == reductions.Product ? v128.load(y) : a;
  return f32x4.mul(a, swapped ? v128.shuffle<f32>(b, b, 1, 0, 3, 2) : b);
}

/** The sums of the terms with even and with odd numbers. If `swapped`, the second factors are exchanged in pairs. */
/* @inline */ function sumTerms(what: u32, swapped: bool, x: usize, y: usize, count: u32): v128 {
  let total = f64x2.splat(0);
  let i: u32 = 0;
  while (i + 32 <= count) {
    const end = min(i + 32 * chain, count - (count & 31));
    let a = f32x4.splat(0),
      b = a,
      c = a,
      d = a,
      e = a,
      f = a,
      g = a,
      h = a;
    for (; i < end; i += 32, x += 128, y += 128) {
      a = f32x4.add(a, term(x, y, what, swapped));
      b = f32x4.add(b, term(x + 16, y + 16, what, swapped));
      c = f32x4.add(c, term(x + 32, y + 32, what, swapped));
      d = f32x4.add(d, term(x + 48, y + 48, what, swapped));
      e = f32x4.add(e, term(x + 64, y + 64, what, swapped));
      f = f32x4.add(f, term(x + 80, y + 80, what, swapped));
      g = f32x4.add(g, term(x + 96, y + 96, what, swapped));
      h = f32x4.add(h, term(x + 112, y + 112, what, swapped));
    }
    a = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    e = f32x4.add(f32x4.add(e, f), f32x4.add(g, h));
    total = addLanes(f32x4.add(a, e), total);
  }
  let rest = f32x4.splat(0);
  for (; i + 4 <= count; i += 4, x += 16, y += 16) rest = f32x4.add(rest, term(x, y, what, swapped));
  total = addLanes(rest, total);
  for (; i < count; i++, x += 4, y += 4) {
    const a = load<f32>(x);
    const other: usize = swapped ? (i & 1 ? -4 : 4) : 0;
    const b: f32 = what == reductions.Sum ? 1 : load<f32>((what == reductions.Product ? y : x) + other);
    const one = f64(what == reductions.Sum ? a : a * b);
    total = f64x2.add(total, i & 1 ? f64x2(0, one) : f64x2(one, 0));
  }
  return total;
}

/** Versions of it that the compiler specialises. */
function sumPlain(x: usize, count: u32): v128 {
  return sumTerms(reductions.Sum, false, x, x, count);
}
function sumSquares(x: usize, count: u32): v128 {
  return sumTerms(reductions.Squares, false, x, x, count);
}
function sumProducts(x: usize, y: usize, count: u32): v128 {
  return sumTerms(reductions.Product, false, x, y, count);
}
function sumSwapped(x: usize, y: usize, count: u32): v128 {
  return sumTerms(reductions.Product, true, x, y, count);
}

/** A product of complex numbers from the sums of the products of their parts: Σac, Σbd and Σad, Σbc. */
function complexOf(same: v128, swapped: v128, conjugate: u32): v128 {
  const ac = f64x2.extract_lane(same, 0),
    bd = f64x2.extract_lane(same, 1);
  const ad = f64x2.extract_lane(swapped, 0),
    bc = f64x2.extract_lane(swapped, 1);
  return conjugate ? f64x2(ac + bd, bc - ad) : f64x2(ac - bd, ad + bc);
}

function together(pair: v128): v128 {
  return f64x2(f64x2.extract_lane(pair, 0) + f64x2.extract_lane(pair, 1), 0);
}

/** The sum of a run of elements. */
function sumOf(task: ReduceTask, x: usize, y: usize, elements: u32): v128 {
  const what = task.what;
  const isReal = task.numbers == 1;
  const count = elements * task.numbers;
  if (what == reductions.Sum) return isReal ? together(sumPlain(x, count)) : sumPlain(x, count);
  if (what == reductions.Squares) return together(sumSquares(x, count));
  const same = sumProducts(x, y, count);
  return isReal ? together(same) : complexOf(same, sumSwapped(x, y, count), task.conjugate);
}

/** The largest of some numbers, not counting NaN. */
function largest(x: usize, count: u32): f32 {
  let a = f32x4.splat(-Infinity),
    b = a,
    c = a,
    d = a;
  let i: u32 = 0;
  for (; i + 16 <= count; i += 16, x += 64) {
    a = f32x4.pmax(a, v128.load(x));
    b = f32x4.pmax(b, v128.load(x, 16));
    c = f32x4.pmax(c, v128.load(x, 32));
    d = f32x4.pmax(d, v128.load(x, 48));
  }
  a = f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d));
  a = f32x4.pmax(a, v128.shuffle<u64>(a, a, 1, 0));
  a = f32x4.pmax(a, v128.shuffle<f32>(a, a, 1, 0, 3, 2));
  let most = f32x4.extract_lane(a, 0);
  for (; i < count; i++, x += 4) {
    const value = load<f32>(x);
    if (value > most) most = value;
  }
  return most;
}

/** Writes a result: to the target, or if there are several parts to the partial results. */
function finish(task: ReduceTask, output: u32, chunk: u32, result: v128): void {
  if (task.chunks > 1) v128.store(task.partial + 16 * (usize(chunk) * task.outputs + output), result);
  else writeResult(task, output, result);
}

function writeResult(task: ReduceTask, output: u32, result: v128): void {
  const target: usize = task.target;
  const first = f64x2.extract_lane(result, 0),
    second = f64x2.extract_lane(result, 1);
  if (task.what == reductions.Argmax) store<u32>(target + 4 * usize(output), u32(second));
  else if (task.numbers == 1 || task.what == reductions.Squares) store<f32>(target + 4 * usize(output), f32(first));
  else {
    store<f32>(target + 8 * usize(output), f32(first));
    store<f32>(target + 8 * usize(output), f32(second), 4);
  }
}

/** Reduces elements `start` to `end` − 1 of a result, which lie in runs of neighbours. */
function rowResult(task: ReduceTask, output: u32, start: u32, end: u32, work: usize): v128 {
  const what = task.what,
    run = task.run;
  const from = changetype<ElementSource>(task);
  const base = placeOf(task.kept, task.keptAxes, output);
  const isSum = what <= reductions.Product;
  let total = isSum ? f64x2(0, 0) : f64x2(-Infinity, start);
  // Long pieces need fewer calls, but only what is in place needs no work memory.
  const most: u32 = from.reading == 0 ? 4096 : pieceElements;
  for (let r = start; r < end; ) {
    const count = min(min(run - (r % run), end - r), most);
    // The last reduced axis is the innermost, so a run is contiguous.
    const place = base + placeOf(task.reduced, task.reducedAxes, r);
    const x = fetch(from, false, place, count, work, 0);
    if (isSum) {
      const y = what == reductions.Product ? fetch(from, true, place, count, work, 1) : x;
      total = f64x2.add(total, sumOf(task, x, y, count));
    } else {
      const value = largest(x, count);
      if (f64(value) > f64x2.extract_lane(total, 0)) {
        let i: u32 = 0;
        if (what == reductions.Argmax) while (load<f32>(x + 4 * usize(i)) != value) i++;
        total = f64x2(value, r + i);
      }
    }
    r += count;
  }
  return total;
}

function sumColumns8(
  p0: usize,
  p1: usize,
  p2: usize,
  p3: usize,
  p4: usize,
  p5: usize,
  p6: usize,
  p7: usize,
  acc: usize,
  numbers: u32,
  squares: bool,
): void {
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    let a = v128.load(p0 + i),
      b = v128.load(p1 + i),
      c = v128.load(p2 + i),
      d = v128.load(p3 + i),
      e = v128.load(p4 + i),
      f = v128.load(p5 + i),
      g = v128.load(p6 + i),
      h = v128.load(p7 + i);
    if (squares) {
      a = f32x4.mul(a, a);
      b = f32x4.mul(b, b);
      c = f32x4.mul(c, c);
      d = f32x4.mul(d, d);
      e = f32x4.mul(e, e);
      f = f32x4.mul(f, f);
      g = f32x4.mul(g, g);
      h = f32x4.mul(h, h);
    }
    a = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    e = f32x4.add(f32x4.add(e, f), f32x4.add(g, h));
    v128.store(acc + i, f32x4.add(v128.load(acc + i), f32x4.add(a, e)));
  }
}

function maxColumns8(
  p0: usize,
  p1: usize,
  p2: usize,
  p3: usize,
  p4: usize,
  p5: usize,
  p6: usize,
  p7: usize,
  acc: usize,
  numbers: u32,
): void {
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    const a = f32x4.pmax(f32x4.pmax(v128.load(acc + i), v128.load(p0 + i)), v128.load(p1 + i));
    const c = f32x4.pmax(f32x4.pmax(a, v128.load(p2 + i)), v128.load(p3 + i));
    const e = f32x4.pmax(f32x4.pmax(c, v128.load(p4 + i)), v128.load(p5 + i));
    v128.store(acc + i, f32x4.pmax(f32x4.pmax(e, v128.load(p6 + i)), v128.load(p7 + i)));
  }
}

/** Takes a row: where it is larger, it replaces the largest value, and its number the place. */
function placeColumns(x: usize, r: u32, acc: usize, places: usize, numbers: u32): void {
  const row = i32x4.splat(r);
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    const value = v128.load(x + i),
      most = v128.load(acc + i);
    const larger = f32x4.gt(value, most);
    v128.store(acc + i, v128.bitselect(value, most, larger));
    v128.store(places + i, v128.bitselect(row, v128.load(places + i), larger));
  }
}

function placeColumns4(p0: usize, p1: usize, p2: usize, p3: usize, r: u32, acc: usize, places: usize, numbers: u32): void {
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    let most = v128.load(acc + i),
      at = v128.load(places + i);
    let value = v128.load(p0 + i),
      larger = f32x4.gt(value, most);
    most = v128.bitselect(value, most, larger);
    at = v128.bitselect(i32x4.splat(r), at, larger);
    value = v128.load(p1 + i);
    larger = f32x4.gt(value, most);
    most = v128.bitselect(value, most, larger);
    at = v128.bitselect(i32x4.splat(r + 1), at, larger);
    value = v128.load(p2 + i);
    larger = f32x4.gt(value, most);
    most = v128.bitselect(value, most, larger);
    at = v128.bitselect(i32x4.splat(r + 2), at, larger);
    value = v128.load(p3 + i);
    larger = f32x4.gt(value, most);
    v128.store(acc + i, v128.bitselect(value, most, larger));
    v128.store(places + i, v128.bitselect(i32x4.splat(r + 3), at, larger));
  }
}

/** Adds the products of a row to the sums; for complex numbers also those with exchanged parts. */
function addProducts(x: usize, y: usize, acc: usize, swapped: usize, numbers: u32, complex: bool): void {
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    const a = v128.load(x + i),
      b = v128.load(y + i);
    v128.store(acc + i, f32x4.add(v128.load(acc + i), f32x4.mul(a, b)));
    if (complex) v128.store(swapped + i, f32x4.add(v128.load(swapped + i), f32x4.mul(a, v128.shuffle<f32>(b, b, 1, 0, 3, 2))));
  }
}

/** Adds what was summed in f32 to sums in f64, and clears it. */
function settle(acc: usize, sums: usize, numbers: u32): void {
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    const a = v128.load(acc + i);
    const at = sums + 2 * i;
    v128.store(at, f64x2.add(v128.load(at), f64x2.promote_low_f32x4(a)));
    v128.store(at, f64x2.add(v128.load(at, 16), f64x2.promote_low_f32x4(v128.shuffle<u64>(a, a, 1, 1))), 16);
    v128.store(acc + i, f32x4.splat(0));
  }
}

/** Reduces rows `start` to `end` − 1 of neighbouring results. */
function columnResults(task: ReduceTask, output: u32, elements: u32, start: u32, end: u32, chunk: u32, work: usize): void {
  const what = task.what;
  const from = changetype<ElementSource>(task);
  const base = placeOf(task.kept, task.keptAxes, output);
  const complex = task.numbers == 2;
  const numbers = elements * task.numbers;
  // Vectors may reach beyond the last number in work memory, but not in arrays, so a narrow rest is copied.
  const whole = numbers & ~3;
  const rest = numbers - whole;
  const room: usize = 4 * 1024 + 64;
  const acc = work + ownWork,
    other = acc + room,
    sums = other + room,
    otherSums = sums + 2 * room,
    tails = otherSums + 2 * room;
  const isSum = what <= reductions.Product;
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    v128.store(acc + i, isSum ? f32x4.splat(0) : f32x4.splat(-Infinity));
    v128.store(other + i, isSum ? f32x4.splat(0) : i32x4.splat(start));
    if (!isSum) continue;
    for (let k: usize = 0; k < 32; k += 16) {
      v128.store(sums + 2 * i + k, f64x2.splat(0));
      v128.store(otherSums + 2 * i + k, f64x2.splat(0));
    }
  }
  let since: u32 = 0;
  for (let r = start; r < end; ) {
    const many = what != reductions.Product && end - r >= 8;
    const step: u32 = many ? 8 : 1;
    for (let k: u32 = 0; k < step; k++) {
      const place = base + placeOf(task.reduced, task.reducedAxes, r + k);
      const x = fetch(from, false, place, elements, work, k);
      const tail = tails + 16 * usize(k);
      for (let i: u32 = 0; i < rest; i++) store<u32>(tail + 4 * usize(i), load<u32>(x + 4 * usize(whole + i)));
      store<u32>(tails + 256 + 4 * usize(k), u32(x));
      if (what != reductions.Product) continue;
      const y = fetch(from, true, place, elements, work, 8);
      for (let i: u32 = 0; i < rest; i++) store<u32>(tail + 128 + 4 * usize(i), load<u32>(y + 4 * usize(whole + i)));
      addProducts(x, y, acc, other, whole, complex);
      if (rest) addProducts(tail, tail + 128, acc + 4 * usize(whole), other + 4 * usize(whole), rest, complex);
    }
    for (let part: u32 = what == reductions.Product ? 2 : 0; part < 2; part++) {
      // First the whole vectors, then the rest.
      const count = part ? rest : whole;
      if (count == 0) continue;
      const a = acc + (part ? 4 * usize(whole) : 0),
        b = other + (part ? 4 * usize(whole) : 0);
      const p0: usize = part ? tails : load<u32>(tails + 256);
      if (!many) {
        if (what == reductions.Argmax) placeColumns(p0, r, a, b, count);
        else rowColumns(p0, a, count, what);
        continue;
      }
      const p1: usize = part ? tails + 16 : load<u32>(tails + 260),
        p2: usize = part ? tails + 32 : load<u32>(tails + 264),
        p3: usize = part ? tails + 48 : load<u32>(tails + 268),
        p4: usize = part ? tails + 64 : load<u32>(tails + 272),
        p5: usize = part ? tails + 80 : load<u32>(tails + 276),
        p6: usize = part ? tails + 96 : load<u32>(tails + 280),
        p7: usize = part ? tails + 112 : load<u32>(tails + 284);
      if (what == reductions.Sum) sumColumns8(p0, p1, p2, p3, p4, p5, p6, p7, a, count, false);
      else if (what == reductions.Squares) sumColumns8(p0, p1, p2, p3, p4, p5, p6, p7, a, count, true);
      else if (what == reductions.Max) maxColumns8(p0, p1, p2, p3, p4, p5, p6, p7, a, count);
      else {
        placeColumns4(p0, p1, p2, p3, r, a, b, count);
        placeColumns4(p4, p5, p6, p7, r + 4, a, b, count);
      }
    }
    r += step;
    since += 1;
    if (isSum && (since == 16 || r >= end)) {
      settle(acc, sums, numbers);
      if (what == reductions.Product) settle(other, otherSums, numbers);
      since = 0;
    }
  }
  for (let e: u32 = 0; e < elements; e++) finish(task, output + e, chunk, columnResult(task, acc, other, sums, otherSums, e));
}

/** Takes one row into sums or the largest. */
function rowColumns(x: usize, acc: usize, numbers: u32, what: u32): void {
  for (let i: usize = 0; i < 4 * usize(numbers); i += 16) {
    const value = v128.load(x + i),
      before = v128.load(acc + i);
    if (what == reductions.Max) v128.store(acc + i, f32x4.pmax(before, value));
    else v128.store(acc + i, f32x4.add(before, what == reductions.Squares ? f32x4.mul(value, value) : value));
  }
}

function columnResult(task: ReduceTask, acc: usize, other: usize, sums: usize, otherSums: usize, e: u32): v128 {
  const what = task.what;
  if (what == reductions.Max) return f64x2(load<f32>(acc + 4 * usize(e)), 0);
  if (what == reductions.Argmax) return f64x2(load<f32>(acc + 4 * usize(e)), load<u32>(other + 4 * usize(e)));
  if (task.numbers == 1) return f64x2(load<f64>(sums + 8 * usize(e)), 0);
  const pair = v128.load(sums + 16 * usize(e));
  if (what == reductions.Sum) return pair;
  if (what == reductions.Squares) return together(pair);
  return complexOf(pair, v128.load(otherSums + 16 * usize(e)), task.conjugate);
}

/** Combines the parts of a result in their order. */
function combine(task: ReduceTask, output: u32): v128 {
  const isSum = task.what <= reductions.Product;
  const pitch = 16 * usize(task.outputs);
  let at: usize = task.partial + 16 * usize(output);
  let total = v128.load(at);
  for (let chunk: u32 = 1; chunk < task.chunks; chunk++) {
    at += pitch;
    const next = v128.load(at);
    if (isSum) total = f64x2.add(total, next);
    else if (f64x2.extract_lane(next, 0) > f64x2.extract_lane(total, 0)) total = next;
  }
  return total;
}

/** Items of the first task: some results of a part of their elements. Of the last: `across` results. */
export function reduceTask(task: ReduceTask, start: u32, end: u32, unit: u32): void {
  const work: usize = usize(task.work) + usize(unit) * usize(task.workPitch);
  const chunks = task.chunks,
    outputs = task.outputs,
    across = task.across,
    length = task.length,
    run = task.run;
  for (let item = start; item < end; item++) {
    if (task.last) {
      const last = min(outputs, (item + 1) * across);
      for (let output = item * across; output < last; output++) writeResult(task, output, combine(task, output));
      continue;
    }
    const chunk = item % chunks;
    const first = chunk * length,
      stop = min(task.count, first + length);
    const group = item / chunks;
    if (task.rows) {
      const last = min(outputs, (group + 1) * across);
      for (let output = group * across; output < last; output++) finish(task, output, chunk, rowResult(task, output, first, stop, work));
    } else {
      const tiles = (run + across - 1) / across;
      const column = (group % tiles) * across;
      columnResults(task, (group / tiles) * run + column, min(across, run - column), first, stop, chunk, work);
    }
  }
}
