/**
 * Tests of the WebAssembly of expressions against an evaluator that rounds every result to float32. All bits must agree but those of the
 * logarithm, the angle and `cis`, which have tests of their own. Arrays end with the memory, where reading past them traps, and bytes
 * beside the output are checked.
 */
import { expect, test } from "vitest";
import { checkExpression } from "../src/expression/check.ts";
import type { Domain, Expression, Node } from "../src/expression/nodes.ts";
import { type WasmForm, wasmOfExpression } from "../src/expression/wasm.ts";
import { type DType, dtypes, type Layout, type TypedArrayOf } from "../src/layout.ts";
import { randomCase } from "./expression-wasm-cases.ts";
import { bitsOf, f, randomArray, randomFrom, runBoth } from "./expression-wasm-harness.ts";

test("random expressions have the same bits as in the evaluator, in every form, on any run", () => {
  for (let seed = 1; seed <= 1200; seed++) {
    const { expression, domain, form, inputs } = randomCase(seed);
    const random = randomFrom(seed + 1e6);
    const items = domain.shape.reduce((a, b) => a * b, 1);
    const extent = domain.shape.at(-1) as number;
    const [row, at] = [Math.floor((random() * items) / extent), Math.floor(random() * extent)];
    const most = form.kind === "map" ? items : (row + 1) * extent;
    const [start, end] = random() < 0.5 && form.kind === "map" ? [0, items] : [row * extent + at, 0];
    const to = end || Math.min(most, start + 1 + Math.floor(random() * (random() < 0.5 ? 40 : 200)));
    const names = [...Object.keys(domain.sources), ...(form.kind === "store" ? ["value"] : [])];
    const options = { shared: seed % 5 === 0, atEnd: names[seed % names.length] };
    try {
      const { found, expected } = runBoth(expression, domain, form, inputs, start, to, options);
      for (const [i, numbers] of found.entries()) expect(bitsOf(numbers)).toBe(bitsOf(expected[i]));
    } catch (error) {
      throw new Error(`seed ${seed}: ${JSON.stringify({ expression, domain, form, start, to })}`, { cause: error });
    }
  }
});

/** What a map writes of one expression of elements of `x` and `y`, which are as long as the domain. */
function mapOf(nodes: readonly Node[], x: TypedArrayOf, outputs: readonly DType[], xType: DType = "f32", y = x, yType = xType) {
  const count = x.length / dtypes[xType].components;
  const domain: Domain = { shape: [count], sources: { x: { dtype: xType, shape: [count] }, y: { dtype: yType, shape: [count] } } };
  const all: readonly Node[] = [["index", 0], ["load", "x", 0], ["load", "y", 0], ...nodes];
  const results = outputs.map((_, i) => all.length - outputs.length + i);
  return runBoth({ nodes: all, results }, domain, { kind: "map", outputs }, { arrays: { x, y } }, 0, count);
}

const epsilon = 2 ** -24;

test("cis is within 1.5e-7 of cosine and sine of any real number of cycles, and of any fraction", () => {
  const random = randomFrom(5);
  const cycles = Float32Array.from({ length: 40_003 }, (_, i) => (random() - 0.5) * 10 ** (random() * 12 - 4) + (i % 3 ? 0 : i / 8));
  const ends = [0, -0, 0.125, 0.25, 0.375, 0.5, 0.75, -0.125, -0.5, 1, 8388609, 1e30, Number.NaN, Number.POSITIVE_INFINITY];
  cycles.set(ends);
  const fractions = Uint32Array.from(cycles, () => random() * 2 ** 32);
  fractions.set([0, 1, 0x1fffffff, 0x20000000, 0x3fffffff, 0x40000000, 0x7fffffff, 0x80000000, 0xffffffff]);
  for (const { found, expected } of [mapOf([["cis", 1]], cycles, ["c64"]), mapOf([["cis", 1]], fractions, ["c64"], "u32")]) {
    let worst = 0;
    for (const [i, x] of expected[0].entries()) {
      if (Number.isNaN(x)) expect(found[0][i]).toBeNaN();
      else worst = Math.max(worst, Math.abs(found[0][i] - x));
    }
    expect(worst).toBeLessThan(1.5e-7);
  }
});

