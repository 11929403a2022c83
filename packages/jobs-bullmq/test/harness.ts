/** Helpers of the tests: a planned job, worker processes at a queue, and what they tell. */
import type { ChildProcess } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Device } from "@dechirp/core";
import { type Job, type JobStore, openStore, planJob, readMark, runTask } from "@dechirp/jobs";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { temporaryFolder, writeHistory } from "../../jobs/test/recordings.ts";
import { useProgram } from "../../jobs/test/worker-process.ts";
import type { QueueWorkerEvent, QueueWorkerResult } from "../src/index.ts";

const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.1937, yStepMeters: 0.21, nx: 401, ny: 333 };

/** A job with its store and the path of its recording. */
export interface Planned {
  readonly folder: string;
  readonly store: JobStore;
  readonly job: Job;
}

const recordings = new Map<number, Promise<string>>();
let home: string;

/** Keeps recordings for all tests of the file. */
export function useRecordings(): void {
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "dechirp-queue-"));
  });
  afterAll(() => rm(home, { recursive: true, force: true }));
}

/** Pulses with which a task takes some tenths of a second, and some seconds. */
export const [slow, verySlow] = [1500, 12_000];

/** Plans a job of 12 tasks into a new store, or 12 for each of several sets of pulses. A task takes longer with more pulses. Jobs with as many pulses are equal. */
export async function planned(device: Device, pulses = 160, more: { readonly pulseSets?: number } = {}): Promise<Planned> {
  const folder = await temporaryFolder();
  const recording = recordings.get(pulses) ?? writeHistory(join(home, `${pulses}`), { pulses });
  recordings.set(pulses, recording);
  const path = await recording;
  const store = await openStore(join(folder, "job"));
  const options = {
    what: "backproject",
    paths: [path],
    settings: { grid, tile: 16 },
    tile: 128,
    memoryBytes: 2 ** 30,
    output: {},
    ...more,
  };
  const { job } = await planJob(store, device, options);
  return { folder, store, job };
}

/** The SHA-256 of every task's chunk. */
export const digestsOf = async ({ job, store }: Planned): Promise<readonly (string | undefined)[]> =>
  Promise.all(Array.from({ length: job.tasks }, async (_, task) => (await readMark(store, task))?.files[0].sha256));

/** The SHA-256 of the chunks that tasks by hand make of a recording with so many pulses. Made once for each number. */
export function wholeImage(device: Device, pulses = 160): Promise<readonly (string | undefined)[]> {
  const make = async (): Promise<readonly (string | undefined)[]> => {
    const one = await planned(device, pulses);
    for (let task = one.job.tasks - 1; task >= 0; task--) await runTask(one.job, task, one.store, device);
    return digestsOf(one);
  };
  const image = images.get(pulses) ?? make();
  images.set(pulses, image);
  return image;
}
const images = new Map<number, Promise<readonly (string | undefined)[]>>();

/** A worker process. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly events: QueueWorkerEvent[];
  /** Resolves when an event has come that `is` accepts. Rejects if the process ends before. */
  heard(is: (event: QueueWorkerEvent) => boolean): Promise<QueueWorkerEvent>;
  /** How the process ended: the result of `work`, or its error. Undefined if it was killed. */
  readonly ended: Promise<{ readonly result?: QueueWorkerResult; readonly error?: { readonly message: string; readonly stack: string } }>;
}

const bundles = fileURLToPath(new URL("../node_modules/.cache", import.meta.url));

/** Bundles the worker program before the tests of the file. Returns a function that starts it at a queue; it is killed when the test has ended. */
export function useWorkers(): (url: string, options?: object) => WorkerProcess {
  beforeAll(() => mkdir(bundles, { recursive: true }).then(() => {}));
  const start = useProgram("worker", {
    url: new URL("worker.ts", import.meta.url),
    parent: bundles,
    external: ["bullmq", "ioredis", "pg"],
  });
  return (url, options = {}) => {
    const child = start([JSON.stringify({ leaseMs: 2000, ...options })], { ...process.env, DECHIRP_QUEUE: url });
    const events: QueueWorkerEvent[] = [];
    const waiting = new Set<{ is(event: QueueWorkerEvent): boolean; resolve(event: QueueWorkerEvent): void }>();
    let last: object = {};
    child.on("message", (message) => {
      const { event, ...other } = message as { event?: QueueWorkerEvent };
      if (!event) {
        last = other;
        return;
      }
      events.push(event);
      for (const one of waiting) if (one.is(event)) waiting.delete(one) && one.resolve(event);
    });
    const ended = new Promise<object>((resolve) => child.once("close", () => resolve(last)));
    onTestFinished(async () => {
      child.kill("SIGKILL");
      await ended;
    });
    return {
      child,
      events,
      ended,
      heard: (is) => {
        const before = events.find(is);
        if (before) return Promise.resolve(before);
        const heard = new Promise<QueueWorkerEvent>((resolve, reject) => {
          waiting.add({ is, resolve });
          ended.then(() => reject(new Error(`the worker ended after ${JSON.stringify(events)}`)));
        });
        // A test that has failed does not wait for it.
        heard.catch(() => {});
        return heard;
      },
    };
  };
}
