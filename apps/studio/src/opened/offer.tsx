/** A button that opens what was opened in another task, or in this one before. */
import { handOver, offered } from "./opened.ts";
import type { OpenedSource, RecordingKind } from "./source.ts";

interface OfferProps {
  /** Name of the task in addresses. */
  readonly task: string;
  /** What the task reads. */
  readonly kinds: readonly RecordingKind[];
  /** What is open in it. */
  readonly open: OpenedSource | undefined;
  /** Called with the settings that open it. */
  readonly take: (settings: ReturnType<typeof handOver>) => void;
}

export function Offer({ task, kinds, open, take }: OfferProps) {
  const known = offered(kinds, open);
  if (!known) return null;
  return (
    <p class="offer">
      <button type="button" class="small" onClick={() => take(handOver(task, known.source))}>
        Open {known.name}
      </button>{" "}
      <small>which you have opened in this page before</small>
    </p>
  );
}
