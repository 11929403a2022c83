/**
 * Chooses how a workgroup transforms lines of n points: radices, threads, values per thread, adjacent lines, and the use of workgroup
 * memory. In the two-tier model, registers hold the data, and workgroup memory only exchanges it between stages. The choice depends only
 * on the device's limits.
 */
import { radices as offered, primeRadices, wideRadices } from "./wgsl/codelets.ts";

/** The limits of one workgroup. */
export interface GroupLimits {
  readonly workgroupBytes: number;
  readonly invocations: number;
}

/** Whether adjacent invocations work on adjacent elements of a line, or on the same element of adjacent lines. */
export type Mapping = "line" | "tile";

/** How a workgroup transforms lines of n points. */
export interface LineShape {
  readonly n: number;
  /** The radices of the stages, in order. Their product is n. */
  readonly radices: readonly number[];
  /** Number of invocations per line. */
  readonly threads: number;
  /** Number of lines per workgroup. */
  readonly lines: number;
  /** Number of adjacent lines that an invocation works on. It reads and writes their elements together. */
  readonly together: 1 | 2;
  /**
   * `split` exchanges real and then imaginary parts through one array. `both` exchanges them together: half the barriers, twice the bytes.
   */
  readonly exchange: "split" | "both";
  /** Number of parts of the index range that are exchanged one after another. */
  readonly windows: number;
  /**
   * Whether an invocation holds mirror images together, elements k and n − k: when it reads half a spectrum, in the first stage, or when it writes one,
   * in the last. That stage has two butterflies for each invocation.
   */
  readonly mirrored?: boolean;
  /** Whether rows pass through workgroup memory on the way in and out, so that adjacent invocations read and write adjacent elements. */
  readonly staged?: boolean;
  /**
   * Words of workgroup memory that exchanges may use, so that they can be spread over its banks by free words between them. Default: one for each number, in
   * which case powers of two are spread by moving bits.
   */
  readonly room?: number;
  /** Words of workgroup memory that a workgroup has at least, so that no more of them are on a core than have enough registers. */
  readonly leastWords?: number;
  /** Whether most twiddle factors are products of two that are looked up, which reads less memory. */
  readonly products?: boolean;
}

/** What the planner chose for the lines of a transform. */
export interface Choice {
  /** Points of a line, which are fewer than the transform's for real lines, and more for convolutions. */
  readonly points: number;
  readonly mapping: Mapping;
  /** Whether half spectra are read or written, so that invocations can hold mirror images together (`LineShape.mirrored`). */
  readonly half: boolean;
  /** The shape of each pass. */
  readonly shapes: readonly LineShape[];
}

/** The largest number of values that an invocation may hold. More would not fit into registers. */
export const mostValues = 36;
/** The same if a stage has a prime radix beyond that. */
export const mostValuesOfPrimes = 48;
/** The largest number of values that does not reduce the number of invocations in flight. */
export const goodValues = 16;

const memory = new Map<string, readonly number[] | undefined>();

/** The fewest stages with radices up to `largest`, as equal as possible, smallest first. Undefined if n has other prime factors. */
export function stagesOf(n: number, largest = 16): readonly number[] | undefined {
  if (n === 1) return [];
  const key = `${n} ${largest}`;
  if (memory.has(key)) return memory.get(key);
  let best: readonly number[] | undefined;
  for (const r of largest > 16 ? allRadices : offered) {
    if (n % r !== 0 || r > largest) continue;
    const rest = stagesOf(n / r, largest);
    if (!rest) continue;
    const stages = [...rest, r].sort((a, b) => a - b);
    if (!best || weigh(stages) < weigh(best)) best = stages;
  }
  memory.set(key, best);
  return best;
}

/** The radices of stages that lines may have, but for large primes. */
export const allRadices: readonly number[] = [...offered, ...wideRadices];

const weigh = (stages: readonly number[]): number => 1000 * stages.length + stages.reduce((sum, r) => sum + r ** 1.5, 0);

/** The largest number of values that one of `threads` invocations holds in any stage. */
export const valuesOf = (n: number, stages: readonly number[], threads: number): number =>
  Math.max(1, ...stages.map((r) => r * Math.ceil(n / r / threads)));

/** How many values an invocation may hold, and what those beyond `free` cost, in passes over the line. */
export interface ValueCosts {
  readonly most: number;
  readonly free: number;
  readonly each: number;
}

