/**
 * BullMQ with one of its backends. BullMQ and the driver are loaded when a queue is opened. Everything that this package knows of the two
 * servers is here: how they are addressed, prepared and waited for.
 */
import { createHash } from "node:crypto";
import { isRadarError, messageOf, RadarError } from "@dechirp/core";
import type { Job, JobDevice } from "@dechirp/jobs";
import type { FlowProducer, Processor, Queue, QueueEvents, QueueEventsProducer, Worker } from "bullmq";
import type { QueueAddress } from "./address.ts";

type Bullmq = typeof import("bullmq");

/** Seconds within which a server must answer when a queue is opened. */
const patienceSeconds = 5;

/** Options of the engine's workers. */
export interface EngineWorkerOptions {
  readonly leaseMs: number;
  readonly name: string;
}

/** BullMQ on one server. Everything that it makes ends with it. */
export interface Engine extends AsyncDisposable {
  readonly address: QueueAddress;
  readonly bullmq: Bullmq;
  /** Hears of errors of connections, which are mended by themselves. */
  onError: (error: unknown) => void;
  queue(name: string): Promise<Queue>;
  flows(): Promise<FlowProducer>;
  events(name: string): Promise<QueueEvents>;
  producer(name: string): Promise<QueueEventsProducer>;
  /** The worker begins when `run` is called. */
  worker(name: string, processor: Processor, options: EngineWorkerOptions): Promise<Worker>;
  /** An error of the server or its driver as one of dechirp, without what is secret. */
  errorOf(error: unknown, what: string): RadarError;
}

/** The queue for jobs of one version of dechirp and one kind of device: no other worker ever sees them. */
export function queueName(version: string, { class: name, ...device }: JobDevice): string {
  const kind = [version, name, device.id, device.arithmetic ?? "", device.description ?? ""].join("\n");
  const digest = createHash("sha256").update(kind).digest("hex").slice(0, 12);
  return `dechirp-${version.replace(/[^0-9A-Za-z.]/g, "-").slice(0, 20)}-${name}-${digest}`;
}
export const queueOf = (job: Job): string => queueName(job.dechirp, job.device);
/** The channel on which workers of a queue are told to stop tasks. */
export const controlOf = (queue: string): string => `${queue}-control`;

