/**
 * Images whose truth is known, for tests of SICD: a radar on a polynomial path, targets on the ground, and the images that an ideal processor
 * makes of them, computed in float64 by definition. Backprojected images carry the phase of their echoes; range-Doppler images are at base
 * band.
 */
import type { ImageMetadata } from "@dechirp/io";
import { speedOfLight as c, type ImageCollection, type PlatformPolynomial } from "@dechirp/radar";
import { createLocalFrame, type Vector3 } from "@dechirp/radar/geodesy";

export const dot = (a: Vector3, b: Vector3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const norm = (a: Vector3): number => Math.hypot(...a);
export const plus = (a: Vector3, b: Vector3, factor = 1): Vector3 => [a[0] + factor * b[0], a[1] + factor * b[1], a[2] + factor * b[2]];
export const scaled = (a: Vector3, factor: number): Vector3 => [a[0] * factor, a[1] * factor, a[2] * factor];
export const unit = (a: Vector3): Vector3 => scaled(a, 1 / norm(a));
export const cross = (a: Vector3, b: Vector3): Vector3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

/** An image, what it says of itself, and where its targets are, Earth-fixed. */
export interface KnownImage {
  readonly rows: number;
  readonly columns: number;
  readonly data: Float32Array;
  readonly metadata: ImageMetadata & { readonly collection: ImageCollection };
  readonly targets: readonly Vector3[];
}

const place = createLocalFrame({ latitudeDegrees: 35.2, longitudeDegrees: 20.7, heightMeters: 120 });
const [east, north, up] = place.axes;
const carrierHz = 9.65e9;
const bandHz = [carrierHz - 50e6, carrierHz + 50e6] as const;
const aperture = [1, 2] as const;
const middleSeconds = 1.5;

export interface KnownOptions {
  readonly side?: "left" | "right";
  /** How far ahead of broadside the radar looks. Default: 1 degree. */
  readonly squintDegrees?: number;
}

/** A satellite that flies to the north; its path is a polynomial. */
export function knownPlatform({ side = "right", squintDegrees = 1 }: KnownOptions = {}): PlatformPolynomial {
  const rangeMeters = 700e3;
  const incidence = (35 * Math.PI) / 180;
  // A radar that looks to the right is west of the scene.
  const away = scaled(east, side === "right" ? -Math.sin(incidence) : Math.sin(incidence));
  const still = plus(plus(place.originMeters, away, rangeMeters), up, rangeMeters * Math.cos(incidence));
  const ahead = plus(north, unit(still), -dot(north, unit(still)));
  const velocity = scaled(unit(ahead), 7500);
  const p = plus(still, unit(velocity), -rangeMeters * Math.sin((squintDegrees * Math.PI) / 180));
  const gravity = -3.986004418e14 / norm(p) ** 3;
  const powers = [p, velocity, scaled(p, gravity / 2), scaled(velocity, gravity / 6)];
  return {
    kind: "polynomial",
    originSeconds: middleSeconds,
    coefficients: [powers.map(([x]) => x), powers.map(([, y]) => y), powers.map(([, , z]) => z)],
  };
}

/** Where a platform is at a time, and its velocity. */
export function platformAt({ originSeconds = 0, coefficients }: PlatformPolynomial, seconds: number): readonly [Vector3, Vector3] {
  const t = seconds - originSeconds;
  const value = (list: readonly number[]): number => list.reduce((sum, a, i) => sum + a * t ** i, 0);
  const rate = (list: readonly number[]): number => list.reduce((sum, a, i) => sum + (i > 0 ? i * a * t ** (i - 1) : 0), 0);
  const [x, y, z] = coefficients;
  return [
    [value(x), value(y), value(z)],
    [rate(x), rate(y), rate(z)],
  ];
}

/** How the known images were collected. */
export const knownCollection = (platform: PlatformPolynomial): ImageCollection => ({
  collector: "SYNTHETIC-1",
  name: "KNOWN-TARGETS & MORE",
  mode: "spotlight",
  modeName: "SL",
  start: "2026-03-14T11:00:00.25Z",
  durationSeconds: 3,
  platform,
  transmitHz: [bandHz[0] - 1e6, bandHz[1] + 1e6],
  prfHz: 3000,
  polarisation: { transmit: "V", receive: "H" },
  processing: { algorithm: "backprojection", seconds: aperture, bandHz },
});

/** Directions of a grid's rows and columns, as steps to the next row and column. */
export type GridSteps = (
  sight: Vector3,
  velocity: Vector3,
) => { readonly row: Vector3; readonly column: Vector3; readonly plane: "slant" | "ground" };

/** A slant plane whose rows are times and whose columns are ranges, as dechirp's images are. */
export const slantSteps: GridSteps = (sight, velocity) => {
  const normal = unit(cross(sight, velocity));
  return { row: scaled(unit(cross(normal, sight)), 0.95), column: scaled(sight, 1), plane: "slant" };
};

/** The ground, whose rows go north and whose columns go east. */
export const groundSteps: GridSteps = () => ({ row: scaled(north, 0.95), column: scaled(east, 1.6), plane: "ground" });

const pulses = 64;
const frequencies = 48;

/** A backprojected image of three targets; `above` is their height over the plane in metres. */
export function knownBackprojection(steps: GridSteps, options: KnownOptions & { readonly above?: number } = {}): KnownImage {
  const [rows, columns] = [90, 77];
  const platform = knownPlatform(options);
  const [radar, velocity] = platformAt(platform, middleSeconds);
  const sight = unit(plus(place.originMeters, radar, -1));
  const { row, column, plane } = steps(sight, velocity);
  const origin = plus(plus(place.originMeters, row, -rows / 2), column, -columns / 2);
  const at = (i: number, k: number): Vector3 => plus(plus(origin, row, i), column, k);
  const spots = [
    [45.3, 38.2, 1],
    [20.6, 60.9, 0.8],
    [70.2, 15.4, 0.6],
  ] as const;
  const { above = 0 } = options;
  const normal = unit(cross(row, column));
  const targets = spots.map(([i, k]) => plus(at(i, k), normal, above));
  const data = new Float32Array(2 * rows * columns);
  const step = (bandHz[1] - bandHz[0]) / (frequencies - 1);
  const path = Array.from(
    { length: pulses },
    (_, p) => platformAt(platform, aperture[0] + (p * (aperture[1] - aperture[0])) / (pulses - 1))[0],
  );
  const ranges = targets.map((target) => path.map((one) => norm(plus(one, target, -1))));
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < columns; k++) {
      const q = at(i, k);
      let [re, im] = [0, 0];
      path.forEach((one, p) => {
        const range = norm(plus(one, q, -1));
        for (let s = 0; s < spots.length; s++) {
          // The sum over frequencies of exp(j4πf·d/c) is that of a geometric series.
          const d = (2 * (range - ranges[s][p])) / c;
          const half = Math.PI * step * d;
          const sum = Math.abs(Math.sin(half)) < 1e-12 ? frequencies : Math.sin(frequencies * half) / Math.sin(half);
          const phase = 2 * Math.PI * ((carrierHz * d) % 1);
          re += spots[s][2] * sum * Math.cos(phase);
          im += spots[s][2] * sum * Math.sin(phase);
        }
      });
      data[2 * (i * columns + k)] = re / (pulses * frequencies);
      data[2 * (i * columns + k) + 1] = im / (pulses * frequencies);
    }
  }
  return {
    rows,
    columns,
    data,
    targets,
    metadata: {
      placement: { kind: "plane", plane, originMeters: origin, rowStepMeters: row, columnStepMeters: column },
      collection: knownCollection(platform),
    },
  };
}

