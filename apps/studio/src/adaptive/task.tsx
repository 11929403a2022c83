/** The task Adaptive processing: settings on the left; maps, responses and tables on the right, which follow every change. */
import "./adaptive.css";
import { isRadarError } from "@dechirp/core";
import { proxy } from "comlink";
import { useState } from "preact/hooks";
import { noteRecording, sourceOf } from "../opened/opened.ts";
import { keyOf } from "../opened/source.ts";
import { notPossible } from "../settings.ts";
import { type TaskProps, taskBody } from "../task.ts";
import { AddressNote } from "../ui/address-note.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { type Advance, Progress } from "../ui/progress.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { useSession } from "../ui/use-session.ts";
import { inControlWords } from "../ui/words.ts";
import { Controls } from "./controls.tsx";
import type { Known } from "./known.ts";
import type { KnownApi } from "./known-worker.ts";
import { controls } from "./labels.ts";
import type { FileFacts } from "./messages.ts";
import { Results } from "./results.tsx";
import { settings, type Values } from "./settings.ts";
import { Source } from "./source.tsx";
import { useProcessing } from "./use-processing.ts";
import type { AdaptiveApi } from "./worker.ts";

const isWide = matchMedia("(min-width: 62rem)").matches;

/** The values with the cell that is examined if the address names one that the scene does not have, and what the page says of it. */
function withCell(values: Values, ranges: number): { readonly values: Values; readonly problems: readonly string[] } {
  const { cell } = values;
  if (cell === "auto" || cell[0] < ranges) return { values, problems: [] };
  const text = settings.cell.format(cell);
  const problem = notPossible("cell", text, `at a range bin from 0 to ${ranges - 1}`, "The cell is chosen automatically.");
  return { values: { ...values, cell: "auto" }, problems: [problem] };
}

function View({ values: given, change }: TaskProps<typeof settings>) {
  const session = useSession<AdaptiveApi>(() => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "adaptive" }));
  const knowing = useSession<KnownApi>(
    () => new Worker(new URL("./known-worker.ts", import.meta.url), { type: "module", name: "adaptive-known" }),
  );
  const opened = sourceOf("adaptive", given);
  const openedKey = opened && keyOf(opened);
  const [advance, setAdvance] = useState<Advance>();
  const { axes, cpi } = given;
  const read = useLatest<FileFacts | undefined>(
    async (signal) => {
      if (!opened) return undefined;
      const facts = await session.settled(
        session.api.read(
          { source: opened, axes, cpi },
          proxy((what, share) => setAdvance({ what, share })),
          signal,
        ) as Promise<FileFacts>,
      );
      noteRecording({ source: opened, name: facts.name, kind: "array" });
      return facts;
    },
    [openedKey, axes, cpi],
    { isReplaced: true },
  );
  const source = given.source === "ward" ? "ward" : "file";
  const facts = opened && !read.isBusy && read.error === undefined ? read.value : undefined;
  const { values, problems } = withCell(given, facts?.ranges ?? (source === "ward" ? given.ranges : Number.POSITIVE_INFINITY));
  const isReady = source === "ward" || facts !== undefined;
  const processing = useProcessing(session, isReady ? values : undefined, facts ?? source, setAdvance);
  const known = useLatest<Known | undefined>(
    async (signal) => (source === "ward" ? knowing.settled(knowing.api.known(values, signal) as Promise<Known>) : undefined),
    [source, knownKey(values)],
  );
  const error = (opened && read.error) ?? (isReady ? processing.error : undefined) ?? known.error;
  const isReading = opened !== undefined && read.isBusy;
  const isBusy = processing.isBusy || isReading;
  return (
    <div class="adaptive">
      <aside aria-label="Settings">
        <Source values={values} facts={facts} open={opened} choose={(chosen) => change({ ...chosen, cell: "auto" })} />
        {/* Closed on narrow screens, so that the maps are in sight. */}
        <details class="adaptive-settings" open={isWide}>
          <summary>Settings</summary>
          <Controls values={values} change={(changed) => change({ ...resets(changed), ...changed })} source={source} />
        </details>
      </aside>
      <div class="adaptive-results" aria-busy={isBusy}>
        <AddressNote problems={problems} />
        {isBusy && advance && (
          <div class="adaptive-progress">
            <Progress advance={advance} cancel={isReading ? read.cancel : processing.cancel} />
          </div>
        )}
        {error !== undefined && (
          <ErrorNote error={inControlWords(controls, error)}>
            {isRadarError(error, "device-lost") && (
              <button type="button" class="small" onClick={processing.again}>
                Open the device again
              </button>
            )}
          </ErrorNote>
        )}
        {processing.isOutdated && processing.found && isReady && <p>The results below belong to the settings before.</p>}
        {processing.found && isReady && (
          <Results
            values={values}
            change={change}
            found={processing.found}
            report={processing.report}
            hasFailed={processing.error !== undefined}
            known={source === "ward" ? known.value : undefined}
            facts={facts}
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
