/** Edge cases of the operators of expressions in WGSL, on the device. */
import { type Device, type DType, elementCount, layout, type TypedArrayOf } from "@dechirp/core";
import type { Domain, Expression, Node } from "@dechirp/core/expression";
import { checkExpression } from "@dechirp/core/expression";
import { wgslOfMap } from "@dechirp/core/expression/code";
import { describe, expect, it } from "vitest";
import { withDevice } from "./adapter.ts";
import { runItems } from "./expression-device.ts";
import { roundEven } from "./expression-evaluator.ts";

let device: Device;
withDevice((opened) => {
  device = opened;
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
    return (await runItems(device, count, one, { o: layout(out, [count]) }, wgslOfMap(expression, facts, one, { o: out }), source, {}))[
      "o"
    ];
  }
  const all = <T>(numbers: readonly T[]): readonly (readonly [T, T])[] => numbers.flatMap((a) => numbers.map((b) => [a, b] as const));

  const integers = [0, 1, 2, 3, 5, 31, 32, 33, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x12345678, 0xdeadbeef];

  it("integers, bit by bit", async () => {
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

  it("constants that WGSL refuses in constant expressions", async () => {
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
    const found = await runItems(device, cases.length, one, { o: layout("u32", [cases.length]) }, lines.join("\n"), {}, {});
    expect(cases.map(([nodes, expected], i) => [nodes, expected === undefined ? undefined : found["o"][i]])).toEqual(
      cases.map((one) => [...one]),
    );
  });

  it("conversions of real numbers: ties to even, saturated, NaN becomes 0; and whether they are finite", async () => {
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

  it("integers become the nearest real numbers", async () => {
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

  it("magnitudes of complex numbers neither overflow nor underflow before they must", async () => {
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

  it("angles, and exp(j2πx) of real numbers and of fractions of 2⁻³² cycles", async () => {
    const parts = [0, 1, -1, 3, -4, 1e-10, 0.25, -1e10].map(Math.fround);
    const angles = await pairs("f32", parts, (a, b) => [["atan2", a, b]], "f32");
    all(parts).forEach(([y, x], i) => {
      expect(Math.abs(angles[i] - Math.atan2(y, x)), `${y}, ${x}`).toBeLessThanOrEqual(2 ** -10);
    });
    expect(angles[0]).toBe(0);
    const cycles = [0, 0.125, 0.25, -0.25, 0.5, 1000.375, -77777.25, 1e30, 1e-9, -4e-9].map(Math.fround);
    const turned = await pairs("f32", cycles, (a) => [["cis", a]], "c64");
    const fractions = [0, 1, 2 ** 29, 2 ** 30, 2 ** 31, 3 * 2 ** 30, 2 ** 32 - 1, 2 ** 32 - 18, 123456789];
    const fraction = await pairs("u32", fractions, (a) => [["cis", a]], "c64");
    const check = (found: TypedArrayOf, list: readonly number[]): void =>
      list.forEach((x, i) => {
        const angle = 2 * Math.PI * (x - Math.round(x));
        const at = 2 * i * list.length;
        const apart = Math.max(Math.abs(found[at] - Math.cos(angle)), Math.abs(found[at + 1] - Math.sin(angle)));
        // float32 does not hold all bits of a fraction.
        expect(apart, `${x}`).toBeLessThanOrEqual(2 ** -22 + Math.abs(angle) * 2 ** -23);
      });
    check(turned, cycles);
    check(
      fraction,
      fractions.map((x) => x / 2 ** 32),
    );
  });

  it("stores of every kind of result as every element type", async () => {
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
        const found = await runItems(device, 4, one, { o: layout(dtype, [4]) }, wgslOfMap(expression, facts, one, { o: dtype }), {}, {});
        const expected = at.flatMap((x) => (dtype.startsWith("c") ? [put(re(x)), put(im(x))] : [put(re(x))]));
        expect([place, dtype, ...found["o"]]).toEqual([place, dtype, ...expected.map((x) => x + 0)]);
      }
    }
  });
});

it("a sum's elements are those of the definition for counts from uniforms, nested", async () => {
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
    const found = await runItems(
      device,
      3,
      one,
      { o: layout("f32", [3]) },
      wgslOfMap(expression, facts, one, { o: "f32" }),
      { x },
      { count },
    );
    const expected = [0, 1, 2].map((i) => {
      let sum = 0;
      for (let j = 0; j < Math.min(count, 6); j++) for (let k = 0; k < 3; k++) sum += k * (x[i + j + k] ?? 0);
      return sum;
    });
    expect(Array.from(found["o"])).toEqual(expected);
  }
});
