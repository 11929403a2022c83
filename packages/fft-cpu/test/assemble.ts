/** WebAssembly modules for tests: AssemblyScript, compiled in the process for a device's shared memory. */
import asc from "assemblyscript/asc";

export type Bytes = Uint8Array<ArrayBuffer>;

const sharing = ["--sharedMemory", "--initialMemory", "1", "--maximumMemory", "65536", "--enable", "threads"];

export async function assemble(source: string): Promise<Bytes> {
  let bytes: Bytes = new Uint8Array(0);
  const flags = ["-O1", "--runtime", "stub", "--importMemory", ...sharing];
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
