/**
 * WGSL that filters the cells of a group with filters that are on chip (Section IV-D of the paper). The filter kernel and the
 * weighting kernel share it: each lane holds the snapshot of a cell in registers and goes through the steering vectors. Lanes that the
 * cells of
 * a group leave free take other vectors of the same cells, unless the largest output of all vectors is wanted.
 */
import { type EfaGeometry, windowBin } from "../efa/options.ts";
import { addConjugateProduct } from "./multiply-add.ts";

export interface FilterSource {
  readonly lanes: number;
  /** Number of steering vectors whose filters are on chip at once. */
  readonly chunk: number;
  readonly chunks: number;
  /** Number of vec4f of a filter, two elements each. */
  readonly pairs: number;
  /** Expression of a filter's vec4f, scaled. */
  filter(pair: string, vector: string): string;
}

export interface ApplyText {
  /** Number of cells that lanes process at once, and of such rounds for a group. */
  readonly cells: number;
  readonly tiles: number;
  /** Declares the snapshot of the lane's cell in tile `tile`: `range`, `there`. In scope: lane, bin, group, live. */
  readonly snapshot: string;
  /** Filters it with vectors `origin` … and stores the outputs, or keeps the largest. */
  readonly outputs: string;
  /** If the largest is kept: statements before the first vector and after the last. */
  readonly begin: string;
  readonly end: string;
}

/** A larger snapshot becomes an array that a loop runs over. */
const mostScalars = 48;

export function applyText(geometry: EfaGeometry, { lanes, chunk, chunks, pairs, filter }: FilterSource): ApplyText {
  const { dopplerBins, ranges, sets, steeringVectors, order: n, temporalTaps, output, maxOverSteering } = geometry;
  const groupRanges = Math.min(sets.groupRanges, ranges);
  const cells = maxOverSteering ? lanes : Math.min(lanes, 2 ** Math.ceil(Math.log2(groupRanges)));
  const slices = Math.floor(lanes / cells);
  const scalars = n <= mostScalars;
  const row = (i: number): string =>
    `(${Math.floor(i / temporalTaps) * dopplerBins}u + (bin + ${windowBin(geometry, 0, i % temporalTaps)}u) % ${dopplerBins}u)`;
  const every = (text: (i: number) => string): string => Array.from({ length: n }, (_, i) => text(i)).join("\n");
  const load = scalars
    ? every((i) => `    let x${i} = load_x(${row(i)} * ${ranges}u + range);`)
    : `    var snapshot: array<vec2f, ${2 * pairs}>;
    for (var i = 0u; i < ${n}u; i++) {
      let row = (i / ${temporalTaps}u) * ${dopplerBins}u + (bin + ${windowBin(geometry, 0, 0)}u + i % ${temporalTaps}u) % ${dopplerBins}u;
      snapshot[i] = load_x(row * ${ranges}u + range);
    }`;
  const sum = scalars
    ? Array.from({ length: pairs }, (_, k) => {
        const second = 2 * k + 1 < n ? `\n      let g${k} = f${k}.zw;\n      ${addConjugateProduct("sum", `x${2 * k + 1}`, `g${k}`)}` : "";
        return `      let f${k} = ${filter(`${k}u`, "v")};
      ${addConjugateProduct("sum", `x${2 * k}`, `f${k}`)}${second}`;
      }).join("\n")
    : `      for (var k = 0u; k < ${pairs}u; k++) {
        let f = ${filter("k", "v")};
        sum += cmulc(snapshot[2u * k], f.xy) + cmulc(snapshot[2u * k + 1u], f.zw);
      }`;
  const whole = steeringVectors % chunk === 0;
  const wanted = whole && chunks === 1 ? `${chunk}u` : `min(${chunk}u, ${steeringVectors}u - origin)`;
  return {
    cells,
    tiles: Math.ceil(groupRanges / cells),
    snapshot: `    let cell = tile * ${cells}u + lane % ${cells}u;
    let count = min(${groupRanges}u, ${ranges}u - group * ${groupRanges}u);
    let there = live && cell < count && lane < ${cells * slices}u;
    let range = group * ${groupRanges}u + min(cell, count - 1u);
${load}`,
    outputs: `    for (var v = lane / ${cells}u; v < ${wanted}; v += ${slices}u) {
      var sum = vec2f();
${sum}
${
  maxOverSteering
    ? "      let power = dot(sum, sum);\n      if (origin + v == 0u || power > best) { best = power; which = origin + v; }"
    : `      if (there) { store_y(((origin + v) * ${dopplerBins}u + bin) * ${ranges}u + range, ${output === "complex" ? "sum" : "dot(sum, sum)"}); }`
}
    }`,
    begin: maxOverSteering ? "    var best = 0.0;\n    var which = 0u;" : "",
    end: maxOverSteering
      ? `    if (there) { store_y(bin * ${ranges}u + range, best); store_strongest(bin * ${ranges}u + range, which); }`
      : "",
  };
}
