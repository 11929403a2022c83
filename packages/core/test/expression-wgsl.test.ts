/** Tests the text of the WGSL that is generated from expressions. packages/fft-gpu/test/expression-text.test.ts runs such text. */
import { describe, expect, it } from "vitest";
import { checkExpression } from "../src/expression/check.ts";
import { type Domain, type Expression, maxNodes, type Node } from "../src/expression/nodes.ts";
import { wgslOfHook, wgslOfMap, wgslOfPair } from "../src/expression/wgsl.ts";
import { layout } from "../src/layout.ts";

const domain: Domain = {
  shape: [8, 16],
  sources: { x: layout("c64", [8, 16]), w: layout("f32", [16]), k: layout("u32", [8]) },
  uniforms: { gain: "f32", count: "i32" },
};
const last = (nodes: readonly Node[]): Expression => ({ nodes, results: [nodes.length - 1] });
const hook = (nodes: readonly Node[], used = domain): string => wgslOfHook(last(nodes), checkExpression(last(nodes), used), used);
const pair = (nodes: readonly Node[], axis: number, used = domain): string =>
  wgslOfPair(last(nodes), checkExpression(last(nodes), used), used, axis);
const map = (nodes: readonly Node[], used = domain, output = "c64" as const): string =>
  wgslOfMap(last(nodes), checkExpression(last(nodes), used), used, { out: output });
/** How often a text contains a part. */
const count = (text: string, part: string): number => text.split(part).length - 1;

const window: readonly Node[] = [
  ["index", 0],
  ["index", 1],
  ["load", "x", 0, 1],
  ["load", "w", 1],
  ["mul", 3, 2],
];

