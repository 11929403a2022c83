// @ts-check
/**
 * Sets up a checkout: checks Node's version, installs dependencies and builds packages, each only if it is out of date. It imports only
 * Node's own modules, as nothing but Node and npm may be installed. All messages go to stderr. If several set-ups run at once, one works
 * and the others wait.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the checkout. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const stateFolder = join(root, "node_modules", ".cache", "dechirp");
const installStamp = join(stateFolder, "install");
const buildStamp = join(stateFolder, "build");

/** An expected failure, which is shown to the user as its message alone. */
export class SetUpError extends Error {}

/** @returns {{ packageManager: string, engines: { node: string } }} */
const manifest = () => JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Throws unless `version` satisfies the `>=` range that package.json names. */
export function checkNode(version = process.versions.node, range = manifest().engines.node) {
  const numbers = (/** @type {string} */ text) =>
    text
      .replace(/^[^\d]*/, "")
      .split(".")
      .map(Number);
  const [major = 0, minor = 0] = numbers(version);
  const [wantedMajor = 0, wantedMinor = 0] = numbers(range);
  if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
    throw new SetUpError(`dechirp needs Node ${range}; this is Node ${version}. See https://nodejs.org.`);
  }
}

/**
 * Runs the pinned pnpm (`packageManager` in package.json) through npx and returns its exit status.
 * @param {readonly string[]} args
 * @param {{ stdout?: "inherit" | 2, env?: NodeJS.ProcessEnv }} [options]
 */
export function pnpm(args, { stdout = 2, env = {} } = {}) {
  const result = spawnSync("npx", ["--yes", "--prefer-offline", manifest().packageManager, ...args], {
    cwd: root,
    stdio: ["ignore", stdout, 2],
    shell: process.platform === "win32",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1", TURBO_NO_UPDATE_NOTIFIER: "1", npm_config_loglevel: "error", ...env },
  });
  if (result.error)
    throw new SetUpError(`npx could not be started (${result.error.message}). npm comes with Node; check that it is on the PATH.`);
  return result.status ?? 1;
}

/** Installs the dependencies if the lockfile has changed since the last installation. */
export function install() {
  const digest = digestOf(["pnpm-lock.yaml", "pnpm-workspace.yaml"].map((file) => readFileSync(join(root, file), "utf8")));
  const isCurrent = () => readStamp(installStamp) === digest && existsSync(join(root, "node_modules", ".modules.yaml"));
  if (isCurrent()) return;
  exclusively(() => {
    if (isCurrent()) return;
    say(`installing dependencies with ${manifest().packageManager}`);
    // With CI set, pnpm asks no questions.
    if (pnpm(["install", "--frozen-lockfile"], { env: { CI: "true" } }) !== 0) {
      throw new SetUpError(
        `The dependencies could not be installed with ${manifest().packageManager}; see above. The first installation needs ` +
          "the npm registry: check the network and `npm config get registry`. After an edit of a package.json, update the lockfile " +
          "with `npm run pnpm -- install`.",
      );
    }
    writeStamp(installStamp, digest);
  });
}

/** Builds every package if a file that a build reads has changed since the last build. Throws if the build fails. */
export function build() {
  if (isBuilt()) return;
  exclusively(() => {
    if (isBuilt()) return;
    say("building");
    const digest = sourceDigest(); // computed before the build, so that edits during the build cause another one
    if (pnpm(["exec", "turbo", "run", "build", "--output-logs=errors-only", "--log-order=grouped"]) !== 0) {
      throw new SetUpError("The build failed; see above.");
    }
    writeStamp(buildStamp, digest);
  });
}

/** Does everything that a command needs before it runs. */
export function setUp() {
  checkNode();
  install();
  build();
}

/**
 * Runs `main`. An expected error is printed as its message, with exit status 1.
 * @param {() => void | Promise<void>} main
 */
