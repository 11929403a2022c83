/**
 * Turns one phase history into one image and its report, as a whole or window by window. It chooses the parameters (and says why), runs
 * sar's backprojector on a device, and finds the brightest point. It does no file access and no signal processing of its own.
 */

import { type Device, inputError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { checkDevice, isArrayOf, runAbortable, unlessAborted } from "@dechirp/core/internal";
import { formatWindow, type ImageWindow } from "@dechirp/radar";
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
import { reported } from "../description.ts";
import { checkedHooks, type ProcessHooks } from "../hooks.ts";
import type { PartSink } from "../part-sink.ts";
import { deviceReport, optionOr } from "../used.ts";
import { type Brightest, brightestSteps } from "./brightest.ts";
import {
  type BackprojectedImagePlan,
  backprojectionWork,
  blameRecording,
  checkPlan,
  geometryOf,
  gridText,
  midpointNotes,
  projectorOptions,
  scaleOf,
  swathNotes,
} from "./image-plan.ts";
import { measuredPeakSteps, peakSteps } from "./peak.ts";
import { addPulses } from "./pulses.ts";
import { type BackprojectReport, backprojectionFormat, backprojectionVersion } from "./report.ts";
import { termsOf, usual } from "./settings.ts";
import { createWindowMaker, scaledSteps } from "./window-maker.ts";
import { peakHalfPixels, planImageWindows } from "./windows.ts";

/** A backprojected image and its report. */
export interface BackprojectionResult {
  /** [y][x] complex, interleaved. */
  readonly image: Float32Array;
  readonly report: BackprojectReport;
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
    runAbortable(signal, "collecting", scaledSteps(await projector.image(), scaleOf(plan, projector.profiles))),
  );
  onProgress?.("measuring", 0.9);
  const measures = await clock.time("measure", () =>
    blameRecording(`the image of ${where}`, settings, async () => ({
      peak: await runAbortable(signal, measuring, peakSteps(image, plan.axes)),
      entropy: await runAbortable(signal, measuring, imageEntropySteps(image)),
      contrast: await runAbortable(signal, measuring, imageContrastSteps(image)),
    })),
  );
  throwIfAborted(signal, "backprojection");
  const { backprojections } = backprojectionWork(plan);
  const report = reportOf(plan, device, projector, { ...checked, clock }, backprojections / seconds, measures);
  onProgress?.("done", 1);
  return { image, report };
}

/**
 * Makes the image of `plan` on `device` window by window, in memory that is bounded by `memoryBytes` (`planImageWindows` gives the
 * windows), and writes each to `sink`, row by row of windows. The image has the bits of one that is made as a whole. All pulses are read
 * for each window, or once if the memory holds them beside a window. While a window is written, the device works on the next. Windows that the sink has already are not made again: they are
 * read for the report. Rejects as `backprojectRecording` does, with `input` if `memoryBytes` is wrong or too little or if the sink gives
 * other data than it should, and with `failed` if the sink throws anything but a `RadarError`.
 */
