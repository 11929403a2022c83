/** An image that one device makes, with everything that is known of it. */

import { type Changing, Outcome, Reasons, RecordingFactsOf } from "./details.tsx";
import { jobOf } from "./job.ts";
import type { Source } from "./messages.ts";
import { Picture } from "./picture.tsx";
import { useNoting } from "./use-noting.ts";
import { useRun } from "./use-run.ts";
import type { FocusValues } from "./values.ts";

/** What the parts of the page below the sources get. */
export interface FocusProps {
  readonly source: Source | undefined;
  readonly values: FocusValues;
  readonly change: Changing;
}

export function One({ source, values, change }: FocusProps) {
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
          <RecordingFactsOf {...shared} />
          <Outcome run={run} job={job} />
        </div>
      </div>
      <Reasons {...shared} />
    </>
  );
}
