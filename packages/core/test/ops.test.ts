/** Tests of ops: which are valid, their ports, texts and costs, and their lowerings. */
import { describe, expect, test } from "vitest";
import { addCosts, keptLayout, lower, onePassCost } from "../src/backend.ts";
import {
  type Fft,
  formatOp,
  type Kernel,
  type Load,
  layout,
  type Op,
  type Program,
  portsOf,
  resultLayout,
  type SpectralFilter,
  type Store,
  type TransformOp,
  transformLayout,
  transformLength,
  uniformsOf,
  validateOp,
} from "../src/index.ts";
import { valueLayouts } from "../src/program.ts";
import { c64 } from "./fake.ts";

const fft: Fft = { op: "fft", layout: c64(4, 16), axis: 1, inverse: false };
const load: Load = {
  name: "gain",
  sources: { raw: layout("ci8", [4, 16]), gain: layout("f32", [4]) },
  uniforms: { scale: "f32" },
  reference: () => [0, 0],
};
const store: Store = {
  name: "power",
  dtype: "u8",
  sources: { weight: layout("f32", [16]) },
  uniforms: { level: "f32" },
  reference: () => [0, 0],
};
const chirp: Load = {
  name: "chirp",
  sources: { rates: layout("u32", [4, 3]) },
  uniforms: { delay: "i32" },
  reference: () => [1, 0],
};
const computed: SpectralFilter = { op: "spectral-filter", layout: c64(4, 16), axis: 1, n: 20, h: chirp };
const kernel: Kernel = {
  op: "kernel",
  name: "k",
  ports: { x: { access: "read", layout: c64(3) }, y: { access: "update", layout: c64(5) } },
  items: 3,
  reference() {},
};

