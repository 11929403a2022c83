/**
 * Turns one phase history into one image and its report, as a whole or window by window. It chooses the parameters (and says why), runs
 * sar's backprojector on a device, and finds the brightest point. It does no file access and no signal processing of its own.
 */

import { type Device, inputError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { checkDevice, runAbortable } from "@dechirp/core/internal";
import { formatWindow } from "@dechirp/radar";
import {
  type Backprojector,
  createBackprojector,
  createFocusAccumulator,
  gridWindows,
  imageContrastSteps,
  imageEntropySteps,
  type ProfileInterpolation,
  profileInterpolationDb,
} from "@dechirp/sar";
import { createClock } from "../clock.ts";
import { checkedHooks, type ProcessHooks } from "../hooks.ts";
import { unlessAborted } from "../unless-aborted.ts";
import { deviceReport, optionOr } from "../used.ts";
import { type Brightest, brightestSteps } from "./brightest.ts";
import {
  type BackprojectedImagePlan,
  backprojectionWork,
  blameRecording,
  checkPlan,
  gridText,
  projectorOptions,
  scaleOf,
  swathNotes,
} from "./image-plan.ts";
import { measuredPeakSteps, peakSteps } from "./peak.ts";
import { addPulses } from "./pulses.ts";
import { type BackprojectReport, backprojectionFormat, backprojectionVersion } from "./report.ts";
import { termsOf, usual } from "./settings.ts";
import { peakHalfPixels, planImageWindows } from "./windows.ts";

/** A backprojected image and its report. */
export interface BackprojectionResult {
  /** [y][x] complex, interleaved. */
  readonly image: Float32Array;
  readonly report: BackprojectReport;
}

/** A part of an image: `rows` × `columns` pixels from the pixel at (`row`, `column`). */
export interface ImagePart {
  readonly row: number;
  readonly column: number;
  readonly rows: number;
  readonly columns: number;
}

/** What takes an image in parts, such as the sinks of `@dechirp/io`. */
export interface ImagePartSink {
  /** Takes a part [rows][columns], complex, interleaved. Resolves when `data` may be changed. */
  write(part: ImagePart, data: Float32Array, options?: { readonly signal?: AbortSignal }): void | Promise<void>;
}

/** Hooks of `backprojectInWindows`. */
export interface WindowedImageHooks extends ProcessHooks {
  /** Bytes that a window may need, on the device and on the host together. Default: 3 GiB. */
  readonly memoryBytes?: number;
}

/** Name of this step in the error of an interruption. */
const measuring = "measuring";

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
  const { grid, settings, where } = plan;
  const checked = checkedHooks(hooks, {});
  const { signal, onProgress, clock = createClock() } = checked;
  onProgress?.("planning", 0);
  throwIfAborted(signal, "backprojection");
  using projector = await clock.time("plan", () =>
    blameRecording(where, settings, () => createBackprojector(device, geometryOf(plan), grid, projectorOptions(plan))),
  );
  const start = performance.now();
  await addPulses(projector, plan, {
    ...(signal && { signal }),
    onProgress: ({ pulses, of }) => onProgress?.("projecting", 0.9 * (pulses / of)),
  });
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
  const report = reportOf(plan, device, projector, { ...checked, clock }, seconds, measures);
  onProgress?.("done", 1);
  return { image, report };
}

/**
 * Makes the image of `plan` on `device` window by window, in memory that is bounded by `memoryBytes` (`planImageWindows` gives the
 * windows), and writes each to `sink`, row by row of windows. The image has the bits of one that is made as a whole. All pulses are read
 * for each window. While a window is written, the device works on the next. Rejects as `backprojectRecording` does, with `input` if
 * `memoryBytes` is wrong or too little, and with `failed` if the sink throws anything but a `RadarError`.
 */
