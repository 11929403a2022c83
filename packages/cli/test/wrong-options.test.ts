/** Functions of the domain packages that make programs, scenes and figures from plain data, called with values of the wrong type. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import * as radars from "@dechirp/radar";
import * as realtime from "@dechirp/realtime";
import * as reports from "@dechirp/realtime/reports";
import * as transforms from "@dechirp/realtime/transforms";
import * as sar from "@dechirp/sar";
import * as stap from "@dechirp/stap";
import { afterAll, beforeAll, expect, it } from "vitest";
import { faultsOf, type Subject } from "./wrong-arguments.ts";

/** Makes a function's subject, with named parameters, called with what `sound` makes. */
const subject = (
  f: (...args: never[]) => unknown,
  parameters: readonly string[],
  sound: Subject["sound"],
  more: Subject["more"] = {},
): Subject => ({
  name: f.name,
  parameters,
  sound,
  more,
  call: (...args) => f(...(args as never[])),
});

const radar: radars.StripmapRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 150e6,
  prfHz: 160,
  chirpRateHzPerSecond: 500e12,
  pulseSeconds: 0.2e-6,
  velocityMetersPerSecond: 130,
  nearRangeMeters: 3000,
  dopplerCentroidHz: 20,
};
const positions = (): Float64Array => sar.linearTrack({ middleMeters: [0, -1000, 500], stepMeters: [1, 0, 0], pulses: 8 });
const history = (): radars.PhaseHistory =>
  sar.simulatePhaseHistory({ positions: positions(), frequency: { firstHz: 9e9, stepHz: 1e6, count: 16 }, targets: [] });
const image = (): { rows: number; columns: number; data: Float32Array } => {
  const data = new Float32Array(2 * 64 * 64);
  for (let r = 0; r < 64; r++) for (let c = 0; c < 64; c++) data[2 * (64 * r + c)] = Math.exp(-((r - 32) ** 2 + (c - 32) ** 2) / 4);
  return { rows: 64, columns: 64, data };
};
const tasks = (): realtime.TaskSet => ({ units: 4, tasks: [{ id: "a", wcet: { 1: 4, 2: 2, 4: 1 }, deadline: 20, period: 30 }] });
const runnable = () => reports.checkRunTasks({ tasks: [{ id: "a", samples: 64, line: 8 }] });
const beam = { kind: "doppler-band", bandwidthHz: 60 };

