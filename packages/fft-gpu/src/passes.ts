/**
 * Plans a transform as dispatches: in one pass over memory if a line fits into a workgroup and that is fastest, else in two or three (four-step: D. H.
 * Bailey 1990; the two-tier paper's section V), on blocks of lines whose intermediate results stay in cache. A filter of a longer line transforms
 * back from the order in which its spectrum is, so it takes three passes instead of four.
 */
import { layout } from "@dechirp/core";
import { isPowerOfTwo, wideTile } from "./crowd.ts";
import type { Dispatch } from "./dispatch.ts";
import { gainsOf, sharesOf } from "./gains.ts";
import { type Block, type Pass, passKernel, scalesLayout } from "./pass-kernel.ts";
import { type Choice, type LineShape, lineShape, type ShapeOptions } from "./shape.ts";
import { goodValues, stagesOf } from "./stage-choice.ts";
import type { PassLimits, Transform } from "./transform.ts";
import { lineKernel } from "./wgsl/line.ts";
import type { LineKernel, Lines } from "./wgsl/line-kernel.ts";

/** A planned transform. */
export interface Planned {
  /** For example `one-pass n=4096 radix=16·16·16 …`. */
  readonly text: string;
  readonly dispatches: readonly Dispatch[];
  readonly temporaries: readonly ReturnType<typeof layout>[];
  readonly passes: number;
  /** Bytes of an element in memory between passes. */
  readonly elementBytes?: number;
  /** What the planner chose. Kernels of variants do not say it. */
  readonly choice?: Choice;
}

const shapeText = (s: LineShape): string =>
  `radix=${s.radices.join("·") || "1"} threads=${s.threads} lines=${s.lines}${s.together > 1 ? " in pairs" : ""} exchange=${s.exchange}${s.windows > 1 ? `/${s.windows}` : ""}${s.mirrored ? " mirrored" : ""}${s.staged === undefined ? "" : " staged"}`;

/** Plans a transform in one pass or several. Returns undefined if n has a large prime factor or is too long. */
export function planTransform(transform: Transform, limits: PassLimits): Planned | undefined {
  const inOne = onePass(transform, limits);
  return inOne && !isLongColumn(transform, inOne, limits) ? inOne : (severalPasses(transform, limits) ?? inOne);
}

/**
 * Whether columns are so long that two passes with wide tiles are faster: on an H200, 2880 × 5824 take 0.146 ms instead of 0.153, 3000 × 5001 0.141 instead of 0.178, and
 * 4000 × 4192 0.146 instead of 0.158 in pairs. Powers of two are as fast in pairs. If only a part is read or written, one pass moves less.
 */
function isLongColumn(transform: Transform, { choice }: Planned, limits: PassLimits): boolean {
  const { n, read, write } = transform;
  const isWhole = read.extent >= n && write.keep[1] >= n;
  const isFree = limits.longestPass === undefined && limits.longestWideTile === undefined;
  if (n <= longestByCost || !isFree || !isWhole || !hasChoice(transform)) return false;
  return choice?.shapes[0]?.together !== 2 || !isPowerOfTwo(n);
}

/** Whether adjacent lines have the shape that costs least (tile-choice.ts): columns without further work for each element. */
function hasChoice(transform: Transform): boolean {
  const { kind, inners, read, turned } = transform;
  return inners > 1 && kind !== "filter" && !read.worked && !turned && !isHalf(transform);
}

function onePass(transform: Transform, limits: PassLimits): Planned | undefined {
  const { n, kind, outers, inners, read, write } = transform;
  const mapping = inners === 1 ? "line" : "tile";
  const longest = mapping === "tile" ? longestTile : isPowerOfTwo(n) ? longestLine : longestMixedLine;
  if (n > (limits.longestPass ?? longest)) return undefined;
  const mirrored = isHalf(transform);
  const few = mapping === "line" && !mirrored && outers <= fewLines && 8 * n <= limits.workgroupBytes;
  const options: ShapeOptions = {
    mapping,
    count: outers * inners,
    exchange: n <= 64 || few ? "both" : "split",
    wide: n > 4096 || (n >= 1024 && mapping === "tile"),
    busy: read.worked ?? false,
    staged: "narrow",
    few,
    crowded: few ? false : kind === "filter" ? "filter" : true,
    products: true,
    byCost: hasChoice(transform),
    passed: write.mirrored !== undefined,
    fewestTile: Math.min(inners, fewestTile),
    insists: limits.longestPass !== undefined,
    ...(limits.prefer?.exchange && { stagedExchange: limits.prefer.exchange }),
    ...limits.prefer,
    half: read.mirrored ? "read" : write.mirrored && "written",
  };
  const shape = lineShapeOf(transform, limits, options);
  if (!shape) return undefined;
  return passOf(transform, mirroredShape(transform, shape, limits, options) ?? shape);
}

