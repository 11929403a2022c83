/**
 * Which rows of an image the recorded pulses expose: every row against backprojection, nothing folded, rows and bands as the
 * simulation illuminates them.
 */

import { createRandom, evaluate, open, type RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { chirpSamples, type PointTarget, type StripmapRadar, type Window } from "@dechirp/radar";
import { describe, expect, test } from "vitest";
import {
  beamOffsetSeconds,
  exposedBand,
  illuminatedPulses,
  instantaneousDopplerHz,
  migrationFactor,
  type RangeDopplerParams,
  rangeDoppler,
  rangeSpacingMeters,
  rowsExposed,
  scenePresets,
  simulateStripmap,
} from "../src/index.ts";
import { backprojectRows, compressPulses, rowCoherence } from "./stripmap-backprojection.ts";

const kaiser: Window = { kind: "kaiser", beta: 2.5 };

interface Recorded {
  readonly radar: StripmapRadar;
  readonly lines: number;
  readonly cells: number;
  /** What the antenna sees, within what is processed. */
  readonly beamHz: number;
  readonly processedHz: number;
}

/** X band from an aircraft: 384 lines of an aperture of 625. */
const airborne: Recorded = {
  radar: {
    carrierHz: 9.6e9,
    samplingRateHz: 120e6,
    prfHz: 250,
    chirpRateHzPerSecond: 200e12,
    pulseSeconds: 0.5e-6,
    velocityMetersPerSecond: 100,
    nearRangeMeters: 8000,
    dopplerCentroidHz: 0,
    startSeconds: 7,
  },
  lines: 384,
  cells: 64,
  beamHz: 200,
  processedHz: 240,
};

/** A short block of an L-band satellite: 1000 lines of an aperture of 6500. */
const satellite: Recorded = {
  radar: {
    carrierHz: 1.27e9,
    samplingRateHz: 32e6,
    prfHz: 2000,
    chirpRateHzPerSecond: -12e12,
    pulseSeconds: 2e-6,
    velocityMetersPerSecond: 7000,
    nearRangeMeters: 850e3,
    dopplerCentroidHz: 60,
  },
  lines: 1000,
  cells: 48,
  beamHz: 1600,
  processedHz: 1920,
};

/** Eight degrees of squint, and ranges that double within the swath and look ahead. */
const squinted: Recorded = { ...airborne, radar: { ...airborne.radar, dopplerCentroidHz: 900 } };
const near: Recorded = {
  ...airborne,
  radar: { ...airborne.radar, samplingRateHz: 60e6, chirpRateHzPerSecond: 100e12, nearRangeMeters: 500, dopplerCentroidHz: 500 },
  lines: 256,
  cells: 200,
};

const samplesOf = ({ radar, cells }: Recorded): number => chirpSamples(radar) + cells - 1;

const paramsOf = (recorded: Recorded): RangeDopplerParams => ({
  radar: recorded.radar,
  lines: recorded.lines,
  samples: samplesOf(recorded),
  processedBandwidthHz: recorded.processedHz,
});

/** A target of which the recording holds a share of the aperture, at one of its ends. */
function partlyExposed({ radar, lines, beamHz }: Recorded, cell: number, share: number, end: "first" | "last"): PointTarget {
  const slantRangeMeters = (radar.nearRangeMeters + cell * rangeSpacingMeters(radar)) * migrationFactor(radar, radar.dopplerCentroidHz);
  // The Doppler frequency of a target falls: the first lines hold the end of its band, the last lines the beginning.
  const edge = radar.dopplerCentroidHz + (end === "first" ? share - 0.5 : 0.5 - share) * beamHz;
  const seen = (radar.startSeconds ?? 0) + (end === "first" ? -0.5 : lines - 0.5) / radar.prfHz;
  const azimuthSeconds = seen - beamOffsetSeconds(radar, slantRangeMeters, edge);
  return { name: `${100 * share} % at the ${end} lines`, azimuthSeconds, slantRangeMeters, amplitude: 1, phaseRadians: cell };
}

/** Targets of these shares at both ends, each in a column of its own. */
const bothEnds = (recorded: Recorded, shares: readonly number[]): PointTarget[] =>
  shares.flatMap((share, i) => [
    partlyExposed(recorded, recorded.cells * (0.2 + 0.1 * i), share, "first"),
    partlyExposed(recorded, recorded.cells * (0.6 + 0.1 * i), share, "last"),
  ]);

/** Coherence of the image, made with the defaults, with backprojection; of every `step`th row. */
async function coherences(recorded: Recorded, targets: readonly PointTarget[], step: number) {
  const { radar, lines, beamHz, processedHz } = recorded;
  const params = paramsOf(recorded);
  const { raw } = await simulateStripmap({ ...params, beam: { kind: "doppler-band", bandwidthHz: beamHz }, targets });
  const program = rangeDoppler(params);
  using device = await open(cpu());
  const { image } = await evaluate(program, device, { raw: raw as Float32Array });
  const { rows: count, cells } = program.geometry;
  const rows = Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step);
  const recording = { radar, lines, samples: params.samples, raw };
  const wanted = backprojectRows(recording, compressPulses(recording, kaiser), program.axes, rows, processedHz, kaiser);
  return rowCoherence(image, wanted, rows, cells);
}

