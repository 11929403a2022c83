/**
 * Builds the WASM kernels: runs the codelet generator and compiles `assembly/kernels.ts` with plain and with relaxed SIMD, or with
 * `--check` checks them: scripts/build-wasm.mjs of the workspace says how. Then it builds reductions, a module of its own. Some sources are
 * generated: the codelets, and the records that `src/wasm/layouts.ts` and `src/wasm/reduce-layouts.ts` describe.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import asc from "assemblyscript/asc";
import { recordsOf } from "../../../scripts/assembly-records.mjs";
import { buildWasm } from "../../../scripts/build-wasm.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const assembly = join(root, "assembly");
async function generateCodelets() {
  const out = mkdtempSync(join(tmpdir(), "codelets-"));
  try {
    const tsc = join(dirname(createRequire(join(root, "../../package.json")).resolve("typescript/package.json")), "bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", join(assembly, "generator/tsconfig.json"), "--outDir", out], { stdio: "inherit" });
    writeFileSync(join(out, "package.json"), '{ "type": "module" }');
    const { codelets } = await import(pathToFileURL(join(out, "assembly/generator/main.js")).href);
    return codelets();
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const generated = {
  "generated/codelets.ts": await generateCodelets(),
  "generated/records.ts": await recordsOf(root, "src/wasm/layouts.ts"),
};
const reductions = { "generated/reduce-records.ts": await recordsOf(root, "src/wasm/reduce-layouts.ts") };
const imports = ["env.table table"];
const common = ["--importTable", "--use"];
await buildWasm(asc, root, [
  {
    source: "kernels.ts",
    target: "src/wasm/binaries.ts",
    what: "the WASM kernels",
    generated,
    builds: {
      plain: { imports, options: [...common, "RELAXED=0"] },
      relaxed: { imports, options: [...common, "RELAXED=1"], features: ["relaxed-simd"] },
    },
  },
  {
    source: "reduce.ts",
    target: "src/wasm/reduce-binaries.ts",
    what: "reductions and histograms",
    generated: reductions,
    builds: { binary: { imports, options: ["--importTable"] } },
  },
]);