describe("validateOp", () => {
  test.each<[string, unknown, string]>([
    ["nothing", undefined, "op"],
    ["an unknown op", { op: "dct" }, "op.op"],
    ["no layout", { ...fft, layout: undefined }, "layout"],
    ["a real layout", { ...fft, layout: layout("f32", [4]) }, "layout.dtype"],
    ["an axis too many", { ...fft, axis: 2 }, "axis"],
    ["a negative axis", { ...fft, axis: -1 }, "axis"],
    ["no direction", { ...fft, inverse: undefined }, "inverse"],
    ["n = 0", { ...fft, n: 0 }, "n"],
    ["n = 2.5", { ...fft, n: 2.5 }, "n"],
    ["n too large", { ...fft, n: 2 ** 26 + 1 }, "n"],
    ["n that makes an array too large", { ...fft, layout: c64(1024, 16), n: 2 ** 23 }, "transformed layout.shape"],
    ["keep that is no pair", { ...fft, keep: {} }, "keep"],
    ["keep of three", { ...fft, keep: [0, 1, 2] }, "keep"],
    ["keep from a fraction", { ...fft, keep: [0.5, 1] }, "keep"],
    ["keep of none", { ...fft, keep: [0, 0] }, "keep"],
    ["keep beyond the end", { ...fft, keep: [10, 7] }, "keep"],
    ["keep beyond a half spectrum", { op: "real-fft", layout: layout("f32", [16]), axis: 0, inverse: false, keep: [8, 2] }, "keep"],
    ["a complex forward real-fft", { op: "real-fft", layout: c64(4), axis: 0, inverse: false }, "layout.dtype"],
    ["a real inverse real-fft", { op: "real-fft", layout: layout("f32", [4]), axis: 0, inverse: true }, "layout.dtype"],
    ["one bin without n", { op: "real-fft", layout: c64(1), axis: 0, inverse: true }, "n"],
    ["a filter of no shape", { op: "spectral-filter", layout: c64(4), axis: 0 }, "h"],
    ["a filter of some shape", { op: "multiply", layout: c64(4), axis: 0, h: "some" }, "h"],
    ["a filter that is null", { ...computed, h: null }, "h"],
    ["a filter that is a function", { ...computed, h: () => [1, 0] }, "h"],
    ["a product with a computed filter", { op: "multiply", layout: c64(4), axis: 0, h: chirp }, "h"],
    ["a computed filter without reference", { ...computed, h: { ...chirp, reference: undefined } }, "h.reference"],
    ["a computed filter without sources", { ...computed, h: { ...chirp, sources: undefined } }, "h.sources"],
    ["a computed filter of a reserved name", { ...computed, h: { ...chirp, sources: { h: c64(1) } } }, "h.sources.h"],
    ["a computed filter that shares a load's source", { ...computed, load, h: { ...chirp, sources: load.sources } }, "h.sources.raw"],
    ["a computed filter that shares a store's source", { ...computed, store, h: { ...chirp, sources: store.sources } }, "h.sources.weight"],
    [
      "a computed filter that shares a load's uniform",
      { ...computed, load, h: { ...chirp, uniforms: { scale: "f32" } } },
      "h.uniforms.scale",
    ],
    [
      "a computed filter that shares a store's uniform",
      { ...computed, store, h: { ...chirp, uniforms: { level: "f32" } } },
      "h.uniforms.level",
    ],
    ["a computed filter with a broken uniform", { ...computed, h: { ...chirp, uniforms: { a: "f64" } } }, "h.uniforms.a"],
    ["a computed filter with a store's field", { ...computed, h: { ...chirp, dtype: "c64" } }, "h.dtype"],
    [
      "a computed filter with a broken source",
      { ...computed, h: { ...chirp, sources: { a: { dtype: "c65", shape: [1] } } } },
      "h.sources.a.dtype",
    ],
    ["a load without reference", { ...fft, load: { ...load, reference: undefined } }, "load.reference"],
    ["a load without sources", { ...fft, load: { ...load, sources: undefined } }, "load.sources"],
    ["a load of a reserved name", { ...fft, load: { ...load, sources: { out: c64(1) } } }, "load.sources.out"],
    ["a load of a broken source", { ...fft, load: { ...load, sources: { raw: { dtype: "c64", shape: [] } } } }, "load.sources.raw.shape"],
    ["a load with a broken uniform", { ...fft, load: { ...load, uniforms: { a: "f64" } } }, "load.uniforms.a"],
    ["a store that shares a source name", { ...fft, load, store: { ...store, sources: { raw: c64(1) } } }, "store.sources.raw"],
    ["a store that shares a uniform", { ...fft, load, store: { ...store, uniforms: { scale: "f32" } } }, "store.uniforms.scale"],
    ["a store of no type", { ...fft, store: { ...store, dtype: "x" } }, "store.dtype"],
    ["a permutation too short", { op: "transpose", layout: c64(2, 3), permutation: [0] }, "permutation"],
    ["a permutation with an axis twice", { op: "transpose", layout: c64(2, 3), permutation: [0, 0] }, "permutation"],
    ["no permutation", { op: "transpose", layout: c64(2, 3) }, "permutation"],
    ["a conversion of complex to real", { op: "convert", layout: c64(2), to: "f32" }, "to"],
    ["a conversion of real to complex", { op: "convert", layout: layout("f32", [2]), to: "c64" }, "to"],
    ["a conversion to nothing", { op: "convert", layout: c64(2), to: "valueOf" }, "to"],
    ["a scale that is no number", { op: "convert", layout: c64(2), to: "c64", scale: Infinity }, "scale"],
    ["a kernel without reference", { ...kernel, reference: undefined }, "reference"],
    ["a kernel of no items", { ...kernel, items: 0 }, "items"],
    ["a kernel that asks for an unknown measurement", { ...kernel, measured: ["cosineError"] }, "measured"],
    ["a kernel that asks for no list", { ...kernel, measured: "sineError" }, "measured"],
    ["a kernel without ports", { ...kernel, ports: undefined }, "ports"],
    ["a kernel that writes nothing", { ...kernel, ports: { x: kernel.ports["x"] } }, "ports"],
    ["a kernel with a broken port", { ...kernel, ports: { x: null } }, "ports.x.layout"],
    ["a kernel with a port of no access", { ...kernel, ports: { x: { access: "peek", layout: c64(1) } } }, "ports.x.access"],
    ["a kernel with a broken uniform", { ...kernel, uniforms: { a: "float" } }, "uniforms.a"],
    ["an fft with a field of numpy's", { ...fft, norm: "ortho" }, "norm"],
    ["an fft with a filter's field", { ...fft, h: "line" }, "h"],
    ["a misspelt field", { ...fft, keeps: [0, 1] }, "keeps"],
    ["a field that objects inherit", { ...fft, toString: 1 }, "toString"],
    ["a real-fft with an unknown field", { op: "real-fft", layout: c64(4), axis: 0, inverse: true, length: 6 }, "length"],
    ["a filter with a direction", { op: "spectral-filter", layout: c64(4), axis: 0, h: "line", inverse: true }, "inverse"],
    ["a product with a load", { op: "multiply", layout: c64(4), axis: 0, h: "line", load }, "load"],
    ["a transposition with an axis", { op: "transpose", layout: c64(2, 3), permutation: [1, 0], axis: 1 }, "axis"],
    ["a conversion with an offset", { op: "convert", layout: c64(2), to: "ci16", offset: 1 }, "offset"],
    ["a kernel with an unknown field", { ...kernel, workgroups: 3 }, "workgroups"],
    ["a port with an unknown field", { ...kernel, ports: { x: { access: "write", layout: c64(1), offset: 1 } } }, "ports.x.offset"],
    ["a load with a store's field", { ...fft, load: { ...load, dtype: "u8" } }, "load.dtype"],
    ["a store with an unknown field", { ...fft, store: { ...store, scale: 2 } }, "store.scale"],
  ])("rejects %s", (_, op, field) => {
    expect(() => validateOp(op as Op)).toThrowError(
      expect.objectContaining({ name: "RadarError", fields: expect.objectContaining({ field }) }),
    );
  });

  test.each<Op>([
    fft,
    { ...fft, n: 7, keep: [0, 7], load, store },
    { ...computed, keep: [0, 7], cornerTurn: true, load, store },
    { ...computed, op: "filter-inverse" },
    kernel,
    { op: "real-fft", layout: c64(1), axis: 0, inverse: true, n: 1 },
    { op: "transpose", layout: c64(2, 3), permutation: [1, 0] },
    { ...fft, norm: undefined } as Op,
  ])("accepts a valid op: %#", (op) => {
    expect(() => validateOp(op)).not.toThrow();
  });
});

