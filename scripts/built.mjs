// @ts-check
/**
 * For tests that run what is built, in processes of their own: `beforeAll(built)`. Nothing is built where the sources have not changed since
 * the last build. Tests that read sources don't need this.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { isBuilt, root, SetUpError } from "./setup.mjs";

/**
 * Resolves when every package is built from the sources that are there; files of tests that ask at the same time share one build. Rejects
 * with what the compiler said where a package does not build. The build is a process of its own, so that the tests' own process goes on
 * answering vitest.
 */
export async function built() {
  if (isBuilt()) return;
  const child = spawn(process.execPath, [join(root, "scripts", "setup.mjs")], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (status !== 0) throw new SetUpError(`The packages, of which this runs the built form, could not be built:\n${said}`);
}
