// @ts-check
/**
 * Finds the WebGPU adapter that tests run on: a GPU if there is one, else lavapipe (Mesa's Vulkan driver for the CPU) if it has been
 * fetched or installed, else SwiftShader from the npm package that contains it. Drivers are found by environment variables that must be
 * set before the process that uses them starts, so `useAdapter` sets them for the children of this process.
 * DECHIRP_ADAPTER=system|lavapipe|swiftshader selects one.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";

/** @typedef {"system" | "lavapipe" | "swiftshader"} Kind */
/** @typedef {{ kind: Kind, description: string, env: Readonly<Record<string, string>> }} Adapter */

const require = createRequire(import.meta.url);
const here = dirname(fileURLToPath(import.meta.url));

/**
 * The folder in which drivers are kept between runs: the user's cache, or a folder of the user's own in the temporary folder if the cache
 * is not writable.
 */
export const cache = writable(join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "dechirp"));
/** The folder of the fetched lavapipe. */
export const lavapipeFolder = join(cache, "lavapipe");

/** Settings for Mesa's compiler: narrow vectors and no optimisation compile four times as fast, which is better for tests. */
const quickCompiler = { LP_NATIVE_VECTOR_WIDTH: "128", GALLIVM_PERF: "nopt" };

/** @type {Readonly<Record<Kind, () => Promise<Record<string, string> | undefined>>>} */
const environments = {
  system: async () => ({}),
  async lavapipe() {
    const icd = join(lavapipeFolder, "lvp.json");
    return existsSync(icd)
      ? { ...driver(icd, readFileSync(join(lavapipeFolder, "libraries"), "utf8").trim()), ...quickCompiler }
      : undefined;
  },
  async swiftshader() {
    const folder = await unpackSwiftShader();
    return driver(join(folder, "vk_swiftshader_icd.json"), folder);
  },
};

/** @param {string} folder */
function writable(folder) {
  try {
    // Created one by one: mkdirSync with `recursive` of Node 20 loops forever if the system can not create the first folder, as in
    // /proc.
    for (const one of [dirname(folder), folder]) if (!existsSync(one)) mkdirSync(one);
    accessSync(folder, constants.W_OK);
    return folder;
  } catch {
    const instead = join(tmpdir(), `dechirp-cache-${userInfo().uid}`);
    mkdirSync(instead, { recursive: true, mode: 0o700 });
    return instead;
  }
}

/**
 * @param {string} icd
 * @param {string} libraries
 */
const driver = (icd, libraries) => ({
  VK_DRIVER_FILES: icd,
  VK_ICD_FILENAMES: icd,
  LD_LIBRARY_PATH: [libraries, process.env["LD_LIBRARY_PATH"]].filter(Boolean).join(":"),
  XDG_RUNTIME_DIR: process.env["XDG_RUNTIME_DIR"] ?? "/tmp",
});

/**
 * The folder in which a package is installed, whatever the package exports.
 * @param {string} name
 */
function packageFolder(name) {
  let folder = dirname(require.resolve(name));
  while (!existsSync(join(folder, "package.json")) || JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).name !== name) {
    if (dirname(folder) === folder) throw new Error(`${name} is not installed`);
    folder = dirname(folder);
  }
  return folder;
}

/** The folder with SwiftShader, which is unpacked once. */
const unpackSwiftShader = () => unpackCarried("swiftshader", ["swiftshader.tar.br"]);

/**
 * Unpacks archives of the npm package that contains Chromium, once, and returns the folder: folders (.tar.br) and a program (.br).
 * @param {string} name
 * @param {readonly string[]} archives
 */
export async function unpackCarried(name, archives) {
  const carrier = packageFolder("@sparticuz/chromium");
  const { version } = JSON.parse(readFileSync(join(carrier, "package.json"), "utf8"));
  const folder = join(cache, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "partial-"));
  try {
    const { extract } = await import("tar-fs");
    for (const archive of archives) {
      const content = brotliDecompressSync(readFileSync(join(carrier, "bin", archive)));
      if (archive.endsWith(".tar.br")) await pipeline(Readable.from(content), extract(partial));
      else writeFileSync(join(partial, archive.slice(0, -".br".length)), content, { mode: 0o755 });
    }
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another process may have unpacked it meanwhile.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * Opens an adapter under an environment in another process. Returns its description or the reason why none opens.
 * @param {Record<string, string>} env
 * @returns {{ description: string } | { failure: string }}
 */
function probe(env) {
  const run = spawnSync(process.execPath, [join(here, "probe.mjs")], {
    env: { ...process.env, ...env },
    encoding: "utf8",
    timeout: 60_000,
    cwd: here,
  });
  const line = run.stdout?.split("\n").find((text) => text.startsWith("adapter: "));
  if (run.status === 0 && line) return { description: line.slice("adapter: ".length) };
  return { failure: run.stderr?.trim().split("\n").at(-1) || `the probe ended with ${run.signal ?? run.status}` };
}

/**
 * Finds the adapter. Throws an error that lists what was tried if none opens.
 * @returns {Promise<Adapter>}
 */
export async function findAdapter() {
  const wanted = process.env["DECHIRP_ADAPTER"] ?? "auto";
  const kinds = /** @type {Kind[]} */ (wanted === "auto" ? Object.keys(environments) : [wanted]);
  const tried = [];
  for (const kind of kinds) {
    const environment = environments[kind];
    if (!environment) throw new Error(`DECHIRP_ADAPTER must be auto or one of ${Object.keys(environments).join(", ")}, not ${kind}`);
    const env = await environment();
    if (!env) {
      tried.push(`${kind}: not downloaded (node packages/fft-gpu/scripts/lavapipe.mjs)`);
      continue;
    }
    const found = probe(env);
    if ("failure" in found) {
      tried.push(`${kind}: ${found.failure}`);
      continue;
    }
    const software = /llvmpipe|lavapipe/i.test(found.description)
      ? "lavapipe"
      : /swiftshader/i.test(found.description)
        ? "swiftshader"
        : kind;
    return { kind: software, description: found.description, env: { ...env, ...(software === "lavapipe" && quickCompiler) } };
  }
  throw new Error(`no WebGPU adapter opens: ${tried.join("; ")}`);
}

/** Finds the adapter, unless a parent process has found it, and sets the environment for the children of this process. */
export async function useAdapter() {
  if (process.env["DECHIRP_ADAPTER_KIND"]) return;
  const { kind, description, env } = await findAdapter();
  Object.assign(process.env, env, { DECHIRP_ADAPTER_KIND: kind, DECHIRP_ADAPTER_DESCRIPTION: description });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { kind, description } = await findAdapter();
  process.stdout.write(`${kind}: ${description}\n`);
}
