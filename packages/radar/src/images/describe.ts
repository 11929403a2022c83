/**
 * Makes the description of an image (`placement`, `collection`) of what processors know: grids in a local frame, the aperture of a phase
 * history, radars, orbits and axes. The types are those of `@dechirp/sar` and `@dechirp/processor` by their members.
 */
import { inputError } from "@dechirp/core";
import { checkFields, checkObject, type FieldsOf } from "@dechirp/core/internal";
import type { CollectionProcessing, ImageCollection } from "../collection.ts";
import type { Vector3 } from "../geodesy/ellipsoid.ts";
import type { EarthFrame } from "../phase-history.ts";
import type { PlanePlacement, PlatformPoint, PlatformPolynomial, SlantPlacement } from "../placement.ts";
import type { RadarOrbit, StripmapRadar } from "../stripmap.ts";
import { fitPath } from "./path.ts";

/** What only the user knows of a collection. Members are those of `ImageCollection`. */
export interface CollectionFacts
  extends Pick<ImageCollection, "collector" | "name" | "mode" | "modeName" | "classification" | "polarisation">,
    Pick<CollectionProcessing, "rangeWindow" | "azimuthWindow" | "autofocus" | "application"> {
  /** The time in UTC, such as `2026-03-14T11:00:00Z`, from which times count that are given with it. */
  readonly epoch: string;
}

const factFields: FieldsOf<CollectionFacts> = {
  collector: "string",
  name: "string",
  mode: "string",
  modeName: "string",
  classification: "string",
  polarisation: "object",
  rangeWindow: "object",
  azimuthWindow: "object",
  autofocus: "boolean",
  application: "string",
  epoch: "string",
};

/** Where a backprojected image is. */
export interface BackprojectionPlace {
  /** The frame of the grid and of the positions. */
  readonly frame: EarthFrame;
  /** The grid of the image [y][x], on a plane; `GroundGrid` of `@dechirp/sar` is one. */
  readonly grid: {
    readonly originMeters: Vector3;
    readonly xStepMeters: Vector3;
    readonly yStepMeters: Vector3;
    /** Height of all pixels above the plane. Default: 0. */
    readonly heightMeters?: unknown;
  };
  /** Whether the grid lies on the ground, or in the plane of the line of sight and the flight direction. */
  readonly plane: "ground" | "slant";
}

/** What `describeBackprojection` takes. */
export interface BackprojectionFacts extends CollectionFacts, BackprojectionPlace {
  /** Positions of the radar [pulse][x, y, z] in the frame: the middle between where it transmitted and received. */
  readonly positions: Float64Array;
  /** Times of the pulses in seconds after `epoch`, increasing. */
  readonly pulseSeconds: ArrayLike<number>;
  /** The frequencies of the phase history. */
  readonly frequency: { readonly firstHz: number; readonly stepHz: number; readonly count: number };
}

/** Where a range-Doppler or ω-K image is. */
export interface RangeDopplerPlace {
  readonly radar: Pick<StripmapRadar, "startSeconds">;
  /** State vectors on the slow-time axis of the radar. The look side is needed. */
  readonly orbit: RadarOrbit;
  /** Axes of the image [time][range]; `axes` of a program of `@dechirp/sar` are such. */
  readonly axes: {
    readonly azimuthSeconds: { readonly start: number; readonly step: number };
    readonly slantRangeMeters: { readonly start: number; readonly step: number };
  };
}

/** What `describeRangeDoppler` takes. Time 0 of the slow-time axis is `epoch`. */
export interface RangeDopplerFacts extends CollectionFacts, RangeDopplerPlace {
  readonly radar: Pick<
    StripmapRadar,
    "carrierHz" | "chirpRateHzPerSecond" | "pulseSeconds" | "prfHz" | "startSeconds" | "dopplerCentroidHz"
  >;
  /** Number of pulses. */
  readonly lines: number;
  /** Doppler bandwidth that was processed. Default: the PRF. */
  readonly processedBandwidthHz?: number;
  /** Doppler centroid as a polynomial of the slant range minus `originMeters`. Default: that of the radar. */
  readonly centroid?: { readonly coefficientsHz: readonly number[]; readonly originMeters: number };
  /** Default: range-doppler. */
  readonly algorithm?: "range-doppler" | "omega-k";
}

const backprojectionFields: FieldsOf<BackprojectionFacts> = {
  ...factFields,
  frame: "object",
  grid: "object",
  plane: "string",
  positions: "object",
  pulseSeconds: "object",
  frequency: "object",
};
const rangeDopplerFields: FieldsOf<RangeDopplerFacts> = {
  ...factFields,
  radar: "object",
  orbit: "object",
  axes: "object",
  lines: "number",
  processedBandwidthHz: "number",
  centroid: "object",
  algorithm: "string",
};

/** At most this many pulses are used to fit the path. */
const mostPathPulses = 1024;

