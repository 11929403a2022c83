/** Starts worker processes of tests. They run the sources, bundled once for each test file. */
import { type ChildProcess, fork } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { afterAll, beforeAll } from "vitest";

let folder: string;

/**
 * Bundles a program before the tests of the file: one of this folder, or that at `url`. Packages that are `external` are found from `parent`, where
 * the bundle is put. Returns a function that starts it.
 */
export function useProgram(
  name: string,
  {
    url = new URL(`${name}.ts`, import.meta.url),
    parent = tmpdir(),
    external = [],
  }: { readonly url?: URL; readonly parent?: string; readonly external?: readonly string[] } = {},
): (args: readonly string[], env?: NodeJS.ProcessEnv, execArgv?: readonly string[]) => ChildProcess {
  let file: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(parent, "dechirp-jobs-program-"));
    // The sources read the manifest of their package beside their folder.
    await mkdir(join(folder, "src"));
    await copyFile(fileURLToPath(new URL("../package.json", import.meta.url)), join(folder, "package.json"));
    file = join(folder, "src", `${name}.mjs`);
    await build({
      entryPoints: [fileURLToPath(url)],
      outfile: file,
      bundle: true,
      platform: "node",
      target: "node20",
      format: "esm",
      conditions: ["@dechirp/source"],
      external: ["webgpu", ...external],
      logLevel: "warning",
    });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return (args, env = process.env, execArgv = []) =>
    fork(file, args, { env, execArgv: [...execArgv], stdio: ["ignore", "ignore", "inherit", "ipc"] });
}
