/** Reads the lines of blocks from a recording, with zeros where it has none, and holds the arrays of a block on a device. */
import { type Buffer, type CompiledProgram, createPause, type Device, dtypes } from "@dechirp/core";
import type { BlockPlan, BlockProgram, ImageBlock } from "@dechirp/sar";
import { recordingError } from "../blame.ts";
import { type Echoes, linesOf, type StripmapRecording } from "../recording.ts";
import { writeInSlices } from "../run-stages.ts";

/** The arrays of a block on the device. */
export interface BlockArrays extends Disposable {
  readonly buffers: Readonly<Record<string, Buffer>>;
  readonly image: Buffer;
  /** Writes the tables of a sub-swath. */
  writeTables(tables: BlockProgram["tables"]): void;
  write(samples: Echoes, gains: Float32Array, signal: AbortSignal | undefined): Promise<void>;
}

/** Allocates the arrays of a compiled block program. Throws what the device throws, and has allocated nothing then. */
export function allocate(device: Device, compiled: CompiledProgram): BlockArrays {
  const buffers: Record<string, Buffer> = {};
  const dispose = (): void => {
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
  };
  try {
    for (const [name, layout] of Object.entries(compiled.layouts)) buffers[name] = device.alloc(layout, name);
  } catch (error) {
    dispose();
    throw error;
  }
  return {
    buffers,
    image: buffers["image"],
    writeTables(tables) {
      for (const [name, { data }] of Object.entries(tables)) buffers[name].write(data);
    },
    async write(samples, gains, signal) {
      await writeInSlices(buffers["raw"], samples, 0, createPause("focus", signal));
      buffers["lineGain"]?.write(gains);
    },
    [Symbol.dispose]: dispose,
  };
}

/** The samples of a block. */
export interface BlockLines {
  readonly samples: Echoes;
  readonly gains: Float32Array;
  /** Gives the array back to the reader. */
  release(): void;
}

/** Bytes of pulses that are requested at once. */
const readBytes = 2 ** 24;

/** Reads the lines and samples of blocks, zeros where the recording has none. It reuses the arrays that are released. */
export function createReader(recording: StripmapRecording, where: string, plan: BlockPlan, signal: AbortSignal | undefined) {
  const [lines, samples] = recording.shape;
  const { dtype, lineGain } = recording;
  const free: Echoes[] = [];
  return {
    async read({ firstLine, swath }: ImageBlock): Promise<BlockLines> {
      const pause = createPause("focus", signal);
      const out = free.pop() ?? (new dtypes[dtype].array(2 * plan.lines * plan.samples) as Echoes);
      const gains = new Float32Array(plan.lines);
      const [from, to] = [Math.max(0, firstLine), Math.min(lines, firstLine + plan.lines)];
      const first = plan.swaths[swath].firstSample;
      const [left, right] = [Math.max(0, first), Math.min(samples, first + plan.samples)];
      const wholeLines = left === first && right - left === plan.samples;
      if (!wholeLines) out.fill(0);
      else {
        out.fill(0, 0, 2 * (from - firstLine) * plan.samples);
        out.fill(0, 2 * (to - firstLine) * plan.samples);
      }
      const most = Math.max(1, Math.floor(readBytes / (samples * dtypes[dtype].bytes)));
      for (let line = from; line < to; line += most) {
        const count = Math.min(most, to - line);
        const data = await linesOf(recording, where, line, count, pause, signal);
        for (let p = 0; p < count; p++) {
          const at = 2 * ((line + p - firstLine) * plan.samples + left - first);
          out.set(data.subarray(2 * (p * samples + left), 2 * (p * samples + right)), at);
          const gain = lineGain?.[line + p] ?? 1;
          if (!Number.isFinite(gain))
            throw recordingError(where, `lineGain[${line + p}] must be finite, not ${gain}`, { field: `recording.lineGain[${line + p}]` });
          gains[line + p - firstLine] = gain;
        }
        await pause();
      }
      return { samples: out, gains, release: () => void free.push(out) };
    },
  };
}
