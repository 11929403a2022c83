/**
 * Random expressions of every operator and kind. fast-check makes trees, which it can shrink; `expressionOf` makes expressions of them.
 * In a tree, a value that is used twice is a `share` that picks one of the nodes that are there already.
 */
import type { Layout, UniformTypes } from "@dechirp/core";
import type { Expression, Kind, Node } from "@dechirp/core/expression";
import type * as FastCheck from "fast-check";

type Random<T> = FastCheck.Arbitrary<T>;

/**
 * A tree of operators. Beside those of nodes there are `share` of a kind and a number, `own` and `near` for the index at the place where
 * they are, `sum` with count, largest count and term, `term` with the number of the sum around it, from the inside, and `taps` with a source,
 * a number for the axis, `weights` and indices.
 */
export interface Tree extends ReadonlyArray<Tree | number | boolean | string> {
  readonly 0: string;
}

/** What the trees refer to: the extents of the indices, the layouts of the sources, whose kinds are those of `kinds`, and the uniforms. */
export interface Surroundings {
  readonly shape: readonly number[];
  readonly sources: Readonly<Record<string, Layout>>;
  /** Whether there is a value, as in a store. */
  readonly value?: boolean;
}

/** The sources of random expressions by kind. */
const sourcesOfKind = { real: ["line", "table"], complex: ["field"], u32: ["words"] } as const;
/** The uniforms of random expressions. */
export const uniformsOfTrees: UniformTypes = { f: "f32", n: "i32", m: "u32" };

const least = -(2 ** 31);
const most = 2 ** 31 - 1;
/** Real constants that find faults: ends of ranges, ties, zeros of both signs, subnormal numbers. */
export const extremeReals: readonly number[] = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  1.5,
  2.5,
  0.25,
  2,
  3,
  -4,
  10,
  0.1,
  1e30,
  -1e30,
  1e-30,
  2 ** -149,
  -(2 ** -130),
  2 ** 23 + 1,
  2 ** 31,
  -(2 ** 31),
  2 ** 32,
  4294967040,
];
const extremeI32: readonly number[] = [0, 1, -1, 2, 3, 5, 7, 31, 32, -13, 1000, 65537, most, least, least + 1];
const extremeU32: readonly number[] = [0, 1, 2, 3, 31, 32, 255, 65537, 2 ** 30, 2 ** 31, 2 ** 31 - 1, 2 ** 32 - 1];

