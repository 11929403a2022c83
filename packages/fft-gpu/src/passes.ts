/**
 * From a transform to dispatches: in one pass over memory where a line fits a workgroup, in two or three beyond (four-step:
 * D. H. Bailey 1990; the two-tier paper's section V), on blocks of lines whose intermediate results stay in cache. A filter
 * of a longer line transforms back in the order in which its spectrum happens to be: three passes instead of four.
 */
import { layout } from "@dechirp/core";
import type { ArrayUse, Dispatch } from "./dispatch.ts";
import { type LineShape, lineShape, type ShapeOptions, stagesOf } from "./shape.ts";
import { longTwiddle, type TableBuilder } from "./tables.ts";
import { type FilterReader, type LineAt, type Lines, lineKernel, type Reader, type Writer } from "./wgsl/line.ts";
import type { Text } from "./wgsl/text.ts";

/** A transform of lines, whatever they are made of: (outer, inner) is a line, adjacent inners lie at adjacent addresses. */
export interface Transform {
  readonly n: number;
  readonly kind: "forward" | "inverse" | "filter";
  readonly outers: number;
  readonly inners: number;
  readonly read: Reader;
  readonly write: Writer;
  readonly filter?: FilterReader;
}

export interface Planned {
  /** `one-pass n=4096 radix=16·16·16 …` */
  readonly text: string;
  readonly dispatches: readonly Dispatch[];
  readonly temporaries: readonly ReturnType<typeof layout>[];
  readonly passes: number;
  /** Bytes of an element in memory between passes. */
  readonly elementBytes?: number;
}

/** What plans are made for. */
export interface PassLimits {
  readonly workgroupBytes: number;
  readonly invocations: number;
  /** Bytes of intermediate results of lines that go through all passes together. */
  readonly cacheBytes?: number;
  /** Preferences of shapes, for measuring. */
  readonly prefer?: Partial<Omit<ShapeOptions, "mapping" | "count">>;
  /** Longest line of one pass; whatever fits where left out. */
  readonly longestPass?: number;
  /** Longest factor of several passes, likewise. */
  readonly longestFactor?: number;
  /** How intermediate results lie in memory between passes. */
  readonly scratch?: "f32" | "f16";
  /** Every other pass begins with the last lines, which are still in cache; true where left out. */
  readonly backwards?: boolean;
}

const shapeText = (s: LineShape): string =>
  `n=${s.n} radix=${s.radices.join("·") || "1"} threads=${s.threads} lines=${s.lines} exchange=${s.exchange}${s.windows > 1 ? `/${s.windows}` : ""}`;

/** In one pass or several, or nothing where n has a prime factor above 13 or is too long. */
export function planTransform(transform: Transform, limits: PassLimits): Planned | undefined {
  return onePass(transform, limits) ?? severalPasses(transform, limits);
}

function onePass(transform: Transform, limits: PassLimits): Planned | undefined {
  const { n, kind, outers, inners, read, write, filter } = transform;
  const mapping = inners === 1 ? "line" : "tile";
  if (n > (limits.longestPass ?? (mapping === "tile" ? longestTile : longestLine))) return undefined;
  const shape = lineShape(n, limits, {
    mapping,
    count: outers * inners,
    exchange: n <= 512 ? "both" : "split",
    wide: n > 4096 || (n === 4096 && kind === "filter") || (n >= 1024 && mapping === "tile"),
    fewestTile: Math.min(inners, fewestTile),
    ...limits.prefer,
  });
  if (!shape) return undefined;
  const lines: Lines = {
    count: outers * inners,
    locate: (text, line) =>
      inners === 1
        ? { outer: line, inner: "0u", digits: {} }
        : outers === 1
          ? { outer: "0u", inner: line, digits: {} }
          : { outer: text.let(`${line} / ${inners}u`, "outer"), inner: text.let(`${line} % ${inners}u`, "inner"), digits: {} },
  };
  const dispatch = lineKernel({ shape, kind, load: mapping, store: mapping, lines, read, write, ...(filter && { filter }) });
  return { text: `one-pass ${shapeText(shape)}`, dispatches: [dispatch], temporaries: [], passes: 1 };
}

/** Adjacent lines that a tile must have at least: 32 bytes, what a memory system fetches at once. */
const fewestTile = 4;

/** Longest line of one pass. Beyond, two passes are faster than a workgroup that has a core to itself. */
const longestLine = 16384;
/** Longest column, likewise: of longer ones too few lie side by side in a workgroup. */
const longestTile = 4096;

/** Factors of n, each short enough for a tile of adjacent lines: as few as possible, most even, the largest last. */
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

