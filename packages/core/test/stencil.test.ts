/** Tests the functions that write stencils, their checks, and how windows are divided into sums and tiles. The kit tests the results. */
import { describe, expect, it } from "vitest";
import { kernelOfStencil } from "../src/expression/stencil.ts";
import { blocksOf, planBlock } from "../src/expression/stencil-blocks.ts";
import { checkStencil } from "../src/expression/stencil-check.ts";
import { termsOf } from "../src/expression/stencil-sums.ts";
import { tileOf } from "../src/expression/stencil-tiles.ts";
import { abs, conj, plus, re, times, toReal, type Value } from "../src/expression.ts";
import { createRandom, formatOp, layout, portsOf } from "../src/index.ts";
import type { Offsets, Stencil } from "../src/ops/stencil.ts";
import { box, near, stencil } from "../src/stencil.ts";

const image = layout("c64", [40, 50]);
const options = { shape: [40, 50], sources: { x: image }, boundary: ["wrap", "zero"], outputs: { out: "c64" } } as const;
const window = { rows: 3, columns: [-1, 5], hole: { columns: 2 } } as const;

const refusal = (field: string) => expect.objectContaining({ code: "layout", fields: expect.objectContaining({ field }) });

describe("stencil", () => {
  it("takes windows out of the expression, and each image once", () => {
    const op = stencil(options, ({ at, x }) => {
      const sum = box(x, window);
      return { out: plus(plus(times(sum, sum), near(x, -1, 2)), times(x(at), near(re(x(at)), 0, 1))) };
    });
    expect(op.centres).toEqual({
      nodes: [
        ["index", 0],
        ["index", 1],
        ["load", "x", 0, 1],
        ["re", 2],
      ],
      results: [2, 3],
    });
    expect(op.windows).toEqual({
      w0: { of: 0, rows: [-1, 1], columns: [-1, 5], hole: { rows: [0, 0], columns: [-1, 0] } },
      w1: { of: 0, rows: [-1, -1], columns: [2, 2] },
      w2: { of: 1, rows: [0, 0], columns: [1, 1] },
    });
    expect(op.expression.nodes.filter(([operator]) => operator === "load")).toEqual([
      ["load", "x", 0, 1],
      ["load", "w0", 0, 1],
      ["load", "w1", 0, 1],
      ["load", "w2", 0, 1],
    ]);
    expect(JSON.parse(JSON.stringify(op))).toEqual(op);
    expect([formatOp(op as Stencil), Object.keys(portsOf(op as Stencil))]).toEqual(["stencil stencil [40, 50]", ["x", "out"]]);
  });

  it("gives windows names that nothing else has", () => {
    const sources = { w0: image, x: image };
    const op = stencil({ ...options, sources, outputs: { w1: "c64" } }, ({ w0, x }) => ({ w1: plus(near(w0, 0, 1), near(x, 1, 0)) }));
    expect(Object.keys(op.windows)).toEqual(["w2", "w3"]);
  });

  it("counts cells of windows of even and odd sizes from the same cell", () => {
    const spans = [1, 2, 3, 4, 7].map((columns) => {
      const op = stencil(options, ({ x }) => ({ out: box(x, { columns }) }));
      return op.windows["w0"].columns;
    });
    expect(spans).toEqual([
      [0, 0],
      [-1, 0],
      [-1, 1],
      [-2, 1],
      [-3, 3],
    ]);
  });

  it.each([
    ["boundary", { boundary: ["mirror", "zero"] }],
    ["boundary", { boundary: "zero" }],
    ["stencil.shape", { shape: [] }],
    ["sources.x", { sources: { x: null } }],
    ["outputs.out", { outputs: { out: "f32" } }],
    ["outputs", { outputs: null }],
  ])("names %s if it is wrong", (field, wrong) => {
    const write = ({ x }: { x: never }) => ({ out: near(x, 0, 1) });
    const make = () => stencil({ ...options, ...wrong } as never, write as never);
    expect(make).toThrow(expect.objectContaining({ code: "layout" }));
    try {
      make();
    } catch (error) {
      expect((error as { fields: { field: string } }).fields.field).toContain(field);
    }
  });

  it("refuses windows over sources of another shape, but not over values of them", () => {
    for (const shape of [[40, 51], [2000], [1, 40, 50]]) {
      const sources = { x: layout("f32", shape), y: image };
      const make = () => stencil({ ...options, sources }, ({ x, y }) => ({ out: plus(box(x, { rows: 3 }), near(y, 0, 1)) }));
      expect(make).toThrow(refusal("the image of a window"));
    }
    const sources = { x: layout("f32", [50]) };
    const op = stencil({ ...options, sources }, ({ at, x }) => ({
      out: plus(box(x(at[1]), { rows: 3 }), box(x(at[1]), { rows: [-1, 1] })),
    }));
    expect(Object.keys(op.windows)).toEqual(["w0"]);
    const both = stencil(options, ({ at, x }) => ({ out: plus(near(x, 0, 1), near(x(at), 0, 1)) }));
    expect(Object.keys(both.windows)).toEqual(["w0"]);
  });

  it("refuses windows that are not constant, of integers, in windows, or empty", () => {
    const made = (write: (names: { x: never; at: readonly Value<"i32">[] }) => unknown) => () => stencil(options, write as never);
    expect(made(({ x }) => ({ out: near(x, 0.5, 0) }))).toThrow(refusal("offsets of near"));
    expect(made(({ x }) => ({ out: (near as (...all: unknown[]) => unknown)(x, 1, 2, 3) }))).toThrow(refusal("offsets of near"));
    expect(made(({ x }) => ({ out: box(x, { rows: 0 }) }))).toThrow(refusal("rows"));
    expect(made(({ x }) => ({ out: box(x, { columns: [3, 1] }) }))).toThrow(refusal("columns"));
    expect(made(({ x }) => ({ out: box(x, { rows: 3, hole: { rows: 5 } }) }))).toThrow(refusal("windows.w0.hole.rows"));
    expect(made(({ x }) => ({ out: box(x, { column: 3 } as never) }))).toThrow(expect.objectContaining({ code: "layout" }));
    expect(made(({ at }) => ({ out: box(at[0] as never, { rows: 3 }) }))).toThrow(refusal("the image of a window"));
    expect(made(({ x }) => ({ out: box(near(x, 0, 1) as Value<"complex">, { rows: 3 }) }))).toThrow(refusal("the image of a window"));
    expect(made(() => ({ out: box((() => 1) as never, { rows: 3 }) }))).toThrow(refusal("the image of a window"));
    expect(made(({ at }) => ({ out: toReal(at[0]) }))).toThrow(refusal("windows"));
    expect(() => stencil({ ...options, boundary: ["zero"] }, ({ x }) => ({ out: near(x, 1, 0) }))).toThrow(refusal("windows.w0.rows"));
  });
});

