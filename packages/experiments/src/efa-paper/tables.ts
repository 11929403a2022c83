/** Tables of the report: the published tables with the measured values beside them. */
import { decimals, type ReportTable, type ReportTables } from "../tables.ts";
import { minEfaSnrDb, published, publishedStages, type StageName, stageTitles } from "./published.ts";
import type { EfaDeviceResults, EfaMeasured, EfaReport, EfaRow, EfaSizes, Section } from "./report.ts";

/** The paper's symbols of the sizes. */
export const symbols: Readonly<Record<keyof EfaSizes, string>> = {
  channels: "M",
  pulses: "N_CPI",
  dopplerBins: "N_D",
  ranges: "L",
  blockRanges: "B",
  temporalTaps: "T",
  steeringVectors: "P",
};

/** Formats sizes as `M = 4, N_CPI = 128 …`, without `varied`. */
export const sizesText = (sizes: EfaSizes, varied?: keyof EfaSizes): string =>
  (Object.keys(symbols) as (keyof EfaSizes)[])
    .filter((name) => name !== varied)
    .map((name) => `${symbols[name]} = ${sizes[name]}`)
    .join(", ");

const milliseconds = (value: number | undefined): string =>
  value === undefined || Number.isNaN(value) ? "-" : value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();
const times = (value: number): string => `${value.toPrecision(3)}×`;
const gflops = (flops: number, time: number): string => (flops / time / 1e6).toPrecision(3);
const snr = (value: number): string => `${isWrong(value) ? "WRONG " : ""}${decimals(value, 1)}`;

const isWrong = (snrDb: number): boolean => !(snrDb >= minEfaSnrDb);

/** The rows whose results differ from float64. Their times mean nothing. */
export const wrongEfaRows = ({ devices }: EfaReport): readonly EfaRow[] =>
  devices.flatMap(({ rows }) => rows.filter(({ measured }) => measured !== undefined && isWrong(measured.snrDb)));

const isPublished = (sizes: EfaSizes): boolean =>
  (Object.keys(symbols) as (keyof EfaSizes)[]).every((name) => sizes[name] === published.sizes[name]);

const rowsOf = ({ rows }: EfaDeviceResults, section: Section): readonly EfaRow[] => rows.filter((row) => row.section === section);
const stageOf = (measured: EfaMeasured | undefined, name: StageName) => measured?.stages.find((stage) => stage.name === name);
const flopsOf = ({ stages }: EfaMeasured): number => stages.reduce((sum, { flops }) => sum + flops, 0);

/** Table III for the variant that equals the published one. */
function stageTable(one: EfaDeviceResults): ReportTable {
  const row = rowsOf(one, "stages")[0];
  const m = row?.measured;
  const asPublished = row !== undefined && isPublished(row.sizes);
  const line = (title: string, then: readonly number[], here: EfaMeasured["total"] | undefined, flops: number): string[] => [
    title,
    ...then.map((value) => (asPublished ? value.toFixed(2) : "-")),
    milliseconds(here?.meanMilliseconds),
    milliseconds(here?.medianMilliseconds),
    here ? gflops(flops, here.meanMilliseconds) : "-",
    here && asPublished ? times(then[1] / here.meanMilliseconds) : "-",
  ];
  return {
    title: `Table III, ${row?.name}, ms per data set, mean of ${m?.dataSets ?? 0}, on ${one.device.id}`,
    header: ["stage", ...published.gpus.map(({ name }) => name), "here", "median", "Gflop/s", "times the K20c"],
    rows: m
      ? [
          ...publishedStages.map((name) => {
            const stage = stageOf(m, name);
            const then = published.gpus.map((gpu) => gpu.milliseconds[name]);
            return line(stageTitles[name], then, stage, stage?.flops ?? 0);
          }),
          line(
            "total",
            published.gpus.map(({ totalMilliseconds }) => totalMilliseconds),
            m.total,
            flopsOf(m),
          ),
        ]
      : [],
  };
}

/** The columns with the times of the stages, in all tables but the first. */
const stageHeader = ["Doppler", "covariance", "solves", "weighting", "total", "SNR, dB"];

function stageCells({ measured: m, why }: EfaRow): string[] {
  if (!m) return ["-", "-", why ?? "-", "-", "-", "-"];
  const of = (name: StageName): string => milliseconds(stageOf(m, name)?.medianMilliseconds);
  const filter = stageOf(m, "filter");
  return [
    of("doppler"),
    of("covariance"),
    ...(filter ? [`${of("filter")} in one`, "-"] : [of("solve"), of("weighting")]),
    milliseconds(m.total.medianMilliseconds),
    snr(m.snrDb),
  ];
}

function wayTable(one: EfaDeviceResults): ReportTable {
  const rows = rowsOf(one, "stages");
  return {
    title: `The same algorithm in several variants, median ms, on ${one.device.id}`,
    header: ["way", ...stageHeader, "mean total", "Gflop/s", "times the K20c"],
    rows: rows.map((row) => [
      row.name,
      ...stageCells(row),
      milliseconds(row.measured?.total.meanMilliseconds),
      row.measured ? gflops(flopsOf(row.measured), row.measured.total.meanMilliseconds) : "-",
      row.measured && isPublished(row.sizes) ? times(published.gpus[1].totalMilliseconds / row.measured.total.meanMilliseconds) : "-",
    ]),
  };
}

