/** What an opened file is that is no recording for this task, and what can be done with it. */
import { isRadarError, messageOf } from "@dechirp/core";
import { handOver, offered } from "../opened/opened.ts";
import { addressOf } from "../shell/location.ts";
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
      {task && <OpenIn task={task} />}
      {opens && <Opens list={opens} />}
      <FactList facts={facts} />
      <MoreFacts more={more} notes={notes} />
    </section>
  );
}

/** Opens what was opened here in the task that reads it. */
function OpenIn({ task }: { readonly task: "adaptive" }) {
  const known = offered(["array"], undefined);
  const open = (event: Event): void => {
    if (!known) return;
    event.preventDefault();
    location.hash = addressOf(task, new URLSearchParams({ ...handOver(task, known.source) }));
  };
  return (
    <p>
      <a href={addressOf(task)} onClick={open}>
        Open the task Adaptive processing
      </a>
    </p>
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
