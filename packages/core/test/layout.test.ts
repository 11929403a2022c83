/** Tests of layouts and of `ArrayView`: what they accept, what follows from a layout, and how values are stored. */
import { describe, expect, test } from "vitest";
import { axisView } from "../src/backend.ts";
import {
  ArrayView,
  byteLength,
  checkLayout,
  type DType,
  dtypes,
  elementCount,
  formatLayout,
  type Layout,
  layout,
  realOf,
  sameLayout,
  scalarCount,
  typedArray,
  withAxis,
} from "../src/index.ts";
import { unravel } from "../src/kernels.ts";
import { complexOf, isComplex } from "../src/layout.ts";

describe("layout", () => {
  test("counts elements, scalars and bytes", () => {
    const facts: Record<DType, [numbers: number, bytes: number]> = {
      f32: [6, 24],
      f64: [6, 48],
      c64: [12, 48],
      c128: [12, 96],
      i8: [6, 6],
      i16: [6, 12],
      u8: [6, 6],
      u32: [6, 24],
      ci8: [12, 12],
      ci16: [12, 24],
      cf16: [12, 24],
    };
    for (const dtype of Object.keys(dtypes) as DType[]) {
      const l = layout(dtype, [2, 3]);
      expect([elementCount(l), scalarCount(l), byteLength(l)], dtype).toEqual([6, ...facts[dtype]]);
      expect(typedArray(dtype, scalarCount(l)).byteLength, dtype).toBe(byteLength(l));
      expect(isComplex(dtype)).toBe(dtype.startsWith("c"));
    }
  });

  test("is a copy", () => {
    const shape = [2, 3];
    const l = layout("f32", shape);
    shape[0] = 9;
    expect(l.shape).toEqual([2, 3]);
  });

  test.each<[unknown, string]>([
    [undefined, "layout"],
    [null, "layout"],
    [{ dtype: "c32", shape: [1] }, "layout.dtype"],
    [{ dtype: "toString", shape: [1] }, "layout.dtype"],
    [{ dtype: "c64" }, "layout.shape"],
    [{ dtype: "c64", shape: [] }, "layout.shape"],
    [{ dtype: "c64", shape: "12" }, "layout.shape"],
    [{ dtype: "c64", shape: [2, 0] }, "layout.shape[1]"],
    [{ dtype: "c64", shape: [2.5] }, "layout.shape[0]"],
    [{ dtype: "c64", shape: ["2"] }, "layout.shape[0]"],
    [{ dtype: "c64", shape: [2 ** 16, 2 ** 17] }, "layout.shape"],
  ])("rejects %j", (value, field) => {
    expect(() => checkLayout(value as Layout, "layout")).toThrowError(
      expect.objectContaining({ code: "layout", fields: expect.objectContaining({ field }) }),
    );
  });

  test("has a text, equality, and functions that change axes and precision", () => {
    const l = layout("c64", [3, 4]);
    expect(formatLayout(l)).toBe("c64[3, 4]");
    expect(sameLayout(l, layout("c64", [3, 4]))).toBe(true);
    for (const other of [layout("c128", [3, 4]), layout("c64", [4, 3]), layout("c64", [12]), layout("c64", [3, 4, 1])])
      expect(sameLayout(l, other)).toBe(false);
    expect(withAxis(l, 1, 9)).toEqual(layout("c64", [3, 9]));
    expect([realOf("c64"), realOf("c128"), complexOf("f32"), complexOf("f64")]).toEqual(["f32", "f64", "c64", "c128"]);
  });
});

describe("indices", () => {
  test("axisView splits an array in outer, axis and inner", () => {
    expect([0, 1, 2].map((axis) => axisView(layout("f32", [2, 3, 4]), axis))).toEqual([
      { outers: 1, extent: 2, inners: 12 },
      { outers: 2, extent: 3, inners: 4 },
      { outers: 6, extent: 4, inners: 1 },
    ]);
  });

  test("unravel counts through an array in row-major order", () => {
    const seen: number[][] = [];
    for (let i = 0; i < 12; i++) {
      const at: number[] = [];
      unravel(i, [2, 2, 3], at);
      seen.push(at);
    }
    expect(seen.map((at) => (at[0] * 2 + at[1]) * 3 + at[2])).toEqual([...Array(12).keys()]);
    expect(new Set(seen.map(String)).size).toBe(12);
  });
});

