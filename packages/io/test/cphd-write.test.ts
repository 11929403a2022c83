/** Writing CPHD files: round trips to the same bits, and one error for what can't be written. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, isRadarError, RadarError } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { type CphdHistory, encodeCphd, openCphd, type WritableHistory, type WriteCphdOptions, writeCphd } from "../src/cphd.ts";
import { makeCphd } from "./cphd-builder.ts";

/** A target that grows. */
function target() {
  let bytes = new Uint8Array(0);
  return {
    write(at: number, part: Uint8Array): void {
      if (at + part.length > bytes.length) {
        const larger = new Uint8Array(at + part.length);
        larger.set(bytes);
        bytes = larger;
      }
      bytes.set(part, at);
    },
    get bytes() {
      return bytes;
    },
  };
}

async function written(histories: WritableHistory | readonly WritableHistory[], options: WriteCphdOptions = {}): Promise<Uint8Array> {
  const to = target();
  const size = await writeCphd(to, histories, options);
  expect(size).toBe(to.bytes.length);
  // Other software can read the files there.
  const pieces: number[] = [];
  for await (const piece of encodeCphd(histories, options)) pieces.push(...piece);
  expect(Uint8Array.from(pieces)).toEqual(to.bytes);
  const folder = process.env["DECHIRP_CPHD_OUT"];
  if (folder) writeFileSync(join(folder, `${expect.getState().currentTestName?.replace(/\W+/g, "-")}.cphd`), to.bytes);
  return to.bytes;
}

const pulses = 40;
const count = 30;
const place = {
  origin: { latitudeDegrees: 39.8, longitudeDegrees: -84.1, heightMeters: 240 },
  prfHz: 400,
  startUtc: "2026-11-01T12:00:00Z",
};

/** Noise from a platform on a circle, as a simulator or the Gotcha files have it: no times, no place. */
function noise(): WritableHistory & { readonly samples: Float32Array } {
  const random = createRandom(3);
  const samples = Float32Array.from({ length: 2 * pulses * count }, () => random.gaussian());
  const angles = Array.from({ length: pulses }, (_, p) => 0.4 + p * 0.002);
  const positions = Float64Array.from(angles.flatMap((angle) => [7000 * Math.cos(angle), 7000 * Math.sin(angle), 7200]));
  return {
    name: "noise",
    shape: [pulses, count],
    positions,
    referenceRangeMeters: Float64Array.from(angles, (_, p) => Math.hypot(...positions.subarray(3 * p, 3 * p + 3))),
    frequency: { firstHz: 9.3e9, stepHz: 1.5e6, count },
    polarisation: "HH",
    samples,
    pulses: (from, some) => samples.subarray(2 * from * count, 2 * (from + some) * count),
  };
}

const read = async (bytes: Uint8Array, channel?: string): Promise<CphdHistory> => (await openCphd(bytes, { file: "a" })).history(channel);
const near = (a: Float64Array, b: Float64Array, most: number): void => {
  expect(a.length).toBe(b.length);
  expect(a.reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i])), 0)).toBeLessThan(most);
};

