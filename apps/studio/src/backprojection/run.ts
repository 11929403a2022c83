/**
 * One run of the task: the picture of an aperture, a coarse one first if the image takes longer than a frame, then its speed, its error
 * against the exact sum, and the widths of a point.
 */
import { type Device, inputError, throwIfAborted } from "@dechirp/core";
import { type PlacedTarget, type ProfileInterpolation, planCompression, profileInterpolationDb } from "@dechirp/sar";
import { type DeviceFacts, factsOf } from "../work/devices.ts";
import { aperturePulses, pulsesOf } from "./flight.ts";
import type { PlacedImage } from "./paint.ts";
import { gridOf, optionsOf, type Projected, project } from "./project.ts";
import { type ApertureTheory, apertureTheory, exactAt, type MeasuredPoint, measurePoint, sampledSerDb, samplePixels } from "./quality.ts";
import type { Flight } from "./samples.ts";
import type { ImageRequest, ImageWindow } from "./settings.ts";

/** What is known when an image is there. */
export interface SpeedReport {
  readonly device: DeviceFacts;
  readonly pixels: number;
  readonly pulses: number;
  readonly firstPulse: number;
  readonly seconds: number;
  readonly planSeconds: number;
  /** Pixels times pulses, a second. */
  readonly rate: number;
  readonly interpolation: string;
  /** Expected ratio of signal to interpolation error for a flat spectrum. */
  readonly interpolationDb: number;
  readonly scheme: string;
  readonly trafficBytes: number;
  /** The plan, as text. */
  readonly text: string;
}

/** What is known of the quality of an image. */
export interface QualityReport {
  /** Signal-to-error ratio in dB at a sample of pixels. */
  readonly serDb: number;
  readonly samples: number;
  /** Where a point is measured. */
  readonly at: { readonly x: number; readonly y: number };
  readonly theory: Omit<ApertureTheory, "stepMeters">;
  /** The measured point, or why there is none. */
  readonly point: MeasuredPoint | string;
}

/** What a run reports, in this order; `advance` at any time. */
export interface RunListener {
  advance(what: string, share?: number): void;
  image(image: PlacedImage): Promise<void>;
  speed(report: SpeedReport): void;
}

/** Images that take longer than this are preceded by a coarse one. */
const frameSeconds = 0.08;
/** Edges of coarse images. The largest that takes no longer is made. */
const coarseEdges = [256, 128, 64, 32];

/** Pixels times pulses a second, before a device has been measured. */
const assumedRate = ({ isSoftware, name }: DeviceFacts): number => (name === "gpu" && !isSoftware ? 5e9 : 1e8);
const rates = new WeakMap<Device, number>();

