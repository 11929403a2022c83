/** Opens a phase history in place of the simulated flight: files, or an address. */
import { useState } from "preact/hooks";
import { Address } from "../opened/address.tsx";
import { AskBefore } from "../opened/consent.tsx";
import { filesOfInput } from "../opened/dropped.ts";
import { Offer } from "../opened/offer.tsx";
import { openFiles } from "../opened/opened.ts";
import type { OpenedSource } from "../opened/source.ts";
import { FileDrop } from "../ui/file-drop.tsx";
import { Progress } from "../ui/progress.tsx";
import type { FlightFacts } from "./flight.ts";
import type { Values } from "./settings.ts";

interface RecordingProps {
  readonly values: Values;
  /** What is open. Undefined for a simulated flight, and if what the address names is not there. */
  readonly open: OpenedSource | undefined;
  /** The opened recording, once it is read. */
  readonly flight: FlightFacts | undefined;
  readonly isReading: boolean;
  readonly cancel: () => void;
  /** Called with the settings of another source. */
  readonly choose: (changed: Partial<Values>) => void;
}

export function Recording({ values: { source, url }, open, flight, isReading, cancel, choose }: RecordingProps) {
  const [isAsking, setAsking] = useState(source === "url");
  return (
    <FileDrop
      kind="drop"
      text="Open a phase history: CPHD, or the MAT-files of Gotcha. Its files can also be dropped here."
      choose={(files) => {
        openFiles("backprojection", filesOfInput(files));
        choose({ source: "files" });
      }}
    >
      {source === "url" && <AskBefore url={url} />}
      <Offer task="backprojection" kinds={["phase-history"]} open={open} take={choose} />
      {isReading && <Progress advance={{ what: "reading the recording" }} cancel={cancel} />}
      {source === "files" && !open && <p>The address of this page is about a file of its author. Open that file, or drop it here.</p>}
      {flight && (
        <>
          <p data-figure="recording">
            {flight.name}: {flight.pulses} pulses of {flight.frequency.count} frequencies from {(flight.frequency.firstHz / 1e9).toFixed(3)}{" "}
            GHz.{source === "files" ? " A file of this machine can't be in the address of this page." : ""}
          </p>
          {flight.notes.map((note) => (
            <p key={note} class="note">
              {note}
            </p>
          ))}
        </>
      )}
      {source !== "simulated" && (
        <button type="button" class="small" onClick={() => choose({ source: "simulated", url: "" })}>
          Back to the simulated flight
        </button>
      )}{" "}
      <button type="button" class="small" aria-expanded={isAsking} onClick={() => setAsking(!isAsking)}>
        From an address
      </button>
      {isAsking && <Address url={url} placeholder="https://example.org/scene.cphd" open={(next) => choose({ source: "url", url: next })} />}
    </FileDrop>
  );
}
