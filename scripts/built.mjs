// @ts-check
/**
 * For tests that run built programs in processes of their own: `beforeAll(built)`. It builds nothing if the sources have not changed since
 * the last build. Tests that read sources don't need it.
 */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { isBuilt, root, SetUpError } from "./setup.mjs";

/**
 * Resolves when every package is built from the current sources. Test files that call it at the same time share one build. Rejects with
 * the compiler's messages if a package does not build. The build is a separate process, so that the tests' process keeps answering
 * vitest.
 */
export async function built() {
  if (isBuilt()) return;
  const child = spawn(process.execPath, [join(root, "scripts", "setup.mjs")], { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (said += text));
  const status = await new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  if (status !== 0) throw new SetUpError(`These tests run built packages, which could not be built:\n${said}`);
}
