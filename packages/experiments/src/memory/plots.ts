/** Plots of the microbenchmarks: reads by stride and bank, arithmetic by values held, by workgroups, and device memory by footprint. */
import { type LinePlot, linePlot, type PictureOptions } from "@dechirp/pictures";
import { publishedMemory } from "./published.ts";
import type { MemoryReport, MemoryRow, MemorySection } from "./report.ts";
import { medianOf } from "./summary.ts";

/** Draws the plots of a report. Returns SVG documents by file name. Sections without values have no plot. */
export async function memoryPlots(report: MemoryReport, options: PictureOptions = {}): Promise<Readonly<Record<string, string>>> {
  const drawn: Record<string, string> = {};
  for (const [name, plot] of Object.entries(plotsOf(report)))
    if (plot.lines.some(({ points, dashed }) => points.length > 0 && !dashed)) drawn[`${name}.svg`] = await linePlot(plot, options);
  return drawn;
}

type Points = LinePlot["lines"][number]["points"];

function plotsOf({ rows, device, software }: MemoryReport): Readonly<Record<string, LinePlot>> {
  const note = `${device.description}${software ? "; a CPU does the GPU's work" : ""}`;
  const of = (section: MemorySection, x: string, keep: (row: MemoryRow) => boolean = () => true): Points =>
    rows
      .filter((row) => row.section === section && keep(row))
      .flatMap((row) => {
        const value = medianOf(row);
        return value === undefined ? [] : [[row.at[x], value / 1e9] as const];
      })
      .sort(([a], [b]) => a - b);
  const values = (name: string): readonly number[] => [
    ...new Set(rows.flatMap(({ section, at }) => (section === "occupancy" ? [at[name]] : []))),
  ];
  const across = (points: Points, rate: number): Points =>
    points.length > 1 ? [points[0][0], points[points.length - 1][0]].map((x) => [x, rate / 1e9] as const) : [];
  const pairs = of("pairs", "stride");
  const { sequential, strided } = publishedMemory.measured;
  return {
    "reads-by-stride": {
      title: "Reads of workgroup memory by stride",
      note,
      x: "stride, elements",
      y: "GB/s",
      lines: [
        { name: "one word", points: of("strided", "stride") },
        { name: "two words", points: pairs },
        { name: "published, M1, sequential", points: across(pairs, sequential), dashed: true },
        { name: "published, M1, strided", points: across(pairs, strided), dashed: true },
      ],
    },
    "reads-by-bank": {
      title: "Reads of workgroup memory by lanes of a bank",
      note,
      x: "lanes of a bank",
      y: "GB/s",
      lines: [{ name: "one word", points: of("banks", "ways") }],
    },
    "arithmetic-by-values": {
      title: "Arithmetic by values that each invocation holds",
      note,
      x: "values held",
      y: "10⁹ operations per second",
      lines: values("threads").map((threads) => ({
        name: `${threads} threads`,
        points: of("occupancy", "values", ({ at }) => at["threads"] === threads),
      })),
    },
    "arithmetic-by-workgroups": {
      title: "Arithmetic by number of workgroups",
      note,
      x: "workgroups",
      y: "10⁹ operations per second",
      lines: [{ name: "arithmetic", points: of("groups", "groups") }],
    },
    "device-memory": {
      title: "Device memory by footprint",
      note,
      x: "footprint, MiB",
      y: "GB/s",
      lines: ["copy, hot", "copy, cold", "read, hot", "read, cold"].map((name) => ({
        name,
        points: of("device-memory", "bytes", (row) => row.name === name).map(([bytes, rate]) => [bytes / 2 ** 20, rate] as const),
      })),
    },
  };
}
