/** Shows an error: the one sentence of the packages, and what the user can do. */
import { isRadarError, messageOf } from "@dechirp/core";
import type { ComponentChildren } from "preact";

export function ErrorNote({ error, children }: { readonly error: unknown; readonly children?: ComponentChildren }) {
  const code = isRadarError(error) ? error.code : undefined;
  return (
    <div role="alert" class="problem" data-code={code}>
      <p>{messageOf(error)}</p>
      {children}
    </div>
  );
}
