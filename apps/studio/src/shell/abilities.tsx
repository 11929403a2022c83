/** Says what this browser or page lacks, and what is slower without it. */
import { useState } from "preact/hooks";
import { canIsolate, isolate } from "../host/isolation.ts";
import { ErrorNote } from "../ui/error-note.tsx";
import { place } from "./location.ts";

interface Lack {
  readonly name: string;
  readonly text: string;
}

/** What is missing here, for a task that computes something with devices or nothing. An empty list if everything is there. */
function lacks(computed: string | undefined): readonly Lack[] {
  const found: Lack[] = [];
  if (computed !== undefined && !("gpu" in navigator)) {
    const why = isSecureContext
      ? "This browser has no WebGPU"
      : "This page was not loaded over https: or from this machine, so the browser does not give it WebGPU";
    found.push({ name: "gpu", text: `${why}. ${computed} computed on the processor, which is slower for large arrays.` });
  }
  if (!crossOriginIsolated) {
    found.push({
      name: "threads",
      text: `This page is not cross-origin isolated, so the processor uses one core instead of all.${computed === undefined ? " This task needs no more, but the others are slower." : ""}`,
    });
  }
  return found;
}

export function Abilities({ computed }: { readonly computed: string | undefined }) {
  const found = lacks(computed);
  if (found.length === 0 || place.value.isEmbedded) return null;
  return (
    <aside aria-label="What is slower here">
      {found.map(({ name, text }) => (
        <p key={name}>
          <small>{text}</small>
        </p>
      ))}
      {canIsolate() && <UseAllCores />}
    </aside>
  );
}

function UseAllCores() {
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const use = (): void => {
    setBusy(true);
    isolate().catch((reason: unknown) => {
      setError(reason);
      setBusy(false);
    });
  };
  if (error !== undefined) return <ErrorNote error={error} />;
  return (
    <p>
      <button type="button" class="small" aria-busy={isBusy} disabled={isBusy} onClick={use}>
        Use all cores
      </button>{" "}
      <small>This loads the page again, at the same address. A file that was opened from this machine must then be opened again.</small>
    </p>
  );
}
