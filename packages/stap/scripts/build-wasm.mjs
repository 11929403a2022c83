/** Builds the WASM of the kernels, or with `--check` checks it: scripts/build-wasm.mjs of the workspace says how. */
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { buildWasm } from "../../../scripts/build-wasm.mjs";

await buildWasm(asc, fileURLToPath(new URL("..", import.meta.url)), [
  { source: "kernels.ts", target: "src/wasm/binaries.ts", what: "the kernels' WASM" },
]);
