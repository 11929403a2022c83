/**
 * The plan of a backprojected image: what can be decided about autofocus, grid and parameters before a device is chosen, and what the
 * processor derives from it for the backprojector.
 */
import { inputError } from "@dechirp/core";
import { type HistoryGeometry, type PulseCorrections, speedOfLight, windowSamples } from "@dechirp/radar";
import {
  areaGrid,
  type BackprojectorOptions,
  type GroundGrid,
  midpointErrorMeters,
  pixelPosition,
  sceneGrid,
  type Vec3,
} from "@dechirp/sar";
import { blame, settingProblem } from "../blame.ts";
import { describeBackprojected, type ImageDescription } from "../description.ts";
import { checkedHooks, type ProcessHooks } from "../hooks.ts";
import { checkHistory, type PhaseHistoryRecording } from "../recording.ts";
import { optionOr, type UsedParameter } from "../used.ts";
import type { BackprojectionWork } from "../work.ts";
import type { BackprojectReport } from "./report.ts";
import { type BackprojectSettings, checkBackprojectSettings, type MapSetting, termsOf, usual } from "./settings.ts";

/** A plan for an image of a phase history: everything that can be decided before a device is chosen. Made by `planBackprojectedImage`. */
export interface BackprojectedImagePlan {
  readonly recording: PhaseHistoryRecording;
  /** By pulse: reference range in metres, with the autofocus corrections if they are applied. */
  readonly referenceRangeMeters: Float64Array;
  readonly autofocus: BackprojectReport["history"]["autofocus"];
  readonly grid: GroundGrid;
  /** Why this grid was chosen, if the settings give none. */
  readonly gridWhy?: string;
  /** Axes of the image in metres: those of the grid; on a map, distances from its middle along columns and rows. */
  readonly axes: BackprojectReport["axes"];
  /** Height of the image, and why it was chosen if the settings give none. */
  readonly heightMeters: UsedParameter<number>;
  /** Where the image is on earth, and how its data was collected. */
  readonly description: ImageDescription;
  readonly settings: BackprojectSettings;
  /** Name of the recording in messages. */
  readonly where: string;
  readonly notes: readonly string[];
}

/** The setting from which each parameter of the backprojector comes. */
const sources: Readonly<Record<string, keyof BackprojectSettings>> = {
  grid: "grid",
  bounds: "map",
  centreMeters: "heightMeters",
  interpolation: "interpolation",
  bins: "bins",
  scheme: "scheme",
  tile: "tile",
  sets: "sets",
};

/**
 * Plans an image: decides about autofocus and the grid. Rejects with `input` if a setting is wrong or does not suit the recording (see
 * `settingOf`), and if the recording can't be imaged.
 */
export async function planBackprojectedImage(
  recording: PhaseHistoryRecording,
  settings: BackprojectSettings = {},
  hooks: ProcessHooks = {},
): Promise<BackprojectedImagePlan> {
  const { inputs = [] } = checkedHooks(hooks, {});
  checkHistory(recording);
  checkBackprojectSettings(settings);
  const where = inputs.length > 1 ? `${inputs[0]} and ${inputs.length - 1} more` : (inputs[0] ?? recording.name);
  const { autofocus: corrections, notes = [] } = recording;
  const applied = corrections !== undefined && (settings.autofocus ?? true);
  if (applied) checkCorrections(corrections);
  const autofocus = corrections ? (applied ? "applied" : "left out") : "none in the files";
  const rangeMeters = recording.referenceRangeMeters;
  const referenceRangeMeters = applied ? Float64Array.from(rangeMeters, (range, p) => range + corrections.rangeMeters[p]) : rangeMeters;
  const all = applied ? [...notes, "the autofocus of the files was applied"] : notes;
  const described = {
    window: settings.window ?? usual.window,
    autofocus: applied,
  };
  const rest = { referenceRangeMeters, autofocus, settings, where } as const;
  if (settings.map) {
    const { map } = settings;
    const on = await mapOf(recording, map, settings.heightMeters, where, settings);
    return {
      ...rest,
      recording: on.recording,
      grid: on.grid,
      axes: middleAxes(on.grid),
      heightMeters: on.heightMeters,
      description: await blameRecording(where, settings, () => describeBackprojected(on.recording, on.grid, described, on.placement)),
      notes: [...all, ...on.notes],
    };
  }
  const z = settings.heightMeters ?? 0;
  const { grid, ...chosen } = await gridOf({ recording, referenceRangeMeters }, z, where, settings);
  return {
    ...rest,
    recording,
    grid,
    axes: {
      xMeters: { start: grid.originMeters[0], step: grid.xStepMeters[0], count: grid.nx },
      yMeters: { start: grid.originMeters[1], step: grid.yStepMeters[1], count: grid.ny },
    },
    heightMeters: optionOr(settings.heightMeters, 0),
    description: await blameRecording(where, settings, () => describeBackprojected(recording, grid, described)),
    ...(chosen.gridWhy !== undefined && { gridWhy: chosen.gridWhy }),
    notes: chosen.coarse ? [...all, "the grid is coarser than the resolution, because a finer one would have too many pixels"] : all,
  };
}