const portTexts = (op: Op): Record<string, string> =>
  Object.fromEntries(Object.entries(portsOf(op)).map(([name, { access, layout: l }]) => [name, `${access} ${l.dtype}[${l.shape}]`]));

describe("ports", () => {
  test.each<[Op, Record<string, string>]>([
    [fft, { in: "read c64[4,16]", out: "write c64[4,16]" }],
    [
      { ...fft, n: 20, keep: [3, 9] },
      { in: "read c64[4,16]", out: "write c64[4,9]" },
    ],
    [
      { ...fft, load, store },
      { raw: "read ci8[4,16]", gain: "read f32[4]", weight: "read f32[16]", out: "write u8[4,16]" },
    ],
    [
      { op: "real-fft", layout: layout("f64", [3, 9]), axis: 1, inverse: false },
      { in: "read f64[3,9]", out: "write c128[3,5]" },
    ],
    [
      { op: "real-fft", layout: c64(3, 5), axis: 1, inverse: true },
      { in: "read c64[3,5]", out: "write f32[3,8]" },
    ],
    [
      { op: "real-fft", layout: c64(3, 5), axis: 1, inverse: true, n: 9 },
      { in: "read c64[3,5]", out: "write f32[3,9]" },
    ],
    [
      { op: "spectral-filter", layout: c64(4, 16), axis: 0, n: 6, h: "line", keep: [1, 2] },
      { in: "read c64[4,16]", h: "read c64[6]", out: "write c64[2,16]" },
    ],
    [
      { op: "filter-inverse", layout: c64(4, 16), axis: 0, n: 6, h: "all" },
      { in: "read c64[4,16]", h: "read c64[6,16]", out: "write c64[6,16]" },
    ],
    [computed, { in: "read c64[4,16]", rates: "read u32[4,3]", out: "write c64[4,20]" }],
    [
      { ...computed, op: "filter-inverse", load, store },
      { raw: "read ci8[4,16]", gain: "read f32[4]", rates: "read u32[4,3]", weight: "read f32[16]", out: "write u8[4,20]" },
    ],
    [
      { op: "multiply", layout: c64(4, 16), axis: 0, h: "line" },
      { in: "read c64[4,16]", h: "read c64[4]", out: "write c64[4,16]" },
    ],
    [
      { op: "transpose", layout: c64(2, 3, 4), permutation: [2, 0, 1] },
      { in: "read c64[2,3,4]", out: "write c64[4,2,3]" },
    ],
    [
      { op: "convert", layout: c64(2), to: "ci16" },
      { in: "read c64[2]", out: "write ci16[2]" },
    ],
    [kernel, { x: "read c64[3]", y: "update c64[5]" }],
  ])("%#", (op, expected) => {
    expect(portTexts(op)).toEqual(expected);
  });

  test("transforms have lengths, and layouts before and after keep", () => {
    const op: TransformOp = { ...fft, n: 20, keep: [3, 9] };
    expect([transformLength(op), transformLayout(op).shape, keptLayout(op).shape]).toEqual([20, [4, 20], [4, 9]]);
    expect(transformLength({ op: "real-fft", layout: c64(9), axis: 0, inverse: true })).toBe(16);
  });

  test("the result's layout is that of port out", () => {
    const turned: TransformOp = { ...fft, n: 20, keep: [3, 9], cornerTurn: true };
    expect(resultLayout(turned)).toEqual(layout("c64", [9, 4]));
    expect(resultLayout({ ...turned, store })).toEqual(layout(store.dtype, [9, 4]));
    expect(resultLayout({ op: "transpose", layout: c64(2, 3, 4), permutation: [2, 0, 1] })).toEqual(c64(4, 2, 3));
    expect(resultLayout({ op: "convert", layout: c64(2, 3), to: "ci16" })).toEqual(layout("ci16", [2, 3]));
    expect(resultLayout({ op: "real-fft", layout: layout("f32", [3, 8]), axis: 1, inverse: false, cornerTurn: true })).toEqual(c64(5, 3));
  });

  test("uniforms come from all hooks or from the kernel", () => {
    expect(uniformsOf({ ...computed, load, store })).toEqual({ scale: "f32", delay: "i32", level: "f32" });
    expect(uniformsOf({ ...fft, load, store })).toEqual({ scale: "f32", level: "f32" });
    expect(uniformsOf(fft)).toEqual({});
    expect(uniformsOf({ ...kernel, uniforms: { a: "i32" } })).toEqual({ a: "i32" });
  });
});

