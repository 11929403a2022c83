/**
 * The rules that run in JavaScript: transforms of any precision, and hooks and kernels by their references. A transform works on tiles of
 * adjacent lines: it gathers them (strided, padded, or through a load hook), transforms and filters them in work memory, and scatters the
 * results (cropped, or through a store hook). Core lowers everything else.
 */
import {
  type ArrayView,
  type Complex,
  type ComplexDType,
  formatOp,
  isTransform,
  type Kernel,
  type Load,
  type Op,
  RadarError,
  realOf,
  runInPieces,
  type Store,
  type TransformOp,
  transformLayout,
  transformLength,
  type Uniforms,
} from "@dechirp/core";
import {
  axisView,
  filterHookOf,
  hooksText,
  keptLayout,
  onePassCost,
  type PlanBody,
  type Rule,
  type RuleContext,
  referenceOf,
  requireSynchronous,
} from "@dechirp/core/backend";
import { runToEnd } from "@dechirp/core/internal";
import { multiplyBy, settle } from "./levels.ts";
import { type Line, type LineConstructor, type LineTransform, lineTransform, lineTransformBytes, multiplyInto } from "./lines.ts";
import { type HostArray, usesOf } from "./memory.ts";
import type { Queue } from "./queue.ts";

/** Number of adjacent lines of a strided axis in a tile: as many as make full use of a cache line. */
const tileLines = 8;

/** Whether the op is a transform without a corner turn. Core lowers those with one. */
const isStraight = (op: Op): op is TransformOp => isTransform(op) && !op.cornerTurn;
const isBare = (op: Op): boolean => isStraight(op) && (op.op === "fft" || op.op === "real-fft") && !op.load && !op.store;

/** The rules in JavaScript. */
export function cpuRules(queue: Queue): readonly Rule<HostArray>[] {
  return [
    { name: "lines", fused: false, try: (op, context) => (isBare(op) ? transformBody(op as TransformOp, queue, context) : undefined) },
    { name: "lines, fused", fused: true, try: (op, context) => (isStraight(op) ? transformBody(op, queue, context) : undefined) },
    { name: "kernel by reference", fused: false, try: (op) => kernelBody(op, queue) },
  ];
}

function kernelBody(op: Op, queue: Queue): PlanBody<HostArray> | undefined {
  if (op.op !== "kernel") return undefined;
  const uses = usesOf(op);
  return {
    text: `(kernel/reference ${op.name})`,
    cost: onePassCost(op),
    offUnits: true,
    run(ports, { uniforms, signal }) {
      return queue.push({
        what: formatOp(op),
        uses: uses(ports),
        items: op.items,
        signal,
        run: (start, end) => requireSynchronous(op.reference(viewsOf(ports), uniforms, start, end), nameOfReference(op)),
      });
    },
  };
}

const nameOfReference = ({ name }: Kernel | Load | Store): string => `${name}.reference`;

const viewsOf = (ports: Readonly<Record<string, HostArray>>): Record<string, ArrayView> =>
  Object.fromEntries(Object.entries(ports).map(([name, array]) => [name, array.elements]));

/**
 * A tile of `width` adjacent lines. The first one starts at element `outer·extent·inners + inner`; the elements of a line are `inners`
 * apart.
 */
interface Tile {
  readonly outer: number;
  readonly inner: number;
  readonly width: number;
}

/** Largest number of bytes that a plan may use for tables and work arrays: as much as all arrays of a device. */
const mostPlanBytes = 2 ** 32;

