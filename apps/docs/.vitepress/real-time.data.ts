/** The table of responses on the real-time page, from the bench's newest result file of sixteen cores. Read when the site is built. */
import { responsesReport } from "./responses-report.ts";

export interface Responses {
  readonly file: string;
  readonly device: string;
  readonly cores: number;
  /** Samples of a task's transform, as a power of two. */
  readonly log2Samples: number;
  readonly rows: readonly {
    readonly tasks: number;
    readonly lock: string;
    readonly bound: string;
    readonly bestEffort: string;
    readonly lockRate: string;
    readonly bestEffortRate: string;
  }[];
  /** Responses above their bounds, over all lengths and numbers of tasks. */
  readonly exceedances: string;
  readonly jobs: string;
  readonly shortest: number;
  readonly longest: number;
}

export declare const data: Responses;

const log2Samples = 18;
const shown = [1, 2, 5, 10, 21];

const round = (value: number): string => value.toFixed(0);

export default {
  load(): Responses {
    const { name, device, results, exceedances, jobs } = responsesReport();
    const rows = results.find(({ samples }) => samples === 2 ** log2Samples)?.rows ?? [];
    return {
      file: `${name}/report.md`,
      device: device.description.split(";")[0],
      cores: device.cores,
      log2Samples,
      rows: rows
        .filter(({ tasks }) => shown.includes(tasks))
        .map(({ tasks, smlp, bestEffort, response, partition }) => ({
          tasks,
          lock: `${round(smlp.mean)}, ${round(smlp.max)}`,
          bound: round(Math.min(response, partition ?? Number.POSITIVE_INFINITY)),
          bestEffort: `${round(bestEffort.mean)}, ${round(bestEffort.max)}`,
          lockRate: round(smlp.throughput),
          bestEffortRate: round(bestEffort.throughput),
        })),
      exceedances: round(exceedances),
      jobs: jobs.toLocaleString("en"),
      shortest: Math.log2(Math.min(...results.map(({ samples }) => samples))),
      longest: Math.log2(Math.max(...results.map(({ samples }) => samples))),
    };
  },
};