describe("texts and costs", () => {
  test.each<[Op, string]>([
    [{ ...fft, n: 20, keep: [3, 9], inverse: true, load, store }, "fft c64[4, 16] axis=1 n=20 inverse keep=3+9 load=gain store=power"],
    [{ op: "spectral-filter", layout: c64(4), axis: 0, h: "all" }, "spectral-filter c64[4] axis=0 n=4 h=all"],
    [{ ...computed, keep: [3, 9], load, store }, "spectral-filter c64[4, 16] axis=1 n=20 keep=3+9 load=gain h=chirp store=power"],
    [{ op: "multiply", layout: c64(4), axis: 0, h: "line" }, "multiply c64[4] axis=0 h=line"],
    [{ op: "transpose", layout: c64(2, 3), permutation: [1, 0] }, "transpose c64[2, 3] permutation=1,0"],
    [{ op: "convert", layout: c64(4), to: "ci8" }, "convert c64[4] to=ci8"],
    [kernel, "kernel k"],
  ])("%#", (op, text) => {
    expect(formatOp(op)).toBe(text);
  });

  test("cost counts flops by convention, and bytes once in and once out", () => {
    expect(onePassCost(fft)).toEqual({ flops: 4 * 5 * 16 * 4, bytes: 2 * 4 * 16 * 8, passes: 1 });
    expect(onePassCost({ op: "spectral-filter", layout: c64(4, 16), axis: 1, h: "line" })).toEqual({
      flops: 4 * (2 * 5 * 16 * 4 + 6 * 16),
      bytes: (2 * 4 * 16 + 16) * 8,
      passes: 1,
    });
    expect(onePassCost({ op: "real-fft", layout: layout("f32", [16]), axis: 0, inverse: false })).toEqual({
      flops: 2.5 * 16 * 4,
      bytes: 16 * 4 + 9 * 8,
      passes: 1,
    });
    expect(onePassCost({ op: "transpose", layout: c64(2, 3), permutation: [1, 0] }).flops).toBe(0);
    expect(onePassCost({ ...kernel, flops: 77 })).toEqual({ flops: 77, bytes: (3 + 2 * 5) * 8, passes: 1 });
    expect(
      addCosts([
        { flops: 1, bytes: 2, passes: 3 },
        { flops: 10, bytes: 20, passes: 30 },
      ]),
    ).toEqual({ flops: 11, bytes: 22, passes: 33 });
    expect(addCosts([])).toEqual({ flops: 0, bytes: 0, passes: 0 });
  });
});

