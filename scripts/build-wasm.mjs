// @ts-check
/**
 * Builds the WASM modules that packages carry: compiles entries of a package's `assembly/` and embeds the bytes in files of `src/wasm/`.
 * With `--check` it writes nothing, and fails if a file differs from what a build makes. With `--generate` it only writes the generated
 * sources to files, for editors and tsc. Modules are built for a shared memory; `lazyModules` of core adapts them to other memories.
 * Functions with an `@inline` comment are compiled with that decorator, which TypeScript does not allow on functions. Packages call
 * this from their own `scripts/build-wasm.mjs` with their compiler.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";

/**
 * @typedef {{ readFile(file: string): string | null, writeFile(file: string, contents: string | Uint8Array): void, listFiles(): string[] }} Files
 * @typedef {{ main(args: string[], files: Files): Promise<{ error: Error | null, stderr: object }> }} Compiler AssemblyScript's `asc`
 * @typedef {{ source: string, target: string, what: string, builds?: Readonly<Record<string, Build>>, generated?: Readonly<Record<string, string>> }} Module
 *   an entry in `assembly/`, the file to embed it in, its description, its builds by name (default: one), and generated sources
 * @typedef {{ features?: readonly string[], options?: readonly string[], imports?: readonly string[] }} Build
 *   WASM features in addition to SIMD, options of the compiler, imports in addition to the memory
 */

/**
 * @param {Compiler} asc @param {string} assembly @param {Module} module @param {string} name @param {Build} build
 * @returns {Promise<Uint8Array<ArrayBuffer>>}
 */
async function compile(asc, assembly, { source, generated = {} }, name, { features = [], options = [], imports = [] }) {
  /** @type {Uint8Array<ArrayBuffer> | undefined} */
  let bytes;
  const { error, stderr } = await asc.main(
    [
      ...[source, "-O3", "--converge", "--noAssert", "--runtime", "stub", "--outFile", "module.wasm"],
      ...["--importMemory", "--noExportMemory", "--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536"],
      ...["--enable", ["simd", "threads", ...features].join(","), ...options],
    ],
    {
      readFile(file) {
        try {
          return (generated[file] ?? readFileSync(join(assembly, file), "utf8")).replaceAll("/* @inline */", "@inline");
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
  if (error || !bytes) throw new Error(`${name}: ${error?.message}\n${stderr.toString()}`);
  checkForm(name, bytes, ["env.memory memory", ...imports]);
  return bytes;
}

/** The bytes with which a module imports a shared memory of 1 to 65536 pages. */
const sharedMemory = "\x03env\x06memory\x02\x03\x01\x80\x80\x04";

/**
 * Checks that a module can run beside others: it has the expected imports, a memory that `lazyModules` finds, exported functions, no data,
 * and nothing that runs at start.
 * @param {string} name @param {Uint8Array<ArrayBuffer>} bytes @param {readonly string[]} expected
 */
function checkForm(name, bytes, expected) {
  if (Buffer.from(bytes).toString("latin1").split(sharedMemory).length !== 2)
    throw new Error(`${name}: does not import a shared memory of 1 to 65536 pages`);
  // Skipped on hosts that do not support all features of the module.
  if (WebAssembly.validate(bytes)) {
    const module = new WebAssembly.Module(bytes);
    const imports = WebAssembly.Module.imports(module).map((entry) => `${entry.module}.${entry.name} ${entry.kind}`);
    if (imports.join() !== expected.join()) throw new Error(`${name}: imports ${imports.join()} instead of ${expected.join()}`);
    const others = WebAssembly.Module.exports(module).filter((entry) => entry.kind !== "function");
    if (others.length > 0) throw new Error(`${name}: exports ${others.map((entry) => entry.name).join()}, but only functions are allowed`);
  }
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
    if (!allowed.includes(section)) throw new Error(`${name}: has a section of kind ${section}, which is not allowed`);
    at += size;
  }
}

/**
 * Builds or checks the modules of the package at `root`.
 * @param {Compiler} asc @param {string} root @param {readonly Module[]} modules
 */
export async function buildWasm(asc, root, modules) {
  if (process.argv.includes("--generate")) {
    for (const [file, text] of modules.flatMap(({ generated = {} }) => Object.entries(generated))) {
      const path = join(root, "assembly", file);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    return;
  }
  for (const module of modules) {
    const { source, target, what, builds = { binary: {} } } = module;
    let text = `/** Written by \`scripts/build-wasm.mjs\` from \`assembly/\`: ${what} in base64. Not to be edited. */\n// biome-ignore-all format: generated\n`;
    for (const [build, options] of Object.entries(builds)) {
      const bytes = await compile(asc, join(root, "assembly"), module, `${source} ${build}`, options);
      process.stdout.write(`${source} ${build}: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped\n`);
      text += `export const ${build} =\n  "${Buffer.from(bytes).toString("base64")}";\n`;
    }
    if (process.argv.includes("--check")) {
      if (readFileSync(join(root, target), "utf8") !== text)
        throw new Error(`${target} differs from what a build makes: run scripts/build-wasm.mjs`);
      process.stdout.write(`${target} is up to date\n`);
    } else {
      writeFileSync(join(root, target), text);
    }
  }
}
