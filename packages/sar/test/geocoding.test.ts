/** Geocoding: the range and Doppler equations by definition, point targets that appear in their place on the map, grids of maps, refusals. */
import { createRandom, isRadarError, type Layout, layout } from "@dechirp/core";
import type { ImagePlacement, ImageWindow, MapPlacement, PlanePlacement, SlantPlacement } from "@dechirp/radar";
import {
  createLocalFrame,
  ecefToGeodetic,
  geodeticToEcef,
  geodeticToUtm,
  mapProjection,
  utmEpsg,
  type Vector3,
} from "@dechirp/radar/geodesy";
import { describe, expect, it } from "vitest";
import { pixelPosition } from "../src/backprojection/grid.ts";
import {
  createImageGeometry,
  type GeocodedMap,
  type GeocodeSource,
  geocode,
  groundControlPoints,
  mapGrid,
  mapOfImage,
} from "../src/geocoding.ts";

const length = (a: readonly number[]): number => Math.hypot(...a);
const minus = (a: Vector3, b: Vector3): Vector3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** A circular orbit at 700 km, inclined by 98°, over a turning Earth. */
function satellite(t: number): Vector3 {
  const [radius, inclination] = [7.078e6, 98 * (Math.PI / 180)];
  const u = 0.9 + 0.00106 * t;
  const turn = 0.4 - 7.292e-5 * t;
  const [x, y, z] = [radius * Math.cos(u), radius * Math.sin(u) * Math.cos(inclination), radius * Math.sin(u) * Math.sin(inclination)];
  return [x * Math.cos(turn) - y * Math.sin(turn), x * Math.sin(turn) + y * Math.cos(turn), z];
}
const velocityAt = (t: number): Vector3 => minus(satellite(t + 0.005), satellite(t - 0.005)).map((x) => x * 100) as unknown as Vector3;

const timesSeconds = Array.from({ length: 9 }, (_, i) => 10 * i - 40);
const states = { kind: "states", timesSeconds, positionsMeters: timesSeconds.map(satellite) } as const;
const shape = [300, 400] as const;
const slantOf = (lookSide: "left" | "right"): SlantPlacement => ({
  kind: "slant",
  platform: states,
  azimuthSeconds: { first: -0.1, step: 6e-4 },
  slantRangeMeters: { first: 850_000, step: 4.5 },
  lookSide,
});

/** A spotlight image on a plane that contains the line of sight, seen from an aircraft. */
const origin = createLocalFrame({ latitudeDegrees: 47.2, longitudeDegrees: 8.3, heightMeters: 400 });
function planeOf(plane: "ground" | "slant", platformToo = true): PlanePlacement {
  const platform: Vector3 = [-6000, -9000, 7000];
  const velocity: Vector3 = [130, -60, 5];
  const sight = platform.map((x) => -x / length(platform)) as unknown as Vector3;
  const along = minus(velocity, sight.map((x) => x * dot(sight, velocity)) as unknown as Vector3);
  const [u, v]: [Vector3, Vector3] =
    plane === "slant"
      ? [sight, along]
      : [
          [0, 1, 0],
          [1, 0, 0],
        ];
  const steps = [u, v].map((axis) => axis.map((x) => (0.8 * x) / length(axis)) as unknown as Vector3);
  const first = [0, 1, 2].map((k) => -149.5 * steps[0][k] - 199.5 * steps[1][k]) as unknown as Vector3;
  return {
    kind: "plane",
    plane,
    originMeters: origin.toEcef(first),
    rowStepMeters: origin.directionToEcef(steps[0]),
    columnStepMeters: origin.directionToEcef(steps[1]),
    ...(platformToo && {
      platform: { positionMeters: origin.toEcef(platform), velocityMetersPerSecond: origin.directionToEcef(velocity) },
    }),
  };
}

const failure = (work: () => unknown): unknown => {
  try {
    work();
  } catch (error) {
    return isRadarError(error, "input") ? error.fields.field : error;
  }
  return "nothing was refused";
};

