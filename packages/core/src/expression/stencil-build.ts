/**
 * Stencils from functions that write expressions: `stencil({ shape, sources: { x }, boundary: ["clamp", "clamp"], outputs }, ({ x }) => ({
 * out: times(box(x, { rows: 7, columns: 7 }), 1 / 49) }))`. `near` and `box` make values that stand for windows. `stencil` takes them out of
 * the expression that it gets.
 */
import { layoutError } from "../errors.ts";
import { checkFields, type FieldsOf } from "../fields.ts";
import type { UniformTypes } from "../hooks.ts";
import { checkLayout, type DType, dtypes, isWhole, type Layout } from "../layout.ts";
import type { WithOutputType } from "../ops/row.ts";
import type { Boundary, Offsets, Stencil, StencilWindow } from "../ops/stencil.ts";
import { flatten, indexOf, makeValue, type SourceOf, type Value } from "./build.ts";
import { type MapOptions, type Names, namesOf } from "./hooks.ts";
import { type Expression, type Node, withOperands } from "./nodes.ts";
import { checkStencil, maxOffset } from "./stencil-check.ts";

type Sources = Readonly<Record<string, Layout>>;
type Image = "real" | "complex";

/** Options of `stencil`. */
export interface StencilOptions<S extends Sources, U extends UniformTypes, O extends Readonly<Record<string, DType>>>
  extends MapOptions<S, U, O> {
  /**
   * What is beyond the ends of the last axis, or of the last two axes, for which it also says that windows have rows: `zero`, `clamp` (the
   * nearest cell) or `wrap` (the index modulo the extent).
   */
  readonly boundary: readonly [columns: Boundary] | readonly [rows: Boundary, columns: Boundary];
}

/** The type of a stencil with outputs of these types. */
export type StencilWith<O extends Readonly<Record<string, DType>>> = Omit<Stencil, "outputs"> & { readonly outputs: O } & (O extends {
    readonly out: infer D extends DType;
  }
    ? WithOutputType<D>
    : unknown);

/** Cells along an axis: the first and the last offset, or a number n, which means the offsets −⌊n/2⌋ … ⌈n/2⌉ − 1. */
export type Span = number | Offsets;

/** Options of `box`. */
export interface BoxOptions {
  /** Cells along the axis before the last. Default: 1. */
  readonly rows?: Span;
  /** Cells along the last axis. Default: 1. */
  readonly columns?: Span;
  /** Cells inside the window that do not count, such as guard cells. Default: none. */
  readonly hole?: { readonly rows?: Span; readonly columns?: Span };
}

const fieldsOfBoxes: FieldsOf<BoxOptions> = { rows: true, columns: true, hole: "object" };
const fieldsOfHoles: FieldsOf<NonNullable<BoxOptions["hole"]>> = { rows: true, columns: true };

function offsetsOf(span: Span | undefined, field: string): Offsets {
  if (span === undefined) return [0, 0];
  if (isWhole(span, 1, maxOffset)) return [-Math.floor(span / 2), Math.ceil(span / 2) - 1];
  const [first, last, ...more] = Array.isArray(span) ? (span as readonly unknown[]) : [];
  if (more.length > 0 || !isWhole(first, -maxOffset, maxOffset) || !isWhole(last, first, maxOffset))
    throw layoutError(field, "a number of cells, or the first and the last offset", span);
  return [first, last];
}

/** The value of a window. Its node is taken out of the expression before anything else sees it. */
function windowOf<K extends Image>(of: SourceOf<K> | Value<K>, window: Omit<StencilWindow, "of">): Value<K> {
  const shape = typeof of === "function" ? of.layout?.shape : undefined;
  const centre = typeof of === "function" ? shape && of(shape.map((_, axis) => indexOf(axis))) : of;
  if (centre?.kind !== "real" && centre?.kind !== "complex")
    throw layoutError("the image of a window", "a source or a value, real or complex (toReal converts integers)", centre?.kind ?? of);
  return makeValue(centre.kind, "window", centre, JSON.stringify({ window, shape }));
}

/**
 * The element at a constant distance from the own index, along the last axis, or along the last two axes: `near(x, dy, dx)`. `of` is a
 * source with the shape of the stencil, or a value, which is then computed at the other index. The stencil's boundary says what is beyond
 * the ends. Throws `layout` if an offset is not a whole number.
 */
export function near<K extends Image>(
  of: SourceOf<K> | Value<K>,
  ...offsets: readonly [dx: number] | readonly [dy: number, dx: number]
): Value<K> {
  const [dx, dy = 0, ...more] = [...offsets].reverse();
  for (const offset of [dy, dx])
    if (more.length > 0 || !isWhole(offset, -maxOffset, maxOffset))
      throw layoutError("offsets of near", `one or two whole numbers from ${-maxOffset} to ${maxOffset}`, offsets);
  return windowOf(of, { rows: [dy, dy], columns: [dx, dx] });
}

/**
 * The sum of the elements in a window around the own index, without those in its hole. `of` is a source with the shape of the stencil, or
 * a value, which is computed at every index of the window: `box(times(x(at), conj(y(at))), { rows: 5, columns: 5 })`. Devices compute it
 * in about as many steps for a large window as for a small one. Throws `layout`, naming the field, if a number is wrong.
 */
