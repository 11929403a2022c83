/**
 * WGSL of stencils. A workgroup computes a tile (stencil-tiles.ts). Each invocation computes the windows of its results one after the
 * other and keeps their values, then the expression for each result. Sums over columns come first, from memory, several neighbours at a
 * time; then sums over rows, from workgroup memory. Nothing is subtracted, so a sum depends on its own cells only.
 *
 * If no tile fits, each invocation computes one result and reads all cells of its windows from memory.
 */
import type { WgslKernel, WgslLimits } from "../ops/kernel.ts";
import type { Boundary, Offsets } from "../ops/stencil.ts";
import { wgslIndices } from "../wgsl.ts";
import { lengthOf, type Part, type StencilFacts, type Window } from "./stencil-check.ts";
import { boxesOf, type CellTile, cellTiles, isOwn, pitchOf, reachOf, stripOf, type Tile, tileOf } from "./stencil-tiles.ts";
import { wgslOfHook, wgslOfMap } from "./wgsl.ts";

const zeroOf = (isComplex: boolean): string => (isComplex ? "vec2f()" : "0.0");
const typeOf = (isComplex: boolean): string => (isComplex ? "vec2f" : "f32");
const memoryOf = (isComplex: boolean): string => (isComplex ? "dechirp_pairs" : "dechirp_reals");
const signed = (offset: number): string => (offset < 0 ? `- ${-offset}i` : `+ ${offset}i`);

/** The kernel. */
export function wgslOfStencil(checked: StencilFacts, limits: Pick<WgslLimits, "invocations" | "workgroupBytes">): WgslKernel {
  const tile = checked.windows.length <= mostParameters ? tileOf(checked, limits) : undefined;
  return tile ? tiled(checked, tile) : direct(checked);
}

/** WGSL allows 255 parameters. */
const mostParameters = 200;

/** The text of the index of a cell after the boundary's rule, as an i32 on the axis, and a condition if the cell may be zero. */
function ruled(index: string, extent: number, rule: Boundary, [first, last]: Offsets): readonly [text: string, condition: string] {
  const onAxis = `clamp(${index}, 0i, ${extent - 1}i)`;
  if (rule !== "wrap") return [onAxis, rule === "zero" ? `(u32(${index}) < ${extent}u)` : ""];
  if (first < -extent || last > extent) return [`((${index} % ${extent}i) + ${extent}i) % ${extent}i`, ""];
  return [
    `clamp(${index} + select(0i, ${extent}i, ${index} < 0i) - select(0i, ${extent}i, ${index} >= ${extent}i), 0i, ${extent - 1}i)`,
    "",
  ];
}

/** `dechirp_image_N(at)`, an element of an image, and `dechirp_cell_N(image, y, x)`, the cell at any row and column. */
function imageFunctions(checked: StencilFacts): string {
  const { op, boundary, rows, columns, reach } = checked;
  const { shape } = op;
  const [row, noRow] = ruled("y", rows, boundary[0], reach.rows);
  const [column, noColumn] = ruled("x", columns, boundary[1], reach.columns);
  const before = op.boundary.length > 1 ? [...wgslIndices("image", shape.slice(0, -2)), "row"] : wgslIndices("row", shape.slice(0, -1));
  // && would be a branch. Some drivers take minutes for as many of them as there are cells in a column.
  const conditions = [noRow, noColumn].filter((condition) => condition !== "").join(" & ");
  const one = (isComplex: boolean, image: number): string => {
    const centre = { nodes: op.centres.nodes, results: [op.centres.results[image]] };
    const type = typeOf(isComplex);
    const value = `dechirp_image_${image}(array<u32, ${shape.length}>(${[...before, "column"].join(", ")}))${isComplex ? "" : ".x"}`;
    return `fn dechirp_image_${image}(at: array<u32, ${shape.length}>) -> vec2f {
${wgslOfHook(centre, checked.centres, checked.centreDomain)}
}
fn dechirp_cell_${image}(image: u32, y: i32, x: i32) -> ${type} {
let row = u32(${row});
let column = u32(${column});
let value = ${value};
return ${conditions === "" ? "value" : `select(${zeroOf(isComplex)}, value, ${conditions})`};
}`;
  };
  return checked.images.map(one).join("\n");
}

