/** Finds and measures the brightest point of a backprojected image. */
import { isRadarError } from "@dechirp/core";
import { type CutMetrics, type GroundGrid, pointTargetSteps } from "@dechirp/sar";
import type { Peak, PeakCut } from "./report.ts";

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

/**
 * Finds the brightest pixel, in pieces. If a point target's main lobe is there, also finds the position between pixels and measures
 * cuts.
 */
export function* peakSteps(image: Float32Array, grid: GroundGrid): Generator<void, Peak> {
  let best = 0;
  let most = 0;
  for (let i = 0; i < image.length; ) {
    for (const end = Math.min(i + pieceNumbers, image.length); i < end; i += 2) {
      const power = image[i] * image[i] + image[i + 1] * image[i + 1];
      if (power > most) [best, most] = [i, power];
    }
    yield;
  }
  const at = { row: Math.floor(best / 2 / grid.nx), column: (best / 2) % grid.nx };
  const { originMeters, xStepMeters, yStepMeters } = grid;
  const place = (row: number, column: number) => ({
    xMeters: originMeters[0] + column * xStepMeters[0],
    yMeters: originMeters[1] + row * yStepMeters[1],
  });
  try {
    const found = yield* pointTargetSteps({ data: image, rows: grid.ny, columns: grid.nx }, at, { searchHalfPixels: 1 });
    const cut = ({ irwPixels, pslrDb, islrDb }: CutMetrics, step: number): PeakCut => ({ irwMeters: irwPixels * step, pslrDb, islrDb });
    return {
      ...place(found.row, found.column),
      magnitude: found.peakMagnitude,
      phaseRadians: found.peakPhaseRadians,
      x: cut(found.range, xStepMeters[0]),
      y: cut(found.azimuth, yStepMeters[1]),
    };
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const phaseRadians = Math.atan2(image[best + 1], image[best]);
    return { ...place(at.row, at.column), magnitude: Math.sqrt(most), phaseRadians, why: error.message };
  }
}