export async function backprojectInWindows(
  plan: BackprojectedImagePlan,
  device: Device,
  sink: ImagePartSink,
  hooks: WindowedImageHooks = {},
): Promise<BackprojectReport> {
  checkDevice(device);
  checkPlan(plan);
  if (typeof sink?.write !== "function") throw inputError("sink", "an object with a function write", sink);
  const { grid, settings, where } = plan;
  const checked = checkedHooks(hooks, { memoryBytes: "number" });
  const { signal, onProgress, clock = createClock(), memoryBytes } = checked;
  const hear = signal ? { signal } : {};
  onProgress?.("planning", 0);
  throwIfAborted(signal, "backprojection");
  const division = await clock.time("plan", () => planImageWindows(plan, device, memoryBytes === undefined ? {} : { memoryBytes }));
  const windows = [...gridWindows(grid, [division.columns, division.rows])];
  using projector = await blameRecording(where, settings, () =>
    createBackprojector(device, geometryOf(plan), grid, { plan: division.plan, gridWindow: windows[0] }),
  );
  const scale = scaleOf(plan, projector.profiles);
  const measures = createFocusAccumulator(grid.ny, grid.nx);
  let brightest: Brightest = { row: 0, column: 0, power: 0 };
  const start = performance.now();
  let [writing, collecting, measured] = [0, 0, 0];
  let written: Promise<void> = Promise.resolve();
  const write = async (part: ImagePart, data: Float32Array): Promise<void> => {
    const from = performance.now();
    try {
      await unlessAborted(sink.write(part, data, hear), signal);
    } catch (error) {
      throw asRadarError(error, "sink.write");
    }
    writing += performance.now() - from;
  };
  /** Makes the image of the projector's window. `done` is called with the share of the pulses that are in it. */
  const make = async (done: (share: number) => void): Promise<Float32Array> => {
    await addPulses(projector, plan, { ...hear, onProgress: ({ pulses, of }) => done(pulses / of) });
    const from = performance.now();
    const image = await runAbortable(signal, "collecting", scaled(await projector.image(), scale));
    collecting += performance.now() - from;
    return image;
  };
  try {
    for (const [i, window] of windows.entries()) {
      if (i > 0) await projector.begin({ gridWindow: window });
      const image = await make((share) => onProgress?.("projecting", (0.9 * (i + share)) / windows.length));
      await written;
      const part = { row: window.iy, column: window.ix, rows: window.ny, columns: window.nx };
      const from = performance.now();
      await runAbortable(signal, measuring, measures.addSteps(part, image));
      brightest = await runAbortable(signal, measuring, brightestSteps(brightest, part, image));
      measured += performance.now() - from;
      throwIfAborted(signal, "backprojection");
      written = write(part, image);
      written.catch(() => {}); // It is awaited after the next window, or below.
    }
    await written;
    throwIfAborted(signal, "backprojection");
  } catch (error) {
    await written.catch(() => {});
    throw error;
  }
  const seconds = (performance.now() - start - collecting - measured) / 1000;
  clock.note("project", 1000 * seconds);
  clock.note("collect", collecting);
  clock.note("write windows", writing);
  onProgress?.("measuring", 0.9);
  const from = performance.now();
  const found = await blameRecording(`the image of ${where}`, settings, async () => {
    const { entropy, contrast } = measures.finish();
    const { row, column } = brightest;
    const [ix, iy] = [Math.max(0, column - peakHalfPixels), Math.max(0, row - peakHalfPixels)];
    const nx = Math.min(grid.nx, column + peakHalfPixels + 1) - ix;
    const ny = Math.min(grid.ny, row + peakHalfPixels + 1) - iy;
    // The pixels around the peak are made once more, because the windows before have been given away.
    await projector.begin({ gridWindow: { ix, iy, nx, ny }, roundWindow: true });
    const image = await make((share) => onProgress?.("measuring", 0.9 + 0.1 * share));
    const { gridWindow } = projector;
    const best = 2 * ((row - gridWindow.iy) * gridWindow.nx + column - gridWindow.ix);
    return { entropy, contrast, peak: await runAbortable(signal, measuring, measuredPeakSteps(image, grid, gridWindow, best)) };
  });
  clock.note("measure", measured + performance.now() - from);
  throwIfAborted(signal, "backprojection");
  const report = reportOf(plan, device, projector, { ...checked, clock }, seconds, found);
  onProgress?.("done", 1);
  const { columns, rows, budgetBytes } = division;
  const made = { count: windows.length, columns, rows, memoryBytes: division.memoryBytes, budgetBytes };
  return { ...report, work: { ...report.work, windows: made } };
}

const geometryOf = ({ recording: { positions, frequency }, referenceRangeMeters }: BackprojectedImagePlan) => ({
  positions,
  referenceRangeMeters,
  frequency,
});

/** The report of an image that `projector` made in `seconds`. */
function reportOf(
  plan: BackprojectedImagePlan,
  device: Device,
  projector: Backprojector,
  { inputs = [], whyDevice, clock }: ProcessHooks & Required<Pick<ProcessHooks, "clock">>,
  seconds: number,
  measures: Pick<BackprojectReport, "peak" | "entropy" | "contrast">,
): BackprojectReport {
  const { recording, grid, settings } = plan;
  const { frequency } = recording;
  const { backprojections } = backprojectionWork(plan);
  const { profiles, interpolation, partition } = projector;
  const terms = termsOf(settings);
  const agreed = settings.convention === undefined ? undefined : `decided by the convention ${settings.convention}`;
  return {
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
}

const nameOfInterpolation = (interpolation: ProfileInterpolation): string | number =>
  typeof interpolation === "string" ? interpolation : interpolation.taps;

/** Numbers that are processed between two pauses. */
const pieceNumbers = 2 ** 18;

function* scaled(image: Float32Array, factor: number): Generator<void, Float32Array> {
  for (let i = 0; factor !== 1 && i < image.length; ) {
    for (const end = Math.min(i + pieceNumbers, image.length); i < end; i++) image[i] *= factor;
    yield;
  }
  return image;
}
