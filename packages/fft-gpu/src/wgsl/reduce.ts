/**
 * Generates the passes of reductions. Invocations reduce elements in registers, a workgroup combines the results of its invocations in a
 * tree, and if a result needs more than one workgroup, a second pass combines those of the workgroups.
 *
 * A device reads at full speed if much is in flight. So an invocation loads `batch` words of 16 bytes before it uses the first, neighbouring
 * invocations read neighbouring words, and there are several times as many workgroups as run at the same time.
 */
import type { AxisRun } from "@dechirp/core/reduce";
import { type ArrayUse, type Dispatch, spread } from "../dispatch.ts";

/** What can be tuned. With these values, an H100 reads 128 MiB at 0.90 to 1.03 of the rate of a copy, for every reduction along any axis. */
export const tuning = {
  /** Invocations of a workgroup. */
  invocations: 256,
  /** Words that an invocation loads before it uses the first. */
  batch: 8,
  /** Batches that an invocation adds one after the other, at most. It bounds the rounding error. */
  mostBatches: 24,
  /** Number of workgroups from which on the first pass need not be divided further. */
  enoughGroups: 512,
  /** Number of workgroups that a first pass is divided into. */
  wantedGroups: 2048,
  /** Neighbouring words that different invocations read in each row, if neighbours belong to different results. */
  across: 32,
} as const;

/** The type of what is loaded at a time: one real or complex number, or a word of several. */
export type UnitType = "f32" | "vec2f" | "vec4f";

/** What one pass computes. */
export interface ReducePass {
  /** How two units are combined. */
  readonly combine: "add" | "max" | "argmax";
  /** The axes that remain and those that are reduced, with strides in elements. */
  readonly kept: readonly AxisRun[];
  readonly reduced: readonly AxisRun[];
  readonly outputs: number;
  readonly count: number;
  /** Whether neighbours in memory are reduced to one. */
  readonly rows: boolean;
  readonly type: UnitType;
  /** Elements of a unit. They are reduced to one if `rows`, else each belongs to a result of its own. */
  readonly width: 1 | 2 | 4;
  /** Expressions for what is loaded of the unit at a place, and for what is combined. */
  readonly loads: readonly ((place: string) => string)[];
  unit(...loaded: readonly string[]): string;
  /** For argmax of other results: the expression for the index of the element at a place. Default: the index in this pass. */
  readonly index?: (place: string) => string;
  /** Whether the two numbers of complex elements are added at the end. */
  readonly folds: boolean;
  /** Code before the entry point. */
  readonly declarations?: string;
  readonly arrays: Readonly<Record<string, ArrayUse>>;
}

/** How the work of a pass is divided. */
export interface Division {
  /** Invocations that share a unit of results. They read every `lanes`-th unit. */
  readonly lanes: number;
  /** Units of results that a workgroup computes. */
  readonly across: number;
  readonly tiles: number;
  /** Parts that the elements of a result are divided into, and their length in units. */
  readonly chunks: number;
  readonly length: number;
  readonly batch: number;
  /** Additions on the longest path from an element to the pass's result. */
  readonly depth: number;
}

const upToPower = (n: number): number => 2 ** Math.ceil(Math.log2(n));
const downToPower = (n: number): number => 2 ** Math.floor(Math.log2(n));

/** Divides a pass. A last pass has one chunk. */
export function divide(pass: Pick<ReducePass, "rows" | "width" | "count" | "outputs" | "loads">, isLast: boolean): Division {
  const { rows, width, loads } = pass;
  const { invocations, mostBatches, enoughGroups, wantedGroups } = tuning;
  // Two arrays share the batch, except in very long sums, whose batches must be few.
  const batch = pass.count > 2 ** 24 ? tuning.batch : tuning.batch / loads.length;
  const units = rows ? pass.count / width : pass.count;
  const results = rows ? pass.outputs : pass.outputs / width;
  const useful = upToPower(Math.ceil(units / batch));
  const most = rows || isLast ? invocations : invocations / Math.min(tuning.across, upToPower(results));
  const least = rows ? Math.min(8, downToPower(units)) : 1;
  const lanes = Math.max(least, Math.min(useful, most));
  const across = invocations / lanes;
  const tiles = Math.ceil(results / across);
  const step = lanes * batch;
  const wanted = isLast || tiles >= enoughGroups ? 1 : Math.min(Math.ceil(wantedGroups / tiles), Math.ceil(units / step));
  const needed = isLast ? 1 : Math.ceil(units / (step * mostBatches));
  const parts = Math.max(wanted, needed);
  const length = parts === 1 ? units : Math.ceil(units / parts / step) * step;
  const chunks = Math.ceil(units / length);
  const perLane = Math.ceil(length / lanes);
  const tree = Math.log2(batch);
  const depth = Math.floor(perLane / batch) + 2 * tree + 1 + Math.log2(lanes) + (rows ? Math.log2(width) : 0);
  return { lanes, across, tiles, chunks, length, batch, depth };
}

