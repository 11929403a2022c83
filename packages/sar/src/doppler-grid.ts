/**
 * Estimates the fractional Doppler centroid on a grid over a recording: one estimate with its standard deviation for each block of lines
 * and section of range samples. Lines arrive piece by piece, so the recording need not be in memory. doppler-fit.ts fits a polynomial to
 * the estimates.
 *
 * The samples are raw. Range compression multiplies the range spectrum of every line by the same filter, which does not change the phase
 * between lines on average, so it is not needed here. Raw samples are even better for this purpose: the echo of a bright point is spread
 * over a pulse length instead of one cell.
 */

import { createPause, inputError, runInPieces } from "@dechirp/core";
import { checkObject } from "@dechirp/core/internal";
import { chirpSamples, type StripmapRadar, wavelengthMeters } from "@dechirp/radar";
import { type ComplexLines, checkDopplerRadar, checkLines, type DopplerRadar } from "./lines.ts";
import { rangeSpacingMeters } from "./radar.ts";

/** The parameters of a radar that a grid of Doppler estimates needs. */
export type DopplerGridRadar = DopplerRadar & Pick<StripmapRadar, "pulseSeconds">;

/** Size of the grid. */
export interface DopplerGridOptions {
  /**
   * Lines of a block, at least 32. Default: the lines in which a target sweeps over one PRF of Doppler, 256 to 2048, and more if that
   * divides the recording evenly. In shorter blocks most bright targets would be seen in part, which moves the estimates of neighbouring
   * blocks to opposite sides.
   */
  readonly blockLines?: number;
  /** Range sections. Default: one for 256 samples or a pulse length, whichever is more, 1 to 8. Narrower ones share their targets. */
  readonly sections?: number;
}

/** The estimate of one block of lines and one section of range. */
export interface DopplerSection {
  /** Index of the block on the grid, from 0. */
  readonly block: number;
  /** Index of the range section, from 0. */
  readonly section: number;
  /** Middle line of the block. */
  readonly line: number;
  /** Mean slant range of the targets whose echoes are in the section. */
  readonly slantRangeMeters: number;
  /** Doppler centroid modulo PRF, in −PRF/2 … PRF/2. */
  readonly fractionHz: number;
  /** |Σ x*[p]·x[p+1]| / Σ|x|². */
  readonly coherence: number;
  /** +∞ if noise alone could show this coherence. */
  readonly standardDeviationHz: number;
}

/** Lines `firstLine` to `firstLine + lines − 1` of a recording. */
export interface LineSpan {
  readonly firstLine: number;
  readonly lines: number;
}