describe("a hook's text", () => {
  it("is what one would write by hand, one let for each node", () => {
    expect(hook(window)).toBe(
      [
        "let n0 = i32(at[0]);",
        "let n1 = i32(at[1]);",
        "let n2 = load_x((u32(n0)) * 16u + u32(n1));",
        "let n3 = load_w(u32(n1));",
        "let n4 = n3 * n2;",
        "return n4;",
      ].join("\n"),
    );
  });

  it("has every node that the result needs once, and no other", () => {
    const nodes: readonly Node[] = [...window, ["mul", 4, 4], ["sqrt", 3], ["add", 5, 4], ["sub", 7, 5]];
    const text = hook([...nodes]);
    for (const place of [0, 1, 2, 3, 4, 5, 7, 8]) expect(count(text, `let n${place} = `)).toBe(1);
    expect(text).not.toContain("n6");
  });

  it("never expands a directed acyclic graph", () => {
    const nodes: Node[] = [...window];
    while (nodes.length < maxNodes) nodes.push(["add", nodes.length - 1, nodes.length - 1]);
    const text = hook(nodes);
    expect(text.split("\n")).toHaveLength(maxNodes + 1);
    expect(text.length).toBeLessThan(40 * maxNodes);
  });

  it("returns vec2f for every kind of result", () => {
    expect(hook(window.slice(0, 4))).toMatch(/return vec2f\(n3, 0\.0\);$/);
    expect(hook([["i32", 5]])).toMatch(/return vec2f\(f32\(n0\), 0\.0\);$/);
    expect(hook([["i32", 5e7]])).toMatch(/return vec2f\(\(f32\(n0 >> 16u\) \* 65536\.0 \+ f32\(n0 & 65535i\)\), 0\.0\);$/);
    expect(
      hook([
        ["index", 0],
        ["load", "k", 0],
      ]),
    ).toMatch(/return vec2f\(nearest_f32\(n1\), 0\.0\);$/);
    expect(hook([["bool", true]])).toMatch(/return vec2f\(select\(0\.0, 1\.0, n0\), 0\.0\);$/);
    expect(hook([["value"], ["uniform", "gain"], ["mul", 1, 0]], { ...domain, value: true })).toBe(
      "let n0 = value;\nlet n1 = uniforms.gain;\nlet n2 = n1 * n0;\nreturn n2;",
    );
  });

  it("checks the bounds of an index only where they are not known", () => {
    const at = (shift: number, operator: "load" | "inside"): string =>
      hook([
        ["index", 1],
        ["i32", shift],
        ["add", 0, 1],
        [operator, "w", 2],
      ]);
    expect(at(0, "load")).toContain("let n3 = load_w(u32(n2));");
    expect(at(1, "load")).toContain("let n3 = load_w(u32(min(n2, 15i)));");
    expect(at(-1, "load")).toContain("let n3 = load_w(u32(max(n2, 0i)));");
    expect(at(0, "inside")).toContain("let n3 = load_w(u32(n2));");
    for (const shift of [1, -1]) expect(at(shift, "inside")).toContain("var n3 = 0.0;\nif (u32(n2) < 16u) { n3 = load_w(u32(n2)); }");
    const unknown: readonly Node[] = [
      ["uniform", "count"],
      ["load", "x", 0, 0],
    ];
    expect(hook(unknown)).toContain("load_x((u32(min(max(n0, 0i), 7i))) * 16u + u32(min(max(n0, 0i), 15i)))");
    expect(
      hook([
        ["uniform", "count"],
        ["inside", "x", 0, 0],
      ]),
    ).toContain("if (u32(n0) < 8u && u32(n0) < 16u) { n1 = ");
  });

  it("leaves out what ranges prove: zero divisors, signs of remainders, masks of shifts", () => {
    const integers = (operator: "div" | "mod" | "shl", value: number): string =>
      hook([
        ["index", 0],
        ["i32", value],
        [operator, 0, 1],
        ["real-of", 2],
      ]);
    expect(integers("div", 3)).toContain("let n2 = n0 / n1;");
    expect(integers("div", 0)).toContain("let n2 = select(n0 / n1, 0i, n1 == 0i);");
    expect(integers("mod", 3)).toContain("let n2 = n0 % n1;");
    expect(integers("mod", -3)).toContain("let n2 = select(n2r, n2r + n1, n2r != 0i && (n2r ^ n1) < 0i);");
    expect(integers("shl", 35)).toContain("let n2 = n0 << 3u;");
    expect(
      hook([
        ["index", 0],
        ["shl", 0, 0],
        ["real-of", 1],
      ]),
    ).toContain("let n1 = n0 << (u32(n0) & 31u);");
  });

  it("rounds no number that is whole already", () => {
    const whole = (operator: "floor" | "round" | "abs"): string =>
      hook([
        ["uniform", "gain"],
        [operator, 0],
        ["i32-of", 1],
        ["real-of", 2],
      ]);
    expect(whole("abs")).toContain("let n2r = round(n1);\nlet n2 = select(select(i32(clamp(n2r,");
    for (const operator of ["floor", "round"] as const) expect(whole(operator)).toContain("\nlet n2 = select(select(i32(clamp(n1,");
  });

  it("declares all constants by let, with literals that WGSL has", () => {
    const text = hook([
      ["i32", -(2 ** 31)],
      ["u32", 2 ** 32 - 1],
      ["real", 3],
      ["real", 1e-45],
      ["real", 3.4028234663852886e38],
      ["bool", false],
      ["real-of", 0],
      ["real-of", 1],
      ["add", 6, 7],
      ["add", 2, 8],
      ["add", 3, 9],
      ["select", 5, 4, 10],
    ]);
    for (const line of [
      "let n0 = i32(-2147483648);",
      "let n1 = 4294967295u;",
      "let n2 = 3.0;",
      "let n3 = 1.401298464324817e-45;",
      "let n4 = 3.4028234663852886e+38;",
      "let n5 = false;",
    ])
      expect(text).toContain(line);
  });
});

describe("sums", () => {
  // Σ_j gain·Σ_k w[i1 + k]·(j + k), with nodes that depend on no term, on one, and on both
  const nested: readonly Node[] = [
    ["index", 1],
    ["uniform", "count"],
    ["i32", 3],
    ["uniform", "gain"],
    ["term", 0],
    ["term", 1],
    ["add", 0, 5],
    ["inside", "w", 6],
    ["add", 4, 5],
    ["real-of", 8],
    ["mul", 7, 9],
    ["sum", 1, 2, 10, 3],
    ["mul", 3, 11],
    ["sum", 0, 1, 12, 7],
  ];

  it("are loops, nested as in the formula, with what does not depend on a term before them", () => {
    expect(hook(nested).split("\n")).toEqual([
      "let n0 = i32(at[1]);",
      "let n1 = uniforms.count;",
      "let n2 = i32(3);",
      "let n3 = uniforms.gain;",
      "var n13 = 0.0;",
      "for (var n4 = 0i; n4 < min(n1, 7i); n4++) {",
      "var n11 = 0.0;",
      "for (var n5 = 0i; n5 < 3i; n5++) {",
      "let n6 = n0 + n5;",
      "var n7 = 0.0;",
      "if (u32(n6) < 16u) { n7 = load_w(u32(n6)); }",
      "let n8 = n4 + n5;",
      "let n9 = f32(n8);",
      "let n10 = n7 * n9;",
      "n11 += n10;",
      "}",
      "let n12 = n3 * n11;",
      "n13 += n12;",
      "}",
      "return vec2f(n13, 0.0);",
    ]);
  });

  it("of terms that do not depend on their index have a loop, too", () => {
    expect(
      hook([
        ["real", 2],
        ["i32", 9],
        ["sum", 0, 1, 0, 4],
      ]),
    ).toContain("for (var n2t = 0i; n2t < 4i; n2t++) {\nn2 += n0;\n}");
  });

  it("that no result needs are left out, with their terms", () => {
    expect(hook([...nested, ["real", 1]])).toBe("let n14 = 1.0;\nreturn vec2f(n14, 0.0);");
  });

  it("of pairs have one loop for both elements", () => {
    const text = pair(nested, 1);
    expect(count(text, "for (")).toBe(2);
    expect(text).toContain("let n6a = n0a + n5;\nlet n6b = n0b + n5;");
    expect(count(text, "let n8 = ")).toBe(1);
    expect(text).toContain("n13a += n12a;\nn13b += n12b;\n}\nreturn vec4f(vec2f(n13a, 0.0), vec2f(n13b, 0.0));");
  });
});

