// @ts-check
/**
 * Downloads lavapipe, Mesa's Vulkan driver for the CPU, into the cache of adapter.mjs without installing it. For Debian and Ubuntu on
 * x86-64. On Debian 12 it comes from the backports, as the stable driver is too old for Dawn. If run as root, missing libraries that the
 * driver needs are installed by apt. Does nothing if lavapipe is there already.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cache, lavapipeFolder } from "./adapter.mjs";

/** The driver and the packages that only it needs. */
export const drivers = ["mesa-vulkan-drivers", "mesa-libgallium", "libdrm2", "libdrm-amdgpu1"];

/**
 * @param {string} command
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnSyncOptions} [options]
 * @returns {string}
 */
export function run(command, args, options = {}) {
  const result = spawnSync(command, args, { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 2 ** 28, ...options });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${command} ${args.join(" ")}: ${String(result.stderr).trim().split("\n").at(-1)}`);
  return String(result.stdout);
}

/** Name and version of the distribution. */
function release() {
  const text = existsSync("/etc/os-release") ? readFileSync("/etc/os-release", "utf8") : "";
  /** @param {string} key */
  const value = (key) => text.match(new RegExp(`^${key}="?([^"\n]*)`, "m"))?.[1] ?? "";
  return { id: value("ID"), version: Number.parseFloat(value("VERSION_ID")), codename: value("VERSION_CODENAME") };
}

/** The first mirror that apt uses. */
function mirror() {
  const folder = "/etc/apt/sources.list.d";
  const files = ["/etc/apt/sources.list", ...(existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [])];
  for (const file of files.filter((name) => existsSync(name))) {
    const text = readFileSync(file, "utf8");
    const uri = text.match(/^URIs:\s*(\S+)/m)?.[1] ?? text.match(/^deb\s+(?:\[[^\]]*\]\s+)?(\S+)/m)?.[1];
    if (uri) return uri.replace(/\/$/, "");
  }
  throw new Error("no mirror found in apt's sources");
}

/** An apt with a configuration of its own. It knows only this suite and does not change the system's lists. */
export function ownApt(/** @type {string} */ folder, /** @type {string} */ suite) {
  mkdirSync(join(folder, "lists", "partial"), { recursive: true });
  mkdirSync(join(folder, "archives", "partial"), { recursive: true });
  const keys = "/usr/share/keyrings/debian-archive-keyring.gpg";
  writeFileSync(join(folder, "sources.list"), `deb [${existsSync(keys) ? `signed-by=${keys}` : ""}] ${mirror()} ${suite} main\n`);
  const options = {
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": "-",
    "Dir::State::Lists": join(folder, "lists"),
    "Dir::Cache::Archives": join(folder, "archives"),
    "Dir::Cache::pkgcache": "",
    "Dir::Cache::srcpkgcache": "",
    "APT::Sandbox::User": "",
  };
  const flags = Object.entries(options).map(([key, value]) => `-o${key}=${value}`);
  return {
    update: () => run("apt-get", [...flags, "-q", "update"]),
    /** Packages that an installation of these would add. @param {readonly string[]} names */
    missing: (names) =>
      [...run("apt-get", [...flags, "-s", "--no-install-recommends", "install", ...names]).matchAll(/^Inst (\S+)/gm)].map(
        ([, name]) => name ?? "",
      ),
    /** @param {readonly string[]} names */
    download: (names) => run("apt-get", [...flags, "-q", "download", ...names.map((name) => `${name}/${suite}`)], { cwd: folder }),
  };
}

function fetchDriver() {
  const { id, version, codename } = release();
  if (process.arch !== "x64" || !["debian", "ubuntu"].includes(id))
    throw new Error(`lavapipe can not be downloaded for ${id || process.platform} on ${process.arch}`);
  const suite = id === "debian" && version < 13 ? `${codename}-backports` : codename;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "partial-"));
  try {
    const apt = ownApt(folder, suite);
    apt.update();
    apt.download(drivers);
    for (const file of readdirSync(folder).filter((name) => name.endsWith(".deb")))
      run("dpkg", ["-x", join(folder, file), join(folder, "root")]);
    const libraries = join("root", "usr", "lib", "x86_64-linux-gnu");
    const icds = join(folder, "root", "usr", "share", "vulkan", "icd.d");
    const icd = readdirSync(icds).find((name) => name.startsWith("lvp_icd"));
    if (!icd) throw new Error("the package does not contain lavapipe");
    const description = JSON.parse(readFileSync(join(icds, icd), "utf8"));
    description.ICD.library_path = join(lavapipeFolder, libraries, "libvulkan_lvp.so");
    writeFileSync(join(folder, "lvp.json"), JSON.stringify(description));
    writeFileSync(join(folder, "libraries"), join(lavapipeFolder, libraries));
    installMissing(join(folder, libraries));
    for (const name of ["lists", "archives", ...readdirSync(folder).filter((file) => file.endsWith(".deb"))])
      rmSync(join(folder, name), { recursive: true, force: true });
    rmSync(lavapipeFolder, { recursive: true, force: true });
    renameSync(folder, lavapipeFolder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The packages of the system's own suite that contain libraries that the driver needs, by library. */
const packages = {
  "libvulkan.so.1": "libvulkan1",
  libLLVM: "libllvm15",
  "libwayland-client.so.0": "libwayland-client0",
  "libX11-xcb.so.1": "libx11-xcb1",
  "libxcb-dri3.so.0": "libxcb-dri3-0",
  "libxcb-present.so.0": "libxcb-present0",
  "libxcb-randr.so.0": "libxcb-randr0",
  "libxcb-shm.so.0": "libxcb-shm0",
  "libxcb-sync.so.1": "libxcb-sync1",
  "libxshmfence.so.1": "libxshmfence1",
  "libelf.so.1": "libelf1",
  "libexpat.so.1": "libexpat1",
  "libzstd.so.1": "libzstd1",
};

function installMissing(/** @type {string} */ folder) {
  const linked = run("ldd", [join(folder, "libvulkan_lvp.so")], { env: { ...process.env, LD_LIBRARY_PATH: folder } });
  const missing = [...linked.matchAll(/^\s*(\S+) => not found/gm)].map((match) => match[1]);
  if (!run("ldconfig", ["-p"]).includes("libvulkan.so.1")) missing.push("libvulkan.so.1");
  if (missing.length === 0) return;
  const names = Object.entries(packages).flatMap(([library, name]) => (missing.some((m) => m.startsWith(library)) ? [name] : []));
  if (process.getuid?.() !== 0) throw new Error(`the driver needs ${missing.join(", ")}: apt-get install ${names.join(" ")}`);
  run("apt-get", ["-q", "update"]);
  run("apt-get", ["-qy", "--no-install-recommends", "install", ...names], { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (existsSync(join(lavapipeFolder, "lvp.json"))) {
    process.stdout.write("lavapipe is there already\n");
  } else {
    try {
      fetchDriver();
      process.stdout.write("lavapipe was downloaded\n");
    } catch (error) {
      process.stderr.write(`lavapipe: ${/** @type {Error} */ (error).message}\n`);
      process.exitCode = 1;
    }
  }
}
