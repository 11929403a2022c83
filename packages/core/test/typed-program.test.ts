/**
 * Tests of programs whose outputs the compiler knows. The type check fails if an `expectTypeOf` is wrong or if the line after a
 * `@ts-expect-error` compiles.
 */
import { describe, expect, expectTypeOf, it } from "vitest";
import { map } from "../src/expression.ts";
import {
  convert,
  evaluate,
  fft,
  filterInverse,
  isRadarError,
  kernel,
  layout,
  multiply,
  program,
  realFft,
  type Step,
  spectralFilter,
  type TypedArrayOf,
  transpose,
} from "../src/index.ts";
import { fake } from "./fake.ts";

const reals = layout("f32", [3, 8]);
const lines = layout("c64", [3, 8]);

const power = kernel({
  name: "power",
  ports: { in: { access: "read", layout: lines }, power: { access: "write", layout: layout("f32", [3, 8]) } },
  items: 24,
  reference({ in: x, power }, _, start, end) {
    for (let i = start; i < end; i++) power.set(i, x.re(i) ** 2 + x.im(i) ** 2);
  },
});

describe("builders", () => {
  it("make the same ops as literals", () => {
    expect(fft(lines, { axis: 1 })).toEqual({ op: "fft", layout: lines, axis: 1, inverse: false });
    expect(fft(lines, { axis: 1, inverse: true, n: 16, keep: [0, 4] })).toEqual({
      op: "fft",
      layout: lines,
      axis: 1,
      inverse: true,
      n: 16,
      keep: [0, 4],
    });
    expect(realFft(reals, { axis: 1 })).toEqual({ op: "real-fft", layout: reals, axis: 1, inverse: false });
    expect(realFft(lines, { axis: 1, n: 14 })).toEqual({ op: "real-fft", layout: lines, axis: 1, inverse: true, n: 14 });
    expect(spectralFilter(lines, { axis: 0 })).toEqual({ op: "spectral-filter", layout: lines, axis: 0, h: "line" });
    expect(filterInverse(lines, { axis: 0, h: "all" })).toEqual({ op: "filter-inverse", layout: lines, axis: 0, h: "all" });
    expect(multiply(lines, { axis: 1 })).toEqual({ op: "multiply", layout: lines, axis: 1, h: "line" });
    expect(transpose(lines, { permutation: [1, 0] })).toEqual({ op: "transpose", layout: lines, permutation: [1, 0] });
    expect(convert(lines, { to: "c128" })).toEqual({ op: "convert", layout: lines, to: "c128" });
    expect(power).toMatchObject({ op: "kernel", name: "power", items: 24 });
  });
});

