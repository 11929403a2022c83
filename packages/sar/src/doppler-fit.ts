/**
 * Fits a polynomial of low order in azimuth and range to Doppler estimates of a grid: unwraps them, chooses the order, and leaves out
 * outliers. All in float64. doppler-grid.ts makes the estimates.
 */

import { inputError } from "@dechirp/core";
import { checkObject, runToEnd } from "@dechirp/core/internal";
import type { DopplerSection } from "./doppler-grid.ts";

/** A Doppler centroid that varies with line and slant range, as a polynomial about the middle of the recording. */
export interface DopplerPolynomial {
  /** The line about which the polynomial is written. */
  readonly line: number;
  /** The slant range about which the polynomial is written. */
  readonly slantRangeMeters: number;
  /** The centroid there. */
  readonly hz: number;
  readonly hzPerLine: number;
  readonly hzPerMeter: number;
  /** Factor of the square of the difference in slant range. */
  readonly hzPerSquareMeter: number;
}

/** What became of an estimate in the fit. `unseen`: it does not differ from noise; `rejected`: an outlier. */
export type DopplerSectionUse = "used" | "rejected" | "unseen";

/** A polynomial fitted to estimates of the fractional centroid. */
export interface DopplerFit {
  /** The centroid modulo PRF; in −PRF/2 … PRF/2 in the middle, and continuous from there. */
  readonly polynomial: DopplerPolynomial;
  /** Standard errors of the four coefficients. 0 for those that are not in the polynomial. */
  readonly standardErrors: Pick<DopplerPolynomial, "hz" | "hzPerLine" | "hzPerMeter" | "hzPerSquareMeter">;
  /** Orders of the polynomial. */
  readonly rangeOrder: 0 | 1 | 2;
  readonly azimuthOrder: 0 | 1;
  /** Root mean square of estimate minus polynomial, over the estimates that were used. */
  readonly residualRmsHz: number;
  /** Root mean square of the same differences in units of their standard deviations: near 1 if the polynomial is all there is. */
  readonly residualRatio: number;
  /** Number of estimates that were used. */
  readonly used: number;
  /** Number of outliers. */
  readonly rejected: number;
  /** Number of estimates that do not differ from noise. */
  readonly unseen: number;
  /** The estimates, unwrapped, and what became of them. */
  readonly sections: readonly (DopplerSection & { readonly unwrappedHz: number; readonly use: DopplerSectionUse })[];
}

/** The value of a Doppler polynomial at a line and slant range. */
export function dopplerAt(polynomial: DopplerPolynomial, line: number, slantRangeMeters: number): number {
  const range = slantRangeMeters - polynomial.slantRangeMeters;
  const { hz, hzPerLine, hzPerMeter, hzPerSquareMeter } = polynomial;
  return hz + hzPerLine * (line - polynomial.line) + (hzPerMeter + hzPerSquareMeter * range) * range;
}

/** Options of `fitDoppler`. */
export interface FitDopplerOptions {
  /** The line and the slant range about which the polynomial is written. Default: the middle of the estimates. */
  readonly about?: readonly [line: number, slantRangeMeters: number];
}

/** An estimate in the fit. Line and range are scaled to −1 … 1. */
interface Point {
  readonly from: DopplerSection;
  readonly line: number;
  readonly range: number;
  /** Standard deviation, with a floor. */
  readonly deviation: number;
  hz: number;
}

/** Powers of line and range, in the order of the terms of a fit. */
const terms = [
  [0, 0],
  [1, 0],
  [0, 1],
  [0, 2],
] as const;
/** Constant of Tukey's biweight, for 95 % efficiency on normal residuals (Holland & Welsch 1977). */
const tukey = 4.685;
/** Σwr²/Σw of normal residuals of variance 1 with the weights of the biweight: (1 − 6/c² + 15/c⁴)/(1 − 2/c² + 3/c⁴). */
const tukeySquare = (1 - 6 / tukey ** 2 + 15 / tukey ** 4) / (1 - 2 / tukey ** 2 + 3 / tukey ** 4);
const most = 2 ** 13;

