/**
 * A worker process of tests: works on a queue with the processor. The argument has options of `work` as JSON. It tells its events to its
 * parent.
 */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { setAssembled } from "@dechirp/jobs";
import { openJobQueue } from "../src/index.ts";

const [leave, stop] = [new AbortController(), new AbortController()];
process.on("SIGTERM", () => (leave.signal.aborted ? stop : leave).abort());
process.on("disconnect", () => process.exit(9));
const openDevice = () => open(cpu({ kernels: "plain", workers: 1 }));
try {
  const queue = await openJobQueue(process.env["DECHIRP_QUEUE"] ?? "");
  const result = await queue.work({
    openDevice,
    signal: leave.signal,
    stop: stop.signal,
    ...JSON.parse(process.argv[2]),
    assemble: ({ store }) => setAssembled(store, ["made"]),
    onEvent: (event) => process.send?.({ event }),
  });
  process.send?.({ result });
} catch (error) {
  process.send?.({ error: { message: (error as Error).message, stack: (error as Error).stack } });
}
process.exit();
