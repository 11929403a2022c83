/** Starts worker processes of tests. They run the sources, bundled once for each test file. */
import { type ChildProcess, fork } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

let folder: string;

/** Bundles a program of this folder before the tests of the file. Returns a function that starts it. */
export function useProgram(name: string): (args: readonly string[], env?: NodeJS.ProcessEnv) => ChildProcess {
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "dechirp-jobs-program-"));
    // The sources read the manifest of their package beside their folder.
    await mkdir(join(folder, "src"));
    await copyFile(fileURLToPath(new URL("../package.json", import.meta.url)), join(folder, "package.json"));
    file = join(folder, "src", `${name}.mjs`);
    await build({
      entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
      outfile: file,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      conditions: ["@dechirp/source"],
      external: ["webgpu"],
      logLevel: "warning",
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (args, env = process.env) => fork(file, args, { env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
}
