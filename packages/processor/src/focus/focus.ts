/**
 * Turns one stripmap recording into one focused image and its report. It chooses every parameter (and says why), runs sar's
 * range-Doppler program on a device, and measures the result. It does no file access and no signal processing of its own.
 */

import { type Buffer, compile, createPause, type Device, dtypes, isRadarError, type Pause, throwIfAborted } from "@dechirp/core";
import { checkDevice, checkObject, forEachSlice, runAbortable } from "@dechirp/core/internal";
import {
  type GrayPicture,
  type ImageGeometry,
  imageGeometry,
  type Looks,
  type Question,
  type QuicklookOptions,
  type RangeDopplerProgram,
  rangeDopplerSteps,
} from "@dechirp/sar";
import { createClock } from "../clock.ts";
import { checkedHooks, type ProcessHooks } from "../hooks.ts";
import { checkStripmap, type Echoes, type StripmapRecording } from "../recording.ts";
import { runStages, writeInSlices } from "../run-stages.ts";
import { begun, resultOf } from "../settled.ts";
import type { StageReport } from "../used.ts";
import type { TransformWork } from "../work.ts";
import { createDeviceMeasures, createMeasures, type DeviceMeasures, type Measures } from "./block-measures.ts";
import { focusReport } from "./focus-report.ts";
import { measureTargets, targetsIn } from "./measure.ts";
import { blameRecording, paramsOf, prepareFocus } from "./prepare.ts";
import { createRawLines } from "./raw-lines.ts";
import type { Report } from "./report.ts";
import { checkFocusSettings, type FocusSettings } from "./settings.ts";
import { measuring, targetsOf, theoryOf } from "./theory.ts";
import { chooseVelocity } from "./velocity.ts";

/** Hooks of `focusRecording`. */
export interface FocusHooks extends ProcessHooks {
  /** Called with what seems implausible about the recording's radar parameters, before processing starts. */
  readonly onQuestions?: (questions: readonly Question[]) => void;
}

/** Options of `focusRecording`. */
export interface FocusOptions extends FocusHooks {
  /** Options of the quicklook. Its spacings are those of the image's axes. */
  readonly quicklook?: Omit<QuicklookOptions, "rowSpacingMeters" | "columnSpacingMeters">;
  /**
   * Called with the image, [azimuth][range] complex and interleaved, and its shape, before it is measured: it can be written meanwhile. It is the `image`
   * of the result.
   */
  readonly onImage?: (image: Float32Array, shape: readonly [rows: number, columns: number]) => void;
}

/** A focused image and its report. Dispose it after use. */
export interface FocusedImage extends Disposable {
  /** [azimuth][range] complex, interleaved. On a CPU device this is the device's own memory, so it must not be used after `dispose`. */
  readonly image: Float32Array;
  readonly axes: Report["axes"];
  /** The picture that `quicklook` of `@dechirp/sar` makes of the image, up to the rounding of float32. */
  readonly quicklook: GrayPicture & Looks;
  readonly report: Report;
}

/**
 * Focuses `recording` on `device`, which also sums up what the measures and the quicklook need. Dispose the result after use. Rejects with `input` if a setting is wrong or does not suit the
 * recording (see `settingOf`), and if the recording can't be imaged; with what the device throws; and with `aborted` if the signal
 * fires.
 */
