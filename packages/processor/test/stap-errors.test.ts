/** Wrong settings and recordings of STAP: each is one error of code `input` that names the field, before any device is used. */
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { Cube } from "@dechirp/stap";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ArrayRecording, planStap, processStap, type StapSettings, settingOf } from "../src/index.ts";
import { checkStapSettings } from "../src/stap/settings.ts";
import { channels, pulses, radar, ranges, recordingOf, stapCube } from "./stap-cube.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => {
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  device[Symbol.dispose]();
});

const caught = async (work: () => unknown): Promise<Record<string, unknown>> => {
  try {
    await work();
  } catch (error) {
    return error as Record<string, unknown>;
  }
  throw new Error("nothing was thrown");
};

const vectors = (count: number, elements: number, value = 1) => ({
  vectors: count,
  elements,
  data: new Float32Array(2 * count * elements).fill(value),
});

describe("wrong settings are refused by name", () => {
  const one = "settings.";
  it.each<[field: string, value: unknown, message: string]>([
    ["preset", "none", "must be one of perfect, paper, mountain-top"],
    ["prfHz", 0, "must be a positive number"],
    ["prfHz", "300", "must be of type number"],
    ["carrierHz", Number.NaN, "must be a positive number"],
    ["spacing", 0.5, "must be of type object"],
    ["spacing.unit", { value: 1, unit: "cm" }, "must be m or wavelengths"],
    ["spacing.value", { value: -1, unit: "m" }, "must be a positive number"],
    ["spacing.units", { value: 1, unit: "m", units: "m" }, "there is no field units in settings.spacing"],
    ["broadsideDegrees", 400, "must be a number of degrees from -360 to 360"],
    ["chirp", "all", "must be an object"],
    ["chirp.pulseSeconds", { bandwidthHz: 1, pulseSeconds: 0, samplingRateHz: 1 }, "must be a positive number"],
    [
      "chirp",
      { bandwidthHz: 1, pulseSeconds: 1, samplingRateHz: 1e9 },
      "must be a pulse and a sampling rate that give 1 to 16777216 samples",
    ],
    ["rangeAxis.stepMeters", { startMeters: 1, stepMeters: 0 }, "must be a positive number"],
    ["azimuth.to", { from: 10, to: 0, step: 1 }, "must be at least settings.azimuth.from, 10"],
    ["azimuth.step", { from: 0, to: 10, step: 0 }, "must be a positive number of degrees"],
    ["azimuth", { from: 0, to: 300, step: 0.01 }, 'must be of at most 4096 azimuths, not "0:300:0.01"'],
    ["azimuth.from", { to: 0, step: 1 }, "must be a number of degrees"],
    ["dopplerBins", 16.5, "must be an integer from 1 to 65536, not 16.5"],
    ["temporalTaps", 0, "must be an integer from 1 to 1024, not 0"],
    ["blockRanges", -1, "must be an integer from 1"],
    ["cells", 0, "must be an integer from 1"],
    ["guard", -1, "must be an integer from 0"],
    ["training", "both", "must be one of adjacent, own, sliding"],
    ["solver", "qr", "must be one of cholesky, gauss-jordan"],
    ["output", "phase", "must be one of amf, mvdr, paper-literal, complex"],
    ["maxOverSteering", 1, "must be of type boolean"],
    ["centred", "yes", "must be of type boolean"],
    ["loading", -1e-9, "must be a number from 0 to 1000000"],
    ["window", { kind: "triangle" }, "must be one of rect, hamming, "],
    ["window.sidelobeDb", { kind: "chebyshev", sidelobeDb: 40 }, "must be a number from -200 to -1, not 40"],
    ["falseAlarm", 0, "must be a number from 1e-15 to 0.5"],
    ["cfar", "go", "must be one of ca, os"],
    ["cfarCells", 0, "must be an integer from 1"],
    ["cfarGuard", -1, "must be an integer from 0"],
    ["target.range", { doppler: 0 }, "must be a number"],
    ["target.azimuth", { range: 1, doppler: 0, azimuth: 3 }, "there is no field azimuth in settings.target"],
    ["withoutChannels", 3, "must be of type object"],
    ["withoutChannels", [-1], "must be a list of channels"],
    ["steering.data", { vectors: 2, elements: 4, data: new Float32Array(8) }, "must be Float32Array or Float64Array of 16"],
    ["steering.vectors", { vectors: 0, elements: 4, data: new Float32Array(0) }, "must be an integer of at least 1"],
    ["steeringFile", "v.npy", "there is no field steeringFile in settings of STAP"],
  ])("%s (case %#)", async (field, value, message) => {
    const [name] = field.split(".");
    const settings = { ...radar, [name]: value } as StapSettings;
    const error = await caught(() => planStap(recordingOf(), settings));
    expect(error).toMatchObject({ code: "input", fields: { field: `${one}${field}` } });
    expect(error["message"]).toContain(message);
    expect(settingOf(error)).toBe(name);
    // The check alone reports the same error.
    expect((await caught(() => checkStapSettings(settings)))["message"]).toBe(error["message"]);
  });

  it("null is not the same as left out", async () => {
    for (const name of Object.keys(radar)) {
      const error = await caught(() => planStap(recordingOf(), { ...radar, [name]: null } as unknown as StapSettings));
      expect([settingOf(error), error["code"]], name).toEqual([name, "input"]);
    }
    expect(await caught(() => planStap(recordingOf(), null as unknown as StapSettings))).toMatchObject({ code: "input" });
  });
});

