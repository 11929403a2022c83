/**
 * Estimates the Doppler centroid from data. The fraction (modulo PRF) comes from the phase between adjacent lines, the ambiguity (whole
 * PRFs) from the absolute estimates of doppler-absolute.ts. The decision says whether the errors of these estimates support it, and what
 * else
 * it used if they do not. Nothing here compresses data: the caller passes range-compressed lines. There is one
 * centroid for the whole block; drifts over range or azimuth average out (doppler-grid.ts and doppler-fit.ts estimate them).
 */
import { inputError } from "@dechirp/core";
import { runToEnd } from "@dechirp/core/internal";
import { type AbsoluteDoppler, rangeLookSteps, rangeWalkSteps } from "./doppler-absolute.ts";
import {
  blocksOfLines,
  type ComplexLines,
  checkDopplerRadar,
  checkLines,
  correlateLines,
  type DopplerRadar,
  type PairSums,
  ratio,
} from "./lines.ts";

/** The Doppler centroid modulo the PRF. */
export interface DopplerFraction {
  /** Doppler centroid modulo PRF, in −PRF/2 … PRF/2. */
  readonly fractionHz: number;
  /** |Σ x*[p]·x[p+1]| / Σ|x|²: 0 for white noise, 1 for a single frequency. */
  readonly coherence: number;
  /** Standard error from the scatter of blocks of lines. +∞ with fewer than two blocks, or if noise alone would show this coherence. */
  readonly standardErrorHz: number;
}

/** How many whole PRFs lie between the fraction and the absolute Doppler centroid. */
export interface DopplerAmbiguity {
  /** Number of whole PRFs between the fraction and the absolute centroid. */
  readonly ambiguity: number;
  readonly absoluteHz: number;
  readonly standardErrorHz: number;
  /** Whether the decision is safe: three standard errors fit between the estimate and the nearest other ambiguity. */
  readonly confident: boolean;
  readonly method: AbsoluteDoppler["method"];
  /** All estimates that were made, the decisive one first. */
  readonly estimates: readonly AbsoluteDoppler[];
}

/**
 * Data for the ambiguity: raw or compressed lines for the range looks, range-compressed lines for the range walk. At least one is needed.
 */
export interface AmbiguityData {
  /** Raw echoes. */
  readonly raw?: ComplexLines;
  /** Range-compressed lines of the same data. */
  readonly compressed?: ComplexLines;
}

/**
 * Fractional Doppler centroid by the average cross-correlation coefficient of adjacent lines, f = PRF·arg(Σ x*[p]·x[p+1])/2π,
 * from raw or range-compressed lines (Madsen 1989; Cumming & Wong section 12.4). The mean of the data (an offset of the
 * receiver) is removed. The error comes from 12 blocks of lines and includes the effect of an uneven scene.
 * Throws `input` if the data is not valid or empty.
 */
export const estimateDopplerFraction = (raw: ComplexLines, prfHz: number): DopplerFraction => runToEnd(fractionSteps(raw, prfHz));

/** `estimateDopplerFraction` in pieces. `known` are the sums of these lines, if a device has made them. */
export function* fractionSteps(raw: ComplexLines, prfHz: number, known?: PairSums): Generator<void, DopplerFraction> {
  checkLines(raw, "raw");
  if (!Number.isFinite(prfHz) || prfHz <= 0) throw inputError("prfHz", "a positive number", prfHz);
  const { blocks, energy } = yield* correlateLines(raw, blocksOfLines, 0, known);
  const total = blocks.reduce((sum, b) => [sum[0] + b[0], sum[1] + b[1]], [0, 0]);
  const angle = Math.atan2(total[1], total[0]);
  const turned = blocks.map(([re, im]) => ({
    n: im * Math.cos(angle) - re * Math.sin(angle),
    d: re * Math.cos(angle) + im * Math.sin(angle),
  }));
  const fraction = (angle / (2 * Math.PI)) * prfHz;
  const coherence = Math.hypot(total[0], total[1]) / energy;
  // White noise of n products has coherence above 5/√n with probability exp(−25).
  const seen = coherence > 5 / Math.sqrt((raw.lines - 1) * raw.samples);
  return {
    fractionHz: fraction >= prfHz / 2 ? fraction - prfHz : fraction,
    coherence,
    standardErrorHz: seen ? (ratio(turned).standardError / (2 * Math.PI)) * prfHz : Infinity,
  };
}

