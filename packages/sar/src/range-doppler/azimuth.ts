/**
 * The Doppler-domain half of range-Doppler: range cell migration correction and the azimuth phase as one load hook, and the azimuth filter,
 * which is the same for all ranges. Sources: Cumming & Wong sections 6.3.4 (RCMC) and 6.3.5 (azimuth compression).
 *
 * Both migration and phase are linear in the range cell for a given Doppler row, so that a row needs only a few numbers. They are computed
 * here in float64, because on a satellite the phase is about 10⁷ cycles, and kept as the integers of `gather`: positions right to 2⁻²²
 * cells or so, phases to 2⁻³¹ cycles, on every device. The phase is relative to 4πR₀f₀/c, so that a focused target keeps the phase −4πR₀/λ that
 * interferometry expects (SLC convention).
 */

import type { Layout, Load, TunedHook } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import { speedOfLight, type Window, windowFunction } from "@dechirp/radar";
import {
  fineBits,
  type GatherInterpolator,
  gather,
  type LineTable,
  phaseColumns,
  positionColumns,
  setLinePhase,
  setLinePositions,
} from "@dechirp/radar/interpolation";
import { azimuthRateHzPerSecond, rangeSpacingMeters } from "../radar.ts";
import { weightsText } from "../weights-text.ts";
import type { ImageGeometry } from "./geometry.ts";

/** How many rows of a table one piece of work makes. There may be a million rows. */
const pieceRows = 4096;

/** The most bits of a position's fraction: with more, twice the fraction less 1 would be rounded in float32. */
const mostBits = 23;

/** The tables' lines: one for each Doppler row, linear in the range cell. Positions get as many bits as fit the steepest row. */
function linesOf({ migration, reference, cells }: ImageGeometry): LineTable & { readonly bits: number } {
  let steepest = 0;
  for (const d of migration) steepest = Math.max(steepest, Math.abs(reference / d - 1));
  const bits = Math.max(1, Math.min(mostBits, 30 - Math.ceil(Math.log2(2 * cells * steepest + 4))));
  return { lines: migration.length, extent: cells, degree: 1, bits };
}

/** Bits of the fraction of positions in the table of an image. */
export const migrationBits = (geometry: ImageGeometry): number => linesOf(geometry).bits;

/**
 * The positions of `gather`, [3][azimuthLength]: the samples of row k lie beyond those of the beam centre by a number of cells that is
 * linear in the cell. The same as those of the beam centre without RCMC.
 */
export function* migrationTable(geometry: ImageGeometry, corrected: boolean): Generator<void, Uint32Array<ArrayBuffer>> {
  const { radar, migration, reference, guard, firstCell } = geometry;
  const nearCells = radar.nearRangeMeters / rangeSpacingMeters(radar) + firstCell;
  const lines = linesOf(geometry);
  const table = new Uint32Array(positionColumns(1) * migration.length);
  for (const [k, d] of migration.entries()) {
    if (k % pieceRows === 0) yield;
    const slope = corrected ? reference / d - 1 : 0;
    setLinePositions(table, lines, k, [guard[0] + nearCells * slope, 1 + slope]);
  }
  return table;
}

/**
 * The phases of `gather`, [3][azimuthLength]. `remainder` is the phase that secondary range compression at mid swath leaves for row k at a
 * range, as its mean over the chirp band in cycles; it is linear in range.
 */
export function* phaseTable(
  geometry: ImageGeometry,
  remainder: (row: number, slantRangeMeters: number) => number,
): Generator<void, Uint32Array<ArrayBuffer>> {
  const { radar, migration, axes } = geometry;
  const { start, step } = axes.slantRangeMeters;
  const lines = linesOf(geometry);
  const table = new Uint32Array(phaseColumns(1) * migration.length);
  const perMeter = (2 * radar.carrierHz) / speedOfLight;
  for (const [k, d] of migration.entries()) {
    if (k % pieceRows === 0) yield;
    const left = remainder(k, start);
    const slope = perMeter * step * (d - 1) + remainder(k, start + step) - left;
    setLinePhase(table, lines, k, [perMeter * start * (d - 1) + left, slope]);
  }
  return table;
}

/**
 * Gathers image cell i < `cells` of Doppler row k along its migration curve and applies the azimuth phase of the row: a `gather` along
 * axis 0. Ports: doppler [guard + cells + guard][azimuthLength], migration and phase u32 [3][azimuthLength], and weights if the
 * interpolator is a table. Cells outside the array count as zero. `bits` are those of the table of positions. For interpolators that are
 * polynomials, GPUs run the hand-written text below in place of the expression.
 */
