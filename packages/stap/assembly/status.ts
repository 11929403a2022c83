/** AssemblyScript. The status of a covariance, and the limits that decide: those of src/device/status.ts. */
import { whole, wideAt } from "./arguments";

const notFinite: u32 = 1 << 16;
const noPower: u32 = 2 << 16;
const illConditioned: u32 = 3 << 16;
const steering: u32 = 4 << 16;

/** Set in the result of `factorItem` if a pivot is so small that the condition must be computed. */
export const weak: u32 = 1 << 31;
export const weakShare: f64 = 1.0 / 64.0;

/* @inline */
export function pivotShareOf(constants: usize): f64 {
  return whole(constants, wideAt) ? 1.0 / 4398046511104.0 : 1.0 / 4194304.0;
}

/* @inline */
export function leastPivotOf(constants: usize): f64 {
  return whole(constants, wideAt) ? 1.4149498560666738e-73 : 1.88079096131566e-37;
}

/** The status of row `k`, from 0, whose pivot is not positive. */
export function pivotStatus(constants: usize, k: u32, diagonal: f64): u32 {
  if (!(diagonal < Infinity)) return notFinite + k + 1;
  const least = whole(constants, wideAt) ? 6.223015277861142e-61 : 7.888609052210118e-31;
  return (diagonal < least ? noPower : 0) + k + 1;
}

/** The status of a condition number: 0 if it is within the limit. Its logarithm to base two is rounded up. */
export function conditionStatus(constants: usize, condition: f64): u32 {
  const limit = whole(constants, wideAt) ? 536870912.0 : 16384.0;
  if (!(condition > limit)) return 0;
  const bits = reinterpret<u64>(condition);
  const exponent = u32(bits >> 52) - 1023;
  return illConditioned + exponent + (bits << 12 != 0 ? 1 : 0);
}

/** The status of steering vector `p`, whose outputs have no valid scale. */
/* @inline */
export function steeringStatus(p: u32): u32 {
  return steering + p;
}