describe("a pair's text", () => {
  it("computes what depends on the axis twice, and all other nodes once", () => {
    const text = pair([...window, ["uniform", "gain"], ["mul", 5, 4]], 0);
    expect(text.split("\n")).toEqual([
      "let n0a = i32(at[0]);",
      "let n0b = i32(at[0] + 1u);",
      "let n1 = i32(at[1]);",
      "let n2a = load_x((u32(n0a)) * 16u + u32(n1));",
      "let n2b = load_x((u32(n0b)) * 16u + u32(n1));",
      "let n3 = load_w(u32(n1));",
      "let n4a = n3 * n2a;",
      "let n4b = n3 * n2b;",
      "let n5 = uniforms.gain;",
      "let n6a = n5 * n4a;",
      "let n6b = n5 * n4b;",
      "return vec4f(n6a, n6b);",
    ]);
  });

  it("returns one value twice if it does not depend on the axis", () => {
    expect(pair(window, 2, { ...domain, shape: [8, 16, 4] })).toMatch(/return vec4f\(n4, n4\);$/);
  });
});

describe("samples that neighbours share", () => {
  // Σ_j w[j]·x[start ± j][i1]
  const filter = (how: "add" | "sub", start: readonly Node[], operator: "load" | "inside" = "inside"): readonly Node[] => {
    const at = start.length - 1;
    return [
      ...start,
      ["index", 1],
      ["term", 0],
      [how, at, at + 2],
      [operator, "x", at + 3, at + 1],
      ["load", "w", at + 2],
      ["mul", at + 5, at + 4],
      ["i32", 4],
      ["sum", 0, at + 7, at + 6, 4],
    ];
  };
  const own: readonly Node[] = [["index", 0]];
  const bent: readonly Node[] = [
    ["index", 0],
    ["real-of", 0],
    ["uniform", "gain"],
    ["mul", 1, 2],
    ["i32-of", 3],
  ];

  it("are loaded once per term where indices are those of the line and a term", () => {
    for (const [how, first, second] of [
      ["add", "b", "a"],
      ["sub", "a", "b"],
    ] as const) {
      const text = pair(filter(how, own), 0);
      expect(count(text, "for (")).toBe(1);
      expect(text).not.toContain("else");
      // Before the loop the element for term 0, in the loop the other side's.
      expect(text).toContain(`n4h = load_x((u32(n0${second})) * 16u + u32(n1));`);
      expect(text).toContain(`n4${first} = load_x((u32(n3${first})) * 16u + u32(n1)); }`);
      expect(text).toContain(`let n4${second} = n4h;`);
      expect(text).toContain(`n4h = n4${first};\nn8a += n6a;\nn8b += n6b;\n}`);
      expect(count(text, "load_x(")).toBe(2);
    }
  });

  it("are loaded once per term if computed indices turn out to be neighbours, in a loop of its own", () => {
    const text = pair(filter("add", bent), 0);
    expect(text).toContain("if (n4b == n4a + 1i) {");
    expect(count(text, "for (")).toBe(2);
    expect(count(text, "load_x(")).toBe(4);
  });

  it("are loaded for each where they are no neighbours", () => {
    const moved: readonly (readonly Node[])[] = [
      [...filter("add", own).map((node): Node => (node[0] === "inside" ? ["inside", "x", 3, 2] : node))],
      [...filter("add", own).map((node): Node => (node[0] === "add" ? ["sub", 2, 0] : node))],
      [...filter("add", own).map((node): Node => (node[0] === "add" ? ["mul", 0, 2] : node))],
    ];
    for (const nodes of moved) expect([count(pair(nodes, 0), "load_x("), count(pair(nodes, 0), "for (")]).toEqual([2, 1]);
    expect(pair(moved[1], 0)).not.toContain("n4h");
    // Along the other axis the same sample serves both.
    expect(count(pair(filter("add", own), 1), "let n5 = ")).toBe(1);
  });

  it("never more than double the text of sums in sums", () => {
    const nodes: Node[] = [
      ["index", 0],
      ["real-of", 0],
      ["i32-of", 1],
      ["i32", 2],
      ["index", 1],
    ];
    const depth = 12;
    for (let j = 0; j < depth; j++) nodes.push(["term", j]);
    let at = 2;
    for (let j = 0; j < depth; j++) at = nodes.push(["add", at, 5 + j]) - 1;
    nodes.push(["inside", "x", at, 4]);
    for (let j = depth - 1; j >= 0; j--)
      nodes.push(["inside", "x", 5 + depth + j, 4], ["add", nodes.length - 1, nodes.length], ["sum", j, 3, nodes.length + 1, 2]);
    expect(count(pair(nodes, 0), "for (")).toBe(depth + 1);
  });
});

