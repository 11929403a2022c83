// @ts-check
/** `npm run -s dechirp -- ARGS`: the `dechirp` command from this checkout, set up and built where needed. */
import { runCommand } from "./command.mjs";
import { runMain } from "./setup.mjs";

await runMain(() => runCommand(process.argv.slice(2)));
