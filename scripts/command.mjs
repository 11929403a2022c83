// @ts-check
/**
 * Runs the `dechirp` command of this checkout in this process, so that it has the user's terminal, signals and exit status. Only the
 * command writes to stdout.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root, SetUpError, setUp } from "./setup.mjs";

/** @param {readonly string[]} args */
export async function runCommand(args) {
  setUp();
  const main = join(root, "packages", "cli", "dist", "main.node.js");
  if (!existsSync(main)) throw new SetUpError(`The build did not make ${main}.`);
  process.chdir(userFolder(process.env, process.cwd()));
  process.argv = [process.execPath, main, ...args];
  await import(pathToFileURL(main).href);
}

/**
 * The folder that relative paths of the command line refer to. npm runs scripts in the checkout's root and passes the user's folder as
 * INIT_CWD. Only the script that npm itself started may use that variable, as other programs that it starts inherit it.
 * @param {NodeJS.ProcessEnv} env
 * @param {string} cwd
 */
export function userFolder(env, cwd) {
  const startedByNpm = env["npm_package_json"] === join(root, "package.json") && cwd === root;
  return startedByNpm && env["INIT_CWD"] ? env["INIT_CWD"] : cwd;
}