describe("a map's text", () => {
  it("reads elements at its own index by their flat index", () => {
    const nodes: readonly Node[] = [
      ["index", 0],
      ["index", 1],
      ["load", "x", 0, 1],
      ["conj", 2],
    ];
    expect(map(nodes)).toBe("let n2 = load_x(item);\nlet n3 = vec2f(n2.x, -n2.y);\nstore_out(item, n3);");
    expect(map(window)).toBe(
      "let n1 = i32(item % 16u);\nlet n2 = load_x(item);\nlet n3 = load_w(u32(n1));\nlet n4 = n3 * n2;\nstore_out(item, n4);",
    );
    // Arrays of another shape, and indices in another order, have no common flat index.
    const turned: readonly Node[] = [
      ["index", 0],
      ["index", 1],
      ["load", "x", 1, 0],
    ];
    expect(map(turned)).toContain("let n0 = i32(item / 16u);");
    expect(map(turned)).toContain("load_x((u32(min(n1, 7i))) * 16u + u32(n0))");
    expect(map(nodes, { ...domain, shape: [8, 15] })).toContain("load_x((u32(n0)) * 16u + u32(n1))");
    expect(map(nodes, { ...domain, shape: [3, 8, 16] })).toContain("let n0 = i32(item / 128u);\nlet n1 = i32(item / 16u % 8u);");
  });

  it("stores every result as its output's type, u32 without a detour through f32", () => {
    const nodes: readonly Node[] = [
      ["index", 0],
      ["load", "k", 0],
      ["bits", 1],
      ["real-of", 2],
      ["complex", 3, 3],
    ];
    const used = { ...domain, shape: [8] };
    const expression = { nodes, results: [1, 2, 3, 4, 1, 4] };
    const outputs = { a: "u32", b: "u32", c: "u32", d: "u32", e: "i16", f: "f32" } as const;
    expect(wgslOfMap(expression, checkExpression(expression, used), used, outputs).split("\n").slice(-6)).toEqual([
      "store_a(item, n1);",
      "store_b(item, u32(max(n2, 0i)));",
      "store_c(item, round_u32(n3));",
      "store_d(item, round_u32(n4.x));",
      "store_e(item, nearest_f32(n1));",
      "store_f(item, n4.x);",
    ]);
  });
});

describe("names", () => {
  it("are generated, but for those of sources and uniforms, which stand behind a prefix", () => {
    const named: Domain = {
      shape: [8, 16],
      sources: { loop: layout("c64", [8, 16]), item: layout("f32", [16]), n1: layout("f32", [16]) },
      uniforms: { return: "f32", at: "f32", n2: "f32" },
    };
    const nodes: readonly Node[] = [
      ["index", 0],
      ["index", 1],
      ["load", "loop", 0, 1],
      ["load", "item", 1],
      ["load", "n1", 1],
      ["uniform", "return"],
      ["uniform", "at"],
      ["uniform", "n2"],
      ["mul", 3, 2],
      ["mul", 4, 8],
      ["mul", 5, 9],
      ["mul", 6, 10],
      ["mul", 7, 11],
    ];
    const known = new Set(["let", "item", "i32", "u32", "u", "load_loop", "load_item", "load_n1", "uniforms", "store_out"]);
    const words = map(nodes, named).match(/(?<!\.)\b[A-Za-z_]\w*/g) ?? [];
    expect(words.filter((word) => !known.has(word) && !/^n\d+$/.test(word))).toEqual([]);
  });
});
