/** Tests of programs as JSON: what comes back is what was sent, bit for bit, and what can't be sent is named. */
import { describe, expect, test } from "vitest";
import { load, map } from "../src/expression.ts";
import { fft, type Kernel, layout, type MapOp, type Program } from "../src/index.ts";
import { fromBase64, toBase64 } from "../src/json/base64.ts";
import { type DecodeOptions, decodeProgram, type EncodedProgram, encodeProgram, type Tunable } from "../src/json.ts";
import { everything, gained, plainOps, programOf, recipes, scaled } from "./json-programs.ts";

const throughText = (program: Program, options: DecodeOptions = recipes): Program =>
  decodeProgram(JSON.stringify(encodeProgram(program)), options);

/** A program with functions replaced by their text, so that two can be compared. */
const comparable = (value: unknown): unknown => {
  if (typeof value === "function") return String(value);
  if (ArrayBuffer.isView(value))
    return { type: value.constructor.name, bytes: [...new Uint8Array(value.buffer, value.byteOffset, value.byteLength)] };
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, comparable(field)]));
};

describe("a program as JSON", () => {
  test.each(plainOps().map((op) => [op.op, op] as const))("comes back as it was: %s", (_, op) => {
    const program = programOf(op);
    expect(comparable({ constants: {}, ...throughText(program) })).toEqual(comparable({ constants: {}, ...program }));
  });

  test("keeps the bits of constants of every type, and makes kernels and hooks by their recipes", () => {
    const program = everything();
    for (const decoded of [
      throughText(program),
      decodeProgram(structuredClone(encodeProgram(program)), recipes),
      throughText(throughText(program)),
    ])
      expect(comparable(decoded)).toEqual(comparable(program));
  });

  test("keeps nothing but JSON values, and equal arrays once", () => {
    const document = encodeProgram(everything());
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    expect(structuredClone(document)).toEqual(document);
    expect(document.arrays.length).toBe(Object.keys(document.constants).length - 1);
    expect(document.constants["again"].data).toEqual(document.constants["f64"].data);
  });

  test("keeps names that begin with $ and that all objects have", () => {
    const x = layout("f32", [2]);
    const step = (from: string, out: string) => ({
      name: "$",
      op: { op: "convert", layout: x, to: "f32" } as const,
      bind: { in: from, out },
    });
    const program: Program = {
      name: "$array",
      inputs: { $array: x, $$: x, constructor: x },
      constants: { $number: { layout: x, data: Float32Array.of(1, 2) } },
      steps: [step("$array", "toString"), step("$number", "b"), step("$$", "c"), step("constructor", "hasOwnProperty")],
      outputs: ["toString", "b", "hasOwnProperty"],
    };
    expect(throughText(program)).toEqual(program);
    const sources = { tuned: x, recipe: x, expression: x };
    const hooked = programOf(fft(layout("c64", [2]), { axis: 0, load: load({ layout: x, sources }, "tuned + recipe + expression") }));
    expect(throughText(hooked)).toMatchObject(hooked);
  });

  test("drops tuned code only if it is told to", () => {
    const program = programOf(fft(layout("c64", [2, 8]), { axis: 1, load: gained(2) }));
    const { tuned: _, ...plain } = gained(2);
    const loadOf = (made: Program) => (made.steps[0].op as { readonly load?: unknown }).load;
    expect(loadOf(throughText(program))).toEqual(gained(2));
    expect(loadOf(throughText(program, { tuned: "drop" }))).toEqual(plain);
    expect(loadOf(decodeProgram(encodeProgram(program, { tuned: "drop" })))).toEqual(plain);
    expect(() => throughText(program, {})).toThrowError(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "steps[0].op.load.tuned.$recipe.name" }) }),
    );
  });

  test("uses tuned code only for the hook that it belongs to", () => {
    const program = programOf(fft(layout("c64", [2, 8]), { axis: 1, load: gained(2) }));
    for (const wrong of [gained(3), { ...gained(2), sources: { x: layout("c64", [2, 9]) } }, { ...gained(2), shape: [8, 2] }, undefined])
      expect(() => throughText(program, { tuned: { gained: () => wrong as Tunable } })).toThrowError(
        expect.objectContaining({
          code: "input",
          fields: expect.objectContaining({ field: expect.stringMatching(/^steps\[0\].op.load.tuned/) }),
        }),
      );
    expect(throughText(program, { tuned: { gained: () => ({ ...gained(2), name: "another" }) } }).steps[0].op).toMatchObject({
      load: gained(2),
    });
  });

  test("restores the tuned code of a map", () => {
    const doubled = (): MapOp => ({
      ...(map({ shape: [4], sources: { x: layout("f32", [4]) }, outputs: { out: "f32" } }, "out = x + x") as MapOp),
      tuned: { wgsl: "return vec2f(2.0 * load_x(at[0]), 0.0);", recipe: { name: "doubled", parameters: {} } },
    });
    const program = programOf(doubled());
    const { tuned: _, ...plain } = doubled();
    expect(throughText(program, { tuned: { doubled } }).steps[0].op).toEqual(doubled());
    expect(throughText(program, { tuned: "drop" }).steps[0].op).toEqual(plain);
    expect(() => throughText(program, { tuned: { doubled: () => ({ ...doubled(), shape: [5] }) } })).toThrowError(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "steps[0].op.tuned.$recipe" }) }),
    );
  });

  test("demands the tables that a kernel trusts", () => {
    const f32 = layout("f32", [4]);
    const program: Program = {
      name: "tables",
      inputs: {},
      constants: { table: { layout: f32, data: Float32Array.of(1, 2, 3, 4) } },
      steps: [{ name: "scale", op: scaled(2), bind: { in: "table", out: "y" } }],
      outputs: ["y"],
    };
    const demanding = (values: readonly number[]): DecodeOptions => ({
      kernels: { scaled: ({ by }) => ({ kernel: scaled(by as number), tables: { in: Float32Array.from(values) } }) },
    });
    expect(comparable(throughText(program, demanding([1, 2, 3, 4])))).toEqual(comparable(program));
    const input = { ...program, inputs: { x: f32 }, steps: [{ ...program.steps[0], bind: { in: "x", out: "y" } }] };
    for (const [sent, values] of [
      [program, [1, 2, 3, 5]],
      [program, [1, 2, 3]],
      [input, [1, 2, 3, 4]],
    ] as const)
      expect(() => throughText(sent, demanding(values))).toThrowError(
        expect.objectContaining({ code: "input", fields: expect.objectContaining({ field: "steps[0].bind.in" }) }),
      );
  });
});

