/** Tests of programs: which are valid, how errors name step and port, compiling and running, and the comparison of arrays. */
import { describe, expect, test } from "vitest";
import { differenceOf } from "../src/compare.ts";
import { compile, evaluate, type Kernel, layout, type Op, type Program, type Step } from "../src/index.ts";
import { valueLayouts } from "../src/program.ts";
import { c64, fake } from "./fake.ts";

const scale: Op = { op: "convert", layout: c64(2), to: "c64", scale: 2 };
const step = (name: string, bind: Record<string, string>, op: Op = scale): Step => ({ name, op, bind });
const table = { layout: c64(2), data: Float32Array.of(1, 0, 0, 1) };
const sound: Program = {
  name: "p",
  inputs: { x: c64(2) },
  steps: [step("a", { in: "x", out: "t" }), step("b", { in: "t", out: "y" })],
  outputs: ["y"],
};
const update: Kernel = {
  op: "kernel",
  name: "update",
  ports: { all: { access: "update", layout: c64(2) } },
  items: 1,
  reference({ all }) {
    all.set(0, all.re(0) + 1);
  },
};
const split: Kernel = {
  op: "kernel",
  name: "split",
  ports: { in: { access: "read", layout: c64(2) }, one: { access: "write", layout: c64(2) }, two: { access: "write", layout: c64(2) } },
  items: 1,
  reference() {},
};

describe("valueLayouts", () => {
  test("names every value", () => {
    expect(valueLayouts({ ...sound, constants: { h: table } })).toEqual({ x: c64(2), t: c64(2), y: c64(2), h: c64(2) });
  });

  test("accepts names that all objects have, such as toString", () => {
    const odd: Program = {
      name: "odd",
      inputs: { constructor: c64(2) },
      steps: [step("a", { in: "constructor", out: "toString" })],
      outputs: ["toString"],
    };
    expect(Object.keys(valueLayouts(odd))).toEqual(["constructor", "toString"]);
    expect(() => valueLayouts({ ...odd, outputs: ["valueOf"] })).toThrowError(/valueOf is never written/);
  });

  test.each<[string, Partial<Program>, object, RegExp]>([
    ["an unbound port", { steps: [step("a", { in: "x" })] }, { step: "a", port: "out" }, /does not bind port out/],
    [
      "a port that the op does not have",
      { steps: [step("a", { in: "x", out: "y", toString: "x" })] },
      { step: "a", port: "toString" },
      /binds port toString/,
    ],
    [
      "a value that no step wrote",
      { steps: [step("a", { in: "z", out: "y" })] },
      { step: "a", port: "in", value: "z" },
      /no earlier step has written/,
    ],
    [
      "a value read by its own writer",
      { steps: [step("a", { in: "y", out: "y" })] },
      { step: "a", port: "in", value: "y" },
      /no earlier step has written/,
    ],
    [
      "a value written again",
      { steps: [...sound.steps, step("c", { in: "x", out: "t" })] },
      { step: "c", port: "out", value: "t" },
      /exists already/,
    ],
    ["an input written", { steps: [step("a", { in: "x", out: "x" })] }, { step: "a", port: "out", value: "x" }, /exists already/],
    [
      "one value at two outputs",
      { steps: [step("a", { in: "x", one: "y", two: "y" }, split)] },
      { step: "a", port: "two", value: "y" },
      /exists already/,
    ],
    ["a value of another layout", { inputs: { x: c64(3) } }, { step: "a", port: "in", value: "x" }, /c64\[3\]/],
    [
      "a constant written",
      { constants: { h: table }, steps: [step("a", { in: "x", out: "y" }), step("b", { all: "h" }, update)] },
      { step: "b", port: "all", value: "h" },
      /is a constant/,
    ],
    ["a constant for an output", { constants: { h: table }, outputs: ["y", "h"] }, { value: "h" }, /output h is never written/],
    ["a constant named as an input", { constants: { x: table } }, { value: "x" }, /name of an input/],
    ["an output that no step wrote", { outputs: ["z"] }, { value: "z" }, /never written/],
  ])("rejects %s", (_, change, fields, message) => {
    const program = { ...sound, ...change };
    expect(() => valueLayouts(program)).toThrowError(expect.objectContaining({ code: "layout", fields: { program: "p", ...fields } }));
    expect(() => valueLayouts(program)).toThrowError(message);
  });
});

