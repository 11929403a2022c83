/**
 * Measured data of the ARPA Mountain Top programme (`DECHIRP_DATA`): an injected target at 152 km, 274°, 156 Hz, in the same
 * range and Doppler as a mountain's clutter from 245°. The beamformer shows the mountain, the adaptive filter the target.
 */

import { readFileSync } from "node:fs";
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { matNumeric, matScalar, readMat } from "@dechirp/io";
import { chirpReplica, speedOfLight } from "@dechirp/radar";
import { beforeAll, describe, expect, it } from "vitest";
import {
  angleDopplerResponse,
  beamformerReference,
  type Cube,
  checkStatus,
  compressPulses,
  cubeOrders,
  type DopplerCube,
  dopplerReference,
  type EfaGeometry,
  efa,
  efaFromDoppler,
  efaGeometry,
  efaSteering,
  nearestBin,
  ulaCycles,
  uniformSteering,
} from "../src/index.ts";
import { mountainTopAbsent, mountainTopFile } from "./data.ts";
import { at, times } from "./helpers.ts";

// From the data's description: broadside 260°, elements 0.333 m apart, 500 kHz in 100 µs, sampled at 1 MHz.
const spacingWavelengths = (0.333 * 435e6) / speedOfLight;
const prfHz = 625;
const spatial = (azimuthDegrees: number): Float64Array =>
  uniformSteering(14, ulaCycles(spacingWavelengths, ((azimuthDegrees - 260) * Math.PI) / 180));

const largest = (line: ArrayLike<number>): number => times(line.length, (i) => i).reduce((best, i) => (line[i] > line[best] ? i : best), 0);
/** Peak over the largest value more than 3 cells away, in dB. */
const aboveNextDb = (line: ArrayLike<number>, peak: number): number =>
  10 * Math.log10(line[peak] / Math.max(...times(line.length, (i) => (Math.abs(i - peak) > 3 ? line[i] : 0))));

describe.skipIf(mountainTopAbsent)("Mountain Top, t38pre01v1 CPI 6", () => {
  let cube: Cube;
  let geometry: EfaGeometry;
  let x: DopplerCube;
  let bin: number;
  const options = { dopplerBins: 32, temporalTaps: 3, training: { kind: "sliding", guardCells: 4 }, loading: 1e-6 } as const;
  const run = (azimuths: readonly number[], more: object = {}, bins?: readonly number[]): Float64Array => {
    const each = efaGeometry({ ...geometry, ...options, ...more, steeringVectors: azimuths.length });
    return efaFromDoppler(dopplerReference(cube, each), efaSteering(each, azimuths.map(spatial)), each, bins).data;
  };

  beforeAll(async () => {
    const mat = await readMat(readFileSync(mountainTopFile), { file: mountainTopFile });
    expect([matScalar(mat, "npulses"), matScalar(mat, "fxmit"), matScalar(mat, "trecord")]).toEqual([16, 435e6, 865]);
    // Columns are elements, rows pulse after pulse: [channel][pulse][range] in memory.
    const raw = { data: Float64Array.from(matNumeric(mat, "cpi1").data), channels: 14, pulses: 16, ranges: 403, order: cubeOrders.paper };
    cube = compressPulses(raw, chirpReplica({ bandwidthHz: 500e3, pulseSeconds: 100e-6, samplingRateHz: 1e6 }));
    geometry = efaGeometry({ channels: 14, pulses: 16, ranges: 403, steeringVectors: 1, ...options });
    x = dopplerReference(cube, geometry);
    bin = nearestBin(geometry, 156.25 / prfHz);
    expect((bin * prfHz) / 32).toBe(156.25);
  });

  it("shows the target at range bin 146, 18 dB above the next cell", () => {
    const line = run([274], {}, [bin]);
    expect(largest(line)).toBe(146);
    // c/2·(trecord − 1 + S) µs for the S-th sample, with the file's own trecord: within a resolution cell of 300 m and the stated km.
    expect(Math.abs((speedOfLight / 2) * (865 - 1 + 147) * 1e-6 - 152e3)).toBeLessThan(800);
    expect(aboveNextDb(line, 146)).toBeGreaterThan(18);
  });

  it("at 274° and 156.25 Hz", () => {
    const azimuths = times(61, (i) => 230 + i);
    const scan = run(azimuths, {}, [bin]);
    expect(azimuths[largest(azimuths.map((_, i) => scan[i * 403 + 146]))]).toBe(274);
    const doppler = run([274]);
    expect(largest(times(32, (n) => doppler[n * 403 + 146]))).toBe(bin);
  });

  it("on the CPU device, all of it in float32: its own covariance for every range and bin", async () => {
    using device = await open(cpu());
    const azimuths = times(61, (i) => 230 + i);
    const program = efa({ channels: 14, pulses: 16, ranges: 403, steeringVectors: azimuths.length, ...options });
    const steering = Float32Array.from(efaSteering(program.geometry, azimuths.map(spatial)));
    const { y, status } = await evaluate(program, device, { cube: Float32Array.from(cube.data), steering });
    checkStatus(status, program.geometry);
    const of = (azimuth: number, n: number): Float32Array =>
      y.subarray(((azimuth - 230) * 32 + n) * 403, ((azimuth - 230) * 32 + n + 1) * 403);
    const line = of(274, bin);
    expect(largest(line)).toBe(146);
    expect(aboveNextDb(line, 146)).toBeGreaterThan(18);
    expect(azimuths[largest(azimuths.map((azimuth) => of(azimuth, bin)[146]))]).toBe(274);
    expect(largest(times(32, (n) => of(274, n)[146]))).toBe(bin);
  });

  it("with one tap as well, which needs no zero padding", () => {
    const line = run([274], { dopplerBins: 16, temporalTaps: 1 }, [4]);
    expect(largest(line)).toBe(146);
    expect(aboveNextDb(line, 146)).toBeGreaterThan(18);
  });

  it("where the beamformer shows clutter, and the target is not among its first 50 cells", () => {
    const line = beamformerReference(x, efaSteering(geometry, [spatial(274)]), geometry, [bin]).data;
    expect(largest(line)).toBe(155);
    expect(line.filter((p) => p > line[146]).length).toBeGreaterThan(50);
    // The Fourier spectrum of the target's range is the mountain's: 245°, 156 Hz, to a beam of 8° and a Doppler bin of 39 Hz.
    const snapshot = new Float64Array(2 * 14 * 16);
    for (let i = 0; i < 14 * 16; i++) snapshot.set(at(cube.data, i * 403 + 146), 2 * i);
    const azimuths = times(91, (i) => 215 + i);
    const dopplers = times(65, (i) => -0.5 + i / 64);
    const { data, columns } = angleDopplerResponse(snapshot, 14, 16, { spatial: azimuths.map(spatial), dopplerCycles: dopplers });
    const peak = largest(data);
    expect(Math.abs(azimuths[Math.floor(peak / columns)] - 245)).toBeLessThan(4);
    expect(Math.abs(dopplers[peak % columns] * prfHz - 156)).toBeLessThan(20);
  });
});
