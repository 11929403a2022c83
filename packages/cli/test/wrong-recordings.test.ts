/** The processor's functions for recordings of arrays, handed values of the wrong kind. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { planStap, processStap } from "@dechirp/processor";
import { afterAll, beforeAll, expect, it } from "vitest";
import { faultsOf, type Subject } from "./wrong-arguments.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu({ units: 1 }));
});
afterAll(() => device[Symbol.dispose]());

const recording = () => ({
  name: "noise",
  cube: {
    data: Float32Array.from({ length: 2 * 2 * 4 * 24 }, (_, i) => Math.sin(i * i + 1)),
    channels: 2,
    pulses: 4,
    ranges: 24,
    order: ["channel", "pulse", "range"],
  },
  elements: [0, 1],
  fileChannels: 2,
  cpi: { number: 1, names: ["one"] },
  preset: { name: "paper", why: "for a test" },
  facts: { prfHz: 1000, carrierHz: 1e9, spacing: { value: 0.15, unit: "m" }, rangeAxis: { startMeters: 0, stepMeters: 1 } },
  blockRanges: 8,
  axesOpen: true,
  axesHint: "ask for another",
  notes: ["drawn"],
});
const settings = () => ({
  temporalTaps: 1,
  blockRanges: 4,
  azimuth: { from: -10, to: 10, step: 10 },
  window: { kind: "chebyshev", sidelobeDb: -40 },
  target: { range: 3, doppler: 0 },
});
const optional = [
  ...["preset", "prfHz", "carrierHz", "spacing", "broadsideDegrees", "chirp", "rangeAxis", "dopplerBins", "training", "cells", "guard"],
  ...["loading", "solver", "output", "maxOverSteering", "centred", "withoutChannels", "steering", "falseAlarm", "cfar", "cfarCells"],
  ...["cfarGuard", "unknown"],
];

const subjects: readonly Subject[] = [
  {
    name: "planStap",
    parameters: ["recording", "settings", "hooks"],
    sound: () => [recording(), settings(), { signal: new AbortController().signal, onProgress: () => {}, inputs: ["a"] }],
    more: { recording: ["steering"], settings: optional },
    call: (...args) => planStap(...(args as unknown as Parameters<typeof planStap>)),
  },
  {
    name: "processStap",
    parameters: ["plan", "device", "hooks"],
    sound: () => [0, device, { whyDevice: "it is there" }],
    more: { hooks: ["signal", "onProgress", "inputs", "clock", "openFloat64"] },
    call: async (given, ...rest) => {
      const plan = given === 0 ? await planStap(recording() as never, settings() as never) : given;
      await processStap(...([plan, ...rest] as unknown as Parameters<typeof processStap>));
    },
  },
];

it.each(subjects)("$name names the field, and never hangs", async (subject) => {
  expect(await faultsOf(subject)).toEqual([]);
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
});
