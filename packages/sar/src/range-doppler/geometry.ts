/**
 * The plan of a range-Doppler image before any filter is made: transform lengths, Doppler frequency of every azimuth bin,
 * the migration of each row, the guard cells that it needs, and where the image lies in range and slow time. All float64.
 *
 * Image cell i lies at the beam-centre slant range near + i·δ, δ = c/(2Fr), hence at closest approach at (near + i·δ)·D₀,
 * D₀ = D(f_dc), where near is the range of the image's first cell. At Doppler f the same target lies at range R₀/D(f) (Cumming
 * & Wong eq. 6.25 region), that is (near/δ + i)·(D₀/D(f) − 1) cells beyond cell i.
 */

import { inputError, maxTransformLength, nextFastLength } from "@dechirp/core";
import { chirpSamples, type StripmapRadar, speedOfLight } from "@dechirp/radar";
import { interpolatorTaps } from "@dechirp/radar/interpolation";
import { azimuthRateHzPerSecond, checkRadar, maxDopplerHz, migrationFactor, rangeSpacingMeters } from "../radar.ts";
import { exposedLines, type ImageExposure, type RowSpan } from "./exposed-lines.ts";
import type { RangeDopplerParams } from "./params.ts";
import { nextPowerOfTwo } from "./spectrum.ts";

/** One axis of an image: sample i lies at start + i·step. */
export interface Axis {
  readonly count: number;
  /** Position of sample 0, in the axis' unit. */
  readonly start: number;
  /** Distance of neighbouring samples, in the axis' unit. */
  readonly step: number;
}

/** The axes of a range-Doppler image. */
export interface ImageAxes {
  /** Slow time of closest approach, seconds. */
  readonly azimuthSeconds: Axis;
  /** The same times the velocity: metres along track at the effective velocity. */
  readonly azimuthMeters: Axis;
  /** Slant range of closest approach, metres. */
  readonly slantRangeMeters: Axis;
}

/** Sizes and axes of a range-Doppler image, and the Doppler frequencies of its azimuth bins. */
export interface ImageGeometry {
  readonly radar: StripmapRadar;
  /** Recorded pulses. */
  readonly lines: number;
  /** Doppler band that is compressed, around the centroid. */
  readonly processedBandwidthHz: number;
  /** Range transform length. */
  readonly rangeLength: number;
  /** Azimuth transform length. */
  readonly azimuthLength: number;
  /** Rows of the image: at most the azimuth transform length. */
  readonly rows: number;
  /** Slow time of the first row, in lines from the first pulse: a whole number, negative for rows before it. */
  readonly firstLine: number;
  /** Which rows hold what the recorded lines show. */
  readonly exposure: ImageExposure;
  /** Columns of the image: range cells that a full pulse supports, less those that a short range transform needs for guards. */
  readonly cells: number;
  /** Range cell of the image's first column, counted from that of the first sample: 0, or the number of guard cells before it. */
  readonly firstCell: number;
  /** Compressed cells that are kept before and after the image's cells, for migration and interpolation. */
  readonly guard: readonly [before: number, after: number];
  /** Absolute Doppler frequency of every azimuth bin, within half a PRF of the centroid. */
  readonly dopplerHz: Float64Array;
  /** D(f) of every azimuth bin. */
  readonly migration: Float64Array;
  /** D(f_dc). */
  readonly reference: number;
  /** Slant range of closest approach at mid swath, metres. Filters are made for it. */
  readonly midRangeMeters: number;
  /** Slant range of closest approach at which a unit target has a unit peak, metres: mid swath of the whole image. */
  readonly gainRangeMeters: number;
  /** Rows to both sides over which the response to a point fades out in azimuth. */
  readonly fadingRows: number;
  readonly axes: ImageAxes;
}

/** What a block takes over from the image that it is a part of, so that all blocks fit together. */
export interface BlockFrame {
  /** Rows of the block: the first, in lines from the block's first line, and how many. */
  readonly rows: RowSpan;
  /** Guard cells before and after, as `guardCells` returns for the whole swath. */
  readonly guard: readonly [before: number, after: number];
  /** As in the whole image. */
  readonly gainRangeMeters: number;
  readonly fadingRows: number;
}

