/** How the kernel of backprojection is mapped to the workgroups of a GPU: invocations, the pixels of each, and what is on chip together. */
import type { WgslLimits } from "@dechirp/core";
import { hasWindows, invocationsOf } from "./partition.ts";
import type { BackprojectionShape } from "./shape.ts";

/** Largest number of anchors, and of windows, in workgroup memory; small enough that several workgroups share a multiprocessor. */
const mostStaged = 64;
const mostWindowBytes = 16384;

/** Bins of a window in workgroup memory. */
export const windowLength = ({ window }: BackprojectionShape): number => 8 * Math.ceil(window.bins / 8);

/** How a shape is mapped to a workgroup. */
export interface Form {
  readonly invocations: number;
  /** Pixels of an invocation: steps along x times steps along y, of so many pixels. */
  readonly steps: readonly [x: number, y: number];
  readonly stride: readonly [x: number, y: number];
  /** Patches of 4 × 8 pixels along x that the invocations cover at once. */
  readonly patches: number;
  /** Number of pulses whose anchors are in workgroup memory together. */
  readonly staged: number;
  /** Number of pulses whose windows are in workgroup memory together; 0 if there are no windows. */
  readonly windows: number;
}

export const patch = [4, 8] as const;

/** The form of a shape within the limits of a device; undefined if a workgroup has fewer than 32 invocations. */
export function formOf(
  { tile, scheme, window, taps, invocations: wanted, windowBytes = mostWindowBytes }: BackprojectionShape,
  limits: WgslLimits,
): Form | undefined {
  const most = Math.min(tile * tile, limits.invocations);
  let invocations = wanted ?? invocationsOf(tile, most);
  while (invocations > most) invocations /= 2;
  if (invocations < 32) return undefined;
  const patches = largestDivisor(tile / patch[0], invocations / 32);
  const rows = invocations / 32 / patches;
  const stride: readonly [number, number] = [patch[0] * patches, patch[1] * rows];
  const steps: readonly [number, number] = [tile / stride[0], Math.ceil(tile / stride[1])];
  const staged = Math.min(mostStaged, invocations);
  const room = Math.min(limits.workgroupBytes - 36 * staged, windowBytes);
  const bytes = 8 * Math.ceil(window.bins / 8) * (taps ? 8 : 16);
  const windows = hasWindows(scheme) ? Math.min(staged, Math.floor(room / bytes)) : 0;
  return { invocations, steps, stride, patches, staged: scheme === "unpartitioned" ? 1 : staged, windows };
}

/** The largest power of two that divides `count` and is at most `most`. */
function largestDivisor(count: number, most: number): number {
  let divisor = 1;
  while (2 * divisor <= most && count % (2 * divisor) === 0) divisor *= 2;
  return divisor;
}

/** Pixels of an invocation by number. */
export const pixelsOf = ({ steps }: Form): readonly (readonly [v: number, x: number, y: number])[] =>
  Array.from({ length: steps[0] * steps[1] }, (_, v) => [v, v % steps[0], Math.floor(v / steps[0])]);
