/** Backprojected images in windows: the same bits and measures as whole images, bounded memory, and sinks that are slow, fail or hang. */
import { createRandom, type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import type { ImageWindow } from "@dechirp/radar";
import { circularTrack, simulatePhaseHistory } from "@dechirp/sar";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BackprojectedImagePlan,
  backprojectInWindows,
  backprojectRecording,
  createWindowMaker,
  imageWindowBytes,
  type PhaseHistoryRecording,
  planBackprojectedImage,
  planImageWindows,
} from "../src/index.ts";

let device: Device;
beforeAll(async () => {
  device = await open(cpu());
});
afterAll(() => device[Symbol.dispose]());

const [pulses, count] = [96, 64];
const history = simulatePhaseHistory({
  positions: circularTrack({ radiusMeters: 700, altitudeMeters: 700, firstRadians: 0, stepRadians: 0.0007, pulses }),
  frequency: { firstHz: 9.3e9, stepHz: 6e6, count },
  targets: [{ positionMeters: [-3.2, 4.1, 0], amplitude: 1, phaseRadians: 0.4 }],
  noise: { snrDb: 10 },
  seed: 4,
});
/** The samples come late and in an array that is used again. */
const recording: PhaseHistoryRecording = {
  positions: Float64Array.from(history.positions),
  referenceRangeMeters: Float64Array.from(history.referenceRangeMeters),
  frequency: history.frequency,
  name: "made",
  shape: [pulses, count],
  async pulses(from, number) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return (history.samples as Float32Array).slice(2 * from * count, 2 * (from + number) * count);
  },
};
const grid = { xMeters: -8, yMeters: -6, xStepMeters: 0.021, yStepMeters: 0.025, nx: 731, ny: 523 };
const settings = { grid, tile: 16 } as const;

/** A sink that keeps the image, and says which pixels it has. */
function keep(after: () => Promise<void> = async () => {}) {
  const image = new Float32Array(2 * grid.nx * grid.ny);
  const parts: ImageWindow[] = [];
  return {
    image,
    parts,
    async write(part: ImageWindow, data: Float32Array): Promise<void> {
      parts.push(part);
      expect(data.length).toBe(2 * part.rows * part.columns);
      await after();
      for (let y = 0; y < part.rows; y++)
        image.set(data.subarray(2 * y * part.columns, 2 * (y + 1) * part.columns), 2 * ((part.row + y) * grid.nx + part.column));
    },
  };
}

/** The least memory for which there are windows, as the error of less says. */
async function leastBytes(plan: BackprojectedImagePlan): Promise<number> {
  const text = await planImageWindows(plan, device, { memoryBytes: 1 }).catch((error: Error) => error.message);
  return Number(/at least (\d+) bytes/.exec(String(text))?.[1]);
}

/** The numbers of an object to nine digits, because positions are measured relative to another pixel. */
const rounded = (value: object): unknown =>
  JSON.parse(JSON.stringify(value, (_, part) => (typeof part === "number" ? Number(part.toPrecision(9)) : part)));

