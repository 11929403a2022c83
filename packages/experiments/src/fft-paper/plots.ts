/** Plots of the report: Fig. 1 (the rate by batch), the rate by size, and the variants. */
import { type LinePlot, linePlot, type PictureOptions } from "@dechirp/pictures";
import { mainSize } from "./jobs.ts";
import { published } from "./published.ts";
import { type FftDeviceResults, type FftPaperResult, type FftRow, ownChoice } from "./report.ts";
import { gflopsOf, kernelsOf, withOwnNames } from "./values.ts";

/** Draws the plots of a result. Returns SVG documents by file name. */
export async function fftPaperPlots(result: FftPaperResult, options: PictureOptions = {}): Promise<Readonly<Record<string, string>>> {
  const drawn: Record<string, string> = {};
  for (const [name, plot] of Object.entries(plotsOf(withOwnNames(result))))
    if (plot.lines.some(({ points }) => points.length > 0)) drawn[`${name}.svg`] = await linePlot(plot, options);
  return drawn;
}

function plotsOf({ devices }: FftPaperResult): Readonly<Record<string, LinePlot>> {
  const own = (section: FftRow["section"], at: (row: FftRow) => number): LinePlot["lines"] =>
    devices.flatMap((one) =>
      kernelsOf(one.rows)
        .filter((name) => name === ownChoice || one.rows.some((row) => row.name === name && row.kind === "peer"))
        .map((name) => lineOf(one, section, name, at)),
    );
  const variants = (one: FftDeviceResults, section: FftRow["section"], at: (row: FftRow) => number): LinePlot["lines"] =>
    kernelsOf(one.rows).map((name) => lineOf(one, section, name, at));
  const rate = "GFLOPS";
  const isGpu = ({ device }: FftDeviceResults): boolean => device.id !== "cpu";
  return {
    "gflops-by-batch": {
      title: `Rate by batch, N = ${mainSize} (Fig. 1)`,
      note: `published for an M1: 138 GFLOPS, saturated at batch ${published.saturation.batch}, above vDSP (107) from batch ${published.saturation.aboveCpu}`,
      x: "transforms in a batch",
      y: rate,
      lines: own("batches", ({ batch }) => batch),
    },
    "gflops-by-size": {
      title: "Rate by size (Table VII)",
      x: "N, points of a transform",
      y: rate,
      lines: [
        { name: "published: M1", points: published.sizes.map(({ n, gflops }) => [n, gflops] as const), dashed: true },
        ...own("sizes", ({ n }) => n),
      ],
    },
    ...Object.fromEntries(
      devices.filter(isGpu).flatMap((one) => [
        [
          `variants-by-batch-${one.device.id}`,
          {
            title: `Rate of every kernel by batch, N = ${mainSize}`,
            x: "transforms in a batch",
            y: rate,
            lines: variants(one, "batches", ({ batch }) => batch),
          },
        ],
        [
          `variants-by-size-${one.device.id}`,
          { title: "Rate of every kernel by size", x: "N, points of a transform", y: rate, lines: variants(one, "sizes", ({ n }) => n) },
        ],
      ]),
    ),
  };
}

function lineOf(
  { device, rows }: FftDeviceResults,
  section: FftRow["section"],
  name: string,
  at: (row: FftRow) => number,
): LinePlot["lines"][number] {
  return {
    name: `${device.id}: ${name}`,
    points: rows.flatMap((row) => {
      const rate = gflopsOf(row);
      return row.section === section && row.name === name && rate !== undefined ? [[at(row), rate] as const] : [];
    }),
  };
}
