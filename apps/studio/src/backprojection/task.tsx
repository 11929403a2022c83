/** The task Backprojection: an aperture and a window that are dragged on maps, the image of them as they are dragged, and how it was made. */
import { isRadarError } from "@dechirp/core";
import { useRef } from "preact/hooks";
import { noteRecording, sourceOf } from "../opened/opened.ts";
import { keyOf } from "../opened/source.ts";
import { notPossible } from "../settings.ts";
import { type TaskProps, taskBody } from "../task.ts";
import { AddressNote } from "../ui/address-note.tsx";
import { ErrorNote } from "../ui/error-note.tsx";
import { Progress } from "../ui/progress.tsx";
import { Scrolls } from "../ui/scrolls.tsx";
import { useLatest } from "../ui/use-latest.ts";
import { useSession } from "../ui/use-session.ts";
import "./backprojection.css";
import { inControlWords } from "../ui/words.ts";
import { Comparison } from "./comparison.tsx";
import { Facts, ResolutionTable } from "./facts.tsx";
import type { FlightFacts } from "./flight.ts";
import { FlightMap } from "./flight-map.tsx";
import type { FlightSource } from "./flights.ts";
import { DisplaySettings, FlightSettings, ImageSettings } from "./forms.tsx";
import { controls } from "./labels.ts";
import { LiveImage } from "./live-image.tsx";
import { Recording } from "./recording.tsx";
import { SceneMap } from "./scene-map.tsx";
import { type FlightChoices, flightNames, requestOf, settings, type Values } from "./settings.ts";
import { type Live, useLive } from "./use-live.ts";
import type { BackprojectionApi } from "./worker.ts";

/** Values of the address that the scene does not have. */
function problemsOf({ point }: Values, flight: FlightFacts | undefined): readonly string[] {
  const count = flight?.targets.length ?? 0;
  if (!flight || point <= count) return [];
  const instead = "The target nearest to the middle of the window is measured.";
  return [notPossible("point", point, count === 0 ? "0, as the recording has no known targets" : `an integer from 0 to ${count}`, instead)];
}

