/**
 * How one workgroup does lines of n points: radices, threads, values a thread, lines side by side, and what of it passes
 * through workgroup memory. The two-tier model: registers hold the data, workgroup memory only exchanges it between stages.
 * Decided from the device's limits alone.
 */
import { radices as offered } from "./wgsl/codelets.ts";

/** What a device lets one workgroup have. */
export interface GroupLimits {
  readonly workgroupBytes: number;
  readonly invocations: number;
}

/** Which of a workgroup's elements adjacent invocations work on: those along a line, or the same one of adjacent lines. */
export type Mapping = "line" | "tile";

export interface LineShape {
  readonly n: number;
  /** Of the stages, in order; their product is n. */
  readonly radices: readonly number[];
  /** Invocations a line. */
  readonly threads: number;
  /** Lines a workgroup. */
  readonly lines: number;
  /** Adjacent lines that an invocation works on, reading and writing elements of theirs at once. */
  readonly together: 1 | 2;
  /** Real and imaginary parts through one array after the other, or through two at once: half the barriers, twice the bytes. */
  readonly exchange: "split" | "both";
  /** Parts of the index range that pass through workgroup memory one after the other. */
  readonly windows: number;
}

/** Values that an invocation may hold: more would leave the registers. */
const mostValues = 32;
const goodValues = 16;

const memory = new Map<string, readonly number[] | undefined>();

/** The fewest stages of radices up to `largest`, most even, smallest first; nothing where n has other prime factors. */
export function stagesOf(n: number, largest = 16): readonly number[] | undefined {
  if (n === 1) return [];
  const key = `${n} ${largest}`;
  if (memory.has(key)) return memory.get(key);
  let best: readonly number[] | undefined;
  for (const r of offered) {
    if (n % r !== 0 || r > largest) continue;
    const rest = stagesOf(n / r, largest);
    if (!rest) continue;
    const stages = [...rest, r].sort((a, b) => a - b);
    if (!best || weigh(stages) < weigh(best)) best = stages;
  }
  memory.set(key, best);
  return best;
}

const weigh = (stages: readonly number[]): number => 1000 * stages.length + stages.reduce((sum, r) => sum + r ** 1.5, 0);

/** Most values that an invocation of `threads` holds in any stage. */
export const valuesOf = (n: number, stages: readonly number[], threads: number): number =>
  Math.max(1, ...stages.map((r) => r * Math.ceil(n / r / threads)));

/** Invocations for a line: the fewest idle ones among those that hold few enough values. */
function threadsFor(n: number, stages: readonly number[], most: number, together: number): number | undefined {
  const candidates = new Set([...stages.map((r) => n / r), most]);
  let best: { threads: number; cost: number } | undefined;
  for (const threads of candidates) {
    if (threads > most) continue;
    const values = valuesOf(n, stages, threads);
    if (values > mostValues / together) continue;
    const work = stages.reduce((sum, r) => sum + (r * Math.ceil(n / r / threads) * threads) / n, 0);
    const cost = work + (values > goodValues ? 10 * (values - goodValues) : 0);
    if (!best || cost < best.cost - 1e-9 || (cost < best.cost + 1e-9 && threads > best.threads)) best = { threads, cost };
  }
  return best?.threads;
}

/** Bytes of workgroup memory of a shape. */
export const workgroupBytes = (s: Pick<LineShape, "n" | "lines" | "together" | "exchange" | "windows">): number =>
  Math.ceil(s.n / s.windows) * (s.lines / s.together) * 4 * (s.exchange === "both" ? 2 : 1);

export interface ShapeOptions {
  /** How lines lie: along memory, or adjacent lines at adjacent addresses on one side at least. */
  readonly mapping: Mapping;
  /** Lines that there are: no more than these are put side by side. */
  readonly count: number;
  readonly exchange?: "split" | "both";
  /** Lines an invocation; 2 wants a tile of whole pairs. */
  readonly together?: 1 | 2;
  /** Adjacent lines wanted in a tile, where they fit. */
  readonly tile?: number;
  readonly fewestTile?: number;
  /** Few values an invocation, where reading them is work that waits: more invocations wait beside each other. */
  readonly busy?: boolean;
  /** 32 values an invocation, where that saves an exchange or lets more workgroups share a core. */
  readonly wide?: boolean;
  /** Stages by length, in place of those that are chosen; for measuring. */
  readonly radices?: Readonly<Record<number, readonly number[]>>;
  /** Invocations a line by length, likewise. */
  readonly threads?: Readonly<Record<number, number>>;
}

/** The shape for lines of n points, or nothing where n has a large prime factor or a line does not fit a workgroup. */
export function lineShape(n: number, limits: GroupLimits, options: ShapeOptions): LineShape | undefined {
  const stages = options.radices?.[n] ?? stagesFor(n, options);
  if (!stages) return undefined;
  const { mapping, count, exchange = "split", together = 1 } = options;
  const exchanges = stages.length > 1 || mapping === "line";
  const wanted = mapping === "tile" ? (options.tile ?? 8) : 1;
  const fewest = mapping === "tile" ? Math.min(options.fewestTile ?? 1, count) : 1;
  for (let lines = Math.max(1, Math.min(wanted, count)); lines >= fewest; lines = Math.floor(lines / 2)) {
    const threads = options.threads?.[n] ?? threadsFor(n, stages, Math.floor((limits.invocations * together) / lines), together);
    if (threads === undefined) continue;
    for (const windows of [1, 2]) {
      const shape: LineShape = { n, radices: stages, threads, lines, together, exchange, windows };
      if (windows > 1 && n % (2 * stages[0]) !== 0) continue;
      if (!exchanges || workgroupBytes(shape) <= limits.workgroupBytes) return widen(shape, limits, count);
    }
  }
  return undefined;
}

/** Short lines of rows need more than one stage, so that adjacent invocations read adjacent elements. */
function stagesFor(n: number, { mapping, wide = false, busy = false }: ShapeOptions): readonly number[] | undefined {
  if (busy) return stagesOf(n, busyRadix) ?? stagesOf(n);
  if (mapping === "line" && n <= 16) {
    const pair = { 4: [2, 2], 8: [2, 4], 9: [3, 3], 12: [3, 4], 15: [3, 5], 16: [4, 4] }[n];
    if (pair) return pair;
  }
  return (wide && wideStages(n, mapping)) || stagesOf(n);
}

const busyRadix = 8;

/** As few stages as one or two of radix 32 allow, in the order that measured best: widest first in long lines, in the middle of tiles. */
function wideStages(n: number, mapping: Mapping): readonly number[] | undefined {
  let best: readonly number[] | undefined;
  for (const wide of [[32], [32, 32]]) {
    const rest = n % 32 ** wide.length === 0 ? stagesOf(n / 32 ** wide.length) : undefined;
    if (rest && (!best || rest.length + wide.length < best.length)) best = [...rest, ...wide];
  }
  if (best && mapping === "tile" && best.length === 3) return [best[0], best[2], best[1]];
  return best && n > 4096 ? [...best].reverse() : best;
}

const goodInvocations = 128;

/** More lines in a workgroup, until it has enough invocations. */
function widen(shape: LineShape, limits: GroupLimits, count: number): LineShape {
  let lines = shape.lines;
  if (shape.together > 1) return shape;
  while (
    2 * lines * shape.threads <= Math.min(limits.invocations, 2 * goodInvocations) &&
    lines * shape.threads < goodInvocations &&
    lines < count &&
    workgroupBytes({ ...shape, lines: 2 * lines }) <= limits.workgroupBytes / 2
  ) {
    lines *= 2;
  }
  return { ...shape, lines };
}
