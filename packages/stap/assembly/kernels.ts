/**
 * AssemblyScript, the entry of the module: the kernels of the extended factored algorithm, as `WasmFunction` of core describes them:
 * ports as in src/device, then the words that arguments.ts names. The results of an item do not depend on the call that it is in.
 *
 * Filters are applied as y = |f·u|² with the cheapest f and u: with Cholesky's R = LLᴴ, f = L⁻¹v and u = L⁻¹x, so that neither is
 * substituted twice, and rounding costs only the square root of the condition; with elimination, and if weights are
 * given, f = w and u = x.
 */
import {
  applyFilters,
  beginLargest,
  endLargest,
  mostCells,
  ofComplex,
  ofLargest,
  ofPower,
  prepareCells,
  prepareFilters,
  readCells,
} from "./apply";
import { binsAt, eliminateAt, groupRangesAt, groupsAt, orderAt, outputAt, rangesAt, vectorsAt, whole, workOf } from "./arguments";
import { conditionOf, factorItem, matrixPlace, mirror, scalesPlace, writeSources } from "./factor";
import { conditionStatus, steeringStatus, weak } from "./status";
import {
  backward,
  conditionsOf,
  element,
  forward,
  gainsOf,
  pack,
  promote,
  readVectors,
  round,
  rounded,
  scaleless,
  scalesOf,
  scaleWhitened,
  whiten,
} from "./substitute";

export { products } from "./products";

/** Number of filters that are in memory at once. */
const mostVectors: u32 = 32;

/** Places in work memory behind those of factor.ts. */
const sidesPlace: u32 = 4;
const cellsPlace: u32 = 5;
const filtersPlace: u32 = 6;
const largestPlace: u32 = 7;
const packedPlace: u32 = 8;

const complexOutput: u32 = 3;

/** Ports means, elements, members, steering, weights, gains, status. */
export function solve(argument: usize, start: u32, end: u32, unit: u32): void {
  const constants = argument + 28;
  const n = whole(constants, orderAt);
  const vectors = whole(constants, vectorsAt);
  const elimination = whole(constants, eliminateAt);
  const r = workOf(constants, unit, matrixPlace);
  const scales = workOf(constants, unit, scalesPlace);
  const sides = workOf(constants, unit, sidesPlace);
  const w = sides + n * element;
  const gains = w + n * element;
  const read = workOf(constants, unit, filtersPlace);
  writeSources(constants, unit, load<u32>(argument, 4));
  for (let item = start; item < end; item++) {
    const status = usize(load<u32>(argument, 24)) + item * 4;
    const found = factorItem(constants, unit, argument, item);
    let told = found & ~weak;
    store<u32>(status, told);
    const to = usize(load<u32>(argument, 16)) + usize(item) * vectors * n * 8;
    const gain = usize(load<u32>(argument, 20)) + usize(item) * vectors * 4;
    if (told) {
      memory.fill(to, 0, usize(vectors) * n * 8);
      memory.fill(gain, 0, usize(vectors) * 4);
      continue;
    }
    if (!elimination) mirror(r, n);
    for (let first: u32 = 0; first < vectors; first += 4) {
      readVectors(load<u32>(argument, 12), n, first, vectors - 1, read);
      promote(read, n, sides);
      forward(r, scales, n, sides, w);
      backward(r, scales, n, w, elimination);
      gainsOf(w, sides, n, gains);
      if (found & weak) told = max(told, conditionStatus(constants, conditionsOf(w, scales, n, gains)));
      const count = min(4, vectors - first);
      for (let p: u32 = 0; p < count; p++) {
        const rounded = f32(load<f64>(gains + p * 8));
        if (!(rounded > 0 && rounded < Infinity)) told = max(told, steeringStatus(first + p));
        store<f32>(gain + (first + p) * 4, rounded);
        writeVector(w + p * 8, n, to + usize(first + p) * n * 8);
      }
    }
    store<u32>(status, told);
  }
}

