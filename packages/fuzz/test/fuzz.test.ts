/**
 * Runs a few thousand hostile inputs of a fixed seed through the built fuzzer, as `npm run fuzz` does with more. `npm test` and `npm
 * run build` build it.
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import { built } from "../../../scripts/built.mjs";

beforeAll(built);

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));

const fuzz = (...args: string[]) => spawnSync(process.execPath, [main, ...args], { encoding: "utf8", maxBuffer: 2 ** 26 });

it("finds no fault in any reader or command", () => {
  const { status, stdout } = fuzz("--inputs", "3000", "--seed", "1");
  expect(stdout.match(/^FAULT[\s\S]*?\n.*$/gm) ?? []).toEqual([]);
  expect(stdout).toMatch(/\n\d{4} inputs of \d\d targets, seed 1, in \d+ s and \d+ MiB at most: 0 faults\n$/);
  // Some inputs must get past the first check, and some past the last.
  for (const target of ["mat", "npy", "gotcha", "scene-folder", "array-mat", "program", "quality", "analyse-tasks-0"])
    expect(Number(new RegExp(`^${target} +(\\d+) `, "m").exec(stdout)?.[1])).toBeGreaterThan(1);
  expect(status).toBe(0);
});

it("repeats one case, and refuses unknown options and targets", () => {
  const once = fuzz("--target", "npy", "--seed", "1", "--case", "3");
  expect(once).toMatchObject({ status: 0, stdout: expect.stringMatching(/^npy --seed 1 --case 3: [\s\S]*x\.bin: \d+ bytes\n\{/) });
  expect(fuzz("--target", "npy", "--seed", "1", "--case", "3").stdout).toBe(once.stdout);
  expect(fuzz("--target", "nothing")).toMatchObject({ status: 2, stderr: expect.stringContaining("no target") });
  expect(fuzz("--inputs", "many")).toMatchObject({ status: 2, stderr: expect.stringContaining("--inputs") });
});
