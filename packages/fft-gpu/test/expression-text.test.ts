/** Runs the WGSL of expressions on the device and compares it with float64: integers bit by bit, real numbers within their bounds. */
import {
  createRandom,
  type Device,
  type DType,
  elementCount,
  type Kernel,
  type Layout,
  layout,
  open,
  type TypedArrayOf,
} from "@dechirp/core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { checkExpression } from "../../core/src/expression/check.ts";
import type { Domain, Expression, Node } from "../../core/src/expression/nodes.ts";
import { wgslOfHook, wgslOfMap, wgslOfPair } from "../../core/src/expression/wgsl.ts";
import { gpu } from "../src/index.ts";
import { leavesOut } from "./adapter.ts";
import { evaluate, indicesOf, randomExpression, roundEven, type Value } from "./expression-evaluator.ts";

let device: Device;
beforeAll(async () => {
  device = await open(gpu());
}, 60_000);
afterAll(() => {
  expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
  device[Symbol.dispose]();
});

type Data = Readonly<Record<string, TypedArrayOf>>;

/** Runs a kernel whose WGSL is `body` for each item. Returns the outputs. */
async function runItems(
  items: number,
  domain: Domain,
  outputs: Readonly<Record<string, Layout>>,
  body: string,
  data: Data,
  uniforms: Readonly<Record<string, number>>,
  declared?: string,
): Promise<Data> {
  const of = (access: "read" | "write", layouts: Readonly<Record<string, Layout>>) =>
    Object.fromEntries(Object.entries(layouts).map(([name, layout]) => [name, { access, layout }]));
  const op: Kernel = {
    op: "kernel",
    name: "expression",
    items,
    ...(domain.uniforms && { uniforms: domain.uniforms }),
    ports: { ...of("read", domain.sources), ...of("write", outputs) },
    wgsl: (_constants, _limits, toolkit) => toolkit.items(body, declared),
    reference() {
      throw new Error("this test is about WGSL");
    },
  };
  const plan = await device.plan(op);
  expect(plan.text).toContain("kernel/wgsl");
  const buffers = Object.fromEntries(Object.entries(op.ports).map(([name, { layout }]) => [name, device.alloc(layout)]));
  try {
    for (const name of Object.keys(domain.sources)) buffers[name].write(data[name] as never);
    plan.run(buffers, { uniforms });
    const read: Record<string, TypedArrayOf> = {};
    for (const name of Object.keys(outputs)) read[name] = (await buffers[name].read()) as TypedArrayOf;
    return read;
  } finally {
    plan[Symbol.dispose]();
    for (const buffer of Object.values(buffers)) buffer[Symbol.dispose]();
  }
}

const valuesOf = ({ dtype }: Layout, data: TypedArrayOf): readonly Value[] =>
  dtype === "c64"
    ? Array.from({ length: data.length / 2 }, (_, i) => ({ re: data[2 * i], im: data[2 * i + 1], error: 0 }))
    : Array.from(data, (re) => ({ re, im: 0, error: 0 }));

const sources = { a: layout("c64", [5, 6, 3]), f: layout("f32", [6, 4]), u: layout("u32", [11]), s: layout("i16", [5, 6, 3]) };
const domain: Domain = { shape: [5, 6, 3], sources, uniforms: { gain: "f32", shift: "i32", mask: "u32" } };
const uniforms = { gain: 0.375, shift: 3, mask: 0xdeadbeef };
const random = createRandom(7);
const data: Data = {
  a: Float32Array.from({ length: 180 }, () => 3 * random.gaussian()),
  f: Float32Array.from({ length: 24 }, (_, i) => (i === 5 ? 0 : 10 * random.gaussian())),
  u: Uint32Array.from([0, 1, 31, 32, 2 ** 31, 2 ** 32 - 1, ...Array.from({ length: 5 }, () => random.uint32())]),
  s: Int16Array.from({ length: 90 }, () => random.uint32()),
};
const values = Object.fromEntries(Object.entries(sources).map(([name, layout]) => [name, valuesOf(layout, data[name])]));