/**
 * The ambiguity: k such that fraction + k·PRF is nearest to the absolute estimate with the smallest standard error. It is `confident`
 * only if three standard errors fit between that estimate and the decision boundary (half a PRF from the chosen one), and
 * no other estimate that could decide as safely decides differently. Throws `input`.
 */
export const estimateDopplerAmbiguity = (data: AmbiguityData, radar: DopplerRadar, fractionHz: number): DopplerAmbiguity =>
  runToEnd(ambiguitySteps(data, radar, fractionHz));

/** `estimateDopplerAmbiguity` in pieces. `known` are the sums of the raw lines, if a device has made them. */
export function* ambiguitySteps(
  data: AmbiguityData,
  radar: DopplerRadar,
  fractionHz: number,
  known?: PairSums,
): Generator<void, DopplerAmbiguity> {
  checkDopplerRadar(radar);
  const { prfHz } = radar;
  if (!Number.isFinite(fractionHz)) throw inputError("fractionHz", "a finite number", fractionHz);
  const looks = data.raw ?? data.compressed;
  if (looks === undefined) throw inputError("data", "raw or compressed lines", data);
  const estimates = [yield* rangeLookSteps(looks, radar, known)];
  if (data.compressed !== undefined) estimates.push(yield* rangeWalkSteps(data.compressed, radar));
  estimates.sort((a, b) => (a.standardErrorHz < b.standardErrorHz ? -1 : a.standardErrorHz > b.standardErrorHz ? 1 : 0));
  const decide = ({ absoluteHz, standardErrorHz }: AbsoluteDoppler) => {
    const ambiguity = nearestAmbiguity(absoluteHz, fractionHz, prfHz);
    const margin = prfHz / 2 - Math.abs(absoluteHz - (fractionHz + ambiguity * prfHz));
    return { ambiguity, confident: 3 * standardErrorHz <= margin };
  };
  const [first, ...others] = estimates.map(decide);
  const { method, absoluteHz, standardErrorHz } = estimates[0];
  const contradicted = others.some((other) => other.confident && other.ambiguity !== first.ambiguity);
  return { ambiguity: first.ambiguity, absoluteHz, standardErrorHz, confident: first.confident && !contradicted, method, estimates };
}

/** What is known besides the echoes. */
export interface ResolveOptions {
  /** An approximate absolute centroid, from orbit and attitude or from a preset. It decides the ambiguity if the data cannot. */
  readonly presetHz?: number;
  /** The absolute centroid to use, whatever the data says. */
  readonly givenHz?: number;
  /** Range-compressed lines of the same data. Scenes with bright targets need them for the ambiguity. */
  readonly compressed?: ComplexLines;
}

/** An absolute Doppler centroid, and where it comes from. */
export interface ResolvedDoppler {
  /** Absolute Doppler centroid, for `dopplerCentroidHz` of a radar. */
  readonly dopplerCentroidHz: number;
  readonly fractionHz: number;
  /** If the fraction was used, dopplerCentroidHz is fractionHz + ambiguity·PRF. */
  readonly ambiguity: number;
  /**
   * "given"; "data": fraction and ambiguity measured; "data+preset": fraction measured, ambiguity from the preset;
   * "preset": the preset alone; "fraction": ambiguity unknown, 0 assumed; "none": nothing known, 0 Hz.
   */
  readonly source: "given" | "data" | "data+preset" | "preset" | "fraction" | "none";
  /** One sentence for people that says why. */
  readonly why: string;
  /** The measurements. Left out if a centroid was given. */
  readonly fraction?: DopplerFraction;
  readonly estimate?: DopplerAmbiguity;
}

