/** `dechirp job`: plans, worker processes, tasks by hand, products, and what is refused. `npm test` and `npm run build` build the executable. */
import { copyFile, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dechirp, simulatedScene, smallPreset, temporaryFolder } from "./command.ts";
import { start } from "./executable.ts";

let folder: string;
let file: string;
let scene: string;
beforeAll(async () => {
  const { mkdtemp } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  folder = await mkdtemp(join(tmpdir(), "dechirp-job-"));
  await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
  file = join(folder, "spotlight.cphd");
  scene = await smallScene(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const json = ({ code, stdout, stderr }: Awaited<ReturnType<typeof dechirp>>) => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};
const grid = "--grid=-40,-40,0.4,0.4,200,190";

/** Writes a scene folder that takes several blocks. */
async function smallScene(folder: string): Promise<string> {
  const { writeSceneFolder } = await import("@dechirp/io/node");
  const path = join(folder, "scene");
  await writeSceneFolder(path, await simulatedScene("small", { ...smallPreset(true), lines: 900 }, { type: "ci16" }));
  return path;
}

/** Plans a job of four tasks. */
async function planned(...more: readonly string[]): Promise<string> {
  const store = join(await temporaryFolder(), "job");
  const { tasks, what } = json(await dechirp(["job", "plan", file, "--out", store, grid, "--tile", "128", "--json", ...more]));
  expect([what, tasks]).toEqual(["backproject", 4]);
  return store;
}

describe("dechirp job", () => {
  it("makes the image and the products of backproject, by processes and by hand", async () => {
    const own = join(await temporaryFolder(), "own");
    expect((await dechirp(["backproject", file, "--out", own, grid, "--format", "npy,sicd"])).code).toBe(0);
    const image = await readNpy(await readFile(join(own, "image.npy")), { file: "image.npy" });
    const store = await planned("--format", "npy,sicd,cog", "--copy");
    const run = await start(["job", "run", store, "--workers", "2", "--json"]).ended;
    const { done, files } = json(run as never);
    expect(done).toBe(4);
    expect(files).toEqual(
      expect.arrayContaining(["result/image.npy", "result/image.nitf", "result/image.tif", "result/report.json", "image.zarr"]),
    );
    const made = await readNpy(await readFile(join(store, "result", "image.npy")), { file: "image.npy" });
    expect(made.layout).toEqual(image.layout);
    let [error, power] = [0, 0];
    for (let i = 0; i < image.data.length; i++) {
      error += ((made.data[i] as number) - (image.data[i] as number)) ** 2;
      power += (image.data[i] as number) ** 2;
    }
    // The job's arithmetic has no relaxed SIMD.
    expect(error / power).toBeLessThan(1e-12);
    const [report, other] = await Promise.all(
      [own, join(store, "result")].map(async (at) => JSON.parse(await readFile(join(at, "report.json"), "utf8"))),
    );
    expect(Math.abs(other.entropy - report.entropy)).toBeLessThan(1e-6);
    expect(other.parameters.grid).toEqual(report.parameters.grid);
    // Another store, task by task, as array jobs do it.
    const byHand = await planned();
    const numbers = (await dechirp(["job", "missing", byHand])).stdout.trim().split("\n");
    expect(numbers).toEqual(["0", "1", "2", "3"]);
    const missing = ["job", "missing", byHand, "--slurm"];
    expect((await dechirp(missing)).stdout).toBe("0-3\n");
    expect((await dechirp([...missing, "--array-size", "3"])).stdout).toBe("0 0-2\n3 0\n");
    expect((await dechirp([...missing, "--array-size", "4"])).stdout).toBe("0 0-3\n");
    expect(json(await dechirp([...missing, "--array-size", "2", "--json"]))).toEqual({
      missing: [0, 1, 2, 3],
      arrays: [
        { offset: 0, indices: "0-1" },
        { offset: 2, indices: "0-1" },
      ],
    });
    for (const [task, variable] of [
      ["2", "SLURM_ARRAY_TASK_ID"],
      ["0", "JOB_COMPLETION_INDEX"],
    ] as const)
      expect((await dechirp(["job", "task", byHand], { env: { [variable]: task } })).stdout).toMatch(`task ${task}: `);
    const third = await dechirp(["job", "task", byHand, "--offset", "2"], { env: { AWS_BATCH_JOB_ARRAY_INDEX: "1" } });
    expect(third.stdout).toMatch("task 3: ");
    expect((await dechirp([...missing, "--array-size", "1"])).stdout).toBe("1 0\n");
    expect((await dechirp(["job", "assemble", byHand])).stderr).toMatch(/tasks are not done: 1\n$/);
    expect(json(await dechirp(["job", "task", byHand, "--index", "1", "--json"]))).toMatchObject({ task: 1, skipped: false });
    expect((await dechirp(["job", "task", byHand, "--index", "1"])).stdout).toBe("task 1 was done before\n");
    const marks = async (at: string) =>
      Promise.all([0, 1, 2, 3].map(async (k) => JSON.parse(await readFile(join(at, "done", `${k}.json`), "utf8")).files[0].sha256));
    expect(await marks(byHand)).toEqual(await marks(store));
    expect(json(await dechirp(["job", "assemble", byHand, "--json"])).files).toContain("result/quicklook.png");
    expect(json(await dechirp(["job", "status", byHand, "--json"]))).toMatchObject({ done: 4, missing: "", failed: [], assembled: true });
  });

  it("makes the image and the products of focus", async () => {
    const own = join(await temporaryFolder(), "own");
    const options = ["--window", "taylor:4,-30", "--doppler-centroid", "auto"];
    expect((await dechirp(["focus", scene, "--out", own, ...options])).code).toBe(0);
    const store = join(await temporaryFolder(), "job");
    const plan = json(await dechirp(["job", "plan", scene, "--out", store, ...options, "--tile", "400", "--format", "npy", "--json"]));
    expect(plan).toMatchObject({ what: "focus", warnings: [] });
    expect(plan.tasks).toBeGreaterThan(1);
    // What was measured is decided: workers measure nothing.
    expect(JSON.parse(await readFile(join(store, "job.json"), "utf8")).plan.centroid.used).toMatchObject({ value: expect.any(Number) });
    for (let task = 0; task < plan.tasks; task++) expect((await dechirp(["job", "task", store, "--index", String(task)])).code).toBe(0);
    expect(json(await dechirp(["job", "assemble", store, "--json"])).files).toContain("result/image.npy");
    const [made, whole] = await Promise.all(
      [join(store, "result"), own].map(async (at) => readNpy(await readFile(join(at, "image.npy")), { file: "image.npy" })),
    );
    expect(made.layout).toEqual(whole.layout);
    let [error, power] = [0, 0];
    for (let i = 0; i < whole.data.length; i++) {
      error += ((made.data[i] as number) - (whole.data[i] as number)) ** 2;
      power += (whole.data[i] as number) ** 2;
    }
    // Blocks have other transforms than the whole image.
    expect(error / power).toBeLessThan(1e-9);
    const [report, other] = await Promise.all(
      [own, join(store, "result")].map(async (at) => JSON.parse(await readFile(join(at, "report.json"), "utf8"))),
    );
    expect(other.parameters.dopplerCentroidHz).toEqual(report.parameters.dopplerCentroidHz);
    expect(other.parameters.rangeWindow).toEqual(report.parameters.rangeWindow);
  });

  it("divides pulses into sets, tells how, and has the same sums by processes and by hand", async () => {
    const plan = async (...more: readonly string[]) => {
      const store = join(await temporaryFolder(), "job");
      return { store, ended: await dechirp(["job", "plan", file, "--out", store, grid, "--tile", "128", ...more]) };
    };
    const { stdout } = (await plan("--workers", "2")).ended;
    expect(stdout).toMatch(/, 4 tasks for processors\n/);
    expect(stdout).toMatch(/\n {2}1 set of pulses: the cost model predicts [\d.e-]+ s for 2 workers /);
    expect(stdout).toMatch(/\n {2}a task reads \d+ pulses of \d+ frequencies \([\d.]+ MB\) and keeps \d+ % of their ranges\n/);
    const sets = async (): Promise<string> => {
      const { store, ended } = await plan("--pulse-sets", "3", "--format", "npy", "--json");
      const { tasks, notes, image } = json(ended);
      expect([tasks, notes[0], image.sets]).toEqual([12, "3 sets of pulses, as asked for", 3]);
      return store;
    };
    const store = await sets();
    const run = await start(["job", "run", store, "--workers", "2", "--json"]).ended;
    expect(json(run as never)).toMatchObject({ done: 12, sums: { tiles: 4 } });
    expect((await dechirp(["job", "status", store])).stdout).toMatch(/12 of 12 tasks done, 4 of 4 tiles summed, products made\n/);
    expect(json(await dechirp(["job", "verify", store, "--json"]))).toMatchObject({ checked: 12, damaged: [] });
    const byHand = await sets();
    for (let task = 11; task >= 0; task--) expect((await dechirp(["job", "task", byHand, "--index", String(task)])).code).toBe(0);
    expect((await dechirp(["job", "assemble", byHand])).code).toBe(0);
    const [image, other] = await Promise.all([store, byHand].map((at) => readFile(join(at, "result", "image.npy"))));
    expect(other.equals(image)).toBe(true);
  });

  it("with --each makes an image of each recording, and names the one that can't be read", async () => {
    const out = await temporaryFolder();
    const [copy, broken, store] = [join(out, "spotlight.cphd"), join(out, "broken.cphd"), join(out, "job")];
    await copyFile(file, copy);
    await writeFile(broken, (await readFile(file)).subarray(0, 20_000));
    const planned = await dechirp(["job", "plan", broken, file, copy, "--each", "--out", store, grid, "--format", "npy", "--json"]);
    expect(planned).toMatchObject({ code: 0, stderr: expect.stringMatching(/^warning: .*broken\.cphd: .*; its task will fail\n$/) });
    expect(JSON.parse(planned.stdout)).toMatchObject({ what: "backproject-each", tasks: 3, warnings: [expect.stringContaining(broken)] });
    expect((await dechirp(["job", "assemble", store])).stderr).toMatch(/tasks are not done: 0-2\n$/);
    const run = await start(["job", "run", store, "--workers", "2", "--json"]).ended;
    expect(run).toMatchObject({ code: 7, stderr: expect.stringContaining("broken.cphd") });
    const { done, failed, files } = JSON.parse(run.stdout);
    expect([done, failed.length, failed[0].task]).toEqual([2, 1, 0]);
    // Products of one name differ by a number.
    for (const name of ["spotlight", "spotlight-2"])
      for (const product of [`result/${name}/image.npy`, `result/${name}/report.json`, `products/${name}/image.zarr`])
        expect(files).toContain(product);
    const [one, two] = await Promise.all(["spotlight", "spotlight-2"].map((name) => readFile(join(store, "result", name, "image.npy"))));
    expect(one.equals(two)).toBe(true);
    const single = join(out, "single");
    await dechirp(["job", "plan", file, "--out", single, grid, "--format", "npy"]);
    expect((await start(["job", "run", single]).ended).code).toBe(0);
    expect((await readFile(join(single, "result", "image.npy"))).equals(one)).toBe(true);
    expect((await dechirp(["job", "status", store])).stdout).toMatch(
      /2 of 3 tasks done, 1 failed\n {2}task 0 failed after 1 attempt: .*broken/,
    );
    expect((await dechirp(["job", "missing", store])).stdout).toBe("");
    expect(json(await dechirp(["job", "verify", store, "--json"]))).toMatchObject({ checked: 2, damaged: [] });
    const forget = ["job", "verify", store, "--forget"];
    const before = await readFile(join(store, "failed", "0.json"));
    expect(json(await dechirp([...forget, "--json"]))).toMatchObject({
      damaged: [],
      forgotten: [{ task: 0, attempts: [{ code: "input", message: expect.stringContaining("broken.cphd") }] }],
    });
    expect((await dechirp(["job", "missing", store])).stdout).toBe("0\n");
    await writeFile(join(store, "failed", "0.json"), before);
    expect((await dechirp(forget)).stdout).toMatch(
      /: 2 tasks checked, all as they were written\n {2}the failures of 1 task are forgotten:\n {2}task 0 failed after 1 attempt: .*broken\.cphd.*\n$/,
    );
    expect((await dechirp(forget)).stdout).toMatch(/: 2 tasks checked, all as they were written\n$/);
    const again = await dechirp(["job", "assemble", store, "--json"]);
    expect(again).toMatchObject({ code: 7, stderr: expect.stringMatching(/^warning: .*tasks are not done: 0\n$/) });
    expect(JSON.parse(again.stdout).files.sort()).toEqual([...files].sort());
  });

  it("that is cancelled by another process ends with one error, and notes no failure", async () => {
    const store = join(await temporaryFolder(), "job");
    const slow = ["--grid=-40,-40,0.01,0.01,8000,7600", "--tile", "4096"];
    expect(json(await dechirp(["job", "plan", file, "--out", store, ...slow, "--json"])).tasks).toBe(4);
    for (const args of [
      ["job", "run", store, "--units", "1"],
      ["job", "task", store, "--index", "0", "--units", "1"],
    ]) {
      const { ended } = start(args);
      // It is not told when a task begins; the task takes longer than the rest.
      await new Promise((resolve) => setTimeout(resolve, 3000));
      expect((await dechirp(["job", "cancel", store])).code).toBe(0);
      expect(await ended, args.join(" ")).toMatchObject({
        code: 3,
        stdout: "",
        stderr: expect.stringMatching(/: the job is cancelled\n$/),
      });
      expect((await dechirp(["job", "status", store])).stdout).toMatch(/: 0 of 4 tasks done, 4 missing, cancelled\n$/);
      expect(await readdir(store)).not.toContain("failed");
      expect((await dechirp(["job", "cancel", store, "--undo"])).code).toBe(0);
    }
  });

  it.skipIf(process.platform === "win32")("is stopped by Ctrl-C, and goes on", async () => {
    const store = join(await temporaryFolder(), "job");
    const many = ["--grid=-40,-40,0.05,0.05,1600,1520", "--tile", "512"];
    const { tasks } = json(await dechirp(["job", "plan", file, "--out", store, ...many, "--json"]));
    expect(tasks).toBe(12);
    const { child, ended } = start(["job", "run", store]);
    const done = async () => (await readdir(join(store, "done")).catch(() => [])).filter((name) => name.endsWith(".json")).length;
    await expect.poll(done, { interval: 10 }).toBeGreaterThan(0);
    child.kill("SIGINT");
    expect(await ended).toMatchObject({ code: 130, stdout: "" });
    expect(await done()).toBeLessThan(tasks);
    expect(json((await start(["job", "run", store, "--json"]).ended) as never)).toMatchObject({ done: tasks, missing: 0 });
    expect((await readdir(store, { recursive: true })).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("names what is wrong, finds damage, and can be cancelled", async () => {
    const store = await planned();
    const [copy, link] = [join(store, "copy.cphd"), join(store, "link")];
    await copyFile(file, copy);
    await symlink(file, link);
    const cases: readonly (readonly [args: readonly string[], code: number, text: RegExp])[] = [
      [["job"], 2, /a command is missing: job plan/],
      [["job", "plan", file], 2, /--out is missing/],
      [["job", "plan", file, "--out", store, "--rcmc", "off"], 2, /--rcmc must be left out with --what backproject/],
      [["job", "plan", file, "--out", store, "--tile", "100"], 2, /--tile must be a multiple of/],
      [["job", "plan", file, "--out", store, "--pulse-sets", "0"], 2, /--pulse-sets must be an integer from 1/],
      [["job", "plan", file, "--out", store, "--pulse-sets", "60000"], 2, /--pulse-sets must be an integer from 1 to \d+, as there are/],
      [["job", "plan", scene, "--out", store, "--workers", "2"], 2, /--workers must be left out with --what focus/],
      [["job", "plan", file, "--each", "--pulse-sets", "2", "--out", store], 2, /--pulse-sets must be left out for an image of each/],
      [["job", "plan", file, "--out", store, "--format", "zarr"], 2, /--format must be npy, sicd, cog or png/],
      [["job", "plan", file, file, "--out", store], 3, /the inputs are read as one recording, and with --each an image is made of each/],
      [["job", "plan", scene, scene, "--out", store], 2, /several stripmap recordings need --each: an image is made of each/],
      [["job", "plan", scene, "--out", store, "--grid=0,0,1,1,8,8"], 2, /--grid must be left out with --what focus/],
      [["job", "plan", scene, "--out", store, "--tile", "8"], 2, /--tile must be more than \d+ lines/],
      [["job", "plan", scene, "--out", store, "--bandwidth", "1e9"], 2, /--bandwidth/],
      [["job", "plan", scene, "--out", store, "--segment", "2"], 2, /--segment must be an integer from 1 to 1/],
      [["job", "plan", scene, "--out", store, "--azimuth-length", "4096"], 2, /--azimuth-length must be left out/],
      [["job", "plan", scene, "--each", "--agc", file, "--out", store], 2, /--agc must be left out for an image of each recording/],
      [["job", "plan", file, copy, "--each", "--tile", "100", "--out", store], 2, /--tile must be a multiple of .*spotlight\.cphd/],
      [
        ["job", "plan", copy, file, link, "--each", "--out", store],
        2,
        /INPUT must be different recordings with --each: .*spotlight\.cphd and .*link are the same/,
      ],
      [["job", "plan", scene, join(scene, "..", "scene/"), "--each", "--out", store], 2, /: .*scene and .*scene\/ are the same/],
      [["job", "plan", scene, "--each", "--what", "backproject", "--out", store], 3, /scene/],
      [["job", "plan", file, "--out", "ftp://there/job"], 2, /--out ftp:\/\/there\/job: store must be a folder/],
      [["job", "plan", file, "--out", "s3://bucket/job"], 2, /AWS_ACCESS_KEY_ID/],
      [["job", "plan", join(folder, "targets.geojson"), "--out", join(store, "x")], 3, /targets\.geojson/],
      [["job", "plan", join(folder, "absent"), "--out", store], 3, /there is no such file/],
      [["job", "plan", file, "--out", store], 3, /it has the job [0-9a-f]{12} already/],
      [["job", "status", folder], 3, /there is no job/],
      [["job", "run", store, "--workers", "0"], 2, /--workers must be an integer from 1/],
      [["job", "task", store], 2, /--index is missing/],
      [["job", "task", store, "--index", "4"], 2, /--index must be an integer from 0 to 3/],
      [["job", "task", store, "--index", "2", "--offset", "2"], 2, /--index must be an integer from 0 to 1/],
      [["job", "task", store, "--index", "0", "--offset", "4"], 2, /--offset must be an integer from 0 to 3/],
      [["job", "missing", store, "--slurm", "--array-size", "0"], 2, /--array-size must be an integer from 1/],
      [["job", "missing", store, "--array-size", "5"], 2, /--array-size needs --slurm/],
    ];
    for (const [args, code, text] of cases) {
      const told = await dechirp(args);
      expect([told.code, told.stdout], args.join(" ")).toEqual([code, ""]);
      expect(told.stderr, args.join(" ")).toMatch(text);
    }
    // This process has a channel to its parent, as a worker has.
    expect(await start(["job", "worker", store]).ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/started by dechirp job run/),
    });
    expect((await dechirp(["job", "cancel", store])).stdout).toMatch(/is cancelled/);
    expect(await dechirp(["job", "task", store, "--index", "0"])).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/the job is cancelled/),
    });
    expect((await dechirp(["job", "cancel", store, "--undo"])).stdout).toMatch(/taken up again/);
    // No task has failed by that.
    expect((await dechirp(["job", "missing", store, "--slurm"])).stdout).toBe("0-3\n");
    expect((await dechirp(["job", "task", store, "--index", "0"])).code).toBe(0);
    await writeFile(join(store, "image.zarr", "image", "0.0.0"), "damaged");
    expect(await dechirp(["job", "verify", store])).toMatchObject({ code: 3, stderr: expect.stringMatching(/task 0: .* is changed/) });
    expect((await dechirp(["job", "verify", store, "--forget"])).stdout).toMatch(/1 damaged, to be made again/);
    expect((await dechirp(["job", "missing", store, "--slurm"])).stdout).toBe("0-3\n");
  });
});
