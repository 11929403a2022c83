/**
 * Every record that this package writes and the kernels in `assembly/` read, and the codes in them: the one description of both sides.
 * Addresses, distances ("pitch") and sizes are bytes. `scripts/build-wasm.mjs` makes `assembly/generated/records.ts` of it.
 */
import { record } from "./records.ts";

/** What a task of lines does: rows, tiles of columns, tiles of either whose results are turned, or one of the two passes of long lines. */
export const lineWays = { rows: 0, columns: 1, "turned rows": 2, "turned columns": 3, "long first": 4, "long second": 5 } as const;

/** How both tasks of lines begin. */
export const taskHead = record({
  way: lineWays,
  /** Address of the first unit's work memory. */
  work: "u32",
  /** From one unit's work memory to the next one's. */
  workPitch: "u32",
});

/** What `linesTask` of `assembly/task.ts` does with rows and columns. */
export const linesTask = record({
  ...taskHead.fields,
  /** Address of a `linesPlan`. */
  plan: "u32",
  source: "u32",
  /** From line to line, or from row to row of columns. */
  sourcePitch: "u32",
  target: "u32",
  /** Between rows as they are written. */
  targetPitch: "u32",
  filter: "u32",
  /** 0 where one filter is for all lines. */
  filterPitch: "u32",
  /** From one outer index to the next, in the source. */
  sourceOuter: "u32",
  /** The same in the target. */
  targetOuter: "u32",
  /** The same in the filters. */
  filterOuter: "u32",
  /** Adjacent lines: columns of a matrix, or rows that become its columns. */
  adjacent: "u32",
  /** Lines of a tile. */
  tileLines: "u32",
  /** Tiles across the adjacent lines. */
  tiles: "u32",
  /** Place of the load hook in the table, 0 for none. */
  loadHook: "u32",
  loadArgument: "u32",
  /** Where loaded lines lie in work memory. */
  loaded: "u32",
  loadedPitch: "u32",
  /** Place of the store hook in the table, 0 for none. */
  storeHook: "u32",
  storeArgument: "u32",
  /** Where results lie in work memory before they are stored. */
  results: "u32",
  resultsPitch: "u32",
  /** Elements loaded of a line. */
  loadedCount: "u32",
  /** Elements stored of a line. */
  storedCount: "u32",
  /** Bytes of an element of the source. */
  elementIn: "u32",
  /** Bytes of an element of the target. */
  elementOut: "u32",
  /** Where a tile that is to be turned lies in work memory. */
  tile: "u32",
  tilePitch: "u32",
});

/** What `linesTask` does with long lines, one pass at a time (`assembly/long.ts`). Names that begin so belong to that pass. */
export const longTask = record({
  ...taskHead.fields,
  /** Address of the `linesPlan` of the first pass's columns. */
  firstPlan: "u32",
  source: "u32",
  /** From line to line of the source. */
  sourceLine: "u32",
  target: "u32",
  /** From line to line of the target. */
  targetLine: "u32",
  /** Address of the `linesPlan` of the second pass's columns. */
  secondPlan: "u32",
  /** What lies between the passes. */
  between: "u32",
  /** From line to line of what lies between. */
  betweenLine: "u32",
  /** Levels of the first pass's columns, a byte each. */
  levels: "u32",
  /** From line to line of the levels. */
  levelsLine: "u32",
  /** Columns of a line in the first pass. */
  firstColumns: "u32",
  firstTileColumns: "u32",
  /** Tiles of a line in the first pass. */
  firstTiles: "u32",
  /** Columns of a line in the second pass. */
  secondColumns: "u32",
  secondTileColumns: "u32",
  /** Tiles of a line in the second pass. */
  secondTiles: "u32",
  /** Where a tile lies in work memory. */
  tile: "u32",
  /** Where the tile lies that stages write while they read the other. */
  otherTile: "u32",
  /** Where a row of a tile that nobody reads lies in work memory. */
  nowhere: "u32",
  /** Address of the turns along a column where the first pass's tiles are mirrored, else 0. */
  firstTurns: "u32",
  /** Address of the turns of each column of the mirrored pass. */
  columnTurns: "u32",
  /** The same as `firstTurns` for the second pass. */
  secondTurns: "u32",
  /** Address of the factors between the passes. */
  factors: "u32",
});

/** What `turnTask` of `assembly/arrays.ts` does: matrices to be turned. */
export const turnTask = record({
  source: "u32",
  target: "u32",
  rows: "u32",
  columns: "u32",
  /** Bytes of an element. */
  elementBytes: "u32",
  /** Items of a matrix. */
  items: "u32",
});