/** Compares what the device computed with the bounds. Returns how many values had none. */
function compare(dtype: DType, actual: TypedArrayOf, expected: readonly Value[], what: unknown): number {
  const found = valuesOf(layout(dtype as "f32", [expected.length]), actual);
  let unbounded = 0;
  expected.forEach(({ re, im, error }, i) => {
    if (error === Infinity) unbounded += 1;
    else if (!(Math.hypot(found[i].re - re, found[i].im - im) <= 2 * error))
      expect.fail(`element ${i}: ${found[i].re}, ${found[i].im} instead of ${re}, ${im} ± ${error}: ${JSON.stringify(what)}`);
  });
  return unbounded;
}

describe("random expressions", () => {
  const seeds = Array.from({ length: leavesOut ? 6 : 60 }, (_, seed) => seed);
  const outputs = { o0: "f32", o1: "c64", o2: "u32", o3: "u32" } as const;

  it("as maps", { timeout: 600_000 }, async () => {
    let unbounded = 0;
    let total = 0;
    for (const seed of seeds) {
      const made = randomExpression(createRandom(seed), domain, 40 + 2 * seed);
      // Four outputs and four sources are as many bindings as every device has.
      const expression = { ...made, results: [...made.results.slice(0, 3), made.results[3 + (seed % 2)]] };
      const facts = checkExpression(expression, domain);
      const layouts = Object.fromEntries(Object.entries(outputs).map(([name, dtype]) => [name, layout(dtype, domain.shape)]));
      const found = await runItems(90, domain, layouts, wgslOfMap(expression, facts, domain, outputs), data, uniforms);
      const expected = indicesOf(domain).map((at) => evaluate(expression, facts, domain, { sources: values, uniforms, at }));
      Object.entries(outputs).forEach(([name, dtype], i) => {
        unbounded += compare(
          dtype,
          found[name],
          expected.map((results) => results[i]),
          { seed, name, ...expression },
        );
        total += expected.length;
      });
    }
    expect(unbounded).toBeLessThan(total / 2);
  });

  it("as hooks and as pairs of them", { timeout: 600_000 }, async () => {
    let unbounded = 0;
    let total = 0;
    for (const seed of seeds) {
      const valued = { ...domain, value: true };
      const made = randomExpression(createRandom(1000 + seed), seed % 2 === 0 ? domain : valued, 30 + 2 * seed);
      const expression = { ...made, results: [made.results[seed % 3]] };
      const used = seed % 2 === 0 ? domain : valued;
      const facts = checkExpression(expression, used);
      const expected = indicesOf(domain).map(
        (at) => evaluate(expression, facts, used, { sources: values, uniforms, at, value: [at[0] - 2, 0.25 * at[1]] })[0],
      );
      // A u32 becomes the nearest real number.
      const rounded = expected.map((value) => ({ ...value, error: value.error + 2 ** -23 * Math.abs(value.re) }));
      const at = "array<u32, 3>(item / 18u, item / 3u % 6u, item % 3u)";
      const text = wgslOfHook(expression, facts, used);
      const one =
        seed % 2 === 0
          ? await runItems(
              90,
              domain,
              { o: layout("c64", [90]) },
              `store_o(item, hook(${at}));`,
              data,
              uniforms,
              `fn hook(at: array<u32, 3>) -> vec2f {\n${text}\n}`,
            )
          : await runItems(
              90,
              domain,
              { o: layout("c64", [90]) },
              `store_o(item, hook(${at}, vec2f(f32(item / 18u) - 2.0, 0.25 * f32(item / 3u % 6u))));`,
              data,
              uniforms,
              `fn hook(at: array<u32, 3>, value: vec2f) -> vec2f {\n${text}\n}`,
            );
      unbounded += compare("c64", one["o"], rounded, { seed, ...expression });
      total += 90;
      if (seed % 2 === 1) continue;
      const axis = [1, 1, 0, 2][seed % 4];
      const stride = [18, 3, 1][axis];
      const extent = domain.shape[axis];
      const pair = wgslOfPair(expression, facts, domain, axis);
      const both = await runItems(
        90,
        domain,
        { o: layout("c64", [90]), p: layout("c64", [90]) },
        `let pair = hook(${at});\nstore_o(item, pair.xy);\nif (item / ${stride}u % ${extent}u < ${extent - 1}u) { store_p(item + ${stride}u, pair.zw); } else { store_p(item - ${(extent - 1) * stride}u, vec2f()); }`,
        data,
        uniforms,
        `fn hook(at: array<u32, 3>) -> vec4f {\n${pair}\n}`,
      );
      compare("c64", both["o"], rounded, { seed, axis, ...expression });
      const neighbours = rounded.map((value, i) => (Math.floor(i / stride) % extent === 0 ? { re: 0, im: 0, error: 0 } : value));
      compare("c64", both["p"], neighbours, { seed, axis, ...expression });
    }
    expect(unbounded).toBeLessThan(total / 2);
  });
});

