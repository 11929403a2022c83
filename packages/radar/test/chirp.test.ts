/** Chirps: replicas against their definition, by rate and by bandwidth, and what is refused. */
import { describe, expect, it } from "vitest";
import { chirpReplica, chirpSamples, speedOfLight, wavelengthMeters } from "../src/index.ts";

const chirp = { chirpRateHzPerSecond: -4e11, pulseSeconds: 20.3e-6, samplingRateHz: 12e6 };

describe("chirpReplica", () => {
  it.each([1, 4])("has the samples that the definition has, oversampled %i times", (oversample) => {
    const replica = chirpReplica(chirp, { oversample, window: { kind: "hamming" } });
    const n = Math.floor(chirp.pulseSeconds * chirp.samplingRateHz * oversample);
    expect(replica).toHaveLength(2 * n);
    for (let i = 0; i < n; i++) {
      const u = i / (12e6 * oversample) - 20.3e-6 / 2;
      const gain = 0.54 + 0.46 * Math.cos((2 * Math.PI * u) / 20.3e-6);
      const phase = Math.PI * -4e11 * u * u;
      // The largest phase, π·K·T²/4, is 130 radians: its rounding is 130·ε.
      expect(Math.abs(replica[2 * i] - gain * Math.cos(phase))).toBeLessThan(300 * 2 ** -52);
      expect(Math.abs(replica[2 * i + 1] - gain * Math.sin(phase))).toBeLessThan(300 * 2 ** -52);
    }
  });

  it("is the same by bandwidth and by rate", () => {
    const { pulseSeconds, samplingRateHz } = chirp;
    for (const bandwidthHz of [5e5, -8e6, 0])
      expect(chirpReplica({ bandwidthHz, pulseSeconds, samplingRateHz })).toEqual(
        chirpReplica({ chirpRateHzPerSecond: bandwidthHz / pulseSeconds, pulseSeconds, samplingRateHz }),
      );
  });

  it("has whole samples, also of a length that floating point misses by a bit", () => {
    expect(chirpSamples({ pulseSeconds: 100e-6, samplingRateHz: 1e6 })).toBe(100);
    expect(chirpSamples({ pulseSeconds: 10.7e-6, samplingRateHz: 1e6 })).toBe(10);
    expect(chirpReplica({ bandwidthHz: 1e5, pulseSeconds: 0.3, samplingRateHz: 10 })).toHaveLength(6);
  });

  it.each([
    [{ ...chirp, pulseSeconds: 0 }, /^chirp\.pulseSeconds/],
    [{ ...chirp, pulseSeconds: 1e-9 }, /^chirp\.pulseSeconds must be of 1 to 2\^26 samples/],
    [{ ...chirp, pulseSeconds: 1e3 }, /^chirp\.pulseSeconds must be of 1 to 2\^26 samples/],
    [{ ...chirp, samplingRateHz: Number.NaN }, /^chirp\.samplingRateHz/],
    [{ ...chirp, chirpRateHzPerSecond: Number.POSITIVE_INFINITY }, /^chirp\.chirpRateHzPerSecond/],
    [{ bandwidthHz: "1", pulseSeconds: 1e-5, samplingRateHz: 1e6 }, /^chirp\.bandwidthHz/],
    [undefined, /^chirp must be an object/],
  ])("refuses %j", (bad, message) => {
    expect(() => chirpReplica(bad as typeof chirp)).toThrow(message);
  });

  it("refuses options that it does not know, and windows without a continuous formula", () => {
    expect(() => chirpReplica(chirp, { oversample: 0 })).toThrow(/^oversample must be an integer/);
    expect(() => chirpReplica(chirp, { windw: { kind: "hann" } } as object)).toThrow(/windw/);
    expect(() => chirpReplica(chirp, { window: { kind: "chebyshev", sidelobeDb: -40 } })).toThrow(/^window must be/);
  });
});

it("a wavelength is the speed of light over the carrier frequency", () => {
  expect(wavelengthMeters({ carrierHz: 1e9 })).toBe(speedOfLight / 1e9);
  expect(speedOfLight).toBe(299_792_458);
});
