/** Where images are on earth and how they were collected, as far as recordings say so, and images on parts of maps. */
import { isRadarError, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { createLocalFrame, ecefToGeodetic, geodeticToUtm, utmEpsg, type Vector3 } from "@dechirp/radar/geodesy";
import { circularTrack, simulatePhaseHistory } from "@dechirp/sar";
import { expect, it } from "vitest";
import {
  backprojectRecording,
  focusRecording,
  type PhaseHistoryRecording,
  planBackprojectedImage,
  simulateRecording,
} from "../src/index.ts";
import { smallPreset } from "./presets.ts";

const [pulses, count] = [96, 100];
const place = { latitudeDegrees: -33.5, longitudeDegrees: 18.6, heightMeters: 250 };
const frame = createLocalFrame(place);
const target: Vector3 = [3, -2, 0];

function recorded(facts: Partial<PhaseHistoryRecording> = {}): PhaseHistoryRecording {
  const positions = circularTrack({ radiusMeters: 5000, altitudeMeters: 4000, firstRadians: 2, stepRadians: 4e-4, pulses });
  const targets = [{ positionMeters: target, amplitude: 1 }];
  const history = simulatePhaseHistory({ positions, frequency: { firstHz: 9.4e9, stepHz: 2e6, count }, targets });
  return {
    ...history,
    name: "one point",
    shape: [pulses, count],
    pulses: (from, some) => history.samples.subarray(2 * from * count, 2 * (from + some) * count),
    ...facts,
  };
}
const earth = { originMeters: frame.originMeters, axes: frame.axes };
const times = Float64Array.from({ length: pulses }, (_, p) => 2 + p / 80);
const when = { pulseSeconds: times, startUtc: "2026-03-14T11:00:00Z" };

it("says what a phase history would have to state", async () => {
  const { description } = await planBackprojectedImage(recorded());
  expect(description).toEqual({
    placementNeeds: ["where its frame is on earth (frame)"],
    collectionNeeds: [
      "where its frame is on earth (frame)",
      "when its pulses were sent (pulseSeconds)",
      "the time in UTC from which its times count (startUtc)",
    ],
  });
  const placed = (await planBackprojectedImage(recorded({ frame: earth }))).description;
  expect(placed.placement).toMatchObject({ kind: "plane", plane: "ground" });
  expect(placed.placementNeeds).toEqual([]);
  expect(placed).not.toHaveProperty("collection");
});

it("describes the collection without bad pulses, and with the band of all pulses", async () => {
  const firstHz = Float64Array.from({ length: pulses }, (_, p) => 9.4e9 + (p % 3) * 1e6);
  const badPulses = [0, 1, 40, pulses - 1];
  // A bad pulse may have any frequency.
  firstHz[40] = 9e9;
  const stepHz = new Float64Array(pulses).fill(2e6);
  const collection = { collector: "PLANE", polarisation: { transmit: "H", receive: "V" } } as const;
  const facts = { frame: earth, ...when, badPulses, pulseFrequencies: { firstHz, stepHz }, collection };
  const { description } = await planBackprojectedImage(recorded(facts), {
    grid: { xMeters: 0, yMeters: 0, xStepMeters: 1, yStepMeters: 1, nx: 4, ny: 4 },
  });
  expect(description.collection).toMatchObject({
    ...collection,
    name: "one point",
    mode: "spotlight",
    start: "2026-03-14T11:00:02.025Z",
    processing: { algorithm: "backprojection", seconds: [0, expect.closeTo(92 / 80, 9)], autofocus: false },
  });
  const [low, high] = description.collection?.transmitHz ?? [0, 0];
  // From half a step below the lowest frequency of a usable pulse to half a step above the highest.
  const step = (99 * 2e6 + 2e6) / 99;
  expect(low).toBeCloseTo(9.4e9 - step / 2, 0);
  expect(high).toBeCloseTo(9.4e9 + 2e6 + 99 * 2e6 + step / 2, 0);
});

it("says that images of the other sign of the phase are conjugate for files with a collection", async () => {
  const grid = { xMeters: 0, yMeters: 0, xStepMeters: 1, yStepMeters: 1, nx: 4, ny: 4 };
  const facts = { frame: earth, ...when, phaseSign: 1 } as const;
  const { description } = await planBackprojectedImage(recorded(facts), { grid });
  expect(description).toMatchObject({ isConjugate: true, collection: { mode: "spotlight" } });
  expect((await planBackprojectedImage(recorded({ frame: earth, ...when }), { grid })).description).not.toHaveProperty("isConjugate");
});

it("makes an image on a part of a map, in which a point is in its place", async () => {
  const at = ecefToGeodetic(frame.toEcef(target));
  const { eastingMeters, northingMeters } = geodeticToUtm(at);
  const epsg = utmEpsg(at);
  // The point is in the middle of a pixel.
  const [west, north, step] = [eastingMeters - 10.125, northingMeters + 8.125, 0.25];
  const map = { epsg, west, north, east: west + 20, south: north - 15, step };
  const recording = recorded({ frame: earth, ...when });
  const plan = await planBackprojectedImage(recording, { map });
  expect(plan.description.placement).toMatchObject({
    kind: "map",
    epsg,
    columnStep: step,
    rowStep: -step,
    heightMeters: expect.closeTo(250, 6),
  });
  expect(plan.description.plane).toMatchObject({ kind: "plane", plane: "ground" });
  expect(plan.heightMeters).toMatchObject({ source: "default", value: expect.closeTo(250, 6) });
  using device = await open(cpu({ workers: 1 }));
  const { image, report } = await backprojectRecording(plan, device);
  expect(report.image.shape).toEqual([60, 80]);
  const [row, column] = [32, 40];
  const found = Math.hypot(image[2 * (row * 80 + column)], image[2 * (row * 80 + column) + 1]);
  // A point of amplitude 1 adds 1 for each pulse.
  expect(Math.abs(found / pulses - 1)).toBeLessThan(0.005);
  const { xMeters: x, yMeters: y } = report.axes;
  // On the ground a step of the map has the scale of UTM, which is within 1/1000 of 1.
  expect([x.start / -9.875, x.step / 0.25, y.start / 7.375, y.step / -0.25].every((ratio) => Math.abs(ratio - 1) < 1e-3)).toBe(true);
  expect(Math.abs(report.peak.xMeters - (x.start + column * x.step))).toBeLessThan(0.01);
  expect(Math.abs(report.peak.yMeters - (y.start + row * y.step))).toBeLessThan(0.01);
  expect(report.parameters.grid.value).toBe(`EPSG:${epsg} ${[map.west, map.south, map.east, map.north, map.step].join(",")}`);
});

it.each([
  [
    { map: { epsg: 4326, west: 0, south: 0, east: 1, north: 1, step: 0.1 } },
    {},
    /^settings.map can't be used: the recording does not say where/,
  ],
  [
    { map: { epsg: 3857, west: 0, south: 0, east: 1, north: 1, step: 0.1 } },
    { frame: earth },
    /settings.map does not suit one point: bounds.epsg must be/,
  ],
  [{ map: { epsg: 4326, west: 0, south: 0, east: 1, north: 1, step: 0.1, x: 1 } as never }, { frame: earth }, /settings\.map/],
  [{}, { frame: { ...earth, axes: [] as never } }, /recording.frame.axes must be three vectors/],
  [{}, { frame: earth, startUtc: "today" }, /recording.startUtc must be a time in UTC/],
  [{}, { frame: earth, ...when, pulseSeconds: times.map((t) => -t) }, /one point: pulseSeconds must be increasing times/],
] as const)("refuses %j", async (settings, facts, message) => {
  try {
    await planBackprojectedImage(recorded(facts), settings);
  } catch (error) {
    expect(isRadarError(error, "input")).toBe(true);
    expect((error as Error).message).toMatch(message);
    return;
  }
  throw new Error("not refused");
});

it("describes a focused image as far as the scene states orbit and time", async () => {
  using device = await open(cpu({ workers: 1 }));
  const scene = await simulateRecording("small", smallPreset(false), {}, device);
  const sky = createLocalFrame({ ...place, heightMeters: 2000 });
  const timesSeconds = [-20, -10, 0, 10, 20];
  const v = scene.radar.velocityMetersPerSecond;
  const orbit = { timesSeconds, positionsMeters: timesSeconds.map((t) => sky.toEcef([v * t, 0, 0])), lookSide: "left" } as const;
  const description = async (facts: object) => {
    using focused = await focusRecording({ ...scene, ...facts }, {}, device);
    const { placement, collection } = focused.report;
    return { placement, collection };
  };
  expect(await description({})).toEqual({});
  const { placement, collection: none } = await description({ radar: { ...scene.radar, orbit } });
  expect(placement).toMatchObject({ kind: "slant", lookSide: "left", platform: { kind: "states" } });
  expect(none).toBeUndefined();
  const { collection } = await description({ radar: { ...scene.radar, orbit }, startUtc: "2026-05-01T00:00:00Z" });
  expect(collection).toMatchObject({
    collector: "UNKNOWN",
    name: "small",
    mode: "stripmap",
    prfHz: scene.radar.prfHz,
    processing: { algorithm: "range-doppler", rangeWindow: { kind: "kaiser", beta: 2.5 } },
  });
});