/** How far factors are from even, and how many stages they take. */
const uneven = (factors: readonly number[], ideal: number): number =>
  factors.reduce((sum, f) => sum + Math.abs(Math.log2(f / ideal)) + (stagesOf(f)?.length ?? 9), 0);

const product = (list: readonly number[]): number => list.reduce((a, b) => a * b, 1);

/** A rectangle of lines that go through all passes before the next one begins. */
interface Block {
  readonly outers: number;
  readonly inners: number;
}

function blockOf({ n, outers, inners }: Transform, bytes: number): Block {
  const lines = Math.max(1, Math.floor(bytes / (8 * n)));
  if (lines >= inners) return { outers: Math.min(outers, Math.floor(lines / inners)), inners };
  // Adjacent lines lie at adjacent addresses: a block takes whole runs of them.
  return { outers: 1, inners: Math.min(inners, Math.max(64, 2 ** Math.floor(Math.log2(lines)))) };
}

function severalPasses(transform: Transform, limits: PassLimits): Planned | undefined {
  const { n, kind, outers, inners } = transform;
  const factors = passFactors(n, limits);
  if (!factors) return undefined;
  const block = blockOf(transform, limits.cacheBytes ?? 2 ** 27);
  const half = limits.scratch === "f16" && passCount(kind, factors) - 1 <= mostRoundings;
  const scratch = layout(half ? "cf16" : "c64", [block.outers, n, block.inners]);
  const passes: Pass[] =
    kind === "filter"
      ? [
          ...factors.slice(0, -1).map((_, p): Pass => ({ p, kind: "forward", way: "out" })),
          { p: factors.length - 1, kind: "filter", way: "back" },
          ...factors
            .slice(0, -1)
            .map((_, p): Pass => ({ p, kind: "inverse", way: "back" }))
            .reverse(),
        ]
      : factors.map((_, p): Pass => ({ p, kind, way: "out" }));
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
    text: `${passes.length}-pass n=${n} as ${shapes.map((s) => `(${shapeText(s)})`).join(" ")} blocks=${dispatches.length / passes.length}${half ? ` scratch=f16 SQNR=${sqnrDb(passes.length - 1).toFixed(0)}dB` : ""}`,
    dispatches,
    temporaries: [scratch, ...(half ? shapes.slice(0, -1).map(({ n: length }) => scalesLayout(block, n, length)) : [])],
    passes: passes.length,
    elementBytes: half ? 4 : 8,
  };
}

const passCount = (kind: Transform["kind"], factors: readonly number[]): number =>
  kind === "filter" ? 2 * factors.length - 1 : factors.length;

/** Times that values may be rounded to half precision on their way: beyond, less than 70 dB would be left. */
const mostRoundings = 2;

/**
 * Signal to quantization noise of values rounded to 11 bits `times` times, in dB: with mantissas of every size equally likely
 * (in the logarithm), E[x²] over a binade is 3/(2 ln 2) and the error's 2⁻²⁰/12.
 */
const sqnrDb = (times: number): number => 10 * Math.log10(((3 / (2 * Math.LN2)) * 12 * 2 ** 20) / times);

/** The scales of a pass's lines: one for every line of `length` of a block. */
const scalesLayout = (block: Block, n: number, length: number): ReturnType<typeof layout> =>
  layout("f32", [block.outers, n / length, block.inners]);

/** Factors whose tiles fit the device: wide tiles if they can be had, narrower ones before more passes. */
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

interface Pass {
  /** Which factor of n this pass transforms. */
  readonly p: number;
  readonly kind: Transform["kind"];
  /** From time to frequency order of passes, or back. */
  readonly way: "out" | "back";
}

interface PassContext extends Pass {
  readonly factors: readonly number[];
  readonly block: Block;
  readonly scratch: ReturnType<typeof layout>;
  /** Whether scratch is in half precision, with a scale for every line that a pass has written. */
  readonly half: boolean;
  /** Among the passes; also of the scales that it writes. */
  readonly number: number;
  readonly last: boolean;
  readonly backwards: boolean;
}

/**
 * Pass p transforms the p-th factor N of n = K·N·M: K frequencies found by passes before (digit `k`, in the order of
 * scratch), M elements still to be transformed (digit `m`). Scratch has element (k·N + i)·M + m of a line.
 */
