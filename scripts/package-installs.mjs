// @ts-check
/**
 * Follows the documentation as a new user does, with packed packages instead of published ones: in an empty folder it runs the install
 * commands of a README or page, saves its programs under the names given in the text, and runs them. Their output must be what the
 * documentation shows.
 */
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { useAdapter } from "../packages/fft-gpu/scripts/adapter.mjs";
import { manifestOf, publicFolders, quietly, run } from "./package-tools.mjs";
import { root, SetUpError, say } from "./setup.mjs";

const examples = join(root, "apps", "docs", "examples");

/** @param {string} folder the folder in which each page gets a project @param {ReadonlyMap<string, string>} tarballOf by package name */
export async function checkInstalls(folder, tarballOf) {
  if (!existsSync(examples)) return;
  await useAdapter(); // one of the programs needs a GPU
  const scripts = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((file) => /^install.*\.sh$/.test(basename(file)));
  const pages = new Set(scripts.map((file) => join(examples, file, "..")));
  let programs = 0;
  for (const page of pages) programs += checkPage(page, mkdtempSync(join(folder, "install-")), tarballOf);
  say(`${scripts.length} installations from the documentation work, and ${programs} programs print what they should`);
}

/**
 * Runs the install scripts of a page, `install.sh` first, then its programs: `*.mjs` by Node, and `*.ts` if a script has a command for the
 * same name with `.mts`. Returns the number of programs.
 * @param {string} page @param {string} project @param {ReadonlyMap<string, string>} tarballOf
 */
function checkPage(page, project, tarballOf) {
  const files = readdirSync(page).sort();
  const scripts = files.filter((file) => /^install.*\.sh$/.test(file)).sort((a, b) => a.length - b.length);
  const lines = scripts.flatMap((file) => readFileSync(join(page, file), "utf8").trimEnd().split("\n"));
  let programs = 0;
  /** @param {string} file @param {() => string} runIt */
  const check = (file, runIt) => {
    const expected = join(page, file.replace(/\.\w+$/, ".out.txt"));
    const said = runIt();
    if (existsSync(expected) && !matches(readFileSync(expected, "utf8"), said))
      throw new SetUpError(`${join(page, file)} was installed and run as the page shows it, but printed\n${said}`);
    programs++;
  };
  for (const line of lines) {
    const program = files.find((file) => file.endsWith(".ts") && line.endsWith(` ${file.replace(/\.ts$/, ".mts")}`));
    if (program) cpSync(join(page, program), join(project, program.replace(/\.ts$/, ".mts")));
    const runLine = () => run("sh", ["-e", "-c", withTarballs(line, tarballOf)], project, { ...quietly, npm_config_prefix: project });
    if (program) check(program, runLine);
    else runLine();
  }
  for (const file of files.filter((one) => one.endsWith(".mjs"))) {
    cpSync(join(page, file), join(project, file));
    check(file, () => run(process.execPath, [file], project));
  }
  return programs;
}

/**
 * Compares outputs. `…` in the expected one matches any characters of a line, as in the tests of the documentation. @param {string}
 * expected @param {string} said
 */
function matches(expected, said) {
  const parts = expected.trimEnd().split("…");
  const pattern = parts.map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("[^\\n]*");
  return new RegExp(`^${pattern}$`).test(said.trimEnd());
}

/**
 * Replaces package names in an install command by tarballs, and adds the tarballs of the workspace's packages that these depend on.
 * @param {string} line @param {ReadonlyMap<string, string>} tarballOf
 */
function withTarballs(line, tarballOf) {
  if (!line.startsWith("npm install ")) return line;
  const words = line.split(/\s+/);
  const named = words.filter((word) => tarballOf.has(word));
  const fetched = [...withDependencies(named)].filter((name) => !named.includes(name));
  return [...words, ...fetched].map((word) => tarballOf.get(word) ?? word).join(" ");
}

/** The names of packages of this workspace and of those that they depend on. @param {readonly string[]} names @returns {Set<string>} */
function withDependencies(names) {
  const manifests = new Map(publicFolders().map((folder) => [manifestOf(folder).name, manifestOf(folder)]));
  const all = new Set(names);
  for (const name of all)
    for (const other of Object.keys(manifests.get(name)?.dependencies ?? {})) if (manifests.has(other)) all.add(other);
  return all;
}
