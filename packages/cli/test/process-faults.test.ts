/**
 * The built executable in a failing environment: signals at any moment, closed or full streams, too few file descriptors, folders that
 * can't be written to. DECHIRP_FAULTS=full sends two hundred signals.
 */
import { existsSync, readdirSync } from "node:fs";
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createRandom } from "@dechirp/core";
import { writeSceneFolder } from "@dechirp/io/node";
import { describe, expect, it } from "vitest";
import { imageFiles, reportFiles, sceneFiles, stapFiles } from "../src/output.ts";
import { signalCodes } from "../src/status.ts";
import { dechirp, simulatedScene, smallPreset, temporaryFolder } from "./command.ts";
import { start, startShell } from "./executable.ts";
import { full } from "./full.ts";
import { cubeNpy, radar, scan, stapCube } from "./stap-cube.ts";

const tasks = '{ "units": 2, "tasks": [{ "id": "a", "wcet": { "1": 5, "2": 3 }, "count": 2 }] }';

async function inputs(): Promise<string> {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "cube.npy"), cubeNpy(stapCube()));
  await writeFile(join(folder, "tasks.json"), tasks);
  await writeFile(join(folder, "run.json"), '{ "tasks": [{ "id": "a", "samples": 65536, "count": 2 }] }');
  return folder;
}