function passKernel(transform: Transform, context: PassContext, limits: PassLimits): { dispatch: Dispatch; shape: LineShape } | undefined {
  const { n, outers, inners } = transform;
  const { p, kind, way, factors, block, half, number, last, backwards } = context;
  const first = number === 0;
  const length = factors[p];
  const done = product(factors.slice(0, p));
  const rest = product(factors.slice(p + 1));
  const count = block.outers * done * rest * block.inners;
  // Where the last factor is transformed, adjacent lines are adjacent frequencies of the factor before: they meet on the way out.
  const natural = p === factors.length - 1 && way === "out";
  const rows = rest === 1 && block.inners === 1;
  const shape = lineShape(length, limits, {
    mapping: "tile",
    count,
    exchange: "split",
    wide: length >= 1024,
    ...limits.prefer,
    ...(rows && kind === "filter" && { tile: 1 }),
  });
  if (!shape) return undefined;
  const digit = (text: Text, value: string, extent: number, name: string): [string, string] =>
    extent === 1 ? ["0u", value] : [text.let(`${value} % ${extent}u`, name), text.let(`${value} / ${extent}u`, name)];
  const lines: Lines = {
    count,
    locate(text, line) {
      const [w, r1] = digit(text, line, block.inners, "w");
      const [m, r2] = digit(text, r1, rest, "m");
      const [kappa, ob] = digit(text, r2, done, "k");
      return {
        outer: text.let(`uniforms.dechirp_outer + ${ob}`, "outer"),
        inner: text.let(`uniforms.dechirp_inner + ${w}`, "inner"),
        digits: { w, m, ob, ...frequencies(text, kappa, factors.slice(0, p), natural) },
      };
    },
    exists: ({ outer, inner }) =>
      [outers % block.outers === 0 ? undefined : `${outer} < ${outers}u`, inners % block.inners === 0 ? undefined : `${inner} < ${inners}u`]
        .filter((condition) => condition !== undefined)
        .join(" && ") || undefined,
  };
  /** Element i of the line in scratch. */
  const scratchIndex = (text: Text, { digits }: LineAt): ((i: string) => string) => {
    const base = text.let(
      `((${digits["ob"]} * ${n}u + ${digits["k"]} * ${length * rest}u) + ${digits["m"]}) * ${block.inners}u + ${digits["w"]}`,
      "base",
    );
    return (i) => `${base} + (${i}) * ${rest * block.inners}u`;
  };
  const scalesUse = (of: number, length: number, access: "read" | "write"): Readonly<Record<string, ArrayUse>> =>
    half ? { [`dechirp_scales${of}`]: { from: { temporary: 1 + of }, layout: scalesLayout(block, n, length), access } } : {};
  /** Of the pass before: where the scale of element i of a line lies. */
  const before = factors[way === "out" || kind === "filter" ? p - 1 : p + 1] ?? 1;
  const scaleIndex = (text: Text, { digits: { ob, k, m, w } }: LineAt): ((i: string) => string) => {
    const lines = text.let(`${ob} * ${n / before}u`, "s");
    if (way === "out" || kind === "filter") {
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

  const read: Reader = first
    ? { ...transform.read, extent: length, line: limited(transform.read, n, inOrder) }
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
          // Of the pass before, whose m′ is this one's element: exp(j2π·k′·m′/(N′·M′)).
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
    ...(applied && { filter: applied }),
  });
  return { dispatch, shape };
}

/**
 * The frequencies found so far: `k` in the order of scratch (first factor slowest), `kappa` as they count (first factor
 * fastest), `before` that of the pass before alone. A line's number holds one of the orders, the other is worked out.
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
  /** Indices that one invocation holds lie this far apart. */
  readonly step: number;
  readonly inverse: boolean;
  readonly slope: string;
  readonly start?: string;
}

/** Indices in a row whose factors are products of one that is looked up and one of these. */
const lookedUp = 4;

/**
 * exp(∓j2π·(start + slope·k)/n) for the results of a line. Two look-ups and a product make one factor; most factors are
 * products of two of those, since what an invocation holds lies evenly spaced.
 */
function rootsAlong(
  text: Text,
  { table, n, step, inverse, slope, start }: Turning,
): NonNullable<ReturnType<NonNullable<Writer["factor"]>>> {
  const { low, high, bits } = longTwiddle(table, n);
  const known = new Map<string, string>();
  const root = (exponent: string): string => {
    let name = known.get(exponent);
    if (name === undefined) {
      const e = text.let(exponent, "e");
      const parts = [`load_dechirp_table((${e} >> ${bits}u) + ${high}u)`, `load_dechirp_table((${e} & ${2 ** bits - 1}u) + ${low}u)`];
      name = text.let(`cmul(${parts.join(", ")})`, "w");
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

/** The transform's reader for elements in another order: what lies beyond its extent is zero. */
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

/** The transform's writer for results in another order: what it does not want is dropped. */
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
