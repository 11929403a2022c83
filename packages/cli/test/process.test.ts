/** The built executable: signals, closed pipes, and nothing but the result on stdout. `npm test` and `npm run build` build it. */
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "./command.ts";
import { hearsSignals, start, startShell } from "./executable.ts";
import { manyTasks } from "./schedule-tasks.ts";

describe("the executable", () => {
  it("passes results and statuses on", async () => {
    // A GPU driver may print lines of its own on stderr.
    const listed = await start(["devices", "--json"]).ended;
    expect(listed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\{"devices":/),
      stderr: expect.not.stringContaining("dechirp"),
    });
    expect(await start(["focus"]).ended).toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^dechirp: [^\n]+\n$/) });
  });

  it.skipIf(process.platform === "win32")("ends soon on a signal, with its status and no file left", async () => {
    const folder = await temporaryFolder();
    // Work of many seconds.
    const tasks = join(await temporaryFolder(), "tasks.json");
    await writeFile(tasks, manyTasks(1000));
    for (const [signal, status] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
    ] as const) {
      const started = start(["schedule", "simulate", tasks, "--jobs", "2000", "--out", join(folder, "out")]);
      await hearsSignals(started);
      await new Promise((resolve) => setTimeout(resolve, 800));
      started.child.kill(signal);
      expect(await started.ended).toEqual({ code: status, stdout: "", stderr: `dechirp: interrupted by ${signal}\n` });
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it.skipIf(process.platform !== "linux")(
    "reports in its own words, and only on stderr, that Vulkan or its drivers are missing",
    async () => {
      const folder = await temporaryFolder();
      await writeFile(join(folder, "libvulkan.so.1"), "");
      await writeFile(join(folder, "driver.json"), JSON.stringify({ ICD: { library_path: "libabsent.so" } }));
      for (const [environment, missing] of [
        [`LD_LIBRARY_PATH='${folder}'`, "no Vulkan loader"],
        [`VK_DRIVER_FILES='${folder}/absent.json'`, "no Vulkan driver"],
        [`VK_DRIVER_FILES='${folder}/driver.json'`, "no Vulkan driver"],
      ]) {
        const told = await startShell(`${environment} dechirp devices`).ended;
        expect(told, environment).toMatchObject({ code: 0, stdout: expect.stringContaining(`this machine has ${missing}`), stderr: "" });
      }
    },
  );

  it("reads stdin, and has the status of --strict", async () => {
    const { child, ended } = start(["schedule", "analyse", "-", "--strict", "--json"], "pipe");
    child.stdin?.end('{ "units": 2, "tasks": [{ "id": "a", "wcet": { "1": 5 }, "deadline": 4 }] }');
    expect(await ended).toMatchObject({ code: 6, stdout: expect.stringMatching(/"schedulable":false.*\n$/), stderr: "" });
  });

  it.skipIf(process.platform === "win32")("ends soon on a signal while it waits for stdin", async () => {
    const started = start(["schedule", "analyse", "-"], "pipe");
    await hearsSignals(started);
    // It waits for stdin soon.
    await new Promise((resolve) => setTimeout(resolve, 800));
    started.child.kill("SIGINT");
    expect(await started.ended).toEqual({ code: 130, stdout: "", stderr: "dechirp: interrupted by SIGINT\n" });
  });

  it("is quiet if its reader closes the pipe", async () => {
    const { child, ended } = start(["simulate", "--list", "--json"]);
    child.stdout?.destroy();
    expect(await ended).toMatchObject({ code: 0, stderr: "" });
  });
});
