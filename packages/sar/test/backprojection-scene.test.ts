/** The image that a phase history supports, compared with textbook values for a circular aperture, and by definition at its edges. */
import { type HistoryGeometry, speedOfLight } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import { sceneGrid } from "../src/backprojection/scene.ts";
import { circularTrack } from "../src/backprojection/simulate.ts";
import { refused } from "./refused.ts";

const [radiusMeters, altitudeMeters] = [7089, 7276];
const range = Math.hypot(radiusMeters, altitudeMeters);
const cosElevation = radiusMeters / range;
const degree = Math.PI / 180;
const frequency = { firstHz: 9.288e9, stepHz: 1.4713e6, count: 424 };

/** `degrees` of a circle about the origin from azimuth 0, compensated to it. */
function aperture(degrees: number, pulses: number, stepHz = frequency.stepHz): HistoryGeometry {
  const positions = circularTrack({ radiusMeters, altitudeMeters, firstRadians: 0, stepRadians: (degrees * degree) / pulses, pulses });
  return { positions, referenceRangeMeters: new Float64Array(pulses).fill(range), frequency: { ...frequency, stepHz } };
}

const lastHz = frequency.firstHz + 423 * frequency.stepHz;
const bandwidthHz = 424 * frequency.stepHz;

describe("sceneGrid", () => {
  it("ends where ranges repeat: within at every corner, beyond a little further out", () => {
    const history = aperture(4, 800);
    const { grid, limit, coarse } = sceneGrid(history);
    expect([limit, coarse, grid.nx]).toEqual(["range", false, grid.ny]);
    const half = -grid.originMeters[0];
    const worst = (scale: number): number => {
      let most = 0;
      for (let p = 0; p < 800; p++) {
        for (const [x, y] of [
          [-1, -1],
          [-1, 1],
          [1, -1],
          [1, 1],
        ]) {
          const [dx, dy, dz] = [0, 1, 2].map((axis) => history.positions[3 * p + axis] - [x * half * scale, y * half * scale, 0][axis]);
          most = Math.max(most, Math.abs(Math.hypot(dx, dy, dz) - range));
        }
      }
      return most;
    };
    const reach = speedOfLight / (4 * frequency.stepHz);
    expect(worst(1)).toBeLessThanOrEqual(reach * (1 + 1e-9));
    expect(worst(1.001)).toBeGreaterThan(reach);
    // The first pixel is a corner; the last is a step short of the opposite one.
    expect(grid.originMeters).toEqual([-half, -half, 0]);
    expect(grid.nx * grid.xStepMeters[0]).toBeCloseTo(2 * half, 9);
  });

  it("ends where pulses are too far apart to resolve directions", () => {
    const { grid, limit } = sceneGrid(aperture(4, 100));
    expect(limit).toBe("angle");
    // The edge λ/(2·Δθ·cos elevation), to first order in the aperture's 4°: its middle turns the square by 2°, which adds 3 % across.
    const edge = speedOfLight / (2 * lastHz * 0.04 * degree * cosElevation);
    const ratio = (grid.nx * grid.xStepMeters[0]) / edge;
    expect(ratio).toBeLessThan(1);
    expect(ratio).toBeGreaterThan(1 / (Math.cos(2 * degree) + Math.sin(2 * degree)) - 0.01);
  });

  it("has 1.5 pixels to the finer resolution: c/(2B·cos φ) along the look, λ/(2·sin Δθ·cos φ) across", () => {
    const { grid, resolutionMeters } = sceneGrid(aperture(4, 800));
    const turn = (4 * degree * 799) / 800;
    const across = speedOfLight / (2 * (lastHz + frequency.stepHz) * Math.sin(turn) * cosElevation);
    expect(resolutionMeters[1] / across).toBeCloseTo(1, 9);
    // Along x the turn of the lowest frequency widens the band.
    const along = speedOfLight / (2 * (bandwidthHz + frequency.firstHz * (1 - Math.cos(turn))) * cosElevation);
    expect(resolutionMeters[0] / along).toBeCloseTo(1, 9);
    const finer = Math.min(along, across) / 1.5;
    expect(grid.xStepMeters[0]).toBeLessThanOrEqual(finer);
    expect(grid.xStepMeters[0]).toBeGreaterThan(finer * (1 - 1 / grid.nx));
  });

  it("has another centre, at another height, if pulses are compensated to it", () => {
    const centre = [300, -200, 50] as const;
    const history = aperture(4, 800);
    const moved = { ...history, positions: history.positions.map((x, i) => x + centre[i % 3]) };
    const [here, there] = [sceneGrid(history).grid, sceneGrid(moved, { centreMeters: centre }).grid];
    expect([there.nx, there.ny]).toEqual([here.nx, here.ny]);
    for (let axis = 0; axis < 3; axis++) expect(there.originMeters[axis] - centre[axis]).toBeCloseTo(here.originMeters[axis], 4);
  });

  it("keeps within its limit of pixels, and takes an aperture of one pulse", () => {
    const { grid, coarse } = sceneGrid(aperture(360, 4096), { most: 100 });
    expect([grid.nx, coarse]).toEqual([100, true]);
    const one = sceneGrid(aperture(1, 1));
    expect(one.limit).toBe("range");
    expect(Number.isFinite(one.grid.nx * one.grid.xStepMeters[0])).toBe(true);
    // Straight above, no range ends the ground soon.
    const above: HistoryGeometry = { positions: Float64Array.of(0, 0, 1e7), referenceRangeMeters: Float64Array.of(1e7), frequency };
    expect(sceneGrid(above).grid.nx).toBeLessThanOrEqual(2048);
  });

  it("refuses a centre outside the swath, and geometry that is not valid", () => {
    const history = aperture(4, 10);
    expect(refused(() => sceneGrid(history, { centreMeters: [500, 0, 0] }))).toBe("centreMeters");
    expect(refused(() => sceneGrid(history, { centreMeters: [Number.NaN, 0, 0] }))).toBe("centreMeters");
    expect(refused(() => sceneGrid({ ...history, positions: new Float64Array(30), referenceRangeMeters: new Float64Array(10) }))).toBe(
      "centreMeters",
    );
    expect(refused(() => sceneGrid(history, { most: 0 }))).toBe("most");
    expect(refused(() => sceneGrid({ ...history, positions: history.positions.fill(Number.NaN, 3, 4) }))).toBe("history.positions[3]");
    expect(refused(() => sceneGrid(aperture(4, 10, 0)))).toBe("history.frequency.stepHz");
  });
});
