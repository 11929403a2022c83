/**
 * Ctrl-C during long work of the built executable: it must end within 0.3 s and leave nothing. Other load delays the start and the end
 * of a process alike, so the limit is 0.3 s plus twice the time that `dechirp --version` takes at that moment (0.15 s on an idle
 * machine, 1 s with six other processes). If long work did not run in pieces, a signal would wait for its end, which takes seconds.
 */
import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import { describe, expect, it } from "vitest";
import { dechirp, temporaryFolder } from "./command.ts";
import { start } from "./executable.ts";
import { manyTasks } from "./schedule-tasks.ts";
import { cubeNpy, radar, scan, stapCube } from "./stap-cube.ts";

async function millisecondsOf(work: Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work;
  return performance.now() - start;
}

const line = "dechirp: interrupted by SIGINT\n";

describe.skipIf(process.platform === "win32")("Ctrl-C during long work", () => {
  const scenes = async (folder: string): Promise<string> => {
    const scene = join(folder, "scene");
    await dechirp(["simulate", "--preset", "quality", "--out", scene]);
    const description = JSON.parse(await readFile(join(scene, "scene.json"), "utf8"));
    // Without a stated Doppler centroid the scene's centroid must be measured.
    delete description.radar.dopplerCentroidHz;
    await writeFile(join(scene, "scene.json"), JSON.stringify(description));
    return scene;
  };
  const commands = [
    {
      name: "schedule simulate of 1000 × 1000 jobs",
      seconds: 6,
      args: async (folder: string) => {
        await writeFile(join(folder, "tasks.json"), manyTasks(1000));
        return ["schedule", "simulate", join(folder, "tasks.json"), "--jobs", "1000"];
      },
    },
    {
      name: "schedule analyse of 1000 tasks",
      seconds: 2,
      args: async (folder: string) => {
        await writeFile(join(folder, "tasks.json"), manyTasks(1000));
        return ["schedule", "analyse", join(folder, "tasks.json")];
      },
    },
    { name: "focus with a centroid to measure", seconds: 4, args: async (folder: string) => ["focus", await scenes(folder)] },
    {
      name: "stap",
      seconds: 2,
      args: async (folder: string) => {
        await writeFile(join(folder, "cube.npy"), cubeNpy(stapCube()));
        return ["stap", join(folder, "cube.npy"), ...radar, ...scan];
      },
    },
  ];

  // A few runs of seconds each; three times as long on a busy machine.
  it.each(commands)("$name ends within 0.3 s", { timeout: 120_000 }, async ({ seconds, args }) => {
    const folder = await temporaryFolder();
    const given = await args(folder);
    const { uniform } = createRandom(seconds);
    for (let turn = 0; turn < 4; turn++) {
      const out = join(folder, `out-${turn}`);
      const own = await millisecondsOf(start(["--version"]).ended);
      const { child, ended } = start([...given, "--out", out]);
      // Node needs a moment before its first line installs signal handlers.
      await new Promise((resolve) => setTimeout(resolve, 2 * own + 1000 * seconds * uniform()));
      child.kill("SIGINT");
      let told = { code: null as number | null, stdout: "", stderr: "" };
      const took = await millisecondsOf(ended.then((outcome) => (told = outcome)));
      // It may have finished before the signal, or the signal may have ended Node after the last step.
      if (told.code === 0 || (told.code === null && told.stdout !== "")) {
        expect(told.stderr).toBe("");
        if (existsSync(out)) expect(await readdir(out)).toContain("report.json");
        continue;
      }
      expect(told).toEqual({ code: 130, stdout: "", stderr: line });
      // All files or none, if the signal came with the last step, and no hidden files.
      if (existsSync(out)) expect(await readdir(out)).toContain("report.json");
      expect((await readdir(folder)).filter((name) => name.startsWith("."))).toEqual([]);
      expect(took).toBeLessThan(300 + 2 * own);
    }
  });

  it("ends while modules are loaded: one line or Node's own end, never an error", { timeout: 60_000 }, async () => {
    const folder = await temporaryFolder();
    const own = await millisecondsOf(start(["--version"]).ended);
    for (let turn = 0; turn < 12; turn++) {
      const { child, ended } = start(["demo", "--out", join(folder, "out")]);
      setTimeout(() => child.kill("SIGINT"), (2 * own * turn) / 12);
      const { code, stdout, stderr } = await ended;
      if (code === null) expect(["", line]).toContain(stderr);
      else expect({ code, stderr }).toEqual({ code: 130, stderr: line });
      expect(stdout).toBe("");
      expect(existsSync(join(folder, "out"))).toBe(false);
    }
  });

  it("reports it as JSON even before anything is loaded", async () => {
    const { interruptedLines } = await import("../src/status.ts");
    const controller = new AbortController();
    controller.abort("SIGTERM");
    const { stdout, stderr } = await dechirp(["demo", "--json"], { signal: controller.signal });
    expect(interruptedLines("SIGTERM", ["demo", "--json"], false)).toEqual({ stdout, stderr });
    expect(interruptedLines("SIGTERM", ["demo", "--", "--json"], false)).toEqual({ stderr });
  });
});
