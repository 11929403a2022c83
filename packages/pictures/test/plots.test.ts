/** Plots, read back from SVG: points, bars and ticks are at their values, and all names are there. */
import { describe, expect, it } from "vitest";
import { curvePlot, dotPlot, linePlot, stackedBars } from "../src/index.ts";
import { checkSheet } from "./sheets.ts";
import { axisOf, ofMark } from "./svg.ts";

describe("linePlot", () => {
  const lines = [
    {
      name: "a < b",
      points: [
        [1, 10],
        [4, 1000],
        [2, 0],
        [8, Number.NaN],
      ] as const,
    },
    { name: "never drawn", points: [] },
    { name: "published", points: [[2, 100]] as const, dashed: true },
  ];

  it("draws points at their logarithms, and leaves out values without one", async () => {
    const svg = await linePlot({ title: "t & u", note: "a note", x: "edge, pixels", y: "seconds", lines });
    const elements = checkSheet(svg);
    const points = ofMark(elements, "point", "path").map(({ x, y }) => [x, y]);
    const [[left, bottom], [right, top], middle, ...none] = points;
    expect(none).toEqual([]);
    expect([right - left, bottom - top]).toEqual([608, 344]);
    expect(middle[0]).toBeCloseTo((left + right) / 2, 3);
    expect(middle[1]).toBeCloseTo((bottom + top) / 2, 3);
    const [x] = axisOf(elements, "plot", "x");
    const [y] = axisOf(elements, "plot", "y");
    expect([x.title, y.title]).toEqual(["edge, pixels", "seconds"]);
    expect(x.ticks.map(({ text }) => text)).toEqual(["1", "2", "4"]);
    expect(y.ticks.map(({ text }) => text)).toEqual(["10", "20", "50", "100", "200", "500", "1000"]);
    for (const { value, at } of y.ticks) expect(Math.abs(at - (bottom - (344 * Math.log10(value / 10)) / 2))).toBeLessThanOrEqual(1);
    expect(ofMark(elements, "title", "text")[0].text).toBe("t & u");
    expect(ofMark(elements, "note", "text")[0].text).toBe("a note");
    expect(ofMark(elements, "legend", "text").map(({ text }) => text)).toEqual(["a < b", "published"]);
    expect(svg).not.toContain("never drawn");
    // The dashed line and its legend sample have dashes, the other line has none.
    expect(ofMark(elements, "line", "path").map(({ attributes }) => attributes["stroke-dasharray"])).toEqual([undefined, "6,4"]);
    expect(ofMark(elements, "legend-sample", "line").map(({ attributes }) => attributes["stroke-dasharray"])).toEqual([undefined, "6,4"]);
  });

  it("draws lines on linear axes, cut off at their ends", async () => {
    const points = Array.from({ length: 101 }, (_, i) => [i / 10 - 5, -((i / 10 - 5) ** 2) * 4] as const);
    const plot = { title: "t", x: "metres", y: "dB", lines: [{ name: "cut", points }], xScale: "linear", yScale: "linear" } as const;
    const elements = checkSheet(await linePlot({ ...plot, xEnds: [-4, 4], yEnds: [-60, 0], symbols: false }));
    expect(ofMark(elements, "point", "path")).toEqual([]);
    const [x] = axisOf(elements, "plot", "x");
    const [y] = axisOf(elements, "plot", "y");
    const place = (ticks: readonly { value: number; at: number }[], [low, high]: readonly number[], length: number): void => {
      for (const { value, at } of ticks)
        expect(Math.abs(at - ticks[0].at - ((value - ticks[0].value) * length) / (high - low))).toBeLessThanOrEqual(1);
    };
    expect(x.ticks.map(({ value }) => value)).toEqual([-4, -3, -2, -1, 0, 1, 2, 3, 4]);
    expect(y.ticks.map(({ value }) => value)).toEqual(Array.from({ length: 13 }, (_, i) => 5 * i - 60));
    place(x.ticks, [-4, 4], 608);
    place(y.ticks, [-60, 0], -344);
    const drawn = ofMark(elements, "line", "path")[0]
      .attributes["d"].match(/-?[\d.]+(?:e-\d+)?/g)!
      .map(Number);
    for (const [i, [at, value]] of points.entries()) {
      expect(drawn[2 * i]).toBeCloseTo((608 * (at + 4)) / 8, 2);
      expect(drawn[2 * i + 1]).toBeCloseTo((344 * -value) / 60, 2);
    }
  });

  it("widens linear axes of y to round numbers, and draws symbols there, too", async () => {
    const plot = { title: "t", x: "x", y: "y", xScale: "linear", yScale: "linear" } as const;
    const elements = checkSheet(
      await linePlot({
        ...plot,
        lines: [
          {
            name: "a",
            points: [
              [-1, -3],
              [0, 0],
              [3, 97],
              [4, Number.NEGATIVE_INFINITY],
            ],
          },
        ],
      }),
    );
    const [y] = axisOf(elements, "plot", "y");
    expect([y.ticks[0].value, y.ticks.at(-1)!.value]).toEqual([-20, 100]);
    expect(ofMark(elements, "point", "path").length).toBe(3);
    for (const lines of [[], [{ name: "one", points: [[5, 5]] as const }]]) checkSheet(await linePlot({ ...plot, lines }));
  });

  it("refuses ends that are none", async () => {
    const plot = { title: "t", x: "x", y: "y", lines: [] } as const;
    const refusal = (changed: object) => linePlot({ ...plot, ...changed } as never).catch(({ fields }) => fields.field);
    expect(await refusal({ xScale: "sqrt" })).toBe("plot.xScale");
    expect(await refusal({ xEnds: [0, 1] })).toBe("plot.xEnds");
    expect(await refusal({ yScale: "linear", yEnds: [1, 0] })).toBe("plot.yEnds");
    expect(await refusal({ yScale: "linear", yEnds: [0, Number.NaN] })).toBe("plot.yEnds");
    expect(await refusal({ symbols: 1 })).toBe("plot.symbols");
  });

  it("draws every line with its own points, however many there are", async () => {
    const many = Array.from({ length: 9 }, (_, i) => ({
      name: `line ${i}`,
      dashed: i % 2 === 1,
      points: [1, 10, 100].map((x) => [x, 10 ** (i / 4)] as const),
    }));
    const elements = checkSheet(await linePlot({ title: "t", x: "x", y: "y", lines: many }));
    const points = ofMark(elements, "point", "path");
    expect(points.length).toBe(27);
    const [bottom, top] = [points[0].y, points[26].y];
    expect(bottom - top).toBeCloseTo(344, 3);
    for (const [i, { x, y, attributes }] of points.entries()) {
      expect(x - points[0].x).toBeCloseTo(304 * (i % 3), 3);
      expect(bottom - y).toBeCloseTo((344 * Math.floor(i / 3)) / 8, 3);
      expect(attributes["fill"]).toBe(points[3 * Math.floor(i / 3)].attributes["fill"]);
    }
    // Lines 0 and 7 share a colour, and differ by the symbols of their points, which the legend shows.
    expect(points[0].attributes["fill"]).toBe(points[21].attributes["fill"]);
    const outlines = points.map(({ attributes }) => `${attributes["fill"]} ${attributes["d"]}`);
    expect(new Set(outlines).size).toBe(9);
    expect(ofMark(elements, "legend-sample", "path").length).toBe(9);
    const paths = ofMark(elements, "line", "path");
    expect(paths.map(({ attributes }) => attributes["d"].split("L").length)).toEqual(many.map(() => 3));
    expect(new Set(paths.map(({ attributes }) => attributes["d"])).size).toBe(9);
  });

  it("draws one point and none, numbers far apart and close together", async () => {
    const rest = { title: "", x: "x", y: "y" };
    for (const points of [
      [],
      [[3, 5]],
      [
        [1e-9, 1e-30],
        [1e9, 1e30],
      ],
      [
        [1000, 1000.1],
        [1001, 1000.2],
      ],
      Array.from({ length: 64 }, (_, i) => [i + 1, 1e5 * (i + 1)]),
    ] as (readonly (readonly [number, number])[])[]) {
      const elements = checkSheet(await linePlot({ ...rest, lines: [{ name: "one", points }] }));
      expect(ofMark(elements, "point", "path").length).toBe(points.length);
      if (points.length > 0) expect(axisOf(elements, "plot", "y")[0].ticks.length).toBeGreaterThanOrEqual(2);
    }
  });

  it("names the last tick, and no two that touch", async () => {
    const lines = [{ name: "one", points: Array.from({ length: 15 }, (_, i) => [2 ** i, 1 + i] as const) }];
    const elements = checkSheet(await linePlot({ title: "", x: "x", y: "y", lines }));
    const names = axisOf(elements, "plot", "x")[0].ticks.map(({ text }) => text);
    expect(names.slice(-2)).toEqual(["4096", "16384"]);
    expect(names.length).toBe(14);
  });

  it("refuses invalid plots, and ends when a signal fires", async () => {
    const plot = { title: "", x: "x", y: "y", lines };
    await expect(linePlot({ ...plot, lines: 3 } as never)).rejects.toMatchObject({ code: "input", fields: { field: "plot.lines" } });
    await expect(linePlot(plot, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("curvePlot", () => {
  const plot = {
    title: "t",
    x: { label: "angle, degrees", low: -90, high: 90 },
    y: { label: "dB", low: -60, high: 0 },
    curves: [
      { name: "adapted", x: [-90, 0, 45, 90], y: [-30, 0, Number.NEGATIVE_INFINITY, -60] },
      { name: "reference", x: [0, 90], y: [-15, -45], dashed: true },
    ],
    marks: [45, 1000],
  };

  it("has points at their values, interrupts curves, and marks positions within the axis", async () => {
    const elements = checkSheet(await curvePlot(plot));
    const [adapted, reference] = ofMark(elements, "curve", "path").map(({ attributes }) => attributes["d"]);
    // 540 pixels for 180 degrees, 300 for 60 dB.
    expect(adapted).toBe("M0,150L270,0M540,300Z");
    expect(reference).toBe("M270,75L540,225");
    expect(ofMark(elements, "mark", "line").map(({ attributes }) => attributes["transform"])).toEqual(["translate(405,0)"]);
    expect(ofMark(elements, "legend", "text").map(({ text }) => text)).toEqual(["adapted", "reference"]);
    const [x] = axisOf(elements, "plot", "x");
    expect(x.title).toBe("angle, degrees");
  });

  it("can be drawn without curves, and with one point", async () => {
    const rest = { title: "", x: { label: "x" }, y: { label: "y" } };
    checkSheet(await curvePlot({ ...rest, curves: [] }));
    checkSheet(await curvePlot({ ...rest, curves: [{ name: "one", x: [3], y: [5] }] }));
  });

  it("refuses invalid plots", async () => {
    await expect(curvePlot({ ...plot, curves: [{ name: "a", x: [1], y: [] }] })).rejects.toMatchObject({
      fields: { field: "plot.curves[0].y" },
    });
    await expect(curvePlot({ ...plot, x: { label: "x", low: 1, high: 1 } })).rejects.toMatchObject({ fields: { field: "plot.x.high" } });
    await expect(curvePlot(plot, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("dotPlot", () => {
  it("has its marks at the values", async () => {
    const elements = checkSheet(
      await dotPlot({
        title: "t",
        x: "µs",
        series: [{ name: "mean" }, { name: "bound", limit: true }],
        rows: [
          { name: "<a>", values: [10, 1000] },
          { name: "b, which has a longer name than there is room for", values: [100, 0] },
        ],
      }),
    );
    const dots = ofMark(elements, "dot", "path");
    const limits = ofMark(elements, "limit", "line");
    // The value 0 has no position on the axis.
    expect([dots.length, limits.length]).toEqual([2, 1]);
    expect(limits[0].y + 9).toBe(dots[0].y);
    expect(dots[1].y).toBeGreaterThan(dots[0].y);
    // 10, 100 and 1000 are a decade apart, to a pixel.
    expect(Math.abs(limits[0].x - dots[1].x - (dots[1].x - dots[0].x))).toBeLessThanOrEqual(1);
    const [{ ticks, title }] = axisOf(elements, "plot", "x");
    expect(title).toBe("µs");
    for (const [value, { x }] of [
      [10, dots[0]],
      [100, dots[1]],
      [1000, limits[0]],
    ] as const)
      expect(Math.abs((ticks.find((tick) => tick.value === value)?.at ?? 0) - x)).toBeLessThanOrEqual(1);
    expect(ofMark(elements, "row", "text").map(({ text }) => text)).toEqual(["<a>", expect.stringMatching(/^b, which has a longer .*…$/)]);
    expect(ofMark(elements, "legend", "text").map(({ text }) => text)).toEqual(["mean", "bound"]);
  });

  it("can be drawn without data", async () => {
    checkSheet(await dotPlot({ title: "", x: "x", series: [], rows: [] }));
    checkSheet(await dotPlot({ title: "t", x: "x", series: [{ name: "s" }], rows: [{ name: "r", values: [0] }] }));
    await expect(dotPlot({ title: "", x: "x", series: [], rows: undefined } as never)).rejects.toMatchObject({
      fields: { field: "plot.rows" },
    });
  });
});

describe("stackedBars", () => {
  const bars = [
    { name: "a < b", values: [1, 3] },
    { name: "nothing", values: [0, 0] },
    { name: "a name so long that it has to go on in a second line", values: [5, 5] },
  ];

  it("are shares of a whole", async () => {
    const svg = await stackedBars({ title: "t & u", x: "per cent", parts: ["p", "q"], bars });
    const elements = checkSheet(svg);
    const boxes = ofMark(elements, "part", "path").map(({ attributes }) =>
      /^M([\d.]+),([\d.]+)h([\d.]+)v28h/.exec(attributes["d"])!.slice(1).map(Number),
    );
    const wide = 482;
    expect(boxes.map(([x, , width]) => [x / wide, width / wide])).toEqual([
      [0, 0.25],
      [0.25, 0.75],
      [0, 0.5],
      [0.5, 0.5],
    ]);
    expect(boxes[0][1]).toBe(boxes[1][1]);
    expect(boxes[2][1]).toBe(boxes[0][1] + 44);
    expect(axisOf(elements, "plot", "x")[0].ticks.map(({ value }) => value)).toEqual([0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(ofMark(elements, "row", "text").map(({ text }) => text)).toEqual(["a < b", bars[2].name]);
    expect(ofMark(elements, "legend", "text").map(({ text }) => text)).toEqual(["p", "q"]);
    expect(svg).not.toContain("nothing");
  });

  it("can be drawn without data", async () => {
    checkSheet(await stackedBars({ title: "", x: "x", parts: [], bars: [] }));
    await expect(stackedBars({ title: "", x: "x", parts: [] } as never)).rejects.toMatchObject({ fields: { field: "plot.bars" } });
  });
});
