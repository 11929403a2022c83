/**
 * The layouts of all records that this package writes and the kernels in `assembly/` read, and their codes. This is the only description,
 * for both sides: `scripts/build-wasm.mjs` generates `assembly/generated/records.ts` from it. Addresses, distances ("pitch") and sizes
 * are in bytes.
 */
import { record } from "./records.ts";

/** What a task on lines does: rows, tiles of columns, either of them with a corner turn, or one of the two passes of long lines. */
export const lineWays = {
  rows: 0,
  columns: 1,
  "corner-turned rows": 2,
  "corner-turned columns": 3,
  "long first": 4,
  "long second": 5,
} as const;

/** The first fields of both tasks on lines. */
export const taskHead = record({
  way: lineWays,
  /** Address of the first unit's work memory. */
  work: "u32",
  /** Distance from one unit's work memory to the next. */
  workPitch: "u32",
});

/** The task of `linesTask` (`assembly/task.ts`) on rows and columns. */
export const linesTask = record({
  ...taskHead.fields,
  /** Address of a `linesPlan`. */
  plan: "u32",
  source: "u32",
  /** Distance from one line to the next; for columns from one row to the next. */
  sourcePitch: "u32",
  target: "u32",
  /** Distance between rows of the target. */
  targetPitch: "u32",
  filter: "u32",
  /** Distance between filters. 0 if one filter serves all lines. */
  filterPitch: "u32",
  /** Distance from one outer index to the next in the source. */
  sourceOuter: "u32",
  /** The same distance in the target. */
  targetOuter: "u32",
  /** The same distance in the filters. */
  filterOuter: "u32",
  /** Number of adjacent lines: columns of a matrix, or rows that become its columns. */
  adjacent: "u32",
  /** Number of lines of a tile. */
  tileLines: "u32",
  /** Number of tiles across the adjacent lines. */
  tiles: "u32",
  /** Extent of the last axis. A hook is called for elements of one row of that axis. */
  row: "u32",
  /** Index of the load hook in the function table; 0 if there is none. */
  loadHook: "u32",
  loadArgument: "u32",
  /** Place of loaded lines in work memory. */
  loaded: "u32",
  loadedPitch: "u32",
  /** Index in the function table of the hook that computes filters; 0 if there is none. */
  filterHook: "u32",
  filterArgument: "u32",
  /** Place of computed filters in work memory. */
  filters: "u32",
  filtersPitch: "u32",
  /** Index of the store hook in the function table; 0 if there is none. */
  storeHook: "u32",
  storeArgument: "u32",
  /** Place in work memory of results that the store hook reads. */
  results: "u32",
  resultsPitch: "u32",
  /** Number of elements of a line that the load hook computes. */
  loadedCount: "u32",
  /** Number of elements of a line that are stored. */
  storedCount: "u32",
  /** Bytes of an element of the source. */
  elementIn: "u32",
  /** Bytes of an element of the target. */
  elementOut: "u32",
  /** Place in work memory of a tile for the corner turn. */
  tile: "u32",
  tilePitch: "u32",
});

/**
 * The task of `linesTask` for one pass over long lines (`assembly/long.ts`). Fields whose names begin with `first` or `second` belong to
 * that pass.
 */
export const longTask = record({
  ...taskHead.fields,
  /** Address of the `linesPlan` of the first pass's columns. */
  firstPlan: "u32",
  source: "u32",
  /** Distance from one line of the source to the next. */
  sourceLine: "u32",
  target: "u32",
  /** Distance from one line of the target to the next. */
  targetLine: "u32",
  /** Address of the `linesPlan` of the second pass's columns. */
  secondPlan: "u32",
  /** The data between the passes. */
  between: "u32",
  /** Distance from one line of these data to the next. */
  betweenLine: "u32",
  /** Levels (scalings) of the first pass's columns, one byte each. */
  levels: "u32",
  /** Distance from one line of the levels to the next. */
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
  /** Place of a tile in work memory. */
  tile: "u32",
  /** Place of the other tile: stages read one and write the other. */
  otherTile: "u32",
  /** Place in work memory of a row that nobody reads. */
  nowhere: "u32",
  /** Address of the twiddle factors along a column if the first pass's tiles are mirrored, else 0. */
  firstTurns: "u32",
  /** Address of the twiddle factors of each column of the mirrored pass. */
  columnTurns: "u32",
  /** The same as `firstTurns` for the second pass. */
  secondTurns: "u32",
  /** Address of the twiddle factors between the passes. */
  factors: "u32",
});