const usualCosts: ValueCosts = { most: mostValues, free: goodValues, each: 10 };
/** Of long lines and of those with a large prime. */
export const mildCosts: ValueCosts = { most: mostValues, free: 20, each: 0.03 };

/** What `threads` invocations of a line cost that hold so many values: slots for elements, idle ones too, and values beyond those that are free. */
export const costOf = (n: number, stages: readonly number[], threads: number, values: number, { free, each }: ValueCosts): number =>
  stages.reduce((sum, r) => sum + (r * Math.ceil(n / r / threads) * threads) / n, 0) + each * Math.max(0, values - free);

/** An invocation holds as many values as the largest radix anyway. With a large prime, idle invocations would cost more than some further values. */
function valueCosts(stages: readonly number[]): ValueCosts {
  const largest = Math.max(...stages);
  if (!(primeRadices as readonly number[]).includes(largest)) return usualCosts;
  return largest > mostValues ? { ...mildCosts, most: mostValuesOfPrimes } : mildCosts;
}

/** The number of invocations for a line: the one with the fewest idle invocations among those whose values fit into registers. */
function threadsFor(
  n: number,
  stages: readonly number[],
  most: number,
  { together = 1, few = false }: Pick<ShapeOptions, "together" | "few">,
): number | undefined {
  if (stages.length === 0) return 1;
  const candidates = new Set([...stages.map((r) => n / r), ...(few ? [] : [most])]);
  const costs = valueCosts(stages);
  let best: { threads: number; cost: number } | undefined;
  for (const threads of candidates) {
    if (threads > most) continue;
    const values = valuesOf(n, stages, threads);
    if (values > costs.most / together) continue;
    const cost = few ? values : costOf(n, stages, threads, values, costs);
    if (!best || cost < best.cost - 1e-9 || (cost < best.cost + 1e-9 && threads > best.threads)) best = { threads, cost };
  }
  if (few && !best) return threadsFor(n, stages, most, { together, few: false });
  return best?.threads;
}

/** Bytes of workgroup memory of a shape. */
export const workgroupBytes = (s: Pick<LineShape, "n" | "lines" | "together" | "exchange" | "windows">): number =>
  Math.ceil(s.n / s.windows) * (s.lines / s.together) * 4 * (s.exchange === "both" ? 2 : 1);

/** The registers of a core. */
const coreRegisters = 65_536;
/**
 * Bytes of workgroup memory of all workgroups on a core at a time. An H200 gives no more to programs that use Vulkan, although it has 228 KiB; other makers'
 * cores have at least as much.
 */
const coreBytes = 49_152;
/** Registers of an invocation besides those of its values: of transforms, of filters, and the fewest with which compilers manage. */
const registersBesides = { transform: 40, filter: 56, fewest: 38 } as const;
/** Invocations whose registers are allotted together. */
const subgroup = 32;

/**
 * How many workgroups of lines a core's registers hold at a time: one's invocations, and the values of each. Two are worth fewer registers, as one computes
 * while the other waits for memory: lines of 8192 points are then 1.3 times as fast on an H200.
 */
function groupsAtATime(invocations: number, values: number, filter: boolean): number {
  const allotted = subgroup * Math.ceil(invocations / subgroup);
  const groups = (besides: number): number => Math.floor(coreRegisters / (allotted * (2 * values + besides)));
  const squeezed = values <= 32 ? Math.min(2, groups(registersBesides.fewest)) : 1;
  return Math.max(1, squeezed, groups(filter ? registersBesides.filter : registersBesides.transform));
}

/** The numbers of windows in which a line may be exchanged. */
const windowCounts = [1, 2, 3] as const;

/**
 * Whether windows of a line begin with whole groups of results and of operands, so that a butterfly's results are all in one, and where an operand is, is
 * known.
 */
const dividesInto = (stages: readonly number[], windows: number): boolean => stages.slice(1).every((r) => r % windows === 0);

