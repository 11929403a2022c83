/** GPU results: the bench's JSON with the device beside the machine, and the table that is read. */
import { type Results, results } from "../report.ts";
import type { GpuRow } from "./rounds.ts";

export interface GpuResults extends Omit<Results, "rows"> {
  readonly device: { readonly description: string; readonly peer?: string };
  readonly rows: readonly GpuRow[];
}

export function gpuResults(
  rows: readonly GpuRow[],
  absent: Readonly<Record<string, string>>,
  device: GpuResults["device"],
  now = new Date(),
): GpuResults {
  return { ...results([], absent, now), device, rows };
}

/** A result this far off is no rounding. */
export const wrong = 1e-5;

/** Rows whose contender is ours and whose result is wrong. */
export const wrongRows = (rows: readonly GpuRow[]): readonly GpuRow[] => rows.filter(({ kind, error }) => kind !== "peer" && error > wrong);

export function gpuMarkdown({ date, device, machine, rows, absent }: GpuResults): string {
  const lines = [
    `Measured ${date.slice(0, 10)} on ${device.description}; host: ${machine.cores} cores of ${machine.processor}, Node ${machine.node}.`,
    ...(device.peer ? [`Peer: ${device.peer}.`] : []),
    "Medians of turns taken one after the other, quartiles in brackets; GB/s of what must be read and written; × peer: how many times as long the fastest peer takes.",
    "",
    "| case | contender | ms | GB/s | of copy | × peer | peer ms | error |",
    "|---|---|---:|---:|---:|---:|---:|---:|",
    ...rows
      .filter(({ kind }) => kind !== "copy")
      .map((r) =>
        [
          "",
          r.case,
          r.contender,
          `${short(r.milliseconds)} (${short(r.quartiles[0])}–${short(r.quartiles[1])})`,
          r.gigabytesPerSecond > 0 ? short(r.gigabytesPerSecond) : "–",
          Number.isFinite(r.ofCopy) && r.gigabytesPerSecond > 0 ? `${(100 * r.ofCopy).toFixed(0)} %` : "–",
          r.peer ? short(r.peer.ratio) : "–",
          r.peer ? short(r.peer.milliseconds) : "–",
          errorText(r.error),
          "",
        ]
          .join(" | ")
          .trim(),
      ),
  ];
  const copies = rows.filter(({ kind }) => kind === "copy").map((r) => r.gigabytesPerSecond);
  if (copies.length > 0)
    lines.push("", `The copy moved ${short(Math.min(...copies))} to ${short(Math.max(...copies))} GB/s beside these cases.`);
  for (const [what, why] of Object.entries(absent)) lines.push("", `Note: ${what} (${why.split("\n")[0]}).`);
  return `${lines.join("\n")}\n`;
}

const short = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toPrecision(3));

function errorText(error: number): string {
  if (Number.isNaN(error)) return "–";
  return `${error > wrong ? "WRONG " : ""}${error === 0 ? "0" : error.toExponential(1)}`;
}
