/** Ranges, phases and Doppler frequencies of straight tracks against their definitions; beams; what is refused. */

import { createRandom } from "@dechirp/core";
import { type StripmapRadar, speedOfLight } from "@dechirp/radar";
import { describe, expect, it } from "vitest";
import {
  type Beam,
  beamGain,
  beamReachHz,
  checkBeam,
  illuminatedPulses,
  instantaneousDopplerHz,
  rangeExcessMeters,
  slantRanges,
  stripmapTrack,
  targetCoordinates,
  targetPosition,
  twoWayCycles,
} from "../src/geometry.ts";
import { fixed, fraction, number, over, root, times } from "./signal-reference.ts";

const satellite: StripmapRadar = {
  carrierHz: 5.3e9,
  samplingRateHz: 32.317e6,
  prfHz: 1256.98,
  chirpRateHzPerSecond: -0.72135e12,
  pulseSeconds: 41.75e-6,
  velocityMetersPerSecond: 7062,
  nearRangeMeters: 988_647.462,
  dopplerCentroidHz: -6900,
  startSeconds: 1.5,
};

describe("geometry", () => {
  it("a straight track sees the hyperbolic range of a target, at any altitude", () => {
    const target = { azimuthSeconds: 4.25, slantRangeMeters: 990_000.5 };
    for (const altitude of [0, 800_000]) {
      const track = stripmapTrack(satellite, 300, altitude);
      const position = targetPosition(satellite, target, altitude, 250);
      const ranges = slantRanges(track, position);
      for (const p of [0, 17, 299]) {
        const offset = 1.5 + p / satellite.prfHz - target.azimuthSeconds;
        const expected = target.slantRangeMeters + rangeExcessMeters(satellite, target.slantRangeMeters, offset);
        // Distances of 10⁶ m through three squares: a few units in the last place.
        expect(Math.abs(ranges[p] - expected)).toBeLessThan(1e6 * 2 ** -50);
      }
      const back = targetCoordinates(satellite, position, altitude);
      expect(Math.abs(back.azimuthSeconds - target.azimuthSeconds)).toBeLessThan(1e-14);
      expect(Math.abs(back.slantRangeMeters - target.slantRangeMeters)).toBeLessThan(1e6 * 2 ** -50);
    }
  });

  it("range excess and carrier cycles keep all their digits", () => {
    const random = createRandom(2);
    for (let trial = 0; trial < 200; trial++) {
      const range = 1e3 * 1000 ** random.uniform();
      const offset = 8 * random.uniform() - 4;
      const along = times(fixed(satellite.velocityMetersPerSecond), fixed(offset));
      const exact = number(root(times(fixed(range), fixed(range)) + times(along, along)) - fixed(range));
      expect(Math.abs(rangeExcessMeters(satellite, range, offset) / exact - 1)).toBeLessThan(8 * 2 ** -53);
      const cycles = fraction(over(times(2n * fixed(satellite.carrierHz), fixed(range)), fixed(speedOfLight)));
      const error = twoWayCycles(satellite, range) - cycles;
      expect(Math.abs(error - Math.round(error))).toBeLessThan(4 * 2 ** -53);
    }
  });

  it("Doppler is the derivative of range and meets the beam's edges where illumination begins and ends", () => {
    const target = { azimuthSeconds: 3, slantRangeMeters: 990_000 };
    const step = 1e-3;
    const ranges = [-step, step].map((d) => rangeExcessMeters(satellite, 990_000, 4 + d));
    const slope = (-2 * satellite.carrierHz * (ranges[1] - ranges[0])) / (2 * step) / speedOfLight;
    // Central difference: error of order step² against a Doppler curvature of less than 1 Hz/s².
    expect(Math.abs(instantaneousDopplerHz(satellite, 990_000, 4) - slope)).toBeLessThan(1e-5);
    for (const beam of [
      { kind: "doppler-band", bandwidthHz: 900 },
      { kind: "sinc2", bandwidthHz: 900 },
    ] as Beam[]) {
      const [first, last] = illuminatedPulses(satellite, beam, target);
      expect(last).toBeGreaterThan(first);
      const doppler = (pulse: number): number =>
        instantaneousDopplerHz(satellite, target.slantRangeMeters, 1.5 + pulse / satellite.prfHz - target.azimuthSeconds);
      expect(Math.abs(doppler(first) - (-6900 + beamReachHz(beam)))).toBeLessThan(1e-8);
      expect(Math.abs(doppler(last) - (-6900 - beamReachHz(beam)))).toBeLessThan(1e-8);
    }
  });

  it("beam gains", () => {
    const band: Beam = { kind: "doppler-band", bandwidthHz: 100 };
    expect([-50.1, -50, 0, 50, 50.1].map((f) => beamGain(band, f))).toEqual([0, 1, 1, 1, 0]);
    const antenna: Beam = { kind: "sinc2", bandwidthHz: 100 };
    expect(beamGain(antenna, 0)).toBe(1);
    expect(beamGain(antenna, 50)).toBeCloseTo(0.5, 12);
    expect(beamGain(antenna, -50)).toBeCloseTo(0.5, 12);
    expect(beamGain(antenna, 112.8)).toBeLessThan(1e-5);
    expect(beamGain(antenna, 113)).toBe(0);
    expect(beamGain(antenna, Number.NaN)).toBe(0);
  });

  it("refuses what can't be", () => {
    expect(() => stripmapTrack(satellite, 0)).toThrow(/^pulses/);
    expect(() => slantRanges(new Float64Array(4), [0, 0, 0])).toThrow(/^track/);
    expect(() => targetPosition(satellite, { azimuthSeconds: 0, slantRangeMeters: 10 }, 11)).toThrow(/^slantRangeMeters/);
    expect(() => checkBeam(satellite, { kind: "gauss" as "sinc2", bandwidthHz: 1 })).toThrow(/^beam\.kind/);
    expect(() => checkBeam(satellite, { kind: "sinc2", bandwidthHz: 0 })).toThrow(/^beam\.bandwidthHz/);
    expect(() => checkBeam(satellite, { kind: "doppler-band", bandwidthHz: 1e6 })).toThrow(/^beam\.bandwidthHz/);
  });
});
