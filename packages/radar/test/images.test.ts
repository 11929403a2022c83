/** Paths fitted to positions, and descriptions of images, against paths that are known. */
import { createRandom } from "@dechirp/core";
import { expect, it } from "vitest";
import { createLocalFrame, type Vector3 } from "../src/geodesy.ts";
import { fitPath } from "../src/images/path.ts";
import { describeBackprojection, placeBackprojection } from "../src/images.ts";

const valueAt = (coefficients: readonly number[], x: number): number => coefficients.reduceRight((sum, c) => sum * x + c, 0);

/** A satellite in a circular orbit, Earth-fixed without the rotation of the earth. */
const orbitAt = (t: number): Vector3 => {
  const angle = 1.2 + 1.1e-3 * t;
  return [6.9e6 * Math.cos(angle), 5.5e6 * Math.sin(angle), 4.1e6 * Math.sin(angle + 0.2)];
};

it("follows an orbit to a tenth of a millimetre, between the positions, too", () => {
  const seconds = Float64Array.from({ length: 700 }, (_, i) => 3 + i / 35);
  const path = fitPath(seconds, [...seconds].flatMap(orbitAt));
  const { originSeconds = 0, coefficients } = path;
  expect(originSeconds).toBeCloseTo(3 + 699 / 70, 9);
  const { uniform: draw } = createRandom(5);
  for (let i = 0; i < 200; i++) {
    const t = 3 + draw() * (699 / 35);
    coefficients.forEach((list, k) => {
      expect(Math.abs(valueAt(list, t - originSeconds) - orbitAt(t)[k])).toBeLessThan(1e-4);
    });
  }
});

it("takes the lowest order that fits, and smooths what no order fits", () => {
  const seconds = Float64Array.from({ length: 101 }, (_, i) => i / 10);
  const line = [...seconds].flatMap((t) => [1e6 + 7000 * t, -5 + 0.5 * t, 3]);
  expect(fitPath(seconds, line).coefficients.map((list) => list.length)).toEqual([2, 2, 2]);
  const { uniform: draw } = createRandom(6);
  const noisy = line.map((x) => x + 0.02 * (draw() - 0.5));
  const { originSeconds = 0, coefficients } = fitPath(seconds, noisy);
  // The error of the mean of many positions is smaller than that of one.
  expect(Math.abs(valueAt(coefficients[0], 4.05 - originSeconds) - (1e6 + 7000 * 4.05))).toBeLessThan(0.01);
});

it("places the platform in the middle of the aperture", () => {
  const frame = createLocalFrame({ latitudeDegrees: 47, longitudeDegrees: 11, heightMeters: 500 });
  const grid = { originMeters: [-5, -6, 0], xStepMeters: [0.5, 0, 0], yStepMeters: [0, 0.25, 0], heightMeters: 2 } as const;
  const pulseSeconds = Float64Array.from({ length: 51 }, (_, p) => 100 + p / 50);
  const positions = Float64Array.from([...pulseSeconds].flatMap((t) => [8000, 120 * (t - 100.5), 4000]));
  const frequency = { firstHz: 9e9, stepHz: 1e6, count: 100 };
  const facts = { collector: "A", name: "B", mode: "spotlight", epoch: "2026-03-14T11:00:00Z" } as const;
  const { placement, collection } = describeBackprojection({ ...facts, frame, grid, plane: "ground", positions, pulseSeconds, frequency });
  const { platform, ...place } = placement;
  expect(place).toEqual(placeBackprojection({ frame, grid, plane: "ground" }));
  expect(frame.toLocal(place.originMeters).map((x) => Number(x.toFixed(6)))).toEqual([-5, -6, 2]);
  const at = platform ?? { positionMeters: [0, 0, 0] as Vector3, velocityMetersPerSecond: [0, 0, 0] as Vector3 };
  const [position, velocity] = [frame.toLocal(at.positionMeters), frame.directionToLocal(at.velocityMetersPerSecond)];
  [8000, 0, 4000].forEach((x, k) => void expect(position[k]).toBeCloseTo(x, 4));
  [0, 120, 0].forEach((v, k) => void expect(velocity[k]).toBeCloseTo(v, 3));
  expect(collection).toMatchObject({ start: "2026-03-14T11:01:40Z", prfHz: expect.closeTo(50, 6), transmitHz: [9e9 - 5e5, 9.1e9 - 5e5] });
});
