/** `dechirp job`: plans, worker processes, tasks by hand, products, and what is refused. `npm test` and `npm run build` build the executable. */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readNpy } from "@dechirp/io";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { start } from "./executable.ts";

let folder: string;
let file: string;
beforeAll(async () => {
  const { mkdtemp } = await import("node:fs/promises");
  const { tmpdir } = await import("node:os");
  folder = await mkdtemp(join(tmpdir(), "dechirp-job-"));
  await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
  file = join(folder, "spotlight.cphd");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const json = ({ code, stdout, stderr }: Awaited<ReturnType<typeof dechirp>>) => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
};
const grid = "--grid=-40,-40,0.4,0.4,200,190";

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
    expect((await dechirp(["job", "missing", byHand, "--slurm"])).stdout).toBe("0-3\n");
    for (const [task, variable] of [
      ["2", "SLURM_ARRAY_TASK_ID"],
      ["0", "JOB_COMPLETION_INDEX"],
      ["3", "AWS_BATCH_JOB_ARRAY_INDEX"],
    ] as const)
      expect((await dechirp(["job", "task", byHand], { env: { [variable]: task } })).stdout).toMatch(`task ${task}: `);
    expect((await dechirp(["job", "assemble", byHand])).stderr).toMatch(/tasks are not done: 1\n$/);
    expect(json(await dechirp(["job", "task", byHand, "--index", "1", "--json"]))).toMatchObject({ task: 1, skipped: false });
    expect((await dechirp(["job", "task", byHand, "--index", "1"])).stdout).toBe("task 1 was done before\n");
    const marks = async (at: string) =>
      Promise.all([0, 1, 2, 3].map(async (k) => JSON.parse(await readFile(join(at, "done", `${k}.json`), "utf8")).files[0].sha256));
    expect(await marks(byHand)).toEqual(await marks(store));
    expect(json(await dechirp(["job", "assemble", byHand, "--json"])).files).toContain("result/quicklook.png");
    expect(json(await dechirp(["job", "status", byHand, "--json"]))).toMatchObject({ done: 4, missing: "", failed: [], assembled: true });
  });

  it.skipIf(process.platform === "win32")("is stopped by Ctrl-C, and goes on", async () => {
    const store = await planned();
    const { child, ended } = start(["job", "run", store]);
    setTimeout(() => child.kill("SIGINT"), 1500);
    expect(await ended).toMatchObject({ code: 130, stdout: "" });
    expect(json((await start(["job", "run", store, "--json"]).ended) as never)).toMatchObject({ done: 4, missing: 0 });
    expect((await readdir(store, { recursive: true })).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("names what is wrong, finds damage, and can be cancelled", async () => {
    const store = await planned();
    const cases: readonly (readonly [args: readonly string[], code: number, text: RegExp])[] = [
      [["job"], 2, /a command is missing: job plan/],
      [["job", "plan", file], 2, /--out is missing/],
      [["job", "plan", file, "--out", store, "--rcmc", "off"], 2, /--rcmc must be left out with --what backproject/],
      [["job", "plan", file, "--out", store, "--tile", "100"], 2, /--tile must be a multiple of/],
      [["job", "plan", file, "--out", store, "--format", "zarr"], 2, /--format must be npy, sicd, cog or png/],
      [["job", "plan", file, "--out", "ftp://there/job"], 2, /--out ftp:\/\/there\/job: store must be a folder/],
      [["job", "plan", file, "--out", "s3://bucket/job"], 2, /AWS_ACCESS_KEY_ID/],
      [["job", "plan", join(folder, "targets.geojson"), "--out", join(store, "x")], 3, /targets\.geojson/],
      [["job", "plan", join(folder, "absent"), "--out", store], 3, /there is no such file/],
      [["job", "plan", file, "--out", store], 3, /it has the job [0-9a-f]{12} already/],
      [["job", "status", folder], 3, /there is no job/],
      [["job", "run", store, "--workers", "0"], 2, /--workers must be an integer from 1/],
      [["job", "task", store], 2, /--index is missing/],
      [["job", "task", store, "--index", "4"], 2, /--index must be an integer from 0 to 3/],
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
    await dechirp(["job", "verify", store, "--forget"]);
    expect((await dechirp(["job", "task", store, "--index", "0"])).code).toBe(0);
    await writeFile(join(store, "image.zarr", "image", "0.0.0"), "damaged");
    expect(await dechirp(["job", "verify", store])).toMatchObject({ code: 3, stderr: expect.stringMatching(/task 0: .* is changed/) });
    expect((await dechirp(["job", "verify", store, "--forget"])).stdout).toMatch(/1 damaged, to be made again/);
    expect((await dechirp(["job", "missing", store, "--slurm"])).stdout).toBe("0-3\n");
  });
});