/** Options of `lineShape`. */
export interface ShapeOptions {
  /** `line`: elements of a line are adjacent in memory. `tile`: adjacent lines are at adjacent addresses, on input or output. */
  readonly mapping: Mapping;
  /** The number of lines. A workgroup has no more than these. */
  readonly count: number;
  readonly exchange?: "split" | "both";
  /** Lines per invocation. 2 needs a tile of whole pairs. */
  readonly together?: 1 | 2;
  /** The preferred number of adjacent lines in a tile. */
  readonly tile?: number;
  readonly fewestTile?: number;
  /**
   * Whether rows pass through workgroup memory on the way in and out: `narrow` rows, of which adjacent invocations would otherwise read few adjacent
   * elements, or, for measurements, all. Default: none.
   */
  readonly staged?: "narrow" | boolean;
  /** Use many invocations for a line, as there are so few lines that waiting counts, and not the work. */
  readonly few?: boolean;
  /** Use few values per invocation, if reading them involves waiting. More invocations can then wait at the same time. */
  readonly busy?: boolean;
  /** Use 32 values per invocation, if that saves an exchange or lets more workgroups share a core. */
  readonly wide?: boolean;
  /** Whether results pass through workgroup memory before they are written, so that they need it even in a single stage. */
  readonly passed?: boolean;
  /**
   * Use as little workgroup memory as it takes for a core to have as many workgroups at a time as its registers hold. Exchanges are then divided into
   * windows. `filter`: the lines are filtered, which takes more registers. Default: use what there is.
   */
  readonly crowded?: boolean | "filter";
  /** Bytes of workgroup memory that each line needs besides its exchanges. Default: none. */
  readonly lineBytes?: number;
  /** Whether most twiddle factors are products. Default: those of long lines. For measurements. */
  readonly products?: boolean;
  /** Stages by length, instead of the chosen ones. For measurements. */
  readonly radices?: Readonly<Record<number, readonly number[]>>;
  /** Invocations per line by length, instead of the chosen ones. For measurements. */
  readonly threads?: Readonly<Record<number, number>>;
}

/** Chooses the shape for lines of n points. Undefined if n has a large prime factor or a line does not fit into a workgroup. */
export function lineShape(n: number, limits: GroupLimits, options: ShapeOptions): LineShape | undefined {
  const { mapping, count, exchange = "split", together = 1 } = options;
  const isPlain = mapping === "line" && !options.busy;
  const measured = isPlain && options.staged === "narrow" && !options.few && !options.radices?.[n] ? measuredRows[n] : undefined;
  const chosen = measured ?? (isPlain ? fewerStages(n, limits.invocations) : undefined);
  const stages = options.radices?.[n] ?? chosen?.stages ?? stagesFor(n, options);
  if (!stages) return undefined;
  const exchanges = stages.length > 1 || mapping === "line" || options.passed === true;
  const besides = (s: LineShape): number => ((options.lineBytes ?? 0) * s.lines) / s.together;
  const wanted = mapping === "tile" ? (options.tile ?? 8) : 1;
  const fewest = mapping === "tile" ? Math.min(options.fewestTile ?? 1, count) : 1;
  for (let lines = Math.max(1, Math.min(wanted, count)); lines >= fewest; lines = Math.floor(lines / 2)) {
    const threads =
      options.threads?.[n] ??
      (stages === chosen?.stages ? chosen.threads : undefined) ??
      threadsFor(n, stages, Math.floor((limits.invocations * together) / lines), options);
    if (threads === undefined || (threads * lines) / together > limits.invocations) continue;
    const passes = mapping === "line" && (measured?.staged ?? isStaged(stages, threads, options));
    const staged = passes ? stagedShape(n, stages, threads, limits, count) : undefined;
    if (staged) return staged;
    const shape: LineShape = { n, radices: stages, threads, lines, together, exchange, windows: 1 };
    const fits = (windows: number, bytes: number): boolean => workgroupBytes({ ...shape, windows }) + besides(shape) <= bytes;
    const windows =
      (options.crowded && exchanges
        ? crowdedWindows(shape, (w, bytes) => fits(w, Math.min(bytes, limits.workgroupBytes)), options)
        : undefined) ??
      (!exchanges || fits(1, limits.workgroupBytes) ? 1 : n % (2 * stages[0]) === 0 && fits(2, limits.workgroupBytes) ? 2 : undefined);
    if (windows !== undefined) return widened({ ...shape, windows }, limits, count, options, besides);
  }
  return undefined;
}

/** From this share of a core's workgroup memory on, windows are worth their conditions and barriers. */
const largeGroup = 1 / 3;

/**
 * The windows with which most workgroups are on a core of those that its registers hold. More than two are worth it only if a core had one workgroup
 * otherwise. Undefined if a core has one anyway, or if a workgroup takes so little memory that windows are not worthwhile.
 */