/** Runs a request. Coarse images are made even if the signal has fired, so that an aperture that is dragged is always seen. */
export async function run(
  device: Device,
  flight: Flight,
  request: ImageRequest,
  listener: RunListener,
  signal: AbortSignal | undefined,
): Promise<QualityReport> {
  const { pixels, window } = request;
  const { facts } = flight;
  checkWindow(window, facts.scene);
  const pulses = aperturePulses(facts.pulses, request.aperture);
  const portions = await flight.portions(pulses, (share) => listener.advance("reading pulses", share), signal);
  const grid = gridOf(window, pixels);
  const options = optionsOf(request);
  const deviceFacts = factsOf(request.device, device);
  const affordable = (frameSeconds * (rates.get(device) ?? assumedRate(deviceFacts))) / pulses[1];
  const coarse = coarseEdges.find((edge) => edge ** 2 <= affordable) ?? 32;
  if (pixels ** 2 > affordable && coarse <= pixels / 2) {
    const small = gridOf(window, coarse);
    const { image } = await project(device, flight, pulses, portions, small, options);
    await listener.image({ image, grid: small, window, stage: "coarse" });
  }
  // Gives messages a turn: the signal may have fired meanwhile.
  await turn();
  throwIfAborted(signal, "the image");
  const made = await project(device, flight, pulses, portions, grid, options, {
    signal,
    onShare: (share) => listener.advance("making the image", share),
    onPartial: (image) => listener.image({ image, grid, window, stage: "partial" }),
  });
  rates.set(device, made.rate);
  await listener.image({ image: made.image, grid, window, stage: "whole" });
  listener.speed(speedOf(made, deviceFacts, flight, request, pulses));

  listener.advance("comparing with the exact sum");
  const sample = samplePixels(made.image);
  const serDb = sampledSerDb(made.image, sample, await exactAt(portions, grid, sample, signal));
  listener.advance("measuring a point");
  const at = pointOf(request, facts.targets, made.image);
  const { stepMeters, ...theory } = apertureTheory(flight.geometry, pulses, [at.x, at.y, 0]);
  const point = await measurePoint(device, flight, pulses, portions, at, { stepMeters, ...theory }, options, { signal });
  return { serDb, samples: sample.length, at, theory, point };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** Throws `input` unless the window overlaps the scene. */
function checkWindow({ x, y, edge }: ImageWindow, scene: Flight["facts"]["scene"]): void {
  for (const [axis, value] of [
    ["x", x],
    ["y", y],
  ] as const) {
    const most = scene.half + edge / 2;
    if (!(Math.abs(value - scene[axis]) < most))
      throw inputError(
        axis,
        `a middle of the window from ${(scene[axis] - most).toFixed(0)} to ${(scene[axis] + most).toFixed(0)} m, so that the window overlaps the scene`,
        value,
      );
  }
}

function speedOf(
  { seconds, planSeconds, rate, interpolation, partition, text }: Projected,
  device: DeviceFacts,
  flight: Flight,
  { pixels }: ImageRequest,
  [firstPulse, pulses]: readonly [number, number],
): SpeedReport {
  const { geometry } = planCompression(pulsesOf(flight.geometry, [firstPulse, pulses]));
  return {
    device,
    pixels,
    pulses,
    firstPulse,
    seconds,
    planSeconds,
    rate,
    interpolation: nameOf(interpolation),
    interpolationDb: profileInterpolationDb(interpolation, geometry),
    scheme: partition.scheme,
    trafficBytes: partition.trafficBytes[partition.scheme],
    text,
  };
}

/** An interpolation as text. */
export const nameOf = (interpolation: ProfileInterpolation): string =>
  typeof interpolation === "string"
    ? interpolation
    : interpolation.kind === "sinc"
      ? `sinc, ${interpolation.taps} taps`
      : interpolation.kind;

/** Where a point is measured: at a target, or else at the brightest pixel. */
export function pointOf(
  { point, window, pixels }: Pick<ImageRequest, "point" | "window" | "pixels">,
  targets: readonly PlacedTarget[],
  image: Float32Array,
): { readonly x: number; readonly y: number } {
  const place = (i: number): { readonly x: number; readonly y: number } => {
    const [x, y] = targets[i]!.positionMeters;
    return { x, y };
  };
  if (point > 0 && point <= targets.length) return place(point - 1);
  if (targets.length > 0) {
    const away = ({ positionMeters: [x, y] }: PlacedTarget): number => Math.hypot(x - window.x, y - window.y);
    return place(targets.reduce((best, target, i) => (away(target) < away(targets[best]!) ? i : best), 0));
  }
  let brightest = 0;
  for (let i = 0; i < image.length; i += 2)
    if (Math.hypot(image[i]!, image[i + 1]!) > Math.hypot(image[brightest]!, image[brightest + 1]!)) brightest = i;
  const grid = gridOf(window, pixels);
  return {
    x: grid.originMeters[0] + ((brightest / 2) % pixels) * grid.xStepMeters[0],
    y: grid.originMeters[1] + Math.floor(brightest / 2 / pixels) * grid.yStepMeters[1],
  };
}
