/** Tables of the report, with the published values. */
import { publishedGpus, publishedResponses } from "@dechirp/realtime";
import { smallerBound } from "@dechirp/realtime/transforms";
import type { ReportTable, ReportTables } from "../tables.ts";
import type { RealtimeDeviceResults, RealtimeReport, SizeResults, TaskCountRow, WayName } from "./report.ts";

const wayTitles: Readonly<Record<WayName, string>> = {
  "cpu-pool": "units are workers",
  "gpu-chunks": "one dispatch at a time",
  "gpu-slots": "units are slots of one dispatch",
};

const micros = (value: number | null): string =>
  value === null || Number.isNaN(value) ? "-" : value >= 1000 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
const rate = (value: number): string => Number(value.toPrecision(3)).toString();

/** Formats sizes as `{1, 2, 3}` or `{1 … 7}`. */
export const sizesText = (sizes: readonly number[]): string =>
  sizes.length > 4 && sizes.at(-1) === sizes.length ? `{1 … ${sizes.length}}` : `{${sizes.join(", ")}}`;

/** Formats a number as a power of two if it is one: `2^22`. */
export const powerText = (samples: number): string => (Number.isInteger(Math.log2(samples)) ? `2^${Math.log2(samples)}` : String(samples));

/** Describes the work of a job. */
export const workText = ({ samples, line }: SizeResults): string =>
  line === undefined
    ? `one real transform of ${powerText(samples)} samples`
    : `${samples / (2 * line)} complex ${samples > 2 * line ? "lines" : "line"} of ${line} points`;

/** The smaller of the two bounds. */
export const boundOf = (row: TaskCountRow): number => smallerBound(row).bound;

/** The smallest number of tasks from which on the lock is never behind. Undefined if there is none. */
export function crossover(rows: readonly TaskCountRow[], ahead: (row: TaskCountRow) => boolean): number | undefined {
  const from = rows.map(ahead).lastIndexOf(false) + 1;
  return rows[from]?.tasks;
}

const worstAhead = ({ smlp, bestEffort }: TaskCountRow): boolean => smlp.max <= bestEffort.max;
/** Whether the lock's mean response is at most that of best effort. */
export const meanAhead = ({ smlp, bestEffort }: TaskCountRow): boolean => smlp.mean <= bestEffort.mean;
const throughputAhead = ({ smlp, bestEffort }: TaskCountRow): boolean => smlp.throughput >= bestEffort.throughput;

const byWay = ({ results }: RealtimeDeviceResults): readonly (readonly [WayName, readonly SizeResults[]])[] =>
  (Object.keys(wayTitles) as WayName[]).flatMap((way) => {
    const of = results.filter((one) => one.way === way);
    return of.length > 0 ? [[way, of] as const] : [];
  });

/** The table of L[k] by number of samples. */
function profileTable(one: RealtimeDeviceResults, way: WayName, results: readonly SizeResults[]): ReportTable {
  const ks = [...new Set(results.flatMap(({ profile }) => profile.map(({ k }) => k)))].sort((a, b) => a - b);
  return {
    title: `Largest observed times on k units while the others are loaded, µs: ${wayTitles[way]}, on ${one.device.id}`,
    header: ["samples", ...ks.map((k) => `k = ${k}`), "median of k = 1", "p99", "slowest units", "S"],
    rows: results.map((result) => [
      powerText(result.samples),
      ...ks.map((k) => micros(result.profile.find((row) => row.k === k)?.max ?? null)),
      micros(result.profile[0].p50),
      micros(result.profile[0].p99),
      `${result.slowdown.toFixed(2)}×`,
      sizesText(result.sizes),
    ]),
  };
}

/** Table I beside the S measured here, for ways in which a unit is a part of a device. */
function sizesTable(one: RealtimeDeviceResults, way: WayName, results: readonly SizeResults[]): ReportTable {
  return {
    title: `Table I, S by number of samples: published for cuFFT, and ${wayTitles[way]}, on ${one.device.id}`,
    header: ["samples", ...publishedGpus.map(({ gpu, units }) => `${gpu}, ℋ = ${units}`), `here, ℋ = ${results[0].units}`],
    rows: results.map(({ samples, sizes }) => [
      powerText(samples),
      ...publishedGpus.map((gpu) => {
        const published = gpu.sizes[Math.log2(samples)];
        return published ? sizesText(published) : "-";
      }),
      sizesText(sizes),
    ]),
  };
}

const rowHeader = [
  "tasks",
  "mean",
  "p99",
  "worst",
  "Lemma 2",
  "partition",
  "over",
  "M samples/s",
  "published way",
  "best effort: mean",
  "worst",
  "M samples/s",
  "published way",
  "worst / best effort's",
];

const rowCells = (row: TaskCountRow): string[] => [
  String(row.tasks),
  micros(row.smlp.mean),
  micros(row.smlp.p99),
  micros(row.smlp.max),
  micros(row.response),
  micros(row.partition),
  `${row.exceedances} of ${row.smlp.jobs}`,
  rate(row.smlp.throughput),
  rate(row.smlp.publishedThroughput),
  micros(row.bestEffort.mean),
  micros(row.bestEffort.max),
  rate(row.bestEffort.throughput),
  rate(row.bestEffort.publishedThroughput),
  `${(row.smlp.max / row.bestEffort.max).toPrecision(2)}${row.wrong > 0 ? " WRONG" : ""}`,
];

function rowsTable(one: RealtimeDeviceResults, result: SizeResults): ReportTable {
  const bound = result.way === "cpu-pool" ? "" : ", its bound instead of Lemma 2's";
  return {
    title: `Responses, µs: ${workText(result)}, ${wayTitles[result.way]}${bound}, ℋ = ${result.units}, S = ${sizesText(result.sizes)}, on ${one.device.id}`,
    header: rowHeader,
    rows: result.rows.map(rowCells),
  };
}

