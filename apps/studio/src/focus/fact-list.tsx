/** Lists of facts: the important ones, and the others with notes behind a summary. */
import { Fact } from "../ui/fact.tsx";
import type { RecordingFacts } from "./messages.ts";

export function FactList({ facts }: Pick<RecordingFacts, "facts">) {
  return (
    <dl class="facts">
      {facts.map((fact, i) => (
        <Fact key={i} {...fact} />
      ))}
    </dl>
  );
}

export function MoreFacts({ more, notes }: Pick<RecordingFacts, "more" | "notes">) {
  const counts = [
    ...(more.length > 0 ? [`${more.length} more ${more.length === 1 ? "fact" : "facts"}`] : []),
    ...(notes.length > 0 ? [`${notes.length} ${notes.length === 1 ? "note" : "notes"}`] : []),
  ];
  if (counts.length === 0) return null;
  return (
    <details class="more-facts">
      <summary>{counts.join(" and ")}</summary>
      {more.length > 0 && <FactList facts={more} />}
      {notes.length > 0 && (
        <ul>
          {notes.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      )}
    </details>
  );
}
