/** Lists of facts: the important ones, and the others with notes behind a summary. */
import type { Fact, RecordingFacts } from "./messages.ts";

export function FactList({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl class="facts">
      {facts.map(({ name, value, figure }, i) => (
        <div key={i}>
          <dt>{name}</dt>
          <dd data-figure={figure}>{value}</dd>
        </div>
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