describe("what can't be sent", () => {
  const lines = layout("c64", [2, 8]);
  const { recipe: _, ...kernelAlone } = scaled(1);
  const tuned = { wgsl: "return vec2f();" };
  const odd = (parameters: Record<string, unknown>): Kernel => ({ ...scaled(1), recipe: { name: "scaled", parameters } });
  const itself: Record<string, unknown> = {};
  itself["inner"] = itself;
  test.each<[string, Program, string, RegExp]>([
    ["a kernel without a recipe", programOf(kernelAlone), "steps[0].op.reference", /step kernel: .* recipe/],
    [
      "a hook without a recipe",
      programOf(fft(lines, { axis: 1, load: { name: "f", sources: {}, reference: () => [0, 0] } })),
      "steps[0].op.load.reference",
      /step fft: .* recipe/,
    ],
    [
      "tuned code without a recipe",
      programOf(fft(lines, { axis: 1, load: load({ layout: lines, sources: { x: lines }, tuned }, "x") })),
      "steps[0].op.load.tuned",
      /recipe.*drop/,
    ],
    ["a function as a parameter", programOf(odd({ by: () => 1 })), "steps[0].op.recipe.parameters.by", /function/],
    ["a bigint as a parameter", programOf(odd({ by: [1n] })), "steps[0].op.recipe.parameters.by[0]", /JSON/],
    ["bigints as a parameter", programOf(odd({ by: new BigInt64Array(1) })), "steps[0].op.recipe.parameters.by", /Float32Array/],
    ["a list with holes", programOf(odd({ by: new Array(1) })), "steps[0].op.recipe.parameters.by[0]", /JSON/],
    ["__proto__", programOf(odd(JSON.parse('{"__proto__":1}'))), "steps[0].op.recipe.parameters.__proto__", /__proto__/],
    ["a repeated output", { ...everything(), outputs: ["y", "y"] }, "outputs[1]", /not in the list/],
  ])("%s is named", (_, program, field, message) => {
    expect(() => encodeProgram(program)).toThrowError(
      expect.objectContaining({ code: "input", message: expect.stringMatching(message), fields: expect.objectContaining({ field }) }),
    );
  });

  test("has limits", () => {
    const step = everything().steps[0];
    const steps = Array.from({ length: 4097 }, (_, i) => ({ ...step, bind: { in: "four", out: `y${i}` } }));
    const code = expect.objectContaining({ code: "limit" });
    expect(() => encodeProgram({ ...everything(), steps, outputs: ["y0"] })).toThrowError(code);
    expect(() => encodeProgram(programOf(odd(itself)))).toThrowError(code);
    expect(() => encodeProgram(everything(), { tuned: "no" as "drop" })).toThrowError(expect.objectContaining({ code: "input" }));
  });
});

describe("base64", () => {
  test("agrees with Node's and accepts nothing else", () => {
    for (let length = 0; length < 40; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 89 + length * 37) % 256);
      const text = Buffer.from(bytes).toString("base64");
      expect(toBase64(bytes)).toBe(text);
      expect(fromBase64(text, length)).toEqual(bytes);
      for (const other of [length + 1, Math.abs(length - 1), length + 3]) expect(fromBase64(text, other)).toBeUndefined();
      for (let i = 0; i < text.length; i++)
        for (const wrong of ["-", "=", " ", "é", "\u{1f600}"[0], "Ā"]) {
          const changed = text.slice(0, i) + wrong + text.slice(i + 1);
          if (changed !== text) expect(fromBase64(changed, length)).toBeUndefined();
        }
    }
    expect(fromBase64("AB==", 1)).toBeUndefined();
    expect(fromBase64("AAB=", 2)).toBeUndefined();
  });

  test("has the size that the document says", () => {
    const document: EncodedProgram = encodeProgram(everything());
    for (const { shape, base64, dtype } of document.arrays) expect(base64.length).toBe(4 * Math.ceil((shape[0] * Number(dtype[2])) / 3));
  });
});
