/** Stores in buckets: the same image as in a folder, and servers that fail, refuse or never answer. */
import { join } from "node:path";
import { messageOf } from "@dechirp/core";
import { expect, it } from "vitest";
import { createTaskRunner, jobStatus, openStore, planJob, verifyJob } from "../src/index.ts";
import { plainCpu, temporaryFolder, writeHistory } from "./recordings.ts";
import { startS3 } from "./s3-server.ts";

it.each(["backproject", "backproject-each"])("has what a folder has of %s, with copies of the recordings", async (what) => {
  const folder = await temporaryFolder();
  const server = await startS3();
  using device = await plainCpu();
  const path = await writeHistory(folder, { pulses: 48, count: 64 });
  const grid = { xMeters: -10, yMeters: -10, xStepMeters: 0.2, yStepMeters: 0.2, nx: 140, ny: 130 };
  const paths = what === "backproject" ? [path] : [path, await writeHistory(join(folder, "other"), { seed: 2, pulses: 48, count: 64 })];
  const made: unknown[] = [];
  process.env["DECHIRP_CACHE"] = join(folder, "cache");
  for (const [address, env] of [
    ["s3://bucket/some/place", server.env],
    [join(folder, "job"), {}],
  ] as const) {
    const store = await openStore(address, env);
    const options = {
      what,
      paths,
      settings: { grid, tile: 16 },
      tile: 128,
      memoryBytes: 2 ** 28,
      output: {},
      copy: true,
    };
    const { job } = await planJob(store, device, options);
    await using runner = createTaskRunner(job, store, device);
    const files: unknown[] = [];
    for (let task = 0; task < job.tasks; task++) files.push(...(await runner.run(task)).mark.files);
    made.push(files);
    expect(await jobStatus(job, store)).toMatchObject({ done: job.tasks, missing: [], failed: [] });
    expect(await verifyJob(job, store)).toEqual({ checked: job.tasks, damaged: [], forgotten: [] });
  }
  delete process.env["DECHIRP_CACHE"];
  expect(made[0]).toEqual(made[1]);
  expect([...server.objects.keys()].every((key) => key.startsWith("some/place/"))).toBe(true);
});

it("tries again if the server is busy, and not if it refuses", async () => {
  const server = await startS3();
  const store = await openStore("s3://bucket/job", server.env);
  server.fault = (_, count) => (count <= 2 ? (response) => void response.writeHead(503).end() : undefined);
  await store.write("a", Uint8Array.of(1, 2));
  expect(server.requests).toEqual(["PUT job/a", "PUT job/a", "PUT job/a"]);
  server.fault = (request) => (request.method === "GET" ? (response) => void response.destroy() : undefined);
  await expect(store.read("a")).rejects.toMatchObject({ code: "failed" });
  server.requests.length = 0;
  server.fault = () => (response) => void response.writeHead(403).end("<Error><Code>AccessDenied</Code></Error>");
  const refused = await store.read("a").catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "input", fields: { status: 403 } });
  expect(messageOf(refused)).toMatch(/AccessDenied/);
  expect(messageOf(refused)).not.toMatch(/an-id|a-secret-key/);
  expect(server.requests).toHaveLength(1);
  server.fault = () => undefined;
  expect(await store.read("absent")).toBeUndefined();
  for (const name of ["z & <z>", "x", "y", "w", "v"]) await store.write(`list/${name}`, new Uint8Array());
  expect(await store.list("list/")).toEqual(["list/v", "list/w", "list/x", "list/y", "list/z & <z>"]);
  await store.remove("a");
  expect(await store.read("a")).toBeUndefined();
});

it("reads again what broke off, and no more bytes than it may, whatever the server says of their number", async () => {
  const server = await startS3();
  const store = await openStore("s3://bucket/job", server.env);
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => i * i);
  await store.write("a", bytes);
  server.requests.length = 0;
  // The first answers end in their middle.
  server.fault = (_, count) => {
    if (count > 2) return undefined;
    return (response) => {
      response.writeHead(200, { "content-length": bytes.length });
      response.write(bytes.subarray(0, 30_000), () => response.destroy());
    };
  };
  expect(await store.read("a")).toEqual(bytes);
  expect(server.requests).toHaveLength(3);
  // An answer in pieces states no number of bytes, and need not end.
  let isOver = false;
  server.fault = () => (response) => {
    response.on("close", () => {
      isOver = true;
    });
    const more = (): void => void (response.destroyed || response.write(bytes, () => setTimeout(more, 1)));
    more();
  };
  await expect(store.read("a", { maxBytes: 250_000 })).rejects.toMatchObject({ code: "input", fields: { field: "value" } });
  await expect.poll(() => isOver).toBe(true);
});

it("does not wait for ever, and stops when it is told to", async () => {
  const server = await startS3();
  const store = await openStore("s3://bucket/job", { ...server.env, DECHIRP_S3_TIMEOUT: "0.2" });
  server.fault = () => () => {};
  await expect(store.read("a")).rejects.toMatchObject({ code: "failed" });
  const slow = await openStore("s3://bucket/job", server.env);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 50);
  await expect(slow.read("a", { signal: stop.signal })).rejects.toMatchObject({ code: "aborted" });
});

it("needs credentials, which only the environment gives", async () => {
  await expect(openStore("s3://bucket/job", {})).rejects.toMatchObject({ code: "input", fields: { field: "AWS_ACCESS_KEY_ID" } });
  const env = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_ENDPOINT_URL: "http://user:hush-hush@host" };
  const refused = await openStore("s3://bucket/job", env).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: "input", fields: { field: "AWS_ENDPOINT_URL" } });
  expect(messageOf(refused)).not.toMatch(/hush/);
});