/** The statements that compute and store the results of `item`. The values of the windows are in `window_NAME`. */
function pointOf({ op, windows, facts, domain }: StencilFacts): string {
  const names = new Set(windows.map(({ name }) => name));
  return wgslOfMap(op.expression, facts, domain, op.outputs).replace(/load_(\w+)\(item\)/g, (text, name: string) =>
    names.has(name) ? `window_${name}` : text,
  );
}

/** The number of a workgroup, and a grid of at least so many. WebGPU allows 65,535 in each dimension. */
function gridOf(count: number): { readonly groups: readonly [number, number, number]; readonly index: string } {
  const y = Math.ceil(count / 65_535);
  const x = Math.ceil(count / y);
  return { groups: [x, y, 1], index: `group_id.y * ${x}u + group_id.x` };
}

/** One result for each invocation, with all cells read from memory. */
function direct(checked: StencilFacts): WgslKernel {
  const { windows, rows, columns, outers } = checked;
  const threads = 64;
  const items = outers * rows * columns;
  const { groups, index } = gridOf(Math.ceil(items / threads));
  // Rows are added first, so that errors grow with rows + columns rather than with the cells.
  const sums = windows.map(({ name, of, isComplex, parts }) => {
    const loops = parts.flatMap(({ rows, columns }) =>
      rows.map(
        (tall) => `for (var dy = ${tall[0]}i; dy <= ${tall[1]}i; dy++) {
var sum = ${zeroOf(isComplex)};
${columns.map((wide) => `for (var dx = ${wide[0]}i; dx <= ${wide[1]}i; dx++) { sum += dechirp_cell_${of}(image, y + dy, x + dx); }`).join("\n")}
window_${name} += sum;
}`,
      ),
    );
    return `var window_${name} = ${zeroOf(isComplex)};\n${loops.join("\n")}`;
  });
  return {
    code: `${imageFunctions(checked)}
@compute @workgroup_size(${threads})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
let group = ${index};
if (group > ${Math.floor((items - 1) / threads)}u) { return; }
let item = group * ${threads}u + tid;
if (item > ${items - 1}u) { return; }
let line = item / ${columns}u;
let image = line / ${rows}u;
let y = i32(line % ${rows}u);
let x = i32(item % ${columns}u);
${sums.join("\n")}
${pointOf(checked)}
}`,
    dispatches: [{ entry: "main", groups }],
  };
}

/**
 * Statements that add `count` sums of `length` neighbours each to `to(k)`. Sum k is that of value(k) … value(k + length − 1). Sums share
 * the values that are in all of them; the others are added from there to both sides.
 */
function stripSums(
  count: number,
  length: number,
  isComplex: boolean,
  prefix: string,
  value: (i: string) => string,
  to: (k: number) => string,
): string {
  const lines: string[] = [];
  const known = new Set<number>();
  const at = (i: number): string => {
    if (!known.has(i)) lines.push(`let ${prefix}${i} = ${value(`${i}`)};`);
    known.add(i);
    return `${prefix}${i}`;
  };
  for (let first = 0; first < count; first += length) {
    const group = Math.min(length, count - first);
    const core = `${prefix}core${first}`;
    const [from, end] = [first + group - 1, first + length];
    if (end - from > 16) {
      lines.push(`var ${core} = ${zeroOf(isComplex)};`);
      lines.push(`for (var ${prefix}i = ${from}; ${prefix}i < ${end}; ${prefix}i++) { ${core} += ${value(`${prefix}i`)}; }`);
    } else lines.push(`let ${core} = ${Array.from({ length: end - from }, (_, i) => at(from + i)).join(" + ")};`);
    const before: string[] = [core];
    for (let k = group - 2; k >= 0; k--) {
      lines.push(`let ${prefix}a${first + k} = ${before[0]} + ${at(first + k)};`);
      before.unshift(`${prefix}a${first + k}`);
    }
    let after = "";
    for (let k = 0; k < group; k++) {
      if (k === 1) after = at(end);
      else if (k > 1) {
        lines.push(`let ${prefix}b${first + k} = ${after} + ${at(end + k - 1)};`);
        after = `${prefix}b${first + k}`;
      }
      lines.push(`${to(first + k)} += ${before[k]}${after && ` + ${after}`};`);
    }
  }
  // Statements that declare a value come before the one that uses it, as `at` is called first.
  return lines.join("\n");
}