export function migrationLoad(doppler: Layout, cells: number, interpolator: GatherInterpolator, bits: number = fineBits): Load {
  const [width, rows] = doppler.shape;
  const polynomials = typeof interpolator === "object" && "polynomials" in interpolator ? interpolator.polynomials : undefined;
  const single = ["c64", "cf16"].includes(doppler.dtype);
  return gather({
    name: "migration and azimuth phase",
    layout: { dtype: doppler.dtype, shape: [cells, rows] },
    samples: doppler,
    axis: 0,
    positions: { kind: "polynomial", degree: 1, bits },
    phase: { degree: 1 },
    interpolator,
    ports: { samples: "doppler", positions: "migration" },
    ...(!single && { weightType: "f64" }),
    // The texts compute the low 16 bits of a slope times a cell in 32 bits.
    ...(polynomials && single && cells <= 2 ** 16 && { tuned: tunedMigration({ width, rows, cells, bits, polynomials }) }),
  });
}

/** What the texts are made for. */
interface Tuned {
  readonly width: number;
  readonly rows: number;
  readonly cells: number;
  readonly bits: number;
  readonly polynomials: readonly (readonly number[])[];
}

const tunedMigration = (tuned: Tuned): TunedHook => ({
  wgsl: migrationText(tuned),
  wgslPair: { axis: 0, text: pairText(tuned) },
  recipe: { name: "sar/migration", parameters: { bits: tuned.bits, polynomials: tuned.polynomials } },
});

/** Declares the numbers of the row. */
const rowText = (rows: number): string => `let row = at[1];
let cell = at[0];
let before = bitcast<i32>(load_migration(row));
let offset = bitcast<i32>(load_migration(${rows}u + row));
let slope = bitcast<i32>(load_migration(${2 * rows}u + row));
let base = load_phase(row);
let turn = load_phase(${rows}u + row);
let fine = load_phase(${2 * rows}u + row);`;

/** What the position is beyond the cell, as `gather` computes it: the offset and the slope times the cell, rounded down. */
function shiftText(cell: string, cells: number): string {
  const bits = cells > 1 ? 32 - Math.clz32(cells - 1) : 0;
  return `offset + (slope >> ${bits}u) * i32(${cell}) + i32(((bitcast<u32>(slope) & ${2 ** bits - 1}u) * ${cell}) >> ${bits}u)`;
}

const delayText = (shift: string, bits: number): string => `f32(${shift} & ${2 ** bits - 1}i) * ${wgslFloat(2 ** -bits)}`;

/** A fraction of a cycle becomes signed before it becomes a float, so that it is most exact if it is small. */
const turnText = (cell: string): string =>
  `cis(f32(bitcast<i32>(base + turn * ${cell} + ((fine * ${cell}) >> 16u))) * ${wgslFloat(2 ** -32)})`;

/** `migrationLoad` in WGSL. Only at the edges does each tap need a check that it exists. */
function migrationText({ width, rows, cells, bits, polynomials }: Tuned): string {
  const taps = Array.from({ length: 2 * polynomials.length }, (_, j) => j);
  return `${rowText(rows)}
let shift = ${shiftText("cell", cells)};
let first = i32(cell) + before + (shift >> ${bits}u) - ${polynomials.length - 1}i;
var sum = vec2f();
${weightsText(polynomials, delayText("shift", bits))}
if (first >= 0i && first <= ${width - taps.length}i) {
  let start = u32(first) * ${rows}u + row;
${taps.map((j) => `  sum += weight${j} * load_doppler(start + ${j * rows}u);`).join("\n")}
} else {
${taps.map((j) => `  if (first >= ${-j}i && first < ${width - j}i) { sum += weight${j} * load_doppler(u32(first + ${j}i) * ${rows}u + row); }`).join("\n")}
}
return cmul(sum, ${turnText("cell")});`;
}

/**
 * Two neighbouring cells. Their samples are nearly always neighbours, too, and share all but one. If they are not, and at
 * the ends of the swath, each cell is computed by itself, in a loop: there a short text matters more than speed.
 */
