/**
 * Plans as the kernels read them: 32-bit words and tables in WASM memory, and how much work memory a run needs and where in
 * it everything lies. What the words are is said in `layouts.ts`.
 * Buffers that are read and written together never share an address modulo 4096: a store would hold up loads of the other.
 */
import { type Factors, factorize, factorsText } from "./factors.ts";
import { chirpProgram, groupLines, type kinds, linesPlan, stage, stagesProgram } from "./layouts.ts";
import type { Values } from "./records.ts";
import { chirpTable, kernelTable, laneTurns, realTurns, sharedTurns, type Table } from "./tables.ts";

export type Kind = keyof typeof kinds;

export interface LinesOp {
  readonly kind: Kind;
  /** Length of the transform, of a real one too. */
  readonly n: number;
  /** Elements of a line that is read; shorter ones are padded with zeros, longer ones cut. The transform's own length where left out. */
  readonly inputLength?: number;
  /** Which elements of a result are written: all where left out. */
  readonly keep?: readonly [start: number, count: number];
  /** Stages to use instead of the planner's, for measuring: taken as they are, so they must have codelets and multiply to the complex length. */
  readonly factors?: Factors;
}

/** Takes bytes of WASM memory: the address, a multiple of 64. */
export type Allocate = (bytes: number) => number;

export interface Placed {
  readonly address: number;
  /** Bytes of work memory that a call of `rows` and one of `columns` need. */
  readonly rowsWorkBytes: number;
  readonly columnsWorkBytes: number;
  /** Columns that `columns` takes together: work is best handed over in multiples of so many. */
  readonly tileColumns: number;
  readonly text: string;
  /** Whether a convolution computes the transform. */
  readonly convolved: boolean;
  /** Makes the tables, piece by piece. Before it is through, the plan is not to be run. */
  tables(): Generator<void>;
}

/** A table that has its place. */
interface PlacedTable {
  readonly address: number;
  readonly table: Table;
}

const roundUp = (value: number, to: number): number => Math.ceil(value / to) * to;

/** Gives out work memory after the addresses of lines, each piece 2112 bytes further modulo 4096. */
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
  /** Gathers the tables: all memory is taken before the first is made. */
  readonly tables: PlacedTable[];
}

/**
 * Bytes that a tile of columns should not exceed. Wide tiles matter more than small ones: each row of a tile lies in a page of its own,
 * and a processor knows the addresses of about two thousand pages (measured at 4096 rows: 8 columns 2.5 times the time of rows, 24
 * columns 1.7 times). Eight columns fill a cache line.
 */
const tileBytes = 2 ** 20 + 2 ** 16;
const leastColumns = 8;
const mostColumns = 64;

/** Lays out a plan, and takes the memory of all its tables. */
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
  // Room for a line as it is read, transformed and written; 64 bytes more so that neighbours' sets differ and vectors may overrun.
  const pitch = roundUp(8 * Math.max(n, bins), 64) + 64;
  const staging = work.take(pitch * (factors.mode === "across" ? 4 : 1));
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
    tileColumns: columns,
    text: `${kind} n=${n}${rest} ${factorsText(factors)}`,
    convolved: factors.mode === "chirp",
    *tables() {
      for (const { address: at, table } of placing.tables) yield* table.pieces(() => new Float32Array(memory.buffer, at, table.length));
    },
  };
}

type Scratch = readonly [first: number, second: number];

/** Two pieces as long as what is transformed at once; a chirp's convolution has its own. */
function placeScratch(n: number, factors: Factors, work: Work): Scratch {
  if (factors.mode === "chirp") return [0, 0];
  const bytes = 8 * n * (factors.mode === "across" ? 4 : 1);
  return [work.take(bytes), work.take(bytes)];
}

/** Stages of an inverse that takes a spectrum apart as the forward transform's last stage of radix four put it together. */
function meeting(n: number, factors: Factors): Factors | undefined {
  if (factors.mode !== "within" || factors.last !== 4 || n % 16 !== 0) return undefined;
  return { mode: "within", first: 4, middle: [...factors.middle].reverse(), last: factors.first };
}

function placeProgram(n: number, factors: Factors, placing: Placing, scratch = placeScratch(n, factors, placing.work)): number {
  return factors.mode === "chirp" ? placeChirp(n, factors.m, placing) : placeStages(n, factors, placing, scratch, 1 / n);
}

type Stages = Exclude<Factors, { mode: "chirp" }>;

/** `scale` is what an inverse's results are multiplied with. */
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
  // Convolution lengths are smooth, and the spectrum is over m.
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
