/**
 * Finds gaps in recordings: lines that are missing, repeated or marked bad, changes of the PRF, and jumps of the sampling window. The
 * result is a list of segments of constant PRF, each with a map from regular lines to recorded pulses. regular-lines.ts reads them.
 */
import { inputError } from "@dechirp/core";
import { isArrayOf } from "@dechirp/core/internal";
import { createLattice, firstOff, initialInterval, type Lattice } from "./lattice.ts";

/** What the map of lines is made from. The vectors are those of a stripmap recording. */
export interface TimedRecording {
  readonly shape: readonly [lines: number, samples: number];
  readonly radar: { readonly prfHz: number; readonly samplingRateHz: number; readonly startSeconds?: number };
  /** Time of each pulse, [pulse]. It does not decrease. */
  readonly pulseSeconds?: Float64Array;
  /** Delay of the first sample of each pulse after the pulse, [pulse]. */
  readonly firstSampleSeconds?: Float64Array;
  /** Indices of pulses that must not be used. */
  readonly badPulses?: readonly number[];
}

/** Successive regular lines: recorded pulses, or lines of zeros. */
export type LineRun =
  | {
      readonly kind: "pulse";
      /** The recorded pulse of the first line. */
      readonly from: number;
      readonly count: number;
      /** Samples by which these pulses are sampled later than the segment states, and are to be moved up. Negative: earlier. */
      readonly sampleShift: number;
    }
  | { readonly kind: "zero"; readonly count: number };

/** Why a segment begins. `first`: the recording begins; `gap`: too many lines are missing before it; `clock`: pulses are between lines. */
export type BorderReason = "first" | "prf" | "window" | "gap" | "clock";

/** A part of a recording with one PRF and one sampling window, as regular lines. */
export interface LineSegment {
  /** The recorded pulses that belong to the segment, and what separates it from the one before. */
  readonly firstPulse: number;
  readonly pulses: number;
  readonly border: BorderReason;
  /** Regular lines, and what they are made of. The counts of the runs add up to `lines`. */
  readonly lines: number;
  readonly runs: readonly LineRun[];
  /** The PRF that the times of the pulses show, or the one that the radar states. */
  readonly prfHz: number;
  /** Time of line 0. */
  readonly startSeconds: number;
  /** Delay of the first sample, if the recording states it. */
  readonly firstSampleSeconds?: number;
}

/** Counts for a report. Each list has the first eight positions, as indices of recorded pulses. */
export interface LineReport {
  readonly pulses: number;
  /** Regular lines of all segments. */
  readonly lines: number;
  /** Number of segments. */
  readonly segments: number;
  /** The first pulses of the segments after the first. */
  readonly borders: readonly { readonly pulse: number; readonly reason: BorderReason }[];
  /** Lines within segments that no pulse was recorded for. */
  readonly missing: number;
  /** The pulses that follow the first gaps. */
  readonly firstMissing: readonly number[];
  /** Pulses on a line that has a pulse already. */
  readonly repeated: number;
  /** The first of these pulses. */
  readonly firstRepeated: readonly number[];
  /** Pulses that are marked bad. */
  readonly bad: number;
  /** The first of these pulses. */
  readonly firstBad: readonly number[];
  /** Pulses that are more than a quarter of an interval from every line, and are left out. */
  readonly stray: number;
  /** The first of these pulses. */
  readonly firstStray: readonly number[];
  /** Pulses whose sampling window is moved by whole samples. */
  readonly shifted: number;
}

/** The regular lines of a recording. */
export interface LineMap {
  readonly segments: readonly LineSegment[];
  readonly report: LineReport;
}

/** Options of `mapLines`. */
export interface MapLinesOptions {
  /** The largest number of successive lines that are filled with zeros. A longer gap begins a segment. Default: 1024. */
  readonly longestGapLines?: number;
}

/** Positions that a report lists. */
const listed = 8;
/** Share of the samples by which the sampling window may move within a segment. */
const largestShift = 1 / 8;
/** Part of a sample by which a move of the window may differ from whole samples. */
const shiftTolerance = 1 / 8;
/** Share by which the PRF of successive segments may differ and still be the same. */
const prfTolerance = 5e-4;
/** Successive equal gaps after which the PRF is taken to have changed to a whole part of itself. */
const equalGaps = 16;

/**
 * Maps the pulses of a recording to regular lines. A pulse belongs to the nearest line if it is at most a quarter of a pulse interval
 * from it; of two pulses on a line the first good one is used. Lines without a good pulse are zeros. A segment ends where the pulses
 * leave the lattice of lines (a change of PRF, or of the phase of the clock), where the sampling window changes by more than an eighth
 * of the samples or not by whole samples, and at a gap that is longer than `longestGapLines`. A change of the PRF by the share δ is
 * noticed when it adds up to a quarter of an interval, and its border is then put where the times begin to differ by more than their
 * jitter. Without `pulseSeconds` all pulses are regular lines. Throws `input`, which names the entry, if a vector is not valid: of wrong
 * length, not finite, decreasing, or without relation to the PRF.
 */
