/**
 * Jobs in a queue. The truth about a job is in its store; a queue is a list of what is still to be handed out, and `submit` fills it again from
 * what is missing. A job is a flow of BullMQ: a message for each task, and one for the products, which waits for all of them.
 */
import { createHash } from "node:crypto";
import { inputError, RadarError, throwIfAborted } from "@dechirp/core";
import { callListener } from "@dechirp/core/internal";
import { checkNotCancelled, type Job, type JobStatus, type JobStore, jobStatus, mostAttempts, setCancelled } from "@dechirp/jobs";
import type { Queue } from "bullmq";
import { activeMessages } from "./active.ts";
import { parseAddress } from "./address.ts";
import { controlOf, type Engine, openEngine, prepare, queueOf } from "./engine.ts";
import type { Message } from "./message.ts";
import { work } from "./work.ts";
import type { QueueWorkerOptions, QueueWorkerResult } from "./worker.ts";

/** Options of calls that can be stopped. */
export interface QueueOptions {
  readonly signal?: AbortSignal;
}

/** Options of `JobQueue.submit`. */
export interface JobSubmitOptions extends QueueOptions {
  /** Which job of several comes first: 0 before 1 before 2, up to 2^21 - 1. Default: 0. */
  readonly priority?: number;
  /** Hears of the share of the tasks that are in the queue. */
  readonly onProgress?: (share: number) => void;
}

/** What `submit` has done. */
export interface Submitted {
  /** Tasks that were put into the queue. Those that were in it stay as they are. */
  readonly added: number;
  /** The state of the job before. */
  readonly status: JobStatus;
  /** Workers that suit the job and are at the queue now. */
  readonly workers: number;
}

/** What a queue knows of a job. */
export interface QueuedJob {
  /** Whether the job is in the queue: its tasks are handed out, and its products will be made. */
  readonly queued: boolean;
  /** Tasks that wait for a worker. */
  readonly waiting: number;
  /** Tasks that are being made: the share that is made, the worker, and for how long. */
  readonly active: readonly { readonly task: number; readonly share: number; readonly worker: string; readonly seconds: number }[];
  /** Workers that suit the job and are at the queue now. */
  readonly workers: number;
}

/** How far a job is while it is waited for. */
export interface QueueProgress {
  /** Tasks that are done. */
  readonly done: number;
  /** Tasks of the job. */
  readonly tasks: number;
  /** Tasks that are being made, with the share that is made. */
  readonly current: readonly { readonly task: number; readonly share: number }[];
  /** Workers that suit the job and are at the queue now. */
  readonly workers: number;
}

/** Options of `JobQueue.wait`. */
export interface WaitOptions extends QueueOptions {
  /** Hears of the state of the job after each look. */
  readonly onProgress?: (progress: QueueProgress) => void;
  /** Milliseconds between two looks. Default: 1000. */
  readonly everyMs?: number;
}

/**
 * A queue on a server. Calls reject with `failed` if the server refuses or can't be reached, and with `aborted`. Dispose of it to close its
 * connections.
 */
export interface JobQueue extends AsyncDisposable {
  /** The address without user, password and options. */
  readonly address: string;
  /**
   * Puts the tasks of a job that are missing into the queue, and after them the making of the products. Submitting a job again adds what is
   * missing in the store and not in the queue. Rejects with `input` if the job is cancelled.
   */
  submit(job: Job, store: JobStore, options?: JobSubmitOptions): Promise<Submitted>;
  /** Cancels a job: marks it in the store, takes its waiting tasks out of the queue, and tells the workers to stop those that they make. */
  cancel(job: Job, store: JobStore, options?: QueueOptions): Promise<void>;
  /** Looks at a job. */
  status(job: Job, store: JobStore): Promise<QueuedJob>;
  /** Waits until a job is no longer in the queue. Resolves with the state in its store. */
  wait(job: Job, store: JobStore, options?: WaitOptions): Promise<JobStatus>;
  /** Works on the tasks of all jobs that suit this version of dechirp and a device. See `QueueWorkerOptions`. */
  work(options: QueueWorkerOptions): Promise<QueueWorkerResult>;
}

/** Messages that are sent to the server at once. */
const mostAtOnce = 2000;
const mostPriority = 2 ** 21 - 1;
/** Messages about tasks that have ended stay in the queue for those who look, so many of each kind. */
const kept = { completed: 200, failed: 1000 };

