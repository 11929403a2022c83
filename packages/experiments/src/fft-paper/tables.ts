/**
 * Tables of the report: Tables I to IX and Fig. 1 of the paper on radix 8, and Table I of the paper on fused kernels, each with the
 * published values (M1), the measured ones, and their share of the rate of a copy on the same device. Made from results, so that files that
 * others contribute give the same tables.
 */
import { variants } from "@dechirp/fft-gpu/lab";
import { appleM1, appleM4Max, type ModelParameters, predictFft } from "../fft-model/index.ts";
import { decimals, type ReportTable, type ReportTables } from "../tables.ts";
import { median } from "../timing.ts";
import { configurationTable, hardwareTable, memoryTable, parameterTable, radixTable, ruleTable, thesisTable } from "./hardware-tables.ts";
import { mainSize } from "./jobs.ts";
import { type PublishedKernel, published } from "./published.ts";
import { everyKernel, type FftDeviceResults, type FftPaperResult, type FftRow, ownChoice } from "./report.ts";
import {
  bestOf,
  errorText,
  gflopsOf,
  gflopsText,
  isWrong,
  kernelsOf,
  microsecondsOf,
  rowAt,
  shareText,
  short,
  timesText,
  withOwnNames,
} from "./values.ts";

/** The columns of a kernel's measurement. */
const measuredHeader = ["here, GFLOPS", "here, µs/FFT", "share of the copy", "error"];

const measuredCells = (row: FftRow | undefined): string[] => [
  gflopsText(row),
  short(row && microsecondsOf(row)),
  shareText(row),
  errorText(row),
];

/** Names a kernel with the reason why it was not measured. */
const named = (name: string, row: FftRow | undefined): string => (row?.why === undefined ? name : `${name}: ${row.why}`);

/** A kernel beside the published one, and how many times as fast as the baseline it is. */
const kernelRow = (row: FftRow, then: PublishedKernel | undefined, baseline: FftRow | undefined): readonly string[] => [
  named(row.name, row),
  then?.name ?? "-",
  then ? String(then.gflops) : "-",
  then ? then.microseconds.toFixed(2) : "-",
  ...measuredCells(row),
  timesText(row.measured && baseline?.measured ? baseline.measured.milliseconds / row.measured.milliseconds : undefined),
];

/** Table VI: every kernel at N = 4096, batch 256, or at the largest batch that was measured if that is smaller. */
function kernelTable(one: FftDeviceResults): ReportTable {
  const batch = mainBatch(one);
  const rows = one.rows.filter((row) => row.section === "batches" && row.batch === batch);
  const baseline = rows.find(({ kind }) => kind === "peer") ?? rows.find(({ name }) => name === ownChoice);
  return {
    title: `Table VI, N = ${mainSize}, batch ${batch}${batch === published.batch ? "" : ` (published: batch ${published.batch})`}, on ${one.device.id}`,
    header: ["kernel", "published (M1)", "published, GFLOPS", "published, µs/FFT", ...measuredHeader, `× ${baseline?.name ?? "the first"}`],
    rows: rows.map((row) =>
      kernelRow(
        row,
        row.name === ownChoice || one.device.id === "cpu" ? cpuBaseline(one, row) : kernelNamed(published.transforms, row.name),
        baseline,
      ),
    ),
  };
}

/** The published kernel with a name, which may come from a file of anyone's. */
const kernelNamed = (kernels: Readonly<Record<string, PublishedKernel>>, name: string): PublishedKernel | undefined =>
  Object.hasOwn(kernels, name) ? kernels[name] : undefined;

/** The published processor, beside the processor's own choice and its peer. */
const cpuBaseline = (one: FftDeviceResults, row: FftRow) =>
  one.device.id === "cpu" && (row.name === ownChoice || row.kind === "peer") ? published.transforms["cpu"] : undefined;

/** The published batch if it was measured, or else the largest one. */
function mainBatch({ rows }: FftDeviceResults): number {
  const batches = rows.filter(({ section, measured }) => section === "batches" && measured).map(({ batch }) => batch);
  return batches.includes(published.batch) ? published.batch : Math.max(...batches, 0);
}