describe("rows exposed in part", () => {
  test.each([
    ["an aircraft", airborne, [0.5, 0.9], 3],
    ["a satellite in L band", satellite, [0.1, 0.5, 0.9], 16],
  ] as const)("of %s are what backprojection makes of them", async (_, recorded, shares, step) => {
    const rows = await coherences(recorded, bothEnds(recorded, shares), step);
    const strong = rows.filter(({ powerDb }) => powerDb > -40);
    expect(strong.length).toBeGreaterThan(50);
    for (const { row, coherence, powerDb } of strong) expect(coherence, `row ${row} at ${powerDb.toFixed(0)} dB`).toBeGreaterThan(0.985);
  });

  test("of an aircraft, with a tenth of the aperture, are so within 30 dB", async () => {
    // 63 lines of a chirp have a time-bandwidth product of 5, where the stationary phase that migration correction and the
    // azimuth filter rest on holds for the main lobe and the nearer side lobes only. Further out, at the other end of the
    // processed band, range-Doppler and backprojection differ, however long the transform: 0.87 was measured with both.
    for (const target of bothEnds(airborne, [0.1])) {
      for (const { row, coherence, powerDb } of await coherences(airborne, [target], 3)) {
        if (powerDb > -30) expect(coherence, `${target.name}, row ${row} at ${powerDb.toFixed(0)} dB`).toBeGreaterThan(0.985);
        else if (powerDb > -40) expect(coherence, `${target.name}, row ${row} at ${powerDb.toFixed(0)} dB`).toBeGreaterThan(0.8);
      }
    }
  });
});

const recordings = [
  ["an aircraft", airborne],
  ["a satellite in L band", satellite],
  ["a squinted beam", squinted],
  ["a near swath", near],
  ["a satellite that squints", { ...satellite, radar: { ...satellite.radar, dopplerCentroidHz: -2000 }, lines: 8000 }],
  ["long lines", { ...airborne, lines: 2000 }],
] as const satisfies readonly (readonly [string, Recorded])[];