/** The shape of a transform in one pass. Columns have it in pairs if few adjacent ones fit into a workgroup. */
function lineShapeOf(transform: Transform, limits: PassLimits, options: ShapeOptions): LineShape | undefined {
  const { n } = transform;
  const byCost = options.byCost && limits.longestWideTile === undefined && n <= longestByCost && stagesOf(n) !== undefined;
  const shape = byCost ? lineShape(n, limits, options) : undefined;
  if (shape && (shape.lines >= wideTile || n <= longestWideTile)) return shape;
  return pairShape(transform, limits, options) ?? shape ?? lineShape(n, limits, options);
}

const isHalf = ({ read, write }: Pick<Transform, "read" | "write">): boolean => read.mirrored !== undefined || write.mirrored !== undefined;

/**
 * So few lines leave most of a GPU idle, so what counts is how long one takes: more invocations, and exchanges with half the barriers. On an H200, 16
 * lines of 1024 points take 2.8 µs instead of 3.6, and of 4096 points 4.1 instead of 4.5.
 */
const fewLines = 64;

/** In shorter lines, so few invocations would read that they do not fill the segments of memory. */
const leastWithFewer = 256;

/**
 * A shape of a half spectrum's transform in which invocations hold mirror images together (`LineShape.mirrored`), if it is worth it. On an H200, real
 * lines of 2048 and 4096 points are then 1.05 to 1.14 times as fast, and those of 32,768, whose exchanges take two windows, 1.4 times. With more
 * values in one window, real lines of 16,384 are 1.09 times slower. Half the invocations with twice the values gain on the way back alone (1024:
 * 1.10).
 */
function mirroredShape({ n, read, write }: Transform, shape: LineShape, limits: PassLimits, options: ShapeOptions): LineShape | undefined {
  if (!isHalf({ read, write }) || shape.staged !== undefined) return undefined;
  const ordered = (radices: readonly number[], threads: number): readonly number[] | undefined => {
    const place = radices.lastIndexOf(n / threads / 2);
    if (place < 0) return undefined;
    const others = radices.filter((_, i) => i !== place);
    return read.mirrored ? [radices[place], ...others.sort((a, b) => a - b)] : [...others, radices[place]];
  };
  const { radices, threads, windows } = shape;
  const same = ordered(radices, threads);
  // Preferences for measurements are not changed.
  if (options.radices?.[n] || options.threads?.[n]) return same?.join() === radices.join() ? { ...shape, mirrored: true } : undefined;
  if (same && (n / threads <= goodValues || windows > 1)) {
    return { ...shape, radices: same, mirrored: true };
  }
  const fewer = threads / 2;
  const again = read.mirrored && threads % 2 === 0 && n >= leastWithFewer && n / fewer <= goodValues ? ordered(radices, fewer) : undefined;
  const found = again && lineShape(n, limits, { ...options, radices: { [n]: again }, threads: { [n]: fewer } });
  return found && { ...found, mirrored: true };
}

/** The numbers and positions of a transform's lines, all in one dispatch. */
export const linesOfTransform = ({ outers, inners }: Pick<Transform, "outers" | "inners">): Lines => ({
  count: outers * inners,
  locate: (text, line) =>
    inners === 1
      ? { outer: line, inner: "0u", digits: {} }
      : outers === 1
        ? { outer: "0u", inner: line, digits: {} }
        : { outer: text.let(`${line} / ${inners}u`, "outer"), inner: text.let(`${line} % ${inners}u`, "inner"), digits: {} },
});