function crowdedWindows(shape: LineShape, fits: (windows: number, bytes: number) => boolean, options: ShapeOptions): number | undefined {
  if (fits(1, coreBytes * largeGroup)) return undefined;
  const { n, radices } = shape;
  const counts = windowCounts.filter((windows) => dividesInto(radices, windows) && (windows <= 2 || !fits(1, coreBytes / 2)));
  const room = isPowerOfTwo(n) ? 1 : leastRoom;
  for (let groups = groupsOf(shape, options); groups > 1; groups--) {
    const windows = counts.find((one) => fits(one, coreBytes / groups / room));
    if (windows !== undefined) return windows;
  }
  return undefined;
}

/** Exchanges of lines that are no powers of two need this much more memory than their numbers to be spread over the banks. */
const leastRoom = 1.02;

/** From this length on, looking twiddle factors up takes longer than the products of two. */
const longForProducts = 4096;

/** How many workgroups of a shape a core's registers hold at a time. */
const groupsOf = ({ n, radices, threads, lines, together }: LineShape, { crowded }: ShapeOptions): number =>
  groupsAtATime((threads * lines) / together, heldValues(n, radices, threads) * together, crowded === "filter");

/** Numbers of eight bytes that workgroup memory passes on at a time. */
const places = 16;

/** Places of a staged row in workgroup memory: the fewest that give adjacent invocations, `threads` of each row, different banks. */
export function stagedPlaces(n: number, threads: number): number {
  let best = { row: n, most: places + 1 };
  for (let row = n; row < n + places; row++) {
    const counts = new Array<number>(places).fill(0);
    for (let i = 0; i < places; i++) counts[(Math.floor(i / threads) * row + (i % threads)) % places]++;
    const most = Math.max(...counts);
    if (most < best.most) best = { row, most };
  }
  return best.row;
}

/** Rows that so few invocations share are staged. Four read 32 bytes at a time, which is as fast as more. */
const mostNarrow = 3;
/** Invocations of a workgroup that stages rows: one subgroup, whose invocations do not wait for others. 64 and 128 were up to 1.25 times slower on an H200. */
const stagedInvocations = 32;
/** Elements that such a workgroup has at least, for which it has more invocations. */
const fewestStaged = 256;

const isStaged = (stages: readonly number[], threads: number, { staged }: ShapeOptions): boolean =>
  stages.length > 0 && (staged === "narrow" ? threads <= mostNarrow : staged === true);

/** A shape whose rows are staged. Undefined if one does not fit. */
function stagedShape(n: number, stages: readonly number[], threads: number, limits: GroupLimits, count: number): LineShape | undefined {
  const fitting = Math.floor(limits.workgroupBytes / (8 * stagedPlaces(n, threads)));
  const wanted = Math.max(Math.floor(stagedInvocations / threads), 2 ** Math.ceil(Math.log2(fewestStaged / n)), 1);
  const lines = Math.min(wanted, Math.floor(limits.invocations / threads), fitting, count);
  if (lines < 1) return undefined;
  return withRoom({ n, radices: stages, threads, lines, together: 1, exchange: "both", windows: 1, staged: true }, limits.workgroupBytes);
}

/** Rows for which other shapes than those of the rules were faster on an H200, by 2 to 20 %. */
const measuredRows: Readonly<Record<number, StagesAndThreads & { readonly staged?: true }>> = {
  20: { stages: [4, 5], threads: 4 },
  21: { stages: [21], threads: 1, staged: true },
  25: { stages: [5, 5], threads: 5, staged: true },
  27: { stages: [27], threads: 1, staged: true },
  30: { stages: [2, 15], threads: 2, staged: true },
  35: { stages: [5, 7], threads: 7, staged: true },
  36: { stages: [4, 9], threads: 4 },
  40: { stages: [4, 10], threads: 4 },
  49: { stages: [7, 7], threads: 7, staged: true },
  50: { stages: [5, 10], threads: 5, staged: true },
  60: { stages: [4, 15], threads: 4 },
  84: { stages: [7, 12], threads: 7, staged: true },
  98: { stages: [7, 14], threads: 7, staged: true },
  128: { stages: [8, 16], threads: 16 },
};

/** Staged rows are fastest in a single stage up to this length. */
const longestSingle = 18;

