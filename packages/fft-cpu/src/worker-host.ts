/** Starting a worker from its text, in Node (worker_threads) and in browsers (a Blob's URL), behind one small interface. */
import { nodeModule } from "./node-module.ts";

export interface HostWorker {
  post(message: object): void;
  onMessage: (message: unknown) => void;
  /** Called when the worker is gone, however that came about. */
  onExit: () => void;
  /** Whether the worker keeps Node alive. Nothing in browsers. */
  ref(): void;
  unref(): void;
  terminate(): void;
}

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
  // An error is followed by an exit.
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
  // A browser's worker survives its errors.
  worker.onerror = () => {
    host.terminate();
    host.onExit();
  };
  return host;
}
