/**
 * Builds the WASM of hooks and of backprojection: compiles each entry in `assembly/` twice, for a memory of its own and for a
 * shared one, and embeds the bytes in a file of `src/wasm/`. `--check` writes nothing and fails where a file is not what a build
 * makes. Functions marked by an `@inline` comment are compiled with that decorator, which TypeScript does not allow on functions.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import asc from "assemblyscript/asc";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const assembly = join(root, "assembly");

const modules = [
  { source: "hooks.ts", target: "src/wasm/binaries.ts", what: "the hooks' WASM" },
  { source: "backprojection.ts", target: "src/wasm/backprojection-binaries.ts", what: "backprojection's WASM" },
];

const builds = [
  { name: "plain", features: "simd", options: [] },
  { name: "shared", features: "simd,threads", options: ["--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"] },
];

async function compile(source, { name, features, options }) {
  let bytes;
  const { error, stderr } = await asc.main(
    [
      ...[source, "-O3", "--converge", "--noAssert", "--runtime", "stub", "--importMemory", "--noExportMemory"],
      ...["--enable", features, ...options, "--outFile", "module.wasm"],
    ],
    {
      readFile(file) {
        try {
          return readFileSync(join(assembly, file), "utf8").replaceAll("/* @inline */", "@inline");
        } catch {
          return null;
        }
      },
      writeFile(file, contents) {
        if (file === "module.wasm") bytes = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${source} ${name}: ${error.message}\n${stderr.toString()}`);
  checkForm(`${source} ${name}`, bytes);
  return bytes;
}

/** What a module that others run beside must be: one memory imported, functions exported, no data, nothing that runs at start. */
function checkForm(name, bytes) {
  const module = new WebAssembly.Module(bytes);
  const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name} ${entry.kind}`);
  if (imports.join() !== "env.memory memory") throw new Error(`${name}: imports ${imports.join()}`);
  const others = WebAssembly.Module.exports(module).filter((entry) => entry.kind !== "function");
  if (others.length > 0) throw new Error(`${name}: exports ${others.map((entry) => entry.name).join()}`);
  const allowed = ["type", "import", "function", "export", "code"];
  const names = "custom,type,import,function,table,memory,global,export,start,element,code,data,data count".split(",");
  for (let at = 8; at < bytes.length; ) {
    const section = names[bytes[at++]];
    let size = 0;
    for (let shift = 0, more = true; more; shift += 7, at++) {
      size |= (bytes[at] & 127) << shift;
      more = bytes[at] > 127;
    }
    if (!allowed.includes(section)) throw new Error(`${name}: has a section of kind ${section}`);
    at += size;
  }
}

for (const { source, target, what } of modules) {
  const entries = [];
  for (const build of builds) {
    const bytes = await compile(source, build);
    const base64 = Buffer.from(bytes).toString("base64");
    process.stdout.write(
      `${source} ${build.name}: ${bytes.length} bytes, ${base64.length} in base64, ${gzipSync(bytes, { level: 9 }).length} gzipped\n`,
    );
    entries.push(`  ${build.name}: "${base64}",\n`);
  }
  const text = `/** Written by \`scripts/build-wasm.mjs\` from \`assembly/\`: ${what} in base64. Not to be edited. */\n// biome-ignore-all format: generated\nexport const binaries = {\n${entries.join("")}} as const;\n`;
  if (process.argv.includes("--check")) {
    if (readFileSync(join(root, target), "utf8") !== text)
      throw new Error(`${target} is not what this build makes: run scripts/build-wasm.mjs`);
    process.stdout.write(`${target} is as built\n`);
  } else {
    writeFileSync(join(root, target), text);
  }
}
