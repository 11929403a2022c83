/**
 * Starts workers, behind one small interface: in Node with worker_threads, in browsers from the URL of a Blob, or as the application does
 * it (`startWorker` of `CpuOptions`).
 */
import { inputError } from "@dechirp/core";
import { nodeModule } from "./node-module.ts";
import { workerText } from "./worker-text.ts";

/** A worker thread on any host. */
export interface HostWorker {
  post(message: object): void;
  onMessage: (message: unknown) => void;
  /** Called when the worker has ended, for whatever reason. */
  onExit: (reason?: string) => void;
  /** `ref` makes the worker keep Node alive, `unref` the opposite. No effect in browsers. */
  ref(): void;
  unref(): void;
  terminate(): void;
}

/** What the pool uses of a worker thread of Node. Node's own types must not reach the declarations, which browsers' programs read, too. */
interface NodeWorker {
  postMessage(message: object): void;
  on(event: "message" | "error" | "exit", listener: (value: unknown) => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): unknown;
}

/** A web worker, as the class `Worker` of browsers makes it. */
export interface CpuWorker {
  /** Sends a message to the worker. */
  postMessage(message: unknown): void;
  /** Listens to the worker's messages, and to errors, which end its use. */
  addEventListener(type: "message" | "error", listener: (event: CpuWorkerEvent) => void): void;
  /** Ends the worker. */
  terminate(): void;
}

/** What the pool reads of a worker's events: `data` of messages, `message` of errors. */
export interface CpuWorkerEvent {
  readonly type: string;
  readonly data?: unknown;
  readonly message?: string;
}

/** Returns a function that starts a worker. It throws if the host refuses, and throws `input` if `start` returns something else. */
export function workerStarter(start?: () => CpuWorker): () => HostWorker {
  const threads = nodeModule("node:worker_threads");
  if (threads) return () => startInNode(threads);
  return start ? () => startFromFile(start) : startFromText;
}

const startInNode = ({ Worker }: typeof import("node:worker_threads")): HostWorker =>
  hostOfNode(new Worker(workerText, { eval: true, workerData: "@dechirp/fft-cpu" }));

/** A worker thread of Node as the pool sees it. */
export function hostOfNode(worker: NodeWorker): HostWorker {
  const host: HostWorker = {
    post: (message) => worker.postMessage(message),
    onMessage: () => {},
    onExit: () => {},
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: () => void worker.terminate(),
  };
  worker.on("message", (message) => host.onMessage(message));
  // An exit event follows every error.
  worker.on("error", () => {});
  worker.on("exit", () => host.onExit());
  return host;
}

/** `ended` is called once, when the worker is not needed any more. */
function hostOf(worker: CpuWorker, ended: () => void, reasonOf: (message: string | undefined) => string | undefined): HostWorker {
  const host: HostWorker = {
    post: (message) => worker.postMessage(message),
    onMessage: () => {},
    onExit: () => {},
    ref() {},
    unref() {},
    terminate() {
      worker.terminate();
      ended();
    },
  };
  worker.addEventListener("message", ({ data }) => host.onMessage(data));
  // In browsers a worker survives its errors, so it is ended here.
  worker.addEventListener("error", ({ message }) => {
    host.terminate();
    host.onExit(reasonOf(message));
  });
  return host;
}

function startFromText(): HostWorker {
  const url = URL.createObjectURL(new Blob([workerText], { type: "text/javascript" }));
  return hostOf(
    new Worker(url),
    () => URL.revokeObjectURL(url),
    () => undefined,
  );
}

/** How long a worker may take to load its file and to answer the first message. A file that is not a worker's never answers. */
const longestStart = 20_000;

function startFromFile(start: () => CpuWorker): HostWorker {
  const worker: unknown = start();
  const { postMessage, addEventListener, terminate } = (worker ?? {}) as Partial<CpuWorker>;
  if (![postMessage, addEventListener, terminate].every((method) => typeof method === "function"))
    throw inputError("startWorker", "a function that returns a Worker", worker);
  let hasAnswered = false;
  const late = setTimeout(() => {
    host.terminate();
    host.onExit("the file of a worker does not answer; it must be that of @dechirp/fft-cpu/worker");
  }, longestStart);
  const host = hostOf(
    worker as CpuWorker,
    () => clearTimeout(late),
    (message) => (hasAnswered ? undefined : message || "the file of a worker can't be loaded"),
  );
  (worker as CpuWorker).addEventListener("message", () => {
    hasAnswered = true;
    clearTimeout(late);
  });
  return host;
}
