/**
 * The option --out: every command uses the same message if it is missing, misspelt, given twice or not a folder; a result never
 * replaces its input.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeSceneFolder } from "@dechirp/io/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dechirp, simulatedScene, smallPreset, temporaryFolder } from "./command.ts";
import { cubeNpy, radar, stapCube } from "./stap-cube.ts";

const tasks = '{ "units": 2, "tasks": [{ "id": "a", "wcet": { "1": 5, "2": 3 }, "count": 2 }] }';

let inputs: string;
beforeAll(async () => {
  inputs = await mkdtemp(join(tmpdir(), "dechirp-cli-"));
  await writeSceneFolder(join(inputs, "scene"), await simulatedScene("small", { ...smallPreset(true), targets: [] }, { type: "ci16" }));
  await writeFile(join(inputs, "tasks.json"), tasks);
});
afterAll(() => rm(inputs, { recursive: true, force: true }));

const needing = [
  ["simulate"],
  ["focus", "INPUTS/scene"],
  ["focus", "INPUTS/scene", "INPUTS/scene"],
  ["backproject", "INPUTS"],
  ["stap", "INPUTS"],
];
const taking = [
  ...needing,
  ["demo"],
  ["schedule", "analyse", "INPUTS/tasks.json"],
  ["schedule", "simulate", "INPUTS/tasks.json"],
  ["schedule", "run", "INPUTS/tasks.json"],
  ["bench", "fused-sar-paper"],
];
const withInputs = (args: readonly string[]): string[] => args.map((arg) => arg.replace("INPUTS", inputs));

describe.each(needing)("%s %s", (...args) => {
  it("says that --out is missing", async () => {
    expect(await dechirp(withInputs(args))).toEqual({
      code: 2,
      stdout: "",
      stderr: "dechirp: --out is missing: the folder to write the result to\n",
    });
    const { stdout } = await dechirp([...withInputs(args), "--json"]);
    expect(JSON.parse(stdout).error).toMatchObject({ code: "argument", fields: { option: "--out" } });
  });
});

describe.each(taking)("%s %s", (...args) => {
  it("does not take anything else for --out", async () => {
    const folder = await temporaryFolder();
    const out = join(folder, "out");
    const refused = async (given: readonly string[], message: string, option = "--out"): Promise<void> => {
      const before = existsSync("-");
      const all = [...withInputs(args), ...given];
      expect(await dechirp(all)).toEqual({ code: 2, stdout: "", stderr: `dechirp: ${message}\n` });
      const { stdout } = await dechirp([...all, "--json"]);
      expect(JSON.parse(stdout).error).toMatchObject({ code: "argument", fields: { option } });
      expect(existsSync("-")).toBe(before);
      expect(await readdir(folder)).toEqual([]);
    };
    await refused(["--outt", out], "unknown option '--outt' (Did you mean --out?)", "--outt");
    await refused(["--out", out, "--jsn"], "unknown option '--jsn' (Did you mean --json?)", "--jsn");
    const stream =
      '--out must be a folder: a result is several files and can\'t be written to stdout (write ./- for a folder of that name), not "-"';
    await refused(["--out", "-"], stream);
    await refused(["--out=-"], stream);
    await refused(["--out", ""], '--out must be non-empty text, not ""');
    await refused(["--out", out, "--out", join(folder, "other")], "--out is given twice");
    await refused(["--out"], "--out needs a value, but nothing follows it");
  });
});

describe("a result that would replace its input is refused, and one beside it is accepted", () => {
  const refused = async (args: readonly string[], folder: string, name: string, input: string): Promise<void> => {
    const before = await readFile(input);
    const outcome = await dechirp([...args, "--out", folder]);
    const message = `dechirp: --out ${folder}: ${name} in it is the input ${input}, which the result would replace\n`;
    expect(outcome).toEqual({ code: 2, stdout: "", stderr: message });
    expect(await readFile(input)).toEqual(before);
  };

  it("by focus", async () => {
    const folder = await temporaryFolder();
    const scene = join(folder, "scene");
    await writeSceneFolder(scene, await simulatedScene("small", { ...smallPreset(true), targets: [] }, { type: "ci16" }));
    // Its own folder, tried twice.
    for (let turn = 0; turn < 2; turn++) expect((await dechirp(["focus", scene, "--out", scene])).code).toBe(0);
    expect((await readdir(scene)).sort()).toEqual(["image.npy", "quicklook.png", "raw.npy", "report.json", "scene.json"]);
    const json = JSON.parse(await readFile(join(scene, "scene.json"), "utf8"));
    await rename(join(scene, "raw.npy"), join(scene, "image.npy"));
    await writeFile(join(scene, "scene.json"), JSON.stringify({ ...json, raw: "image.npy" }));
    await refused(["focus", scene], scene, "image.npy", join(scene, "image.npy"));
    await symlink(scene, join(folder, "link"));
    await refused(["focus", join(folder, "link")], scene, "image.npy", join(folder, "link", "image.npy"));
    // With several inputs, the result of one would go into the folder of another.
    const { code, stderr } = await dechirp(["focus", scene, join(inputs, "scene"), "--out", folder]);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `dechirp: --out ${scene}: image.npy in it is the input ${join(scene, "image.npy")}, which the result would replace\n`,
    });
  });

  it("by stap", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "output.npy"), cubeNpy(stapCube()));
    await refused(["stap", join(folder, "output.npy"), ...radar, "--azimuth", "10"], folder, "output.npy", join(folder, "output.npy"));
    await mkdir(join(folder, "other"));
    await writeFile(join(folder, "other", "angle-doppler.npy"), cubeNpy(stapCube()));
    const steering = join(folder, "other", "angle-doppler.npy");
    const args = ["stap", join(folder, "output.npy"), ...radar, "--steering", steering];
    await refused(args, join(folder, "other"), "angle-doppler.npy", steering);
  });

  it.each([
    ["analyse", "report.json"],
    ["simulate", "report.json"],
    ["simulate", "trace.csv"],
    ["run", "report.json"],
    ["run", "responses.svg"],
    ["analyse", "bounds-by-tasks.svg"],
  ])("by schedule %s, of %s", async (command, name) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, name), tasks);
    await refused(["schedule", command, join(folder, name)], folder, name, join(folder, name));
  });
});
