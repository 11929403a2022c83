/** Tests of expressions as users write them: the functions, the text form, and the hooks and maps made of both. */
import { describe, expect, it } from "vitest";
import { flatten } from "../src/expression/build.ts";
import { format } from "../src/expression/format.ts";
import { parse } from "../src/expression/text.ts";
import {
  abs,
  asU32,
  cis,
  complex,
  conj,
  type Domain,
  divide,
  type Expression,
  equal,
  floor,
  inside,
  less,
  load,
  map,
  minus,
  mod,
  negate,
  or,
  plus,
  re,
  sampleLoad,
  select,
  shiftLeft,
  shiftRight,
  store,
  sum,
  times,
  toI32,
  toReal,
  u32,
} from "../src/expression.ts";
import { fft, layout, program, validateOp } from "../src/index.ts";

const lines = layout("c64", [6, 8]);
const line = layout("f32", [8]);
const words = layout("u32", [6]);
const sources = { x: lines, w: line, p: words } as const;
const layoutFailure = (field: string, offset?: number) =>
  expect.objectContaining({ code: "layout", fields: expect.objectContaining({ field, ...(offset !== undefined && { offset }) }) });

describe("functions", () => {
  it("make data that survives JSON, with each value once", () => {
    const window = load({ layout: lines, sources: { x: lines, w: line } }, ({ at, x, w }) => times(x(at), w(at[1])));
    expect(window.expression).toEqual({
      nodes: [
        ["index", 0],
        ["index", 1],
        ["load", "x", 0, 1],
        ["load", "w", 1],
        ["mul", 2, 3],
      ],
      results: [4],
    });
    expect(JSON.parse(JSON.stringify(window))).toEqual(window);
    expect(structuredClone(window)).toEqual(window);
    validateOp(JSON.parse(JSON.stringify(fft(lines, { axis: 1, load: window }))));
  });

  it("never expand a value that is used often", () => {
    const { expression } = load({ layout: lines, sources: { x: lines } }, ({ at, x }) => {
      let value = x(at);
      for (let i = 0; i < 60; i++) value = plus(value, value);
      return value;
    });
    expect(expression?.nodes.length).toBe(63);
  });

  it("take deep formulas, but not more nodes than are allowed", () => {
    const deep = (count: number) => () =>
      load({ layout: lines, sources: { x: lines } }, ({ at, x }) => {
        let value = x(at);
        for (let i = 0; i < count; i++) value = times(value, 1 + 1 / (i + 2));
        return value;
      });
    expect(deep(2000)().expression?.nodes.length).toBe(4003);
    expect(deep(3000)).toThrow(expect.objectContaining({ code: "limit" }));
  });

  it("merge equal values and fold negative zero into data that JSON has", () => {
    const { expression } = load({ layout: lines, sources: { x: lines } }, ({ at, x }) =>
      plus(times(x(at), re(x(at))), times(re(x(at)), -0)),
    );
    expect(JSON.parse(JSON.stringify(expression))).toEqual(expression);
    expect(expression?.nodes.filter(([operator]) => operator === "load").length).toBe(1);
  });

  it("have kinds that the compiler knows", () => {
    load({ layout: lines, sources, uniforms: { bin: "i32", gain: "f32" } }, ({ at, x, w, p, bin, gain }) => {
      // @ts-expect-error an index is not a real number
      expect(() => times(at[0], w(at[1]))).toThrow(layoutFailure("operands of mul"));
      // @ts-expect-error a real index
      expect(() => w(w(0))).toThrow(layoutFailure("indices of w"));
      // @ts-expect-error a condition
      expect(() => select(at[0], 1, 2)).toThrow(layoutFailure("operands of select"));
      // @ts-expect-error no shift of reals
      expect(() => shiftRight(w(0), 3)).toThrow(layoutFailure("operands of shr"));
      // @ts-expect-error no source of this name
      expect({ at, x }.y).toBeUndefined();
      const cell = toReal(minus(at[1], bin));
      const phase = cis(shiftRight(p(at[0]), 4));
      return times(times(x(at), phase), times(plus(cell, gain), 0.5));
    });
  });

  it.each<readonly [string, () => unknown, unknown]>([
    [
      "NaN",
      () => load({ layout: lines, sources: { x: lines } }, ({ at, x }) => times(x(at), Number.NaN)),
      layoutFailure("a real constant"),
    ],
    ["1e39", () => load({ layout: lines, sources: { x: lines } }, ({ at, x }) => times(x(at), 1e39)), layoutFailure("a real constant")],
    [
      "a fractional index",
      () => load({ layout: lines, sources: { x: lines } }, ({ at, x }) => x(at[0], 0.5)),
      layoutFailure("an i32 constant"),
    ],
    ["an index too few", () => load({ layout: lines, sources: { x: lines } }, ({ at, x }) => x(at[0])), layoutFailure("indices of x")],
    [
      "no value",
      () => load({ layout: lines, sources: { x: lines } }, () => undefined as never),
      layoutFailure("an operand of an expression"),
    ],
    ["a source called at", () => load({ layout: lines, sources: { at: lines } } as never, () => 1), layoutFailure("sources.at")],
    [
      "operators of JavaScript",
      () => load({ layout: lines, sources: { x: lines } }, ({ at, x }) => times(x(at), (at[0] as never) > 3 ? 1 : 0)),
      layoutFailure("an operand of an operator of JavaScript"),
    ],
    ["a sum that is too long", () => load({ layout: lines, sources: {} }, () => sum(1e7, toReal)), layoutFailure("count")],
    [
      "a name with a space",
      () => load({ layout: lines, sources: { "a b": lines } }, ({ at, ...all }) => all["a b"](at)),
      layoutFailure("sources.a b"),
    ],
    ["a name for two", () => load({ layout: lines, sources: { x: lines }, uniforms: { x: "f32" } }, () => 1), layoutFailure("uniforms")],
    [
      "a sum without most",
      () => load({ layout: lines, sources: {}, uniforms: { n: "i32" } }, ({ n }) => sum(n, toReal)),
      layoutFailure("most"),
    ],
    ["no output", () => map({ shape: [4], sources: {}, outputs: { y: "f32" } }, () => ({}) as never), layoutFailure("outputs.y")],
  ])("refuse %s", (_, make, error) => {
    expect(make).toThrow(error as Error);
  });

  it("refuse a term outside its sum", () => {
    let stolen: unknown;
    expect(() =>
      load({ layout: lines, sources: { w: line } }, ({ w }) =>
        plus(
          sum(3, (j) => {
            stolen = w(j);
            return w(j);
          }),
          stolen as number,
        ),
      ),
    ).toThrow(layoutFailure("expression.nodes[4]"));
  });
});

