/**
 * Focuses a recording block by block, so that memory does not limit its size: lines are read, focused and written to a sink part by part. The
 * measures of the report and the quicklook are made as the parts pass by. Reading the next block and writing the last one take place while
 * the device computes.
 */
import { compile, type Device, inputError } from "@dechirp/core";
import { checkDevice, checkObject, runAbortable } from "@dechirp/core/internal";
import {
  type BlockPlan,
  blockProgramSteps,
  foldingErrorRadians,
  type GrayPicture,
  type ImageGeometry,
  imageGeometry,
  imageSpectrum,
  type Looks,
  planBlocks,
} from "@dechirp/sar";
import { createClock } from "../clock.ts";
import { describeFocused, type ImageDescription } from "../description.ts";
import { checkedHooks } from "../hooks.ts";
import type { PartSink } from "../part-sink.ts";
import { checkStripmap, type StripmapRecording } from "../recording.ts";
import { begun, resultOf, type Settled } from "../settled.ts";
import { createMeasures } from "./block-measures.ts";
import { allocateSamples } from "./block-reader.ts";
import type { FocusHooks, FocusOptions } from "./focus.ts";
import { focusReport } from "./focus-report.ts";
import { type BlockActivity, makeBlocks } from "./make-blocks.ts";
import { measureTargets } from "./measure.ts";
import { blameRecording, type Prepared, prepareFocus } from "./prepare.ts";
import type { BlocksReport, Report } from "./report.ts";
import { checkFocusSettings, type FocusSettings } from "./settings.ts";
import { type ImageTheory, targetsOf, theoryOf } from "./theory.ts";

/** How an image of a recording is divided into blocks. */
export interface FocusPlan {
  /** Shape of the image. */
  readonly shape: readonly [rows: number, columns: number];
  readonly axes: Report["axes"];
  readonly plan: BlockPlan;
  /** The memory that was allowed. */
  readonly memoryBytes: number;
  readonly geometry: ImageGeometry;
  /** Where the image is on earth, and how its data was collected. */
  readonly description: ImageDescription;
  /** The Doppler centroid, the velocity and the other decisions. */
  readonly prepared: Prepared;
  readonly settings: FocusSettings;
}

/** Options of `planFocus`. */
export interface FocusPlanOptions extends FocusHooks {
  /**
   * Bytes that the arrays of a block may have, on the device and for reading. A recording whose measurement would take more is measured on
   * blocks of it, if a centroid is measured; that takes up to 400 MB in any case.
   */
  readonly memoryBytes: number;
  /** Lines of a block, at most. Default: as many as the memory holds. */
  readonly mostLines?: number;
  /**
   * The Doppler centroid of another plan of the recording with the same settings (`chosenCentroid`), as plain JSON. Default: it is chosen, and
   * measured if it must be.
   */
  readonly centroid?: ChosenCentroid;
}

/** Options of `focusInBlocks`. */
export interface FocusBlocksOptions extends Omit<FocusOptions, "onImage"> {
  /** Called after each block with its number, from 1, and the rate so far in samples of the recording per second. */
  readonly onBlock?: (block: number, blocks: number, samplesPerSecond: number) => void;
  /** Called with what was done for a block, counted from 0, and when it began and ended, as of `performance.now()`. For time lines. */
  readonly onActivity?: (activity: BlockActivity, block: number, began: number, ended: number) => void;
}

/** The result of `focusInBlocks`. The image is in the sink. */
export interface FocusedInBlocks {
  readonly report: Report;
  readonly quicklook: GrayPicture & Looks;
}

/**
 * Plans the image of a recording in blocks: measures the Doppler centroid if it must be, and divides the image. Rejects with `input` if a
 * setting is wrong or does not suit the recording, and if no block fits the memory, naming `memoryBytes` and what is needed; and with
 * `aborted`.
 */
