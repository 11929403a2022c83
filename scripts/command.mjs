// @ts-check
/**
 * Runs the `dechirp` command of this checkout in this process: one process, the user's terminal, signals and exit
 * status. Stdout belongs to the command alone.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, SetUpError, setUp } from "./setup.mjs";

/** @param {readonly string[]} args */
export async function runCommand(args) {
  setUp();
  const main = join(root, "packages", "cli", "dist", "main.js");
  if (!existsSync(main)) throw new SetUpError(`The build has left no ${main}.`);
  process.chdir(userFolder(process.env, process.cwd()));
  process.argv = [process.execPath, main, ...args];
  await import(pathToFileURL(main).href);
}

/**
 * Where relative paths of the command line start: npm runs scripts in the checkout's root and names the folder that
 * the user stands in as INIT_CWD. Only the script that npm itself started may trust that name: one that another
 * program starts inherits it.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 */
export function userFolder(env, cwd) {
  const startedByNpm = env["npm_package_json"] === join(root, "package.json") && cwd === root;
  return startedByNpm && env["INIT_CWD"] ? env["INIT_CWD"] : cwd;
}
