/** The README's example on a device does what it says. */
import { type Device, layout, open } from "@dechirp/core";
import { cpu } from "@dechirp/fft-cpu";
import { expect, it } from "vitest";
import { analyse, cpuPool, measure, permittedSizes, profile } from "../src/index.ts";

it("profiles, grants and measures", async () => {
  const lines = layout("c64", [16, 1024]);
  const transform = async (device: Device, id: string) => ({
    id,
    runs: [
      {
        plan: await device.plan({ op: "fft", layout: lines, axis: 1, inverse: false }),
        bindings: { in: device.alloc(lines), out: device.alloc(lines) },
      },
    ],
  });

  using device = await open(cpu({ units: 3 }));
  const tasks = [await transform(device, "a"), await transform(device, "b"), await transform(device, "c")];

  const { wcet } = await profile(device, tasks[0]);
  expect(Object.keys(wcet)).toEqual(["1", "2", "3"]);
  const sizes = permittedSizes(wcet, 1.1, 3);
  using pool = cpuPool(
    device,
    tasks.map((task) => ({ ...task, sizes })),
  );
  const record = await pool.submit("a");
  expect(Object.keys(record).sort()).toEqual(["finished", "granted", "job", "requested", "task", "units"]);
  expect(sizes).toContain(record.units.length);

  const { bound } = analyse({ units: 3, tasks: [{ id: "fft", wcet, sizes, count: 3 }] }).tasks[0];
  const { overall } = await measure(pool, { jobs: 100, bounds: { a: bound, b: bound, c: bound } });
  expect(overall.finished).toBe(300);
  expect(overall.exceedances > 0).toBe(overall.response.max > bound);
});
