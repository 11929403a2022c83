/** An image that one device makes, with everything that is known of it. */

import { Outcome, Reasons, RecordingFactsOf } from "./details.tsx";
import { jobOf } from "./job.ts";
import type { Source } from "./messages.ts";
import { Picture } from "./picture.tsx";
import { useNoting } from "./use-noting.ts";
import { useRun } from "./use-run.ts";
import type { Changing, FocusValues } from "./values.ts";

/** What the parts of the page below the sources get. */
export interface FocusProps {
  readonly source: Source | undefined;
  readonly values: FocusValues;
  readonly change: Changing;
  /** Adds a file of AGC values to the open files. Absent if they are on a server. */
  readonly addAgc: ((file: File) => void) | undefined;
}

export function One({ source, values, change, addAgc }: FocusProps) {
  const { device } = values;
  const { job, key } = jobOf(source, values, device === "cpu" || device === "gpu" ? device : undefined);
  const run = useRun(job, key, "auto");
  useNoting(source, run);
  const shared = { run, values, change };
  return (
    <>
      <div class="focus-layout">
        <Picture label="Focused image" {...shared} />
        <div>
          <RecordingFactsOf {...shared} addAgc={addAgc} />
          <Outcome run={run} job={job} />
        </div>
      </div>
      <Reasons {...shared} />
    </>
  );
}