export function box<K extends Image>(of: SourceOf<K> | Value<K>, options: BoxOptions): Value<K> {
  checkFields(options, fieldsOfBoxes, "options of box", "layout");
  const { rows, columns, hole } = options;
  if (hole !== undefined) checkFields(hole, fieldsOfHoles, "hole of box", "layout", "hole.");
  return windowOf(of, {
    rows: offsetsOf(rows, "rows"),
    columns: offsetsOf(columns, "columns"),
    ...(hole && { hole: { rows: offsetsOf(hole.rows, "hole.rows"), columns: offsetsOf(hole.columns, "hole.columns") } }),
  });
}

type WindowNode = readonly ["window", centre: number, window: string];
const isWindow = (node: Node | WindowNode): node is WindowNode => node[0] === "window";

/** The expression of these results: the nodes that they need, after some others, each rewritten with the new places of its operands. */
function partOf(
  nodes: readonly (Node | WindowNode)[],
  results: readonly number[],
  first: readonly Node[],
  window: (node: WindowNode, place: number) => Node,
): Expression {
  const needed = new Set(results);
  for (let place = nodes.length - 1; place >= 0; place--) {
    const node = nodes[place];
    if (!needed.has(place) || isWindow(node)) continue;
    withOperands(node, (operand) => {
      needed.add(operand);
      return operand;
    });
  }
  const out: Node[] = [...first];
  const places = new Map<number, number>();
  for (const [place, node] of nodes.entries()) {
    if (!needed.has(place)) continue;
    const known = node[0] === "index" ? first.findIndex((other) => `${other}` === `${node}`) : -1;
    places.set(place, known >= 0 ? known : out.length);
    if (known >= 0) continue;
    out.push(isWindow(node) ? window(node, place) : withOperands(node, (operand) => places.get(operand) as number));
  }
  return { nodes: out, results: results.map((place) => places.get(place) as number) };
}

const fields: FieldsOf<StencilOptions<Sources, UniformTypes, Readonly<Record<string, DType>>>> = {
  name: true,
  shape: true,
  sources: true,
  uniforms: "object",
  outputs: true,
  boundary: true,
};

/**
 * Makes an op that computes its outputs at every index vector of `shape` from windows around it. `compute` gets what that of `map` gets:
 * the index vector `at`, the sources as functions of indices, and the uniforms. It returns a value for each output, by name, made of
 * windows (`near`, `box`) and of anything else that an expression may have. Throws `layout`, naming the field, if the options or the
 * expression are wrong, and `limit` if the windows have, or span, more than 2²⁰ cells in all.
 */
export function stencil<
  const S extends Sources,
  const O extends Readonly<Record<string, DType>>,
  const U extends UniformTypes = Record<never, never>,
>(
  options: StencilOptions<S, U, O>,
  compute: (names: Names<S, U>) => { readonly [K in keyof O]: Value | number | boolean },
): StencilWith<O> {
  checkFields(options, fields, "options of stencil", "layout");
  const { name = "stencil", shape, sources, uniforms, outputs, boundary } = options;
  checkLayout({ dtype: "f32", shape }, "stencil");
  if (typeof compute !== "function") throw layoutError("expression", "a function", compute);
  const names = namesOf({ shape, sources, ...(uniforms && { uniforms }) }, outputs);
  const values = compute(names as never);
  const flat = flatten(
    Object.keys(outputs).map((output) => {
      const value = values?.[output as keyof O];
      if (value === undefined) throw layoutError(`outputs.${output}`, "a value that the expression returns by this name", value);
      return value;
    }),
  );
  const nodes: readonly (Node | WindowNode)[] = flat.nodes;
  const own = shape.map((_, axis): Node => ["index", axis]);
  const windows: Record<string, StencilWindow> = {};
  const images: number[] = [];
  const taken = new Set([...Object.keys(sources), ...Object.keys(uniforms ?? {}), ...Object.keys(outputs)]);
  const made = new Map<string, string>();
  const expression = partOf(nodes, flat.results, own, ([, centre, text]) => {
    const { window, shape: extents } = JSON.parse(text);
    if (extents !== undefined && `${extents}` !== `${shape}`)
      throw layoutError("the image of a window", `a source of shape [${shape.join(", ")}], or a value`, extents);
    if (!images.includes(centre)) images.push(centre);
    const of = images.indexOf(centre);
    const key = JSON.stringify([of, window]);
    let found = made.get(key);
    if (found === undefined) {
      let count = made.size;
      while (taken.has(`w${count}`)) count += 1;
      found = `w${count}`;
      taken.add(found);
      made.set(key, found);
      windows[found] = { of, ...window };
    }
    return ["load", found, ...own.keys()];
  });
  if (images.length === 0) throw layoutError("windows", "at least one window: near or box (map needs none)", windows);
  const centres = partOf(nodes, images, [], (node) => {
    throw layoutError("the image of a window", "a value without windows in it", node);
  });
  const op: Stencil = {
    ...{ op: "stencil", name, shape, sources, outputs, ...(uniforms && { uniforms }) },
    ...{ boundary, centres, windows, expression },
  };
  const { facts } = checkStencil(op);
  for (const [i, [output, dtype]] of Object.entries(outputs).entries())
    if (facts[expression.results[i]].kind === "complex" && dtypes[dtype]?.components === 1)
      throw layoutError(`outputs.${output}`, "a complex type, as the value is complex (re, im and abs give real ones)", dtype);
  return op as unknown as StencilWith<O>;
}
