/**
 * WGSL that solves the systems of a covariance on chip. The solve kernel and the filter kernel share it (Section IV-C of the paper). A
 * matrix is assembled from the means of its training sets in workgroup memory, loaded, and solved for a chunk of steering
 * vectors at a time, by `lanes` invocations. Several small matrices share a workgroup. Afterwards the filters are
 * in `filters`, two elements a vec4f, and their gains in `gains`.
 *
 * The methods (cholesky-text.ts, gauss-jordan-text.ts) keep columns in registers, which a variable cannot index.
 *
 * A pivot that is not positive sets everything after it to zero: `failed` has its status, so that no NaN goes unreported. `told` is the
 * status to
 * report of a matrix that is solved.
 */
import type { WgslLimits } from "@dechirp/core";
import { wgslFloat } from "@dechirp/core/internal";
import type { EfaGeometry } from "../efa/options.ts";
import { cholesky } from "./cholesky-text.ts";
import { gaussJordan, gaussJordanBytes } from "./gauss-jordan-text.ts";
import { amplitudeScales } from "./host.ts";
import { checkDeclarations, place, type Shape, series } from "./on-chip-shape.ts";
import type { EfaTables } from "./tables.ts";

export interface OnChipSolver {
  /** Number of matrices of a workgroup. The invocation of a lane is `matrix * lanes + lane`. */
  readonly matrices: number;
  readonly lanes: number;
  readonly workgroupSize: number;
  /** Workgroups along x and y. */
  readonly groups: readonly [x: number, y: number, z: 1];
  /** Number of steering vectors that are solved at once, and of such chunks. */
  readonly chunk: number;
  readonly chunks: number;
  /** Number of vec4f of `filters` for a steering vector. */
  readonly pairs: number;
  readonly declarations: string;
  /** Declares t, matrix, lane, item, live, bin, group and makes the covariance, factored if the method factors. Has barriers. */
  readonly prepare: string;
  /** Solves for vectors `origin` … `origin + chunk − 1`. Filters and gains are visible to all lanes afterwards. Has barriers. */
  readonly solve: string;
  /** Expression of the status of the matrix, valid after the last vector. */
  readonly status: string;
  /** Expression of element (pair, vector of the chunk) of `filters`. */
  filter(pair: string, vector: string): string;
}

/** Largest order for Cholesky's text; a longer text takes long to compile. */
const mostOrder = 24;
/** The same for Gauss-Jordan elimination, in which a column may be spread over invocations. */
const mostEliminated = 64;
const mostLanes = 64;

export interface OnChipOptions {
  /** Whether filters include the scale of outputs. */
  readonly scaled: boolean;
  /** Smallest number of lanes, for work after solving. */
  readonly lanes?: number;
  /** Rows of an invocation in Gauss-Jordan elimination, B_T. Default: at most six. */
  readonly rowsPerInvocation?: number;
}

const powerOfTwo = (n: number): number => 2 ** Math.ceil(Math.log2(n));

/** The text, or undefined if it does not fit the device. */
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
    // One lane for each unit of rows and column.
    lanes = Math.max(lanes, powerOfTwo((n + chunk) * rowBlocks));
    if (lanes > mostInvocations) lanes = (n + chunk) * rowBlocks;
  }
  if (chunk < 1) return undefined;
  const bytesOf = (vectors: number): number =>
    8 * size + 4 * n + 12 + (16 * pairs + 4) * vectors + (solver === "gauss-jordan" ? gaussJordanBytes(n, vectors) : 0);
  while (chunk > 1 && bytesOf(chunk) > limits.workgroupBytes) chunk = chunk >> 1;
  const bytesEach = bytesOf(chunk);
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
  // A lane reads all of its elements at once, so that none waits for another.
  const rounds = Math.ceil(size / lanes);
  const elementOf = (i: number): string => ((i + 1) * lanes > size ? `min(lane + ${i * lanes}u, ${size - 1}u)` : `(lane + ${i * lanes}u)`);
  const assemble = `${series(
    rounds,
    (i) => `  let e${i} = ${elementOf(i)} * 3u;
  let source${i} = (bin + load_elements(e${i})) % ${dopplerBins}u * ${tables.sets.count * tables.products.rows}u + load_elements(e${i} + 1u);
  let turned${i} = load_elements(e${i} + 2u) == 1u;
  var value${i} = vec2f();`,
  )}
  for (var k = 0u; k < many; k++) {
    let mean = u32(load_members(members + 1u + 2u * k)) * ${tables.products.rows}u;
    let share = load_members(members + 2u + 2u * k);
${series(rounds, (i) => `    value${i} = fma(vec2f(share), load_means(source${i} + mean), value${i});`)}
  }
${series(rounds, (i) => `  r[base + ${elementOf(i)}] = vec2f(value${i}.x, select(value${i}.y, -value${i}.y, turned${i}));`)}`;
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
var<workgroup> weak: array<u32, ${matrices}>;
var<workgroup> told: array<atomic<u32>, ${matrices}>;
var<workgroup> filters: array<vec4f, ${matrices * pairs * chunk}>;
var<workgroup> gains: array<f32, ${matrices * chunk}>;
${checkDeclarations}
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
  let members = group * ${members.width}u;
  let many = u32(load_members(members));
${assemble}
  if (lane == 0u) {
    failed[matrix] = 0u;
    weak[matrix] = 0u;
    atomicStore(&told[matrix], 0u);
  }
  workgroupBarrier();
${
  loading === 0
    ? ""
    : `  let trace = finite_or_zero(${series(n, (i) => `r[base + ${place(i, i)}u].x`, " + ")});
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
    status: "select(failed[matrix], atomicLoad(&told[matrix]), failed[matrix] == 0u)",
    filter: (pair, vector) => `filters[(matrix * ${pairs}u + ${pair}) * ${chunk}u + ${vector}]`,
  };
}

/** The number of rows that is fastest (notes of the bench), among those whose invocations fit. */
function defaultRows(n: number, vectors: number, invocations: number): number {
  const fits = (rows: number): boolean => n % rows === 0 && (n / rows) * (n + Math.min(vectors, 32)) <= invocations;
  for (let rows = 6; rows >= 1; rows--) if (fits(rows)) return rows;
  for (let rows = 7; rows < n; rows++) if (fits(rows)) return rows;
  return n;
}
