/**
 * Generates one pass of a transform in several passes: the kernel that transforms one factor of every line, with twiddle factors between
 * passes, the order of elements in memory, and half precision. passes.ts decides which passes there are.
 */
import { layout } from "@dechirp/core";
import { isPowerOfTwo, wideTile } from "./crowd.ts";
import type { ArrayUse, Dispatch } from "./dispatch.ts";
import type { Gains } from "./gains.ts";
import { type LineShape, lineShape, type ShapeOptions } from "./shape.ts";
import { stagesOf } from "./stage-choice.ts";
import { longTwiddle, type TableBuilder } from "./tables.ts";
import type { PassLimits, Transform } from "./transform.ts";
import { lineKernel } from "./wgsl/line.ts";
import type { FilterReader, LineAt, Lines, Reader, Writer } from "./wgsl/line-kernel.ts";
import { longRoot } from "./wgsl/long-root.ts";
import type { Mirror } from "./wgsl/stages.ts";
import type { Text } from "./wgsl/text.ts";

/** A rectangle of lines that go through all passes before the next rectangle begins. */
export interface Block {
  readonly outers: number;
  readonly inners: number;
}

/** The layout of a pass's scales: one for every line of `length` of a block. */
export const scalesLayout = (block: Block, n: number, length: number): ReturnType<typeof layout> =>
  layout("f32", [block.outers, n / length, block.inners]);

const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);

/** The most adjacent columns that a workgroup of a pass transforms, and the longest factor of which it does. */
const widestTile = 16;
const longestOfWidest = 256;

/** A pass over memory. */
export interface Pass {
  /** The index of the factor of n that this pass transforms. */
  readonly p: number;
  readonly kind: Transform["kind"];
  /** `out`: from time order to frequency order. `back`: the other way. */
  readonly way: "out" | "back";
  readonly gains: Gains;
}

/** A pass with what its kernel depends on. */
export interface PassContext extends Pass {
  readonly factors: readonly number[];
  readonly block: Block;
  readonly scratch: ReturnType<typeof layout>;
  /** Whether scratch has half precision, with a scale for every line that a pass has written. */
  readonly half: boolean;
  /** The index among the passes, and of the scales that it writes. */
  readonly number: number;
  readonly last: boolean;
  readonly backwards: boolean;
}

/**
 * Generates the kernel of a pass. Pass p transforms the p-th factor N of n = K·N·M. The passes before have found K frequencies (digit `k`,
 * in the order of scratch), and M elements are still to be transformed (digit `m`). Scratch has element (k·N + i)·M + m of a line.
 */