/** Where the spectrum of an image's targets lies. Point-target analysis needs it for squinted images. */
export interface ImageSpectrum {
  /** f_dc/PRF, including its whole cycles. */
  readonly azimuthCentreCyclesPerSample: number;
  /** (2f₀δD₀/c)·(D₀ − 1), including its whole cycles: 0 at broadside. */
  readonly rangeCentreCyclesPerSample: number;
  /** Rows per column along which the range side lobes run. */
  readonly rangeCutRowsPerColumn: number;
}

/**
 * Where the spectrum of targets lies in an image of `radar`. Azimuth compression rotates image cell i of Doppler f by
 * (2f₀δD₀/c)·(D(f) − 1) cycles a cell, so that a target keeps its
 * phase −4πR₀/λ. The range spectrum is shifted by as much, for some Doppler frequencies more than for others. The support
 * is a parallelogram, and the side lobes are at right angles to its sides.
 */
export function imageSpectrum(radar: StripmapRadar): ImageSpectrum {
  const { dopplerCentroidHz, prfHz } = radar;
  const reference = migrationFactor(radar, dopplerCentroidHz);
  const cyclesPerCell = (2 * radar.carrierHz * rangeSpacingMeters(radar) * reference) / speedOfLight;
  // dD/df at the centroid.
  const slope = -dopplerCentroidHz / (maxDopplerHz(radar) ** 2 * reference);
  return {
    azimuthCentreCyclesPerSample: dopplerCentroidHz / prfHz,
    rangeCentreCyclesPerSample: cyclesPerCell * (reference - 1),
    rangeCutRowsPerColumn: -cyclesPerCell * slope * prfHz,
  };
}

/**
 * The plan of an image, or of the block of an image that `frame` is given for. Throws `input`, naming the field, if no image can be made
 * with the parameters.
 */
export function imageGeometry(params: RangeDopplerParams, frame?: BlockFrame): ImageGeometry {
  const { radar, lines, samples } = params;
  checkRadar(radar);
  for (const [field, value] of Object.entries({ lines, samples })) {
    if (!Number.isInteger(value) || value < 1 || value > maxTransformLength)
      throw inputError(field, `an integer from 1 to ${maxTransformLength}`, value);
  }
  const pulse = chirpSamples(radar);
  const exposed = samples - pulse + 1;
  if (exposed < 1) throw inputError("samples", `at least the ${pulse} samples of a pulse`, samples);
  const processedBandwidthHz = params.processedBandwidthHz ?? radar.prfHz;
  if (!(processedBandwidthHz > 0 && processedBandwidthHz <= radar.prfHz))
    throw inputError("processedBandwidthHz", `positive and at most the PRF of ${radar.prfHz} Hz`, processedBandwidthHz);
  for (const f of [-0.5, 0.5].map((edge) => radar.dopplerCentroidHz + edge * radar.prfHz)) {
    if (!(migrationFactor(radar, f) > 0.05))
      throw inputError("radar.prfHz", `such that the Doppler band stays well below 2V/λ; it holds ${f} Hz`, radar.prfHz);
  }
  const reference = migrationFactor(radar, radar.dopplerCentroidHz);
  const spacing = rangeSpacingMeters(radar);
  const edgesMeters = [0, exposed - 1].map((cell) => (radar.nearRangeMeters + cell * spacing) * reference);
  const fadingRows = frame?.fadingRows ?? fadingRowsOf(radar, edgesMeters[1]);
  const { azimuthLength, ...placed } = placeRows(params, processedBandwidthHz, edgesMeters as [number, number], fadingRows, frame?.rows);
  if (processedBandwidthHz < radar.prfHz / azimuthLength)
    throw inputError(
      "processedBandwidthHz",
      `at least ${radar.prfHz / azimuthLength} Hz, the spacing of Doppler frequencies`,
      processedBandwidthHz,
    );

  // Plain loops over typed arrays: there may be a million rows, and nothing else can run meanwhile.
  const dopplerHz = new Float64Array(azimuthLength);
  const migration = new Float64Array(azimuthLength);
  for (let k = 0; k < azimuthLength; k++) {
    const baseband = (k * radar.prfHz) / azimuthLength;
    dopplerHz[k] = baseband + radar.prfHz * Math.round((radar.dopplerCentroidHz - baseband) / radar.prfHz);
    migration[k] = migrationFactor(radar, dopplerHz[k]);
  }
  const farCell = radar.nearRangeMeters / spacing + exposed - 1;
  let [nearest, farthest] = [0, 0];
  for (let k = 0; params.rcmc !== "off" && k < azimuthLength; k++) {
    const cells = farCell * (reference / migration[k] - 1);
    nearest = Math.min(nearest, cells);
    farthest = Math.max(farthest, cells);
  }
  const [near, far] = frame?.guard ?? guardOf(params, nearest, farthest);
  const { cells, firstCell, guard, rangeLength } = rangeCells(params, exposed, near, far);

  const nearMeters = (radar.nearRangeMeters + firstCell * spacing) * reference;
  const midRangeMeters = nearMeters + ((cells - 1) / 2) * spacing * reference;
  const start = (radar.startSeconds ?? 0) + placed.firstLine / radar.prfHz;
  const azimuthSeconds: Axis = { count: placed.rows, start, step: 1 / radar.prfHz };
  const v = radar.velocityMetersPerSecond;
  return {
    radar,
    lines,
    processedBandwidthHz,
    rangeLength,
    azimuthLength,
    ...placed,
    cells,
    firstCell,
    guard,
    dopplerHz,
    migration,
    reference,
    midRangeMeters,
    gainRangeMeters: frame?.gainRangeMeters ?? midRangeMeters,
    fadingRows,
    axes: {
      azimuthSeconds,
      azimuthMeters: { count: placed.rows, start: start * v, step: v / radar.prfHz },
      slantRangeMeters: { count: cells, start: nearMeters, step: spacing * reference },
    },
  };
}

