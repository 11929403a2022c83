// @ts-check
/**
 * Builds the WASM of a package's hooks and kernels: compiles each entry in its `assembly/` twice, for a memory of its own and for a
 * shared one, and embeds the bytes in a file of `src/wasm/`. `--check` writes nothing and fails where a file is not what a build
 * makes. Functions marked by an `@inline` comment are compiled with that decorator, which TypeScript does not allow on functions.
 * Packages call it from `scripts/build-wasm.mjs` with the compiler that they have.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const builds = [
  { name: "plain", features: "simd", options: [] },
  { name: "shared", features: "simd,threads", options: ["--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"] },
];

/**
 * @typedef {{ readFile(file: string): string | null, writeFile(file: string, contents: string | Uint8Array): void, listFiles(): string[] }} Files
 * @typedef {{ main(args: string[], files: Files): Promise<{ error: Error | null, stderr: object }> }} Compiler AssemblyScript's `asc`
 * @typedef {{ source: string, target: string, what: string }} Module an entry in `assembly/`, the file that holds it, and what it says it is
 */

/**
 * @param {Compiler} asc @param {string} assembly @param {string} source @param {(typeof builds)[number]} build
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function compile(asc, assembly, source, { name, features, options }) {
  /** @type {Uint8Array<ArrayBuffer> | undefined} */
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
        if (file === "module.wasm") bytes = /** @type {Uint8Array<ArrayBuffer>} */ (contents);
      },
      listFiles: () => [],
    },
  );
  if (error || !bytes) throw new Error(`${source} ${name}: ${error?.message}\n${stderr.toString()}`);
  checkForm(`${source} ${name}`, bytes);
  return bytes;
}

/**
 * What a module that others run beside must be: one memory imported, functions exported, no data, nothing that runs at start.
 * @param {string} name @param {Uint8Array<ArrayBuffer>} bytes
 */
function checkForm(name, bytes) {
  const module = new WebAssembly.Module(bytes);
  const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name} ${entry.kind}`);
  if (imports.join() !== "env.memory memory") throw new Error(`${name}: imports ${imports.join()}`);
  const others = WebAssembly.Module.exports(module).filter((entry) => entry.kind !== "function");
  if (others.length > 0) throw new Error(`${name}: exports ${others.map((entry) => entry.name).join()}`);
  const allowed = ["type", "import", "function", "export", "code"];
  const names = "custom,type,import,function,table,memory,global,export,start,element,code,data,data count".split(",");
  for (let at = 8; at < bytes.length; ) {
    const section = names[bytes[at++] ?? 0] ?? "no known kind";
    let size = 0;
    for (let shift = 0, more = true; more; shift += 7, at++) {
      const byte = bytes[at] ?? 0;
      size |= (byte & 127) << shift;
      more = byte > 127;
    }
    if (!allowed.includes(section)) throw new Error(`${name}: has a section of kind ${section}`);
    at += size;
  }
}

/**
 * Builds or checks the modules of the package at `root`.
 * @param {Compiler} asc @param {string} root @param {readonly Module[]} modules
 */
export async function buildWasm(asc, root, modules) {
  for (const { source, target, what } of modules) {
    const entries = [];
    for (const build of builds) {
      const bytes = await compile(asc, join(root, "assembly"), source, build);
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
}