export function passKernel(
  transform: Transform,
  context: PassContext,
  limits: PassLimits,
): { dispatch: Dispatch; shape: LineShape } | undefined {
  const { n, outers, inners } = transform;
  const { p, kind, way, factors, block, half, number, last, backwards } = context;
  const first = number === 0;
  const length = factors[p];
  const done = product(factors.slice(0, p));
  const rest = product(factors.slice(p + 1));
  const count = block.outers * done * rest * block.inners;
  // In the pass that transforms the last factor, adjacent lines are adjacent frequencies of the factor before, so their results are
  // adjacent in memory.
  const natural = p === factors.length - 1 && way === "out";
  const rows = rest === 1 && block.inners === 1;
  const mirrored = last && transform.write.mirrored !== undefined;
  const options: ShapeOptions = {
    mapping: "tile",
    count,
    exchange: "split",
    wide: length >= 1024,
    crowded: kind === "filter" ? "filter" : true,
    products: true,
    passed: mirrored || natural,
    // The largest part of each line, for its scale.
    lineBytes: half && !last ? 4 : 0,
    // 128 bytes of adjacent columns at a time: 65,536 points in columns are 1.14 times as fast on an H200 as with half of it.
    // Of mirror images, only half of them are adjacent: real lines of 65,536 points are then 1.36 times as fast.
    ...((mirrored || block.inners % widestTile === 0) && length <= longestOfWidest && { tile: widestTile }),
    ...limits.prefer,
    ...(rows && kind === "filter" && { tile: 1 }),
  };
  // Two stages and 16 lines instead of three and 8: 39,366 points are 1.2 times as fast, 140,625 1.3 times. Powers of two and shorter factors, which have two
  // stages anyway, became up to 8 % slower: between passes, an invocation needs registers for further factors.
  const byCost = kind !== "filter" && !mirrored && !isPowerOfTwo(length) && (stagesOf(length)?.length ?? 0) > 2;
  const cheapest = byCost ? lineShape(length, limits, { ...options, byCost, fewestTile: wideTile }) : undefined;
  const shape = cheapest ?? lineShape(length, limits, options);
  if (!shape || (mirrored && !hasPairs(shape, done, rest))) return undefined;
  const digit = (text: Text, value: string, extent: number, name: string): [string, string] =>
    extent === 1 ? ["0u", value] : [text.let(`${value} % ${extent}u`, name), text.let(`${value} / ${extent}u`, name)];
  const lines: Lines = {
    // With pairs, the last workgroup may have fewer of them in each half, so that its last lines are not the missing ones.
    count: mirrored ? shape.lines * Math.ceil(count / shape.lines) : count,
    locate(text, line) {
      const half = mirrored ? halfOf(text, line, shape) : undefined;
      const [w, r1] = digit(text, half?.line ?? line, block.inners, "w");
      const [m, r2] = digit(text, r1, rest, "m");
      const [number, ob] = digit(text, r2, half ? done / 2 : done, "k");
      const kappa = half ? half.frequency(number, done) : number;
      return {
        outer: text.let(`uniforms.dechirp_outer + ${ob}`, "outer"),
        inner: text.let(`uniforms.dechirp_inner + ${w}`, "inner"),
        digits: {
          w,
          m,
          ob,
          ...(half && { number: half.line, pair: number, side: half.side, slot: half.slot }),
          ...frequencies(text, kappa, factors.slice(0, p), natural),
        },
      };
    },
    ...(mirrored && { mirror: (text: Text, { digits }: LineAt) => mirrorOf(text, digits, shape) }),
    exists: ({ outer, inner, digits }) =>
      [
        mirrored && count % shape.lines !== 0 ? `${digits["number"]} < ${count / 2}u` : undefined,
        outers % block.outers === 0 ? undefined : `${outer} < ${outers}u`,
        inners % block.inners === 0 ? undefined : `${inner} < ${inners}u`,
      ]
        .filter((condition) => condition !== undefined)
        .join(" && ") || undefined,
  };
  /** Index in scratch of element i of the line. */
  const scratchIndex = (text: Text, { digits }: LineAt): ((i: string) => string) => {
    const base = text.let(
      `((${digits["ob"]} * ${n}u + ${digits["k"]} * ${length * rest}u) + ${digits["m"]}) * ${block.inners}u + ${digits["w"]}`,
      "base",
    );
    return (i) => `${base} + (${i}) * ${rest * block.inners}u`;
  };
  const scalesUse = (of: number, length: number, access: "read" | "write"): Readonly<Record<string, ArrayUse>> =>
    half ? { [`dechirp_scales${of}`]: { from: { temporary: 1 + of }, layout: scalesLayout(block, n, length), access } } : {};
  /** Whether the pass before went `out`. The filter's pass is the last of these. */
  const afterOut = way === "out" || kind === "filter";
  /** The factor of the pass before, and the index in its scales for element i of a line. */
  const before = factors[afterOut ? p - 1 : p + 1] ?? 1;
  const scaleIndex = (text: Text, { digits: { ob, k, m, w } }: LineAt): ((i: string) => string) => {
    const lines = text.let(`${ob} * ${n / before}u`, "s");
    if (afterOut) {
      const row = text.let(`(${lines} + (${k} / ${before}u) * ${length * rest}u + ${m}) * ${block.inners}u + ${w}`, "s");
      return (i) => `${row} + (${i}) * ${rest * block.inners}u`;
    }
    const apart = rest / before;
    const row = text.let(`(${lines} + ${k} * ${length * apart}u + ${m} % ${apart}u) * ${block.inners}u + ${w}`, "s");
    return (i) => `${row} + (${i}) * ${apart * block.inners}u`;
  };
  const inOrder = ({ digits }: LineAt, i: string): string => `((${i}) * ${rest}u + ${digits["m"]})`;
  const scratchUse = (access: "read" | "write" | "update"): Readonly<Record<string, ArrayUse>> => ({
    dechirp_scratch: { from: { temporary: 0 }, layout: context.scratch, access },
  });
  const inPlace = !first && !last;

  // The elements of a line of this pass are not mirror images of each other.
  const { mirrored: _, ...whole } = transform.read;
  const read: Reader = first
    ? { ...whole, extent: length, line: limited(whole, n, inOrder) }
    : {
        arrays: { ...scratchUse(inPlace ? "update" : "read"), ...scalesUse(number - 1, before, "read") },
        extent: length,
        line(text, at) {
          const index = scratchIndex(text, at);
          if (!half) return (_, i) => `load_dechirp_scratch(${index(i)})`;
          const scale = scaleIndex(text, at);
          return (_, i) => `load_dechirp_scales${number - 1}(${scale(i)}) * load_dechirp_scratch(${index(i)})`;
        },
      };
  const order = (at: LineAt, i: string): string =>
    way === "back" ? inOrder(at, i) : done === 1 ? i : `(${at.digits["kappa"]} + (${i}) * ${done}u)`;
  const write: Writer = last
    ? { ...transform.write, keep: [0, length], line: kept(transform.write, n, order) }
    : {
        arrays: { ...scratchUse(inPlace ? "update" : "write"), ...scalesUse(number, length, "write") },
        keep: [0, length],
        ...(half && {
          scaled: (text: Text, { digits: { ob, k, m, w } }: LineAt, scale: string) =>
            text.line(`store_dechirp_scales${number}(((${ob} * ${done}u + ${k}) * ${rest}u + ${m}) * ${block.inners}u + ${w}, ${scale});`),
        }),
        factor: (text, at, table) => {
          const step = length / (shape.radices.at(-1) ?? 1);
          if (way === "out") return rootsAlong(text, { table, n: length * rest, step, inverse: kind === "inverse", slope: at.digits["m"] });
          // The twiddle factor of the pass before, whose m′ is this pass's element: exp(j2π·k′·m′/(N′·M′)).
          const { before, m } = at.digits;
          const slope = rest === 1 ? before : text.let(`${before} * ${rest}u`, "e");
          const start = rest === 1 ? undefined : text.let(`${before} * ${m}`, "e");
          return rootsAlong(text, { table, n: factors[p - 1] * length * rest, step, inverse: true, slope, ...(start && { start }) });
        },
        line(text, at) {
          const index = scratchIndex(text, at);
          return (t, k, value) => t.line(`store_dechirp_scratch(${index(k)}, ${value});`);
        },
      };
  const { filter } = transform;
  const applied: FilterReader | undefined =
    kind === "filter" && filter
      ? {
          ...filter,
          line(text, at, table) {
            const element = filter.line(text, at, table);
            return (t, k) => element(t, t.let(done === 1 ? k : `${at.digits["kappa"]} + (${k}) * ${done}u`, "k"));
          },
        }
      : undefined;
  const dispatch = lineKernel({
    shape,
    kind,
    load: rows ? "line" : "tile",
    store: rows && !natural ? "line" : "tile",
    lines,
    read,
    write,
    backwards,
    gains: context.gains,
    ...(applied && { filter: applied }),
  });
  return { dispatch, shape };
}