describe("ArrayView", () => {
  const stored = (dtype: DType, value: number): number => {
    const view = new ArrayView(layout(dtype, [1]), typedArray(dtype, dtypes[dtype].components));
    view.set(0, value, value);
    expect(view.im(0)).toBe(isComplex(dtype) ? view.re(0) : 0);
    return view.re(0);
  };

  test.each<[DType, number, number]>([
    ["i8", 127, -128],
    ["ci8", 127, -128],
    ["i16", 32767, -32768],
    ["ci16", 32767, -32768],
    ["u8", 255, 0],
    ["u32", 2 ** 32 - 1, 0],
  ])("%s rounds, saturates and stores NaN as 0", (dtype, high, low) => {
    expect([high + 0.4, high + 0.5, 1e300, Infinity].map((v) => stored(dtype, v))).toEqual([high, high, high, high]);
    expect([low - 0.4, low - 0.5, -1e300, -Infinity].map((v) => stored(dtype, v))).toEqual([low, low, low, low]);
    expect([0.49, 0.5, 1.5, 2.5, Number.NaN].map((v) => stored(dtype, v))).toEqual([0, 1, 2, 3, 0]);
    if (low < 0) expect([-0.49, -0.5, -1.5, -2.5].map((v) => stored(dtype, v) + 0)).toEqual([0, -1, -2, -3]);
  });

  test("floats are stored unchanged", () => {
    expect(stored("f32", 0.1)).toBe(Math.fround(0.1));
    expect(stored("c128", 0.1)).toBe(0.1);
    expect(stored("f64", Infinity)).toBe(Infinity);
    expect(stored("c64", Number.NaN)).toBeNaN();
  });

  test("cf16 stores every half-precision number exactly, and rounds others to nearest, ties to even", () => {
    const words = Uint16Array.from({ length: 2 ** 16 }, (_, i) => i);
    const view = new ArrayView(layout("cf16", [2 ** 15]), words.slice());
    // By definition (IEEE 754): sign, 5 bits of exponent biased by 15, 10 of fraction.
    const meant = (word: number): number => {
      const [exponent, fraction] = [(word >> 10) & 31, (word & 1023) / 1024];
      const magnitude =
        exponent === 0 ? fraction * 2 ** -14 : exponent < 31 ? (1 + fraction) * 2 ** (exponent - 15) : Number.POSITIVE_INFINITY;
      return (word >> 15 ? -1 : 1) * magnitude;
    };
    const isNaNWord = (word: number): boolean => (word & 0x7fff) > 0x7c00;
    for (let e = 0; e < 2 ** 15; e++) {
      const [re, im] = [view.re(e), view.im(e)];
      expect(isNaNWord(2 * e) ? Number.isNaN(re) : re === meant(2 * e)).toBe(true);
      expect(isNaNWord(2 * e + 1) ? Number.isNaN(im) : im === meant(2 * e + 1)).toBe(true);
      view.set(e, re, im);
    }
    expect(words.every((word, i) => isNaNWord(word) || view.data[i] === word)).toBe(true);
    // Between two neighbours: below, at, and above the middle.
    for (let word = 0; word < 0x7bff; word += 7) {
      const [a, b] = [meant(word), meant(word + 1)];
      const even = word % 2 === 0 ? a : b;
      const middle = (a + b) / 2;
      for (const sign of [1, -1]) {
        const got = [0.75 * a + 0.25 * b, middle, middle + (b - a) * 2 ** -20, 0.25 * a + 0.75 * b].map((v) => stored("cf16", sign * v));
        expect(got).toEqual([a, even, b, b].map((v) => sign * v));
      }
    }
    expect([65_519.99, 65_520, -1e300, 2 ** -25, 2 ** -25 * 1.0001].map((v) => stored("cf16", v))).toEqual([
      65_504,
      Infinity,
      -Infinity,
      0,
      2 ** -24,
    ]);
    expect(stored("cf16", Number.NaN)).toBeNaN();
  });

  test("complex elements are re, im pairs", () => {
    const view = new ArrayView(layout("ci16", [2]), Int16Array.of(1, 2, 3, 4));
    expect([view.re(0), view.im(0), view.re(1), view.im(1)]).toEqual([1, 2, 3, 4]);
  });
});
