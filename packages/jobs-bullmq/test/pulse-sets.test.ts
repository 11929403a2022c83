/** Jobs of sets of pulses in a queue: workers sum what they complete, and the sums have the bits of tasks by hand. */
import type { Device } from "@dechirp/core";
import { chunkedImage, runTask, sumTiles, verifyJob } from "@dechirp/jobs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withPlainCpu } from "../../jobs/test/recordings.ts";
import { initJobQueue, type JobQueue, openJobQueue } from "../src/index.ts";
import { planned, useRecordings, useWorkers } from "./harness.ts";
import { missing, type Server, startServer } from "./servers.ts";

let device: Device;
withPlainCpu((made) => (device = made));
useRecordings();
const startWorker = useWorkers();

describe.each(["Redis", "PostgreSQL"] as const)("%s", (kind) => {
  const absent = missing[kind];
  describe.skipIf(absent !== undefined)(absent ?? "a queue", () => {
    let server: Server;
    let queue: JobQueue;
    beforeAll(async () => {
      server = await startServer(kind);
      await initJobQueue(server.url);
      queue = await openJobQueue(server.url);
    });
    afterAll(async () => {
      await queue?.[Symbol.asyncDispose]();
      await server?.remove();
    });

    it("hands out tasks of sets of pulses, whose sums have the bits of tasks by hand", async () => {
      const [byHand, byQueue] = [await planned(device, 160, { pulseSets: 2 }), await planned(device, 160, { pulseSets: 2 })];
      for (let task = 23; task >= 0; task--) await runTask(byHand.job, task, byHand.store, device);
      await queue.submit(byQueue.job, byQueue.store);
      const workers = [startWorker(server.url), startWorker(server.url)];
      const status = await queue.wait(byQueue.job, byQueue.store, { everyMs: 50 });
      expect(status).toMatchObject({ done: 24, missing: [], failed: [], assembled: true, sums: { tiles: 12 } });
      for (const { child } of workers) child.kill("SIGTERM");
      await Promise.all(workers.map(({ ended }) => ended));
      // The products of these workers are nothing, so they leave sums that no worker has made.
      await sumTiles(byQueue.job, byQueue.store);
      const { tileKeyOf } = chunkedImage(byHand.job);
      for (let tile = 0; tile < 12; tile++) {
        const [one, other] = await Promise.all([byHand, byQueue].map(({ store }) => store.read(tileKeyOf(tile))));
        expect(one?.length).toBe(8 * 128 * 128);
        expect(Buffer.from(one as Uint8Array).equals(other as Uint8Array)).toBe(true);
      }
      expect((await verifyJob(byQueue.job, byQueue.store)).damaged).toEqual([]);
    });
  });
});