/**
 * Whether workgroups of the last pass can have pairs of lines whose frequencies are mirror images. A result is at κ + done·k, and its mirror image at
 * −κ − done·k, in the line of frequency done − κ. Those of 0 and done/2 are mirror images of themselves, and are a pair, too. One half of the lines
 * of a workgroup has adjacent frequencies, and the other half has theirs from the other end.
 */
const hasPairs = ({ lines, together }: LineShape, done: number, rest: number): boolean =>
  rest === 1 && together === 1 && lines % 2 === 0 && done % 2 === 0;

/** The half of a workgroup's lines in which line number `number` is, and its number among the lines of such halves. */
function halfOf(text: Text, number: string, { lines }: LineShape) {
  const half = lines / 2;
  const slot = text.let(`(${number}) % ${lines}u`, "slot");
  const side = text.let(`${slot} / ${half}u`, "side");
  return {
    slot,
    side,
    line: text.let(`((${number}) / ${lines}u) * ${half}u + ${slot} % ${half}u`, "pair"),
    /** The frequency of pair p among `done`. */
    frequency: (p: string, done: number): string =>
      text.let(`select(${p}, select(${done}u - ${p}, ${done / 2}u, ${p} == 0u), ${side} == 1u)`, "k"),
  };
}

/** Where the mirror images of a line's results are. */
function mirrorOf(text: Text, { pair, side, slot }: LineAt["digits"], { n, lines }: LineShape): Mirror {
  const c = text.let(`select(select(${slot} + ${lines / 2}u, ${slot} - ${lines / 2}u, ${side} == 1u), ${slot}, ${pair} == 0u)`, "c");
  // Only in the line of frequency 0 is the mirror image of result k at −k, and not at −k − 1.
  const shift = text.let(`select(1u, 0u, ${pair} == 0u && ${side} == 0u)`, "s");
  return { c, index: (k) => `(${2 * n}u - ${shift} - ${k}) % ${n}u` };
}