/** Guard cells for migration from `nearest` to `farthest` cells beyond an image cell, and for the interpolator. Throws `input`. */
function guardOf(
  { radar, samples, rcmc }: RangeDopplerParams,
  nearest: number,
  farthest: number,
): readonly [before: number, after: number] {
  const taps = rcmc === "off" ? 0 : interpolatorTaps(rcmc ?? "nearest");
  const [near, far] = [taps / 2 + Math.ceil(-nearest), taps / 2 + Math.ceil(farthest)];
  const most = 4 * samples;
  if (near + far + 3 > most) throw inputError("radar.prfHz", `low enough that no target migrates by more than ${most} cells`, radar.prfHz);
  return [near, far];
}

/**
 * The guard cells that any image with these parameters needs, whatever its azimuth transform length is: those of the band's edges and of
 * zero Doppler.
 */
export function guardCells(params: RangeDopplerParams): readonly [before: number, after: number] {
  const { radar, samples, rcmc } = params;
  const farCell = radar.nearRangeMeters / rangeSpacingMeters(radar) + samples - chirpSamples(radar);
  const reference = migrationFactor(radar, radar.dopplerCentroidHz);
  const [from, to] = [-0.5, 0.5].map((side) => radar.dopplerCentroidHz + side * radar.prfHz);
  const frequencies = rcmc === "off" ? [] : [from, to, Math.min(to, Math.max(from, 0))];
  const cells = frequencies.map((f) => farCell * (reference / migrationFactor(radar, f) - 1));
  return guardOf(params, Math.min(0, ...cells), Math.max(0, ...cells));
}

/**
 * The default azimuth transform is at most this long, or this many times as long as the lines. Otherwise parameters must be wrong, and
 * memory would run out.
 */
const longestDefault = [2 ** 17, 64] as const;

/**
 * Which rows the image has, and the transform that makes them. Rows lie at the slow times of lines: from the first to the last that
 * the lines expose in part, in the order of slow time, or only those that they expose in full. An azimuth transform of the default
 * length holds them all, and as many more lines as the azimuth filter needs to fade out. If the length of the transform is given, all its
 * rows
 * are rows of the image. If it is shorter than the exposed rows, the image has those in the middle, and the others are folded into them. If
 * it is
 * longer, empty rows follow.
 */