/** Table II, and data sets per second and watt as in section V, for the fastest variant here. */
function powerTable(one: EfaDeviceResults, watts: number | undefined): ReportTable {
  const rows = rowsOf(one, "stages").flatMap(({ name, measured, sizes }) => (measured ? [{ name, measured, sizes }] : []));
  const mean = ({ measured }: { measured: EfaMeasured }): number => measured.total.meanMilliseconds;
  const best = rows.reduce<(typeof rows)[number] | undefined>((found, row) => (found && mean(found) <= mean(row) ? found : row), undefined);
  return {
    title: `Table II and data sets per second and watt, on ${one.device.id}`,
    header: ["device", "peak Gflop/s", "GB/s", "W", "data sets/s", "data sets/s/W"],
    rows: !best
      ? []
      : [
          ...(isPublished(best.sizes) ? published.gpus : []).map((gpu) => [
            gpu.name,
            String(gpu.peakGflops),
            String(gpu.gigabytesPerSecond),
            String(gpu.watts),
            (1000 / gpu.totalMilliseconds).toFixed(0),
            gpu.dataSetsPerSecondPerWatt.toFixed(2),
          ]),
          [
            `${one.device.id}, ${best.name}`,
            "-",
            "-",
            watts === undefined ? "-" : String(watts),
            (1000 / mean(best)).toFixed(0),
            watts === undefined ? "-" : (1000 / mean(best) / watts).toPrecision(3),
          ],
        ],
  };
}

const sweepTitles = {
  blocking: "By blocking factor of Gauss-Jordan elimination, with Cholesky factorisation for comparison",
  products: "By how covariances are summed",
  channels: "By channels",
  steering: "By steering vectors",
  ranges: "By range bins",
  perfect: "The PERFECT suite's sizes, each block its own training data, MVDR amplitudes",
} satisfies Partial<Record<Section, string>>;

const sweepNames: Partial<Record<Section, (row: EfaRow) => string>> = {
  channels: ({ sizes }) => `M = ${sizes.channels}`,
  steering: ({ sizes }) => `P = ${sizes.steeringVectors}`,
  ranges: ({ sizes }) => `L = ${sizes.ranges}`,
  perfect: ({ name, sizes }) => `${name}: ${sizesText(sizes)}`,
};

function sweepTable(one: EfaDeviceResults, section: keyof typeof sweepTitles): ReportTable {
  const rows = rowsOf(one, section);
  return {
    title: `${sweepTitles[section]}, median ms, on ${one.device.id}`,
    header: ["", ...stageHeader, "Gflop/s"],
    rows: rows.map((row) => [
      sweepNames[section]?.(row) ?? row.name,
      ...stageCells(row),
      row.measured ? gflops(flopsOf(row.measured), row.measured.total.medianMilliseconds) : "-",
    ]),
  };
}

const tablesOf = ({ devices, watts }: EfaReport): readonly ReportTable[] =>
  devices
    .flatMap((one) => [
      stageTable(one),
      wayTable(one),
      powerTable(one, watts),
      ...(Object.keys(sweepTitles) as (keyof typeof sweepTitles)[]).map((section) => sweepTable(one, section)),
    ])
    .filter(({ rows }) => rows.length > 0);

const heading = ({ devices, sizes, dataSets }: EfaReport): readonly string[] => [
  `The extended factored algorithm, ${sizesText(sizes)}; ${dataSets} data sets of noise, on the device before timing starts; SNR is the lowest of all, against float64 in sampled Doppler bins`,
  ...devices.map(
    ({ device, rows }) =>
      `${device.id}: ${device.description}${device.units > 1 ? `, ${device.units} units` : ""}; times by the ${rows.some(({ measured }) => measured?.clock === "device") ? "device's" : "host's"} clock${device.why === undefined ? "" : `; ${device.why}`}`,
  ),
  `Published: ${published.source}`,
];

const notes = (report: EfaReport): readonly string[] => [
  "Gflop/s count 8 operations per complex multiply-add and 5·n·log₂n per transform, for shared products and published times alike",
  report.watts === undefined
    ? "data sets per second and watt need the device's power limit: --watts"
    : "data sets per second and watt refer to a power limit, as published, and not to measured power",
  ...wrongEfaRows(report).map(({ section, name, measured }) => `WRONG: ${section}, ${name}: ${decimals(measured?.snrDb, 1)} dB`),
];

/** Formats the report as the published tables with the measured values beside them. */
export const efaTables = (report: EfaReport): ReportTables => ({
  title: `The published experiment on the extended factored algorithm, ${report.date.slice(0, 10)}`,
  heading: heading(report),
  tables: tablesOf(report),
  notes: notes(report),
});
