// @ts-check
/**
 * Runs tests on lavapipe of Debian sid, which computes products of matrices in subgroups (8×8×8 of f16): the tests of the laboratory's kernels
 * with such products, or those that the arguments name. The driver and all libraries that it needs, down to the C library, are downloaded
 * into the cache of adapter.mjs without installing them. Node runs with these libraries. For Debian on x86-64.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cache } from "./adapter.mjs";
import { drivers, ownApt, run } from "./lavapipe.mjs";

/** The libraries that the driver needs. */
const libraries =
  "libc6 libstdc++6 libgcc-s1 libllvm22 libdrm-intel1 libelf1t64 libexpat1 zlib1g libzstd1 libvulkan1 libdisplay-info3 libpng16-16t64 libwayland-client0 libx11-xcb1 libx11-6 libxcb1 libxcb-dri3-0 libxcb-present0 libxcb-randr0 libxcb-shm0 libxcb-sync1 libxshmfence1 libsensors5 libffi8 libxau6 libxdmcp6 libedit2 libxml2-16 libtinfo6 libbsd0 libmd0 liblzma5 libpciaccess0 libcap2 libudev1 libatomic1";

const folder = join(cache, "lavapipe-sid");
const libraryFolder = join("root", "usr", "lib", "x86_64-linux-gnu");

function fetchDriver() {
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, "partial-"));
  try {
    const apt = ownApt(partial, "sid");
    apt.update();
    apt.download([...drivers, ...libraries.split(" ")]);
    for (const file of readdirSync(partial).filter((name) => name.endsWith(".deb")))
      run("dpkg", ["-x", join(partial, file), join(partial, "root")]);
    const icds = join(partial, "root", "usr", "share", "vulkan", "icd.d");
    const icd = readdirSync(icds).find((name) => name.startsWith("lvp_icd"));
    if (!icd) throw new Error("the package does not contain lavapipe");
    const description = JSON.parse(readFileSync(join(icds, icd), "utf8"));
    description.ICD.library_path = join(folder, libraryFolder, "libvulkan_lvp.so");
    writeFileSync(join(partial, "lvp.json"), JSON.stringify(description));
    for (const name of ["lists", "archives", ...readdirSync(partial).filter((file) => file.endsWith(".deb"))])
      rmSync(join(partial, name), { recursive: true, force: true });
    renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
}

try {
  if (!existsSync(folder)) fetchDriver();
  const here = join(dirname(fileURLToPath(import.meta.url)), "..");
  const found = join(folder, libraryFolder);
  const icd = join(folder, "lvp.json");
  const given = process.argv.slice(2);
  const vitest = join(here, "..", "..", "node_modules", "vitest", "vitest.mjs");
  // Workers are threads, as a child process would start with the system's libraries.
  const tests = [
    vitest,
    "run",
    "--pool=threads",
    ...(given.length > 0 ? given : ["test/lab-matrix.test.ts", "-t", "the adapter's products|features of Dawn"]),
  ];
  const { status } = spawnSync(join(found, "ld-linux-x86-64.so.2"), ["--library-path", found, process.execPath, ...tests], {
    cwd: here,
    stdio: "inherit",
    env: {
      ...process.env,
      ...{ VK_DRIVER_FILES: icd, VK_ICD_FILENAMES: icd, XDG_RUNTIME_DIR: process.env["XDG_RUNTIME_DIR"] ?? "/tmp" },
      // Products need vectors of 256 bits, so only optimisation is turned off.
      ...{ GALLIVM_PERF: "nopt", DECHIRP_ADAPTER_KIND: "lavapipe", DECHIRP_ADAPTER_DESCRIPTION: "lavapipe of Debian sid" },
    },
  });
  process.exitCode = status ?? 1;
} catch (error) {
  process.stderr.write(`lavapipe-sid: ${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
}