const subjects: readonly Subject[] = [
  subject(
    sar.rangeDoppler,
    ["params"],
    () => [
      {
        radar,
        lines: 64,
        samples: 128,
        processedBandwidthHz: 60,
        precision: "f32",
        rcmc: "nearest",
        src: "on",
        rangeWindow: { kind: "hann" },
      },
    ],
    { params: ["rawType", "lineGain", "azimuthWindow", "azimuthLength", "rows", "rangeLength", "storage", "rawPeak", "azimutLength"] },
  ),
  subject(
    sar.omegaK,
    ["params"],
    () => [
      {
        radar,
        lines: 64,
        samples: 128,
        processedBandwidthHz: 60,
        precision: "f32",
        stolt: "nearest",
        rangeWindow: { kind: "hann" },
      },
    ],
    { params: ["rawType", "lineGain", "azimuthWindow", "azimuthLength", "rows", "rangeLength", "azimutLength"] },
  ),
  subject(
    sar.simulateStripmap,
    ["options", "hooks"],
    () => [
      {
        radar,
        lines: 8,
        samples: 64,
        beam,
        targets: [{ name: "a", azimuthSeconds: 0, slantRangeMeters: 3010, amplitude: 1, phaseRadians: 0 }],
        noise: { sigma: 1 },
        seed: 1,
      },
      { onProgress: () => {} },
    ],
    { options: ["dtype", "blockLines", "background", "sead"], hooks: ["signal", "convolve", "progress"] },
  ),
  subject(sar.sceneGrid, ["history", "options"], () => [history(), { centreMeters: [0, 0, 0], most: 64 }], { options: ["centerMeters"] }),
  subject(
    sar.compressProfiles,
    ["history", "options"],
    () => [history(), { bins: 64, window: { kind: "hann" }, carrier: "first", dtype: "c64" }],
    { options: ["bin"] },
  ),
  subject(
    sar.analysePointTarget,
    ["image", "at", "options"],
    () => [image(), { row: 32, column: 32 }, { sideLobes: 2, cutHalfPixels: 16, chipHalfPixels: 16 }],
    {
      options: [
        "wrapRows",
        "wrapColumns",
        "azimuthCentreCyclesPerSample",
        "rangeCentreCyclesPerSample",
        "searchHalfPixels",
        "rangeCutRowsPerColumn",
        "sidelobes",
      ],
    },
  ),
  subject(radars.parseWindow, ["window", "options"], () => ["hann", {}], { options: ["continuous"] }),
  subject(radars.windowSamples, ["window", "n"], () => [{ kind: "hann" }, 16]),
  subject(radars.windowTheory, ["window", "options"], () => [{ kind: "hann" }, {}], { options: ["share", "samples"] }),
  subject(
    stap.efa,
    ["options"],
    () => [{ channels: 2, pulses: 8, ranges: 64, steeringVectors: 1, blockRanges: 16, training: { kind: "adjacent" } }],
    {
      options: [
        "dopplerBins",
        "temporalTaps",
        "window",
        "centred",
        "loading",
        "solver",
        "output",
        "maxOverSteering",
        "sharing",
        "precision",
        "fused",
        "blockRange",
      ],
    },
  ),
  subject(radars.chirpReplica, ["chirp", "options"], () => [{ bandwidthHz: 1e6, pulseSeconds: 1e-5, samplingRateHz: 2e6 }, {}], {
    options: ["window", "oversample"],
  }),
  subject(realtime.analyseTaskSet, ["set"], () => [tasks()]),
  subject(realtime.simulateTaskSet, ["set", "options"], () => [
    tasks(),
    { seed: 1, jobs: 10, release: "sporadic", think: 0, leastShare: 1 },
  ]),
  subject(realtime.createUnitLock, ["units"], () => [4]),
  subject(reports.analyseTasks, ["set", "options"], () => [tasks(), { sweep: true, onProgress: () => {} }], {
    options: ["signal", "onPart", "sweeps"],
  }),
  subject(
    reports.simulateTasks,
    ["set", "settings", "hooks"],
    () => [tasks(), { seed: 1, jobs: 5, policy: "fifo", release: "sporadic", execution: "worst" }, { onProgress: () => {} }],
    { hooks: ["signal", "onPart", "progress"] },
  ),
  subject(reports.checkRunTasks, ["value"], () => [{ tasks: [{ id: "a", samples: 64, line: 8, count: 2, sizes: [1] }] }]),
  {
    name: "runTasks",
    parameters: ["tasks", "settings"],
    sound: () => [runnable(), { executor: "chunks", jobs: 1, runs: 1, margin: 1 }],
    more: { settings: ["slots", "rho", "run"] },
    call: (given, settings) => reports.runTasks(device, given as never, settings as never, { reference: device, cores: 2 }),
  },
  {
    name: "runTasks",
    parameters: ["device", "reference", "options"],
    sound: () => [undefined, undefined, { cores: 2, onProgress: () => {} }],
    more: { options: ["signal", "onPart", "unit"] },
    call: (on = device, reference = device, options = {}) =>
      reports.runTasks(
        on as Device,
        runnable(),
        { executor: "pool", jobs: 1, runs: 1, margin: 1 },
        {
          ...(options as object),
          reference: reference as Device,
        },
      ),
  },
  subject(transforms.slotWay, ["options"], () => [{ slots: 4, cores: 2 }], { options: ["slot"] }),
];

let device: Device;
beforeAll(async () => {
  device = await open(cpu({ workers: 1 }));
});
afterAll(() => {
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  device[Symbol.dispose]();
});

it.each(subjects.map((one) => [`${one.name}(${one.parameters.join(", ")})`, one] as const))("%s", { timeout: 300_000 }, async (_, one) => {
  const faults = await faultsOf(one);
  expect(faults, `${faults.length} faults\n${faults.join("\n")}`).toEqual([]);
});