/** A line times a line of filters; elements times the filter of their row; an array times as much of another. */
export const multiplyWays = { line: 0, rows: 1, all: 2 } as const;

/** What `multiplyTask` does: y = x·h. */
export const multiplyTask = record({
  x: "u32",
  h: "u32",
  y: "u32",
  /** Complex numbers of an item. */
  count: "u32",
  way: multiplyWays,
  /** Filters, of which item i takes that of i modulo so many; way `rows` alone. */
  extent: "u32",
  items: "u32",
  /** Complex numbers of the last item; way `all` alone. */
  rest: "u32",
});

/** Types of the numbers that are converted. */
export const numberTypes = { f32: 0, f64: 1, i8: 2, i16: 3, u8: 4, u32: 5 } as const;

/** What `convertTask` does. */
export const convertTask = record({
  x: "u32",
  y: "u32",
  /** Numbers of an item. */
  count: "u32",
  /** Numbers of the last item. */
  rest: "u32",
  items: "u32",
  from: numberTypes,
  to: numberTypes,
  /** Bytes of a number of x. */
  bytesIn: "u32",
  /** Bytes of a number of y. */
  bytesOut: "u32",
  /** What numbers are multiplied with. */
  scale: "f64",
});

/** Kinds of transforms. */
export const kinds = { fft: 0, "inverse-fft": 1, filter: 2, "filter-inverse": 3, "real-fft": 4, "inverse-real-fft": 5 } as const;

/** What is done with lines. Places are in work memory; numbers are float32, of which a complex one has two. */
export const linesPlan = record({
  kind: kinds,
  /** Address of the program. */
  program: "u32",
  /** Length of the transform. */
  n: "u32",
  /** Address of the turns of real transforms. */
  realTurns: "u32",
  /** Numbers read of a line. */
  available: "u32",
  /** Numbers that the transform takes. */
  needed: "u32",
  /** First number kept. */
  keepStart: "u32",
  /** Numbers kept. */
  keepCount: "u32",
  /** Numbers produced. */
  produced: "u32",
  /** Place where lines are staged. */
  stage: "u32",
  stagePitch: "u32",
  /** Bytes of an element in. */
  elementIn: "u32",
  /** Bytes of an element out. */
  elementOut: "u32",
  /** Place of a tile of columns, each of which is a line there. */
  tile: "u32",
  tilePitch: "u32",
  /** Columns of a tile. */
  tileColumns: "u32",
  /** Place of a tile of filters. */
  filterTile: "u32",
  /** Address of the program of a filter's inverse that starts where the forward one ends, or 0. */
  inverse: "u32",
});

/** The beginning of work memory: addresses of the lines of the group that is done together. Written by `rows` of `assembly/kernels.ts`. */
export const groupLines = record({
  /** Lines to be transformed, as they are read or staged. */
  from: "u32[4]",
  staged: "u32[4]",
  /** Where their results go. */
  to: "u32[4]",
  filters: "u32[4]",
});

/** How a program does a line: vectors along it, by a chirp, or vectors across four lines. */
export const modes = { within: 1, chirp: 2, across: 4 } as const;

/** How every program begins: one complex transform of n numbers. */
export const programHead = record({ n: "u32", mode: modes });

/** The program of the modes `within` and `across`, followed by as many `stage`s as it says. Places are in work memory. */
export const stagesProgram = record({
  ...programHead.fields,
  /** Stages but the last. */
  stages: "u32",
  /** Radix of the last stage, or 0. */
  last: "u32",
  /** What results of an inverse are multiplied with: 1/n, and 1 of a chirp's convolution. */
  scale: "f32",
  /** Place of the first piece of scratch. */
  first: "u32",
  /** Place of the second piece. */
  second: "u32",
  /** What `scale` lacks for its rounding. */
  scaleRest: "f32",
});

/** A stage. */
export const stage = record({
  radix: "u32",
  /** From one output to the next. */
  step: "u32",
  /** Outputs. */
  m: "u32",
  /** Address of the turns. */
  turns: "u32",
});

/** The program of the mode `chirp`. */
export const chirpProgram = record({
  ...programHead.fields,
  /** Address of the chirp. */
  chirp: "u32",
  /** Address of the spectrum of its conjugate. */
  kernel: "u32",
  /** Address of the chirp over n. */
  inverseChirp: "u32",
  /** Place of a line in work memory. */
  line: "u32",
  /** Address of the `stagesProgram` of the convolution. */
  convolver: "u32",
  /** Length of the convolution. */
  m: "u32",
});
