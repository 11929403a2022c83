/** The fit of the Doppler centroid as plain data for a report: coefficients with units, how well they fit, and the table of estimates. */
import type { DopplerFit, DopplerGrid, DopplerPolynomial } from "@dechirp/sar";

/** A polynomial fitted to estimates of the Doppler centroid over a recording. */
export interface DopplerFitReport {
  /** The absolute centroid as a polynomial of line and slant range. */
  readonly polynomial: DopplerPolynomial;
  readonly standardErrors: DopplerFit["standardErrors"];
  /** Order of the polynomial along range, 0 to 2. */
  readonly rangeOrder: number;
  /** Order of the polynomial along azimuth, 0 or 1. */
  readonly azimuthOrder: number;
  /** Root mean square of estimate minus polynomial. */
  readonly residualRmsHz: number;
  /** The same in units of the standard deviations that the estimates state. */
  readonly residualRatio: number;
  /** Number of estimates that were used. */
  readonly used: number;
  /** Number of outliers. */
  readonly rejected: number;
  /** Number of estimates that do not differ from noise. */
  readonly unseen: number;
  /** Lines of a block. */
  readonly blockLines: number;
  /** Number of blocks in the recording. */
  readonly blocks: number;
  /** Number of blocks that were read. */
  readonly blocksRead: number;
  /** The estimates, rounded to 0.01 Hz. */
  readonly estimates: {
    /** Middle line of each block. */
    readonly lines: readonly number[];
    /** Mean slant range of each range section. */
    readonly slantRangeMeters: readonly number[];
    /** Absolute centroid, [block][section]. Null if the section does not differ from noise. */
    readonly hz: readonly (readonly (number | null)[])[];
    readonly standardDeviationHz: readonly (readonly (number | null)[])[];
    /** Pairs [block, section] of the outliers. */
    readonly rejected: readonly (readonly [block: number, section: number])[];
  };
}

const rounded = (value: number): number => Math.round(100 * value) / 100;

/** The report of a fit. `polynomial` is absolute; `offsetHz` is what makes unwrapped fractions absolute. */
export function fitReport(fit: DopplerFit, grid: DopplerGrid, polynomial: DopplerPolynomial, offsetHz: number): DopplerFitReport {
  const { standardErrors, rangeOrder, azimuthOrder, residualRmsHz, residualRatio, used, rejected, unseen, sections } = fit;
  const blocks = [...new Set(sections.map(({ block }) => block))];
  const rows = blocks.map((block) => sections.filter((one) => one.block === block));
  const seen = (value: number, use: string): number | null => (use === "unseen" ? null : rounded(value));
  return {
    polynomial,
    standardErrors,
    rangeOrder,
    azimuthOrder,
    residualRmsHz,
    residualRatio,
    used,
    rejected,
    unseen,
    blockLines: grid.blockLines,
    blocks: grid.blocks,
    blocksRead: blocks.length,
    estimates: {
      lines: rows.map(([{ line }]) => line),
      slantRangeMeters: rows[0].map(({ slantRangeMeters }) => rounded(slantRangeMeters)),
      hz: rows.map((row) => row.map(({ unwrappedHz, use }) => seen(unwrappedHz + offsetHz, use))),
      standardDeviationHz: rows.map((row) => row.map(({ standardDeviationHz, use }) => seen(standardDeviationHz, use))),
      rejected: rows.flatMap((row, block) => row.filter(({ use }) => use === "rejected").map(({ section }) => [block, section] as const)),
    },
  };
}