/** Short rows that are not staged need more than one stage, so that adjacent invocations read adjacent elements. */
function stagesFor(n: number, { mapping, wide = false, busy = false, staged = false }: ShapeOptions): readonly number[] | undefined {
  const single = mapping === "line" && staged !== false && n > 1 && n <= longestSingle;
  if (single && allRadices.includes(n)) return [n];
  if (busy) return stagesOf(n, busyRadix) ?? stagesOf(n);
  if (mapping === "line" && n <= 16) {
    const pair = { 4: [2, 2], 8: [2, 4], 9: [3, 3], 12: [3, 4], 15: [3, 5], 16: [4, 4] }[n];
    if (pair) return pair;
  }
  return (wide && wideStages(n, mapping)) || stagesOf(n) || primeStages(n, mapping === "line" && staged === false);
}

/**
 * The stages of a length with primes from 17 to 47. Undefined for a single stage if there must be `several`, because adjacent invocations would not
 * read adjacent elements: a convolution is faster then.
 */
function primeStages(n: number, several: boolean): readonly number[] | undefined {
  let rest = n;
  const primes: number[] = [];
  for (const p of primeRadices) {
    for (; rest % p === 0; rest /= p) primes.push(p);
  }
  const others = primes.length > 0 ? stagesOf(rest) : undefined;
  if (!others || (several && primes.length + others.length < 2)) return undefined;
  return [...others, ...primes].sort((a, b) => a - b);
}

/** From this length on, three stages with large radices are faster than four or more with small ones. */
const longForStages = 2400;

/** Stages of a line and their invocations. */
interface StagesAndThreads {
  readonly stages: readonly number[];
  readonly threads: number;
}

const fewest = new Map<string, StagesAndThreads | undefined>();

/** What slots of the last stage cost that have no element, if those of others cost 1: no barrier waits for them. */
const lastIdleCost = 0.3;

/**
 * Three stages of lines so long that a core has one workgroup with one unless it takes care: those that keep most invocations busy, with few enough values
 * and windows that a core has two. The last stage may hold more, as compilers need not hold all of its values at once. Undefined if there are none.
 */
function crowdedStages(n: number, most: number): StagesAndThreads | undefined {
  let best: (StagesAndThreads & { readonly cost: number }) | undefined;
  // Of stages that cost the same, the largest were fastest first.
  const descending = [...allRadices].sort((a, b) => b - a);
  for (const first of descending) {
    for (const middle of descending) {
      const last = n / first / middle;
      const stages = [first, middle, last];
      const windows = allRadices.includes(last) ? windowsFor(n, stages) : undefined;
      if (windows === undefined) continue;
      for (const threads of new Set(stages.map((r) => n / r))) {
        const values = heldValues(n, stages, threads);
        if (threads > most || values > mostValuesOfTwo || valuesOf(n, stages, threads) > mostValues) continue;
        if (groupsAtATime(threads, values + (windows > 2 ? valuesOfWindows : 0), false) < 2) continue;
        const [a, b, c] = stages.map((r) => (r * Math.ceil(n / r / threads) * threads) / n);
        const work = workCost * stages.reduce((sum, r) => sum + r ** 1.5, 0);
        const beyond = windowCost * Math.max(0, windows - 2) + mildCosts.each * Math.max(0, values - mildCosts.free);
        const cost = a + b + lastIdleCost * c + beyond + work;
        if (!best || cost < best.cost - 1e-9) best = { stages, threads, cost };
      }
    }
  }
  return best;
}

/** The most values of invocations of which a core has two workgroups. */
const mostValuesOfTwo = 32;
/** Values whose registers the conditions of more than two windows take. */
const valuesOfWindows = 4;

/** What the arithmetic of a stage of radix r costs: this times r^1.5. */
const workCost = 0.001;
/** What a window costs, beyond two. */
const windowCost = 0.1;

/** The fewest windows with which two workgroups with a line each fit into a core's memory. */
const windowsFor = (n: number, stages: readonly number[]): number | undefined =>
  windowCounts.find((windows) => (leastRoom * 4 * n) / windows <= coreBytes / 2 && dividesInto(stages, windows));

/** The values that an invocation holds at once. Those of the last stage that not all invocations have come one after the other. */
const heldValues = (n: number, stages: readonly number[], threads: number): number => {
  const last = stages.at(-1) ?? 1;
  return Math.max(valuesOf(n, stages.slice(0, -1), threads), last * Math.max(1, Math.floor(n / last / threads)));
};

