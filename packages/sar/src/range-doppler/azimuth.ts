/**
 * The Doppler-domain half of range-Doppler: range cell migration correction and the azimuth phase as one load hook, and the azimuth filter,
 * which is the same for all ranges. Sources: Cumming & Wong sections 6.3.4 (RCMC) and 6.3.5 (azimuth compression).
 *
 * Both migration and phase are linear in the range cell for a given Doppler row, so that a row needs only a few numbers. They are computed
 * here in float64, because on a satellite the phase is about 10⁷ cycles. The phase is kept as a 32-bit fraction of a cycle, whose
 * overflow is the wrap: offset + slope·cell with a slope of 48 bits is right to 2⁻³¹ cycles in any arithmetic that has
 * 32-bit integers. The phase is relative to 4πR₀f₀/c, so that a focused target keeps the phase −4πR₀/λ that
 * interferometry expects (SLC convention).
 */

import type { Layout, Load, TunedHook } from "@dechirp/core";
import {
  asU32,
  cis,
  floor,
  inside,
  load,
  min,
  minus,
  plus,
  type SourceOf,
  shiftRight,
  sum,
  times,
  toI32,
  toReal,
} from "@dechirp/core/expression";
import { maxWasmConstant, wgslFloat } from "@dechirp/core/internal";
import { speedOfLight, type Window, windowFunction } from "@dechirp/radar";
import { azimuthRateHzPerSecond, rangeSpacingMeters } from "../radar.ts";
import { wasmHook } from "../wasm/hooks.ts";
import { weightsText } from "../weights-text.ts";
import type { ImageGeometry } from "./geometry.ts";

/** How many rows of a table one piece of work makes. There may be a million rows. */
const pieceRows = 4096;

/**
 * [azimuthLength][3]: whole cells, fraction of a cell and cells per cell by which the samples of row k lie beyond those of the
 * beam centre. All zero without RCMC.
 */
export function* migrationTable(geometry: ImageGeometry, corrected: boolean): Generator<void, Float64Array> {
  const { radar, migration, reference, guard, firstCell } = geometry;
  const nearCells = radar.nearRangeMeters / rangeSpacingMeters(radar) + firstCell;
  const table = new Float64Array(3 * migration.length);
  for (const [k, d] of migration.entries()) {
    if (k % pieceRows === 0) yield;
    const slope = corrected ? reference / d - 1 : 0;
    const whole = Math.floor(nearCells * slope);
    table.set([whole + guard[0], nearCells * slope - whole, slope], 3 * k);
  }
  return table;
}

/**
 * [azimuthLength][3], unsigned 32 bits: phase at cell 0 in 2⁻³² cycles, slope per cell in 2⁻³² cycles, and 16 more bits of
 * slope. `remainder` is the phase that secondary range compression at mid swath leaves for row k at a range, as its mean over the
 * chirp band in cycles; it is linear in range.
 */
export function* phaseTable(
  geometry: ImageGeometry,
  remainder: (row: number, slantRangeMeters: number) => number,
): Generator<void, Uint32Array> {
  const { radar, migration, axes } = geometry;
  const { start, step } = axes.slantRangeMeters;
  const table = new Uint32Array(3 * migration.length);
  const perMeter = (2 * radar.carrierHz) / speedOfLight;
  for (const [k, d] of migration.entries()) {
    if (k % pieceRows === 0) yield;
    const left = remainder(k, start);
    const offset = perMeter * start * (d - 1) + left;
    const slope = perMeter * step * (d - 1) + remainder(k, start + step) - left;
    const scaled = (slope - Math.floor(slope)) * 2 ** 32;
    const whole = Math.floor(scaled);
    table.set([Math.round((offset - Math.floor(offset)) * 2 ** 32) % 2 ** 32, whole, Math.floor((scaled - whole) * 2 ** 16)], 3 * k);
  }
  return table;
}

