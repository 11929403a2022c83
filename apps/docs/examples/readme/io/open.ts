import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeNpy } from "@dechirp/io";

// A file to read, in a folder of its own.
const home = process.cwd();
process.chdir(await mkdtemp(join(tmpdir(), "dechirp-docs-")));
await writeFile("echoes.npy", writeNpy({ dtype: "c64", shape: [16, 32] }, new Float32Array(2 * 16 * 32)));

// #region open
import { readNpy } from "@dechirp/io";
import { openFile } from "@dechirp/io/node";

const signal = AbortSignal.timeout(60_000);
const file = await openFile("echoes.npy", { signal });
const { layout, data } = await readNpy(file, { file: "echoes.npy", signal });
await file.close();
console.log(layout, data.length); // { dtype: 'c64', shape: [ 16, 32 ] } 1024
// #endregion open

const folder = process.cwd();
process.chdir(home);
await rm(folder, { recursive: true });
