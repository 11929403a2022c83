/** Gantt charts: their content is read back from the SVG and compared with the trace. */
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { ganttPart } from "../src/gantt-part.ts";
import { type GanttJob, type GanttOptions, gantt } from "../src/index.ts";
import { checkSheet } from "./sheets.ts";
import { axisOf, type Element, ofMark } from "./svg.ts";

const job = (task: string, requested: number, granted: number, finished: number, ...units: number[]): GanttJob => ({
  task,
  requested,
  granted,
  finished,
  units,
});

/** Left, top, width, height and colour of the boxes of grants. */
const boxes = (elements: readonly Element[]) =>
  ofMark(elements, "grant", "path").map(({ attributes }) => {
    const [, left, top, width, height] = /^M([\d.]+),([\d.]+)h([\d.]+)v([\d.]+)h/.exec(attributes["d"])!.map(Number);
    return { left, top, width, height, colour: attributes["fill"] };
  });

const notes = (elements: readonly Element[]): readonly string[] =>
  [...ofMark(elements, "note", "text"), ...ofMark(elements, "waiting-text", "text")].map(({ text }) => text);

/** A trace of `count` jobs of `tasks` tasks, one after the other on `units` units. */
function trace(count: number, units: number, tasks: number): readonly GanttJob[] {
  const { uniform } = createRandom(5);
  const ends = new Array<number>(units).fill(0);
  return Array.from({ length: count }, (_, i) => {
    const unit = i % units;
    const granted = ends[unit];
    ends[unit] += 20 + 80 * uniform();
    return job(`task/${i % tasks}`, granted - 10, granted, ends[unit], unit);
  });
}

describe("gantt", () => {
  const jobs = [job("a", 1000, 1000, 1100, 0, 1), job("b", 1000, 1100, 1200, 0, 2), job("a", 1150, 1150, 1200, 1)];

  it("has a box for every run of units, placed by time and unit, one colour per task", async () => {
    const elements = checkSheet(await gantt({ jobs }));
    const [a0, b0low, b0high, a1, ...none] = boxes(elements);
    expect(none).toEqual([]);
    // 870 pixels for 200 µs, 24 for a unit.
    expect([a0, b0low, b0high, a1].map(({ left, width, height }) => [left, width, height])).toEqual([
      [0, 435, 48],
      [435, 435, 24],
      [435, 435, 24],
      [652.5, 217.5, 24],
    ]);
    expect(b0low.top - b0high.top).toBe(48);
    expect(a1.top).toBe(a0.top);
    expect(a0.colour).toBe(a1.colour);
    expect(b0low.colour).toBe(b0high.colour);
    expect(a0.colour).not.toBe(b0low.colour);
    expect(axisOf(elements, "units", "y")[0]).toMatchObject({ title: "unit", ticks: [{ value: 0 }, { value: 1 }, { value: 2 }] });
    const [{ title, ticks }] = axisOf(elements, "waiting", "x");
    expect(title).toBe("µs since the first request");
    for (const { value, at } of ticks) expect(Math.abs(70 + (870 * value) / 200 - at)).toBeLessThanOrEqual(1);
    expect(ofMark(elements, "legend", "text").map(({ text }) => text)).toEqual(["a", "b"]);
    expect(ofMark(elements, "grant-text", "text").map(({ text }) => text)).toEqual(["a", "b", "a"]);
  });

  it("states the number of waiting jobs, the part that is shown, and the unit of time", async () => {
    expect(notes(checkSheet(await gantt({ jobs })))).toEqual(["all 3 jobs", "waiting", "at most 1"]);
    expect(notes(checkSheet(await gantt({ jobs: [jobs[0]] })))).toEqual(["all 1 jobs", "waiting", "none"]);
    const part = checkSheet(await gantt({ jobs }, { jobs: 1 }));
    expect(notes(part)[0]).toBe("1 of 3 jobs: 0 to 100 µs of 200 µs");
    expect(boxes(part).length).toBe(1);
    expect(notes(checkSheet(await gantt({ jobs }, { from: 120, to: 180 })))[0]).toBe("2 of 3 jobs: 120 to 180 µs of 200 µs");
    expect(axisOf(checkSheet(await gantt({ jobs: trace(200, 2, 2) })), "waiting", "x")[0].title).toBe("ms since the first request");
  });

  it("shows how many jobs wait, up to the edges of the picture", async () => {
    const elements = checkSheet(await gantt({ jobs: [job("a", 0, 0, 100, 0), job("b", 0, 50, 100, 1), job("c", 25, 75, 100, 2)] }));
    const area = elements.find(({ tag, path }) => tag === "path" && path.some((one) => one.includes("mark-area")));
    // One job waits from 0 on, two from 25, one from 50, none from 75; 38 pixels stand for two.
    expect(area?.attributes["d"]).toMatch(/^M0,19L217\.5,19L217\.5,0L435,0L435,19L652\.5,19L652\.5,38L870,38/);
  });

  it("stays small for a long trace, and names tasks if there is room", async () => {
    const svg = await gantt({ jobs: trace(10_000, 19, 100) });
    const elements = checkSheet(svg);
    expect(boxes(elements).length).toBeGreaterThanOrEqual(300);
    expect(notes(elements)[0]).toContain("300 of 10000 jobs: ");
    const legend = ofMark(elements, "legend", "text").map(({ text }) => text);
    expect([legend.length, legend[0], legend.at(-1)]).toEqual([25, "task/0", "and 76 more"]);
    expect(svg.length).toBeLessThan(200_000);
  });

  it("shows jobs that all begin together, even if fewer were requested", async () => {
    const all = Array.from({ length: 40 }, (_, i) => job("t", 0, 0, 5, i));
    expect(boxes(checkSheet(await gantt({ jobs: [...all, job("t", 0, 5, 10, 0)] }, { jobs: 3 }))).length).toBe(40);
  });

  it("pauses regularly with half a million jobs", () => {
    const work = ganttPart(trace(500_000, 19, 100), {});
    let turns = 0;
    while (!work.next().done) turns++;
    expect(turns).toBeGreaterThan(1500);
  });

  it("has room for hundreds of units", async () => {
    checkSheet(await gantt({ jobs: trace(2000, 500, 7) }, { jobs: 2000 }));
  });

  it("is well-formed XML whatever the names", async () => {
    const svg = await gantt({ jobs: [job('<&">\u0000\ud800', 0, 0, 1, 0)] }, { title: "]]><script>" });
    const elements = checkSheet(svg);
    expect(svg).not.toContain("<script");
    expect(ofMark(elements, "title", "text")[0].text).toBe("]]><script>");
    expect(ofMark(elements, "legend", "text")[0].text).toBe('<&">');
  });

  it.each<[string, GanttOptions, string]>([
    ["jobs", { jobs: 0 }, "jobs"],
    ["units", { units: 0 }, "units"],
    ["fewer units than the trace has", { units: 2 }, "units"],
    ["from", { from: Number.NaN }, "from"],
    ["a time without jobs", { from: 300 }, "from and to"],
    ["a time that ends before it begins", { from: 120, to: 110 }, "from and to"],
  ])("refuses %s", async (_, options, field) => {
    await expect(gantt({ jobs }, options)).rejects.toMatchObject({ code: "input", fields: { field } });
  });

  it("refuses invalid traces, and ends when a signal fires", async () => {
    await expect(gantt({} as never)).rejects.toMatchObject({ code: "input", fields: { field: "trace.jobs" } });
    await expect(gantt({ jobs }, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "aborted" });
  });
});
