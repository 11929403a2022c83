/** Maps: one or several results for every element, computed by an expression. */
import { type Expression, type Node, withOperands } from "../expression/nodes.ts";
import { checkNamed, type Load, type Store, type TunedHook, type UniformTypes } from "../hooks.ts";
import { checkLayout, type DType, dtypes, elementCount, isKeyOf, type Layout } from "../layout.ts";
import { fail, type OpLowering, type OpRow, type Ports, read } from "./row.ts";

/**
 * Computes every output at each index vector of `shape` by an expression of the sources. Ports: the sources, and the outputs, which all
 * have `shape`. `map` of `@dechirp/core/expression` makes such ops.
 *
 * An output may also be a source of the same layout. Its port then has access `update`: the source is what the array held before, which
 * the expression may read at the own index only.
 *
 * A device computes an expression in float32 if all arrays have at most that precision, else in float64. Integer outputs are rounded to
 * nearest, ties away from zero, and saturated; NaN becomes 0; u32 results keep their bits in u32 outputs.
 */
export interface MapOp {
  readonly op: "map";
  /** Name for messages and plan texts. */
  readonly name: string;
  /** Extents of the indices, and of every output. */
  readonly shape: readonly number[];
  /** Layouts of the arrays that are read, by the name of their port. They may have any shape. */
  readonly sources: Readonly<Record<string, Layout>>;
  /** Element types of the arrays that are written, by the name of their port. */
  readonly outputs: Readonly<Record<string, DType>>;
  /** Names and types of the values that every run must pass. Default: none. */
  readonly uniforms?: UniformTypes;
  /** What is computed, with a result for each output, in their order. */
  readonly expression: Expression;
  /**
   * Hand-written WGSL that is used in place of what core would make, for a map with one output: the body of a load's function
   * (`Load.wgsl`), which returns the element. Default: none.
   */
  readonly tuned?: Pick<TunedHook, "wgsl" | "recipe">;
}

/** The row of `map`. */
export const mapRow: OpRow<MapOp> = {
  fields: {
    op: true,
    name: true,
    shape: true,
    sources: "object",
    outputs: "object",
    uniforms: "object",
    expression: "object",
    tuned: "object",
  },
  check(op) {
    checkNamed(op, "");
    const { sources = fail("sources", "named layouts", undefined), outputs = {}, expression, shape } = op;
    checkLayout({ dtype: "f32", shape }, "map");
    for (const [name, source] of Object.entries(sources)) checkLayout(source, `sources.${name}`);
    for (const [name, dtype] of Object.entries(outputs)) {
      if (!isKeyOf(dtypes, dtype)) fail(`outputs.${name}`, "an element type", dtype);
    }
    const count = Object.keys(outputs).length;
    // Without outputs there are no results, which the expression's own check refuses.
    if (expression?.results?.length !== count) fail("expression.results", `a list of ${count}`, expression?.results);
  },
  ports: ({ sources, outputs, shape }): Ports =>
    Object.fromEntries([
      ...Object.entries(sources).map(([name, source]) => [name, read(source)]),
      ...Object.entries(outputs).map(([name, dtype]) => [
        name,
        { access: Object.hasOwn(sources, name) ? "update" : "write", layout: { dtype, shape } },
      ]),
    ]),
  uniforms: (op) => op.uniforms ?? {},
  text: ({ op, name, shape }) => `${op} ${name} [${shape.join(", ")}]`,
  flops: ({ expression, shape }) => expression.nodes.length * elementCount({ dtype: "f32", shape }),
  canOverwrite: ({ expression }) => readsOwn(expression, "in"),
};

/** Whether an expression reads a source at the own index only. What is not a node at all is left to the check of expressions. */
export const readsOwn = ({ nodes }: Expression, source: string): boolean =>
  !Array.isArray(nodes) ||
  nodes.every((node) => {
    const [, name, ...places] = Array.isArray(node) ? (node as readonly unknown[]) : [];
    return name !== source || places.every((place, axis) => nodes[place as number]?.[0] === "index" && nodes[place as number][1] === axis);
  });

/** Maps become kernels when they are planned (expression/forms.ts). */
export const mapLowering: OpLowering<MapOp> = () => undefined;

/**
 * A map with one output, `out`. The first nodes are the indices, so the index along axis a is at place a; `nodes` gets their number and
 * returns the nodes that follow, of which the last is the result. The maps of lowerings are made with it, without the code of build.ts.
 */
