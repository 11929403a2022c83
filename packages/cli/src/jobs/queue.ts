/** Queues of jobs: their address, and the package of the engine, which is not installed with the command. */
import { isRadarError } from "@dechirp/core";
import type { JobQueue } from "@dechirp/jobs-bullmq";
import { argumentError, CommandError } from "../errors.ts";
import type { Io } from "../io.ts";

/** Environment variable with the address of the queue. An address with a password belongs there: command lines can be seen by others. */
export const queueVariable = "DECHIRP_QUEUE";

/** The address of the queue, from `--queue` or the environment. */
export const queueAddress = (given: string | undefined, io: Io): string | undefined => given ?? (io.env[queueVariable] || undefined);

/** The address of the queue of a command that needs one. Throws `argument`. */
export function neededAddress(given: string | undefined, io: Io): string {
  const address = queueAddress(given, io);
  if (address !== undefined) return address;
  throw new CommandError("argument", `--queue is missing: the address of the queue, also in the environment as ${queueVariable}`, {
    option: "--queue",
  });
}

/** Loads the package of the engine. Throws `device` if it is not installed. */
async function loadEngine(address: string): Promise<typeof import("@dechirp/jobs-bullmq")> {
  try {
    return await import("@dechirp/jobs-bullmq");
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw missingPackages(address);
  }
}

const isMissing = (error: unknown): boolean =>
  ["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"].includes(String((error as { code?: unknown } | null)?.code));

function missingPackages(address: string): CommandError {
  const driver = /^postgres/i.test(address) ? "pg" : "ioredis";
  const packages = `@dechirp/jobs-bullmq bullmq ${driver}`;
  return new CommandError(
    "device",
    `queues need packages that are not installed with dechirp: npm install ${packages}, with -g if dechirp is`,
    { packages },
  );
}

/** Runs `work` with the engine. Errors about the address are about `--queue`. */
async function withEngine<T>(address: string, work: (engine: typeof import("@dechirp/jobs-bullmq")) => Promise<T>): Promise<T> {
  try {
    return await work(await loadEngine(address));
  } catch (error) {
    if (isRadarError(error, "unsupported") && error.fields["package"] !== undefined) throw missingPackages(address);
    const { field, expected, actual } = isRadarError(error, "input") ? error.fields : {};
    throw field === "queue" ? argumentError("--queue", String(expected), actual) : error;
  }
}

/** Opens a queue. */
export const openQueue = (address: string): Promise<JobQueue> => withEngine(address, ({ openJobQueue }) => openJobQueue(address));

/** Prepares the server of a queue. */
export const initQueue = (address: string): Promise<void> => withEngine(address, ({ initJobQueue }) => initJobQueue(address));
