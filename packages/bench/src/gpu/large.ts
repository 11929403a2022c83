/**
 * Images that do not fit a device's memory, from file to file: how much of the longest of reading, computing and writing a run in blocks reaches,
 * with a time line; and backprojection in windows against the whole image.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, open as openPath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRandom, type Device } from "@dechirp/core";
import { npyHeader, openNpy } from "@dechirp/io";
import { npySink, openFile } from "@dechirp/io/node";
import { type GanttJob, gantt } from "@dechirp/pictures";
import { type BlockActivity, focusInBlocks, planFocus, timeBlock } from "@dechirp/processor";
import {
  type BackprojectionPlan,
  circularTrack,
  createBackprojector,
  type ImageGrid,
  planBackprojection,
  simulatePhaseHistory,
} from "@dechirp/sar";

/** A C-band radar in orbit, with an aperture of about 900 lines. */
const radar = {
  carrierHz: 5.3e9,
  samplingRateHz: 32.317e6,
  prfHz: 1256.98,
  chirpRateHzPerSecond: -0.72135e12,
  pulseSeconds: 41.74e-6,
  velocityMetersPerSecond: 7062,
  nearRangeMeters: 988_647,
  dopplerCentroidHz: -6900,
};

/** One run in blocks: seconds in all and by activity, and what was done when. */
interface BlocksRun {
  readonly name: string;
  readonly total: number;
  readonly totals: Readonly<Record<BlockActivity, number>>;
  readonly jobs: readonly GanttJob[];
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};