/** Table VII: the planner's choice and the fastest kernel of each size. */
function sizeTable(one: FftDeviceResults): ReportTable {
  const sizes = [...new Set(one.rows.filter(({ section }) => section === "sizes").map(({ n }) => n))];
  return {
    title: `Table VII, by size, on ${one.device.id}`,
    header: [
      "N",
      "published (M1), GFLOPS",
      "published, µs/FFT",
      "batch here",
      ...measuredHeader,
      "passes",
      "fastest kernel here",
      "GFLOPS",
      "share of the copy",
    ],
    rows: sizes.map((n) => {
      const rows = one.rows.filter((row) => row.section === "sizes" && row.n === n);
      const own = rows.find(({ name }) => name === ownChoice) ?? rows[0];
      const best = bestOf(rows);
      const then = published.sizes.find((size) => size.n === n);
      return [
        named(String(n), own),
        then ? `${then.gflops} (${then.decomposition})` : "-",
        then ? then.microseconds.toFixed(2) : "-",
        String(own.batch),
        ...measuredCells(own),
        decimals(own.measured?.passes, 0),
        best?.name ?? "-",
        gflopsText(best),
        shareText(best),
      ];
    }),
  };
}

/** The titles of the tables of every kernel. */
const variantTitles: Readonly<Record<FftRow["section"], string>> = {
  batches: `Fig. 1, GFLOPS by batch, N = ${mainSize}`,
  sizes: "GFLOPS of every kernel by size",
  short: "GFLOPS of short lines, which one product of matrices transforms",
};

/** Every kernel at every size, GFLOPS. */
function variantTable(one: FftDeviceResults, section: FftRow["section"]): ReportTable {
  const of = one.rows.filter((row) => row.section === section);
  const names = kernelsOf(of);
  const points = [...new Map(of.map((row) => [`${row.n} ${row.batch}`, row])).values()];
  const copyOf = (bytes: number): string => short(one.copies.find((copy) => copy.bytes === bytes)?.gigabytesPerSecond);
  const isBatch = section === "batches";
  return {
    title: `${variantTitles[section]}, on ${one.device.id}`,
    header: [isBatch ? "batch" : "N", ...names, "copy, GB/s"],
    rows: points.map(({ n, batch }) => [
      named(
        String(isBatch ? batch : n),
        of.find((row) => row.n === n && row.batch === batch && row.name === everyKernel),
      ),
      ...names.map((name) => gflopsText(rowAt(of, n, batch, name))),
      copyOf(8 * n * batch),
    ]),
  };
}

/** Table VIII: what barriers and scattered accesses cost. */
function barrierTable(one: FftDeviceResults): ReportTable {
  const batch = mainBatch(one);
  return {
    title: `Table VIII, barriers and access patterns, N = ${mainSize}, on ${one.device.id}`,
    header: ["design", "barriers", "access", "published (M1), GFLOPS", ...measuredHeader],
    rows: published.barriers.map(({ variant, name, barriers, access, gflops }) => {
      const row = rowAt(one.rows, mainSize, batch, variant);
      return [named(name, row), String(barriers), access, String(gflops), ...measuredCells(row)];
    }),
  };
}

/** Table I of the paper on fused kernels: scalar kernels and products of matrices. */
function matrixTable(one: FftDeviceResults): ReportTable {
  const batch = mainBatch(one);
  const rows = one.rows.filter(
    (row) =>
      row.section === "batches" &&
      row.batch === batch &&
      (kernelNamed(published.matrix, row.name) !== undefined || row.name.startsWith("matrix")),
  );
  const scalar = rows.find(({ name }) => name === "radix-8");
  return {
    title: `Table I of the paper on fused kernels: matrix products against scalar kernels, N = ${mainSize}, on ${one.device.id}`,
    header: ["kernel", "published (M1)", "published, GFLOPS", "published, µs/FFT", ...measuredHeader, "× radix-8"],
    rows: rows.map((row) => kernelRow(row, kernelNamed(published.matrix, row.name), scalar)),
  };
}

/** The model's times beside the measured ones, and by which factor they are wrong. */
function predictionTable(one: FftDeviceResults): ReportTable {
  const factors: number[] = [];
  // A size may have the same batch in both sweeps.
  const different = new Map((one.predictions ?? []).map((time) => [`${time.n} ${time.batch} ${time.name}`, time]));
  const rows = [...different.values()].flatMap(({ n, batch, name, milliseconds }) => {
    const measured = rowAt(one.rows, n, batch, name)?.measured;
    if (!measured) return [];
    const ratio = milliseconds / measured.milliseconds;
    factors.push(Math.max(ratio, 1 / ratio));
    return [[name, String(n), String(batch), short(milliseconds), short(measured.milliseconds), timesText(ratio)]];
  });
  return {
    title: `Predicted and measured, on ${one.device.id}`,
    header: ["kernel", "N", "batch", "predicted, ms", "measured, ms", "predicted / measured"],
    rows: [
      ...rows,
      ...(factors.length > 0
        ? [["wrong by a factor of", "median, worst", "", "", "", `${decimals(median(factors), 2)}, ${decimals(Math.max(...factors), 2)}`]]
        : []),
    ],
  };
}

