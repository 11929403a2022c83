/**
 * Lays out plans for the kernels in WASM memory: records (`layouts.ts`) and tables, and the places of everything in work memory. Buffers
 * that are read and written together never have the same address modulo 4096, because a store would then delay loads from the other
 * buffer.
 */
import { type Factors, factorize, factorsText } from "./factors.ts";
import { chirpProgram, groupLines, type kinds, linesPlan, stage, stagesProgram } from "./layouts.ts";
import type { Values } from "./records.ts";
import { chirpTable, kernelTable, laneTurns, realTurns, sharedTurns, type Table } from "./tables.ts";

/** The kinds of transforms. */
export type Kind = keyof typeof kinds;

/** What to do with lines. */
export interface LinesOp {
  readonly kind: Kind;
  /** Number of points, also for real transforms. */
  readonly n: number;
  /** Elements of an input line. Shorter lines are padded with zeros, longer ones cropped. Default: what the transform takes. */
  readonly inputLength?: number;
  /** The elements of the result to write. Default: all. */
  readonly keep?: readonly [start: number, count: number];
  /**
   * Stages to use instead of the planner's choice, for measurements. They are not checked: they must have codelets, and their product
   * must be the complex length.
   */
  readonly factors?: Factors;
}

/** Allocates bytes of WASM memory. Returns the address, a multiple of 64. */
export type Allocate = (bytes: number) => number;

/** A plan in memory. */
export interface Placed {
  readonly address: number;
  /** Bytes of work memory that a call of `rows` needs. */
  readonly rowsWorkBytes: number;
  /** Bytes of work memory that a call of `columns` needs. */
  readonly columnsWorkBytes: number;
  /** Number of lines that `rows` transforms together. */
  readonly rowsTogether: number;
  /** The most columns that are transformed together. Fewer are possible, in multiples of `leastColumns`. */
  readonly tileColumns: number;
  readonly text: string;
  /** Whether a convolution computes the transform. */
  readonly convolved: boolean;
  /** Makes the tables, step by step. The plan must not run before this has ended. */
  tables(): Generator<void>;
}

