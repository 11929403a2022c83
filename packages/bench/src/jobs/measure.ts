/**
 * The engine of `dechirp job run`, measured on this machine: one image by worker processes of one core each, beside one process that makes the
 * same tasks one after another. The contenders take turns.
 */
import { fork } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Device, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { encodeCphd } from "@dechirp/io/cphd";
import { createTaskRunner, type Job, type JobStore, openStore, planJob, readMark, runJob } from "@dechirp/jobs";
import { linearTrack, simulatePhaseHistory } from "@dechirp/sar";
import type { JobsReport } from "./report.ts";

/** The image: 16 tasks of some seconds on a core. */
const [side, tile, pulses, count] = [2048, 512, 1500, 512];

/** A core of its own for each worker, with the arithmetic of jobs. */
export const workerDevice = (): Promise<Device> => open(cpu({ kernels: "plain", workers: 1 }));

async function planned(folder: string, path: string, device: Device): Promise<{ job: Job; store: JobStore }> {
  const store = await openStore(folder);
  const step = 0.1;
  const grid = { xMeters: (-side / 2) * step, yMeters: (-side / 2) * step, xStepMeters: step, yStepMeters: step, nx: side, ny: side };
  const { job } = await planJob(store, device, {
    what: "backproject",
    paths: [path],
    settings: { grid },
    tile,
    memoryBytes: 2 ** 30,
    output: {},
  });
  return { job, store };
}

async function writeRecording(path: string): Promise<void> {
  const { samples, ...history } = simulatePhaseHistory({
    positions: linearTrack({ middleMeters: [-6000, 0, 4000], stepMeters: [0, 0.5, 0], pulses }),
    frequency: { firstHz: 9.5e9, stepHz: 0.5e6, count },
    targets: [{ positionMeters: [3, -4, 0], amplitude: 1 }],
  });
  const read = (from: number, some: number) => samples.subarray(2 * from * count, 2 * (from + some) * count);
  const origin = { latitudeDegrees: 40, longitudeDegrees: -113, heightMeters: 1290 };
  await writeFile(
    path,
    encodeCphd(
      { ...history, name: "one target", shape: [pulses, count], pulses: read },
      { origin, prfHz: 200, startUtc: "2026-05-01T00:00:00Z" },
    ),
  );
}

/** Measures, in turns. Seconds are from the start of the first process, so those of worker processes have their start in them. */
export async function engineReport(turns: number): Promise<JobsReport> {
  const folder = await mkdtemp(join(tmpdir(), "dechirp-bench-jobs-"));
  try {
    using device = await workerDevice();
    const path = join(folder, "recording.cphd");
    await writeRecording(path);
    const worker = fileURLToPath(new URL("./worker.js", import.meta.url));
    const contenders: Readonly<Record<string, (made: { job: Job; store: JobStore }) => Promise<unknown>>> = {
      "one process": async ({ job, store }) => {
        await using runner = createTaskRunner(job, store, device);
        for (let task = 0; task < job.tasks; task++) await runner.run(task);
      },
      ...Object.fromEntries(
        [1, 2].map((workers) => [
          `job run, ${workers} ${workers === 1 ? "worker" : "workers"}`,
          ({ job, store }: { job: Job; store: JobStore }) =>
            runJob(job, store, { workers, start: () => fork(worker, [store.address], { stdio: ["ignore", "ignore", "inherit", "ipc"] }) }),
        ]),
      ),
    };
    const measured: Record<string, number[]> = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    const digests = new Set<string>();
    let tasks = 0;
    // The first turn warms caches of files up and is not counted.
    for (let turn = 0; turn <= turns; turn++)
      for (const [name, run] of Object.entries(contenders)) {
        const at = join(folder, `${turn}-${name.replaceAll(/\W+/g, "-")}`);
        const made = await planned(at, path, device);
        const start = performance.now();
        await run(made);
        const seconds = (performance.now() - start) / 1000;
        if (turn > 0) measured[name].push(seconds);
        const marks = await Promise.all(Array.from({ length: made.job.tasks }, (_, task) => readMark(made.store, task)));
        digests.add(marks.map((mark) => mark?.files[0].sha256).join());
        tasks = made.job.tasks;
        console.error(`bench: turn ${turn}, ${name}: ${seconds.toFixed(2)} s`);
        await rm(at, { recursive: true });
      }
    if (digests.size !== 1) throw new Error("the contenders have made different images");
    return report(measured, tasks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1];

function report(measured: Readonly<Record<string, readonly number[]>>, tasks: number): JobsReport {
  const date = new Date().toISOString();
  const machine = { processor: cpus()[0]?.model.trim() ?? "unknown", cores: availableParallelism(), node: process.version };
  const [[, alone]] = Object.entries(measured);
  const taskSeconds = median(alone) / tasks;
  const rows = Object.entries(measured).map(([name, all]) => {
    const workers = Number(/\d/.exec(name)?.[0] ?? 1);
    // Ratios within a turn, so that a busy minute is in both of their numbers.
    const ratios = all.map((seconds, turn) => alone[turn] / seconds / workers);
    return [
      name,
      median(all).toFixed(2),
      median(ratios.map((ratio) => ratio * workers)).toFixed(2),
      `${(100 * median(ratios)).toFixed(0)} %`,
    ];
  });
  const tables = [
    {
      title: `One image in ${tasks} tasks of ${taskSeconds.toFixed(1)} s on one core`,
      header: ["contender", "s", "times as fast as one process", "efficiency"],
      rows,
    },
  ];
  const heading = [
    `Measured ${date.slice(0, 10)} on ${machine.cores} cores of ${machine.processor}, Node ${machine.node.slice(1)}; medians of ${alone.length} turns`,
    `${side} × ${side} pixels, ${pulses} pulses of ${count} samples; every worker has one core`,
    "All images are equal bit by bit",
  ];
  const notes = ["Times of worker processes have the start of the processes in them, which one process does not need"];
  return {
    data: { format: "dechirp-bench-jobs", version: 1, date, kind: "engine", machine, tasks, measured },
    plots: {},
    tables: { title: `The engine of jobs, measured ${date.slice(0, 10)}`, heading, tables, notes },
  };
}
