/**
 * Regular lines of recordings with gaps: random recordings whose true lines are known, against a map made by definition; borders where
 * the PRF, the clock or the sampling window changes; vectors that are not valid; and reading.
 */
import { createRandom, isRadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { type LineSegment, mapLines, type PulseSource, regularLines, type TimedRecording } from "../src/index.ts";

const prfHz = 1256.98;
const radar = { prfHz, samplingRateHz: 32e6 };
const recordingOf = (times: readonly number[], more: Partial<TimedRecording> = {}): TimedRecording => ({
  shape: [times.length, 100],
  radar,
  pulseSeconds: Float64Array.from(times),
  ...more,
});

/** The pulse of every line of a segment, or −1. */
const expanded = ({ runs }: LineSegment): number[] =>
  runs.flatMap((run) => Array.from({ length: run.count }, (_, i) => (run.kind === "pulse" ? run.from + i : -1)));

/** The same by definition: the first good pulse whose true line it is. */
function byDefinition(truth: readonly number[], bad: ReadonlySet<number>): number[] {
  const last = truth.reduce((most, line) => Math.max(most, line), 0);
  return Array.from({ length: last + 1 }, (_, line) => truth.findIndex((one, pulse) => one === line && !bad.has(pulse)));
}

/** Times in seconds, and true lines (−1: none), of a recording of lines with gaps, repeats and strays. */
function drawn(seed: number, lines: number): { times: number[]; truth: number[]; bad: number[] } {
  const random = createRandom(seed);
  const rate = prfHz * (1 + 1e-3 * (random.uniform() - 0.5));
  const jitter = random.uniform() < 0.3 ? 0 : 0.2 * random.uniform();
  const shares = [0.05, 0.05, 0.01].map((share) => share * random.uniform());
  const pulses: { time: number; line: number }[] = [];
  const start = 1e5 * random.uniform();
  let skip = 0;
  for (let line = 0; line < lines; line++) {
    const at = (offset: number): number => start + (line + offset + jitter * (random.uniform() - 0.5)) / rate;
    // The first pulse is on the lattice, and gaps begin when its interval is known.
    if (line > 0 && line < lines - 1 && random.uniform() < shares[0]) skip = Math.ceil(line > 100 ? 40 * random.uniform() ** 3 : 1);
    if (skip-- > 0 && line < lines - 1) continue;
    pulses.push({ time: at(0), line });
    if (line > 0 && random.uniform() < shares[1]) pulses.push({ time: pulses[pulses.length - 1].time, line });
    if (line > 20 && random.uniform() < shares[2]) pulses.push({ time: start + (line + 0.5) / rate, line: -1 });
  }
  pulses.sort((a, b) => a.time - b.time);
  const bad = pulses.flatMap((_, i) => (random.uniform() < 0.01 ? [i] : []));
  return { times: pulses.map(({ time }) => time), truth: pulses.map(({ line }) => line), bad };
}

/** The field that the `input` error of a call names. */
function refusedField(call: () => unknown): unknown {
  try {
    call();
  } catch (error) {
    return isRadarError(error, "input") ? error.fields["field"] : error;
  }
  return undefined;
}

describe("mapLines", () => {
  it("finds missing, repeated, bad and stray lines as they were made", () => {
    for (let seed = 1; seed <= 60; seed++) {
      const { times, truth, bad } = drawn(seed, seed % 3 === 0 ? 5000 : 600);
      const { segments, report } = mapLines(recordingOf(times, { badPulses: bad }));
      const isBad = new Set(bad);
      const expected = byDefinition(truth, isBad);
      expect(segments, `seed ${seed}`).toHaveLength(1);
      expect(expanded(segments[0]), `seed ${seed}`).toEqual(expected);
      const lines = new Set(truth.filter((line) => line >= 0));
      expect(report).toMatchObject({
        pulses: times.length,
        lines: expected.length,
        segments: 1,
        missing: expected.length - lines.size,
        bad: bad.length,
        stray: truth.filter((line, p) => line < 0 && !isBad.has(p)).length,
        repeated: truth.filter((line, p) => line >= 0 && !isBad.has(p) && truth.findIndex((one, q) => one === line && !isBad.has(q)) < p)
          .length,
      });
      expect(report.firstBad).toEqual(bad.slice(0, 8));
      // Every used pulse is within a quarter of an interval, as the segment itself states its lattice.
      const { startSeconds, prfHz: rate } = segments[0];
      expanded(segments[0]).forEach((pulse, line) => {
        if (pulse >= 0) expect(Math.abs((times[pulse] - startSeconds) * rate - line)).toBeLessThan(0.25);
      });
    }
  });

  it("measures the PRF", () => {
    for (const factor of [1, 1.0001, 0.9, 1.03, 2, 0.5]) {
      const times = Array.from({ length: 3000 }, (_, p) => 40 + p / (prfHz * factor));
      const { segments } = mapLines(recordingOf(times));
      expect(segments).toHaveLength(1);
      expect(segments[0].prfHz / (prfHz * factor) - 1).toBeCloseTo(0, factor === 1 ? 9 : 6);
      expect(segments[0].startSeconds).toBeCloseTo(40, 6);
      expect(segments[0].runs).toEqual([{ kind: "pulse", from: 0, count: 3000, sampleShift: 0 }]);
    }
  });

  it("begins a segment where the PRF changes", () => {
    for (const factor of [1.003, 1.01, 0.97, 1.1, 1.125, 1.25, 4 / 3, 1.5, 2, 3, 0.5, 0.75]) {
      for (const [jitter, seed] of [
        [0, 1],
        [0.005, 2],
        [0.02, 3],
      ]) {
        const random = createRandom(seed);
        const times: number[] = [];
        let now = 7;
        for (let p = 0; p < 2400; p++) {
          if (p > 0) now += (p < 1000 || p >= 1800 ? 1 : factor) / prfHz;
          times.push(now + (jitter * (random.uniform() - 0.5)) / prfHz);
        }
        const { segments, report } = mapLines(recordingOf(times));
        const what = `factor ${factor}, jitter ${jitter}`;
        expect(segments, what).toHaveLength(3);
        // A change is seen when it adds up to four deviations of the jitter, which are 1.2 times its width.
        const late = jitter === 0 ? 0 : Math.ceil((1.6 * jitter) / Math.abs(factor - 1));
        [1000, 1800].forEach((truth, k) => {
          const { pulse, reason } = report.borders[k];
          expect(reason, what).toBe("prf");
          expect(Math.abs(pulse - truth), what).toBeLessThanOrEqual(late + 1);
        });
        [1, factor, 1].forEach((interval, k) => {
          expect(Math.abs(segments[k].prfHz * interval - prfHz) / prfHz, what).toBeLessThan(2e-4 + jitter / 100);
          expect(segments[k].lines, what).toBe(segments[k].pulses);
        });
      }
    }
  });

  it("begins a segment where the clock jumps and at a long gap, not at a short one", () => {
    const at = (lines: readonly number[]) => recordingOf(lines.map((line) => line / prfHz));
    const regular = Array.from({ length: 500 }, (_, p) => p);
    const jump = mapLines(at([...regular, ...regular.map((p) => p + 512.4)]));
    expect(jump.report).toMatchObject({ segments: 2, missing: 0, borders: [{ pulse: 500, reason: "clock" }] });
    const gap = (lines: number) => mapLines(at([...regular, ...regular.map((p) => p + 500 + lines)])).report;
    expect(gap(1024)).toMatchObject({ segments: 1, missing: 1024, firstMissing: [500] });
    expect(gap(1025)).toMatchObject({ segments: 2, missing: 0, borders: [{ pulse: 500, reason: "gap" }] });
    // A gap that no array could hold.
    expect(mapLines(at([...regular, 1e15])).report).toMatchObject({ segments: 2, lines: 501 });
  });

  it("moves the sampling window by whole samples, or begins a segment", () => {
    const times = Array.from({ length: 60 }, (_, p) => p / prfHz);
    const windows = (samples: (p: number) => number, badPulses: readonly number[] = []) =>
      mapLines(recordingOf(times, { badPulses, firstSampleSeconds: Float64Array.from(times, (_, p) => 6.5e-3 + samples(p) / 32e6) }));
    const shifted = windows((p) => (p < 20 ? 0 : p < 40 ? 4 : -7.05));
    expect(shifted.report).toMatchObject({ segments: 1, shifted: 40 });
    expect(shifted.segments[0].runs).toEqual([
      { kind: "pulse", from: 0, count: 20, sampleShift: 0 },
      { kind: "pulse", from: 20, count: 20, sampleShift: 4 },
      { kind: "pulse", from: 40, count: 20, sampleShift: -7 },
    ]);
    for (const jump of [0.5, 13, -400]) {
      const { segments, report } = windows((p) => (p < 20 ? 0 : jump));
      expect(report).toMatchObject({ segments: 2, shifted: 0, borders: [{ pulse: 20, reason: "window" }] });
      expect(segments[1].firstSampleSeconds).toBeCloseTo(6.5e-3 + jump / 32e6, 12);
      expect(segments[1].startSeconds).toBeCloseTo(20 / prfHz, 9);
    }
    // The window of a bad pulse means nothing.
    expect(windows((p) => (p === 20 || p === 0 ? 50 : 0), [0, 20]).report).toMatchObject({ segments: 1, bad: 2, shifted: 0 });
    // The same without times.
    const { pulseSeconds: _, ...untimed } = recordingOf(times, {
      firstSampleSeconds: Float64Array.from(times, (_time, p) => (p < 20 ? 6e-3 : 7e-3)),
      badPulses: [3],
    });
    const { segments } = mapLines(untimed);
    expect(segments.map(({ firstPulse, lines, startSeconds }) => [firstPulse, lines, startSeconds])).toEqual([
      [0, 20, 0],
      [20, 40, 20 / prfHz],
    ]);
    expect(segments[0].runs).toEqual([
      { kind: "pulse", from: 0, count: 3, sampleShift: 0 },
      { kind: "zero", count: 1 },
      { kind: "pulse", from: 4, count: 16, sampleShift: 0 },
    ]);
  });

  it("maps every pulse of a recording of random times, and ends", () => {
    for (let seed = 1; seed <= 20; seed++) {
      const random = createRandom(seed);
      const times: number[] = [0];
      while (times.length < 2000) times.push(times[times.length - 1] + (2 * random.uniform() ** (seed % 4)) / prfHz);
      const { segments, report } = mapLines(recordingOf(times));
      expect(segments.map(({ firstPulse }) => firstPulse)).toEqual(
        segments.map((_, k) => segments.slice(0, k).reduce((sum, { pulses }) => sum + pulses, 0)),
      );
      expect(segments.reduce((sum, { pulses }) => sum + pulses, 0)).toBe(2000);
      for (const segment of segments) {
        const used = expanded(segment);
        expect(used).toHaveLength(segment.lines);
        expect(segment.lines).toBeGreaterThan(0);
        const pulses = used.filter((pulse) => pulse >= 0);
        expect([...pulses].sort((a, b) => a - b)).toEqual(pulses);
        expect(new Set(pulses).size).toBe(pulses.length);
      }
      expect(segments.reduce((sum, segment) => sum + expanded(segment).filter((p) => p >= 0).length, 0)).toBe(
        2000 - report.repeated - report.stray,
      );
      expect(report.lines).toBe(2000 - report.repeated - report.stray + report.missing);
    }
    expect(mapLines(recordingOf([5])).segments).toMatchObject([{ lines: 1, prfHz, startSeconds: 5 }]);
    expect(mapLines({ shape: [7, 1], radar: { ...radar, startSeconds: 3 } }).segments).toMatchObject([{ lines: 7, startSeconds: 3 }]);
  });

  it("refuses vectors that are not valid, naming the entry", () => {
    const times = Array.from({ length: 50 }, (_, p) => p / prfHz);
    const field = (change: (times: number[]) => unknown, more: Partial<TimedRecording> = {}) => {
      const changed = [...times];
      change(changed);
      return refusedField(() => mapLines(recordingOf(changed, { shape: [50, 100], ...more })));
    };
    expect(field((t) => t.push(1))).toBe("recording.pulseSeconds");
    expect(field((t) => t.fill(Number.NaN, 7, 8))).toBe("recording.pulseSeconds[7]");
    expect(field((t) => t.fill(Number.POSITIVE_INFINITY, 49))).toBe("recording.pulseSeconds[49]");
    expect(field((t) => t.reverse())).toBe("recording.pulseSeconds[1]");
    expect(field((t) => t.fill(5))).toBe("recording.pulseSeconds[1]");
    // Milliseconds.
    expect(field((t) => t.forEach((time, i) => t.splice(i, 1, 1000 * time)))).toBe("recording.pulseSeconds");
    const none = () => undefined;
    expect(field(none, { pulseSeconds: times as never })).toBe("recording.pulseSeconds");
    expect(field(none, { firstSampleSeconds: new Float64Array(49) })).toBe("recording.firstSampleSeconds");
    expect(field(none, { firstSampleSeconds: new Float64Array(50).fill(Number.NaN) })).toBe("recording.firstSampleSeconds[0]");
    expect(field(none, { badPulses: [1, 50] })).toBe("recording.badPulses[1]");
    expect(field(none, { badPulses: [0.5] })).toBe("recording.badPulses[0]");
    expect(field(none, { badPulses: 3 as never })).toBe("recording.badPulses");
    expect(field(none, { radar: { ...radar, prfHz: 0 } })).toBe("recording.radar.prfHz");
    expect(refusedField(() => mapLines(recordingOf(times), { longestGapLines: -1 }))).toBe("options.longestGapLines");
  });
});

describe("regularLines", () => {
  const samples = 9;

  function sourceOf(pulses: number, reads: [number, number][] = []): PulseSource & { readonly data: Int8Array } {
    const random = createRandom(pulses);
    const data = Int8Array.from({ length: 2 * pulses * samples }, () => 1 + Math.floor(100 * random.uniform()));
    const lineGain = Float64Array.from({ length: pulses }, () => 2 + random.uniform());
    return {
      data,
      shape: [pulses, samples],
      dtype: "ci8",
      lineGain,
      pulses: (from, count) => {
        reads.push([from, count]);
        return data.subarray(2 * from * samples, 2 * (from + count) * samples);
      },
    };
  }

  it("reads any lines, with zeros and shifted samples, as a map by definition says", async () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = createRandom(seed, 1);
      const { times, bad } = drawn(seed, 300);
      const shifts = times.map((_, p) => (seed % 2 === 0 ? Math.floor(p / 50) % 2 : 0));
      const firstSampleSeconds = Float64Array.from(shifts, (shift) => 1e-3 + shift / 32e6);
      const reads: [number, number][] = [];
      const source = sourceOf(times.length, reads);
      const timed = recordingOf(times, { badPulses: bad, firstSampleSeconds, shape: [times.length, samples] });
      const [segment] = mapLines(timed).segments;
      const pulses = expanded(segment);
      const lines = regularLines(source, segment);
      expect(lines.shape).toEqual([segment.lines, samples]);
      expect([...(lines.lineGain ?? [])]).toEqual(pulses.map((pulse) => (pulse < 0 ? 1 : source.lineGain?.[pulse])));
      const stating = shifts[bad.includes(0) ? 1 : 0];
      for (let k = 0; k < 10; k++) {
        const from = Math.floor(random.uniform() * segment.lines);
        const count = Math.floor(random.uniform() * (segment.lines - from + 1));
        const expected = pulses.slice(from, from + count).flatMap((pulse) =>
          Array.from({ length: 2 * samples }, (_, i) => {
            const at = i - 2 * ((shifts[pulse] ?? 0) - stating);
            return pulse < 0 || at < 0 || at >= 2 * samples ? 0 : source.data[2 * pulse * samples + at];
          }),
        );
        reads.length = 0;
        expect([...(await lines.pulses(from, count))]).toEqual(expected);
        expect(reads.length).toBeLessThanOrEqual(1);
      }
    }
  });

  it("passes the signal on, reads no pulse for zeros, and skips many that are left out", async () => {
    const reads: [number, number][] = [];
    const source = sourceOf(2000, reads);
    const times = [0, 1, ...new Array<number>(1900).fill(1), ...Array.from({ length: 98 }, (_, p) => p + 40)].map((line) => line / prfHz);
    const { segments, report } = mapLines(recordingOf(times, { shape: [2000, samples] }));
    expect(report).toMatchObject({ segments: 1, repeated: 1900, missing: 38 });
    const lines = regularLines(source, segments[0]);
    expect(await lines.pulses(2, 38)).toEqual(new Int8Array(2 * 38 * samples));
    expect(reads).toEqual([]);
    await lines.pulses(0, 50);
    expect(reads).toEqual([
      [0, 2],
      [1902, 10],
    ]);
    const abort = new AbortController();
    let passed: AbortSignal | undefined;
    const watched = regularLines(
      {
        ...source,
        pulses(from, count, options) {
          passed = options?.signal;
          return source.pulses(from, count);
        },
      },
      segments[0],
    );
    await watched.pulses(0, 1, { signal: abort.signal });
    expect(passed).toBe(abort.signal);
  });

  it("passes memory on to a read of the same lines only", async () => {
    const source = sourceOf(60);
    const given: unknown[] = [];
    const strict: PulseSource = {
      ...source,
      pulses(from, count, { into } = {}) {
        given.push(into?.length);
        const data = source.pulses(from, count) as Int8Array;
        if (!into) return data;
        into.set(data);
        return into;
      },
    };
    // Lines 20 to 24 are missing.
    const times = Array.from({ length: 60 }, (_, p) => (p < 20 ? p : p + 5) / prfHz);
    const [segment] = mapLines(recordingOf(times, { shape: [60, samples] })).segments;
    const lines = regularLines(strict, segment);
    for (const [from, count, length] of [
      [3, 10, 2 * 10 * samples],
      [15, 10, undefined],
      [0, 65, undefined],
      [30, 35, 2 * 35 * samples],
    ] as const) {
      const into = new Int8Array(2 * count * samples).fill(99);
      const expected = await regularLines(source, segment).pulses(from, count);
      expect(await lines.pulses(from, count, { into })).toEqual(expected);
      expect(given.splice(0)).toEqual([length]);
    }
  });

  it("refuses lines that are not there and arrays of the wrong length", async () => {
    const source = sourceOf(10);
    const [segment] = mapLines({ shape: [10, samples], radar, badPulses: [4] }).segments;
    const lines = regularLines(source, segment);
    const refusal = (from: number, count: number) => lines.pulses(from, count).catch((error) => error.fields.field);
    expect(await refusal(-1, 1)).toBe("from");
    expect(await refusal(0.5, 1)).toBe("from");
    expect(await refusal(3, 8)).toBe("count");
    const short = regularLines({ ...source, pulses: () => new Int8Array(3) }, segment);
    await expect(short.pulses(2, 6)).rejects.toMatchObject({ code: "input", fields: { field: "recording.pulses(2, 6)" } });
  });
});
