/**
 * Chooses how a workgroup transforms lines of n points: stages (stage-choice.ts), adjacent lines, and the use of workgroup memory, of which as many
 * workgroups as possible are to share a core's (crowd.ts). In the two-tier model, registers hold the data, and workgroup memory only exchanges it
 * between stages. The choice depends only on the device's limits, and on what a core of an H200 holds.
 */
import { coreBytes, groupsAtATime, heldValues, isLarge, isPowerOfTwo, largestWindow, leastRoom, wideTile, windowCounts } from "./crowd.ts";
import { fewerStages, type Mapping, measuredRows, type StageOptions, stagesFor, threadsFor } from "./stage-choice.ts";
import { tileChoice } from "./tile-choice.ts";

/** The limits of one workgroup. */
export interface GroupLimits {
  readonly workgroupBytes: number;
  readonly invocations: number;
}

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
  /**
   * Elements of a row that pass through workgroup memory on the way in and out, so that adjacent invocations read and write adjacent elements: n, or one
   * more for half spectra. Undefined if each invocation reads and writes its own elements.
   */
  readonly staged?: number;
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

/** Bytes of a number in workgroup memory: of one of its parts, or of both. */
const numberBytes = ({ exchange }: Pick<LineShape, "exchange">): 4 | 8 => (exchange === "both" ? 8 : 4);

/** Bytes of workgroup memory of a shape. */
export const workgroupBytes = (s: Pick<LineShape, "n" | "radices" | "lines" | "together" | "exchange" | "windows">): number =>
  largestWindow(s.n, s.windows, s.radices) * (s.lines / s.together) * numberBytes(s);

/** Options of `lineShape`. */
export interface ShapeOptions extends StageOptions {
  /** The number of lines. A workgroup has no more than these. */
  readonly count: number;
  readonly exchange?: "split" | "both";
  /** The preferred number of adjacent lines in a tile. By cost: the most. */
  readonly tile?: number;
  readonly fewestTile?: number;
  /** Whether results pass through workgroup memory before they are written, so that they need it even in a single stage. */
  readonly passed?: boolean;
  /**
   * Use as little workgroup memory as it takes for a core to have as many workgroups at a time as its registers hold. Exchanges are then divided into
   * windows. `filter`: the lines are filtered, which takes more registers. Default: `false`, use what there is.
   */
  readonly crowded?: boolean | "filter";
  /** Whether tiles have the stages, invocations and lines that cost least (tile-choice.ts). Default: `false`. */
  readonly byCost?: boolean;
  /** Whether most twiddle factors of long lines are products. Default: `false`. */
  readonly products?: boolean;
  /** Bytes of workgroup memory that each line needs besides its exchanges. Default: none. */
  readonly lineBytes?: number;
  /** Whether lines have a shape wherever they fit, even if several passes are faster. For measurements. Default: `false`. */
  readonly insists?: boolean;
  /** Whether half spectra of n + 1 elements are read, or written. Default: neither. */
  readonly half?: "read" | "written" | undefined;
  /** How staged rows are exchanged. For measurements. Default: chosen. */
  readonly stagedExchange?: "split" | "both";
  /** Stages by length, instead of the chosen ones. For measurements. */
  readonly radices?: Readonly<Record<number, readonly number[]>>;
  /** Invocations per line by length, instead of the chosen ones. For measurements. */
  readonly threads?: Readonly<Record<number, number>>;
}

