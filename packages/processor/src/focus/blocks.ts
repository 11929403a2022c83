/**
 * Focuses a recording block by block, so that memory does not limit its size: lines are read, focused and written to a sink part by part. The
 * measures of the report and the quicklook are made as the parts pass by. Reading the next block and writing the last one take place while
 * the device computes.
 */
import { type Buffer, compile, type Device, inputError, throwIfAborted } from "@dechirp/core";
import { asRadarError } from "@dechirp/core/backend";
import { checkDevice, checkObject, isArrayOf, runAbortable } from "@dechirp/core/internal";
import type { ImageWindow } from "@dechirp/radar";
import {
  type BlockPlan,
  type BlockProgram,
  blockProgramSteps,
  createFocusAccumulator,
  createPointTargetCollector,
  createQuicklookAccumulator,
  defaultWindow,
  foldingErrorRadians,
  type GrayPicture,
  type ImageBlock,
  type ImageGeometry,
  imageGeometry,
  imageSpectrum,
  type Looks,
  planBlocks,
  type QuicklookOptions,
} from "@dechirp/sar";
import { createClock } from "../clock.ts";
import { checkedHooks } from "../hooks.ts";
import { checkStripmap, type StripmapRecording } from "../recording.ts";
import { unlessAborted } from "../unless-aborted.ts";
import type { StageReport } from "../used.ts";
import { allocate, type BlockLines, createReader } from "./block-reader.ts";
import { middleExposure } from "./exposure.ts";
import type { FocusHooks } from "./focus.ts";
import { focusReport, measuring } from "./focus-report.ts";
import { expectedTargets, measureTargets, theoreticalResponse } from "./measure.ts";
import { blameRecording, type Prepared, prepareFocus } from "./prepare.ts";
import type { BlocksReport, Report } from "./report.ts";
import { checkFocusSettings, type FocusSettings } from "./settings.ts";

/** Where the parts of an image are written. The sinks of `@dechirp/io` are of this type. */
export interface PartSink {
  /** Writes a part: `data` [rows][columns] complex, interleaved. Resolves when `data` may be changed. */
  write(window: ImageWindow, data: Float32Array, options?: { readonly signal?: AbortSignal }): void | Promise<void>;
  /** Whether an earlier run has written a part. Default: no. */
  has?(window: ImageWindow): boolean;
  /** Reads a part that an earlier run has written. Needed if there is `has`. */
  read?(window: ImageWindow, options?: { readonly signal?: AbortSignal }): Promise<ArrayLike<number>>;
}

/** How an image of a recording is divided into blocks. */
export interface FocusPlan {
  /** Shape of the image. */
  readonly shape: readonly [rows: number, columns: number];
  readonly axes: Report["axes"];
  readonly plan: BlockPlan;
  /** The memory that was allowed. */
  readonly memoryBytes: number;
  readonly geometry: ImageGeometry;
  /** The Doppler centroid, the velocity and the other decisions. */
  readonly prepared: Prepared;
  readonly settings: FocusSettings;
}

/** Options of `planFocus`. */
export interface FocusPlanOptions extends FocusHooks {
  /** Bytes that the arrays of a block may have, on the device and for reading. */
  readonly memoryBytes: number;
  /** Lines of a block, at most. Default: as many as the memory holds. */
  readonly mostLines?: number;
}

/** Options of `focusInBlocks`. */
export interface FocusBlocksOptions extends FocusHooks {
  /** Options of the quicklook. Its spacings are those of the image's axes. */
  readonly quicklook?: Omit<QuicklookOptions, "rowSpacingMeters" | "columnSpacingMeters">;
  /** Called after each block with its number, from 1, and the rate so far in samples of the recording per second. */
  readonly onBlock?: (block: number, blocks: number, samplesPerSecond: number) => void;
  /** Called with what was done for a block, counted from 0, and when it began and ended, as of `performance.now()`. For time lines. */
  readonly onActivity?: (activity: BlockActivity, block: number, began: number, ended: number) => void;
}