export function mapTo(
  name: string,
  sources: Readonly<Record<string, Layout>>,
  out: Layout,
  nodes: (rank: number) => readonly Node[],
): MapOp {
  const { dtype, shape } = out;
  const all: readonly Node[] = [...shape.map((_, axis) => ["index", axis] as const), ...nodes(shape.length)];
  return { op: "map", name, shape, sources, outputs: { out: dtype }, expression: { nodes: all, results: [all.length - 1] } };
}

/** The layout of the output of such a map. */
export const outputLayout = ({ outputs, shape }: MapOp): Layout => ({ dtype: outputs["out"], shape });

/**
 * A hook that is an expression as a map, whose output is `out`. A load's map computes an array of `layout`. A store's map reads the results, an
 * array of `layout`, at port `result`.
 */
export function mapOfHook(end: "load" | "store", hook: Load | Store, expression: Expression, layout: Layout): MapOp {
  const { name, uniforms, sources, tuned } = hook;
  const { dtype, shape } = layout;
  const shared = { op: "map", name: `${end}:${name}`, shape, ...(uniforms && { uniforms }) } as const;
  if (end === "load")
    return { ...shared, sources, outputs: { out: dtype }, expression, ...(tuned?.wgsl !== undefined && { tuned: { wgsl: tuned.wgsl } }) };
  const own = ownPlaces(shape.length);
  const result: Node = ["load", "result", ...own];
  const isReal = dtypes[dtype].components === 1;
  const before: readonly Node[] = [...own.map((axis): Node => ["index", axis]), ...(isReal ? ([result, ["real", 0]] as const) : [])];
  const value: Node = isReal ? ["complex", own.length, own.length + 1] : result;
  const nodes = expression.nodes.map((node) => (node[0] === "value" ? value : withOperands(node, (place) => place + before.length)));
  return {
    ...shared,
    sources: { ...sources, result: layout },
    outputs: { out: (hook as Store).dtype },
    expression: { nodes: [...before, ...nodes], results: expression.results.map((place) => place + before.length) },
  };
}

/**
 * A store that reads `out`, for a corner turn: it reads `out` with the last two axes exchanged, as the array has them. With `indices`, the
 * store is called with indices after the corner turn, too.
 */
export function turnedStore(store: Store, indices: boolean): Store {
  const { sources, expression, shape: _, ...rest } = store;
  const { out } = sources;
  if (!out || !expression) return store;
  const rank = out.shape.length;
  const exchanged = <T>(list: readonly T[]): T[] => [...list.slice(0, -2), list[list.length - 1], list[list.length - 2]];
  const axes = exchanged(ownPlaces(rank));
  const nodes = expression.nodes.map((node): Node => {
    if (indices && node[0] === "index") return ["index", axes[node[1]]];
    if ((node[0] === "load" || node[0] === "inside") && node[1] === "out") {
      const [operator, name, ...places] = node;
      return [operator, name, ...exchanged(places)];
    }
    return node;
  });
  return { ...rest, sources: { ...sources, out: { ...out, shape: exchanged(out.shape) } }, expression: { ...expression, nodes } };
}

/** The places of the indices along all axes, which load the element at the own index. */
export const ownPlaces = (rank: number): readonly number[] => Array.from({ length: rank }, (_, axis) => axis);

/** Small samples of `map`: y = scale·x·w(column) and |x|²; and sum += x/2. */
export const mapSamples = (): readonly MapOp[] => [
  {
    op: "map",
    name: "weighted and power",
    shape: [3, 7],
    sources: { x: { dtype: "c64", shape: [3, 7] }, w: { dtype: "f32", shape: [7] } },
    outputs: { y: "c64", power: "f32" },
    uniforms: { scale: "f32" },
    expression: {
      nodes: [
        ["index", 0],
        ["index", 1],
        ["load", "x", 0, 1],
        ["load", "w", 1],
        ["uniform", "scale"],
        ["mul", 3, 4],
        ["mul", 2, 5],
        ["conj", 2],
        ["mul", 2, 7],
        ["re", 8],
      ],
      results: [6, 9],
    },
  },
  {
    op: "map",
    name: "accumulate",
    shape: [3, 7],
    sources: { x: { dtype: "c64", shape: [3, 7] }, sum: { dtype: "c64", shape: [3, 7] } },
    outputs: { sum: "c64" },
    expression: {
      nodes: [
        ["index", 0],
        ["index", 1],
        ["load", "x", 0, 1],
        ["real", 0.5],
        ["mul", 2, 3],
        ["load", "sum", 0, 1],
        ["add", 5, 4],
      ],
      results: [6],
    },
  },
];