describe("texts", () => {
  const domain: Domain = { shape: [6, 8], sources, uniforms: { shift: "i32", gain: "f32" } };
  const same = (text: string, made: unknown): void => expect(flatten([parse(text, domain) as never])).toEqual(flatten([made as never]));

  it("make what the functions make", () => {
    load({ ...domain, layout: lines, sources, uniforms: { shift: "i32", gain: "f32" } }, ({ at, x, w, p, shift, gain }) => {
      same("x * w[i1]", times(x(at), w(at[1])));
      same("x[i0, (i1 + shift) % 8] * gain / 2", divide(times(x(at[0], mod(plus(at[1], shift), 8)), gain), 2));
      same("inside(x, i0 - 1, i1)", inside(x, minus(at[0], 1), at[1]));
      same("inside(x)", inside(x, at));
      same(
        "sum(j, 4, w[j] * w[j])",
        sum(4, (j) => times(w(j), w(j))),
      );
      same(
        "sum(j, shift, 16, w[j])",
        sum(shift, (j) => w(j), 16),
      );
      same("a = re(x * conj(x)); a * a", times(re(times(x(at), conj(x(at)))), re(times(x(at), conj(x(at))))));
      same("a = w[0]\n-a + 1", plus(negate(w(0)), 1));
      same(
        "select(w[i1] < 0.5 & finite(x), x, complex(0, gain))",
        select(parse("w[i1] < 0.5 & finite(x)", domain) as never, x(at), complex(0, gain)),
      );
      same("cis(p[i0] >> 3)", cis(shiftRight(p(at[0]), 3)));
      same("toI32(floor(gain * 1e-3)) + 0x10", plus(toI32(floor(times(gain, 1e-3))), 16));
      same("asU32(i0) * u32(5)", times(asU32(at[0]), u32(5)));
      same("abs(i0 - 3) > 2", less(2, abs(minus(at[0], 3))));
      same("(a = x; (b = a * a; b * conj(b)))", times(times(x(at), x(at)), conj(times(x(at), x(at)))));
      same("i0 + 2 * i1 - 4 << 1 == 10 | false", or(equal(shiftLeft(minus(plus(at[0], times(2, at[1])), 4), 1), 10), false));
      return 1;
    });
  });

  it.each([
    ["", 0, "a result"],
    ["x *", 3, "a value"],
    ["x * y", 4, "a source, a uniform"],
    ["x[i0]", 0, "indices of x"],
    ["x * w", 5, "1 indices of w"],
    ["x[i0, i1", 8, '"]"'],
    ["x w", 2, "an operator"],
    ["x @ w", 2, "a number, a name or an operator"],
    ["x = 2; x", 0, "a name that is not taken"],
    ["a = 2; a = 3; a", 7, "a name that is not taken"],
    ["a = x", 5, "a result"],
    ["x; x", 3, "the end"],
    ["sum(i0, 3, x)", 4, "a new name"],
    ["sum(j, 3, w[j]) + j", 18, "a source"],
    ["(a = x; a) + a", 13, "a source"],
    ["inside(gain, 1)", 7, "the name of a source"],
    [`${"(".repeat(2000)}1`, 100, "at most 100"],
    [`${"-".repeat(2000)}gain`, 100, "at most 100"],
  ])("refuse %j, at the character", (text, offset, expected) => {
    expect(() => parse(text, domain)).toThrow(layoutFailure("expression", offset));
    expect(() => parse(text, domain)).toThrow(expected);
  });

  it.each([
    ["sum(j, 3, w[q])", 12],
    ["sum(j, 3, sum(k, 3, w[j + q]))", 26],
    ["sum(j, 3, )", 10],
    ["min(gain, 1, 2)", 0],
    ["re(x, x)", 0],
    ["atan2(gain)", 0],
  ])("refuse %j where it is wrong, and say so once", (text, offset) => {
    expect(() => parse(text, domain)).toThrow(layoutFailure("expression", offset));
    expect(() => parse(text, domain)).toThrow(/^expression: (?!expression)/);
  });

  it.each(["i0", "i7", "log", "sum", "inside", "true", "u32"])(
    "refuse a source or uniform with the name %s, which means something else",
    (name) => {
      const uniform: Domain = { shape: [6, 8], sources, uniforms: { [name]: "f32" } };
      const source: Domain = { shape: [6, 8], sources: { x: lines, [name]: line } };
      for (const named of [uniform, source]) {
        expect(() => parse("x", named)).toThrow(layoutFailure(`sources.${name}`));
        expect(() => format({ nodes: [["real", 1]], results: [0] }, named)).toThrow(layoutFailure(`sources.${name}`));
      }
      // Functions have no such names to confuse it with.
      expect(() =>
        load({ layout: lines, sources: source.sources }, (names) => (names as never as Record<string, (j: number) => never>)[name](0)),
      ).not.toThrow();
    },
  );

  it("refuse kinds that do not fit, at the operator", () => {
    expect(() => parse("x * (w[i1] << 2)", domain)).toThrow(layoutFailure("expression", 11));
    expect(() => parse("x[w[i1], 0]", domain)).toThrow(layoutFailure("expression", 0));
  });

  it("make hooks, stores and maps", () => {
    const byText = load({ layout: lines, sources: { x: lines, w: line } }, "x * w[i1]");
    expect(byText).toEqual(load({ layout: lines, sources: { x: lines, w: line } }, ({ at, x, w }) => times(x(at), w(at[1]))));
    expect(store({ layout: lines, dtype: "f32", sources: {} }, "re(value * conj(value))")).toEqual(
      store({ layout: lines, dtype: "f32", sources: {} }, ({ value }) => re(times(value, conj(value)))),
    );
    const outputs = { y: "c64", power: "f32" } as const;
    const both = map({ shape: [6, 8], sources: { x: lines, w: line }, outputs }, "y = x * w[i1]; power = re(y * conj(y))");
    expect(both).toEqual(
      map({ shape: [6, 8], sources: { x: lines, w: line }, outputs }, ({ at, x, w }) => {
        const y = times(x(at), w(at[1]));
        return { y, power: re(times(y, conj(y))) };
      }),
    );
    validateOp(both);
  });

  it("of expressions make these expressions again", () => {
    const texts = [
      "x * w[i1]",
      "a = x * x; b = a * a; a - b * (a + b) / (gain - 1)",
      "sum(j, 4, (a = w[j]; a * a * sum(k, 3, (b = w[j + k]; b - b * b)))) * x",
      "inside(x, i0 - (i1 - shift), mod(i1, 3))".replace("mod(i1, 3)", "i1 % 3"),
      "select(!(w[i1] <= gain) ^ finite(x), x, conj(-x))",
      "cis(p[i0] * 3 + asU32(i1)) * toReal(asI32(p[i0]) >> 31) * real(-0.5)",
      Array.from({ length: 300 }, (_, i) => `v${i} = abs(${i === 0 ? "gain" : `v${i - 1}`} - ${i})`)
        .concat("v299")
        .join("\n"),
    ];
    for (const text of texts) {
      const expression: Expression = flatten([parse(text, domain) as never]);
      const again = flatten([parse(format(expression, domain), domain) as never]);
      expect(again, format(expression, domain)).toEqual(expression);
    }
  });
});

