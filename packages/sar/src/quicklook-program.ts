/**
 * A quicklook made on the device that holds the image: power while the image is written, its mean over cells, and grey levels in decibels.
 * Only
 * one byte per pixel leaves the device. White lies a given level above the mean of the picture, which a device finds
 * in one pass; quicklook.ts, for images on the host, uses a percentile instead. A cell that is not a finite number adds nothing to
 * that mean.
 */
import { inputError, type MapOp, type Program, type Step } from "@dechirp/core";
import { divide, finite, greater, inside, log, map, minus, mod, plus, select, sum, times, type Value } from "@dechirp/core/expression";
import { withDetection } from "./detect.ts";
import type { Looks } from "./multilook-cells.ts";
import { checkLooks } from "./quicklook.ts";
import type { RangeDopplerProgram } from "./range-doppler/program.ts";

/** How powers become grey levels. */
export interface QuicklookProgramOptions {
  /** White, in decibels above the mean intensity. Default: 12. */
  readonly whiteDb?: number;
  /** Decibels between black and white. Default: 50. */
  readonly dynamicRangeDb?: number;
}

/** Has the output `quicklook` u8 [rows][columns], one pixel for each whole cell of `looks`. Everything else is as in the program. */
export type QuicklookProgram = Omit<RangeDopplerProgram, keyof Program> &
  Program<{ readonly quicklook: Uint8Array }> & { readonly rows: number; readonly columns: number };

/** The program with a quicklook in place of its image. Throws `input`. */
export function withQuicklook(program: RangeDopplerProgram, looks: Looks, options: QuicklookProgramOptions = {}): QuicklookProgram {
  const { whiteDb = 12, dynamicRangeDb = 50 } = options;
  const { rows: lines, cells } = program.geometry;
  checkLooks(looks, lines, cells);
  if (!Number.isFinite(whiteDb)) throw inputError("whiteDb", "a finite number", whiteDb);
  if (!(Number.isFinite(dynamicRangeDb) && dynamicRangeDb > 0)) throw inputError("dynamicRangeDb", "a positive number", dynamicRangeDb);
  const rows = Math.floor(lines / looks.azimuthLooks);
  const columns = Math.floor(cells / looks.rangeLooks);
  const detected = withDetection(program, "power");
  const { outputTypes: _, ...same } = detected;
  const steps: Step[] = [
    ...same.steps.map((step): Step => ({ ...step, bind: { ...step.bind, ...(step.bind["out"] === "image" && { out: "power" }) } })),
    { name: "looks", op: looksMap(lines, cells, looks), bind: { power: "power", looks: "looks" } },
  ];
  let sums = "looks";
  let shape: readonly number[] = [rows, columns];
  for (let level = 1; shape.some((extent) => extent > 1); level++) {
    const op = sumMap(shape);
    steps.push({ name: `sum ${level}`, op, bind: { values: sums, sums: `sums ${level}` } });
    sums = `sums ${level}`;
    shape = op.shape;
  }
  steps.push({
    name: "grey",
    op: greyMap(rows, columns, whiteDb, dynamicRangeDb, shape),
    bind: { looks: "looks", sum: sums, quicklook: "quicklook" },
  });
  return { ...same, name: `${program.name} quicklook`, steps, outputs: ["quicklook"], rows, columns };
}

/** Mean of `power` [lines][cells] over cells of `looks`: `looks` [rows][columns]. */
function looksMap(lines: number, cells: number, { azimuthLooks, rangeLooks }: Looks): MapOp {
  const shape = [Math.floor(lines / azimuthLooks), Math.floor(cells / rangeLooks)];
  return map(
    {
      name: `looks ${azimuthLooks}×${rangeLooks}`,
      shape,
      sources: { power: { dtype: "f32", shape: [lines, cells] } },
      outputs: { looks: "f32" },
    },
    ({ at: [row, column], power }) => {
      const cell = (a: Value<"i32">, r: Value<"i32">) => power(plus(times(row, azimuthLooks), a), plus(times(column, rangeLooks), r));
      const total = sum(azimuthLooks, (a) => sum(rangeLooks, (r) => cell(a, r)));
      return { looks: times(total, 1 / (azimuthLooks * rangeLooks)) };
    },
  );
}

/** How many values one element of a sum adds up. */
const run = 128;

/** Sums of the finite ones among values i, i + items, …: [⌈count/128⌉]. */
function sumMap(shape: readonly number[]): MapOp {
  const count = shape.reduce((product, extent) => product * extent, 1);
  const items = Math.ceil(count / run);
  const columns = shape[shape.length - 1];
  return map(
    { name: `sum of ${count}`, shape: [items], sources: { values: { dtype: "f32", shape } }, outputs: { sums: "f32" } },
    ({ at: [item], values }) => ({
      sums: sum(run, (j) => {
        const i = plus(item, times(j, items));
        const value = shape.length === 1 ? inside(values, i) : inside(values, divide(i, columns), mod(i, columns));
        return select(finite(value), value, 0);
      }),
    }),
  );
}

/** `looks` in decibels relative to their mean as grey levels; `sum`, of `sumShape`, has one element, the sum of all of them. Zero and NaN are black. */
function greyMap(rows: number, columns: number, whiteDb: number, dynamicRangeDb: number, sumShape: readonly number[]): MapOp {
  const decibels = 10 / Math.LN10;
  return map(
    {
      name: "grey levels",
      shape: [rows, columns],
      sources: { looks: { dtype: "f32", shape: [rows, columns] }, sum: { dtype: "f32", shape: sumShape } },
      outputs: { quicklook: "u8" },
    },
    ({ at, looks, sum }) => {
      const above = minus(log(looks(at)), log(divide(sum(sumShape.map(() => 0)), rows * columns)));
      const level = times(minus(times(above, decibels), whiteDb - dynamicRangeDb), 255 / dynamicRangeDb);
      return { quicklook: select(greater(looks(at), 0), level, 0) };
    },
  );
}
