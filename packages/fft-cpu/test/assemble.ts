/** WebAssembly modules for tests: compiles AssemblyScript in the process, for a shared or a plain memory. */
import asc from "assemblyscript/asc";

export type Bytes = Uint8Array<ArrayBuffer>;

const sharing = ["--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536", "--enable", "threads"];

/** Compiles a module for a device's shared memory, or for a plain one. */
export async function assemble(source: string, kind: "shared" | "plain" = "shared"): Promise<Bytes> {
  let bytes: Bytes = new Uint8Array(0);
  const flags = ["-O1", "--runtime", "stub", "--importMemory", ...(kind === "shared" ? sharing : [])];
  const { error, stderr } = await asc.main(["in.ts", ...flags, "--outFile", "out.wasm"], {
    readFile: (name) => (name === "in.ts" ? source : null),
    writeFile: (name, contents) => {
      if (name === "out.wasm") bytes = contents as Bytes;
    },
    listFiles: () => [],
  });
  if (error) throw new Error(String(stderr));
  return bytes;
}

/** Compiles both, as hooks and kernels need them. */
export const assembleBoth = async (source: string): Promise<Readonly<Record<"plain" | "shared", Bytes>>> => ({
  plain: await assemble(source, "plain"),
  shared: await assemble(source),
});
