/**
 * Plots of the report: shares of the stages as in Fig. 1 of the paper, and time by blocking factor, channels, steering vectors and ranges.
 */
import { type LinePlot, linePlot, type PictureOptions, stackedBars } from "@dechirp/pictures";
import { published, publishedStages, stageTitles } from "./published.ts";
import type { EfaDeviceResults, EfaMeasured, EfaReport, EfaRow, EfaSizes } from "./report.ts";
import { sizesText, symbols } from "./tables.ts";

/** Draws the plots of a report. Returns SVG documents by file name. */
export async function efaPlots(report: EfaReport, options: PictureOptions = {}): Promise<Readonly<Record<string, string>>> {
  const lines = Object.entries(linePlots(report)).filter(([, { lines: drawn }]) => drawn.some(({ points }) => points.length > 0));
  const stages = {
    title: "Shares of the stages (Fig. 1)",
    note: sizesText(report.sizes),
    x: "per cent of the stages' time",
    parts: publishedStages.map((name) => stageTitles[name]),
    bars: [
      ...published.gpus.map(({ name, milliseconds }) => ({
        name: `published: ${name}`,
        values: publishedStages.map((stage) => milliseconds[stage]),
      })),
      ...report.devices.flatMap(({ device, rows }) =>
        fourStages(rows).map(({ name, measured }) => ({
          name: `${device.id}: ${name.replace("four stages, ", "")}`,
          values: publishedStages.map((stage) => measured.stages.find((one) => one.name === stage)?.meanMilliseconds ?? 0),
        })),
      ),
    ],
  };
  const drawn: Record<string, string> = { "stages.svg": await stackedBars(stages, options) };
  for (const [name, plot] of lines) drawn[`${name}.svg`] = await linePlot(plot, options);
  return drawn;
}

type Measured = EfaRow & { readonly measured: EfaMeasured };

const measuredOf = (rows: readonly EfaRow[], section: EfaRow["section"]): readonly Measured[] =>
  rows.filter((row): row is Measured => row.section === section && row.measured !== undefined);

const fourStages = (rows: readonly EfaRow[]): readonly Measured[] =>
  measuredOf(rows, "stages").filter(({ measured }) => publishedStages.every((name) => measured.stages.some((one) => one.name === name)));

function linePlots({ devices, sizes }: EfaReport): Readonly<Record<string, LinePlot>> {
  const sweep = (section: "channels" | "steering" | "ranges", varied: keyof EfaSizes, x: string): LinePlot => ({
    title: `Time by ${x}`,
    note: sizesText(sizes, varied),
    x: `${symbols[varied]}, ${x}`,
    y: "milliseconds",
    lines: devices.flatMap((one) => linesOf(one, section, (row) => row.sizes[varied])),
  });
  return {
    "time-by-blocking": {
      title: "Solves by blocking factor, Gauss-Jordan",
      note: sizesText(sizes),
      x: "B_T, rows of an invocation",
      y: "milliseconds",
      lines: devices.map(({ device, rows }) => ({
        name: `${device.id}, ${stageTitles.solve}`,
        points: measuredOf(rows, "blocking").flatMap(({ blocking, measured }) => {
          const solve = measured.stages.find(({ name }) => name === "solve");
          return blocking === undefined || !solve ? [] : [[blocking, solve.medianMilliseconds] as const];
        }),
      })),
    },
    "time-by-channels": sweep("channels", "channels", "channels"),
    "time-by-steering": sweep("steering", "steeringVectors", "steering vectors"),
    "time-by-ranges": sweep("ranges", "ranges", "range bins"),
  };
}

/** Lines of the total time and of every stage over the parameter that a section varies. */
function linesOf({ device, rows }: EfaDeviceResults, section: EfaRow["section"], at: (row: EfaRow) => number): LinePlot["lines"] {
  const all = measuredOf(rows, section);
  const names = [...new Set(all.flatMap(({ measured }) => measured.stages.map(({ name }) => name)))];
  return [
    { name: `${device.id}, total`, points: all.map((row) => [at(row), row.measured.total.medianMilliseconds] as const) },
    ...names.map((stage) => ({
      name: `${device.id}, ${stageTitles[stage]}`,
      points: all.flatMap((row) => {
        const found = row.measured.stages.find(({ name }) => name === stage);
        return found ? [[at(row), found.medianMilliseconds] as const] : [];
      }),
    })),
  ];
}
