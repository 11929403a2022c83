/**
 * Turns one phase history into one image and its report. It chooses the grid and the parameters (and says why), runs sar's
 * backprojector on a device, and finds the brightest point. It does no file access and no signal processing of its own.
 */

import { createPause, type Device, inputError, throwIfAborted } from "@dechirp/core";
import { checkDevice, runAbortable } from "@dechirp/core/internal";
import { formatWindow, type PulseCorrections, speedOfLight, windowSamples } from "@dechirp/radar";
import {
  applyAutofocus,
  type Backprojector,
  type BackprojectorOptions,
  createBackprojector,
  type GroundGrid,
  imageContrastSteps,
  imageEntropySteps,
  type ProfileInterpolation,
  pixelPosition,
  profileInterpolationDb,
  sceneGrid,
  type Vec3,
} from "@dechirp/sar";
import { blame } from "../blame.ts";
import { createClock } from "../clock.ts";
import { checkedHooks, type ProcessHooks } from "../hooks.ts";
import { checkHistory, linesOf, type PhaseHistoryRecording, pulsesAtOnce } from "../recording.ts";
import { deviceReport, optionOr } from "../used.ts";
import type { BackprojectionWork } from "../work.ts";
import { peakSteps } from "./peak.ts";
import { type BackprojectReport, backprojectionFormat, backprojectionVersion } from "./report.ts";
import { type BackprojectSettings, checkBackprojectSettings, termsOf, usual } from "./settings.ts";

/** A plan for an image of a phase history: everything that can be decided before a device is chosen. Made by `planBackprojectedImage`. */
export interface BackprojectedImagePlan {
  readonly recording: PhaseHistoryRecording;
  /** By pulse: reference range in metres, with the autofocus corrections if they are applied. */
  readonly referenceRangeMeters: Float64Array;
  readonly autofocus: BackprojectReport["history"]["autofocus"];
  readonly grid: GroundGrid;
  /** Why this grid was chosen, if the settings give none. */
  readonly gridWhy?: string;
  readonly settings: BackprojectSettings;
  /** Name of the recording in messages. */
  readonly where: string;
  readonly notes: readonly string[];
}

/** A backprojected image and its report. */
export interface BackprojectionResult {
  /** [y][x] complex, interleaved. */
  readonly image: Float32Array;
  readonly report: BackprojectReport;
}

/** The setting from which each parameter of the backprojector comes. */
const sources: Readonly<Record<string, keyof BackprojectSettings>> = {
  grid: "grid",
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
  const { autofocus: corrections, positions, frequency, notes = [] } = recording;
  const applied = corrections !== undefined && (settings.autofocus ?? true);
  if (applied) checkCorrections(corrections);
  const autofocus = corrections ? (applied ? "applied" : "left out") : "none in the files";
  const rangeMeters = recording.referenceRangeMeters;
  const referenceRangeMeters = applied ? Float64Array.from(rangeMeters, (range, p) => range + corrections.rangeMeters[p]) : rangeMeters;
  const all = applied ? [...notes, "the autofocus of the files was applied"] : notes;
  const z = settings.heightMeters ?? 0;
  const rest = { recording, referenceRangeMeters, autofocus, settings, where, notes: all } as const;
  const { grid } = settings;
  if (grid) {
    const { xMeters, yMeters, xStepMeters, yStepMeters, nx, ny } = grid;
    return {
      ...rest,
      grid: {
        kind: "ground",
        nx,
        ny,
        originMeters: [xMeters, yMeters, z],
        xStepMeters: [xStepMeters, 0, 0],
        yStepMeters: [0, yStepMeters, 0],
      },
    };
  }
  const scene = await blameRecording(where, settings, () =>
    sceneGrid({ positions, referenceRangeMeters, frequency }, { centreMeters: [0, 0, z] }),
  );
  const [x, y] = scene.resolutionMeters.map((meters) => meters.toFixed(3));
  const end = scene.limit === "range" ? "ranges repeat beyond it" : "pulses are too far apart for directions beyond it";
  return {
    ...rest,
    grid: scene.grid,
    gridWhy: `${end}; 1.5 pixels to the finer resolution of ${x} m along x and ${y} m along y`,
    notes: scene.coarse
      ? [...rest.notes, "the grid is coarser than the resolution, because a finer one would have too many pixels"]
      : rest.notes,
  };
}