export async function backprojectInWindows(
  plan: BackprojectedImagePlan,
  device: Device,
  sink: PartSink,
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
  const windows = [...gridWindows(grid, [division.columns, division.rows])].map((gridWindow) => {
    const { ix, iy, nx, ny } = gridWindow;
    const part: ImageWindow = { row: iy, column: ix, rows: ny, columns: nx };
    return { gridWindow, part, pixels: nx * ny, written: sink.has?.(part) === true };
  });
  const first = (windows.find(({ written }) => !written) ?? windows[0]).gridWindow;
  const keepBytes = division.windows > 1 ? division.budgetBytes - division.memoryBytes : 0;
  using maker = await createWindowMaker(plan, device, division.plan, { first, keepBytes });
  const { projector } = maker;
  const measures = createFocusAccumulator(grid.ny, grid.nx);
  let brightest: Brightest = { row: 0, column: 0, power: 0 };
  let [writing, reading, measured] = [0, 0, 0];
  let output: Promise<void> = Promise.resolve();
  const write = async (part: ImageWindow, data: Float32Array): Promise<void> => {
    const from = performance.now();
    try {
      await unlessAborted(sink.write(part, data, hear), signal);
    } catch (error) {
      throw asRadarError(error, "sink.write");
    }
    writing += performance.now() - from;
  };
  const read = async (part: ImageWindow): Promise<Float32Array> => {
    const from = performance.now();
    if (typeof sink.read !== "function") throw inputError("sink.read", "a function, as the sink has parts of an earlier run", sink.read);
    let data: unknown;
    try {
      data = await unlessAborted(sink.read(part, hear), signal);
    } catch (error) {
      throw asRadarError(error, "sink.read");
    }
    throwIfAborted(signal, "backprojection");
    const length = 2 * part.rows * part.columns;
    if (!isArrayOf(data, Float32Array) || data.length !== length)
      throw inputError("sink.read", `a function that resolves with a Float32Array of ${length} numbers`, data);
    reading += performance.now() - from;
    return data;
  };
  const start = performance.now();
  try {
    for (const [i, { gridWindow, part, written }] of windows.entries()) {
      const progress = (share: number): void => onProgress?.("projecting", (0.9 * (i + share)) / windows.length);
      const image = written ? await read(part) : await maker.make({ gridWindow }, { ...hear, onProgress: progress });
      await output;
      const from = performance.now();
      await runAbortable(signal, measuring, measures.addSteps(part, image));
      brightest = await runAbortable(signal, measuring, brightestSteps(brightest, part, image));
      measured += performance.now() - from;
      throwIfAborted(signal, "backprojection");
      if (written) {
        progress(1);
        continue;
      }
      output = write(part, image);
      output.catch(() => {}); // It is awaited after the next window, or below.
    }
    await output;
    throwIfAborted(signal, "backprojection");
  } catch (error) {
    await output.catch(() => {});
    throw error;
  }
  const collecting = maker.collectedMilliseconds;
  const seconds = (performance.now() - start - collecting - measured - reading) / 1000;
  clock.note("project", 1000 * seconds);
  clock.note("collect", collecting);
  clock.note("write windows", writing);
  if (reading > 0) clock.note("read windows", reading);
  onProgress?.("measuring", 0.9);
  const from = performance.now();
  const found = await blameRecording(`the image of ${where}`, settings, async () => {
    const { entropy, contrast } = measures.finish();
    const { row, column } = brightest;
    const [ix, iy] = [Math.max(0, column - peakHalfPixels), Math.max(0, row - peakHalfPixels)];
    const nx = Math.min(grid.nx, column + peakHalfPixels + 1) - ix;
    const ny = Math.min(grid.ny, row + peakHalfPixels + 1) - iy;
    // The pixels around the peak are made once more, because the windows before have been given away.
    const again = { gridWindow: { ix, iy, nx, ny }, roundWindow: true };
    const image = await maker.make(again, { ...hear, onProgress: (share) => onProgress?.("measuring", 0.9 + 0.1 * share) });
    const { gridWindow } = projector;
    const best = 2 * ((row - gridWindow.iy) * gridWindow.nx + column - gridWindow.ix);
    return { entropy, contrast, peak: await runAbortable(signal, measuring, measuredPeakSteps(image, plan.axes, gridWindow, best)) };
  });
  clock.note("measure", measured + performance.now() - from);
  throwIfAborted(signal, "backprojection");
  const projected = windows.reduce((sum, { written, pixels }) => sum + (written ? 0 : pixels), 0) * plan.recording.shape[0];
  const report = reportOf(plan, device, projector, { ...checked, clock }, projected / seconds, found);
  onProgress?.("done", 1);
  const { columns, rows, memoryBytes: neededBytes, budgetBytes } = division;
  const resumed = windows.filter(({ written }) => written).length;
  const made = { count: windows.length, columns, rows, memoryBytes: neededBytes, budgetBytes, resumed };
  return { ...report, work: { ...report.work, windows: made } };
}

/** The report of an image that `projector` made at `rate` backprojections per second. */
function reportOf(
  plan: BackprojectedImagePlan,
  device: Device,
  projector: Backprojector,
  { inputs = [], whyDevice, clock }: ProcessHooks & Required<Pick<ProcessHooks, "clock">>,
  rate: number,
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
    axes: plan.axes,
    ...reported(plan.description),
    parameters: {
      grid: optionOr(settings.grid || settings.map ? gridText(plan) : undefined, gridText(plan), plan.gridWhy),
      heightMeters: plan.heightMeters,
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
    work: { backprojections, gigaBackprojectionsPerSecond: rate / 1e9 },
    ...measures,
    timings: [...clock.timings],
    notes: [...plan.notes, ...swathNotes(plan), ...midpointNotes(plan)],
  };
}

const nameOfInterpolation = (interpolation: ProfileInterpolation): string | number =>
  typeof interpolation === "string" ? interpolation : interpolation.taps;