/**
 * Gathers image cell i < `cells` of Doppler row k along its migration curve and applies the azimuth phase of the row. Ports:
 * doppler [guard + cells + guard][azimuthLength], migration [azimuthLength][3], phase [azimuthLength][3], taps
 * [phases + 1][taps], with an even number of taps. Cells outside the array count as zero. If the same kernel is also given as
 * `polynomials` (`interpolatorPolynomials`), WGSL computes weights instead of reading them from the table.
 */
export function migrationLoad(
  doppler: Layout,
  migration: Layout,
  phase: Layout,
  taps: Layout,
  cells: number,
  polynomials?: readonly (readonly number[])[],
): Load {
  const [width, rows] = doppler.shape;
  const phases = taps.shape[0] - 1;
  const count = taps.shape[1];
  const single = ["c64", "cf16"].includes(doppler.dtype) && migration.dtype === "f32" && phase.dtype === "u32" && taps.dtype === "f32";
  // The 16 low bits of the phase slope times the cell must fit 32 bits.
  const fits = single && count % 2 === 0 && Math.max(width, rows, phases) <= maxWasmConstant && cells <= 2 ** 16;
  const tuned: TunedHook = {
    constants: { width, rows, phases, taps: count },
    ...wasmHook("migration", fits && doppler.dtype === "c64"),
    ...(polynomials && {
      wgsl: migrationText(width, rows, count, polynomials),
      wgslPair: { axis: 0, text: pairText(width, rows, phases, polynomials) },
    }),
  };
  return load(
    {
      name: "migration and azimuth phase",
      layout: { dtype: doppler.dtype, shape: [cells, rows] },
      sources: { doppler, migration, phase, taps },
      ...(fits && { tuned }),
    },
    ({ at: [cell, row], ...sources }) => {
      const { doppler: x, migration: m, phase: p, taps: table } = sources as unknown as MigrationSources;
      const shift = plus(m(row, 1), times(m(row, 2), toReal(cell)));
      const whole = floor(shift);
      const position = times(minus(shift, whole), phases);
      const q = min(toI32(floor(position)), phases - 1);
      const blend = minus(position, toReal(q));
      const first = plus(plus(cell, toI32(plus(m(row, 0), whole))), 1 - count / 2);
      const gathered = sum(count, (j) => {
        const near = table(q, j);
        return times(inside(x, plus(first, j), row), plus(near, times(blend, minus(table(plus(q, 1), j), near))));
      });
      // The 32-bit wrap is the wrap of the cycle.
      const cells = asU32(cell);
      const fraction = plus(plus(p(row, 0), times(p(row, 1), cells)), shiftRight(times(p(row, 2), cells), 16));
      return times(gathered, cis(fraction));
    },
  );
}

interface MigrationSources {
  readonly doppler: SourceOf<"complex">;
  readonly migration: SourceOf<"real">;
  readonly phase: SourceOf<"u32">;
  readonly taps: SourceOf<"real">;
}

/**
 * `migrationLoad` in WGSL, with weights from polynomials. A fraction of a cycle becomes signed before it becomes a float, so that it is most
 * exact if it is small.
 */
function migrationText(width: number, rows: number, count: number, polynomials: readonly (readonly number[])[]): string {
  return `let row = 3u * at[1];
let cell = at[0];
let shift = load_migration(row + 1u) + load_migration(row + 2u) * f32(cell);
let whole = floor(shift);
let first = i32(cell) + i32(load_migration(row)) + i32(whole) - ${count / 2 - 1}i;
var sum = vec2f();
${computedSum(polynomials, width, rows)}
let fraction = load_phase(row) + load_phase(row + 1u) * cell + ((load_phase(row + 2u) * cell) >> 16u);
return cmul(sum, cis(f32(bitcast<i32>(fraction)) * ${wgslFloat(2 ** -32)}));`;
}

