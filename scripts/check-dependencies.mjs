// @ts-check
/**
 * Checks the rules about dependencies against what the packages import and declare. The table below is the rule. The functions after it
 * are pure and get the workspace as data, so that tests can pass them an invalid one.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, posix } from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { root } from "./setup.mjs";

const core = "@dechirp/core";
const backends = ["@dechirp/fft-cpu", "@dechirp/fft-gpu"];
const experiments = "@dechirp/experiments";
const radar = "@dechirp/radar";
const domains = [radar, "@dechirp/sar", "@dechirp/stap", "@dechirp/realtime", "@dechirp/io"];
const pictures = "@dechirp/pictures";
const processor = "@dechirp/processor";
const jobs = "@dechirp/jobs";
const jobsBullmq = "@dechirp/jobs-bullmq";
const studio = "@dechirp/studio";

/**
 * `mayUse`: the packages of this workspace that a package's sources may import. `node`: whether they may import Node's modules: "none",
 * "lazily" (by `import()`, so that browsers can load the package), "apart" (in files named node*.ts, which browsers need not load), "any".
 * `isSite`: the package is published as a built site that has all code in it, so its sources import development dependencies.
 * @type {Readonly<Record<string, { mayUse: readonly string[], node: "none" | "lazily" | "apart" | "any", isSite?: true }>>}
 */
export const rules = {
  [core]: { mayUse: [], node: "none" },
  "@dechirp/conformance": { mayUse: [core, radar], node: "none" },
  "@dechirp/fft-cpu": { mayUse: [core], node: "lazily" },
  "@dechirp/fft-gpu": { mayUse: [core], node: "lazily" },
  [radar]: { mayUse: [core], node: "none" },
  "@dechirp/sar": { mayUse: [core, radar], node: "none" },
  "@dechirp/stap": { mayUse: [core, radar], node: "none" },
  "@dechirp/realtime": { mayUse: [core], node: "lazily" },
  "@dechirp/io": { mayUse: [core, radar], node: "apart" },
  [pictures]: { mayUse: [core, "@dechirp/io"], node: "apart" },
  [processor]: { mayUse: [core, radar, "@dechirp/sar", "@dechirp/stap"], node: "none" },
  [jobs]: { mayUse: [core, radar, "@dechirp/sar", "@dechirp/io", processor], node: "any" },
  [jobsBullmq]: { mayUse: [core, jobs], node: "any" },
  [experiments]: { mayUse: [core, ...backends, ...domains, pictures, processor], node: "any" },
  dechirp: { mayUse: [core, ...backends, ...domains, pictures, processor, jobs, jobsBullmq, experiments, studio], node: "any" },
  "@dechirp/bench": { mayUse: [core, ...backends, ...domains, processor, jobs, experiments, "@dechirp/pictures"], node: "any" },
  "@dechirp/fuzz": { mayUse: [core, radar, "@dechirp/io", "dechirp"], node: "any" },
  // The page and its workers import no module of Node; the build's configuration and the tests do.
  // The definitions of transforms of the conformance kit are the references of its measurements.
  [studio]: {
    mayUse: [core, "@dechirp/conformance", ...backends, ...domains, pictures, processor, experiments],
    node: "none",
    isSite: true,
  },
  docs: {
    mayUse: [core, "@dechirp/conformance", ...backends, ...domains, pictures, processor, jobs, jobsBullmq, experiments, studio],
    node: "any",
  },
};

/**
 * @typedef {{ name: string, dependencies?: Record<string, string>, peerDependencies?: Record<string, string>,
 *   optionalDependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest
 * @typedef {{ path: string, text: string }} File a source file; its path is relative to the package's folder
 * @typedef {{ manifest: Manifest, files: readonly File[], references?: readonly string[] }} Package `references`: names
 *   of the packages that its tsconfig.build.json refers to
 * @typedef {{ specifier: string, kind: "static" | "type" | "lazy" }} Import
 */

/**
 * Lists the modules that a file names in an import, an export-from, an `import()` or an `import("…")` type.
 * @param {File} file
 * @returns {Import[]}
 */