/** Focuses `lines` × `samples` of int8 noise from a file to a file on `device`. Prints the times, and writes the time line to `out`. */
export async function runBlocks(device: Device, lines: number, samples: number, mostLines: number, out: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-large-"));
  try {
    const path = join(folder, "raw.npy");
    const file = await openPath(path, "w");
    await file.write(npyHeader({ dtype: "ci8", shape: [lines, samples] }));
    const { uniform } = createRandom(3);
    const noise = Int8Array.from({ length: 2 ** 24 + 4099 }, () => 40 * uniform() - 20);
    for (let left = 2 * lines * samples; left > 0; left -= noise.length) await file.write(noise, 0, Math.min(left, noise.length));
    await file.sync();
    await file.close();
    const source = await openFile(path, { maxBytes: 2 ** 40 });
    const { rows } = await openNpy(source, { file: path, complexPairs: true });
    const recording = {
      name: "noise",
      shape: [lines, samples] as const,
      dtype: "ci8" as const,
      radar,
      processedBandwidthHz: 1000,
      pulses: (from: number, count: number, options = {}) => rows(from, count, options) as Promise<Int8Array>,
    };
    const plan = await planFocus(recording, {}, device, { memoryBytes: 2 ** 36, mostLines });
    const { blocks, lines: blockLines, samples: blockSamples } = plan.plan;
    const compute = (await timeBlock(plan, device)) * blocks.length;
    const read = await seconds(async () => {
      for (let from = 0; from < lines; from += 1024) await recording.pulses(from, Math.min(1024, lines - from));
    });
    const layout = { dtype: "c64", shape: plan.shape } as const;
    const [all, columns] = plan.shape;
    const part = new Float32Array(2 * 1024 * columns).fill(1);
    const write = await seconds(async () => {
      const sink = await npySink.open(join(folder, "zeros.npy"), layout);
      for (let row = 0; row < all; row += 1024) {
        const count = Math.min(1024, all - row);
        await sink.write({ row, rows: count, column: 0, columns }, part.subarray(0, 2 * count * columns));
      }
      await sink.finish();
    });
    const units: readonly BlockActivity[] = ["read", "compute", "measure", "write"];
    const longest = Math.max(read, compute, write);
    console.log(`${lines} × ${samples}: ${blocks.length} blocks of ${blockLines} × ${blockSamples}, image ${plan.shape.join(" × ")}`);
    console.log(`alone: read ${read.toFixed(2)} s, compute ${compute.toFixed(2)} s, write ${write.toFixed(2)} s`);
    const runs: BlocksRun[] = [];
    // The first run compiles JavaScript and shaders, as every run of a command does.
    for (const name of ["first run", "second run"]) {
      const totals: Record<BlockActivity, number> = { read: 0, compute: 0, measure: 0, write: 0 };
      const jobs: GanttJob[] = [];
      const path = join(folder, "image.npy");
      await rm(path, { force: true });
      const sink = await npySink.open(path, layout);
      const origin = performance.now();
      const total = await seconds(async () => {
        await focusInBlocks(recording, device, sink, plan, {
          onActivity(activity, block, began, ended) {
            totals[activity] += (ended - began) / 1000;
            const [start, end] = [1000 * (began - origin), 1000 * (ended - origin)];
            jobs.push({ task: `block ${block}`, requested: start, granted: start, finished: end, units: [units.indexOf(activity)] });
          },
        });
        await sink.finish();
      });
      console.log(`${name}: ${total.toFixed(2)} s, ${((100 * longest) / total).toFixed(0)} % of the longest is reached`);
      console.log(`within: ${units.map((unit) => `${unit} ${totals[unit].toFixed(2)} s`).join(", ")}`);
      runs.push({ name, total, totals, jobs });
    }
    if (out !== undefined) {
      mkdirSync(out, { recursive: true });
      writeFileSync(join(out, "blocks.json"), `${JSON.stringify({ lines, samples, read, compute, write, runs })}\n`);
      const title = "Blocks: 0 read, 1 compute, 2 measure, 3 write";
      for (const [i, { jobs, name }] of runs.entries())
        writeFileSync(join(out, `blocks-${i + 1}.svg`), await gantt({ jobs }, { title: `${title}; ${name}` }));
    }
    await source.close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes an image of `edge`² pixels whole and in windows, compares the bits, then one of `large`² in windows. */
export async function runWindows(device: Device, edge: number, large: number, window: number): Promise<void> {
  const pulses = 4690;
  const history = simulatePhaseHistory({
    positions: circularTrack({ radiusMeters: 7000, altitudeMeters: 7000, firstRadians: 0, stepRadians: (2 * Math.PI) / 117_000, pulses }),
    frequency: { firstHz: 9.3e9, stepHz: 1.5e6, count: 424 },
    targets: [{ positionMeters: [-3.2, 4.1, 0], amplitude: 2, phaseRadians: 1 }],
    noise: { snrDb: 10 },
    seed: 3,
  });
  const gridOf = (n: number) => ({
    kind: "ground" as const,
    originMeters: [-0.05 * n, -0.05 * n, 0] as const,
    xStepMeters: [0.1, 0, 0] as const,
    yStepMeters: [0, 0.1, 0] as const,
    nx: n,
    ny: n,
  });
  for (const n of [edge, large]) {
    const grid = gridOf(n);
    const plan = await planBackprojection(device, history, grid);
    using projector = await createBackprojector(device, history, grid, { plan, gridWindow: { ix: 0, iy: 0, nx: window, ny: window } });
    const whole = n === edge ? await wholeImage(device, history, grid, plan) : undefined;
    let different = 0;
    let peak = 0;
    const took = await seconds(async () => {
      for (let iy = 0; iy < n; iy += window) {
        for (let ix = 0; ix < n; ix += window) {
          if (ix + iy > 0) await projector.begin({ gridWindow: { ix, iy, nx: Math.min(window, n - ix), ny: Math.min(window, n - iy) } });
          await projector.add(history.samples);
          await projector.finish();
          const part = await projector.image();
          const { nx, ny } = projector.gridWindow;
          for (let i = 0; i < part.length; i++) peak = Math.max(peak, Math.abs(part[i]));
          for (let y = 0; whole && y < ny; y++) {
            const at = 2 * ((iy + y) * n + ix);
            for (let i = 0; i < 2 * nx; i++) if (whole[at + i] !== part[2 * y * nx + i]) different += 1;
          }
        }
      }
    });
    const rate = (n * n * pulses) / took / 1e9;
    const compared = whole ? `, ${different} of ${whole.length} numbers differ from the whole image` : "";
    console.log(
      `${n}² in windows of ${window}²: ${took.toFixed(1)} s, ${rate.toFixed(0)} Gbp/s with reading back, peak ${peak.toFixed(2)}, device ${(device.memory().bytes / 2 ** 20).toFixed(0)} MiB${compared}`,
    );
  }
}

async function wholeImage(
  device: Device,
  history: ReturnType<typeof simulatePhaseHistory>,
  grid: ImageGrid,
  plan: BackprojectionPlan,
): Promise<Float32Array> {
  using projector = await createBackprojector(device, history, grid, { plan });
  await projector.add(history.samples);
  await projector.finish();
  return (await projector.image()).slice();
}
