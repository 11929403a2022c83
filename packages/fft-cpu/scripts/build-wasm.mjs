/**
 * Builds the WASM kernels: runs the codelet generator, compiles `assembly/kernels.ts` four times (shared memory or not, plain
 * or relaxed SIMD) and embeds the bytes in `src/wasm/binaries.ts`. `--check` writes nothing and fails where the file is not
 * what a build makes. `--text` prints the generated codelets.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const assembly = join(root, "assembly");
const target = join(root, "src/wasm/binaries.ts");

const builds = [
  { name: "plain", shared: false, relaxed: false },
  { name: "relaxed", shared: false, relaxed: true },
  { name: "sharedPlain", shared: true, relaxed: false },
  { name: "sharedRelaxed", shared: true, relaxed: true },
];

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

async function compile(build, codelets) {
  const features = ["simd", ...(build.shared ? ["threads"] : []), ...(build.relaxed ? ["relaxed-simd"] : [])];
  let bytes;
  const { error, stderr } = await asc.main(
    [
      "kernels.ts",
      "-O3",
      "--converge",
      "--noAssert",
      "--runtime",
      "stub",
      "--importMemory",
      "--importTable",
      "--enable",
      features.join(","),
      "--use",
      `RELAXED=${build.relaxed ? 1 : 0}`,
      ...(build.shared ? ["--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"] : []),
      "--outFile",
      "kernels.wasm",
    ],
    {
      readFile(name) {
        if (name === "codelets.ts") return codelets;
        if (name.startsWith("codelets")) return null;
        try {
          return readFileSync(join(assembly, name), "utf8");
        } catch {
          return null;
        }
      },
      writeFile(name, contents) {
        if (name === "kernels.wasm") bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${build.name}: ${error.message}\n${stderr.toString()}`);
  return bytes;
}

const codelets = await generateCodelets();
if (process.argv.includes("--text")) {
  process.stdout.write(codelets);
} else {
  const entries = [];
  let total = 0;
  for (const build of builds) {
    const bytes = await compile(build, codelets);
    const packed = gzipSync(bytes, { level: 9 }).length;
    total += packed;
    process.stdout.write(`${build.name}: ${bytes.length} bytes, ${packed} gzipped\n`);
    entries.push(`  ${build.name}: "${Buffer.from(bytes).toString("base64")}",\n`);
  }
  process.stdout.write(`together ${total} gzipped\n`);
  const text = `/** Written by \`scripts/build-wasm.mjs\` from \`assembly/\`: the WASM kernels in base64. Not to be edited. */\n// biome-ignore-all format: generated\nexport const binaries = {\n${entries.join("")}} as const;\n`;
  if (process.argv.includes("--check")) {
    if (readFileSync(target, "utf8") !== text)
      throw new Error("src/wasm/binaries.ts is not what this build makes: run scripts/build-wasm.mjs");
    process.stdout.write("src/wasm/binaries.ts is as built\n");
  } else {
    writeFileSync(target, text);
  }
}