function rhoTable(one: RealtimeDeviceResults, { rhos = [], ...result }: SizeResults): ReportTable {
  return {
    title: `By ρ, µs: ${workText(result)}, ℋ = ${result.units}, on ${one.device.id}`,
    header: ["ρ", "S", ...rowHeader],
    rows: rhos.flatMap(({ rho, sizes, rows }) => rows.map((row) => [String(rho), sizesText(sizes), ...rowCells(row)])),
  };
}

/** The numbers of tasks from which on the lock is ahead, and how far it is behind before. */
function crossoverTable(one: RealtimeDeviceResults, way: WayName, results: readonly SizeResults[]): ReportTable {
  const from = (tasks: number | undefined): string => (tasks === undefined ? "never" : `from ${tasks}`);
  const times = (row: TaskCountRow | undefined): string => (row ? `${(row.smlp.max / row.bestEffort.max).toPrecision(3)}×` : "-");
  return {
    title: `Number of tasks from which on the lock is ahead of best effort: ${wayTitles[way]}, on ${one.device.id}`,
    header: [
      "samples",
      "worst response",
      "mean response",
      "throughput",
      "worst of 2 tasks / best effort's",
      "of the most tasks",
      "over a bound",
    ],
    rows: results.map(({ samples, rows }) => [
      powerText(samples),
      from(crossover(rows, worstAhead)),
      from(crossover(rows, meanAhead)),
      from(crossover(rows, throughputAhead)),
      times(rows.find(({ tasks }) => tasks === 2)),
      times(rows.at(-1)),
      `${sum(rows, ({ exceedances }) => exceedances)} of ${sum(rows, ({ smlp }) => smlp.jobs)}`,
    ]),
  };
}

const sum = <T>(list: readonly T[], of: (one: T) => number): number => list.reduce((total, one) => total + of(one), 0);

const tablesOf = ({ devices }: RealtimeReport): readonly ReportTable[] =>
  devices
    .flatMap((one) =>
      byWay(one).flatMap(([way, results]) => [
        profileTable(one, way, results),
        ...(way === "cpu-pool" ? [sizesTable(one, way, results)] : []),
        crossoverTable(one, way, results),
        ...results.map((result) => rowsTable(one, result)),
        ...results.map((result) => rhoTable(one, result)),
      ]),
    )
    .filter(({ rows }) => rows.length > 0);

/** Describes the rows whose outputs differ from float64 or whose units another task owned. Their times mean nothing. */
export const wrongRealtimeRows = ({ devices }: RealtimeReport): readonly string[] =>
  devices.flatMap(({ device, results }) =>
    results.flatMap((result) =>
      [...result.rows, ...(result.rhos ?? []).flatMap(({ rows }) => rows)].flatMap(({ tasks, wrong, ownershipViolations }) => [
        ...(wrong > 0 ? [`${device.id}, ${result.way}, ${workText(result)}, ${tasks} tasks: ${wrong} wrong outputs`] : []),
        ...(ownershipViolations > 0
          ? [
              `${device.id}, ${result.way}, ${workText(result)}, ${tasks} tasks: ${ownershipViolations} units did not belong to their task alone`,
            ]
          : []),
      ]),
    ),
  );

const heading = ({ devices, jobs, rho }: RealtimeReport): readonly string[] => [
  `Concurrent transforms with bounded responses: all tasks start together, and each runs ${jobs} jobs one after another; ρ = ${rho}`,
  ...devices.map(
    ({ device, clock }) =>
      `${device.id}: ${device.description}${device.units > 1 ? `, ${device.units} units` : ""}, ${device.cores} cores; times by ${clock.name}, steps of ${Number(clock.resolution.toPrecision(2))} µs${device.why === undefined ? "" : `; ${device.why}`}`,
  ),
];

function notes(report: RealtimeReport): readonly string[] {
  const { tasks, log2Samples, bestEffortMicroseconds, smlpMicroseconds, parityTasks, throughputTasks, gpu } = publishedResponses;
  const all = report.devices.flatMap(({ results }) =>
    results.flatMap(({ rows, rhos = [] }) => [...rows, ...rhos.flatMap((one) => one.rows)]),
  );
  return [
    `WCETs are the largest observed times multiplied by a margin of ${report.margin}, so the bounds that follow from them are no guarantee; ${sum(all, ({ exceedances }) => exceedances)} of ${sum(all, ({ smlp }) => smlp.jobs)} jobs were over a bound`,
    `ownership of units under the lock: ${sum(all, ({ ownershipChecks }) => ownershipChecks)} checks, ${sum(all, ({ ownershipViolations }) => ownershipViolations)} violations`,
    `published for ${tasks} tasks of 2^${log2Samples} samples on the ${gpu}: worst response ${smlpMicroseconds} µs under the lock, ${bestEffortMicroseconds} µs by best effort; equal from about ${parityTasks} tasks on, higher throughput from ${throughputTasks} tasks on`,
    "best effort queues every job at once, on all units; throughput is samples over the total time of all jobs, and in the published way samples over the sum of their responses",
    ...wrongRealtimeRows(report).map((text) => `WRONG: ${text}`),
  ];
}

/** Formats the report as tables, with the published values. */
export const realtimeTables = (report: RealtimeReport): ReportTables => ({
  title: `Concurrent transforms with bounded responses, ${report.date.slice(0, 10)}`,
  heading: heading(report),
  tables: tablesOf(report),
  notes: notes(report),
});
