/** Tests WGSL that users write: compile errors refer to the lines of the user's own text, and values that are not WGSL to their field. */
import {
  type Device,
  isRadarError,
  type Kernel,
  type Load,
  layout,
  type Op,
  type RadarError,
  type Store,
  type WgslKernel,
} from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { placeOf } from "../src/wgsl/user-text.ts";
import { withDevice } from "./adapter.ts";

const shape = layout("c64", [4, 16]);
const fft = { op: "fft", layout: shape, axis: 1, inverse: false } as const;
const load = (body: unknown): Load => ({
  name: "gain",
  sources: { x: shape },
  wgsl: () => body as string,
  reference: ([row, column], { x }) => [x.re(16 * row + column), x.im(16 * row + column)],
});
const store = (body: unknown): Store => ({
  name: "square",
  sources: {},
  dtype: "c64",
  wgsl: () => body as string,
  reference: (_, value) => value,
});
const copies = "return load_x(at[0] * 16u + at[1]);";
const kernel = (wgsl: Kernel["wgsl"]): Kernel => ({
  op: "kernel",
  name: "mine",
  items: 64,
  ports: { x: { access: "read", layout: shape }, y: { access: "write", layout: shape } },
  ...(wgsl && { wgsl }),
  reference({ x, y }, _uniforms, start, end) {
    for (let i = start; i < end; i++) y.set(i, x.re(i), x.im(i));
  },
});
const sound: WgslKernel = {
  code: "@compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) { store_y(id.x, load_x(id.x)); }",
  dispatches: [{ entry: "main", groups: [1, 1, 1] }],
};

let device: Device;
withDevice((opened) => {
  device = opened;
});

async function refusal(op: Op, fuse = true): Promise<RadarError> {
  const error = await device.plan(op, { fuse }).then(
    (plan) => plan[Symbol.dispose](),
    (reason: unknown) => reason,
  );
  if (!isRadarError(error)) throw new Error(`refused with no RadarError: ${String(error)}`);
  expect(error.message).not.toContain("\n");
  return error;
}

/** Bodies of functions, and the place of the error in each. */
const wrong: readonly (readonly [what: string, body: string, line: number, column: number])[] = [
  ["on the first line", "let a = nonsense;\nreturn vec2f();", 1, 9],
  ["on the last line", "let a = 1.0;\nreturn nonsense;", 2, 8],
  ["behind letters of several bytes", "let a = /* größe 𝒳 */ nonsense;\nreturn vec2f();", 1, 24],
  ["in lines that end with CRLF", "let a = 1.0;\r\nlet b = 2.0;\r\n  let c = nonsense;\r\nreturn vec2f();", 3, 11],
  ["in lines that end in other ways", "let a = 1.0;\rlet b = 2.0;\u2028  let c = nonsense;\nreturn vec2f();", 3, 11],
  ["after empty lines", "\n\n\n  let a = nonsense;\nreturn vec2f();\n\n", 4, 11],
  ["in the second of two functions", "return helper(at[0]);\n}\nfn helper(a: u32) -> vec2f {\n  return nonsense(a);", 4, 10],
  ["behind comments that look like marks", "//<dechirp load.wgsl\n//>dechirp\n//<dechirp 9 x\nreturn nonsense;", 4, 8],
  ["where the function has no end", "let a = 1.0;\nlet b = a;", 2, 11],
  ["where a brace is left open", "if (at[0] > 1u) {\nreturn vec2f();", 2, 16],
  ["where a brace is left open in another function", "return h();\n}\nfn h() -> vec2f {\nif (true) { return vec2f();", 4, 28],
  ["where a brace closes too much", "return vec2f();\n}", 2, 2],
  ["where a parenthesis is left open at the end", "return vec2f((1.0", 1, 18],
  ["where the end of a statement is missing", "let a = 1.0;\nreturn vec2f()", 2, 15],
];

