/** Finds and measures the brightest point of a backprojected image. */
import { isRadarError } from "@dechirp/core";
import { type CutMetrics, type GridWindow, pointTargetSteps } from "@dechirp/sar";
import type { BackprojectReport, Peak, PeakCut } from "./report.ts";

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

/**
 * Finds the brightest pixel of an image, in pieces. If a point target's main lobe is there, also finds the position between pixels and
 * measures cuts.
 */
export function* peakSteps(image: Float32Array, axes: BackprojectReport["axes"]): Generator<void, Peak> {
  let best = 0;
  let most = 0;
  for (let i = 0; i < image.length; ) {
    for (const end = Math.min(i + pieceNumbers, image.length); i < end; i += 2) {
      const power = image[i] * image[i] + image[i + 1] * image[i + 1];
      if (power > most) [best, most] = [i, power];
    }
    yield;
  }
  return yield* measuredPeakSteps(image, axes, { ix: 0, iy: 0, nx: axes.xMeters.count, ny: axes.yMeters.count }, best);
}

/** Measures the peak at number `best` of the image of a window, in pieces. */
export function* measuredPeakSteps(
  image: Float32Array,
  { xMeters: x, yMeters: y }: BackprojectReport["axes"],
  window: GridWindow,
  best: number,
): Generator<void, Peak> {
  const at = { row: Math.floor(best / 2 / window.nx), column: (best / 2) % window.nx };
  const place = (row: number, column: number) => ({
    xMeters: x.start + (window.ix + column) * x.step,
    yMeters: y.start + (window.iy + row) * y.step,
  });
  try {
    const found = yield* pointTargetSteps({ data: image, rows: window.ny, columns: window.nx }, at, { searchHalfPixels: 1 });
    const cut = ({ irwPixels, pslrDb, islrDb }: CutMetrics, step: number): PeakCut => ({
      irwMeters: irwPixels * Math.abs(step),
      pslrDb,
      islrDb,
    });
    return {
      ...place(found.row, found.column),
      magnitude: found.peakMagnitude,
      phaseRadians: found.peakPhaseRadians,
      x: cut(found.range, x.step),
      y: cut(found.azimuth, y.step),
    };
  } catch (error) {
    if (!isRadarError(error, "input")) throw error;
    const phaseRadians = Math.atan2(image[best + 1], image[best]);
    return { ...place(at.row, at.column), magnitude: Math.hypot(image[best], image[best + 1]), phaseRadians, why: error.message };
  }
}
