/**
 * How exact an image is that is made with one position of the platform for each pulse, halfway between those of the transmitter and of the
 * receiver. The way to a point is then 2·|M − x| instead of |T − x| + |R − x|. What is the same for all points of the image is no error,
 * because pulses are motion-compensated to a point of the scene.
 */
import type { HistoryGeometry } from "@dechirp/radar";
import { type ImageGrid, pixelPosition } from "./grid.ts";
import { checkHistoryGeometry, pulseCount } from "./profiles.ts";

/** Number of pulses that stand for the whole aperture. */
const mostLooks = 256;

/**
 * By how many metres of range the midpoint errs, between any two points of the grid: the largest of up to 256 pulses, and of the corners,
 * the middles of the edges and the centre. 0 without `history.antennas`. Throws `input` naming `history.<field>`.
 */
export function midpointErrorMeters(history: HistoryGeometry, grid: ImageGrid): number {
  checkHistoryGeometry(history);
  const { antennas, positions } = history;
  if (!antennas) return 0;
  const places = [0, 0.5, 1].flatMap((i) =>
    [0, 0.5, 1].map((j) => pixelPosition(grid, Math.round(i * (grid.nx - 1)), Math.round(j * (grid.ny - 1)))),
  );
  const away = (from: Float64Array, p: number, [x, y, z]: readonly number[]): number =>
    Math.hypot(from[3 * p] - x, from[3 * p + 1] - y, from[3 * p + 2] - z);
  const last = pulseCount(history) - 1;
  const looks = Math.min(mostLooks, last + 1);
  let worst = 0;
  for (let i = 0; i < looks; i++) {
    const p = looks === 1 ? 0 : Math.round((i * last) / (looks - 1));
    const errors = places.map((at) => (away(antennas.transmit, p, at) + away(antennas.receive, p, at)) / 2 - away(positions, p, at));
    worst = Math.max(worst, Math.max(...errors) - Math.min(...errors));
  }
  return worst;
}
