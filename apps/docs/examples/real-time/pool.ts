// Three tasks share two workers: measures their execution times, bounds their responses, and runs them.
import { type Device, fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { analyseTaskSet, cpuPool, measureResponses, permittedSizes, profileTask } from "@dechirp/realtime";

const lines = layout("c64", [16, 1024]);

/** A task whose plan and buffers are made beforehand, so that a job only computes. */
const task = async (device: Device, id: string) => ({
  id,
  runs: [
    {
      plan: await device.plan(fft(lines, { axis: 1 })),
      bindings: { in: device.alloc(lines), out: device.alloc(lines) },
    },
  ],
});

using device = await open(cpu({ workers: 2 }));
const tasks = [await task(device, "a"), await task(device, "b"), await task(device, "c")];

const { wcet } = await profileTask(device, tasks[0], { runs: 100 }); // the longest of 100 jobs on 1 and on 2 units, times 1.2
const sizes = permittedSizes(wcet, 1.1, 2);
const { bound } = analyseTaskSet({ units: 2, tasks: [{ id: "fft", wcet, sizes, count: 3 }] }).tasks[0];

using pool = cpuPool(
  device,
  tasks.map((one) => ({ ...one, sizes })),
);
const { overall } = await measureResponses(pool, { jobs: 50, bounds: { a: bound, b: bound, c: bound } });
console.log(`${overall.finished} jobs, ${pool.counts.ownershipViolations} of them on a unit that another job was using`);
console.log(`${overall.exceedances} responses above the bound of ${bound.toFixed(0)} µs`); // sometimes a few, because the operating system gives no guarantees