function pairText({ width, rows, cells, bits, polynomials }: Tuned): string {
  const count = 2 * polynomials.length;
  const taps = Array.from({ length: count }, (_, j) => j);
  const sum = (from: number): string => taps.map((j) => `weight${j} * s${from + j}`).join(" + ");
  return `${rowText(rows)}
let near = ${shiftText("cell", cells)};
let next = ${shiftText("(cell + 1u)", cells)};
let first = i32(cell) + before + (near >> ${bits}u) - ${polynomials.length - 1}i;
var a = vec2f();
var b = vec2f();
if ((next >> ${bits}u) == (near >> ${bits}u) && first >= 0i && first < ${width - count}i) {
  let start = u32(first) * ${rows}u + row;
${[...taps, count].map((j) => `  let s${j} = load_doppler(start + ${j * rows}u);`).join("\n")}
  {
${weightsText(polynomials, delayText("near", bits))}
    a = cmul(${sum(0)}, ${turnText("cell")});
  }
  {
${weightsText(polynomials, delayText("next", bits))}
    b = cmul(${sum(1)}, ${turnText("(cell + 1u)")});
  }
} else {
  for (var c = 0u; c < 2u; c++) {
    var place = at;
    place[0] = cell + c;
    let one = dechirp_load(place);
    if (c == 0u) { a = one; } else { b = one; }
  }
}
return vec4f(a, b);`;
}

/** Points of the quadrature over half of the band. The weights are smooth inside it. */
const quadraturePoints = 2048;

/**
 * The taper over the processed band at every azimuth bin. The band's edges are not sharp: the response to a point, which is the transform of the
 * taper, fades out over the outer half of `fadingRows` rows on both sides (Tukey). So it is the same for every transform length, and rows do not depend on lines
 * farther away than the aperture and these rows.
 */
function* bandWeights(
  { radar, azimuthLength: n, dopplerHz, processedBandwidthHz, fadingRows }: ImageGeometry,
  window: Window,
): Generator<void, Float64Array> {
  const w = windowFunction(window);
  const { prfHz, dopplerCentroidHz } = radar;
  const places = Float64Array.from({ length: quadraturePoints }, (_, i) => (i + 0.5) / (2 * quadraturePoints));
  const taper = places.map((x) => w(x));
  const response = new Float64Array(fadingRows + 1);
  // cos(row·α) and the cosine of the row before follow from the two before: cos((r + 1)α) = 2·cos α·cos rα − cos((r − 1)α).
  const twice = places.map((x) => 2 * Math.cos(2 * Math.PI * (processedBandwidthHz / prfHz) * x));
  const now = new Float64Array(quadraturePoints).fill(1);
  const before = twice.map((value) => value / 2);
  for (let row = 0; row <= fadingRows; row++) {
    let sum = 0;
    for (let i = 0; i < quadraturePoints; i++) {
      const value = now[i];
      sum += taper[i] * value;
      now[i] = twice[i] * value - before[i];
      before[i] = value;
    }
    const fade = Math.cos((Math.PI / 2) * Math.max(0, (2 * row) / (fadingRows + 1) - 1)) ** 2;
    response[row] = (sum / quadraturePoints) * (processedBandwidthHz / prfHz) * fade * (row === 0 ? 1 : 2);
    if (row % 16 === 0) yield;
  }
  const weights = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    weights[k] = cosineSum(response, (2 * Math.PI * (dopplerHz[k] - dopplerCentroidHz)) / prfHz);
    if (k % 256 === 0) yield;
  }
  return weights;
}

/** The sum over r of response[r]·cos(r·angle), by Clenshaw's recurrence. */
function cosineSum(response: Float64Array, angle: number): number {
  const cosine = 2 * Math.cos(angle);
  let next = 0;
  let afterNext = 0;
  for (let row = response.length - 1; row > 0; row--) {
    const sum = response[row] + cosine * next - afterNext;
    afterNext = next;
    next = sum;
  }
  return response[0] + (cosine / 2) * next - afterNext;
}

/**
 * The azimuth filter [azimuthLength], interleaved complex: the taper over the processed band, the rotation that brings the
 * first line of the image to row 0, and the scale that gives a unit target at mid swath a unit peak (from the stationary
 * phase: |S(f)| = PRF/√Ka and π/4, Cumming & Wong eq. 5.33 region).
 */
export function* azimuthFilter(geometry: ImageGeometry, window: Window): Generator<void, Float64Array> {
  const { radar, azimuthLength: n, firstLine, gainRangeMeters } = geometry;
  const weights = yield* bandWeights(geometry, window);
  const rate = azimuthRateHzPerSecond(radar, gainRangeMeters, radar.dopplerCentroidHz);
  const gain = (weights.reduce((sum, v) => sum + v, 0) / n) * (radar.prfHz / Math.sqrt(rate));
  const filter = new Float64Array(2 * n);
  const roll = ((-firstLine % n) + n) % n;
  for (let k = 0; k < n; k++) {
    const angle = 2 * Math.PI * (1 / 8 - ((k * roll) % n) / n);
    filter[2 * k] = (weights[k] / gain) * Math.cos(angle);
    filter[2 * k + 1] = (weights[k] / gain) * Math.sin(angle);
    if (k % pieceRows === 0) yield;
  }
  return filter;
}
