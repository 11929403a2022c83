/** Reports of the GPU bench: the bench's JSON with the device, and the Markdown table. */
import { decibels, type Results, results, short, timeText } from "../report.ts";
import type { GpuRow } from "./rounds.ts";

/** The results of the GPU bench. */
export interface GpuResults extends Omit<Results, "rows"> {
  readonly device: { readonly description: string; readonly peer?: string };
  readonly rows: readonly GpuRow[];
}

/** Makes the results from rows. */
export function gpuResults(
  rows: readonly GpuRow[],
  absent: Readonly<Record<string, string>>,
  device: GpuResults["device"],
  now = new Date(),
): GpuResults {
  return { ...results([], absent, now), device, rows };
}

/** A larger error than this is not rounding, unless the contender allows more. */
export const wrong = 1e-5;

const isWrong = ({ error, allowed = wrong }: GpuRow): boolean => error > allowed;

/** Our rows whose result is wrong. */
export const wrongRows = (rows: readonly GpuRow[]): readonly GpuRow[] => rows.filter((row) => row.kind !== "peer" && isWrong(row));

/** Published rates of backprojection, in 10⁹ pixels times pulses per second. */
const publishedProjections =
  "Published: 817 (RTX PRO 6000), 511 (H200), 205 (DGX Spark) at 87–91 dB, 8192² × 11,566 pulses; 370 (RTX 3090 Ti); C1060 2009: 3.7, accuracy not stated.";

/** Formats the results as Markdown. */
export function gpuMarkdown({ date, device, machine, rows: all, absent }: GpuResults): string {
  const rows = all.filter(({ gigaprojections }) => gigaprojections === undefined);
  const projecting = all.filter(({ gigaprojections }) => gigaprojections !== undefined);
  const lines = [
    `Measured ${date.slice(0, 10)} on ${device.description}; host: ${machine.cores} cores of ${machine.processor}, Node ${machine.node}.`,
    ...(device.peer ? [`Peer: ${device.peer}.`] : []),
    "Medians of alternating turns, quartiles in brackets. GB/s count the bytes that must be read and written. × peer is the time of the fastest peer divided by ours.",
    ...(rows.some(({ kind }) => kind !== "copy") ? header : []),
    ...rows
      .filter(({ kind }) => kind !== "copy")
      .map((r) =>
        [
          "",
          r.case,
          r.contender,
          timeText(r),
          r.gigabytesPerSecond > 0 ? short(r.gigabytesPerSecond) : "–",
          Number.isFinite(r.ofCopy) && r.gigabytesPerSecond > 0 ? `${(100 * r.ofCopy).toFixed(0)} %` : "–",
          r.peer ? short(r.peer.ratio) : "–",
          r.peer ? short(r.peer.milliseconds) : "–",
          errorText(r),
          "",
        ]
          .join(" | ")
          .trim(),
      ),
  ];
  if (projecting.length > 0) lines.push(...projectionLines(projecting), "", publishedProjections);
  const copies = rows.filter(({ kind }) => kind === "copy").map((r) => r.gigabytesPerSecond);
  if (copies.length > 0)
    lines.push("", `The copy moved ${short(Math.min(...copies))} to ${short(Math.max(...copies))} GB/s beside these cases.`);
  for (const [what, why] of Object.entries(absent)) lines.push("", `Note: ${what} (${why.split("\n")[0]}).`);
  return `${lines.join("\n")}\n`;
}

const header = ["", "| case | contender | ms | GB/s | of copy | × peer | peer ms | error |", "|---|---|---:|---:|---:|---:|---:|---:|"];

/** The table of backprojection. Gbp/s are 10⁹ pixels times pulses per second; GB/s are those of the predicted traffic. */
const projectionLines = (rows: readonly GpuRow[]): readonly string[] => [
  "",
  "| case | contender | ms | Gbp/s | SER, dB | GB/s | of copy |",
  "|---|---|---:|---:|---:|---:|---:|",
  ...rows.map(
    (r) =>
      `| ${r.case} | ${r.contender} | ${timeText(r)} | ${short(r.gigaprojections ?? 0)} | ${isWrong(r) ? "WRONG " : ""}${decibels(r.error)} | ${short(r.gigabytesPerSecond)} | ${Number.isFinite(r.ofCopy) ? `${(100 * r.ofCopy).toFixed(0)} %` : "–"} |`,
  ),
];

function errorText(row: GpuRow): string {
  const { error } = row;
  if (Number.isNaN(error)) return "–";
  return `${isWrong(row) ? "WRONG " : ""}${error === 0 ? "0" : error.toExponential(1)}`;
}
