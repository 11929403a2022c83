import { fft, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { analyseTaskSet, cpuPool, measureResponses, permittedSizes, profileTask } from "@dechirp/realtime";

const device = await open(cpu({ workers: 3 })); // leave one core to the caller's thread
const lines = layout("c64", [16, 1024]);
const transform = async (id) => ({
  id,
  runs: [
    {
      plan: await device.plan(fft(lines, { axis: 1 })),
      bindings: { in: device.alloc(lines), out: device.alloc(lines) },
    },
  ],
});
const tasks = [await transform("a"), await transform("b"), await transform("c")];

// The longest of 1000 jobs on 1, 2 and 3 units while the other units are loaded, multiplied by 1.2.
const { wcet } = await profileTask(device, tasks[0]);
const sizes = permittedSizes(wcet, 1.1, 3);
const pool = cpuPool(
  device,
  tasks.map((task) => ({ ...task, sizes })),
);
const { task, units } = await pool.submit("a"); // also: job, requested, granted, finished (in microseconds)
console.log(task, sizes.includes(units.length)); // a true

// All tasks start at once, and each runs 100 jobs one after another.
const { bound } = analyseTaskSet({ units: 3, tasks: [{ id: "fft", wcet, sizes, count: 3 }] }).tasks[0];
const { overall } = await measureResponses(pool, { jobs: 100, bounds: { a: bound, b: bound, c: bound } });
console.log(`${overall.finished} jobs, at most ${overall.response.max} µs, ${overall.exceedances} above the bound of ${bound} µs`);
pool[Symbol.dispose]();
device[Symbol.dispose]();