describe("createImageGeometry", () => {
  it.each(["left", "right"] as const)("satisfies the range and Doppler equations to the %s", (lookSide) => {
    const placement = slantOf(lookSide);
    const geometry = createImageGeometry(placement, shape[0]);
    const { uniform } = createRandom(7);
    for (let turn = 0; turn < 300; turn++) {
      const [row, column, height] = [700 * uniform() - 200, 900 * uniform() - 250, 9000 * uniform() - 400];
      const point = geometry.toGround(row, column, height) as Vector3;
      expect(Math.abs(ecefToGeodetic(point).heightMeters - height)).toBeLessThan(1e-6);
      const t = placement.azimuthSeconds.first + row * placement.azimuthSeconds.step;
      const sight = minus(point, satellite(t));
      expect(Math.abs(length(sight) - 850_000 - 4.5 * column)).toBeLessThan(2e-3);
      expect(Math.abs(dot(sight, velocityAt(t))) / length(sight) / 7500).toBeLessThan(1e-8);
      // The side: up × velocity points to the left.
      const p = satellite(t);
      const v = velocityAt(t);
      const left: Vector3 = [p[1] * v[2] - p[2] * v[1], p[2] * v[0] - p[0] * v[2], p[0] * v[1] - p[1] * v[0]];
      expect(dot(sight, left) > 0).toBe(lookSide === "left");
      const [r, c] = geometry.toPixel(point) as [number, number];
      expect(Math.hypot(r - row, c - column)).toBeLessThan(1e-3);
    }
    // What the other side sees, and what no range reaches.
    const other = createImageGeometry(slantOf(lookSide === "left" ? "right" : "left"), shape[0]);
    expect(geometry.toPixel(other.toGround(100, 100, 0) as Vector3)).toBeUndefined();
    expect(geometry.toGround(100, -100_000, 0)).toBeUndefined();
  });

  it("takes polynomials as it takes states", () => {
    const at = (k: number): number[] => [
      satellite(0)[k],
      velocityAt(0)[k],
      ((satellite(1)[k] + satellite(-1)[k]) / 2 - satellite(0)[k]) * 1,
    ];
    const placement: SlantPlacement = { ...slantOf("right"), platform: { kind: "polynomial", coefficients: [at(0), at(1), at(2)] } };
    const [one, two] = [createImageGeometry(placement, shape[0]), createImageGeometry(slantOf("right"), shape[0])];
    const [a, b] = [one.toGround(150, 200, 300) as Vector3, two.toGround(150, 200, 300) as Vector3];
    expect(length(minus(a, b))).toBeLessThan(0.02);
  });

  it.each(["slant", "ground"] as const)("keeps range and Doppler of a %s plane", (plane) => {
    const placement = planeOf(plane);
    const geometry = createImageGeometry(placement, shape[0]);
    const { positionMeters: p, velocityMetersPerSecond: v } = placement.platform as NonNullable<typeof placement.platform>;
    const { uniform } = createRandom(9);
    for (let turn = 0; turn < 200; turn++) {
      const [row, column, height] = [shape[0] * uniform(), shape[1] * uniform(), 300 + 200 * uniform()];
      const { originMeters: o, rowStepMeters: u, columnStepMeters: w } = placement;
      const inPlane = [0, 1, 2].map((k) => o[k] + row * u[k] + column * w[k]) as unknown as Vector3;
      const point = geometry.toGround(row, column, height) as Vector3;
      const [a, b] = [minus(inPlane, p), minus(point, p)];
      expect(Math.abs(length(a) - length(b))).toBeLessThan(1e-6);
      expect(Math.abs(dot(a, v) - dot(b, v)) / length(v)).toBeLessThan(1e-6);
      expect(Math.abs(ecefToGeodetic(point).heightMeters - height)).toBeLessThan(1e-6);
      const [r, c] = geometry.toPixel(point) as [number, number];
      expect(Math.hypot(r - row, c - column)).toBeLessThan(1e-5);
    }
  });

  it("sees a plane on the ground along its normal if the platform is not known", () => {
    const geometry = createImageGeometry(planeOf("ground", false), shape[0]);
    const above = origin.toEcef([3 * 0.8, -7 * 0.8, 35]);
    const [row, column] = geometry.toPixel(above) as [number, number];
    expect(Math.hypot(row - 149.5 + 7, column - 199.5 - 3)).toBeLessThan(1e-5);
    const [x, y] = origin.toLocal(geometry.toGround(row, column, 480) as Vector3);
    expect(Math.hypot(x - 2.4, y + 5.6)).toBeLessThan(1e-5);
  });

  it("refuses what has no geometry", () => {
    expect(failure(() => createImageGeometry(planeOf("slant", false), 9))).toBe("placement.platform");
    expect(failure(() => createImageGeometry({ ...slantOf("left"), azimuthSeconds: { first: 39.9, step: 1e-2 } }, 100))).toBe(
      "placement.platform.timesSeconds",
    );
    expect(failure(() => createImageGeometry({ kind: "globe" } as never, 9))).toBe("placement.kind");
    expect(failure(() => createImageGeometry(slantOf("left"), 0))).toBe("rows");
  });
});