/** A transform in one pass of this shape. */
export function passOf(transform: Transform, shape: LineShape, stages?: LineKernel["stages"]): Planned {
  const { kind, inners, read, write, filter, gains } = transform;
  const mapping = inners === 1 ? "line" : "tile";
  const dispatch = lineKernel({
    shape,
    kind,
    load: mapping,
    store: mapping,
    lines: linesOfTransform(transform),
    read,
    write,
    ...(filter && { filter }),
    ...(gains && { gains }),
    ...(stages && { stages }),
  });
  const choice: Choice = { points: transform.n, mapping, half: isHalf(transform), shapes: [shape] };
  return { text: `one-pass ${shapeText(shape)}`, dispatches: [dispatch], temporaries: [], passes: 1, choice };
}

/**
 * A shape in which each invocation transforms two adjacent columns, if it has no remainder. It is used if tiles are so narrow that memory
 * access dominates, and if elements are computed in pairs.
 */
function pairShape({ n, kind, inners, read, write }: Transform, limits: PassLimits, options: ShapeOptions): LineShape | undefined {
  if (options.mapping !== "tile" || kind === "filter" || !read.paired || !write.paired) return undefined;
  const narrow = n > (limits.longestWideTile ?? longestWideTile);
  if (!narrow && !read.worked) return undefined;
  for (const tile of narrow ? [fewestTile] : [2 * fewestTile, fewestTile]) {
    const shape = lineShape(n, limits, { ...options, together: 2, wide: false, tile });
    if (shape && inners % shape.lines === 0 && shape.lines % 2 === 0) return shape;
  }
  return undefined;
}

/** The longest columns of which a workgroup transforms eight adjacent ones, if their shape is not chosen by cost. Longer ones are transformed in pairs. */
export const longestWideTile = 2048;
/** The longest columns that are transformed in one pass because that costs least. Of longer ones, powers of two are transformed in pairs, and others in two passes. */
const longestByCost = 2560;

/** The least number of adjacent lines in a tile: 32 bytes, which a memory system fetches at once. */
export const fewestTile = 4;

/** The longest line of one pass if n is a power of two. For longer lines, two passes are faster than a workgroup that occupies a whole core. */
export const longestLine = 16_384;
/** The longest of other lengths, if there are stages for which a core has enough registers. Beyond, one pass was as slow as two (21,600 points). */
export const longestMixedLine = 20_480;
/** The longest column that may be transformed in one pass. Of longer columns, too few adjacent ones fit into a workgroup. */
export const longestTile = 4096;

/**
 * Splits n into as few factors as possible, each at most `most`, as equal as possible, largest last. Each is short enough for a tile of
 * adjacent lines.
 */
export function splitLength(n: number, most: number): readonly number[] | undefined {
  for (let passes = 2; passes <= 4; passes++) {
    const found = split(n, passes, most);
    if (found) return found;
  }
  return undefined;
}

function split(n: number, parts: number, most: number): readonly number[] | undefined {
  if (parts === 1) return n <= most && stagesOf(n) ? [n] : undefined;
  const ideal = n ** (1 / parts);
  let best: readonly number[] | undefined;
  for (let factor = Math.min(most, Math.floor(n / 2)); factor >= 2; factor--) {
    if (n % factor !== 0 || !stagesOf(factor)) continue;
    const rest = split(n / factor, parts - 1, most);
    if (!rest) continue;
    const factors = [...rest, factor].sort((a, b) => a - b);
    if (!best || uneven(factors, ideal) < uneven(best, ideal)) best = factors;
    if (factor < ideal) break;
  }
  return best;
}

/** A measure of how unequal factors are and how many stages they take. */
const uneven = (factors: readonly number[], ideal: number): number =>
  factors.reduce((sum, f) => sum + Math.abs(Math.log2(f / ideal)) + (stagesOf(f)?.length ?? 9), 0);

function blockOf({ n, outers, inners }: Transform, bytes: number): Block {
  const lines = Math.max(1, Math.floor(bytes / (8 * n)));
  if (lines >= inners) return { outers: Math.min(outers, Math.floor(lines / inners)), inners };
  // Adjacent lines are at adjacent addresses, so a block takes whole runs of them.
  return { outers: 1, inners: Math.min(inners, Math.max(64, 2 ** Math.floor(Math.log2(lines)))) };
}