/** Collects lines and estimates the Doppler centroid of each block and section. */
export interface DopplerGrid {
  readonly blockLines: number;
  /** Blocks that the recording has. Lines after the last whole block belong to none. */
  readonly blocks: number;
  /** Range sections of each block. */
  readonly sections: number;
  /** The blocks that `spread` lists are enough: all up to 16; of more, 16 or a twentieth, evenly spread, with the first and the last. */
  readonly spread: readonly LineSpan[];
  /**
   * Adds lines of the recording from line `firstLine` on, in any order and in pieces of any size. The phase between two lines counts if
   * both come in one piece, or in pieces that follow each other. Lines of zeros are lines that were not recorded. Rejects with `input`,
   * naming the field, if the lines are not valid, not finite, or not within the recording, and with `aborted` if `signal` fires.
   */
  add(firstLine: number, lines: ComplexLines, options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** The estimates of the blocks that were added completely, by block and section. */
  estimates(): readonly DopplerSection[];
}

const fewestBlocks = 16;
const largestShare = 0.05;
const [fewestLines, mostLines] = [256, 2048];
const [fewestSamples, mostSections] = [256, 8];
/** Lags, in lines, over which products of adjacent lines are taken to be correlated. */
const lags = 8;
/** Numbers per line and section: Σ x*[p]·x[p+1], Σ x[p], Σ|x[p]|². */
const width = 5;
/** Samples that one piece of work reads. */
const pieceSamples = 2 ** 16;

/** A block of which some lines have been added. */
interface OpenBlock {
  /** [line][section][width] */
  readonly sums: Float64Array;
  readonly gains: Float64Array;
  /** 0: not added, 1: added, 2: added, and of zeros. */
  readonly state: Uint8Array;
  /** Whether the product of line p and p + 1 is known. */
  readonly paired: Uint8Array;
  added: number;
  /** The last line that was added, and its index in the block. */
  readonly last: { line: number; samples: Float64Array };
}

/**
 * Makes a grid of Doppler estimates for a recording of `lines` × `samples` raw samples. The estimate of a section is the average
 * cross-correlation coefficient of adjacent lines, f = PRF·arg(C)/2π with C = Σ c_p, c_p = Σ_i x*_p[i]·x_(p+1)[i] (Madsen 1989). The mean
 * of the block (the offset of the receiver) is removed. Its standard deviation is PRF/2π·√V/|C|, V = Σ_p Σ_(|k| ≤ 8) q_p·q_(p+k), with
 * q_p the part of c_p in quadrature to C. For an even scene with Doppler spectrum S this is the result of Bamler (1991),
 * V/|C|² = ∫S²(f)·sin²(2π(f − f_dc)/PRF)df / (n·ρ²) for n independent pairs of samples of coherence ρ; measured this way, it includes the
 * correlation of samples along range and bright targets. Throws `input`, naming the field.
 */
export function createDopplerGrid(radar: DopplerGridRadar, lines: number, samples: number, options: DopplerGridOptions = {}): DopplerGrid {
  checkDopplerRadar(radar);
  checkObject(options, "options", "input");
  if (!(Number.isFinite(radar.pulseSeconds) && radar.pulseSeconds >= 0))
    throw inputError("radar.pulseSeconds", "a number from 0", radar.pulseSeconds);
  if (!Number.isSafeInteger(lines) || lines < 2) throw inputError("lines", "an integer of at least 2", lines);
  if (!Number.isSafeInteger(samples) || samples < 1) throw inputError("samples", "a positive integer", samples);
  const { blockLines = defaultBlockLines(radar, lines, samples), sections = defaultSections(radar, samples) } = options;
  const least = Math.min(lines, 4 * lags);
  if (!Number.isSafeInteger(blockLines) || blockLines < least || blockLines > lines)
    throw inputError("options.blockLines", `an integer from ${least} to ${lines}`, blockLines);
  if (!Number.isSafeInteger(sections) || sections < 1 || sections > samples)
    throw inputError("options.sections", `an integer from 1 to ${samples}`, sections);

  const blocks = Math.floor(lines / blockLines);
  const starts = Array.from({ length: sections + 1 }, (_, s) => Math.floor((s * samples) / sections));
  const ranges = Array.from({ length: sections }, (_, s) => meanRange(radar, samples, starts[s], starts[s + 1]));
  const open = new Map<number, OpenBlock>();
  const done = new Map<number, readonly DopplerSection[]>();

  const opened = (block: number): OpenBlock => {
    const found = open.get(block) ?? {
      sums: new Float64Array(blockLines * sections * width),
      gains: new Float64Array(blockLines),
      state: new Uint8Array(blockLines),
      paired: new Uint8Array(blockLines),
      added: 0,
      last: { line: -2, samples: new Float64Array(2 * samples) },
    };
    open.set(block, found);
    return found;
  };

  function* addSteps(firstLine: number, source: ComplexLines): Generator<void, void> {
    const linesAtOnce = Math.max(1, Math.floor(pieceSamples / samples));
    for (let p = 0; p < source.lines; p++) {
      const block = Math.floor((firstLine + p) / blockLines);
      if (block >= blocks) return;
      if (!done.has(block)) {
        const one = opened(block);
        addLine(one, firstLine + p - block * blockLines, source, p, starts);
        if (one.added === blockLines) {
          const found = estimateBlock(one, blockLines, starts);
          const line = block * blockLines + (blockLines - 1) / 2;
          done.set(
            block,
            found.map(({ angle, coherence, deviation }, section) => ({
              block,
              section,
              line,
              slantRangeMeters: ranges[section],
              fractionHz: fractionOf(angle, radar.prfHz),
              coherence,
              standardDeviationHz: (deviation / (2 * Math.PI)) * radar.prfHz,
            })),
          );
          open.delete(block);
        }
      }
      if (p % linesAtOnce === 0) yield;
    }
  }

  return {
    blockLines,
    blocks,
    sections,
    spread: spreadBlocks(blocks).map((block) => ({ firstLine: block * blockLines, lines: blockLines })),
    async add(firstLine, source, { signal } = {}) {
      const pause = createPause("the Doppler centroid", signal);
      await pause();
      checkPiece(source, samples);
      if (!Number.isSafeInteger(firstLine) || firstLine < 0 || firstLine + source.lines > lines)
        throw inputError("firstLine", `an integer from 0 to ${lines - source.lines}`, firstLine);
      await runInPieces(addSteps(firstLine, source), pause);
    },
    estimates: () => [...done.keys()].sort((a, b) => a - b).flatMap((block) => done.get(block) ?? []),
  };
}

/** `checkLines` for a piece of a recording, which may be a single line. */
function checkPiece(source: ComplexLines, samples: number): void {
  checkObject(source, "lines", "input");
  if (source.lines !== 1) checkLines(source, "lines");
  if (source.samples !== samples) throw inputError("lines.samples", `${samples}, as in the grid`, source.samples);
  if (source.data.length !== 2 * source.lines * samples)
    throw inputError("lines.data.length", `2 · ${source.lines} · ${samples} numbers`, source.data.length);
}

/** The lines that a target in the middle of the swath needs for one PRF of Doppler, PRF²/Ka, within limits. */
function defaultBlockLines(radar: DopplerGridRadar, lines: number, samples: number): number {
  const range = radar.nearRangeMeters + (samples / 2) * rangeSpacingMeters(radar);
  const aperture = (radar.prfHz ** 2 * wavelengthMeters(radar) * range) / (2 * radar.velocityMetersPerSecond ** 2);
  const wanted = Math.min(mostLines, Math.max(fewestLines, Math.ceil(aperture)));
  // Equal blocks that leave out fewer lines than there are blocks.
  return Math.floor(lines / Math.max(1, Math.floor(lines / wanted)));
}

const defaultSections = (radar: DopplerGridRadar, samples: number): number =>
  Math.min(mostSections, Math.max(1, Math.floor(samples / Math.max(fewestSamples, chirpSamples(radar)))));

function spreadBlocks(blocks: number): number[] {
  const count = Math.min(blocks, Math.max(fewestBlocks, Math.floor(largestShare * blocks)));
  return Array.from({ length: count }, (_, k) => (count < 2 ? 0 : Math.round((k * (blocks - 1)) / (count - 1))));
}

/**
 * Mean slant range of the targets whose echoes are in samples `from` to `to − 1`. Sample i holds echoes that began up to a pulse before.
 * Targets are taken to lie in the cells that a full pulse supports.
 */
function meanRange(radar: DopplerGridRadar, samples: number, from: number, to: number): number {
  const pulse = Math.min(samples - 1, chirpSamples(radar));
  let sum = 0;
  for (let i = from; i < to; i++) sum += (Math.max(0, i - pulse) + Math.min(i, samples - pulse)) / 2;
  return radar.nearRangeMeters + (sum / (to - from)) * rangeSpacingMeters(radar);
}

function fractionOf(angle: number, prfHz: number): number {
  const fraction = (angle / (2 * Math.PI)) * prfHz;
  return fraction >= prfHz / 2 ? fraction - prfHz : fraction;
}

/** Adds line `p` of `source`, which is line `at` of the block. */
function addLine(block: OpenBlock, at: number, source: ComplexLines, p: number, starts: readonly number[]): void {
  const { sums, last, state } = block;
  const { data } = source;
  const samples = last.samples;
  const offset = p * samples.length;
  const sections = starts.length - 1;
  const follows = last.line === at - 1;
  let total = 0;
  for (let s = 0; s < sections; s++) {
    let [re, im, x, y, energy] = [0, 0, 0, 0, 0];
    for (let i = 2 * starts[s]; i < 2 * starts[s + 1]; i += 2) {
      const a = data[offset + i];
      const b = data[offset + i + 1];
      const c = samples[i];
      const d = samples[i + 1];
      re += c * a + d * b;
      im += c * b - d * a;
      x += a;
      y += b;
      energy += a * a + b * b;
      samples[i] = a;
      samples[i + 1] = b;
    }
    if (!Number.isFinite(energy)) throw inputError("lines.data", `finite numbers in line ${p}`, energy);
    total += energy;
    const k = (at * sections + s) * width;
    sums[k + 2] = x;
    sums[k + 3] = y;
    sums[k + 4] = energy;
    // The product belongs to the line before.
    if (follows) {
      sums[k - sections * width] = re;
      sums[k - sections * width + 1] = im;
    }
  }
  if (follows) block.paired[at - 1] = 1;
  if (state[at] === 0) block.added++;
  state[at] = total === 0 ? 2 : 1;
  block.gains[at] = source.lineGain === undefined ? 1 : source.lineGain[p];
  last.line = at;
}

interface PhaseEstimate {
  /** arg C */
  readonly angle: number;
  readonly coherence: number;
  /** Standard deviation of the angle in radians, or +∞. */
  readonly deviation: number;
}

/** The estimates of all sections of a block. */
function estimateBlock(block: OpenBlock, lines: number, starts: readonly number[]): PhaseEstimate[] {
  const { sums, gains, state, paired } = block;
  const sections = starts.length - 1;
  // The offset of the receiver is the mean of all samples of the lines that were recorded.
  let [meanRe, meanIm, recorded] = [0, 0, 0];
  for (let p = 0; p < lines; p++) {
    if (state[p] !== 1) continue;
    recorded++;
    for (let s = 0, k = p * sections * width; s < sections; s++, k += width) {
      meanRe += sums[k + 2];
      meanIm += sums[k + 3];
    }
  }
  const numbers = Math.max(1, recorded * starts[sections]);
  meanRe /= numbers;
  meanIm /= numbers;
  const square = meanRe * meanRe + meanIm * meanIm;

  return Array.from({ length: sections }, (_, s) => {
    const cells = starts[s + 1] - starts[s];
    const re = new Float64Array(lines);
    const im = new Float64Array(lines);
    let [totalRe, totalIm, energy, pairs] = [0, 0, 0, 0];
    const energyOf = (k: number): number => sums[k + 4] - 2 * (meanRe * sums[k + 2] + meanIm * sums[k + 3]) + cells * square;
    for (let p = 0; p + 1 < lines; p++) {
      if (!(paired[p] === 1 && state[p] === 1 && state[p + 1] === 1)) continue;
      const k = (p * sections + s) * width;
      const n = k + sections * width;
      const gain = gains[p] * gains[p + 1];
      // Σ(x − m)*(y − m) = Σx*y − m·Σx* − m*·Σy + n|m|²
      const sumRe = sums[k + 2] + sums[n + 2];
      const sumIm = sums[n + 3] - sums[k + 3];
      re[p] = gain * (sums[k] - (meanRe * sumRe + meanIm * (sums[k + 3] + sums[n + 3])) + cells * square);
      im[p] = gain * (sums[k + 1] - (meanRe * sumIm + meanIm * (sums[k + 2] - sums[n + 2])));
      totalRe += re[p];
      totalIm += im[p];
      energy += Math.abs(gain) * Math.sqrt(Math.max(0, energyOf(k)) * Math.max(0, energyOf(n)));
      pairs++;
    }
    const magnitude = Math.hypot(totalRe, totalIm);
    const angle = Math.atan2(totalIm, totalRe);
    const coherence = energy > 0 ? magnitude / energy : 0;
    const deviation = pairs > 4 * lags - 2 && magnitude > 0 ? phaseDeviation(re, im, totalRe / magnitude, totalIm / magnitude, pairs) : 0;
    // Noise alone gives a resultant of five deviations with probability exp(−12.5).
    const seen = deviation > 0 && 5 * deviation < magnitude;
    return { angle, coherence, deviation: seen ? deviation / magnitude : Infinity };
  });
}

/** √V of the docstring of `createDopplerGrid`, for products re + j·im and C along cos + j·sin. */
function phaseDeviation(re: Float64Array, im: Float64Array, cos: number, sin: number, pairs: number): number {
  const q = re.map((value, p) => im[p] * cos - value * sin);
  const lagged = (lag: number): number => {
    let sum = 0;
    for (let p = 0; p + lag < q.length; p++) sum += q[p] * q[p + lag];
    return sum;
  };
  const alone = lagged(0);
  let variance = alone;
  for (let lag = 1; lag <= lags; lag++) variance += 2 * lagged(lag);
  // The sum of all q is 0 because C is measured, which makes the sum over 17 lags too small by its share of all lags.
  const share = pairs / Math.max(1, pairs - 2 * lags - 1);
  // The lags of few lines are uncertain, and may even cancel the first term.
  return Math.sqrt(Math.max(variance * share, alone / 4));
}