/** An image that is read by windows, and how large the largest was. */
function sourceOf(image: Layout, data: Float32Array): GeocodeSource & { largest: number } {
  const parts = image.dtype === "c64" ? 2 : 1;
  const source = {
    layout: image,
    largest: 0,
    async read({ row, column, rows, columns }: ImageWindow) {
      source.largest = Math.max(source.largest, rows * columns);
      const out = new Float32Array(rows * columns * parts);
      for (let r = 0; r < rows; r++) {
        const from = ((row + r) * image.shape[1] + column) * parts;
        out.set(data.subarray(from, from + columns * parts), r * columns * parts);
      }
      return out;
    },
  };
  return source;
}

async function mapped(source: GeocodeSource, placement: ImagePlacement, map: GeocodedMap, signal?: AbortSignal): Promise<Float32Array> {
  const out = new Float32Array(map.rows * map.columns).fill(-1);
  const sink = {
    async write({ row, column, rows, columns }: ImageWindow, data: Float32Array) {
      for (let r = 0; r < rows; r++) out.set(data.subarray(r * columns, (r + 1) * columns), (row + r) * map.columns + column);
    },
  };
  await geocode(source, placement, map, sink, signal ? { signal } : {});
  return out;
}

/** Points of a band of 0.8 of the sampling rate, whose spectrum is not at 0. */
function pointsImage(points: readonly (readonly [row: number, column: number])[], perRow: number, perColumn: number): Float32Array {
  const sinc = (x: number): number => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
  const out = new Float32Array(2 * shape[0] * shape[1]);
  for (const [row, column] of points)
    for (let r = 0; r < shape[0]; r++)
      for (let c = 0; c < shape[1]; c++) {
        const size = sinc(0.8 * (r - row)) * sinc(0.8 * (c - column));
        const angle = perRow * (r - row) + perColumn * (c - column) + row;
        out[2 * (r * shape[1] + c)] += size * Math.cos(angle);
        out[2 * (r * shape[1] + c) + 1] += size * Math.sin(angle);
      }
  return out;
}

/** The peak near a pixel of a map, by a paraboloid through the power. */
function peakNear(
  data: Float32Array,
  { rows, columns }: GeocodedMap,
  row: number,
  column: number,
): readonly [row: number, column: number, value: number] {
  let best = -1;
  for (let r = Math.max(1, Math.round(row) - 12); r <= Math.min(rows - 2, Math.round(row) + 12); r++)
    for (let c = Math.max(1, Math.round(column) - 12); c <= Math.min(columns - 2, Math.round(column) + 12); c++)
      if (data[r * columns + c] > (data[best] ?? 0)) best = r * columns + c;
  // The response is turned against the map, so the mixed derivative counts.
  const power = (r: number, c: number): number => data[best + r * columns + c] ** 2;
  const [gr, gc] = [(power(1, 0) - power(-1, 0)) / 2, (power(0, 1) - power(0, -1)) / 2];
  const [hrr, hcc] = [power(1, 0) - 2 * power(0, 0) + power(-1, 0), power(0, 1) - 2 * power(0, 0) + power(0, -1)];
  const hrc = (power(1, 1) - power(1, -1) - power(-1, 1) + power(-1, -1)) / 4;
  const d = hrr * hcc - hrc * hrc;
  return [Math.floor(best / columns) - (hcc * gr - hrc * gc) / d, (best % columns) - (hrr * gc - hrc * gr) / d, data[best]];
}