describe("exposure", () => {
  test.each(recordings)("of %s is what the simulation illuminates", (_, recorded) => {
    const { radar, lines, processedHz } = recorded;
    const { geometry, axes } = rangeDoppler(paramsOf(recorded));
    const beam = { kind: "doppler-band", bandwidthHz: processedHz } as const;
    const { rows, cells, exposure } = geometry;
    const columns = [0, Math.floor(cells / 2), cells - 1];
    /** Lines that see a target of a row and column. */
    const seen = (row: number, column: number) => {
      const azimuthSeconds = axes.azimuthSeconds.start + row * axes.azimuthSeconds.step;
      return illuminatedPulses(radar, beam, {
        azimuthSeconds,
        slantRangeMeters: axes.slantRangeMeters.start + column * axes.slantRangeMeters.step,
      });
    };
    // Float64 tells such a part of a line; on a row that is exposed by less, or by all but that, either answer is right.
    const doubt = 1e-6;
    const inPart = (row: number, by: number): boolean =>
      columns.some((column) => {
        const [first, last] = seen(row, column);
        return first < lines - 0.5 - by && last > -0.5 + by;
      });
    const inFull = (row: number, by: number): boolean =>
      columns.every((column) => {
        const [first, last] = seen(row, column);
        return first >= -0.5 + by && last <= lines - 0.5 - by;
      });
    expect(inPart(0, -doubt) && inPart(rows - 1, -doubt)).toBe(true);
    expect(inPart(-1, doubt) || inPart(rows, doubt)).toBe(false);
    const [from, count] = exposure.fullRows;
    for (let row = 0; row < rows; row++) {
      const full = row >= from && row < from + count;
      expect(full ? inFull(row, -doubt) : !inFull(row, doubt), `row ${row} of ${rows}`).toBe(true);
    }
    expect(rowsExposed(geometry, 1 - 1e-9)).toEqual(count > 0 ? [from, count] : [0, 0].map(() => expect.any(Number)));
    for (const share of [0.1, 0.5]) {
      const [start, many] = rowsExposed(geometry, share);
      const least = (row: number): number => Math.min(...columns.map((column) => exposedBand(geometry, row, column).fraction));
      for (let row = 0; row < rows; row++) expect(least(row) >= share, `row ${row}`).toBe(row >= start && row < start + many);
    }
    const random = createRandom(1);
    for (let i = 0; i < 200; i++) {
      const [row, column] = [rows * random.uniform(), cells * random.uniform()];
      const { lowHz, highHz, fraction } = exposedBand(geometry, row, column);
      const [first, last] = seen(row, column);
      const range = axes.slantRangeMeters.start + column * axes.slantRangeMeters.step;
      const dopplerIn = (line: number): number => instantaneousDopplerHz(radar, range, (line - geometry.firstLine - row) / radar.prfHz);
      if (first > lines - 0.5 || last < -0.5) expect(fraction).toBe(0);
      else {
        expect(highHz).toBeCloseTo(dopplerIn(Math.max(first, -0.5)), 6);
        expect(lowHz).toBeCloseTo(dopplerIn(Math.min(last, lines - 0.5)), 6);
        expect(fraction).toBeCloseTo((highHz - lowHz) / processedHz, 9);
      }
    }
  });

  test.each(recordings.slice(0, 4))("the default length folds nothing of %s", async (_, given) => {
    // The satellite's long transform has 2¹⁶ rows. A few columns of it show what all would.
    const recorded = given === satellite ? { ...satellite, cells: 12 } : given;
    using device = await open(cpu());
    const random = createRandom(2);
    const params: RangeDopplerParams = { ...paramsOf(recorded), lines: Math.min(256, recorded.lines), precision: "f64" };
    const raw = Float64Array.from({ length: 2 * params.lines * params.samples }, () => random.gaussian());
    const make = async (more: Partial<RangeDopplerParams>) => {
      const program = rangeDoppler({ ...params, ...more, precision: "f64" });
      const { image } = await evaluate(program, device, { raw });
      return { image, geometry: program.geometry };
    };
    const whole = await make({});
    const { rows, cells, azimuthLength, exposure } = whole.geometry;
    expect(exposure.foldedRows).toBe(0);
    expect(azimuthLength).toBeGreaterThanOrEqual(exposure.unfoldedLength);
    expect(exposure.unfoldedLength).toBeGreaterThan(rows);
    // Rows and a long transform's first rows are the same, but for the far lobes of the azimuth filter's sharp edges.
    const long = await make({ azimuthLength: 8 * azimuthLength });
    expect(long.geometry).toMatchObject({ rows: 8 * azimuthLength, firstLine: whole.geometry.firstLine });
    const apart = (mine: Float64Array, theirs: Float64Array, at: number): number => {
      let [difference, energy] = [0, 0];
      for (let i = 0; i < mine.length; i++) {
        difference += (mine[i] - theirs[2 * at * cells + i]) ** 2;
        energy += theirs[2 * at * cells + i] ** 2;
      }
      return 10 * Math.log10(difference / energy);
    };
    expect(apart(whole.image, long.image, 0)).toBeLessThan(-35);
    // One length less than the rows, and rows at both ends hold each other's echoes.
    const folded = await make({ azimuthLength: Math.max(params.lines, Math.round(0.8 * rows)) });
    expect(folded.geometry.exposure.foldedRows).toBeGreaterThan(0);
    expect(apart(folded.image, long.image, folded.geometry.firstLine - whole.geometry.firstLine)).toBeGreaterThan(-20);
  });

  test.each([
    ["an aircraft", { ...airborne, lines: 900 }],
    ["a squinted beam", { ...squinted, lines: 900 }],
    ["a near swath", { ...near, lines: 512 }],
  ] as const)("rows: full crops the image of %s to the rows exposed in full", async (_, recorded) => {
    using device = await open(cpu());
    const random = createRandom(3);
    const params = paramsOf(recorded);
    const raw = Float32Array.from({ length: 2 * params.lines * params.samples }, () => random.gaussian());
    const all = rangeDoppler(params);
    const [from, count] = all.geometry.exposure.fullRows;
    expect(count).toBeGreaterThan(50);
    for (const azimuthLength of [undefined, all.geometry.azimuthLength]) {
      const full = rangeDoppler({ ...params, rows: "full", ...(azimuthLength && { azimuthLength }) });
      const { cells } = full.geometry;
      expect(full.geometry).toMatchObject({ rows: count, exposure: { fullRows: [0, count], foldedRows: 0 } });
      expect(full.axes.azimuthSeconds.count).toBe(count);
      expect(full.axes.azimuthSeconds.start).toBeCloseTo(all.axes.azimuthSeconds.start + from * all.axes.azimuthSeconds.step, 9);
      expect(full.geometry.azimuthLength).toBeLessThanOrEqual(all.geometry.azimuthLength);
      const { image } = await evaluate(full, device, { raw });
      expect(image).toHaveLength(2 * count * cells);
      const wanted = (await evaluate(all, device, { raw })).image.subarray(2 * from * cells, 2 * (from + count) * cells);
      let [difference, energy] = [0, 0];
      image.forEach((value, i) => {
        difference += (value - wanted[i]) ** 2;
        energy += wanted[i] ** 2;
      });
      expect(10 * Math.log10(difference / energy)).toBeLessThan(-35);
    }
  });

  test("a given length is the number of rows: the middle ones if it folds, with empty ones at the end if it is long", () => {
    const { lines, samples, radar } = scenePresets.default;
    const params = { radar, lines, samples, processedBandwidthHz: 110 };
    const whole = rangeDoppler(params).geometry;
    const exposed = whole.rows;
    expect(exposed).toBeGreaterThan(lines);
    const folded = rangeDoppler({ ...params, azimuthLength: lines }).geometry;
    expect(folded.rows).toBe(lines);
    expect(folded.exposure.foldedRows).toBe(exposed - lines);
    expect(folded.exposure.unfoldedLength).toBe(whole.exposure.unfoldedLength);
    expect(folded.firstLine - whole.firstLine).toBe(Math.round((exposed - lines) / 2));
    // The same slow times.
    expect(folded.firstLine + folded.exposure.fullRows[0]).toBe(whole.firstLine + whole.exposure.fullRows[0]);
    expect(folded.exposure.fullRows[1]).toBe(whole.exposure.fullRows[1]);
    const long = rangeDoppler({ ...params, azimuthLength: 2048 }).geometry;
    expect(long).toMatchObject({ rows: 2048, firstLine: whole.firstLine, exposure: { fullRows: whole.exposure.fullRows, foldedRows: 0 } });
    expect(exposedBand(long, exposed + 10, 0).fraction).toBe(0);
    // Broadside, rows of as many lines are the lines.
    expect(rangeDoppler({ ...params, radar: { ...radar, dopplerCentroidHz: 0 }, azimuthLength: lines }).geometry.firstLine).toBe(0);
  });

  test("refuses rows and apertures that make no image, and suggests a remedy", () => {
    const fails = (change: Partial<RangeDopplerParams>, field: string, message: RegExp): void => {
      expect(() => rangeDoppler({ ...paramsOf(satellite), ...change })).toThrowError(
        expect.objectContaining({
          code: "input",
          fields: expect.objectContaining({ field }),
          message: expect.stringMatching(message),
        }) as RadarError,
      );
    };
    fails({ rows: "some" as "all" }, "rows", /all or full/);
    fails({ rows: "full" }, "rows", /no row is exposed over the whole processed band in every column/);
    // Kilometres by mistake put an aperture of hours into a scene of half a second.
    const far = { ...satellite.radar, nearRangeMeters: 850e6 };
    fails({ radar: far, rcmc: "off" }, "azimuthLength", /given for 1000 lines that expose \d+ rows.*processedBandwidthHz/);
    expect(rangeDoppler({ ...paramsOf(satellite), radar: far, rcmc: "off", azimuthLength: 1024 }).geometry.exposure.foldedRows).toBe(1024);
  });
});
