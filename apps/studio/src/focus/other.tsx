/** What an opened file is that is no recording for this task, and what can be done with it. */
import { isRadarError, messageOf } from "@dechirp/core";
import { FactList, MoreFacts } from "./fact-list.tsx";
import type { OtherFacts } from "./messages.ts";

/** The description that an error of the readers carries. */
export const otherOf = (error: unknown): OtherFacts | undefined =>
  isRadarError(error, "input") ? (error.fields["other"] as OtherFacts | undefined) : undefined;

export function OtherThing({ error, other }: { readonly error: unknown; readonly other: OtherFacts }) {
  const { name, format, facts, more, notes, task } = other;
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
      <FactList facts={facts} />
      <MoreFacts more={more} notes={notes} />
    </section>
  );
}