/** Names of messages. One job may be in several stores, and is made in each of them. */
function idsOf({ id }: Job, { address }: JobStore): { readonly products: string; readonly gate: string; task(task: number): string } {
  const key = createHash("sha256").update(`${id}\n${address}`).digest("hex").slice(0, 32);
  return { products: `${key}-products`, gate: `${key}-gate`, task: (task) => `${key}-${task}` };
}
const gateOf = (queue: string): string => `${queue}-gate`;

const ended = { removeOnComplete: { count: kept.completed }, removeOnFail: { count: kept.failed }, stackTraceLimit: 1 };
const tries = { attempts: mostAttempts, backoff: { type: "fixed", delay: 1000 }, ...ended };
/** The products are made, or their making fails, when all tasks have ended in any way. */
const ofFlow = { ignoreDependencyOnFailure: true };

/**
 * Opens the queue at an address: `redis://`, `rediss://` (TLS), `postgres://`, `postgresql://`. Passwords and options of TLS in the address are those of
 * the drivers ioredis and pg. Rejects with `input` for an address of another kind, `unsupported` if BullMQ or the driver is not installed, and `failed` if the
 * server refuses or does not answer; messages have no password.
 */
export async function openJobQueue(url: string): Promise<JobQueue> {
  const engine = await openEngine(parseAddress(url));
  const queues = new Map<string, Promise<Queue>>();
  const named = (name: string): Promise<Queue> => {
    const found = queues.get(name) ?? engine.queue(name);
    queues.set(name, found);
    return found;
  };
  /** Runs work on the server. Its errors are dechirp's. */
  const on = async <T>(what: string, signal: AbortSignal | undefined, run: () => Promise<T>): Promise<T> => {
    throwIfAborted(signal, what);
    try {
      return await run();
    } catch (error) {
      throw engine.errorOf(error, what);
    }
  };
  try {
    await named("dechirp-control");
  } catch (error) {
    await engine[Symbol.asyncDispose]();
    throw error;
  }

  const status = (job: Job, store: JobStore): Promise<QueuedJob> =>
    on("looking at a job", undefined, async () => {
      const queue = await named(queueOf(job));
      const products = await queue.getJob(idsOf(job, store).products);
      const state = await products?.getState();
      const now = Date.now();
      const active = (await activeMessages(queue)).flatMap(({ name, data, progress, processedBy = "", processedOn = now }) =>
        name === "task" && data.job === job.id && data.store === store.address
          ? [{ task: Number(data.task), share: Number(progress) || 0, worker: processedBy, seconds: (now - processedOn) / 1000 }]
          : [],
      );
      const { unprocessed = 0 } = state === "waiting-children" ? ((await products?.getDependenciesCount({ unprocessed: true })) ?? {}) : {};
      const queued = state !== undefined && !["completed", "failed", "unknown"].includes(state);
      return { queued, waiting: Math.max(0, unprocessed - active.length), active, workers: await queue.getWorkersCount() };
    });

  return {
    address: engine.address.text,
    status,
    async submit(job, store, { priority = 0, signal, onProgress } = {}) {
      if (!(Number.isInteger(priority) && priority >= 0 && priority <= mostPriority))
        throw inputError("priority", `an integer from 0 to ${mostPriority}`, priority);
      return on("submitting a job", signal, async () => {
        const given = signal ? { signal } : {};
        await checkNotCancelled(store, given);
        const before = await jobStatus(job, store, given);
        const queue = await named(queueOf(job));
        const isToDo = before.missing.length > 0 || (!before.assembled && before.failed.length === 0);
        const added = isToDo ? await fill(engine, queue, named, { job, store, priority, signal, onProgress }) : 0;
        return { added, status: before, workers: await queue.getWorkersCount() };
      });
    },
    cancel: (job, store, { signal } = {}) =>
      on("cancelling a job", signal, async () => {
        await setCancelled(store, true, signal ? { signal } : {});
        const name = queueOf(job);
        await (await engine.producer(controlOf(name))).publishEvent({ eventName: "stop", job: job.id, store: store.address });
        // The last message, about the products, ends by itself when it is handed out.
        await (await (await named(name)).getJob(idsOf(job, store).products))?.removeUnprocessedChildren();
      }),
    async wait(job, store, { signal, onProgress, everyMs = 1000 } = {}) {
      for (;;) {
        const { queued, waiting, active, workers } = await status(job, store);
        if (!queued) return jobStatus(job, store, signal ? { signal } : {});
        if (onProgress) {
          const progress = {
            done: job.tasks - waiting - active.length,
            tasks: job.tasks,
            current: active.map(({ task, share }) => ({ task, share })),
            workers,
          };
          await callListener(() => onProgress(progress), "onProgress", undefined, "waiting for a job");
        }
        throwIfAborted(signal, "waiting for a job");
        const { setTimeout: wait } = await import("node:timers/promises");
        await wait(everyMs, undefined, signal ? { signal } : {}).catch(() => throwIfAborted(signal, "waiting for a job"));
      }
    },
    work: (options) => work(engine, options),
    [Symbol.asyncDispose]: () => engine[Symbol.asyncDispose](),
  };
}

