// @ts-check
/**
 * Checks the files of the repository: no large files, no measured data, no overlong sources, no paths of a particular machine, no notes of
 * unfinished work, no registry in the lockfile. The checks are pure functions of a list of files.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { root, SetUpError } from "./setup.mjs";

const maxBytes = 600 * 1024;
/** Lines of a source file. More than `wanted` gives a warning, more than `most` an error. */
const sourceLines = { wanted: 400, most: 450 };

const isSource = (/** @type {string} */ path) => /\.(ts|mts|mjs|js|css|vue|wgsl)$/.test(path) && !/\.generated\.ts$/.test(path);

// Each pattern is written so that it does not match its own source text.
const machinePath = /(?:^|[\s"'`(=:,[])(?:\/(?:home|Users|root|work|mnt)\/[\w.-]+|[A-Z]:\\{1,2}Users\\)/;
const unfinished = /\b(?:TOD[O]|FIXM[E]|XX[X]|HAC[K])\b/;
const registry = /\b(?:tarball|registry): *['"]?https?:/;

/**
 * @typedef {{ path: string, bytes: number, text: () => string }} File a path relative to the root, with forward slashes
 * @typedef {{ errors: string[], warnings: string[] }} Findings
 */

/**
 * @param {readonly File[]} files
 * @returns {Findings}
 */
export function inspect(files) {
  /** @type {Findings} */
  const findings = { errors: [], warnings: [] };
  for (const { path, bytes, text } of files) {
    if (bytes > maxBytes) {
      findings.errors.push(`${path} has ${Math.ceil(bytes / 1024)} KiB; at most ${maxBytes / 1024} are allowed`);
      continue;
    }
    if (/\.mat$/i.test(path)) findings.errors.push(`${path}: MATLAB files are data, which must not be in the repository`);
    const content = text();
    if (content.includes("\0")) continue; // not text
    const lines = content.split("\n");
    if (isSource(path) && lines.length > sourceLines.wanted) {
      const tooLong = lines.length > sourceLines.most;
      findings[tooLong ? "errors" : "warnings"].push(
        `${path} has ${lines.length} lines; source files should have at most about ${sourceLines.wanted}`,
      );
    }
    lines.forEach((line, index) => {
      const report = (/** @type {string} */ what) => findings.errors.push(`${path}:${index + 1} ${what}`);
      if (path === "pnpm-lock.yaml") {
        if (registry.test(line)) report("names a registry");
        return;
      }
      if (machinePath.test(line)) report("names a path of a particular machine");
      if (unfinished.test(line)) report("is a note of unfinished work");
    });
  }
  return findings;
}

/**
 * The files that a commit of the current checkout would contain.
 * @returns {File[]}
 */
export function repositoryFiles(folder = root) {
  const git = spawnSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: folder, encoding: "utf8" });
  if (git.status !== 0) throw new SetUpError(`git could not list the files of ${folder}: ${git.stderr?.trim() || git.error?.message}`);
  const paths = [...new Set(git.stdout.split("\0"))].filter((path) => path !== "" && existsSync(join(folder, path)));
  return paths.map((path) => {
    const file = join(folder, path);
    return { path, bytes: statSync(file).size, text: () => readFileSync(file, "utf8") };
  });
}
