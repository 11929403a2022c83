/**
 * How an image is divided into windows, from the memory that may be used: strips of all columns if one fits, smaller windows otherwise.
 * Every window takes all pulses again, so that there are as few windows as possible. Nothing is computed here.
 */
import { type Device, inputError } from "@dechirp/core";
import { checkDevice } from "@dechirp/core/internal";
import {
  type BackprojectionPlan,
  backprojectionBytes,
  backprojectionRangeShare,
  latticePixels,
  type PreparedBackprojection,
  prepareBackprojection,
} from "@dechirp/sar";
import { type BackprojectedImagePlan, blameRecording, checkPlan, geometryOf, projectorOptions } from "./image-plan.ts";
import { readingBytes } from "./pulses.ts";

/** How an image is made in windows, for a device. Plain data. */
export interface WindowedImagePlan {
  /** The plan of the backprojection, which determines the bits of the image. They do not depend on the windows. */
  readonly plan: BackprojectionPlan;
  /** Number of windows; 1 if the image is made as a whole. */
  readonly windows: number;
  /** Pixels of a window. The last of a row and of a column may have fewer. */
  readonly columns: number;
  readonly rows: number;
  /** Bytes that a window needs, on the device and on the host together: arrays of the device, its image while it is read and written, and pulses. */
  readonly memoryBytes: number;
  /** Bytes that were allowed. */
  readonly budgetBytes: number;
  /** Pixels times pulses. */
  readonly backprojections: number;
  /** Bytes of pulses that are read for all windows. */
  readonly readBytes: number;
}

/** Options of `planImageWindows`. */
export interface WindowOptions {
  /** Bytes that a window may need, on the device and on the host together. Default: 3 GiB. */
  readonly memoryBytes?: number;
}

/** Half the edge of the window in which the peak is measured: more than the measurement looks at around it. */
export const peakHalfPixels = 128;

/** A processor that computes in WebAssembly can have 4 GiB in all. */
const usualBytes = 3 * 2 ** 30;

/**
 * Plans the windows of an image for a device. Throws `input` if `memoryBytes` is wrong or less than the smallest window needs, and in the
 * cases of `backprojectRecording`.
 */
export async function planImageWindows(
  plan: BackprojectedImagePlan,
  device: Device,
  { memoryBytes: budgetBytes = usualBytes }: WindowOptions = {},
): Promise<WindowedImagePlan> {
  checkDevice(device);
  checkPlan(plan);
  if (!(Number.isSafeInteger(budgetBytes) && budgetBytes >= 1)) throw inputError("memoryBytes", "a positive integer", budgetBytes);
  const { recording, grid, settings, where } = plan;
  const prepared = await blameRecording(where, settings, () =>
    prepareBackprojection(device, geometryOf(plan), grid, projectorOptions(plan)),
  );
  const need = neededBytes(plan, prepared);
  const fits = (columns: number, rows: number): boolean => fitsInto(device, prepared, need, budgetBytes, columns, rows);
  // The peak is measured in a window of its own, which may lie anywhere on the lattice.
  const edge = latticePixels(prepared.plan);
  const peak = edge * (Math.ceil((2 * peakHalfPixels) / edge) + 1);
  const [peakColumns, peakRows] = [Math.min(peak, grid.nx), Math.min(peak, grid.ny)];
  const [columns, rows] = (fits(peakColumns, peakRows) && largestWindow(prepared, fits)) || [0, 0];
  if (columns === 0) {
    const least = Math.max(need(peakColumns, peakRows), need(Math.min(edge, grid.nx), Math.min(edge, grid.ny)));
    throw inputError("memoryBytes", `at least ${least} bytes, which the smallest window of this image needs`, budgetBytes);
  }
  const windows = Math.ceil(grid.nx / columns) * Math.ceil(grid.ny / rows);
  const [pulses, frequencies] = recording.shape;
  return {
    plan: prepared.plan,
    windows,
    columns,
    rows,
    memoryBytes: Math.max(need(columns, rows), need(peakColumns, peakRows)),
    budgetBytes,
    backprojections: grid.nx * grid.ny * pulses,
    readBytes: windows * pulses * frequencies * 8,
  };
}