export function mapLines(recording: TimedRecording, options: MapLinesOptions = {}): LineMap {
  const bad = check(recording, options);
  const { longestGapLines = 1024 } = options;
  const [pulses] = recording.shape;
  const counts = { missing: 0, repeated: 0, bad: 0, stray: 0, shifted: 0 };
  const first = { missing: [] as number[], repeated: [] as number[], bad: [] as number[], stray: [] as number[] };
  const note = (what: keyof typeof first, pulse: number, count = 1): void => {
    counts[what] += count;
    if (first[what].length < listed) first[what].push(pulse);
  };

  const segments: LineSegment[] = [];
  let border: BorderReason = "first";
  for (let from = 0; from < pulses; ) {
    const found = segmentFrom(recording, from, bad, longestGapLines);
    const builder = createRuns();
    let [last, taken] = [-1, true];
    for (let pulse = from; pulse < found.end; pulse++) {
      const line = found.lineOf(pulse);
      const isBad = bad[pulse] === 1;
      if (isBad) note("bad", pulse);
      if (line < 0) {
        if (!isBad) note("stray", pulse);
        continue;
      }
      if (line > last + 1) note("missing", pulse, line - last - 1);
      const sameLine = line === last;
      if (sameLine && !isBad && taken) note("repeated", pulse);
      if (isBad) {
        if (!sameLine) [last, taken] = [line, false];
      } else if (!sameLine || !taken) {
        [last, taken] = [line, true];
        const sampleShift = found.shiftOf(pulse);
        if (sampleShift !== 0) counts.shifted++;
        builder.add(line, pulse, sampleShift);
      }
    }
    const facts = found.facts();
    const before = segments[segments.length - 1];
    // Pulses that leave the lattice do so because of the PRF, if it differs afterwards.
    if (border === "clock" && Math.abs(facts.prfHz / before.prfHz - 1) > prfTolerance) border = "prf";
    segments.push({ firstPulse: from, pulses: found.end - from, border, ...facts, ...builder.end(last + 1) });
    from = found.end;
    border = found.reason;
  }
  return {
    segments,
    report: {
      pulses,
      lines: segments.reduce((sum, { lines }) => sum + lines, 0),
      segments: segments.length,
      borders: segments.slice(1, 1 + listed).map(({ firstPulse, border: reason }) => ({ pulse: firstPulse, reason })),
      ...counts,
      firstMissing: first.missing,
      firstRepeated: first.repeated,
      firstBad: first.bad,
      firstStray: first.stray,
    },
  };
}

/** Throws `input` unless the vectors are valid. Returns 1 for each bad pulse. */
function check(recording: TimedRecording, { longestGapLines = 1 }: MapLinesOptions): Uint8Array {
  const { shape, radar, pulseSeconds: times, firstSampleSeconds: windows, badPulses = [] } = recording;
  const [pulses] = shape;
  for (const name of ["prfHz", "samplingRateHz"] as const)
    if (!(Number.isFinite(radar[name]) && radar[name] > 0)) throw inputError(`recording.radar.${name}`, "a positive number", radar[name]);
  if (!Number.isSafeInteger(longestGapLines) || longestGapLines < 0)
    throw inputError("options.longestGapLines", "an integer from 0", longestGapLines);
  for (const [name, vector] of Object.entries({ pulseSeconds: times, firstSampleSeconds: windows })) {
    if (vector === undefined) continue;
    if (!isArrayOf(vector, Float64Array) || vector.length !== pulses)
      throw inputError(`recording.${name}`, `a Float64Array of ${pulses} numbers, one for each pulse`, vector);
    const at = vector.findIndex((value) => !Number.isFinite(value));
    if (at >= 0) throw inputError(`recording.${name}[${at}]`, "a finite number", vector[at]);
  }
  if (times !== undefined) checkTimes(times, radar.prfHz);
  if (!Array.isArray(badPulses)) throw inputError("recording.badPulses", "a list of pulses", badPulses);
  const bad = new Uint8Array(pulses);
  badPulses.forEach((pulse: number, i) => {
    if (!Number.isInteger(pulse) || pulse < 0 || pulse >= pulses)
      throw inputError(`recording.badPulses[${i}]`, `a pulse from 0 to ${pulses - 1}`, pulse);
    bad[pulse] = 1;
  });
  return bad;
}

function checkTimes(times: Float64Array, prfHz: number): void {
  for (let i = 1; i < times.length; i++)
    if (times[i] < times[i - 1]) throw inputError(`recording.pulseSeconds[${i}]`, `at least ${times[i - 1]}, the time before`, times[i]);
  if (times.length < 2) return;
  const intervals = times.map((time, i) => (i === 0 ? 0 : time - times[i - 1])).filter((interval) => interval * prfHz > 1e-3);
  if (intervals.length === 0)
    throw inputError("recording.pulseSeconds[1]", `later than ${times[0]}, as pulses are not sent at once`, times[1]);
  const typical = intervals.sort()[intervals.length >> 1];
  if (!(typical * prfHz > 0.25 && typical * prfHz < 4))
    throw inputError("recording.pulseSeconds", `times about ${1 / prfHz} s apart, as radar.prfHz states`, typical);
}

