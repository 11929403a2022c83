/**
 * AssemblyScript: what is done to arrays besides transforms, as items that any thread may take. Corner turns, products with a
 * filter, conversions. What the fields of a task are is said in `src/wasm/layouts.ts`.
 */
import { ConvertTask, MultiplyTask, multiplyWays, numberTypes, TurnTask } from "./generated/records";

/**
 * Turns `matrices` of rows × columns. An item is 64 rows of one of them: they are read along, eight columns at a time, so
 * that each cache line is read once and each line of the target written whole.
 */
export function turnTask(task: TurnTask, start: u32, end: u32, unit: u32): void {
  const rows = task.rows,
    columns = task.columns,
    bytes = task.elementBytes;
  const items = task.items;
  for (let item = start; item < end; item++) {
    const offset = usize(item / items) * rows * columns * bytes;
    const source: usize = task.source + offset,
      target: usize = task.target + offset;
    const first = (item % items) * 64;
    const last = min(first + 64, rows);
    if (bytes == 8) turnPairs(source, target, rows, columns, first, last);
    else if (bytes == 16) turn<v128>(source, target, rows, columns, first, last);
    else if (bytes == 4) turn<u32>(source, target, rows, columns, first, last);
    else if (bytes == 2) turn<u16>(source, target, rows, columns, first, last);
    else turn<u8>(source, target, rows, columns, first, last);
  }
}

function turn<T>(source: usize, target: usize, rows: u32, columns: u32, first: u32, last: u32): void {
  for (let c0: u32 = 0; c0 < columns; c0 += 8) {
    const c1 = min(c0 + 8, columns);
    for (let r = first; r < last; r++) {
      for (let c = c0; c < c1; c++)
        store<T>(target + (usize(c) * rows + r) * sizeof<T>(), load<T>(source + (usize(r) * columns + c) * sizeof<T>()));
    }
  }
}

/** Elements of eight bytes, two by two. */
function turnPairs(source: usize, target: usize, rows: u32, columns: u32, first: u32, last: u32): void {
  const inPitch: usize = usize(columns) * 8,
    outPitch: usize = usize(rows) * 8;
  const evenRows = first + ((last - first) & ~1);
  for (let c0: u32 = 0; c0 < columns; c0 += 8) {
    const c1 = min(c0 + 8, columns);
    const pairs = c0 + ((c1 - c0) & ~1);
    for (let c = c0; c < pairs; c += 2) {
      let x = source + usize(first) * inPitch + usize(c) * 8;
      let y = target + usize(c) * outPitch + usize(first) * 8;
      for (let r = first; r < evenRows; r += 2, x += 2 * inPitch, y += 16) {
        const a = v128.load(x),
          b = v128.load(x + inPitch);
        v128.store(y, v128.shuffle<u64>(a, b, 0, 2));
        v128.store(y + outPitch, v128.shuffle<u64>(a, b, 1, 3));
      }
      if (evenRows < last) {
        store<u64>(y, load<u64>(x));
        store<u64>(y + outPitch, load<u64>(x, 8));
      }
    }
    if (pairs < c1) {
      for (let r = first; r < last; r++)
        store<u64>(target + usize(pairs) * outPitch + usize(r) * 8, load<u64>(source + usize(r) * inPitch + usize(pairs) * 8));
    }
  }
}

/** Complex products of `count` pairs of float32 numbers; h stays where it is where `step` is 0. */
function multiply(x: usize, h: usize, y: usize, count: u32, step: usize): void {
  const signs = f32x4(-1, 1, -1, 1);
  const fixed = v128.load64_splat(h);
  let i: u32 = 0;
  for (; i + 2 <= count; i += 2, x += 16, y += 16, h += 2 * step) {
    const f = step ? v128.load(h) : fixed;
    const a = v128.load(x);
    const re = v128.shuffle<f32>(f, f, 0, 0, 2, 2),
      im = f32x4.mul(v128.shuffle<f32>(f, f, 1, 1, 3, 3), signs);
    v128.store(y, f32x4.add(f32x4.mul(a, re), f32x4.mul(v128.shuffle<f32>(a, a, 1, 0, 3, 2), im)));
  }
  if (i < count) {
    const a = load<f32>(x),
      b = load<f32>(x, 4),
      c = load<f32>(h),
      d = load<f32>(h, 4);
    store<f32>(y, a * c - b * d);
    store<f32>(y, a * d + b * c, 4);
  }
}

