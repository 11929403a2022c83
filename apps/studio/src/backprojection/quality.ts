/** How good an image is: its error against the exact sum at a sample of pixels, and the widths of a point beside those of theory. */
import { createPause, createRandom, type Device, isRadarError } from "@dechirp/core";
import { type HistoryGeometry, speedOfLight, windowTheory } from "@dechirp/radar";
import {
  analysePointTarget,
  type BackprojectorOptions,
  backprojectExact,
  type CutMetrics,
  type GroundGrid,
  pixelPosition,
  signalToErrorDb,
  type Vec3,
} from "@dechirp/sar";
import { type ProjectHooks, project } from "./project.ts";
import type { Flight, Portion } from "./samples.ts";

/** Number of pixels at which an image is compared. */
export const sampledPixels = 64;
const sampleSeed = 1;

/**
 * Pixels of an image by index: half of them drawn evenly, the others with a probability that is proportional to their power, so that
 * targets, which have most of the energy, are among them.
 */
export function samplePixels(image: Float32Array, count = sampledPixels): number[] {
  const random = createRandom(sampleSeed);
  const pixels = image.length / 2;
  const even = Array.from({ length: Math.ceil(count / 2) }, () => Math.floor(random.uniform() * pixels));
  let total = 0;
  for (let i = 0; i < image.length; i++) total += image[i]! * image[i]!;
  const wanted = Array.from({ length: count - even.length }, () => random.uniform() * total).sort((a, b) => a - b);
  const bright: number[] = [];
  let sum = 0;
  for (let i = 0; i < pixels && bright.length < wanted.length; i++) {
    sum += image[2 * i]! * image[2 * i]! + image[2 * i + 1]! * image[2 * i + 1]!;
    while (bright.length < wanted.length && sum > wanted[bright.length]!) bright.push(i);
  }
  return [...even, ...bright];
}

/** The exact sum over pulses and frequencies, in float64, at pixels of a grid. Rejects with `aborted`. */
export async function exactAt(
  portions: readonly Portion[],
  grid: GroundGrid,
  pixels: readonly number[],
  signal?: AbortSignal,
): Promise<Float64Array> {
  const points = Float64Array.from(pixels.flatMap((i) => [...pixelPosition(grid, i % grid.nx, Math.floor(i / grid.nx))]));
  const into = new Float64Array(2 * pixels.length);
  const pause = createPause("the exact sum", signal);
  const pulsesAtOnce = 8;
  for (const portion of portions) {
    const count = portion.referenceRangeMeters.length;
    for (let p = 0; p < count; p += pulsesAtOnce) {
      await pause();
      backprojectExact(portion, points, { pulses: [p, Math.min(pulsesAtOnce, count - p)], into });
    }
  }
  return into;
}

/** Signal-to-error ratio of an image at the pixels where the exact sum is known, in dB. */
export const sampledSerDb = (image: Float32Array, pixels: readonly number[], exact: Float64Array): number =>
  signalToErrorDb(
    pixels.flatMap((i) => [image[2 * i]!, image[2 * i + 1]!]),
    exact,
  );

/** Widths of the response to a point, in metres at half power. */
export interface Resolution {
  /** Along the line of sight, on the ground. */
  readonly rangeMeters: number;
  /** Across it. */
  readonly crossMeters: number;
}

/** What an aperture resolves at a point. */
export interface ApertureTheory extends Resolution {
  /** Horizontal unit vector from the radar in the middle of the aperture to the point. */
  readonly look: readonly [x: number, y: number];
  /** Angle between the ground and the line of sight. */
  readonly grazingRadians: number;
  /** Azimuth over which the aperture is seen. */
  readonly azimuthRadians: number;
  /** Pixels that are this far apart sample the response with a margin, along and across. */
  readonly stepMeters: readonly [range: number, cross: number];
}

/** How many pulses stand for the aperture. */
const looks = 64;

/**
 * The response to a point by the theory of narrow apertures: 0.886·c/(2B·cos ψ) in range and 0.886·λ/2 over the change of the direction to the
 * radar across, both on the ground.
 */