function placeRows(
  { radar, lines, azimuthLength: given, rows: kept = "all" }: RangeDopplerParams,
  processedBandwidthHz: number,
  rangesMeters: readonly [near: number, far: number],
  fading: number,
  block?: RowSpan,
): Pick<ImageGeometry, "azimuthLength" | "rows" | "firstLine" | "exposure"> {
  if (kept !== "all" && kept !== "full") throw inputError("rows", "all or full", kept);
  const { part, full } = exposedLines(radar, lines, processedBandwidthHz, rangesMeters);
  if (kept === "full" && full[1] === 0) {
    const needed = part[1] - lines;
    throw inputError(
      "rows",
      `all, because no row is exposed over the whole processed band in every column, which needs more than ${needed} lines`,
      kept,
    );
  }
  const unfolded = part[1] + fading;
  // Rows that are exposed in full never fold if the transform holds the lines.
  const needed = kept === "full" ? lines + fading : unfolded;
  const most = Math.min(maxTransformLength, Math.max(longestDefault[0], longestDefault[1] * lines));
  if (given === undefined && !(needed <= most)) {
    throw inputError(
      "azimuthLength",
      `given for ${lines} lines that expose ${part[1]} rows, more than ${most}; a narrower processedBandwidthHz takes less`,
      given,
    );
  }
  const azimuthLength = given ?? fastLength(needed);
  if (!Number.isInteger(azimuthLength) || azimuthLength < lines || azimuthLength > maxTransformLength)
    throw inputError("azimuthLength", `an integer of at least ${lines}, the lines, and at most ${maxTransformLength}`, azimuthLength);
  const outside = Math.max(0, part[1] - azimuthLength);
  const middle = part[0] + Math.round(outside / 2);
  const [firstLine, rows] = block ?? (kept === "full" ? full : [middle, given ?? part[1]]);
  return {
    azimuthLength,
    rows,
    firstLine,
    exposure: {
      fullRows: [full[1] === 0 ? 0 : full[0] - firstLine, full[1]],
      exposedRows: [0, Math.min(rows, part[1])],
      foldedRows: kept === "full" ? 0 : Math.min(azimuthLength, outside),
      unfoldedLength: unfolded <= maxTransformLength ? fastLength(unfolded) : unfolded,
    },
  };
}

/** The azimuth response fades out over this many units of 1/√Ka, in which a chirp's spectrum settles (Fresnel integrals). */
const fadingUnits = 5;

/** Rows over which the response at a range fades out. */
const fadingRowsOf = (radar: StripmapRadar, rangeMeters: number): number =>
  Math.ceil((fadingUnits * radar.prfHz) / Math.sqrt(azimuthRateHzPerSecond(radar, rangeMeters, radar.dopplerCentroidHz)));

/** All backends are fastest with whole tiles of columns and radices of 4 and 16. */
export const fastLength = (n: number): number => 16 * nextFastLength(Math.ceil(n / 16));

/**
 * Divides `exposed` range cells and the guards that migration and interpolation need into columns. If the transform holds
 * both, the guards lie outside the exposed cells; otherwise inside, and nothing that wraps round is kept. Columns come in whole tiles of
 * four, which a GPU reads at once.
 */
function rangeCells(
  { samples, rangeLength }: RangeDopplerParams,
  exposed: number,
  near: number,
  far: number,
): Pick<ImageGeometry, "cells" | "firstCell" | "guard" | "rangeLength"> {
  const guard = [near, far + (-(near + exposed + far) & 3)] as const;
  const padded = samples + guard[0] + guard[1];
  const length = rangeLength ?? nextPowerOfTwo(padded);
  if (!Number.isInteger(length) || length < samples || length > maxTransformLength)
    throw inputError("rangeLength", `an integer from ${samples} to ${maxTransformLength}`, length);
  if (length >= padded) return { cells: exposed, firstCell: 0, guard, rangeLength: length };
  // Both the columns of the image and those with guards come in whole tiles.
  const cells = (exposed - near - far - (-(near + far) & 3)) & ~3;
  if (cells < 4)
    throw inputError("rangeLength", `at least ${padded}, because ${exposed} cells are too few for ${near + far} guard cells`, length);
  return { cells, firstCell: near, guard: [near, far + (-(near + cells + far) & 3)], rangeLength: length };
}
