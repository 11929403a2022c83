/** Tests how workers start: the text is that of the program, Node does not use `startWorker`, and what happens if it does not return a worker. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { open } from "@dechirp/core";
import { afterEach, expect, test, vi } from "vitest";
import { cpu } from "../src/index.ts";

afterEach(() => {
  vi.doUnmock("../src/node-module.ts");
  vi.resetModules();
});

/** `cpu`, as on a host without Node's modules. */
async function cpuOfPages(): Promise<typeof cpu> {
  vi.resetModules();
  vi.doMock("../src/node-module.ts", () => ({ nodeModule: () => undefined }));
  return (await import("../src/index.ts")).cpu;
}

test("the text of a worker is that of its program", () => {
  const script = fileURLToPath(new URL("../scripts/build-worker.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--check"], { stdio: "pipe" });
});

test("the program does nothing where it is not a worker's script", async () => {
  expect(Object.keys(await import("../src/worker.ts"))).toEqual([]);
});

test("Node starts its own workers", async () => {
  const startWorker = vi.fn();
  using device = await open(cpu({ workers: 2, startWorker }));
  expect([device.units, device.info.notes, startWorker.mock.calls.length]).toEqual([2, [], 0]);
});

test("startWorker must be a function that returns a worker", async () => {
  const refused = { code: "input", fields: { field: "startWorker", expected: "a function that returns a Worker" } };
  await expect(open(cpu({ workers: 2, startWorker: "worker.js" as never }))).rejects.toMatchObject(refused);
  const inPages = await cpuOfPages();
  for (const worker of [undefined, {}, { postMessage() {}, terminate() {} }])
    await expect(open(inPages({ workers: 2, startWorker: () => worker as never }))).rejects.toMatchObject(refused);
});

test("if startWorker throws, the device uses one thread and says why", async () => {
  const startWorker = (): never => {
    throw new TypeError("no such file");
  };
  const inPages = await cpuOfPages();
  using device = await open(inPages({ workers: 2, startWorker }));
  expect([device.units, device.info.notes]).toEqual([1, ["single-threaded: startWorker: no such file"]]);
});
