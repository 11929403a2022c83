/**
 * Builds the WASM of hooks and of backprojection, or with `--check` checks it: scripts/build-wasm.mjs of the workspace says how. The records
 * that both sides know are generated.
 */
import { fileURLToPath } from "node:url";
import asc from "assemblyscript/asc";
import { recordsOf } from "../../../scripts/assembly-records.mjs";
import { buildWasm } from "../../../scripts/build-wasm.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const generated = { "generated/records.ts": await recordsOf(root, "src/backprojection/anchor-words.ts") };

await buildWasm(asc, root, [
  { source: "hooks.ts", target: "src/wasm/binaries.ts", what: "the hooks' WASM" },
  { source: "backprojection.ts", target: "src/wasm/backprojection-binaries.ts", what: "backprojection's WASM", generated },
]);
