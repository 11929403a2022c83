/**
 * Workers that are killed at random moments, also while they write, or stopped for a while: no value is torn, and the image has the bits of a
 * run without faults. DECHIRP_JOB_KILLS is the number of kills, DECHIRP_JOB_SEED that of the moments.
 */
import { type ChildProcess, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createRandom, type Device } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { createTaskRunner, type Job, type JobStore, openStore, planJob, runJob, verifyJob } from "../src/index.ts";
import { temporaryFolder, withPlainCpu, writeHistory } from "./recordings.ts";
import { useProgram } from "./worker-process.ts";

let device: Device;
withPlainCpu((made) => (device = made));
const startWorker = useProgram("worker");

const grid = { xMeters: -40, yMeters: -35, xStepMeters: 0.0937, yStepMeters: 0.11, nx: 900, ny: 640 };

/** A job of 40 tiles, and the digest of each, as one process makes them. */
async function planned(folder: string): Promise<{ job: Job; store: JobStore; digests: ReadonlyMap<string, string> }> {
  const path = await writeHistory(folder);
  const open = async (name: string): Promise<{ job: Job; store: JobStore }> => {
    const store = await openStore(join(folder, name));
    const request = { what: "backproject", paths: [path], settings: { grid, tile: 16 }, tile: 128, memoryBytes: 2 ** 28, output: {} };
    return { store, job: (await planJob(store, device, request)).job };
  };
  const alone = await open("alone");
  await using runner = createTaskRunner(alone.job, alone.store, device);
  const digests = new Map<string, string>();
  for (let task = 0; task < alone.job.tasks; task++)
    for (const file of (await runner.run(task)).mark.files) digests.set(file.key, file.sha256);
  return { ...(await open("job")), digests };
}

/** Names of the values of an image, and whether a value is being written, or was when its writer was killed. */
function look({ folder }: JobStore): { readonly chunks: readonly string[]; readonly temporaries: readonly string[] } {
  const names = readdirSync(join(folder as string, "image.zarr", "image"));
  return { chunks: names.filter((name) => /^\d/.test(name)), temporaries: names.filter((name) => name.endsWith(".tmp")) };
}

/** Checks that every chunk that is there is whole. */
function expectWhole(store: JobStore, digests: ReadonlyMap<string, string>): void {
  for (const name of look(store).chunks) {
    const key = `image.zarr/image/${name}`;
    const bytes = readFileSync(join(store.folder as string, key));
    expect([key, createHash("sha256").update(bytes).digest("hex")]).toEqual([key, digests.get(key)]);
  }
}

async function expectDone(job: Job, store: JobStore, digests: ReadonlyMap<string, string>): Promise<void> {
  expect(await verifyJob(job, store)).toEqual({ checked: job.tasks, damaged: [], forgotten: [] });
  expect(look(store).chunks).toHaveLength(digests.size);
  expectWhole(store, digests);
}

describe("a run", () => {
  it(
    "has the bits of one process, whenever workers are killed, also while they write",
    async () => {
      const { job, store, digests } = await planned(await temporaryFolder());
      expect(job.tasks).toBe(40);
      const kills = Number(process.env["DECHIRP_JOB_KILLS"] ?? 6);
      const random = createRandom(Number(process.env["DECHIRP_JOB_SEED"] ?? 1));
      const living = new Set<ChildProcess>();
      let killed = 0;
      let timer: NodeJS.Timeout | undefined;
      /** What writers that were killed have left. */
      let left = new Set<string>();
      /** Kills a worker after a random time, or all of them when one writes, as the end of a machine does; then goes on. */
      const next = (): void => {
        if (killed >= kills) return;
        const [moment, choice] = [performance.now() + 1200 * random.uniform(), random.uniform()];
        const isTimed = killed % 2 === 0;
        timer = setInterval(() => {
          const all = [...living];
          const isNow = isTimed ? performance.now() >= moment : look(store).temporaries.some((name) => !left.has(name));
          if (all.length === 0 || !isNow) return;
          clearInterval(timer);
          killed++;
          for (const child of isTimed ? [all[Math.floor(choice * all.length)]] : all) child.kill("SIGKILL");
          timer = setTimeout(() => {
            expectWhole(store, digests);
            left = new Set(look(store).temporaries);
            next();
          }, 50);
        }, 1);
      };
      next();
      // Each task is tried three times; those whose workers were killed as often are tried again.
      for (let run = 0; run < 10; run++) {
        const status = await runJob(job, store, {
          workers: 2,
          start() {
            const child = startWorker([store.address]);
            living.add(child);
            child.once("exit", () => living.delete(child));
            return child;
          },
        });
        if (killed >= kills && status.failed.length === 0) break;
        // There was not enough work for all kills: some of it is to be done again.
        await verifyJob(job, store, { forget: true });
        if (killed < kills) for (let task = 0; task < job.tasks; task += 2) await store.remove(`done/${task}.json`);
      }
      clearTimeout(timer);
      expect(killed).toBe(kills);
      await expectDone(job, store, digests);
      const whileWriting = await store.sweep(0);
      if (kills > 6) process.stdout.write(`${kills} kills, ${whileWriting} values that were being written\n`);
      expect(look(store).temporaries).toEqual([]);
    },
    600_000 + 5000 * Number(process.env["DECHIRP_JOB_KILLS"] ?? 0),
  );

  it.skipIf(process.platform === "win32")(
    "goes on while a worker is stopped, and has the same bits when that one wakes up and writes",
    async () => {
      const { job, store, digests } = await planned(await temporaryFolder());
      let stopped: ChildProcess | undefined;
      let isAwake = false;
      const wakesAt = { done: -1 };
      const children: ChildProcess[] = [];
      const status = await runJob(job, store, {
        workers: 2,
        start() {
          const child = startWorker([store.address]);
          children.push(child);
          return child;
        },
        onProgress({ done, current }) {
          if (!stopped && done >= 2 && current.length === 2) {
            stopped = children[0];
            stopped.kill("SIGSTOP");
          }
          // The other worker has made everything else, so its task was copied.
          if (stopped && !isAwake && done >= job.tasks - 1) {
            wakesAt.done = done;
            isAwake = true;
            expect(execFileSync("ps", ["-o", "stat=", "-p", String(stopped.pid)]).toString()).toMatch(/^T/);
            stopped.kill("SIGCONT");
          }
        },
      });
      expect(status).toMatchObject({ done: 40, missing: [], failed: [] });
      expect(wakesAt.done).toBeGreaterThanOrEqual(39);
      await expectDone(job, store, digests);
    },
  );
});
