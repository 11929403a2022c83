// @ts-check
/**
 * Checks the public packages as their users get them. Each is packed and its tarball linted. Then all are installed together into an empty
 * project outside the checkout. There a type check, a program and the `dechirp` command must work without any flag, imports must have no
 * side effects, bundles must keep their size budgets, and a page in a browser must work. Needs a finished build; writes only to a
 * temporary folder.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { checkApp } from "./package-app.mjs";
import { checkInstalls } from "./package-installs.mjs";
import { measureSizes } from "./package-sizes.mjs";
import { isSite, manifestOf, publicFolders, quietly, run } from "./package-tools.mjs";
import { pnpm, root, runMain, SetUpError, say } from "./setup.mjs";

/** Build products whose source no longer exists. They would be published by mistake. A site is written anew. @param {string} folder */
function strayProducts(folder) {
  if (isSite(folder)) return [];
  const files = readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" });
  // Files for Node are joined anew by each build.
  const compiled = files.filter((file) => file.endsWith(".js") && !file.endsWith(".node.js"));
  return compiled.filter((file) => !existsSync(join(folder, "src", file.replace(/\.js$/, ".ts"))));
}

/**
 * Packs the package in a folder and returns the path of the tarball. @param {string} folder @param {string} tarballs the folder for the
 * tarball
 */
function pack(folder, tarballs) {
  const { name, version } = manifestOf(folder);
  if (!existsSync(join(folder, "README.md"))) throw new SetUpError(`${name} has no README.md`);
  if (!existsSync(join(folder, "dist", isSite(folder) ? "index.html" : "index.js"))) throw new SetUpError(`${name} is not built`);
  const stray = strayProducts(folder);
  if (stray.length > 0) throw new SetUpError(`${name}: dist has ${stray.join(", ")} without a source; remove dist and build again`);
  if (pnpm(["--silent", "--dir", folder, "pack", "--pack-destination", tarballs]) !== 0)
    throw new SetUpError(`${name} could not be packed; run pnpm pack in ${folder} to see why`);
  return join(tarballs, `${name.replace("@", "").replace("/", "-")}-${version}.tgz`);
}

/**
 * Checks the content of an installed package: the build, the sources that its source maps name, and LICENSE, README, CHANGELOG and
 * package.json.
 * @param {string} folder
 */
function checkContent(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  const manifest = manifestOf(folder);
  const { name, version, description, license, type, engines, sideEffects, dependencies = {} } = manifest;
  const missing = [
    "LICENSE",
    "README.md",
    "CHANGELOG.md",
    ...(isSite(folder) ? ["dist/service-worker.js", "dist/licences.md"] : []),
  ].filter((file) => !files.includes(file));
  if (missing.length > 0) throw new SetUpError(`${name}: the tarball lacks ${missing.join(", ")}`);
  const expected = isSite(folder)
    ? /^dist\/(index\.html|service-worker\.js|licences\.md|assets\/[\w.-]+)$|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/
    : /^dist\/.*\.(js|d\.ts)(\.map)?$|^src\/.*\.ts$|^(LICENSE|README\.md|CHANGELOG\.md|package\.json)$/;
  const odd = files.filter((file) => !expected.test(file));
  if (odd.length > 0) throw new SetUpError(`${name}: the tarball should not contain ${odd.join(", ")}`);
  // The script of a worker is all effects. A site is bundled, and its sources have imports for their effects alone.
  const isPure = sideEffects === false || (Array.isArray(sideEffects) && sideEffects.every((file) => /\/worker\.[jt]s$/.test(file)));
  const sound = version && description && license === "MIT" && type === "module" && engines?.node && (isPure || isSite(folder));
  if (!sound)
    throw new SetUpError(
      `${name}: package.json needs a version, a description, the license MIT, the type module, engines.node and sideEffects false (or the scripts of workers)`,
    );
  for (const field of ["repository", "homepage", "bugs"])
    if (!manifest[field]) throw new SetUpError(`${name}: the tarball's package.json has no ${field}; run npm run manifests`);
  for (const [other, range] of Object.entries(dependencies))
    if (/workspace|catalog/.test(String(range)))
      throw new SetUpError(`${name}: the range of ${other} is ${range}, which npm can not resolve`);
}