/** Weights from polynomials. Only at the edges does each tap need a check that it exists. */
function computedSum(polynomials: readonly (readonly number[])[], width: number, rows: number): string {
  const taps = Array.from({ length: 2 * polynomials.length }, (_, j) => j);
  return `${weightsText(polynomials, "shift - whole")}
if (first >= 0i && first <= ${width - taps.length}i) {
  let start = u32(first) * ${rows}u + at[1];
${taps.map((j) => `  sum += weight${j} * load_doppler(start + ${j * rows}u);`).join("\n")}
} else {
${taps.map((j) => `  if (first >= ${-j}i && first < ${width - j}i) { sum += weight${j} * load_doppler(u32(first + ${j}i) * ${rows}u + at[1]); }`).join("\n")}
}`;
}

/**
 * Two neighbouring cells. Their samples are nearly always neighbours, too, and share all but one. If they are not, and at
 * the ends of the swath, weights come from the table, in a loop: there a short text matters more than speed.
 */
function pairText(width: number, rows: number, phases: number, polynomials: readonly (readonly number[])[]): string {
  const count = 2 * polynomials.length;
  const taps = Array.from({ length: count }, (_, j) => j);
  const sum = (from: number): string => taps.map((j) => `weight${j} * s${from + j}`).join(" + ");
  const phase = (cell: string): string =>
    `cis(f32(bitcast<i32>(base + turn * ${cell} + ((fine * ${cell}) >> 16u))) * ${wgslFloat(2 ** -32)})`;
  return `let row = 3u * at[1];
let cell = at[0];
let before = i32(load_migration(row)) - ${count / 2 - 1}i;
let offset = load_migration(row + 1u);
let slope = load_migration(row + 2u);
let base = load_phase(row);
let turn = load_phase(row + 1u);
let fine = load_phase(row + 2u);
let near = offset + slope * f32(cell);
let next = offset + slope * f32(cell + 1u);
let whole = floor(near);
let first = i32(cell) + before + i32(whole);
var a = vec2f();
var b = vec2f();
if (floor(next) == whole && first >= 0i && first < ${width - count}i) {
  let start = u32(first) * ${rows}u + at[1];
${[...taps, count].map((j) => `  let s${j} = load_doppler(start + ${j * rows}u);`).join("\n")}
  {
${weightsText(polynomials, "near - whole")}
    a = ${sum(0)};
  }
  {
${weightsText(polynomials, "next - whole")}
    b = ${sum(1)};
  }
} else {
  for (var c = 0u; c < 2u; c++) {
    let shift = select(near, next, c == 1u);
    let lowest = i32(cell + c) + before + i32(floor(shift));
    let position = (shift - floor(shift)) * ${phases}.0;
    let q = min(u32(position), ${phases - 1}u);
    var sum = vec2f();
    for (var j = 0u; j < ${count}u; j++) {
      let i = lowest + i32(j);
      if (i >= 0i && i < ${width}i) {
        let low = load_taps(q * ${count}u + j);
        let weight = low + (position - f32(q)) * (load_taps((q + 1u) * ${count}u + j) - low);
        sum += weight * load_doppler(u32(i) * ${rows}u + at[1]);
      }
    }
    if (c == 0u) { a = sum; } else { b = sum; }
  }
}
return vec4f(cmul(a, ${phase("cell")}), cmul(b, ${phase("(cell + 1u)")}));`;
}

/**
 * The azimuth filter [azimuthLength], interleaved complex: the taper over the processed band, the rotation that brings the
 * first line of the image to row 0, and the scale that gives a unit target at mid swath a unit peak (from the stationary
 * phase: |S(f)| = PRF/√Ka and π/4, Cumming & Wong eq. 5.33 region).
 */
export function* azimuthFilter(geometry: ImageGeometry, window: Window): Generator<void, Float64Array> {
  const { radar, azimuthLength: n, dopplerHz, firstLine, midRangeMeters, processedBandwidthHz } = geometry;
  const w = windowFunction(window);
  const weights = new Float64Array(n);
  for (let k = 0; k < n; k++) {
    weights[k] = w((dopplerHz[k] - radar.dopplerCentroidHz) / processedBandwidthHz);
    if (k % pieceRows === 0) yield;
  }
  const rate = azimuthRateHzPerSecond(radar, midRangeMeters, radar.dopplerCentroidHz);
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
