/** Values that follow from rows: rates, times of one transform, shares of the copy; and their texts. */
import type { FftPaperResult, FftRow } from "./report.ts";

/** The result with a number behind the names of GPUs if several have the same. Names of plots and tables then differ. */
export const withOwnNames = <T extends FftPaperResult>(result: T): T => ({
  ...result,
  devices: result.devices.map((one, i, all) => {
    const { id } = one.device;
    const shared = id !== "cpu" && all.filter(({ device }) => device.id === id).length > 1;
    return shared ? { ...one, device: { ...one.device, id: `${id}.${i + 1}` } } : one;
  }),
});

/** Whether the result differs from float64. */
export const isWrong = ({ measured }: FftRow): boolean => measured !== undefined && !(measured.error <= measured.allowed);

/** 5·N·log₂N·batch/time in 10⁹ operations per second. Undefined if nothing was measured, or if the result is wrong. */
export const gflopsOf = (row: FftRow | undefined): number | undefined =>
  row?.measured && !isWrong(row) ? (5 * row.n * Math.log2(row.n) * row.batch) / row.measured.milliseconds / 1e6 : undefined;

/** Microseconds of one transform. */
export const microsecondsOf = ({ batch, measured }: FftRow): number | undefined => measured && (1e3 * measured.milliseconds) / batch;

/** A number with three digits. A dash if there is none. */
export const short = (value: number | undefined): string =>
  value === undefined || !Number.isFinite(value) ? "-" : value >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString();

/** GFLOPS, `WRONG`, or a dash. */
export const gflopsText = (row: FftRow | undefined): string => (row && isWrong(row) ? "WRONG" : short(gflopsOf(row)));

/** The share of the copy in per cent. */
export const shareText = (row: FftRow | undefined): string =>
  row?.measured?.ofCopy === undefined ? "-" : `${(100 * row.measured.ofCopy).toFixed(0)} %`;

/** The error of the timed output. */
export const errorText = (row: FftRow | undefined): string =>
  row?.measured === undefined ? "-" : Number.isNaN(row.measured.error) ? "NaN" : row.measured.error.toExponential(1);

/** A ratio. */
export const timesText = (value: number | undefined): string => (value === undefined || !Number.isFinite(value) ? "-" : `${short(value)}×`);

/** The row of a kernel at a size and batch. */
export const rowAt = (rows: readonly FftRow[], n: number, batch: number, name: string): FftRow | undefined =>
  rows.find((row) => row.n === n && row.batch === batch && row.name === name);

/** The fastest of this project's kernels among rows. */
export const bestOf = (rows: readonly FftRow[]): FftRow | undefined =>
  rows
    .filter((row) => row.kind === "own" && gflopsOf(row) !== undefined)
    .reduce<FftRow | undefined>((best, row) => (best && (gflopsOf(best) ?? 0) >= (gflopsOf(row) ?? 0) ? best : row), undefined);

/** Names of the kernels of which at least one row was measured, in order. */
export const kernelsOf = (rows: readonly FftRow[]): readonly string[] => [
  ...new Set(rows.filter(({ measured }) => measured).map(({ name }) => name)),
];

/** What the text of a plan says about its shape. Absent fields are not in the text. */
export interface PlanShape {
  readonly radices?: readonly number[];
  readonly threads?: number;
  readonly exchange?: string;
}

/** Reads radices, threads and the exchange from the text of a plan of one pass. */
export function shapeOf(text: string): PlanShape {
  const words = text.split(/[\s()]/);
  const field = (name: string): string | undefined => words.find((word) => word.startsWith(`${name}=`))?.slice(name.length + 1);
  const radices = field("radix")?.split("·").map(Number);
  const threads = Number(field("threads"));
  const exchange = field("exchange");
  return {
    ...(radices?.every((r) => Number.isInteger(r)) && { radices }),
    ...(Number.isInteger(threads) && { threads }),
    ...(exchange !== undefined && { exchange }),
  };
}
