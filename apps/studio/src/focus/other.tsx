/** What an opened file is that is no recording for this task, and what can be done with it. */
import { isRadarError, messageOf } from "@dechirp/core";
import { FactList, MoreFacts } from "./fact-list.tsx";
import type { OtherFacts } from "./messages.ts";

/** The description that an error of the readers carries. */
export const otherOf = (error: unknown): OtherFacts | undefined =>
  isRadarError(error, "input") ? (error.fields["other"] as OtherFacts | undefined) : undefined;

export function OtherThing({ error, other }: { readonly error: unknown; readonly other: OtherFacts }) {
  const { name, format, facts, more, notes, task, opens } = other;
  return (
    <section aria-label="Not a recording for this task">
      <h2>
        <span data-figure="thing">{name}</span> <small data-figure="thing format">{format}</small>
      </h2>
      <p role="status" data-figure="advice">
        {messageOf(error)}.
      </p>
      {task && (
        <p>
          <a href={`#/${task}`}>Open the task Adaptive processing</a>
        </p>
      )}
      {opens && <Opens list={opens} />}
      <FactList facts={facts} />
      <MoreFacts more={more} notes={notes} />
    </section>
  );
}

/** What an error of the readers says that this task opens. */
export const opensOf = (error: unknown): readonly string[] | undefined =>
  isRadarError(error, "input") ? (error.fields["opens"] as readonly string[] | undefined) : undefined;

/** What this task opens, as a list. */
export function Opens({ list }: { readonly list: readonly string[] }) {
  return (
    <div class="opens">
      <p>This task opens:</p>
      <ul>
        {list.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}