async function transformBody(op: TransformOp, queue: Queue, { pause }: RuleContext): Promise<PlanBody<HostArray>> {
  const complexDType = (op.op === "real-fft" && !op.inverse ? transformLayout(op).dtype : op.layout.dtype) as ComplexDType;
  const precision: LineConstructor = realOf(complexDType) === "f32" ? Float32Array : Float64Array;
  const n = transformLength(op);
  const input = axisView(op.layout, op.axis);
  const width = Math.min(tileLines, input.inners);
  const planBytes = lineTransformBytes(n) + 4 * n * width * precision.BYTES_PER_ELEMENT;
  if (planBytes > mostPlanBytes) {
    throw new RadarError("limit", `a plan of ${formatOp(op)} needs ${planBytes} bytes of host memory, the limit is ${mostPlanBytes}`, {
      field: "n",
      actual: n,
      bytes: planBytes,
      limit: mostPlanBytes,
    });
  }
  const lines = await runInPieces(lineTransform(n, precision), pause);
  const result = keptLayout(op);
  const kept = result.shape[op.axis];
  const start = op.keep?.[0] ?? 0;
  const tilesAcross = Math.ceil(input.inners / width);
  const items = input.outers * tilesAcross;
  const tileAt = (item: number): Tile => {
    const inner = (item % tilesAcross) * width;
    return { outer: Math.floor(item / tilesAcross), inner, width: Math.min(width, input.inners - inner) };
  };
  const work = Array.from({ length: width }, () => new precision(2 * n));
  const other = Array.from({ length: width }, () => new precision(2 * n));
  const uses = usesOf(op);

  return {
    text: `(${op.op}/lines ${lines.text} n=${n} lines=${input.outers * input.inners}${hooksText(op, " by reference")})`,
    cost: onePassCost(op),
    offUnits: true,
    ...(lines.convolved && { convolved: lines.convolved }),
    run(ports, { uniforms, signal }) {
      /** Does the same as `run`, in steps. Views are made again after every turn of the event loop, because memory may have moved. */
      function* longLines(from: number, to: number): Generator<void> {
        for (let item = from; item < to; item++) {
          const tile = tileAt(item);
          const views = viewsOf(ports);
          (op.load ? gatherLoaded(op, op.load, views, uniforms) : gatherPort(op, ports["in"].data as Line))(tile, work);
          yield;
          const filter: Filter = (...part) => filterOf(op, ports, uniforms)?.(...part);
          for (let w = 0; w < tile.width; w++) yield* transformLine(op, lines, filter, tile, w, work, other);
          (op.store ? scatterStored(op, op.store, viewsOf(ports), uniforms) : scatterPort(op, ports["out"].data as Line))(
            tile,
            other,
            start,
            kept,
          );
          yield;
        }
      }
      return queue.push({
        what: formatOp(op),
        uses: uses(ports),
        items,
        signal,
        run(from, to) {
          // Made for every slice, because memory may have moved.
          const views = viewsOf(ports);
          const gather = op.load ? gatherLoaded(op, op.load, views, uniforms) : gatherPort(op, ports["in"].data as Line);
          const scatter = op.store ? scatterStored(op, op.store, views, uniforms) : scatterPort(op, ports["out"].data as Line);
          const filter = filterOf(op, ports, uniforms);
          for (let item = from; item < to; item++) {
            const tile = tileAt(item);
            gather(tile, work);
            for (let w = 0; w < tile.width; w++) runToEnd(transformLine(op, lines, filter, tile, w, work, other));
            scatter(tile, other, start, kept);
          }
        },
        // One long line takes many steps.
        ...(lines.steps && { steps: longLines }),
      });
    },
  };
}

/** Multiplies the bins `from` to `to` − 1 of line `w` of a tile with the filter. */
type Filter = (line: Line, tile: Tile, w: number, from: number, to: number) => void;

/** Bins of a long line that are filtered in one step. A filter by reference takes about a millisecond for them. */
const filteredAtOnce = 2 ** 14;

/** Filters a whole line, in steps if the line is long. */
function* filterLine(filter: Filter | undefined, lines: LineTransform, line: Line, tile: Tile, w: number): Generator<void> {
  if (!filter) return;
  const piece = lines.steps ? filteredAtOnce : lines.n;
  for (let from = 0; from < lines.n; from += piece) {
    if (from > 0) yield;
    filter(line, tile, w, from, Math.min(from + piece, lines.n));
  }
}

/** Transforms line `work[w]` to `other[w]`. The line is scaled if its numbers are at the ends of the range of exponents (levels.ts). */
function* transformLine(
  op: TransformOp,
  lines: LineTransform,
  filter: Filter | undefined,
  tile: Tile,
  w: number,
  work: Line[],
  other: Line[],
): Generator<void> {
  const back = settle(work[w]);
  switch (op.op) {
    case "fft":
    case "real-fft":
      if (lines.steps) yield* lines.steps(other[w], work[w], op.inverse);
      else lines.run(other[w], work[w], op.inverse);
      break;
    case "spectral-filter":
      if (lines.steps) yield* lines.steps(other[w], work[w], false);
      else lines.run(other[w], work[w], false);
      yield* filterLine(filter, lines, other[w], tile, w);
      if (lines.steps) yield* lines.steps(work[w], other[w], true);
      else lines.run(work[w], other[w], true);
      [work[w], other[w]] = [other[w], work[w]];
      break;
    case "filter-inverse":
      yield* filterLine(filter, lines, work[w], tile, w);
      if (lines.steps) yield* lines.steps(other[w], work[w], true);
      else lines.run(other[w], work[w], true);
      break;
  }
  multiplyBy(other[w], back);
}

/** The filter of the op: a hook by its reference, or the array at port `h`. Undefined if the op has no filter. */
function filterOf(op: TransformOp, ports: Readonly<Record<string, HostArray>>, uniforms: Uniforms): Filter | undefined {
  if (!("h" in op)) return undefined;
  const hook = filterHookOf(op);
  const { inners } = axisView(op.layout, op.axis);
  if (hook) return computedFilter(op, hook, inners, viewsOf(ports), uniforms);
  const n = transformLength(op);
  const h = ports["h"].data as Line;
  const isLine = op.h === "line";
  return (line, { outer, inner }, w, from, to) => {
    for (let k = from; k < to; k++) {
      const f = isLine ? k : (outer * n + k) * inners + inner + w;
      multiplyInto(line, 2 * k, line[2 * k], line[2 * k + 1], h[2 * f], h[2 * f + 1]);
    }
  };
}