/**
 * Three stages instead of more, with radices up to 32: those that keep most invocations busy, and hold few values. Undefined for lines that have
 * three stages anyway, and for powers of two. Measured on an H200 with 5000, 6000, 10000 and 12288 points.
 */
function fewerStages(n: number, most: number): StagesAndThreads | undefined {
  if (n < longForStages || isPowerOfTwo(n) || (stagesOf(n)?.length ?? 0) < 4) return undefined;
  const key = `${n} ${most}`;
  if (fewest.has(key)) return fewest.get(key);
  let best: (StagesAndThreads & { readonly cost?: number }) | undefined =
    4 * n > coreBytes * largeGroup ? crowdedStages(n, most) : undefined;
  if (!best) {
    for (const last of allRadices) {
      if (n % last !== 0) continue;
      for (const middle of allRadices) {
        const first = n / last / middle;
        const stages = [first, middle, last];
        if (middle > last || first > middle || !allRadices.includes(first)) continue;
        for (const threads of new Set(stages.map((r) => n / r))) {
          const values = valuesOf(n, stages, threads);
          if (threads > most || values > mildCosts.most) continue;
          const cost = costOf(n, stages, threads, values, mildCosts);
          if (best?.cost === undefined || cost < best.cost - 1e-9) best = { stages, threads, cost };
        }
      }
    }
  }
  fewest.set(key, best);
  return best;
}

const busyRadix = 8;

/**
 * Uses one or two stages of radix 32 if that reduces the number of stages, in the order that measured fastest: first in long lines, in the
 * middle of tiles.
 */
function wideStages(n: number, mapping: Mapping): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  for (const wide of [[32], [32, 32]]) {
    const rest = n % 32 ** wide.length === 0 ? stagesOf(n / 32 ** wide.length) : undefined;
    if (rest && (!best || rest.length + wide.length < best.length)) best = [...rest, ...wide];
  }
  if (best && mapping === "tile" && best.length === 3) return [best[0], best[2], best[1]];
  return best && n > 4096 ? [...best].reverse() : best;
}

/** Exchanges may take this much more memory than their numbers, so that they are spread over the banks. */
const mostRoom = 1.13;

/** Adds the room of exchanges, `bytes` at most. */
function withRoom(shape: LineShape, bytes: number): LineShape {
  const words = workgroupBytes({ ...shape, exchange: "split" }) / 4;
  const room = Math.min(Math.floor(words * mostRoom) + 64, Math.floor(bytes / (shape.exchange === "both" ? 8 : 4)));
  return { ...shape, room };
}

/** Short lines share a workgroup until it has this many invocations. */
export const goodInvocations = 128;

/**
 * Adds lines to a workgroup until it has enough invocations, and the room that it can have without fewer workgroups on a core. With windows, it has so much
 * memory that no more of them are there than have enough registers.
 */
function widened(
  shape: LineShape,
  limits: GroupLimits,
  count: number,
  options: ShapeOptions,
  besides: (shape: LineShape) => number,
): LineShape {
  const { n, threads, together, windows } = shape;
  let { lines } = shape;
  while (
    together === 1 &&
    2 * lines * threads <= Math.min(limits.invocations, 2 * goodInvocations) &&
    lines * threads < goodInvocations &&
    lines < count &&
    workgroupBytes({ ...shape, lines: 2 * lines }) <= limits.workgroupBytes / 2
  ) {
    lines *= 2;
  }
  const wide = { ...shape, lines, ...((options.products ?? n > longForProducts) && { products: true }) };
  const most = limits.workgroupBytes - besides(wide);
  // Powers of two need no room, so it must not cost them anything.
  if (!options.crowded) return isPowerOfTwo(n) ? wide : withRoom(wide, most);
  const held = groupsOf(wide, options);
  const groups = Math.max(1, Math.min(held, Math.floor(coreBytes / (workgroupBytes(wide) + besides(wide)))));
  const roomy = withRoom(wide, Math.min(most, coreBytes / groups - besides(wide)));
  if (windows === 1) return roomy;
  const least = Math.floor(coreBytes / (held + 1) / (shape.exchange === "both" ? 8 : 4)) + 1;
  return { ...roomy, leastWords: Math.min(least, Math.floor(most / (shape.exchange === "both" ? 8 : 4))) };
}

const isPowerOfTwo = (n: number): boolean => Number.isInteger(Math.log2(n));