function View({ values, change }: TaskProps<typeof settings>) {
  const session = useSession<BackprojectionApi>(
    () => new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "backprojection" }),
  );
  const choices = Object.fromEntries(flightNames.map((name) => [name, values[name]])) as unknown as FlightChoices;
  const isSimulated = values.source === "simulated";
  const opened = sourceOf("backprojection", values);
  const source: FlightSource | undefined = isSimulated ? { kind: "simulated", choices } : opened;
  const key = isSimulated ? JSON.stringify(choices) : opened && keyOf(opened);
  // While sliders of a simulated flight move, its facts follow. Reading another recording would only delay what is wanted now.
  const wasSimulated = useRef(isSimulated);
  const isReplaced = !(isSimulated && wasSimulated.current);
  wasSimulated.current = isSimulated;
  const read = useLatest<FlightFacts | undefined>(
    async (signal) => {
      if (!source) return undefined;
      const facts = await session.settled(session.api.flight(source, signal) as Promise<FlightFacts>);
      if (source.kind !== "simulated") noteRecording({ source, name: facts.name, kind: "phase-history" });
      return facts;
    },
    [key],
    { isReplaced },
  );
  // Facts of a simulated flight stay while its sliders are moved. Those of a recording are not those of another flight.
  const isKnown = isSimulated ? read.value?.targets.length : read.error === undefined && read.value?.key === key;
  const flight = isKnown ? read.value : undefined;
  const request = requestOf(values, isSimulated ? undefined : flight?.scene);
  const isThere = isSimulated || flight !== undefined;
  const { live, cancel, again } = useLive(session, isThere ? source : undefined, isThere ? key : undefined, request, values);
  const { speed, quality, picture } = live;
  const measured = quality && (typeof quality.point === "string" ? quality.at : quality.point);
  const choose = (changed: Partial<Values>): void => change({ ...changed, x: "auto", y: "auto", edge: "auto", point: 0 });
  return (
    <div class="backprojection-task">
      <ImageSettings values={values} targets={flight?.targets ?? []} change={change} />
      <AddressNote problems={problemsOf(values, flight)} />
      {read.error !== undefined && <ErrorNote error={inControlWords(controls, read.error)} />}
      <div class="backprojection">
        <div class="pictures">
          <section class="image" aria-labelledby="image-title">
            <h2 id="image-title">Image</h2>
            {picture ? (
              <LiveImage picture={picture} measured={measured} isBusy={live.state === "busy"} />
            ) : (
              <p aria-busy={live.state === "busy"}>{live.state === "busy" ? "Making the first image" : "No image yet"}</p>
            )}
            <DisplaySettings values={values} change={change} />
            <Status live={live} cancel={cancel} again={again} useProcessor={() => change({ device: "cpu" })} />
          </section>
          <div class="results">
            <Facts speed={speed} quality={quality} />
            {quality && <ResolutionTable quality={quality} spacing={request.window.edge / values.pixels} />}
          </div>
        </div>
        <div class="maps">
          {flight && (
            <>
              <FlightMap flight={flight} from={values.from} to={values.to} change={change} />
              <SceneMap
                flight={flight}
                window={request.window}
                aperture={request.aperture}
                measured={measured}
                change={change}
                choose={(target) => change({ point: target + 1 })}
              />
            </>
          )}
          <section class="source" aria-labelledby="source-title">
            <h2 id="source-title">Flight and targets</h2>
            <Recording
              values={values}
              open={opened}
              flight={isSimulated ? undefined : flight}
              isReading={opened !== undefined && read.isBusy}
              cancel={read.cancel}
              choose={choose}
            />
            {isSimulated && <FlightSettings values={values} change={change} />}
          </section>
        </div>
      </div>
      {isThere && source && <Comparison session={session} source={source} request={request} />}
      {speed && (
        <section aria-labelledby="plan-title">
          <h2 id="plan-title">How this image was made</h2>
          <p>
            On {speed.device.description}
            {speed.device.isSoftware ? ", which is a processor that stands in for a graphics card, so it is slow" : ""}. Profiles are read
            between bins by {speed.interpolation} interpolation, for {speed.interpolationDb.toFixed(0)} dB with a flat spectrum.
          </p>
          {speed.device.notes.length > 0 && (
            <ul>
              {speed.device.notes.map((note) => (
                <li key={note}>{note}</li>
              ))}
            </ul>
          )}
          <Scrolls label="The plan">
            <pre data-figure="plan">{speed.text}</pre>
          </Scrolls>
        </section>
      )}
    </div>
  );
}

interface StatusProps {
  readonly live: Live;
  readonly cancel: () => void;
  readonly again: () => void;
  readonly useProcessor: () => void;
}

/** What goes on below the image, and what to do if nothing does. It always has the same height, so that nothing moves while dragging. */
function Status({ live: { advance, state, error }, cancel, again, useProcessor }: StatusProps) {
  return (
    <div class="status">
      {state === "busy" && <Progress advance={advance ?? { what: "making the image" }} cancel={cancel} />}
      {state === "cancelled" && (
        <p role="status">
          Cancelled.{" "}
          <button type="button" class="small" onClick={again}>
            Make the image
          </button>
        </p>
      )}
      {state === "failed" && (
        <ErrorNote error={inControlWords(controls, error)}>
          {isRadarError(error, "device-lost") && (
            <button type="button" class="small" onClick={again}>
              Open the device again
            </button>
          )}
          {isRadarError(error, "no-backend") && (
            <button type="button" class="small" onClick={useProcessor}>
              Use the processor
            </button>
          )}
        </ErrorNote>
      )}
    </div>
  );
}

export const backprojection = taskBody(settings, View);