/** Operators by the kind of their result: how often, their name, and the kinds of their operands. */
const operators: Readonly<Record<Kind, readonly (readonly [weight: number, name: string, ...operands: Kind[]])[]>> = {
  real: [
    [4, "add", "real", "real"],
    [3, "sub", "real", "real"],
    [4, "mul", "real", "real"],
    [2, "div", "real", "real"],
    [1, "mod", "real", "real"],
    [1, "min", "real", "real"],
    [1, "max", "real", "real"],
    [1, "atan2", "real", "real"],
    [1, "neg", "real"],
    [2, "abs", "real"],
    [2, "abs", "complex"],
    [1, "floor", "real"],
    [1, "round", "real"],
    [1, "sqrt", "real"],
    [1, "log", "real"],
    [2, "re", "complex"],
    [2, "im", "complex"],
    [2, "real-of", "i32"],
    [2, "real-of", "u32"],
    [1, "select", "bool", "real", "real"],
  ],
  complex: [
    [3, "add", "complex", "complex"],
    [2, "sub", "complex", "complex"],
    [3, "mul", "complex", "complex"],
    [1, "mul", "real", "complex"],
    [2, "mul", "complex", "real"],
    [1, "div", "complex", "real"],
    [1, "neg", "complex"],
    [2, "conj", "complex"],
    [3, "cis", "real"],
    [3, "cis", "u32"],
    [2, "complex", "real", "real"],
    [1, "select", "bool", "complex", "complex"],
  ],
  i32: [
    ...(["add", "sub", "mul", "div", "mod", "min", "max", "and", "or", "xor"] as const).map((name) => [2, name, "i32", "i32"] as const),
    [1, "neg", "i32"],
    [1, "abs", "i32"],
    [1, "not", "i32"],
    [1, "bits", "u32"],
    [3, "i32-of", "real"],
    [1, "shl", "i32", "u32"],
    [1, "shl", "i32", "i32"],
    [1, "shr", "i32", "u32"],
    [1, "shr", "i32", "i32"],
    [2, "select", "bool", "i32", "i32"],
  ],
  u32: [
    ...(["add", "sub", "mul", "div", "mod", "min", "max", "and", "or", "xor"] as const).map((name) => [2, name, "u32", "u32"] as const),
    [1, "neg", "u32"],
    [1, "not", "u32"],
    [2, "bits", "i32"],
    [3, "u32-of", "real"],
    [1, "shl", "u32", "u32"],
    [1, "shl", "u32", "i32"],
    [1, "shr", "u32", "u32"],
    [1, "shr", "u32", "i32"],
    [2, "select", "bool", "u32", "u32"],
  ],
  bool: [
    ...(["lt", "le", "eq", "ne"] as const).flatMap((name) =>
      (["real", "i32", "u32"] as const).map((kind) => [1, name, kind, kind] as const),
    ),
    [1, "eq", "bool", "bool"],
    [1, "ne", "bool", "bool"],
    [1, "and", "bool", "bool"],
    [1, "or", "bool", "bool"],
    [1, "xor", "bool", "bool"],
    [1, "not", "bool"],
    [2, "finite", "real"],
    [2, "finite", "complex"],
    [1, "select", "bool", "bool", "bool"],
  ],
};