describe("a hook's text that does not compile", () => {
  it.each(wrong)("reports its own line and column: %s", async (_what, body, line, column) => {
    const ops: readonly (readonly [Op, string, boolean])[] = [
      [{ ...fft, load: load(body) }, "load", true],
      [{ ...fft, load: load(body) }, "load", false],
      [{ ...fft, load: load(body), store: store("return value;") }, "load", true],
      [{ ...fft, store: store(body) }, "store", true],
      [{ ...fft, store: store(body) }, "store", false],
      [{ ...fft, load: load(copies), store: store(body) }, "store", true],
    ];
    for (const [op, end, fuse] of ops) {
      const error = await refusal(op, fuse);
      expect(error.message).toContain(`does not compile: ${end}.wgsl, line ${line}, column ${column}: `);
      expect(error).toMatchObject({ code: "compile", fields: { field: `${end}.wgsl`, line, column } });
      // The generated code is available, too.
      const { code, messages } = error.fields as { code: string; messages: { generated: [number, number] }[] };
      expect(code).toContain(body);
      expect(code.split("\n").length).toBeGreaterThanOrEqual(messages[0].generated[0] - 3);
    }
  });

  it("and leaves a comment open reports where the comment begins", async () => {
    const error = await refusal({ ...fft, load: load("return vec2f();\n  /* never\nclosed") });
    expect(error).toMatchObject({ code: "compile", fields: { field: "load.wgsl", line: 2, column: 3 } });
  });

  it("for a pair of elements is reported separately", async () => {
    const pair = { axis: 1, text: () => "let a = 1.0;\nreturn nonsense;" };
    const error = await refusal({ ...fft, axis: 0, load: { ...load(copies), wgslPair: pair } as Load });
    expect(error).toMatchObject({ code: "compile", fields: { field: "load.wgslPair.text", line: 2, column: 8 } });
  });
});

describe("a kernel's text that does not compile", () => {
  it("reports its own line: code, bodies and declarations of items", async () => {
    const code = `\n${sound.code}\nfn other() -> f32 {\n  return nonsense;\n}`;
    expect(await refusal(kernel(() => ({ ...sound, code })))).toMatchObject({
      code: "compile",
      fields: { field: "wgsl", line: 4, column: 10 },
    });
    const body = await refusal(kernel((_c, _l, toolkit) => toolkit.items("\nlet a = nonsense;", "fn one() -> f32 { return 1.0; }")));
    expect(body).toMatchObject({ code: "compile", fields: { field: "the body of items()", line: 2, column: 9 } });
    const declared = await refusal(kernel((_c, _l, toolkit) => toolkit.items("let a = one();", "fn one() -> f32 {\nreturn 1.0;")));
    expect(declared).toMatchObject({ code: "compile", fields: { field: "the declarations of items()", line: 2, column: 12 } });
  });

  it("reports its own line before and after a hook's function in it", async () => {
    const around = (before: string, body: string, behind: string) =>
      refusal(
        kernel((_c, _l, toolkit) => ({ ...sound, code: `${before}\n${toolkit.hook("load", load(body), 2)}\n${sound.code}\n${behind}` })),
      );
    const at = (field: string, line: number, column: number) => ({ code: "compile", fields: { field, line, column } });
    expect(await around("const a = nonsense;", "return vec2f();", "")).toMatchObject(at("wgsl", 1, 11));
    expect(await around("", "\n return nonsense;", "")).toMatchObject(at("load.wgsl", 2, 9));
    // The code that the function returned has six lines before this one: an empty one, four of the hook's function, and its own.
    expect(await around("", "return vec2f();", "const b = nonsense;")).toMatchObject(at("wgsl", 7, 11));
  });

  it("reports a missing entry", async () => {
    const error = await refusal(kernel(() => ({ ...sound, dispatches: [{ entry: "absent", groups: [1, 1, 1] }] })));
    expect(error).toMatchObject({ code: "compile", message: expect.stringContaining("absent") });
  });
});

