/** Builds the WASM of hooks and of backprojection, or with `--check` checks it: scripts/build-wasm.mjs of the workspace says how. */
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { buildWasm } from "../../../scripts/build-wasm.mjs";

await buildWasm(asc, fileURLToPath(new URL("..", import.meta.url)), [
  { source: "hooks.ts", target: "src/wasm/binaries.ts", what: "the hooks' WASM" },
  { source: "backprojection.ts", target: "src/wasm/backprojection-binaries.ts", what: "backprojection's WASM" },
]);
