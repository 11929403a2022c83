/**
 * Phase histories whose pulses differ in their frequencies, have pulses that are left out, or two positions for each pulse: images against
 * the sum over all pulses and frequencies in float64 (direct-sum.ts), on both devices.
 */
import { createRandom, type Device, open, RadarError } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { gpu } from "@dechirp/fft-gpu";
import type { PhaseHistory, PulseFrequencies } from "@dechirp/radar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { backproject } from "../src/backprojection/backprojector.ts";
import { midpointErrorMeters } from "../src/backprojection/midpoint.ts";
import { planBackprojection } from "../src/backprojection/prepare.ts";
import { compressProfiles } from "../src/backprojection/profiles.ts";
import { sceneGrid } from "../src/backprojection/scene.ts";
import { signalToErrorDb } from "../src/backprojection/ser.ts";
import { circularTrack, simulatePhaseHistory } from "../src/backprojection/simulate.ts";
import { scatteredTargets, squareGrid } from "./backprojection-scenes.ts";
import { directSum } from "./direct-sum.ts";

/** Against the direct sum, in dB. */
const bar = 70;
const pulses = 37;
const frequency = { firstHz: 9.5e9, stepHz: 1.5e6, count: 120 } as const;
const grid = squareGrid(48, 0.8);
const positions = circularTrack({ radiusMeters: 7000, altitudeMeters: 6000, firstRadians: 0.3, stepRadians: 0.001, pulses });

const devices: Partial<Record<"cpu" | "gpu", Device>> = {};
beforeAll(async () => {
  devices.cpu = await open(cpu());
  devices.gpu = await open(gpu());
});
afterAll(() => {
  for (const opened of Object.values(devices)) opened[Symbol.dispose]();
});

/** First frequencies within ±`band` of the nominal one, and steps within ±`share` of it. */
function frequencies(band: number, share: number, seed: number): PulseFrequencies {
  const random = createRandom(seed);
  const around = (middle: number, half: number): Float64Array =>
    Float64Array.from({ length: pulses }, () => middle + half * (2 * random.uniform() - 1));
  return { firstHz: around(frequency.firstHz, band), stepHz: around(frequency.stepHz, share * frequency.stepHz) };
}

const history = (pulseFrequencies?: PulseFrequencies): PhaseHistory =>
  simulatePhaseHistory({
    positions,
    frequency,
    ...(pulseFrequencies && { pulseFrequencies }),
    targets: scatteredTargets(9, 16, 4),
    noise: { snrDb: 6 },
    seed: 4,
  });

describe.each(["cpu", "gpu"] as const)("pulses of different frequencies, %s", (name) => {
  it.each([
    ["first frequencies, a fraction of a step", 0.7e6, 0],
    ["first frequencies, many steps", 40e6, 0],
    ["steps", 0, 0.03],
    ["first frequencies and steps", 12e6, 0.1],
  ])("differ in %s", async (_, band, share) => {
    const one = history(frequencies(band, share, 5));
    const exact = directSum(one, grid);
    const { image } = await backproject(devices[name] as Device, one, grid);
    expect(signalToErrorDb(image, exact)).toBeGreaterThan(bar);
    // Nominal frequencies are not enough, so that the test can fail.
    const { pulseFrequencies: __, ...nominal } = one;
    const wrong = (await backproject(devices[name] as Device, nominal, grid)).image;
    expect(signalToErrorDb(wrong, exact)).toBeLessThan(40);
  });

  it("come in blocks, and with the first frequency as the carrier", async () => {
    const one = history(frequencies(5e6, 0.02, 6));
    const device = devices[name] as Device;
    const { image } = await backproject(device, one, grid);
    const inBlocks = await backproject(device, one, grid, { pulsesPerBlock: 8 });
    expect(signalToErrorDb(inBlocks.image, Float64Array.from(image))).toBeGreaterThan(110);
    const first = await backproject(device, one, grid, { carrier: "first" });
    expect(signalToErrorDb(first.image, directSum(one, grid))).toBeGreaterThan(bar);
  });

  it("leaves bad pulses out, whatever their samples are", async () => {
    const badPulses = [0, 5, 6, 36];
    const one = { ...history(), badPulses };
    const exact = directSum(one, grid);
    for (const p of badPulses) one.samples.fill(Number.NaN, 2 * p * frequency.count, 2 * (p + 1) * frequency.count);
    const { image } = await backproject(devices[name] as Device, one, grid, { pulsesPerBlock: 7 });
    expect(signalToErrorDb(image, exact)).toBeGreaterThan(bar);
  });

  it("takes either sign of the phase, and adds to an image", async () => {
    const { samples, ...rest } = history(frequencies(3e6, 0, 8));
    const one: PhaseHistory = { ...rest, phaseSign: 1, samples: samples.map((x, i) => (i % 2 === 1 ? -x : x)) };
    const exact = directSum(one, grid);
    const device = devices[name] as Device;
    const { image } = await backproject(device, one, grid);
    expect(signalToErrorDb(image, exact)).toBeGreaterThan(bar);
    const twice = await backproject(device, one, grid, { into: image });
    expect(
      signalToErrorDb(
        twice.image,
        exact.map((x) => 2 * x),
      ),
    ).toBeGreaterThan(bar);
  });
});

