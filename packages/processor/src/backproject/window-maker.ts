/**
 * Makes windows of a backprojected image one after the other: takes all pulses for each of them, and reads it from the device. Windows of
 * one shape share what is compiled for them.
 */
import type { Device } from "@dechirp/core";
import { checkFields, type FieldsOf, runAbortable } from "@dechirp/core/internal";
import {
  type BackprojectionPlan,
  type BackprojectionProgress,
  type Backprojector,
  createBackprojector,
  type GridWindow,
  type GridWindowOptions,
} from "@dechirp/sar";
import { type BackprojectedImagePlan, blameRecording, checkPlan, geometryOf, scaleOf } from "./image-plan.ts";
import { addPulses, type KeptPulses, type PulseRun, pulsesBytes } from "./pulses.ts";

/** Options of `WindowMaker.make`. */
export interface MakeWindowOptions {
  readonly signal?: AbortSignal;
  /** Called with the share of the pulses that are in the window. */
  readonly onProgress?: (share: number) => void;
}

/** Options of `createWindowMaker`. */
export interface WindowMakerOptions {
  /** The window that is made first, so that its memory is allocated at once. Default: the whole image. */
  readonly first?: GridWindow;
  /**
   * Bytes that pulses may take between windows. If all that a window takes fit, they are read for the first window only. Default: 0. `imageWindowBytes` tells
   * what a window itself needs.
   */
  readonly keepBytes?: number;
}

/** A backprojected image that is made window by window. Dispose of it to free its memory. */
export interface WindowMaker extends Disposable {
  readonly projector: Backprojector;
  /** Milliseconds in which finished windows were read from the device and scaled. */
  readonly collectedMilliseconds: number;
  /**
   * Makes a window: [ny][nx] complex, interleaved. It has the bits that it has in the whole image, if no run of `pulses` is asked for. One call
   * at a time. Rejects with `input` if the window is not on the block lattice of the plan, with what the recording and the device throw, and with `aborted`; no window
   * can be made after that.
   */
  make(window: GridWindowOptions & { readonly gridWindow: GridWindow }, options?: MakeWindowOptions): Promise<Float32Array>;
}

/**
 * Prepares the windows of `plan`, made with the choices of `chosen`, which may come from another process (`WindowedImagePlan.plan`).
 * Rejects with `input` if `chosen` was made for another device, grid or recording, and with what the device throws.
 */
export async function createWindowMaker(
  plan: BackprojectedImagePlan,
  device: Device,
  chosen: BackprojectionPlan,
  options: WindowMakerOptions = {},
): Promise<WindowMaker> {
  checkPlan(plan);
  checkFields(options, makerFields, "options of createWindowMaker", "input");
  const { first, keepBytes = 0 } = options;
  const { grid, settings, where } = plan;
  const projector = await blameRecording(where, settings, () =>
    createBackprojector(device, geometryOf(plan), grid, { plan: chosen, ...(first && { gridWindow: first }) }),
  );
  const scale = scaleOf(plan, projector.profiles);
  const all: PulseRun = [0, plan.recording.shape[0]];
  const kept: KeptPulses = new Map();
  let keptRun: PulseRun = all;
  let begun = false;
  let collected = 0;
  return {
    projector,
    get collectedMilliseconds() {
      return collected;
    },
    async make(window, { signal, onProgress } = {}) {
      const run = window.pulses ?? all;
      if (run[0] !== keptRun[0] || run[1] !== keptRun[1]) kept.clear();
      keptRun = run;
      const { ix, iy, nx, ny } = projector.gridWindow;
      const wanted = window.gridWindow;
      const isThere = !begun && window.pulses === undefined && wanted.ix === ix && wanted.iy === iy && wanted.nx === nx && wanted.ny === ny;
      if (!isThere) await projector.begin(window);
      begun = true;
      const reading = { ...(signal && { signal }), onProgress: ({ pulses, of }: BackprojectionProgress) => onProgress?.(pulses / of) };
      await addPulses(projector, plan, reading, { run, ...(pulsesBytes(plan, run[1]) <= keepBytes && { kept }) });
      const from = performance.now();
      const image = await runAbortable(signal, "collecting", scaledSteps(await projector.image(), scale));
      collected += performance.now() - from;
      return image;
    },
    [Symbol.dispose]() {
      kept.clear();
      projector[Symbol.dispose]();
    },
  };
}

const makerFields: FieldsOf<WindowMakerOptions> = { first: true, keepBytes: "number" };

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
