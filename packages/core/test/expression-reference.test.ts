/** Tests the float64 reference of expressions: every operator against values computed by hand, sums, loads, sharing. */
import { describe, expect, test } from "vitest";
import type { Node } from "../src/expression/nodes.ts";
import { layout } from "../src/layout.ts";
import { ArrayView } from "../src/view.ts";
import { compute } from "./expression-compute.ts";

const least = -(2 ** 31);
const most = 2 ** 31 - 1;
const all = 2 ** 32 - 1;

/**
 * The result of an operator. Operands are uniforms, because constants must be finite: a number is real, a pair is complex, and a text
 * such as "5i", "5u" or "true" an integer or a truth value.
 */
type Operand = number | readonly [number, number] | string;
function apply(operator: string, ...operands: readonly Operand[]): readonly [number, number] {
  const nodes: Node[] = [];
  const uniforms: Record<string, number> = {};
  const types: Record<string, "f32" | "i32" | "u32"> = {};
  const real = (value: number): number => {
    const name = `x${nodes.length}`;
    uniforms[name] = value;
    types[name] = "f32";
    return nodes.push(["uniform", name]) - 1;
  };
  const places = operands.map((operand) => {
    if (typeof operand === "number") return real(operand);
    if (typeof operand !== "string") return nodes.push(["complex", real(operand[0]), real(operand[1])]) - 1;
    if (operand === "true" || operand === "false") return nodes.push(["bool", operand === "true"]) - 1;
    return nodes.push([operand.endsWith("i") ? "i32" : "u32", Number(operand.slice(0, -1))]) - 1;
  });
  nodes.push([operator, ...places] as unknown as Node);
  return compute(nodes, { uniforms }, { uniforms: types });
}

