/** Plots of the report, as Figs. 4, 6 and 7 of the paper: times by units, and responses and throughput by number of tasks. */
import { type LinePlot, linePlot, type PictureOptions } from "@dechirp/pictures";
import type { RealtimeDeviceResults, RealtimeReport, SizeResults, TaskCountRow } from "./report.ts";
import { boundOf, powerText, sizesText, workText } from "./tables.ts";

/** Draws the plots of a report. Returns SVG documents by file name. */
export async function realtimePlots({ devices }: RealtimeReport, options: PictureOptions = {}): Promise<Readonly<Record<string, string>>> {
  const drawn: Record<string, string> = {};
  for (const one of devices) {
    for (const [name, plot] of profilePlots(one)) drawn[`${name}.svg`] = await linePlot(plot, options);
    for (const result of one.results) {
      for (const [name, plot] of resultPlots(one, result))
        drawn[`${name}-${result.way}-${powerText(result.samples).replace("^", "-")}.svg`] = await linePlot(plot, options);
    }
    Object.assign(drawn, one.pictures);
  }
  return drawn;
}

/** Fig. 4 for all sizes in one plot. */
function profilePlots({ results }: RealtimeDeviceResults): readonly (readonly [string, LinePlot])[] {
  const divided = results.filter(({ profile }) => profile.length > 1);
  return [...new Set(divided.map(({ way }) => way))].map((way) => [
    `wcet-${way}`,
    {
      title: "Largest observed time by units (Fig. 4)",
      note: `${way}, the other units loaded; with perfect division, times would halve from each power of two to the next`,
      x: "k, units",
      y: "microseconds",
      lines: divided
        .filter((result) => result.way === way)
        .map(({ samples, profile }) => ({ name: powerText(samples), points: profile.map(({ k, max }) => [k, max] as const) })),
    },
  ]);
}

function resultPlots({ device }: RealtimeDeviceResults, result: SizeResults): readonly (readonly [string, LinePlot])[] {
  const { rows, units, sizes, way } = result;
  if (rows.length < 2) return [];
  const line = (name: string, of: (row: TaskCountRow) => number, dashed = false) => ({
    name,
    dashed,
    points: rows.map((row) => [row.tasks, of(row)] as const),
  });
  const note = `${workText(result)}, ${way} on ${device.id}, ℋ = ${units}, S = ${sizesText(sizes)}`;
  return [
    [
      "responses",
      {
        title: "Responses by number of tasks (Fig. 6)",
        note,
        x: "tasks",
        y: "microseconds",
        lines: [
          line("lock: worst", ({ smlp }) => smlp.max),
          line("lock: mean", ({ smlp }) => smlp.mean),
          line("bound, from observed WCETs", boundOf, true),
          line("best effort: worst", ({ bestEffort }) => bestEffort.max),
          line("best effort: mean", ({ bestEffort }) => bestEffort.mean),
        ],
      },
    ],
    [
      "throughput",
      {
        title: "Throughput by number of tasks (Fig. 7)",
        note,
        x: "tasks",
        y: "million samples per second",
        lines: [
          line("lock, over the total time", ({ smlp }) => smlp.throughput),
          line("best effort, over the total time", ({ bestEffort }) => bestEffort.throughput),
          line("lock, over the sum of responses", ({ smlp }) => smlp.publishedThroughput, true),
          line("best effort, over the sum of responses", ({ bestEffort }) => bestEffort.publishedThroughput, true),
        ],
      },
    ],
  ];
}
