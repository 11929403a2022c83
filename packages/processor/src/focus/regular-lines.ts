/**
 * Reads the regular lines of a segment of a recording: recorded pulses where there are some, zeros elsewhere. lines.ts makes the segment.
 */
import { dtypes, inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import type { EchoType } from "@dechirp/radar";
import type { Echoes, LinesOptions } from "../recording.ts";
import type { LineRun, LineSegment } from "./lines.ts";

/** A recording as far as its pulses are read. */
export interface PulseSource {
  readonly shape: readonly [lines: number, samples: number];
  readonly dtype: EchoType;
  /** Linear gain by which each line is to be multiplied, [line]. Default: 1. */
  readonly lineGain?: ArrayLike<number>;
  /** Returns pulses `from` to `from + count − 1`, [count][sample], interleaved. */
  pulses(from: number, count: number, options?: LinesOptions): Echoes | Promise<Echoes>;
}

/** Regular lines, in the form of a recording. Line p is at `startSeconds + p / prfHz` of the segment. */
export interface RegularLines extends PulseSource {
  /** Linear gain of each line, if the recording has gains; 1 for lines of zeros. */
  readonly lineGain?: Float64Array;
  /** Returns lines `from` to `from + count − 1`, [count][sample], interleaved. */
  pulses(from: number, count: number, options?: LinesOptions): Promise<Echoes>;
}

/**
 * Makes the regular lines of a segment. Samples of pulses with a `sampleShift` are moved, and what leaves the line is lost. `pulses`
 * rejects with `input` if the lines are not in the segment, or if the recording returns an array of the wrong type or length, and with
 * what the recording throws.
 */
export function regularLines(recording: PulseSource, segment: LineSegment): RegularLines {
  const { shape, dtype, lineGain } = recording;
  const [, samples] = shape;
  const { lines, runs } = segment;
  const starts: number[] = [];
  runs.reduce((line, { count }) => {
    starts.push(line);
    return line + count;
  }, 0);

  const read = async (from: number, count: number, options: LinesOptions): Promise<Echoes> => {
    const data = await recording.pulses(from, count, options);
    const { array } = dtypes[dtype];
    const length = 2 * count * samples;
    if (!isArrayOf(data, array) || data.length !== length)
      throw inputError(`recording.pulses(${from}, ${count})`, `${array.name} of ${length} numbers`, data);
    return data;
  };
  return {
    shape: [lines, samples],
    dtype,
    ...(lineGain && { lineGain: gainsOf(lineGain, lines, runs) }),
    async pulses(from, count, options = {}) {
      if (!Number.isSafeInteger(from) || from < 0 || from > lines) throw inputError("from", `a line from 0 to ${lines}`, from);
      if (!Number.isSafeInteger(count) || count < 0 || from + count > lines) throw inputError("count", `from 0 to ${lines - from}`, count);
      const parts = partsOf(runs, starts, from, count);
      // All pulses in one read, unless many pulses between them are left out.
      const [first, end] = [parts[0]?.from ?? 0, parts.reduce((last, part) => Math.max(last, part.from + part.count), 0)];
      const [only] = parts;
      if (parts.length === 1 && only.count === count && only.sampleShift === 0) return read(only.from, count, options);
      // Memory for the lines is not memory for the pulses that they come from.
      const { into: _, ...hear } = options;
      const out = new dtypes[dtype].array(2 * count * samples) as Echoes;
      const atOnce = end - first <= 2 * count + 64;
      const all = atOnce && end > first ? await read(first, end - first, hear) : undefined;
      for (const part of parts) {
        const data = all ?? (await read(part.from, part.count, hear));
        copyShifted(data, all ? part.from - first : 0, out, part, samples);
      }
      return out;
    },
  };
}

/** Recorded pulses that lines of a request come from. */
interface Part {
  readonly from: number;
  readonly count: number;
  readonly sampleShift: number;
  /** The line of the first, from the first of the request. */
  readonly at: number;
}

function partsOf(runs: readonly LineRun[], starts: readonly number[], from: number, count: number): Part[] {
  // The last run that begins at or before the first line.
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (starts[middle] <= from) low = middle + 1;
    else high = middle;
  }
  const parts: Part[] = [];
  for (let r = Math.max(0, low - 1); r < runs.length && starts[r] < from + count; r++) {
    const run = runs[r];
    const [first, end] = [Math.max(from, starts[r]), Math.min(from + count, starts[r] + run.count)];
    if (run.kind === "zero" || end <= first) continue;
    parts.push({ from: run.from + first - starts[r], count: end - first, sampleShift: run.sampleShift, at: first - from });
  }
  return parts;
}

/** Copies pulses from pulse `first` of `data` to their lines, moved by their shift. */
function copyShifted(data: Echoes, first: number, out: Echoes, { count, sampleShift, at }: Part, samples: number): void {
  const skipped = Math.max(0, -sampleShift);
  const kept = Math.max(0, samples - Math.abs(sampleShift));
  for (let p = 0; p < count; p++) {
    const from = (first + p) * samples + skipped;
    out.set(data.subarray(2 * from, 2 * (from + kept)), 2 * ((at + p) * samples + Math.max(0, sampleShift)));
  }
}

function gainsOf(lineGain: ArrayLike<number>, lines: number, runs: readonly LineRun[]): Float64Array {
  const gains = new Float64Array(lines).fill(1);
  let line = 0;
  for (const run of runs) {
    if (run.kind === "pulse") for (let p = 0; p < run.count; p++) gains[line + p] = lineGain[run.from + p];
    line += run.count;
  }
  return gains;
}
