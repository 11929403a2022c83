import type { PlanePlacement } from "@dechirp/radar";
import { ecefToGeodetic } from "@dechirp/radar/geodesy";
import { describe, expect, it } from "vitest";
import { groundToSicd, openSicd, type SicdImage, type SicdMetadata, sicdScpCoa, sicdToGround } from "../src/sicd.ts";
import {
  cross,
  dot,
  type GridSteps,
  groundSteps,
  type KnownImage,
  knownBackprojection,
  knownPlatform,
  knownRangeDoppler,
  norm,
  plus,
  scaled,
  slantSteps,
  unit,
} from "./sicd-support.ts";
import { sicdFile } from "./sicd-target.ts";

const file = "x.nitf";
const open = (bytes: Uint8Array): Promise<SicdImage> => openSicd(bytes, { file });
const whole = (image: SicdImage): Promise<Float32Array> =>
  image.read({ row: 0, column: 0, rows: image.layout.shape[0], columns: image.layout.shape[1] });

/** The pixel with the largest magnitude within six pixels of a place, refined by a parabola through its neighbours. */
function peakNear(data: Float32Array, columns: number, row: number, column: number): readonly [number, number] {
  const at = (i: number, k: number): number => Math.hypot(data[2 * (i * columns + k)], data[2 * (i * columns + k) + 1]);
  let best = [Math.round(row), Math.round(column)];
  for (let i = Math.round(row) - 6; i <= row + 6; i++)
    for (let k = Math.round(column) - 6; k <= column + 6; k++) if (at(i, k) > at(best[0], best[1])) best = [i, k];
  const [i, k] = best;
  const vertex = (a: number, b: number, c: number): number => (a - c) / (2 * (a - 2 * b + c));
  return [i + vertex(at(i - 1, k), at(i, k), at(i + 1, k)), k + vertex(at(i, k - 1), at(i, k), at(i, k + 1))];
}

/** Share of an image's energy inside the bandwidths around the middles that the metadata states, by discrete Fourier sums. */
function energyInside(data: Float32Array, { image: { rows, columns }, grid }: SicdMetadata): number {
  const tone = (n: number): readonly [Float64Array, Float64Array] => [
    Float64Array.from({ length: n }, (_, i) => Math.cos((2 * Math.PI * i) / n)),
    Float64Array.from({ length: n }, (_, i) => -Math.sin((2 * Math.PI * i) / n)),
  ];
  const transform = (from: Float64Array, lines: number, n: number, line: number, step: number): Float64Array => {
    const [cosine, sine] = tone(n);
    const out = new Float64Array(from.length);
    for (let p = 0; p < lines; p++)
      for (let f = 0; f < n; f++) {
        let [re, im] = [0, 0];
        for (let i = 0; i < n; i++) {
          const at = 2 * (p * line + i * step);
          const k = (i * f) % n;
          re += from[at] * cosine[k] - from[at + 1] * sine[k];
          im += from[at] * sine[k] + from[at + 1] * cosine[k];
        }
        out[2 * (p * line + f * step)] = re;
        out[2 * (p * line + f * step) + 1] = im;
      }
    return out;
  };
  const spectrum = transform(transform(Float64Array.from(data), rows, columns, columns, 1), columns, rows, 1, columns);
  const isInside = (bin: number, n: number, direction: SicdMetadata["grid"]["row"]): boolean => {
    const span = 1 / direction.spacingMeters;
    const offset = (bin / n) * span - (direction.middleCyclesPerMeter?.[0][0] ?? 0);
    // Half a bin more: a band of any width has bins that are partly inside.
    return Math.abs(offset - Math.round(offset / span) * span) <= direction.bandwidthCyclesPerMeter / 2 + span / (2 * n);
  };
  let [inside, all] = [0, 0];
  for (let i = 0; i < rows; i++)
    for (let k = 0; k < columns; k++) {
      const energy = spectrum[2 * (i * columns + k)] ** 2 + spectrum[2 * (i * columns + k) + 1] ** 2;
      all += energy;
      if (isInside(i, rows, grid.row) && isInside(k, columns, grid.column)) inside += energy;
    }
  return inside / all;
}

/** Width at half power, in cells of 1/bandwidth, of the transform of samples over a band, from edge to edge. */
function halfPowerWidth(weights: readonly number[]): number {
  const last = weights.length - 1;
  /** The integral by the trapezoidal rule. */
  const response = (cells: number): number =>
    weights.reduce((sum, w, i) => sum + w * (i % last === 0 ? 0.5 : 1) * Math.cos(2 * Math.PI * cells * (i / last - 0.5)), 0);
  let [low, high] = [0, 1];
  while (high - low > 1e-6) {
    const middle = (low + high) / 2;
    if (response(middle) > response(0) / Math.SQRT2) low = middle;
    else high = middle;
  }
  return low + high;
}

