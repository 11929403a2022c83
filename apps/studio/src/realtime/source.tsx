/** Where the tasks come from: a preset, or the visitor's own JSON, which is typed, pasted, dropped or opened. */
import { messageOf } from "@dechirp/core";
import type { TaskSet } from "@dechirp/realtime";
import { useEffect, useId, useState } from "preact/hooks";
import { guideAddress } from "../shell/location.ts";
import { useLatest } from "../ui/use-latest.ts";
import type { WorkerSession } from "../work/worker-session.ts";
import type { RealtimeApi } from "./worker.ts";

/** The longest text that is kept in the address of the page. */
export const longestInAddress = 6000;
/** The longest file. */
const longest = 2 ** 21;
/** How long typing pauses before a right text is used, in milliseconds. */
const pause = 400;

interface OwnTasksProps {
  readonly session: WorkerSession<RealtimeApi>;
  /** The text in the address. */
  readonly text: string;
  /** Called with a right text and its tasks. */
  readonly use: (text: string, set: TaskSet) => void;
}

export function OwnTasks({ session, text, use }: OwnTasksProps) {
  const [draft, setDraft] = useState(text);
  const [fault, setFault] = useState<string>();
  const id = useId();
  const { value, error, isBusy } = useLatest(
    async () => ({ draft, set: (await session.settled(session.api.read(draft))) as TaskSet }),
    [draft],
  );
  const right = error === undefined && !isBusy ? value : undefined;
  useEffect(() => {
    if (!right) return undefined;
    const timer = setTimeout(() => use(right.draft, right.set), pause);
    return () => clearTimeout(timer);
  }, [right]);
  const open = async (file: File | undefined): Promise<void> => {
    if (!file) return;
    setFault(file.size > longest ? `${file.name}: it must have at most ${longest} bytes, not ${file.size}.` : undefined);
    if (file.size <= longest) setDraft(await file.text());
  };
  const problem = fault ?? (error === undefined ? undefined : `${messageOf(error)}.`);
  return (
    <section
      aria-label="Own task set"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        void open(event.dataTransfer?.files[0]);
      }}
    >
      <label for={`${id}-text`}>
        Task set as JSON: type, paste, or drop a file here. <a href={`${guideAddress("real-time")}#options`}>The format</a>
      </label>
      <textarea
        id={`${id}-text`}
        class="tasks-json"
        rows={10}
        spellcheck={false}
        value={draft}
        aria-describedby={`${id}-told`}
        aria-invalid={problem === undefined ? undefined : "true"}
        onInput={({ currentTarget }) => {
          setFault(undefined);
          setDraft(currentTarget.value);
        }}
      />
      <p id={`${id}-told`} role="status" data-figure="json-check" class={problem === undefined ? "json-told" : "json-told wrong"}>
        {problem ?? "A right task set."}
        {problem === undefined &&
          draft.length > longestInAddress &&
          " It is too long for the address of this page, so a link does not have it."}
      </p>
      <label>
        Open a tasks.json
        <input type="file" accept=".json,application/json" onChange={({ currentTarget }) => void open(currentTarget.files?.[0])} />
      </label>
    </section>
  );
}