describe("facts about pulses", () => {
  it("plans differ if frequencies or bad pulses do", () => {
    const device = devices.cpu as Device;
    const digest = (one: PhaseHistory): string => planBackprojection(device, one, grid).aperture.digest;
    const one = history(frequencies(1e6, 0, 5));
    expect(new Set([one, { ...one, badPulses: [3] }, history(frequencies(1e6, 0, 6)), history()].map(digest)).size).toBe(4);
  });

  it("the scene of a history takes the widest band and the largest step", () => {
    const wide = history(frequencies(40e6, 0.1, 5));
    const { pulseFrequencies: _, ...nominal } = wide;
    expect(sceneGrid(wide).resolutionMeters[0]).toBeLessThan(sceneGrid(nominal).resolutionMeters[0]);
    expect(compressible(nominal)).toBe(true);
    expect(compressible(wide)).toBe(false);
  });

  it("midpoints err by the second order of the distance of the antennas", () => {
    const apart = (meters: number): PhaseHistory => {
      const shift = (sign: number): Float64Array => positions.map((x, i) => (i % 3 === 1 ? x + (sign * meters) / 2 : x));
      return { ...history(), antennas: { transmit: shift(1), receive: shift(-1) } };
    };
    expect(midpointErrorMeters(history(), grid)).toBe(0);
    const [near, far] = [midpointErrorMeters(apart(10), grid), midpointErrorMeters(apart(100), grid)];
    expect(near).toBeGreaterThan(0);
    expect(far / near).toBeGreaterThan(99);
    expect(far / near).toBeLessThan(101);
  });

  it.each([
    ["history.pulseFrequencies.firstHz", { pulseFrequencies: { firstHz: new Float64Array(2), stepHz: new Float64Array(pulses) } }],
    [
      "history.pulseFrequencies.stepHz[0]",
      { pulseFrequencies: { firstHz: new Float64Array(pulses).fill(1e9), stepHz: new Float64Array(pulses) } },
    ],
    ["history.phaseSign", { phaseSign: 0 as never }],
    ["history.badPulses[1]", { badPulses: [4, 4] }],
    ["history.badPulses[0]", { badPulses: [pulses] }],
    ["history.badPulses", { badPulses: 3 as never }],
    ["history.antennas.receive", { antennas: { transmit: positions, receive: new Float64Array(3) } }],
    ["history.antennas.transmit[1]", { antennas: { transmit: positions.map((x, i) => (i === 1 ? Number.NaN : x)), receive: positions } }],
  ])("refuses a wrong %s", (field, wrong) => {
    const refused = (): unknown => planBackprojection(devices.cpu as Device, { ...history(), ...wrong }, grid);
    expect(refused).toThrow(RadarError);
    expect(refused).toThrow(expect.objectContaining({ code: "input", fields: expect.objectContaining({ field }) }));
  });
});

function compressible(one: PhaseHistory): boolean {
  try {
    compressProfiles(one);
    return true;
  } catch (error) {
    if (error instanceof RadarError && error.fields["field"] === "history.pulseFrequencies") return false;
    throw error;
  }
}

it("refuses antennas that are too far apart for one position, and takes others", () => {
  const device = devices.cpu as Device;
  const apart = (meters: number): PhaseHistory => ({
    ...history(),
    antennas: {
      transmit: positions.map((x, i) => (i % 3 === 1 ? x + meters : x)),
      receive: positions.map((x, i) => (i % 3 === 1 ? x - meters : x)),
    },
  });
  expect(planBackprojection(device, apart(1), grid).aperture.pulses).toBe(pulses);
  const refused = (): unknown => planBackprojection(device, apart(500), grid);
  expect(refused).toThrow(expect.objectContaining({ fields: expect.objectContaining({ field: "history.antennas" }) }));
});