/** A kernel of tiles. */
function tiled(checked: StencilFacts, tile: Tile): WgslKernel {
  const { windows, rows, columns, outers } = checked;
  const { threads, values, isLine } = tile;
  const [down, across] = [Math.ceil(rows / tile.rows), Math.ceil(columns / tile.columns)];
  const count = outers * down * across;
  const { groups, index } = gridOf(count);
  const each = <T>(make: (k: number) => T): readonly T[] => Array.from({ length: values }, (_, k) => make(k));
  const sections: string[] = [];
  let isFree = true;
  /** Waits until all invocations have read what the workgroup memory holds. */
  const takeMemory = (): void => {
    if (!isFree) sections.push("workgroupBarrier();");
    isFree = false;
  };
  const named = new Map<Window, (k: number) => string>();
  for (const cells of cellTiles(checked)) {
    const ofImage = windows.filter((window) => window.isCell && window.of === cells.image);
    if (!isOwn(cells)) takeMemory();
    sections.push(isOwn(cells) ? ownCells(cells) : cellsOf(cells, ofImage));
    for (const window of ofImage) named.set(window, (k) => nameOfCell(cells, window, k));
  }
  for (const [i, window] of boxesOf(checked).entries()) {
    const { isComplex } = window;
    sections.push(each((k) => `var box_${i}_${k} = ${zeroOf(isComplex)};`).join("\n"));
    for (const [j, part] of window.parts.entries()) {
      takeMemory();
      sections.push(...boxOf(window, part, `s${i}_${j}_`, (k) => `box_${i}_${k}`));
    }
    named.set(window, (k) => `box_${i}_${k}`);
  }
  const parameters = windows.map(({ name, isComplex }) => `window_${name}: ${typeOf(isComplex)}`);
  const results = each((k) => {
    const given = windows.map((window) => (named.get(window) as (k: number) => string)(k));
    const [y, x] = isLine ? ["0i", `own_x + ${k * threads}i`] : [`own_y + ${k}i`, "own_x"];
    const item = `(image * ${rows}u + u32(${y})) * ${columns}u + u32(${x})`;
    return `if ((${y} < ${rows}i) & (${x} < ${columns}i)) { dechirp_point(${[item, ...given].join(", ")}); }`;
  });
  const memory = [
    ...(tile.reals > 0 ? [`var<workgroup> dechirp_reals: array<f32, ${tile.reals}>;`] : []),
    ...(tile.complexes > 0 ? [`var<workgroup> dechirp_pairs: array<vec2f, ${tile.complexes}>;`] : []),
  ];
  return {
    code: `${memory.join("\n")}
${imageFunctions(checked)}
fn dechirp_point(${["item: u32", ...parameters].join(", ")}) {
${pointOf(checked)}
}
@compute @workgroup_size(${threads})
fn main(@builtin(local_invocation_index) tid: u32, @builtin(workgroup_id) group_id: vec3u) {
let group = ${index};
if (group >= ${count}u) { return; }
let first_x = i32(group % ${across}u) * ${tile.columns}i;
let first_y = i32(group / ${across}u % ${down}u) * ${tile.rows}i;
let image = group / ${across * down}u;
let column = ${isLine ? "tid" : `tid % ${tile.columns}u`};
let row = ${isLine ? "0u" : `tid / ${tile.columns}u * ${values}u`};
let own_x = first_x + i32(column);
let own_y = first_y + i32(row);
${sections.join("\n")}
${results.join("\n")}
}`,
    dispatches: [{ entry: "main", groups }],
  };

  function nameOfCell(cells: CellTile, { rows: [dy], columns: [dx] }: Window, k: number): string {
    return isLine && !isOwn(cells)
      ? `cell_${cells.image}_${dy - cells.rows[0]}_${dx - cells.columns[0]}_${k}`
      : `cell_${cells.image}_${k + dy - cells.rows[0]}_${dx - cells.columns[0]}`;
  }

  /** Cells that no other result of the tile reads. */
  function ownCells({ image, rows: [dy], columns: [dx] }: CellTile): string {
    return each((k) => {
      const [y, x] = isLine ? [dy, dx + k * threads] : [dy + k, dx];
      return `let cell_${image}_${k}_0 = dechirp_cell_${image}(image, own_y ${signed(y)}, own_x ${signed(x)});`;
    }).join("\n");
  }

  /** Fills the tile of an image and reads the cells of all results of the invocation. */
  function cellsOf(cells: CellTile, ofImage: readonly Window[]): string {
    const { image, isComplex } = cells;
    const pitch = tile.columns + lengthOf(cells.columns) - 1;
    const size = pitch * (tile.rows + lengthOf(cells.rows) - 1);
    const memory = memoryOf(isComplex);
    const lines = [
      `for (var t = tid; t < ${size}u; t += ${threads}u) {`,
      `${memory}[t] = dechirp_cell_${image}(image, first_y + i32(t / ${pitch}u) ${signed(cells.rows[0])}, first_x + i32(t % ${pitch}u) ${signed(cells.columns[0])});`,
      "}",
      "workgroupBarrier();",
      `let from_${image} = row * ${pitch}u + column;`,
    ];
    const known = new Set<string>();
    for (let k = 0; k < values; k++)
      for (const window of ofImage) {
        const name = nameOfCell(cells, window, k);
        if (known.has(name)) continue;
        known.add(name);
        const [dy, dx] = [window.rows[0] - cells.rows[0], window.columns[0] - cells.columns[0]];
        const offset = isLine ? dy * pitch + dx + k * threads : (dy + k) * pitch + dx;
        lines.push(`let ${name} = ${memory}[from_${image} + ${offset}u];`);
      }
    return lines.join("\n");
  }

  /** Adds the sums of a part of a window to the invocation's values. */
  function boxOf({ of, isComplex }: Window, part: Part, prefix: string, to: (k: number) => string): readonly string[] {
    const memory = memoryOf(isComplex);
    const [left] = reachOf(part);
    const wide = tile.columns + lengthOf(reachOf(part)) - 1;
    const pitch = pitchOf(part, tile.columns);
    const strip = stripOf(part, tile);
    const strips = Array.from({ length: strip }, (_, k) => k);
    const columnSums = part.rows.map((interval, i) =>
      stripSums(
        strip,
        lengthOf(interval),
        isComplex,
        `v${i}_`,
        (j) => `dechirp_cell_${of}(image, top ${signed(interval[0])} + ${j}, x)`,
        (k) => `sum${k}`,
      ),
    );
    const lines = [
      `for (var t = tid; t < ${wide * (tile.rows / strip)}u; t += ${threads}u) {`,
      `let c = t % ${wide}u;`,
      `let s = t / ${wide}u * ${strip}u;`,
      `let x = first_x + i32(c) ${signed(left)};`,
      "let top = first_y + i32(s);",
      ...strips.map((k) => `var sum${k} = ${zeroOf(isComplex)};`),
      ...columnSums,
      ...strips.map((k) => `${memory}[(s + ${k}u) * ${pitch}u + c] = sum${k};`),
      "}",
      "workgroupBarrier();",
    ];
    const cells = part.columns.reduce((sum, interval) => sum + lengthOf(interval), 0);
    const own = (k: number): string => (isLine ? `column + ${k * threads}u` : `(row + ${k}u) * ${pitch}u + column`);
    if (cells <= few) {
      for (let k = 0; k < values; k++) {
        lines.push(`let ${prefix}at${k} = ${own(k)};`);
        const terms = part.columns.flatMap(([first, last]) =>
          Array.from({ length: last - first + 1 }, (_, i) => `${memory}[${prefix}at${k} + ${first - left + i}u]`),
        );
        lines.push(`${to(k)} += ${terms.join(" + ")};`);
      }
      return lines;
    }
    // Each invocation computes neighbours of a row, which it then exchanges for its own results.
    lines.push(`let ${prefix}at = tid % ${tile.rows}u * ${pitch}u + tid / ${tile.rows}u * ${values}u;`);
    lines.push(...each((k) => `var ${prefix}sum${k} = ${zeroOf(isComplex)};`));
    for (const [i, [first, last]] of part.columns.entries())
      lines.push(
        stripSums(
          ...([values, last - first + 1, isComplex, `${prefix}${i}_`] as const),
          (j) => `${memory}[${prefix}at + ${first - left}u + ${/^\d+$/.test(j) ? `${j}u` : `u32(${j})`}]`,
          (k) => `${prefix}sum${k}`,
        ),
      );
    lines.push("workgroupBarrier();", ...each((k) => `${memory}[${prefix}at + ${k}u] = ${prefix}sum${k};`), "workgroupBarrier();");
    lines.push(...each((k) => `${to(k)} += ${memory}[${own(k)}];`));
    return lines;
  }
}

/** So many neighbours of a row are added one by one. */
const few = 9;
