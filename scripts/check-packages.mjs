// @ts-check
/**
 * The public packages as their users get them: each is packed, its tarball linted, and all are installed together
 * into an empty project outside the checkout, where a type check, a program and the `dechirp` command must work
 * without any flag, imports must have no effects, bundles keep their budgets, and a page of a browser works. Expects a finished
 * build; writes only to a temporary folder.
 */
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { checkApp } from "./package-app.mjs";
import { checkSizes } from "./package-sizes.mjs";
import { pnpm, root, runMain, SetUpError, say } from "./setup.mjs";

/**
 * Runs a program and returns what it wrote to stdout; its failure is an expected error.
 * @param {string} command @param {readonly string[]} args @param {string} cwd @param {Readonly<Record<string, string>>} [env]
 */
function run(command, args, cwd, env = {}) {
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

/** Build products whose source is gone: they would be published for ever. @param {string} folder */
function strayProducts(folder) {
  const files = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
  return files.filter((file) => file.endsWith(".js") && !existsSync(join(folder, "src", file.replace(/\.js$/, ".ts"))));
}

/** @param {string} folder */
const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

/** Folders of the packages that are published. */
const publicFolders = () =>
  readdirSync(join(root, "packages"))
    .map((name) => join(root, "packages", name))
    .filter((folder) => manifestOf(folder).private !== true);

/** Returns the tarball of the package in a folder. @param {string} folder @param {string} tarballs where it is put */
function pack(folder, tarballs) {
  const { name, version } = manifestOf(folder);
  if (!existsSync(join(folder, "README.md"))) throw new SetUpError(`${name} has no README.md`);
  if (!existsSync(join(folder, "dist", "index.js"))) throw new SetUpError(`${name} is not built`);
  const stray = strayProducts(folder);
  if (stray.length > 0) throw new SetUpError(`${name}: dist holds ${stray.join(", ")} without a source; remove dist and build again`);
  if (pnpm(["--silent", "--dir", folder, "pack", "--pack-destination", tarballs]) !== 0)
    throw new SetUpError(`${name} could not be packed: run pnpm pack in ${folder} to see why`);
  return join(tarballs, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
}

/**
 * What is in a package as it was installed: the build, the sources that its maps name, and what says what it is and who may use it.
 * @param {string} folder
 */
function checkContent(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  const {
    name,
    version,
    description,
    license,
    type,
    engines,
    sideEffects,
    dependencies = {},
  } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const missing = ["LICENSE", "README.md"].filter((file) => !files.includes(file));
  if (missing.length > 0) throw new SetUpError(`${name}: the tarball lacks ${missing.join(", ")}`);
  const expected = /^dist\/.*\.(js|d\.ts)(\.map)?$|^src\/.*\.ts$|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/;
  const odd = files.filter((file) => !expected.test(file));
  if (odd.length > 0) throw new SetUpError(`${name}: the tarball should not hold ${odd.join(", ")}`);
  const sound = version && description && license === "MIT" && type === "module" && engines?.node && sideEffects === false;
  if (!sound) throw new SetUpError(`${name}: version, description, license, type, engines or sideEffects are not as they should be`);
  for (const [other, range] of Object.entries(dependencies))
    if (/workspace|catalog/.test(String(range))) throw new SetUpError(`${name}: the range of ${other} is ${range}`);
}

/** Installs the tarballs into a project that has nothing else. @param {string} folder @param {readonly string[]} tarballs */
function installInto(folder, tarballs) {
  cpSync(join(root, "scripts", "consumer"), folder, { recursive: true });
  cpSync(join(root, "scripts", "app"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  say(`installing ${tarballs.length} tarballs into a project of their user`);
  run("npm", ["install", ...tarballs], folder, quietly);
}

/** @param {string} folder where the packages are installed @param {readonly string[]} names */
function checkConsumer(folder, names) {
  for (const name of names) checkContent(join(folder, "node_modules", name));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const common = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext"];
  // Without Node's types, as in a browser project; then every package with them. Declarations are checked as well.
  run(process.execPath, [tsc, ...common, "--types", "", "--lib", "es2022,esnext.disposable,dom", "browser.ts", "main.ts"], folder);
  const nodeTypes = ["--typeRoots", join(root, "node_modules", "@types"), "--types", "node"];
  run(process.execPath, [tsc, ...common, ...nodeTypes, "--lib", "es2022,esnext.disposable,dom", "node.ts"], folder);
  process.stderr.write(run(process.execPath, ["program.mjs"], folder));
  run(process.execPath, ["effects.mjs", ...names, "@dechirp/core/backend", "@dechirp/core/tables", "@dechirp/io/node"], folder);
  const dechirp = join(folder, "node_modules", ".bin", process.platform === "win32" ? "dechirp.cmd" : "dechirp");
  run(dechirp, ["--version"], folder);
  run(dechirp, ["demo", "--out", "out"], folder);
  for (const file of ["quicklook.png", "image.npy", "report.json"]) {
    if (!existsSync(join(folder, "out", file))) throw new SetUpError(`dechirp demo has written no ${file}`);
  }
}

/** npm's settings for installs that ask no server what the cache can tell. */
const quietly = {
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_prefer_offline: "true",
  npm_config_ignore_scripts: "true",
};

/**
 * The install commands of the documentation's pages, each script once, in an empty project: with tarballs in place of names, and
 * with those that npm would fetch because the named ones depend on them.
 * @param {string} folder an empty folder @param {ReadonlyMap<string, string>} tarballOf by name of the package
 */
function checkInstalls(folder, tarballOf) {
  const examples = join(root, "apps", "docs", "examples");
  if (!existsSync(examples)) return;
  const scripts = readdirSync(examples, { recursive: true, encoding: "utf8" }).filter((file) => /^install.*\.sh$/.test(basename(file)));
  const texts = new Set(scripts.map((file) => readFileSync(join(examples, file), "utf8")));
  for (const text of texts) {
    const project = mkdtempSync(join(folder, "install-"));
    writeFileSync(join(project, "package.json"), JSON.stringify({ name: "install", private: true, type: "module" }));
    const script = text.replace(/^npm install .*$/gm, (line) => {
      const words = line.split(/\s+/);
      const named = words.filter((word) => tarballOf.has(word));
      const fetched = [...withDependencies(named)].filter((name) => !named.includes(name));
      return [...words, ...fetched].map((word) => tarballOf.get(word) ?? word).join(" ");
    });
    run("sh", ["-e", "-c", script], project, { ...quietly, npm_config_prefix: project });
  }
  say(`${texts.size} ways to install of the documentation work`);
}

/** Names of packages of this workspace and of those that they depend on. @param {readonly string[]} names @returns {Set<string>} */
function withDependencies(names) {
  const manifests = new Map(publicFolders().map((folder) => [manifestOf(folder).name, manifestOf(folder)]));
  const all = new Set(names);
  for (const name of all)
    for (const other of Object.keys(manifests.get(name)?.dependencies ?? {})) if (manifests.has(other)) all.add(other);
  return all;
}

/** Lints the tarballs: what package.json says of them, and what TypeScript finds by it. @param {readonly string[]} tarballs @param {string} folder */
function lint(tarballs, folder) {
  const publint = join(root, "node_modules", "publint", "src", "cli.js");
  const attw = join(root, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
  for (const tarball of tarballs) {
    process.stderr.write(run(process.execPath, [publint, "run", tarball, "--strict"], folder));
    run(process.execPath, [attw, tarball, "--profile", "esm-only", "--no-color", "--no-emoji"], folder);
    say(`${basename(tarball)} has ${statSync(tarball).size} bytes`);
  }
}

await runMain(async () => {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-packages-"));
  try {
    const tarballFolder = join(folder, "tarballs");
    const consumer = join(folder, "consumer");
    for (const path of [tarballFolder, consumer]) mkdirSync(path);
    const tarballOf = new Map(publicFolders().map((one) => [manifestOf(one).name, pack(one, tarballFolder)]));
    const tarballs = [...tarballOf.values()];
    lint(tarballs, folder);
    installInto(consumer, tarballs);
    checkConsumer(consumer, [...tarballOf.keys()]);
    checkInstalls(folder, tarballOf);
    process.stderr.write(await checkSizes(consumer));
    process.stderr.write(await checkApp(consumer));
    say(`${tarballs.length} packages work for their users`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