export async function planFocus(
  recording: StripmapRecording,
  settings: FocusSettings,
  device: Device,
  options: FocusPlanOptions,
): Promise<FocusPlan> {
  checkObject(options, "hooks", "input");
  const { memoryBytes, mostLines, centroid, ...hooks } = options;
  if (!(typeof memoryBytes === "number" && memoryBytes > 0)) throw inputError("memoryBytes", "a positive number of bytes", memoryBytes);
  const {
    signal,
    onProgress,
    onQuestions,
    inputs = [],
    clock = createClock(),
  } = checkedHooks<FocusHooks>(hooks, { onQuestions: "function" });
  checkDevice(device);
  checkStripmap(recording);
  checkFocusSettings(settings);
  if (centroid !== undefined) checkCentroid(centroid);
  if (settings.azimuthLength !== undefined)
    throw inputError(
      "settings.azimuthLength",
      "left out for an image in blocks, whose lengths follow from the memory",
      settings.azimuthLength,
    );
  const where = inputs[0] ?? recording.name;
  const how = { clock, signal, where, onQuestions, onProgress, memoryBytes, centroid };
  // Blocks read their own lines, so what was read for the centroid is not kept.
  const { echoes: _, ...prepared } = await prepareFocus(recording, settings, device, how);
  return blameRecording(where, settings, () => {
    const { params } = prepared;
    const geometry = imageGeometry(params);
    const plan = planBlocks(params, geometry, { memoryBytes, ...(mostLines !== undefined && { mostLines }) });
    const description = describeFocused(recording, geometry, settings);
    return { shape: [geometry.rows, geometry.cells], axes: geometry.axes, plan, memoryBytes, geometry, description, prepared, settings };
  });
}

/** The Doppler centroid of a plan, and how it was chosen. Plain JSON. */
export type ChosenCentroid = Pick<Prepared["centroid"], "used" | "estimate" | "warnings">;

/** The Doppler centroid of a plan, for other plans of the recording (`FocusPlanOptions.centroid`). */
export function chosenCentroid({ prepared: { centroid } }: FocusPlan): ChosenCentroid {
  const { used, estimate, warnings } = centroid;
  return { used, ...(estimate !== undefined && { estimate }), warnings };
}

/** Throws `input` unless `centroid` has what a plan needs. The estimate is only reported. */
function checkCentroid(centroid: ChosenCentroid): void {
  const { used, warnings } = centroid ?? {};
  if (!(Number.isFinite(used?.value) && typeof used.source === "string" && Array.isArray(warnings)))
    throw inputError("centroid", "a Doppler centroid that chosenCentroid has returned", centroid);
}

/**
 * Focuses some of the blocks of a plan, numbered from 0, and writes them to `sink`. The image of a block does not depend on the
 * others. Rejects with `input` for a number that is not that of a block, and in the cases of `focusInBlocks`.
 */
export async function focusBlocks(
  recording: StripmapRecording,
  device: Device,
  sink: PartSink,
  focusPlan: FocusPlan,
  blocks: readonly number[],
  { signal, onBlock }: { readonly signal?: AbortSignal; readonly onBlock?: (done: number) => void } = {},
): Promise<void> {
  const { geometry, plan, prepared } = checkPlan(focusPlan);
  checkDevice(device);
  checkRecording(recording, prepared);
  checkSink(sink);
  for (const block of blocks)
    if (!(Number.isInteger(block) && block >= 0 && block < plan.blocks.length))
      throw inputError("blocks", `numbers from 0 to ${plan.blocks.length - 1}`, block);
  if (blocks.length === 0) return;
  const { params, where } = prepared;
  const some = { ...plan, blocks: blocks.map((block) => plan.blocks[block]) };
  await makeBlocks(
    { recording, where, device, params, geometry, plan: some, sink, measures: undefined, signal },
    { onBlock: (done) => onBlock?.(done), timed: async (_, __, work) => work() },
  );
}

/** Throws `input` unless a recording is that of a plan, as far as its shape tells. */
function checkRecording(recording: StripmapRecording, { params: { lines, samples, rawType } }: Prepared): void {
  checkStripmap(recording);
  if (recording.shape[0] !== lines || recording.shape[1] !== samples || recording.dtype !== rawType)
    throw inputError(
      "recording",
      `that of the plan, ${lines} × ${samples} of ${rawType}`,
      `${recording.shape.join(" × ")} of ${recording.dtype}`,
    );
}

function checkSink(sink: PartSink): void {
  if (typeof sink?.write !== "function") throw inputError("sink", "an object with the function write", sink);
}

/**
 * Focuses a recording in the blocks of a plan, which `planFocus` has made of it, and writes the image to `sink`. Parts
 * that the sink has already are not made again: they are read for the report. Without a sink there are only the report and the
 * quicklook. The caller completes the sink. Rejects with `input`, with what
 * the device, the recording and the sink throw, and with `aborted` if the signal fires.
 */
