/**
 * The targets that this project states for the published experiments, and whether reports meet them. Every target names the document or
 * the constant that states it. What a machine can't measure is neither met nor missed, and has the reason.
 */
import type { BackprojectionReport } from "./backprojection-paper/report.ts";
import { minEfaSnrDb } from "./efa-paper/published.ts";
import type { EfaReport } from "./efa-paper/report.ts";
import { type FftDeviceResults, type FftPaperReport, type FftRow, ownChoice } from "./fft-paper/report.ts";
import { wrongFftRows } from "./fft-paper/tables.ts";
import { bestOf, gflopsOf } from "./fft-paper/values.ts";
import type { PaperReport } from "./fused-sar-paper/report.ts";
import type { RealtimeReport } from "./realtime-paper/report.ts";
import { wrongRealtimeRows } from "./realtime-paper/tables.ts";
import type { ReportTable } from "./tables.ts";

/** What was measured for a target: its text, and whether it meets the target. */
export interface TargetMeasurement {
  /** The measured value. */
  readonly text: string;
  /** Whether the target is met. */
  readonly met: boolean;
}

/** A target and its outcome. */
export interface TargetOutcome {
  /** What is wanted. */
  readonly target: string;
  /** Where the project states it. */
  readonly source: string;
  /** The measurement, or the reason why there is none. */
  readonly measured: TargetMeasurement | string;
}

/** The reports of the experiments that ran, by name. */
export interface ExperimentReports {
  readonly "backprojection-paper"?: BackprojectionReport;
  readonly "efa-paper"?: EfaReport;
  readonly "fft-paper"?: FftPaperReport;
  readonly "fused-sar-paper"?: PaperReport;
  readonly "realtime-paper"?: RealtimeReport;
}

interface Target<K extends keyof ExperimentReports> {
  readonly experiment: K;
  readonly target: string;
  readonly source: string;
  measure(report: NonNullable<ExperimentReports[K]>): TargetMeasurement | string;
}

const target = <K extends keyof ExperimentReports>(one: Target<K>): Target<keyof ExperimentReports> =>
  one as unknown as Target<keyof ExperimentReports>;

/** A list of values that must all reach a limit, or must all stay below it. */
function all(values: readonly number[], accepts: (value: number) => boolean, worst: number, unit: string): TargetMeasurement | string {
  if (values.length === 0) return "nothing was measured";
  return { text: `${values.length} values, the worst ${worst.toPrecision(3)}${unit}`, met: values.every(accepts) };
}

const atLeast = (values: readonly number[], limit: number, unit: string): TargetMeasurement | string =>
  all(values, (value) => value >= limit, Math.min(...values), unit);
const atMost = (values: readonly number[], limit: number, unit: string): TargetMeasurement | string =>
  all(values, (value) => value <= limit, Math.max(...values), unit);

/** Rows of sizes on a GPU that is not emulated, or the reason why there are none. */
function gpuRows({ devices, quick }: FftPaperReport, wanted: (row: FftRow) => boolean): readonly FftRow[] | string {
  const gpus = devices.filter(({ device }) => device.id !== "cpu");
  if (gpus.length === 0) return "no GPU took part";
  const hardware = gpus.filter(({ device }: FftDeviceResults) => !device.software);
  if (hardware.length === 0) return "the GPU is emulated on the processor";
  if (quick) return "batches of --quick are too small";
  return hardware.flatMap(({ rows }) => rows.filter((row) => row.section === "sizes" && row.measured && wanted(row)));
}

/** The planner may lose this much to a variant, as times of one run vary. */
const planned = 0.95;
/** The share of the copy's rate that counts as "as long as a copy". */
const ofCopy = 0.9;
const longestAsCopy = 4096;

