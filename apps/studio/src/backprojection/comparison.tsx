/** The ways to divide the work, measured on the device of the visitor when asked, as a table with their plans. */
import { isRadarError } from "@dechirp/core";
import { proxy } from "comlink";
import { useEffect, useRef, useState } from "preact/hooks";
import { ErrorNote } from "../ui/error-note.tsx";
import { Progress } from "../ui/progress.tsx";
import { Scrolls } from "../ui/scrolls.tsx";
import type { WorkerSession } from "../work/worker-session.ts";
import { rateText, timeText } from "./facts.tsx";
import type { FlightSource } from "./flights.ts";
import type { ImageRequest } from "./settings.ts";
import { type WayResult, type WaySection, ways } from "./ways.ts";
import type { BackprojectionApi } from "./worker.ts";

const titles: Readonly<Record<WaySection, string>> = {
  division: "Division of the work into tiles and pulse sets",
  blocks: "Pulses of a block",
  windows: "Windows of the image",
  interpolation: "Interpolation of profiles",
  precision: "Sine and precision",
};

interface ComparisonProps {
  readonly session: WorkerSession<BackprojectionApi>;
  readonly source: FlightSource;
  readonly request: ImageRequest;
}

interface State {
  readonly rows: readonly WayResult[];
  readonly share?: number;
  readonly error?: unknown;
}

export function Comparison({ session, source, request }: ComparisonProps) {
  const [state, setState] = useState<State>({ rows: [] });
  const [shown, setShown] = useState<string>();
  const controller = useRef<AbortController>(undefined);
  const cancel = (): void => controller.current?.abort();
  // Rows of other settings would not be comparable.
  useEffect(() => {
    setState({ rows: [] });
    return cancel;
  }, [JSON.stringify([source, request])]);

  async function start(): Promise<void> {
    cancel();
    const own = new AbortController();
    controller.current = own;
    const isCurrent = (): boolean => controller.current === own && !own.signal.aborted;
    setState({ rows: [], share: 0 });
    const tell = ({ row, share }: { readonly row: WayResult; readonly share: number }): void => {
      if (isCurrent()) setState(({ rows }) => ({ rows: [...rows, row], share }));
    };
    try {
      await session.settled(session.api.compare(source, request, proxy(tell), own.signal) as Promise<void>);
      if (isCurrent()) setState(({ rows }) => ({ rows }));
    } catch (error) {
      if (controller.current === own) setState(({ rows }) => ({ rows, ...(!isRadarError(error, "aborted") && { error }) }));
    }
  }

  const { rows, share, error } = state;
  const most = Math.max(0, ...rows.map(({ measured }) => measured?.rate ?? 0));
  const text = rows.find(({ name }) => name === shown)?.measured?.text;
  const sections = [...new Set(rows.map(({ section }) => section))];
  return (
    <section class="comparison" aria-labelledby="comparison-title">
      <h2 id="comparison-title">Ways to divide the work</h2>
      <p>
        Measures {ways.length} ways to make this very image on this device. The division changes the time and the memory traffic, but not
        the image; interpolation and sine change its error.
      </p>
      {share === undefined ? (
        <button type="button" class="small" onClick={start}>
          {rows.length > 0 ? "Compare again" : "Compare"}
        </button>
      ) : (
        <Progress advance={{ what: `measuring: ${ways[rows.length]?.name ?? "done"}`, share }} cancel={cancel} />
      )}
      {error !== undefined && <ErrorNote error={error} />}
      {rows.length > 0 && (
        <Scrolls label="Measured ways">
          <table class="numbers" data-figure={share === undefined ? "compared" : undefined}>
            <thead>
              <tr>
                <th scope="col">Way</th>
                <th scope="col">Time</th>
                <th scope="col">Gbp/s</th>
                <td />
                <th scope="col">Predicted traffic, MB</th>
                <th scope="col">SER, dB</th>
                <th scope="col">Plan</th>
              </tr>
            </thead>
            {sections.map((section) => (
              <tbody key={section}>
                <tr>
                  <th scope="rowgroup" colSpan={7} class="group">
                    {titles[section]}
                  </th>
                </tr>
                {rows
                  .filter((row) => row.section === section)
                  .map(({ name, measured, why }) => (
                    <tr key={name} data-way={name}>
                      <th scope="row">{name}</th>
                      {measured ? (
                        <>
                          <td>{timeText(measured.seconds)}</td>
                          <td>{rateText(measured.rate)}</td>
                          <td class="bar">
                            <span style={{ width: `${(100 * measured.rate) / most}%` }} />
                          </td>
                          <td data-figure="traffic">{(measured.trafficBytes / 1e6).toPrecision(3)}</td>
                          <td data-figure="way-ser">{measured.serDb.toFixed(1)}</td>
                          <td>
                            <button
                              type="button"
                              class="small outline"
                              aria-pressed={shown === name}
                              aria-label={`Plan of ${name}`}
                              onClick={() => setShown(shown === name ? undefined : name)}
                            >
                              Plan
                            </button>
                          </td>
                        </>
                      ) : (
                        <td colSpan={6}>{why}</td>
                      )}
                    </tr>
                  ))}
              </tbody>
            ))}
          </table>
        </Scrolls>
      )}
      {text !== undefined && (
        <Scrolls label={`Plan of ${shown}`}>
          <pre>{text}</pre>
        </Scrolls>
      )}
    </section>
  );
}
