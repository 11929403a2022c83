/** How soon the task of a worker that died is made again, and what workers wait for. */
import type { Device } from "@dechirp/core";
import type { PostgresConnection } from "bullmq";
import { expect, it } from "vitest";
import { withPlainCpu } from "../../jobs/test/recordings.ts";
import { parseAddress } from "../src/address.ts";
import { openEngine } from "../src/engine.ts";
import { initJobQueue, openJobQueue } from "../src/index.ts";
import { planned, useRecordings, useWorkers } from "./harness.ts";
import { missing, startServer } from "./servers.ts";

let device: Device;
withPlainCpu((made) => (device = made));
useRecordings();
const startWorker = useWorkers();

const lease = 2000;

it.skipIf(missing.PostgreSQL !== undefined)("workers do not wait for the disk of PostgreSQL, and submissions do", async () => {
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
});

it.skipIf(missing.Redis !== undefined)("a worker that is free has the task of one that died within one and a half leases", async () => {
  const server = await startServer("Redis");
  const queue = await openJobQueue(server.url);
  try {
    let least = Number.POSITIVE_INFINITY;
    // Other work of the machine may delay some of them.
    for (let k = 0; k < 5 && least > 1.5 * lease; k++) {
      const one = await planned(device, 12_000);
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
});
