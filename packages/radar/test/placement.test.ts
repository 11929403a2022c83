/** Places of images: what is accepted, and that everything else is one error that names the field. */
import { isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { checkPlacement, type ImagePlacement, type SlantPlacement } from "../src/index.ts";

const map: ImagePlacement = { kind: "map", epsg: 32632, origin: [500_000, 5_800_000], columnStep: 2, rowStep: -2, heightMeters: 40 };
const plane: ImagePlacement = {
  kind: "plane",
  plane: "slant",
  originMeters: [4e6, 5e5, 4.9e6],
  rowStepMeters: [0, 0.5, 0],
  columnStepMeters: [0.3, 0, 0.3],
  platform: { positionMeters: [4.5e6, 5e5, 5.2e6], velocityMetersPerSecond: [0, 7500, 0] },
};
const polynomial = { kind: "polynomial", originSeconds: 3, coefficients: [[7e6, 1], [0, 7500], [1]], validSeconds: [0, 9] } as const;
const slant: SlantPlacement = {
  kind: "slant",
  platform: polynomial,
  azimuthSeconds: { first: 1, step: 1e-3 },
  slantRangeMeters: { first: 8e5, step: 4 },
  lookSide: "right",
};
const states = {
  kind: "states",
  timesSeconds: [0, 1, 2, 3],
  positionsMeters: [0, 1, 2, 3].map((t) => [7e6, 7500 * t, 0]),
  velocitiesMetersPerSecond: [0, 1, 2, 3].map(() => [0, 7500, 0]),
} as const;

/** A placement with another value at a path of names. */
function changed(placement: ImagePlacement, path: string, value: unknown): ImagePlacement {
  const copy = structuredClone(placement) as unknown as Record<string, unknown>;
  const names = path.split(".");
  const last = names.pop() as string;
  let at: Record<string, unknown> = copy;
  for (const name of names) at = at[name] as Record<string, unknown>;
  at[last] = value;
  return copy as unknown as ImagePlacement;
}

describe("checkPlacement", () => {
  it("accepts each kind", () => {
    for (const placement of [map, plane, slant, { ...slant, platform: states }, { ...map, epsg: 4326 }]) {
      checkPlacement(placement);
      checkPlacement(JSON.parse(JSON.stringify(placement)));
    }
  });

  const withStates: ImagePlacement = { ...slant, platform: states };
  const wrong: readonly (readonly [placement: ImagePlacement, path: string, value: unknown, field?: string])[] = [
    [map, "kind", "globe"],
    [map, "epsg", 3857],
    [map, "epsg", "4326"],
    [map, "origin", [1]],
    [map, "origin", [1, Number.NaN], "origin[1]"],
    [map, "columnStep", 0],
    [map, "columnStep", -1],
    [map, "rowStep", 0],
    [map, "rowStep", undefined],
    [map, "heightMeters", Number.POSITIVE_INFINITY],
    [map, "height", 3],
    [plane, "plane", "earth"],
    [plane, "originMeters", [1, 2]],
    [plane, "rowStepMeters", [0, 0, 0]],
    [plane, "columnStepMeters", [0, 7, 0]],
    [plane, "columnStepMeters", [0, 0, 0]],
    [plane, "platform.positionMeters", [1, 2, "3"], "platform.positionMeters[2]"],
    [plane, "platform.velocityMetersPerSecond", [0, 0, 0]],
    [plane, "platform.time", 3],
    [slant, "lookSide", "up"],
    [slant, "azimuthSeconds.step", 0],
    [slant, "azimuthSeconds.first", undefined],
    [slant, "azimuthSeconds", [1, 2]],
    [slant, "slantRangeMeters.first", -5],
    [slant, "platform", undefined],
    [slant, "platform.kind", "spline"],
    [slant, "platform.coefficients", [[1], [2]]],
    [slant, "platform.coefficients", [[1], [2], []], "platform.coefficients[2]"],
    [slant, "platform.coefficients", [[1], [2, 1e13], [3]], "platform.coefficients[1][1]"],
    [slant, "platform.validSeconds", [3, 3]],
    [withStates, "platform.timesSeconds", [0, 1, 2]],
    [withStates, "platform.timesSeconds", [0, 2, 2, 3], "platform.timesSeconds[2]"],
    [withStates, "platform.positionsMeters", [[1, 2, 3]]],
    [withStates, "platform.positionsMeters", undefined],
    [withStates, "platform.velocitiesMetersPerSecond.2", [1, 2], "platform.velocitiesMetersPerSecond[2]"],
  ];
  it.each(wrong.map(([placement, path, value, field = path]) => ({ placement, path, value, field })))(
    "names $field of $placement.kind with $path = $value",
    ({ placement, path, value, field }) => {
      let error: unknown;
      try {
        checkPlacement(changed(placement, path, value), "metadata.placement");
      } catch (thrown) {
        error = thrown;
      }
      expect(isRadarError(error, "input") && error.fields.field).toBe(`metadata.placement.${field}`);
    },
  );

  it("refuses what is no object", () => {
    for (const value of [null, 3, [], "map"]) expect(() => checkPlacement(value as never)).toThrow(/placement must be an object/);
  });
});