/**
 * Fits a polynomial to estimates of the fractional centroid at a PRF. Returns undefined if fewer than three of them, or fewer than a
 * tenth, differ from noise (or if the only one or two do not).
 *
 * Estimates are unwrapped along the spanning tree of least phase differences between neighbours on the grid, so neighbours must differ
 * by less than half a PRF; outliers become leaves of the tree and mislead no others. The polynomial is constant, linear or quadratic in
 * range, and constant or linear in azimuth. The fit is weighted by the standard deviations and robust: iteratively reweighted with
 * Tukey's biweight from a fit of least absolute deviations. The order is found by elimination from the full polynomial: a term stays if
 * Student's test finds it significant at 0.1 % (the same as an F-test of one term). The azimuth term needs three blocks, the range terms
 * three and five sections. If residuals exceed the standard deviations, all standard errors grow in proportion. If the means of blocks
 * scatter more than estimates within them (a bright target moves all sections of a block), the means take the place of the estimates in
 * test and standard error of the azimuth term, and likewise the means of sections for range terms. Throws `input`.
 */
export const fitDoppler = (sections: readonly DopplerSection[], prfHz: number, options: FitDopplerOptions = {}): DopplerFit | undefined =>
  runToEnd(fitDopplerSteps(sections, prfHz, options));

/** `fitDoppler` in pieces. */
export function* fitDopplerSteps(
  sections: readonly DopplerSection[],
  prfHz: number,
  options: FitDopplerOptions = {},
): Generator<void, DopplerFit | undefined> {
  check(sections, prfHz, options);
  const seen = sections.filter(({ standardDeviationHz }) => standardDeviationHz <= prfHz / 8);
  if (seen.length < Math.max(Math.min(3, sections.length), sections.length / 10) || seen.length === 0) return undefined;
  const lines = spanOf(sections.map(({ line }) => line));
  const ranges = spanOf(sections.map(({ slantRangeMeters }) => slantRangeMeters));
  const floor = 0.25 * median(seen.map(({ standardDeviationHz }) => standardDeviationHz));
  const points = seen.map(
    (from): Point => ({
      from,
      line: (from.line - lines.middle) / lines.half,
      range: (from.slantRangeMeters - ranges.middle) / ranges.half,
      deviation: Math.max(from.standardDeviationHz, floor),
      hz: from.fractionHz,
    }),
  );
  yield* unwrap(points, prfHz);

  const blocks = new Set(seen.map(({ block }) => block)).size;
  const columns = new Set(seen.map(({ section }) => section)).size;
  const possible = terms.filter(([line, range]) => (line === 0 || blocks >= 3) && (range === 0 || columns >= 2 * range + 1));
  // An outlier may have been unwrapped to the wrong side: every estimate goes to the turn that is nearest the polynomial.
  const rough = robust(points, possible);
  for (const point of points) point.hz -= prfHz * Math.round((point.hz - valueAt(rough, point)) / prfHz);
  yield;
  let fit = robust(points, possible);
  for (const drop of ["0,2", "1,0", "0,1"]) {
    const kept = fit.terms.filter((term) => String(term) !== drop);
    const index = fit.terms.findIndex((term) => String(term) === drop);
    // A quadratic polynomial keeps its linear term.
    if (index < 0 || (drop === "0,1" && fit.terms.some(([, range]) => range === 2))) continue;
    const { errors, freedoms, values } = fit;
    if (!(freedoms[index] >= 3 && Math.abs(values[index]) / errors[index] > studentQuantile(freedoms[index]))) fit = robust(points, kept);
    yield;
  }
  return resultOf(sections, points, fit, prfHz, lines, ranges, options);
}

function check(sections: readonly DopplerSection[], prfHz: number, options: FitDopplerOptions): void {
  checkObject(options, "options", "input");
  const given: unknown = sections;
  if (!(Array.isArray(given) && sections.length <= most)) throw inputError("sections", `a list of at most ${most} estimates`, sections);
  if (!Number.isFinite(prfHz) || prfHz <= 0) throw inputError("prfHz", "a positive number", prfHz);
  sections.forEach((section, i) => {
    checkObject(section, `sections[${i}]`, "input");
    for (const name of ["block", "section", "line", "slantRangeMeters", "fractionHz"] as const)
      if (!Number.isFinite(section[name])) throw inputError(`sections[${i}].${name}`, "a finite number", section[name]);
    if (!(section.standardDeviationHz >= 0))
      throw inputError(`sections[${i}].standardDeviationHz`, "a number from 0", section.standardDeviationHz);
  });
  const { about } = options;
  if (about !== undefined && !(Array.isArray(about) && about.length === 2 && about.every((value) => Number.isFinite(value))))
    throw inputError("options.about", "a line and a slant range", about);
}