/** Tells the bytes that a window of `columns` × `rows` pixels needs. */
const neededBytes =
  (plan: BackprojectedImagePlan, prepared: PreparedBackprojection) =>
  (columns: number, rows: number): number =>
    backprojectionBytes(prepared, { nx: columns, ny: rows }) + 2 * 8 * columns * rows + readingBytes(plan, prepared.plan.pulsesPerBlock);

/** Whether a window needs no more than `budgetBytes`, and its image no more than the device can hold. */
const fitsInto = (
  device: Device,
  { plan: { sets } }: PreparedBackprojection,
  need: (columns: number, rows: number) => number,
  budgetBytes: number,
  columns: number,
  rows: number,
): boolean => need(columns, rows) <= budgetBytes && 8 * sets * columns * rows <= device.limits.maxBufferBytes;

/**
 * Bytes that a window of `columns` × `rows` pixels needs, on the device and on the host together, in an image that is made with the choices of
 * `chosen`. Rejects with `input` if `chosen` was made for another device, grid or recording.
 */
export async function imageWindowBytes(
  plan: BackprojectedImagePlan,
  device: Device,
  chosen: BackprojectionPlan,
  columns: number,
  rows: number,
): Promise<number> {
  return neededBytes(plan, await preparedWith(plan, device, chosen))(columns, rows);
}

/**
 * The share of a pulse's ranges that is kept for a window of `columns` × `rows` pixels. Rejects as `imageWindowBytes` does.
 */
export async function imageWindowRangeShare(
  plan: BackprojectedImagePlan,
  device: Device,
  chosen: BackprojectionPlan,
  columns: number,
  rows: number,
): Promise<number> {
  return backprojectionRangeShare(await preparedWith(plan, device, chosen), { nx: columns, ny: rows });
}

const preparedWith = (plan: BackprojectedImagePlan, device: Device, chosen: BackprojectionPlan): Promise<PreparedBackprojection> =>
  blameRecording(plan.where, plan.settings, () => prepareBackprojection(device, geometryOf(plan), plan.grid, { plan: chosen }));

/**
 * The longest edge of a square window, in whole steps of the block lattice, that fits the memory, as far as the image goes. At least one step.
 * `division` is what `planImageWindows` has planned for the device.
 */
export async function largestSquareWindow(
  plan: BackprojectedImagePlan,
  device: Device,
  { plan: chosen, budgetBytes }: WindowedImagePlan,
): Promise<number> {
  const { grid } = plan;
  const prepared = await preparedWith(plan, device, chosen);
  const need = neededBytes(plan, prepared);
  const edge = latticePixels(chosen);
  let [low, high] = [1, Math.ceil(Math.max(grid.nx, grid.ny) / edge)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [columns, rows] = [grid.nx, grid.ny].map((most) => Math.min(most, middle * edge));
    if (fitsInto(device, prepared, need, budgetBytes, columns, rows)) low = middle;
    else high = middle - 1;
  }
  return low * edge;
}

/** The window of most pixels that fits, in whole steps of the lattice: as wide as possible, then as high as possible and of even height. */
function largestWindow(
  { plan, grid }: PreparedBackprojection,
  fits: (columns: number, rows: number) => boolean,
): readonly [columns: number, rows: number] | undefined {
  const edge = latticePixels(plan);
  const most = (n: number, fit: (pixels: number) => boolean): number | undefined => {
    const steps = Math.ceil(n / edge);
    let [low, high] = [0, steps];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (fit(Math.min(middle * edge, n))) low = middle;
      else high = middle - 1;
    }
    if (low === 0) return undefined;
    // As many windows as these, of nearly equal size.
    return Math.min(n, edge * Math.ceil(steps / Math.ceil(steps / low)));
  };
  const columns = most(grid.nx, (width) => fits(width, Math.min(edge, grid.ny)));
  const rows = columns === undefined ? undefined : most(grid.ny, (height) => fits(columns, height));
  return columns === undefined || rows === undefined ? undefined : [columns, rows];
}
