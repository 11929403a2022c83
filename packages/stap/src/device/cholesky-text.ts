/**
 * Cholesky's factors and two substitutions on chip (Golub & Van Loan, Algorithm 4.2.2 and Section 3.1): a lane has a column of R in
 * registers while it is factored, then a steering vector. Columns of L lie in workgroup memory, from the diagonal down, its reciprocal
 * in place of it, and zeros after the last row: so a loop over columns does the same for all of them, and registers that pass
 * their elements on need no index.
 */
import { subtractConjugateProduct, subtractProduct } from "./multiply-add.ts";
import { isGood, type Method, type Shape, series, storeFilter } from "./on-chip-shape.ts";

/** A lane reads up to n elements from any of a column's. */
const factorSize = (n: number): number => n * n + n;

export const choleskyBytes = (n: number): number => 8 * factorSize(n);

export function cholesky(shape: Shape): Method {
  const { n, chunk, lanes, vectors } = shape;
  return {
    declarations: (matrices) => `var<workgroup> l: array<vec2f, ${matrices * factorSize(n)}>;`,
    prepare: `  let column = min(lane, ${n - 1}u);
  let factor = matrix * ${factorSize(n)}u;
${series(
  n,
  (d) => `  var a${d} = vec2f();
  if (column + ${d}u < ${n}u) { a${d} = r[base + (column + ${d}u) * (column + ${d + 1}u) / 2u + column]; }`,
)}
  for (var k = 0u; k < ${n}u; k++) {
    let at = factor + k * ${n}u;
    if (lane == k) {
      let good = ${isGood(n, "a0.x", "k")};
      let scale = select(0.0, inverseSqrt(a0.x), good);
      if (!good && failed[matrix] == 0u) { failed[matrix] = k + 1u; }
      l[at] = vec2f(scale, 0.0);
${series(n - 1, (d) => `      l[at + ${d + 1}u] = select(vec2f(), a${d + 1} * scale, k + ${d + 1}u < ${n}u);`)}
    }
    workgroupBarrier();
    let down = at + max(column, k) - k;
    let own = l[down];
${series(
  n,
  (d) => `    let l${d} = l[down + ${d}u];
    ${subtractConjugateProduct(`a${d}`, `l${d}`, "own")}`,
)}
  }
  workgroupBarrier();`,
    solve: `  for (var v = lane; v < ${chunk}u; v += ${lanes}u) {
    let vector = min(origin + v, ${vectors - 1}u) * ${n}u;
    var gain = 0.0;
${series(n, (i) => `    var y${i} = load_steering(vector + ${i}u);`)}
    // Forward: the first element is done, the others move up, and it goes to the end.
    for (var k = 0u; k < ${n}u; k++) {
      let at = factor + k * ${n}u;
      let z = y0 * l[at].x;
      gain += dot(z, z);
${series(
  n - 1,
  (d) => `      let l${d} = l[at + ${d + 1}u];
      y${d} = y${d + 1};
      ${subtractProduct(`y${d}`, `l${d}`, "z")}`,
)}
      y${n - 1} = z;
    }
    // Back: the last element is done, the others move down, and it goes to the beginning.
    for (var back = 0u; back < ${n}u; back++) {
      let at = factor + (${n - 1}u - back) * ${n}u;
      var w = y${n - 1};
${series(
  n - 1,
  (d) => `      let l${d} = l[at + ${d + 1}u];
      ${subtractConjugateProduct("w", `y${d}`, `l${d}`)}`,
)}
${series(n - 1, (d) => `      y${n - 1 - d} = y${n - 2 - d};`)}
      y0 = w * l[at].x;
    }
${storeFilter(shape)}
  }
  workgroupBarrier();`,
  };
}