interface Span {
  readonly middle: number;
  readonly half: number;
}

function spanOf(values: readonly number[]): Span {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return { middle: (low + high) / 2, half: high > low ? (high - low) / 2 : 1 };
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
}

/** Prim's algorithm. Near neighbours come first; among equally near ones, those that differ least. */
function* unwrap(points: readonly Point[], prfHz: number): Generator<void, void> {
  // Blocks may be spread over the recording: neighbours are those next to each other among the blocks that are there.
  const ranks = new Map([...new Set(points.map(({ from }) => from.block))].sort((a, b) => a - b).map((block, rank) => [block, rank]));
  const row = points.map(({ from }) => ranks.get(from.block) ?? 0);
  const cost = new Float64Array(points.length).fill(Infinity);
  const parent = new Int32Array(points.length).fill(-1);
  const reached = new Uint8Array(points.length);
  let next = points.reduce((best, { deviation }, i) => (deviation < points[best].deviation ? i : best), 0);
  for (let count = 0; count < points.length; count++) {
    const here = next;
    const from = parent[here];
    reached[here] = 1;
    if (from >= 0) points[here].hz -= prfHz * Math.round((points[here].hz - points[from].hz) / prfHz);
    next = -1;
    for (let j = 0; j < points.length; j++) {
      if (reached[j] === 1) continue;
      const apart = Math.abs(row[here] - row[j]) + Math.abs(points[here].from.section - points[j].from.section);
      const turn = (points[here].from.fractionHz - points[j].from.fractionHz) / prfHz;
      const distance = apart + Math.abs(turn - Math.round(turn));
      if (distance < cost[j]) [cost[j], parent[j]] = [distance, here];
      if (next < 0 || cost[j] < cost[next]) next = j;
    }
    if (count % 64 === 0) yield;
  }
}

type Term = (typeof terms)[number];

interface Solved {
  readonly terms: readonly Term[];
  /** Coefficients for scaled lines and ranges, their standard errors, and the degrees of freedom of these errors. */
  readonly values: readonly number[];
  readonly errors: readonly number[];
  readonly freedoms: readonly number[];
  /** Inverse of the normal equations times the variance of a unit weight. */
  readonly covariance: readonly (readonly number[])[];
  /** Residuals' root mean square in standard deviations. */
  readonly ratio: number;
  /** Weights by Tukey's biweight, by point. */
  readonly weights: readonly number[];
}

const termOf = ([line, range]: Term, point: Point): number => point.line ** line * point.range ** range;
const valueAt = ({ terms: used, values }: Pick<Solved, "terms" | "values">, point: Point): number =>
  used.reduce((sum, term, k) => sum + values[k] * termOf(term, point), 0);

/** Iteratively reweighted least squares. */
function robust(points: readonly Point[], used: readonly Term[]): Solved {
  let weights = points.map(() => 1);
  let solved = leastSquares(points, used, weights);
  const scores = (): number[] =>
    points.map((point) => (point.hz - valueAt({ terms: used, values: solved.values }, point)) / point.deviation);
  const reweight = (weightOf: (score: number) => number): boolean => {
    const before = solved.values;
    weights = scores().map(weightOf);
    solved = leastSquares(points, used, weights);
    return solved.values.every((value, k) => Math.abs(value - before[k]) < 1e-6 * points[0].deviation);
  };
  for (let pass = 0; pass < 12 && !reweight((u) => 1 / Math.max(Math.abs(u), 0.1)); pass++);
  // The spread of the bulk in standard deviations, at least 1. It stays fixed, so that the weights converge.
  const spread = Math.max(1, 1.4826 * median(scores().map(Math.abs)));
  for (let pass = 0; pass < 50 && !reweight((u) => Math.max(0, 1 - (u / (tukey * spread)) ** 2) ** 2); pass++);
  return withErrors(points, { terms: used, values: solved.values, weights }, solved.inverse);
}

