/** The README's examples do what they say. */
import { evaluate, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { expect, it } from "vitest";
import {
  amfThreshold,
  checkStatus,
  cubeOrders,
  drawCube,
  efa,
  efaGeometry,
  efaReference,
  efaSteering,
  interferenceCovariance,
  reorderCube,
  uniformSteering,
  wardExample,
} from "../src/index.ts";

it("the README's examples find their target, and hardly anything else", { timeout: 120_000 }, async () => {
  const { channels, pulses } = wardExample;
  const target = { range: 200, spatialCycles: 0, dopplerCycles: 3 / 18, snrDb: 0 };
  const cube = drawCube(interferenceCovariance(wardExample), { channels, pulses, ranges: 512, seed: 1, targets: [target] });

  const options = { steeringVectors: 1, temporalTaps: 3, training: { kind: "sliding", cells: 160, guardCells: 2 } } as const;
  const geometry = efaGeometry({ ...options, channels, pulses, ranges: 512 });
  const steering = efaSteering(geometry, [uniformSteering(channels, 0)]);
  const { data } = efaReference(cube, steering, options, [3]);
  const threshold = amfThreshold(1e-6, geometry.order, 160);
  expect(data[200]).toBeGreaterThan(threshold);
  // At 10⁻⁶ a second detection among 511 is one chance in two thousand.
  expect(data.filter((power) => power > threshold).length).toBe(1);

  using device = await open(cpu());
  const program = efa({ ...options, channels, pulses, ranges: 512 });
  const samples = Float32Array.from(reorderCube(cube, cubeOrders.perfect).data);
  const { y, status } = await evaluate(program, device, { cube: samples, steering: Float32Array.from(steering) });
  checkStatus(status, program.geometry);
  expect(y[3 * 512 + 200]).toBeGreaterThan(threshold);
});
