/** Starts a worker from its source text, in Node (worker_threads) and in browsers (URL of a Blob), behind one small interface. */
import { nodeModule } from "./node-module.ts";

/** A worker thread on any host. */
export interface HostWorker {
  post(message: object): void;
  onMessage: (message: unknown) => void;
  /** Called when the worker has ended, for whatever reason. */
  onExit: () => void;
  /** `ref` makes the worker keep Node alive, `unref` the opposite. No effect in browsers. */
  ref(): void;
  unref(): void;
  terminate(): void;
}

/** Starts a worker that runs `source`. */
export function startWorker(source: string): HostWorker {
  const threads = nodeModule("node:worker_threads");
  return threads ? startInNode(threads, source) : startInBrowser(source);
}

function startInNode({ Worker }: typeof import("node:worker_threads"), source: string): HostWorker {
  const glue = `
    const { parentPort } = require("node:worker_threads");
    const host = { post: (m) => parentPort.postMessage(m), onMessage: (f) => parentPort.on("message", f) };
  `;
  const worker = new Worker(glue + source, { eval: true });
  const host: HostWorker = {
    post: (message) => worker.postMessage(message),
    onMessage: () => {},
    onExit: () => {},
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: () => void worker.terminate(),
  };
  worker.on("message", (message: unknown) => host.onMessage(message));
  // An exit event follows every error.
  worker.on("error", () => {});
  worker.on("exit", () => host.onExit());
  return host;
}

function startInBrowser(source: string): HostWorker {
  const glue = "const host = { post: (m) => postMessage(m), onMessage: (f) => { onmessage = (e) => f(e.data); } };";
  const url = URL.createObjectURL(new Blob([glue + source], { type: "text/javascript" }));
  const worker = new Worker(url);
  const host: HostWorker = {
    post: (message) => worker.postMessage(message),
    onMessage: () => {},
    onExit: () => {},
    ref() {},
    unref() {},
    terminate() {
      worker.terminate();
      URL.revokeObjectURL(url);
    },
  };
  worker.onmessage = (event: MessageEvent) => host.onMessage(event.data);
  // In browsers a worker survives its errors, so it is ended here.
  worker.onerror = () => {
    host.terminate();
    host.onExit();
  };
  return host;
}