describe("sums", () => {
  it("have every cell of their intervals once, and few terms", () => {
    const { uniform } = createRandom(4);
    for (let run = 0; run < 300; run++) {
      const first = Math.floor(uniform() * 40) - 20;
      const length = 1 + Math.floor(uniform() * 4 ** (1 + (run % 6)));
      const intervals: readonly Offsets[] = [
        [first, first + length - 1],
        ...(run % 2 ? [[first + length + 3, first + length + 9] as const] : []),
      ];
      const cells = new Map<number, number>();
      const terms = termsOf(intervals);
      for (const { level, offset } of terms) for (let i = 0; i < 4 ** level; i++) cells.set(offset + i, (cells.get(offset + i) ?? 0) + 1);
      const expected = intervals.flatMap(([a, b]) => Array.from({ length: b - a + 1 }, (_, i) => a + i));
      expect([...cells.keys()].sort((a, b) => a - b)).toEqual(expected);
      expect(new Set(cells.values())).toEqual(new Set([1]));
      expect(terms.length).toBeLessThanOrEqual(9 + 2 * 3 * Math.ceil(Math.log2(length + 1) / 2 + 1));
    }
  });

  it("of one image share levels between windows", () => {
    const op = stencil(options, ({ x }) => ({ out: plus(box(x, { rows: 33, columns: 20 }), box(x, { rows: 17, columns: 33 })) }));
    const { passes } = planBlock(checkStencil(op as Stencil));
    // Two levels along the columns, and for each window its columns, two levels along the rows, and its rows.
    expect(passes).toHaveLength(2 + 2 * 4);
  });
});

describe("blocks and tiles", () => {
  const ops = [
    stencil(options, ({ x }) => ({ out: box(x, { rows: 7, columns: 7 }) })),
    stencil(options, ({ at, x }) => ({ out: plus(box(times(x(at), conj(x(at))), { rows: 21, columns: 90 }), near(abs(x(at)), 3, -9)) })),
    stencil({ ...options, boundary: ["clamp"] }, ({ x }) => ({ out: plus(near(x, -40), near(x, 40)) })),
  ] as readonly unknown[] as readonly Stencil[];

  it("cover the array, and fit the device's workgroup memory", () => {
    for (const op of ops) {
      const checked = checkStencil(op);
      const { rows, columns, down, across, items } = blocksOf(checked, planBlock(checked));
      expect([rows * down >= checked.rows, columns * across >= checked.columns, items]).toEqual([
        true,
        true,
        down * across * checked.outers,
      ]);
      for (const workgroupBytes of [2048, 16_384, 49_152]) {
        const tile = tileOf(checked, { workgroupBytes, invocations: 128 });
        if (!tile) continue;
        expect(4 * tile.reals + 8 * tile.complexes).toBeLessThanOrEqual(workgroupBytes);
        expect([tile.threads, tile.rows * tile.columns]).toEqual([128, 128 * tile.values]);
      }
    }
  });

  it("are not used on a GPU whose workgroup memory is too small for any", () => {
    const kernel = kernelOfStencil(ops[0]);
    const code = (workgroupBytes: number) => kernel.wgsl?.({}, { workgroupBytes, invocations: 256 }, {} as never)?.code;
    expect(code(64)).not.toContain("var<workgroup>");
    expect(code(16_384)).toContain("var<workgroup>");
  });

  it("have no WebAssembly for float64", () => {
    const double = layout("c128", [40, 50]);
    const op = stencil({ ...options, sources: { x: double }, outputs: { out: "c128" } }, ({ x }) => ({ out: near(x, 0, 1) }));
    expect([kernelOfStencil(op as Stencil).wasm, kernelOfStencil(ops[0]).wasm?.entry]).toEqual([undefined, "main"]);
  });
});