export async function focusRecording(
  recording: StripmapRecording,
  settings: FocusSettings,
  device: Device,
  options: FocusOptions = {},
): Promise<FocusedImage> {
  checkObject(options, "hooks", "input");
  const { quicklook: drawing = {}, ...hooks } = options;
  const checked = checkedHooks<Omit<FocusOptions, "quicklook">>(hooks, { onQuestions: "function", onImage: "function" });
  const { signal, onProgress, onQuestions, onImage, inputs = [], clock = createClock(), whyDevice } = checked;
  checkDevice(device);
  checkStripmap(recording);
  checkFocusSettings(settings);
  const where = inputs[0] ?? recording.name;
  const prepared = await prepareFocus(recording, settings, device, { clock, signal, where, onQuestions, onProgress });
  const { radar, params, echoes } = prepared;
  const program = await blameRecording(where, settings, () => runAbortable(signal, "focus", rangeDopplerSteps(params)));
  const share = (what: string, part: number): void => onProgress?.(what, 0.4 + 0.5 * part);
  const { axes, geometry } = program;
  const { rows, cells: columns } = geometry;
  const spacings = { rowSpacingMeters: axes.azimuthMeters.step, columnSpacingMeters: axes.slantRangeMeters.step };
  const measures = createMeasures(rows, columns, { ...drawing, ...spacings }, []);
  // What theory says does not depend on pixels, so it is computed while the device makes them.
  const theorize = () => theoryOf(radar, geometry, settings, signal);
  const made = await clock.time("focus", () => runProgram(program, recording, where, echoes, device, measures, theorize, signal, share));
  const { buffer, image, stages, meanwhile: theory } = made;
  try {
    using sums = made.sums;
    throwIfAborted(signal, "focus");
    onImage?.(image, [rows, columns]);
    onProgress?.("measuring", 0.9);
    // The device sums while the host measures targets.
    const summing = begun(sums.add({ row: 0, column: 0, rows, columns }, [0, 0]));
    const measured = await clock.time("measure", () =>
      blameRecording(`the image of ${where}`, settings, async () => {
        const expected = await targetsOf(recording, geometry, settings, signal);
        const measurer = targetsIn(image, radar, axes, geometry.azimuthLength);
        const targets = await measureTargets({ measurer, radar, axes, theory: theory.theory }, expected, signal);
        resultOf(await summing);
        const { entropy, contrast } = measures.focus.finish();
        const quicklook = await runAbortable(signal, measuring, measures.picture.finishSteps());
        return { entropy, contrast, targets, quicklook };
      }),
    );
    const { quicklook, ...found } = measured;
    const report = focusReport({
      recording,
      settings,
      device,
      inputs,
      whyDevice,
      clock,
      prepared,
      geometry,
      src: program.src,
      theory,
      measures: found,
      stages,
    });
    onProgress?.("done", 1);
    return { image, axes, quicklook, report, [Symbol.dispose]: () => buffer[Symbol.dispose]() };
  } catch (error) {
    buffer[Symbol.dispose]();
    throw error;
  }
}

/**
 * Estimates the bytes that focusing `recording` as a whole needs on the device and for the samples. The Doppler centroid may still have to be
 * measured, so the estimate may be a few percent wrong. Infinity if the parameters make no image; focusing reports the error. Throws
 * `input` if the recording or a setting is not valid.
 */
export function focusBytes(recording: StripmapRecording, settings: FocusSettings = {}): number {
  checkStripmap(recording);
  checkFocusSettings(settings);
  const geometry = estimatedGeometry(recording, settings);
  if (!geometry) return Number.POSITIVE_INFINITY;
  const { lines, azimuthLength, rows, cells, guard } = geometry;
  const width = guard[0] + cells + guard[1];
  const complex = 8 * (lines * width + width * azimuthLength + rows * cells);
  return complex + dtypes[recording.dtype].bytes * lines * recording.shape[1];
}

/**
 * Estimates the work of focusing `recording`, for programs that choose a device. The estimate doubles range transforms, because guard
 * cells may push them beyond a power of two. Throws `input` if the recording or a setting is not valid.
 */
export function focusWork(recording: StripmapRecording, settings: FocusSettings = {}): TransformWork {
  checkStripmap(recording);
  checkFocusSettings(settings);
  const [lines, samples] = recording.shape;
  const padded = (length: number): number => 2 ** Math.ceil(Math.log2(length));
  const { azimuthLength = estimatedGeometry(recording, settings)?.azimuthLength ?? padded(lines) } = settings;
  return {
    kind: "transforms",
    bytes: 8 * lines * samples,
    largestBytes: 16 * azimuthLength * padded(samples),
  };
}

