/**
 * WGSL that solves a covariance's systems on chip, as the solve kernel and the filter kernel share it (Section IV-C of the paper): a
 * matrix is put together from the means of its training sets in workgroup memory, loaded, and solved for a chunk of steering
 * vectors at a time, by `lanes` invocations; several matrices share a workgroup where they are small. What the vectors
 * become lies in `filters` afterwards, two elements a vec4f, and their gains in `gains`.
 *
 * Cholesky: a lane has a column of R in registers while it is factored (Golub & Van Loan's outer-product form), and then a steering
 * vector each for the substitutions. Gauss-Jordan: a lane has B_T rows of a column of [R | V] in registers; pivot rows and
 * columns go round through workgroup memory. Straight-line text, so that nothing is indexed by a variable.
 *
 * A pivot that is not positive makes zeros of what follows: `failed` says at which row, from 1, so that no NaN goes unreported.
 */
import { type WgslLimits, wgslFloat } from "@dechirp/core";
import type { EfaGeometry } from "../efa/options.ts";
import { amplitudeScales } from "./host.ts";
import type { EfaTables } from "./tables.ts";

export interface OnChipSolver {
  /** Matrices of a workgroup; a lane's invocation is `matrix * lanes + lane`. */
  readonly matrices: number;
  readonly lanes: number;
  readonly workgroupSize: number;
  /** Workgroups along x and y. */
  readonly groups: readonly [x: number, y: number, z: 1];
  /** Steering vectors that are solved at once, and how often that is done. */
  readonly chunk: number;
  readonly chunks: number;
  /** vec4f of `filters` that a steering vector has. */
  readonly pairs: number;
  readonly declarations: string;
  /** Declares t, matrix, lane, item, live, bin, group and makes the covariance, factored where it is. Has barriers. */
  readonly prepare: string;
  /** Solves for vectors `origin` … `from + chunk − 1`; filters and gains are there for all lanes afterwards. Has barriers. */
  readonly solve: string;
  /** Element (pair, vector of the chunk) of `filters`. */
  filter(pair: string, vector: string): string;
}

/** Beyond, straight-line text would be long and a column would not stay in registers. */
export const mostOrder = 32;
/** The same of Gauss-Jordan elimination, where a column may be spread over invocations. */
const mostEliminated = 64;
const mostLanes = 64;
/** A pivot below so many roundings of its diagonal is none. */
export const pivotShare = 2 ** -22;

export interface OnChipOptions {
  /** Whether filters are multiplied by what makes outputs of them. */
  readonly scaled: boolean;
  /** Lanes that work on after solving, at least so many. */
  readonly lanes?: number;
  /** Rows of an invocation in Gauss-Jordan elimination, B_T; all where left out. */
  readonly rowsPerInvocation?: number;
}

const series = (count: number, text: (i: number) => string, join = "\n"): string =>
  Array.from({ length: count }, (_, i) => text(i)).join(join);
const powerOfTwo = (n: number): number => 2 ** Math.ceil(Math.log2(n));
const place = (row: number, column: number): number => (row * (row + 1)) / 2 + column;