const components: Readonly<Record<UnitType, readonly string[]>> = {
  f32: [""],
  vec2f: [".x", ".y"],
  vec4f: [".x", ".y", ".z", ".w"],
};
const indexType = (type: UnitType): string => (type === "f32" ? "u32" : type === "vec4f" ? "vec4u" : "vec2u");

/** A function for the place of an index among some axes. */
const placeFunction = (name: string, runs: readonly AxisRun[]): string => {
  let before = runs.reduce((product, { extent }) => product * extent, 1);
  const terms = runs.map(({ extent, stride }, i) => {
    before /= extent;
    const whole = before === 1 ? "i" : `i / ${before}u`;
    return `${i === 0 ? `(${whole})` : `((${whole}) % ${extent}u)`} * ${stride}u`;
  });
  return `fn ${name}(i: u32) -> u32 { return ${terms.join(" + ") || "0u"}; }`;
};

/** The sum of values in pairs. */
const paired = (values: readonly string[]): string =>
  values.length === 1 ? values[0] : `(${paired(values.slice(0, values.length / 2))} + ${paired(values.slice(values.length / 2))})`;

/** The dispatch of a pass. `out` is written, or with several chunks `value`, and for argmax `index`. */
export function reduceDispatch(pass: ReducePass, division: Division): Dispatch {
  const { combine, rows, width, type, loads, unit, index, folds, outputs, count } = pass;
  const { lanes, across, tiles, chunks, length, batch } = division;
  const { invocations } = tuning;
  const isPlaced = combine === "argmax";
  const isSum = combine === "add";
  const units = rows ? count / width : count;
  const results = rows ? outputs : outputs / width;
  const { groups, index: group } = spread(tiles * chunks);
  const places = indexType(type);

  /** Statements that load and combine `n` units, the first of which is i. */
  const combined = (n: number): string => {
    const ks = Array.from({ length: n }, (_, k) => k);
    const at = (k: number): string => (k === 0 ? "i" : `(i + ${k * lanes}u)`);
    const fetched = ks.flatMap((k) => [
      `let p${k} = base + reduced_place(${at(k)}${rows && width > 1 ? ` * ${width}u` : ""});`,
      ...loads.map((load, j) => `let x${k}_${j} = ${load(`p${k}`)};`),
      ...(index ? [`let n${k} = ${index(`p${k}`)};`] : []),
    ]);
    const used = ks.map((k) => `let v${k} = ${unit(...loads.map((_, j) => `x${k}_${j}`))};`);
    const taken = ks.map((k) => {
      if (!isPlaced) return `most = select(most, v${k}, v${k} > most);`;
      const [place, condition] = index
        ? [`n${k}`, `v${k} > most || (v${k} == most && n${k} < spot)`]
        : [type === "f32" ? at(k) : `${places}(${at(k)})`, `v${k} > most`];
      return `let c${k} = ${condition};\n      most = select(most, v${k}, c${k});\n      spot = select(spot, ${place}, c${k});`;
    });
    return [...fetched, ...used, ...(isSum ? [`most += ${paired(ks.map((k) => `v${k}`))};`] : taken)].join("\n      ");
  };
  const perLane = Math.ceil(length / lanes);
  const isWhole = length % (lanes * batch) === 0 && units % (lanes * batch) === 0;
  const rests = isWhole ? [] : Array.from({ length: Math.log2(batch) }, (_, k) => batch / 2 ** (k + 1)).filter((n) => n <= perLane);
  const loops = [
    ...(perLane >= batch
      ? [
          `for (; i + ${(batch - 1) * lanes}u < end; i += ${batch * lanes}u) {
      ${combined(batch)}
    }`,
        ]
      : []),
    ...rests.map((n) => `if (i + ${(n - 1) * lanes}u < end) {\n      ${combined(n)}\n      i += ${n * lanes}u;\n    }`),
  ];

  // Rows are folded to a number before the tree, and columns after it.
  const single: UnitType = type === "f32" || type === "vec2f" ? type : width === 4 ? "f32" : "vec2f";
  const folded: UnitType = folds ? "f32" : single;
  const shared = rows ? folded : type;
  const parts = components[type];
  const foldRow = (): string => {
    if (type === "f32" || (width === 1 && !folds)) return `let m = most;${isPlaced ? " let w = spot;" : ""}`;
    if (isSum) {
      if (type === "vec2f") return "let m = most.x + most.y;";
      return single === "vec2f" && !folds ? "let m = most.xy + most.zw;" : "let m = (most.x + most.y) + (most.z + most.w);";
    }
    const element = (i: number): string => `spot${parts[i]} * ${width}u + ${i}u`;
    return [
      `var m = most.x;${isPlaced ? ` var w = ${element(0)};` : ""}`,
      ...parts.slice(1).map((part, k) => {
        const v = `most${part}`;
        const e = element(k + 1);
        return isPlaced ? `if (${v} > m || (${v} == m && ${e} < w)) { m = ${v}; w = ${e}; }` : `m = select(m, ${v}, ${v} > m);`;
      }),
    ].join("\n  ");
  };
  const fold = rows ? foldRow() : `let m = most;${isPlaced ? " let w = spot;" : ""}`;
  const sharedPlaces = indexType(shared);
  const stride = rows ? 1 : across;
  const take = isSum
    ? "shared_values[tid] = shared_values[tid] + other;"
    : isPlaced
      ? `let place = shared_places[tid + s * ${stride}u];
      let mine = shared_values[tid];
      let own_place = shared_places[tid];
      let better = (other > mine) | ((other == mine) & (place < own_place));
      shared_values[tid] = select(mine, other, better);
      shared_places[tid] = select(own_place, place, better);`
      : "let mine = shared_values[tid];\n      shared_values[tid] = select(mine, other, other > mine);";
  const tree =
    lanes === 1
      ? "let total = m;\n  let place = w;"
      : `shared_values[tid] = m;
  shared_places[tid] = w;
  for (var s = ${lanes / 2}u; s > 0u; s = s >> 1u) {
    workgroupBarrier();
    if (lane < s) {
      let other = shared_values[tid + s * ${stride}u];
      ${take}
    }
  }
  let total = shared_values[tid];
  let place = shared_places[tid];`;
  const withPlaces = (text: string): string =>
    isPlaced
      ? text
      : text
          .split("\n")
          .filter((line) => !/shared_places|let place = w/.test(line))
          .join("\n");

  const target = chunks === 1 ? "out" : "value";
  const store = (o: string, value: string, place: string): string => {
    const at = chunks === 1 ? o : rows ? `(${o}) * ${chunks}u + chunk` : `chunk * ${outputs}u + (${o})`;
    if (!isPlaced) return `store_${target}(${at}, ${value});`;
    return chunks === 1 ? `store_out(${at}, ${place});` : `store_value(${at}, ${value}); store_index(${at}, ${place});`;
  };
  const stores = (): string => {
    if (rows) return store("own", "total", "place");
    if (width === 1) return store("own", folds ? "total.x + total.y" : "total", "place");
    return Array.from({ length: width }, (_, k) => {
      const value =
        width === 4 ? `total${parts[k]}` : folds ? `total${parts[2 * k]} + total${parts[2 * k + 1]}` : k === 0 ? "total.xy" : "total.zw";
      return store(`own * ${width}u + ${k}u`, value, `place${width === 4 ? parts[k] : ""}`);
    }).join("\n    ");
  };

  const lowest = "bitcast<f32>(dechirp_lowest)";
  const code = `${pass.declarations ?? ""}
${placeFunction("kept_place", pass.kept)}
${placeFunction("reduced_place", pass.reduced)}
${isSum ? "" : "// A variable, because constants must be finite.\nvar<private> dechirp_lowest: u32 = 0xff800000u;"}
${lanes === 1 ? "" : `var<workgroup> shared_values: array<${shared}, ${invocations}>;\n${isPlaced ? `var<workgroup> shared_places: array<${sharedPlaces}, ${invocations}>;` : ""}`}
@compute @workgroup_size(${invocations})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
  let group = ${group};
  if (group >= ${tiles * chunks}u) { return; }
  // Neighbouring workgroups read neighbouring memory.
  let tile = ${rows ? `group / ${chunks}u` : `group % ${tiles}u`};
  let chunk = ${rows ? `group % ${chunks}u` : `group / ${tiles}u`};
  let lane = ${rows ? `tid % ${lanes}u` : `tid / ${across}u`};
  let own = tile * ${across}u + ${rows ? `tid / ${lanes}u` : `tid % ${across}u`};
  // Invocations without a result compute one that is not stored, because all must reach the barriers.
  let base = kept_place(min(own, ${results - 1}u)${rows || width === 1 ? "" : ` * ${width}u`});
  let end = min((chunk + 1u) * ${length}u, ${units}u);
  var i = chunk * ${length}u + lane;
  var most = ${isSum ? `${type}()` : type === "f32" ? lowest : `${type}(${lowest})`};
  ${isPlaced ? `var spot = ${index ? "0xffffffffu" : type === "f32" ? "i" : `${places}(i)`};` : ""}
  {
    ${loops.join("\n    ")}
  }
  ${fold}
  ${withPlaces(tree)}
  if (lane == 0u && own < ${results}u) {
    ${stores()}
  }
}`;
  return { code, entry: "main", arrays: pass.arrays, groups };
}
