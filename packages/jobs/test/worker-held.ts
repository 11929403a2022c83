/** A worker process of tests that says after each task how many bytes it still holds. Node must be started with `--expose-gc`. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { openStore, serveTasks } from "../src/index.ts";

/** Bytes that are in use when everything that nothing refers to has been collected. */
function heldBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const channel = {
  send(message: unknown, done: (error: Error | null) => void = () => {}) {
    const { kind } = message as { kind: string };
    // The most memory of the process does not depend on when Node collects.
    globalThis.gc?.();
    const held = kind === "ready" || kind === "done" ? { held: heldBytes() } : {};
    return process.send?.({ ...(message as object), ...held }, done);
  },
  on: (event: "message" | "disconnect", listener: (message: unknown) => void) => process.on(event, listener),
};
await serveTasks(await openStore(process.argv[2]), () => open(cpu({ kernels: "plain", workers: 1 })), channel);
process.exit();
