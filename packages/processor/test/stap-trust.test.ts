/**
 * STAP on difficult input: correct outputs on every device, dependent channels named by number, and information beside the detections.
 */
import { type Device, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import { type AdaptiveOutput, type Cube, efaGeometry, efaReference, efaSteering, permuteAxes, snrDb } from "@dechirp/stap";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StapReport } from "../src/index.ts";
import { azimuths, channels, jammed, pulses, ranges, recordingOf, reference, spatial, stap, stapCube, target } from "./stap-cube.ts";

const devices: Record<string, Device> = {};
let device: Device;
beforeAll(async () => {
  device = await open(cpu());
  devices["cpu"] = device;
  devices["gpu"] = await open(gpu());
});
afterAll(() => {
  for (const one of Object.values(devices)) {
    expect(one.memory()).toMatchObject({ buffers: 0, plans: 0 });
    one[Symbol.dispose]();
  }
});

/** A function that opens a processor, and the devices that it has opened. */
function opener(): { readonly opened: Device[]; readonly openFloat64: () => Promise<Device> } {
  const opened: Device[] = [];
  const openFloat64 = async (): Promise<Device> => {
    const one = await open(cpu());
    opened.push(one);
    return one;
  };
  return { opened, openFloat64 };
}

const isDisposed = (one: Device): boolean => {
  try {
    one.alloc({ dtype: "f32", shape: [1] })[Symbol.dispose]();
    return false;
  } catch (error) {
    expect(error).toMatchObject({ code: "disposed" });
    return true;
  }
};

const notesOf = ({ notes }: StapReport): string => notes.join("\n");