const targets: readonly Target<keyof ExperimentReports>[] = [
  target({
    experiment: "fft-paper",
    target: "the error of every kernel is within what it states",
    source: "apps/docs/performance.md, Accuracy",
    measure(report) {
      const measured = report.devices.flatMap(({ rows }) => rows.filter((row) => row.measured));
      if (measured.length === 0) return "nothing was measured";
      const wrong = wrongFftRows(report);
      return { text: `${measured.length} results, ${wrong.length} of them wrong`, met: wrong.length === 0 };
    },
  }),
  target({
    experiment: "fft-paper",
    target: `lines of up to ${longestAsCopy} points take as long as a copy on a GPU: at least ${100 * ofCopy} % of its rate`,
    source: "apps/docs/performance-fft-gpu.md",
    measure(report) {
      const rows = gpuRows(report, ({ n, name }) => n <= longestAsCopy && name === ownChoice);
      if (typeof rows === "string") return rows;
      return atLeast(
        rows.map(({ measured }) => 100 * (measured?.ofCopy ?? 0)),
        100 * ofCopy,
        " %",
      );
    },
  }),
  target({
    experiment: "fft-paper",
    target: `no variant is faster than the planner's choice on a GPU: at least ${100 * planned} % of the fastest rate`,
    source: "apps/docs/performance-fft-paper.md",
    measure(report) {
      const rows = gpuRows(report, () => true);
      if (typeof rows === "string") return rows;
      const shares = rows
        .filter(({ name }) => name === ownChoice)
        .flatMap((own) => {
          const best = bestOf(rows.filter(({ n, batch }) => n === own.n && batch === own.batch));
          return best ? [(100 * (gflopsOf(own) ?? 0)) / (gflopsOf(best) ?? 1)] : [];
        });
      return atLeast(shares, 100 * planned, " %");
    },
  }),
  target({
    experiment: "fused-sar-paper",
    target: "fused and unfused images differ by no more than single precision explains",
    source: "packages/experiments/src/fused-sar-paper/published.ts, differenceBound",
    measure: ({ variants, differenceBound }) =>
      atMost(
        variants.flatMap(({ name, measured }) => (measured && !name.includes("f16") ? [measured.difference.relativeL2] : [])),
        differenceBound,
        "",
      ),
  }),
  target({
    experiment: "efa-paper",
    target: `the SNR against float64 is at least ${minEfaSnrDb} dB`,
    source: "packages/experiments/src/efa-paper/published.ts, minEfaSnrDb",
    measure: ({ devices }) =>
      atLeast(
        devices.flatMap(({ rows }) => rows.flatMap(({ measured }) => (measured ? [measured.snrDb] : []))),
        minEfaSnrDb,
        " dB",
      ),
  }),
  target({
    experiment: "realtime-paper",
    target: "no output is wrong, and no unit has two owners",
    source: "packages/experiments/src/realtime-paper/tables.ts, wrongRealtimeRows",
    measure(report) {
      const wrong = wrongRealtimeRows(report);
      return { text: wrong.length === 0 ? "none" : wrong.join("; "), met: wrong.length === 0 };
    },
  }),
];

/** Compares reports with the targets. `why` says why an experiment has no report. */
export const targetOutcomes = (reports: ExperimentReports, why: Readonly<Record<string, string>> = {}): readonly TargetOutcome[] =>
  targets.map(({ experiment, target: wanted, source, measure }) => {
    const report = reports[experiment];
    const measured = report ? measure(report) : (why[experiment] ?? `${experiment} did not run`);
    return { target: `${experiment}: ${wanted}`, source, measured };
  });

/** Formats targets and their outcomes as a table. */
export const targetTable = (outcomes: readonly TargetOutcome[]): ReportTable => ({
  title: "Targets",
  header: ["target", "measured", "met", "stated in"],
  rows: outcomes.map(({ target: wanted, source, measured }) => [
    wanted,
    typeof measured === "string" ? `not measured: ${measured}` : measured.text,
    typeof measured === "string" ? "-" : measured.met ? "yes" : "NO",
    source,
  ]),
});