test("log is within three units in the last place, and follows IEEE 754 at zero, below, at infinity and for subnormal numbers", () => {
  const random = randomFrom(6);
  const x = Float32Array.from({ length: 40_001 }, (_, i) =>
    i % 2 ? 1 + (random() - 0.5) * 2 ** -(random() * 22) : 2 ** (random() * 276 - 149),
  );
  x.set([0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1, 2 ** -149, 2 ** -126, 3.4e38, -1e-44]);
  const [found] = mapOf([["log", 1]], x, ["f32"]).found;
  for (const [i, number] of x.entries()) {
    const expected = Math.log(number);
    if (!Number.isFinite(expected) || expected === 0) expect(found[i]).toBe(expected);
    else expect(Math.abs(found[i] - expected), `${number}`).toBeLessThan(Math.max(6 * epsilon * Math.abs(expected), 2 ** -148));
  }
});

test("atan2 is within three units in the last place, and follows IEEE 754 but at zero", () => {
  const random = randomFrom(7);
  const specials = [0, -0, 1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e-44, -3e38, 3e38];
  const any = (): number => (random() - 0.5) * 2 ** (random() * (random() < 0.5 ? 4 : 200) - 60);
  const y = Float32Array.from({ length: 30_002 }, any);
  const x = Float32Array.from(y, (value) => (random() < 0.2 ? value * (1 + 2 ** -20 * random()) : any()));
  for (const [i, a] of specials.entries())
    for (const [j, b] of specials.entries()) {
      y[10 * i + j] = a;
      x[10 * i + j] = b;
    }
  const [found] = mapOf([["atan2", 1, 2]], y, ["f32"], "f32", x).found;
  for (const [i, number] of y.entries()) {
    const expected = number === 0 && x[i] === 0 ? 0 : Math.atan2(number, x[i]);
    if (Number.isNaN(expected) || expected === 0) expect(found[i], `${number} ${x[i]}`).toBe(expected);
    else expect(Math.abs(found[i] - expected), `${number} ${x[i]}`).toBeLessThan(Math.max(6 * epsilon * Math.abs(expected), 2 ** -148));
  }
});

test("functions of uniforms and of elements have the same bits", () => {
  const x = f(0.3718);
  const domain: Domain = { shape: [7], sources: { x: { dtype: "f32", shape: [7] } }, uniforms: { u: "f32" } };
  const values: Node[] = [
    ["index", 0],
    ["load", "x", 0],
    ["uniform", "u"],
  ];
  for (const operator of ["log", "cis", "floor", "sqrt"] as const) {
    const nodes: Node[] = [...values, [operator, 1], [operator, 2]];
    const outputs: readonly DType[] = ["c64", "c64"];
    const inputs = { arrays: { x: new Float32Array(7).fill(x) }, uniforms: { u: x } };
    const { found } = runBoth({ nodes, results: [3, 4] }, domain, { kind: "map", outputs }, inputs, 0, 7);
    expect(found[0]).toEqual(found[1]);
  }
});

test("stores round ties away from zero and saturate, at every tie and next to it", () => {
  const ties = Array.from({ length: 300 }, (_, i) => i - 150 + 0.5).concat([32767.5, -32768.5, 8388607.5, 4294967040, 4294967296, -1e30]);
  const beside = ties.flatMap((x) => [x, f(x * (1 + 2 * epsilon)), f(x * (1 - 2 * epsilon))]);
  const x = Float32Array.from([...beside, 0.49999997, -0.49999997, 2147483648, Number.NaN, Number.POSITIVE_INFINITY, -0]);
  const outputs: readonly DType[] = ["i8", "i16", "u8", "u32", "ci8", "ci16"];
  const domain: Domain = { shape: [x.length], sources: { x: { dtype: "f32", shape: [x.length] } } };
  const all: Node[] = [
    ["index", 0],
    ["load", "x", 0],
    ["neg", 1],
    ["complex", 1, 2],
  ];
  const { found, expected } = runBoth(
    { nodes: all, results: outputs.map((dtype) => (dtype.startsWith("c") ? 3 : 1)) },
    domain,
    { kind: "map", outputs },
    { arrays: { x } },
    0,
    x.length,
  );
  for (const [i, numbers] of found.entries()) expect(bitsOf(numbers)).toBe(bitsOf(expected[i]));
});

