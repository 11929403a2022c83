// @ts-check
/** `npm run -s pnpm -- ARGS`: the pinned pnpm, for people and scripts that have none. Its exit status is passed on. */
import { checkNode, pnpm, runMain } from "./setup.mjs";

await runMain(() => {
  checkNode();
  process.exitCode = pnpm(process.argv.slice(2), { stdout: "inherit" });
});
