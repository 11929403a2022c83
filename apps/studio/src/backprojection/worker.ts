/** Flights, images and comparisons of the task Backprojection, in a worker. */
import { inputError } from "@dechirp/core";
import { placeOf, readRecordingFrom } from "@dechirp/io/formats";
import { expose, type ProxyMarked, type Remote, releaseProxy, transfer } from "comlink";
import type { Advance } from "../ui/progress.tsx";
import { keptDevice } from "../work/kept-devices.ts";
import "../work/wire.ts";
import { compare } from "./compare.ts";
import type { FlightFacts } from "./flight.ts";
import { type Picture, type PlacedImage, paint } from "./paint.ts";
import { type QualityReport, run, type SpeedReport } from "./run.ts";
import { type Flight, recordedFlight, simulatedFlight } from "./samples.ts";
import type { Display, FlightChoices, ImageRequest } from "./settings.ts";
import type { WayResult } from "./ways.ts";

/** Where pulses come from: settings, or the recording that was opened last. */
export type FlightSource = { readonly simulated: FlightChoices } | { readonly recording: number };

/** What a run tells the page. */
export type RunEvent =
  | { readonly kind: "advance"; readonly advance: Advance }
  | { readonly kind: "picture"; readonly picture: Picture }
  | { readonly kind: "speed"; readonly report: SpeedReport };

type Listener<T> = (value: T) => void;

const recordings: Flight[] = [];
let simulated: { readonly key: string; readonly flight: Flight } | undefined;
let shown: PlacedImage | undefined;
let display: Display = { range: 50, colours: "grey" };

function flightOf(source: FlightSource): Flight {
  if ("recording" in source) {
    const flight = recordings[source.recording];
    if (!flight) throw inputError("recording", "one that was opened in this page", source.recording);
    return flight;
  }
  const key = JSON.stringify(source.simulated);
  if (simulated?.key !== key) simulated = { key, flight: simulatedFlight(source.simulated) };
  return simulated.flight;
}

async function picture(image: PlacedImage): Promise<Picture> {
  shown = image;
  const made = await paint(image, display);
  return transfer(made, [made.rgba.buffer]);
}

/** Gives a listener's port back after use. */
async function listening<T, R>(listener: Listener<T> & ProxyMarked, use: (tell: (value: T) => void) => Promise<R>): Promise<R> {
  const remote = listener as unknown as Remote<Listener<T>>;
  try {
    return await use((value) => void remote(value as never));
  } finally {
    remote[releaseProxy]();
  }
}

const api = {
  /** The facts of a flight. Throws `input` that names the setting. */
  flight: (source: FlightSource): FlightFacts => flightOf(source).facts,

  /** Opens the files of a phase history, and returns the number of the recording. */
  async open(files: readonly File[], signal: AbortSignal): Promise<number> {
    const named = Object.fromEntries(files.map((file) => [file.name, file]));
    const places = files.map(({ name }) => placeOf(named, { file: name }));
    const { recording } = await readRecordingFrom(places, { kind: "phase-history", signal });
    return recordings.push(recordedFlight(recording, recordings.length)) - 1;
  },

  /** Makes an image, and reports meanwhile. */
  image: (
    source: FlightSource,
    request: ImageRequest,
    wanted: Display,
    listener: Listener<RunEvent> & ProxyMarked,
    signal: AbortSignal,
  ): Promise<QualityReport> =>
    listening(listener, async (tell) => {
      display = wanted;
      const device = await keptDevice(request.device);
      return run(
        device,
        flightOf(source),
        request,
        {
          advance: (what, share) => tell({ kind: "advance", advance: { what, ...(share !== undefined && { share }) } }),
          image: async (image) => tell({ kind: "picture", picture: await picture(image) }),
          speed: (report) => tell({ kind: "speed", report }),
        },
        signal,
      );
    }),

  /** Draws the image that is there with another display. */
  async repaint(wanted: Display): Promise<Picture | undefined> {
    display = wanted;
    return shown && picture(shown);
  },

  /** Compares the ways to make an image. */
  compare: (
    source: FlightSource,
    request: ImageRequest,
    listener: Listener<{ readonly row: WayResult; readonly share: number }> & ProxyMarked,
    signal: AbortSignal,
  ): Promise<void> =>
    listening(listener, async (tell) =>
      compare(await keptDevice(request.device), flightOf(source), request, (row, share) => tell({ row, share }), signal),
    ),
};

export type BackprojectionApi = typeof api;

expose(api);