/** The text, or undefined where it does not fit the device. */
export function onChipSolver(
  geometry: EfaGeometry,
  tables: EfaTables,
  limits: WgslLimits,
  options: OnChipOptions,
): OnChipSolver | undefined {
  const { order: n, steeringVectors, dopplerBins, sets, solver, loading } = geometry;
  const mostInvocations = Math.min(limits.invocations, 256);
  if (n > (solver === "gauss-jordan" ? mostEliminated : mostOrder)) return undefined;
  const rows = solver === "gauss-jordan" ? (options.rowsPerInvocation ?? defaultRows(n, steeringVectors, mostInvocations)) : n;
  if (n % rows !== 0) return undefined;
  const rowBlocks = n / rows;
  const size = (n * (n + 1)) / 2;
  const pairs = Math.ceil(n / 2);
  let lanes = Math.min(mostLanes, powerOfTwo(Math.max(n, Math.min(steeringVectors, 32), options.lanes ?? 1)));
  let chunk = Math.min(steeringVectors, lanes);
  if (solver === "gauss-jordan") {
    chunk = Math.min(steeringVectors, Math.floor(mostInvocations / rowBlocks) - n);
    // A lane a unit of rows and column.
    lanes = Math.max(lanes, powerOfTwo((n + chunk) * rowBlocks));
    if (lanes > mostInvocations) lanes = (n + chunk) * rowBlocks;
  }
  if (chunk < 1) return undefined;
  const bytesEach =
    8 * size + 4 * n + 4 + 16 * pairs * chunk + 4 * chunk + (solver === "gauss-jordan" ? 16 * (n + (n + chunk)) + 8 * chunk * n : 0);
  const matrices = Math.max(1, Math.min(Math.floor(32 / lanes), Math.floor(limits.workgroupBytes / bytesEach)));
  const workgroupSize = lanes * matrices;
  if (bytesEach * matrices > limits.workgroupBytes || workgroupSize > limits.invocations) return undefined;
  const items = dopplerBins * sets.groups;
  const workgroups = Math.ceil(items / matrices);
  const [gx, gy] = [Math.min(workgroups, 65_535), Math.ceil(workgroups / 65_535)];
  const { members } = tables.sets;
  const shape: Shape = {
    n,
    size,
    pairs,
    chunk,
    lanes,
    rows,
    vectors: steeringVectors,
    scaled: options.scaled ? amplitudeScales[geometry.output].text : undefined,
  };
  const method = solver === "cholesky" ? cholesky(shape) : gaussJordan(shape);
  return {
    matrices,
    lanes,
    workgroupSize,
    groups: [gx, gy, 1],
    chunk,
    chunks: Math.ceil(steeringVectors / chunk),
    pairs,
    declarations: `var<workgroup> r: array<vec2f, ${matrices * size}>;
var<workgroup> diagonals: array<f32, ${matrices * n}>;
var<workgroup> failed: array<u32, ${matrices}>;
var<workgroup> filters: array<vec4f, ${matrices * pairs * chunk}>;
var<workgroup> gains: array<f32, ${matrices * chunk}>;
${method.declarations(matrices)}`,
    prepare: `  let matrix = t / ${lanes}u;
  let lane = t % ${lanes}u;
  let wanted = (group_id.y * ${gx}u + group_id.x) * ${matrices}u + matrix;
  // Those beyond the last do as it does, and write nothing.
  let live = wanted < ${items}u;
  let item = min(wanted, ${items - 1}u);
  let bin = item / ${sets.groups}u;
  let group = item % ${sets.groups}u;
  let base = matrix * ${size}u;
  for (var e = lane; e < ${size}u; e += ${lanes}u) {
    let source = ((bin + load_elements(e * 3u)) % ${dopplerBins}u) * ${tables.sets.count}u;
    let product = load_elements(e * 3u + 1u);
    let members = group * ${members.width}u;
    let many = u32(load_members(members));
    var value = vec2f();
    for (var k = 0u; k < many; k++) {
      let mean = (source + u32(load_members(members + 1u + 2u * k))) * ${tables.products.rows}u + product;
      value += load_members(members + 2u + 2u * k) * load_means(mean);
    }
    r[base + e] = vec2f(value.x, select(value.y, -value.y, load_elements(e * 3u + 2u) == 1u));
  }
  if (lane == 0u) { failed[matrix] = 0u; }
  workgroupBarrier();
${
  loading === 0
    ? ""
    : `  let trace = ${series(n, (i) => `r[base + ${place(i, i)}u].x`, " + ")};
  workgroupBarrier();
`
}  if (lane < ${n}u) {
    let at = base + lane * (lane + 3u) / 2u;
    let value = r[at].x${loading === 0 ? "" : ` + ${wgslFloat(loading / n)} * trace`};
    r[at] = vec2f(value, 0.0);
    diagonals[matrix * ${n}u + lane] = value;
  }
  workgroupBarrier();
${method.prepare}`,
    solve: method.solve,
    filter: (pair, vector) => `filters[(matrix * ${pairs}u + ${pair}) * ${chunk}u + ${vector}]`,
  };
}