/** Throws `input`, which names the number, if a correction that is to be applied is not finite. */
function checkCorrections(corrections: PulseCorrections): void {
  for (const name of ["rangeMeters", "phaseRadians"] as const) {
    const bad = corrections[name].findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) throw inputError(`recording.autofocus.${name}[${bad}]`, "a finite number", corrections[name][bad]);
  }
}

/** Throws `input` if `plan` was not made by `planBackprojectedImage`. */
function checkPlan(plan: BackprojectedImagePlan): void {
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
 * Makes the image of `plan` on `device`. Rejects with `input` if a setting does not suit the recording (see `settingOf`) or the
 * samples can't be imaged, with what the device throws, and with `aborted` if the signal fires.
 */
export async function backprojectRecording(
  plan: BackprojectedImagePlan,
  device: Device,
  hooks: ProcessHooks = {},
): Promise<BackprojectionResult> {
  checkDevice(device);
  checkPlan(plan);
  const { recording, referenceRangeMeters, grid, settings, where } = plan;
  const { positions, frequency } = recording;
  const checked = checkedHooks(hooks, {});
  const { signal, onProgress, inputs = [], clock = createClock(), whyDevice } = checked;
  onProgress?.("planning", 0);
  throwIfAborted(signal, "backprojection");
  const geometry = { positions, referenceRangeMeters, frequency };
  using projector = await clock.time("plan", () =>
    blameRecording(where, settings, () => createBackprojector(device, geometry, grid, projectorOptions(plan))),
  );
  const start = performance.now();
  await addPulses(projector, plan, checked);
  const seconds = (performance.now() - start) / 1000;
  clock.note("project", 1000 * seconds);
  const image = await clock.time("collect", async () =>
    runAbortable(signal, "collecting", scaled(await projector.image(), scaleOf(plan, projector.profiles))),
  );
  onProgress?.("measuring", 0.9);
  const measures = await clock.time("measure", () =>
    blameRecording(`the image of ${where}`, settings, async () => ({
      peak: await runAbortable(signal, measuring, peakSteps(image, grid)),
      entropy: await runAbortable(signal, measuring, imageEntropySteps(image)),
      contrast: await runAbortable(signal, measuring, imageContrastSteps(image)),
    })),
  );
  throwIfAborted(signal, "backprojection");
  const { backprojections } = backprojectionWork(plan);
  const { profiles, interpolation, partition } = projector;
  const terms = termsOf(settings);
  const agreed = settings.convention === undefined ? undefined : `decided by the convention ${settings.convention}`;
  const report: BackprojectReport = {
    format: backprojectionFormat,
    version: backprojectionVersion,
    scene: recording.name,
    inputs,
    device: deviceReport(device, whyDevice),
    history: { pulses: partition.pulses, frequency, autofocus: plan.autofocus },
    image: { type: "c64", shape: [grid.ny, grid.nx] },
    axes: {
      xMeters: { start: grid.originMeters[0], step: grid.xStepMeters[0], count: grid.nx },
      yMeters: { start: grid.originMeters[1], step: grid.yStepMeters[1], count: grid.ny },
    },
    parameters: {
      grid: optionOr(settings.grid && gridText(grid), gridText(grid), plan.gridWhy),
      heightMeters: optionOr(settings.heightMeters, 0),
      convention: optionOr(settings.convention, usual.convention),
      mode: optionOr(settings.mode, usual.mode),
      interpolation: optionOr<string | number>(settings.interpolation, nameOfInterpolation(interpolation), terms.interpolation && agreed),
      interpolationDb: profileInterpolationDb(interpolation, profiles),
      bins: optionOr(settings.bins, profiles.bins, terms.bins && agreed),
      window: optionOr(settings.window && formatWindow(settings.window), formatWindow(usual.window)),
      carrier: optionOr(settings.carrier, terms.carrier, agreed),
      scale: optionOr(settings.scale, terms.scale, agreed),
      carrierHz: profiles.carrierHz,
      scheme: optionOr<string>(settings.scheme, partition.scheme),
      tile: optionOr(settings.tile, partition.tile),
      sets: optionOr(settings.sets, partition.sets),
    },
    partition: projector.text.split("\n"),
    work: { backprojections, gigaBackprojectionsPerSecond: backprojections / seconds / 1e9 },
    ...measures,
    timings: [...clock.timings],
    notes: [...plan.notes, ...swathNotes(plan)],
  };
  onProgress?.("done", 1);
  return { image, report };
}

/**
 * Passes the recording's pulses to the projector block by block, with corrections if they are to be applied. Resolves when all pulses
 * are in the image.
 */
async function addPulses(
  projector: Backprojector,
  { recording, autofocus, where }: BackprojectedImagePlan,
  hooks: ProcessHooks,
): Promise<void> {
  const { signal, onProgress } = hooks;
  const { shape, positions, frequency, autofocus: corrections } = recording;
  const [pulses, frequencies] = shape;
  const hear = signal ? { signal } : {};
  const add = {
    ...hear,
    onProgress: (done: { pulses: number; of: number }) => onProgress?.("projecting", 0.9 * (done.pulses / done.of)),
  };
  const pause = createPause("backprojection", signal);
  const pulsesPerBlock = pulsesAtOnce(frequencies, "c64");
  for (let from = 0; from < pulses; from += pulsesPerBlock) {
    const to = Math.min(from + pulsesPerBlock, pulses);
    const samples = (await linesOf(
      { shape, dtype: "c64", pulses: recording.pulses.bind(recording) },
      where,
      from,
      to - from,
      pause,
      signal,
    )) as Float32Array;
    if (autofocus !== "applied" || !corrections) {
      await projector.add(samples, add);
      continue;
    }
    const block = {
      positions: positions.subarray(3 * from, 3 * to),
      referenceRangeMeters: recording.referenceRangeMeters.subarray(from, to),
      frequency,
      samples,
      autofocus: { rangeMeters: corrections.rangeMeters.subarray(from, to), phaseRadians: corrections.phaseRadians.subarray(from, to) },
    };
    await projector.add((await applyAutofocus(block, hear)).samples, add);
  }
  await projector.finish(add);
}

const nameOfInterpolation = (interpolation: ProfileInterpolation): string | number =>
  typeof interpolation === "string" ? interpolation : interpolation.taps;

/**
 * Makes a note if some pulses do not reach some corner of the image. Ranges repeat beyond half the swath, so such a pulse adds nothing
 * there.
 */
function swathNotes({ recording: { positions, frequency }, referenceRangeMeters, grid }: BackprojectedImagePlan): string[] {
  const half = speedOfLight / (4 * frequency.stepHz);
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
function scaleOf({ recording, settings }: BackprojectedImagePlan, { bins }: { readonly bins: number }): number {
  const { scale = termsOf(settings).scale, window = usual.window } = settings;
  if (scale === "amplitude") return 1;
  return windowSamples(window, recording.frequency.count).reduce((sum, w) => sum + w, 0) / bins;
}

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;
/** Name of this step in the error of an interruption. */
const measuring = "measuring";

function* scaled(image: Float32Array, factor: number): Generator<void, Float32Array> {
  for (let i = 0; factor !== 1 && i < image.length; ) {
    for (const end = Math.min(i + pieceNumbers, image.length); i < end; i++) image[i] *= factor;
    yield;
  }
  return image;
}

const gridText = ({ originMeters: [x, y], xStepMeters: [dx], yStepMeters: [, dy], nx, ny }: GroundGrid): string =>
  [x, y, dx, dy, nx, ny].join(",");

function projectorOptions({ recording, settings }: BackprojectedImagePlan): BackprojectorOptions {
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
const blameRecording = <T>(where: string, settings: BackprojectSettings, work: () => T | Promise<T>): Promise<T> =>
  blame(
    where,
    (field) => {
      const [root] = field.split(/[.[]/, 1);
      const setting = Object.hasOwn(sources, root) ? sources[root] : undefined;
      return setting && settings[setting] !== undefined ? setting : undefined;
    },
    work,
  );
