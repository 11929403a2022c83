/** Tests of what `@dechirp/core/reduce` computes on the host: axes, percentiles, and that ops are checked without being planned. */
import { layout, portsOf, resultLayout, validateOp } from "@dechirp/core";
import { elementPlace, histogram, percentileOf, reduce, reducedAxes } from "@dechirp/core/reduce";
import { describe, expect, it } from "vitest";

describe("reducedAxes", () => {
  it("joins neighbouring axes of one kind and leaves out axes of extent 1", () => {
    const { kept, reduced, outputs, count, rows } = reducedAxes(reduce(layout("f32", [5, 1, 4, 3, 2]), { what: "sum", axes: [3, 2, 1] }));
    expect(kept).toEqual([
      { extent: 5, stride: 24 },
      { extent: 2, stride: 1 },
    ]);
    expect(reduced).toEqual([{ extent: 12, stride: 2 }]);
    expect({ outputs, count, rows }).toEqual({ outputs: 10, count: 12, rows: false });
  });

  it("visits every element once", () => {
    const shape = [3, 4, 1, 5, 2];
    for (const axes of [[0], [4], [1, 3], [0, 2, 4], [0, 1, 2, 3, 4]]) {
      const { kept, reduced, outputs, count } = reducedAxes(reduce(layout("f32", shape), { what: "sum", axes }));
      const places = Array.from(
        { length: outputs * count },
        (_, i) => elementPlace(kept, Math.floor(i / count)) + elementPlace(reduced, i % count),
      );
      expect(places.sort((a, b) => a - b)).toEqual(Array.from({ length: 120 }, (_, i) => i));
    }
  });
});

describe("percentileOf", () => {
  it("interpolates within a bin", () => {
    expect(percentileOf([0, 4, 0, 4], 0, 8, 25)).toBe(3);
    expect(percentileOf([0, 4, 0, 4], 0, 8, 0)).toBe(2);
    expect(percentileOf([0, 4, 0, 4], 0, 8, 50)).toBe(4);
    expect(percentileOf(Uint32Array.of(0, 4, 0, 4), 0, 8, 100)).toBe(8);
    expect(percentileOf([0, 3, 0], -1, 2, 100)).toBe(1);
  });

  it.each([
    [[0, 0], 0, 1, 50, "counts"],
    [[1], 1, 1, 50, "high"],
    [[1], 0, Number.NaN, 50, "high"],
    [[1], -1e308, 1e308, 50, "high"],
    [[1], 0, 1, 101, "percent"],
    [[1], 0, 1, Number.NaN, "percent"],
  ] as const)("refuses %j between %d and %d at %d", (counts, low, high, percent, field) => {
    expect(() => percentileOf(counts, low, high, percent)).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
    );
  });
});

describe("ops", () => {
  it("have the layouts of their results", () => {
    const of = (dtype: "c64" | "f64" | "i8" | "c128", what: "sum" | "sum of squares", axes?: number[]) =>
      resultLayout(reduce(layout(dtype, [2, 3, 4]), { what, ...(axes && { axes }) }));
    expect(of("c64", "sum", [1])).toEqual({ dtype: "c64", shape: [2, 4] });
    expect(of("c64", "sum of squares", [0, 1])).toEqual({ dtype: "f32", shape: [4] });
    expect(of("c128", "sum of squares")).toEqual({ dtype: "f64", shape: [1] });
    expect(of("i8", "sum")).toEqual({ dtype: "f32", shape: [1] });
    expect(portsOf(histogram(layout("i8", [4]), { bins: 9 }))["out"].layout).toEqual({ dtype: "u32", shape: [9] });
  });

  it("are refused if a hook has the name of a port or of a uniform of theirs", () => {
    const load = { name: "x", sources: { by: layout("f32", [4]) }, reference: () => [0, 0] as const };
    expect(() => validateOp(reduce(layout("f32", [4]), { what: "product", load }))).toThrow(/load\.sources\.by/);
    const low = { name: "x", sources: {}, uniforms: { low: "f32" } as const, reference: () => [0, 0] as const };
    expect(() => validateOp(histogram(layout("f32", [4]), { bins: 4, load: low }))).toThrow(/load\.uniforms\.low/);
  });
});