/** Whole columns where they stay in registers, else as few rows as invocations allow. */
function defaultRows(n: number, vectors: number, invocations: number): number {
  if (n <= mostOrder && n + Math.min(vectors, 32) <= invocations) return n;
  for (let rows = 1; rows < n; rows++) if (n % rows === 0 && (n / rows) * (n + Math.min(vectors, 32)) <= invocations) return rows;
  return n;
}

interface Shape {
  readonly n: number;
  readonly size: number;
  readonly pairs: number;
  readonly chunk: number;
  readonly lanes: number;
  readonly rows: number;
  readonly vectors: number;
  /** What a filter is multiplied by, of `gain`, if at all. */
  readonly scaled: string | undefined;
}

interface Method {
  declarations(matrices: number): string;
  readonly prepare: string;
  readonly solve: string;
}

const good = (n: number, pivot: string, k: number): string =>
  `${pivot} > ${wgslFloat(pivotShare * Math.sqrt(n))} * diagonals[matrix * ${n}u + ${k}u]`;

/** Writes elements w0 … of a vector, which has `gain`, as filter `vector`. */
function storeFilter({ n, pairs, chunk, scaled }: Shape, name: string, vector: string): string {
  const element = (i: number): string => (i < n ? `${name}${i}` : "vec2f()");
  return `    let scale = select(0.0, ${scaled ?? "1.0"}, gain > 0.0 && failed[matrix] == 0u);
    gains[matrix * ${chunk}u + ${vector}] = select(0.0, gain, scale != 0.0);
${series(pairs, (i) => `    filters[(matrix * ${pairs}u + ${i}u) * ${chunk}u + ${vector}] = vec4f(${element(2 * i)}, ${element(2 * i + 1)}) * scale;`)}`;
}

function cholesky(shape: Shape): Method {
  const { n, chunk, lanes, vectors } = shape;
  const at = (row: number, column: number): string => `r[base + ${place(row, column)}u]`;
  const steps = series(n, (k) => {
    const below = series(n - k - 1, (d) => `    ${at(k + 1 + d, k)} = a${k + 1 + d} * scale;`);
    const rest = series(n - k - 1, (d) => `  a${k + 1 + d} -= cmulc(${at(k + 1 + d, k)}, own${k});`);
    return `  if (lane == ${k}u) {
    let good = ${good(n, `a${k}.x`, k)};
    let scale = select(0.0, inverseSqrt(a${k}.x), good);
    if (!good && failed[matrix] == 0u) { failed[matrix] = ${k + 1}u; }
    ${at(k, k)} = vec2f(scale, 0.0);
${below}
  }
  workgroupBarrier();
${k === n - 1 ? "" : `  let own${k} = r[base + row + ${k}u];\n${rest}`}`;
  });
  return {
    declarations: () => "",
    prepare: `  let column = min(lane, ${n - 1}u);
  let row = column * (column + 1u) / 2u;
${series(n, (i) => `  var a${i} = r[base + ${place(i, 0)}u + min(column, ${i}u)];`)}
  workgroupBarrier();
${steps}`,
    solve: `  for (var v = lane; v < ${chunk}u; v += ${lanes}u) {
    let vector = min(origin + v, ${vectors - 1}u) * ${n}u;
    var gain = 0.0;
${series(
  n,
  (i) => `    var y${i} = load_steering(vector + ${i}u);
${series(i, (j) => `    y${i} -= cmul(${at(i, j)}, y${j});`)}
    y${i} *= ${at(i, i)}.x;
    gain += dot(y${i}, y${i});`,
)}
${series(n, (back) => {
  const i = n - 1 - back;
  return `${series(back, (d) => `    y${i} -= cmulc(y${i + 1 + d}, ${at(i + 1 + d, i)});`)}
    y${i} *= ${at(i, i)}.x;`;
})}
${storeFilter(shape, "y", "v")}
  }
  workgroupBarrier();`,
  };
}