describe("outputs are correct", () => {
  it.each(["cpu", "gpu"])("behind a jammer 80 dB above the noise, also on a device without float64: %s", async (id) => {
    const cube = jammed(5, 80, 25);
    const { opened, openFloat64 } = opener();
    const heard: number[] = [];
    const onProgress = (_: string, share: number): void => void heard.push(share);
    const { report, output } = await stap(devices[id], recordingOf(cube), {}, { openFloat64, onProgress });
    expect(snrDb(reference({}, cube), output)).toBeGreaterThan(40);
    expect(report.device.id).toBe(id);
    expect(report.solved).toMatchObject({ precision: "f64", covariances: 4 * pulses, illConditioned: 0 });
    expect(opened.map(isDisposed)).toEqual(id === "gpu" ? [true] : []);
    if (id === "gpu") {
      expect(report.solved.why).toMatch(/^solved in float64 on cpu: the float32 of gpu is too coarse for \d+ of 64 covariances$/);
      expect(report.notes).toContain(report.solved.why);
    }
    const running = heard.slice(heard.lastIndexOf(0));
    expect(running).toEqual([...running].sort((a, b) => a - b));
    // There are few false alarms, and the jammer is reported.
    expect(report.detections.count).toBeLessThanOrEqual(1);
    const { interference } = report;
    if (!interference.estimated) throw new Error("not estimated");
    expect(interference.affectedBins).toBe(pulses);
    expect(interference.sources.length).toBe(1);
    expect(interference.sources[0]).toMatchObject({ azimuthDegrees: 25, share: 1 });
    expect(Math.abs(interference.sources[0].toNoiseDb - 80)).toBeLessThan(2);
    expect(interference.strongest.dominant).toBe(1);
  });

  it("on a device without float64 if float32 suffices, without opening another one", async () => {
    const { opened, openFloat64 } = opener();
    const { report, output } = await stap(devices["gpu"], recordingOf(), {}, { openFloat64 });
    expect(snrDb(reference({}), output)).toBeGreaterThan(40);
    expect(report.solved).toEqual({ precision: "f32", covariances: 4 * pulses, illConditioned: 0 });
    expect([opened, report.notes]).toEqual([[], []]);
  });

  it("or the report says that float32 is too coarse, if no device with float64 can be opened", async () => {
    const cube = jammed(5, 50, 25);
    const { report, output } = await stap(devices["gpu"], recordingOf(cube));
    expect(report.solved.precision).toBe("f32");
    expect(report.solved.why).toBeUndefined();
    expect(report.solved.illConditioned).toBeGreaterThan(0);
    expect(report.solved.mostCondition).toBeGreaterThan(2 ** 14);
    expect(notesOf(report)).toMatch(
      /\d+ of 64 covariances are so ill-conditioned \(condition up to about \de\+\d+\) that outputs of float32 may be wrong by more than 1 %; a device with float64, or diagonal loading, helps/,
    );
    // Errors grow with the condition number, from 40 dB at 2¹⁴ on.
    const leastDb = 40 - 20 * Math.log10((report.solved.mostCondition as number) / 2 ** 14);
    expect(snrDb(reference({}, cube), output)).toBeGreaterThan(leastDb);
    const precise = await stap(devices["gpu"], recordingOf(cube), {}, { openFloat64: opener().openFloat64 });
    expect(precise.report.solved).toMatchObject({ precision: "f64", illConditioned: 0 });
    expect(snrDb(reference({}, cube), precise.output)).toBeGreaterThan(60);
    const loaded = await stap(devices["gpu"], recordingOf(cube), { loading: 1e-3 });
    expect(loaded.report.solved).toMatchObject({ precision: "f32", illConditioned: 0 });
  });

  it("and an error is raised if float32 solves nothing, instead of zeros as output", async () => {
    const work = stap(devices["gpu"], recordingOf(jammed(5, 80, 25)));
    await expect(work).rejects.toThrow(
      /^drawn: covariance of bin \d+, group \d must be positive definite; .*; the float32 of gpu may be too coarse for it: pass hooks\.openFloat64$/,
    );
    await expect(work).rejects.toMatchObject({ code: "input", fields: { recording: "drawn", kind: "singular", precision: "f32" } });
  });

  it("and the report says if float64 is too coarse as well", async () => {
    const { report } = await stap(device, recordingOf(jammed(6, 118, 25)));
    expect(report.solved.illConditioned).toBeGreaterThan(0);
    expect(report.solved.mostCondition).toBeGreaterThan(1e8);
    expect(notesOf(report)).toMatch(
      /\d+ of 64 covariances are so ill-conditioned \(condition up to about \de\+\d+\) that outputs may be wrong by more than 1 %; diagonal loading helps/,
    );
  });

  it("but an error of the function that opens a device with float64 is reported", async () => {
    const hard = recordingOf(jammed(5, 80, 25));
    const run = (openFloat64: () => Promise<Device>) => stap(devices["gpu"], hard, {}, { openFloat64 });
    const lost = new RadarError("no-backend", "no backend could be opened");
    await expect(run(() => Promise.reject(lost))).rejects.toBe(lost);
    await expect(run(() => Promise.reject("no"))).rejects.toMatchObject({
      code: "failed",
      message: "hooks.openFloat64 failed: no",
      cause: "no",
    });
    await expect(run(async () => ({}) as Device)).rejects.toThrow(
      "hooks.openFloat64 must be a function that opens a device with c128 arrays, not Object",
    );
    await expect(run("cpu" as unknown as () => Promise<Device>)).rejects.toThrow('hooks.openFloat64 must be of type function, not "cpu"');
    const opened: Device[] = [];
    const again = async (): Promise<Device> => {
      opened.push(await open(gpu()));
      return opened[0];
    };
    await expect(run(again)).rejects.toThrow('hooks.openFloat64 must be a function that opens a device with c128 arrays, not "gpu"');
    expect(opened.map(isDisposed)).toEqual([true]);
    // If the signal fires while the device opens, the device is disposed of too.
    const controller = new AbortController();
    const late = opener();
    const openFloat64 = async (): Promise<Device> => {
      const one = await late.openFloat64();
      controller.abort();
      return one;
    };
    await expect(stap(devices["gpu"], hard, {}, { openFloat64, signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
    await expect.poll(() => late.opened.map(isDisposed)).toEqual([true]);
    // If the device never opens, the signal still ends the wait.
    const never = new AbortController();
    const asked = stap(
      devices["gpu"],
      hard,
      {},
      {
        openFloat64() {
          setTimeout(() => never.abort(), 1);
          return new Promise<Device>(() => {});
        },
        signal: never.signal,
      },
    );
    await expect(asked).rejects.toMatchObject({ code: "aborted" });
  });

  it.each([
    [1e20, Float32Array],
    [1e30, Float32Array],
    [1e-30, Float32Array],
    [1e120, Float64Array],
    [1e-200, Float64Array],
  ] as const)("for samples times %d in %o", async (factor, array) => {
    const cube = stapCube();
    const scaled: Cube = { ...cube, data: array.from(Float64Array.from(cube.data, (x) => x * factor)) };
    for (const output of ["amf", "complex"] satisfies AdaptiveOutput[]) {
      if (output === "complex" && array === Float64Array) continue;
      const done = await stap(device, recordingOf(scaled), { output });
      const expected = output === "amf" ? reference({}) : reference({ output }).map((x) => x * factor);
      expect(snrDb(expected, done.output)).toBeGreaterThan(80);
      expect(done.report.target).toMatchObject({ range: target.range, azimuthDegrees: target.azimuthDegrees });
      expect(notesOf(done.report)).toMatch(
        /samples were scaled by 2\^-?\d+ so that float32 can hold their squares; outputs were scaled back/,
      );
      const usual = await stap(device, recordingOf(cube), { output });
      expect(notesOf(usual.report)).not.toMatch(/scaled/);
      expect(done.report.beamformer.peak.powerDb).toBeCloseTo(usual.report.beamformer.peak.powerDb + 20 * Math.log10(factor), 3);
    }
  });
});

describe("channels", () => {
  const each = 2 * pulses * ranges;
  const copied = (times: number): Cube => {
    const cube = stapCube();
    for (let i = 0; i < each; i++) cube.data[3 * each + i] = Math.fround(times * cube.data[each + i]);
    return cube;
  };

  it("that repeat another, or are sums of others, are named by number", async () => {
    await expect(stap(device, recordingOf(copied(1)))).rejects.toMatchObject({
      code: "input",
      message:
        "drawn: channel 3 repeats channel 1 (channels count from 0), so no covariance can be solved: leave out the useless channels with settings.withoutChannels 3, or keep them and set settings.loading 1e-4",
      fields: { recording: "drawn", field: "recording.cube", channels: [3] },
    });
    await expect(stap(device, recordingOf(copied(0.3)))).rejects.toThrow(/channel 3 repeats channel 1 0\.3 times as strong/);
    const cube = stapCube();
    for (let i = 0; i < each; i++) cube.data[2 * each + i] = Math.fround(0.7 * cube.data[i] - 0.4 * cube.data[each + i]);
    cube.data.fill(0, 3 * each);
    await expect(stap(device, recordingOf(cube))).rejects.toThrow(/channel 2 is a sum of others; channel 3 has no signal at all/);
    const loaded = await stap(device, recordingOf(copied(1)), { loading: 1e-3 });
    expect(notesOf(loaded.report)).toMatch(/channel 3 repeats channel 1/);
    expect(notesOf((await stap(device)).report)).not.toMatch(/channel \d/);
    // Numbered by the whole array, of which the cube has some channels.
    const some = recordingOf(copied(1), { elements: [2, 3, 5, 7], fileChannels: 9 });
    await expect(stap(device, some)).rejects.toThrow(/channel 7 repeats channel 3 .*settings\.withoutChannels 7, or keep/);
    expect((await stap(device, some, { withoutChannels: [7] })).report.channels).toEqual([2, 3, 5]);
  });

  it("can be left out; the others keep their numbers", async () => {
    const without = await stap(device, recordingOf(copied(1)), { withoutChannels: [3] });
    expect(without.report).toMatchObject({ cube: { channels: 3 }, channels: [0, 1, 2] });
    // Leaving out a channel in the middle: expected by definition from the remaining channels.
    const cube = stapCube();
    const left = [0, 2, 3];
    const data = Float32Array.from(left.flatMap((c) => [...cube.data.subarray(c * each, (c + 1) * each)]));
    const of = spatial.map((line) => Float64Array.from(left.flatMap((c) => [line[2 * c], line[2 * c + 1]])));
    const geometry = efaGeometry({ channels: 3, pulses, ranges, steeringVectors: 13 });
    const exact = efaReference({ ...cube, data, channels: 3 }, efaSteering(geometry, of), { steeringVectors: 13 });
    const expected = permuteAxes(exact.data, [13, pulses, ranges], [0, 2, 1], 1);
    const some = await stap(device, recordingOf(cube), { withoutChannels: [1] });
    expect(some.report.channels).toEqual(left);
    expect(snrDb(expected, some.output)).toBeGreaterThan(80);
    expect(some.report.target).toMatchObject({ range: target.range, azimuthDegrees: target.azimuthDegrees });
    // A recording with these channels in another order gives the same result.
    const order = [2, 0, 1];
    const turned = Float32Array.from(order.flatMap((i) => [...data.subarray(i * each, (i + 1) * each)]));
    const recorded = recordingOf({ ...cube, data: turned, channels: 3 }, { elements: order.map((i) => left[i]), fileChannels: 4 });
    expect(snrDb(expected, (await stap(device, recorded)).output)).toBeGreaterThan(80);
    // Steering vectors over all channels, or over the remaining ones.
    const flat = (vectors: readonly Float64Array[]): Float64Array => Float64Array.from(vectors.flatMap((one) => [...one]));
    for (const [vectors, elements] of [
      [spatial, channels],
      [of, 3],
    ] as const) {
      const settings = { azimuth: undefined, withoutChannels: [1], steering: { vectors: azimuths.length, elements, data: flat(vectors) } };
      const steered = await stap(device, recordingOf(cube), settings as object);
      expect(snrDb(expected, steered.output)).toBeGreaterThan(80);
    }
  });
});

describe("beside detections", () => {
  it("reports how many false alarms are expected, and about as many occur", async () => {
    const { report } = await stap(device, recordingOf(jammed(9, -300, 0)), { falseAlarm: 0.01, training: "sliding" });
    const tests = 13 * ranges * pulses;
    expect(report.detections).toMatchObject({ cells: ranges * pulses, tests, expectedFalseAlarms: 0.01 * tests });
    // A cell may be above its threshold with one vector or several, of four independent channels, so the expected number is a third to
    // all of the bound.
    expect(report.detections.cellsAbove).toBeGreaterThan((0.01 * tests) / 6);
    expect(report.detections.cellsAbove).toBeLessThan(0.01 * tests);
    expect(notesOf(report)).not.toMatch(/false alarms/);
    // For pure noise no interference is reported, and cells are like their training.
    const { interference, homogeneity } = report;
    if (!interference.estimated) throw new Error("not estimated");
    expect(interference).toMatchObject({ affectedBins: 0, sources: [] });
    expect(homogeneity?.cells).toBe(ranges * pulses);
    expect(Math.abs((homogeneity?.share as number) - 0.01)).toBeLessThan(0.01);
  });

  it("reports clutter by Doppler bin", async () => {
    const { interference } = (await stap(device, recordingOf(stapCube("strong")))).report;
    if (!interference.estimated) throw new Error("not estimated");
    // Ward's clutter comes from a different direction in every Doppler bin.
    expect(interference.affectedBins).toBeGreaterThan(8);
    expect(interference.sources).toEqual([]);
  });
});