/** Checks what holds for every image: targets, directions, and the geometry at the scene centre point. */
async function checkImage(known: KnownImage, bytes: Uint8Array, leastEnergy = 0.99): Promise<void> {
  const image = await open(bytes);
  const { metadata } = image;
  const data = await whole(image);
  expect(image.notes).toEqual([]);
  for (const target of known.targets) {
    const { row, column } = groundToSicd(metadata, target);
    const [i, k] = peakNear(data, metadata.image.columns, row, column);
    expect(Math.abs(row - i)).toBeLessThan(0.5);
    expect(Math.abs(column - k)).toBeLessThan(0.5);
    // And back, at the height of the target.
    expect(norm(plus(sicdToGround(metadata, { row, column }, ecefToGeodetic(target).heightMeters), target, -1))).toBeLessThan(1e-4);
  }
  const { row, column } = metadata.grid;
  const { positionMeters, side } = sicdScpCoa(metadata);
  const sight = plus(metadata.scp.ecefMeters, positionMeters, -1);
  expect(dot(row.unitVector, sight)).toBeGreaterThan(Math.abs(dot(column.unitVector, sight)));
  expect(dot(cross(row.unitVector, column.unitVector), metadata.scp.ecefMeters)).toBeGreaterThan(0);
  expect(norm(row.unitVector)).toBeCloseTo(1, 12);
  expect(metadata.scpCoa).toMatchObject({ side });
  const centre = groundToSicd(metadata, metadata.scp.ecefMeters);
  // SICD's model of range-Doppler images has a hyperbola where the path is a polynomial of order 3.
  const precision = metadata.inca ? 1e-3 : 1e-6;
  expect(Math.abs(centre.row - metadata.scp.row)).toBeLessThan(precision);
  expect(Math.abs(centre.column - metadata.scp.column)).toBeLessThan(precision);
  expect(energyInside(data, metadata)).toBeGreaterThan(leastEnergy);
}

/** The eight ways in which rows and columns can go over a plane. */
const turned =
  (steps: GridSteps, swap: boolean, rowSign: number, columnSign: number): GridSteps =>
  (sight, velocity) => {
    const { row, column, plane } = steps(sight, velocity);
    const [a, b] = [scaled(row, rowSign), scaled(column, columnSign)];
    return swap ? { row: b, column: a, plane } : { row: a, column: b, plane };
  };