/**
 * The frequencies that have been found: `k` in the order of scratch (first factor slowest), `kappa` in natural order (first factor
 * fastest), and `before`, the frequency of the pass before alone. A line's number has one of the orders; the other is computed.
 */
function frequencies(text: Text, number: string, factors: readonly number[], natural: boolean): Record<string, string> {
  if (factors.length === 0) return { k: "0u", kappa: "0u", before: "0u" };
  if (factors.length === 1) return { k: number, kappa: number, before: number };
  const order = natural ? factors : [...factors].reverse();
  const digits: string[] = [];
  let restText = number;
  order.forEach((factor, i) => {
    const lastDigit = i === order.length - 1;
    digits.push(lastDigit ? restText : text.let(`${restText} % ${factor}u`, "f"));
    if (!lastDigit) restText = text.let(`${restText} / ${factor}u`, "f");
  });
  const byFactor = natural ? digits : digits.reverse();
  const join = (list: readonly string[], extents: readonly number[]): string =>
    list.reduce((sum, digit, i) => (i === 0 ? digit : `(${sum}) * ${extents[i]}u + ${digit}`), "");
  return {
    k: natural ? text.let(join(byFactor, factors), "k") : number,
    kappa: natural ? number : text.let(join([...byFactor].reverse(), [...factors].reverse()), "k"),
    before: byFactor[byFactor.length - 1],
  };
}

interface Turning {
  readonly table: TableBuilder;
  readonly n: number;
  /** The distance of adjacent indices that one invocation holds. */
  readonly step: number;
  readonly inverse: boolean;
  readonly slope: string;
  readonly start?: string;
}

/** Of this many indices in a row, one factor is looked up and the others are products with it. */
const lookedUp = 4;

/**
 * exp(∓j2π·(start + slope·k)/n) for the results of a line. A factor takes two look-ups and a product. As the indices of an invocation are
 * evenly spaced, most factors are products of two others.
 */
function rootsAlong(
  text: Text,
  { table, n, step, inverse, slope, start }: Turning,
): NonNullable<ReturnType<NonNullable<Writer["factor"]>>> {
  const tables = longTwiddle(table, n);
  const known = new Map<string, string>();
  const root = (exponent: string): string => {
    let name = known.get(exponent);
    if (name === undefined) {
      name = longRoot(text, tables, text.let(exponent, "e"));
      if (inverse) name = text.let(`vec2f(${name}.x, -${name}.y)`, "w");
      known.set(exponent, name);
    }
    return name;
  };
  const at = (index: string): string => `${start ? `${start} + ` : ""}(${index}) * ${slope}`;
  return ({ index, sum }) => {
    if (!sum) return root(at(index));
    const near = sum.offset % (lookedUp * step);
    const far = sum.offset - near;
    const w = root(at(far === 0 ? sum.base : `${sum.base} + ${far}u`));
    return near === 0 ? w : `cmul(${w}, ${root(`${near}u * ${slope}`)})`;
  };
}

/** The transform's reader for elements in another order. Elements beyond its extent are zero. */
const limited =
  (reader: Reader, n: number, order: (at: LineAt, i: string) => string): Reader["line"] =>
  (text, at, table) => {
    const element = reader.line(text, at, table);
    return (t, i) => {
      const index = t.let(order(at, i), "i");
      if (reader.extent >= n) return element(t, index);
      const value = t.variable("vec2f");
      t.when(`${index} < ${reader.extent}u`, () => t.line(`${value} = ${element(t, index)};`));
      return value;
    };
  };

/** The transform's writer for results in another order. Results outside `keep` are dropped. */
const kept =
  ({ keep: [start, count], line }: Writer, n: number, order: (at: LineAt, i: string) => string): Writer["line"] =>
  (text, at, table) => {
    const element = line(text, at, table);
    return (t, k, value) => {
      const index = t.let(order(at, k), "k");
      const condition = [start > 0 ? `${index} >= ${start}u` : undefined, start + count < n ? `${index} < ${start + count}u` : undefined]
        .filter((part) => part !== undefined)
        .join(" && ");
      t.when(condition === "" ? undefined : condition, () => element(t, start === 0 ? index : `(${index} - ${start}u)`, value));
    };
  };
