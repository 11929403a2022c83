// @ts-check
/** Helpers for the checks of packed packages: running programs that must succeed, npm's settings, the list of public packages. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root, SetUpError } from "./setup.mjs";

/**
 * Runs a program and returns its stdout. Throws a `SetUpError` if the program fails.
 * @param {string} command @param {readonly string[]} args @param {string} cwd @param {Readonly<Record<string, string>>} [env]
 */
export function run(command, args, cwd, env = {}) {
  const result = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
  });
  if (result.status !== 0) {
    const what = `${basename(command)} ${args.join(" ")}`;
    throw new SetUpError(`${what} failed (${result.status ?? result.error?.message}):\n${result.stdout ?? ""}${result.stderr ?? ""}`);
  }
  return result.stdout;
}

/** npm's settings for installs that use the cache instead of a server if possible. */
export const quietly = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_prefer_offline: "true",
  npm_config_ignore_scripts: "true",
};

/** @param {string} folder */
export const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Folders of the packages that are published. */
export const publicFolders = () =>
  ["packages", "apps"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .filter((folder) => manifestOf(folder).private !== true);

/** Whether a package is a built site, which nothing imports, instead of modules. @param {string} folder */
export const isSite = (folder) => !Object.hasOwn(manifestOf(folder).exports ?? {}, ".");