describe("backprojected images", () => {
  for (const side of ["left", "right"] as const) {
    it(`has targets where they are, on slant planes, looking ${side}, also above the plane`, async () => {
      const known = knownBackprojection(slantSteps, { side, above: 20 });
      const bytes = await sicdFile(known);
      await checkImage(known, bytes);
      expect((await open(bytes)).metadata).toMatchObject({
        version: "1.3.0",
        grid: { plane: "SLANT", type: "PLANE", timeOfAperture: [[1.5]] },
        processing: { algorithm: "OTHER", polarisation: "V:H", seconds: [1, 2] },
        scpCoa: { side: side === "left" ? "L" : "R", incidenceDegrees: expect.closeTo(35, 0) },
        prfHz: 3000,
        start: "2026-03-14T11:00:00.25Z",
        collection: { name: "KNOWN-TARGETS & MORE", mode: "SPOTLIGHT", modeId: "SL", classification: "UNCLASSIFIED" },
      });
    });
    it(`has targets where they are, on the ground, looking ${side}, squinted`, async () => {
      const known = knownBackprojection(groundSteps, { side, squintDegrees: -4 });
      await checkImage(known, await sicdFile(known));
    });
  }

  it("turns images whose rows and columns go anywhere into the same image", async () => {
    const steps = (swap: boolean, a: number, b: number) => knownBackprojection(turned(slantSteps, swap, a, b));
    const expected = steps(false, 1, 1);
    const reference = await open(await sicdFile(expected));
    for (const [swap, a, b] of [
      [false, 1, -1],
      [false, -1, 1],
      [true, 1, 1],
      [true, -1, -1],
    ] as const) {
      const known = steps(swap, a, b);
      // The ends of these images cut more of the targets' side lobes off.
      await checkImage(known, await sicdFile(known), swap ? 0.97 : 0.99);
      const { metadata } = await open(await sicdFile(known));
      for (const name of ["row", "column"] as const)
        expect(norm(plus(metadata.grid[name].unitVector, reference.metadata.grid[name].unitVector, -1))).toBeLessThan(1e-9);
    }
  });

  it("stores pixels at base band: without their carriers, by definition", async () => {
    const known = knownBackprojection(slantSteps);
    const image = await open(await sicdFile(known));
    const { grid, scp } = image.metadata;
    const data = await whole(image);
    const placement = known.metadata.placement as PlanePlacement;
    const [rows, columns] = image.layout.shape;
    for (let n = 0; n < 500; n++) {
      const [i, k] = [(n * 37) % rows, (n * 53) % columns];
      // Looking to the right, rows of the file are columns of the image, and neither is reversed.
      const place = plus(plus(placement.originMeters, placement.rowStepMeters, k), placement.columnStepMeters, i);
      const offset = plus(place, scp.ecefMeters, -1);
      const cycles =
        grid.row.centreCyclesPerMeter * dot(offset, grid.row.unitVector) +
        grid.column.centreCyclesPerMeter * dot(offset, grid.column.unitVector);
      const [re, im] = [known.data[2 * (k * known.columns + i)], known.data[2 * (k * known.columns + i) + 1]];
      const [c, s] = [Math.cos(2 * Math.PI * cycles), -Math.sin(2 * Math.PI * cycles)];
      const at = 2 * (i * columns + k);
      expect(Math.hypot(data[at] - (re * c - im * s), data[at + 1] - (re * s + im * c))).toBeLessThan(1e-6);
    }
    expect(energyInside(data, image.metadata)).toBeGreaterThan(0.99);
    // As they came, with the carriers, far less energy is inside.
    const raw = new Float32Array(data.length);
    for (let i = 0; i < rows; i++)
      for (let k = 0; k < columns; k++) {
        raw[2 * (i * columns + k)] = known.data[2 * (k * known.columns + i)];
        raw[2 * (i * columns + k) + 1] = known.data[2 * (k * known.columns + i) + 1];
      }
    expect(energyInside(raw, image.metadata)).toBeLessThan(0.95);
  });

  it("states windows with their widths and samples", async () => {
    const known = knownBackprojection(slantSteps);
    const { collection } = known.metadata;
    const windows = { rangeWindow: { kind: "taylor", nbar: 4, sidelobeDb: -30 }, azimuthWindow: { kind: "hamming" } } as const;
    const processing = { ...collection.processing, ...windows };
    const { metadata } = await open(await sicdFile(known, { collection: { ...collection, processing } }));
    const { row, column } = metadata.grid;
    expect(row.window).toEqual({ name: "TAYLOR", parameters: { NBAR: "4", SLL: "-30" } });
    expect(column.window).toEqual({ name: "HAMMING", parameters: { COEFFICIENT: "0.54" } });
    for (const { responseWidthMeters, bandwidthCyclesPerMeter, weights = [] } of [row, column])
      expect(responseWidthMeters * bandwidthCyclesPerMeter).toBeCloseTo(halfPowerWidth(weights), 2);
    expect(column.weights?.[0]).toBeCloseTo(0.08, 12);
    expect(column.weights?.[32]).toBe(1);
    expect(column.weights).toHaveLength(65);
  });
});

describe("range-Doppler images", () => {
  for (const side of ["left", "right"] as const) {
    it(`has targets where they are, looking ${side}`, async () => {
      const known = knownRangeDoppler({ side });
      const bytes = await sicdFile(known);
      await checkImage(known, bytes);
      const { metadata } = await open(bytes);
      expect(metadata).toMatchObject({ grid: { plane: "SLANT", type: "RGZERO" }, inca: { algorithm: "RG_DOP", centroidIsCentre: true } });
      // A pixel is seen when its Doppler frequency is the centroid.
      const { positionMeters, velocityMetersPerSecond } = sicdScpCoa(metadata);
      const sight = unit(plus(metadata.scp.ecefMeters, positionMeters, -1));
      const dopplerHz = (2 * dot(velocityMetersPerSecond, sight) * (metadata.inca?.zeroHz ?? 0)) / 299792458;
      expect(dopplerHz).toBeCloseTo(metadata.inca?.dopplerCentroidHz?.[0][0] ?? 0, 0);
    });
  }

  it("takes the path as state vectors", async () => {
    const known = knownRangeDoppler();
    const platform = knownPlatform();
    const { platformAt } = await import("./sicd-support.ts");
    const timesSeconds = [-4, 0, 4, 8];
    const states = timesSeconds.map((t) => platformAt(platform, t));
    const { platform: _, ...collection } = known.metadata.collection;
    const placement = {
      ...known.metadata.placement,
      platform: {
        kind: "states",
        timesSeconds,
        positionsMeters: states.map(([p]) => [...p]),
        velocitiesMetersPerSecond: states.map(([, v]) => [...v]),
      },
    } as NonNullable<KnownImage["metadata"]["placement"]>;
    const bytes = await sicdFile({ ...known, metadata: { placement, collection } });
    const path = (await open(bytes)).metadata.path;
    const expected = (await open(await sicdFile(known))).metadata.path;
    for (const axis of ["x", "y", "z"] as const)
      for (const t of [0, 1.3, 3]) {
        const at = (list: readonly number[]): number => list.reduce((sum, c, i) => sum + c * t ** i, 0);
        expect(Math.abs(at(path[axis]) - at(expected[axis]))).toBeLessThan(1e-3);
      }
  });
});