/** The grid of the settings, else the scene that the recording describes, else the one that it supports. `z` is the height of the plane. */
async function gridOf(
  plan: Pick<BackprojectedImagePlan, "recording" | "referenceRangeMeters">,
  z: number,
  where: string,
  settings: BackprojectSettings,
): Promise<{ readonly grid: GroundGrid; readonly gridWhy?: string; readonly coarse?: boolean }> {
  const { grid } = settings;
  if (grid) {
    const { xMeters, yMeters, xStepMeters, yStepMeters, nx, ny } = grid;
    const [originMeters, xStep, yStep] = [
      [xMeters, yMeters, z],
      [xStepMeters, 0, 0],
      [0, yStepMeters, 0],
    ] as const;
    return { grid: { kind: "ground", nx, ny, originMeters, xStepMeters: xStep, yStepMeters: yStep } };
  }
  const geometry = geometryOf(plan);
  const { area } = plan.recording;
  const meters = (pair: readonly [number, number]): string => `${pair[0].toFixed(3)} m along x and ${pair[1].toFixed(3)} m along y`;
  if (area) {
    const made = await blameRecording(where, settings, () => areaGrid(geometry, area, { heightMeters: z }));
    const gridWhy = `the scene that the recording describes; 1.5 pixels to the resolution of ${meters(made.resolutionMeters)}`;
    return { grid: made.grid, gridWhy, coarse: made.coarse };
  }
  const scene = await blameRecording(where, settings, () => sceneGrid(geometry, { centreMeters: [0, 0, z] }));
  const end = scene.limit === "range" ? "ranges repeat beyond it" : "pulses are too far apart for directions beyond it";
  const gridWhy = `${end}; 1.5 pixels to the finer resolution of ${meters(scene.resolutionMeters)}`;
  return { grid: scene.grid, gridWhy, coarse: scene.coarse };
}

