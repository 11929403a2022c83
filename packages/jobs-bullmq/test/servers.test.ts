/** Jobs in queues of real servers: the bits of their images, and what is left after workers and servers are killed at any moment. */
import { createRandom, type Device, isRadarError } from "@dechirp/core";
import { createJob, jobStatus, openStore, readFailure, readMark, runJob, runTask, verifyJob } from "@dechirp/jobs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder, withPlainCpu } from "../../jobs/test/recordings.ts";
import { useProgram } from "../../jobs/test/worker-process.ts";
import { initJobQueue, type JobQueue, openJobQueue, type QueueWorkerEvent } from "../src/index.ts";
import { digestsOf, type Planned, planned, slow, useRecordings, useWorkers, verySlow, type WorkerProcess, wholeImage } from "./harness.ts";
import { freePort, missing, type Server, type ServerKind, startServer } from "./servers.ts";

let device: Device;
withPlainCpu((made) => (device = made));
useRecordings();
const startWorker = useWorkers();
const startLocal = useProgram("worker");

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

it("that can't be reached are one error", async () => {
  const port = await freePort();
  for (const scheme of ["redis", "postgres"])
    await expect(openJobQueue(`${scheme}://user:hidden@127.0.0.1:${port}`)).rejects.toMatchObject({
      code: "failed",
      message: expect.stringMatching(new RegExp(`^queue ${scheme}://127.0.0.1:${port}: it can't be opened: .*ECONNREFUSED`)),
    });
});

describe.each(["Redis", "PostgreSQL"] as const)("%s", (kind: ServerKind) => {
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

    it("hands out tasks, whose image has the bits of tasks by hand and of a run on this machine", async () => {
      const [byRun, byQueue] = [await planned(device), await planned(device)];
      await runJob(byRun.job, byRun.store, { start: () => startLocal([byRun.store.address]) });
      await runTask(byQueue.job, 3, byQueue.store, device);
      expect(await queue.submit(byQueue.job, byQueue.store)).toMatchObject({ added: 11, status: { done: 1 } });
      expect(await queue.submit(byQueue.job, byQueue.store)).toMatchObject({ added: 0, status: { done: 1 }, workers: 0 });
      const workers = [startWorker(server.url), startWorker(server.url)];
      const shares: number[] = [];
      const options = { everyMs: 50, onProgress: ({ done }: { done: number }) => void shares.push(done) };
      expect(await queue.wait(byQueue.job, byQueue.store, options)).toMatchObject({ done: 12, missing: [], failed: [], assembled: true });
      expect(shares.length).toBeGreaterThan(0);
      const image = await wholeImage(device);
      expect(image).not.toContain(undefined);
      expect(await digestsOf(byQueue)).toEqual(image);
      expect(await digestsOf(byRun)).toEqual(image);
      expect(await queue.submit(byQueue.job, byQueue.store)).toMatchObject({ added: 0 });
      expect(await queue.status(byQueue.job, byQueue.store)).toMatchObject({ queued: false, waiting: 0, active: [], workers: 2 });
      for (const { child } of workers) child.kill("SIGTERM");
      const results = await Promise.all(workers.map(({ ended }) => ended));
      // Eleven tasks and the products. On a busy machine a second copy of a task may have been in time, which then counts instead or too.
      const made = results.reduce((sum, { result }) => sum + (result?.made ?? 0), 0);
      expect(made).toBeGreaterThanOrEqual(11);
      expect(made).toBeLessThanOrEqual(14);
    });

    it("gives the same bits whatever workers are killed and when", async () => {
      const one = await planned(device, slow);
      const random = createRandom(7);
      const kills = kind === "Redis" ? 5 : 2;
      let killed = 0;
      let isOver = false;
      let finish = (): void => {};
      const over = new Promise<void>((resolve) => {
        finish = resolve;
      });
      const keep = async (): Promise<void> => {
        while (!isOver) {
          const worker = startWorker(server.url);
          const dead = killed + 1 <= kills;
          if (dead) {
            killed++;
            await Promise.race([worker.heard(({ kind }) => kind === "begun"), over]);
            await wait(400 * random.uniform());
            worker.child.kill("SIGKILL");
          }
          await Promise.race([worker.ended, over]);
          worker.child.kill("SIGTERM");
        }
      };
      await queue.submit(one.job, one.store);
      const places = [keep(), keep()];
      expect(await queue.wait(one.job, one.store, { everyMs: 200 })).toMatchObject({ done: 12, failed: [], assembled: true });
      isOver = true;
      finish();
      await Promise.all(places);
      expect(killed).toBe(kills);
      expect(await digestsOf(one)).toEqual(await wholeImage(device, slow));
      expect(await verifyJob(one.job, one.store)).toEqual({ checked: 12, damaged: [], forgotten: [] });
    });

    it("is only a list: when it is lost with its server, submitting again makes what is missing and nothing else", async () => {
      const one = await planned(device, slow);
      const worker = startWorker(server.url);
      await queue.submit(one.job, one.store);
      await worker.heard(({ kind, ...event }) => kind === "done" && "task" in event && event.task === 3);
      // A server that is back at once may not be missed.
      await server.kill();
      await worker.heard(({ kind }) => kind === "disturbed");
      await server.restart({ erased: true });
      const before = await jobStatus(one.job, one.store);
      const marks = await Promise.all(Array.from({ length: 12 }, (_, task) => readMark(one.store, task)));
      await initJobQueue(server.url);
      const { added } = await queue.submit(one.job, one.store);
      expect(added).toBeLessThanOrEqual(before.missing.length);
      expect(added).toBeLessThan(9);
      expect(await queue.wait(one.job, one.store, { everyMs: 200 })).toMatchObject({ done: 12, failed: [], assembled: true });
      for (const [task, mark] of marks.entries()) if (mark) expect(await readMark(one.store, task)).toEqual(mark);
      worker.child.kill("SIGTERM");
      await worker.ended;
    });
  });
});

