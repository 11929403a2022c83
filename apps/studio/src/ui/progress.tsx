/** Work under way: what is being done, how far it is, and a button that cancels it. */

import { useId } from "preact/hooks";

/** How far work is. */
export interface Advance {
  /** What is being done, without a verb of its own: `focusing block 3 of 8`. */
  readonly what: string;
  /** From 0 to 1; unknown if it is absent. */
  readonly share?: number;
}

export function Progress({ advance: { what, share }, cancel }: { readonly advance: Advance; readonly cancel?: () => void }) {
  const id = useId();
  return (
    <div class="progress" role="status">
      <div>
        <span id={id}>{what}</span>
        <progress aria-labelledby={id} max={1} {...(share !== undefined && { value: share })} />
      </div>
      {cancel && (
        <button type="button" class="secondary" onClick={cancel}>
          Cancel
        </button>
      )}
    </div>
  );
}