export function apertureTheory(geometry: HistoryGeometry, [first, count]: readonly [number, number], at: Vec3): ApertureTheory {
  const { positions, frequency } = geometry;
  const towards = (p: number): Vec3 => {
    const d = [0, 1, 2].map((axis) => positions[3 * p + axis]! - at[axis]!) as [number, number, number];
    const range = Math.hypot(...d);
    return [d[0] / range, d[1] / range, d[2] / range];
  };
  const middle = towards(first + Math.floor(count / 2));
  const ground = Math.hypot(middle[0], middle[1]);
  // Straight from above there is no range on the ground; any direction will do then.
  const look: [number, number] = ground > 1e-9 ? [-middle[0] / ground, -middle[1] / ground] : [0, 1];
  const lowHz = frequency.firstHz;
  const highHz = frequency.firstHz + frequency.count * frequency.stepHz;
  const spans = { range: [Infinity, -Infinity], cross: [Infinity, -Infinity], side: [Infinity, -Infinity] } as Record<
    "range" | "cross" | "side",
    [number, number]
  >;
  const widen = (name: keyof typeof spans, value: number): void => {
    spans[name] = [Math.min(spans[name][0], value), Math.max(spans[name][1], value)];
  };
  let azimuth = 0;
  let before: number | undefined;
  for (let i = 0; i < looks; i++) {
    const [ux, uy] = towards(first + Math.round((i * (count - 1)) / (looks - 1)));
    const along = ux * look[0] + uy * look[1];
    const across = uy * look[0] - ux * look[1];
    widen("side", across);
    for (const hertz of [lowHz, highHz]) {
      widen("range", (2 * hertz * along) / speedOfLight);
      widen("cross", (2 * hertz * across) / speedOfLight);
    }
    const angle = Math.atan2(uy, ux);
    if (before !== undefined) {
      const turn = angle - before;
      azimuth += Math.abs(turn - 2 * Math.PI * Math.round(turn / (2 * Math.PI)));
    }
    before = angle;
  }
  const { irwTimesBandwidth } = windowTheory({ kind: "rect" });
  const width = ([low, high]: readonly [number, number]): number => high - low;
  return {
    look,
    grazingRadians: Math.acos(Math.min(1, ground)),
    azimuthRadians: azimuth,
    rangeMeters: (irwTimesBandwidth * speedOfLight) / (2 * frequency.count * frequency.stepHz * ground),
    crossMeters: (irwTimesBandwidth * speedOfLight) / ((lowHz + highHz) * width(spans.side)),
    stepMeters: [1 / (oversampling * width(spans.range)), 1 / (oversampling * width(spans.cross))],
  };
}

/** Pixels to a cell of the image's spectrum; measurements between pixels need 1.085. */
const oversampling = 1.5;
/** Pixels along the edge of the image that a point is measured in, and of each side of its cuts. */
const chipPixels = 128;
const cutPixels = 30;

/** A measured point. */
export interface MeasuredPoint extends Resolution {
  readonly x: number;
  readonly y: number;
  /** Magnitude, of which the number of pulses is one. */
  readonly amplitude: number;
  readonly range: CutMetrics;
  readonly cross: CutMetrics;
}

/**
 * Measures the point nearest to a place, in an image of its own around it, whose axes are the line of sight and the direction across it.
 * Resolves with a sentence if it can't be measured.
 */
export async function measurePoint(
  device: Device,
  flight: Flight,
  pulses: readonly [first: number, count: number],
  portions: readonly Portion[],
  { x, y }: { readonly x: number; readonly y: number },
  { look: [lookX, lookY], stepMeters: [along, across] }: ApertureTheory,
  options: BackprojectorOptions,
  hooks: ProjectHooks,
): Promise<MeasuredPoint | string> {
  const middle = chipPixels / 2;
  const [crossX, crossY] = [-lookY, lookX];
  const at = (column: number, row: number): readonly [number, number] => [
    x + (column - middle) * along * lookX + (row - middle) * across * crossX,
    y + (column - middle) * along * lookY + (row - middle) * across * crossY,
  ];
  const grid: GroundGrid = {
    kind: "ground",
    nx: chipPixels,
    ny: chipPixels,
    originMeters: [...at(0, 0), 0],
    xStepMeters: [along * lookX, along * lookY, 0],
    yStepMeters: [across * crossX, across * crossY, 0],
  };
  try {
    const { image } = await project(device, flight, pulses, portions, grid, options, hooks);
    const found = analysePointTarget(
      { data: image, rows: chipPixels, columns: chipPixels },
      { row: middle, column: middle },
      { cutHalfPixels: cutPixels },
    );
    const [foundX, foundY] = at(found.column, found.row);
    return {
      x: foundX,
      y: foundY,
      amplitude: found.peakMagnitude / pulses[1],
      rangeMeters: found.range.irwPixels * along,
      crossMeters: found.azimuth.irwPixels * across,
      range: found.range,
      cross: found.azimuth,
    };
  } catch (error) {
    // `limit`: the main lobe is so wide that the image around it would reach the platform.
    if (!isRadarError(error, "input") && !isRadarError(error, "limit")) throw error;
    return "This point can't be measured: its main lobe is not alone in the image around it, or wider than the pulses can image.";
  }
}