describe("round trips", () => {
  it("a history without place and times", async () => {
    const one = noise();
    const back = await read(await written(one, place));
    expect(await back.pulses(0, pulses)).toEqual(one.samples);
    expect(back.frequency).toEqual(one.frequency);
    near(back.positions, one.positions, 1e-8);
    near(back.referenceRangeMeters, one.referenceRangeMeters, 1e-8);
    expect(back).toMatchObject({ polarisation: "HH", channel: "HH", startUtc: place.startUtc, name: "noise" });
    expect(back.badPulses).toBeUndefined();
    expect(back.pulseFrequencies).toBeUndefined();
    // Up at the place, 240 m above the ellipsoid.
    expect(back.frame.axes[2][2]).toBeCloseTo(Math.sin((39.8 * Math.PI) / 180), 12);
  });

  it("ranges to several points, frequencies of each pulse, bad pulses, the other sign, two positions", async () => {
    const plain = noise();
    const random = createRandom(5);
    const around = (middle: number, half: number): Float64Array =>
      Float64Array.from({ length: pulses }, () => middle + half * (2 * random.uniform() - 1));
    const shifted = (sign: number): Float64Array => plain.positions.map((x, i) => x + sign * [0.3, 0.2, 0.01][i % 3]);
    const one: WritableHistory = {
      ...plain,
      referenceRangeMeters: plain.referenceRangeMeters.map((range, p) => range + Math.sin(p)),
      pulseFrequencies: { firstHz: around(9.3e9, 3e6), stepHz: around(1.5e6, 2e4) },
      badPulses: [0, 7, 8],
      phaseSign: 1,
      antennas: { transmit: shifted(-1), receive: shifted(1) },
      area: { xMeters: [-30, 20], yMeters: [-10, 15] },
      levels: { pointTarget: 2, noise: 0.5, noiseBandwidth: 1 },
    };
    const back = await read(await written(one, place));
    const expected = plain.samples.slice();
    for (const p of [0, 7, 8]) expected.fill(0, 2 * p * count, 2 * (p + 1) * count);
    expect(await back.pulses(0, pulses)).toEqual(expected);
    near(back.referenceRangeMeters, one.referenceRangeMeters, 1e-8);
    near(back.antennas?.receive as Float64Array, shifted(1), 1e-8);
    const good = (column?: Float64Array): number[] => [...(column ?? [])].filter((_, p) => ![0, 7, 8].includes(p));
    expect(good(back.pulseFrequencies?.firstHz)).toEqual(good(one.pulseFrequencies?.firstHz));
    expect(good(back.pulseFrequencies?.stepHz)).toEqual(good(one.pulseFrequencies?.stepHz));
    expect(back).toMatchObject({ badPulses: [0, 7, 8], phaseSign: 1, area: one.area, levels: one.levels });
  });

  it("all channels of a file that was read", async () => {
    const { bytes } = makeCphd({
      channels: [
        { id: "first", pol: "VV" },
        { id: "other", pol: "VH", dead: [4] },
      ],
      sgn: "+1",
    });
    const file = await openCphd(bytes, { file: "a" });
    const histories = await Promise.all(["first", "other"].map((id) => file.history(id)));
    const again = await written(histories, { version: "1.0.1", collectorName: "A & B <C>" });
    for (const [i, id] of ["first", "other"].entries()) {
      const back = await read(again, id);
      expect(await back.pulses(0, back.shape[0])).toEqual(await histories[i].pulses(0, back.shape[0]));
      near(back.positions, histories[i].positions, 1e-7);
      near(back.pulseSeconds as Float64Array, histories[i].pulseSeconds as Float64Array, 1e-9);
      expect(back).toMatchObject({ channels: ["first", "other"], polarisation: histories[i].polarisation, phaseSign: 1 });
    }
    const { metadata } = await openCphd(again, { file: "b" });
    expect(metadata).toMatchObject({ version: "1.0.1", collectorName: "A & B <C>" });
  });

  it("applies corrections, or leaves them out", async () => {
    const autofocus = {
      rangeMeters: Float64Array.from({ length: pulses }, (_, p) => 0.01 * p),
      phaseRadians: Float64Array.from({ length: pulses }, (_, p) => 0.1 * p),
    };
    const one = { ...noise(), autofocus };
    const back = await read(await written(one, place));
    near(
      back.referenceRangeMeters,
      one.referenceRangeMeters.map((range, p) => range + 0.01 * p),
      1e-8,
    );
    const turned = await back.pulses(0, pulses);
    const [re, im] = [one.samples[2 * 9 * count], one.samples[2 * 9 * count + 1]];
    expect(turned[2 * 9 * count]).toBeCloseTo(re * Math.cos(0.9) - im * Math.sin(0.9), 6);
    const left = await read(await written(one, { ...place, autofocus: false }));
    expect(await left.pulses(0, pulses)).toEqual(one.samples);
    near(left.referenceRangeMeters, one.referenceRangeMeters, 1e-8);
  });
});

describe("what can't be written", () => {
  const refusal = async (histories: unknown, options: object = place, to: unknown = target()): Promise<RadarError> => {
    try {
      await writeCphd(to as never, histories as never, options);
    } catch (error) {
      expect(error).toBeInstanceOf(RadarError);
      return error as RadarError;
    }
    throw new Error("it was written");
  };
  const without = (...names: string[]): object => Object.fromEntries(Object.entries(place).filter(([name]) => !names.includes(name)));

  it.each([
    ["origin", noise(), without("origin")],
    ["prfHz", noise(), without("prfHz")],
    ["prfHz", noise(), { ...place, prfHz: -1 }],
    ["startUtc", noise(), without("startUtc")],
    ["startUtc", noise(), { ...place, startUtc: "today" }],
    ["version", noise(), { ...place, version: "2.0.0" }],
    ["radarMode", noise(), { ...place, radarMode: "SCAN" }],
    ["classification", noise(), { ...place, classification: "a\nb" }],
    ["histories", [], place],
    ["histories", [noise(), noise()], place],
    ["histories", [noise(), { ...noise(), channel: "b", phaseSign: 1 }], place],
    ["history.positions", { ...noise(), positions: new Float64Array(3) }, place],
    ["history.positions[4]", { ...noise(), positions: noise().positions.map((x, i) => (i === 4 ? Number.NaN : x)) }, place],
    [
      "history.referenceRangeMeters[2]",
      { ...noise(), referenceRangeMeters: noise().referenceRangeMeters.map((r, p) => (p === 2 ? -1 : r)) },
      place,
    ],
    ["history.pulseSeconds[1]", { ...noise(), pulseSeconds: new Float64Array(pulses).fill(5) }, without("prfHz")],
    ["history.frequency.stepHz", { ...noise(), frequency: { firstHz: 1e9, stepHz: 0, count } }, place],
    ["history.pulses", { ...noise(), pulses: (_: number, n: number) => new Float32Array(2 * n * count).fill(Number.NaN) }, place],
    ["history.pulses(0, 40)", { ...noise(), pulses: () => new Float32Array(3) }, place],
    ["target", noise(), place, {}],
  ])("%s", async (field, histories, options, to?) => {
    const error = await refusal(histories, options, to);
    expect([error.code, error.fields["field"]]).toEqual(["input", field]);
  });

  it("a target that fails, and a signal that fires", async () => {
    const broken = { write: () => Promise.reject(new Error("disk on fire")) };
    const failed = await refusal(noise(), place, broken);
    expect([failed.code, failed.message]).toEqual(["failed", "writing image.cphd failed: disk on fire"]);
    const controller = new AbortController();
    const stopping: WritableHistory = {
      ...noise(),
      pulses(from, some) {
        controller.abort();
        return noise().pulses(from, some);
      },
    };
    const stopped = writeCphd(target(), stopping, { ...place, signal: controller.signal });
    await expect(stopped).rejects.toSatisfy((error) => isRadarError(error, "aborted"));
  });
});