/** Opens an engine. Nothing is connected yet. Rejects with `unsupported` if a package is missing, which it names. */
export async function openEngine(address: QueueAddress): Promise<Engine> {
  const driver = address.kind === "redis" ? "ioredis" : "pg";
  const bullmq = await load("bullmq", driver, () => import("bullmq"));
  await load<unknown>(driver, driver, () => (address.kind === "redis" ? import("ioredis") : import("pg")));
  const classes = (address.kind === "redis"
    ? bullmq.withBackend(bullmq.createRedisBackend)
    : bullmq.withBackend(bullmq.createPostgresBackend as never)) as unknown as Pick<
    Bullmq,
    "FlowProducer" | "Queue" | "QueueEvents" | "QueueEventsProducer" | "Worker"
  >;
  const opened: { close(): Promise<unknown>; disconnect?(): Promise<unknown> }[] = [];
  /**
   * Blocking connections wait for a server that is away. Others give up after some tries. Workers do not wait until PostgreSQL has their changes on its
   * disk, as Redis does not either: of a queue whose server crashes, the last moments are lost, and what is done is in the store of its job.
   */
  const connection = (isBlocking: boolean, isWorker = false) =>
    address.kind === "redis"
      ? {
          url: address.url,
          maxRetriesPerRequest: isBlocking ? null : 4,
          retryStrategy: (times: number) => Math.min(100 * 2 ** times, 2000),
        }
      : // Two connections for queries; a worker has another one that listens.
        ({
          connectionString: address.url,
          max: 2,
          connectionTimeoutMillis: 1000 * patienceSeconds,
          ...(isWorker && { options: "-c synchronous_commit=off" }),
        } as never);

  const errorOf = (error: unknown, what: string): RadarError => {
    if (isRadarError(error)) return error;
    // The original error is not kept as the cause: drivers put commands and addresses into theirs.
    return new RadarError("failed", `queue ${address.text}: ${what}: ${address.redact(reasonOf(error))}`, { queue: address.text });
  };

  const engine: Engine = {
    address,
    bullmq,
    onError() {},
    queue: (name) => ready(new classes.Queue(name, { connection: connection(false) })),
    flows: () => ready(new classes.FlowProducer({ connection: connection(false) })),
    events: (name) => ready(new classes.QueueEvents(name, { connection: connection(true) })),
    producer: (name) => ready(new classes.QueueEventsProducer(name, { connection: connection(false) })),
    worker: (name, processor, { leaseMs, name: own }) =>
      ready(
        new classes.Worker(name, processor, {
          connection: connection(true, true),
          autorun: false,
          concurrency: 1,
          name: own,
          lockDuration: leaseMs,
          // How often all workers together look for leases that have ended.
          stalledInterval: Math.ceil(leaseMs / 4),
          // How often a task may be tried is decided by what its store knows of it.
          maxStalledCount: 2 ** 30,
          runRetryDelay: 1000,
        }),
      ),
    errorOf,
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.splice(0).map((one) => closed(one)));
    },
  };

  async function ready<
    T extends {
      waitUntilReady(): Promise<unknown>;
      close(): Promise<unknown>;
      on(event: "error", listener: (error: Error) => void): unknown;
    },
  >(one: T): Promise<T> {
    opened.push(one);
    let refuse: (error: unknown) => void = () => {};
    let last: unknown;
    one.on("error", (error) => {
      last = error;
      // The server has answered, and no other try changes what it says.
      if (error.name === "ReplyError") refuse(error);
      engine.onError(error);
    });
    const refused = new Promise<never>((_, reject) => {
      refuse = reject;
    });
    refused.catch(() => {});
    const timer = setTimeout(() => refuse(last ?? new Error(`it does not answer within ${patienceSeconds} s`)), 1000 * patienceSeconds);
    try {
      await Promise.race([one.waitUntilReady(), refused]);
      return one;
    } catch (error) {
      throw errorOf(error, "it can't be opened");
    } finally {
      clearTimeout(timer);
    }
  }
  return engine;
}

/** Loads a package that users install. */
async function load<T>(name: string, driver: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code } = (error ?? {}) as { code?: unknown };
    if (code !== "ERR_MODULE_NOT_FOUND" && code !== "MODULE_NOT_FOUND") throw error;
    throw new RadarError("unsupported", `the queue needs the package ${name}: npm install bullmq ${driver}`, { package: name });
  }
}

/** Why something failed. Errors of several attempts, such as to reach an address by IPv4 and IPv6, have no message of their own. */
function reasonOf(error: unknown): string {
  const { errors, code } = (error ?? {}) as { errors?: unknown; code?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return reasonOf(errors[0]);
  const { name } = (error ?? {}) as { name?: unknown };
  if (name === "SchemaMigrationRequiredError" || name === "SchemaVersionMismatchError")
    return "the database has no tables for queues, or older ones; prepare it once with dechirp job init";
  const text = messageOf(error);
  return text === "" ? String(code ?? "unknown") : text;
}

/** Milliseconds that a connection has to close. A server that is gone may not answer. */
const closingMilliseconds = 3000;

async function closed(one: { close(): Promise<unknown>; disconnect?(): Promise<unknown> }): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), closingMilliseconds);
  });
  const how = await Promise.race([one.close().catch(() => {}), late]);
  clearTimeout(timer);
  if (how === "late") await Promise.race([one.disconnect?.().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 100))]);
}

/**
 * Prepares the tables of queues in a PostgreSQL database, or brings them to the installed version of BullMQ. Redis needs nothing; that it
 * answers is checked. Rejects with `failed`.
 */
export async function prepare(engine: Engine): Promise<void> {
  if (engine.address.kind === "redis") {
    await engine.queue("dechirp-control");
    return;
  }
  const { PostgresConnection } = engine.bullmq;
  const connection = new PostgresConnection({
    connectionString: engine.address.url,
    max: 1,
    connectionTimeoutMillis: 1000 * patienceSeconds,
    migrate: true,
  } as never);
  connection.on("error", () => {});
  try {
    await connection.waitUntilReady();
  } catch (error) {
    throw engine.errorOf(error, "its tables can't be prepared");
  } finally {
    await connection.close().catch(() => {});
  }
}
