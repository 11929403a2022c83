/**
 * Measures the Doppler centroid of a block of raw data by focusing it. Raw data mix targets that the beam has
 * seen in full with targets at the ends of the block, seen in part: bright ones of the latter pull an estimate from raw data
 * towards the part that was seen. So raw data give a first fraction (doppler.ts), range-compressed data give the ambiguity, and a first
 * image with a flat azimuth window gives the final fraction. Lines of full exposure in that image hold only targets seen in full, whose
 * azimuth spectrum is the antenna pattern around the centroid, whatever the first estimate was (Cumming & Wong section
 * 12.4 applied to single-look complex data).
 */

import { createPause, type Device, evaluate, type Pause, type ProgramRunOptions, runInPieces, type TypedArrayOf } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";
import type { StripmapRadar } from "@dechirp/radar";
import {
  ambiguitySteps,
  type DopplerAmbiguity,
  type DopplerFraction,
  fractionSteps,
  type ResolvedDoppler,
  resolveSteps,
} from "../doppler.ts";
import { lookLags } from "../doppler-absolute.ts";
import type { ComplexLines } from "../lines.ts";
import { sumPairs } from "../pair-sums.ts";
import { exposedLines } from "./exposed-lines.ts";
import { type ImageGeometry, imageGeometry } from "./geometry.ts";
import type { RangeDopplerParams } from "./params.ts";
import { type RangeDopplerProgram, rangeCompression, rangeDopplerSteps } from "./program.ts";

/** A Doppler centroid measured from raw echoes. */
export interface MeasuredDoppler extends ResolvedDoppler {
  /** Fraction from the fully exposed lines of a first image, if there are enough of them. */
  readonly image?: DopplerFraction;
}

/** Options of `measureDopplerCentroid`. */
export interface MeasureDopplerOptions extends Pick<ProgramRunOptions, "signal" | "onProgress"> {
  /** An approximate absolute centroid, from orbit and attitude or from a sensor's preset. It decides the ambiguity if the data cannot. */
  readonly presetHz?: number;
}

/** Parameters of the image to be made, without the centroid. */
export type UncentredParams = Omit<RangeDopplerParams, "radar"> & { readonly radar: Omit<StripmapRadar, "dopplerCentroidHz"> };

/** Smallest number of fully exposed lines that an estimate is made from. */
const fewestLines = 48;

/**
 * Measures the Doppler centroid of `raw` [lines][samples], which the program of the image takes. Resolves with the centroid, how it was
 * found and why. Rejects with `input` if no image can be made with the parameters, and with what `device` throws.
 */
export async function measureDopplerCentroid(
  params: UncentredParams,
  device: Device,
  raw: TypedArrayOf<"c64" | "c128" | "ci8" | "ci16">,
  options: MeasureDopplerOptions = {},
): Promise<MeasuredDoppler> {
  checkObject(params, "params", "input");
  checkObject(options, "options", "input");
  const { presetHz, ...run } = options;
  const pause = createPause("the Doppler centroid", run.signal);
  const { lines, samples, lineGain } = params;
  const centred = (dopplerCentroidHz: number, more: Partial<RangeDopplerParams> = {}): Promise<RangeDopplerProgram> =>
    runInPieces(rangeDopplerSteps({ ...params, storage: "f32", ...more, radar: { ...params.radar, dopplerCentroidHz } }), pause);

  const rawLines: ComplexLines = { data: raw, lines, samples, ...(lineGain && { lineGain }) };
  const compressed = await compress(params, device, raw, run, pause);
  const resolving = { compressed, ...(presetHz !== undefined && { presetHz }) };
  const sums = await sumPairs(rawLines, params.rawType ?? "c64", lookLags, device, run);
  const first = await runInPieces(resolveSteps(rawLines, params.radar, resolving, sums), pause);
  if (first.fraction === undefined || !["data", "data+preset", "fraction"].includes(first.source)) return first;

  const radar = { ...params.radar, dopplerCentroidHz: first.dopplerCentroidHz };
  const recorded = imageGeometry({ ...params, rows: "all", azimuthLength: lines, radar });
  const [starts, count] = await runInPieces(fullLines(recorded), pause);
  if (count < fewestLines) return { ...first, why: `${first.why}; no image line has full exposure to refine it on` };
  // All Doppler frequencies have equal weight: a band around the first estimate would pull the second towards it.
  const flat = { azimuthWindow: { kind: "rect" }, processedBandwidthHz: params.radar.prfHz, rows: "all" } as const;
  const program = await centred(first.dopplerCentroidHz, flat);
  const { image } = await evaluate(program, device, { raw }, run);
  const { cells, rows, firstLine } = program.geometry;
  const interior = image.slice(0, 2 * count * cells);
  for (let line = 0; line < count; line++) {
    await pause();
    copyShifted(image, rows, cells, starts, line - firstLine, interior.subarray(2 * line * cells));
  }
  const refined = await runInPieces(fractionSteps({ data: interior, lines: count, samples: cells }, params.radar.prfHz), pause);
  const { prfHz } = params.radar;
  const turn = refined.fractionHz - first.fractionHz;
  const shift = turn - prfHz * Math.round(turn / prfHz);
  if (!(refined.standardErrorHz <= prfHz / 8) || Math.abs(shift) > prfHz / 4) {
    return { ...first, image: refined, why: `${first.why}; a first image gives no better fraction` };
  }
  const dopplerCentroidHz = first.dopplerCentroidHz + shift;
  const ambiguity = Math.round((dopplerCentroidHz - refined.fractionHz) / prfHz);
  return {
    ...first,
    dopplerCentroidHz,
    fractionHz: refined.fractionHz,
    ambiguity,
    image: refined,
    why: `${first.why}; moved by ${shift.toFixed(0)} Hz on the ${count} fully exposed lines of a first image`,
  };
}

