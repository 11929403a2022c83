/**
 * Windows of backprojected images at random: grids of odd sizes, windows anywhere on the block lattice and at the edges, and pulses that
 * come block by block, in portions that no block ends with. Their bits are those of the whole image. So are the images that are made in the
 * windows of random budgets, also if an earlier run has written some of them.
 */
import { createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { circularTrack, createBackprojector, latticePixels, simulatePhaseHistory } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { addPulses } from "../src/backproject/pulses.ts";
import {
  backprojectInWindows,
  backprojectRecording,
  type PartSink,
  type PhaseHistoryRecording,
  planBackprojectedImage,
  planImageWindows,
} from "../src/index.ts";
import { memorySink } from "./memory-sink.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu({ workers: 2 }));
});
afterAll(() => device[Symbol.dispose]());

/** A random aperture with noise and a target, and a grid whose sides have at least `least` pixels. */
function randomRecording(seed: number, least = 120) {
  const { uniform } = createRandom(seed);
  const [pulses, count] = [20 + Math.floor(100 * uniform()), 32 + Math.floor(60 * uniform())];
  const history = simulatePhaseHistory({
    positions: circularTrack({
      radiusMeters: 600 + 300 * uniform(),
      altitudeMeters: 700,
      firstRadians: 6 * uniform(),
      stepRadians: 0.0007,
      pulses,
    }),
    frequency: { firstHz: 9.3e9, stepHz: 6e6, count },
    targets: [{ positionMeters: [3 * uniform(), -2 * uniform(), 0], amplitude: 1, phaseRadians: 0.4 }],
    noise: { snrDb: 0 },
    seed,
  });
  const recording: PhaseHistoryRecording = {
    ...history,
    positions: Float64Array.from(history.positions),
    referenceRangeMeters: Float64Array.from(history.referenceRangeMeters),
    name: `random ${seed}`,
    shape: [pulses, count],
    pulses: (from, number) => (history.samples as Float32Array).slice(2 * from * count, 2 * (from + number) * count),
  };
  // Sides that are no multiples of anything.
  const side = (): number => 2 * Math.floor(least / 2 + 110 * uniform()) + 1;
  const grid = { xMeters: -4, yMeters: -3, xStepMeters: 0.031, yStepMeters: 0.027, nx: side(), ny: side() };
  return { recording, grid, uniform };
}

const sameBits = (a: Float32Array, b: Float32Array): boolean =>
  Buffer.compare(Buffer.from(a.buffer, a.byteOffset, a.byteLength), Buffer.from(b.buffer, b.byteOffset, b.byteLength)) === 0;

