// @ts-check
/** `npm run -s pnpm -- ARGS`: runs the pinned pnpm, so that nobody has to install it. Its exit status is passed on. */
import { checkNode, pnpm, runMain } from "./setup.mjs";

await runMain(() => {
  checkNode();
  process.exitCode = pnpm(process.argv.slice(2), { stdout: "inherit" });
});