/** Installs the tarballs into a project that contains nothing else. @param {string} folder @param {readonly string[]} tarballs */
function installInto(folder, tarballs) {
  cpSync(join(root, "scripts", "consumer"), folder, { recursive: true });
  cpSync(join(root, "scripts", "app"), folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  say(`installing ${tarballs.length} tarballs into an empty project`);
  run("npm", ["install", ...tarballs], folder, quietly);
}

/** @param {string} folder where the packages are installed @param {readonly string[]} names */
function checkConsumer(folder, names) {
  for (const name of names) checkContent(join(folder, "node_modules", name));
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const common = ["--noEmit", "--strict", "--skipLibCheck", "false", "--target", "es2022", "--module", "nodenext"];
  // First with the language's library only, then as in a browser project, then every package with Node's types.
  run(process.execPath, [tsc, ...common, "--types", "", "--lib", "es2022", "browser.ts"], folder);
  run(process.execPath, [tsc, ...common, "--types", "", "--lib", "es2022,dom", "browser.ts", "main.ts"], folder);
  const nodeTypes = ["--typeRoots", join(root, "node_modules", "@types"), "--types", "node"];
  run(process.execPath, [tsc, ...common, ...nodeTypes, "--lib", "es2022", "node.ts"], folder);
  process.stderr.write(run(process.execPath, ["program.mjs"], folder));
  run(
    process.execPath,
    [
      "effects.mjs",
      ...names.filter((name) => !isSite(join(folder, "node_modules", name))),
      "@dechirp/core/backend",
      "@dechirp/core/compare",
      "@dechirp/core/expression",
      "@dechirp/core/expression/code",
      "@dechirp/core/internal",
      "@dechirp/core/reduce",
      "@dechirp/core/stencil",
      "@dechirp/core/json",
      "@dechirp/core/tables",
      "@dechirp/experiments/schedules",
      "@dechirp/experiments/tables",
      "@dechirp/experiments/timing",
      "@dechirp/fft-cpu/worker",
      "@dechirp/io/cphd",
      "@dechirp/io/formats",
      "@dechirp/io/geotiff",
      "@dechirp/io/info",
      "@dechirp/io/sicd",
      "@dechirp/io/node",
      "@dechirp/io/zarr",
      "@dechirp/pictures/png",
      "@dechirp/processor/clock",
      "@dechirp/radar/geodesy",
      "@dechirp/radar/images",
      "@dechirp/radar/interpolation",
      "@dechirp/realtime/reports",
      "@dechirp/realtime/transforms",
      "@dechirp/sar/geocoding",
    ],
    folder,
  );
  const dechirp = join(folder, "node_modules", ".bin", process.platform === "win32" ? "dechirp.cmd" : "dechirp");
  run(dechirp, ["--version"], folder);
  run(dechirp, ["demo", "--out", "out"], folder);
  for (const file of ["quicklook.png", "image.npy", "report.json"]) {
    if (!existsSync(join(folder, "out", file))) throw new SetUpError(`dechirp demo did not write ${file}`);
  }
  // The experiments are a separate package, which is installed with the command.
  run(dechirp, ["bench", "fused-sar-paper", "--size", "256", "--turns", "1", "--out", "bench"], folder);
  if (!existsSync(join(folder, "bench", "report.md"))) throw new SetUpError("dechirp bench did not write report.md");
}

/**
 * Lints the tarballs: package.json, and whether TypeScript finds the types of those that programs import.
 * @param {ReadonlyMap<string, string>} tarballOf by folder @param {string} folder
 */
function lint(tarballOf, folder) {
  const publint = join(root, "node_modules", "publint", "src", "cli.js");
  const attw = join(root, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
  for (const [source, tarball] of tarballOf) {
    process.stderr.write(run(process.execPath, [publint, "run", tarball, "--strict"], folder));
    if (!isSite(source)) run(process.execPath, [attw, tarball, "--profile", "esm-only", "--no-color", "--no-emoji"], folder);
    say(`${basename(tarball)} has ${statSync(tarball).size} bytes`);
  }
}

await runMain(async () => {
  const folder = mkdtempSync(join(tmpdir(), "dechirp-packages-"));
  try {
    const tarballFolder = join(folder, "tarballs");
    const consumer = join(folder, "consumer");
    for (const path of [tarballFolder, consumer]) mkdirSync(path);
    const packed = new Map(publicFolders().map((one) => [one, pack(one, tarballFolder)]));
    const tarballOf = new Map([...packed].map(([one, tarball]) => [manifestOf(one).name, tarball]));
    const tarballs = [...packed.values()];
    lint(packed, folder);
    installInto(consumer, tarballs);
    checkConsumer(consumer, [...tarballOf.keys()]);
    await checkInstalls(folder, tarballOf);
    const { table, exceeded } = await measureSizes(consumer);
    process.stderr.write(table);
    if (exceeded.length > 0) throw new SetUpError(exceeded.join("\n"));
    process.stderr.write(await checkApp(consumer));
    say(`${tarballs.length} packages passed all checks`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
