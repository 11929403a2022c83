/** Jobs on Slurm, by the scripts of the guide: bits, killed tasks, arrays that are too long for one. `npm test` and `npm run build` build the executable. */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dechirp } from "./command.ts";
import { main, spawned, start } from "./executable.ts";
import { type Slurm, slurmMissing, startSlurm, until } from "./slurm.ts";

const script = fileURLToPath(new URL("../../../apps/docs/examples/how-to/many-machines/slurm.bash", import.meta.url));
/** Number of tasks, and array jobs that they need. */
const [tasks, size, arrays] = [4, 3, 2];

let folder: string;
/** A folder of programs with the built `dechirp`. */
let bin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dechirp-array-"));
  await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
  bin = join(folder, "bin");
  await mkdir(bin);
  await writeProgram(bin, "dechirp", `exec "${process.execPath}" "${main}" "$@"`);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const writeProgram = (at: string, name: string, text: string): Promise<void> =>
  writeFile(join(at, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });

/** Plans the job into a new store. */
async function planned(name: string): Promise<string> {
  const store = join(folder, name);
  // A task takes seconds, so that it can be found and killed meanwhile.
  const grid = ["--grid=-40,-40,0.05,0.05,1600,1520", "--tile", "1024"];
  const { code, stdout } = await dechirp(["job", "plan", join(folder, "spotlight.cphd"), "--out", store, ...grid, "--json"]);
  expect([code, JSON.parse(stdout).tasks]).toEqual([0, tasks]);
  return store;
}

it("submits arrays and a job that waits for them", async () => {
  const store = await planned("asked");
  const asked = join(folder, "asked.txt");
  const calls = join(folder, "calls");
  await mkdir(calls);
  const stubs = {
    scontrol: `echo "MaxArraySize            = ${size}"`,
    sbatch: `echo "$*" >>"${asked}"; wc -l <"${asked}" | sed 's/ *\\(.*\\)/7\\1;cluster/'`,
  };
  for (const [name, text] of Object.entries(stubs)) await writeProgram(calls, name, text);
  const env = { ...process.env, PATH: [calls, bin, process.env["PATH"]].join(delimiter) };
  const submit = () => spawned("bash", [script, store, "--gres=gpu:1"], "ignore", env).ended;
  expect(await submit()).toMatchObject({ code: 0, stderr: "" });
  const own = (name: string): string => join(dirname(script), name);
  expect((await readFile(asked, "utf8")).trimEnd().split("\n")).toEqual([
    `--parsable --array=0-2 --gres=gpu:1 ${own("slurm-task.sbatch")} ${store} 0`,
    `--parsable --array=0 --gres=gpu:1 ${own("slurm-task.sbatch")} ${store} 3`,
    `--parsable --dependency=afterany:71,afterany:72 --gres=gpu:1 ${own("slurm-assemble.sbatch")} ${store}`,
  ]);
  // Nothing is submitted if Slurm refuses, or if there is no job.
  await writeProgram(calls, "sbatch", "exit 1");
  expect(await submit()).toMatchObject({ code: 1, stdout: "" });
  const absent = await spawned("bash", [script, join(folder, "absent")], "ignore", env).ended;
  expect(absent).toMatchObject({ code: 3, stdout: "", stderr: expect.stringMatching(/there is no job/) });
});