describe("pairs whose elements share samples", () => {
  // Σ_j w[j]·x[start ± j][i1] over all of x, with weights that depend on the element too
  const x = layout("c64", [12, 3]);
  const w = layout("f32", [7]);
  const used: Domain = { shape: [10, 3], sources: { x, w }, uniforms: { bend: "f32", count: "i32" } };
  const r = createRandom(5);
  const input = { x: Float32Array.from({ length: 72 }, () => r.gaussian()), w: Float32Array.from({ length: 7 }, () => r.gaussian()) };
  const known = { x: valuesOf(x, input.x), w: valuesOf(w, input.w) };

  it.each([
    ["add", "inside"],
    ["add", "load"],
    ["sub", "inside"],
    ["sub", "load"],
  ] as const)("by %s, %s", { timeout: 120_000 }, async (how, operator) => {
    for (const [bend, count] of [
      [0, 7],
      [0.3, 7],
      [-0.4, 5],
      [2.5, 6],
      [-1, 7],
      [0.3, 0],
      [0.3, -3],
    ]) {
      const nodes: readonly Node[] = [
        ["index", 0],
        ["index", 1],
        ["uniform", "bend"],
        ["real-of", 0],
        ["mul", 2, 3],
        ["real", 0.25],
        ["add", 4, 5],
        ["floor", 6],
        ["i32-of", 7],
        ["add", 0, 8],
        ["i32", 2],
        [how, 9, 10],
        ["uniform", "count"],
        ["term", 3],
        [how, 11, 13],
        [operator, "x", 14, 1],
        ["load", "w", 13],
        ["add", 16, 7],
        ["mul", 17, 15],
        // The sample of the line itself slides without a condition.
        [how, 0, 13],
        [operator, "x", 19, 1],
        ["add", 18, 20],
        ["sum", 3, 12, 21, 7],
      ];
      const expression = { nodes, results: [22] };
      const facts = checkExpression(expression, used);
      const uniforms = { bend, count };
      const expected = indicesOf(used).map((at) => evaluate(expression, facts, used, { sources: known, uniforms, at })[0]);
      expect(expected.every(({ error }) => error < 1e-3)).toBe(true);
      const found = await runItems(
        15,
        used,
        { o: layout("c64", [10, 3]) },
        `let even = item / 3u * 6u + item % 3u;\nlet pair = hook(array<u32, 2>(item / 3u * 2u, item % 3u));\nstore_o(even, pair.xy);\nstore_o(even + 3u, pair.zw);`,
        input,
        uniforms,
        `fn hook(at: array<u32, 2>) -> vec4f {\n${wgslOfPair(expression, facts, used, 0)}\n}`,
      );
      expect(compare("c64", found["o"], expected, { bend, count })).toBe(0);
    }
  });
});