/** A segment as it is found: where it ends and why, and the line of each of its pulses. */
interface FoundSegment {
  readonly end: number;
  readonly reason: BorderReason;
  /** The line of a pulse, or −1 if it is on none. */
  lineOf(pulse: number): number;
  shiftOf(pulse: number): number;
  facts(): Pick<LineSegment, "prfHz" | "startSeconds" | "firstSampleSeconds">;
}

function segmentFrom(recording: TimedRecording, from: number, bad: Uint8Array, longestGap: number): FoundSegment {
  const { shape, radar, pulseSeconds: times, firstSampleSeconds: windows } = recording;
  const [pulses, samples] = shape;
  // The first good pulse states the sampling window.
  let stating = from;
  while (windows !== undefined && stating < pulses - 1 && bad[stating] === 1) stating++;
  const shiftOf = (pulse: number): number => {
    if (windows === undefined || bad[pulse] === 1) return 0;
    const shift = (windows[pulse] - windows[stating]) * radar.samplingRateHz;
    const whole = Math.round(shift) || 0;
    return Math.abs(shift - whole) <= shiftTolerance && Math.abs(whole) <= largestShift * samples ? whole : Number.NaN;
  };
  const window = windows === undefined ? {} : { firstSampleSeconds: windows[stating] };
  const moved = (pulse: number): boolean => Number.isNaN(shiftOf(pulse));

  if (times === undefined) {
    let end = from + 1;
    while (end < pulses && !moved(end)) end++;
    const startSeconds = (radar.startSeconds ?? 0) + from / radar.prfHz;
    return { end, reason: "window", lineOf: (p) => p - from, shiftOf, facts: () => ({ prfHz: radar.prfHz, startSeconds, ...window }) };
  }

  const lattice = createLattice(times[from], initialInterval(times, from, 1 / radar.prfHz));
  const found: number[] = [0];
  let [last, gap, gaps, before] = [0, 1, 0, from];
  const result = (end: number, reason: BorderReason): FoundSegment => ({
    end,
    reason,
    lineOf: (pulse) => found[pulse - from],
    shiftOf,
    facts: () => factsOf(lattice, times, from, found.slice(0, end - from), window),
  });
  for (let pulse = from + 1; pulse < pulses; pulse++) {
    if (moved(pulse)) return result(pulse, "window");
    const { line, off } = lattice.nearest(times[pulse]);
    if (line - last > longestGap + 1) return result(pulse, "gap");
    if (off > 0.25 || line < last) {
      if (isStray(lattice, times, pulse)) {
        found.push(-1);
        continue;
      }
      const at = firstOff(times, from, found, pulse);
      return result(at, "clock");
    }
    found.push(line);
    if (line === last) continue;
    lattice.add(line, times[pulse]);
    [gaps, gap] = line - last === gap && gap > 1 ? [gaps + 1, gap] : [line - last > 1 ? 1 : 0, line - last];
    if (gaps === 1) before = pulse;
    if (gaps === equalGaps && before > from) return result(before, "prf");
    last = line;
  }
  return result(pulses, "first");
}

/** Whether the pulses that follow are on the lattice, so that this one alone is not. */
function isStray(lattice: Lattice, times: Float64Array, pulse: number): boolean {
  const end = Math.min(times.length, pulse + 9);
  if (end - pulse < 3) return true;
  let on = 0;
  for (let next = pulse + 1; next < end; next++) if (lattice.nearest(times[next]).off <= 1 / 8) on++;
  return on >= 0.75 * (end - pulse - 1);
}

/** The straight line through the times of the pulses of a segment. */
function factsOf(
  lattice: Lattice,
  times: Float64Array,
  from: number,
  lines: readonly number[],
  window: Pick<LineSegment, "firstSampleSeconds">,
): Pick<LineSegment, "prfHz" | "startSeconds" | "firstSampleSeconds"> {
  const fitted = createLattice(times[from], lattice.initialInterval);
  let last = 0;
  lines.forEach((line, i) => {
    if (line <= last) return;
    fitted.add(line, times[from + i]);
    last = line;
  });
  return { prfHz: 1 / fitted.interval(), startSeconds: fitted.timeOf(0), ...window };
}

/** Collects the runs of a segment from lines in ascending order. */
function createRuns(): {
  add(line: number, pulse: number, sampleShift: number): void;
  end(lines: number): Pick<LineSegment, "lines" | "runs">;
} {
  const runs: LineRun[] = [];
  let [next, from, count, shift] = [0, 0, 0, 0];
  const close = (): void => {
    if (count > 0) runs.push({ kind: "pulse", from, count, sampleShift: shift });
    count = 0;
  };
  const zeros = (until: number): void => {
    if (until > next) runs.push({ kind: "zero", count: until - next });
    next = until;
  };
  return {
    add(line, pulse, sampleShift) {
      if (line !== next || pulse !== from + count || sampleShift !== shift) {
        close();
        zeros(line);
        [from, shift] = [pulse, sampleShift];
      }
      count++;
      next = line + 1;
    },
    end(lines) {
      close();
      zeros(lines);
      return { lines, runs };
    },
  };
}