describe("values that are not WGSL", () => {
  const thrown: readonly unknown[] = [new Error("no text today"), Object.create(null), Symbol("x"), null, undefined];
  const fails = (value: unknown) => (): never => {
    throw value;
  };

  it("an exception of the function becomes a compile error with it as the cause", async () => {
    for (const cause of thrown) {
      for (const [op, field] of [
        [{ ...fft, load: { ...load(""), wgsl: fails(cause) } }, "load.wgsl"],
        [{ ...fft, store: { ...store(""), wgsl: fails(cause) } }, "store.wgsl"],
        [{ ...fft, axis: 0, load: { ...load(copies), wgslPair: { axis: 1, text: fails(cause) } } }, "load.wgslPair.text"],
        [kernel(fails(cause)), "wgsl"],
      ] as const) {
        const error = await refusal(op);
        expect([error.code, error.fields["field"]]).toEqual(["compile", field]);
        expect(error.message).toMatch(new RegExp(`^${field} failed: `));
        expect(Object.is(error.cause, cause)).toBe(true);
      }
    }
    expect((await refusal(kernel(fails(thrown[0])))).message).toBe("wgsl failed: no text today");
  });

  it("values that are not strings are rejected with the hook's name", async () => {
    for (const value of [undefined, null, 5, "", " \n", {}, ["return value;"], Symbol("x")]) {
      for (const fuse of [true, false]) {
        for (const [op, field] of [
          [{ ...fft, load: load(value) }, "load.wgsl()"],
          [{ ...fft, store: store(value) }, "store.wgsl()"],
        ] as const)
          expect(await refusal(op, fuse)).toMatchObject({
            code: "layout",
            fields: { field },
            message: expect.stringContaining(`${field} must be a string`),
          });
      }
    }
  });

  it("a function that returns a promise is rejected, and the promise's rejection is handled", async () => {
    const late = (): never => Promise.reject(new Error("late")) as never;
    for (const op of [{ ...fft, load: { ...load(""), wgsl: late } }, { ...fft, store: { ...store(""), wgsl: late } }, kernel(late)])
      expect(await refusal(op)).toMatchObject({ code: "layout", message: expect.stringContaining("wgsl()") });
    await new Promise((resolve) => setTimeout(resolve)); // Vitest fails if a rejection is unhandled.
  });

  it("a kernel's invalid fields and dispatches are rejected by name", async () => {
    const dispatch = (more: object) => ({ ...sound, dispatches: [{ ...sound.dispatches[0], ...more }] });
    const path = "wgsl()";
    for (const [value, field, code] of [
      [null, path, "layout"],
      [5, path, "layout"],
      ["@compute", path, "layout"],
      [[], path, "layout"],
      [{ ...sound, code: undefined }, `${path}.code`, "layout"],
      [{ ...sound, code: "" }, `${path}.code`, "layout"],
      [{ ...sound, code: 5 }, `${path}.code`, "layout"],
      [{ ...sound, dispatches: undefined }, `${path}.dispatches`, "layout"],
      [{ ...sound, dispatches: [] }, `${path}.dispatches`, "layout"],
      [{ ...sound, dispatches: [null] }, `${path}.dispatches[0]`, "layout"],
      [{ ...sound, group: [1, 1, 1] }, `${path}.group`, "layout"],
      [dispatch({ entry: undefined }), `${path}.dispatches[0].entry`, "layout"],
      [dispatch({ entry: 5 }), `${path}.dispatches[0].entry`, "layout"],
      [dispatch({ uniforms: { k: 0.5 } }), `${path}.dispatches[0].uniforms.k`, "layout"],
      ...[
        undefined,
        null,
        Number.NaN,
        5,
        [],
        [1, 1],
        [1, 1, 1, 1],
        [1, -1, 1],
        // biome-ignore lint/suspicious/noSparseArray: this is the error under test
        [, 1, 1],
        [1, 0, 1],
        [1.5, 1, 1],
        [Number.NaN, 1, 1],
        ["1", 1, 1],
        [Infinity, 1, 1],
      ].map((groups) => [dispatch({ groups }), `${path}.dispatches[0].groups`, "layout"] as const),
      [dispatch({ groups: [2 ** 31, 1, 1] }), "groups", "limit"],
    ] as const) {
      const error = await refusal(kernel(() => value as unknown as WgslKernel));
      expect([error.code, error.fields["field"]]).toEqual([code, field]);
      expect(error.message).toContain(field === "groups" ? "workgroups" : field.slice(field.lastIndexOf(".") + 1));
    }
    for (const declarations of [undefined, "fn f() {}"])
      expect(await refusal(kernel((_c, _l, toolkit) => toolkit.items(undefined as never, declarations)))).toMatchObject({
        code: "layout",
        fields: { field: "the body of items()" },
      });
    // undefined is allowed: the kernel does not fit the device, which then uses its reference.
    const plan = await device.plan(kernel(() => undefined));
    expect(plan.text).toBe("(kernel/host mine)");
    plan[Symbol.dispose]();
  });

  it("names that are not allowed in WGSL are rejected by name", async () => {
    const named = (ports: Kernel["ports"], uniforms = {}): Kernel => ({ ...kernel(() => sound), ports, uniforms });
    const port = { access: "write", layout: shape } as const;
    expect(await refusal(named({ "a b": port }))).toMatchObject({ code: "layout", fields: { field: "a b" } });
    for (const name of ["1k", "__x", "_"])
      expect(await refusal(named({ y: port }, { [name]: "u32" }))).toMatchObject({ code: "layout", fields: { field: name } });
  });

  it("the device works afterwards", async () => {
    using x = device.alloc(shape);
    using y = device.alloc(shape);
    const data = Float32Array.from({ length: 128 }, (_, i) => Math.fround(Math.sin(i)));
    x.write(data);
    using plan = await device.plan(kernel(() => sound));
    plan.run({ x, y });
    expect(await y.read()).toEqual(data);
  });
});

