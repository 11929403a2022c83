/** Opens the files of a phase history in place of the simulated flight. */
import { useRef, useState } from "preact/hooks";
import { ErrorNote } from "../ui/error-note.tsx";
import { FileDrop } from "../ui/file-drop.tsx";
import { Progress } from "../ui/progress.tsx";
import type { WorkerSession } from "../work/worker-session.ts";
import type { FlightFacts } from "./flight.ts";
import type { BackprojectionApi } from "./worker.ts";

interface RecordingProps {
  readonly session: WorkerSession<BackprojectionApi>;
  /** The opened recording, if there is one. */
  readonly flight: FlightFacts | undefined;
  readonly opened: (number: number) => Promise<void>;
  readonly close: () => void;
}

export function Recording({ session, flight, opened, close }: RecordingProps) {
  const [error, setError] = useState<unknown>();
  const [isReading, setReading] = useState(false);
  const controller = useRef<AbortController>(undefined);
  async function open(files: readonly File[]): Promise<void> {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setError(undefined);
    setReading(true);
    try {
      const number = await session.settled(session.api.open(files, own.signal) as Promise<number>);
      if (!own.signal.aborted) await opened(number);
    } catch (failure) {
      if (!own.signal.aborted) setError(failure);
    }
    if (controller.current === own) setReading(false);
  }
  return (
    <FileDrop kind="drop" text="Open a phase history: CPHD, or the MAT-files of Gotcha. Its files can also be dropped here." choose={open}>
      {isReading && <Progress advance={{ what: "reading the recording" }} cancel={() => controller.current?.abort()} />}
      {error !== undefined && <ErrorNote error={error} />}
      {flight && (
        <>
          <p>
            {flight.name}: {flight.pulses} pulses of {flight.frequency.count} frequencies from {(flight.frequency.firstHz / 1e9).toFixed(3)}{" "}
            GHz. A file of this machine can't be in the address of this page.
          </p>
          {flight.notes.map((note) => (
            <p key={note} class="note">
              {note}
            </p>
          ))}
          <button type="button" class="small" onClick={close}>
            Back to the simulated flight
          </button>
        </>
      )}
    </FileDrop>
  );
}
