/** Where the image of a point target is, and what it is there: for tests that compare images with a known scene. */
import type { Device } from "@dechirp/core";
import { backprojectRecording, type PhaseHistoryRecording, planBackprojectedImage } from "../src/index.ts";

type Vec3 = readonly [x: number, y: number, z: number];

/** What an image has near a point. */
export interface PointErrors {
  /** Position of the maximum less that of the point. */
  readonly xMeters: number;
  readonly yMeters: number;
  /** Of the image at the point itself. */
  readonly amplitude: number;
  readonly phaseRadians: number;
}

/** Images 49 × 49 pixels of 12.5 cm about a point. */
export async function pointErrors(recording: PhaseHistoryRecording, device: Device, [x, y, z]: Vec3): Promise<PointErrors> {
  const [n, step, middle] = [49, 0.125, 24];
  const grid = { xMeters: x - middle * step, yMeters: y - middle * step, xStepMeters: step, yStepMeters: step, nx: n, ny: n };
  const result = await backprojectRecording(await planBackprojectedImage(recording, { grid, heightMeters: z }), device);
  const image = result.image;
  const magnitude = (i: number, j: number): number => Math.hypot(image[2 * (j * n + i)], image[2 * (j * n + i) + 1]);
  let [bi, bj] = [0, 0];
  for (let j = 0; j < n; j++) for (let i = 0; i < n; i++) if (magnitude(i, j) > magnitude(bi, bj)) [bi, bj] = [i, j];
  const vertex = (l: number, c: number, r: number): number => (0.5 * (l - r)) / (l - 2 * c + r);
  const k = 2 * (middle * n + middle);
  return {
    xMeters: (bi - middle + vertex(magnitude(bi - 1, bj), magnitude(bi, bj), magnitude(bi + 1, bj))) * step,
    yMeters: (bj - middle + vertex(magnitude(bi, bj - 1), magnitude(bi, bj), magnitude(bi, bj + 1))) * step,
    amplitude: magnitude(middle, middle),
    phaseRadians: Math.atan2(image[k + 1], image[k]),
  };
}
