/** Saves the report, the output and the program that makes both. */
import type { StapReport } from "@dechirp/processor";
import { saveBlob } from "../ui/save.ts";
import { Scrolls } from "../ui/scrolls.tsx";
import type { FileFacts } from "./messages.ts";
import { programOf } from "./program.ts";
import type { Values } from "./settings.ts";

interface ExportsProps {
  readonly values: Values;
  readonly report: StapReport | undefined;
  readonly facts: FileFacts | undefined;
  readonly output: () => Promise<Blob>;
}

export function Exports({ values, report, facts, output }: ExportsProps) {
  const url = values.source === "url" ? values.url : undefined;
  const program = programOf(values, facts ? { names: facts.files, url, request: values, traits: facts.traits } : "ward");
  return (
    <section class="adaptive-exports" aria-label="Save">
      <h2>Take it with you</h2>
      <p>
        <button
          type="button"
          class="small"
          disabled={!report}
          onClick={() => saveBlob("report.json", new Blob([JSON.stringify(report, null, 2)], { type: "application/json" }))}
        >
          Report (JSON)
        </button>
        <button type="button" class="small" disabled={!report} onClick={async () => saveBlob("output.npy", await output())}>
          Output (.npy)
        </button>
        <button type="button" class="small" onClick={() => saveBlob("adaptive.mjs", new Blob([program], { type: "text/javascript" }))}>
          Program
        </button>
      </p>
      <details>
        <summary>The program that makes this result in Node</summary>
        <Scrolls label="The program">
          <pre data-figure="program">
            <code>{program}</code>
          </pre>
        </Scrolls>
        <button type="button" class="small" onClick={() => navigator.clipboard?.writeText(program)}>
          Copy
        </button>
      </details>
    </section>
  );
}