export function importsOf({ path, text }) {
  const { module, program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  /** @type {Import[]} */
  const imports = [];
  for (const { moduleRequest, entries } of module.staticImports) {
    const typesOnly = entries.length > 0 && entries.every((entry) => entry.isType);
    imports.push({ specifier: moduleRequest.value, kind: typesOnly ? "type" : "static" });
  }
  for (const { entries } of module.staticExports) {
    for (const { moduleRequest, isType } of entries) {
      if (moduleRequest) imports.push({ specifier: moduleRequest.value, kind: isType ? "type" : "static" });
    }
  }
  new Visitor({
    ImportExpression({ source }) {
      if (source.type === "Literal" && typeof source.value === "string") imports.push({ specifier: source.value, kind: "lazy" });
    },
    TSImportType({ source }) {
      imports.push({ specifier: source.value, kind: "type" });
    },
  }).visit(program);
  return imports;
}

/**
 * Lists the violations of the rules in the workspace, one sentence each.
 * @param {readonly Package[]} packages
 * @param {Manifest} rootManifest its development dependencies are available to the tests of every package
 */
export function violations(packages, rootManifest) {
  const own = new Set([...Object.keys(rules), ...packages.map(({ manifest }) => manifest.name)]);
  return packages.flatMap((one) => {
    const { name } = one.manifest;
    const rule = rules[name];
    if (!rule) return [`${name} has no row in the table of scripts/check-dependencies.mjs`];
    return [...declarationViolations(one, rule, own), ...fileViolations(one, rule, own, rootManifest), ...cycles(one)];
  });
}

/**
 * Checks what package.json and tsconfig.build.json declare.
 * @param {Package} one @param {(typeof rules)[string]} rule @param {ReadonlySet<string>} own
 */
function declarationViolations({ manifest, references }, rule, own) {
  const { name } = manifest;
  const found = [];
  const declared = shipped(manifest);
  if (name === core && declared.length > 0) found.push(`${core} must have no dependencies, but declares ${declared.join(", ")}`);
  for (const other of declared) {
    if (own.has(other) && !rule.mayUse.includes(other)) found.push(`${name} must not depend on ${other}`);
  }
  if (rule.isSite && declared.length > 0) found.push(`${name} is a built site, so it must not depend on ${declared.join(", ")}`);
  if (references) {
    const wanted = declared.filter((other) => own.has(other) && !rules[other]?.isSite);
    for (const other of wanted) {
      if (!references.includes(other)) found.push(`${name} depends on ${other}, but its tsconfig.build.json does not refer to it`);
    }
    for (const other of references) {
      if (!wanted.includes(other)) found.push(`${name}'s tsconfig.build.json refers to ${other}, but it does not depend on it`);
    }
  }
  return found;
}

/**
 * Checks what the files import.
 * @param {Package} one @param {(typeof rules)[string]} rule @param {ReadonlySet<string>} own @param {Manifest} rootManifest
 */
function fileViolations({ manifest, files }, rule, own, rootManifest) {
  const { name } = manifest;
  const development = Object.keys(manifest.devDependencies ?? {});
  const inSources = [...shipped(manifest), ...(rule.isSite ? development : [])];
  const inTests = [...inSources, ...development, ...Object.keys(rootManifest.devDependencies ?? {}), name];
  const found = [];
  for (const file of files) {
    const isSource = file.path.startsWith("src/");
    for (const { specifier, kind } of importsOf(file)) {
      const where = `${name}/${file.path} imports ${specifier}`;
      if (specifier.startsWith(".")) {
        const target = posix.join(posix.dirname(file.path), specifier);
        // Tests may import test helpers and scripts of other packages that the manifest names.
        const [, folder] = (!isSource && /^\.\.\/(?:\.\.\/packages\/)?([^/]+)\/(?:test|scripts)\//.exec(target)) || [];
        if (folder !== undefined && inTests.includes(`@dechirp/${folder}`)) continue;
        // And so are the workspace's scripts, which ask for no package.
        if (!isSource && /^\.\.\/\.\.\/scripts\/[^/]+\.mjs$/.test(target)) continue;
        if (target.startsWith("../")) found.push(`${where}, which lies outside its package`);
        else if (isSource && !target.startsWith("src/")) found.push(`${where}, which lies outside src`);
        continue;
      }
      if (specifier.startsWith("node:") || builtinModules.includes(specifier)) {
        if (!specifier.startsWith("node:")) found.push(`${where}: write node:${specifier} instead`);
        if (!isSource) continue;
        if (rule.node === "none") found.push(`${where}, but this package must run without Node`);
        else if (rule.node === "lazily" && kind === "static")
          found.push(`${where}, but this package may load Node's modules only by import()`);
        else if (rule.node === "apart" && !/\/node[^/]*$/.test(file.path))
          found.push(`${where}, but only files named node*.ts of this package may import Node's modules`);
        continue;
      }
      const target = packageOf(specifier);
      if (target === "@dechirp/bench" && name !== target) found.push(`${where}: no package may import bench`);
      else if (isSource && own.has(target) && !rule.mayUse.includes(target)) found.push(`${where}: the dependency rule forbids it`);
      else if (!(isSource ? inSources : inTests).includes(target)) found.push(`${where}, which its package.json does not declare`);
    }
  }
  return found;
}

/** Dependencies that are installed with the package or that it asks its users to install. @param {Manifest} manifest */
const shipped = ({ dependencies, peerDependencies, optionalDependencies }) =>
  Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });

/** @param {string} specifier */
const packageOf = (specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");

/**
 * Finds circular imports among a package's sources. Imports of types count, `import()` does not. It reports one cycle per start.
 * @param {Package} one
 */
export function cycles({ manifest, files }) {
  const sources = files.filter(({ path }) => path.startsWith("src/"));
  const paths = new Set(sources.map(({ path }) => path));
  /** @type {Map<string, string[]>} */
  const edges = new Map();
  for (const file of sources) {
    const local = importsOf(file).filter(({ specifier, kind }) => specifier.startsWith(".") && kind !== "lazy");
    const targets = local.map(({ specifier }) => posix.join(posix.dirname(file.path), specifier));
    edges.set(
      file.path,
      [...new Set(targets)].filter((target) => paths.has(target)),
    );
  }
  /** @type {string[]} */
  const found = [];
  const done = new Set();
  const visit = (/** @type {string} */ path, /** @type {readonly string[]} */ trail) => {
    const start = trail.indexOf(path);
    if (start >= 0) found.push(`${manifest.name} has a circular import: ${[...trail.slice(start), path].join(" → ")}`);
    if (start >= 0 || done.has(path)) return;
    for (const target of edges.get(path) ?? []) visit(target, [...trail, path]);
    done.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return found;
}

/** Reads the workspace from disk. @returns {{ packages: Package[], rootManifest: Manifest }} */
export function readWorkspace(folder = root) {
  const readJson = (/** @type {string[]} */ ...path) => JSON.parse(readFileSync(join(folder, ...path), "utf8"));
  const folders = ["packages", "apps"].flatMap((group) => readdirSync(join(folder, group)).map((name) => `${group}/${name}`));
  const packages = folders
    .filter((path) => existsSync(join(folder, path, "package.json")))
    .map((path) => {
      const parts = path === "apps/docs" ? [".vitepress"] : ["src", "test"];
      const files = parts.flatMap((part) => sourceFiles(join(folder, path), part));
      const config = existsSync(join(folder, path, "tsconfig.build.json")) ? readJson(path, "tsconfig.build.json") : undefined;
      /** @type {string[] | undefined} */
      const references = config?.references?.map(
        (/** @type {{ path: string }} */ reference) => readJson(path, dirname(reference.path), "package.json").name,
      );
      return { manifest: readJson(path, "package.json"), files, ...(references && { references }) };
    });
  return { packages, rootManifest: readJson("package.json") };
}

/**
 * @param {string} folder @param {string} part
 * @returns {File[]}
 */
function sourceFiles(folder, part) {
  if (!existsSync(join(folder, part))) return [];
  return readdirSync(join(folder, part), { withFileTypes: true }).flatMap((entry) => {
    const path = `${part}/${entry.name}`;
    if (entry.isDirectory()) return ["cache", "dist"].includes(entry.name) ? [] : sourceFiles(folder, path);
    return /\.[cm]?[jt]sx?$/.test(entry.name) ? [{ path, text: readFileSync(join(folder, path), "utf8") }] : [];
  });
}
