/**
 * AssemblyScript. Where the kernels' arguments hold what: numbers of a geometry and places in work memory, in the order of
 * src/wasm/kernels.ts, all whole numbers but the loading; then the work memory, of which each unit has its own.
 */

export const channelsAt: u32 = 0;
export const tapsAt: u32 = 1;
export const binsAt: u32 = 2;
export const rangesAt: u32 = 3;
export const orderAt: u32 = 4;
export const vectorsAt: u32 = 5;
export const groupsAt: u32 = 6;
export const groupRangesAt: u32 = 7;
export const setsAt: u32 = 8;
export const productsAt: u32 = 9;
export const runsWidthAt: u32 = 10;
export const membersWidthAt: u32 = 11;
export const perBinAt: u32 = 12;
/** Bins from a window's first to the one that products belong to: 0 where they are shared, else ⌊T/2⌋. */
export const belowAt: u32 = 13;
export const eliminateAt: u32 = 14;
/** 0 amf, 1 mvdr, 2 paper-literal, 3 complex. */
export const outputAt: u32 = 15;
/** 1 where means of products are float64. */
export const wideAt: u32 = 16;
const loadingAt: u32 = 17;
/** Places in work memory, in 16 bytes. */
export const firstPlaceAt: u32 = 18;
const places: u32 = 9;
const workAt: u32 = firstPlaceAt + places;

/* @inline */
export function whole(constants: usize, at: u32): u32 {
  return u32(load<f32>(constants + at * 4));
}

/** Diagonal loading as a share of tr(R)/n. */
/* @inline */
export function loadingOf(constants: usize): f64 {
  return f64(load<f32>(constants + loadingAt * 4));
}

/** Address of place `place` in the unit's work memory. */
/* @inline */
export function workOf(constants: usize, unit: u32, place: u32): usize {
  const work = constants + workAt * 4;
  return usize(load<u32>(work)) + usize(unit) * usize(load<u32>(work, 4)) + usize(whole(constants, firstPlaceAt + place)) * 16;
}

/** Bin `bin + offset`, each below the number of bins, wrapped. */
/* @inline */
export function wrapped(bin: u32, offset: u32, bins: u32): u32 {
  const sum = bin + offset;
  return sum >= bins ? sum - bins : sum;
}
