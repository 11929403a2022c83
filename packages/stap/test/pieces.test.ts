/**
 * Long work in pieces: a signal is noticed between two of them, so that the work of one piece must not grow with the data. Pieces are
 * counted, not timed.
 */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { binCovarianceSteps, type CfarOptions, caCfarSteps, efaGeometry, osCfarSteps } from "../src/index.ts";

/** How often a generator yields. */
function piecesOf(work: Generator<unknown, unknown>): number {
  let pieces = 0;
  while (!work.next().done) pieces++;
  return pieces;
}

describe("pieces of work", () => {
  it.each(["sliding", "none"] as const)("of a covariance are one product of two rows each, sharing %s", (sharing) => {
    const [channels, pulses, ranges] = [5, 4, 64];
    const geometry = efaGeometry({ channels, pulses, ranges, steeringVectors: 1, sharing, training: { kind: "own" } });
    const { gaussian } = createRandom(3);
    const data = Float64Array.from({ length: 2 * channels * pulses * ranges }, gaussian);
    const { order: n } = geometry;
    const products = geometry.shared ? geometry.products * geometry.temporalTaps : (n * (n + 1)) / 2;
    expect(piecesOf(binCovarianceSteps({ data, channels, bins: pulses, ranges }, geometry)(1))).toBeGreaterThanOrEqual(products);
  });

  it.each([caCfarSteps, osCfarSteps])("of %o look at so many powers, however many a threshold is made of", (steps) => {
    const { uniform } = createRandom(4);
    const power = Float64Array.from({ length: 2048 }, uniform);
    const pieces = (options: CfarOptions): number => piecesOf(steps(power, power.length, options));
    for (const cells of [16, 128, 1024])
      expect(pieces({ falseAlarm: 1e-3, cells })).toBeGreaterThanOrEqual((power.length * cells) / 2 ** 15);
  });
});
