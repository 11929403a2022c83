/** Runs the WGSL of expressions on the device and compares it with float64: integers bit by bit, real numbers within their bounds. */
import { createRandom, type Device, layout } from "@dechirp/core";
import type { Domain, Node } from "@dechirp/core/expression";
import { checkExpression } from "@dechirp/core/expression";
import { wgslOfHook, wgslOfMap, wgslOfPair } from "@dechirp/core/expression/code";
import { describe, expect, it } from "vitest";
import { leavesOut, withDevice } from "./adapter.ts";
import { compare, data, domain, runItems, uniforms, values, valuesOf } from "./expression-device.ts";
import { evaluate, indicesOf, randomExpression } from "./expression-evaluator.ts";

let device: Device;
withDevice((opened) => {
  device = opened;
});

describe("random expressions", () => {
  const seeds = Array.from({ length: leavesOut ? 6 : 60 }, (_, seed) => seed);
  const outputs = { o0: "f32", o1: "c64", o2: "u32", o3: "u32" } as const;

  it("as maps", async () => {
    let unbounded = 0;
    let total = 0;
    for (const seed of seeds) {
      const made = randomExpression(createRandom(seed), domain, 40 + 2 * seed);
      // Four outputs and four sources are as many bindings as every device has.
      const expression = { ...made, results: [...made.results.slice(0, 3), made.results[3 + (seed % 2)]] };
      const facts = checkExpression(expression, domain);
      const layouts = Object.fromEntries(Object.entries(outputs).map(([name, dtype]) => [name, layout(dtype, domain.shape)]));
      const found = await runItems(device, 90, domain, layouts, wgslOfMap(expression, facts, domain, outputs), data, uniforms);
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

  it("as hooks and as pairs of them", async () => {
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
              device,
              90,
              domain,
              { o: layout("c64", [90]) },
              `store_o(item, hook(${at}));`,
              data,
              uniforms,
              `fn hook(at: array<u32, 3>) -> vec2f {\n${text}\n}`,
            )
          : await runItems(
              device,
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
        device,
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
  ] as const)("by %s, %s", async (how, operator) => {
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
        device,
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
