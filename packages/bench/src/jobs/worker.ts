/** A worker process of the measurement of the engine. Its argument is the store. */
import { openStore, serveTasks } from "@dechirp/jobs";
import { workerDevice } from "./measure.ts";

await serveTasks(await openStore(process.argv[2]), workerDevice, process);
if (process.connected) process.disconnect();
