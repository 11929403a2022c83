/** Saves the report, the output and the program that makes both. */
import type { StapReport } from "@dechirp/processor";
import { Program } from "../ui/program.tsx";
import { saveBlob } from "../ui/save.ts";
import type { FileFacts } from "./messages.ts";
import { fileNamesOf, type ProgramSource, programOf } from "./program.ts";
import type { Values } from "./settings.ts";

interface ExportsProps {
  readonly values: Values;
  readonly report: StapReport | undefined;
  readonly facts: FileFacts | undefined;
  readonly output: () => Promise<Blob>;
}

export function Exports({ values, report, facts, output }: ExportsProps) {
  const source: ProgramSource = facts ? { name: facts.name, place: facts.place, request: values, traits: facts.traits } : "ward";
  const files = fileNamesOf(source);
  return (
    <section class="adaptive-exports" aria-label="Save">
      <h2>Take it with you</h2>
      <p>
        <button
          type="button"
          class="small"
          disabled={!report}
          onClick={() => saveBlob(files.report, new Blob([JSON.stringify(report, null, 2)], { type: "application/json" }))}
        >
          Report (JSON)
        </button>
        <button type="button" class="small" disabled={!report} onClick={async () => saveBlob(files.output, await output())}>
          Output (.npy)
        </button>
      </p>
      <Program summary="The program that makes this result in Node" text={programOf(values, source)} file={files.program} />
    </section>
  );
}