describe.skipIf(slurmMissing !== undefined)(slurmMissing ?? "the scripts for Slurm", () => {
  let slurm: Slurm;
  beforeAll(async () => {
    slurm = await startSlurm({ maxArraySize: size });
    slurm.env["PATH"] = [bin, process.env["PATH"]].join(delimiter);
  });
  afterAll(() => slurm?.remove());

  /** SHA-256 of each chunk in a store. */
  async function chunks(store: string): Promise<Record<string, string>> {
    const image = join(store, "image.zarr", "image");
    const names = (await readdir(image)).filter((name) => /^\d/.test(name)).sort();
    const digest = async (name: string) =>
      createHash("sha256")
        .update(await readFile(join(image, name)))
        .digest("hex");
    return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await digest(name)])));
  }

  /** The processes that make tasks on Slurm, by the number of the task. */
  async function making(store: string): Promise<ReadonlyMap<number, number>> {
    const found = new Map<number, number>();
    for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
      const words = (await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "")).split("\0");
      if (!words.includes(main) || !words.includes("task") || !words.includes(store)) continue;
      const index = /(?:^|\0)SLURM_ARRAY_TASK_ID=(\d+)/.exec(await readFile(`/proc/${pid}/environ`, "utf8").catch(() => ""))?.[1];
      if (index !== undefined) found.set(Number(words[words.indexOf("--offset") + 1]) + Number(index), Number(pid));
    }
    return found;
  }

  /** Runs the script, and resolves with the number of the job that makes the products. */
  const submit = async (store: string, ...options: readonly string[]): Promise<string> =>
    (await slurm.command("bash", script, store, ...options)).trim();
  /** The logs of tasks. */
  const logs = async (): Promise<readonly string[]> => (await readdir(slurm.folder)).filter((name) => /^dechirp-\d+_\d+\.log$/.test(name));
  const missing = async (store: string): Promise<string> => (await dechirp(["job", "missing", store, "--slurm"])).stdout.trim();

  it("make the bits of job run, also when a task was killed and what is missing is submitted again", async () => {
    const [byRun, bySlurm] = [await planned("run"), await planned("slurm")];
    const assemble = await submit(bySlurm, "--gres=gpu:1");
    let [victim, pid] = [-1, -1];
    await until("a task", async () => {
      for (const [task, process] of await making(bySlurm)) [victim, pid] = [task, process];
      return pid > 0;
    });
    expect(await readlink(`/proc/${pid}/cwd`)).toBe(slurm.folder);
    // Slurm hands out the GPUs that the option asks for.
    expect(await readFile(`/proc/${pid}/environ`, "utf8")).toMatch(/\0CUDA_VISIBLE_DEVICES=[01]\0/);
    process.kill(pid, "SIGKILL");
    await slurm.idle();

    // The others are done, and the job for the products says which one is not.
    expect(await missing(bySlurm)).toBe(String(victim));
    expect(await slurm.states(assemble)).toEqual(["FAILED"]);
    expect(await readFile(join(slurm.folder, `dechirp-assemble-${assemble}.log`), "utf8")).toMatch(
      new RegExp(`tasks are not done: ${victim}\n`),
    );
    expect(Object.keys(await chunks(bySlurm))).toHaveLength(tasks - 1);
    const first = await logs();
    expect(first).toHaveLength(tasks);
    expect(new Set(first.map((name) => name.split("_")[0])).size).toBe(arrays);

    const again = await submit(bySlurm);
    await slurm.idle();
    expect(await slurm.states(again)).toEqual(["COMPLETED"]);
    const fresh = (await logs()).filter((name) => !first.includes(name));
    expect(fresh).toEqual([expect.stringMatching(new RegExp(`_${victim % size}\\.log$`))]);
    expect(await readFile(join(slurm.folder, fresh[0]), "utf8")).toMatch(new RegExp(`^task ${victim}: [\\d.]+ s\n$`));
    expect(await missing(bySlurm)).toBe("");
    expect((await dechirp(["job", "verify", bySlurm])).code).toBe(0);

    expect((await start(["job", "run", byRun, "--workers", "2"]).ended).code).toBe(0);
    const made = await chunks(bySlurm);
    expect(Object.keys(made)).toHaveLength(tasks);
    expect(made).toEqual(await chunks(byRun));
    expect(await readFile(join(bySlurm, "result", "quicklook.png"))).toEqual(await readFile(join(byRun, "result", "quicklook.png")));

    // Nothing is missing: only the products are made once more.
    const last = await submit(bySlurm);
    expect(await slurm.command("squeue", "--noheader", "--array", "--format=%i")).toBe(`${last}\n`);
  });
});