/**
 * An item is `count` elements: a line times a line of filters (way `line`), elements times one filter, that of item modulo extent (way `rows`), or a
 * block of an array times as much of another (way `all`; the last one `rest` elements).
 */
export function multiplyTask(task: MultiplyTask, start: u32, end: u32, unit: u32): void {
  const count = task.count,
    way = task.way,
    extent = task.extent;
  const items = task.items,
    rest = task.rest;
  const h: usize = task.h;
  for (let item = start; item < end; item++) {
    const offset = usize(item) * count * 8;
    const x: usize = task.x + offset,
      y: usize = task.y + offset;
    if (way == multiplyWays.Line) multiply(x, h, y, count, 8);
    else if (way == multiplyWays.Rows) multiply(x, h + usize(item % extent) * 8, y, count, 0);
    else multiply(x, h + offset, y, item == items - 1 ? rest : count, 8);
  }
}

/** To nearest, ties away from zero, saturated; NaN becomes 0. */
function fit(x: f64, low: f64, high: f64): f64 {
  if (x != x) return 0;
  let whole = Math.trunc(x);
  const rest = x - whole;
  if (rest >= 0.5) whole += 1;
  else if (rest <= -0.5) whole -= 1;
  return max(low, min(high, whole));
}

function convert<S, T>(x: usize, y: usize, count: u32, scale: f64): void {
  for (let i: usize = 0; i < count; i++) {
    const value = f64(load<S>(x + i * sizeof<S>())) * scale;
    const bits: u32 = 8 * u32(sizeof<T>());
    if (isFloat<T>()) store<T>(y + i * sizeof<T>(), <T>value);
    else if (isSigned<T>()) store<T>(y + i * sizeof<T>(), <T>i32(fit(value, -f64(1 << (bits - 1)), f64(1 << (bits - 1)) - 1)));
    else if (sizeof<T>() == 4) store<T>(y + i * sizeof<T>(), <T>u32(fit(value, 0, 4294967295)));
    else store<T>(y + i * sizeof<T>(), <T>i32(fit(value, 0, f64(1 << bits) - 1)));
  }
}

function convertFrom<S>(x: usize, y: usize, count: u32, to: u32, scale: f64): void {
  if (to == numberTypes.F32) convert<S, f32>(x, y, count, scale);
  else if (to == numberTypes.F64) convert<S, f64>(x, y, count, scale);
  else if (to == numberTypes.I8) convert<S, i8>(x, y, count, scale);
  else if (to == numberTypes.I16) convert<S, i16>(x, y, count, scale);
  else if (to == numberTypes.U8) convert<S, u8>(x, y, count, scale);
  else convert<S, u32>(x, y, count, scale);
}

/**
 * An item is a block of `count` numbers, the last one `rest`.
 */
export function convertTask(task: ConvertTask, start: u32, end: u32, unit: u32): void {
  const count = task.count,
    items = task.items,
    from = task.from,
    to = task.to;
  const bytesIn: usize = task.bytesIn,
    bytesOut: usize = task.bytesOut;
  const scale = task.scale;
  for (let item = start; item < end; item++) {
    const x: usize = task.x + usize(item) * count * bytesIn,
      y: usize = task.y + usize(item) * count * bytesOut;
    const length = item == items - 1 ? task.rest : count;
    if (from == to && scale == 1) memory.copy(y, x, length * bytesIn);
    else if (from == numberTypes.F32) convertFrom<f32>(x, y, length, to, scale);
    else if (from == numberTypes.F64) convertFrom<f64>(x, y, length, to, scale);
    else if (from == numberTypes.I8) convertFrom<i8>(x, y, length, to, scale);
    else if (from == numberTypes.I16) convertFrom<i16>(x, y, length, to, scale);
    else if (from == numberTypes.U8) convertFrom<u8>(x, y, length, to, scale);
    else convertFrom<u32>(x, y, length, to, scale);
  }
}