describe("geocode", () => {
  const points = [
    [40.3, 60.7],
    [150, 200],
    [222.8, 341.1],
    [260.4, 77.5],
  ] as const;
  const cases: readonly (readonly [string, ImagePlacement, number])[] = [
    ["slant range", slantOf("right"), 250],
    ["slant range to the left", slantOf("left"), 0],
    ["a slant plane", planeOf("slant"), 420],
    ["a plane on the ground", planeOf("ground"), 380],
  ];
  it.each(cases)("puts points of %s where they are", async (_, placement, heightMeters) => {
    const { placement: whole } = mapOfImage(placement, shape, { heightMeters });
    const source = sourceOf(layout("c64", shape), pointsImage(points, 1.9, -2.4));
    const geometry = createImageGeometry(placement, shape[0]);
    const step = whole.columnStep / 10;
    for (const [row, column] of points) {
      const place = ecefToGeodetic(geometry.toGround(row, column, heightMeters) as Vector3);
      const { eastingMeters, northingMeters } = geodeticToUtm(place, whole.epsg);
      // A map of 60 × 60 fine pixels, in which the point is at (29.3, 30.6).
      const origin = [eastingMeters - 30.6 * step, northingMeters + 29.3 * step] as const;
      const map: GeocodedMap = { rows: 60, columns: 60, placement: { ...whole, origin, columnStep: step, rowStep: -step } };
      const [r, c, value] = peakNear(await mapped(source, placement, map), map, 30, 30);
      expect(Math.hypot(r - 29.3, c - 30.6) / 10).toBeLessThan(0.02);
      // The largest sample, 1 at the peak; −42 dB of error along each axis.
      expect(value).toBeGreaterThan(0.98);
      expect(value).toBeLessThan(1.02);
    }
  });

  it("keeps the mean power on maps that are coarser than the image", async () => {
    const { uniform } = createRandom(21);
    const gauss = (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    const noise = new Float32Array(2 * shape[0] * shape[1]).map(() => 3 * gauss());
    // Noise has the whole band; the kernel passes nearly all of it.
    const placement = planeOf("slant");
    const map = mapOfImage(placement, shape, { heightMeters: 400, step: 8, epsg: 32632 });
    const data = await mapped(sourceOf(layout("c64", shape), noise), placement, map);
    const seen = data.filter((value) => !Number.isNaN(value));
    const power = seen.reduce((sum, value) => sum + value * value, 0) / seen.length;
    expect(power / 18).toBeGreaterThan(0.85);
    expect(power / 18).toBeLessThan(1.1);
    const spread = Math.sqrt(seen.reduce((sum, value) => sum + (value * value - power) ** 2, 0) / seen.length) / power;
    expect(spread).toBeLessThan(0.25);
  });

  it("has amplitudes of images of amplitudes, no data outside them, and goes to 4326", async () => {
    const placement = slantOf("right");
    const map = mapOfImage(placement, shape, { epsg: 4326, heightMeters: 100 });
    const source = sourceOf(layout("f32", shape), new Float32Array(shape[0] * shape[1]).fill(2));
    const data = await mapped(source, placement, map);
    const geometry = createImageGeometry(placement, shape[0]);
    let [inside, outside] = [0, 0];
    for (let i = 0; i < data.length; i += 7) {
      const [r, c] = [Math.floor(i / map.columns), i % map.columns];
      const {
        origin: [x, y],
        columnStep,
        rowStep,
      } = map.placement;
      const place = { ...mapProjection(4326).toGeodetic([x + c * columnStep, y + r * rowStep]), heightMeters: 100 };
      const [row, column] = geometry.toPixel(geodeticToEcef(place)) as [number, number];
      if (row < -1 || column < -1 || row > shape[0] || column > shape[1]) {
        expect(data[i]).toBeNaN();
        outside++;
      } else if (row > 6 && column > 6 && row < shape[0] - 7 && column < shape[1] - 7) {
        expect(Math.abs(data[i] - 2)).toBeLessThan(1e-5);
        inside++;
      }
    }
    expect(Math.min(inside, outside)).toBeGreaterThan(500);
  });

  it("reads an image of any size in windows of bounded size", async () => {
    const large: readonly [number, number] = [60_000, 50_000];
    const placement: SlantPlacement = { ...slantOf("right"), azimuthSeconds: { first: -18, step: 6e-4 } };
    let [largest, total] = [0, 0];
    const source: GeocodeSource = {
      layout: { dtype: "f32", shape: large },
      async read({ rows, columns }) {
        largest = Math.max(largest, rows * columns);
        total += rows * columns;
        return new Float32Array(rows * columns).fill(1);
      },
    };
    const map = mapOfImage(placement, large, { step: 500 });
    const window: GeocodedMap = { ...map, rows: Math.min(map.rows, 64), columns: Math.min(map.columns, 64) };
    const centre = [Math.floor(map.rows / 2), Math.floor(map.columns / 2)];
    const {
      origin: [x, y],
    } = map.placement;
    const part = { ...window, placement: { ...map.placement, origin: [x + 500 * centre[1], y - 500 * centre[0]] } as MapPlacement };
    const data = await mapped(source, placement, part);
    expect(largest).toBeLessThanOrEqual(2 ** 22);
    expect(total).toBeGreaterThan(2 ** 22);
    expect(data.every((value) => Math.abs(value - 1) < 1e-4)).toBe(true);
  });

  it("stops, and refuses bad arguments", async () => {
    const placement = slantOf("right");
    const map = mapOfImage(placement, shape);
    const source = sourceOf(layout("f32", shape), new Float32Array(shape[0] * shape[1]));
    const stop = new AbortController();
    stop.abort();
    expect(isRadarError(await mapped(source, placement, map, stop.signal).catch((error) => error), "aborted")).toBe(true);
    const field = async (work: Promise<unknown>): Promise<unknown> => {
      const error = await work.catch((thrown: unknown) => thrown);
      return isRadarError(error, "input") ? error.fields.field : error;
    };
    const sink = { write: async () => {} };
    expect(await field(geocode({ ...source, layout: layout("u8", shape) }, placement, map, sink))).toBe("source.layout.dtype");
    expect(await field(geocode(source, placement, { ...map, placement: placement as never }, sink))).toBe("map.placement.kind");
    expect(await field(geocode(source, placement, map, sink, { interpolator: "linear" as never }))).toBe("interpolator");
    expect(await field(geocode({ ...source, read: async () => new Float32Array(3) }, placement, map, sink))).toBe("source.read");
    const broken = { ...source, read: () => Promise.reject(new Error("gone")) };
    expect(isRadarError(await geocode(broken, placement, map, sink).catch((error) => error), "failed")).toBe(true);
    expect(failure(() => mapOfImage(placement, shape, { step: 0 }))).toBe("step");
    expect(failure(() => mapOfImage(placement, shape, { step: 1e-5 }))).toBe("step");
    // Not too long, but too large: more than 2^36 pixels.
    const { rows, columns, placement: usual } = mapOfImage(placement, shape);
    const fine = usual.columnStep * Math.sqrt((rows * columns) / 2 ** 37);
    expect(failure(() => mapOfImage(placement, shape, { step: fine }))).toBe("step");
    expect(failure(() => mapOfImage(placement, shape, { epsg: 3857 }))).toBe("epsg");
    expect(failure(() => mapOfImage(placement, [3] as never))).toBe("shape");
    expect(failure(() => mapOfImage({ ...placement, slantRangeMeters: { first: 1000, step: 1 } }, shape))).toBe("placement");
    expect(failure(() => groundControlPoints(placement, shape, { perSide: 1 }))).toBe("perSide");
  });
});

describe("groundControlPoints", () => {
  it("are what pixels show", () => {
    const placement = slantOf("left");
    const points = groundControlPoints(placement, shape, { heightMeters: 50, perSide: 3 });
    expect(points.map(({ row, column }) => [row, column]).slice(2, 5)).toEqual([
      [0, 399],
      [149.5, 0],
      [149.5, 199.5],
    ]);
    const geometry = createImageGeometry(placement, shape[0]);
    for (const { row, column, ...place } of points) {
      expect(place.heightMeters).toBeCloseTo(50, 6);
      const [r, c] = geometry.toPixel(geodeticToEcef(place)) as [number, number];
      expect(Math.hypot(r - row, c - column)).toBeLessThan(1e-3);
    }
  });
});

describe("mapGrid", () => {
  const centre = { latitudeDegrees: 52.3, longitudeDegrees: 11.2 };
  const { eastingMeters: e, northingMeters: n } = geodeticToUtm(centre);
  const cases: readonly (readonly [string, Parameters<typeof mapGrid>[0], "map" | "plane"])[] = [
    ["200 m", { epsg: utmEpsg(centre), west: e, south: n, east: e + 200, north: n + 150, step: 0.5, heightMeters: 70 }, "map"],
    ["10 km of large pixels", { epsg: utmEpsg(centre), west: e, south: n, east: e + 10_000, north: n + 10_000, step: 50 }, "map"],
    ["4 km in degrees", { epsg: 4326, west: 11.2, south: 52.3, east: 11.25, north: 52.33, step: 2e-5 }, "plane"],
    ["degrees", { epsg: 4326, west: 11.2, south: 52.3, east: 11.204, north: 52.302, step: 1e-5 }, "map"],
  ];
  it.each(cases)("is on the map as it says: %s", (_, bounds, kind) => {
    const { grid, frame, placement, errorMeters } = mapGrid(bounds);
    expect(placement.kind).toBe(kind);
    expect([grid.nx, grid.ny]).toEqual(
      [(bounds.east - bounds.west) / bounds.step, (bounds.north - bounds.south) / bounds.step].map(Math.round),
    );
    const map = mapProjection(bounds.epsg);
    const { uniform } = createRandom(2);
    let [along, up] = [0, 0];
    for (let turn = 0; turn < 400; turn++) {
      const [ix, iy] = [Math.floor(grid.nx * uniform()), Math.floor(grid.ny * uniform())];
      const place = map.toGeodetic([bounds.west + (ix + 0.5) * bounds.step, bounds.north - (iy + 0.5) * bounds.step]);
      const wanted = geodeticToEcef({ ...place, heightMeters: bounds.heightMeters ?? 0 });
      const found = frame.toEcef(pixelPosition(grid, ix, iy));
      const local = createLocalFrame(wanted).toLocal(found);
      along = Math.max(along, Math.hypot(local[0], local[1]));
      up = Math.max(up, Math.abs(local[2]));
    }
    const pixel = Math.hypot(...grid.xStepMeters);
    expect(along).toBeLessThan(1.05 * errorMeters + 0.01);
    expect(errorMeters).toBeLessThan(10);
    expect(up).toBeLessThan(0.05 * pixel + 0.01);
    if (kind === "map") expect(along).toBeLessThan(0.105 * pixel);
  });

  it("refuses bad bounds", () => {
    const good = cases[0][1];
    expect(failure(() => mapGrid({ ...good, epsg: 1 }))).toBe("bounds.epsg");
    expect(failure(() => mapGrid({ ...good, east: good.west }))).toBe("bounds.east");
    expect(failure(() => mapGrid({ ...good, south: good.north + 1 }))).toBe("bounds.north");
    expect(failure(() => mapGrid({ ...good, step: 1e-4 }))).toBe("bounds.step");
    expect(failure(() => mapGrid({ ...good, step: Number.NaN }))).toBe("bounds.step");
    expect(failure(() => mapGrid({ ...good, hight: 3 } as never))).toBe("bounds.hight");
  });
});