/** A table and its address. */
interface PlacedTable {
  readonly address: number;
  readonly table: Table;
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Assigns places in work memory, after the addresses of lines. Each block is 2112 bytes further modulo 4096 than the one before. */
function workLayout(): { take(bytes: number): number; readonly end: number } {
  let pages = 0;
  let shift: number = groupLines.bytes;
  let end = shift;
  return {
    take(bytes) {
      const offset = pages + shift;
      end = offset + bytes;
      pages = roundUp(end, 4096);
      shift = (shift + 2112) % 4096;
      return offset;
    },
    get end() {
      return end;
    },
  };
}

type Work = ReturnType<typeof workLayout>;

interface Placing {
  readonly memory: WebAssembly.Memory;
  readonly allocate: Allocate;
  readonly work: Work;
  /** Collects the tables, so that all memory is allocated before the first table is made. */
  readonly tables: PlacedTable[];
}

/**
 * Smallest and largest number of columns of a tile. Wide tiles are read faster, up to a limit: each row of a tile is in another page, and a
 * processor holds the addresses of about two thousand pages (measured with 4096 rows: 8 columns take 2.5 times as long as rows, 24 columns 1.7
 * times). Eight columns fill a cache line.
 */
export const leastColumns = 8;
export const mostColumns = 64;
/** Largest size of a tile of columns, in bytes. Wide tiles matter more than small ones. */
const tileBytes = 2 ** 20 + 2 ** 16;

/** Lays out a plan, and allocates the memory of all its tables. */
export function placePlan(op: LinesOp, memory: WebAssembly.Memory, allocate: Allocate): Placed {
  const work = workLayout();
  const placing: Placing = { memory, allocate, work, tables: [] };
  const { n, kind } = op;
  const isReal = kind === "real-fft" || kind === "inverse-real-fft";
  const halved = isReal && n % 2 === 0;
  const length = halved ? n / 2 : n;
  const factors = op.factors ?? factorize(length);
  const bins = Math.floor(n / 2) + 1;
  const [inPer, needed] = kind === "real-fft" ? [1, n] : [2, isReal ? bins : n];
  const [outPer, produced] = kind === "inverse-real-fft" ? [1, n] : [2, isReal ? bins : n];
  const [keepStart, keepCount] = op.keep ?? [0, produced];
  const available = Math.min(op.inputLength ?? needed, needed);

  const scratch = placeScratch(length, factors, work);
  const program = placeProgram(length, factors, placing, scratch);
  const reversed = kind === "filter" ? meeting(n, factors) : undefined;
  // The same stages in both directions share their tables.
  const inverse = !reversed ? 0 : factorsText(reversed) === factorsText(factors) ? program : placeProgram(n, reversed, placing, scratch);
  const table = halved ? placeTable(realTurns(length, kind === "inverse-real-fft"), placing) : 0;
  // Space for a line as it is read, transformed and written. 64 bytes more, so that neighbours fall into different cache sets and vectors
  // may overrun.
  const pitch = roundUp(8 * Math.max(n, bins), 64) + 64;
  const rowsTogether = factors.mode === "across" ? 4 : 1;
  const staging = work.take(pitch * rowsTogether);
  const rowsWorkBytes = work.end;
  const columns = Math.max(leastColumns, Math.min(mostColumns, leastColumns * Math.floor(tileBytes / pitch / leastColumns)));
  const tile = work.take(pitch * columns);
  const filters = kind === "filter" || kind === "filter-inverse" ? work.take(pitch * columns) : 0;

  const address = allocate(linesPlan.bytes);
  linesPlan.write(memory, address, {
    kind,
    program,
    n,
    realTurns: table,
    available: available * inPer,
    needed: needed * inPer,
    keepStart: keepStart * outPer,
    keepCount: keepCount * outPer,
    produced: produced * outPer,
    stage: staging,
    stagePitch: pitch,
    elementIn: 4 * inPer,
    elementOut: 4 * outPer,
    tile,
    tilePitch: pitch,
    tileColumns: columns,
    filterTile: filters,
    inverse,
  });
  const rest = `${available === needed ? "" : ` in=${available}`}${keepCount === produced ? "" : ` keep=${keepStart}+${keepCount}`}`;
  return {
    address,
    rowsWorkBytes,
    columnsWorkBytes: work.end,
    rowsTogether,
    tileColumns: columns,
    text: `${kind} n=${n}${rest} ${factorsText(factors)}`,
    convolved: factors.mode === "chirp",
    *tables() {
      for (const { address: at, table } of placing.tables) yield* table.pieces(() => new Float32Array(memory.buffer, at, table.length));
    },
  };
}

type Scratch = readonly [first: number, second: number];

/** Two blocks for the lines that are transformed together. Bluestein's convolution has its own. */
function placeScratch(n: number, factors: Factors, work: Work): Scratch {
  if (factors.mode === "chirp") return [0, 0];
  const bytes = 8 * n * (factors.mode === "across" ? 4 : 1);
  return [work.take(bytes), work.take(bytes)];
}

/** The stages of an inverse that begins with radix 4, as the forward transform ends, so that both stages can be one. */
function meeting(n: number, factors: Factors): Factors | undefined {
  if (factors.mode !== "within" || factors.last !== 4 || n % 16 !== 0) return undefined;
  return { mode: "within", first: 4, middle: [...factors.middle].reverse(), last: factors.first };
}

function placeProgram(n: number, factors: Factors, placing: Placing, scratch = placeScratch(n, factors, placing.work)): number {
  return factors.mode === "chirp" ? placeChirp(n, factors.m, placing) : placeStages(n, factors, placing, scratch, 1 / n);
}

type Stages = Exclude<Factors, { mode: "chirp" }>;

/** Lays out the stages of a transform. `scale` is the factor for the results of an inverse. */
function placeStages(n: number, factors: Stages, placing: Placing, [first, second]: Scratch, scale: number): number {
  const { memory, allocate } = placing;
  const lanes = factors.mode === "across" ? 4 : 1;
  const stages: Values<typeof stage.fields>[] = [];
  let m = n;
  let s = lanes;
  if (factors.mode === "within") {
    m /= factors.first;
    s = factors.first;
    stages.push({ radix: factors.first, step: 0, m, turns: placeTable(laneTurns(factors.first, m), placing) });
  }
  for (const radix of factors.middle) {
    m /= radix;
    stages.push({ radix, step: 8 * s, m, turns: placeTable(sharedTurns(radix, m), placing) });
    s *= radix;
  }
  const address = allocate(stagesProgram.bytes + stages.length * stage.bytes);
  stagesProgram.write(memory, address, {
    n,
    mode: factors.mode,
    stages: stages.length,
    last: factors.mode === "within" ? (factors.last ?? 0) : 0,
    scale,
    first,
    second,
    scaleRest: scale - Math.fround(scale),
  });
  for (const [i, values] of stages.entries()) stage.write(memory, address + stagesProgram.bytes + i * stage.bytes, values);
  return address;
}

function placeChirp(n: number, m: number, placing: Placing): number {
  const { memory, allocate, work } = placing;
  const line = work.take(8 * m);
  // Convolution lengths are products of small primes. The spectrum is already divided by m, so the scale is 1.
  const stages = factorize(m) as Stages;
  const convolver = placeStages(m, stages, placing, placeScratch(m, stages, work), 1);
  const chirp = placeTable(chirpTable(n), placing);
  const inverse = placeTable(chirpTable(n, 1 / n), placing);
  const kernel = placeTable(kernelTable(n, m), placing);
  const address = allocate(chirpProgram.bytes);
  chirpProgram.write(memory, address, { n, mode: "chirp", chirp, kernel, inverseChirp: inverse, line, convolver, m });
  return address;
}

function placeTable(table: Table, { allocate, tables }: Placing): number {
  const address = allocate(Math.max(16, 4 * table.length));
  tables.push({ address, table });
  return address;
}
