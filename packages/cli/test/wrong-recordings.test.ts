/** The processor's functions, called with values of the wrong type. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import {
  backprojectRecording,
  focusRecording,
  focusWork,
  planBackprojectedImage,
  planStap,
  processStap,
  type SimulatedRecording,
  simulateRecording,
} from "@dechirp/processor";
import { afterAll, beforeAll, expect, it } from "vitest";
import { smallPreset } from "../../processor/test/presets.ts";
import { faultsOf, type Subject } from "./wrong-arguments.ts";

let device: Device;
let scene: SimulatedRecording;
beforeAll(async () => {
  device = await open(cpu({ workers: 1 }));
  scene = await simulateRecording("small", smallPreset(false), { type: "ci8" }, device);
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

const hooks = () => ({ signal: new AbortController().signal, onProgress: () => {}, inputs: ["a"] });

/** A few lines of a few samples. */
const stripmap = () => ({
  name: "small",
  shape: [64, 512],
  dtype: "ci8",
  radar: { ...scene.radar },
  lineGain: new Float32Array(64).fill(1),
  processedBandwidthHz: scene.processedBandwidthHz,
  targets: [{ ...(scene.targets ?? [])[0] }],
  notes: ["drawn"],
  pulses: (from: number, count: number) => new Int8Array(2 * 512 * count).map((_, i) => ((i + from) % 7) - 3),
});

const history = () => ({
  name: "circle",
  shape: [8, 16],
  positions: Float64Array.from(
    { length: 24 },
    (_, i) => [700 * Math.cos((i / 3) * 0.01), 700 * Math.sin(Math.floor(i / 3) * 0.01), 700][i % 3],
  ),
  referenceRangeMeters: new Float64Array(8).fill(990),
  frequency: { firstHz: 9.3e9, stepHz: 6e6, count: 16 },
  autofocus: { rangeMeters: new Float64Array(8), phaseRadians: new Float64Array(8) },
  notes: ["drawn"],
  pulses: (_: number, count: number) => new Float32Array(2 * 16 * count).fill(1),
});
const projection = () => ({ grid: { xMeters: -2, yMeters: -2, xStepMeters: 0.5, yStepMeters: 0.5, nx: 8, ny: 8 }, bins: 64 });

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
  {
    name: "focusWork",
    parameters: ["recording", "settings"],
    sound: () => [stripmap(), { rcmc: "sinc8" }],
    more: { settings: ["azimuthLength", "dopplerCentroidHz", "velocityMetersPerSecond", "unknown"] },
    call: (...args) => focusWork(...(args as unknown as Parameters<typeof focusWork>)),
  },
  {
    name: "focusRecording",
    parameters: ["recording", "settings", "device", "hooks"],
    sound: () => [stripmap(), { dopplerCentroidHz: scene.radar.dopplerCentroidHz, rangeWindow: { kind: "hamming" } }, device, hooks()],
    more: {
      recording: ["sensor"],
      settings: ["velocityMetersPerSecond", "processedBandwidthHz", "azimuthWindow", "rcmc", "src", "azimuthLength", "rows", "unknown"],
      hooks: ["clock", "whyDevice", "onQuestions", "unknown"],
    },
    call: async (...args) => (await focusRecording(...(args as unknown as Parameters<typeof focusRecording>)))[Symbol.dispose](),
  },
  {
    name: "planBackprojectedImage",
    parameters: ["recording", "settings", "hooks"],
    sound: () => [history(), projection(), { inputs: ["a"] }],
    more: {
      settings: [
        ...["convention", "heightMeters", "autofocus", "mode", "interpolation", "window", "carrier", "scale", "scheme", "tile", "sets"],
        "unknown",
      ],
    },
    call: (...args) => planBackprojectedImage(...(args as unknown as Parameters<typeof planBackprojectedImage>)),
  },
  {
    name: "backprojectRecording",
    parameters: ["plan", "device", "hooks"],
    sound: () => [0, device, hooks()],
    more: { hooks: ["clock", "whyDevice", "unknown"] },
    call: async (given, ...rest) => {
      const plan = given === 0 ? await planBackprojectedImage(history() as never, projection() as never) : given;
      await backprojectRecording(...([plan, ...rest] as unknown as Parameters<typeof backprojectRecording>));
    },
  },
  {
    name: "simulateRecording",
    parameters: ["name", "preset", "settings", "device", "hooks"],
    sound: () => ["small", { ...smallPreset(false), lines: 16, samples: 512 }, { seed: 3, type: "c64" }, device, { onProgress: () => {} }],
    more: { settings: ["unknown"], hooks: ["signal"] },
    call: (...args) => simulateRecording(...(args as unknown as Parameters<typeof simulateRecording>)),
  },
];

it.each(subjects)("$name names the field, and never hangs", async (subject) => {
  expect(await faultsOf(subject)).toEqual([]);
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
});
