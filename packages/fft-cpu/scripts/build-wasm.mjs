/**
 * Builds the WASM kernels: runs the codelet generator and compiles `assembly/kernels.ts` with plain and with relaxed SIMD, or with
 * `--check` checks them: scripts/build-wasm.mjs of the workspace says how. Two of the sources are generated: the codelets, and the records
 * that `src/wasm/layouts.ts` describes. `--generate` only writes these to `assembly/generated`, where editors and tsc look for them.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import asc from "assemblyscript/asc";
import { assemblyRecords } from "../../../scripts/assembly-records.mjs";
import { buildWasm } from "../../../scripts/build-wasm.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const assembly = join(root, "assembly");
/** Sources that are no files. */
async function generate() {
  const out = mkdtempSync(join(tmpdir(), "generated-"));
  try {
    const tsc = join(dirname(createRequire(join(root, "../../package.json")).resolve("typescript/package.json")), "bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", join(assembly, "generator/tsconfig.json"), "--outDir", out], { stdio: "inherit" });
    writeFileSync(join(out, "package.json"), '{ "type": "module" }');
    const load = (file) => import(pathToFileURL(join(out, file)).href);
    const { codelets } = await load("assembly/generator/main.js");
    const layouts = await load("src/wasm/layouts.js");
    return {
      "generated/codelets.ts": codelets(),
      "generated/records.ts": assemblyRecords(layouts, "src/wasm/layouts.ts"),
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const generated = await generate();
if (process.argv.includes("--generate")) {
  for (const [file, text] of Object.entries(generated)) {
    mkdirSync(join(assembly, dirname(file)), { recursive: true });
    writeFileSync(join(assembly, file), text);
  }
} else {
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
  ]);
}