/**
 * The approximate geometry of the image; it is not exact because the centroid may still have to be measured. Returns `undefined` if the
 * parameters make no image.
 */
function estimatedGeometry(recording: StripmapRecording, settings: FocusSettings): ImageGeometry | undefined {
  const wanted = typeof settings.dopplerCentroidHz === "number" ? settings.dopplerCentroidHz : undefined;
  const dopplerCentroidHz = wanted ?? recording.radar.dopplerCentroidHz ?? recording.sensor?.dopplerCentroidHz ?? 0;
  try {
    const { used } = chooseVelocity(recording, settings.velocityMetersPerSecond);
    const uncentred = paramsOf(recording, used.value, settings);
    return imageGeometry({ ...uncentred, radar: { ...uncentred.radar, dopplerCentroidHz } });
  } catch (error) {
    // Focusing will report the error.
    if (isRadarError(error, "input")) return undefined;
    throw error;
  }
}

interface Focused<T> {
  readonly buffer: Buffer;
  readonly image: Float32Array;
  readonly stages: readonly StageReport[];
  /** Sums up the image for `measures`. */
  readonly sums: DeviceMeasures;
  /** The result of the host's work. */
  readonly meanwhile: T;
}

/**
 * Runs the program and measures the time of each stage. The recording's lines are written block by block, or from `all` if they have
 * been read already. The raw data and all temporary buffers are freed; the image stays. The host does `meanwhile` while the device runs.
 */
async function runProgram<T>(
  program: RangeDopplerProgram,
  recording: StripmapRecording,
  where: string,
  all: Echoes | undefined,
  device: Device,
  measures: Measures,
  meanwhile: () => Promise<T>,
  signal: AbortSignal | undefined,
  onShare: (what: string, share: number) => void,
): Promise<Focused<T>> {
  const { rows, cells } = program.geometry;
  using raw = createRawLines(device, program.inputs["raw"]);
  const buffer = device.alloc({ dtype: "c64", shape: [rows, cells] }, "image");
  const pause = createPause("focus", signal);
  // Both are planned at once, so that a device compiles their kernels side by side. Samples are read and written meanwhile, and the memory that
  // the image will be read into gets its pages.
  const [planned, sums, written, memory] = await Promise.all([
    begun(compile(program, device)),
    begun(createDeviceMeasures(device, buffer, measures, signal)),
    begun(all ? writeInSlices(raw.buffer, all, 0, pause) : raw.read(recording, where, pause, signal)),
    begun(buffer.view ? Promise.resolve(undefined) : newMemory(2 * rows * cells, pause)),
  ]);
  try {
    using compiled = resultOf(planned);
    resultOf(sums);
    resultOf(written);
    const target = resultOf(memory);
    const running = begun(runStages(compiled, device, { raw: raw.buffer, image: buffer }, signal, onShare));
    const other = await begun(meanwhile());
    const stages = resultOf(await running);
    if (target) await buffer.readInto(target);
    const image = target ?? (buffer.view?.() as Float32Array);
    return { buffer, image, stages, sums: resultOf(sums), meanwhile: resultOf(other) };
  } catch (error) {
    if ("value" in sums) sums.value[Symbol.dispose]();
    buffer[Symbol.dispose]();
    throw error;
  }
}

/** Floats of the smallest page of memory. */
const pageFloats = 1024;

/** New memory whose pages are there. The system makes a page when it is first written, which takes longer than reading an image into it. */
async function newMemory(floats: number, pause: Pause): Promise<Float32Array> {
  const memory = new Float32Array(floats);
  await forEachSlice(floats, pause, (from, to) => {
    for (let i = from; i < to; i += pageFloats) memory[i] = 0;
  });
  return memory;
}