/** The grid of a part of a map, and the recording in the local frame of that grid. */
async function mapOf(
  recording: PhaseHistoryRecording,
  map: MapSetting,
  height: number | undefined,
  where: string,
  settings: BackprojectSettings,
) {
  const { frame } = recording;
  if (!frame) throw settingProblem("map", "can't be used: the recording does not say where its frame is on earth (frame)");
  const [{ mapGrid }, { ecefToGeodetic }] = await Promise.all([import("@dechirp/sar/geocoding"), import("@dechirp/radar/geodesy")]);
  const usualHeight = ecefToGeodetic(frame.originMeters).heightMeters;
  const heightMeters = height ?? usualHeight;
  const made = await blameRecording(where, settings, () => mapGrid({ ...map, heightMeters }));
  const [ox, oy, oz] = frame.originMeters;
  const [u, v, w] = frame.axes;
  /** Positions [pulse][x, y, z] in the frame of the grid. */
  const moved = (positions: Float64Array): Float64Array => {
    const out = new Float64Array(positions.length);
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = positions.subarray(i, i + 3);
      const at = (k: 0 | 1 | 2, origin: number): number => origin + x * u[k] + y * v[k] + z * w[k];
      out.set(made.frame.toLocal([at(0, ox), at(1, oy), at(2, oz)]), i);
    }
    return out;
  };
  const { positions, antennas, area: _, pulses, ...same } = recording;
  return {
    recording: {
      ...same,
      positions: moved(positions),
      ...(antennas && { antennas: { transmit: moved(antennas.transmit), receive: moved(antennas.receive) } }),
      frame: { originMeters: made.frame.originMeters, axes: made.frame.axes },
      pulses: (...given: Parameters<PhaseHistoryRecording["pulses"]>) => pulses.apply(recording, given),
    } satisfies PhaseHistoryRecording,
    grid: made.grid,
    placement: made.placement,
    heightMeters: {
      ...optionOr(height, usualHeight),
      ...(height === undefined && { why: "the height of the origin of the recording's frame" }),
    },
    notes:
      made.placement.kind === "map"
        ? []
        : [`the image is a plane, whose pixels are up to ${made.errorMeters.toPrecision(2)} m from their places on the map`],
  };
}

/** Axes of a grid as distances from its middle: along columns, and along rows, which go south. */
function middleAxes({ nx, ny, xStepMeters, yStepMeters }: GroundGrid): BackprojectReport["axes"] {
  const [x, y] = [Math.hypot(...xStepMeters), Math.hypot(...yStepMeters)];
  return {
    xMeters: { start: (-x * (nx - 1)) / 2, step: x, count: nx },
    yMeters: { start: (y * (ny - 1)) / 2, step: -y, count: ny },
  };
}

/** What the backprojector needs to know of the pulses, with the ranges of the plan. */
export const geometryOf = ({
  recording: { positions, frequency, pulseFrequencies, phaseSign, badPulses, antennas },
  referenceRangeMeters,
}: Pick<BackprojectedImagePlan, "recording" | "referenceRangeMeters">): HistoryGeometry => ({
  positions,
  referenceRangeMeters,
  frequency,
  ...(pulseFrequencies && { pulseFrequencies }),
  ...(phaseSign && { phaseSign }),
  ...(badPulses && { badPulses }),
  ...(antennas && { antennas }),
});

/** Makes a note of the phase error of the midpoint of two antennas, if it is not negligible. */
export function midpointNotes(plan: BackprojectedImagePlan): string[] {
  const { frequency } = plan.recording;
  const highest = frequency.firstHz + frequency.count * frequency.stepHz;
  const degrees = (360 * 2 * highest * midpointErrorMeters(geometryOf(plan), plan.grid)) / speedOfLight;
  if (degrees < 0.1) return [];
  return [`the image is made with the midpoint of transmitter and receiver, which changes phases by up to ${degrees.toPrecision(2)}°`];
}

/** Throws `input`, which names the number, if a correction that is to be applied is not finite. */
function checkCorrections(corrections: PulseCorrections): void {
  for (const name of ["rangeMeters", "phaseRadians"] as const) {
    const bad = corrections[name].findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw inputError(`recording.autofocus.${name}[${bad}]`, "a finite number", corrections[name][bad]);
  }
}

/** Throws `input` if `plan` was not made by `planBackprojectedImage`. */
export function checkPlan(plan: BackprojectedImagePlan): void {
  const { recording, grid, settings, referenceRangeMeters } = plan ?? {};
  if (!(typeof recording?.pulses === "function" && grid?.kind === "ground" && settings && referenceRangeMeters))
    throw inputError("plan", "a plan made by planBackprojectedImage", plan);
}

/**
 * Estimates the work of the image, for programs that choose a device. Throws `input` if `plan` was not made by `planBackprojectedImage`.
 */
