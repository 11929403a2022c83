import { writeFile } from "node:fs/promises";
import { open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { encodeCphd } from "@dechirp/io/cphd";
import { createTaskRunner, jobStatus, openStore, planJob } from "@dechirp/jobs";
import { linearTrack, simulatePhaseHistory } from "@dechirp/sar";

// A recording to work on: the phase history of one target.
const [pulses, count] = [128, 96];
const { samples, ...history } = simulatePhaseHistory({
  positions: linearTrack({ middleMeters: [-900, 0, 700], stepMeters: [0, 0.5, 0], pulses }),
  frequency: { firstHz: 9.5e9, stepHz: 1.1e6, count },
  targets: [{ positionMeters: [3, -4, 0], amplitude: 1 }],
});
const read = (from, some) => samples.subarray(2 * from * count, 2 * (from + some) * count);
const recording = { ...history, name: "one target", shape: [pulses, count], pulses: read };
const origin = { latitudeDegrees: 40, longitudeDegrees: -113, heightMeters: 1290 };
await writeFile("one.cphd", encodeCphd(recording, { origin, prfHz: 200, startUtc: "2026-05-01T00:00:00Z" }));

// Whoever plans decides everything that the image depends on.
const device = await open(cpu({ kernels: "plain" })); // the same bits on every processor
const store = await openStore("job"); // a folder; or s3://BUCKET/PREFIX
const grid = { xMeters: -40, yMeters: -40, xStepMeters: 0.2, yStepMeters: 0.2, nx: 400, ny: 400 };
const request = { what: "backproject", paths: ["one.cphd"], settings: { grid, tile: 16 }, tile: 256, memoryBytes: 2 ** 30 };
const { job } = await planJob(store, device, { ...request, output: {} });

// Any number of processes make the tasks, in any order; a task that is done is not made again.
const runner = createTaskRunner(job, store, device);
for (let task = 0; task < job.tasks; task++) await runner.run(task);
await runner[Symbol.asyncDispose]();
const { done, missing } = await jobStatus(job, store);
console.log(`${done} of ${job.tasks} tasks, ${missing.length} missing`); // 4 of 4 tasks, 0 missing
device[Symbol.dispose]();
