/**
 * The records of reductions and histograms, which `assembly/reduce.ts` reads. As `layouts.ts`, this is the only description for both
 * sides.
 */
import { record } from "./records.ts";

/** What is computed. */
export const reductions = { sum: 0, squares: 1, product: 2, max: 3, argmax: 4 } as const;

/** How elements are read: f32 numbers in place, numbers that are converted, or what a hook computes. */
export const readings = { f32: 0, i8: 1, i16: 2, u8: 3, hook: 4 } as const;

/** What reading elements takes. */
export const elementSource = record({
  reading: readings,
  /** 1 or 2: numbers of an element. */
  numbers: "u32",
  /** Bytes of an element of the arrays. */
  bytes: "u32",
  source: "u32",
  /** The second factor of a product. */
  second: "u32",
  /** Index of the hook in the function table, and its argument. */
  hook: "u32",
  hookArgument: "u32",
  /** Extent of the last axis. A hook is called for elements of one row of that axis. */
  row: "u32",
  /** Address of the first unit's work memory. */
  work: "u32",
  /** Distance from one unit's work memory to the next. */
  workPitch: "u32",
});

/** The task of `reduceTask`. */
export const reduceTask = record({
  ...elementSource.fields,
  what: reductions,
  /** 1 if the second factor is conjugated. */
  conjugate: "u32",
  /** 1 if neighbours in memory are reduced to one. */
  rows: "u32",
  outputs: "u32",
  /** Elements of a result. */
  count: "u32",
  /** Addresses of the axes that remain and are reduced: an extent and a stride in elements for each. */
  kept: "u32",
  keptAxes: "u32",
  reduced: "u32",
  reducedAxes: "u32",
  /** Neighbouring elements of one kind: the extent of the last of the axes. */
  run: "u32",
  /** Elements of a result that an item reduces, and the number of such parts. */
  length: "u32",
  chunks: "u32",
  /** Results of an item: of rows, or neighbouring results of columns. */
  across: "u32",
  /** Address of two f64 numbers for each result of each part. */
  partial: "u32",
  target: "u32",
  /** Whether the task combines the results of the parts. */
  last: "u32",
});

/** The task of `histogramTask`. */
export const histogramTask = record({
  ...elementSource.fields,
  bins: "u32",
  /** Elements of the array, and of an item. */
  total: "u32",
  length: "u32",
  items: "u32",
  low: "f32",
  scale: "f32",
  /** Address of the counts of each item, and how many copies of them each has. */
  tables: "u32",
  copies: "u32",
  target: "u32",
  /** Whether the task adds the counts of the items. */
  last: "u32",
});
