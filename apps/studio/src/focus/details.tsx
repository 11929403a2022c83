/** What is known of a run: the report with files and the program, the recording's facts, and the proposal with its reasons. */
import { useMemo } from "preact/hooks";
import { AddressNote } from "../ui/address-note.tsx";
import { fileNameOf } from "../ui/file-name.ts";
import { Program } from "../ui/program.tsx";
import { FactList, MoreFacts } from "./fact-list.tsx";
import { LacksAgc } from "./lacks-agc.tsx";
import type { Job } from "./maker.ts";
import type { RecordingFacts } from "./messages.ts";
import { PartChoice } from "./part-choice.tsx";
import { programOf } from "./program.ts";
import { ProposalTable } from "./proposal-table.tsx";
import { Results } from "./results.tsx";
import { SaveButtons } from "./saving.tsx";
import type { Run } from "./use-run.ts";
import type { Changing, FocusValues } from "./values.ts";
import { titles } from "./wording.ts";

interface OutcomeProps {
  readonly run: Run;
  readonly job: Job | undefined;
  /** What the image is called after its recording in the names of files. */
  readonly task?: string;
}

/** The report of a finished image, buttons that save it, and the program that makes it. */
export function Outcome({ run, job, task = "focus" }: OutcomeProps) {
  const { recording, proposal, focused, milliseconds, session } = run;
  const device = focused?.device.name;
  const program = useMemo(
    () =>
      job && recording && proposal && device
        ? programOf({
            ...{ source: job.source, recording, proposal, device },
            choices: job.centroidHz === undefined ? job.choices : { ...job.choices, centroid: job.centroidHz },
          })
        : undefined,
    [job?.source, recording, proposal, device],
  );
  if (!focused || !recording || !proposal) return null;
  return (
    <div class="outcome">
      <Results focused={focused} milliseconds={milliseconds} />
      <SaveButtons session={session} name={recording.name} task={task} needs={proposal.needs} />
      {program && (
        <Program summary="The code that makes this image in Node" text={program} file={fileNameOf(recording.name, task, "mjs")} />
      )}
    </div>
  );
}

interface ReasonsProps {
  readonly run: Run;
  readonly values: FocusValues;
  readonly change: Changing;
}

interface RecordingFactsProps extends ReasonsProps {
  /** Adds a file of AGC values to the open files. Absent if they are on a server. */
  readonly addAgc: ((file: File) => void) | undefined;
}

/** What the recording is. */
export function RecordingFactsOf({ run: { recording }, ...rest }: RecordingFactsProps) {
  return recording ? <RecordingPart facts={recording} {...rest} /> : null;
}

/** The parameters and why they were chosen. */
export function Reasons({ run: { proposal, error }, values, change }: ReasonsProps) {
  if (!proposal) return null;
  return (
    <section aria-label="Parameters and reasons">
      <h2>How it is focused, and why</h2>
      <ProposalTable proposal={proposal} error={error} values={values} change={change} />
    </section>
  );
}

interface RecordingPartProps extends Omit<RecordingFactsProps, "run"> {
  readonly facts: RecordingFacts;
}

function RecordingPart({ facts: recording, values, change, addAgc }: RecordingPartProps) {
  const { name, format, facts, more, part, parts, place, channels = [], channel, segments, notes, warnings = [], unused = [] } = recording;
  return (
    <section aria-label="Recording">
      <h2>
        <span data-figure="recording">{name}</span> <small data-figure="format">{format}</small>
      </h2>
      <AddressNote problems={unused} />
      {parts.length > 1 && <PartChoice {...{ part, parts, change }} />}
      {channels.length > 1 && (
        <label class="segment">
          {titles.channel}
          <select
            value={channel}
            onChange={({ currentTarget }) => change({ channel: currentTarget.value, view: undefined, point: undefined })}
          >
            {channels.map(({ identifier, title }) => (
              <option key={identifier} value={identifier}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      {segments > 1 && (
        <label class="segment">
          {titles.segment}
          <select
            value={values.segment <= segments ? values.segment : 1}
            onChange={({ currentTarget }) => change({ segment: Number(currentTarget.value), view: undefined, point: undefined })}
          >
            {Array.from({ length: segments }, (_, i) => (
              <option key={i} value={i + 1}>
                {i + 1} of {segments}
              </option>
            ))}
          </select>
        </label>
      )}
      {warnings.map((text) => (
        <p key={text} class="problem" role="note" data-figure="warning">
          {text}
        </p>
      ))}
      {place?.agcFile === false && <LacksAgc addAgc={addAgc} />}
      <FactList facts={facts} />
      <MoreFacts more={more} notes={notes} />
    </section>
  );
}