function severalPasses(transform: Transform, limits: PassLimits): Planned | undefined {
  const { n, kind, outers, inners } = transform;
  const factors = passFactors(n, limits);
  if (!factors) return undefined;
  const block = blockOf(transform, limits.cacheBytes ?? 2 ** 27);
  const half = limits.scratch === "f16" && passCount(kind, factors) - 1 <= mostRoundings;
  const scratch = layout(half ? "cf16" : "c64", [block.outers, n, block.inners]);
  const last = factors.length - 1;
  const total = transform.gains ?? gainsOf(kind, n);
  const forward = sharesOf(factors, total.forward);
  // A filter transforms the last factor first on the way back.
  const inverse = kind === "filter" ? [...sharesOf([...factors].reverse(), total.inverse)].reverse() : sharesOf(factors, total.inverse);
  const gains = factors.map((_, p) => ({ forward: forward[p], inverse: inverse[p] }));
  const passes: Pass[] =
    kind === "filter"
      ? [
          ...factors.slice(0, -1).map((_, p): Pass => ({ p, kind: "forward", way: "out", gains: gains[p] })),
          { p: last, kind: "filter", way: "back", gains: gains[last] },
          ...factors
            .slice(0, -1)
            .map((_, p): Pass => ({ p, kind: "inverse", way: "back", gains: gains[p] }))
            .reverse(),
        ]
      : factors.map((_, p): Pass => ({ p, kind, way: "out", gains: gains[p] }));
  const shapes: LineShape[] = [];
  const planned = passes.map((pass, i) => {
    const made = passKernel(
      transform,
      {
        ...pass,
        factors,
        block,
        scratch,
        half,
        number: i,
        last: i === passes.length - 1,
        backwards: i % 2 === 1 && limits.backwards !== false,
      },
      limits,
    );
    if (made) shapes.push(made.shape);
    return made?.dispatch;
  });
  const templates = planned.filter((dispatch) => dispatch !== undefined);
  if (templates.length < passes.length) return undefined;
  const dispatches: Dispatch[] = [];
  for (let outer = 0; outer < outers; outer += block.outers) {
    for (let inner = 0; inner < inners; inner += block.inners) {
      for (const dispatch of templates) dispatches.push({ ...dispatch, fixed: { dechirp_outer: outer, dechirp_inner: inner } });
    }
  }
  return {
    text: `${passes.length}-pass ${shapes.map((s) => `(${s.n}: ${shapeText(s)})`).join(" ")} blocks=${dispatches.length / passes.length}${half ? ` scratch=f16 SQNR=${sqnrDb(passes.length - 1).toFixed(0)}dB` : ""}`,
    dispatches,
    temporaries: [scratch, ...(half ? shapes.slice(0, -1).map(({ n: length }) => scalesLayout(block, n, length)) : [])],
    passes: passes.length,
    elementBytes: half ? 4 : 8,
    choice: { points: n, mapping: inners === 1 ? "line" : "tile", half: isHalf(transform), shapes },
  };
}

const passCount = (kind: Transform["kind"], factors: readonly number[]): number =>
  kind === "filter" ? 2 * factors.length - 1 : factors.length;

/** How many times values may be rounded to half precision. With more, the SQNR would be below 70 dB. */
const mostRoundings = 2;

/**
 * Signal to quantization noise ratio in dB of values rounded to 11 bits `times` times. If mantissas are uniform in the logarithm, E[x²]
 * over a binade is 3/(2 ln 2), and that of the error is 2⁻²⁰/12.
 */
const sqnrDb = (times: number): number => 10 * Math.log10(((3 / (2 * Math.LN2)) * 12 * 2 ** 20) / times);

/** Factors whose tiles fit the device. It prefers wide tiles, and narrower tiles to more passes. */
function passFactors(n: number, limits: PassLimits): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  for (const tile of [8, 4, 2]) {
    const most = Math.min(
      Math.floor(limits.workgroupBytes / (4 * tile)),
      Math.floor((limits.invocations / tile) * 16),
      limits.longestFactor ?? 4096,
    );
    const factors = splitLength(n, most);
    if (factors && (!best || factors.length < best.length)) best = factors;
  }
  return best;
}
