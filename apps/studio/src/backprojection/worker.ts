/** Flights, images and comparisons of the task Backprojection, in a worker. */
import { throwIfAborted } from "@dechirp/core";
import { expose, transfer } from "comlink";
import type { Advance } from "../ui/progress.tsx";
import { keptDevice } from "../work/kept-devices.ts";
import { type Listener, listening } from "../work/listening.ts";
import "../work/wire.ts";
import { compare } from "./compare.ts";
import type { FlightFacts } from "./flight.ts";
import { createFlights, type FlightSource, type HeldFlight } from "./flights.ts";
import { type Picture, type PlacedImage, paint } from "./paint.ts";
import { type QualityReport, run, type SpeedReport } from "./run.ts";
import { recordedFlight, simulatedFlight } from "./samples.ts";
import type { Display, ImageRequest } from "./settings.ts";
import type { WayResult } from "./ways.ts";

/** What a run tells the page. */
export type RunEvent =
  | { readonly kind: "advance"; readonly advance: Advance }
  | { readonly kind: "picture"; readonly picture: Picture }
  | { readonly kind: "speed"; readonly report: SpeedReport };

let shown: PlacedImage | undefined;
let display: Display = { range: 50, colours: "grey" };

const flights = createFlights(openFlight);

/** Opens the flight of a source. The samples of a recording are read when an image needs them. */
async function openFlight(source: FlightSource, key: string, signal: AbortSignal): Promise<HeldFlight> {
  if (source.kind === "simulated") return { flight: simulatedFlight(source.choices), close: async () => {} };
  const { openPlaces, readOpened } = await import("../opened/places.ts");
  const places = await openPlaces(source, signal);
  try {
    const { recording } = await readOpened(places, { kind: "phase-history", signal });
    throwIfAborted(signal, "opening the recording");
    return {
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

const api = {
  /** The facts of a flight. Rejects with `input`, which names the setting or the file, and with `aborted`. */
  flight: async (source: FlightSource, signal: AbortSignal): Promise<FlightFacts> => (await flights.of(source, signal)).facts,

  /** Makes an image, and reports meanwhile. */
  image: (
    source: FlightSource,
    request: ImageRequest,
    wanted: Display,
    listener: Listener<[RunEvent]>,
    signal: AbortSignal,
  ): Promise<QualityReport> =>
    listening(listener, async (tell) => {
      display = wanted;
      const device = await keptDevice(request.device);
      throwIfAborted(signal, "the image");
      return run(
        device,
        await flights.of(source, signal),
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
    listener: Listener<[{ readonly row: WayResult; readonly share: number }]>,
    signal: AbortSignal,
  ): Promise<void> =>
    listening(listener, async (tell) =>
      compare(await keptDevice(request.device), await flights.of(source, signal), request, (row, share) => tell({ row, share }), signal),
    ),
};

export type BackprojectionApi = typeof api;

expose(api);
