/** Finds and measures the brightest point of a backprojected image. */
import { isRadarError } from "@dechirp/core";
import { type CutMetrics, type GridWindow, type GroundGrid, pointTargetSteps } from "@dechirp/sar";
import type { Peak, PeakCut } from "./report.ts";

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

/**
 * Finds the brightest pixel of an image, in pieces. If a point target's main lobe is there, also finds the position between pixels and
 * measures cuts.
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
  return yield* measuredPeakSteps(image, grid, { ix: 0, iy: 0, nx: grid.nx, ny: grid.ny }, best);
}

/** Measures the peak at number `best` of the image of a window, in pieces. */
export function* measuredPeakSteps(image: Float32Array, grid: GroundGrid, window: GridWindow, best: number): Generator<void, Peak> {
  const at = { row: Math.floor(best / 2 / window.nx), column: (best / 2) % window.nx };
  const { originMeters, xStepMeters, yStepMeters } = grid;
  const place = (row: number, column: number) => ({
    xMeters: originMeters[0] + (window.ix + column) * xStepMeters[0],
    yMeters: originMeters[1] + (window.iy + row) * yStepMeters[1],
  });
  try {
    const found = yield* pointTargetSteps({ data: image, rows: window.ny, columns: window.nx }, at, { searchHalfPixels: 1 });
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
    return { ...place(at.row, at.column), magnitude: Math.hypot(image[best], image[best + 1]), phaseRadians, why: error.message };
  }
}