/** Prepares the server of a queue once: makes or updates the tables in PostgreSQL. Rejects as `openJobQueue` does. */
export async function initJobQueue(url: string): Promise<void> {
  await using engine = await openEngine(parseAddress(url));
  await prepare(engine);
}

/**
 * Brings the messages of a job in line with what is missing. The message about the products waits for the others. Until all are there, it also
 * waits for a gate, a message in a queue that nobody works on, so that it is not handed out too early, and a submission that breaks off can be
 * repeated. Resolves with the number of tasks that were added.
 */
async function fill(
  engine: Engine,
  queue: Queue,
  named: (name: string) => Promise<Queue>,
  given: {
    readonly job: Job;
    readonly store: JobStore;
    readonly priority: number;
    readonly signal: AbortSignal | undefined;
    readonly onProgress: ((share: number) => void) | undefined;
  },
): Promise<number> {
  const { job, store, priority, signal, onProgress } = given;
  const on = signal ? { signal } : {};
  const common = { store: store.address, job: job.id } satisfies Message;
  const ids = idsOf(job, store);
  const parent = { id: ids.products, queue: queue.qualifiedName };
  const gates = await named(gateOf(queue.name));
  const gate = { name: "gate", data: {}, opts: { jobId: ids.gate, removeOnFail: true } };
  for (let turn = 0; ; turn++) {
    const products = await queue.getJob(parent.id);
    const state = await products?.getState();
    if (state === "active") {
      const { missing } = await jobStatus(job, store, on);
      if (missing.length === 0) return 0;
      throw new RadarError("failed", `${store.address}: its products are being made, although tasks are missing; submit it again later`, {
        missing: missing.length,
      });
    }
    if (state === "waiting-children") await gates.add(gate.name, gate.data, { ...gate.opts, parent });
    else {
      await products?.remove({ removeChildren: false });
      await (await gates.getJob(ids.gate))?.remove();
      const flows = await engine.flows();
      await flows.add({
        name: "assemble",
        queueName: queue.name,
        data: common,
        opts: { jobId: parent.id, ...tries },
        children: [{ ...gate, queueName: gates.name, opts: { ...gate.opts, ...ofFlow } }],
      });
      await flows.close();
    }
    // While the gate was added, the last task may have ended.
    if ((await (await queue.getJob(parent.id))?.getState()) === "waiting-children") break;
    if (turn === 3)
      throw new RadarError("failed", `${store.address}: the queue changes while the job is submitted; submit it again`, { job: job.id });
  }
  const [live, over] = await Promise.all([
    queue.getRanges(["waiting", "prioritized", "active", "delayed"], 0, -1),
    queue.getRanges(["completed", "failed"], 0, -1),
  ]).then((lists) => lists.map((list) => new Set(list)));
  // Read after the queue: a task that was done in between is in neither list.
  const { missing } = await jobStatus(job, store, on);
  const wanted = missing.filter((task) => !live.has(ids.task(task)));
  for (const task of wanted) if (over.has(ids.task(task))) await queue.remove(ids.task(task));
  for (let at = 0; at < wanted.length; at += mostAtOnce) {
    throwIfAborted(signal, "submitting a job");
    const some = wanted.slice(at, at + mostAtOnce);
    await queue.addBulk(
      some.map((task) => ({
        name: "task",
        data: { ...common, task } satisfies Message,
        opts: { jobId: ids.task(task), priority, parent, ...tries, ...ofFlow },
      })),
    );
    onProgress?.((at + some.length) / wanted.length);
  }
  await (await gates.getJob(ids.gate))?.remove();
  return wanted.length;
}
