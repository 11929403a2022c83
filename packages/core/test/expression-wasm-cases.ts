import type { Domain, Expression, Kind, Node } from "../src/expression/nodes.ts";
import type { WasmForm } from "../src/expression/wasm.ts";
import { type DType, dtypes, type Layout } from "../src/layout.ts";
import { f, type Inputs, randomArray, randomFrom } from "./expression-wasm-harness.ts";

export const types: readonly DType[] = ["f32", "c64", "i8", "i16", "u8", "u32", "ci8", "ci16"];

export interface Case {
  readonly expression: Expression;
  readonly domain: Domain;
  readonly form: WasmForm;
  readonly inputs: Inputs;
}

/** A random expression with everything around it. */
export function randomCase(seed: number): Case {
  const random = randomFrom(seed);
  const below = (n: number): number => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[below(list.length)];
  const rank = 1 + below(3);
  const shape = Array.from({ length: rank }, (_, axis) =>
    axis === rank - 1 ? 1 + below(30) + (random() < 0.4 ? 60 + below(90) : 0) : 1 + below(4),
  );
  const formKind = pick(["load", "store", "map"] as const);
  const sources: Record<string, Layout> = {};
  for (const name of ["a", "b", "c"].slice(0, 1 + below(3)))
    sources[name] = {
      dtype: pick(types),
      shape: random() < 0.5 ? shape : Array.from({ length: 1 + below(2) }, () => pick([1, 2, 3, 4, 5, 9, 24, 70, 100])),
    };
  const uniforms = { scale: "f32", offset: "i32", turns: "u32", terms: "i32" } as const;
  const domain: Domain = { shape, sources, uniforms, ...(formKind === "store" && { value: true }) };
  const nodes: Node[] = [];
  const kinds: Kind[] = [];
  type Usable = Record<Kind, number[]>;
  const push = (usable: Usable, node: Node, kind: Kind): number => {
    nodes.push(node);
    kinds.push(kind);
    usable[kind].push(nodes.length - 1);
    return nodes.length - 1;
  };
  const usable: Usable = { real: [], complex: [], i32: [], u32: [], bool: [] };
  push(usable, ["real", f((random() - 0.5) * 20)], "real");
  push(usable, ["i32", below(12) - 4], "i32");
  push(usable, ["i32", 1 + below(20)], "i32");
  const length = push(usable, ["i32", 50 + below(80)], "i32");
  push(usable, ["u32", below(2) * 4e9 + below(40)], "u32");
  push(usable, ["bool", random() < 0.5], "bool");
  const lastIndex = push(usable, ["index", rank - 1], "i32");
  push(usable, ["index", below(rank)], "i32");
  const offset = push(usable, ["uniform", "offset"], "i32");
  const terms = push(usable, ["uniform", "terms"], "i32");
  push(usable, ["uniform", "scale"], "real");
  push(usable, ["uniform", "turns"], "u32");
  push(usable, ["complex", 0, 0], "complex");
  if (formKind === "store") push(usable, ["value"], "complex");
  let sums = 0;
  const grow = (usable: Usable, count: number, depth: number): void => {
    const any = (kind: Kind): number => (random() < 0.4 ? (usable[kind].at(-1) as number) : pick(usable[kind]));
    const integer = (): Kind => pick(["i32", "u32"]);
    for (let i = 0; i < count; i++) {
      const choice = below(14);
      if (choice < 3) {
        const name = pick(Object.keys(sources));
        const { dtype, shape: extents } = sources[name];
        const indices = extents.map((_, axis) => {
          if (random() < 0.4 && axis === extents.length - 1) return lastIndex;
          if (random() < 0.4) {
            const shifted = push(usable, [pick(["add", "add", "sub"] as const), lastIndex, pick([offset, 1, 2, length])], "i32");
            if (random() < 0.4) return push(usable, ["mod", shifted, pick([length, length, 2, terms])], "i32");
            return shifted;
          }
          return any("i32");
        });
        const kind = dtypes[dtype].components === 2 ? "complex" : dtype === "u32" ? "u32" : "real";
        push(usable, [pick(["load", "inside"] as const), name, ...indices], kind);
      } else if (choice < 5) {
        const kind = pick(["real", "complex", "i32", "u32"] as const);
        push(usable, [pick(["add", "sub", "mul"] as const), any(kind), any(kind)], kind);
      } else if (choice === 5) {
        const [z, x] = [any("complex"), any("real")];
        push(usable, random() < 0.3 ? ["div", z, x] : random() < 0.5 ? ["mul", x, z] : ["mul", z, x], "complex");
      } else if (choice === 6) {
        const kind = pick(["real", "i32", "u32"] as const);
        push(usable, [pick(["div", "mod", "min", "max"] as const), any(kind), any(kind)], kind);
      } else if (choice === 7) {
        const kind = pick(["real", "i32", "u32"] as const);
        push(usable, [pick(["lt", "le", "eq", "ne"] as const), any(kind), any(kind)], "bool");
      } else if (choice === 8) {
        const kind = pick(["real", "complex", "i32", "u32", "bool"] as const);
        push(usable, ["select", any("bool"), any(kind), any(kind)], kind);
      } else if (choice === 9) {
        const kind = integer();
        if (random() < 0.5) push(usable, [pick(["shl", "shr"] as const), any(kind), any(integer())], kind);
        else push(usable, [pick(["and", "or", "xor"] as const), any(kind), any(kind)], kind);
      } else if (choice === 10) {
        const [operator, from, to] = pick([
          ["neg", "real", "real"],
          ["neg", "complex", "complex"],
          ["neg", "i32", "i32"],
          ["neg", "u32", "u32"],
          ["conj", "complex", "complex"],
          ["abs", "real", "real"],
          ["abs", "i32", "i32"],
          ["abs", "complex", "real"],
          ["not", "bool", "bool"],
          ["not", "i32", "i32"],
          ["not", "u32", "u32"],
          ["floor", "real", "real"],
          ["round", "real", "real"],
          ["sqrt", "real", "real"],
        ] as const);
        push(usable, [operator, any(from)], to);
      } else if (choice === 11) {
        const [operator, from, to] = pick([
          ["re", "complex", "real"],
          ["im", "complex", "real"],
          ["finite", "complex", "bool"],
          ["finite", "real", "bool"],
          ["real-of", "i32", "real"],
          ["real-of", "u32", "real"],
          ["i32-of", "real", "i32"],
          ["u32-of", "real", "u32"],
          ["bits", "i32", "u32"],
          ["bits", "u32", "i32"],
        ] as const);
        push(usable, [operator, any(from)], to);
      } else if (choice === 12) {
        if (random() < 0.5) push(usable, ["complex", any("real"), any("real")], "complex");
        else push(usable, [pick(["and", "or", "xor", "eq", "ne"] as const), any("bool"), any("bool")], "bool");
      } else if (depth < 2) {
        const inner: Usable = {
          real: [...usable.real],
          complex: [...usable.complex],
          i32: [...usable.i32],
          u32: [...usable.u32],
          bool: [...usable.bool],
        };
        const number = sums++;
        const term = push(inner, ["term", number], "i32");
        push(inner, ["add", term, lastIndex], "i32");
        grow(inner, 1 + below(5), depth + 1);
        const kind = pick(["real", "complex", "i32", "u32"] as const);
        push(usable, ["sum", number, random() < 0.5 ? terms : pick([1, 2]), inner[kind].at(-1) as number, 1 + below(5)], kind);
      }
    }
  };
  grow(usable, 1 + below(25), 0);
  const outputs = Array.from({ length: formKind === "map" ? 1 + below(3) : 1 }, () => pick(types));
  const results = outputs.map(() => {
    const kind = pick(["real", "complex", "complex", "i32", "u32", "bool"] as const);
    return random() < 0.7 ? (usable[kind].at(-1) as number) : pick(usable[kind]);
  });
  return {
    expression: { nodes, results },
    domain,
    form: formKind === "load" ? { kind: "load" } : formKind === "store" ? { kind: "store", dtype: outputs[0] } : { kind: "map", outputs },
    inputs: {
      arrays: Object.fromEntries(Object.entries(sources).map(([name, layout]) => [name, randomArray(layout, random)])),
      uniforms: {
        scale: f(random() * 8 - 4),
        offset: random() < 0.1 ? 2 ** 31 - 1 - below(9) : random() < 0.4 ? below(260) - 130 : below(30) - 12,
        turns: below(2 ** 32),
        terms: below(9) - 2,
      },
      ...(formKind === "store" && {
        value: randomArray({ dtype: "c64", shape }, random) as Float32Array,
      }),
    },
  };
}

/** Text that shows the bits of every number; all NaN are one. */