describe("an image in windows", () => {
  it.each([{ scale: "ifft", window: { kind: "hann" } }, { sets: 3 }, {}] as const)(
    "has the bits, the peak and the measures of the whole image: %j",
    async (more) => {
      const plan = await planBackprojectedImage(recording, { ...settings, ...more });
      const whole = await backprojectRecording(plan, device);
      const windows = new Set<number>();
      const least = await leastBytes(plan);
      for (const memoryBytes of [least, Math.ceil(1.2 * least), 4 * least]) {
        const sink = keep(() => new Promise((resolve) => setTimeout(resolve, 20)));
        const division = await planImageWindows(plan, device, { memoryBytes });
        const before = device.memory().bytes;
        const report = await backprojectInWindows(plan, device, sink, { memoryBytes });
        expect(device.memory().bytes).toBe(before);
        expect(Buffer.compare(Buffer.from(sink.image.buffer), Buffer.from(whole.image.buffer))).toBe(0);
        expect(sink.parts.length).toBe(division.windows);
        windows.add(division.windows);
        expect(division.memoryBytes).toBeLessThanOrEqual(memoryBytes);
        const { partition, timings: _, work, peak, entropy, contrast, ...others } = report;
        expect(rounded(peak)).toEqual(rounded(whole.report.peak));
        expect(entropy).toBeCloseTo(whole.report.entropy, 9);
        expect(contrast).toBeCloseTo(whole.report.contrast, 6);
        expect(report.work.windows).toMatchObject({ count: division.windows, memoryBytes: division.memoryBytes, budgetBytes: memoryBytes });
        expect(whole.report).toMatchObject(others);
        expect(partition.slice(0, 4)).toEqual(whole.report.partition.slice(0, 4));
        expect(work.backprojections).toBe(whole.report.work.backprojections);
      }
      expect(windows.size).toBeGreaterThan(1);
    },
  );

  it("comes in the order of rows, once each, and asks for pulses again for each window", async () => {
    const plan = await planBackprojectedImage(recording, settings);
    const asked: number[] = [];
    const pulsesAsked = (from: number, n: number) => {
      asked.push(n);
      return recording.pulses(from, n);
    };
    const counted = {
      ...plan,
      recording: { ...recording, pulses: pulsesAsked },
    };
    const sink = keep();
    const shares: number[] = [];
    await backprojectInWindows(counted, device, sink, {
      memoryBytes: await leastBytes(plan),
      onProgress: (_, share) => shares.push(share),
    });
    const pixels = sink.parts.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
    expect(pixels).toBe(grid.nx * grid.ny);
    const order = sink.parts.map(({ row, column }) => row * grid.nx + column);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    // Once more for the peak.
    expect(asked.reduce((sum, n) => sum + n, 0)).toBe((sink.parts.length + 1) * pulses);
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });

  it("takes no more memory of the device than planned", async () => {
    using own = await open(cpu({ workers: 1 }));
    const plan = await planBackprojectedImage(recording, settings);
    const budget = await leastBytes(plan);
    const { memoryBytes } = await planImageWindows(plan, own, { memoryBytes: budget });
    await backprojectInWindows(plan, own, keep(), { memoryBytes: budget });
    expect(own.memory().peakBytes).toBeLessThan(memoryBytes);
  });

  it("is refused if the memory is too little or no number", async () => {
    const plan = await planBackprojectedImage(recording, settings);
    for (const memoryBytes of [1, 1e5, 0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      const refused = { code: "input", fields: { field: "memoryBytes" } };
      await expect(planImageWindows(plan, device, { memoryBytes })).rejects.toMatchObject(refused);
      await expect(backprojectInWindows(plan, device, keep(), { memoryBytes })).rejects.toMatchObject(refused);
    }
    const least = await leastBytes(plan);
    expect((await planImageWindows(plan, device, { memoryBytes: least })).memoryBytes).toBeLessThanOrEqual(least);
    await expect(planImageWindows(plan, device, { memoryBytes: least - 1 })).rejects.toMatchObject({ code: "input" });
    await expect(backprojectInWindows(plan, device, {} as never)).rejects.toMatchObject({ fields: { field: "sink" } });
  });

  it("ends with the error of a sink that fails, and at once if it is aborted while a sink hangs", async () => {
    const plan = await planBackprojectedImage(recording, settings);
    const memoryBytes = await leastBytes(plan);
    const cause = new Error("disk full");
    const { uniform } = createRandom(2);
    for (const failing of [
      () => Promise.reject(cause),
      () => expect.unreachable("no data"),
      () => {
        throw cause;
      },
    ]) {
      const at = Math.floor(3 * uniform());
      let calls = 0;
      const write = (): Promise<void> => (calls++ < at ? Promise.resolve() : (failing() as Promise<void>));
      await expect(backprojectInWindows(plan, device, { write }, { memoryBytes })).rejects.toMatchObject({ code: "failed" });
    }
    const controller = new AbortController();
    const hanging = backprojectInWindows(
      plan,
      device,
      {
        write() {
          setTimeout(() => controller.abort(), 5);
          return new Promise(() => {});
        },
      },
      { memoryBytes, signal: controller.signal },
    );
    await expect(hanging).rejects.toMatchObject({ code: "aborted" });
    expect(device.memory()).toMatchObject({ buffers: 0, plans: 0 });
  });
});

describe("createWindowMaker", () => {
  it.each([true, false])("reads pulses once if they fit beside a window (corrections: %s)", async (isCorrected) => {
    const autofocus = { rangeMeters: new Float64Array(pulses).fill(0.01), phaseRadians: new Float64Array(pulses).fill(0.5) };
    let read = 0;
    const shared = new Float32Array(2 * pulses * count);
    // The same memory for all pulses, as a reader may do it.
    const counted: PhaseHistoryRecording = {
      ...recording,
      ...(isCorrected && { autofocus }),
      async pulses(from, number) {
        read += number;
        const some = shared.subarray(0, 2 * number * count);
        some.set((history.samples as Float32Array).subarray(2 * from * count, 2 * (from + number) * count));
        return some;
      },
    };
    const plan = await planBackprojectedImage(counted, settings);
    const { plan: chosen } = await planImageWindows(plan, device);
    const windows = [0, 256, 512].map((ix) => ({ ix, iy: 0, nx: Math.min(256, grid.nx - ix), ny: 256 }));
    const made = async (keepBytes: number): Promise<readonly Buffer[]> => {
      using maker = await createWindowMaker(plan, device, chosen, { first: windows[0]!, keepBytes });
      const images: Buffer[] = [];
      for (const gridWindow of windows) images.push(Buffer.from((await maker.make({ gridWindow })).buffer));
      return images;
    };
    const all = 8 * pulses * count;
    const before = await made(all - 1);
    expect(read).toBe(3 * pulses);
    read = 0;
    const after = await made(all);
    expect(read).toBe(pulses);
    for (const [i, image] of after.entries()) expect(image.equals(before[i]!)).toBe(true);
    const needed = await imageWindowBytes(plan, device, chosen, 256, 256);
    const memoryBytes = (await planImageWindows(plan, device, { memoryBytes: 2 * needed })).memoryBytes;
    expect(needed).toBeGreaterThan(8 * 256 * 256);
    expect(memoryBytes).toBeLessThanOrEqual(2 * needed);
  });

  it("makes windows in any order with the bits of the whole, with a plan that came as JSON", async () => {
    const plan = await planBackprojectedImage(recording, settings);
    const { plan: chosen } = await planImageWindows(plan, device);
    const whole = keep();
    await backprojectInWindows(plan, device, whole);
    const parts = keep();
    const edge = 256;
    const corners = [0, 256, 512].flatMap((ix) => [0, 256, 512].map((iy) => [ix, iy] as const)).reverse();
    using maker = await createWindowMaker(plan, device, JSON.parse(JSON.stringify(chosen)));
    for (const [ix, iy] of corners) {
      const [nx, ny] = [Math.min(edge, grid.nx - ix), Math.min(edge, grid.ny - iy)];
      const image = await maker.make({ gridWindow: { ix, iy, nx, ny } });
      await parts.write({ row: iy, column: ix, rows: ny, columns: nx }, image);
    }
    expect(Buffer.from(parts.image.buffer).equals(Buffer.from(whole.image.buffer))).toBe(true);
    const other = { ...chosen, image: { ...chosen.image, nx: 5 } };
    await expect(createWindowMaker(plan, device, other)).rejects.toMatchObject({ code: "input", fields: { field: "plan.image.nx" } });
  });
});