test("quotients and remainders of integers are exact for every sign, divisor and size, and 0 for the divisor 0", () => {
  const ends = [0, 1, 2, 3, 7, 64, 65, 1000, 2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1, 2 ** 32 - 1, 2 ** 32 - 2, 2 ** 32 - 64, 46341, 65536];
  const random = randomFrom(8);
  const pairs = ends.flatMap((a) => ends.map((b) => [a, b]));
  for (let i = 0; i < 3000; i++) pairs.push([random() * 2 ** (random() * 32), random() * 2 ** (random() * 32)]);
  const x = Uint32Array.from(pairs, ([a]) => a);
  const y = Uint32Array.from(pairs, ([, b]) => b);
  const unsigned: Node[] = [
    ["div", 1, 2],
    ["mod", 1, 2],
  ];
  const signed: Node[] = [
    ["bits", 1],
    ["bits", 2],
    ["div", 3, 4],
    ["mod", 3, 4],
    ["bits", 5],
    ["bits", 6],
  ];
  const constants = [1, 2, 3, 64, 65, 100, 2 ** 31 - 1, -1, -5, -(2 ** 31)].map((divisor): Node[] => [
    ["bits", 1],
    ["i32", divisor],
    ["div", 3, 4],
    ["mod", 3, 4],
    ["bits", 5],
    ["bits", 6],
  ]);
  for (const nodes of [unsigned, signed, ...constants]) {
    const { found, expected } = mapOf(nodes, x, ["u32", "u32"], "u32", y);
    for (const [i, numbers] of found.entries()) expect(bitsOf(numbers)).toBe(bitsOf(expected[i]));
  }
});

test("indices that wrap or leave an array give the same in rows of any length", () => {
  for (const extent of [63, 64, 100, 257]) {
    const x = Float32Array.from({ length: 2 * 3 * 90 }, (_, i) => i + 1);
    const layout: Layout = { dtype: "c64", shape: [3, 90] };
    const domain: Domain = { shape: [3, extent], sources: { x: layout }, uniforms: { u: "i32" } };
    for (const kind of ["load", "inside"] as const)
      for (const [offset, divisor] of [
        [-5, 100],
        [70, 64],
        [1000, 90],
        [-1000, 77],
        [2 ** 31 - 20, 128],
      ])
        for (const uniform of [0, 3, -200, 2 ** 31 - 50]) {
          const nodes: Node[] = [
            ["index", 0],
            ["index", 1],
            ["i32", offset],
            ["add", 1, 2],
            ["uniform", "u"],
            ["add", 3, 4],
            ["i32", divisor],
            ["mod", 5, 6],
            [kind, "x", 0, 7],
            [kind, "x", 0, 5],
            ["bits", 5],
            ["u32", divisor],
            ["mod", 10, 11],
            ["bits", 12],
            [kind, "x", 0, 13],
            ["add", 8, 9],
            ["add", 14, 15],
          ];
          for (const [start, end] of [
            [0, 3 * extent],
            [extent + 2, extent + 5],
          ]) {
            const inputs = { arrays: { x }, uniforms: { u: uniform } };
            const { found, expected } = runBoth({ nodes, results: [16] }, domain, { kind: "map", outputs: ["c64"] }, inputs, start, end);
            expect(bitsOf(found[0]), `${kind} ${extent} ${offset} ${divisor} ${uniform} ${start}`).toBe(bitsOf(expected[0]));
          }
        }
  }
});

test("indices that leave the last axis in sums over another axis give the same in rows of any length", () => {
  for (const extent of [63, 64, 65, 200]) {
    const x = Float32Array.from({ length: 2 * 4 * 80 }, (_, i) => i + 1);
    const domain: Domain = { shape: [2, extent], sources: { x: { dtype: "c64", shape: [4, 80] } } };
    for (const kind of ["load", "inside"] as const)
      for (const offset of [-2, 0, 5, -300, 300])
        for (const first of [0, -1, 2]) {
          // Σ x[first + j, i1 + offset] over j of 4, and of 1 + j over the sum around it.
          const nodes: Node[] = [
            ["index", 1],
            ["i32", offset],
            ["add", 0, 1],
            ["term", 0],
            ["i32", first],
            ["add", 3, 4],
            [kind, "x", 5, 2],
            ["i32", 4],
            ["sum", 0, 7, 6, 4],
            ["term", 1],
            ["term", 2],
            ["add", 9, 10],
            [kind, "x", 11, 2],
            ["i32", 2],
            ["sum", 2, 13, 12, 2],
            ["sum", 1, 7, 14, 4],
          ];
          const expression = { nodes, results: [8, 15] };
          const { found, expected } = runBoth(
            expression,
            domain,
            { kind: "map", outputs: ["c64", "c64"] },
            { arrays: { x } },
            0,
            2 * extent,
          );
          for (const [i, numbers] of found.entries())
            expect(bitsOf(numbers), `${kind} ${extent} ${offset} ${first}`).toBe(bitsOf(expected[i]));
        }
  }
});