describe("every operator", () => {
  const { NaN: nan, POSITIVE_INFINITY: infinity } = Number;
  test.each<readonly [string, readonly Operand[], number | readonly [number, number]]>([
    ["neg", [2.5], -2.5],
    ["neg", [0], -0],
    ["neg", ["5i"], -5],
    ["neg", [`${least}i`], least],
    ["neg", ["1u"], all],
    ["neg", ["0u"], 0],
    ["neg", [[1, -2]], [-1, 2]],
    ["abs", [-2.5], 2.5],
    ["abs", [-0], 0],
    ["abs", ["-7i"], 7],
    ["abs", [`${least}i`], least],
    ["abs", [[3, -4]], 5],
    ["abs", [[3 * 2 ** 600, -4 * 2 ** 600]], 5 * 2 ** 600],
    ["floor", [-0.5], -1],
    ["floor", [-0], -0],
    ["floor", [2.999], 2],
    ["round", [0.5], 0],
    ["round", [-0.5], -0],
    ["round", [-0], -0],
    ["round", [1.5], 2],
    ["round", [2.5], 2],
    ["round", [-2.5], -2],
    ["round", [-3.5], -4],
    ["round", [0.49999999999999994], 0],
    ["round", [2 ** 52 + 1], 2 ** 52 + 1],
    ["round", [-infinity], -infinity],
    ["round", [nan], nan],
    ["sqrt", [2.25], 1.5],
    ["sqrt", [-0], -0],
    ["sqrt", [-1], nan],
    ["log", [1], 0],
    ["log", [0], -infinity],
    ["log", [-1], nan],
    ["log", [Math.E ** 2], 2],
    ["cis", [0], [1, 0]],
    ["cis", [0.25], [0, 1]],
    ["cis", [-0.25], [0, -1]],
    ["cis", [1e9 + 0.5], [-1, 0]],
    ["cis", [1 / 8], [Math.SQRT1_2, Math.SQRT1_2]],
    ["cis", [nan], [nan, nan]],
    ["cis", [infinity], [nan, nan]],
    ["cis", ["0u"], [1, 0]],
    ["cis", [`${2 ** 30}u`], [0, 1]],
    ["cis", [`${2 ** 31}u`], [-1, 0]],
    ["cis", [`${3 * 2 ** 30}u`], [0, -1]],
    ["cis", [`${all}u`], [1, -2 * Math.PI * 2 ** -32]],
    ["re", [[3, 4]], 3],
    ["im", [[3, 4]], 4],
    ["conj", [[3, 4]], [3, -4]],
    ["not", ["true"], 0],
    ["not", ["false"], 1],
    ["not", ["0i"], -1],
    ["not", ["0u"], all],
    ["real-of", ["-3i"], -3],
    ["real-of", [`${all}u`], all],
    ["i32-of", [2.5], 2],
    ["i32-of", [-3.5], -4],
    ["i32-of", [-0.25], 0],
    ["i32-of", [nan], 0],
    ["i32-of", [infinity], most],
    ["i32-of", [-1e300], least],
    ["i32-of", [2 ** 31 - 0.5], most],
    ["u32-of", [2.5], 2],
    ["u32-of", [3.5], 4],
    ["u32-of", [-0.25], 0],
    ["u32-of", [-5], 0],
    ["u32-of", [nan], 0],
    ["u32-of", [infinity], all],
    ["u32-of", [4e9], 4e9],
    ["bits", ["-1i"], all],
    ["bits", [`${all}u`], -1],
    ["bits", [`${2 ** 31}u`], least],
    ["finite", [1], 1],
    ["finite", [infinity], 0],
    ["finite", [nan], 0],
    ["finite", [[1, 2]], 1],
    ["finite", [[1, nan]], 0],
    ["finite", [[-infinity, 0]], 0],
    ["add", [1, 2], 3],
    ["add", [`${most}i`, "1i"], least],
    ["add", [`${all}u`, "2u"], 1],
    [
      "add",
      [
        [1, 2],
        [3, -5],
      ],
      [4, -3],
    ],
    ["sub", [1, 2], -1],
    ["sub", [`${least}i`, "1i"], most],
    ["sub", ["0u", "1u"], all],
    [
      "sub",
      [
        [1, 2],
        [3, -5],
      ],
      [-2, 7],
    ],
    ["mul", [3, -0], -0],
    ["mul", ["65537i", "65537i"], 131073],
    ["mul", [`${all}u`, `${all}u`], 1],
    [
      "mul",
      [
        [1, 2],
        [3, -5],
      ],
      [13, 1],
    ],
    ["mul", [2, [3, -5]], [6, -10]],
    ["mul", [[3, -5], 2], [6, -10]],
    ["div", [1, 4], 0.25],
    ["div", [1, 0], infinity],
    ["div", [1, -0], -infinity],
    ["div", [0, 0], nan],
    ["div", [[3, -5], 2], [1.5, -2.5]],
    ["div", ["-7i", "2i"], -3],
    ["div", ["7i", "0i"], 0],
    ["div", [`${least}i`, "-1i"], least],
    ["div", [`${all}u`, "2u"], most],
    ["div", ["7u", "0u"], 0],
    ["mod", [5.5, 2], 1.5],
    ["mod", [-5.5, 2], 0.5],
    ["mod", [5.5, -2], -0.5],
    ["mod", [-4, 2], 0],
    ["mod", [1, 0], nan],
    ["mod", [1, infinity], nan],
    ["mod", [infinity, 2], nan],
    ["mod", ["-7i", "3i"], 2],
    ["mod", ["7i", "-3i"], -2],
    ["mod", ["-6i", "3i"], 0],
    ["mod", ["6i", "0i"], 0],
    ["mod", [`${least}i`, "-1i"], 0],
    ["mod", [`${least}i`, `${most}i`], most - 1],
    ["mod", [`${all}u`, "10u"], 5],
    ["mod", ["6u", "0u"], 0],
    ["min", [1, -2], -2],
    ["min", ["1i", "-2i"], -2],
    ["min", [`${all}u`, "1u"], 1],
    ["max", [1, -2], 1],
    ["max", ["1i", "-2i"], 1],
    ["max", [`${all}u`, "1u"], all],
    ["atan2", [1, 1], Math.PI / 4],
    ["atan2", [0, -1], Math.PI],
    ["atan2", [-0, -1], -Math.PI],
    ["atan2", [0, -0], 0],
    ["atan2", [0, 0], 0],
    ["shl", ["1i", "31u"], least],
    ["shl", ["3u", "33i"], 6],
    ["shl", ["1u", `${all}u`], 2 ** 31],
    ["shr", ["-8i", "1i"], -4],
    ["shr", [`${all}u`, "28u"], 15],
    ["shr", [`${all}u`, "-4i"], 15],
    ["and", ["-4i", "7i"], 4],
    ["and", [`${all}u`, `${2 ** 31}u`], 2 ** 31],
    ["and", ["true", "false"], 0],
    ["or", ["-8i", "3i"], -5],
    ["or", [`${2 ** 31}u`, "1u"], 2 ** 31 + 1],
    ["or", ["true", "false"], 1],
    ["xor", ["-1i", "5i"], -6],
    ["xor", [`${all}u`, "5u"], all - 5],
    ["xor", ["true", "true"], 0],
    ["complex", [1, -0], [1, -0]],
    ["lt", [1, 2], 1],
    ["lt", [-0, 0], 0],
    ["lt", [nan, 0], 0],
    ["lt", ["-1i", "0i"], 1],
    ["lt", [`${all}u`, "0u"], 0],
    ["le", [2, 2], 1],
    ["le", [nan, nan], 0],
    ["le", ["3i", "2i"], 0],
    ["eq", [0, -0], 1],
    ["eq", [nan, nan], 0],
    ["eq", ["true", "false"], 0],
    ["eq", ["5u", "5u"], 1],
    ["ne", [nan, nan], 1],
    ["ne", ["true", "false"], 1],
    ["ne", ["5i", "5i"], 0],
    ["select", ["true", 1, 2], 1],
    ["select", ["false", [1, 2], [3, 4]], [3, 4]],
  ])("%s %j", (operator, operands, expected) => {
    const [re, im] = typeof expected === "number" ? [expected, 0] : expected;
    const [actualRe, actualIm] = apply(operator, ...operands);
    const exact = operator === "cis" || operator === "log";
    // Sines and logarithms are within an ulp or so of the numbers written here.
    if (exact && Number.isFinite(re)) expect(Math.abs(actualRe - re)).toBeLessThanOrEqual(4e-16);
    else expect(actualRe).toBe(re);
    if (exact && Number.isFinite(im)) expect(Math.abs(actualIm - im)).toBeLessThanOrEqual(4e-16);
    else expect(actualIm).toBe(im);
  });

  test("min and max with NaN give one of the operands", () => {
    for (const operator of ["min", "max"]) {
      expect([1, Number.NaN].some((one) => Object.is(one, apply(operator, Number.NaN, 1)[0]))).toBe(true);
      expect([1, Number.NaN].some((one) => Object.is(one, apply(operator, 1, Number.NaN)[0]))).toBe(true);
    }
  });

  test("real constants keep their float64 value", () => expect(compute([["real", 0.1]])).toEqual([0.1, 0]));
});