describe("compile and evaluate", () => {
  test("give the right result", async () => {
    const { device } = fake();
    const { y } = await evaluate(sound, device, { x: Float32Array.of(1, 2, 3, 4) });
    expect(Array.from(y)).toEqual([4, 8, 12, 16]);
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
  });

  test("return an output that is also an input, with its updates", async () => {
    const { device } = fake();
    const program: Program = { name: "p", inputs: { x: c64(2) }, steps: [step("u", { all: "x" }, update)], outputs: ["x"] };
    const x = Float32Array.of(1, 2, 3, 4);
    expect(Array.from((await evaluate(program, device, { x }))["x"])).toEqual([2, 0, 3, 4]);
    expect(Array.from(x)).toEqual([1, 2, 3, 4]);
  });

  test("keep a value alive until its last reader", async () => {
    const { device } = fake();
    // The last step reads t, so neither u nor v may use its array.
    const program: Program = {
      name: "p",
      inputs: { x: c64(2) },
      steps: [
        step("t", { in: "x", out: "t" }),
        step("u", { in: "t", out: "u" }),
        step("v", { in: "u", out: "v" }),
        step("w", { in: "v", h: "t", out: "w" }, { op: "multiply", layout: c64(2), axis: 0, h: "all" }),
      ],
      outputs: ["w"],
    };
    const { w } = await evaluate(program, device, { x: Float32Array.of(1, 0, 0, 1) });
    expect(Array.from(w)).toEqual([16, 0, -16, 0]); // 8x · 2x
    using compiled = await compile(program, device);
    expect(compiled.stages).toHaveLength(4);
    expect(device.memory().buffers).toBe(3);
  });

  test("a constant survives any number of runs", async () => {
    const { device } = fake();
    const program: Program = {
      ...sound,
      constants: { h: table },
      steps: [step("m", { in: "x", h: "h", out: "y" }, { op: "multiply", layout: c64(2), axis: 0, h: "all" })],
    };
    using compiled = await compile(program, device);
    using x = device.alloc(c64(2));
    using y = device.alloc(c64(2));
    x.write(Float32Array.of(1, 2, 3, 4));
    for (let i = 0; i < 3; i++) {
      compiled.run({ x, y });
      expect(Array.from(await y.read())).toEqual([1, 2, -4, 3]);
    }
  });

  test.each<[string, Program, Record<string, Float32Array>, RegExp]>([
    ["an input is missing", sound, {}, /input x is missing/],
    ["an input is short", sound, { x: new Float32Array(2) }, /x takes 4 numbers, not 2/],
    ["an input is long", sound, { x: new Float32Array(6) }, /x takes 4 numbers, not 6/],
    [
      "a constant is short",
      { ...sound, constants: { h: { ...table, data: new Float32Array(2) } } },
      { x: new Float32Array(4) },
      /takes 4 numbers, not 2/,
    ],
  ])("reject if %s, and leave nothing allocated", async (_, program, inputs, message) => {
    const { device } = fake();
    const failure = expect(evaluate(program, device, inputs)).rejects;
    await failure.toThrowError(message);
    await device.ready();
    expect(device.memory()).toMatchObject({ buffers: 0, bytes: 0, plans: 0 });
  });

  test("inPlace needs values named in and out", async () => {
    const { device } = fake();
    await expect(compile(sound, device, { inPlace: true })).rejects.toMatchObject({
      code: "layout",
      fields: { program: "p", field: "inPlace" },
    });
  });

  test("inPlace uses a copy only if a step would read elements that it has overwritten", async () => {
    const { device } = fake();
    const named = (steps: Step[]): Program => ({ name: "p", inputs: { in: c64(2) }, steps, outputs: ["out"] });
    const lowered = await compile(named([step("a", { in: "in", out: "out" })]), device, { inPlace: true });
    expect(lowered.stages.map((s) => s.name)).toEqual(["a"]);
    const read = await compile(named([step("a", { in: "in", out: "out" }), step("b", { in: "in", out: "t" })]), device, { inPlace: true });
    expect(read.stages.map((s) => s.name)).toEqual(["a", "b", "copy"]);
  });
});

describe("differenceOf", () => {
  const shape = layout("f32", [2, 2]);
  const of = (a: number[], b: number[]) => differenceOf(shape, Float32Array.from(a), Float32Array.from(b));

  test("measures relative to the second array and finds the place", () => {
    expect(of([1, 2, 3, 4], [1, 2, 3, 4])).toEqual({ relativeL2: 0, maxAbsolute: 0, at: [0, 0] });
    expect(of([3, 0, 1, 4], [3, 0, 0, 4])).toEqual({ relativeL2: 0.2, maxAbsolute: 1, at: [1, 0] });
    expect(differenceOf(c64(3), Float32Array.of(0, 0, 0, 1, 0, 0), new Float32Array(6))).toEqual({
      relativeL2: Infinity,
      maxAbsolute: 1,
      at: [1],
    });
  });

  test("a NaN in one array is the largest difference, and is reported at its place", () => {
    expect(of([1, Number.NaN, 3, 4.5], [1, 2, 3, 4])).toEqual({ relativeL2: Infinity, maxAbsolute: Infinity, at: [0, 1] });
    expect(of([1, Number.NaN, 3, 4], [1, Number.NaN, 3, 4])).toEqual({ relativeL2: 0, maxAbsolute: 0, at: [0, 0] });
    expect(of([Infinity, 0, 0, 0], [Infinity, 0, 0, 0]).relativeL2).toBe(0);
    expect(of([Infinity, 0, 0, 0], [1, 0, 0, 0])).toEqual({ relativeL2: Infinity, maxAbsolute: Infinity, at: [0, 0] });
  });

  test("rejects arrays of different lengths", () => {
    expect(() => of([1], [1, 2])).toThrowError(expect.objectContaining({ code: "layout" }));
  });
});

test("a run of a program with a thousand outputs is checked soon", async () => {
  const names = Array.from({ length: 1000 }, (_, i) => `y${i}`);
  const one: Kernel = { ...split, ports: { in: { access: "read", layout: c64(2) }, out: { access: "write", layout: c64(2) } } };
  const steps = names.map((name) => step(name, { in: "x", out: name }, one));
  const { device } = fake();
  using compiled = await compile({ name: "many", inputs: { x: c64(2) }, steps, outputs: names }, device);
  const bindings = Object.fromEntries(Object.entries(compiled.layouts).map(([name, shape]) => [name, device.alloc(shape)]));
  const start = process.cpuUsage();
  await compiled.run(bindings).done;
  expect(process.cpuUsage(start).user).toBeLessThan(1.5e6);
});