function gaussJordan(shape: Shape): Method {
  const { n, size, chunk, rows, vectors } = shape;
  const columns = n + chunk;
  const whole = rows === n;
  const pivots = (k: number): string => `(${k % 2}u * ${n}u)`;
  const steps = series(n, (k) => {
    const owner = `  if (column == ${k}u) {
${series(rows, (q) => `    pivotColumn[turn + ${pivots(k)} + first + ${q}u] = a${q};`)}
  }`;
    const ownRow = whole
      ? ""
      : `\n  if (first == ${Math.floor(k / rows) * rows}u) { pivotRow[rowTurn + ${k % 2}u * ${columns}u + column] = a${k % rows}; }`;
    const value = whole ? `a${k}` : `pivotRow[rowTurn + ${k % 2}u * ${columns}u + column]`;
    return `${owner}${ownRow}
  workgroupBarrier();
  {
    let pivot = pivotColumn[turn + ${pivots(k)} + ${k}u].x;
    let good = ${good(n, "pivot", k)};
    if (lane == 0u && !good && failed[matrix] == 0u) { failed[matrix] = ${k + 1}u; }
    let f = ${value} * select(0.0, 1.0 / pivot, good);
${series(rows, (q) => {
  const less = `a${q} - cmul(pivotColumn[turn + ${pivots(k)} + first + ${q}u], f)`;
  if (whole) return q === k ? `    a${q} = f;` : `    a${q} = ${less};`;
  return k % rows === q ? `    a${q} = select(${less}, f, first + ${q}u == ${k}u);` : `    a${q} = ${less};`;
})}
  }`;
  });
  return {
    declarations: (matrices) => `var<workgroup> pivotColumn: array<vec2f, ${matrices * 2 * n}>;
${whole ? "" : `var<workgroup> pivotRow: array<vec2f, ${matrices * 2 * columns}>;`}
var<workgroup> solved: array<vec2f, ${matrices * chunk * n}>;`,
    prepare: `  let column = min(lane % ${columns}u, ${columns - 1}u);
  let first = min(lane / ${columns}u, ${n / rows - 1}u) * ${rows}u;
  let turn = matrix * ${2 * n}u;
  let rowTurn = matrix * ${2 * columns}u;`,
    solve: `${series(rows, (q) => `  var a${q} = vec2f();`)}
  if (column < ${n}u) {
${series(
  rows,
  (q) => `    {
      let i = first + ${q}u;
      let low = max(i, column);
      let value = r[matrix * ${size}u + low * (low + 1u) / 2u + min(i, column)];
      a${q} = vec2f(value.x, select(-value.y, value.y, i >= column));
    }`,
)}
  } else {
    let vector = min(origin + column - ${n}u, ${vectors - 1}u) * ${n}u + first;
${series(rows, (q) => `    a${q} = load_steering(vector + ${q}u);`)}
  }
${steps}
  if (column >= ${n}u && lane < ${(columns * n) / rows}u) {
${series(rows, (q) => `    solved[(matrix * ${chunk}u + column - ${n}u) * ${n}u + first + ${q}u] = a${q};`)}
  }
  workgroupBarrier();
  for (var v = lane; v < ${chunk}u; v += ${shape.lanes}u) {
    let vector = min(origin + v, ${vectors - 1}u) * ${n}u;
    var gain = 0.0;
${series(
  n,
  (i) => `    let y${i} = solved[(matrix * ${chunk}u + v) * ${n}u + ${i}u];
    gain += dot(y${i}, load_steering(vector + ${i}u));`,
)}
${storeFilter(shape, "y", "v")}
  }
  workgroupBarrier();`,
  };
}