/** The placement of a backprojected image, without its platform. Throws `input`, which names the member. */
export function placeBackprojection({ frame, grid, plane }: BackprojectionPlace): PlanePlacement {
  for (const [field, value] of Object.entries({ frame, grid })) checkObject(value, field, "input");
  const { heightMeters = 0 } = grid;
  if (typeof heightMeters !== "number")
    throw inputError("grid.heightMeters", "one number, as the image is a plane", "heights of each pixel");
  const { xStepMeters: x, yStepMeters: y } = grid;
  const up: Vector3 = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]];
  const lift = heightMeters / Math.hypot(...up);
  const origin = grid.originMeters.map((at, k) => at + lift * up[k]) as unknown as Vector3;
  return {
    kind: "plane",
    plane,
    originMeters: positionOnEarth(frame, origin),
    rowStepMeters: directionOnEarth(frame, y),
    columnStepMeters: directionOnEarth(frame, x),
  };
}

/**
 * Place and collection of a backprojected image. The path of the radar is a polynomial of an order up to 9 that is fitted to its positions;
 * time 0 of the collection is the first pulse. Throws `input`, which names the member; what the result's members say is checked when an image
 * is opened with them.
 */
export function describeBackprojection(facts: BackprojectionFacts): { placement: PlanePlacement; collection: ImageCollection } {
  checkObject(facts, "facts", "input");
  checkFields(facts, backprojectionFields, "facts of a backprojected image", "input");
  const { frame, positions, pulseSeconds, frequency } = facts;
  checkObject(frequency, "frequency", "input");
  const count = pulseSeconds?.length;
  if (!(count >= 4)) throw inputError("pulseSeconds", "times of at least four pulses", pulseSeconds);
  if (positions?.length !== 3 * count) throw inputError("positions", `three coordinates for each of ${count} pulses`, positions?.length);
  const placement = placeBackprojection(facts);
  const first = pulseSeconds[0];
  const prfHz = (count - 1) / (pulseSeconds[count - 1] - first);
  if (!(prfHz > 0 && Number.isFinite(prfHz))) throw inputError("pulseSeconds", "increasing times", [first, pulseSeconds[count - 1]]);
  const { firstHz, stepHz, count: frequencies } = frequency;
  const band = [firstHz - stepHz / 2, firstHz + (frequencies - 0.5) * stepHz] as const;
  const path = pathOf({ frame, positions, pulseSeconds });
  return {
    placement: { ...placement, platform: pointAt(path) },
    collection: {
      ...collectionOf(facts, first),
      durationSeconds: pulseSeconds[count - 1] - first + 1 / prfHz,
      platform: path,
      transmitHz: band,
      ...(isEven(pulseSeconds) && { prfHz }),
      processing: { ...processingOf(facts), algorithm: "backprojection", seconds: [0, pulseSeconds[count - 1] - first], bandHz: band },
    },
  };
}

/** Whether pulses are evenly spaced, to a thousandth of their spacing. */
function isEven(times: ArrayLike<number>): boolean {
  const step = (times[times.length - 1] - times[0]) / (times.length - 1);
  for (let i = 0; i < times.length; i++) if (!(Math.abs(times[i] - times[0] - i * step) <= 1e-3 * step)) return false;
  return true;
}

/** The path of the radar, Earth-fixed, as a polynomial of the time after the first pulse. */
function pathOf({ frame, positions, pulseSeconds }: Pick<BackprojectionFacts, "frame" | "positions" | "pulseSeconds">): PlatformPolynomial {
  const count = pulseSeconds.length;
  const used = Math.min(count, mostPathPulses);
  const picks = Array.from({ length: used }, (_, i) => Math.round((i * (count - 1)) / (used - 1)));
  const places = picks.flatMap((p) => [...positionOnEarth(frame, [positions[3 * p], positions[3 * p + 1], positions[3 * p + 2]])]);
  return fitPath(
    picks.map((p) => pulseSeconds[p] - pulseSeconds[0]),
    places,
  );
}

/** Position and velocity at the time that a path counts from, the middle of the aperture. */
const pointAt = ({ coefficients: [x, y, z] }: PlatformPolynomial): PlatformPoint => ({
  positionMeters: [x[0], y[0], z[0]],
  velocityMetersPerSecond: [x[1] ?? 0, y[1] ?? 0, z[1] ?? 0],
});

/** Earth-fixed components of a local direction. */
const directionOnEarth = ({ axes: [x, y, z] }: EarthFrame, [a, b, c]: Vector3): Vector3 => [
  a * x[0] + b * y[0] + c * z[0],
  a * x[1] + b * y[1] + c * z[1],
  a * x[2] + b * y[2] + c * z[2],
];

/** Earth-fixed coordinates of a local position. */
function positionOnEarth(frame: EarthFrame, position: Vector3): Vector3 {
  const [x, y, z] = directionOnEarth(frame, position);
  const [ox, oy, oz] = frame.originMeters;
  return [ox + x, oy + y, oz + z];
}

