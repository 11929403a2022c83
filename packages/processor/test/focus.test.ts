/**
 * Focusing as a library: recordings that return lines, settings, hooks, and refusals. The images are also judged in the cli package's
 * tests.
 */
import { createRandom, type Device, isRadarError, open, type RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { createScene } from "@dechirp/io";
import { quicklook } from "@dechirp/sar";
import * as v from "valibot";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type FocusSettings,
  focusRecording,
  focusWork,
  measureImage,
  parseReport,
  reportSchema,
  type SimulatedRecording,
  type StripmapRecording,
  settingOf,
  simulateRecording,
} from "../src/index.ts";
import { smallPreset } from "./presets.ts";

let device: Device;
let recording: SimulatedRecording;
beforeAll(async () => {
  device = await open(cpu());
  recording = await simulateRecording("small", smallPreset(true), { type: "ci16" }, device);
});
afterAll(() => device[Symbol.dispose]());

const refused = (given: unknown, settings: unknown = {}): Promise<RadarError> =>
  focusRecording(given as StripmapRecording, settings as FocusSettings, device).then(
    () => expect.unreachable("it was not refused"),
    (error: unknown) => (isRadarError(error, "input") ? error : expect.unreachable(String(error))),
  );

describe("a recording", () => {
  it("may fill the memory that it is given, or not", async () => {
    const places: unknown[] = [];
    const fills: StripmapRecording = {
      ...recording,
      readsInto: true,
      async pulses(from, count, { into } = {}) {
        places.push(into);
        const lines = await recording.pulses(from, count);
        if (!into) return lines;
        into.set(lines);
        return into;
      },
    };
    using whole = await focusRecording(recording, {}, device);
    using filled = await focusRecording(fills, {}, device);
    expect(filled.image).toEqual(whole.image);
    expect(places).toEqual([expect.any(Int16Array)]);
    // Memory that threads do not share may move while it is filled.
    using alone = await open(cpu({ workers: 1 }));
    using copied = await focusRecording(fills, {}, alone);
    expect(copied.image).toEqual(whole.image);
    expect(places[1]).toBeUndefined();
    using unasked = await focusRecording({ ...fills, readsInto: false }, {}, device);
    expect(unasked.image).toEqual(whole.image);
    expect(places[2]).toBeUndefined();
  });

  it("that goes on filling memory after a signal spoils no other array", async () => {
    const controller = new AbortController();
    let place: Int16Array | undefined;
    let end = (): void => {};
    const late: StripmapRecording = {
      ...recording,
      readsInto: true,
      pulses(_from, _count, { into } = {}) {
        place = into as Int16Array;
        setTimeout(() => controller.abort(), 1);
        return new Promise((resolve) => {
          end = () => resolve(place as Int16Array);
        });
      },
    };
    await expect(focusRecording(late, {}, device, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    {
      using other = device.alloc({ dtype: "ci16", shape: recording.shape });
      place?.fill(77);
      expect(await other.read()).toEqual(new Int16Array(2 * recording.shape[0] * recording.shape[1]));
    }
    // The memory is free when the read has ended.
    expect(device.memory().buffers).toBe(1);
    end();
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("gives the same bits from memory, from blocks that arrive late, and as io reads it", async () => {
    using whole = await focusRecording(recording, {}, device);
    const asked: (readonly [number, number])[] = [];
    const late: StripmapRecording = {
      ...recording,
      async pulses(from, count) {
        asked.push([from, count]);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return (await recording.pulses(from, count)).slice();
      },
    };
    using fromBlocks = await focusRecording(late, {}, device);
    expect(fromBlocks.image).toEqual(whole.image);
    expect(asked.reduce((lines, [, count]) => lines + count, 0)).toBe(320);
    const { echoes, shape, dtype, ...facts } = recording;
    const raw = { layout: { dtype, shape }, data: echoes };
    const { lineGain, targets = [], notes = [], ...rest } = facts;
    const scene = createScene({ ...rest, raw, targets, notes, lineGain: Float32Array.from(lineGain ?? []) });
    using asRead = await focusRecording(scene, {}, device);
    expect(asRead.image).toEqual(whole.image);
    expect(asRead.report.parameters).toEqual(whole.report.parameters);
  });

  it("is asked for at most 64 MiB of lines at once", async () => {
    const samples = 2 ** 18;
    const { radar } = recording;
    const asked: number[] = [];
    const long: StripmapRecording = {
      name: "long lines",
      shape: [40, samples],
      dtype: "c64",
      radar: { ...radar, pulseSeconds: 1e-6 },
      pulses(from, count) {
        asked.push(count);
        if (from > 0) throw new Error("no more lines");
        return new Float32Array(2 * count * samples);
      },
    };
    await expect(focusRecording(long, { dopplerCentroidHz: 0, azimuthLength: 48 }, device)).rejects.toThrow("no more lines");
    expect(Math.max(...asked) * samples * 8).toBeLessThanOrEqual(2 ** 26);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("is named in errors by its name, or by what it was read from", async () => {
    const bad = { ...recording, radar: { ...recording.radar, pulseSeconds: 0.5 } };
    const error = await refused(bad);
    expect(error.message).toMatch(/^small: radar\.samplingRateHz must be at least the chirp bandwidth/);
    expect([error.fields["recording"], settingOf(error)]).toEqual(["small", undefined]);
    const read = await focusRecording(bad, {}, device, { inputs: ["/data/one"] }).then(
      () => expect.unreachable(),
      (reason: Error) => reason.message,
    );
    expect(read).toMatch(/^\/data\/one: radar/);
  });

  it.each([
    [null, "recording"],
    [[], "recording"],
    [(r: object) => ({ ...r, name: 7 }), "recording.name"],
    [(r: object) => ({ ...r, shape: [320] }), "recording.shape"],
    [(r: object) => ({ ...r, shape: [320, -1] }), "recording.shape"],
    [(r: object) => ({ ...r, shape: [2 ** 40, 2 ** 40] }), "recording.shape"],
    [(r: object) => ({ ...r, dtype: "f64" }), "recording.dtype"],
    [(r: object) => ({ ...r, radar: undefined }), "recording.radar"],
    [(r: object) => ({ ...r, radar: {} }), "recording.radar.carrierHz"],
    [(r: object) => ({ ...r, lineGain: [1] }), "recording.lineGain"],
    [(r: object) => ({ ...r, sensor: 3 }), "recording.sensor"],
    [(r: object) => ({ ...r, targets: {} }), "recording.targets"],
    [(r: object) => ({ ...r, notes: "one" }), "recording.notes"],
    [(r: object) => ({ ...r, pulses: undefined }), "recording.pulses"],
    [(r: object) => ({ ...r, pulses: () => undefined }), "recording.pulses(0, 320)"],
    [(r: object) => ({ ...r, pulses: () => new Int16Array(7) }), "recording.pulses(0, 320)"],
    [(r: object) => ({ ...r, pulses: () => new Float32Array(2 * 320 * 576) }), "recording.pulses(0, 320)"],
  ])("is refused if it is not valid: %#", async (given, field) => {
    const error = await refused(typeof given === "function" ? given(recording) : given);
    expect(error.fields["field"]).toBe(field);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });

  it("is refused for a sample that is not finite, by pulse and sample", async () => {
    const data = Float32Array.from(recording.echoes);
    data[2 * (7 * 576 + 9) + 1] = Number.NaN;
    const pulses = (from: number, count: number) => data.subarray(2 * from * 576, 2 * (from + count) * 576);
    expect((await refused({ ...recording, dtype: "c64", pulses })).message).toBe("small: sample 9 of pulse 7 must be finite, not NaN");
  });
});

describe("settings", () => {
  it.each([
    [{ dopplerCentroidHz: "fast" }, "dopplerCentroidHz"],
    [{ dopplerCentroidHz: Number.NaN }, "dopplerCentroidHz"],
    [{ velocityMetersPerSecond: -1 }, "velocityMetersPerSecond"],
    [{ velocityMetersPerSecond: "7000" }, "velocityMetersPerSecond"],
    [{ processedBandwidthHz: 0 }, "processedBandwidthHz"],
    [{ processedBandwidthHz: 1e6 }, "processedBandwidthHz"],
    [{ rangeWindow: { kind: "square" } }, "rangeWindow"],
    [{ azimuthWindow: null }, "azimuthWindow"],
    [{ rcmc: "sinc" }, "rcmc"],
    [{ src: "maybe" }, "src"],
    [{ azimuthLength: 2.5 }, "azimuthLength"],
    [{ azimuthLength: 7 }, "azimuthLength"],
    [{ rows: "some" }, "rows"],
    [{ dopplerCentroid: 3 }, "dopplerCentroid"],
  ])("%j are refused, naming the setting", async (settings, name) => {
    const error = await refused(recording, settings);
    expect(settingOf(error)).toBe(name);
    expect(error.fields["field"]).toBe(`settings.${name}`);
    expect(error.message).toContain(name);
  });

  it("are listed in the report with their sources", async () => {
    using focused = await focusRecording(recording, { rcmc: "nearest", azimuthWindow: { kind: "hann" } }, device);
    expect(focused.report.parameters).toMatchObject({
      rcmc: { value: "nearest", source: "option" },
      azimuthWindow: { value: "hann", source: "option" },
      rangeWindow: { value: "kaiser:2.5", source: "default" },
      processedBandwidthHz: { source: "scene" },
    });
  });
});

describe("the report", () => {
  it("matches its schema, and measuring the image again gives the same numbers", async () => {
    using focused = await focusRecording(recording, {}, device);
    const { report } = focused;
    expect(report.targets.length).toBeGreaterThan(0);
    const json = JSON.stringify(report);
    expect(v.parse(reportSchema, JSON.parse(json))).toEqual(JSON.parse(json));
    const again = await measureImage(focused.image, await parseReport(json, "report.json"));
    // The device sums rows in float32.
    const tolerance = 4 * 2 ** -23 * Math.sqrt(Math.log2(focused.axes.slantRangeMeters.count));
    expect(Math.abs(again.entropy - report.entropy)).toBeLessThan(tolerance * again.entropy);
    expect(Math.abs(again.contrast - report.contrast)).toBeLessThan(tolerance * again.contrast);
    const [rows, columns] = report.image.shape;
    const { azimuthMeters, slantRangeMeters } = focused.axes;
    const spacings = { rowSpacingMeters: azimuthMeters.step, columnSpacingMeters: slantRangeMeters.step };
    const picture = quicklook(focused.image, rows, columns, spacings);
    expect(focused.quicklook).toMatchObject({ width: picture.width, height: picture.height, azimuthLooks: picture.azimuthLooks });
    expect(Math.max(...picture.data.map((level, i) => Math.abs(level - focused.quicklook.data[i])))).toBeLessThanOrEqual(1);
    expect(again.targets).toEqual(report.targets);
    await expect(measureImage(focused.image.subarray(2), report)).rejects.toMatchObject({ code: "input", fields: { field: "pixels" } });
  });

  it("is refused, naming the field, if a field does not match the schema", async () => {
    using focused = await focusRecording(recording, {}, device);
    const change = (f: (report: { radar: { prfHz: unknown } }) => void): string => {
      const copy = JSON.parse(JSON.stringify(focused.report));
      f(copy);
      return JSON.stringify(copy);
    };
    const text = change((report) => {
      report.radar.prfHz = "fast";
    });
    await expect(parseReport(text, "it.json")).rejects.toMatchObject({ code: "input", fields: { file: "it.json", field: "radar.prfHz" } });
  });
});

describe("the work", () => {
  it("counts the image's samples as complex numbers, however they are stored", async () => {
    for (const type of ["ci8", "c64"] as const) {
      const quiet = await simulateRecording("small", smallPreset(false), { type }, device);
      // 320 lines expose 415 rows, which need a transform of 480.
      expect(focusWork(quiet)).toEqual({ kind: "transforms", bytes: 8 * 320 * 576, largestBytes: 8 * 480 * 2048 });
      // With full exposure nothing folds if the transform is a little longer than the lines.
      expect(focusWork(quiet, { rows: "full" }).largestBytes).toBeLessThan(8 * 415 * 2048);
      // Parameters that make no image are reported when the image is made.
      const wrong = { ...quiet, radar: { ...quiet.radar, nearRangeMeters: 1e12 } };
      expect(focusWork(wrong).largestBytes).toBe(8 * 512 * 2048);
      expect(focusWork(quiet, { azimuthLength: 400 }).largestBytes).toBe(8 * 400 * 2048);
    }
  });
});

it.each(["range", "doppler", "image", "measuring"])("cancelling at the beginning of %s frees everything on the device", async (stage) => {
  const controller = new AbortController();
  const onProgress = (what: string): void => void (what === stage && controller.abort());
  await expect(focusRecording(recording, {}, device, { signal: controller.signal, onProgress })).rejects.toMatchObject({ code: "aborted" });
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
});

it("progress goes from 0 to 1 and never back, and an error of a listener ends the work", async () => {
  const shares: number[] = [];
  const hooks = { onProgress: (_: string, share: number): void => void shares.push(share) };
  (await focusRecording(recording, { dopplerCentroidHz: "auto" }, device, hooks))[Symbol.dispose]();
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  expect(shares[0]).toBe(0);
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
  const cause = new Error("the listener's own");
  const throwing = focusRecording(recording, {}, device, {
    onProgress(what) {
      if (what === "doppler") throw cause;
    },
  });
  await expect(throwing).rejects.toMatchObject({ code: "failed" });
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
});

it("hands the image over once, before it is measured", async () => {
  const events: unknown[] = [];
  const onImage = (image: Float32Array, shape: readonly number[]): void => void events.push(image, shape);
  const onProgress = (what: string): void => void (what === "measuring" && events.push(what));
  using focused = await focusRecording(recording, {}, device, { onImage, onProgress });
  expect(events).toEqual([focused.image, focused.report.image.shape, "measuring"]);
  expect(events[0]).toBe(focused.image);
  focused[Symbol.dispose]();
  const wrong = { onImage: () => expect.unreachable("the listener's own") };
  await expect(focusRecording(recording, {}, device, wrong)).rejects.toMatchObject({ code: "failed" });
  expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  await expect(focusRecording(recording, {}, device, { onImage: 7 as never })).rejects.toMatchObject({ code: "input" });
});

it("the seed determines the echoes", async () => {
  const make = async (seed: number) => (await simulateRecording("small", smallPreset(true), { seed, type: "ci16" }, device)).echoes;
  const { uniform } = createRandom(1);
  const seed = Math.floor(1e6 * uniform());
  expect(await make(seed)).toEqual(await make(seed));
  expect(await make(seed + 1)).not.toEqual(await make(seed));
});

it.each([
  [{ onProgres: () => {} }, "input", "hooks.onProgres"],
  [{ onProgress: 3 }, "input", "hooks.onProgress"],
  [{ inputs: "scene" }, "input", "hooks.inputs"],
  [{ onQuestions: async () => {} }, "failed", undefined],
])("invalid hooks are refused: %#", async (hooks, code, field) => {
  const error = await focusRecording(recording, {}, device, hooks as object).then(
    () => expect.unreachable(),
    (reason: RadarError) => reason,
  );
  expect([error.code, error.fields["field"]]).toEqual([code, field]);
});