/** Random trees of each kind. With `hasValue`, some refer to the value of a store. */
export function treesOf(fc: Omit<typeof FastCheck, "default">, hasValue: boolean): Readonly<Record<Kind, Random<Tree>>> {
  const depth = fc.createDepthIdentifier();
  const tree = (...parts: (Random<unknown> | number | boolean | string)[]): Random<Tree> =>
    fc.tuple(...parts.map((part) => (typeof part === "object" ? part : fc.constant(part)))) as unknown as Random<Tree>;
  const share = (kind: Kind): Random<Tree> => tree("share", kind, fc.nat(1000));
  const term = tree("term", fc.nat(2));
  const number = fc.oneof(
    fc.constantFrom(...extremeReals),
    fc.integer({ min: -64, max: 64 }).map((i) => i / 8),
    fc.float({ min: -4, max: 4, noNaN: true }),
  );
  const leaves: Readonly<Record<Kind, readonly Random<Tree>[]>> = {
    real: [tree("real", number), tree("uniform", "f"), share("real")],
    complex: [
      tree("complex", tree("real", number), tree("real", number)),
      share("complex"),
      ...(hasValue ? [tree("value"), tree("value")] : []),
    ],
    i32: [
      tree("i32", fc.oneof(fc.constantFrom(...extremeI32), fc.integer({ min: -9, max: 9 }))),
      tree("index", fc.nat(3)),
      term,
      tree("uniform", "n"),
      share("i32"),
    ],
    u32: [tree("u32", fc.oneof(fc.constantFrom(...extremeU32), fc.nat(40))), tree("uniform", "m"), share("u32")],
    bool: [tree("bool", fc.boolean()), share("bool")],
  };
  const near = fc.oneof(
    { arbitrary: tree("own"), weight: 3 },
    { arbitrary: tree("near", fc.integer({ min: -3, max: 3 })), weight: 2 },
    { arbitrary: tree("add", tree("own"), term), weight: 2 },
    { arbitrary: term, weight: 1 },
  );
  return fc.letrec<Record<Kind, Tree>>((tie) => {
    const place = fc.oneof({ arbitrary: near, weight: 4 }, { arbitrary: tie("i32"), weight: 1 });
    const count = fc.oneof(
      tree("i32", fc.integer({ min: -1, max: 6 })),
      tree("uniform", "n"),
      tree("min", tree("uniform", "n"), tree("i32", fc.nat(4))),
    );
    const loads = (kind: Kind): Random<Tree>[] =>
      (kind in sourcesOfKind ? sourcesOfKind[kind as keyof typeof sourcesOfKind] : []).flatMap((name) =>
        ["load", "inside"].map((operator) => tree(operator, name, place, place, place)),
      );
    const someWeights = fc
      .array(fc.oneof({ arbitrary: tree("real", number), weight: 2 }, { arbitrary: tie("real"), weight: 1 }), {
        minLength: 1,
        maxLength: 5,
      })
      .map((weights): Tree => ["weights", ...weights]);
    const taps = (kind: Kind): Random<Tree>[] =>
      (kind === "real" || kind === "complex" ? sourcesOfKind[kind] : []).map((name) =>
        tree("taps", name, fc.nat(2), someWeights, place, place, place),
      );
    const real = tree("real-of", term);
    /** Terms of sums. Most depend on the index of the sum. */
    const termsOf: Readonly<Record<Exclude<Kind, "bool">, readonly Random<Tree>[]>> = {
      real: [
        tree("mul", real, tie("real")),
        tree("div", tie("real"), tree("add", real, tree("real", 1))),
        ...loads("real"),
        ...taps("real"),
      ],
      complex: [
        tree("mul", tie("complex"), tree("cis", tree("mul", real, tie("real")))),
        tree("mul", real, tie("complex")),
        ...loads("complex"),
        ...taps("complex"),
      ],
      i32: [tree("mul", term, tie("i32")), tree("xor", tie("i32"), term)],
      u32: [tree("mul", tree("bits", term), tie("u32")), ...loads("u32")],
    };
    const sums = (kind: Kind): Random<Tree>[] => {
      if (kind === "bool") return [];
      const sum = (of: Random<Tree>): Random<Tree> => tree("sum", count, fc.integer({ min: 1, max: 5 }), of);
      const within = fc.oneof(...termsOf[kind], ...termsOf[kind], tie(kind));
      return [sum(within), sum(fc.oneof(sum(within), tree("add", sum(within), within)))];
    };
    const one = (kind: Kind): Random<Tree> =>
      fc.oneof(
        { maxDepth: 6, depthIdentifier: depth, depthSize: "max", withCrossShrink: true },
        { arbitrary: fc.oneof(...leaves[kind], ...loads(kind)), weight: 8 },
        ...operators[kind].map(([weight, name, ...operands]) => ({
          arbitrary: tree(name, ...operands.map((operand) => tie(operand))),
          weight,
        })),
        ...loads(kind).map((arbitrary) => ({ arbitrary, weight: 4 })),
        ...taps(kind).map((arbitrary) => ({ arbitrary, weight: 3 })),
        ...sums(kind).map((arbitrary) => ({ arbitrary, weight: 3 })),
      );
    return { real: one("real"), complex: one("complex"), i32: one("i32"), u32: one("u32"), bool: one("bool") };
  });
}