function computedFilter(op: TransformOp, hook: Load, inners: number, views: Record<string, ArrayView>, uniforms: Uniforms): Filter {
  const walk = indexWalk(op.layout.shape, op.axis);
  const what = nameOfReference(hook);
  const one = referenceOf(hook);
  return (line, { outer, inner }, w, from, to) => {
    const at = walk(outer * inners + inner + w);
    for (let k = from; k < to; k++) {
      at[op.axis] = k;
      const [re, im] = requireSynchronous(one(at, views, uniforms), what);
      multiplyInto(line, 2 * k, line[2 * k], line[2 * k + 1], re, im);
    }
  };
}

type Gather = (tile: Tile, work: readonly Line[]) => void;

function gatherPort(op: TransformOp, data: Line): Gather {
  const { extent, inners } = axisView(op.layout, op.axis);
  const n = transformLength(op);
  const real = op.op === "real-fft" && !op.inverse;
  const half = op.op === "real-fft" && op.inverse;
  return ({ outer, inner, width }, work) => {
    const used = Math.min(extent, half ? Math.floor(n / 2) + 1 : n);
    for (let i = 0; i < used; i++) {
      const s = (outer * extent + i) * inners + inner;
      for (let w = 0; w < width; w++) {
        const line = work[w];
        line[2 * i] = real ? data[s + w] : data[2 * (s + w)];
        line[2 * i + 1] = real ? 0 : data[2 * (s + w) + 1];
      }
    }
    for (let w = 0; w < width; w++) {
      if (half) mirror(work[w], used, n);
      else work[w].fill(0, 2 * used);
    }
  };
}

/** Extends a half spectrum of `used` bins to the n bins of a real line. */
function mirror(line: Line, used: number, n: number): void {
  line[1] = 0;
  for (let k = used; k <= n >> 1; k++) line.fill(0, 2 * k, 2 * k + 2);
  if (n % 2 === 0) line[n + 1] = 0;
  for (let k = 1; 2 * k < n; k++) {
    line[2 * (n - k)] = line[2 * k];
    line[2 * (n - k) + 1] = -line[2 * k + 1];
  }
}

function gatherLoaded(op: TransformOp, load: Load, views: Readonly<Record<string, ArrayView>>, uniforms: Uniforms): Gather {
  const n = transformLength(op);
  const walk = indexWalk(op.layout.shape, op.axis);
  const { extent, inners } = axisView(op.layout, op.axis);
  const real = op.op === "real-fft" && !op.inverse;
  const half = op.op === "real-fft" && op.inverse;
  const used = Math.min(extent, half ? Math.floor(n / 2) + 1 : n);
  const what = nameOfReference(load);
  const one = referenceOf(load);
  return ({ outer, inner, width }, work) => {
    for (let w = 0; w < width; w++) {
      const line = work[w];
      const at = walk(outer * inners + inner + w);
      for (let i = 0; i < used; i++) {
        at[op.axis] = i;
        const [re, im] = requireSynchronous(one(at, views, uniforms), what);
        line[2 * i] = re;
        line[2 * i + 1] = real ? 0 : im;
      }
      if (half) mirror(line, used, n);
      else line.fill(0, 2 * used);
    }
  };
}

type Scatter = (tile: Tile, lines: readonly Line[], start: number, kept: number) => void;

function scatterPort(op: TransformOp, data: Line): Scatter {
  const { inners } = axisView(op.layout, op.axis);
  const real = op.op === "real-fft" && op.inverse;
  return ({ outer, inner, width }, lines, start, kept) => {
    for (let i = 0; i < kept; i++) {
      const d = (outer * kept + i) * inners + inner;
      const s = 2 * (start + i);
      for (let w = 0; w < width; w++) {
        if (real) {
          data[d + w] = lines[w][s];
        } else {
          data[2 * (d + w)] = lines[w][s];
          data[2 * (d + w) + 1] = lines[w][s + 1];
        }
      }
    }
  };
}

function scatterStored(op: TransformOp, store: Store, views: Readonly<Record<string, ArrayView>>, uniforms: Uniforms): Scatter {
  const walk = indexWalk(keptLayout(op).shape, op.axis);
  const { inners } = axisView(op.layout, op.axis);
  const real = op.op === "real-fft" && op.inverse;
  const what = nameOfReference(store);
  const one = referenceOf(store);
  return ({ outer, inner, width }, lines, start, kept) => {
    for (let w = 0; w < width; w++) {
      const at = walk(outer * inners + inner + w);
      for (let i = 0; i < kept; i++) {
        at[op.axis] = i;
        const value: Complex = [lines[w][2 * (start + i)], real ? 0 : lines[w][2 * (start + i) + 1]];
        const [re, im] = requireSynchronous(one(at, value, views, uniforms), what);
        views["out"].set((outer * kept + i) * inners + inner + w, re, im);
      }
    }
  };
}

/** Returns a function from a line's number to the index vector of its first element. It returns the same array every time. */
function indexWalk(shape: readonly number[], axis: number): (line: number) => number[] {
  const at = shape.map(() => 0);
  return (line) => {
    let rest = line;
    for (let a = shape.length - 1; a >= 0; a--) {
      if (a === axis) continue;
      at[a] = rest % shape[a];
      rest = Math.floor(rest / shape[a]);
    }
    at[axis] = 0;
    return at;
  };
}
