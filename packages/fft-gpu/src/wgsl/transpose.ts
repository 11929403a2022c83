/**
 * Transposes matrices in tiles. A workgroup reads a square of adjacent rows and writes it as adjacent columns, so that both sides move
 * whole cache lines. The tile's rows are padded by one element, so that no two lanes access the same bank.
 */
import type { Layout } from "@dechirp/core";
import { type Dispatch, spread } from "../dispatch.ts";

/** The transpose of some matrices. */
export interface Turn {
  readonly input: Layout;
  readonly output: Layout;
  readonly matrices: number;
  readonly rows: number;
  readonly columns: number;
  /** The type of an element that kernels see. */
  readonly type: "f32" | "vec2f" | "u32";
}

const tile = 32;
const height = 8;

/** Generates the dispatch. */
export function turnDispatch({ input, output, matrices, rows, columns, type }: Turn): Dispatch {
  const across = Math.ceil(columns / tile);
  const down = Math.ceil(rows / tile);
  const { groups, index } = spread(matrices * across * down);
  const whole = rows % tile === 0 && columns % tile === 0;
  const guarded = (condition: string, statement: string): string => (whole ? statement : `if (${condition}) { ${statement} }`);
  return {
    code: `var<workgroup> square: array<${type}, ${tile * (tile + 1)}>;
@compute @workgroup_size(${tile * height})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
  let group = ${index};
  if (group >= ${matrices * across * down}u) { return; }
  let x = tid % ${tile}u;
  let y = tid / ${tile}u;
  let first = (group / ${across * down}u) * ${rows * columns}u;
  let column = (group % ${across}u) * ${tile}u;
  let row = (group / ${across}u % ${down}u) * ${tile}u;
  for (var i = y; i < ${tile}u; i += ${height}u) {
    ${guarded(`row + i < ${rows}u && column + x < ${columns}u`, `square[i * ${tile + 1}u + x] = load_in(first + (row + i) * ${columns}u + column + x);`)}
  }
  workgroupBarrier();
  for (var i = y; i < ${tile}u; i += ${height}u) {
    ${guarded(`column + i < ${columns}u && row + x < ${rows}u`, `store_out(first + (column + i) * ${rows}u + row + x, square[x * ${tile + 1}u + i]);`)}
  }
}`,
    entry: "main",
    arrays: {
      in: { from: { port: "in" }, layout: input, access: "read" },
      out: { from: { port: "out" }, layout: output, access: "write" },
    },
    groups,
  };
}