/** Makes the expression whose results are these trees. A truth value becomes 1 or 0, as a u32. */
export function expressionOf(roots: readonly Tree[], { shape, sources }: Surroundings): Expression & { readonly kinds: readonly Kind[] } {
  const nodes: Node[] = [];
  const kinds: Kind[] = [];
  /** The sums that each node is a part of. */
  const within: (readonly number[])[] = [];
  /** The open sums from the outside: their number and the place of their term. */
  const open: { readonly number: number; place?: number }[] = [];
  let sums = 0;

  const put = (
    kind: Kind,
    operator: string,
    operands: readonly number[],
    parts: readonly unknown[] = operands,
    own: readonly number[] = [],
  ): number => {
    within.push([...new Set([...own, ...operands.flatMap((operand) => within[operand])])]);
    kinds.push(kind);
    return nodes.push([operator, ...parts] as unknown as Node) - 1;
  };
  const index = (axis: number): number => put("i32", "index", [], [axis % shape.length]);

  const add = (tree: Tree, axis = 0): number => {
    const operator = tree[0];
    const parts = tree.slice(1);
    switch (operator) {
      case "real":
      case "i32":
      case "u32":
      case "bool":
        return put(operator, operator, [], parts);
      case "uniform": {
        const type = uniformsOfTrees[parts[0] as string];
        return put(type === "f32" ? "real" : type, operator, [], parts);
      }
      case "value":
        return put("complex", operator, []);
      case "index":
        return index(parts[0] as number);
      case "own":
        return index(axis);
      case "near":
        return put("i32", "add", [index(axis), put("i32", "i32", [], [parts[0]])]);
      case "term": {
        const sum = open[open.length - 1 - ((parts[0] as number) % Math.max(1, open.length))];
        if (!sum) return index(axis);
        sum.place ??= put("i32", "term", [], [sum.number], [sum.number]);
        return sum.place;
      }
      case "share": {
        const [kind, pick] = parts as [Kind, number];
        const fits = nodes.flatMap((_, place) =>
          kinds[place] === kind && within[place].every((sum) => open.some(({ number }) => number === sum)) ? [place] : [],
        );
        if (fits.length > 0) return fits[fits.length - 1 - (pick % fits.length)];
        if (kind === "complex") return put("complex", "complex", [put("real", "real", [], [1]), put("real", "real", [], [-2])]);
        return put(kind, kind, [], [kind === "bool" ? true : 3]);
      }
      case "load":
      case "inside": {
        const [name, ...places] = parts as [string, ...Tree[]];
        const { dtype, shape: extents } = sources[name];
        const kind = dtype === "u32" ? "u32" : dtype.startsWith("c") ? "complex" : "real";
        const operands = extents.map((_, i) => add(places[i % places.length], i));
        return put(kind, operator, operands, [name, ...operands]);
      }
      case "taps": {
        const [name, pick, [, ...weightTrees], ...places] = parts as [string, number, Tree, ...Tree[]];
        const { dtype, shape: extents } = sources[name];
        const weights = weightTrees.map((weight) => add(weight as Tree, axis));
        const indices = extents.map((_, i) => add(places[i % places.length], i));
        const operands = [...weights, ...indices];
        const kind = dtype.startsWith("c") ? "complex" : "real";
        return put(kind, operator, operands, [name, pick % extents.length, weights.length, ...operands]);
      }
      case "sum": {
        const [countTree, largest, termTree] = parts as [Tree, number, Tree];
        const count = add(countTree);
        const sum = { number: sums++ };
        open.push(sum);
        const term = add(termTree);
        open.pop();
        const place = put(kinds[term], "sum", [count, term], [sum.number, count, term, largest]);
        within[place] = within[place].filter((number) => number !== sum.number);
        return place;
      }
      default: {
        const operands = (parts as readonly Tree[]).map((part) => add(part, axis));
        return put(
          kindOfTree(
            operator,
            operands.map((operand) => kinds[operand]),
          ),
          operator,
          operands,
        );
      }
    }
  };
  const results = roots.map((root) => {
    const place = add(root);
    if (kinds[place] !== "bool") return place;
    return put("u32", "select", [place, put("u32", "u32", [], [1]), put("u32", "u32", [], [0])]);
  });
  return { nodes, results, kinds: results.map((place) => kinds[place]) };
}

/** The kind of an operator's result, by the table above. */
function kindOfTree(name: string, kinds: readonly Kind[]): Kind {
  for (const [kind, list] of Object.entries(operators))
    if (
      list.some(([, other, ...operands]) => other === name && operands.length === kinds.length && operands.every((k, i) => k === kinds[i]))
    )
      return kind as Kind;
  throw new Error(`the generator has no ${name} of ${kinds.join(", ")}`);
}