/**
 * The Doppler centroid to focus with. It is the given one, if there is one. Otherwise fraction and ambiguity are measured. If the data
 * cannot
 * tell the ambiguity, the one nearest the preset is taken, or 0 without a preset; `source` and `why` say so. A fraction whose standard
 * error exceeds PRF/8 (or is unknown) is not used. Throws `input`.
 */
export const resolveDopplerCentroid = (raw: ComplexLines, radar: DopplerRadar, options: ResolveOptions = {}): ResolvedDoppler =>
  runToEnd(resolveSteps(raw, radar, options));

/** `resolveDopplerCentroid` in pieces. `known` are the sums of the raw lines, if a device has made them. */
export function* resolveSteps(
  raw: ComplexLines,
  radar: DopplerRadar,
  options: ResolveOptions = {},
  known?: PairSums,
): Generator<void, ResolvedDoppler> {
  checkDopplerRadar(radar);
  const { prfHz } = radar;
  const { presetHz, givenHz, compressed } = options;
  for (const [field, value] of Object.entries({ presetHz, givenHz })) {
    if (value !== undefined && !Number.isFinite(value)) throw inputError(field, "a finite number", value);
  }
  const hz = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(0)} Hz` : "unknown");
  if (givenHz !== undefined) {
    const ambiguity = Math.round(givenHz / prfHz);
    return {
      dopplerCentroidHz: givenHz,
      fractionHz: givenHz - ambiguity * prfHz,
      ambiguity,
      source: "given",
      why: `${hz(givenHz)} was given`,
    };
  }
  const fraction = yield* fractionSteps(raw, prfHz, known);
  const { fractionHz, standardErrorHz } = fraction;
  if (!(standardErrorHz <= prfHz / 8)) {
    const centroid = presetHz ?? 0;
    const ambiguity = Math.round(centroid / prfHz);
    const weak = `the data do not show a fraction (${hz(fractionHz)} ± ${hz(standardErrorHz)})`;
    const why = presetHz === undefined ? `${weak} and no preset is known: broadside assumed` : `${weak}: preset used as it is`;
    const source = presetHz === undefined ? "none" : "preset";
    return { dopplerCentroidHz: centroid, fractionHz: centroid - ambiguity * prfHz, ambiguity, source, why, fraction };
  }
  const estimate = yield* ambiguitySteps(compressed === undefined ? { raw } : { raw, compressed }, radar, fractionHz, known);
  const measured = `${hz(estimate.absoluteHz)} ± ${hz(estimate.standardErrorHz)} by ${estimate.method}`;
  const resolved = (ambiguity: number, source: ResolvedDoppler["source"], why: string): ResolvedDoppler => ({
    dopplerCentroidHz: fractionHz + ambiguity * prfHz,
    fractionHz,
    ambiguity,
    source,
    why,
    fraction,
    estimate,
  });
  if (estimate.confident) {
    const odd = presetHz !== undefined && nearestAmbiguity(presetHz, fractionHz, prfHz) !== estimate.ambiguity;
    return resolved(
      estimate.ambiguity,
      "data",
      `data show ambiguity ${estimate.ambiguity} (${measured})${odd ? `, against the preset of ${hz(presetHz)}` : ""}`,
    );
  }
  if (presetHz === undefined)
    return resolved(0, "fraction", `data do not tell the ambiguity (${measured}) and no preset is known: 0 assumed`);
  const ambiguity = nearestAmbiguity(presetHz, fractionHz, prfHz);
  return resolved(
    ambiguity,
    "data+preset",
    `data do not tell the ambiguity (${measured}): ${ambiguity} is nearest the preset of ${hz(presetHz)}`,
  );
}

const nearestAmbiguity = (absoluteHz: number, fractionHz: number, prfHz: number): number =>
  Math.round((absoluteHz - fractionHz) / prfHz) + 0;