describe("program", () => {
  const powers = program({
    name: "powers",
    inputs: { echoes: lines },
    steps: [{ name: "power", op: power, bind: { in: "echoes", power: "power" } }],
    outputs: ["power"],
  });

  it("runs and gives outputs of the types of their layouts", async () => {
    const { device } = fake();
    const x = Float32Array.from({ length: 48 }, (_, i) => i - 20);
    const result = await evaluate(powers, device, { echoes: x });
    expectTypeOf(result.power).toEqualTypeOf<Float32Array>();
    expect([...result.power]).toEqual(Array.from({ length: 24 }, (_, i) => x[2 * i] ** 2 + x[2 * i + 1] ** 2));
    // @ts-expect-error: it has no such output
    expect(result.nope).toBeUndefined();
  });

  it("checks the types of its inputs", async () => {
    const { device } = fake();
    // @ts-expect-error: the input is called echoes
    await expect(evaluate(powers, device, { echo: new Float32Array(48) })).rejects.toMatchObject({ code: "layout" });
    // @ts-expect-error: it is of single precision
    await expect(evaluate(powers, device, { echoes: new Float64Array(48) })).rejects.toMatchObject({ fields: { field: "data" } });
  });

  it("knows the output type of every op", () => {
    const half = layout("c64", [3, 5]);
    const typed = program({
      name: "every op",
      inputs: { samples: reals, echoes: lines, h: layout("c64", [8]) },
      steps: [
        { name: "real", op: realFft(reals, { axis: 1 }), bind: { in: "samples", out: "half" } },
        { name: "wide", op: convert(half, { to: "c128" }), bind: { in: "half", out: "wide" } },
        { name: "back", op: realFft(layout("c128", [3, 5]), { axis: 1 }), bind: { in: "wide", out: "line" } },
        { name: "spectrum", op: fft(lines, { axis: 1 }), bind: { in: "echoes", out: "spectrum" } },
        {
          name: "level",
          op: fft(lines, { axis: 1, store: { name: "level", dtype: "u8", sources: {}, reference: (_, [re]) => [re, 0] } }),
          bind: { in: "echoes", out: "level" },
        },
        { name: "turned", op: transpose(lines, { permutation: [1, 0] }), bind: { in: "spectrum", out: "turned" } },
        {
          name: "two",
          op: map({ shape: [3, 8], sources: { x: lines }, outputs: { words: "u32", twice: "c128" } }, "words = i1 << 1; twice = 2 * x"),
          bind: { x: "spectrum", words: "words", twice: "twice" },
        },
      ],
      outputs: ["half", "line", "level", "turned", "words", "twice"],
    });
    type Outputs = NonNullable<(typeof typed)["outputTypes"]>;
    expectTypeOf<Outputs>().toEqualTypeOf<{
      readonly half: Float32Array;
      readonly line: Float64Array;
      readonly level: Uint8Array;
      readonly turned: Float32Array;
      readonly words: Uint32Array;
      readonly twice: Float64Array;
    }>();
    expect(typed.outputs).toEqual(["half", "line", "level", "turned", "words", "twice"]);
  });

  it("types inputs among the outputs", () => {
    const typed = program({
      name: "echoes and spectra",
      inputs: { echoes: lines, marks: layout("u8", [3]) },
      steps: [{ name: "spectra", op: fft(lines, { axis: 1 }), bind: { in: "echoes", out: "spectra" } }],
      outputs: ["spectra", "echoes", "marks"],
    });
    expectTypeOf<NonNullable<(typeof typed)["outputTypes"]>>().toEqualTypeOf<{
      readonly spectra: Float32Array;
      readonly echoes: Float32Array;
      readonly marks: Uint8Array;
    }>();
    expect(typed.outputs).toContain("marks");
  });

  it("gives outputs that no literal names the type of any array, never the type never", () => {
    const op = fft(lines, { axis: 1 });
    const steps: Step[] = [0, 1, 2].map((i) => ({ name: `step ${i}`, op, bind: { in: `value ${i}`, out: `value ${i + 1}` } }));
    const inputs = { "value 0": lines };
    const pushed = program({ name: "pushed", inputs, steps, outputs: ["value 3"] });
    type Pushed = NonNullable<(typeof pushed)["outputTypes"]>;
    expectTypeOf<Pushed["value 3"]>().toEqualTypeOf<TypedArrayOf>();

    const spread = program({
      name: "spread",
      inputs,
      steps: [...steps, { name: "last", op, bind: { in: "value 3", out: "last" } }],
      outputs: ["value 3", "last"],
    });
    expectTypeOf<NonNullable<(typeof spread)["outputTypes"]>["value 3"]>().toEqualTypeOf<TypedArrayOf>();
    expectTypeOf<NonNullable<(typeof spread)["outputTypes"]>["last"]>().toEqualTypeOf<Float32Array>();

    const mapped = program({
      name: "mapped",
      inputs,
      steps: [0, 1].map((i) => ({ name: `step ${i}`, op, bind: { in: `value ${i}`, out: `value ${i + 1}` } })),
      outputs: ["value 2"],
    });
    expectTypeOf<NonNullable<(typeof mapped)["outputTypes"]>["value 2"]>().toEqualTypeOf<Float32Array>();

    const name = steps.length > 2 ? "a" : "b";
    const either = program({
      name: "either",
      inputs: { in: lines },
      steps: [{ name: "spectra", op, bind: { in: "in", out: name } }],
      outputs: ["a"],
    });
    expectTypeOf<NonNullable<(typeof either)["outputTypes"]>["a"]>().toEqualTypeOf<Float32Array>();

    const access = steps.length > 2 ? "write" : "read";
    const filled = kernel({ name: "fill", ports: { to: { access, layout: layout("u32", [4]) } }, items: 4, reference() {} });
    const written = program({
      name: "written",
      inputs: {},
      steps: [{ name: "fill", op: filled, bind: { to: "to" } }],
      outputs: ["to"],
    });
    expectTypeOf<NonNullable<(typeof written)["outputTypes"]>["to"]>().toEqualTypeOf<Uint32Array>();
  });

  it("rejects parts that do not fit together", () => {
    const faulty = () =>
      program({
        name: "faulty",
        inputs: { echoes: lines },
        steps: [{ name: "spectra", op: fft(lines, { axis: 1 }), bind: { in: "echo", out: "spectra" } }],
        outputs: ["spectra"],
      });
    expect(faulty).toThrow(/reads echo, which no earlier step has written/);
    try {
      faulty();
    } catch (error) {
      expect(isRadarError(error, "layout")).toBe(true);
    }
    const misnamed = () =>
      program({
        name: "misnamed",
        inputs: { echoes: lines },
        steps: [{ name: "spectra", op: fft(lines, { axis: 1 }), bind: { in: "echoes", out: "spectra" } }],
        // @ts-expect-error: no step names it
        outputs: ["spectrum"],
      });
    expect(misnamed).toThrow(/output spectrum is never written/);
  });
});