describe("edge cases", () => {
  /** Computes `make` of two operands, for all pairs of the given numbers, on the device. */
  async function pairs(
    dtype: "f32" | "u32",
    numbers: readonly number[],
    make: (a: number, b: number, at: number) => readonly Node[],
    out: DType,
  ): Promise<TypedArrayOf> {
    const count = numbers.length ** 2;
    const shape = layout(dtype, [count]);
    const array = (list: readonly number[]) => (dtype === "f32" ? Float32Array.from(list) : Uint32Array.from(list));
    const each = Array.from({ length: count }, (_, i) => i);
    const source = {
      x: array(each.map((i) => numbers[Math.floor(i / numbers.length)])),
      y: array(each.map((i) => numbers[i % numbers.length])),
    };
    const one: Domain = { shape: [count], sources: { x: shape, y: shape } };
    const nodes: Node[] = [["index", 0], ["load", "x", 0], ["load", "y", 0], ...make(1, 2, 3)];
    const expression: Expression = { nodes, results: [nodes.length - 1] };
    const facts = checkExpression(expression, one);
    return (await runItems(count, one, { o: layout(out, [count]) }, wgslOfMap(expression, facts, one, { o: out }), source, {}))["o"];
  }
  const all = <T>(numbers: readonly T[]): readonly (readonly [T, T])[] => numbers.flatMap((a) => numbers.map((b) => [a, b] as const));

  const integers = [0, 1, 2, 3, 5, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef];

  it("integers, bit by bit", { timeout: 300_000 }, async () => {
    const names = ["add", "sub", "mul", "div", "mod", "min", "max", "shl", "shr", "and", "or", "xor", "neg", "not", "abs"] as const;
    for (const operator of names) {
      const unary = ["neg", "not", "abs"].includes(operator);
      for (const kind of ["i32", "u32"] as const) {
        if (kind === "u32" && operator === "abs") continue;
        const make = (a: number, b: number, at: number): readonly Node[] =>
          kind === "u32"
            ? [(unary ? [operator, a] : [operator, a, b]) as unknown as Node]
            : [["bits", a], ["bits", b], (unary ? [operator, at] : [operator, at, at + 1]) as unknown as Node, ["bits", at + 2]];
        const found = await pairs("u32", integers, make, "u32");
        const of = (x: number): bigint => (kind === "i32" ? BigInt(x | 0) : BigInt(x));
        const expected = all(integers).map(([x, y]) => {
          const [a, b] = [of(x), of(y)];
          const [low, high] = a < b ? [a, b] : [b, a];
          const shift = BigInt(y & 31);
          const modulo = b === 0n ? 0n : ((a % b) + b) % b;
          const results = {
            add: a + b,
            sub: a - b,
            mul: a * b,
            div: b === 0n ? 0n : a / b,
            mod: modulo,
            min: low,
            max: high,
          };
          const bitwise = { shl: a << shift, shr: a >> shift, and: a & b, or: a | b, xor: a ^ b, neg: -a, not: ~a, abs: a < 0n ? -a : a };
          return Number(BigInt.asUintN(32, { ...results, ...bitwise }[operator]));
        });
        expect([operator, kind, ...found]).toEqual([operator, kind, ...expected]);
      }
    }
  });

  it("constants that WGSL refuses in constant expressions", { timeout: 120_000 }, async () => {
    const i = (value: number): Node => ["i32", value];
    const u = (value: number): Node => ["u32", value];
    const r = (value: number): Node => ["real", value];
    const cases: readonly (readonly [readonly Node[], number | undefined])[] = [
      [[u(1), u(0), ["div", 0, 1]], 0],
      [[u(7), u(0), ["mod", 0, 1]], 0],
      [[u(1), u(33), ["shl", 0, 1]], 2],
      [[u(1), i(-31), ["shl", 0, 1]], 2],
      [[u(2 ** 32 - 1), u(2 ** 32 - 1), ["mul", 0, 1]], 1],
      [[u(2 ** 32 - 1), ["neg", 0]], 1],
      [[i(2 ** 31 - 1), i(1), ["add", 0, 1], ["bits", 2]], 2 ** 31],
      [[i(-(2 ** 31)), ["neg", 0], ["bits", 1]], 2 ** 31],
      [[i(-(2 ** 31)), ["abs", 0], ["bits", 1]], 2 ** 31],
      [[i(-(2 ** 31)), i(-1), ["div", 0, 1], ["bits", 2]], 2 ** 31],
      [[i(-(2 ** 31)), i(-1), ["mod", 0, 1], ["bits", 2]], 0],
      [[i(-7), i(0), ["mod", 0, 1], ["bits", 2]], 0],
      [[i(-7), i(0), ["div", 0, 1], ["bits", 2]], 0],
      [[i(-1), u(31), ["shl", 0, 1], ["bits", 2]], 2 ** 31],
      [[i(-7), i(3), ["mod", 0, 1], ["bits", 2]], 2],
      [[r(1), r(0), ["div", 0, 1], ["u32-of", 2]], undefined],
      [[r(0), ["log", 0], ["u32-of", 1]], undefined],
      [[r(-1), ["sqrt", 0], ["u32-of", 1]], undefined],
      [[r(3e38), r(3e38), ["add", 0, 1], ["u32-of", 2]], undefined],
      [[r(0), r(0), ["atan2", 0, 1], ["u32-of", 2]], 0],
      [[r(3e38), ["i32-of", 0], ["bits", 1]], 2 ** 31 - 1],
      [[r(-3e38), ["i32-of", 0], ["bits", 1]], 2 ** 31],
      [[r(3e38), ["u32-of", 0]], 2 ** 32 - 1],
      [[r(-1), ["u32-of", 0]], 0],
      [[r(1.5e-45), ["u32-of", 0]], 0],
      [[i(-5), r(1), ["sum", 0, 0, 1, 4], ["u32-of", 2]], 0],
      [[i(5), r(1), ["sum", 0, 0, 1, 4], ["u32-of", 2]], 4],
    ];
    const one: Domain = { shape: [1], sources: {} };
    const lines: string[] = [];
    cases.forEach(([nodes], i) => {
      const expression = { nodes, results: [nodes.length - 1] };
      lines.push(`if (item == ${i}u) {`, wgslOfMap(expression, checkExpression(expression, one), one, { o: "u32" }), "}");
    });
    const found = await runItems(cases.length, one, { o: layout("u32", [cases.length]) }, lines.join("\n"), {}, {});
    expect(cases.map(([nodes, expected], i) => [nodes, expected === undefined ? undefined : found["o"][i]])).toEqual(
      cases.map((one) => [...one]),
    );
  });

  it("conversions of real numbers: ties to even, saturated, NaN becomes 0; and whether they are finite", { timeout: 120_000 }, async () => {
    const numbers = [
      0,
      -0,
      0.5,
      1.5,
      2.5,
      -0.5,
      -1.5,
      -2.5,
      0.49999997,
      8388609,
      16777217,
      -16777219,
      1e9,
      2147483520,
      2147483648,
      -2147483648,
      -2147483904,
      4294967040,
      4294967296,
      1e20,
      -1e20,
      3e38,
      Infinity,
      -Infinity,
      Number.NaN,
    ].map(Math.fround);
    const first = (found: TypedArrayOf): readonly number[] => numbers.map((_, i) => found[i * numbers.length]);
    const signed = await pairs(
      "f32",
      numbers,
      (a, _b, at) => [
        ["i32-of", a],
        ["bits", at],
      ],
      "u32",
    );
    expect(first(signed)).toEqual(
      numbers.map((x) => (Number.isNaN(x) ? 0 : Math.max(-(2 ** 31), Math.min(2 ** 31 - 1, roundEven(x))) >>> 0)),
    );
    const unsigned = await pairs("f32", numbers, (a) => [["u32-of", a]], "u32");
    expect(first(unsigned)).toEqual(
      numbers.map((x) => (Number.isNaN(x) ? 0 : Math.max(0, Math.min(2 ** 32 - 1, roundEven(x))))).map((x) => x + 0),
    );
    const finite = (kind: "real" | "complex") =>
      pairs(
        "f32",
        numbers,
        (a, b, at) => [
          ["u32", 1],
          ["u32", 0],
          ...(kind === "real"
            ? ([["finite", a]] as const)
            : ([
                ["complex", a, b],
                ["finite", at + 2],
              ] as const)),
          ["select", kind === "real" ? at + 2 : at + 3, at, at + 1],
        ],
        "u32",
      );
    expect(Array.from(await finite("real"))).toEqual(all(numbers).map(([a]) => Number(Number.isFinite(a))));
    expect(Array.from(await finite("complex"))).toEqual(all(numbers).map(([a, b]) => Number(Number.isFinite(a) && Number.isFinite(b))));
  });

  it("integers become the nearest real numbers", { timeout: 60_000 }, async () => {
    const whole = [
      0, 1, 16777217, 16777219, 33554435, 0x7fffffff, 0x7fffff40, 0x80000000, 0x80000001, 0xffffff7f, 0xffffff80, 0xffffffff, 0xfeffffff,
    ];
    const unsigned = await pairs("u32", whole, (a) => [["real-of", a]], "f32");
    expect(Array.from(unsigned)).toEqual(all(whole).map(([a]) => Math.fround(a)));
    const signed = await pairs(
      "u32",
      whole,
      (a, _b, at) => [
        ["bits", a],
        ["real-of", at],
      ],
      "f32",
    );
    expect(Array.from(signed)).toEqual(all(whole).map(([a]) => Math.fround(a | 0)));
    // An i32 that is stored as u32 saturates without a detour through f32.
    const stored = await pairs("u32", whole, (a) => [["bits", a]], "u32");
    expect(Array.from(stored)).toEqual(all(whole).map(([a]) => Math.max(0, a | 0)));
  });

  it("magnitudes of complex numbers neither overflow nor underflow before they must", { timeout: 60_000 }, async () => {
    const parts = [0, 1, -1, 3, -4, 1e-37, 3e-38, 1.2e-38, 1e-20, 1e20, 2e38, -2.4e38, 0.7].map(Math.fround);
    const found = await pairs(
      "f32",
      parts,
      (a, b, at) => [
        ["complex", a, b],
        ["abs", at],
      ],
      "f32",
    );
    all(parts).forEach(([a, b], i) => {
      const exact = Math.hypot(a, b);
      expect(Math.abs(found[i] - exact), `${a}, ${b}`).toBeLessThanOrEqual(exact * 2 ** -21);
    });
  });

  it("angles, and exp(j2πx) of real numbers and of fractions of 2⁻³² cycles", { timeout: 60_000 }, async () => {
    const parts = [0, 1, -1, 3, -4, 1e-10, 0.25, -1e10].map(Math.fround);
    const angles = await pairs("f32", parts, (a, b) => [["atan2", a, b]], "f32");
    all(parts).forEach(([y, x], i) => {
      expect(Math.abs(angles[i] - Math.atan2(y, x)), `${y}, ${x}`).toBeLessThanOrEqual(2 ** -10);
    });
    expect(angles[0]).toBe(0);
    const cycles = [0, 0.125, 0.25, -0.25, 0.5, 1000.375, -77777.25, 1e30, 1e-9].map(Math.fround);
    const turned = await pairs("f32", cycles, (a) => [["cis", a]], "c64");
    const fractions = [0, 1, 2 ** 29, 2 ** 30, 2 ** 31, 3 * 2 ** 30, 2 ** 32 - 1, 123456789];
    const fraction = await pairs("u32", fractions, (a) => [["cis", a]], "c64");
    const check = (found: TypedArrayOf, list: readonly number[]): void =>
      list.forEach((x, i) => {
        const angle = 2 * Math.PI * (x - Math.round(x));
        const at = 2 * i * list.length;
        expect(Math.hypot(found[at] - Math.cos(angle), found[at + 1] - Math.sin(angle)), `${x}`).toBeLessThanOrEqual(2 ** -20);
      });
    check(turned, cycles);
    check(
      fraction,
      fractions.map((x) => x / 2 ** 32),
    );
  });

  it("stores of every kind of result as every element type", { timeout: 120_000 }, async () => {
    const one: Domain = { shape: [4], sources: {} };
    const nodes: readonly Node[] = [
      ["index", 0],
      ["i32", 100],
      ["mul", 0, 1],
      ["i32", 150],
      ["sub", 2, 3],
      ["real-of", 4],
      ["real", 0.25],
      ["mul", 5, 6],
      ["complex", 5, 7],
      ["bits", 4],
      ["i32", 0],
      ["lt", 4, 10],
    ];
    const at = [-150, -50, 50, 150];
    const clamp = (low: number, high: number) => (x: number) => Math.max(low, Math.min(high, Math.sign(x) * Math.round(Math.abs(x))));
    for (const [place, re, im] of [
      [4, (x: number) => x, () => 0],
      [7, (x: number) => x / 4, () => 0],
      [8, (x: number) => x, (x: number) => x / 4],
      [9, (x: number) => x >>> 0, () => 0],
      [11, (x: number) => Number(x < 0), () => 0],
    ] as const) {
      const expression = { nodes, results: [place] };
      const facts = checkExpression(expression, one);
      for (const [dtype, put] of [
        ["f32", Math.fround],
        ["u32", clamp(0, 2 ** 32 - 1)],
        ["i8", clamp(-128, 127)],
        ["u8", clamp(0, 255)],
        ["i16", clamp(-32768, 32767)],
        ["c64", Math.fround],
        ["ci16", clamp(-32768, 32767)],
      ] as const) {
        const found = await runItems(4, one, { o: layout(dtype, [4]) }, wgslOfMap(expression, facts, one, { o: dtype }), {}, {});
        const expected = at.flatMap((x) => (dtype.startsWith("c") ? [put(re(x)), put(im(x))] : [put(re(x))]));
        expect([place, dtype, ...found["o"]]).toEqual([place, dtype, ...expected.map((x) => x + 0)]);
      }
    }
  });
});

