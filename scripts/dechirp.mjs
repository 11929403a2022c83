// @ts-check
/** `npm run -s dechirp -- ARGS`: runs the `dechirp` command of this checkout, after installing and building if needed. */
import { runCommand } from "./command.mjs";
import { runMain } from "./setup.mjs";

await runMain(() => runCommand(process.argv.slice(2)));
