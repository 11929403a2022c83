/** Makes images of apertures on a device: the grid of a window, and one backprojection with its speed. */
import { type Device, throwIfAborted } from "@dechirp/core";
import {
  type Backprojector,
  type BackprojectorOptions,
  createBackprojector,
  type GroundGrid,
  type Partition,
  type ProfileInterpolation,
} from "@dechirp/sar";
import { pulsesOf } from "./flight.ts";
import type { Flight, Portion } from "./samples.ts";
import { type ImageRequest, type ImageWindow, interpolationOf } from "./settings.ts";

/** The pixels of a window: `pixels` along each edge, in equal parts of it, on the plane z = 0. */
export function gridOf({ x, y, edge }: ImageWindow, pixels: number): GroundGrid {
  const step = edge / pixels;
  return {
    kind: "ground",
    nx: pixels,
    ny: pixels,
    originMeters: [x - edge / 2 + step / 2, y - edge / 2 + step / 2, 0],
    xStepMeters: [step, 0, 0],
    yStepMeters: [0, step, 0],
  };
}

/**
 * Pulses that a processor adds at a time: fewer for large images, so that they can be cancelled, and show progress, within a second. A GPU
 * has the package's default.
 */
const hostBlock = (pixels: number): number => Math.min(128, Math.max(16, Math.floor(2 ** 25 / pixels ** 2)));

/** What backprojection is told of a request. */
export function optionsOf({ device, interpolation, mode, pixels }: ImageRequest): BackprojectorOptions {
  const chosen = interpolationOf(interpolation);
  return { mode, ...(chosen && { interpolation: chosen }), ...(device === "cpu" && { pulsesPerBlock: hostBlock(pixels) }) };
}

/** An image, and what it took. */
export interface Projected {
  /** [ny][nx], interleaved re, im. */
  readonly image: Float32Array;
  /** From the first pulse that is handed over to the last that is in the image: transfers and range compression are included. */
  readonly seconds: number;
  /** Pixels times pulses, a second. */
  readonly rate: number;
  /** Planning, and compiling if the device had not compiled this shape before. */
  readonly planSeconds: number;
  readonly interpolation: ProfileInterpolation;
  readonly partition: Partition;
  readonly text: string;
}

/** What a backprojection reports while it runs. */
export interface ProjectHooks {
  readonly signal?: AbortSignal | undefined;
  /** Called with the share of the pulses that are in the image. */
  readonly onShare?: (share: number) => unknown;
  /** Called every few hundred milliseconds with the image of the pulses so far. Its time does not count. */
  readonly onPartial?: (image: Float32Array) => Promise<void>;
}

const partialMilliseconds = 300;

/** Adds all portions to the image of a projector, and resolves with the seconds that it took. */
export async function addPortions(
  projector: Backprojector,
  portions: readonly Portion[],
  { signal, onShare, onPartial }: ProjectHooks,
): Promise<number> {
  const options = {
    ...(signal && { signal }),
    ...(onShare && { onProgress: ({ pulses, of }: { pulses: number; of: number }) => void onShare(pulses / of) }),
  };
  const start = performance.now();
  let paused = 0;
  let last = start;
  for (const { samples } of portions) {
    await projector.add(samples, options);
    // Only between blocks: an image in the middle of one would change how pulses are divided.
    const isWhole = projector.pulses % projector.plan.pulsesPerBlock === 0;
    if (!onPartial || !isWhole || performance.now() - last < partialMilliseconds) continue;
    const image = await projector.image();
    const shown = performance.now();
    await onPartial(image);
    last = performance.now();
    paused += last - shown;
  }
  await projector.finish(options);
  return (performance.now() - start - paused) / 1000;
}

/** Makes an image of the pulses of a flight. Rejects in the cases of `createBackprojector`, and with `aborted`. */
export async function project(
  device: Device,
  { geometry }: Flight,
  pulses: readonly [first: number, count: number],
  portions: readonly Portion[],
  grid: GroundGrid,
  options: BackprojectorOptions,
  hooks: ProjectHooks = {},
): Promise<Projected> {
  throwIfAborted(hooks.signal, "the image");
  const start = performance.now();
  using projector = await createBackprojector(device, pulsesOf(geometry, pulses), grid, options);
  const planSeconds = (performance.now() - start) / 1000;
  const seconds = await addPortions(projector, portions, hooks);
  const { interpolation, partition, text } = projector;
  const image = await projector.image();
  return { image, seconds, rate: (grid.nx * grid.ny * pulses[1]) / seconds, planSeconds, interpolation, partition, text };
}