describe("settings that do not suit the recording or each other are refused", () => {
  it.each<[setting: keyof StapSettings, settings: StapSettings, message: RegExp]>([
    ["carrierHz", { spacing: { value: 0.3, unit: "m" } }, /^settings\.carrierHz is missing: a spacing in metres needs the wavelength$/],
    ["dopplerBins", { dopplerBins: 8 }, /^settings\.dopplerBins does not suit drawn: dopplerBins must be an integer from 16/],
    ["temporalTaps", { temporalTaps: 17 }, /does not suit drawn: temporalTaps must be an integer from 1 to 16/],
    ["blockRanges", { blockRanges: 64 }, /does not suit drawn: adjacent training with 0 guard blocks must have 2 other blocks/],
    ["blockRanges", { blockRanges: 64, temporalTaps: 2 }, /does not suit drawn/],
    ["blockRanges", { blockRanges: 4 }, /training of ranges 0 to 3 must have at least 12 cells.*, not 8/],
    ["guard", { guard: 3 }, /does not suit drawn: adjacent training with 3 guard blocks/],
    ["cells", { training: "sliding", cells: 11 }, /does not suit drawn.*at least 12 cells/],
    ["cells", { training: "sliding", cells: 11, guard: 2 }, /does not suit drawn.*at least 12 cells.*, not 11$/],
    ["guard", { training: "sliding", guard: 100 }, /training\.guardCells must be/],
    ["temporalTaps", { temporalTaps: 16, training: "own" }, /at least 64 cells/],
    ["guard", { training: "own", guard: 1 }, /^settings\.guard must be left out if training is own/],
    ["guard", { preset: "perfect", guard: 1 }, /^settings\.guard must be left out if training is own/],
    ["cells", { cells: 40 }, /^settings\.cells must be left out if training is adjacent/],
    ["blockRanges", { training: "sliding", blockRanges: 8 }, /must be left out if training is sliding/],
    [
      "maxOverSteering",
      { output: "complex", maxOverSteering: true },
      /must be left out if the output is complex, which has no largest value, not true/,
    ],
    ["cfarCells", { cfarCells: 8 }, /^settings\.cfarCells must be left out without settings\.cfar, not 8$/],
    ["cfarGuard", { cfarGuard: 8 }, /^settings\.cfarGuard must be left out without settings\.cfar, not 8$/],
    [
      "chirp",
      { chirp: { bandwidthHz: 1e5, pulseSeconds: 1e-3, samplingRateHz: 1e6 } },
      /replica\.length must be re and im of 1 to 120 samples/,
    ],
    ["azimuth", { steering: vectors(1, 4) }, /^settings\.azimuth must be left out if settings\.steering is given, not "-60:60:10"$/],
    ["withoutChannels", { withoutChannels: [4] }, /^settings\.withoutChannels must be channels of drawn, from 0 to 3, not 4$/],
    ["withoutChannels", { withoutChannels: [0, 1, 2, 3] }, /must be a list that leaves at least one channel, not "0,1,2,3"/],
    [
      "window",
      { window: { kind: "chebyshev", sidelobeDb: -40 }, dopplerBins: undefined } as object,
      /does not suit drawn: n must be an integer/,
    ],
  ])("%s (case %#)", async (setting, settings, message) => {
    // Dolph-Chebyshev windows are limited to 4096 pulses.
    const long: Cube = {
      data: new Float32Array(2 * 4097).fill(1),
      channels: 1,
      pulses: 4097,
      ranges: 1,
      order: ["channel", "pulse", "range"],
    };
    const recording = settings.window ? recordingOf(long) : recordingOf();
    const error = await caught(() => planStap(recording, { ...radar, ...settings }));
    expect(error["message"]).toMatch(message);
    expect([settingOf(error), error["code"]]).toEqual([setting, "input"]);
  });

  it("also those that only a run can check", async () => {
    for (const [setting, settings, message] of [
      ["cfarCells", { cfar: "ca", cfarCells: 120 }, /^settings\.cfarCells does not suit drawn/],
      ["cfarGuard", { cfar: "os", cfarGuard: 100, training: "sliding", guard: 2, cells: 40 }, /guardCells must be/],
      ["cfarGuard", { cfar: "ca", cfarGuard: 50 }, /cells must be/],
      ["target", { target: { range: 120, doppler: 0 } }, /^settings\.target must be at a range bin from 0 to 119, not 120$/],
      ["target", { target: { range: 1.5, doppler: 0 } }, /must be at a range bin/],
      ["target", { target: { range: 5, doppler: 151 } }, /must be within ±150 Hz of Doppler, not 151/],
      ["target", { target: { range: 5, doppler: 0, azimuthDegrees: 61 } }, /must be at an azimuth of the scan, from -60° to 60°, not 61/],
    ] as const satisfies readonly (readonly [string, StapSettings, RegExp])[]) {
      const plan = await planStap(recordingOf(), { ...radar, ...settings });
      const error = await caught(() => processStap(plan, device));
      expect(error["message"]).toMatch(message);
      expect([settingOf(error), error["code"]]).toEqual([setting, "input"]);
    }
    const steered = await planStap(recordingOf(), { steering: vectors(1, 4), target: { range: 5, doppler: 0, azimuthDegrees: 3 } });
    await expect(processStap(steered, device)).rejects.toThrow(
      /settings\.target must be without an azimuth if the steering vectors are not a scan/,
    );
    await expect(processStap(steered, undefined as unknown as Device)).rejects.toThrow(/device must be a device/);
  });

  it("a direction is required", async () => {
    const none = await caught(() => planStap(recordingOf()));
    expect(none["message"]).toBe("settings.azimuth or settings.steering is missing: drawn has no steering vectors");
    expect(settingOf(none)).toBe("azimuth");
    const bare = await caught(() => planStap(recordingOf(), { azimuth: radar.azimuth }));
    expect(bare["message"]).toBe("settings.spacing is missing: settings.azimuth steers a uniform linear array");
    expect(settingOf(bare)).toBe("spacing");
  });

  it("steering vectors must have the right length", async () => {
    for (const [steering, message] of [
      [vectors(2, 5), "settings.steering: steering vectors must be of length 4, the channels, or 12, channels times 3 taps, not 5"],
      [vectors(2, 4, 0), "settings.steering: steering vector 0 must not be all zero"],
      [vectors(2, 12, Number.NaN), "settings.steering does not suit drawn: steering[0], element 0, must be a finite number, not NaN"],
      [
        vectors(2, 4, Number.POSITIVE_INFINITY),
        /^settings\.steering does not suit drawn: steering\[0\], element \d+, must be a finite number/,
      ],
    ] as const) {
      const error = await caught(() => planStap(recordingOf(), { steering }));
      expect(error["message"]).toMatch(message);
      expect([settingOf(error), error["code"]]).toEqual(["steering", "input"]);
      // Errors in the recording's own steering vectors are about the recording.
      const own = await caught(() => planStap(recordingOf(stapCube(), { steering })));
      expect([settingOf(own), own["code"]]).toEqual([undefined, "input"]);
      expect(own["message"]).toMatch(/^drawn: steering/);
    }
    const taps = await caught(() => planStap(recordingOf(), { steering: vectors(1, 12), temporalTaps: 5 }));
    expect(taps["message"]).toBe(
      "settings.temporalTaps must be 3, because steering vectors of the array have 12 elements for 4 channels, not 5",
    );
  });
});

