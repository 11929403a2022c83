/**
 * The image that a phase history supports, for callers who know nothing of the scene: as large as its pulses can resolve
 * ranges and directions without ambiguity, and as fine as the image can change. It is a flat square around the point that the pulses are
 * motion-compensated to, with axes along x and y. Geometry only; samples are not read.
 */

import { inputError } from "@dechirp/core";
import { checkFields, type FieldsOf } from "@dechirp/core/internal";
import { type HistoryGeometry, speedOfLight } from "@dechirp/radar";
import { checkVector, type GroundGrid, length, type Vec3 } from "./grid.ts";
import { checkHistoryGeometry, pulseCount } from "./profiles.ts";
import { frequencyBand } from "./pulse-frequencies.ts";

/** Options of `sceneGrid`. */
export interface SceneGridOptions {
  /** The point that pulses are motion-compensated to, which is the middle of the square. Default: the origin of the frame. */
  readonly centreMeters?: Vec3;
  /** Largest number of pixels along an edge. Default: 2048. */
  readonly most?: number;
}

/** The grid that `sceneGrid` chose, and why it is no larger. */
export interface SceneGrid {
  readonly grid: GroundGrid;
  /** What limits the square: ranges that repeat every c/(2·step), or directions that are ambiguous because pulses are too far apart. */
  readonly limit: "range" | "angle";
  /** One over the width of the image's spectrum, along x and y. */
  readonly resolutionMeters: readonly [x: number, y: number];
  /** Whether pixels are farther apart than that, because there would be more than `most`. */
  readonly coarse: boolean;
}

/** Pixels to a resolution cell. Measurements between pixels need 1.085. */
const oversampling = 1.5;
/** Number of pulses that stand for the whole aperture, each with its neighbour. */
const mostLooks = 1024;
/** Largest half edge, for a radar straight above, which sets no other limit. */
const farthestMeters = 2 ** 20;

const fieldsOfOptions: FieldsOf<SceneGridOptions> = { centreMeters: "object", most: "number" };

/**
 * The largest square within which the range of every pulse differs from r₀ by at most c/(4·step) and the
 * phases of neighbouring pulses by at most half a cycle (for the median pair, at the highest frequency), with 1.5 pixels to the finer of
 * both
 * resolutions. Throws `input` naming `history.<field>`, `centreMeters` (outside the swath, or at the platform) or `most`.
 */
export function sceneGrid(history: HistoryGeometry, options: SceneGridOptions = {}): SceneGrid {
  checkHistoryGeometry(history);
  checkFields(options, fieldsOfOptions, "options of sceneGrid");
  const { centreMeters: centre = [0, 0, 0], most = 2048 } = options;
  checkVector(centre, "centreMeters");
  if (!Number.isInteger(most) || most < 1 || most > 65536) throw inputError("most", "an integer from 1 to 65536", most);
  const [byRange, byAngle] = [rangeHalfEdge(history, centre), angleHalfEdge(history, centre)];
  const half = Math.min(byRange, byAngle);
  const resolutionMeters = spectrumWidths(history, centre).map((width) => 1 / width) as [number, number];
  const wanted = Math.ceil((2 * half * oversampling) / Math.min(...resolutionMeters));
  const n = Math.max(1, Math.min(most, wanted));
  const spacing = (2 * half) / n;
  const corner = (n / 2) * spacing;
  return {
    grid: {
      kind: "ground",
      nx: n,
      ny: n,
      originMeters: [centre[0] - corner, centre[1] - corner, centre[2]],
      xStepMeters: [spacing, 0, 0],
      yStepMeters: [0, spacing, 0],
    },
    limit: byRange <= byAngle ? "range" : "angle",
    resolutionMeters,
    coarse: n < wanted,
  };
}

/** A rectangle of a plane z = constant, in metres. */
export interface SceneArea {
  readonly xMeters: readonly [from: number, to: number];
  readonly yMeters: readonly [from: number, to: number];
}

/** Options of `areaGrid`. */
export interface AreaGridOptions {
  /** z of the rectangle. Default: 0. */
  readonly heightMeters?: number;
  /** Largest number of pixels along an edge. Default: 8192. */
  readonly most?: number;
}

/**
 * The grid of a rectangle, with 1.5 pixels to the resolution along x and to that along y; pixels are centred in equal parts of it. Throws
 * `input` naming `history.<field>`, `area.<field>`, `heightMeters` or `most`.
 */
