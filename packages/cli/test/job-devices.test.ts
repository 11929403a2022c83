/** The devices of `dechirp job run`: which are used, what is refused, and workers from which other cards' files are hidden. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStore, readJob, runJob } from "@dechirp/jobs";
import { describe, expect, it } from "vitest";
import { hidingOf } from "../src/cards/hide.ts";
import { listCards } from "../src/cards/list.ts";
import { devicesOf, workersOf } from "../src/jobs/workers.ts";
import { dechirp, temporaryFolder } from "./command.ts";
import { main } from "./executable.ts";
import { addNvidia } from "./pretended-cards.ts";

const isPermitted = (() => {
  try {
    return process.platform === "linux" && hidingOf([], "").start !== undefined;
  } catch {
    return false;
  }
})();

/** A machine with cards, and the warnings that a run prints. */
async function machine(cards: number) {
  const root = await temporaryFolder();
  for (let k = 0; k < cards; k++) await addNvidia(root, `0000:1${k}:00.0`, k);
  const warnings: string[] = [];
  const names = (deviceClass: "cpu" | "gpu", given?: string) =>
    devicesOf(deviceClass, given, (text) => warnings.push(text), listCards(root)).map(({ name }) => name);
  return { root, warnings, names };
}

describe("the devices of a run", () => {
  it("are the class of the job where there are not several cards", async () => {
    const { names } = await machine(1);
    expect(names("cpu")).toEqual(["cpu"]);
    expect(names("gpu")).toEqual(["gpu"]);
    expect(names("gpu", "gpu:0")).toEqual(["gpu:0"]);
    expect((await machine(0)).names("gpu")).toEqual(["gpu"]);
    expect((await machine(3)).names("gpu", "gpu")).toEqual(["gpu"]);
  });

  it.skipIf(!isPermitted)("are all cards of a machine with several, or those that are named", async () => {
    const { names, warnings } = await machine(3);
    expect(names("gpu")).toEqual(["gpu:0", "gpu:1", "gpu:2"]);
    expect(names("gpu", "gpu:2, gpu:0")).toEqual(["gpu:2", "gpu:0"]);
    expect(warnings).toEqual([]);
  });

  it("are one GPU, with a warning, where cards can't be hidden; named cards are refused then", async () => {
    const { root, names, warnings } = await machine(2);
    const cards = listCards(root);
    for (const k of [0, 1]) await rm(join(root, `dev/nvidia${k}`));
    const devices = devicesOf("gpu", undefined, (text) => warnings.push(text), cards);
    expect(devices.map(({ name }) => name)).toEqual(["gpu"]);
    expect(warnings).toEqual([
      expect.stringMatching(/^only one of 2 cards is used: --device gpu:0: WebGPU can't tell NVIDIA H200, 0000:10:00\.0/),
    ]);
    expect(() => devicesOf("gpu", "gpu:0,gpu:1", () => {}, cards)).toThrow(/can't be hidden from a process here/);
    expect(() => names("gpu", "gpu:0")).toThrow(/no cards are listed/);
  });

  it("are refused if they are of another class, or twice the same, or no device", async () => {
    const { names } = await machine(2);
    const cases: readonly (readonly ["cpu" | "gpu", string, RegExp])[] = [
      ["cpu", "gpu", /--device must be cpu, as the job is for processors, not "gpu"/],
      ["cpu", "gpu:0", /as the job is for processors/],
      ["gpu", "cpu", /--device must be gpu or gpu:K, as the job is for GPUs, not "cpu"/],
      ["gpu", "gpu:0,", /not ""/],
      ["gpu", "gpu,gpu:0", /one device, or cards gpu:K with commas between them/],
      ["gpu", "gpu:0,gpu:0", /names that are all different/],
      ["gpu", "auto", /not "auto"/],
      ["gpu", "gpu:9", /one of the cards gpu:0 /],
    ];
    for (const [deviceClass, given, text] of cases) expect(() => names(deviceClass, given), given).toThrow(text);
  });

  it("share workers in turn, and two that have the same card are a warning", async () => {
    const warnings: string[] = [];
    const hiding = { start: () => expect.fail("nothing is to be started") };
    const devices = ["gpu:0", "gpu:1", "gpu:2"].map((name) => ({ name, hiding }));
    const options = { address: "job", units: undefined, env: {}, warn: (text: string) => warnings.push(text) };
    const workers = workersOf(devices, 2, options);
    expect(workers.count).toBe(6);
    workers.onReady(0, { card: "0000:10:00.0" });
    workers.onReady(1, { card: "0000:11:00.0" });
    workers.onReady(3, { card: "0000:10:00.0" });
    workers.onReady(2, {});
    expect(warnings).toEqual([]);
    workers.onReady(5, { card: "0000:11:00.0" });
    expect(warnings).toEqual(["the workers of gpu:1 and gpu:2 have the same card, 0000:11:00.0, and share its time"]);
  });
});

describe("dechirp job with --device", () => {
  it("names what is wrong", async () => {
    const folder = await temporaryFolder();
    await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
    const store = join(folder, "job");
    const plan = ["job", "plan", join(folder, "spotlight.cphd"), "--out", store, "--grid=-40,-40,0.4,0.4,100,100"];
    expect((await dechirp(plan)).code).toBe(0);
    for (const [args, text] of [
      [["run", store, "--device", "gpu"], /--device must be cpu, as the job is for processors/],
      [["run", store, "--device", "cpu,cpu"], /names that are all different/],
      [["task", store, "--index", "0", "--device", "gpu"], /--device must be cpu, as the job is for processors/],
      [["assemble", store, "--device", "cpu"], /tasks are not done/],
    ] as const)
      expect((await dechirp(["job", ...args])).stderr, args.join(" ")).toMatch(text);
    expect(await dechirp(["job", "task", store, "--index", "0", "--device", "cpu"])).toMatchObject({ code: 0 });
    expect(JSON.parse(await readFile(join(store, "done", "0.json"), "utf8"))).not.toHaveProperty("card");
  });

  it.skipIf(!isPermitted)(
    "runs workers from which files are hidden, which keep their channel, and replaces those that are killed",
    async () => {
      const folder = await temporaryFolder();
      await dechirp(["simulate", "--preset", "spotlight", "--out", folder]);
      const address = join(folder, "job");
      const plan = ["job", "plan", join(folder, "spotlight.cphd"), "--out", address, "--grid=-40,-40,0.4,0.4,512,512", "--tile", "128"];
      expect((await dechirp(plan)).code).toBe(0);
      const devices = [];
      for (const name of ["a", "b"]) {
        await writeFile(join(folder, name), "");
        devices.push({ name: "cpu", hiding: hidingOf([join(folder, name)], "") });
      }
      const workers = workersOf(devices, 1, { address, units: 1, env: process.env, program: [process.execPath, main], warn: () => {} });
      const store = await openStore(address);
      const ready: number[] = [];
      let kills = 0;
      const status = await runJob(await readJob(store), store, {
        workers: workers.count,
        start(index) {
          const child = workers.start(index);
          if (kills === 0) child.once("message", () => child.kill("SIGKILL") && kills++);
          return child;
        },
        onReady: (index) => void ready.push(index),
      });
      expect(status).toMatchObject({ done: 16, missing: [], failed: [] });
      expect(kills).toBeGreaterThan(0);
      expect(new Set(ready)).toEqual(new Set([0, 1]));
    },
  );
});