export async function focusInBlocks(
  recording: StripmapRecording,
  device: Device,
  sink: PartSink | undefined,
  focusPlan: FocusPlan,
  options: FocusBlocksOptions = {},
): Promise<FocusedInBlocks> {
  checkObject(options, "hooks", "input");
  const { geometry, plan, prepared, memoryBytes, settings } = checkPlan(focusPlan);
  const { quicklook: drawing = {}, onBlock, onActivity, ...hooks } = options;
  for (const [name, given] of Object.entries({ onBlock, onActivity }))
    if (given !== undefined && typeof given !== "function") throw inputError(`hooks.${name}`, "a function", given);
  const checked = checkedHooks<FocusHooks>(hooks, { onQuestions: "function" });
  const { signal, onProgress, inputs = [], clock = createClock(), whyDevice } = checked;
  checkDevice(device);
  checkRecording(recording, prepared);
  if (sink !== undefined) checkSink(sink);
  const { params, radar, where } = prepared;
  const { axes, rows, cells } = geometry;
  const expected = await targetsOf(recording, geometry, settings, signal);
  const spectrum = imageSpectrum(radar);
  const measures = createMeasures(
    rows,
    cells,
    { ...drawing, rowSpacingMeters: axes.azimuthMeters.step, columnSpacingMeters: axes.slantRangeMeters.step },
    expected.map(({ expected: { row, column } }) => ({ row, column, options: spectrum })),
  );

  /** Computed while blocks are written. Never rejects. */
  let theory: Promise<Settled<ImageTheory>> | undefined;
  const made = await clock.time("focus", () =>
    makeBlocks(
      { recording, where, device, params, geometry, plan, sink, measures, signal },
      {
        async timed(activity, block, work) {
          const began = performance.now();
          const result = await work();
          onActivity?.(activity, block, began, performance.now());
          return result;
        },
        onBlock(done, samplesPerSecond) {
          theory ??= begun(theoryOf(radar, geometry, settings, signal));
          onBlock?.(done, plan.blocks.length, samplesPerSecond);
          onProgress?.(
            `block ${Math.min(done + 1, plan.blocks.length)} of ${plan.blocks.length}`,
            0.4 + (0.55 * done) / plan.blocks.length,
          );
        },
      },
    ),
  );
  onProgress?.("measuring", 0.95);
  const computed = resultOf(await (theory ?? begun(theoryOf(radar, geometry, settings, signal))));
  const measured = await clock.time("measure", () =>
    blameRecording(`the image of ${where}`, settings, async () => {
      const { entropy, contrast } = measures.focus.finish();
      const measurer = { quality: (i: number) => measures.targets.measureSteps(i), phase: (i: number) => measures.targets.phase(i) };
      const targets = await measureTargets({ measurer, radar, axes, theory: computed.theory }, expected, signal);
      return { entropy, contrast, targets };
    }),
  );
  const quicklook = await clock.time("quicklook", () => runAbortable(signal, "the quicklook", measures.picture.finishSteps()));
  const blocks: BlocksReport = {
    count: plan.blocks.length,
    lines: plan.lines,
    samples: plan.samples,
    rows: plan.step,
    overlapLines: plan.overlapLines,
    subSwaths: plan.swaths.length,
    memoryBytes,
    blockBytes: plan.bytes,
    resumed: made.resumed,
  };
  const report = focusReport({
    recording,
    settings,
    device,
    inputs,
    whyDevice,
    clock,
    prepared,
    geometry,
    src: { mode: plan.src, foldingErrorRadians: foldingErrorRadians(geometry, geometry.processedBandwidthHz) },
    theory: computed,
    measures: measured,
    stages: made.stages,
    blocks,
  });
  onProgress?.("done", 1);
  return { report, quicklook };
}

/** Throws `input` unless `plan` is one that `planFocus` has made. */
function checkPlan(plan: FocusPlan): FocusPlan {
  checkObject(plan, "plan", "input");
  for (const field of ["geometry", "plan", "prepared", "settings"] as const) checkObject(plan[field], `plan.${field}`, "input");
  return plan;
}

/** Focuses one block of zeros and resolves with the seconds that it took, without reading and writing. Rejects with `aborted`. */
export async function timeBlock(focusPlan: FocusPlan, device: Device, options: { readonly signal?: AbortSignal } = {}): Promise<number> {
  checkObject(options, "hooks", "input");
  const { plan, geometry, prepared } = checkPlan(focusPlan);
  const { signal } = options;
  checkDevice(device);
  const on = signal ? { signal } : {};
  const made = await runAbortable(signal, "focus", blockProgramSteps(prepared.params, geometry, plan, 0));
  using compiled = await compile(made.program, device, on);
  using arrays = allocateSamples(device, { dtype: prepared.params.rawType ?? "c64" }, plan);
  const block = arrays.arraysOf(made);
  block.writeTables(made.tables);
  // The first run may compile.
  const times: number[] = [];
  for (let run = 0; run < 2; run++) {
    await device.ready();
    const start = performance.now();
    await compiled.run(block.buffers, on).done;
    await device.ready();
    times.push((performance.now() - start) / 1000);
  }
  return Math.min(...times);
}
