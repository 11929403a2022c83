// @ts-check
/**
 * Packs the GPU bench into a folder for a Linux x86-64 machine that has a GPU driver and nothing else: one module, Node,
 * Dawn, the loaders of Vulkan and GL, the peers, and the script that runs them there.
 *     node packages/bench/gpu/bundle.mjs FOLDER [--as NAME]      writes FOLDER/NAME.mjs (default: bench) and the rest
 *     bash FOLDER/on-device.sh [--bundle NAME] [options of the bench]
 * runtime.tar.xz does not change and is made only once. The folder has a .gitignore that ignores all of it.
 */
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const { positionals, values } = parseArgs({ allowPositionals: true, options: { as: { type: "string", default: "bench" } } });
if (positionals.length !== 1) {
  process.stderr.write("usage: node bundle.mjs FOLDER [--as NAME]\n");
  process.exit(2);
}
const folder = resolve(positionals[0]);
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, ".gitignore"), "*\n");

await build({
  entryPoints: [join(here, "../src/gpu/main.ts")],
  outfile: join(folder, `${values.as}.mjs`),
  bundle: true,
  platform: "node",
  target: "node20",
  format: "esm",
  conditions: ["@dechirp/source"],
  external: ["webgpu"],
  define: { "process.env.DECHIRP_VERSIONS": JSON.stringify(JSON.stringify(versions())) },
  logLevel: "warning",
});
const peers = ["cufft.py", "rda.py", "efa_torch.py", "reduce_torch.py", "gather_torch.py"];
for (const peer of peers) copyFileSync(join(here, "../peers", peer), join(folder, peer));
copyFileSync(join(here, "on-device.sh"), join(folder, "on-device.sh"));
const runtime = join(folder, "runtime.tar.xz");
// An interrupted run leaves a part of it, under another name.
if (!statSync(runtime, { throwIfNoEntry: false })?.size) {
  packRuntime(`${runtime}.partial`);
  renameSync(`${runtime}.partial`, runtime);
}

const sizes = readdirSync(folder).map((name) => ({ name, bytes: statSync(join(folder, name)).size }));
for (const { name, bytes } of sizes) process.stdout.write(`${(bytes / 2 ** 20).toFixed(2).padStart(8)} MiB  ${name}\n`);
process.stdout.write(`${(sizes.reduce((sum, { bytes }) => sum + bytes, 0) / 2 ** 20).toFixed(2).padStart(8)} MiB  in all\n`);

/** The versions of this project and of webgpu, for reports. */
function versions() {
  const versionOf = (/** @type {string} */ manifest) => JSON.parse(readFileSync(manifest, "utf8")).version;
  return { dechirp: versionOf(join(here, "../../cli/package.json")), webgpu: versionOf(join(webgpuFolder(), "package.json")) };
}

/** The folder of the package webgpu. */
function webgpuFolder() {
  return dirname(createRequire(join(here, "../package.json")).resolve("webgpu"));
}

/**
 * Packs node, node_modules/webgpu and loaders/*.deb.
 * @param {string} archive
 */
function packRuntime(archive) {
  if (process.platform !== "linux" || process.arch !== "x64")
    throw new Error("the runtime is copied from this machine, which must be Linux on x86-64");
  const scratch = mkdtempSync(join(tmpdir(), "dechirp-runtime-"));
  try {
    copyFileSync(process.execPath, join(scratch, "node"));
    const webgpu = webgpuFolder();
    const target = join(scratch, "node_modules/webgpu");
    for (const file of ["package.json", "index.js", "dist/linux-x64"]) cpSync(join(webgpu, file), join(target, file), { recursive: true });
    mkdirSync(join(scratch, "loaders"));
    const lists = join(scratch, "lists");
    mkdirSync(join(lists, "partial"), { recursive: true });
    const apt = (/** @type {string[]} */ ...args) =>
      execFileSync("apt-get", ["-qq", "-o", `Dir::State::Lists=${lists}`, "-o", "APT::Sandbox::User=root", ...args], {
        cwd: join(scratch, "loaders"),
        stdio: ["ignore", "ignore", "inherit"],
      });
    apt("update");
    apt("download", "libvulkan1", "libegl1", "libglvnd0", "libopengl0", "libgl1", "libglx0", "libgles2");
    execFileSync("tar", ["-C", scratch, "-cJf", archive, "node", "node_modules", "loaders"], {
      env: { ...process.env, XZ_OPT: "-9 -T2" },
      stdio: "inherit",
    });
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
