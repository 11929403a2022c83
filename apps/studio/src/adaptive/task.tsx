/** The task Adaptive processing: settings on the left; maps, responses and tables on the right, which follow every change. */
import "./adaptive.css";
import { isRadarError } from "@dechirp/core";
import { proxy } from "comlink";
import { useState } from "preact/hooks";
import { type TaskProps, taskBody } from "../task.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { type Advance, Progress } from "../ui/progress.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { useSession } from "../ui/use-session.ts";
import { Controls } from "./controls.tsx";
import type { Known } from "./known.ts";
import type { KnownApi } from "./known-worker.ts";
import type { FileFacts } from "./messages.ts";
import { Results } from "./results.tsx";
import { settings, type Values } from "./settings.ts";
import { Source } from "./source.tsx";
import { useProcessing } from "./use-processing.ts";
import type { AdaptiveApi } from "./worker.ts";

function View({ values, change }: TaskProps<typeof settings>) {
  const session = useSession<AdaptiveApi>(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "adaptive" }));
  const knowing = useSession<KnownApi>(
    () => new Worker(new URL("./known-worker.ts", import.meta.url), { type: "module", name: "adaptive-known" }),
  );
  const [files, setFiles] = useState<readonly File[]>();
  const [advance, setAdvance] = useState<Advance>();
  const { axes, cpi } = values;
  const read = useLatest<FileFacts | undefined>(
    async (signal) =>
      files &&
      session.settled(
        session.api.read(
          { files, axes, cpi },
          proxy((what, share) => setAdvance({ what, share })),
          signal,
        ) as Promise<FileFacts>,
      ),
    [files, axes, cpi],
  );
  const source = files ? "file" : "ward";
  const facts = files && !read.isBusy && read.error === undefined ? read.value : undefined;
  const isReady = source === "ward" || facts !== undefined;
  const processing = useProcessing(session, isReady ? values : undefined, facts ?? source, setAdvance);
  const known = useLatest<Known | undefined>(
    async (signal) => (source === "ward" ? knowing.settled(knowing.api.known(values, signal) as Promise<Known>) : undefined),
    [source, knownKey(values)],
  );
  const error = (files && read.error) ?? processing.error ?? known.error;
  const isBusy = processing.isBusy || (files !== undefined && read.isBusy);
  return (
    <div class="adaptive">
      <aside aria-label="Settings">
        <Source
          facts={facts}
          choose={(chosen) => {
            change({ cell: "auto" });
            setFiles(chosen);
          }}
        />
        <Controls values={values} change={(changed) => change({ ...resets(changed), ...changed })} source={source} />
      </aside>
      <div class="adaptive-results" aria-busy={isBusy}>
        {isBusy && advance && (
          <div class="adaptive-progress">
            <Progress advance={advance} cancel={processing.cancel} />
          </div>
        )}
        {error !== undefined && (
          <ErrorNote error={error}>
            {isRadarError(error, "device-lost") && (
              <button type="button" class="small" onClick={processing.again}>
                Open the device again
              </button>
            )}
          </ErrorNote>
        )}
        {processing.found && isReady && (
          <Results
            values={values}
            change={change}
            found={processing.found}
            report={processing.report}
            known={source === "ward" ? known.value : undefined}
            facts={facts}
            names={files?.map(({ name }) => name) ?? []}
            output={() => session.settled(session.api.output() as Promise<Blob>)}
          />
        )}
      </div>
    </div>
  );
}

/** What of the settings decides what is known about a scenario. */
const knownKey = ({ elements, pulses, ranges, speed, cnr, jammers, jammer1, jammer2, jnr, angle, doppler, window, taps }: Values): string =>
  JSON.stringify([elements, pulses, ranges, speed, cnr, jammers, jammer1, jammer2, jnr, angle, doppler, window, taps]);

/** An examined cell has no meaning in another scene. */
const resets = (changed: Partial<Values>): Partial<Values> =>
  ["doppler", "angle", "ranges", "pulses", "cpi", "axes"].some((name) => name in changed) ? { cell: "auto" } : {};

export const adaptive = taskBody(settings, View);