test("element types of float64 and half precision have no form", () => {
  for (const dtype of ["f64", "c128", "cf16"] as const) {
    const domain: Domain = { shape: [4], sources: { x: { dtype, shape: [4] } } };
    const expression: Expression = {
      nodes: [
        ["index", 0],
        ["load", "x", 0],
      ],
      results: [1],
    };
    const facts = checkExpression(expression, domain);
    expect(wasmOfExpression(expression, facts, domain, { kind: "load" })).toBeUndefined();
    const none: Domain = { shape: [4], sources: {} };
    const constant: Expression = { nodes: [["real", 1]], results: [0] };
    expect(wasmOfExpression(constant, checkExpression(constant, none), none, { kind: "map", outputs: [dtype] })).toBeUndefined();
  }
});

test("an expression of 4096 nodes is a valid module", () => {
  const nodes: Node[] = [
    ["index", 0],
    ["load", "x", 0],
    ["log", 1],
  ];
  while (nodes.length < 4096) {
    const p = nodes.length;
    nodes.push(["add", p - 1, 1], ["atan2", p, p - 1], ["complex", p, p + 1], ["mul", p + 2, p + 2], ["abs", p + 3]);
  }
  nodes.length = 4096;
  while (nodes.at(-1)?.[0] !== "abs") nodes.pop();
  const domain: Domain = { shape: [9], sources: { x: { dtype: "f32", shape: [9] } } };
  const expression: Expression = { nodes, results: [nodes.length - 1] };
  const bytes = wasmOfExpression(expression, checkExpression(expression, domain), domain, { kind: "load" });
  for (const shared of [false, true])
    expect(WebAssembly.validate((bytes as (shared: boolean) => Uint8Array<ArrayBuffer>)(shared))).toBe(true);
});

test("short rows of which only elements at the same index are read", () => {
  const random = randomFrom(9);
  for (const shape of [
    [5, 3, 7],
    [11, 1],
    [1, 1, 2],
    [40, 3],
  ]) {
    const items = shape.reduce((a, b) => a * b, 1);
    const layouts: Readonly<Record<string, Layout>> = {
      x: { dtype: "c64", shape },
      y: { dtype: "ci16", shape },
      g: { dtype: "f32", shape: [2] },
    };
    const index = shape.map((_, axis): Node => ["index", axis]);
    const at = shape.map((_, axis) => axis);
    const n = shape.length;
    const nodes: Node[] = [...index, ["load", "x", ...at], ["inside", "y", ...at], ["i32", 1], ["load", "g", n + 2], ["mul", n, n + 1]];
    nodes.push(["mul", n + 4, n + 3]);
    const inputs = { arrays: Object.fromEntries(Object.entries(layouts).map(([name, layout]) => [name, randomArray(layout, random)])) };
    const domain: Domain = { shape, sources: layouts };
    // The last one also has an index that is not for a load of the same element.
    for (const more of [
      [],
      [
        ["index", n - 1],
        ["real-of", n + 6],
        ["mul", n + 5, n + 7],
      ],
    ] as readonly (readonly Node[])[])
      for (const [start, end] of [
        [0, items],
        [1, items - 1],
        [0, 1],
      ]) {
        const expression = { nodes: [...nodes, ...more], results: [n + 5 + more.length] };
        const form: WasmForm = { kind: "map", outputs: ["c64"] };
        const { found, expected } = runBoth(expression, domain, form, inputs, start, Math.max(start, end), { atEnd: "y" });
        expect(bitsOf(found[0])).toBe(bitsOf(expected[0]));
      }
  }
});