describe("wrong recordings are refused, naming the field", () => {
  const cube = stapCube();
  it.each<[field: string, change: Partial<Record<keyof ArrayRecording, unknown>>]>([
    ["name", { name: undefined }],
    ["cube", { cube: undefined }],
    ["cube.channels", { cube: { ...cube, channels: 4.5 } }],
    ["cube.order", { cube: { ...cube, order: ["channel", "pulse", "pulse"] } }],
    ["cube.data", { cube: { ...cube, data: [...cube.data] } }],
    ["cube.data.length", { cube: { ...cube, ranges: ranges + 1 } }],
    ["elements", { elements: [0, 1, 2] }],
    ["elements", { elements: [0, 1, 2, 2] }],
    ["elements", { elements: [0, 1, 2, 1e9] }],
    ["fileChannels", { fileChannels: 3 }],
    ["cpi.number", { cpi: { number: 3, names: ["a", "b"] } }],
    ["cpi.names", { cpi: { number: 1, names: [] } }],
    ["preset.name", { preset: { name: "toString", why: "" } }],
    ["preset.why", { preset: { name: "paper" } }],
    ["facts", { facts: 3 }],
    ["facts.prfHz", { facts: { prfHz: -1 } }],
    ["facts.prfHz", { facts: { prfHz: "300" } }],
    ["facts.spacing.unit", { facts: { spacing: { value: 1, unit: "cm" } } }],
    ["facts.rangeAxis.startMeters", { facts: { rangeAxis: { startMeters: Number.NaN, stepMeters: 1 } } }],
    ["blockRanges", { blockRanges: 0 }],
    ["steering.data", { steering: { vectors: 1, elements: 4, data: new Float32Array(7) } }],
    ["axesOpen", { axesOpen: "yes" }],
    ["axesHint", { axesHint: 3 }],
    ["notes", { notes: "a note" }],
  ])("%s (case %#)", async (field, change) => {
    const error = await caught(() => planStap({ ...recordingOf(cube), ...change } as ArrayRecording, radar));
    expect(error).toMatchObject({ code: "input", fields: { field: `recording.${field}` } });
    expect(error["message"]).toContain(`recording.${field} must be `);
    expect(settingOf(error)).toBeUndefined();
  });

  it("also values that are not recordings", async () => {
    for (const nothing of [undefined, null, 3, []])
      await expect(planStap(nothing as unknown as ArrayRecording, radar)).rejects.toThrow(/^recording must be an object/);
  });

  it("for samples, naming channel, pulse and range, under the name that the caller gives the input", async () => {
    const damaged = stapCube();
    damaged.data[2 * ((2 * pulses + 3) * ranges + 5) + 1] = Number.NaN;
    await expect(planStap(recordingOf(damaged), radar)).rejects.toMatchObject({
      code: "input",
      message: "drawn: cube, channel 2, pulse 3, range 5, must be a finite number, not NaN",
      fields: { recording: "drawn", channel: 2, pulse: 3, range: 5 },
    });
    // Channels that are left out are not checked.
    expect((await planStap(recordingOf(damaged), { ...radar, withoutChannels: [2] })).notes).toEqual([]);
    const zeros = { ...stapCube(), data: new Float32Array(2 * channels * pulses * ranges) };
    await expect(planStap(recordingOf(zeros), radar, { inputs: ["a.npy", "b.npy"] })).rejects.toMatchObject({
      message: "a.npy: cube must be different from zero somewhere, not 0",
      fields: { recording: "a.npy" },
    });
    const huge = { ...stapCube(), data: Float64Array.from(stapCube().data, (x) => x * 1e40) };
    const plan = await planStap(recordingOf(huge), { ...radar, output: "mvdr" });
    await expect(processStap(plan, device)).rejects.toThrow(/^drawn: output must be within the range of float32; the AMF is/);
  });

  it("for too few ranges, with a remark if the axes were assumed", async () => {
    const wrong: Cube = { ...stapCube(), channels: ranges, pulses: channels, ranges: pulses, order: ["channel", "pulse", "range"] };
    const settings = { ...radar, temporalTaps: 1 };
    const few = /^drawn: adjacent training with 0 guard blocks must have 2 other blocks[^(]*/;
    await expect(planStap(recordingOf(wrong), settings)).rejects.toThrow(new RegExp(`${few.source}$`));
    await expect(planStap(recordingOf(wrong, { axesOpen: true }), settings)).rejects.toThrow(
      new RegExp(`${few.source}\\(axes are taken as channel,pulse,range\\)$`),
    );
    await expect(planStap(recordingOf(wrong, { axesOpen: true, axesHint: "ask for others" }), settings)).rejects.toThrow(
      /\(axes are taken as channel,pulse,range; ask for others\)$/,
    );
    const right = await planStap(recordingOf(stapCube(), { axesOpen: true, notes: ["from a friend"] }), radar);
    expect(right.notes).toEqual(["from a friend", "axes are taken as channel,pulse,range"]);
  });
});

it("no message or note of the library mentions an option of a command", async () => {
  const [{ readdir, readFile }, { join }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const folder = join(import.meta.dirname, "..", "src", "stap");
  for (const file of await readdir(folder)) expect(await readFile(join(folder, file), "utf8"), file).not.toMatch(/(^|[\s"'`(])--[a-z]/m);
});
