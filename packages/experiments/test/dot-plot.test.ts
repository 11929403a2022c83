/** The plot of responses beside their bounds. */
import { describe, expect, it } from "vitest";
import { dotPlot } from "../src/plots/index.ts";

describe("the plot of responses", () => {
  it("has its marks where the values are", () => {
    const svg = dotPlot({
      title: "t",
      x: "µs",
      series: [{ name: "mean" }, { name: "bound", limit: true }],
      rows: [
        { name: "<a>", values: [10, 1000] },
        { name: "b", values: [100, 0] },
      ],
    });
    const dots = [...svg.matchAll(/<circle cx="([\d.]+)" cy="(\d+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const bars = [...svg.matchAll(/<path d="M([\d.]+),(\d+)v18"/g)].map(([, x, y]) => [Number(x), Number(y) + 9]);
    // Two dots and a bar, and one of each in the legend; a value of 0 has no place on the axis.
    expect([dots.length, bars.length]).toEqual([3, 2]);
    expect(bars[0][1]).toBe(dots[0][1]);
    expect(dots[1][1]).toBeGreaterThan(dots[0][1]);
    // 10, 100 and 1000 are a decade apart, to a tenth of a pixel each.
    expect(Math.abs(bars[0][0] - dots[1][0] - (dots[1][0] - dots[0][0]))).toBeLessThan(0.3);
    const ticks = [...svg.matchAll(/<path d="M([\d.]+),\d+V\d+" stroke="#ddd"\/><text[^>]*>(\d+)</g)].map(([, x, value]) => [value, x]);
    expect(Object.fromEntries(ticks)).toMatchObject({ 10: dots[0][0].toString(), 100: dots[1][0].toString(), 1000: bars[0][0].toString() });
    expect(svg).toContain("&#60;a&#62;");
  });
});