/** Chooses the shape for lines of n points. Undefined if n has a large prime factor or a line does not fit into a workgroup. */
export function lineShape(n: number, limits: GroupLimits, options: ShapeOptions): LineShape | undefined {
  const { mapping, count, exchange = "split", together = 1 } = options;
  const tile = tileShape(n, limits, options);
  if (tile) return tile;
  const isPlain = mapping === "line" && !options.busy;
  const isRow = isPlain && options.staged === "narrow" && !options.few && !options.radices?.[n];
  const found = isRow ? measuredRows[options.half ?? "lines"][n] : undefined;
  // Filters need more registers, so what was measured for rows does not count for theirs, unless they pass through workgroup memory.
  const isOwn = found && (found.staged === true || options.crowded !== "filter");
  const measured = isOwn && found.threads <= limits.invocations ? found : undefined;
  const isFree = isPlain && options.crowded === true && !options.half;
  const chosen = measured ?? (isPlain ? fewerStages(n, limits.invocations, isFree) : undefined);
  // Several passes are faster than lines that are beyond a core's memory and have stages for which its registers are too few.
  const isTooLong = !options.insists && 4 * n > Math.max(coreBytes, limits.workgroupBytes) && !isPowerOfTwo(n) && !chosen;
  const stages = options.radices?.[n] ?? chosen?.stages ?? (isTooLong ? undefined : stagesFor(n, options));
  if (!stages) return undefined;
  const exchanges = stages.length > 1 || mapping === "line" || options.passed === true;
  const besides = (s: LineShape): number => ((options.lineBytes ?? 0) * s.lines) / s.together;
  const wanted = mapping === "tile" ? (options.tile ?? wideTile) : 1;
  const fewest = mapping === "tile" ? Math.min(options.fewestTile ?? 1, count) : 1;
  for (let lines = Math.max(1, Math.min(wanted, count)); lines >= fewest; lines = Math.floor(lines / 2)) {
    const threads =
      options.threads?.[n] ??
      (stages === chosen?.stages ? chosen.threads : undefined) ??
      threadsFor(n, stages, Math.floor((limits.invocations * together) / lines), { ...options, free: isFree });
    if (threads === undefined || (threads * lines) / together > limits.invocations) continue;
    const passes = mapping === "line" && (measured?.staged ?? isStaged(stages, threads, options));
    const staged = passes
      ? stagedShape(n, stages, threads, limits, { ...(measured?.exchange && { stagedExchange: measured.exchange }), ...options })
      : undefined;
    if (staged) return staged;
    const shape: LineShape = { n, radices: stages, threads, lines, together, exchange, windows: 1 };
    const fits = (windows: number, bytes: number): boolean => workgroupBytes({ ...shape, windows }) + besides(shape) <= bytes;
    const windows =
      (options.crowded && exchanges ? crowdedWindows(shape, besides(shape), limits, options) : undefined) ??
      (exchanges ? windowCounts.find((one) => fits(one, limits.workgroupBytes)) : 1);
    if (windows !== undefined) return widened({ ...shape, windows }, limits, count, options, besides);
  }
  return undefined;
}

/** The shape of adjacent lines that costs least. Undefined if there is none, and for lines that other rules are for. */
function tileShape(n: number, limits: GroupLimits, options: ShapeOptions): LineShape | undefined {
  const { byCost, mapping, together, crowded, radices, threads, count } = options;
  if (!byCost || mapping !== "tile" || together === 2 || crowded !== true || radices?.[n] || threads?.[n]) return undefined;
  const { exchange = "split", tile, fewestTile = 1, lineBytes = 0 } = options;
  const { workgroupBytes: most, invocations } = limits;
  const size = numberBytes({ exchange });
  const choice = tileChoice(n, { count, workgroupBytes: most, invocations, numberBytes: size, lineBytes, most: tile, fewest: fewestTile });
  if (!choice) return undefined;
  const { stages, groups, full, ...rest } = choice;
  if (isNarrow(rest.lines, count)) {
    const other = lineShape(n, limits, { ...options, byCost: false });
    if (other && other.lines > rest.lines) return other;
  }
  const bytes = Math.min(most, coreBytes / groups) - lineBytes * rest.lines;
  const shape = withRoom({ n, radices: stages, ...rest, together: 1, exchange }, bytes);
  return full ? { ...shape, leastWords: leastWordsFor(groups, shape, bytes) } : shape;
}

/** With so many lines, all cores have wide tiles. */
const enoughForWide = 256 * wideTile;

/** Whether a tile has few lines although there are many. */
const isNarrow = (lines: number, count: number): boolean => lines < wideTile && count >= enoughForWide;

/** Words of workgroup memory, of `bytes` at most, with which no more than so many workgroups are on a core. */
const leastWordsFor = (groups: number, shape: Pick<LineShape, "exchange">, bytes: number): number =>
  Math.min(Math.floor(coreBytes / (groups + 1) / numberBytes(shape)) + 1, Math.floor(bytes / numberBytes(shape)));

/**
 * The windows with which most workgroups are on a core of those that its registers hold. Undefined if a core has one anyway, or if a workgroup takes so
 * little memory that windows are not worthwhile.
 */