/** What the model predicts for GPUs whose parameters are published. Nothing here was measured. */
function publishedDevicesTable(): ReportTable {
  const { n, batch } = { n: mainSize, batch: 256 };
  const cell = (parameters: ModelParameters, variant: string): string => {
    const predicted = predictFft(parameters, { n, batch, variant });
    return "gflops" in predicted ? short(predicted.gflops) : `- (needs ${predicted.needs})`;
  };
  return {
    title: `Predictions from published parameters, N = ${n}, batch ${batch}, in GFLOPS`,
    header: ["kernel", "published (M1)", `predicted: ${appleM1.name}`, `predicted: ${appleM4Max.name}`],
    rows: Object.keys(variants).map((name) => [
      name,
      String((kernelNamed(published.transforms, name) ?? kernelNamed(published.matrix, name))?.gflops ?? "-"),
      cell(appleM1, name),
      cell(appleM4Max, name),
    ]),
  };
}

/** The rows whose results differ from float64. Their times mean nothing. */
export const wrongFftRows = ({ devices }: Pick<FftPaperResult, "devices">): readonly FftRow[] =>
  devices.flatMap(({ rows }) => rows.filter(isWrong));

const tablesOf = (result: FftPaperResult): readonly ReportTable[] => [
  ...result.devices
    .flatMap((one) => [
      kernelTable(one),
      sizeTable(one),
      variantTable(one, "batches"),
      variantTable(one, "sizes"),
      variantTable(one, "short"),
      ...(one.device.id === "cpu"
        ? []
        : [
            matrixTable(one),
            barrierTable(one),
            parameterTable(one),
            memoryTable(one),
            hardwareTable(one),
            radixTable(one),
            ruleTable(one),
            configurationTable(one),
            thesisTable(one, result.devices),
            predictionTable(one),
          ]),
    ])
    .filter(({ rows }) => rows.length > 0),
  ...(result.devices.some(({ device }) => device.id !== "cpu") ? [publishedDevicesTable()] : []),
];

const heading = ({ devices, absent, versions, quick }: FftPaperResult): readonly string[] => [
  `Complex transforms in single precision, uniform noise, data on the device${quick ? "; few and small batches only" : ""}; GFLOPS = 5·N·log₂N·batch/time, medians of turns; errors are relative L2 against float64, of the timed output`,
  ...devices.map(({ device, rows }) => {
    const clock = rows.some(({ measured }) => measured?.clock === "device") ? "device's" : "host's";
    const notes = device.notes.length > 0 ? `; ${device.notes.join("; ")}` : "";
    return `${device.id}: ${device.description}${device.units > 1 ? `, ${device.units} units` : ""}; times by the ${clock} clock${device.why === undefined ? "" : `; ${device.why}`}${notes}`;
  }),
  ...Object.entries(absent).map(([name, why]) => `${name}: not measured: ${why}`),
  ...(Object.keys(versions).length > 0
    ? [
        Object.entries(versions)
          .map(([name, version]) => `${name} ${version}`)
          .join(", "),
      ]
    : []),
  `Published: ${published.source}`,
];

const notes = (result: FftPaperResult): readonly string[] => [
  "The share of the copy compares the rate in bytes with that of a kernel that copies the same bytes, timed in adjacent turns; it can exceed 1",
  ...(result.devices.some(({ device }) => device.software)
    ? ["A software adapter runs on the processor. Its times say nothing about GPUs"]
    : []),
  ...(result.devices.some(({ device, memory }) => device.id !== "cpu" && !memory) ? ["Table II was not measured in this run"] : []),
  ...wrongFftRows(result).map(
    ({ name, n, batch, measured }) => `WRONG: ${name}, ${batch} × ${n}: error ${measured?.error.toExponential(1)}`,
  ),
];

/** Formats results as the published tables with the measured values beside them. */
export function fftPaperTables(given: FftPaperResult): ReportTables {
  const result = withOwnNames(given);
  return {
    title: `The published experiment on transforms, ${result.date.slice(0, 10)}`,
    heading: heading(result),
    tables: tablesOf(result),
    notes: notes(result),
  };
}

/** The rate of the fastest kernel of a section's largest batch, for comparisons of devices. */
export const fastestGflops = ({ rows }: FftDeviceResults): number => Math.max(0, ...rows.map((row) => gflopsOf(row) ?? 0));
