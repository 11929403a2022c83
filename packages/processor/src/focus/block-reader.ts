/** Reads the lines of blocks from a recording into the arrays of a device, with zeros where the recording has none. */
import { type Buffer, createPause, type Device, type DType, dtypes, type Layout } from "@dechirp/core";
import type { BlockPlan, BlockProgram, ImageBlock } from "@dechirp/sar";
import { recordingError } from "../blame.ts";
import { type Echoes, linesOf, type StripmapRecording } from "../recording.ts";

/** The array of the samples of a block, and later its other arrays. */
export interface SampleArrays extends Disposable {
  readonly raw: Buffer;
  /** Allocates the arrays of the program of a sub-swath. */
  arraysOf(made: BlockProgram): BlockArrays;
}

/** The arrays of a block on the device. */
export interface BlockArrays {
  readonly buffers: Readonly<Record<string, Buffer>>;
  readonly image: Buffer;
  /** Writes the tables of a sub-swath. */
  writeTables(tables: BlockProgram["tables"]): void;
}

/**
 * Allocates the array of samples, and those of a block program when it is known. Throws what the device throws; the caller disposes of what
 * has been allocated.
 */
export function allocateSamples(device: Device, { dtype }: { readonly dtype: DType }, plan: BlockPlan): SampleArrays {
  const buffers: Record<string, Buffer> = {
    raw: device.alloc({ dtype, shape: [plan.lines, plan.samples] }, "raw"),
  };
  return {
    raw: buffers["raw"],
    arraysOf({ program, geometry }) {
      const image: Layout = { dtype: "c64", shape: [geometry.rows, geometry.cells] };
      for (const [name, layout] of Object.entries({ ...program.inputs, image })) buffers[name] ??= device.alloc(layout, name);
      return {
        buffers,
        image: buffers["image"],
        writeTables(tables) {
          for (const [name, { data }] of Object.entries(tables)) buffers[name].write(data);
        },
      };
    },
    [Symbol.dispose]() {
      for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
    },
  };
}

/** Bytes of pulses that are requested at once. */
const readBytes = 2 ** 24;

/** Makes a function that reads the lines and samples of a block into `raw`, and resolves with the gain of each line. */
export function createReader(recording: StripmapRecording, where: string, plan: BlockPlan, raw: Buffer, signal: AbortSignal | undefined) {
  const [lines, samples] = recording.shape;
  const { dtype, lineGain } = recording;
  const most = Math.max(1, Math.floor(readBytes / (samples * dtypes[dtype].bytes)));
  const mostHeld = Math.max(1, Math.floor(readBytes / (plan.samples * dtypes[dtype].bytes)));
  const arrayOf = (count: number): Echoes => new dtypes[dtype].array(2 * count * plan.samples) as Echoes;
  let zeros: Echoes | undefined;
  return async ({ firstLine, swath }: ImageBlock): Promise<Float32Array> => {
    const pause = createPause("focus", signal);
    const write = async (line: number, data: Echoes): Promise<void> => {
      raw.write(data, (line - firstLine) * plan.samples);
      await pause();
    };
    /** Writes zeros for lines that the recording has not. */
    const clear = async (from: number, to: number): Promise<void> => {
      for (let line = from; line < to; line += mostHeld) {
        zeros ??= arrayOf(mostHeld);
        await write(line, zeros.subarray(0, 2 * Math.min(mostHeld, to - line) * plan.samples) as Echoes);
      }
    };
    const [from, to] = [Math.max(0, firstLine), Math.min(lines, firstLine + plan.lines)];
    const first = plan.swaths[swath].firstSample;
    const [left, right] = [Math.max(0, first), Math.min(samples, first + plan.samples)];
    const isWhole = first === 0 && plan.samples === samples;
    /** The samples of the sub-swath, in an array of zeros. */
    const samplesOf = (data: Echoes, count: number): Echoes => {
      const out = arrayOf(count);
      for (let p = 0; p < count; p++)
        out.set(data.subarray(2 * (p * samples + left), 2 * (p * samples + right)), 2 * (p * plan.samples + left - first));
      return out;
    };
    const gains = gainsOf(firstLine, from, to);
    await clear(firstLine, Math.min(from, firstLine + plan.lines));
    await clear(Math.max(to, firstLine), firstLine + plan.lines);
    for (let line = from; line < to; line += most) {
      const count = Math.min(most, to - line);
      const data = await linesOf(recording, where, line, count, pause, signal);
      await write(line, isWhole ? data : samplesOf(data, count));
    }
    return gains;
  };

  /** The gain of each line of a block. Lines from `from` to before `to` are in the recording. */
  function gainsOf(firstLine: number, from: number, to: number): Float32Array {
    const gains = new Float32Array(plan.lines);
    for (let line = from; line < to; line++) {
      const gain = lineGain?.[line] ?? 1;
      if (!Number.isFinite(gain))
        throw recordingError(where, `lineGain[${line}] must be finite, not ${gain}`, { field: `recording.lineGain[${line}]` });
      gains[line - firstLine] = gain;
    }
    return gains;
  }
}
