// @ts-check
/**
 * `node packages/bench/gpu/prepare.mjs FOLDER`: everything that a machine with a GPU driver and nothing else needs to measure,
 * in one folder: the bundled bench, Node, Dawn's binary, the peers' scripts, run.sh. Vulkan's loader is the machine's own.
 */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = resolve(process.argv[2] ?? ".device");
const require = createRequire(join(here, "../../fft-gpu/package.json"));

rmSync(target, { recursive: true, force: true });
const shim = join(target, "node_modules", "webgpu");
mkdirSync(shim, { recursive: true });

await build({
  entryPoints: [join(here, "device.ts")],
  outfile: join(target, "bench.mjs"),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  conditions: ["@dechirp/source"],
  banner: { js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);' },
});
const dawn = dirname(require.resolve("webgpu"));
const binary = join("dist", "linux-x64", "dawn.node");
mkdirSync(dirname(join(shim, binary)), { recursive: true });
for (const file of [binary, "index.js", "package.json"]) copyFileSync(join(dawn, file), join(shim, file));
copyFileSync(process.execPath, join(target, "node"));
for (const file of [join(target, "node"), join(shim, binary)]) {
  const packed = spawnSync("xz", ["-T2", "-6", file], { stdio: "inherit" });
  if (packed.status !== 0) throw new Error(`xz ${file} failed`);
}
copyFileSync(join(here, "cufft.py"), join(target, "cufft.py"));
copyFileSync(join(here, "run.sh"), join(target, "run.sh"));
chmodSync(join(target, "run.sh"), 0o755);