/** The placement of a range-Doppler or ω-K image. Its times count from the first pulse. Throws `input`, which names the member. */
export function placeRangeDoppler({ radar, orbit, axes }: RangeDopplerPlace): SlantPlacement {
  for (const [field, value] of Object.entries({ radar, orbit, axes })) checkObject(value, field, "input");
  if (orbit.lookSide !== "left" && orbit.lookSide !== "right") throw inputError("orbit.lookSide", "left or right", orbit.lookSide);
  const { startSeconds: first = 0 } = radar;
  const listOf = (vectors: ArrayLike<ArrayLike<number>>): number[][] => Array.from(vectors, (vector) => Array.from(vector));
  const velocities = orbit.velocitiesMetersPerSecond;
  return {
    kind: "slant",
    platform: {
      kind: "states",
      timesSeconds: Array.from(orbit.timesSeconds, (t) => t - first),
      positionsMeters: listOf(orbit.positionsMeters),
      ...(velocities && { velocitiesMetersPerSecond: listOf(velocities) }),
    },
    azimuthSeconds: { first: axes.azimuthSeconds.start - first, step: axes.azimuthSeconds.step },
    slantRangeMeters: { first: axes.slantRangeMeters.start, step: axes.slantRangeMeters.step },
    lookSide: orbit.lookSide,
  };
}

/**
 * Place and collection of a range-Doppler or ω-K image. Time 0 of the collection is the first pulse. Throws `input`, which names the member;
 * what the result's members say is checked when an image is opened with them.
 */
export function describeRangeDoppler(facts: RangeDopplerFacts): { placement: SlantPlacement; collection: ImageCollection } {
  checkObject(facts, "facts", "input");
  checkFields(facts, rangeDopplerFields, "facts of a range-Doppler image", "input");
  const placement = placeRangeDoppler(facts);
  const { radar, orbit, lines, centroid, algorithm = "range-doppler" } = facts;
  if (!(Number.isInteger(lines) && lines > 1)) throw inputError("lines", "an integer of at least 2", lines);
  const { carrierHz, chirpRateHzPerSecond, pulseSeconds, prfHz, startSeconds: first = 0 } = radar;
  const half = Math.abs(chirpRateHzPerSecond * pulseSeconds) / 2;
  const band = [carrierHz - half, carrierHz + half] as const;
  return {
    placement,
    collection: {
      ...collectionOf(facts, first),
      durationSeconds: lines / prfHz,
      transmitHz: band,
      prfHz,
      processing: { ...processingOf(facts), algorithm, seconds: [0, (lines - 1) / prfHz], bandHz: band },
      doppler: {
        centroidHz: centroid ? [...centroid.coefficientsHz] : [radar.dopplerCentroidHz],
        ...(centroid && { originMeters: centroid.originMeters }),
        bandwidthHz: facts.processedBandwidthHz ?? prfHz,
      },
      groundHeightMeters: orbit.groundHeightMeters ?? 0,
    },
  };
}

/** Members that are copied, where they are given, and the time of the first pulse. */
function collectionOf(
  facts: CollectionFacts,
  firstSeconds: number,
): Omit<ImageCollection, "durationSeconds" | "transmitHz" | "processing"> {
  const { collector, name, mode, modeName, classification, polarisation, epoch } = facts;
  return {
    collector,
    name,
    mode,
    ...(modeName !== undefined && { modeName }),
    ...(classification !== undefined && { classification }),
    ...(polarisation !== undefined && { polarisation }),
    start: laterTime(epoch, firstSeconds),
  };
}

function processingOf(facts: CollectionFacts): Omit<CollectionProcessing, "algorithm" | "seconds" | "bandHz"> {
  const { rangeWindow, azimuthWindow, autofocus, application } = facts;
  return {
    ...(rangeWindow !== undefined && { rangeWindow }),
    ...(azimuthWindow !== undefined && { azimuthWindow }),
    ...(autofocus !== undefined && { autofocus }),
    ...(application !== undefined && { application }),
  };
}

/** A time in UTC some seconds later, to a nanosecond. */
function laterTime(epoch: string, seconds: number): string {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?Z$/.exec(epoch);
  const whole = parts ? Date.parse(`${parts[1]}Z`) : Number.NaN;
  if (!parts || Number.isNaN(whole)) throw inputError("epoch", "a time in UTC such as 2026-03-14T11:00:00.25Z", epoch);
  if (!(Math.abs(seconds) <= 1e9)) throw inputError("pulseSeconds", "times of at most 1e9 s", seconds);
  const nanos = Math.round(Number(parts[2] ?? 0) * 1e9) + Math.round((seconds - Math.floor(seconds)) * 1e9);
  const late = new Date(whole + 1000 * (Math.floor(seconds) + Math.floor(nanos / 1e9)));
  // Without zeros at the end.
  let [digits, count] = [nanos % 1e9, 9];
  for (; count > 0 && digits % 10 === 0; count--) digits /= 10;
  const fraction = count === 0 ? "" : `.${String(digits).padStart(count, "0")}`;
  return `${late.toISOString().slice(0, 19)}${fraction}Z`;
}