/** One of four sides, rounded, to an array of complex numbers. */
function writeVector(from: usize, n: u32, to: usize): void {
  for (const end = from + n * element; from < end; from += element, to += 8) {
    store<f32>(to, f32(load<f64>(from)));
    store<f32>(to, f32(load<f64>(from, 32)), 4);
  }
}

/** Ports x, weights, gains, y. */
export function weighting(argument: usize, start: u32, end: u32, unit: u32): void {
  weightItems(argument, argument + 16, start, end, unit, 0);
}

/** And strongest. */
export function weightingLargest(argument: usize, start: u32, end: u32, unit: u32): void {
  weightItems(argument, argument + 20, start, end, unit, load<u32>(argument, 16));
}

function weightItems(argument: usize, constants: usize, start: u32, end: u32, unit: u32, strongest: usize): void {
  const vectors = whole(constants, vectorsAt);
  const n = whole(constants, orderAt);
  for (let item = start; item < end; item++) {
    const weights = usize(load<u32>(argument, 4)) + usize(item) * vectors * n * 8;
    const gains = usize(load<u32>(argument, 8)) + usize(item) * vectors * 4;
    filterItem(constants, unit, item, load<u32>(argument), load<u32>(argument, 12), strongest, weights, gains, 0);
  }
}

/** Ports x, means, elements, members, steering, y, status. */
export function filter(argument: usize, start: u32, end: u32, unit: u32): void {
  solveItems(argument, argument + 28, start, end, unit, 0);
}

/** Strongest before status. */
export function filterLargest(argument: usize, start: u32, end: u32, unit: u32): void {
  solveItems(argument, argument + 32, start, end, unit, load<u32>(argument, 24));
}

function solveItems(argument: usize, constants: usize, start: u32, end: u32, unit: u32, strongest: usize): void {
  const y: usize = load<u32>(argument, 20);
  writeSources(constants, unit, load<u32>(argument, 8));
  for (let item = start; item < end; item++) {
    const found = factorItem(constants, unit, argument + 4, item);
    let told = found & ~weak;
    if (told) clearItem(constants, item, y, strongest);
    else told = filterItem(constants, unit, item, load<u32>(argument), y, strongest, load<u32>(argument, 16), 0, found);
    store<u32>(usize(load<u32>(constants - 4)) + item * 4, told);
  }
}

/** First of an item's ranges, and how many. */
/* @inline */
function firstOf(constants: usize, item: u32): u32 {
  return (item % whole(constants, groupsAt)) * whole(constants, groupRangesAt);
}
/* @inline */
function countOf(constants: usize, first: u32): u32 {
  return min(whole(constants, groupRangesAt), whole(constants, rangesAt) - first);
}

/** Zeros where there are no weights. */
function clearItem(constants: usize, item: u32, y: usize, strongest: usize): void {
  const ranges = whole(constants, rangesAt);
  const bins = whole(constants, binsAt);
  const first = firstOf(constants, item);
  const count = countOf(constants, first);
  const bytes: usize = whole(constants, outputAt) == complexOutput ? 8 : 4;
  const at = usize(item / whole(constants, groupsAt)) * ranges + first;
  const vectors: u32 = strongest ? 1 : whole(constants, vectorsAt);
  for (let p: u32 = 0; p < vectors; p++) memory.fill(y + (usize(p) * bins * ranges + at) * bytes, 0, count * bytes);
  if (strongest) memory.fill(strongest + at * 4, 0, count * 4);
}

/**
 * Filters the cells of an item, by weights [P][n] and gains [P], or, without gains, by the factors in memory (`found`: weak ones) and
 * steering vectors. Then it writes the status of the item.
 */