export function backprojectionWork(plan: BackprojectedImagePlan): BackprojectionWork {
  checkPlan(plan);
  const { referenceRangeMeters, grid } = plan;
  return {
    kind: "backprojection",
    backprojections: grid.nx * grid.ny * referenceRangeMeters.length,
    largestBytes: 8 * grid.nx * grid.ny,
  };
}

/**
 * Makes a note if some pulses do not reach some corner of the image. Ranges repeat beyond half the swath, so such a pulse adds nothing
 * there.
 */
export function swathNotes({ recording, referenceRangeMeters, grid }: BackprojectedImagePlan): string[] {
  const { positions, frequency, pulseFrequencies } = recording;
  const step = pulseFrequencies ? pulseFrequencies.stepHz.reduce((a, b) => Math.max(a, b), 0) : frequency.stepHz;
  const half = speedOfLight / (4 * step);
  // `sceneGrid` ends its grids here, up to rounding.
  const reach = half * (1 + 1e-6);
  const corners = [0, grid.nx - 1].flatMap((ix) => [0, grid.ny - 1].map((iy) => pixelPosition(grid, ix, iy)));
  let missed = 0;
  for (let p = 0; p < referenceRangeMeters.length; p++) {
    const away = ([x, y, z]: Vec3): number => Math.hypot(positions[3 * p] - x, positions[3 * p + 1] - y, positions[3 * p + 2] - z);
    if (corners.some((corner) => Math.abs(away(corner) - referenceRangeMeters[p]) > reach)) missed++;
  }
  if (missed === 0) return [];
  return [
    `parts of the image are farther than ${half.toPrecision(4)} m from the reference range of ${missed} of ${referenceRangeMeters.length} pulses; ranges repeat beyond that distance, so those pulses add nothing there`,
  ];
}

/** Factor by which the image is multiplied. The backprojector itself scales by `amplitude`. */
export function scaleOf({ recording, settings }: BackprojectedImagePlan, { bins }: { readonly bins: number }): number {
  const { scale = termsOf(settings).scale, window = usual.window } = settings;
  if (scale === "amplitude") return 1;
  return windowSamples(window, recording.frequency.count).reduce((sum, w) => sum + w, 0) / bins;
}

/** The grid of an image as the option writes it: as numbers of the grid, or as edges and pixel of a map with its EPSG code. */
export function gridText({ grid, settings: { map } }: BackprojectedImagePlan): string {
  if (map) return `EPSG:${map.epsg} ${[map.west, map.south, map.east, map.north, map.step].join(",")}`;
  const { originMeters, xStepMeters, yStepMeters, nx, ny } = grid;
  return [originMeters[0], originMeters[1], xStepMeters[0], yStepMeters[1], nx, ny].join(",");
}

/** The options of the backprojector that the settings give. */
export function projectorOptions({ recording, settings }: BackprojectedImagePlan): BackprojectorOptions {
  const terms = termsOf(settings);
  const { mode = usual.mode, interpolation = terms.interpolation, carrier = terms.carrier, window = usual.window } = settings;
  const { bins = terms.bins?.(recording.frequency.count), scheme, tile, sets } = settings;
  return {
    mode,
    carrier,
    window,
    ...(typeof interpolation === "number" ? { interpolation: { kind: "sinc", taps: interpolation, window: "kaiser" } } : {}),
    ...(typeof interpolation === "string" ? { interpolation } : {}),
    ...(bins === undefined ? {} : { bins }),
    ...(scheme === undefined ? {} : { scheme }),
    ...(tile === undefined ? {} : { tile }),
    ...(sets === undefined ? {} : { sets }),
  };
}

/**
 * Runs `work`. If it throws `input`, the error is about the setting from which the parameter comes, if that was given, else about the
 * recording.
 */
export const blameRecording = <T>(where: string, settings: BackprojectSettings, work: () => T | Promise<T>): Promise<T> =>
  blame(
    where,
    (field) => {
      const [root] = field.split(/[.[]/, 1);
      const setting = Object.hasOwn(sources, root) ? sources[root] : undefined;
      return setting && settings[setting] !== undefined ? setting : undefined;
    },
    work,
  );
