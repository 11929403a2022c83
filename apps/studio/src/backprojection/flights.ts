/**
 * The flight that was used last, of the calls of a page that run side by side. Another one takes its place, so that only one has samples in
 * memory.
 */
import { throwIfAborted } from "@dechirp/core";
import { keyOf, type OpenedSource } from "../opened/source.ts";
import type { Flight } from "./samples.ts";
import type { FlightChoices } from "./settings.ts";

/** Where pulses come from: settings, or a recording of the user. */
export type FlightSource = { readonly kind: "simulated"; readonly choices: FlightChoices } | OpenedSource;

/** A flight, and how its files are closed. */
export interface HeldFlight {
  readonly flight: Flight;
  close(): Promise<void>;
}

/** Opens a flight. `key` is the flight's name for itself. */
export type OpenFlight = (source: FlightSource, key: string, signal: AbortSignal) => Promise<HeldFlight>;

const keyOfFlight = (source: FlightSource): string => (source.kind === "simulated" ? JSON.stringify(source.choices) : keyOf(source));

/** Flights that `open` opens. Calls are served one after the other, so that one flight is opened once, and each call gets the flight it asks for. */
export function createFlights(open: OpenFlight): { of(source: FlightSource, signal: AbortSignal): Promise<Flight> } {
  let held: (HeldFlight & { readonly key: string }) | undefined;
  let before: Promise<unknown> = Promise.resolve();

  async function next(source: FlightSource, signal: AbortSignal): Promise<Flight> {
    const key = keyOfFlight(source);
    if (held?.key === key) return held.flight;
    throwIfAborted(signal, "opening the flight");
    const opened = await open(source, key, signal);
    const last = held;
    held = { key, ...opened };
    // Work that still reads from it is outdated, so nobody waits for its files.
    last?.close().catch(() => {});
    return opened.flight;
  }

  return {
    of(source, signal) {
      const result = before.then(() => next(source, signal));
      before = result.catch(() => {});
      return result;
    },
  };
}
