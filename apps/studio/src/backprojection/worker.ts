/** Flights, images and comparisons of the task Backprojection, in a worker. */
import { throwIfAborted } from "@dechirp/core";
import { expose, type ProxyMarked, type Remote, releaseProxy, transfer } from "comlink";
import { keyOf, type OpenedSource } from "../opened/source.ts";
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

/** Where pulses come from: settings, or a recording of the user. */
export type FlightSource = { readonly kind: "simulated"; readonly choices: FlightChoices } | OpenedSource;

/** What a run tells the page. */
export type RunEvent =
  | { readonly kind: "advance"; readonly advance: Advance }
  | { readonly kind: "picture"; readonly picture: Picture }
  | { readonly kind: "speed"; readonly report: SpeedReport };

type Listener<T> = (value: T) => void;

interface Known {
  readonly key: string;
  readonly flight: Flight;
  close(): Promise<void>;
}

/** The flight that was used last. Another one takes its place, so that only one has samples in memory. */
let known: Known | undefined;
let shown: PlacedImage | undefined;
let display: Display = { range: 50, colours: "grey" };

async function flightOf(source: FlightSource, signal: AbortSignal): Promise<Flight> {
  const key = keyOfFlight(source);
  if (known?.key !== key) {
    const next = source.kind === "simulated" ? simulatedOf(source.choices, key) : await opened(source, key, signal);
    const before = known;
    known = next;
    await before?.close();
  }
  return known.flight;
}

const keyOfFlight = (source: FlightSource): string => (source.kind === "simulated" ? JSON.stringify(source.choices) : keyOf(source));

const simulatedOf = (choices: FlightChoices, key: string): Known => ({ key, flight: simulatedFlight(choices), close: async () => {} });

/** Opens a recording. Its samples are read when an image needs them. */
async function opened(source: OpenedSource, key: string, signal: AbortSignal): Promise<Known> {
  const { openPlaces, readOpened } = await import("../opened/places.ts");
  const places = await openPlaces(source, signal);
  try {
    const { recording } = await readOpened(places, { kind: "phase-history", signal });
    throwIfAborted(signal, "opening the recording");
    return {
      key,
      flight: recordedFlight(recording, key),
      async close() {
        await recording.close();
        await places.close();
      },
    };
  } catch (error) {
    await places.close();
    throw error;
  }
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
  /** The facts of a flight. Rejects with `input`, which names the setting or the file, and with `aborted`. */
  flight: async (source: FlightSource, signal: AbortSignal): Promise<FlightFacts> => (await flightOf(source, signal)).facts,

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
        await flightOf(source, signal),
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
      compare(await keptDevice(request.device), await flightOf(source, signal), request, (row, share) => tell({ row, share }), signal),
    ),
};

export type BackprojectionApi = typeof api;

expose(api);