export function areaGrid(history: HistoryGeometry, area: SceneArea, options: AreaGridOptions = {}): Omit<SceneGrid, "limit"> {
  checkHistoryGeometry(history);
  checkFields<AreaGridOptions>(options, { heightMeters: "number", most: "number" }, "options of areaGrid");
  checkFields<SceneArea>(area, { xMeters: "object", yMeters: "object" }, "area", "input", "area.");
  const { heightMeters = 0, most = 8192 } = options;
  if (!Number.isFinite(heightMeters)) throw inputError("heightMeters", "a finite number", heightMeters);
  if (!Number.isInteger(most) || most < 1 || most > 65536) throw inputError("most", "an integer from 1 to 65536", most);
  for (const field of ["xMeters", "yMeters"] as const) {
    const [from, to] = area[field];
    if (!(Number.isFinite(from) && Number.isFinite(to) && to > from))
      throw inputError(`area.${field}`, "two increasing numbers", area[field]);
  }
  const { xMeters, yMeters } = area;
  const centre: Vec3 = [(xMeters[0] + xMeters[1]) / 2, (yMeters[0] + yMeters[1]) / 2, heightMeters];
  const resolutionMeters = spectrumWidths(history, centre).map((width) => 1 / width) as [number, number];
  const axes = [xMeters, yMeters].map(([from, to], axis) => {
    const wanted = Math.ceil(((to - from) * oversampling) / resolutionMeters[axis]);
    const n = Math.max(1, Math.min(most, wanted));
    const step = (to - from) / n;
    return { n, step, first: from + step / 2, coarse: n < wanted };
  });
  const [x, y] = axes;
  return {
    grid: {
      kind: "ground",
      nx: x.n,
      ny: y.n,
      originMeters: [x.first, y.first, heightMeters],
      xStepMeters: [x.step, 0, 0],
      yStepMeters: [0, y.step, 0],
    },
    resolutionMeters,
    coarse: x.coarse || y.coarse,
  };
}

/** Pulses that stand for the aperture, including the last. */
function looks(history: HistoryGeometry): number[] {
  const last = pulseCount(history) - 1;
  const count = Math.min(mostLooks, last + 1);
  return Array.from({ length: count }, (_, i) => (count === 1 ? 0 : Math.round((i * last) / (count - 1))));
}

const towards = ({ positions }: HistoryGeometry, p: number, [x, y, z]: Vec3): Vec3 => [
  positions[3 * p] - x,
  positions[3 * p + 1] - y,
  positions[3 * p + 2] - z,
];

/** Half the edge of the square whose corners are still within the unambiguous range; distances are largest at corners. */
function rangeHalfEdge(history: HistoryGeometry, centre: Vec3): number {
  const reach = speedOfLight / (4 * frequencyBand(history).stepHz);
  const pulses = looks(history);
  const within = (half: number): boolean =>
    pulses.every((p) =>
      [-half, half].every((x) =>
        [-half, half].every((y) => {
          const range = length(towards(history, p, [centre[0] + x, centre[1] + y, centre[2]]));
          return Math.abs(range - history.referenceRangeMeters[p]) <= reach;
        }),
      ),
    );
  if (!within(0)) throw inputError("centreMeters", `within ${reach.toPrecision(4)} m of every pulse's reference range`, centre);
  let [low, high] = [0, reach / 2];
  while (high < farthestMeters && within(high)) [low, high] = [high, 2 * high];
  while (high - low > 1e-6 * high) {
    const middle = (low + high) / 2;
    if (within(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * Half the edge of the square in which the phase of corners, relative to that of the centre, changes by half a cycle from pulse to pulse.
 */
function angleHalfEdge(history: HistoryGeometry, centre: Vec3): number {
  const { highHz } = frequencyBand(history);
  const turns = looks(history)
    .filter((p) => p > 0)
    .map((p) => {
      const [a, b] = [look(history, p - 1, centre), look(history, p, centre)];
      return Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]);
    })
    .sort((a, b) => a - b);
  const median = turns[Math.floor(turns.length / 2)] ?? 0;
  return Math.min(farthestMeters, speedOfLight / (4 * highHz * median));
}

/** Widths of the spectrum of an image at `centre` along x and y, in cycles per metre: of 2f/c times the unit vectors to the platform. */
function spectrumWidths(history: HistoryGeometry, centre: Vec3): readonly [number, number] {
  const { lowHz, highHz, stepHz } = frequencyBand(history);
  const spans = [0, 1].map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (const p of looks(history)) {
      const u = look(history, p, centre)[axis];
      for (const hertz of [lowHz, highHz + stepHz]) {
        const cycles = (2 * hertz * u) / speedOfLight;
        low = Math.min(low, cycles);
        high = Math.max(high, cycles);
      }
    }
    return high - low;
  });
  return [spans[0], spans[1]];
}

/** Unit vector from the centre to the platform. */
function look(history: HistoryGeometry, p: number, centre: Vec3): Vec3 {
  const v = towards(history, p, centre);
  const r = length(v);
  if (r === 0) throw inputError("centreMeters", "away from the platform", centre);
  return [v[0] / r, v[1] / r, v[2] / r];
}