describe("what an element refers to", () => {
  test("indices and the value", () => {
    expect(compute([["index", 1]], { at: [2, 3] })).toEqual([3, 0]);
    expect(compute([["value"]], { value: [5, -6] }, { value: true })).toEqual([5, -6]);
  });

  const x = new ArrayView(
    layout("ci16", [2, 3]),
    Int16Array.from({ length: 12 }, (_, i) => i + 1),
  );
  const half = new ArrayView(layout("cf16", [1]), Uint16Array.of(0x3c00, 0xc000));
  const big = new ArrayView(layout("u32", [1]), Uint32Array.of(all));
  const sources = { x, half, big };
  const layouts = { x: x.layout, half: half.layout, big: big.layout };
  test.each<readonly [string, number, number, readonly [number, number]]>([
    ["load", 1, 2, [11, 12]],
    ["load", 0, 1, [3, 4]],
    ["load", -1, 5, [5, 6]],
    ["load", 7, -2, [7, 8]],
    ["load", least, most, [5, 6]],
    ["inside", 1, 2, [11, 12]],
    ["inside", 2, 0, [0, 0]],
    ["inside", 0, 3, [0, 0]],
    ["inside", -1, 0, [0, 0]],
    ["inside", 1, least, [0, 0]],
  ])("%s(%i, %i)", (how, i, j, expected) => {
    const nodes: Node[] = [
      ["i32", i],
      ["i32", j],
      [how as "load", "x", 0, 1],
    ];
    expect(compute(nodes, { sources }, { sources: layouts })).toEqual(expected);
  });
  test("half-precision numbers and u32", () => {
    expect(
      compute(
        [
          ["i32", 0],
          ["load", "half", 0],
        ],
        { sources },
        { sources: layouts },
      ),
    ).toEqual([1, -2]);
    const nodes: Node[] = [
      ["i32", 0],
      ["load", "big", 0],
      ["u32", 1],
      ["add", 1, 2],
    ];
    expect(compute(nodes, { sources }, { sources: layouts })).toEqual([0, 0]);
  });
});
