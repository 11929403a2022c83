/**
 * A quicklook made on the device that holds the image: power while the image is written, its mean over cells, and grey levels in decibels.
 * Only
 * one byte per pixel leaves the device. White lies a given level above the mean of the picture, which a device finds
 * in one pass; quicklook.ts, for images on the host, uses a percentile instead. A cell that is not a finite number adds nothing to
 * that mean.
 */
import { inputError, type Kernel, type Layout, type Program, type Step } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import { withDetection } from "./detect.ts";
import { checkLooks, type Looks } from "./quicklook.ts";
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
    { name: "looks", op: looksKernel(lines, cells, looks), bind: { power: "power", looks: "looks" } },
  ];
  let [sums, count] = ["looks", rows * columns];
  for (let level = 1; count > 1; level++) {
    const kernel = sumKernel(count);
    steps.push({ name: `sum ${level}`, op: kernel, bind: { values: sums, sums: `sums ${level}` } });
    sums = `sums ${level}`;
    count = kernel.items;
  }
  steps.push({
    name: "grey",
    op: greyKernel(rows, columns, whiteDb, dynamicRangeDb),
    bind: { looks: "looks", sum: sums, quicklook: "quicklook" },
  });
  return { ...same, name: `${program.name} quicklook`, steps, outputs: ["quicklook"], rows, columns };
}

const floats = (...shape: number[]): Layout<"f32"> => ({ dtype: "f32", shape });

/** Mean of `power` [lines][cells] over cells of `looks`: `looks` [rows · columns]. */
function looksKernel(lines: number, cells: number, { azimuthLooks, rangeLooks }: Looks): Kernel {
  const [rows, columns] = [Math.floor(lines / azimuthLooks), Math.floor(cells / rangeLooks)];
  const scale = Math.fround(1 / (azimuthLooks * rangeLooks));
  return {
    op: "kernel",
    name: `looks ${azimuthLooks}×${rangeLooks}`,
    flops: lines * cells,
    ports: {
      power: { access: "read", layout: floats(lines, cells) },
      looks: { access: "write", layout: floats(rows * columns) },
    },
    items: rows * columns,
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`let first = (item / ${columns}u * ${azimuthLooks}u) * ${cells}u + item % ${columns}u * ${rangeLooks}u;
var sum = 0.0;
for (var a = 0u; a < ${azimuthLooks}u; a++) {
  for (var r = 0u; r < ${rangeLooks}u; r++) { sum += load_power(first + a * ${cells}u + r); }
}
store_looks(item, sum * ${wgslFloat(scale)});`),
    reference({ power, looks }, _uniforms, start, end) {
      for (let item = start; item < end; item++) {
        const first = Math.floor(item / columns) * azimuthLooks * cells + (item % columns) * rangeLooks;
        let sum = 0;
        for (let a = 0; a < azimuthLooks; a++) for (let r = 0; r < rangeLooks; r++) sum += power.re(first + a * cells + r);
        looks.set(item, sum * scale);
      }
    },
  };
}

/** How many values one item adds up. */
const run = 128;

/**
 * Sums of the finite ones among values `item`, `item` + items, …: [⌈count/128⌉]. They are told by their bits, because WGSL need not support
 * NaN.
 */
function sumKernel(count: number): Kernel {
  const items = Math.ceil(count / run);
  return {
    op: "kernel",
    name: `sum of ${count}`,
    flops: count,
    ports: { values: { access: "read", layout: floats(count) }, sums: { access: "write", layout: floats(items) } },
    items,
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`var sum = 0.0;
for (var i = item; i < ${count}u; i += ${items}u) {
  let value = load_values(i);
  if ((bitcast<u32>(value) & 0x7f800000u) != 0x7f800000u) { sum += value; }
}
store_sums(item, sum);`),
    reference({ values, sums }, _uniforms, start, end) {
      for (let item = start; item < end; item++) {
        let sum = 0;
        for (let i = item; i < count; i += items) if (Number.isFinite(values.re(i))) sum += values.re(i);
        sums.set(item, sum);
      }
    },
  };
}

/** `looks` in decibels relative to their mean as grey levels; `sum` [1] is the sum of all of them. Zero and NaN are black. */
function greyKernel(rows: number, columns: number, whiteDb: number, dynamicRangeDb: number): Kernel {
  const count = rows * columns;
  const perDb = 255 / dynamicRangeDb;
  const black = whiteDb - dynamicRangeDb;
  return {
    op: "kernel",
    name: "grey levels",
    flops: 4 * count,
    ports: {
      looks: { access: "read", layout: floats(count) },
      sum: { access: "read", layout: floats(1) },
      quicklook: { access: "write", layout: { dtype: "u8", shape: [rows, columns] } },
    },
    items: count,
    wgsl: (_constants, _limits, toolkit) =>
      toolkit.items(`let value = load_looks(item);
var level = 0.0;
if (value > 0.0) {
  level = (${wgslFloat(10 * Math.log10(2))} * (log2(value) - log2(load_sum(0u) / ${count}.0)) - ${wgslFloat(black)}) * ${wgslFloat(perDb)};
}
store_quicklook(item, level);`),
    reference({ looks, sum, quicklook }, _uniforms, start, end) {
      const mean = 10 * Math.log10(sum.re(0) / count);
      for (let item = start; item < end; item++) {
        const value = looks.re(item);
        quicklook.set(item, value > 0 ? (10 * Math.log10(value) - mean - black) * perDb : 0);
      }
    },
  };
}