describe("options", () => {
  it.each([
    [undefined, "options of"],
    [{}, "layout"],
    [{ layout: { dtype: "c64", shape: [4, 0] }, shape: [4, 0] }, "layout.shape[1]"],
    [{ layout: lines, shape: [6, 8] }, "sources"],
    [{ layout: lines, shape: [6, 8], sources: null }, "sources"],
    [{ layout: lines, shape: [6, 8], sources: { x: null } }, "sources.x"],
    [{ layout: lines, shape: [6, 8], sources: { x: { dtype: "c65", shape: [6, 8] } } }, "sources.x.dtype"],
    [{ layout: lines, shape: [6, 8], sources: { x: lines }, uniforms: null }, "uniforms"],
    [{ layout: lines, shape: [6, 8], sources: { x: lines }, uniform: { gain: "f32" } }, "uniform"],
  ])("refuse %j, naming %s", (given, field) => {
    for (const make of [load, store, map] as ((options: never, compute: never) => unknown)[]) {
      const options = given && (make === map ? { outputs: { y: "c64" }, ...given } : given);
      let thrown: unknown;
      try {
        make(options as never, (() => 1) as never);
      } catch (error) {
        thrown = error;
      }
      expect(thrown).toMatchObject({ code: "layout" });
      // The extents of a map are its own option.
      const named = make === map ? field.replace("layout", "map") : field;
      expect((thrown as { fields: { field: string } }).fields.field).toContain(named.replace(/^map$/, "map.shape"));
    }
  });

  it("of maps need complex outputs for complex values", () => {
    const options = { shape: [6, 8], sources: { x: lines }, outputs: { y: "f32" } } as const;
    expect(() => map(options, "y = x")).toThrow(layoutFailure("outputs.y"));
    expect(() => map(options, "y = re(x)")).not.toThrow();
  });

  it("of maps need outputs, and of ready-made loads layouts", () => {
    expect(() => map({ shape: [4], sources: {} } as never, "y = 1")).toThrow(layoutFailure("outputs"));
    expect(() => sampleLoad({} as never)).toThrow(layoutFailure("layout"));
    expect(() => sampleLoad({ layout: lines, samples: null } as never)).toThrow(layoutFailure("samples"));
    expect(() => sampleLoad({ layout: lines, scale: 1e300 })).toThrow(layoutFailure("scale"));
  });
});

