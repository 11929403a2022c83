/** The three numbers of the front page, from the bench's newest result files. Read when the site is built. */
import { bench, comparisons, dateOf, newest, short } from "../scripts/results.mjs";
import { responsesReport } from "./responses-report.ts";

export interface KeyNumber {
  readonly value: string;
  readonly unit: string;
  /** What was measured. */
  readonly what: string;
  /** What it is compared with, and the outcome. */
  readonly against: string;
  readonly date: string;
  readonly where: string;
  /** The page about the measurement. */
  readonly page: string;
}

export declare const data: readonly KeyNumber[];

/** What is told of a comparison with the fastest peer, whoever is ahead. */
const told = (peer: string, ratio: number): string =>
  ratio >= 1 ? `${ratio.toFixed(1)} times as fast as ${peer}` : `${peer} is ${(1 / ratio).toFixed(1)} times as fast`;

/** The time of the only case that matches, beside its fastest peer. `what` makes a text of the case's name as the pattern divides it. */
function timed(file: string, cases: RegExp, what: (parts: readonly string[]) => string): Omit<KeyNumber, "where" | "page"> {
  const [found] = comparisons(bench(file), cases);
  const parts = found && cases.exec(found.name);
  if (!parts) throw new Error(`packages/bench/results/${file} has no case that matches ${cases}`);
  const peer = found.peer.replace(/^([^,]+), (.*)$/, "$1 ($2)");
  return { value: short(found.ours), unit: "ms", what: what(parts), against: told(peer, found.ratio), date: dateOf(file) };
}

function responses(): KeyNumber {
  const { name, device, results, exceedances, jobs } = responsesReport();
  const share = Math.floor(1e4 * (1 - exceedances / jobs)) / 100; // never rounded up to 100
  const most = Math.max(...results.flatMap(({ rows }) => rows.map(({ tasks }) => tasks)));
  return {
    value: share.toFixed(2),
    unit: "%",
    what: `of ${jobs.toLocaleString("en")} transforms ended within their computed bound, while up to ${most} tasks shared the device`,
    against: `${exceedances.toLocaleString("en")} did not`,
    date: dateOf(name),
    where: `${device.cores} cores`,
    page: "/performance-real-time",
  };
}

export default {
  load: (): readonly KeyNumber[] => [
    {
      ...timed(
        newest("gpu-h100.json"),
        /^range-Doppler c64 (\d+)×(\d+)$/,
        ([, lines, samples]) =>
          `for an image of ${lines} lines of ${samples} samples, focused by the range-Doppler algorithm through WebGPU`,
      ),
      where: "NVIDIA H100",
      page: "/performance-fused-sar",
    },
    {
      ...timed(
        newest("efa-h100.json"),
        /^EFA M = (\d+), N_CPI = (\d+), N_D = \d+, L = (\d+),/,
        ([, channels, pulses, ranges]) => `for adaptive processing of ${channels} channels, ${pulses} pulses and ${ranges} ranges`,
      ),
      where: "NVIDIA H100",
      page: "/performance-efa",
    },
    responses(),
  ],
};
