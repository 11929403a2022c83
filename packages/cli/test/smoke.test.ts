/**
 * Every command of the built executable once, as a user calls them one after the other, on the GPU if they use a device. It is the only
 * test of the whole command line that CI repeats on SwiftShader alone, so it is short and checks no numbers.
 */
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Ended, start } from "./executable.ts";
import { writeGotcha } from "./gotcha-file.ts";
import { cubeNpy, radar, scan, stapCube } from "./stap-cube.ts";

const tasks = '{ "units": 2, "tasks": [{ "id": "a", "samples": 1024, "wcet": { "1": 500, "2": 300 }, "deadline": 2000, "count": 2 }] }';

/** Each command with its words and the file that it writes. Later ones read what earlier ones wrote. */
const calls: readonly (readonly [command: string, args: string, written: string])[] = [
  ["demo", "--device gpu --out demo", "demo/image.npy"],
  ["devices", "", ""],
  ["simulate", "--type ci8 --out scene", "scene/raw.npy"],
  ["focus", "scene --device gpu --out image", "image/image.npy"],
  ["quality", "image", ""],
  ["backproject", "gotcha.mat --device gpu --grid -4,-4,0.5,0.5,16,16 --out projected", "projected/image.npy"],
  ["info", "scene image cube.npy", ""],
  ["convert", "image picture.png --bare", "picture.png"],
  ["watch", "scene --once --ending json --then devices --settle 0.05", "scene/.dechirp-watch/files"],
  // It serves until a signal ends it (studio.test.ts).
  ["studio", "--help", ""],
  ["stap", `cube.npy --device gpu ${radar.join(" ")} ${scan.join(" ")} --out stap`, "stap/output.npy"],
  ["schedule analyse", "tasks.json", ""],
  ["schedule simulate", "tasks.json --out trace", "trace/report.json"],
  ["schedule run", "tasks.json --device gpu --jobs 2 --runs 2 --out run", "run/report.json"],
  ["bench", "efa-paper --quick --seconds 0.01 --data-sets 1 --parts stages --device gpu --out bench", "bench/report.json"],
  ["job plan", "gotcha.mat --what backproject --grid -4,-4,0.5,0.5,16,16 --device-class gpu --out work", "work/job.json"],
  ["job missing", "work", ""],
  ["job run", "work", "work/result/report.json"],
  ["job task", "work --index 0", ""],
  ["job assemble", "work", ""],
  ["job status", "work", ""],
  ["job verify", "work", ""],
  ["job cancel", "work --undo", ""],
  // They need a server (job-queue.test.ts).
  ["job submit", "--help", ""],
  ["job work", "--help", ""],
  ["job init", "--help", ""],
  ["help", "", ""],
  ["schedule help", "", ""],
  ["job help", "", ""],
];

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dechirp-smoke-"));
  await writeFile(join(folder, "tasks.json"), tasks);
  await writeFile(join(folder, "cube.npy"), cubeNpy(stapCube()));
  const [pulses, bins] = [8, 32];
  await writeGotcha(join(folder, "gotcha.mat"), {
    positions: Float64Array.from({ length: 3 * pulses }, (_, i) => [7000, 40 * Math.floor(i / 3), 7000][i % 3]),
    referenceRangeMeters: Float64Array.from({ length: pulses }, (_, p) => Math.hypot(7000, 40 * p, 7000)),
    frequency: { firstHz: 9.3e9, stepHz: 1e6, count: bins },
    samples: Float32Array.from({ length: 2 * pulses * bins }, (_, i) => (i % 2 === 0 ? 1 : 0)),
  });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Splits arguments, and puts the folder before names of files in it. */
const wordsOf = (command: string, args: string): string[] =>
  `${command} ${args}`
    .trim()
    .split(" ")
    .map((word, i, words) =>
      words[i - 1] === "--out" || /^(scene|image|work)$|\.(mat|npy|json|png)$/.test(word) ? join(folder, word) : word,
    );

const expectFine = ({ code, stdout, stderr }: Ended): void => {
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.not.stringMatching(/^dechirp: /m) });
  expect(stdout.trim()).not.toBe("");
};

describe("every command", () => {
  it.each(calls)("%s %s", async (command, args, written) => {
    expectFine(await start(wordsOf(command, args)).ended);
    if (written !== "") expect(existsSync(join(folder, written))).toBe(true);
  });

  it("is one of these", async () => {
    const commandsIn = async (...args: string[]): Promise<string[]> => {
      const { stdout } = await start([...args, "--help"]).ended;
      const list = stdout.slice(stdout.indexOf("\nCommands:\n")).split("\n\n")[0];
      return [...list.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
    };
    const found = await commandsIn();
    expect(found.length).toBeGreaterThan(5);
    const groups = ["schedule", "job"];
    const nested = groups.map(async (group) => (await commandsIn(group)).map((name) => `${group} ${name}`));
    const all = [...found.filter((name) => !groups.includes(name)), ...(await Promise.all(nested)).flat()];
    expect(all.sort()).toEqual(calls.map(([command]) => command).sort());
  });
});
