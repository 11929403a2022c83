/**
 * Gauss-Jordan elimination of [R | V] on chip, without pivoting (Section IV-C of the paper). A lane holds B_T rows of a column in
 * registers. Pivot rows and columns pass through workgroup memory, alternating between two places, so that a step needs one
 * barrier. Columns to the left of the pivot's are no longer needed and hold no valid numbers.
 */
import { subtractProduct } from "./multiply-add.ts";
import { type Method, pivotChecks, type Shape, series, storeFilter } from "./on-chip-shape.ts";

export const gaussJordanBytes = (n: number, chunk: number): number => 16 * n + 16 * (n + chunk) + 8 * chunk * n;

export function gaussJordan(shape: Shape): Method {
  const { n, chunk, rows, vectors, lanes } = shape;
  const columns = n + chunk;
  const step = (own: number): string => `    {
      let k = block + ${own}u;
      let turn = (matrix * 2u + k % 2u) * ${n}u;
      let rowTurn = (matrix * 2u + k % 2u) * ${columns}u;
      if (working && column == k) {
${series(rows, (q) => `        pivotColumn[turn + first + ${q}u] = a${q};`)}
      }
      if (first == block) { pivotRow[rowTurn + column] = a${own}; }
      workgroupBarrier();
      let pivot = pivotColumn[turn + k].x;
      let good = is_pivot(pivot, diagonals[matrix * ${n}u + k]);
      if (lane == 0u) {
        ${pivotChecks(n, "pivot", "k")}
      }
      let f = pivotRow[rowTurn + column] * select(0.0, 1.0 / pivot, good);
${series(
  rows,
  (q) => `      let p${q} = pivotColumn[turn + first + ${q}u];
      ${subtractProduct(`a${q}`, `p${q}`, "f")}`,
)}
      if (first == block) { a${own} = f; }
    }`;
  return {
    declarations: (matrices) => `var<workgroup> pivotColumn: array<vec2f, ${matrices * 2 * n}>;
var<workgroup> pivotRow: array<vec2f, ${matrices * 2 * columns}>;
var<workgroup> solved: array<vec2f, ${matrices * chunk * n}>;`,
    prepare: `  let column = lane % ${columns}u;
  let first = lane / ${columns}u * ${rows}u;
  let working = first < ${n}u;`,
    solve: `${series(rows, (q) => `  var a${q} = vec2f();`)}
  if (working && column < ${n}u) {
${series(
  rows,
  (q) => `    {
      let i = first + ${q}u;
      let low = max(i, column);
      let value = r[base + low * (low + 1u) / 2u + min(i, column)];
      a${q} = vec2f(value.x, select(-value.y, value.y, i >= column));
    }`,
)}
  } else if (working) {
    let vector = min(origin + column - ${n}u, ${vectors - 1}u) * ${n}u + first;
${series(rows, (q) => `    a${q} = load_steering(vector + ${q}u);`)}
  }
  for (var block = 0u; block < ${n}u; block += ${rows}u) {
${series(rows, step)}
  }
  if (working && column >= ${n}u) {
${series(rows, (q) => `    solved[(matrix * ${chunk}u + column - ${n}u) * ${n}u + first + ${q}u] = a${q};`)}
  }
  workgroupBarrier();
  for (var v = lane; v < ${chunk}u; v += ${lanes}u) {
    let vector = min(origin + v, ${vectors - 1}u) * ${n}u;
    var gain = 0.0;
${series(
  n,
  (i) => `    let y${i} = solved[(matrix * ${chunk}u + v) * ${n}u + ${i}u];
    gain += dot(y${i}, load_steering(vector + ${i}u));`,
)}
${storeFilter(shape)}
  }
  workgroupBarrier();`,
  };
}
