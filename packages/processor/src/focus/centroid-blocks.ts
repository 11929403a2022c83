/**
 * Measures the Doppler ambiguity of a recording that is too large to be measured as a whole, on three blocks that are spread over it, and
 * says which centroid follows and why. The fraction over the recording comes from the fit of the grid (centroid.ts).
 */
import { type Device, throwIfAborted } from "@dechirp/core";
import { chirpSamples, wavelengthMeters } from "@dechirp/radar";
import {
  type BlockAmbiguity,
  type DopplerFit,
  dopplerAt,
  type JointAmbiguity,
  joinDopplerAmbiguities,
  measureDopplerAmbiguity,
  rangeSpacingMeters,
  type UncentredParams,
} from "@dechirp/sar";
import type { Echoes } from "../recording.ts";
import type { UsedParameter } from "../used.ts";
import type { CentroidOptions, ReadLines } from "./centroid-options.ts";

/** The centroid of a recording that was measured in blocks. */
export interface BlockwiseCentroid {
  /** Absolute centroid in the middle of the recording. */
  readonly dopplerCentroidHz: number;
  readonly source: UsedParameter<number>["source"];
  readonly why: string;
  readonly warnings: readonly string[];
  /** Whole PRFs to add to the fit. Left out if the data show no fraction. */
  readonly turns?: number;
  /** The estimates of the blocks, and what they show together. */
  readonly ambiguities?: { readonly joint: JointAmbiguity; readonly blocks: readonly BlockAmbiguity[] };
}

const mostBlocks = 3;
/** Samples of a block: about 200 MiB for the arrays that its measurement needs. */
const blockSamples = 2 ** 23;
/** Fewest lines of a block, and fewest range cells that a full pulse supports. */
const [fewestLines, fewestCells] = [512, 2048];
/** Samples that are read at once. */
const pieceSamples = 2 ** 22;

const hz = (value: number): string => (Number.isFinite(value) ? `${value.toFixed(0)} Hz` : "unknown");

/** Measures the ambiguity that belongs to `fit`. If there is no fit, the preset decides, or broadside is assumed. */
export async function measureInBlocks(
  params: UncentredParams,
  device: Device,
  readLines: ReadLines,
  fit: DopplerFit | undefined,
  presetHz: number | undefined,
  options: CentroidOptions,
): Promise<BlockwiseCentroid> {
  const { prfHz } = params.radar;
  if (fit === undefined || !(fit.standardErrors.hz <= prfHz / 8)) {
    const weak = "the data do not show a fraction in enough blocks";
    return presetHz === undefined
      ? { dopplerCentroidHz: 0, source: "none", why: `${weak} and no preset is known: broadside assumed`, warnings: [] }
      : { dopplerCentroidHz: presetHz, source: "preset", why: `${weak}: preset used as it is`, warnings: [] };
  }
  const blocks: BlockAmbiguity[] = [];
  const windows = windowsOf(params);
  for (const [index, window] of windows.entries()) {
    options.onStage?.(`ambiguity, block ${index + 1} of ${windows.length}`);
    blocks.push(await measureWindow(params, device, readLines, fit, window, options));
  }
  const joint = joinDopplerAmbiguities(blocks, prfHz);
  return { ...decide(fit, joint, blocks.length, prfHz, presetHz), ambiguities: { joint, blocks } };
}

function decide(fit: DopplerFit, joint: JointAmbiguity, blocks: number, prfHz: number, presetHz: number | undefined): BlockwiseCentroid {
  const fraction = fit.polynomial.hz;
  const absolute = `${hz(fraction + joint.offsetHz)} ± ${hz(joint.standardErrorHz)} by ${joint.method}`;
  const measured = `${absolute}, ${blocks} ${blocks === 1 ? "block" : "blocks"}`;
  const { contradictedBy, confirmedBy } = joint;
  const against = contradictedBy.length;
  const disagreement = `the blocks disagree: ${against} of ${blocks} ${against === 1 ? "shows" : "show"} another ambiguity, around line ${contradictedBy
    .map((line) => line.toFixed(0))
    .join(" and ")}`;
  const spread = `fraction ${fraction.toFixed(0)} ± ${fit.standardErrors.hz.toFixed(1)} Hz in the middle, from ${fit.used} estimates`;
  const say = (text: string): string => `${text}${against > 0 ? `; ${disagreement}` : ""}; ${spread}`;
  const warning = `Doppler ambiguity: ${disagreement}; ${confirmedBy.length} confirm it. The image may be defocused.`;
  const result = (turns: number, source: BlockwiseCentroid["source"], why: string): BlockwiseCentroid => ({
    dopplerCentroidHz: fraction + turns * prfHz,
    source,
    why: say(why),
    warnings: against > 0 ? [warning] : [],
    turns,
  });
  const nearest = presetHz === undefined ? 0 : Math.round((presetHz - fraction) / prfHz);
  if (joint.confident) {
    const odd = presetHz !== undefined && nearest !== joint.ambiguity ? `, against the preset of ${hz(presetHz)}` : "";
    return result(joint.ambiguity, "data", `data show ambiguity ${joint.ambiguity} (${measured})${odd}`);
  }
  const unknown = `data do not tell the ambiguity (${measured})`;
  if (presetHz === undefined) return result(0, "fraction", `${unknown} and no preset is known: 0 assumed`);
  return result(nearest, "data+preset", `${unknown}: ${nearest} is nearest the preset of ${hz(presetHz)}`);
}