/** Copies the pixel of row `starts[column] + offset` of every column of an image. Rows of a given azimuth length repeat. */
function copyShifted(
  image: ArrayLike<number>,
  rows: number,
  cells: number,
  starts: readonly number[],
  offset: number,
  line: Float32Array | Float64Array,
): void {
  for (let column = 0; column < cells; column++) {
    const row = starts[column] + offset;
    const from = 2 * ((row - rows * Math.floor(row / rows)) * cells + column);
    line[2 * column] = image[from];
    line[2 * column + 1] = image[from + 1];
  }
}

/**
 * Estimates the ambiguity of a block of raw lines, whose fraction is known: by range looks on the raw lines, and by range walk on the
 * lines after range compression on the device. Rejects with `input` if the parameters make no image, and with what `device` throws.
 */
export async function measureDopplerAmbiguity(
  params: UncentredParams,
  device: Device,
  raw: TypedArrayOf<"c64" | "c128" | "ci8" | "ci16">,
  fractionHz: number,
  options: Pick<ProgramRunOptions, "signal" | "onProgress"> = {},
): Promise<DopplerAmbiguity> {
  checkObject(params, "params", "input");
  checkObject(options, "options", "input");
  const pause = createPause("the Doppler ambiguity", options.signal);
  const { lines, samples, lineGain } = params;
  const compressed = await compress(params, device, raw, options, pause);
  const rawLines: ComplexLines = { data: raw, lines, samples, ...(lineGain && { lineGain }) };
  const sums = await sumPairs(rawLines, params.rawType ?? "c64", lookLags, device, options);
  return runInPieces(ambiguitySteps({ raw: rawLines, compressed }, params.radar, fractionHz, sums), pause);
}

/** Range-compresses raw lines without correcting their migration. */
async function compress(
  params: UncentredParams,
  device: Device,
  raw: TypedArrayOf<"c64" | "c128" | "ci8" | "ci16">,
  run: Pick<ProgramRunOptions, "signal" | "onProgress">,
  pause: Pause,
): Promise<ComplexLines> {
  const { lines } = params;
  const program = rangeCompression({ ...params, radar: { ...params.radar, dopplerCentroidHz: 0 } });
  await pause();
  const { compressed } = (await evaluate(program, device, { raw }, run)) as { readonly compressed: Float32Array };
  return { data: compressed, lines, samples: compressed.length / (2 * lines) };
}

/**
 * For every column, the first row that is exposed in full, as a line from the first pulse; and the number of rows that all columns have
 * from
 * there on. Squint moves these rows with range, so that few or none may be rows of all columns.
 */
function* fullLines({
  radar,
  lines,
  processedBandwidthHz,
  cells,
  axes,
}: ImageGeometry): Generator<void, readonly [starts: readonly number[], count: number]> {
  const { start, step } = axes.slantRangeMeters;
  const spans: (readonly [first: number, count: number])[] = [];
  for (let column = 0; column < cells; column++) {
    const range = start + column * step;
    spans.push(exposedLines(radar, lines, processedBandwidthHz, [range, range]).full);
    yield;
  }
  return [spans.map(([first]) => first), spans.reduce((fewest, [, count]) => Math.min(fewest, count), lines)];
}