describe.each([1, 2, 3, 4, 5, 6])("a random image, %i", (seed) => {
  it("has the bits of the whole in windows anywhere on the lattice, from few pulses at a time", async () => {
    const { recording, grid, uniform } = randomRecording(seed);
    const tile = 8 * (1 + Math.floor(3 * uniform()));
    const plan = await planBackprojectedImage(recording, { grid, tile, ...(seed % 2 === 0 ? { sets: 2 + (seed % 3) } : {}) });
    const { plan: prepared } = await planImageWindows(plan, device);
    // Blocks of pulses belong to the plan: so many at a time, and the last block has fewer.
    const own = { ...prepared, pulsesPerBlock: prepared.sets * (1 + Math.floor(13 * uniform())) };
    const { positions, frequency } = recording;
    const geometry = { positions, referenceRangeMeters: plan.referenceRangeMeters, frequency };
    const imageOf = async (gridWindow?: { ix: number; iy: number; nx: number; ny: number }) => {
      using projector = await createBackprojector(device, geometry, plan.grid, {
        plan: own,
        ...(gridWindow && { gridWindow, roundWindow: true }),
      });
      await addPulses(projector, plan, { onProgress() {} });
      return { window: projector.gridWindow, image: await projector.image() };
    };
    const { image: whole } = await imageOf();
    expect(whole.some((value) => value !== 0)).toBe(true);
    const lattice = latticePixels(own);
    const corners = [0, grid.nx - 1].flatMap((ix) => [0, grid.ny - 1].map((iy) => ({ ix, iy, nx: 1, ny: 1 })));
    const within = (most: number): [first: number, count: number] => {
      const first = Math.floor(most * uniform());
      return [first, 1 + Math.floor((most - first) * uniform())];
    };
    const anywhere = Array.from({ length: 8 }, () => {
      const [[ix, nx], [iy, ny]] = [within(grid.nx), within(grid.ny)];
      return { ix, iy, nx, ny };
    });
    for (const asked of [...corners, ...anywhere]) {
      const { window, image } = await imageOf(asked);
      const { ix, iy, nx, ny } = window;
      expect([ix % lattice, iy % lattice]).toEqual([0, 0]);
      const expected = new Float32Array(2 * nx * ny);
      for (let y = 0; y < ny; y++)
        expected.set(whole.subarray(2 * ((iy + y) * grid.nx + ix), 2 * ((iy + y) * grid.nx + ix + nx)), 2 * y * nx);
      expect(sameBits(image, expected), JSON.stringify([asked, window, own.pulsesPerBlock])).toBe(true);
    }
  });

  it("has the bits, the measures and the peak of an undisturbed run if it goes on after another", async () => {
    const { recording, grid, uniform } = randomRecording(100 + seed, 500);
    const plan = await planBackprojectedImage(recording, { grid, tile: 8 });
    const { image: whole } = await backprojectRecording(plan, device);
    const text = await planImageWindows(plan, device, { memoryBytes: 1 }).catch((error: Error) => error.message);
    const memoryBytes = Math.ceil(Number(/at least (\d+) bytes/.exec(String(text))?.[1]) * (1 + uniform() / 4));
    const undisturbed = memorySink([grid.ny, grid.nx]);
    const report = await backprojectInWindows(plan, device, undisturbed, { memoryBytes });
    expect(sameBits(undisturbed.image, whole)).toBe(true);
    const count = report.work.windows?.count ?? 0;
    expect(count).toBeGreaterThan(1);
    expect(report.work.windows?.resumed).toBe(0);

    const sink = memorySink([grid.ny, grid.nx]);
    const abort = new AbortController();
    const most = Math.floor(count * uniform());
    let writes = 0;
    const stopping: PartSink = {
      ...sink,
      async write(window, data) {
        if (writes++ >= most) abort.abort();
        else await sink.write(window, data);
      },
    };
    const stopped = backprojectInWindows(plan, device, stopping, { memoryBytes, signal: abort.signal });
    await expect(stopped).rejects.toMatchObject({ code: "aborted" });
    const again: number[] = [];
    const counting: PartSink = {
      ...sink,
      write: (window, data) => {
        again.push(window.row);
        return sink.write(window, data);
      },
    };
    const resumed = await backprojectInWindows(plan, device, counting, { memoryBytes });
    expect([again.length, resumed.work.windows?.resumed]).toEqual([count - most, most]);
    expect(sameBits(sink.image, whole)).toBe(true);
    expect(sink.missing()).toBe(0);
    const { entropy, contrast, peak } = report;
    expect({ entropy: resumed.entropy, contrast: resumed.contrast, peak: resumed.peak }).toEqual({ entropy, contrast, peak });
    // Once more, when nothing is left to do; and within another budget, whose windows are others.
    const nothing = await backprojectInWindows(plan, device, counting, { memoryBytes });
    expect(nothing.work).toMatchObject({ windows: { resumed: count }, gigaBackprojectionsPerSecond: 0 });
    await backprojectInWindows(plan, device, counting, { memoryBytes: 2 * memoryBytes });
    expect(again.length).toBe(count - most);
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("a sink that has parts of an earlier run", () => {
  it("is refused if it can't read them or gives other data, by name", async () => {
    const { recording, grid } = randomRecording(7);
    const plan = await planBackprojectedImage(recording, { grid, tile: 8 });
    const has = (): boolean => true;
    const write = async (): Promise<void> => {};
    const cause = new Error("unplugged");
    const wrong: readonly [PartSink, object][] = [
      [
        { write, has },
        { code: "input", fields: { field: "sink.read" } },
      ],
      [
        { write, has, read: async () => new Float32Array(3) },
        { code: "input", fields: { field: "sink.read" } },
      ],
      [
        { write, has, read: async () => [1, 2] },
        { code: "input", fields: { field: "sink.read" } },
      ],
      [{ write, has, read: () => Promise.reject(cause) }, { code: "failed" }],
    ];
    for (const [sink, error] of wrong) await expect(backprojectInWindows(plan, device, sink)).rejects.toMatchObject(error);
    const abort = new AbortController();
    const hanging: PartSink = {
      write,
      has,
      read() {
        setTimeout(() => abort.abort(), 5);
        return new Promise(() => {});
      },
    };
    await expect(backprojectInWindows(plan, device, hanging, { signal: abort.signal })).rejects.toMatchObject({ code: "aborted" });
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});
