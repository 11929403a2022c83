/**
 * Makes windows of a backprojected image one after the other: takes all pulses for each of them, and reads it from the device. Windows of
 * one shape share what is compiled for them.
 */
import type { Device } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { type BackprojectionPlan, type Backprojector, createBackprojector, type GridWindow, type GridWindowOptions } from "@dechirp/sar";
import { type BackprojectedImagePlan, blameRecording, checkPlan, geometryOf, scaleOf } from "./image-plan.ts";
import { addPulses } from "./pulses.ts";

/** Options of `WindowMaker.make`. */
export interface MakeWindowOptions {
  readonly signal?: AbortSignal;
  /** Called with the share of the pulses that are in the window. */
  readonly onProgress?: (share: number) => void;
}

/** A backprojected image that is made window by window. Dispose of it to free its memory. */
export interface WindowMaker extends Disposable {
  readonly projector: Backprojector;
  /** Milliseconds in which finished windows were read from the device and scaled. */
  readonly collectedMilliseconds: number;
  /**
   * Makes a window: [ny][nx] complex, interleaved. It has the bits that it has in the whole image. One call at a time. Rejects with
   * `input` if the window is not on the block lattice of the plan, with what the recording and the device throw, and with `aborted`; no window
   * can be made after that.
   */
  make(window: GridWindowOptions & { readonly gridWindow: GridWindow }, options?: MakeWindowOptions): Promise<Float32Array>;
}

/**
 * Prepares the windows of `plan`, made with the choices of `chosen`, which may come from another process (`WindowedImagePlan.plan`). `first`
 * is the window that is made first, so that its memory is allocated at once; default: the whole image. Rejects with `input` if `chosen` was
 * made for another device, grid or recording, and with what the device throws.
 */
export async function createWindowMaker(
  plan: BackprojectedImagePlan,
  device: Device,
  chosen: BackprojectionPlan,
  first?: GridWindow,
): Promise<WindowMaker> {
  checkPlan(plan);
  const { grid, settings, where } = plan;
  const projector = await blameRecording(where, settings, () =>
    createBackprojector(device, geometryOf(plan), grid, { plan: chosen, ...(first && { gridWindow: first }) }),
  );
  const scale = scaleOf(plan, projector.profiles);
  let begun = false;
  let collected = 0;
  return {
    projector,
    get collectedMilliseconds() {
      return collected;
    },
    async make(window, { signal, onProgress } = {}) {
      const { ix, iy, nx, ny } = projector.gridWindow;
      const wanted = window.gridWindow;
      const isThere = !begun && wanted.ix === ix && wanted.iy === iy && wanted.nx === nx && wanted.ny === ny;
      if (!isThere) await projector.begin(window);
      begun = true;
      await addPulses(projector, plan, {
        ...(signal && { signal }),
        onProgress: ({ pulses, of }) => onProgress?.(pulses / of),
      });
      const from = performance.now();
      const image = await runAbortable(signal, "collecting", scaledSteps(await projector.image(), scale));
      collected += performance.now() - from;
      return image;
    },
    [Symbol.dispose]: () => projector[Symbol.dispose](),
  };
}

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

/** Multiplies all numbers of an image by a factor, in place. */
export function* scaledSteps(image: Float32Array, factor: number): Generator<void, Float32Array> {
  for (let i = 0; factor !== 1 && i < image.length; ) {
    for (const end = Math.min(i + pieceNumbers, image.length); i < end; i++) image[i] *= factor;
    yield;
  }
  return image;
}