/** What is done for a block: reading its lines, computing, measuring a part of the image, and writing it. */
export type BlockActivity = "read" | "compute" | "measure" | "write";

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
  checkObject(options, "options", "input");
  const { memoryBytes, mostLines, ...hooks } = options;
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
  if (settings.azimuthLength !== undefined)
    throw inputError(
      "settings.azimuthLength",
      "left out for an image in blocks, whose lengths follow from the memory",
      settings.azimuthLength,
    );
  const where = inputs[0] ?? recording.name;
  const prepared = await prepareFocus(recording, settings, device, { clock, signal, where, onQuestions, onProgress });
  return blameRecording(where, settings, () => {
    const { params } = prepared;
    const geometry = imageGeometry(params);
    const plan = planBlocks(params, geometry, { memoryBytes, ...(mostLines !== undefined && { mostLines }) });
    return { shape: [geometry.rows, geometry.cells], axes: geometry.axes, plan, memoryBytes, geometry, prepared, settings };
  });
}

/**
 * Focuses a recording in the blocks of a plan, which `planFocus` has made of it, and writes the image to `sink`. Parts
 * that the sink has already are not made again: they are read for the report. The caller completes the sink. Rejects with `input`, with what
 * the device, the recording and the sink throw, and with `aborted` if the signal fires.
 */
