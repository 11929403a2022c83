/**
 * Checks the windows and expressions of stencils, which may come from files and messages, and infers what their code needs: facts about
 * the nodes, the rectangles of every window, and how far the windows reach.
 */
import { layoutError, RadarError } from "../errors.ts";
import { checkFields, checkObject, type FieldsOf } from "../fields.ts";
import { elementCount, isWhole, type Layout } from "../layout.ts";
import type { Boundary, Offsets, Stencil, StencilWindow } from "../ops/stencil.ts";
import { checkExpression, type NodeFacts } from "./check.ts";
import { type Domain, maxWork, nameOfExpression } from "./nodes.ts";

/** Cells of a window that lie in the same rows: all combinations of these rows and columns, each of which is a list of intervals. */
export interface Part {
  readonly rows: readonly Offsets[];
  readonly columns: readonly Offsets[];
}

/** A window that has been checked. */
export interface Window {
  readonly name: string;
  /** The number of its image, and whether that is complex. */
  readonly of: number;
  readonly isComplex: boolean;
  /** Parts that together have every cell once. */
  readonly parts: readonly Part[];
  readonly rows: Offsets;
  readonly columns: Offsets;
  /** Whether it is one cell. */
  readonly isCell: boolean;
}

/** A stencil that has been checked, and what is known about it. */
export interface StencilFacts {
  readonly op: Stencil;
  /** The domains of `centres` and `expression`, and facts about their nodes. */
  readonly centreDomain: Domain;
  readonly centres: readonly NodeFacts[];
  readonly domain: Domain;
  readonly facts: readonly NodeFacts[];
  /** Whether each image is complex. */
  readonly images: readonly boolean[];
  readonly windows: readonly Window[];
  /** Offsets that all windows lie within. */
  readonly reach: { readonly rows: Offsets; readonly columns: Offsets };
  /** The array as images: their number, and the extents of each. With one boundary all lines are rows of one image. */
  readonly outers: number;
  readonly rows: number;
  readonly columns: number;
  /** What is beyond the rows and the columns. */
  readonly boundary: readonly [rows: Boundary, columns: Boundary];
}

const rules: readonly unknown[] = ["zero", "clamp", "wrap"];
/** Largest offset of a cell. */
export const maxOffset = 2 ** 15;

const fail = (field: string, expected: string, actual: unknown): never => {
  throw layoutError(field, expected, actual);
};

const fieldsOfWindows: FieldsOf<StencilWindow> = { of: true, rows: true, columns: true, hole: "object" };

function checkOffsets(given: unknown, field: string, [low, high]: Offsets = [-maxOffset, maxOffset]): Offsets {
  const [first, last, ...more] = Array.isArray(given) ? given : fail(field, "the first and the last offset", given);
  if (more.length > 0 || !isWhole(first, low, high) || !isWhole(last, first, high))
    fail(field, `the first and the last offset, two whole numbers in order from ${low} to ${high}`, given);
  return [first, last];
}

/** The number of offsets. */
export const lengthOf = ([first, last]: Offsets): number => last - first + 1;
const sizeOf = ({ rows, columns }: { readonly rows: Offsets; readonly columns: Offsets }): number => lengthOf(rows) * lengthOf(columns);

/** The intervals of an interval without those of another inside it. */
const beside = ([first, last]: Offsets, [a, b]: Offsets): readonly Offsets[] =>
  (
    [
      [first, a - 1],
      [b + 1, last],
    ] as const
  ).filter((interval) => lengthOf(interval) > 0);

function partsOf({ rows, columns, hole }: StencilWindow): readonly Part[] {
  if (!hole) return [{ rows: [rows], columns: [columns] }];
  const parts = [
    { rows: beside(rows, hole.rows), columns: [columns] },
    { rows: [hole.rows], columns: beside(columns, hole.columns) },
  ];
  return parts.filter((part) => part.rows.length > 0 && part.columns.length > 0);
}

