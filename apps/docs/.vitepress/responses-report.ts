/** The bench's newest report of responses under a lock on sixteen cores. Read when the site is built. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { folder, newest } from "../scripts/results.mjs";

interface Observed {
  readonly jobs: number;
  readonly mean: number;
  readonly max: number;
  readonly throughput: number;
}

interface DeviceResponses {
  readonly device: { readonly description: string; readonly cores: number };
  readonly results: readonly {
    readonly samples: number;
    readonly rows: readonly {
      readonly tasks: number;
      readonly response: number;
      readonly partition: number | null;
      readonly smlp: Observed;
      readonly bestEffort: Observed;
      readonly exceedances: number;
    }[];
  }[];
}

export interface ResponsesReport extends DeviceResponses {
  /** The folder in `packages/bench/results`. */
  readonly name: string;
  /** Responses above their bounds, over all lengths and numbers of tasks. */
  readonly exceedances: number;
  /** Responses that were measured under the lock. */
  readonly jobs: number;
}

export function responsesReport(): ResponsesReport {
  const name = newest("realtime-paper-xeon-16-cores");
  const { devices } = JSON.parse(readFileSync(join(folder, name, "report.json"), "utf8"));
  const [{ device, results }]: readonly DeviceResponses[] = devices;
  const rows = results.flatMap((result) => result.rows);
  return {
    name,
    device,
    results,
    exceedances: rows.reduce((sum, row) => sum + row.exceedances, 0),
    jobs: rows.reduce((sum, row) => sum + row.smlp.jobs, 0),
  };
}