interface LeastSquares {
  readonly values: readonly number[];
  /** Inverse of the normal equations. */
  readonly inverse: readonly (readonly number[])[];
}

function leastSquares(points: readonly Point[], used: readonly Term[], weights: readonly number[]): LeastSquares {
  const n = used.length;
  // The normal equations next to the identity, which elimination turns into their inverse.
  const rows = used.map((_, i) => Array.from({ length: 2 * n + 1 }, (_unused, j) => (j === n + 1 + i ? 1 : 0)));
  points.forEach((point, k) => {
    const basis = used.map((term) => termOf(term, point));
    const weight = weights[k] / point.deviation ** 2;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) rows[i][j] += weight * basis[i] * basis[j];
      rows[i][n] += weight * basis[i] * point.hz;
    }
  });
  eliminate(rows);
  return { values: rows.map((row) => row[n]), inverse: rows.map((row) => row.slice(n + 1)) };
}

/** Adds standard errors to a fit, from the scatter of its residuals. */
function withErrors(points: readonly Point[], fit: Pick<Solved, "terms" | "values" | "weights">, inverse: LeastSquares["inverse"]): Solved {
  const { terms: used, weights } = fit;
  const squares = points.reduce((sum, point, k) => sum + weights[k] * ((point.hz - valueAt(fit, point)) / point.deviation) ** 2, 0);
  const freedom = weights.reduce((sum, weight) => sum + weight, 0) - used.length;
  const ratio = Math.sqrt(squares / tukeySquare / Math.max(1, freedom));
  const all: Scatter = { square: Math.max(1, ratio ** 2), freedom };
  const alongAzimuth = groupScatter(points, fit, ({ from }) => from.block, all, used.filter(([line]) => line > 0).length);
  const alongRange = groupScatter(points, fit, ({ from }) => from.section, all, used.filter(([, range]) => range > 0).length);
  const larger = alongAzimuth.square > alongRange.square ? alongAzimuth : alongRange;
  const scatters = used.map(([line, range]) => (line > 0 ? alongAzimuth : range > 0 ? alongRange : larger));
  const covariance = inverse.map((row, i) => row.map((value, j) => value * Math.sqrt(scatters[i].square * scatters[j].square)));
  return {
    ...fit,
    errors: covariance.map((row, i) => Math.sqrt(row[i])),
    freedoms: scatters.map((scatter) => scatter.freedom),
    covariance,
    ratio,
  };
}

/** Mean square of residuals in units of their variances, and its degrees of freedom. */
interface Scatter {
  readonly square: number;
  readonly freedom: number;
}

/**
 * The scatter of the weighted means of groups of points, if it exceeds that of all points by more than three standard deviations: then
 * the points of a group have errors in common. Otherwise the scatter of all points.
 */
function groupScatter(
  points: readonly Point[],
  fitted: Pick<Solved, "terms" | "values" | "weights">,
  groupOf: (point: Point) => number,
  all: Scatter,
  slopes: number,
): Scatter {
  const groups = new Map<number, { weight: number; sum: number }>();
  points.forEach((point, k) => {
    const group = groups.get(groupOf(point)) ?? { weight: 0, sum: 0 };
    const weight = fitted.weights[k] / point.deviation ** 2;
    group.weight += weight;
    group.sum += weight * (point.hz - valueAt(fitted, point));
    groups.set(groupOf(point), group);
  });
  const used = [...groups.values()].filter(({ weight }) => weight > 0);
  const freedom = used.length - 1 - slopes;
  if (freedom < 1) return all;
  const square = used.reduce((total, { weight, sum }) => total + sum ** 2 / weight, 0) / tukeySquare / freedom;
  return square > all.square * (1 + 3 * Math.sqrt(2 / freedom)) ? { square, freedom } : all;
}