describe("lowerings", () => {
  const stepsOf = (op: Op): string[] | undefined => lower(op)?.steps.map((s) => `${s.name}: ${formatOp(s.op)}`);

  test("end with bare transforms and kernels", () => {
    expect(lower(fft)).toBeUndefined();
    expect(lower(kernel)).toBeUndefined();
  });

  test.each<[Op, string[]]>([
    [{ ...fft, n: 20, keep: [3, 9] }, ["resize: map resize axis=1 0+20 [4, 20]", "transform: fft c64[4, 20] axis=1 n=20 keep=3+9"]],
    [{ ...fft, keep: [3, 9] }, ["transform: fft c64[4, 16] axis=1 n=16", "keep: map resize axis=1 3+9 [4, 9]"]],
    [{ ...fft, load, store }, ["load gain: kernel load:gain", "transform: fft c64[4, 16] axis=1 n=16", "store power: kernel store:power"]],
    [
      { op: "spectral-filter", layout: c64(4, 16), axis: 1, n: 20, h: "line", keep: [1, 2] },
      [
        "transform: fft c64[4, 16] axis=1 n=20",
        "filter: multiply c64[4, 20] axis=1 h=line",
        "inverse: fft c64[4, 20] axis=1 n=20 inverse keep=1+2",
      ],
    ],
    [
      { op: "filter-inverse", layout: c64(16), axis: 0, h: "all" },
      ["filter: multiply c64[16] axis=0 h=all", "inverse: fft c64[16] axis=0 n=16 inverse"],
    ],
    [
      { ...computed, keep: [1, 2] },
      ["transform: fft c64[4, 16] axis=1 n=20", "filter: kernel multiply h=chirp", "inverse: fft c64[4, 20] axis=1 n=20 inverse keep=1+2"],
    ],
    [
      { ...computed, op: "filter-inverse" },
      ["resize: map resize axis=1 0+20 [4, 20]", "filter: kernel multiply h=chirp", "inverse: fft c64[4, 20] axis=1 n=20 inverse"],
    ],
    [
      { ...computed, load, store },
      ["load gain: kernel load:gain", "transform: spectral-filter c64[4, 16] axis=1 n=20 h=chirp", "store power: kernel store:power"],
    ],
    [
      { ...computed, cornerTurn: true },
      ["transform: spectral-filter c64[4, 16] axis=1 n=20 h=chirp", "corner turn: transpose c64[4, 20] permutation=1,0"],
    ],
    [
      { op: "real-fft", layout: layout("f32", [9]), axis: 0, inverse: false },
      ["to complex: map to-complex axis=0 n=9 [9]", "transform: fft c64[9] axis=0 n=9 keep=0+5"],
    ],
    [
      { op: "real-fft", layout: c64(5), axis: 0, inverse: true, n: 9 },
      ["mirror: map hermitian axis=0 n=9 [9]", "transform: fft c64[9] axis=0 n=9 inverse", "real part: map real-part [9]"],
    ],
    [{ op: "transpose", layout: c64(2, 3), permutation: [1, 0] }, ["transpose: map transpose 1,0 [3, 2]"]],
  ])("%#", (op, expected) => {
    expect(stepsOf(op)).toEqual(expected);
  });

  test("have the op's ports as inputs and outputs", () => {
    const program = lower({ ...fft, load, store });
    expect(Object.keys(program?.inputs ?? {})).toEqual(["raw", "gain", "weight"]);
    expect(program?.outputs).toEqual(["out"]);
  });

  test("accept any names of hooks' sources", () => {
    const vector = layout("f32", [16]);
    for (const name of ["loaded", "unstored", "straight", "turned", "line", "full", "spectrum", "filtered", "resized", "toString"]) {
      for (const op of [
        { ...fft, load: { ...load, sources: { [name]: vector } } },
        { ...fft, store: { ...store, sources: { [name]: vector } } },
        { ...fft, cornerTurn: true, load: { ...load, sources: { [name]: vector } }, store },
        { ...computed, h: { ...chirp, sources: { [name]: vector } } },
        { ...computed, op: "filter-inverse" as const, h: { ...chirp, sources: { [name]: vector } } },
        { ...computed, load, store, h: { ...chirp, sources: { [name]: vector } } },
        { ...computed, cornerTurn: true, h: { ...chirp, sources: { [name]: vector } } },
      ]) {
        const program = lower(op);
        expect(Object.keys(valueLayouts(program as Program))).toContain(name);
        expect(Object.keys(program?.inputs ?? {})).toContain(name);
      }
    }
  });
});