describe("places of messages", () => {
  const code = [
    "fn a() {",
    "//<dechirp 2 load.wgsl",
    "one",
    "two",
    "}",
    "",
    "",
    "fn b() {",
    "//<dechirp 1 store.wgsl",
    "three",
    "}",
    "",
    "rest",
  ].join("\n");

  it("are in the text, at its beginning or end, or in the generated code", () => {
    expect(placeOf(code, 4, 2)).toEqual({ field: "load.wgsl", line: 2, column: 2 });
    expect(placeOf(code, 10, 5)).toEqual({ field: "store.wgsl", line: 1, column: 5 });
    expect(placeOf(code, 5, 1)).toEqual({ field: "load.wgsl", line: 2, column: 4 });
    expect(placeOf(code, 8, 1)).toEqual({ field: "store.wgsl", line: 1, column: 1 });
    expect(placeOf(code, 13, 3)).toEqual({ line: 13, column: 3 });
    expect(placeOf(code, 99, 3)).toEqual({ line: 99, column: 3 });
  });

  it("are at the end of a text that leaves a bracket or a comment wherever the compiler notices it", () => {
    for (const open of ["{", "((", "a[", "/* a", "/* /* */", "// }\n{", "}", "{ /* } */"]) {
      const lines = code.replace("two", open).replace(" 2 ", ` ${1 + open.split("\n").length} `);
      const last = open.split("\n").at(-1) ?? "";
      const more = open.split("\n").length - 1;
      const at = { field: "load.wgsl", line: 2 + more, column: last.length + 1 };
      for (const line of [6, 8, 10, 13, 99]) expect(placeOf(lines, line + more, 1), `${open} ${line}`).toEqual(at);
    }
    for (const closed of ["/* { */", "// {", "/* /* ( */ */ ()", "} fn c() {", "a // */"]) {
      expect(placeOf(code.replace("two", closed), 10, 5), closed).toEqual({ field: "store.wgsl", line: 1, column: 5 });
    }
  });

  it("are in the innermost text if one contains others", () => {
    const kernel = ["//<dechirp 7 wgsl", ...code.split("\n").slice(0, 6), "mine", "}", "rest"].join("\n");
    expect(placeOf(kernel, 4, 2)).toEqual({ field: "load.wgsl", line: 1, column: 2 });
    expect(placeOf(kernel, 6, 1)).toEqual({ field: "load.wgsl", line: 2, column: 4 });
    expect(placeOf(kernel, 8, 3)).toEqual({ field: "wgsl", line: 7, column: 3 });
    expect(placeOf(kernel, 10, 1)).toEqual({ line: 10, column: 1 });
  });

  it("are in the text itself if its comments look like marks", () => {
    for (const comment of [
      "//<dechirp load.wgsl",
      "//<dechirp 999999999999999999999 x",
      "//<dechirp 3 x",
      "//>dechirp",
      "//<dechirp -1 x",
    ]) {
      expect(placeOf(code.replace("one", comment), 4, 2), comment).toEqual({ field: "load.wgsl", line: 2, column: 2 });
      expect(placeOf(code.replace("one", comment), 10, 5), comment).toEqual({ field: "store.wgsl", line: 1, column: 5 });
    }
  });
});