function crowdedWindows(shape: LineShape, besides: number, limits: GroupLimits, options: ShapeOptions): number | undefined {
  const bytesOf = (windows: number): number => workgroupBytes({ ...shape, windows }) + besides;
  if (!isLarge(bytesOf(1))) return undefined;
  const room = isPowerOfTwo(shape.n) ? 1 : leastRoom;
  for (let groups = groupsOnCore(shape, options); groups > 1; groups--) {
    const windows = windowCounts.find((one) => bytesOf(one) <= limits.workgroupBytes && bytesOf(one) * room <= coreBytes / groups);
    if (windows !== undefined) return windows;
  }
  return undefined;
}

/** In longer lines, looking twiddle factors up takes longer than the products of two. */
const longWithoutProducts = 4096;

/** How many workgroups of a shape a core's registers hold at a time. */
const groupsOnCore = ({ n, radices, threads, lines, together }: LineShape, { crowded }: ShapeOptions): number =>
  groupsAtATime((threads * lines) / together, heldValues(n, radices, threads) * together, crowded === "filter");

/** Numbers that workgroup memory passes on at a time: of four bytes, or of eight. */
const placesAtATime = { split: 32, both: 16 } as const;

/** Places of a staged row in workgroup memory: the fewest that give adjacent invocations, `threads` of each row, different banks. */
export function stagedPlaces({ n, threads, exchange, staged = n }: Pick<LineShape, "n" | "threads" | "exchange" | "staged">): number {
  const places = placesAtATime[exchange];
  let best = { row: staged, most: places + 1 };
  for (let row = staged; row < staged + places; row++) {
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

/** Staged rows of so many points pass through workgroup memory in halves. Shorter ones leave room for enough workgroups anyway. */
const shortestHalved = 9;
/** The most elements that an invocation can hold that it moves. */
const mostMoved = 31;

const isStaged = (stages: readonly number[], threads: number, { staged }: ShapeOptions): boolean =>
  stages.length > 0 && (staged === "narrow" ? threads <= mostNarrow : staged === true);

/** A shape whose rows are staged. Undefined if one does not fit. */
function stagedShape(
  n: number,
  stages: readonly number[],
  threads: number,
  limits: GroupLimits,
  { count, half, stagedExchange = n >= shortestHalved ? "split" : "both" }: ShapeOptions,
): LineShape | undefined {
  const staged = half ? n + 1 : n;
  const exchange = Math.ceil(staged / threads) <= mostMoved ? stagedExchange : "both";
  const rowBytes = numberBytes({ exchange }) * stagedPlaces({ n, threads, exchange, staged });
  const fitting = Math.floor(limits.workgroupBytes / rowBytes);
  const wanted = Math.max(Math.floor(stagedInvocations / threads), 2 ** Math.ceil(Math.log2(fewestStaged / n)), 1);
  const lines = Math.min(wanted, Math.floor(limits.invocations / threads), fitting, count);
  if (lines < 1) return undefined;
  return withRoom({ n, radices: stages, threads, lines, together: 1, exchange, windows: 1, staged }, limits.workgroupBytes);
}

/** Exchanges may take this much more memory than their numbers, so that they are spread over the banks. */
const mostRoom = 1.13;

/** Adds the room of exchanges, `bytes` at most. */
function withRoom(shape: LineShape, bytes: number): LineShape {
  const words = workgroupBytes({ ...shape, exchange: "split" }) / 4;
  const room = Math.min(Math.floor(words * mostRoom) + 64, Math.floor(bytes / numberBytes(shape)));
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
  const wide = { ...shape, lines, ...(options.products && n > longWithoutProducts && { products: true }) };
  const most = limits.workgroupBytes - besides(wide);
  // Powers of two need no room, so it must not cost them anything.
  if (!options.crowded) return isPowerOfTwo(n) ? wide : withRoom(wide, most);
  const held = groupsOnCore(wide, options);
  const groups = Math.max(1, Math.min(held, Math.floor(coreBytes / (workgroupBytes(wide) + besides(wide)))));
  const roomy = withRoom(wide, groups === 1 ? most : Math.min(most, coreBytes / groups - besides(wide)));
  if (windows === 1) return roomy;
  return { ...roomy, leastWords: leastWordsFor(held, shape, most) };
}
