/** A worker process of tests: serves the tasks of the job in a store on the processor. */
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { openStore, serveTasks } from "../src/index.ts";

const ended = new AbortController();
process.on("SIGTERM", () => ended.abort());
await serveTasks(await openStore(process.argv[2]), () => open(cpu({ kernels: "plain", workers: 1 })), process, ended.signal);
process.exit();