/** A range-Doppler image, rows times, of three targets at a height of 120 m. Its Doppler centroid is a polynomial of the range. */
export function knownRangeDoppler(options: KnownOptions = {}): KnownImage {
  const [rows, columns] = [96, 80];
  const platform = knownPlatform(options);
  const [rangeBandHz, bandwidthHz, centroidHz] = [100e6, 2000, 830];
  const spots = [
    [0, 0, 1],
    [26, -22, 0.8],
    [-30, 25, 0.6],
  ] as const;
  const targets = spots.map(([n, e]) => place.toEcef([e, n, 0]));
  const closest = targets.map((target) => closestApproach(platform, target));
  const [azimuthStep, rangeStep] = [1 / 2600, 1.1];
  const azimuth = { first: closest[0].seconds - (rows / 2) * azimuthStep, step: azimuthStep };
  const range = { first: closest[0].rangeMeters - (columns / 2) * rangeStep, step: rangeStep };
  const sinc = (x: number): number => (Math.abs(x) < 1e-9 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
  const data = new Float32Array(2 * rows * columns);
  for (let i = 0; i < rows; i++) {
    for (let k = 0; k < columns; k++) {
      closest.forEach(({ seconds, rangeMeters }, s) => {
        const dt = azimuth.first + i * azimuth.step - seconds;
        const dr = range.first + k * range.step - rangeMeters;
        const amplitude = spots[s][2] * sinc(bandwidthHz * dt) * sinc((2 * rangeBandHz * dr) / c);
        const phase = 2 * Math.PI * (centroidHz * dt - (((2 * carrierHz * rangeMeters) / c) % 1));
        data[2 * (i * columns + k)] += amplitude * Math.cos(phase);
        data[2 * (i * columns + k) + 1] += amplitude * Math.sin(phase);
      });
    }
  }
  const collection: ImageCollection = {
    ...knownCollection(platform),
    mode: "stripmap",
    processing: { algorithm: "range-doppler", seconds: [0.1, 2.9], bandHz },
    doppler: { centroidHz: [centroidHz, 0.02], originMeters: closest[0].rangeMeters, bandwidthHz },
    groundHeightMeters: 120,
  };
  return {
    rows,
    columns,
    data,
    targets,
    metadata: {
      placement: { kind: "slant", platform, azimuthSeconds: azimuth, slantRangeMeters: range, lookSide: options.side ?? "right" },
      collection,
    },
  };
}

/** When a platform is closest to a place, and how close. */
function closestApproach(platform: PlatformPolynomial, target: Vector3): { readonly seconds: number; readonly rangeMeters: number } {
  let seconds = middleSeconds;
  for (let turn = 0; turn < 20; turn++) {
    const [position, velocity] = platformAt(platform, seconds);
    seconds += dot(velocity, plus(target, position, -1)) / dot(velocity, velocity);
  }
  return { seconds, rangeMeters: norm(plus(target, platformAt(platform, seconds)[0], -1)) };
}