describe("hooks", () => {
  it("fit only ops with the extents that they are written for", () => {
    const filter = (options: object) => ({ op: "spectral-filter", layout: lines, axis: 1, n: 16, h: "line", ...options }) as never;
    const hook = (shape: readonly number[]) => load({ layout: layout("c64", shape), sources: {} }, ({ at }) => toReal(at[0]));
    const kept = (shape: readonly number[]) => store({ layout: layout("c64", shape), sources: {}, dtype: "u8" }, ({ at }) => toReal(at[0]));
    for (const right of [{ load: hook([6, 8]) }, { h: hook([6, 16]) }, { keep: [2, 3], store: kept([6, 3]) }])
      expect(() => validateOp(filter(right))).not.toThrow();
    for (const [field, options] of Object.entries({ load: { load: hook([6, 16]) }, h: { h: hook([16]) }, store: { store: kept([8, 6]) } }))
      expect(() => validateOp(filter(options))).toThrow(layoutFailure(`${field}.shape`));
    // What does not depend on the index fits all.
    const doubled = store({ layout: lines, sources: {}, dtype: "c64" }, ({ value }) => times(2, value));
    expect(() => validateOp(filter({ store: doubled }))).not.toThrow();
  });
});

describe("ready-made loads", () => {
  it("combine offset, gain, window and scale", () => {
    const hook = sampleLoad({ layout: lines, samples: layout("ci16", [6, 8]), offset: 0, gain: 0, window: 1, scale: 2 ** -15 });
    expect(Object.keys(hook.sources)).toEqual(["samples", "offset", "gain", "window"]);
    expect(hook.sources["offset"]).toEqual(layout("c64", [6]));
    validateOp(fft(lines, { axis: 1, load: hook }));
    expect(sampleLoad({ layout: lines, offset: "all" }).sources["offset"]).toEqual(layout("c64", [1]));
  });

  it("name the option that is wrong", () => {
    expect(() => sampleLoad({ layout: lines, window: 2 })).toThrow(layoutFailure("window"));
    expect(() => sampleLoad({ layout: lines, samples: layout("ci8", [8, 6]) })).toThrow(layoutFailure("samples.shape"));
    expect(() => sampleLoad({ layout: lines, scale: Number.NaN })).toThrow(layoutFailure("scale"));
    expect(() => sampleLoad({ layout: lines, windows: 1 } as never)).toThrow(layoutFailure("windows"));
  });
});

it("are typed by their outputs in programs", () => {
  const op = map({ shape: [6, 8], sources: { in: lines }, outputs: { out: "f32" } }, "abs(in)");
  expect(op.outputs.out).toBe("f32");
  void program;
});
