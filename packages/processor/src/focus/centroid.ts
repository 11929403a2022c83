/**
 * Chooses the Doppler centroid for focusing and says why: from the setting, from the recording, or measured in the data by the sar
 * package. A measured centroid has a polynomial that says how it varies over the recording. A recording that is too large to be measured
 * as a whole is measured on blocks of it (centroid-blocks.ts).
 */
import { type Device, throwIfAborted } from "@dechirp/core";
import { runAbortable } from "@dechirp/core/internal";
import { chirpSamples } from "@dechirp/radar";
import {
  createDopplerGrid,
  type DopplerFit,
  type DopplerGrid,
  type DopplerPolynomial,
  dopplerAt,
  fitDopplerSteps,
  measureDopplerCentroid,
  rangeSpacingMeters,
  type UncentredParams,
} from "@dechirp/sar";
import type { Echoes, StripmapRecording } from "../recording.ts";
import type { UsedParameter } from "../used.ts";
import { measureInBlocks } from "./centroid-blocks.ts";
import type { CentroidOptions, ReadLines } from "./centroid-options.ts";
import { type DopplerFitReport, fitReport } from "./centroid-report.ts";
import type { Report } from "./report.ts";

/** How the centroid varies over a recording. */
export interface CentroidFit {
  /** The absolute Doppler centroid. */
  readonly polynomial: DopplerPolynomial;
  /** The absolute Doppler centroid at a line of the recording, for echoes that arrive from a slant range. */
  dopplerCentroidHz(line: number, slantRangeMeters: number): number;
  readonly report: DopplerFitReport;
}

export interface Centroid {
  readonly used: UsedParameter<number>;
  readonly estimate?: Report["dopplerEstimate"];
  /** Left out if the centroid was not measured, or if the data do not show one. */
  readonly fit?: CentroidFit;
  /** What may be wrong with the measured centroid, one sentence each. */
  readonly warnings: readonly string[];
}

/** Number of samples of a recording that is measured as a whole. */
export const mostWholeSamples = 2 ** 25;

/**
 * Chooses the Doppler centroid of a recording. `params` are those of the image to be made of all its lines. `readLines` is called only if
 * the centroid is measured: once for all lines if the recording has at most `wholeSamples` samples, else for the lines of blocks that are
 * spread over the recording, a few megabytes at a time. The `used` value is the centroid in the middle of the recording if blocks were
 * measured, and otherwise that of the recording as a whole. Throws what sar, the device and `readLines` throw.
 */
export async function chooseCentroid(
  { radar, sensor }: Pick<StripmapRecording, "radar" | "sensor">,
  params: UncentredParams,
  device: Device,
  readLines: ReadLines,
  options: CentroidOptions,
): Promise<Centroid> {
  const { wanted, signal, onStage, wholeSamples = mostWholeSamples } = options;
  if (typeof wanted === "number") return { used: { value: wanted, source: "option" }, warnings: [] };
  const stated = radar.dopplerCentroidHz;
  if (wanted === undefined && stated !== undefined)
    return { used: { value: stated, source: "scene", why: "the scene states it" }, warnings: [] };
  const presetHz = sensor?.dopplerCentroidHz ?? stated;
  const { lines, samples } = params;
  if (lines * samples <= wholeSamples) return measureWhole(params, device, await readLines(0, lines), presetHz, options);

  const grid = createDopplerGrid(params.radar, lines, samples);
  onStage?.("fraction");
  await addSpread(grid, params, readLines, signal);
  const fit = await fitGrid(grid, params, signal);
  const measured = await measureInBlocks(params, device, readLines, fit, presetHz, options);
  const { dopplerCentroidHz: value, source, why, warnings, ambiguities, turns } = measured;
  const centroidFit = fit && turns !== undefined ? centroidFitOf(fit, grid, params.radar.prfHz, turns) : undefined;
  return {
    used: { value, source, why },
    estimate: { ...(ambiguities && { ambiguities }), ...(centroidFit && { fit: centroidFit.report }) },
    ...(centroidFit && { fit: centroidFit }),
    warnings,
  };
}

async function measureWhole(
  params: UncentredParams,
  device: Device,
  raw: Echoes,
  presetHz: number | undefined,
  { signal, onStage }: CentroidOptions,
): Promise<Centroid> {
  const measured = await measureDopplerCentroid(params, device, raw, {
    ...(presetHz === undefined ? {} : { presetHz }),
    ...(signal ? { signal } : {}),
    ...(onStage ? { onProgress: ({ stage }) => onStage(stage) } : {}),
  });
  const { dopplerCentroidHz: value, source, why, fraction, estimate, image } = measured;
  const { lines, samples, lineGain } = params;
  const grid = createDopplerGrid(params.radar, lines, samples);
  await grid.add(0, { data: raw, lines, samples, ...(lineGain && { lineGain }) }, signal ? { signal } : {});
  const fit = await fitGrid(grid, params, signal);
  const { prfHz } = params.radar;
  const centroidFit = fit && centroidFitOf(fit, grid, prfHz, Math.round((value - fit.polynomial.hz) / prfHz));
  return {
    used: { value, source: source === "given" ? "option" : source, why },
    estimate: { raw: fraction, ambiguity: estimate, image, ...(centroidFit && { fit: centroidFit.report }) },
    ...(centroidFit && { fit: centroidFit }),
    warnings: [],
  };
}

/** Samples that are read at once. */
const pieceSamples = 2 ** 22;

/** Reads the blocks that the grid needs, piece by piece. */
async function addSpread(
  grid: DopplerGrid,
  { samples, lineGain }: UncentredParams,
  readLines: ReadLines,
  signal: AbortSignal | undefined,
): Promise<void> {
  const most = Math.max(1, Math.floor(pieceSamples / samples));
  for (const span of grid.spread) {
    const end = span.firstLine + span.lines;
    for (let from = span.firstLine; from < end; from += most) {
      throwIfAborted(signal, "the Doppler centroid");
      const count = Math.min(most, end - from);
      const data = await readLines(from, count);
      const gains = lineGain && Float64Array.from({ length: count }, (_, p) => lineGain[from + p]);
      await grid.add(from, { data, lines: count, samples, ...(gains && { lineGain: gains }) }, signal ? { signal } : {});
    }
  }
}

/** The fit of all estimates of a grid, about the middle of the recording. */
function fitGrid(
  grid: DopplerGrid,
  { radar, lines, samples }: UncentredParams,
  signal: AbortSignal | undefined,
): Promise<DopplerFit | undefined> {
  // The middle of the lines, and of the cells that a full pulse supports.
  const cells = Math.max(1, samples - chirpSamples(radar));
  const about = [(lines - 1) / 2, radar.nearRangeMeters + ((cells - 1) / 2) * rangeSpacingMeters(radar)] as const;
  return runAbortable(signal, "the Doppler centroid", fitDopplerSteps(grid.estimates(), radar.prfHz, { about }));
}

function centroidFitOf(fit: DopplerFit, grid: DopplerGrid, prfHz: number, turns: number): CentroidFit {
  const polynomial = { ...fit.polynomial, hz: fit.polynomial.hz + turns * prfHz };
  return {
    polynomial,
    dopplerCentroidHz: (line, slantRangeMeters) => dopplerAt(polynomial, line, slantRangeMeters),
    report: fitReport(fit, grid, polynomial, turns * prfHz),
  };
}