export async function focusInBlocks(
  recording: StripmapRecording,
  device: Device,
  sink: PartSink,
  focusPlan: FocusPlan,
  options: FocusBlocksOptions = {},
): Promise<FocusedInBlocks> {
  checkObject(options, "options", "input");
  const { geometry, plan, prepared, memoryBytes, settings } = checkPlan(focusPlan);
  const { quicklook: drawing = {}, onBlock, onActivity, ...hooks } = options;
  for (const [name, given] of Object.entries({ onBlock, onActivity }))
    if (given !== undefined && typeof given !== "function") throw inputError(`hooks.${name}`, "a function", given);
  const checked = checkedHooks<FocusHooks>(hooks, { onQuestions: "function" });
  const { signal, onProgress, inputs = [], clock = createClock(), whyDevice } = checked;
  checkDevice(device);
  checkStripmap(recording);
  const { lines, samples, rawType } = prepared.params;
  if (recording.shape[0] !== lines || recording.shape[1] !== samples || recording.dtype !== rawType)
    throw inputError(
      "recording",
      `that of the plan, ${lines} × ${samples} of ${rawType}`,
      `${recording.shape.join(" × ")} of ${recording.dtype}`,
    );
  if (typeof sink?.write !== "function") throw inputError("sink", "an object with the function write", sink);
  const { params, radar, where } = prepared;
  const { axes, rows, cells } = geometry;
  const windows = { azimuth: settings.azimuthWindow ?? defaultWindow, range: settings.rangeWindow ?? defaultWindow };
  const theory = theoreticalResponse(radar, axes, geometry.processedBandwidthHz, windows, middleExposure(geometry));
  const expected = await runAbortable(signal, measuring, expectedTargets(geometry, windows.azimuth, recording.targets ?? []));
  const spectrum = imageSpectrum(radar);
  const measures = {
    focus: createFocusAccumulator(rows, cells),
    picture: createQuicklookAccumulator(rows, cells, {
      ...drawing,
      rowSpacingMeters: axes.azimuthMeters.step,
      columnSpacingMeters: axes.slantRangeMeters.step,
    }),
    targets: createPointTargetCollector(
      rows,
      cells,
      expected.map(({ expected: { row, column } }) => ({ row, column, options: spectrum })),
    ),
  };
  const addPart = async (window: ImageWindow, data: Float32Array): Promise<void> => {
    for (const one of Object.values(measures)) await runAbortable(signal, measuring, one.addSteps(window, data));
  };

  const made = await clock.time("focus", () =>
    makeBlocks(recording, where, device, params, geometry, plan, sink, addPart, {
      signal,
      async timed(activity, block, work) {
        const began = performance.now();
        const result = await work();
        onActivity?.(activity, block, began, performance.now());
        return result;
      },
      onBlock(done, samplesPerSecond) {
        onBlock?.(done, plan.blocks.length, samplesPerSecond);
        onProgress?.(`block ${Math.min(done + 1, plan.blocks.length)} of ${plan.blocks.length}`, 0.4 + (0.55 * done) / plan.blocks.length);
      },
    }),
  );
  onProgress?.("measuring", 0.95);
  const measured = await clock.time("measure", () =>
    blameRecording(`the image of ${where}`, settings, async () => {
      const { entropy, contrast } = measures.focus.finish();
      const measurer = { quality: (i: number) => measures.targets.measureSteps(i), phase: (i: number) => measures.targets.phase(i) };
      const targets = await measureTargets({ measurer, radar, axes, theory }, expected, signal);
      return { entropy, contrast, theory, targets };
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
  const report = await focusReport({
    recording,
    settings,
    device,
    inputs,
    whyDevice,
    clock,
    prepared,
    geometry,
    src: { mode: plan.src, foldingErrorRadians: foldingErrorRadians(geometry, geometry.processedBandwidthHz) },
    measures: measured,
    stages: made.stages,
    blocks,
    signal,
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
  checkObject(options, "options", "input");
  const { plan, geometry, prepared } = checkPlan(focusPlan);
  const { signal } = options;
  checkDevice(device);
  const on = signal ? { signal } : {};
  const { program, tables } = await runAbortable(signal, "focus", blockProgramSteps(prepared.params, geometry, plan, 0));
  using compiled = await compile(program, device, on);
  using block = allocate(device, compiled);
  block.writeTables(tables);
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

interface BlockHooks {
  readonly signal: AbortSignal | undefined;
  readonly onBlock: (done: number, samplesPerSecond: number) => void;
  /** Does a piece of work and tells when. */
  timed<T>(activity: BlockActivity, block: number, work: () => T | Promise<T>): Promise<T>;
}

interface MadeBlocks {
  /** Blocks that the sink had already. */
  readonly resumed: number;
  readonly stages: readonly StageReport[];
}

/** How work ended that is looked at later. */
type Settled<T> = { readonly value: T } | { readonly error: unknown };

const begun = <T>(work: Promise<T>): Promise<Settled<T>> =>
  work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );

function resultOf<T>(settled: Settled<T>): T {
  if ("error" in settled) throw settled.error;
  return settled.value;
}

/** Milliseconds that sinks and recordings have to stop after a signal has fired. */
const patience = 500;

/** Makes all blocks of a plan. */
async function makeBlocks(
  recording: StripmapRecording,
  where: string,
  device: Device,
  params: Prepared["params"],
  geometry: ImageGeometry,
  plan: BlockPlan,
  sink: PartSink,
  addPart: (window: ImageWindow, data: Float32Array) => Promise<void>,
  { signal, onBlock, timed }: BlockHooks,
): Promise<MadeBlocks> {
  const on = signal ? { signal } : {};
  const programs = new Map<number, BlockProgram>();
  const programOf = async (swath: number): Promise<BlockProgram> => {
    const known = programs.get(swath);
    if (known) return known;
    const made = await runAbortable(signal, "focus", blockProgramSteps(params, geometry, plan, swath));
    programs.set(swath, made);
    return made;
  };
  const first = await programOf(0);
  using compiled = await compile(first.program, device, on);
  using block = allocate(device, compiled);
  const reader = createReader(recording, where, plan, signal);
  const milliseconds = compiled.stages.map(() => 0);
  const start = performance.now();
  let [samples, resumed, swath] = [0, 0, -1];
  /** The write of the last block, and the measures of it. Never rejects. */
  let output: Promise<Settled<void>> = Promise.resolve({ value: undefined });
  const settled = async (): Promise<void> => {
    // A sink that does not heed the signal is not waited for.
    const result = await unlessAborted(output, signal);
    throwIfAborted(signal, "focus");
    if (result && "error" in result) throw asRadarError(result.error, "sink.write");
  };
  const done = plan.blocks.map(({ window }) => sink.has?.(window) === true);
  /** Begins to read the first block from `i` on that is not done. */
  const readFrom = (i: number): Promise<Settled<BlockLines>> | undefined => {
    const next = done.indexOf(false, i);
    return next < 0 ? undefined : begun(timed("read", next, () => reader.read(plan.blocks[next])));
  };
  let nextRead = readFrom(0);
  try {
    for (const [i, one] of plan.blocks.entries()) {
      throwIfAborted(signal, "focus");
      if (done[i]) {
        await settled();
        if (!sink.read) throw inputError("sink.read", "a function, as the sink has parts of an earlier run", undefined);
        for (const part of partsOf(one.window)) {
          const data = await sink.read(part, on);
          if (!isArrayOf(data, Float32Array)) throw inputError("sink.read", "a function that resolves with a Float32Array", data);
          await addPart(part, data);
        }
        resumed += 1;
        onBlock(i + 1, samples / ((performance.now() - start) / 1000));
        continue;
      }
      const lines = resultOf(await nextRead!);
      if (one.swath !== swath) {
        const { tables } = await programOf(one.swath);
        block.writeTables(tables);
        swath = one.swath;
      }
      await block.write(lines.samples, lines.gains, signal);
      lines.release();
      nextRead = readFrom(i + 1);
      for (const [stage, { name }] of compiled.stages.entries()) {
        // The last stage overwrites the image of the block before.
        if (stage === compiled.stages.length - 1) await settled();
        const began = performance.now();
        await timed("compute", i, () => compiled.runStage(stage, block.buffers, on).done);
        milliseconds[stage] += performance.now() - began;
        throwIfAborted(signal, name);
      }
      samples += one.window.rows * one.window.columns;
      output = begun(give(one, i, block.image, sink, addPart, timed, signal));
      if (!nextRead) await settled();
      onBlock(i + 1, samples / ((performance.now() - start) / 1000));
    }
    await settled();
  } finally {
    // Nothing should use the arrays after they are freed. What does not heed the signal is not waited for.
    const ending = Promise.all([output, nextRead]);
    await (signal?.aborted
      ? Promise.race([ending, new Promise((resolve) => setTimeout(resolve, patience))])
      : unlessAborted(ending, signal));
  }
  return {
    resumed,
    stages: compiled.stages.map(({ name, plan: { text } }, i) => ({ name, milliseconds: Math.round(10 * milliseconds[i]) / 10, text })),
  };
}

/** Bytes of a part that is read, measured and written at once. */
const partBytes = 2 ** 24;

/** The parts of a window: whole rows of it. */
function partsOf({ row, rows, column, columns }: ImageWindow): readonly ImageWindow[] {
  const most = Math.max(1, Math.floor(partBytes / (8 * columns)));
  const parts: ImageWindow[] = [];
  for (let from = 0; from < rows; from += most) parts.push({ row: row + from, rows: Math.min(most, rows - from), column, columns });
  return parts;
}

/** Writes the window of a block and measures it. */
async function give(
  { window, from }: ImageBlock,
  block: number,
  image: Buffer,
  sink: PartSink,
  addPart: (window: ImageWindow, data: Float32Array) => Promise<void>,
  timed: BlockHooks["timed"],
  signal: AbortSignal | undefined,
): Promise<void> {
  const [, columns] = image.layout.shape;
  const view = image.view?.() as Float32Array | undefined;
  for (const part of partsOf(window)) {
    const { row, rows } = part;
    const start = (from[0] + row - window.row) * columns;
    const whole = view
      ? view.subarray(2 * start, 2 * (start + rows * columns))
      : ((await image.read({ start, count: rows * columns })) as Float32Array);
    const data = from[1] === 0 && window.columns === columns ? whole : columnsOf(whole, rows, columns, from[1], window.columns);
    const writing = timed("write", block, () => sink.write(part, data, signal ? { signal } : {}));
    const measuring = timed("measure", block, () => addPart(part, data));
    // Both are awaited, so that nothing reads the image any more after an error.
    for (const one of await Promise.allSettled([writing, measuring])) if (one.status === "rejected") throw one.reason;
  }
}

function columnsOf(data: Float32Array, rows: number, columns: number, first: number, count: number): Float32Array {
  const out = new Float32Array(2 * rows * count);
  for (let row = 0; row < rows; row++) {
    const at = 2 * (row * columns + first);
    out.set(data.subarray(at, at + 2 * count), 2 * row * count);
  }
  return out;
}
