/** The published experiment on this browser's devices: the paper's tables with the measured values, and a result file to share. */
import { proxy } from "comlink";
import { useRef, useState } from "preact/hooks";
import { guideAddress } from "../shell/location.ts";
import { Choose } from "../ui/choose.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { type Advance, Progress } from "../ui/progress.tsx";
import { saveBlob } from "../ui/save.ts";
import { Row, Table } from "../ui/table.tsx";
import { openSession, type WorkerSession } from "../work/worker-session.ts";
import type { PaperApi, PaperResult } from "./paper-worker.ts";

/** How much the experiment measures. */
export type PaperSize = "quick" | "full";
/** Which devices take part. */
export type PaperDevices = "both" | "cpu" | "gpu";

interface PaperProps {
  readonly size: PaperSize;
  readonly devices: PaperDevices;
  readonly seconds: number;
  readonly change: (values: { readonly paper?: PaperSize; readonly paperDevice?: PaperDevices }) => void;
}

const sizes: Readonly<Record<PaperSize, string>> = {
  quick: "quick: few and small batches",
  full: "full: batches to 16,384, sizes to 16,384 points",
};
const devicesText: Readonly<Record<PaperDevices, string>> = { both: "GPU and processor", gpu: "GPU", cpu: "processor" };

export function Paper({ size, devices, seconds, change }: PaperProps) {
  const [advance, setAdvance] = useState<Advance>();
  const [result, setResult] = useState<PaperResult>();
  const [error, setError] = useState<unknown>();
  const running = useRef<WorkerSession<PaperApi>>(undefined);
  const run = async (): Promise<void> => {
    const worker = new Worker(new URL("./paper-worker.ts", import.meta.url), { type: "module", name: "fft-paper" });
    const session = openSession<PaperApi>(worker);
    running.current = session;
    setError(undefined);
    setAdvance({ what: "opening devices" });
    try {
      const choices = { gpu: devices !== "cpu", cpu: devices !== "gpu", quick: size === "quick", model: size === "full", seconds };
      const told = proxy((what: string, share: number) => setAdvance({ what, share }));
      setResult((await session.settled(session.api.run(choices, told))) as PaperResult);
    } catch (thrown) {
      if (running.current === session) setError(thrown);
    } finally {
      if (running.current === session) {
        running.current = undefined;
        setAdvance(undefined);
      }
      session.close();
    }
  };
  const cancel = (): void => {
    const session = running.current;
    running.current = undefined;
    setAdvance(undefined);
    session?.close();
  };
  return (
    <section aria-labelledby="paper-title">
      <h2 id="paper-title">The papers' tables on this machine</h2>
      <p>
        The published transforms of an Apple M1 run here by every kernel, each beside a copy of the same bytes, as{" "}
        <code>dechirp bench fft-paper{size === "quick" ? " --quick" : ""}</code> runs them
        {size === "quick" ? ", but without the microbenchmarks of the GPU" : ""}.{" "}
        <a href={guideAddress("performance-fft-paper")}>What they are</a>
      </p>
      <div class="hook-choices">
        <Choose label="Sizes" value={size} choices={sizes} change={(paper) => change({ paper })} />
        <Choose label="Devices" value={devices} choices={devicesText} change={(paperDevice) => change({ paperDevice })} />
      </div>
      {advance ? (
        <Progress advance={advance} cancel={cancel} />
      ) : (
        <button type="button" onClick={run}>
          Run the experiment
        </button>
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {result && <PaperTables result={result} />}
    </section>
  );
}

function PaperTables({ result: { tables, file } }: { readonly result: PaperResult }) {
  return (
    <>
      <p>
        <button type="button" onClick={() => saveBlob("fft-paper.json", new Blob([file], { type: "application/json" }))}>
          Save result file
        </button>{" "}
        <small>
          The file has the measurements, the device and versions, and nothing that names you. To share it, add it to{" "}
          <code>packages/bench/results/fft-paper</code> in a pull request; the documentation shows all files side by side.
        </small>
      </p>
      <h3>{tables.title}</h3>
      <ul>
        {tables.heading.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {tables.tables.map(({ title, header, rows }) => (
        <details key={title} class="paper-table" open={title.startsWith("Table V")}>
          <summary>{title}</summary>
          <Table label={title} header={header}>
            {rows.map((cells) => (
              <Row key={cells.join("|")} cells={cells} />
            ))}
          </Table>
        </details>
      ))}
      <ul>
        {tables.notes.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
    </>
  );
}