describe.skipIf(missing.Redis !== undefined)(missing.Redis ?? "workers at a queue", () => {
  let server: Server;
  let queue: JobQueue;
  beforeAll(async () => {
    server = await startServer("Redis");
    queue = await openJobQueue(server.url);
  });
  afterAll(async () => {
    await queue?.[Symbol.asyncDispose]();
    await server?.remove();
  });

  /** Stops a worker in the middle of a task of a job. Returns the number of the task. */
  async function stopAtTask(worker: WorkerProcess, { job, store }: Planned): Promise<number> {
    for (;;) {
      worker.child.kill("SIGSTOP");
      // What the worker has sent arrives.
      await wait(100);
      const { active } = await queue.status(job, store);
      const own = active.find((one) => one.worker.endsWith(`:${worker.child.pid}`));
      if (own && !(await readMark(store, own.task))) return own.task;
      // It was between two tasks.
      worker.child.kill("SIGCONT");
      await wait(30);
    }
  }

  it("that stop longer than their lease and go on do no harm", async () => {
    // With these pulses, the others are not done before the lease has ended.
    const pulses = 4 * slow;
    const one = await planned(device, pulses);
    const first = startWorker(server.url);
    await queue.submit(one.job, one.store);
    await first.heard(({ kind }) => kind === "begun");
    // It takes other tasks meanwhile, and the one that was stopped when its lease has ended.
    const second = startWorker(server.url);
    await second.heard(({ kind }) => kind === "begun");
    const task = await stopAtTask(first, one);
    await second.heard((event) => event.kind === "begun" && event.task === task && event.what === "task");
    first.child.kill("SIGCONT");
    expect(await queue.wait(one.job, one.store, { everyMs: 200 })).toMatchObject({ done: 12, failed: [], assembled: true });
    expect(await digestsOf(one)).toEqual(await wholeImage(device, pulses));
    for (const { child } of [first, second]) child.kill("SIGTERM");
    expect((await first.ended).error).toBeUndefined();
  });

  it("give up a task after three attempts, at once if the input is wrong, name it, and complete the others", async () => {
    const one = await planned(device, verySlow);
    const [deadly, wrong] = [4, 7];
    const inTheWay = (task: number): string => `image.zarr/image/${Math.floor(task / 4)}.${task % 4}.0/in-the-way`;
    await one.store.write(inTheWay(wrong), Uint8Array.of(1));
    await queue.submit(one.job, one.store);
    let deaths = 0;
    let isOver = false;
    let finish = (): void => {};
    const over = new Promise<false>((resolve) => {
      finish = () => resolve(false);
    });
    const ended = (async () => {
      while (!isOver) {
        const worker = startWorker(server.url);
        worker
          .heard((event) => event.kind === "begun" && event.what === "task" && event.task === deadly)
          .then(
            () => void (!isOver && worker.child.kill("SIGKILL") && deaths++),
            // The worker ended before it had the task.
            () => {},
          );
        const isDead = await Promise.race([worker.ended.then(() => true), over]);
        if (!isDead) worker.child.kill("SIGTERM");
      }
    })();
    const status = await queue.wait(one.job, one.store, { everyMs: 200 });
    isOver = true;
    finish();
    await ended;
    expect(deaths).toBeGreaterThanOrEqual(3);
    expect(status).toMatchObject({ done: 10, missing: [], assembled: false });
    expect(status.failed.map(({ task }) => task)).toEqual([deadly, wrong]);
    expect((await readFailure(one.store, deadly))?.attempts).toMatchObject(Array(3).fill({ code: "killed", retry: true }));
    expect((await readFailure(one.store, wrong))?.attempts).toMatchObject([{ code: "input", retry: false }]);
    // What is mended is made when the job is submitted again.
    await one.store.remove(inTheWay(wrong));
    const { rm } = await import("node:fs/promises");
    await rm(`${one.store.folder}/image.zarr/image/1.3.0`, { recursive: true });
    await verifyJob(one.job, one.store, { forget: true });
    const worker = startWorker(server.url);
    expect(await queue.submit(one.job, one.store)).toMatchObject({ added: 2 });
    expect(await queue.wait(one.job, one.store, { everyMs: 100 })).toMatchObject({ done: 12, failed: [], assembled: true });
    worker.child.kill("SIGTERM");
    await worker.ended;
  });

  it("never see jobs of another version or another device", async () => {
    const one = await planned(device);
    const { id: _, format: _f, version: _v, ...body } = one.job;
    const worker = startWorker(server.url);
    await worker.heard(({ kind }) => kind === "ready");
    for (const change of [{ dechirp: "9.9.9" }, { device: { ...body.device, arithmetic: "relaxed" } }]) {
      const store = await openStore(await temporaryFolder());
      const job = await createJob({ ...body, ...change });
      await store.write("job.json", new TextEncoder().encode(JSON.stringify(job)));
      expect(await queue.submit(job, store)).toMatchObject({ added: 12, workers: 0 });
      await wait(500);
      expect(await queue.status(job, store)).toEqual({ queued: true, waiting: 12, active: [], workers: 0 });
      expect((await jobStatus(job, store)).failed).toEqual([]);
      await expect(runTask(job, 0, store, device)).rejects.toMatchObject({ code: "input" });
    }
    expect(worker.events.filter(({ kind }) => kind === "begun")).toEqual([]);
  });

  it("leave after their task on SIGTERM, and at once on a second one, which is no attempt", async () => {
    const long = await planned(device, verySlow);
    const first = startWorker(server.url);
    await queue.submit(long.job, long.store);
    await first.heard(({ kind }) => kind === "begun");
    first.child.kill("SIGTERM");
    expect(await first.ended).toMatchObject({ result: { made: 1, failed: 0 } });
    const made = first.events.flatMap((event) => (event.kind === "done" && "task" in event ? [event.task] : []));
    expect(made).toHaveLength(1);
    expect(await readMark(long.store, made[0])).toMatchObject({ attempt: 1 });
    await queue.cancel(long.job, long.store);
    const last = startWorker(server.url);
    await expect.poll(async () => (await queue.status(long.job, long.store)).queued).toBe(false);
    last.child.kill("SIGTERM");
    await last.ended;
    const one = await planned(device, slow);
    await queue.submit(one.job, one.store);
    const second = startWorker(server.url);
    await second.heard(({ kind }) => kind === "begun");
    second.child.kill("SIGTERM");
    await wait(30);
    second.child.kill("SIGTERM");
    const { result } = await second.ended;
    if (result?.made === 0) expect(second.events.at(-1)).toMatchObject({ kind: "stopped", why: "leaving" });
    const third = startWorker(server.url);
    expect(await queue.wait(one.job, one.store, { everyMs: 100 })).toMatchObject({ done: 12, failed: [] });
    for (let task = 0; task < 12; task++) expect(await readMark(one.store, task)).toMatchObject({ attempt: 1 });
    third.child.kill("SIGTERM");
    await third.ended;
  });

  it("make second copies of late tasks, so that one that is stuck does not hold up the image", async () => {
    const one = await planned(device, slow);
    const stuck = startWorker(server.url, { leaseMs: 600_000 });
    await queue.submit(one.job, one.store);
    await stuck.heard(({ kind }) => kind === "begun");
    const task = await stopAtTask(stuck, one);
    const worker = startWorker(server.url, { leaseMs: 600_000 });
    await expect.poll(async () => (await jobStatus(one.job, one.store)).done).toBe(12);
    const isCopy = (event: QueueWorkerEvent): boolean => event.kind === "done" && event.what === "copy";
    // The mark is there before the worker says so.
    await worker.heard(isCopy);
    expect(worker.events.filter(isCopy)).toHaveLength(1);
    stuck.child.kill("SIGCONT");
    expect(await queue.wait(one.job, one.store, { everyMs: 100 })).toMatchObject({ done: 12, assembled: true });
    const { worker: maker } = (await readMark(one.store, task)) ?? {};
    expect(maker?.endsWith(`:${worker.child.pid}`)).toBe(true);
    for (const { child } of [stuck, worker]) child.kill("SIGTERM");
    await Promise.all([stuck.ended, worker.ended]);
  });

  it("begin with the job that comes first", async () => {
    const [later, sooner] = [await planned(device), await planned(device)];
    await queue.submit(later.job, later.store, { priority: 7 });
    await queue.submit(sooner.job, sooner.store, { priority: 2 });
    await expect(queue.submit(sooner.job, sooner.store, { priority: -1 })).rejects.toMatchObject({ fields: { field: "priority" } });
    const worker = startWorker(server.url, { idleSeconds: 2 });
    const { result } = await worker.ended;
    expect(result).toEqual({ made: 26, failed: 0 });
    const stores = worker.events.flatMap((event) => (event.kind === "begun" ? [event.store] : []));
    expect(stores.slice(0, 12)).toEqual(Array(12).fill(sooner.store.address));
  });

  it("refuse hostile messages with one error each, and go on", async () => {
    const { Queue } = await import("bullmq");
    const one = await planned(device);
    const other = await planned(device);
    const worker = startWorker(server.url, { stores: [one.folder] });
    const { queue: name } = (await worker.heard(({ kind }) => kind === "ready")) as { queue: string };
    const raw = new Queue(name, { connection: { url: server.url } });
    const good = { store: one.store.address, job: one.job.id, task: 0 };
    const cases: readonly (readonly [name: string, data: unknown, field: string])[] = [
      ["run", good, "message.name"],
      ["constructor", good, "message.name"],
      ["task", "rm -rf /", "message"],
      ["task", null, "message"],
      ["task", {}, "message.store"],
      ["task", { ...good, task: -1 }, "message.task"],
      ["task", { ...good, task: 1e9 }, "message.task"],
      ["task", { ...good, task: "0" }, "message.task"],
      ["task", { ...good, task: 12 }, "message.task"],
      ["task", { ...good, job: "0".repeat(64) }, "id"],
      ["task", { ...good, job: "../../x" }, "message.job"],
      ["task", { ...good, run: "code" }, "message.run"],
      ["task", { ...good, store: "job" }, "message.store"],
      ["task", { ...good, store: `${one.folder}/../..${other.store.address}` }, "message.store"],
      ["task", { ...good, store: "/etc" }, "message.store"],
      ["task", { ...good, store: "s3://bucket/job" }, "message.store"],
      ["task", { ...good, store: "x".repeat(10_000) }, "message.store"],
      ["copy", { store: other.store.address, job: other.job.id, task: 0 }, "message.store"],
      ["assemble", { store: other.store.address, job: other.job.id }, "message.store"],
      ["assemble", { store: one.store.address, job: one.job.id }, "missing"],
    ];
    for (const [kind, data] of cases) await raw.add(kind, data);
    const failures = () =>
      worker.events.filter(({ kind }) => kind === "failed") as readonly {
        again: boolean;
        error: { code: string; fields: Record<string, unknown> };
      }[];
    await expect.poll(() => failures().length).toBe(cases.length);
    await raw.close();
    for (const [i, { error, again }] of failures().entries()) {
      expect([error.code, again], `${cases[i]}`).toEqual(["input", false]);
      expect(error.fields["field"] ?? Object.keys(error.fields).at(-1), `${cases[i]}`).toBe(cases[i][2]);
    }
    expect((await jobStatus(one.job, one.store)).failed).toEqual([]);
    expect((await jobStatus(other.job, other.store)).done).toBe(0);
    await queue.submit(one.job, one.store);
    expect(await queue.wait(one.job, one.store, { everyMs: 100 })).toMatchObject({ done: 12, assembled: true });
    worker.child.kill("SIGTERM");
    expect(await worker.ended).toMatchObject({ result: { failed: cases.length } });
  });

  it("and queues never show a password", async () => {
    const { inspect } = await import("node:util");
    const secret = "hidden/p@ss";
    const wrong = server.url.replace(encodeURIComponent(server.password), encodeURIComponent(secret));
    for (const [url, code] of [
      [wrong, "failed"],
      [wrong.replace("redis:", "ftp:"), "input"],
      [`not an address with ${secret}`, "input"],
    ] as const) {
      const error = await openJobQueue(url).catch((thrown) => thrown);
      expect(isRadarError(error, code), inspect(error)).toBe(true);
      const shown = `${inspect(error, { depth: 9, showHidden: true })}${JSON.stringify(error)}${error.stack}`;
      for (const part of [secret, encodeURIComponent(secret)]) expect(shown).not.toContain(part);
    }
    const worker = startWorker(wrong);
    expect((await worker.ended).error?.message).toMatch(/^queue redis:\/\/127\.0\.0\.1:\d+: it can't be opened: .*WRONGPASS/);
    const good = startWorker(server.url);
    await good.heard(({ kind }) => kind === "ready");
    await server.kill();
    await good.heard(({ kind }) => kind === "disturbed");
    await server.restart();
    for (const part of [server.password, encodeURIComponent(server.password)]) expect(JSON.stringify(good.events)).not.toContain(part);
  });
});