/** Gauss–Jordan elimination with pivots, in place. A singular system gives coefficients that are 0. */
function eliminate(rows: number[][]): void {
  const scale = rows.map((row, i) => row[i]);
  for (let i = 0; i < rows.length; i++) {
    let pivot = i;
    for (let r = i + 1; r < rows.length; r++) if (Math.abs(rows[r][i]) > Math.abs(rows[pivot][i])) pivot = r;
    [rows[i], rows[pivot]] = [rows[pivot], rows[i]];
    const head = rows[i][i];
    const inverse = Math.abs(head) > 1e-12 * scale[i] ? 1 / head : 0;
    rows[i] = rows[i].map((value) => value * inverse);
    for (let r = 0; r < rows.length; r++) {
      const factor = rows[r][i];
      if (r !== i && factor !== 0) rows[r] = rows[r].map((value, k) => value - factor * rows[i][k]);
    }
  }
}

/** Two-sided 0.1 % point of Student's t (Abramowitz & Stegun 26.7.5, from the normal quantile), for three degrees of freedom or more. */
function studentQuantile(freedom: number): number {
  const z = 3.290526731;
  const g1 = (z ** 3 + z) / 4;
  const g2 = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96;
  const g3 = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384;
  return z + g1 / freedom + g2 / freedom ** 2 + g3 / freedom ** 3;
}

function resultOf(
  sections: readonly DopplerSection[],
  points: readonly Point[],
  fit: Solved,
  prfHz: number,
  lines: Span,
  ranges: Span,
  { about = [lines.middle, ranges.middle] }: FitDopplerOptions,
): DopplerFit {
  const scaled = terms.map((term) => fit.terms.indexOf(term)).map((k) => (k < 0 ? 0 : fit.values[k]));
  const [u, v] = [(about[0] - lines.middle) / lines.half, (about[1] - ranges.middle) / ranges.half];
  const basis = (line: number, range: number) => fit.terms.map(([a, b]) => line ** a * range ** b);
  const slopes = fit.terms.map(([a, b]) => (a === 0 && b > 0 ? b * v ** (b - 1) : 0));
  const varianceOf = (w: readonly number[]): number =>
    w.reduce((sum, a, i) => sum + w.reduce((inner, b, j) => inner + a * b * fit.covariance[i][j], 0), 0);
  const errorOf = (w: readonly number[]): number => Math.sqrt(Math.max(0, varianceOf(w)));
  const pick = (line: number, range: number): number[] => fit.terms.map(([a, b]) => (a === line && b === range ? 1 : 0));
  const middle = scaled[0] + scaled[1] * u + (scaled[2] + scaled[3] * v) * v;
  const turns = prfHz * Math.floor(middle / prfHz + 0.5);
  const polynomial: DopplerPolynomial = {
    line: about[0],
    slantRangeMeters: about[1],
    hz: middle - turns,
    hzPerLine: scaled[1] / lines.half,
    hzPerMeter: (scaled[2] + 2 * scaled[3] * v) / ranges.half,
    hzPerSquareMeter: scaled[3] / ranges.half ** 2,
  };
  const index = new Map(points.map((point, k) => [point.from, k]));
  let squares = 0;
  const table = sections.map((from) => {
    const at = index.get(from);
    const expected = dopplerAt(polynomial, from.line, from.slantRangeMeters);
    const unwrappedHz = from.fractionHz - prfHz * Math.round((from.fractionHz - expected) / prfHz);
    const use: DopplerSectionUse = at === undefined ? "unseen" : fit.weights[at] > 0 ? "used" : "rejected";
    if (use === "used") squares += (unwrappedHz - expected) ** 2;
    return { ...from, unwrappedHz, use };
  });
  const count = (use: DopplerSectionUse): number => table.filter((one) => one.use === use).length;
  return {
    polynomial,
    standardErrors: {
      hz: errorOf(basis(u, v)),
      hzPerLine: errorOf(pick(1, 0)) / lines.half,
      hzPerMeter: errorOf(slopes) / ranges.half,
      hzPerSquareMeter: errorOf(pick(0, 2)) / ranges.half ** 2,
    },
    rangeOrder: fit.terms.some(([, range]) => range === 2) ? 2 : fit.terms.some(([, range]) => range === 1) ? 1 : 0,
    azimuthOrder: fit.terms.some(([line]) => line === 1) ? 1 : 0,
    residualRmsHz: Math.sqrt(squares / Math.max(1, count("used"))),
    residualRatio: fit.ratio,
    used: count("used"),
    rejected: count("rejected"),
    unseen: count("unseen"),
    sections: table,
  };
}
