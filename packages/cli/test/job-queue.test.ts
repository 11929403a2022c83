/** `dechirp job submit`, `work`, `init`, and `--queue` of `status` and `cancel`. `npm test` and `npm run build` build the executable. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, missing, type Server, startServer } from "../../jobs-bullmq/test/servers.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { main, spawned } from "./executable.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dechirp-queue-"));
  await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Plans a job of four tasks. */
async function planned(): Promise<string> {
  const store = join(await temporaryFolder(), "job");
  const plan = ["job", "plan", join(folder, "spotlight.cphd"), "--out", store, "--grid=-40,-40,0.4,0.4,200,190", "--tile", "128"];
  expect((await dechirp(plan)).code).toBe(0);
  return store;
}

describe("dechirp job with a queue", () => {
  it("names what is wrong, without passwords", async () => {
    const store = await planned();
    const port = await freePort();
    const away = `redis://me:h%2Fidden@127.0.0.1:${port}`;
    const cases: readonly (readonly [args: readonly string[], code: number, text: RegExp])[] = [
      [["submit", store], 2, /--queue is missing: .*DECHIRP_QUEUE/],
      [["work"], 2, /--queue is missing/],
      [["init"], 2, /--queue is missing/],
      [
        ["submit", store, "--queue", "amqp://me:h%2Fidden@host"],
        2,
        /--queue must be redis:\/\/HOST, rediss:\/\/HOST or postgres:\/\/HOST\/DATABASE/,
      ],
      [["submit", store, "--queue", "h/idden"], 2, /--queue must be redis/],
      [["submit", store, "--queue", away, "--priority", "-1"], 2, /--priority must be an integer from 0 to 2097151/],
      [["submit", join(folder, "absent"), "--queue", away], 3, /there is no job/],
      [["work", "--queue", away, "--device", "auto"], 2, /--device must be cpu, gpu or a card gpu:K/],
      [["work", "--queue", away, "--lease", "0.5"], 2, /--lease must be seconds from 1 to 3600/],
      [["work", "--queue", away, "--idle", "soon"], 2, /--idle must be a positive number/],
      [["work", "--queue", away, "--stores", "a,,b"], 2, /--stores must be addresses with commas between them/],
      [["init", "--queue", away], 4, new RegExp(`queue redis://127.0.0.1:${port}: it can't be opened: .*ECONNREFUSED`)],
    ];
    for (const [args, code, text] of cases) {
      const told = await dechirp(["job", ...args]);
      expect([told.code, told.stdout], args.join(" ")).toEqual([code, ""]);
      expect(told.stderr, args.join(" ")).toMatch(text);
      expect(told.stderr).not.toMatch(/h%2Fidden|h\/idden/);
    }
    // The truth is in the store, so a queue that can't be reached is only a warning.
    const { code, stdout, stderr } = await dechirp(["job", "status", store], { env: { DECHIRP_QUEUE: away } });
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^warning: queue redis:\/\/127/)]);
    expect(stdout).toMatch(/0 of 4 tasks done/);
  });

  it("says what to install if the packages of queues are absent", async () => {
    const store = await planned();
    for (const [absent, address, driver] of [
      ["@dechirp/jobs-bullmq", "redis://127.0.0.1:1", "ioredis"],
      ["bullmq", "redis://127.0.0.1:1", "ioredis"],
      ["pg", "postgres://127.0.0.1:1/x", "pg"],
    ] as const) {
      const refuse = `export const resolve = (name, context, next) => { if (name !== ${JSON.stringify(absent)}) return next(name, context); throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" }); }`;
      const url = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`;
      const hooks = url(`import { register } from "node:module"; register(${JSON.stringify(url(refuse))});`);
      const run = spawned(process.execPath, ["--import", hooks, main, "job", "submit", store, "--queue", address], "ignore");
      expect(await run.ended, absent).toMatchObject({
        code: 4,
        stderr: `dechirp: queues need packages that are not installed with dechirp: npm install @dechirp/jobs-bullmq bullmq ${driver}, with -g if dechirp is\n`,
      });
    }
  });
});

describe.skipIf(missing.Redis !== undefined)(missing.Redis ?? "dechirp job work", () => {
  let server: Server;
  beforeAll(async () => {
    server = await startServer("Redis");
  });
  afterAll(() => server?.remove());

  const worker = (...more: readonly string[]) =>
    spawned(process.execPath, [main, "job", "work", "--units", "1", ...more], "ignore", { ...process.env, DECHIRP_QUEUE: server.url });

  it("makes the tasks and the products of a job, and leaves on SIGTERM", async () => {
    const env = { DECHIRP_QUEUE: server.url };
    const [store, byHand] = [await planned(), await planned()];
    expect(await dechirp(["job", "init"], { env })).toMatchObject({ code: 0, stdout: "the queue's server is ready\n" });
    const submitted = await dechirp(["job", "submit", store], { env });
    expect(submitted).toMatchObject({ code: 0, stdout: expect.stringMatching(/: 4 of 4 tasks added\n$/) });
    expect(submitted.stderr).toMatch(
      /^warning: no worker at the queue suits the job \(dechirp \d+\.\d+\.\d+, cpu, .+\); start one with dechirp job work\n$/,
    );
    expect((await dechirp(["job", "status", store], { env })).stdout).toMatch(/4 waiting, 0 being made, no worker that suits the job/);
    const { child, ended } = worker();
    const waited = await dechirp(["job", "submit", store, "--wait", "--json"], { env });
    expect(JSON.parse(waited.stdout)).toMatchObject({ added: 0, done: 4, missing: 0, failed: [], assembled: true });
    expect(JSON.parse((await dechirp(["job", "status", store, "--json"], { env })).stdout).queue).toMatchObject({
      queued: false,
      workers: 1,
    });
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await ended;
    expect([code, stderr]).toEqual([0, ""]);
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toMatch(/^at the queue redis:\/\/127\.0\.0\.1:\d+: WASM/);
    for (const k of [0, 1, 2, 3]) expect(lines[1 + k]).toMatch(new RegExp(`^task ${k} of ${store}: \\d+\\.\\d s$`));
    expect(lines.slice(5)).toEqual([expect.stringMatching(new RegExp(`^products of ${store}: `)), "left the queue: 5 made, 0 failed"]);
    expect(JSON.parse(await readFile(join(store, "result", "report.json"), "utf8"))).toHaveProperty("entropy");
    for (const k of ["0", "1", "2", "3"]) expect((await dechirp(["job", "task", byHand, "--index", k])).code).toBe(0);
    const digests = async (at: string) =>
      Promise.all([0, 1, 2, 3].map(async (k) => JSON.parse(await readFile(join(at, "done", `${k}.json`), "utf8")).files[0].sha256));
    expect(await digests(store)).toEqual(await digests(byHand));
  });

  it("leaves when there is nothing to do, tells events as JSON, and cancels jobs", async () => {
    const env = { DECHIRP_QUEUE: server.url };
    const store = await planned();
    expect((await dechirp(["job", "submit", store], { env })).code).toBe(0);
    expect(await dechirp(["job", "cancel", store], { env })).toMatchObject({ code: 0, stdout: expect.stringMatching(/is cancelled/) });
    expect(await dechirp(["job", "submit", store], { env })).toMatchObject({
      code: 3,
      stderr: expect.stringMatching(/the job is cancelled/),
    });
    const { ended } = worker("--idle", "1", "--json", "--lease", "2");
    const { code, stdout } = await ended;
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events[0]).toMatchObject({ kind: "ready", queue: expect.stringMatching(/^dechirp-[\d.]+-cpu-[0-9a-f]{12}$/) });
    expect(events.at(-1)).toEqual({ kind: "left", made: 0, failed: 0 });
    expect(stdout).not.toMatch(/"kind":"begun","what":"task"/);
    expect((await dechirp(["job", "cancel", store, "--undo"], { env })).code).toBe(0);
    expect((await dechirp(["job", "submit", store], { env })).stdout).toMatch(/4 of 4 tasks added/);
  });
});