function checkWindow(name: string, window: StencilWindow, images: readonly boolean[], hasRows: boolean): Window {
  const path = `windows.${name}`;
  checkFields(window, fieldsOfWindows, path, "layout", `${path}.`);
  const { of, hole } = window;
  if (!isWhole(of, 0, images.length - 1)) fail(`${path}.of`, `the number of an image, below ${images.length}`, of);
  const rows = checkOffsets(window.rows, `${path}.rows`, hasRows ? undefined : [0, 0]);
  const columns = checkOffsets(window.columns, `${path}.columns`);
  if (hole !== undefined) {
    checkFields(hole, { rows: true, columns: true }, `${path}.hole`, "layout", `${path}.hole.`);
    checkOffsets(hole.rows, `${path}.hole.rows`, rows);
    checkOffsets(hole.columns, `${path}.hole.columns`, columns);
    if (sizeOf(hole) === sizeOf({ rows, columns })) fail(`${path}.hole`, "smaller than the window", hole);
  }
  return { name, of, isComplex: images[of], parts: partsOf(window), rows, columns, isCell: !hole && sizeOf({ rows, columns }) === 1 };
}

const reachOf = (windows: readonly Window[], axis: "rows" | "columns"): Offsets => [
  Math.min(...windows.map((window) => window[axis][0])),
  Math.max(...windows.map((window) => window[axis][1])),
];

/**
 * Checks a stencil whose row's check has passed. Throws `layout` that names the field or the node, and `limit` if it takes too much work
 * for one element.
 */
export function checkStencil(op: Stencil): StencilFacts {
  const { shape, sources, uniforms, outputs, boundary, centres: images, expression } = op;
  if (
    !Array.isArray(boundary) ||
    !isWhole(boundary.length, 1, Math.min(2, shape.length)) ||
    !boundary.every((rule) => rules.includes(rule))
  )
    fail("boundary", "zero, clamp or wrap for the last axis, or for each of the last two axes", boundary);
  const shared = { shape, ...(uniforms && { uniforms }) };
  const centreDomain: Domain = { ...shared, sources };
  const centres = checkExpression(images, centreDomain, "centres");
  const isComplex = images.results.map((place, i) => {
    const { kind } = centres[place];
    if (kind !== "real" && kind !== "complex") fail(`centres.results[${i}]`, "real or complex (toReal converts integers)", kind);
    return kind === "complex";
  });
  const windows = checkObject(op.windows, "windows").map(([name, window]) => {
    if (!nameOfExpression.test(name) || Object.hasOwn({ ...sources, ...uniforms, ...outputs }, name))
      fail(`windows.${name}`, "a free name: a letter followed by letters, digits and underscores", name);
    return checkWindow(name, window as StencilWindow, isComplex, boundary.length > 1);
  });
  if (windows.length === 0) fail("windows", "at least one window (map needs none)", op.windows);
  const values = windows.map(({ name, isComplex }): [string, Layout] => [name, { dtype: isComplex ? "c64" : "f32", shape }]);
  const domain: Domain = { ...shared, sources: { ...sources, ...Object.fromEntries(values) } };
  const facts = checkExpression(expression, domain);
  for (const [place, [operator, name, ...indices]] of expression.nodes.entries())
    if ((operator === "load" || operator === "inside") && Object.hasOwn(op.windows, name as string))
      for (const [axis, index] of indices.entries())
        if (`${expression.nodes[index as number]}` !== `index,${axis}`)
          fail(`expression.nodes[${place}]`, "a window's value at the own index", expression.nodes[place]);
  const reach = { rows: reachOf(windows, "rows"), columns: reachOf(windows, "columns") };
  // What a device holds of each image, and the cells that it may add for one element.
  const work = Math.max(
    sizeOf(reach) * isComplex.length,
    windows.reduce((sum, window) => sum + sizeOf(window), 0),
  );
  if (work > maxWork)
    throw new RadarError("limit", `windows must have and span at most ${maxWork} cells in all, not ${work}`, {
      ...{ field: "windows", limit: maxWork, actual: work },
    });
  const columns = shape[shape.length - 1];
  const rows = boundary.length > 1 ? shape[shape.length - 2] : elementCount({ dtype: "f32", shape }) / columns;
  return {
    ...{ op, centreDomain, centres, domain, facts, images: isComplex, windows, reach },
    ...{ rows, columns, outers: elementCount({ dtype: "f32", shape }) / (rows * columns) },
    boundary: boundary.length > 1 ? (boundary as readonly [Boundary, Boundary]) : ["clamp", boundary[0]],
  };
}