describe.skipIf(process.platform === "win32")("the executable", () => {
  it("ends on any signal at any moment, once or twice: one line, its status, all files or none", {
    timeout: full ? 3_600_000 : 600_000,
  }, async () => {
    const folder = await inputs();
    const commands = [
      { args: ["demo"], files: imageFiles, seconds: 4 },
      { args: ["simulate", "--type", "ci8"], files: sceneFiles, seconds: 4 },
      { args: ["stap", join(folder, "cube.npy"), ...radar, ...scan], files: stapFiles, seconds: 2 },
      { args: ["schedule", "analyse", join(folder, "tasks.json")], files: reportFiles, seconds: 1 },
      { args: ["schedule", "run", join(folder, "run.json")], files: reportFiles, seconds: 2 },
      { args: ["bench", "efa-paper", "--quick", "--seconds", "0.01"], files: reportFiles, seconds: 3 },
    ];
    const random = createRandom(130);
    const [most, count] = [full ? 200 : 8, { ended: 0, complete: 0, killed: 0 }];
    for (let turn = 0; turn < most; turn++) {
      const { args, files, seconds } = commands[turn % commands.length];
      const out = join(folder, `out ${turn}`);
      const { child, ended } = start([...args, "--out", out]);
      const names = Object.keys(signalCodes) as (keyof typeof signalCodes)[];
      const name = names[Math.floor(random.uniform() * names.length)];
      const milliseconds = 1000 * seconds * random.uniform();
      const timers = [setTimeout(() => child.kill(name), milliseconds)];
      // The second signal makes the process end at once.
      if (turn % 2 === 1) timers.push(setTimeout(() => child.kill(name), milliseconds + 30 * random.uniform()));
      const { code, stdout, stderr } = await ended;
      for (const timer of timers) clearTimeout(timer);
      const told = `${args.join(" ")}, ${name} after ${milliseconds} ms: ${code} ${stderr}`;
      const written = existsSync(out) ? readdirSync(out) : [];
      // A signal may also come after the last line, when Node no longer handles it: it ends the process, and the result is complete.
      if (code === 0 || (code === null && stdout !== "")) {
        count.complete++;
        expect(written, told).toEqual(expect.arrayContaining([...files]));
        expect(
          written.filter((file) => file.startsWith(".")),
          told,
        ).toEqual([]);
        continue;
      }
      const line = `dechirp: interrupted by ${name}\n`;
      if (code === null) {
        // Node needs a moment before it loads the first line, and another to exit after the interruption has been reported.
        count.killed++;
        expect(["", line], told).toContain(stderr);
      } else {
        count.ended++;
        expect({ code, stderr }, told).toEqual({ code: signalCodes[name], stderr: line });
      }
      expect({ stdout, there: existsSync(out) }, told).toEqual({ stdout: "", there: false });
    }
    expect(count.ended, JSON.stringify(count)).toBeGreaterThan(most / 4);
  });

  it("has its status, and one line, whichever stream is closed or full", async () => {
    const folder = await temporaryFolder();
    const bad = `${folder}/absent.json`;
    const line = expect.stringMatching(/^dechirp: [^\n]+\n$/);
    const cases: readonly (readonly [line: string, code: number, stderr?: unknown])[] = [
      ["dechirp simulate --list >&-", 0],
      ["dechirp simulate --list 2>&-", 0],
      ["dechirp simulate --list >&- 2>&- <&-", 0],
      [`dechirp quality ${bad} >&-`, 3, line],
      [`dechirp quality ${bad} 2>&-`, 3],
      ["dechirp schedule analyse - <&-", 3, line],
      ["dechirp simulate --list | head -c 1; exit $PIPESTATUS", 0],
      ["dechirp --help | true; exit $PIPESTATUS", 0],
      ...(existsSync("/dev/full")
        ? ([
            ["dechirp simulate --list >/dev/full", 5, "dechirp: can't write to stdout: ENOSPC\n"],
            [`dechirp quality ${bad} --json >/dev/full`, 3, line],
            [`dechirp quality ${bad} 2>/dev/full`, 3],
          ] as const)
        : []),
    ];
    for (const [line, code, stderr = ""] of cases)
      expect({ line, ...(await startShell(line).ended) }).toMatchObject({ line, code, stderr });
  });

  it("reports that its working folder is gone, if it needs it", async () => {
    const folder = await inputs();
    const tasks = join(folder, "tasks.json");
    const gone = join(folder, "gone");
    const cases = [
      [`schedule analyse ${tasks}`, 0, ""],
      [`schedule analyse ${tasks} --out out`, 3, "dechirp: the working folder no longer exists\n"],
      ["focus scene --out out", 3, "dechirp: the working folder no longer exists\n"],
      ["quality image", 3, "dechirp: image/report.json: can't read it: there is no such file or folder\n"],
    ] as const;
    for (const [line, code, stderr] of cases) {
      const ended = await startShell(`mkdir "${gone}" && cd "${gone}" && rmdir "${gone}" && dechirp ${line}`).ended;
      expect({ line, ...ended }).toMatchObject({ line, code, stderr });
    }
  });

  it("ends if files may not be opened or grow", async () => {
    const folder = await inputs();
    const before = readdirSync(folder);
    const out = join(folder, "out");
    const simulate = `dechirp schedule simulate "${join(folder, "tasks.json")}" --jobs 1000 --out "${out}"`;
    // 8 blocks of a kilobyte; two thousand jobs need more.
    expect(await startShell(`ulimit -f 8; ${simulate}`).ended).toEqual({
      code: 5,
      stdout: "",
      stderr: `dechirp: ${join(out, "trace.csv")}: can't write it: the file would be too large\n`,
    });
    expect(readdirSync(folder)).toEqual(before);
  });

  it("reports that no more files may be opened, wherever that happens", { timeout: 120_000 }, async () => {
    const folder = await inputs();
    const scene = join(folder, "scene");
    await writeSceneFolder(scene, await simulatedScene("small", { ...smallPreset(true), targets: [] }, { type: "ci16" }));
    expect((await dechirp(["focus", scene, "--out", join(folder, "image")])).code).toBe(0);
    const before = readdirSync(folder);
    const out = join(folder, "out");
    const lines = [
      `schedule simulate "${join(folder, "tasks.json")}" --out "${out}"`,
      `focus "${scene}" --out "${out}" --json`,
      `quality "${join(folder, "image")}"`,
      `stap "${join(folder, "cube.npy")}" ${radar.join(" ")} --azimuth 10 --out "${out}"`,
    ];
    const count = { refused: 0, done: 0 };
    for (const line of lines) {
      // With fewer than 20, Node itself does not start. How many a command needs depends on the speed of the machine.
      for (const most of full ? Array.from({ length: 100 }, (_, i) => 20 + i) : [20, 30, 40, 50, 60]) {
        const { code, stdout, stderr } = await startShell(`ulimit -n ${most}; dechirp ${line}`).ended;
        const told = `${most}: ${line}: ${stdout} ${stderr}`;
        if (code === 0) {
          count.done++;
          if (existsSync(out)) expect(readdirSync(out), told).toContain("report.json");
          await rm(out, { recursive: true, force: true });
          continue;
        }
        count.refused++;
        expect(code, told).toBe(4);
        expect(stderr, told).toMatch(/^dechirp: [^\n]*this process may open no more files \(see ulimit -n\)[^\n]*\n$/);
        if (line.endsWith("--json")) expect(JSON.parse(stdout).error, told).toMatchObject({ code: "device", exitCode: 4 });
        else expect(stdout, told).toBe("");
      }
    }
    expect(count.refused).toBeGreaterThanOrEqual(8);
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe.skipIf(process.platform !== "linux")("finds output folders that can't be written to before any work", () => {
  it.each([
    "demo",
    "simulate",
    "focus INPUTS",
    "backproject INPUTS",
    "stap INPUTS",
    "schedule analyse INPUTS/tasks.json",
    "schedule simulate INPUTS/tasks.json",
    "schedule run INPUTS/run.json",
    "bench fused-sar-paper",
    "bench backprojection-paper",
    "bench efa-paper",
    "bench realtime-paper",
    "bench memory",
  ])("by %s", async (line) => {
    const command = line.split(" ");
    const folder = await inputs();
    await symlink(join(folder, "nowhere"), join(folder, "link"));
    await symlink("round", join(folder, "round"));
    const before = readdirSync(folder);
    const args = command.map((arg) => arg.replace("INPUTS", folder));
    const places: readonly (readonly [out: string, code: number, reason: string])[] = [
      ["/proc/x", 5, "can't write there: there is no such file or folder"],
      ["/proc/x/y", 5, "can't write there: there is no such file or folder"],
      ["/dev/full", 2, "/dev/full is a file, not a folder"],
      [join(folder, "tasks.json"), 2, "is a file, not a folder"],
      [join(folder, "tasks.json", "out"), 2, "is a file, not a folder"],
      [join(folder, "link"), 2, "is a dangling link"],
      [join(folder, "link", "out"), 2, "is a dangling link"],
      [join(folder, "round"), 2, "is a dangling link"],
      [join(folder, "n".repeat(300)), 5, "can't write there: the name is too long"],
    ];
    for (const [out, code, reason] of places) {
      const outcome = await dechirp([...args, "--out", out]);
      expect(outcome).toEqual({ code, stdout: "", stderr: expect.stringMatching(/^dechirp: --out [^\n]+\n$/) });
      expect(outcome.stderr).toContain(reason);
    }
    // A folder stands where a file must be.
    const name = command[0] === "simulate" ? "scene.json" : "report.json";
    await mkdir(join(folder, "out", name), { recursive: true });
    const outcome = await dechirp([...args, "--out", join(folder, "out")]);
    expect(outcome).toEqual({ code: 5, stdout: "", stderr: `dechirp: ${join(folder, "out", name)}: can't write it: it is a folder\n` });
    expect(readdirSync(folder)).toEqual([...before, "out"].sort());
    expect(readdirSync(join(folder, "out"))).toEqual([name]);
  });
});