it("a sum's elements are those of the definition for counts from uniforms, nested", { timeout: 60_000 }, async () => {
  const one: Domain = { shape: [3], sources: { x: layout("f32", [10]) }, uniforms: { count: "i32" } };
  const nodes: readonly Node[] = [
    ["index", 0],
    ["uniform", "count"],
    ["i32", 3],
    ["term", 5],
    ["term", 2],
    ["add", 3, 4],
    ["add", 5, 0],
    ["inside", "x", 6],
    ["real-of", 4],
    ["mul", 7, 8],
    ["sum", 2, 2, 9, 3],
    ["sum", 5, 1, 10, 6],
  ];
  const expression = { nodes, results: [11] };
  const facts = checkExpression(expression, one);
  const x = Float32Array.from({ length: elementCount(one.sources["x"]) }, (_, i) => i + 1);
  for (const count of [-1, 0, 1, 6, 100]) {
    const found = await runItems(3, one, { o: layout("f32", [3]) }, wgslOfMap(expression, facts, one, { o: "f32" }), { x }, { count });
    const expected = [0, 1, 2].map((i) => {
      let sum = 0;
      for (let j = 0; j < Math.min(count, 6); j++) for (let k = 0; k < 3; k++) sum += k * (x[i + j + k] ?? 0);
      return sum;
    });
    expect(Array.from(found["o"])).toEqual(expected);
  }
});
