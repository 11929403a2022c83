/** How soon the task of a worker that died is made again, how soon tasks of a cancelled job stop, and what workers wait for. */
import type { Device } from "@dechirp/core";
import { jobStatus, setCancelled } from "@dechirp/jobs";
import type { PostgresConnection } from "bullmq";
import { describe, expect, it } from "vitest";
import { withPlainCpu } from "../../jobs/test/recordings.ts";
import { parseAddress } from "../src/address.ts";
import { openEngine } from "../src/engine.ts";
import { initJobQueue, openJobQueue } from "../src/index.ts";
import { planned, useRecordings, useWorkers, verySlow } from "./harness.ts";
import { missing, startServer } from "./servers.ts";

let device: Device;
withPlainCpu((made) => (device = made));
useRecordings();
const startWorker = useWorkers();

const lease = 2000;

it.skipIf(missing.PostgreSQL !== undefined)(
  missing.PostgreSQL ?? "workers do not wait for the disk of PostgreSQL, and submissions do",
  async () => {
    const server = await startServer("PostgreSQL");
    try {
      await initJobQueue(server.url);
      await using engine = await openEngine(parseAddress(server.url));
      const worker = await engine.worker("queue", async () => {}, { leaseMs: lease, name: "worker" });
      const settings = [worker, await engine.queue("queue"), await engine.flows()].map(async (one) => {
        const { connection } = (one as unknown as { backend: { connection: PostgresConnection } }).backend;
        return (await connection.pool.query("show synchronous_commit")).rows;
      });
      const [off, on] = ["off", "on"].map((value) => [{ synchronous_commit: value }]);
      expect(await Promise.all(settings)).toEqual([off, on, on]);
    } finally {
      await server.remove();
    }
  },
);

it.skipIf(missing.Redis !== undefined)(
  missing.Redis ?? "a worker that is free has the task of one that died within one and a half leases",
  async () => {
    const server = await startServer("Redis");
    const queue = await openJobQueue(server.url);
    try {
      let least = Number.POSITIVE_INFINITY;
      // Other work of the machine may delay some of them.
      for (let k = 0; k < 5 && least > 1.5 * lease; k++) {
        const one = await planned(device, verySlow);
        const workers = [startWorker(server.url, { leaseMs: lease }), startWorker(server.url, { leaseMs: lease })];
        await Promise.all(workers.map(({ heard }) => heard(({ kind }) => kind === "ready")));
        // The other tasks are done, so that the second worker has nothing to do.
        const mark = { job: one.job.id, files: [], seconds: 1, device: { id: "cpu", description: "" }, worker: "other:1", attempt: 1 };
        for (let task = 1; task < one.job.tasks; task++)
          await one.store.write(`done/${task}.json`, new TextEncoder().encode(JSON.stringify({ ...mark, task })));
        const begun = workers.map(({ heard }) => heard(({ kind }) => kind === "begun"));
        expect(await queue.submit(one.job, one.store)).toMatchObject({ added: 1 });
        const first = await Promise.race(begun.map((event, i) => event.then(() => i)));
        workers[first].child.kill("SIGKILL");
        const start = performance.now();
        await begun[1 - first];
        least = Math.min(least, performance.now() - start);
        workers[1 - first].child.kill("SIGKILL");
        await queue.cancel(one.job, one.store);
      }
      expect(least).toBeLessThanOrEqual(1.5 * lease);
    } finally {
      await queue[Symbol.asyncDispose]();
      await server.remove();
    }
  },
);

describe.each(["Redis", "PostgreSQL"] as const)("%s", (kind) => {
  it.skipIf(missing[kind] !== undefined)(
    missing[kind] ?? "stops tasks that are being made within a second when their job is cancelled",
    async () => {
      const server = await startServer(kind);
      await initJobQueue(server.url);
      const queue = await openJobQueue(server.url);
      try {
        const one = await planned(device, verySlow);
        const worker = startWorker(server.url);
        /** Milliseconds until the worker has stopped after the job was cancelled. */
        const stopped = async (cancel: () => Promise<void>): Promise<number> => {
          const from = worker.events.length;
          const hears = (wanted: string) =>
            expect.poll(() => worker.events.slice(from).some(({ kind }) => kind === wanted), { interval: 10 });
          await setCancelled(one.store, false);
          expect(await queue.submit(one.job, one.store)).toMatchObject({ added: 12 });
          await hears("begun").toBe(true);
          const start = performance.now();
          await cancel();
          await hears("stopped").toBe(true);
          const milliseconds = performance.now() - start;
          await expect(queue.submit(one.job, one.store)).rejects.toMatchObject({ code: "input", fields: { field: "cancelled" } });
          await expect.poll(async () => (await queue.status(one.job, one.store)).queued).toBe(false);
          expect(await jobStatus(one.job, one.store)).toMatchObject({ done: 0, failed: [], cancelled: true });
          return milliseconds;
        };
        // Other work of the machine may delay some of them.
        let least = Number.POSITIVE_INFINITY;
        for (let k = 0; k < 4 && least >= 1000; k++) least = Math.min(least, await stopped(() => queue.cancel(one.job, one.store)));
        expect(least).toBeLessThan(1000);
        // Without a message, the worker looks at the store.
        least = Number.POSITIVE_INFINITY;
        for (let k = 0; k < 4 && least >= 3000; k++) least = Math.min(least, await stopped(() => setCancelled(one.store, true)));
        expect(least).toBeLessThan(3000);
      } finally {
        await queue[Symbol.asyncDispose]();
        await server.remove();
      }
    },
  );
});
