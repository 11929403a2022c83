/** Apertures and grids that backprojection is tested on: an aircraft at 10 km about a scene, a satellite at 850 km past it. */

import { createRandom } from "@dechirp/core";
import type { PhaseHistory } from "@dechirp/radar";
import type { GroundGrid } from "../src/backprojection/grid.ts";
import { circularTrack, linearTrack, type PlacedTarget, simulatePhaseHistory } from "../src/backprojection/simulate.ts";

export const squareGrid = (n: number, spacingMeters: number): GroundGrid => ({
  kind: "ground",
  nx: n,
  ny: n,
  originMeters: [(-n / 2) * spacingMeters, (-n / 2) * spacingMeters, 0],
  xStepMeters: [spacingMeters, 0, 0],
  yStepMeters: [0, spacingMeters, 0],
});

/** Points anywhere in a square of edge 2·half about the origin, with any phase. */
export function scatteredTargets(count: number, halfMeters: number, seed: number): PlacedTarget[] {
  const random = createRandom(seed);
  const place = (): number => halfMeters * (2 * random.uniform() - 1);
  return Array.from({ length: count }, () => ({
    positionMeters: [place(), place(), 0],
    amplitude: 1,
    phaseRadians: 2 * Math.PI * random.uniform(),
  }));
}

export interface Scene {
  readonly grid: GroundGrid;
  readonly history: () => PhaseHistory;
}

const pulses = 59;

export const scenes = {
  /** 4° of a circle at 10.2 km and 46° of elevation, X band, 620 MHz, 512 × 0.2 m. */
  airborne: {
    grid: squareGrid(512, 0.2),
    history: () =>
      simulatePhaseHistory({
        positions: circularTrack({
          radiusMeters: 7089,
          altitudeMeters: 7276,
          firstRadians: 0,
          stepRadians: (4 * Math.PI) / 180 / pulses,
          pulses,
        }),
        frequency: { firstHz: 9.288e9, stepHz: 1.4713e6, count: 424 },
        targets: scatteredTargets(16, 45, 1),
        noise: { snrDb: 0 },
        seed: 1,
      }),
  },
  /** 2° of a straight line at 850 km and 45° of elevation, X band, 300 MHz, 512 × 0.4 m. */
  spaceborne: {
    grid: squareGrid(512, 0.4),
    history: () =>
      simulatePhaseHistory({
        positions: linearTrack({ middleMeters: [601e3, 0, 601e3], stepMeters: [0, 30e3 / pulses, 0], pulses }),
        frequency: { firstHz: 9.3e9, stepHz: 0.6e6, count: 500 },
        targets: scatteredTargets(16, 90, 2),
        noise: { snrDb: 0 },
        seed: 2,
      }),
  },
} satisfies Record<string, Scene>;
