/** Pictures of traces: what they show is read back from the SVG and compared with the trace. */
import { describe, expect, it } from "vitest";
import { exampleSet, type GanttOptions, ganttSvg, simulate } from "../src/index.ts";
import { job } from "./sets.ts";

const rects = (svg: string): readonly Record<string, string>[] =>
  [...svg.matchAll(/<rect ([^>]*)\/>/g)].map(([, attributes]) =>
    Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name, value]) => [name, value])),
  );
/** Boxes of grants: the only rectangles with a border that are not of the legend. */
const boxes = (svg: string): readonly Record<string, string>[] =>
  rects(svg).filter(({ stroke, height }) => stroke === "#000" && height !== "11");

describe("ganttSvg", () => {
  const jobs = [job("a", 0, 1000, 1000, 1100, 0, 1), job("b", 0, 1000, 1100, 1200, 0, 2), job("a", 1, 1150, 1150, 1200, 1)];

  it("has a box for every run of units, placed by time and unit, one colour a task", () => {
    const [a0, b0low, b0high, a1, ...none] = boxes(ganttSvg({ jobs }));
    expect(none).toEqual([]);
    const number = (box: Record<string, string>, name: string): number => Number(box[name]);
    // 884 pixels for 200 µs, 24 for a unit.
    expect([a0, b0low, b0high, a1].map((box) => [number(box, "x"), number(box, "width"), number(box, "height")])).toEqual([
      [56, 442, 48],
      [498, 442, 24],
      [498, 442, 24],
      [719, 221, 24],
    ]);
    expect(number(b0low, "y") - number(b0high, "y")).toBe(48);
    expect(number(a1, "y")).toBe(number(a0, "y"));
    expect(a0["fill"]).toBe(a1["fill"]);
    expect(b0low["fill"]).toBe(b0high["fill"]);
    expect(a0["fill"]).not.toBe(b0low["fill"]);
  });

  it("says what is waiting, which part it shows, and in which unit", () => {
    const whole = ganttSvg({ jobs });
    expect(whole).toContain(">all 3 jobs<");
    expect(whole).toContain(">at most 1<");
    expect(whole).toContain("µs since the first request");
    expect(ganttSvg({ jobs: [jobs[0]] })).toContain(">none<");
    const part = ganttSvg({ jobs }, { jobs: 1 });
    expect(part).toContain(">1 of 3 jobs: 0 to 100 µs of 200 µs<");
    expect(boxes(part).length).toBe(1);
    expect(ganttSvg({ jobs }, { from: 120, to: 180 })).toContain(">2 of 3 jobs: 120 to 180 µs of 200 µs<");
    expect(ganttSvg(simulate(exampleSet(2)))).toContain("ms since the first request");
  });

  it("stays small for a long trace, and names the tasks that it can", () => {
    const svg = ganttSvg(simulate(exampleSet(100), { jobs: 100 }));
    expect(boxes(svg).length).toBeGreaterThanOrEqual(300);
    expect(svg).toContain(">300 of 10000 jobs: ");
    expect(svg).toContain(">and 76 more<");
    expect(svg.length).toBeLessThan(200_000);
  });

  it("shows jobs that all begin at once, however few are asked for", () => {
    const set = { units: 40, tasks: [{ id: "t", wcet: { 1: 5 }, count: 40 }] };
    expect(boxes(ganttSvg(simulate(set, { jobs: 2 }), { jobs: 3 })).length).toBe(40);
  });

  it("is well-formed XML whatever the names", () => {
    const svg = ganttSvg({ jobs: [job('<&">\u0000\ud800', 0, 0, 0, 1, 0)] }, { title: "]]><script>" });
    expect(svg).not.toContain("<script");
    expect(svg).toContain("]]&#62;&#60;script&#62;");
    expect(svg).toContain(">&#60;&#38;&#34;&#62;  <");
  });

  it.each<[string, GanttOptions, string]>([
    ["jobs", { jobs: 0 }, "jobs"],
    ["units", { units: 0 }, "units"],
    ["fewer units than the trace has", { units: 2 }, "units"],
    ["from", { from: Number.NaN }, "from"],
    ["a time without jobs", { from: 300 }, "from and to"],
    ["a time that ends before it begins", { from: 120, to: 110 }, "from and to"],
  ])("refuses %s", (_, options, field) => {
    expect(() => ganttSvg({ jobs }, options)).toThrow(
      expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }),
    );
  });
});
