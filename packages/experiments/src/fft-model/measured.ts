/** The model's parameters of a device that `memoryExperiment` has measured. */
import { inputError } from "@dechirp/core";
import type { MemoryReport, MemoryRow } from "../memory/report.ts";
import { bestArithmetic, findRow, medianOf } from "../memory/summary.ts";
import { checkAbilities, checkReport } from "./checks.ts";
import type { ModelParameters, RatePoint } from "./parameters.ts";

/** Rates of the rows of a section by one of their parameters. */
const pointsOf = (rows: readonly MemoryRow[], keep: (row: MemoryRow) => boolean, by: string): readonly RatePoint[] =>
  rows
    .filter(keep)
    .flatMap((row) => {
      const rate = medianOf(row);
      return rate === undefined ? [] : [{ at: row.at[by], rate }];
    })
    .sort((a, b) => a.at - b.at);

/**
 * Returns the parameters that a report of the microbenchmarks contains. `features` and `matrices` are those of the device, for variants
 * that need more than subgroups. Throws `input` if it is no report, or a section that the model needs is missing.
 *
 * Device memory is that of copies whose data caches may hold, as transforms are timed in repetition too. The time of a dispatch is
 * subtracted from that of its copy, because the model counts it on its own. Footprints whose copy takes no longer than a dispatch tell
 * nothing about memory, so they are left out.
 */
export function modelParameters(
  report: MemoryReport,
  abilities: Partial<Pick<ModelParameters, "features" | "matrices">> = {},
): ModelParameters {
  checkReport(report);
  checkAbilities(abilities);
  const { device, limits, rows, software } = report;
  const { features = [], matrices } = abilities;
  const needed = <T>(value: T | undefined, section: string): T => {
    if (value === undefined) throw inputError("report", `a report with measurements of the section ${section}`, undefined);
    return value;
  };
  const several = (points: readonly RatePoint[], section: string): readonly RatePoint[] =>
    needed(points.length > 0 ? points : undefined, section);
  const dispatchSeconds = needed(medianOf(findRow(rows, "overhead", {}, "dispatch among others")), "overhead");
  const copies = several(
    pointsOf(rows, ({ section, name }) => section === "device-memory" && name === "copy, hot", "bytes").flatMap(({ at, rate }) => {
      const seconds = at / rate - dispatchSeconds;
      return seconds > 0 ? [{ at, rate: at / seconds }] : [];
    }),
    "device-memory",
  );
  const byGroups = several(
    pointsOf(rows, ({ section }) => section === "groups", "groups"),
    "groups",
  );
  const shuffleRate = medianOf(findRow(rows, "shuffles", {}));
  const barriers = rows.filter(({ section, name }) => section === "barriers" && name === "many workgroups");
  const barrier = barriers.find(({ at }) => at["threads"] === 256) ?? barriers[0];
  return {
    name: device.description,
    source: "measured",
    notes: [
      "Measured by dechirp bench memory",
      ...(software ? ["The GPU is emulated on the processor"] : []),
      ...(medianOf(barrier) === undefined ? ["Barriers cost less than the noise of their measurement, and count nothing"] : []),
    ],
    workgroupBytes: limits.workgroupBytes,
    invocations: limits.invocations,
    ...(limits.subgroups && { subgroups: limits.subgroups }),
    features: [...(limits.subgroups ? ["subgroups"] : []), ...features],
    ...(matrices && { matrices }),
    deviceMemory: copies,
    workgroupMemory: several(
      pointsOf(rows, ({ section }) => section === "banks", "ways"),
      "banks",
    ),
    ...(shuffleRate !== undefined && { shuffleRate }),
    arithmeticRate: needed(bestArithmetic(rows), "occupancy"),
    cacheRate: Math.max(...copies.map(({ rate }) => rate)),
    barrierSeconds: medianOf(barrier) ?? 0,
    dispatchSeconds,
    parallelGroups: Math.max(1, Math.max(...byGroups.map(({ rate }) => rate)) / byGroups[0].rate) * byGroups[0].at,
  };
}