/** A rectangle of lines and samples. */
interface Window {
  readonly line: number;
  readonly lines: number;
  readonly sample: number;
  readonly samples: number;
}

/** Blocks of four apertures, spread over the lines, in the middle of the samples; smaller if the bound demands it. */
function windowsOf({ radar, lines, samples }: UncentredParams): Window[] {
  const pulse = chirpSamples(radar);
  const range = radar.nearRangeMeters + (samples / 2) * rangeSpacingMeters(radar);
  const aperture = (radar.prfHz ** 2 * wavelengthMeters(radar) * range) / (2 * radar.velocityMetersPerSecond ** 2);
  const fitting = Math.floor(blockSamples / Math.min(samples, pulse + fewestCells));
  const height = Math.min(lines, Math.max(fewestLines, Math.min(Math.ceil(4 * aperture), fitting)));
  const width = Math.min(samples, Math.max(pulse + fewestCells, Math.floor(blockSamples / height)));
  const count = Math.max(1, Math.min(mostBlocks, Math.floor(lines / height)));
  return Array.from({ length: count }, (_, k) => ({
    line: Math.min(lines - height, Math.max(0, Math.round(((k + 0.5) * lines) / count - height / 2))),
    lines: height,
    sample: Math.floor((samples - width) / 2),
    samples: width,
  }));
}

async function measureWindow(
  params: UncentredParams,
  device: Device,
  readLines: ReadLines,
  fit: DopplerFit,
  window: Window,
  { signal, onStage }: CentroidOptions,
): Promise<BlockAmbiguity> {
  const { azimuthLength: _, rows: __, rangeLength: ___, lineGain, ...rest } = params;
  const { line, lines, sample, samples } = window;
  const raw = await readWindow(readLines, params.samples, window, signal);
  const step = rangeSpacingMeters(params.radar);
  const nearRangeMeters = params.radar.nearRangeMeters + sample * step;
  const middle = line + (lines - 1) / 2;
  // The targets of a block lie half a pulse before its echoes.
  const fractionHz = dopplerAt(fit.polynomial, middle, nearRangeMeters + ((samples - chirpSamples(params.radar)) / 2) * step);
  const block: UncentredParams = {
    ...rest,
    radar: { ...params.radar, nearRangeMeters },
    lines,
    samples,
    ...(lineGain && { lineGain: Float64Array.from({ length: lines }, (_unused, p) => lineGain[line + p]) }),
  };
  const estimate = await measureDopplerAmbiguity(block, device, raw, fractionHz, {
    ...(signal ? { signal } : {}),
    ...(onStage ? { onProgress: ({ stage }) => onStage(stage) } : {}),
  });
  return { line: middle, fractionHz, estimate };
}

/** Reads a window piece by piece, so that no more than a piece of whole lines is in memory besides the window. */
async function readWindow(
  readLines: ReadLines,
  width: number,
  { line, lines, sample, samples }: Window,
  signal: AbortSignal | undefined,
): Promise<Echoes> {
  const most = Math.max(1, Math.floor(pieceSamples / width));
  let window: Echoes | undefined;
  for (let from = 0; from < lines; from += most) {
    throwIfAborted(signal, "the Doppler centroid");
    const count = Math.min(most, lines - from);
    const piece = await readLines(line + from, count);
    window ??= new (piece.constructor as new (length: number) => Echoes)(2 * lines * samples);
    for (let p = 0; p < count; p++)
      window.set(piece.subarray(2 * (p * width + sample), 2 * (p * width + sample + samples)), 2 * (from + p) * samples);
  }
  return window as Echoes;
}
