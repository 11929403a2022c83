/** What can be taken along: the task set, the trace, and the command lines that do the same. */
import type { TaskSet } from "@dechirp/realtime";
import type { SimulationSettings } from "@dechirp/realtime/reports";
import { useState } from "preact/hooks";
import { CopyButton } from "../ui/copy-button.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { fileNameOf } from "../ui/file-name.ts";
import { saveBlob } from "../ui/save.ts";
import type { WorkerSession } from "../work/worker-session.ts";
import type { RealtimeApi } from "./worker.ts";

interface ExportsProps {
  readonly session: WorkerSession<RealtimeApi>;
  readonly set: TaskSet;
  /** Name of the task set, for the files' names. */
  readonly name: string;
  readonly settings: SimulationSettings;
  /** Whether the address of the page has the whole task set. */
  readonly isInAddress: boolean;
}

/** The command lines for a file of tasks that has ρ already. */
export const commandLines = (file: string, { seed, jobs, policy, release, execution }: SimulationSettings): readonly string[] => [
  `dechirp schedule analyse ${file} --sweep`,
  `dechirp schedule simulate ${file} --policy ${policy} --release ${release} --execution ${execution} --jobs ${jobs} --seed ${seed} --out trace`,
];

export function Exports({ session, set, name, settings, isInAddress }: ExportsProps) {
  const [error, setError] = useState<unknown>();
  const file = fileNameOf(name, "tasks", "json");
  const lines = commandLines(file, settings);
  const saveTrace = async (): Promise<void> => {
    try {
      saveBlob(fileNameOf(name, "trace", "csv"), (await session.settled(session.api.trace(set, settings))) as Blob);
      setError(undefined);
    } catch (thrown) {
      setError(thrown);
    }
  };
  return (
    <section aria-labelledby="export-title">
      <h2 id="export-title">Take it along</h2>
      <p>
        <button
          type="button"
          class="small"
          onClick={() => saveBlob(file, new Blob([`${JSON.stringify(set, null, 2)}\n`], { type: "application/json" }))}
        >
          Save tasks
        </button>
        <button type="button" class="small" onClick={saveTrace}>
          Save trace
        </button>
        <CopyButton label="Copy link" text={() => location.href} disabled={!isInAddress} otherwise="select the address of the page" />
        <CopyButton label="Copy command lines" text={lines.join("\n")} otherwise="select the text below" />
      </p>
      {error !== undefined && <ErrorNote error={error} />}
      <p>On the command line, with the saved {file}:</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without it, the keyboard could not scroll this part. */}
      <pre class="commands" tabIndex={0}>
        <code data-figure="commands">{lines.join("\n")}</code>
      </pre>
    </section>
  );
}