function filterItem(
  constants: usize,
  unit: u32,
  item: u32,
  x: usize,
  y: usize,
  strongest: usize,
  from: usize,
  gains: usize,
  found: u32,
): u32 {
  let told: u32 = 0;
  const n = whole(constants, orderAt);
  const bins = whole(constants, binsAt);
  const ranges = whole(constants, rangesAt);
  const vectors = whole(constants, vectorsAt);
  const complex = whole(constants, outputAt) == complexOutput;
  const kept = strongest ? ofLargest : complex ? ofComplex : ofPower;
  const bytes: usize = complex ? 8 : 4;
  const cells = workOf(constants, unit, cellsPlace);
  const filters = workOf(constants, unit, filtersPlace);
  const best = workOf(constants, unit, largestPlace);
  const packed = workOf(constants, unit, packedPlace);
  if (!gains && !whole(constants, eliminateAt)) {
    const r = workOf(constants, unit, matrixPlace);
    const scales = workOf(constants, unit, scalesPlace);
    pack(r, scales, n, packed);
    if (found & weak) told = conditionStatus(constants, conditionOf(r, scales, n, workOf(constants, unit, sidesPlace)));
  }
  const bin = item / whole(constants, groupsAt);
  const pitch = usize(bins) * ranges * bytes;
  let range = firstOf(constants, item);
  for (let left: i32 = countOf(constants, range); left > 0; left -= mostCells, range += mostCells) {
    const count = min(u32(left), mostCells);
    const at = usize(bin) * ranges + range;
    readCells(constants, x, bin, range, count, cells);
    if (!gains && !whole(constants, eliminateAt)) {
      for (let c: u32 = 0; c < count; c += 8) whiten(packed, n, cells + usize(c >> 2) * n * rounded);
    }
    prepareCells(cells, usize((count + 3) >> 2) * n * rounded);
    if (strongest) beginLargest(best);
    for (let first: u32 = 0; first < vectors; first += mostVectors) {
      const wanted = min(mostVectors, vectors - first);
      told = max(told, makeFilters(constants, unit, n, from, gains, first, wanted, filters, found));
      prepareFilters(filters, usize((wanted + 3) >> 2) * n * rounded);
      applyFilters(kept, n, filters, wanted, cells, count, y + first * pitch + at * bytes, pitch, best, first);
    }
    if (strongest) endLargest(best, count, y + at * 4, strongest + at * 4);
  }
  return told;
}

/** Filters of `count` vectors from `first` on, scaled as the output is; then what there is to tell of them. */
function makeFilters(constants: usize, unit: u32, n: u32, from: usize, given: usize, first: u32, count: u32, to: usize, found: u32): u32 {
  let told: u32 = 0;
  const output = whole(constants, outputAt);
  const block = usize(n) * rounded;
  const last = first + count - 1;
  const end = to + usize((count + 3) / 4) * block;
  for (let p = first, at = to; at < end; p += 4, at += block) readVectors(from, n, p, last, at);
  if (!given && !whole(constants, eliminateAt)) {
    const packed = workOf(constants, unit, packedPlace);
    for (let at = to; at < end; at += block * 2) whiten(packed, n, at);
    for (let p = first, at = to; at < end; p += 4, at += block) {
      const bad = scaleWhitened(output, at, n);
      if (bad) told = max(told, steeringStatus(min(p + ctz(bad), last)));
    }
    return told;
  }
  const r = workOf(constants, unit, matrixPlace);
  const scales = workOf(constants, unit, scalesPlace);
  const sides = workOf(constants, unit, sidesPlace);
  const w = sides + n * element;
  const gains = w + n * element;
  for (let p = first, at = to; at < end; p += 4, at += block) {
    promote(at, n, sides);
    let filters = sides;
    if (given) {
      for (let q: u32 = 0; q < 4; q++) store<f64>(gains + q * 8, f64(load<f32>(given + min(p + q, last) * 4)));
    } else {
      filters = w;
      forward(r, scales, n, sides, w);
      backward(r, scales, n, w, 1);
      gainsOf(w, sides, n, gains);
      if (found & weak) told = max(told, conditionStatus(constants, conditionsOf(w, scales, n, gains)));
    }
    const low = scalesOf(output, v128.load(gains));
    const high = scalesOf(output, v128.load(gains, 16));
    const bad = given ? 0 : scaleless(low, high);
    if (bad) told = max(told, steeringStatus(min(p + ctz(bad), last)));
    round(filters, n, low, high, at);
  }
  return told;
}
