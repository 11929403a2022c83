// Profiles three transforms as tasks of two workers, then measures their response times. The times depend on the machine.
import { type Device, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { analyseTaskSet, cpuPool, measureResponses, permittedSizes, profileTask } from "@dechirp/realtime";

const lines = layout("c64", [16, 1024]);

/** Plans and binds a transform in advance, so that a job only computes. */
const task = async (device: Device, id: string) => ({
  id,
  runs: [
    {
      plan: await device.plan({ op: "fft", layout: lines, axis: 1, inverse: false }),
      bindings: { in: device.alloc(lines), out: device.alloc(lines) },
    },
  ],
});

using device = await open(cpu({ workers: 2 }));
const tasks = [await task(device, "a"), await task(device, "b"), await task(device, "c")];

const { wcet } = await profileTask(device, tasks[0], { runs: 100 }); // the longest of 100 jobs on 1 and on 2 units, and a fifth more
const sizes = permittedSizes(wcet, 1.1, 2);
const { bound } = analyseTaskSet({ units: 2, tasks: [{ id: "fft", wcet, sizes, count: 3 }] }).tasks[0];

using pool = cpuPool(
  device,
  tasks.map((one) => ({ ...one, sizes })),
);
const { overall } = await measureResponses(pool, { jobs: 50, bounds: { a: bound, b: bound, c: bound } });
console.log(`${overall.finished} jobs, ${pool.counts.ownershipViolations} on units that were another's`);
console.log(`${overall.exceedances} responses above the bound of ${bound.toFixed(0)} µs`); // some, now and then: an operating system promises nothing