export async function runMain(main) {
  try {
    await main();
  } catch (error) {
    if (!(error instanceof SetUpError)) throw error;
    say(error.message);
    process.exitCode = 1;
  }
}

/** @param {string} text */
export const say = (text) => void process.stderr.write(`dechirp: ${text}\n`);

/**
 * What builds make of a folder: `files` and `folders` are what they read, and `product` is what each build leaves. (Not every package has an
 * index.js.)
 */
const kinds = [
  { files: ["package.json", "tsconfig.build.json"], folders: ["src"], product: ".tsbuildinfo" },
  { files: ["package.json", "vite.config.mjs", "index.html"], folders: ["src", "scripts"], product: "service-worker.js" },
];

/** The folders of the packages and sites that are built. */
const builtFolders = () =>
  ["packages", "apps"]
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(root, group, name)))
    .flatMap((folder) =>
      kinds.filter(({ files }) => files.every((file) => existsSync(join(folder, file)))).map((kind) => ({ folder, ...kind })),
    );

/** Whether every package was built from the sources that are there now. */
export function isBuilt() {
  if (!builtFolders().every(({ folder, product }) => existsSync(join(folder, "dist", product)))) return false;
  return readStamp(buildStamp) === sourceDigest();
}

/** A hash that changes with the name, size or time of any file that a build reads. */
function sourceDigest() {
  /** @type {string[]} */
  const facts = [];
  const note = (/** @type {string} */ path) => {
    const { mtimeMs, size } = statSync(path);
    facts.push(`${path} ${mtimeMs} ${size}`);
  };
  const walk = (/** @type {string} */ folder) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else note(path);
    }
  };
  for (const file of ["tsconfig.base.json", "turbo.json", "pnpm-lock.yaml", "scripts/bundle-package.mjs"]) note(join(root, file));
  for (const { folder, files, folders } of builtFolders()) {
    for (const file of files) note(join(folder, file));
    for (const name of folders) walk(join(folder, name));
  }
  return digestOf(facts.sort());
}

/** @param {readonly string[]} texts */
const digestOf = (texts) => createHash("sha256").update(texts.join("\0")).digest("hex");

/** @param {string} file */
const readStamp = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);

function writeStamp(/** @type {string} */ file, /** @type {string} */ text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

/**
 * Runs `work` while no other set-up of this checkout works. The lock is a file outside the checkout that contains the owner's process id.
 * It is created by a link, so it is never incomplete. If its owner has ended, the lock is removed.
 * @param {() => void} work
 */
export function exclusively(work, lock = join(tmpdir(), `dechirp-set-up-${digestOf([root]).slice(0, 16)}`)) {
  const mine = `${lock}.${process.pid}`;
  writeFileSync(mine, String(process.pid));
  try {
    for (let waits = 0; !tryLink(mine, lock); waits++) {
      const owner = readStamp(lock);
      if (owner !== undefined && !isAlive(Number(owner))) {
        breakLock(lock, owner, `${mine}.broken`);
        continue;
      }
      if (waits === 0) say(`waiting for the set-up of process ${owner ?? "(just ended)"}`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    }
    try {
      work();
    } finally {
      rmSync(lock, { force: true });
    }
  } finally {
    rmSync(mine, { force: true });
  }
}

function tryLink(/** @type {string} */ from, /** @type {string} */ to) {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (/** @type {NodeJS.ErrnoException} */ (error).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes the lock of a process that has ended. If another process has replaced the lock meanwhile, that lock is restored. */
function breakLock(/** @type {string} */ lock, /** @type {string} */ owner, /** @type {string} */ aside) {
  try {
    renameSync(lock, aside);
  } catch {
    return; // already removed
  }
  if (readStamp(aside) !== owner) tryLink(aside, lock);
  rmSync(aside, { force: true });
}

function isAlive(/** @type {number} */ pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

if (process.argv[1] !== undefined && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) await runMain(setUp);
