/** Computes in a worker of its own what is known about a scenario, beside the processing of its cube. */
import { createPause } from "@dechirp/core";
import { windowOfKind, windowSamples } from "@dechirp/radar";
import { expose } from "comlink";
import "../work/wire.ts";
import { type Known, knownOf } from "./known.ts";
import { sceneOf, tapsOf } from "./scenario.ts";
import type { Values } from "./settings.ts";

const api = {
  /** Rejects with `input` for a scenario that is too large, and with `aborted`. */
  async known(values: Values, signal: AbortSignal): Promise<Known> {
    const { scenario } = sceneOf(values);
    const { angle: angleDegrees, doppler: dopplerHz, window, pulses } = values;
    const weights = window === "auto" ? Array.from({ length: pulses }, () => 1) : windowSamples(windowOfKind(window), pulses);
    const request = { scenario, angleDegrees, dopplerHz, temporalTaps: tapsOf(values), window: [...weights] };
    return knownOf(request, createPause("SINR loss", signal));
  },
};

/** What the worker can do. */
export type KnownApi = typeof api;

expose(api);
