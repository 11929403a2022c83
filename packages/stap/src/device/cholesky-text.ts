/**
 * Cholesky factorisation and two substitutions on chip (Golub & Van Loan, Algorithm 4.2.2 and Section 3.1). A lane holds a column of R in
 * registers while it is factored, then a steering vector. L takes the place of R in workgroup memory, and the reciprocals of its diagonal
 * the place of the diagonal. The text is written out in full, element by element. A loop that passes elements from register to register,
 * without
 * an index, took 1.5 to 2.7 times as long on an H100 (n = 12, 24), and L kept in registers between the substitutions 1.9 times
 * (n = 24).
 */
import { subtractConjugateProduct, subtractProduct } from "./multiply-add.ts";
import { type Method, pivotChecks, place, type Shape, series, storeFilter } from "./on-chip-shape.ts";

export function cholesky(shape: Shape): Method {
  const { n, chunk, lanes, vectors } = shape;
  const at = (row: number, column: number): string => `r[base + ${place(row, column)}u]`;
  return {
    declarations: () => "",
    prepare: `  let column = min(lane, ${n - 1}u);
  let row = base + column * (column + 1u) / 2u;
${series(n, (i) => `  var a${i} = r[base + ${place(i, 0)}u + min(column, ${i}u)];`)}
  workgroupBarrier();
${series(
  n,
  (k) => `  if (lane == ${k}u) {
    ${pivotChecks(n, `a${k}.x`, `${k}u`)}
    let scale = select(0.0, inverseSqrt(a${k}.x), good);
    ${at(k, k)} = vec2f(scale, 0.0);
${series(n - k - 1, (d) => `    ${at(k + 1 + d, k)} = a${k + 1 + d} * scale;`)}
  }
  workgroupBarrier();
  let own${k} = r[row + min(column, ${k}u)];
${series(n - k - 1, (d) => withElement(at(k + 1 + d, k), subtractConjugateProduct(`a${k + 1 + d}`, "l", `own${k}`)))}`,
)}`,
    solve: `  for (var v = lane; v < ${chunk}u; v += ${lanes}u) {
    let vector = min(origin + v, ${vectors - 1}u) * ${n}u;
    var gain = 0.0;
${series(
  n,
  (i) => `    var y${i} = load_steering(vector + ${i}u);
${series(i, (j) => withElement(at(i, j), subtractProduct(`y${i}`, "l", `y${j}`)))}
    y${i} *= ${at(i, i)}.x;
    gain += dot(y${i}, y${i});`,
)}
${series(n, (back) => {
  const i = n - 1 - back;
  return `${series(back, (d) => withElement(at(i + 1 + d, i), subtractConjugateProduct(`y${i}`, `y${i + 1 + d}`, "l")))}
    y${i} *= ${at(i, i)}.x;`;
})}
${storeFilter(shape)}
  }
  workgroupBarrier();`,
  };
}

/** `statement` with l as an element of L, read where it is used. */
const withElement = (element: string, statement: string): string => `    { let l = ${element}; ${statement} }`;
