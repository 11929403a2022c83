/** Tasks that tests share: tiny ones of schedule run, with a helper that runs the command line on them, and large sets. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import { dechirp, type Outcome, temporaryFolder } from "./command.ts";

export const tiny = {
  rho: 1.3,
  tasks: [
    { id: "range, near", samples: 1024, deadline: 1e9, count: 3 },
    { id: "lines", samples: 512, line: 64, period: 1e-3, sizes: [1] },
    { id: "track", samples: 1000, rho: 1000 },
  ],
};
export const lines = {
  tasks: [
    { id: "a", samples: 512, line: 64, count: 3, sizes: [1, 2] },
    { id: "b", samples: 256, line: 32 },
  ],
};
export const few = ["--jobs", "6", "--runs", "8"];

/** Runs `schedule run tasks.json …` on `set`. OUT is replaced by a folder beside it. */
export async function scheduleRun(set: unknown, ...more: string[]): Promise<Outcome & { out: string; file: string }> {
  const folder = await temporaryFolder();
  const [file, out] = [join(folder, "tasks.json"), join(folder, "out")];
  await writeFile(file, JSON.stringify(set));
  return { ...(await dechirp(["schedule", "run", file, ...more.map((arg) => (arg === "OUT" ? out : arg))])), out, file };
}

/** A set of `count` tasks with times on 1 to 16 units. */
export function manyTasks(count: number): string {
  const { uniform } = createRandom(1);
  const tasks = Array.from({ length: count }, (_, i) => {
    const alone = 100 + 9000 * uniform();
    const wcet = Object.fromEntries([1, 2, 4, 8, 16].map((k) => [k, (alone / k) * (1 + 0.3 * uniform())]));
    return { id: `task ${i}`, wcet, deadline: 1e7, period: 1e7 };
  });
  return JSON.stringify({ units: 16, tasks });
}