/** The task of `turnTask` (`assembly/arrays.ts`): corner turns of matrices. */
export const turnTask = record({
  source: "u32",
  target: "u32",
  rows: "u32",
  columns: "u32",
  /** Bytes of an element. */
  elementBytes: "u32",
  /** Number of items of a matrix. */
  items: "u32",
});

/** What is multiplied: a line with a line of filters, the elements of a row with one filter value, or an array with another. */
export const multiplyWays = { line: 0, rows: 1, all: 2 } as const;

/** The task of `multiplyTask`: y = x·h. */
export const multiplyTask = record({
  x: "u32",
  h: "u32",
  y: "u32",
  /** Complex numbers of an item. */
  count: "u32",
  way: multiplyWays,
  /** Way `rows` only: number of filter values; item i uses the one at i modulo `extent`. */
  extent: "u32",
  items: "u32",
  /** Way `all` only: complex numbers of the last item. */
  rest: "u32",
});

/** Types of the numbers that are converted. */
export const numberTypes = { f32: 0, f64: 1, i8: 2, i16: 3, u8: 4, u32: 5 } as const;

/** The task of `convertTask`. */
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
  /** The factor for all numbers. */
  scale: "f64",
});

/** Kinds of transforms. */
export const kinds = { fft: 0, "inverse-fft": 1, filter: 2, "filter-inverse": 3, "real-fft": 4, "inverse-real-fft": 5 } as const;

/** What is done with lines. "Place" means an offset in work memory. Numbers are float32; a complex one counts as two. */
export const linesPlan = record({
  kind: kinds,
  /** Address of the program. */
  program: "u32",
  /** Length of the transform. */
  n: "u32",
  /** Address of the turns of real transforms. */
  realTurns: "u32",
  /** How many numbers of a line are read. */
  available: "u32",
  /** How many numbers the transform takes. */
  needed: "u32",
  /** First number kept. */
  keepStart: "u32",
  /** How many numbers are kept. */
  keepCount: "u32",
  /** How many numbers the transform produces. */
  produced: "u32",
  /** Place where lines are prepared for the transform. */
  stage: "u32",
  stagePitch: "u32",
  /** Bytes of an element in. */
  elementIn: "u32",
  /** Bytes of an element out. */
  elementOut: "u32",
  /** Place of a tile of columns, which are lines there. */
  tile: "u32",
  tilePitch: "u32",
  /** Columns of a tile. */
  tileColumns: "u32",
  /** Place of a tile of filters. */
  filterTile: "u32",
  /** For filters: address of the program of the inverse that starts with the stage that the forward transform ends with; or 0. */
  inverse: "u32",
});

/** The start of work memory: the addresses of the lines that are transformed together. `rows` of `assembly/kernels.ts` writes it. */
export const groupLines = record({
  /** The lines to transform, as they are read or prepared. */
  from: "u32[4]",
  staged: "u32[4]",
  /** Where the results go. */
  to: "u32[4]",
  filters: "u32[4]",
});

/** How a program transforms a line: with vectors along the line, by Bluestein's chirp, or with vectors across four lines. */
export const modes = { within: 1, chirp: 2, across: 4 } as const;

/** The first fields of every program. A program is one complex transform of n numbers. */
export const programHead = record({ n: "u32", mode: modes });

/** The program of the modes `within` and `across`. `stages` records of type `stage` follow it. */
export const stagesProgram = record({
  ...programHead.fields,
  /** Number of stages, not counting the last. */
  stages: "u32",
  /** Radix of the last stage, or 0. */
  last: "u32",
  /** Factor for the results of an inverse: 1/n, or 1 for the convolution of a chirp. */
  scale: "f32",
  /** Place of the first block of scratch memory. */
  first: "u32",
  /** Place of the second block of scratch memory. */
  second: "u32",
  /** The exact factor minus `scale`, which was rounded. */
  scaleRest: "f32",
});

/** One stage. */
export const stage = record({
  radix: "u32",
  /** Distance from one output to the next. */
  step: "u32",
  /** Number of outputs. */
  m: "u32",
  /** Address of the twiddle factors. */
  turns: "u32",
});

/** The program of the mode `chirp`. */
export const chirpProgram = record({
  ...programHead.fields,
  /** Address of the chirp. */
  chirp: "u32",
  /** Address of the spectrum of its conjugate. */
  kernel: "u32",
  /** Address of the chirp divided by n. */
  inverseChirp: "u32",
  /** Place of a line in work memory. */
  line: "u32",
  /** Address of the `stagesProgram` of the convolution. */
  convolver: "u32",
  /** Length of the convolution. */
  m: "u32",
});
