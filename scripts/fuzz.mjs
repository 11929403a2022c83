// @ts-check
/** `npm run fuzz [-- ARGS]`: feeds hostile inputs to every reader and command, after set-up. packages/fuzz/src/main.ts describes ARGS. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { root, runMain, setUp } from "./setup.mjs";

await runMain(() => {
  setUp();
  const main = join(root, "packages", "fuzz", "dist", "main.js");
  process.exitCode = spawnSync(process.execPath, [main, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1;
});
